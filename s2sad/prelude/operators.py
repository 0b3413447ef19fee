"""Operators as functions: the module operator of Python's."""

# mypy: ignore-errors

import operator


def _add(a, b):
    """Return the sum."""
    return a + b


def _sub(a, b):
    """Return the difference."""
    return a - b


def _mul(a, b):
    """Return the product."""
    return a * b


def _truediv(a, b):
    """Return the quotient."""
    return a / b


def _floordiv(a, b):
    """Return the whole quotient."""
    return a // b


def _mod(a, b):
    """Return the rest."""
    return a % b


def _pow(a, b):
    """Return the power."""
    return a**b


def _matmul(a, b):
    """Return the matrix product."""
    return a @ b


def _lt(a, b):
    """Tell whether the first is less."""
    return a < b


def _le(a, b):
    """Tell whether the first is no more."""
    return a <= b


def _gt(a, b):
    """Tell whether the first is more."""
    return a > b


def _ge(a, b):
    """Tell whether the first is no less."""
    return a >= b


def _eq(a, b):
    """Tell whether both are equal."""
    return a == b


def _ne(a, b):
    """Tell whether both differ."""
    return a != b


def _neg(a):
    """Return the negative."""
    return -a


def _pos(a):
    """Return a value as it is."""
    return +a


def _abs(a):
    """Return the absolute value."""
    return abs(a)


def _getitem(a, b):
    """Return an item."""
    return a[b]


OPERATORS = {
    operator.add: _add,
    operator.sub: _sub,
    operator.mul: _mul,
    operator.truediv: _truediv,
    operator.floordiv: _floordiv,
    operator.mod: _mod,
    operator.pow: _pow,
    operator.matmul: _matmul,
    operator.lt: _lt,
    operator.le: _le,
    operator.gt: _gt,
    operator.ge: _ge,
    operator.eq: _eq,
    operator.ne: _ne,
    operator.neg: _neg,
    operator.pos: _pos,
    operator.abs: _abs,
    operator.getitem: _getitem,
}
