"""Sums of containers and arrays made of them: their adjoint goes to every item.

y = np.array(xs)            for k in range(len(xs_bar)):
                                xs_bar[k] += y_bar[k]
y = np.concatenate(xs)      start = 0
                            for k in range(len(xs)):
                                stop = start + len(xs[k])
                                xs_bar[k] += y_bar[start:stop]
                                start = stop
"""

from __future__ import annotations

from collections.abc import Callable

from s2sad.analysis.containers import NUMBER, STACKS, is_container, kind_of, whole
from s2sad.analysis.loops import WHOLE, length_of, range_of
from s2sad.ir.expression import EVERYTHING, Expr, Role, constant, name, positional, text_of_call
from s2sad.ir.program import Block, For, Let, Statement, Store
from s2sad.ir.types import Array, Number, Other, Type
from s2sad.ir.walk import nodes
from s2sad.operators.guards import literal
from s2sad.operators.table import named
from s2sad.reverse.calculus import is_array
from s2sad.reverse.contribute import shadow
from s2sad.reverse.structures import slot_type
from s2sad.reverse.world import Code

Full = Callable[[Expr, Expr, Code], Expr]
SUMS = named("sums")


def pull_items(expr: Expr, g: Expr, code: Code, full: Full, more: list[Expr]) -> bool:
    """Hand an adjoint on to every item of a container; tell whether it is one.

    `more` gets the operands that g itself belongs to: the start of a sum.
    """
    called = text_of_call(expr)
    if called not in SUMS | STACKS or len(expr.args) < 2:
        return False
    held = expr.args[1]
    if not is_container(held.type) or held.op in ("list", "tuple"):
        return False
    if held.op != "name":
        raise code.without_rule(called, "a list", expr)
    item = slot_type(held.type, whole(0), code.world)
    if called in SUMS:
        if expr.data or (called == "np.sum" and (is_array(expr) or len(expr.args) > 2)):
            raise code.without_rule(called, "a list", expr)
        more += expr.args[2:]
        if kind_of(item) != NUMBER:
            g = code.temporary(full(g, expr, code))
        elif any(is_container(node.type) for node in nodes(g)):
            g = code.temporary(g)  # it may read what the loop changes
        _spread_over(held, item, lambda _: g, code)
        return True
    world = code.world
    world.note_left_out(shadow(held.data, code).data, g, world.is_masked(g))
    g = code.temporary(full(g, expr, code))
    return _pull_stack(expr, called, held, item, g, code)


def _pull_stack(expr: Expr, called: str, held: Expr, item: Type, g: Expr, code: Code) -> bool:
    """Hand the parts of an array on to the items that it is made of."""
    words = dict(zip(expr.data, expr.args[len(expr.args) - len(expr.data) :], strict=True))
    words.pop("dtype", None)
    makes = called in named("converts")
    given = positional(expr)[2 if makes else 1 :]  # behind the list, and its dtype
    axis = words.pop("axis", None) or (given[0] if given else whole(0))
    if words or len(given) > 1 or (given and makes):
        raise code.without_rule(called, "a list with options", expr)
    at = literal(axis)
    if not isinstance(at, int):
        raise code.without_rule(called, "a list along an axis that is not known", expr)
    found = _way_of(called, _rank_of(item), at)
    if found is None or (found[0] and is_container(item)):
        raise code.without_rule(called, "a list", expr)
    is_joined, place = found
    if is_joined:
        _pull_joined(held, g, place, code)
    else:
        part = code.world.calculus.part
        if called == "np.dstack" and _rank_of(item) == 1:  # which has one more axis in front
            g, place = part(g, whole(0)), 1
        _spread_over(held, item, lambda at: part(g, _along(place, at)), code)
    return True


def _rank_of(item: Type) -> int | None:
    """Return the number of axes of an item, None where it is not known."""
    if isinstance(item, Array | Number):
        return item.rank if isinstance(item, Array) else 0
    return 1 if is_container(item) else None


def _way_of(called: str, rank: int | None, axis: int) -> tuple[bool, int] | None:
    """Tell whether items are joined, or else stand beside each other, and along which axis."""
    if rank is None:  # axes that are counted from the first are those of any rank
        is_told = (called in named("beside") or called == "np.concatenate") and axis >= 0
        return (called == "np.concatenate", axis) if is_told else None
    if called in named("beside"):
        return False, axis % (rank + 1)
    match called:
        case "np.vstack":
            return rank > 1, 0
        case "np.hstack":
            return rank > 0, int(rank > 1)
        case "np.column_stack":
            return rank > 1, 1
        case "np.dstack" if rank > 0:
            return rank > 2, 2
        case "np.concatenate" if rank:
            return True, axis % rank
    return None


def _along(axis: int, position: Expr) -> Expr:
    """Return the subscript that takes a position along one axis: [:, k]."""
    return position if axis == 0 else Expr("tuple", (*(EVERYTHING,) * axis, position))


def _spread_over(held: Expr, item: Type, at: Callable[[Expr], Expr], code: Code) -> None:
    """Add to the shadow of every item of a container, however deep the numbers stand."""
    code.emit(_loop(shadow(held.data, code), item, at, code))


def _loop(bar: Expr, item: Type, at: Callable[[Expr], Expr], code: Code) -> Statement:
    counter = code.world.fresh.variable("k", Role.TERM)
    position = name(counter, WHOLE)
    place = Expr("subscript", (bar, position), None, item)
    each = at(position)
    if is_container(item):
        inner = slot_type(item, whole(0), code.world)
        part = code.world.calculus.part
        body: Block = (_loop(place, inner, lambda deep: part(each, deep), code),)
    else:
        body = (Store(place, "+", each, code.span),)
    return For(counter, range_of(length_of(bar)), body, code.span)


def _pull_joined(held: Expr, g: Expr, axis: int, code: Code) -> None:
    """Hand each stretch of joined arrays on to the array that it comes from."""
    fresh, calculus = code.world.fresh, code.world.calculus
    counter = fresh.variable("k", Role.TERM)
    start, stop = fresh.variable("start", Role.TERM), fresh.variable("stop", Role.TERM)
    position, first, last = (name(v, WHOLE) for v in (counter, start, stop))
    bar = calculus.part(shadow(held.data, code), position)
    shape = Expr("attribute", (bar,), "shape")
    length = calculus.part(shape, whole(axis)) if axis else length_of(bar)
    end = Expr("binary", (first, length), "+", WHOLE)
    stretch = Expr("slice", (first, last, constant(None)), None, Other(slice))
    code.emit(Let(start, whole(0), code.span))
    body = (
        Let(stop, end, code.span),
        Store(bar, "+", Expr("subscript", (g, _along(axis, stretch)), None, bar.type), code.span),
        Let(start, last, code.span),
    )
    code.emit(For(counter, range_of(length_of(shadow(held.data, code))), body, code.span))
