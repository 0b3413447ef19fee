"""Operators as functions: those of Python's module operator, and what is one expression of others."""

# mypy: ignore-errors

import cmath
import operator


def setitem(a, b, c):
    """Set a[b] to c."""
    a[b] = c


def iadd(a, b):
    """Return a += b."""
    a += b
    return a


def isub(a, b):
    """Return a -= b."""
    a -= b
    return a


def imul(a, b):
    """Return a *= b."""
    a *= b
    return a


def itruediv(a, b):
    """Return a /= b."""
    a /= b
    return a


def ipow(a, b):
    """Return a **= b."""
    a **= b
    return a


def imatmul(a, b):
    """Return a @= b."""
    a @= b
    return a


WRITING = (setitem, iadd, isub, imul, itruediv, ipow, imatmul)
OPERATORS = {
    **{getattr(operator, each.__name__): each for each in WRITING},
    operator.add: lambda a, b: a + b,
    operator.sub: lambda a, b: a - b,
    operator.mul: lambda a, b: a * b,
    operator.truediv: lambda a, b: a / b,
    operator.floordiv: lambda a, b: a // b,
    operator.mod: lambda a, b: a % b,
    operator.pow: lambda a, b: a**b,
    operator.matmul: lambda a, b: a @ b,
    operator.lt: lambda a, b: a < b,
    operator.le: lambda a, b: a <= b,
    operator.gt: lambda a, b: a > b,
    operator.ge: lambda a, b: a >= b,
    operator.eq: lambda a, b: a == b,
    operator.ne: lambda a, b: a != b,
    operator.neg: lambda a: -a,
    operator.pos: lambda a: +a,
    operator.abs: lambda a: abs(a),
    operator.getitem: lambda a, b: a[b],
    cmath.polar: lambda z: (abs(z), cmath.phase(z)),
}
