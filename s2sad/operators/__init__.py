"""The operator table: derivative rules of NumPy and SciPy, effects and costs of calls.

find.find(expr) finds the rule of an operation by the types on its operands, filling.fill fills in
its lines, effects.effect and effects.cost say what a call does and costs, algebra.Algebra builds
derivative expressions. The rules themselves are the templates.
"""
