"""A Python function becomes a Program: classes, closures, generators and options are evaluated.

lower(read(f), arguments, tools) -> Program

The modules of this room call each other as the parts of any interpreter do: an expression may be a
call, a call runs statements, statements hold expressions. They import modules, not names.
"""
