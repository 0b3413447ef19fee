"""What a Program asked about its values is answered from what is known of them.

row = A[i]       a view where A is an array, the item itself where it is a list
b += 1           writes to an array, binds a number anew
b.sort()         NumPy's where b is an array
"""

from __future__ import annotations

import numpy as np

from s2sad.legacy.blocks import all_defines
from s2sad.legacy.chained import AXES, ITEMS, in_axes
from s2sad.legacy.distinct import distinct_holders
from s2sad.legacy.facts import Fact, Facts, static
from s2sad.legacy.links import (
    IN_AXES,
    INTO_AXES,
    IS_ARRAY,
    IS_HOLDER,
    IS_LIST,
    IS_TRUE,
    OTHERS,
    Answers,
    Asked,
    Question,
)
from s2sad.legacy.modules.values import is_value
from s2sad.legacy.pieces import arrays_given, in_one_piece, may_be_copied
from s2sad.legacy.program import Call, Const, Expr, If, Op, Program, Ref, Var
from s2sad.legacy.together import pairs_of
from s2sad.legacy.traverse import is_slice, statements
from s2sad.legacy.turns import is_turn

# the answers that make a difference: without one the Program stays as it is
TELLING = frozenset(
    {"view", "item", "writes", "array", "number", "holder", "list", AXES, ITEMS, OTHERS}
)
KINDS = frozenset({"list", "dict"})


def answers(program: Program, facts: Facts, rows: frozenset[Var] = frozenset()) -> Answers:
    """Return what is known of each question of a Program, "" where nothing is.

    The parameters `rows` are lists that hold no row twice.
    """
    of_ways = [each for each in program.asked if each.question.way]
    of_axes = [each for each in program.asked if each.question.base in (IN_AXES, INTO_AXES)]
    others = [each for each in program.asked if not _is_asked_at_each(each)]
    both = (*others, *of_axes)
    holders = [each for each in both if each.owner and facts.of(each.owner).kind in KINDS]
    distinct = distinct_holders(program, facts, rows) if holders else frozenset()
    given = {param.var for param in program.params}
    found = {each.question: _answer(each, facts, distinct, given) for each in others}
    reshaped = {each.question for each in others if may_be_copied(each, facts)}
    if reshaped:
        certain = in_one_piece(program, facts, arrays_given(program, facts))
        copied = {each.question for each in others if each.owner not in certain}
        found |= dict.fromkeys(reshaped & copied, "")
    if of_ways or of_axes:
        made = {param.var for param in program.params}
        made |= {var for stmt in program.body for var in all_defines(stmt)}
        found |= in_axes(of_axes, made, facts, distinct)
        found |= _apart(of_ways, made, program, facts) if of_ways else {}
    return found


def confirmed(known: Answers, found: Answers) -> Answers:
    """Return the answers under which a Program was lowered, without those it gives otherwise."""
    return {
        question: answer
        for question, answer in known.items()
        if answer not in TELLING or found.get(question, answer) == answer
    }


def _is_asked_at_each(asked: Asked) -> bool:
    """Tell whether one question is asked at several places, and answered for all of them."""
    return bool(asked.question.way) or asked.question.base in (IS_TRUE, IN_AXES, INTO_AXES)


def _apart(asked: list[Asked], made: set[Var], program: Program, facts: Facts) -> Answers:
    """Return of which slots nothing that they hold at a place shares memory."""
    pairs = pairs_of(program, facts.of)
    found: dict[Question, str] = {}
    for each in asked:
        if each.owner in made and each.value in made:  # else it was asked in vain
            shared = pairs.may_share(each.value, each.owner)
            found[each.question] = "" if shared else found.get(each.question, OTHERS)
    return found


def settled_tests(program: Program, facts: Facts) -> Answers:
    """Return how tests come out that were asked about: those of which it is known at every place."""
    found: dict[Question, str] = {}
    for each in program.asked:
        if _is_test(each) and each.key is not None:
            known = {True: "true", False: "false", None: ""}[static(each.key, facts)]
            found[each.question] = known if found.get(each.question, known) == known else ""
    return {question: known for question, known in found.items() if known}


def _is_test(asked: Asked) -> bool:
    return asked.question.base == IS_TRUE


def waits_for_a_call(program: Program) -> bool:
    """Tell whether a test asks for what a call settles: the kind of a value, an option."""
    asked = [each.key for each in program.asked if _is_test(each)]
    tests = [stmt.test for stmt in statements(program.body) if isinstance(stmt, If)]
    return any(test is not None and _is_settled_by_call(test) for test in (*asked, *tests))


def _is_settled_by_call(test: Expr) -> bool:
    match test:
        case Var():
            return True
        case Op("not" | "and" | "or", parts):
            return any(map(_is_settled_by_call, parts))
        case Op("is" | "is_not", _):
            return True
        case Op("==" | "!=" | "in" | "not_in", (_, Const(str()))):
            return True
        case Call(Ref(_, value)):
            return any(value is each for each in (isinstance, hasattr, callable, np.isscalar))
    return False


def _answer(asked: Asked, facts: Facts, distinct: frozenset[str], given: set[Var]) -> str:
    value = facts.of(asked.value)
    if asked.question.base == IS_ARRAY:
        return "array" if value.is_array else "number" if value.is_scalar else ""
    if asked.question.base == IS_HOLDER:
        return "holder" if value.kind in KINDS and not _holds_numbers(value) else ""
    if asked.question.base == IS_LIST:
        return "list" if value.kind == "list" else ""
    if value.is_scalar:
        return "apart"
    if asked.owner is None and asked.value not in given and is_value(value):
        return "apart"  # on a device too a number of the function's is a value
    if asked.owner is None:
        return "writes" if value.is_array or value.kind == "list" else ""
    owner = facts.of(asked.owner)
    if owner.kind in KINDS:
        if asked.key is None or is_turn(asked.key) or is_slice(asked.key):
            return ""  # a list of its own
        # an object that is there twice is written to in both places
        return "item" if asked.owner.slot in distinct else ""
    if is_value(value):
        return "apart"
    if not owner.is_array or not value.is_array or asked.key is None:
        return ""
    return "view" if is_turn(asked.key) or is_basic_key(asked.key, facts) else ""


def _holds_numbers(fact: Fact) -> bool:
    return bool(fact.items) and all(item.is_scalar for item in fact.items)


def is_basic_key(key: Expr, facts: Facts) -> bool:
    """Tell whether a subscript is of integers and slices alone, so that it gives a view."""
    parts = key.args if isinstance(key, Op) and key.op == "tuple" else (key,)
    return all(_is_basic_part(part, facts.expr(part)) for part in parts)


def _is_basic_part(part: Expr, fact: Fact) -> bool:
    if isinstance(part, Op) and part.op == "slice":
        return True
    if isinstance(part, Const):
        return not isinstance(part.value, bool)
    if isinstance(part, Ref):  # np.newaxis
        return part.value is None
    return fact.kind == "int"
