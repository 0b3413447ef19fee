"""A function's parameters and their values; a function made inside of another.

def f(u, *rest, k=2.0, **options)      bind: {"u": ..., "rest": a tuple, "k": ..., "options": ...}
"""

from __future__ import annotations

from typing import Any

from s2sad.ir.errors import Unsupported
from s2sad.lowering import displays, reflection
from s2sad.lowering.machine import Machine, closure_at, new_cell, stable
from s2sad.lowering.values import Cell, Closure, Code, Fails, Keywords, Tup, Value


class Rest(tuple[Any, ...]):
    """Holds the tuple that `*args` of a function takes as a whole."""


def make_closure(m: Machine, node: Any, wanted: str) -> Closure:
    """Return the function that a definition makes here."""
    outer = closure_at(m)
    spec = node.args
    defaults = [stable(m, m.evaluate(d), "default") for d in spec.defaults]
    pairs = zip(spec.kwonlyargs, spec.kw_defaults, strict=True)
    kwdefaults = {a.id: stable(m, m.evaluate(d), a.id) for a, d in pairs if d is not None}
    cell = m.heap[m.frame]
    place = m.frame if cell.cls != "class" else cell.parent
    m.function_cells[id(node), place] = new_cell(m, Cell("object", {})).id
    return Closure(
        node,
        place,
        outer.module,
        wanted,
        outer.path,
        tuple(defaults),
        kwdefaults,
        outer.cells,
        outer.owner,
    )


def bind(m: Machine, closure: Closure, args: list[Value], kwargs: Keywords) -> dict[str, Value]:
    """Return the parameters with their values."""
    spec = closure.node.args
    params = [a.id for a in (*spec.posonlyargs, *spec.args)]
    found: dict[str, Value] = dict(zip(params, args, strict=False))
    rest = dict(kwargs)
    defaults = dict(
        zip(params[len(params) - len(closure.defaults) :], closure.defaults, strict=True)
    )
    by_place = {a.id for a in spec.posonlyargs}
    for param in params[len(args) :]:
        found[param] = _given(m, param, {} if param in by_place else rest, defaults)
    if spec.vararg is not None:
        found[spec.vararg.id] = _rest(m, args[len(params) :])
    elif len(args) > len(params):
        raise _unfit(m, "too many positional arguments")
    for a in spec.kwonlyargs:
        found[a.id] = _given(m, a.id, rest, closure.kwdefaults)
    if spec.kwarg is not None:
        slots = {k: stable(m, v, k) for k, v in rest.items()}
        found[spec.kwarg.id] = new_cell(m, Cell("dict", slots, dict))
    elif rest:
        raise _unfit(m, f"got an unexpected keyword argument '{next(iter(rest))}'")
    return found


def _rest(m: Machine, args: list[Value]) -> Value:
    """Return the tuple that `*args` takes."""
    if len(args) == 1 and isinstance(args[0], Tup) and args[0].cls is Rest:
        return args[0].parts[0]
    return displays.tuple_of(m, args)


def _unfit(m: Machine, problem: str) -> Fails:
    """Return the refusal of a call that Python itself would not make."""
    whole = f"this call does not fit its function: {problem}"
    hint = "Give it the arguments that it takes."
    return Fails(problem, m.span, Unsupported(whole, m.span, hint))


def _given(m: Machine, param: str, rest: dict[str, Value], defaults: Keywords) -> Value:
    if param in rest:
        return rest.pop(param)
    if param not in defaults:
        raise _unfit(m, f"missing a required argument: '{param}'")
    taken = defaults[param]
    is_record = isinstance(taken, Code) and reflection.is_record(taken.obj)
    return m.lift(taken.obj, None, param) if is_record else taken
