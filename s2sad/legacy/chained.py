"""Subscripts that stand one after the other become one, where they read or write one array.

    A[i][j] += x      ->      A[i, j] += x         A an array, i a whole number
    len(A[i])         ->      A.shape[1]
    L[i][j] += x      ->      one write to L       L a list of lists of numbers

So an element is added to, saved and restored, and not its row. What is written is the one place.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from s2sad.legacy.facts import Facts
from s2sad.legacy.links import IN_AXES, Answers, Asked, Question
from s2sad.legacy.program import Attr, Call, Const, Expr, Op, Ref, Var
from s2sad.legacy.scope import Scope
from s2sad.legacy.traverse import WHOLE, is_slice, parts_of, reads

AXES, ITEMS = "axes", "items"
_OF = {AXES: "tuple", ITEMS: "path"}


def joined(
    owner: Expr, key: Expr, node: Any, scope: Scope, base: str = IN_AXES
) -> tuple[Var, Expr] | None:
    """Return the array and the one subscript that `owner[key]` is, if it is known to be that.

    `base` tells whether that is read or written to.
    """
    found = None
    for whole, first in _places(owner, scope):
        answer = _answer((whole, first), key, node, scope, base)
        if answer:  # the last of them leads through the fewest names
            found = whole, Op(_OF[answer], (*parts_of(first), *parts_of(key)))
    return found


def length_of_row(call: Call, node: Any, scope: Scope) -> Expr | None:
    """Return the length of an axis of an array for `len` of its rows, if it is known to be that."""
    match call:
        case Call(Ref(_, value), (owner,), ()) if value is len:
            for whole, first in _places(owner, scope):
                if _answer((whole, first), WHOLE, node, scope) == AXES:
                    return Op("index", (Attr(whole, "shape"), Const(len(parts_of(first)))))
    return None


def _answer(
    place: tuple[Var, Expr], key: Expr, node: Any, scope: Scope, base: str = IN_AXES
) -> str:
    whole, first = place
    question = Question(scope.span(node), whole.slot, base)
    asked = Asked(question, whole, whole, Op("tuple", (first, key)))
    return scope.ask_of_way(asked) or ""


def _places(owner: Expr, scope: Scope) -> Iterator[tuple[Var, Expr]]:
    """Yield the arrays or lists, and the positions in them, of a row, as they are now."""
    held, parts = scope.held, tuple[Expr, ...]()
    while True:
        if isinstance(owner, Var) and held.values.get(owner.slot, owner) == owner:
            owner = held.parts.get(owner, owner)
        match owner:
            case Op("index", (Var() as whole, first)) if not any(map(is_slice, parts_of(first))):
                parts = (*parts_of(first), *parts)
            case _:
                return
        if any(held.values.get(var.slot, var) != var for var in (whole, *_read_in(parts))):
            return
        yield whole, parts[0] if len(parts) == 1 else Op("tuple", parts)
        owner = whole


def in_axes(asked: list[Asked], made: set[Var], facts: Facts, distinct: frozenset[str]) -> Answers:
    """Return which questions are about positions along the axes of arrays, wherever they stand.

    And which about numbers in lists of lists; what is written to has to be surely `distinct`.
    """
    found: dict[Question, str] = {}
    for each in asked:
        assert each.owner is not None and each.key is not None
        if made.issuperset((each.owner, *reads(each.key))):  # else it was asked in vain
            answer = AXES if _is_in_axes(each, facts) else ""
            alone = each.question.base == IN_AXES or each.owner.slot in distinct
            answer = ITEMS if alone and _is_item(each, facts) else answer
            found[each.question] = answer if found.get(each.question, answer) == answer else ""
    return found


def _is_in_axes(asked: Asked, facts: Facts) -> bool:
    assert asked.owner is not None and isinstance(asked.key, Op)
    first, key = asked.key.args
    whole = facts.of(asked.owner)
    if not whole.is_array or not _is_place(first, facts):
        return False
    if key == WHOLE:  # a number has no length
        return whole.rank is not None and whole.rank > len(parts_of(first))
    return all(_is_basic(part, facts) for part in parts_of(key))


def _is_item(asked: Asked, facts: Facts) -> bool:
    """Tell whether a number is asked for that stands in a list in a list."""
    assert asked.owner is not None and isinstance(asked.key, Op)
    first, key = asked.key.args
    row = Op("index", (asked.owner, Op("path", parts_of(first))))
    lists = facts.of(asked.owner).kind == facts.expr(row).kind == "list"
    at = _is_place(first, facts) and key != WHOLE and _is_place(key, facts)
    return lists and at and facts.expr(Op("index", (row, key))).is_scalar


def _is_place(key: Expr, facts: Facts) -> bool:
    return all(facts.expr(part).kind == "int" for part in parts_of(key))


def _is_basic(part: Expr, facts: Facts) -> bool:
    # beside a whole number, positions in an array would be another way to choose
    if isinstance(part, Const):
        return part.value is None or part.value is ... or type(part.value) is int
    return is_slice(part) or facts.expr(part).kind == "int"


def _read_in(parts: Iterable[Expr]) -> Iterator[Var]:
    return (var for part in parts for var in reads(part))
