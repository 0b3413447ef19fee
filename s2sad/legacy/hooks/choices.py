"""Elements chosen of a display of arrays: each receives y_bar where it was chosen.

np.select([c, d], [a, b])    ->    a_bar = np.select([c, d], [y_bar, 0.0])
np.choose(i, (a, b))         ->    a_bar = np.where(i == 0, y_bar, 0.0)
"""

from __future__ import annotations

import numpy as np

from s2sad.legacy.filling import Match
from s2sad.legacy.hooks.making import Y_BAR, Ask, Making, is_display, is_star, rest_of
from s2sad.legacy.program import Call, Const, Expr, Op, Ref
from s2sad.legacy.templating import ELEMENTWISE

WHERE = Ref("np.where", np.where)
SELECT = Ref("np.select", np.select)
EQUAL = Ref("np.equal", np.equal)
CLIP = Ref("np.clip", np.clip)
ZERO = Const(0.0)


def select(call: Call, fact: Ask) -> Match | None:
    """Return the rule of np.select: the first condition that holds chooses."""
    given = rest_of(call, "choicelist", "default")
    if given is None or "choicelist" not in given:
        return None
    tests, choices = call.args[0], given["choicelist"]
    if not isinstance(choices, Op) or not is_display(choices) or any(map(is_star, choices.args)):
        return None
    making = Making(fact)
    leaves = tuple(
        making.operand(choice, lambda _, k=k: _chosen(tests, len(choices.args), k))  # type: ignore[misc]
        for k, choice in enumerate(choices.args)
    )
    args: tuple[Expr, ...] = (tests, Op(choices.op, leaves))
    if "default" in given:
        nothing = Op("list", (ZERO,) * len(leaves))
        args += (making.operand(given["default"], lambda _: Call(SELECT, (tests, nothing, Y_BAR))),)
    return making.match("select", Call(call.func, args), ELEMENTWISE)


def _chosen(tests: Expr, count: int, at: int) -> Expr:
    """Return y_bar where the choice `at` was taken."""
    return Call(
        SELECT, (tests, Op("list", tuple(Y_BAR if k == at else ZERO for k in range(count))))
    )


def choose(call: Call, fact: Ask) -> Match | None:
    """Return the rule of np.choose between arrays that are written out."""
    modes = [value for key, value in call.keywords if key == "mode" and isinstance(value, Const)]
    if len(call.args) != 2 or len(modes) != len(call.keywords):
        return None
    index, choices = call.args
    if fact(index).dtype.startswith("float"):
        return None
    if not isinstance(choices, Op) or not is_display(choices) or any(map(is_star, choices.args)):
        return None
    making, found = Making(fact), _within(index, len(choices.args), modes)
    leaves = tuple(
        making.operand(choice, lambda _, k=k: _where_it_is(found, k, fact))  # type: ignore[misc]
        for k, choice in enumerate(choices.args)
    )
    form = Call(call.func, (index, Op(choices.op, leaves)), call.keywords)
    return making.match("choose", form, ELEMENTWISE)


def _within(index: Expr, count: int, modes: list[Const]) -> Expr:
    """Return which choice is taken, of indices beyond the last or before the first as well."""
    if modes == [Const("clip")]:
        return Call(CLIP, (index, Const(0), Const(count - 1)))
    return Op("%", (index, Const(count))) if modes == [Const("wrap")] else index


def _where_it_is(index: Expr, at: int, fact: Ask) -> Expr:
    pair = (index, Const(at))
    # a list is compared as a whole
    is_it = Op("==", pair) if fact(index).is_array else Call(EQUAL, pair)
    return Call(WHERE, (is_it, Y_BAR, ZERO))
