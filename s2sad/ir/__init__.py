"""The representation that every stage reads and writes: Program, Expr, Type, Region, errors.

text(program) prints it as Python that runs; runnable(program) runs it; verify(program) checks it.
"""
