"""Code that asks for the module of its arrays gets NumPy: a derivative is made for NumPy's arrays.

xp = array_namespace(x)                          xp is np
x = xp_promote(x, force_floating=True, xp=xp)    x = np.asarray(x) * 1.0
if is_cupy(xp): ...                              if False: ...

What decides this are the kinds of the arguments, which a derivative looks at when it is called.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from types import FunctionType, ModuleType
from typing import Any

import gast
import numpy as np

from s2sad.legacy.program import NONE, Call, Const, Expr, Op, Ref
from s2sad.legacy.scope import Scope
from s2sad.source.canonical import held_as
from s2sad.source.installed import is_installed
from s2sad.source.names import is_bound
from s2sad.source.text import Source, resolve_dotted
from s2sad.source.trees import nodes_of

LOOKUPS = ("array_namespace", "_namespace")
# what libraries ask of a module or an array, by the end of the name: is_torch_array, is_numpy
OTHERS = frozenset("array_api_strict cupy torch jax dask lazy marray ndonnx pydata_sparse".split())
ENDINGS = ("_namespace", "_array")
Made = Callable[[Call, Any, Scope], Expr | None]


def without_lookups(body: list[Any], source: Source) -> list[Any]:
    """Return statements in which a name that only ever holds the array module is that of NumPy.

    xp = array_namespace(x)        xp = array_namespace(x) if xp is None else xp
    """
    body = _with_known_versions(body, source)
    found = [part for stmt in body for part in nodes_of(stmt) if _looks_up(part, source)]
    names = {each.targets[0].id for each in found}
    bound = [part.id for stmt in body for part in nodes_of(stmt) if is_bound(part)]
    names = {n for n in names if bound.count(n) == sum(f.targets[0].id == n for f in found)}
    numpy = _name_of_numpy(source) if names else ""
    if not numpy:
        return body
    renamed = _Renamed(names, numpy)
    return [each for stmt in body if (each := renamed.visit(copy.deepcopy(stmt))) is not None]


def _with_known_versions(body: list[Any], source: Source) -> list[Any]:
    """Return statements in which `hasattr(np, "trapezoid")` is settled: the other side is left out.

    A derivative is made for the modules that are there; they do not change.
    """
    tests = (
        part for stmt in body for part in nodes_of(stmt) if _of_version(part, source) is not None
    )
    if next(tests, None) is None:
        return body
    settled = _Settled(source)
    return [each for stmt in copy.deepcopy(body) for each in _listed(settled.visit(stmt))]


def _listed(made: Any) -> list[Any]:
    """Return what a transformer makes of a statement as a list of statements."""
    return made if isinstance(made, list) else [made]


def _of_version(test: Any, source: Source) -> bool | None:
    """Return whether a module has a name, where that is what a test asks."""
    match test:
        case gast.UnaryOp(op=gast.Not(), operand=inner):
            found = _of_version(inner, source)
            return None if found is None else not found
        case gast.Call(
            func=gast.Name(id="hasattr") as func,
            args=[module, gast.Constant(value=str() as name)],
            keywords=[],
        ):
            asked, held = resolve_dotted(source, func), resolve_dotted(source, module)
            if asked is None or asked[1] is not hasattr or held is None:
                return None
            return hasattr(held[1], name) if isinstance(held[1], ModuleType) else None
    return None


class _Settled(gast.NodeTransformer):  # type: ignore[misc]
    """Puts the side that is taken for a choice between versions of a module."""

    def __init__(self, source: Source):
        self.source = source

    def visit_IfExp(self, node: Any) -> Any:
        found = _of_version(node.test, self.source)
        return (
            self.generic_visit(node)
            if found is None
            else self.visit(node.body if found else node.orelse)
        )

    def visit_If(self, node: Any) -> Any:
        found = _of_version(node.test, self.source)
        if found is None:
            return self.generic_visit(node)
        taken = node.body if found else node.orelse
        left = [each for stmt in taken for each in _listed(self.visit(stmt))]
        return left or gast.copy_location(gast.Pass(), node)


def _name_of_numpy(source: Source) -> str:
    """Return what NumPy is called in a function's module, or the copy of it that a library has."""
    return held_as(source, lambda value: value is np) or held_as(source, _is_copy)


def _is_copy(value: Any) -> bool:
    return isinstance(value, ModuleType) and value.__name__.endswith("array_api_compat.numpy")


def _looks_up(stmt: Any, source: Source) -> bool:
    """Tell whether a statement gives a name the array module of the arguments."""
    match stmt:
        case gast.Assign(targets=[gast.Name(id=name)], value=gast.IfExp(body=body, orelse=orelse)):
            kept = [each for each in (body, orelse) if getattr(each, "id", "") == name]
            return len(kept) == 1 and any(_is_lookup(each, source) for each in (body, orelse))
        case gast.Assign(targets=[gast.Name()], value=value):
            return _is_lookup(value, source)
    return False


def _is_lookup(node: Any, source: Source) -> bool:
    found = resolve_dotted(source, node.func) if isinstance(node, gast.Call) else None
    return found is not None and _is_of_library(found[1]) and found[1].__name__ in LOOKUPS


class _Renamed(gast.NodeTransformer):  # type: ignore[misc]
    """Calls some names what NumPy is called, and leaves out what gave them a value."""

    def __init__(self, names: set[str], numpy: str):
        self.names = names
        self.numpy = numpy

    def visit_Name(self, node: Any) -> Any:
        if node.id not in self.names:
            return node
        return gast.copy_location(gast.Name(self.numpy, node.ctx, None, None), node)

    def visit_Assign(self, node: Any) -> Any:
        if isinstance(node.targets[0], gast.Name) and node.targets[0].id in self.names:
            return gast.copy_location(gast.Pass(), node)
        return self.generic_visit(node)


def as_numpy(call: Call, node: Any, scope: Scope) -> Expr | None:
    """Return what a library's helper for any array module does with NumPy's; None of other calls."""
    function = call.func.value if isinstance(call.func, Ref) else None
    if not _is_of_library(function) or "array_api" not in str(function.__module__):
        return None
    name = str(function.__name__)  # type: ignore[union-attr]
    if name.startswith("is_"):
        return _told(name.removeprefix("is_"))
    made = HELPERS.get(name)
    return None if made is None else made(call, node, scope)


def _is_of_library(function: Any) -> bool:
    return isinstance(function, FunctionType) and is_installed(function)


def _told(name: str) -> Expr | None:
    """Return whether NumPy's module or array is one of those that are asked for."""
    for ending in ENDINGS:
        name = name.removesuffix(ending)
    if name == "numpy":
        return Const(True)
    return Const(False) if name in OTHERS else None


# ---------------------------------------------------------------- helpers


def _promoted(call: Call, node: Any, scope: Scope) -> Expr | None:
    options = dict(call.keywords)
    options.pop("xp", None)
    floating = options.pop("force_floating", Const(False))
    if len(call.args) != 1 or options or not isinstance(floating, Const):
        return None  # several arguments get one precision, which NumPy has no word for
    array = _array(call.args[0])
    # whole numbers become floats, and single precision stays
    return Op("*", (scope.temp(array, node), Const(1.0))) if floating.value else array


def _converted(call: Call, node: Any, scope: Scope) -> Expr | None:
    options = {name: value for name, value in call.keywords if value != NONE and name != "xp"}
    if options.get("check_finite") == Const(False):
        del options["check_finite"]
    if len(call.args) != 1 or options.keys() - {"copy", "subok"}:
        return None
    if options.get("copy") == Const(True):
        return Call(Ref("np.array", np.array), call.args)
    if options.get("subok") == Const(True):
        return Call(Ref("np.asanyarray", np.asanyarray), call.args)
    return _array(call.args[0])


def _array(value: Expr) -> Expr:
    return Call(Ref("np.asarray", np.asarray), (value,))


def _as(name: str) -> Made:
    def made(call: Call, node: Any, scope: Scope) -> Expr | None:
        rest = tuple((key, value) for key, value in call.keywords if key != "xp")
        return Call(Ref(f"np.{name}", getattr(np, name)), call.args, rest)

    return made


HELPERS: Mapping[str, Made] = {
    "xp_promote": _promoted,
    "_asarray": _converted,
    "xp_size": _as("size"),
    "size": _as("size"),
    "xp_copy": _as("copy"),
    "xp_ravel": _as("ravel"),
}
