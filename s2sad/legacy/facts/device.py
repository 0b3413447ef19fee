"""On a device a result without axes stays an array there: it can be written to, and read as a view.

np.sum(u), w[3]      on the host a number, on a device an array ()
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from s2sad.legacy.facts.fact import Fact, array
from s2sad.legacy.program import Attr, Call, Expr, Op

_ON_DEVICE: ContextVar[bool] = ContextVar("on_device", default=False)


@contextmanager
def on_device(yes: bool) -> Iterator[None]:
    """Take results without axes for arrays while a text for a device is made."""
    token = _ON_DEVICE.set(yes)
    try:
        yield
    finally:
        _ON_DEVICE.reset(token)


def is_on_device() -> bool:
    """Tell whether a text for a device is being made."""
    return _ON_DEVICE.get()


def as_held(expr: Expr, fact: Fact) -> Fact:
    """Return what is known of the value of an expression where it is held."""
    if not fact.is_scalar or fact.weak is True or not _ON_DEVICE.get():
        return fact
    if fact.value is not None or not isinstance(expr, Op | Call | Attr):
        return fact
    return array(fact.dtype, ())


def adjoint_held(fact: Fact) -> Fact:
    """Return what is known of an adjoint, or tangent, of a value."""
    if fact.given and fact.given.is_scalar:
        fact = fact.given  # an adjoint is 0.0 where its value is None
    floats = fact.kind in ("float", "complex") and fact.value is None
    return array(fact.dtype, ()) if floats and _ON_DEVICE.get() else fact


def is_held_number(fact: Fact) -> bool:
    """Tell whether a value is a number that a device holds; one of the host's may stand there."""
    return fact.is_array and fact.rank == 0 and _ON_DEVICE.get()
