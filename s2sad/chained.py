"""Subscripts that stand one after the other become one, where they read or write one array.

    A[i][j] += x      ->      A[i, j] += x         A an array, i a whole number
    len(A[i])         ->      A.shape[1]

So an element is added to, saved and restored, and not its row. What is a list keeps its items.
"""

from __future__ import annotations

from typing import Any

from s2sad.facts import Facts
from s2sad.links import IN_AXES, Answers, Asked, Question
from s2sad.program import NONE, Attr, Call, Const, Expr, Op, Ref, Var
from s2sad.scope import Scope
from s2sad.traverse import reads

AXES = "axes"
# stands for a key where all of a row is meant
WHOLE = Op("slice", (NONE, NONE, NONE))


def joined(owner: Expr, key: Expr, node: Any, scope: Scope) -> tuple[Var, Expr] | None:
    """Return the array and the one subscript that `owner[key]` is, if it is known to be that."""
    found = _place(owner, scope)
    if found is None or not _is_known(found, key, node, scope):
        return None
    whole, first = found
    return whole, Op("tuple", (*_parts(first), *_parts(key)))


def length_of_row(call: Call, node: Any, scope: Scope) -> Expr | None:
    """Return the length of an axis of an array for `len` of its rows, if it is known to be that."""
    match call:
        case Call(Ref(_, value), (owner,), ()) if value is len:
            found = _place(owner, scope)
            if found is not None and _is_known(found, WHOLE, node, scope):
                return Op("index", (Attr(found[0], "shape"), Const(len(_parts(found[1])))))
    return None


def _is_known(place: tuple[Var, Expr], key: Expr, node: Any, scope: Scope) -> bool:
    whole, first = place
    question = Question(scope.span(node), whole.slot, IN_AXES)
    asked = Asked(question, whole, whole, Op("tuple", (first, key)))
    return scope.ask_of_way(asked) == AXES


def _place(owner: Expr, scope: Scope) -> tuple[Var, Expr] | None:
    """Return the array and the position of a row, as they are now."""
    held = scope.held
    if isinstance(owner, Var) and held.values.get(owner.slot, owner) == owner:
        owner = held.parts.get(owner, owner)
    match owner:
        case Op("index", (Var() as whole, first)) if not any(map(_is_slice, _parts(first))):
            now = all(held.values.get(var.slot) == var for var in (whole, *reads(first)))
            return (whole, first) if now else None
    return None


def in_axes(asked: list[Asked], made: set[Var], facts: Facts) -> Answers:
    """Return which questions are about positions along the axes of arrays, wherever they stand."""
    found: dict[Question, str] = {}
    for each in asked:
        assert each.owner is not None and each.key is not None
        if made.issuperset((each.owner, *reads(each.key))):  # else it was asked in vain
            answer = AXES if _is_in_axes(each, facts) else ""
            found[each.question] = answer if found.get(each.question, answer) == answer else ""
    return found


def _is_in_axes(asked: Asked, facts: Facts) -> bool:
    assert asked.owner is not None and isinstance(asked.key, Op)
    first, key = asked.key.args
    whole = facts.of(asked.owner)
    if not whole.is_array or not _is_place(first, facts):
        return False
    if key == WHOLE:  # a number has no length
        return whole.rank is not None and whole.rank > len(_parts(first))
    return all(_is_basic(part, facts) for part in _parts(key))


def _is_place(key: Expr, facts: Facts) -> bool:
    return all(facts.expr(part).kind == "int" for part in _parts(key))


def _is_basic(part: Expr, facts: Facts) -> bool:
    # beside a whole number, positions in an array would be another way to choose
    if isinstance(part, Const):
        return part.value is None or part.value is ... or type(part.value) is int
    return _is_slice(part) or facts.expr(part).kind == "int"


def _parts(key: Expr) -> tuple[Expr, ...]:
    return key.args if isinstance(key, Op) and key.op == "tuple" else (key,)


def _is_slice(key: Expr) -> bool:
    return isinstance(key, Op) and key.op == "slice"
