"""Python's own functions of several numbers, and displays themselves.

max(a, b, c)    ->    a_bar = y_bar if a == y else 0.0 ; ...
[a, b]          ->    a_bar = y_bar[0] ; b_bar = y_bar[1]
"""

from __future__ import annotations

from s2sad.filling import Match
from s2sad.hooks.making import Y_BAR, Ask, Making, display_of
from s2sad.program import Call, Const, Expr, Op, Ref
from s2sad.templating import ELEMENTWISE, Line, local_var

SUM = Ref("sum", sum)


def total(call: Call, fact: Ask) -> Match | None:
    """Return the rule of sum([a, b, ...]): that of a + b + ..."""
    if len(call.args) > 1 or call.keywords:
        return None
    making = Making(fact)
    display = display_of(call)
    parts = tuple(making.leaf(part, None) for part in display.args)
    return making.match("sum", Call(call.func, (Op(display.op, parts),)), ELEMENTWISE)


def extreme_of_display(call: Call, fact: Ask) -> Match | None:
    """Return the rule of max([a, b, ...]) and min."""
    parts = display_of(call).args
    return None if len(call.args) > 1 or call.keywords else extreme(call, parts, fact)


def extreme(call: Call, parts: tuple[Expr, ...], fact: Ask) -> Match | None:
    """Return the rule of max or min: the first operand that equals the result has it all."""
    making = Making(fact)
    leaves = tuple(making.leaf(part, None) for part in parts)
    displayed = isinstance(call.args[0], Op) and call.args[0].op in ("tuple", "list")
    form = Call(call.func, (Op("tuple", leaves),) if displayed else leaves)
    making.lines = [
        Line(name, Op("if", (_first(i), Y_BAR, Const(0.0)))) for i, name in enumerate(making.bound)
    ]
    return making.match("extreme", form, ELEMENTWISE)


def _first(i: int) -> Expr:
    y = local_var("y")
    hit: Expr = Op("==", (local_var(f"part_{i}"), y))
    before = tuple(Op("!=", (local_var(f"part_{j}"), y)) for j in range(i))
    return Op("and", (hit, *before)) if before else hit


def repeated(value: Op, part: Expr, times: Expr, fact: Ask) -> Match | None:
    """Return the rule of [a] * n, of a number a."""
    if fact(part).is_array or fact(times).kind != "int":
        return None
    making = Making(fact)
    display = Op("list", (making.leaf(part, None),))
    making.lines = [Line("part_0", Call(SUM, (Y_BAR,)))]
    form = Op("*", tuple(display if each != times else times for each in value.args))
    return making.match("repeat", form)


def displayed(value: Op, fact: Ask) -> Match:
    """Return the rule of [a, b, ...]: each value receives its own of the list of adjoints."""
    making = Making(fact)
    parts = tuple(making.leaf(part, Const(i)) for i, part in enumerate(value.args))
    return making.match("display", Op(value.op, parts))
