"""Loop peeling, the first pass apart from the others: what is a number in it is an array in these.

total = 0.0                       total = 0.0
for k in range(n):                if n > 0:
    total += u * k                    total = total + u * 0        binds a new array
    sums.append(total)       ->       sums.append(total)
                                      for k in range(1, n):
                                          total += u * k           changes that array
                                          sums.append(total)

In place it changes an array for all who hold it, and who holds it is then said as in Python. It is
asked for where a change would be refused that is one in some passes alone.
"""

from __future__ import annotations

from collections.abc import Callable

from s2sad.ir.expression import Expr, calls, keywords, positional
from s2sad.ir.program import PURE, Copied, RegionOp
from s2sad.ir.records import dataclass
from s2sad.ir.types import Reference
from s2sad.ir.walk import nodes, statements
from s2sad.lowering import branches, evaluation_order, exits, items, lazies, ways
from s2sad.lowering.machine import Machine, Scope, refusal, stable
from s2sad.lowering.values import Data, Lazy, Value, literal

PEELED = "peeled"


@dataclass(frozen=True, slots=True)
class Passes:
    """The passes of a loop: whether there is one, its item, and the items of the others.

    These are gone through as they are, or `item` gives them at their places. `held` is read in all.
    """

    is_there: Data
    first: Callable[[], Value]
    rest: Data
    item: Callable[[Value], Value] | None
    held: tuple[Value, ...]


def is_peeled(m: Machine, site: object) -> bool:
    """Tell whether a loop was asked to be peeled."""
    return site is not None and (PEELED, site) in m.choices


def passes_of(m: Machine, over: Data) -> Passes | None:
    """Return whether there is a first item, that item, and the numbers or places of the others.

    None of what has no places.
    """
    if calls(over.expr, range) and len(over.expr.args) < 5 and not over.expr.data:
        return _of_range(m, over)
    apart = _by_places(over)
    if apart is None or not lazies.has_places(m, apart):
        return None
    apart, count = stable(m, apart, "over"), items.fixed_length(m, over)
    length = literal(count) if count is not None else lazies.length(m, apart)
    length = stable(m, length, "length")
    rest = m.to_data(m.call_global("range", range, [literal(1), length]))
    is_there = _compared(m, length, ">", literal(0))
    return Passes(
        is_there,
        lambda: lazies.item_at(m, apart, literal(0)),
        rest,
        lambda k: lazies.item_at(m, apart, m.to_data(k)),
        (apart, length),
    )


def _by_places(over: Data) -> Value | None:
    """Return what is gone through side by side, or with its numbers, as its parts."""
    if over.expr.op == "starred":  # how many parts it stands for is not known
        return None
    for kind, function in (("zip", zip), ("enumerate", enumerate), ("reversed", reversed)):
        if calls(over.expr, function):
            parts = [_by_places(Data(each, over.origins)) for each in positional(over.expr)]
            start = keywords(over.expr).get("start", literal(0).expr)
            if any(p is None for p in parts) or keywords(over.expr).keys() - {"start"}:
                return None
            if kind == "enumerate" and len(parts) == 1:
                parts.append(Data(start))
            return Lazy(kind, tuple(parts))
    return over


def _of_range(m: Machine, over: Data) -> Passes | None:
    bounds = [stable(m, Data(e, over.origins), "bound") for e in positional(over.expr)]
    start, stop = (literal(0), bounds[0]) if len(bounds) == 1 else bounds[:2]
    step = bounds[2] if len(bounds) > 2 else literal(1)
    if step.known is None or not step.known.value:
        return None
    count = items.fixed_length(m, over)
    order = "<" if step.known.value > 0 else ">"
    is_there = literal(count > 0) if count is not None else _compared(m, start, order, stop)
    second = lazies.further(m, start, step)
    steps = () if step.known.value == 1 else (step,)
    rest = m.to_data(m.call_global("range", range, [second, stop, *steps]))
    return Passes(is_there, lambda: start, rest, None, (start, stop, step))


def _compared(m: Machine, left: Data, symbol: str, right: Data) -> Data:
    test = Expr("compare", (left.expr, right.expr), (symbol,))
    return m.truth(evaluation_order.operation(m, test, left, right))


def run(
    m: Machine, is_there: Data, first: Callable[[], ways.Way], rest: Callable[[], ways.Way]
) -> ways.Way:
    """Run the first pass of a loop, if there is one, and then the others; return the way out."""
    context, span = Scope("loop", False, m.frame), m.span
    m.contexts.append(context)

    def others() -> ways.Way:
        m.span = span
        return rest()

    def passes() -> ways.Way:
        way = ways.without(first(), ways.Exit("continue", context))
        if isinstance(way, ways.Mixed):
            return exits.guarded(m, way, others)
        return others() if way is None else way

    try:
        way = branches.decided(m, is_there, passes, lambda: None)
        return exits.after_passes(m, way, context, None)
    finally:
        m.contexts.pop()


def refuse_growing(m: Machine, over: Data, mark: int) -> None:
    """Refuse a loop whose list may get or lose items in a pass: its places were counted before."""
    held = (each.type for each in nodes(over.expr))
    sites = {m.memory.find(type_.site) for type_ in held if isinstance(type_, Reference)}
    if not sites:
        return
    for statement in statements(tuple(m.block[mark:])):
        if isinstance(statement, RegionOp):
            base = getattr(statement.base.type, "site", None)
            may_grow = base is None or m.memory.find(base) in sites
        else:
            is_pure = getattr(statement, "effect", PURE).is_pure
            may_grow = isinstance(statement, Copied) or not is_pure
        if may_grow:
            raise refusal(m, "a list that may change while it is gone through")
