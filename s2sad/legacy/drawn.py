"""What gives something else each time it is asked: random draws, iterators, clocks.

if rng.random() < p:        ->      drawn = rng.random() < p        kept for the reverse sweep
                                    if drawn:

A function that draws is lowered where it is called: its reverse would draw again.
"""

from __future__ import annotations

import builtins
import inspect
import random
from collections.abc import Iterator
from types import FunctionType
from typing import Any, Final

import gast
import numpy as np

from s2sad.ir.errors import S2sadError
from s2sad.legacy.facts.drawing import ENTRIES
from s2sad.legacy.program import Attr, Call, Expr, Opaque, Ref
from s2sad.legacy.remembered import by_rules
from s2sad.legacy.templating import is_of_states
from s2sad.legacy.traverse import walk
from s2sad.source.draws import SOURCES
from s2sad.source.installed import is_of_the_system
from s2sad.source.text import Source, resolve_dotted, source_of
from s2sad.source.trees import nodes_of

MODULES: Final = frozenset({"random", "secrets", "time", "uuid"})
MAKERS: Final = (np.random.default_rng, np.random.RandomState, random.Random)
# methods of whatever draws, or of what is used up
METHODS: Final = frozenset(ENTRIES) | frozenset(
    "integers permuted choice randint binomial poisson geometric shuffle gauss normalvariate "
    "betavariate expovariate randrange sample choices".split()
)
# parameters of SciPy's functions that draw
SEEDED: Final = frozenset({"rng", "random_state", "seed"})
USED_UP: Final = frozenset({"next", "pop", "popleft"})


def draws(expr: Expr) -> bool:
    """Tell whether an expression may give something else when it is evaluated again."""
    return any(map(_part_draws, walk(expr)))


def _part_draws(part: Expr) -> bool:
    match part:
        case Call(Ref(_, value)):
            return is_drawing(value)
        case Call(Attr(_, name)):
            return name in METHODS | USED_UP
        case Opaque(node):
            known = {ref.text: ref.value for ref in part.globals}
            return any(_node_draws(each, known) for each in _calls(node))
    return False


def is_drawing(value: Any) -> bool:
    """Tell whether a global function gives something else each time it is called."""
    if isinstance(value, FunctionType):
        return value.__module__ in MODULES or _function_draws(value, set())
    if value is builtins.next or value is builtins.input:
        return True
    if isinstance(getattr(value, "__self__", None), SOURCES):
        return value.__name__ not in ("seed", "get_state", "set_state", "getstate", "setstate")
    return callable(value) and getattr(value, "__module__", None) in MODULES


def _function_draws(function: FunctionType, seen: set[Any]) -> bool:
    """Tell whether a Python function, or one that it calls, draws from what is outside."""
    if is_of_states(function):
        return True
    package = (function.__module__ or "").partition(".")[0]
    if package == "scipy":  # what draws there can be told from what
        return not SEEDED.isdisjoint(inspect.signature(function).parameters)
    if package in ("numpy", "s2sad") or is_of_the_system(function):
        return False
    return _draws_inside(function, seen) if seen else draws_inside(function)


@by_rules()
def draws_inside(function: Any) -> bool:
    """Tell whether a function of the user's, or one that it calls, draws from what is outside."""
    return _draws_inside(function, set())


def _draws_inside(function: Any, seen: set[Any]) -> bool:
    if function in seen:
        return False
    seen.add(function)
    try:
        source = source_of(function)
    except S2sadError:
        return False
    return tree_draws(source.tree, source, seen)


def tree_draws(tree: Any, source: Source, seen: set[Any] | None = None) -> bool:
    """Tell whether a function's syntax draws from what is outside of it."""
    seen, own = seen if seen is not None else set(), _made_inside(tree, source)
    return any(_call_draws(each, source, own, seen) for each in _calls(tree))


def _call_draws(call: Any, source: Source, own: frozenset[str], seen: set[Any]) -> bool:
    found = resolve_dotted(source, call.func)
    if found is None:
        if isinstance(call.func, gast.Name) and call.func.id not in source.locals:
            return is_drawing(getattr(builtins, call.func.id, None))
        return _method_draws(call.func, own)
    if isinstance(found[1], FunctionType) and found[1].__module__ not in MODULES:
        return _function_draws(found[1], seen)
    return is_drawing(found[1])


def _method_draws(func: Any, own: frozenset[str]) -> bool:
    """Tell whether a method draws; what the function has made itself it makes again."""
    if not isinstance(func, gast.Attribute) or func.attr not in METHODS:
        return False
    return not (isinstance(func.value, gast.Name) and func.value.id in own)


def _made_inside(tree: Any, source: Source) -> frozenset[str]:
    """Return the names of generators that a function makes from a seed, alike each time."""
    args = tree.args
    given = {arg.id for arg in (*args.posonlyargs, *args.args, *args.kwonlyargs)}
    made = (stmt for stmt in nodes_of(tree) if isinstance(stmt, gast.Assign))
    names = (
        target.id
        for stmt in made
        if _is_seeded(stmt.value, source)
        for target in stmt.targets
        if isinstance(target, gast.Name)
    )
    return frozenset(names) - given


def _is_seeded(value: Any, source: Source) -> bool:
    found = resolve_dotted(source, value.func) if isinstance(value, gast.Call) else None
    return found is not None and found[1] in MAKERS and bool(value.args or value.keywords)


def _node_draws(call: Any, known: dict[str, Any]) -> bool:
    """Tell whether a call in copied syntax draws."""
    if isinstance(call.func, gast.Name):
        return is_drawing(known.get(call.func.id, getattr(builtins, call.func.id, None)))
    return isinstance(call.func, gast.Attribute) and call.func.attr in METHODS | USED_UP


def _calls(node: Any) -> Iterator[Any]:
    return (each for each in nodes_of(node) if isinstance(each, gast.Call))
