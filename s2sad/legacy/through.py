"""What syntax writes to through the functions that it calls: what is copied is not followed.

try:                              swap writes to what it is given, so this statement writes to idx
    swap(idx)
except IndexError:
    pass

Where a function is not known, or what it is given is handed a function that writes, all that the
call is given may be written to.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from types import FunctionType, MethodType
from typing import Any

import gast
import numpy as np

from s2sad.source.installed import is_installed
from s2sad.source.names import changed_names, is_bound, locals_of, reads_of
from s2sad.source.text import MISSING, Source, signature_of
from s2sad.source.trees import nodes_of

# gives the parameters that a function writes to
Writes = Callable[[FunctionType], frozenset[str]]

# NumPy functions and methods whose result may be a view of their first argument
VIEWS = frozenset(
    "reshape ravel transpose squeeze swapaxes moveaxis rollaxis expand_dims broadcast_to "
    "broadcast_arrays atleast_1d atleast_2d atleast_3d asarray asanyarray array "
    "ascontiguousarray asfortranarray diagonal view flip fliplr flipud rot90 real imag split "
    "array_split hsplit vsplit require matrix_transpose permute_dims astype squeeze "
    "sliding_window_view as_strided nan_to_num diag dsplit unstack trim_zeros real_if_close "
    "asarray_chkfinite matrix_power ix_ asmatrix meshgrid frombuffer from_dlpack".split()
)

# what functions of libraries call the arrays that they are given to write to
OUTPUTS = frozenset({"out", "output"})
PLAIN = (np.ndarray, list, dict, tuple, str, bytes, set, frozenset, float, complex)
# what methods of these names change is told by the syntax alone
KNOWN = frozenset(name for kind in PLAIN for name in dir(kind))
_FUNCTIONS = (gast.FunctionDef, gast.Lambda)


@dataclass(frozen=True, slots=True)
class _Around:
    """What is known where syntax stands.

    `own` are the names of values: what others mean, the module of `source` tells. Calls of what is
    not known count where `unknown` holds. `inside` are the functions that are looked into.
    """

    source: Source
    writes: Writes
    own: frozenset[str]
    unknown: bool = True
    inside: frozenset[str] = frozenset()


def written_through(
    nodes: Iterable[Any],
    source: Source,
    writes: Writes,
    own: frozenset[str],
    unknown: bool = True,
) -> frozenset[str]:
    """Return the names whose objects some syntax may write to.

    `own` are the names of values: what others mean, the module of `source` tells. Calls of what
    is not known count where `unknown` holds.
    """
    return _written(list(nodes), _Around(source, writes, own, unknown))


def writes_when_called(
    function: Any, source: Source, writes: Writes, own: frozenset[str]
) -> frozenset[str]:
    """Return what a function that is made inside writes to of `own`; "" stands for what it is given.

    Functions that are not known are not counted.
    """
    around = _Around(source, writes, own, unknown=False)
    return frozenset(_by_inner(function, [""], around)) & {*own, ""}


def _written(nodes: list[Any], around: _Around) -> frozenset[str]:
    found = set(changed_names(nodes))
    for part in (part for node in nodes for part in nodes_of(node)):
        if isinstance(part, gast.Call):
            found.update(_by_call(part, around))
    return with_owners(found, nodes)


def with_owners(
    names: set[str], nodes: list[Any], owners: Callable[[Any], Iterable[str]] | None = None
) -> frozenset[str]:
    """Add the names of what others may be parts of: `b` of `a` after `a = b[1:]`.

    `owners` tells whose part a value is, `roots` if it is not given.
    """
    given = [pair for node in nodes for part in nodes_of(node) for pair in _given(part)]
    size = -1
    while size < len(names):
        size = len(names)
        for target, value in given:
            if names & {part.id for part in nodes_of(target) if is_bound(part)}:
                names.update((owners or roots)(value))
    return frozenset(names)


def _given(node: Any) -> Iterator[tuple[Any, Any]]:
    """Yield the targets and the values of what gives names to values."""
    match node:
        case gast.Assign(targets=targets, value=value):
            yield from ((target, value) for target in targets)
        case (
            gast.NamedExpr(target=target, value=value) | gast.AnnAssign(target=target, value=value)
        ):
            yield target, value
        case gast.For(target=target, iter=value) | gast.comprehension(target=target, iter=value):
            yield target, value
        case gast.withitem(optional_vars=target, context_expr=value) if target is not None:
            yield target, value


# ---------------------------------------------------------------------------- calls


def _by_call(call: Any, around: _Around) -> Iterator[str]:
    if getattr(call.func, "id", None) in around.inside:
        return  # it is being looked into
    function, first = _called(call.func, around)
    if function is None and not around.unknown:
        return
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    everything = [name for each in given for name in roots(each)]
    if function is None:
        yield from (*everything, *(name for name in reads_of(call.func) if name in around.own))
    elif isinstance(function, FunctionType):
        yield from _written_arguments(call, function, first, around.writes(function))
    elif isinstance(function, _FUNCTIONS):
        yield from _by_inner(function, everything, replace(around, unknown=True))
    if any(_may_write(each, around) for each in given):
        yield from everything


def _called(func: Any, around: _Around) -> tuple[Any, int]:
    """Return the function that is called, and how many arguments it is given before those shown.

    The syntax of one that is made inside, None for what is not known; MISSING for what writes to
    nothing, as far as its name does not tell otherwise.
    """
    if isinstance(func, gast.Lambda):
        return func, 0
    if isinstance(func, gast.Name) and func.id in around.own:
        return _made_inside(func.id, around.source), 0
    value = None if _is_own(func, around.own) else _value(func, around.source)
    if value is None:
        return (MISSING if getattr(func, "attr", "") in KNOWN else None), 0
    return _python(value)


def _is_own(node: Any, own: frozenset[str]) -> bool:
    while isinstance(node, gast.Attribute | gast.Subscript):
        node = node.value
    return not isinstance(node, gast.Name) or node.id in own


def _made_inside(name: str, source: Source) -> Any:
    found = [
        part
        for part in nodes_of(source.tree)
        if isinstance(part, gast.FunctionDef) and part.name == name and part is not source.tree
    ]
    return found[0] if len(found) == 1 else _named_lambda(name, source.tree)


def _named_lambda(name: str, tree: Any) -> Any:
    """Return the lambda that a name is given, where it is given nothing else."""
    bound = [part for part in nodes_of(tree) if getattr(part, "id", "") == name and is_bound(part)]
    made = [
        part.value
        for part in nodes_of(tree)
        if isinstance(part, gast.Assign) and isinstance(part.value, gast.Lambda)
        if any(each is target for each in bound for target in part.targets)
    ]
    return made[0] if len(bound) == len(made) == 1 else None


def _value(node: Any, source: Source) -> Any:
    """Return what a name of the module, or a part of it, stands for; None where that is unknown."""
    match node:
        case gast.Name(id=name):
            found = source.resolve(name)
            return None if found is MISSING else found
        case gast.Attribute(value=inner, attr=attr):
            owner = _value(inner, source)
            return None if owner is None else getattr(owner, attr, None)
    return None


def _python(value: Any) -> tuple[Any, int]:
    """Return the Python function that runs when a value is called, and what that is given first."""
    if isinstance(value, MethodType):
        return _python(value.__func__)[0], 1
    if isinstance(value, partial):
        return None, 0
    value = inspect.unwrap(value) if callable(value) else value
    if isinstance(value, FunctionType):
        return value, 0
    kind, method = (value, "__init__") if isinstance(value, type) else (type(value), "__call__")
    found = getattr(kind, method, None)
    return (found, 1) if isinstance(found, FunctionType) else (MISSING, 0)


def _written_arguments(
    call: Any, function: FunctionType, first: int, written: frozenset[str]
) -> Iterator[str]:
    """Yield the names of what a function is given for the parameters that it writes to."""
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    starred = any(isinstance(each, gast.Starred) for each in call.args)
    try:
        keywords = {keyword.arg: keyword.value for keyword in call.keywords}
        bound = signature_of(function).bind_partial(*[None] * first, *call.args, **keywords)
        taken = dict(bound.arguments)
    except TypeError:
        starred = True
    if starred:
        yield from (name for each in given for name in roots(each) if written)
        return
    if is_installed(function):
        written |= OUTPUTS  # code that is compiled may fill these in
    for name in written & taken.keys():
        for each in _parts(taken[name]):
            yield from roots(each)


def _parts(taken: Any) -> Iterable[Any]:
    """Return the arguments that one parameter takes: *args takes several."""
    if isinstance(taken, dict):
        return taken.values()
    return taken if isinstance(taken, tuple) else [taken]


def _by_inner(function: Any, given: list[str], around: _Around) -> Iterator[str]:
    """Yield what a function that is made inside writes to, where it is called."""
    own = locals_of(function)
    body = function.body if isinstance(function.body, list) else [function.body]
    inside = around.inside | {getattr(function, "name", "")}
    found = _written(body, replace(around, own=own | around.source.locals, inside=inside))
    yield from found - own
    if found & own:
        yield from given


def _may_write(node: Any, around: _Around) -> bool:
    """Tell whether an argument is a function that writes to what it is given."""
    if isinstance(node, gast.Lambda):
        return any(_by_inner(node, [""], replace(around, unknown=False)))
    if not isinstance(node, gast.Name | gast.Attribute) or _is_own(node, around.own):
        return False
    value = _value(node, around.source)
    function = _python(value)[0] if callable(value) and not isinstance(value, type) else None
    return isinstance(function, FunctionType) and bool(around.writes(function))


# ---------------------------------------------------------------------------- memory

# functions of Python's whose values hold nothing that they are given
_FRESH = frozenset(
    "abs all any bool complex divmod float format hash id int isinstance len pow print range repr "
    "round str sum type".split()
)


def roots(node: Any) -> Iterator[str]:
    """Yield the names whose memory the value of an expression may be a part of."""
    match node:
        case gast.Name(id=name):
            yield name
        case gast.Attribute(value=inner) | gast.Subscript(value=inner) | gast.Starred(value=inner):
            yield from roots(inner)
        case gast.NamedExpr(value=inner) | gast.DictComp(value=inner):
            yield from roots(inner)
        case gast.ListComp(elt=inner) | gast.GeneratorExp(elt=inner) | gast.SetComp(elt=inner):
            yield from (*roots(inner), *(root for g in node.generators for root in roots(g.iter)))
        case gast.Tuple(elts=parts) | gast.List(elts=parts) | gast.Dict(values=parts):
            yield from (name for part in parts for name in roots(part))
        case gast.BoolOp(values=parts):
            yield from (name for part in parts for name in roots(part))
        case gast.IfExp(body=a, orelse=b):
            yield from (*roots(a), *roots(b))
        case gast.Call(func=gast.Attribute(value=owner, attr=name), args=args) if name in VIEWS:
            yield from (*roots(owner), *(root for each in args[:1] for root in roots(each)))
        case gast.Call(func=gast.Name(id=name), args=args) if name not in _FRESH:
            yield from (root for each in args for root in roots(each))
