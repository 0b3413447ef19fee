"""Functions that write to what they are given, and call themselves, write to copies of their own.

def vcycle(u, f):                              def vcycle(u, f):
    u[1:-1] = ...                      ->          u = u.copy()
    u[::2] += vcycle(np.zeros(n), r)               u[1:-1] = ...

That is the same for a call that is given what nobody else has, as np.zeros(n) is: nobody sees what
is written to it. Other calls of functions that write are lowered in place, which has no end here.
"""

from __future__ import annotations

import copy
from collections.abc import Collection, Mapping
from functools import lru_cache
from types import FunctionType
from typing import Any

import gast
import numpy as np

from s2sad.ir.errors import S2sadError
from s2sad.legacy.program import Call, Ref
from s2sad.legacy.scope import Scope
from s2sad.legacy.written import Normalise, written_by
from s2sad.source.remade import remade
from s2sad.source.text import Source, resolve_dotted, signature_of, source_of
from s2sad.source.trees import nodes_of

Names = Collection[str]
# what these give is an array that nobody else has
MAKERS: tuple[Any, ...] = (
    np.zeros,
    np.ones,
    np.empty,
    np.full,
    np.zeros_like,
    np.ones_like,
    np.empty_like,
)
MAKERS += (np.full_like, np.array, np.copy, np.linspace, np.arange)


def renewed(call: Call, node: Any, scope: Scope, normalise: Normalise) -> Call:
    """Return the call of the function that copies what it writes to, where that makes no difference."""
    function = call.func.value if isinstance(call.func, Ref) else None
    if not isinstance(function, FunctionType) or not _may_call_itself(function):
        return call
    if function is scope.active_calls[0]:
        return call  # what it writes to is being found out
    written = written_by(function, normalise)
    if not written or not _all_new(written, function, node, scope.source, scope.locals):
        return call
    source = source_of(function)
    again = _calls_of_itself(function, source)
    if not again or not all(
        _all_new(written, function, each, source, source.locals) for each in again
    ):
        return call
    made = _with_copies(function, tuple(sorted(written)))
    return Call(Ref(made.__name__, made), call.args, call.keywords)


def _may_call_itself(function: FunctionType) -> bool:
    """Tell whether a function of a module reads the name that is its own."""
    if function.__closure__ or function.__globals__.get(function.__name__) is not function:
        return False
    return function.__name__ in function.__code__.co_names and _can_be_read(function)


def _can_be_read(function: FunctionType) -> bool:
    """Tell whether the source of a function is there, and is not that of a generator."""
    try:
        tree = source_of(function).tree
    except S2sadError:
        return False
    return not any(isinstance(part, gast.Yield | gast.YieldFrom) for part in nodes_of(tree))


def _calls_of_itself(function: FunctionType, source: Source) -> list[Any]:
    """Return where a function calls itself; none where it uses its name for anything else."""
    parts, own = list(nodes_of(source.tree)), function.__name__
    calls = [each for each in parts if isinstance(each, gast.Call) and _is_named(each.func, own)]
    named = [each for each in parts if _is_named(each, own)]
    return calls if len(calls) == len(named) and own not in source.locals else []


def _is_named(node: Any, name: str) -> bool:
    return isinstance(node, gast.Name) and node.id == name


def _all_new(
    written: frozenset[str], function: FunctionType, node: Any, source: Source, own: Names
) -> bool:
    """Tell whether all that a function writes to is made where it is called, for this call alone."""
    if any(isinstance(each, gast.Starred) for each in node.args):
        return False
    if any(each.arg is None for each in node.keywords):
        return False
    named = {each.arg: each.value for each in node.keywords}
    try:
        given: Mapping[str, Any] = signature_of(function).bind(*node.args, **named).arguments
    except TypeError:
        return False
    return all(name in given and _is_new(given[name], source, own) for name in written)


def _is_new(node: Any, source: Source, own: Names) -> bool:
    match node:
        case gast.Call(func=gast.Attribute(attr="copy"), args=[], keywords=[]):
            return True
        case gast.Call(func=gast.Attribute(value=gast.Name(id=owner)) as func, keywords=options):
            shared = any(each.arg == "copy" for each in options) or owner in own
            found = None if shared else resolve_dotted(source, func)
            return found is not None and any(found[1] is each for each in MAKERS)
    return False


@lru_cache(maxsize=512)
def _with_copies(function: FunctionType, written: tuple[str, ...]) -> FunctionType:
    """Return a function that begins by copying the parameters it writes to."""
    source: Source = source_of(function)
    tree = copy.deepcopy(source.tree)
    start = int(gast.get_docstring(tree) is not None)
    at = tree.body[start] if len(tree.body) > start else tree.body[0]
    tree.body[start:start] = [_copied(name, at) for name in written]
    made = remade(gast.gast_to_ast(tree), {function.__name__: None}, source)
    for name, cell in zip(made.__code__.co_freevars, made.__closure__ or (), strict=True):
        if name == function.__name__:
            cell.cell_contents = made  # it calls itself, not what writes to what it is given
    return made


def _copied(name: str, at: Any) -> Any:
    """Return `u = u.copy()`."""
    read, kept = (gast.Name(name, ctx, None, None) for ctx in (gast.Load(), gast.Store()))
    made = gast.Call(gast.Attribute(read, "copy", gast.Load()), [], [])
    stmt = gast.Assign([kept], made, None)
    for part in (read, kept, made, made.func, stmt):
        gast.copy_location(part, at)
    return stmt
