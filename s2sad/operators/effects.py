"""What a call does beside giving a value, and what an expression costs to have again.

effect(np.put(u, i, c))        Effect(writes={0})
effect(np.add(u, w, out=v))    Effect(writes={2})       the third argument of the call
effect(u.sort())               Effect(writes_owner)     the array whose method it is
effect(f(u))                   writes everything that it can reach: nothing is known of f

A position counts the arguments of a call: those by position first, then those by name.
"""

from __future__ import annotations

from collections.abc import Iterator
from logging import Logger
from types import BuiltinFunctionType, ModuleType
from typing import Any

import numpy as np

from s2sad.ir.expression import Expr, called_object, index_parts, keywords, object_of, positional
from s2sad.ir.program import ANYTHING, PURE, Effect
from s2sad.ir.records import replace
from s2sad.ir.types import (
    Array,
    Code,
    Number,
    Numeric,
    Other,
    Reference,
    Sequence,
    Tuple,
    Unknown,
    without_none,
)
from s2sad.ir.walk import nodes
from s2sad.operators import library, printed
from s2sad.operators.binding import names_of
from s2sad.operators.guards import is_factored, is_none, is_scalar, is_sparse, value_of
from s2sad.operators.heads import CALLED, head_of, head_of_function
from s2sad.operators.instances import is_made_by, is_object
from s2sad.operators.marks import is_marked
from s2sad.operators.spelling import with_owner
from s2sad.operators.table import (
    DRAWS,
    LOGGING,
    OF_LISTS_THAT_WRITE,
    OF_SOURCES_THAT_WRITE,
    OF_SPARSE_THAT_WRITE,
    PRINTS,
    Row,
    method_row,
    printed_row,
    row_of,
)
from s2sad.source.draws import SOURCES
from s2sad.source.optional import MODULES as SCIPY
from s2sad.source.optional import solver_name

OWNER = Effect(writes_owner=True)
# what subscripts and operators that write are called as methods
OPERATORS_THAT_WRITE = frozenset(
    "__setitem__ __delitem__ __iadd__ __isub__ __imul__ __itruediv__ __ifloordiv__ __ipow__ "
    "__imod__ __imatmul__ __iand__ __ior__ __ixor__ __ilshift__ __irshift__ __setattr__ "
    "__setstate__".split()
)
# parameters that a result is put into
RESULTS = frozenset({"out", "output"})
# modules whose functions compute and do nothing else
COMPUTING = tuple(whole for short, whole in SCIPY.items() if short not in ("optimize", "integrate"))
COMPUTING += ("numpy.polynomial.",)
VALUES = (str, bytes, int, float, complex, bool, tuple, frozenset, range, slice, type(None))


def effect(call: Expr) -> Effect:
    """Return what a call does; of what is not known, that it writes all that it can reach."""
    if is_marked(call):
        return PURE
    call = with_owner(call)
    function = call.args[0]
    match function.op:
        case "attribute":
            found = _of_method(call, function)
        case "global":
            found = _of_function(call, function.data.value)
        case _:
            is_known = _is_rule_of_object(call) or is_made_by_library(function)
            found = PURE if is_known else ANYTHING
    if found.writes_all or _is_handed_code(call):
        return ANYTHING
    return _with_arguments(call, found)


ASK_ONLY = (isinstance, issubclass, callable, hasattr, type, id)


def _is_handed_code(call: Expr) -> bool:
    """Tell whether a call is handed a function of which nothing is known: it may call it."""
    if any(called_object(call) is each for each in ASK_ONLY):
        return False
    if is_solution(call):
        return False  # the function only computes: lowering asks for that
    return any(map(_may_do_anything, (*positional(call), *keywords(call).values())))


def is_solution(call: Expr) -> bool:
    """Tell whether one of SciPy's solvers is called for a function of the program."""
    function = called_object(call)
    is_given = function is not None and any(arg.op == "function" for arg in call.args)
    return is_given and (bool(solver_name(function)) or bool(printed.name_of(function)))


def _may_do_anything(arg: Expr) -> bool:
    if arg.op == "function":
        return True
    if not isinstance(arg.type, Code):
        return False
    value = arg.type.value
    is_known = isinstance(value, type | np.ufunc | ModuleType) or not callable(value)
    return not (is_known or is_described(value))


def is_described(function: Any) -> bool:
    """Tell whether the table or a template says what a function does."""
    return row_of(function) is not None or _is_spelled(function)


# ---------------------------------------------------------------------------- functions


def _of_function(call: Expr, function: Any) -> Effect:
    if isinstance(function, np.ufunc):
        return _of_ufunc(call, function)
    owner = getattr(function, "__self__", None)
    if isinstance(owner, np.ufunc):
        return Effect(frozenset({0})) if function.__name__ == "at" else PURE
    if any(overwrites(call)):
        return ANYTHING
    row = row_of(function)
    if row is not None:
        return _with_named_places(call, _unless_read_as_text(call, function, row))
    if isinstance(owner, SOURCES):
        return _of_draw(function.__name__)
    if isinstance(function, type):
        return _of_class(function)
    if is_solution(call):
        return PURE
    if printed.name_of(function):
        return printed_row(printed.name_of(function)).effect
    if _is_spelled(function):
        return DRAWS if _draws(function) else PURE
    if is_object(call.args[0]) and _is_rule_of_object(call):
        return PURE
    return PURE if _only_computes(function) else ANYTHING


def _unless_read_as_text(call: Expr, function: Any, row: Row) -> Effect:
    """Return the effect of a row: a number that is read from a text may fail on purpose."""
    given = positional(call)
    is_number = any(function is each for each in (int, float, complex))
    if is_number and given and given[0].type == Other(str):
        return replace(row.effect, raises=True)
    return row.effect


def _with_named_places(call: Expr, effect: Effect) -> Effect:
    """Return what a function writes where it is given under its name: np.copyto(src=u, dst=w)."""
    names, count = names_of(call.args[0]), len(positional(call))
    places = {
        count + call.data.index(names[k]) if k < len(names) and names[k] in call.data else k
        for k in effect.writes
    }
    return replace(effect, writes=frozenset(places)) if places != effect.writes else effect


def _of_ufunc(call: Expr, ufunc: np.ufunc) -> Effect:
    """Return what a ufunc writes: the results that it is given by position."""
    count = len(positional(call))
    given = range(ufunc.nin, count)
    return Effect(frozenset(k for k in given if not is_none(positional(call)[k])))


def _of_class(cls: type) -> Effect:
    """Return what it does to make an object: numbers, exceptions and plain values do nothing."""
    plain = (np.generic, BaseException, *VALUES, list, dict, set)
    only_computes = issubclass(cls, plain) or _is_spelled(cls) or is_computing(cls)
    return PURE if only_computes else ANYTHING


def is_computing(cls: Any) -> bool:
    """Tell whether a class is a library's whose objects compute: interpolants, polynomials."""
    if not isinstance(cls, type):
        return False
    return cls is np.poly1d or cls.__module__.startswith(COMPUTING) or is_factored(cls)


def _is_spelled(function: Any) -> bool:
    """Tell whether a template spells a function."""
    return library.is_spelled(head_of_function(function))


def _draws(function: Any) -> bool:
    return getattr(function, "__name__", "") == "rvs"


def _is_hidden(function: Any, module: str) -> bool:
    """Tell whether a function is compiled and no library's for its users: it may fill in an array."""
    is_own = any(part[0] == "_" for part in module.split(".")[1:])
    return isinstance(function, BuiltinFunctionType) and is_own


def _only_computes(function: Any) -> bool:
    """Tell whether a function of a library computes and does nothing else."""
    module = str(getattr(function, "__module__", "") or "")
    return (
        module.startswith(COMPUTING) and not _draws(function) and not _is_hidden(function, module)
    )


def overwrites(call: Expr) -> Iterator[str]:
    """Yield what lets a call use the memory of an argument: overwrite_b, if it is not False."""
    given = (*zip(names_of(call.args[0]), positional(call), strict=False), *keywords(call).items())
    yield from (k for k, v in given if k.startswith("overwrite_") and value_of(v) is not False)


def _is_rule_of_object(call: Expr) -> bool:
    """Tell whether an object of a known class is called, as a template spells it."""
    head = head_of(call)
    if head is None:
        return False
    found = library.candidates(head)
    found += library.candidates(CALLED) if is_object(call.args[0]) else ()
    return any(rule.classes and is_made_by(rule.classes, p, call) for rule, p in found)


# ---------------------------------------------------------------------------- methods


def _of_method(call: Expr, function: Expr) -> Effect:
    owner, name = function.args[0], str(function.data)
    if name in OPERATORS_THAT_WRITE:
        return OWNER
    if isinstance(object_of(owner), Logger):
        return PRINTS if name in LOGGING else ANYTHING
    match without_none(owner.type):
        case Array() | Number() | Numeric():
            return _of_array(call, name)
        case Tuple():
            return PURE
        case Reference():
            return OWNER if name in OF_LISTS_THAT_WRITE else _of_container(name)
        case Other(cls) if cls is not None:
            return _of_class_method(call, cls, name)
        case Unknown() if hasattr(np.ndarray, name) and not is_made_by_library(owner):
            return _of_array(call, name)  # no object of the user's: no library was handed one
    held = object_of(owner)
    if is_computing(type(held)) or is_made_by_library(owner):
        return DRAWS if name == "rvs" else PURE
    if _only_computes(getattr(held, name, None)):
        return PURE
    return PURE if _is_rule_of_object(call) else ANYTHING


def is_made_by_library(expr: Expr) -> bool:
    """Tell whether a value is an object that a library makes: stats.norm(m, s), CubicSpline(t, z)."""
    match expr.type:
        case Other(cls) if cls is not None:
            return is_computing(cls)
        case Other() | Unknown():
            made = called_object(expr)
            return any(map(is_computing, (made, type(made)))) or _is_of_scipy(made)
    return False


def _is_of_scipy(function: Any) -> bool:
    """Tell whether a function is one of SciPy's that computes: it gives numbers, or such objects."""
    return callable(function) and str(getattr(function, "__module__", "")).startswith(COMPUTING)


def _of_array(call: Expr, name: str) -> Effect:
    row = method_row(name)
    if name == "byteswap":
        inplace = next(iter((*positional(call), *keywords(call).values())), None)
        return PURE if inplace is None or value_of(inplace) is False else OWNER
    if row is not None:
        return OWNER if row.writes_owner else row.effect
    return PURE if hasattr(np.ndarray, name) or hasattr(np.generic, name) else ANYTHING


def _of_container(name: str) -> Effect:
    """Return what a method of a list, dict or set that is no writer does."""
    known = any(hasattr(cls, name) for cls in (list, dict, set))
    return PURE if known else ANYTHING


def _of_class_method(call: Expr, cls: type, name: str) -> Effect:
    if issubclass(cls, VALUES) or issubclass(cls, np.dtype):
        return PURE
    if issubclass(cls, SOURCES):
        return _of_draw(name)
    if is_sparse(cls):
        return OWNER if name in OF_SPARSE_THAT_WRITE else PURE
    if is_computing(cls):
        return DRAWS if name == "rvs" else PURE
    if issubclass(cls, Logger):
        return PRINTS
    return PURE if _is_rule_of_object(call) else ANYTHING


def _of_draw(name: str) -> Effect:
    """Return what a method of a source of random numbers does."""
    writes: frozenset[int] = frozenset({0}) if name in OF_SOURCES_THAT_WRITE else frozenset()
    return replace(DRAWS, writes=writes)


# ---------------------------------------------------------------------------- arguments


def _with_arguments(call: Expr, found: Effect) -> Effect:
    """Return an effect with what is said by arguments: results to fill, iterators to go through."""
    args = (*positional(call), *keywords(call).values())
    first = len(positional(call))
    written = {
        first + k
        for k, (key, arg) in enumerate(keywords(call).items())
        if key in RESULTS and _is_filled(arg)
    }
    written |= _out_by_position(call)
    if _goes_through(call):
        written |= {k for k, arg in enumerate(args) if any(map(_is_kept, nodes(arg)))}
    return replace(found, writes=found.writes | written) if written else found


def _out_by_position(call: Expr) -> set[int]:
    """Return where `out` is given by position: np.sum(u, 0, None, v), np.clip(u, 0, 1, v)."""
    names = names_of(call.args[0])
    given = positional(call)
    return {
        k for k, name in enumerate(names[: len(given)]) if name in RESULTS and _is_filled(given[k])
    }


def _is_filled(result: Expr) -> bool:
    """Tell whether a result is handed in to be filled; a text says which kind is asked for."""
    return not is_none(result) and result.type != Other(str)


def _goes_through(call: Expr) -> bool:
    """Tell whether a call may take items from an iterator: asking for its class does not."""
    asks = (isinstance, type, callable, id, hasattr, zip, enumerate, iter, map, filter)
    return all(called_object(call) is not each for each in asks)


def _is_kept(expr: Expr) -> bool:
    """Tell whether an expression is the name of an iterator: one that is made here has no other."""
    is_name = expr.op == "name" and isinstance(expr.type, Sequence)
    return is_name and hasattr(expr.type.cls, "__next__")  # type: ignore[union-attr]


# ---------------------------------------------------------------------------- costs

COSTLY_MODULES = ("numpy.linalg", "numpy.fft", "scipy")
COSTLY_NODES = frozenset({"comprehension", "function", "copied"})


def cost(expr: Expr) -> str:
    """Return what it costs to have a value again, its operands being there.

    "free": a name, a view, a shape. "cheap": one pass over the operands; "lengthy" if each element
    takes long. "costly": more than one pass.
    """
    match expr.op:
        case "call":
            return _cost_of_call(expr)
        case "binary":
            if expr.data == "**":
                return "cheap" if expr.args[1].op == "constant" else "lengthy"
            # a product that is one number is that of two vectors: one pass over both
            return "costly" if expr.data == "@" and not is_scalar(expr) else "cheap"
        case "subscript":
            return "cheap" if _has_array(expr.args[1]) else "free"
        case "unary" | "compare" | "and" | "or" | "conditional" | "formatted":
            return "cheap"
    return "costly" if expr.op in COSTLY_NODES else "free"


def _has_array(index: Expr) -> bool:
    parts = index_parts(index)
    return any(not isinstance(part.type, Number | Other) and part.op != "slice" for part in parts)


def _cost_of_call(call: Expr) -> str:
    if effect(call) != PURE:
        return "costly"
    function = call.args[0]
    if function.op == "attribute":
        row = method_row(function.data)
        is_array = isinstance(without_none(function.args[0].type), Array | Number | Numeric)
        return (row.cost if row else "cheap") if is_array else "costly"
    if function.op != "global":
        return "costly"
    value = function.data.value
    row = row_of(value)
    if row is not None:
        return row.cost
    module = str(getattr(value, "__module__", "") or "")
    is_costly = module.startswith(COSTLY_MODULES) or printed.name_of(value)
    return "costly" if is_costly else "cheap"
