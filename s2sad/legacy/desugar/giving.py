"""What a call gives to a function that writes to it: something of its own, or what others see.

scaled(u, out=v)        v is seen afterwards
scaled(u, 2.0 * n)      a number that is made for the call, or an array: nobody else has it
"""

from __future__ import annotations

import inspect
from types import FunctionType

import gast

from s2sad.legacy.desugar.syntax import Node

NEW = (gast.Constant, gast.BinOp, gast.UnaryOp, gast.Compare)
UNCHANGING = (type(None), bool, int, float, complex, str, tuple)


def is_seen_to_write(call: Node, function: FunctionType, written: frozenset[str]) -> bool:
    """Tell whether a call of a function that writes to these parameters may change what others see."""
    if not written:
        return False
    starred = any(isinstance(arg, gast.Starred) for arg in call.args)
    if starred or any(each.arg is None for each in call.keywords):
        return True
    keywords = {each.arg: each.value for each in call.keywords}
    try:
        given = inspect.signature(function).bind(*call.args, **keywords).arguments
    except (TypeError, ValueError):
        return True
    return any(not _is_its_own(name, given, function) for name in written)


def _is_its_own(name: str, given: dict[str, Node], function: FunctionType) -> bool:
    """Tell whether what a parameter is given can be read by nobody else after the call."""
    if name in given:
        return isinstance(given[name], NEW)
    parameter = inspect.signature(function).parameters.get(name)
    return parameter is not None and isinstance(parameter.default, UNCHANGING)
