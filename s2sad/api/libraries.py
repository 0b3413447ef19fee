"""Functions of libraries: given itself, one becomes a function that calls it; others are lowered like the user's.

np.median       ->    def median(a): return np.median(a)
math.sin        ->    def sin(x): return math.sin(x)

So it is differentiated by its rule, as where a function of the user's calls it. What may be left
out is left out.

follow(fault, context)                 from now on other lines are lowered for a call
follow_unknown(primal, context)        so for calls of which nothing is known
with at_call_of_library(context): ...  what cannot be done in them is told of the user's call
"""

from __future__ import annotations

import builtins
import cmath
import functools
import inspect
import math
import re
import sys
from collections.abc import Hashable, Iterable, Iterator
from contextlib import contextmanager
from types import FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from s2sad.ir.errors import ArgumentError, NoRule, NoSource, NotYet, Refused, Unfollowed
from s2sad.ir.expression import Expr, called_object
from s2sad.ir.program import Program
from s2sad.ir.types import Other, Tuple, Unknown, is_float
from s2sad.ir.walk import nodes_in
from s2sad.operators import modules
from s2sad.operators.find import ENTRIES, has_twin, unsupported
from s2sad.operators.guards import is_sparse
from s2sad.operators.heads import head_of_function
from s2sad.operators.library import candidates
from s2sad.source.files import run_text, text_of
from s2sad.source.optional import MODULES
from s2sad.source.owners import is_own_file, library_of
from s2sad.types import Context

OWN: tuple[tuple[str, str, ModuleType], ...] = (
    ("np", "np", np),
    ("np", "np.linalg", np.linalg),
    ("np", "np.fft", np.fft),
    ("math", "math", math),
    ("cmath", "cmath", cmath),
    ("builtins", "builtins", builtins),
)
OF_PYTHON = frozenset(("abs", "max", "min", "pow", "sum"))
PLAIN = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def call_of_library(given: Any) -> Any:
    """Return a function that calls one of a library's; anything else as it is."""
    found = _place_of(given)
    if found is None:
        return given
    return _function(given, *found)


def _place_of(given: Any) -> tuple[str, str] | None:
    """Return the module under which a function is known, as `np.linalg`, and its whole name."""
    name = getattr(given, "__name__", None)
    if not callable(given) or isinstance(given, type | ModuleType) or not isinstance(name, str):
        return None
    if inspect.isbuiltin(given) and given.__module__ == "builtins" and name not in OF_PYTHON:
        return None
    for root, text, holder in _holders(given):
        found = getattr(holder, name, None)
        if found is given or (isinstance(found, MethodType) and found == given):
            return (root, f"{text}.{name}") if _has_rule(given) else None
    return None


def _holders(given: Any) -> Iterator[tuple[str, str, Any]]:
    """Yield modules that a function may be one of, and the distribution that it is a method of."""
    loaded = {text: sys.modules.get(name) for text, name in MODULES.items()}
    known = [(text, text, module) for text, module in loaded.items() if module is not None]
    if isinstance(given, MethodType):
        owner = given.__self__
        name, stats = getattr(owner, "name", None), loaded.get("stats")
        if isinstance(name, str) and stats is not None and getattr(stats, name, None) is owner:
            yield "stats", f"stats.{name}", owner
        return
    yield from (*OWN, *known)


def _has_rule(given: Any) -> bool:
    """Tell whether a function is called by its rule; Python's own text is read otherwise."""
    if isinstance(given, FunctionType | MethodType) and given.__name__.startswith("_"):
        return False
    return not isinstance(given, FunctionType) or bool(candidates(head_of_function(given)))


@functools.lru_cache(maxsize=256)
def _function(given: Any, root: str, text: str) -> FunctionType:
    name = text.rpartition(".")[2]
    params = ", ".join(_required(given))
    source = f"def {name}({params}):\n    return {text}({params})\n"
    module = builtins if root == "builtins" else modules.resolved(root)
    space: dict[str, Any] = {root: module}
    run_text(source, f"<{text}>", space)
    made: FunctionType = space[name]
    made.__module__ = "builtins"
    return made


def _required(given: Any) -> list[str]:
    """Return the parameters of a function that cannot be left out."""
    if isinstance(given, np.ufunc):
        return ["x"] if given.nin == 1 else [f"x{i + 1}" for i in range(given.nin)]
    try:
        parameters = inspect.signature(given).parameters.values()
    except (TypeError, ValueError):
        return ["x"]
    found = [p.name for p in parameters if p.kind in PLAIN and p.default is p.empty]
    return found or ["x"]


def follow(fault: Unfollowed, context: Context) -> None:
    """Have other lines lowered in place of a call, or raise what asked for them again.

    Of what a function of sparse matrices is given, the entries are asked for before its own lines.
    """
    if ENTRIES not in context.followed and _is_of_sparse_library(fault.key):
        context.followed[ENTRIES] = fault.fault
        return
    if fault.key in context.followed:
        raise fault.fault
    context.followed[fault.key] = fault.fault


def follow_alike(primal: Program, context: Context) -> None:
    """Have lines lowered for all calls of a library of numbers that may vary, once for one is asked."""
    libraries = {library_of(each) for each in context.followed} - {None}
    of_them = (c for c in _calls(primal) if library_of(called_object(c)) in libraries)
    calls = (call for call in of_them if any(is_float(a.type) for a in call.args[1:]))
    for key, fault in _followable(calls).items():
        context.followed.setdefault(key, fault.fault)


def follow_unknown(fault: NotYet, primal: Program, context: Context) -> None:
    """Have lines lowered for the calls that nothing is known of, or raise a fault again.

    So for those that give several arrays, of which the reader is met first: np.array(np.gradient(T)).
    """
    unknown = [call for call in _calls(primal) if isinstance(call.type, Unknown)]
    of_parts = (c for c in _calls(primal) if isinstance(c.type, Tuple) and has_twin(c))
    more = _followable((*unknown, *of_parts))
    if more.keys() <= context.followed.keys():
        refuse_unread(fault, unknown)
        raise fault
    context.followed |= dict.fromkeys(more, fault)


def follow_entries(fault: NotYet, primal: Program, context: Context) -> bool:
    """Have sparse matrices lowered as their entries, once it is asked; tell whether that is new."""
    if ENTRIES in context.followed or not any(map(_is_of_sparse, nodes_in(primal.body))):
        return False
    context.followed[ENTRIES] = fault
    return True


def _is_of_sparse(node: Expr) -> bool:
    """Tell whether a value is a sparse matrix, or what makes one."""
    if node.op == "global":
        return _is_of_sparse_library(node.data.value)
    return isinstance(node.type, Other) and is_sparse(node.type.cls)


def _is_of_sparse_library(value: object) -> bool:
    return str(getattr(value, "__module__", "")).startswith("scipy.sparse")


def _calls(primal: Program) -> Iterator[Expr]:
    return (n for n in nodes_in(primal.body) if n.op == "call")


def _followable(calls: Iterable[Expr]) -> dict[Hashable, Unfollowed]:
    """Return the calls for which other lines can be lowered, by what tells them apart."""
    faults = (unsupported("a call of which nothing is known", call, None) for call in calls)
    return {each.key: each for each in faults if isinstance(each, Unfollowed)}


def refuse_unread(fault: NotYet, calls: Iterable[Expr]) -> None:
    """Refuse for its cause what goes back to a function of the user's whose text is not found."""
    if isinstance(fault, Refused) and "may be no number" not in str(fault):
        return
    for call in calls:
        function = called_object(call)
        if isinstance(function, FunctionType) and any(is_float(a.type) for a in call.args[1:]):
            try:
                text_of(function)
            except NoSource as error:
                raise NoSource.refused(error.problem, call.span, error.hint) from None


@contextmanager
def at_call_of_library(context: Context) -> Iterator[None]:
    """Tell of the user's call what cannot be done in the lines of a library that it leads to."""
    try:
        yield
    except Unfollowed:
        raise
    except (NotYet, ArgumentError, NoRule) as fault:
        calls = [each for each in context.followed.values() if _is_users(each)]
        is_made_complex = isinstance(fault, ArgumentError) and "complex number" in fault.problem
        if _is_users(fault) and not is_made_complex:
            calls = [each for each in calls if _gives_unknown(each, fault)]
        if not calls:
            raise
        raise calls[0] from None


def _gives_unknown(call: Exception, fault: Exception) -> bool:
    """Tell whether a call of a library gives what is refused, as its number of axes is not known."""
    error = fault.error if isinstance(fault, Refused) else fault
    made, span = getattr(call, "span", None), getattr(error, "span", None)
    if made is None or span is None or made.path != span.path or not getattr(error, "follows", 0):
        return False
    targets = set(re.findall(r"\w+", made.text().partition("=")[0]))
    problem = getattr(error, "problem", "")
    return made.line < span.line and not targets.isdisjoint(re.findall(r"\w+", problem))


def _is_users(fault: Exception) -> bool:
    """Tell whether a fault stands in a file of the user's."""
    error = fault.error if isinstance(fault, Refused) else fault
    span = getattr(error, "within", None) or getattr(fault, "span", None)
    return span is None or (is_own_file(span.path) and not span.path.startswith("<s2sad"))
