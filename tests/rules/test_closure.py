"""What the rules write can itself be differentiated: every operation in it has a rule."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from s2sad.legacy.program import Attr, Call, Expr, Op, Ref, Var
from s2sad.legacy.rules import find, load
from s2sad.legacy.templating import PRINTED_FUNCTION, Rule
from s2sad.legacy.traverse import children, reads, rebuild, substitute, walk
from s2sad.legacy.twins import twin_of
from tests.rules.first.evaluate import Known
from tests.rules.first.made import made_for

LIST = -1
RANKS = (None, 0, 1, 2, LIST)
LENGTHS = (Ref("len", len),)
PART = Var("part", 0)
SHAPES = frozenset({"shape", "size", "ndim", "dtype"})


def facts(rule: Rule, rank: int | None) -> Callable[[Expr], Known]:
    """Return facts by which what varies is of one rank, and every option an integer."""
    options = set(rule.params) - rule.differentiable

    def fact(expr: Expr) -> Known:
        if all(var.slot in options for var in reads(expr)):
            marks = rule.marks.get(expr.slot, ()) if isinstance(expr, Var) else ()
            return Known("array", "float64", 1, False, True) if "vector" in marks else Known("int")
        if isinstance(expr, Call) and expr.func in LENGTHS:
            return Known("int")
        if isinstance(expr, Attr) and expr.name in SHAPES:
            return Known("int")
        match expr:
            case Op("index", (Attr(_, "shape"), _)):
                return Known("int")
        if expr == Var("number", 0):
            return Known("float", "float64", 0, True)
        if rank == LIST:
            return Known("list", items=(Known("array", "float64", 1, False, True),))
        if rank == 0:
            return Known("float", "float64", 0, True)
        return Known("unknown") if rank is None else Known("array", "float64", rank, False, True)

    return fact


def operations(rule: Rule, value: Expr, varying: frozenset[str]) -> Iterator[Expr]:
    """Yield the operations of a right-hand side through which a derivative flows, on names."""
    for part in walk(value):
        if isinstance(part, Op | Call | Attr) and varies(part, varying):
            yield rebuild(part, tuple(_name(rule, each, varying) for each in children(part)))


def varies(part: Expr, varying: frozenset[str]) -> bool:
    match part:
        case Var(name):
            return name in varying
        case Attr(_, name) if name in SHAPES:
            return False
        case Op() | Call() if (match := find(part)) is not None and match.constant:
            return False
    return any(varies(each, varying) for each in children(part))


def _name(rule: Rule, part: Expr, varying: frozenset[str]) -> Expr:
    if isinstance(part, Attr) or not varies(part, varying):
        return part
    if isinstance(part, Var) and "scalar" in rule.marks.get(part.slot.removesuffix("_dot"), ()):
        return Var("number", 0)
    return part if isinstance(part, Op) and part.op in ("tuple", "list") else PART


def with_objects(rule: Rule, value: Expr) -> Expr:
    """Return a right-hand side with an object in the place of each that the rule is about."""
    objects = {name: Ref(name, made_for(rule, name)[0]) for name in rule.classes}
    return substitute(value, lambda var: objects.get(var.slot, var))


def handled_elsewhere(part: Expr) -> bool:
    """Subscripts and displays belong to the reverse pass, printed functions are differentiated."""
    match part:
        case Op("index" | "slice" | "tuple" | "list" | "if" | "star", _):
            return True
        case Attr(_, name):
            # the owner of a method
            return name != "T"
        case Call(Ref(_, value), _, _):
            return value is PRINTED_FUNCTION
    return False


def has_twin(part: Expr) -> bool:
    return isinstance(part, Call) and twin_of(part, facts(NO_RULE, 1)) != part


NO_RULE = Rule("none", "", (), ())
RULES = [rule for rule in load().every if not rule.file.startswith("scipy")]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: f"{rule.file[:-3]}:{rule.name}")
def test_right_hand_sides_have_rules(rule: Rule) -> None:
    varying = rule.differentiable | {"y", "y_bar"} | {f"{p}_dot" for p in rule.params}
    for line in (*rule.lines, *rule.tangent):
        if line.local and varies(line.value, varying):
            varying |= {line.target}
        for part in operations(rule, with_objects(rule, line.value), varying):
            known = any(find(part, facts(rule, rank)) is not None for rank in RANKS)
            assert known or handled_elsewhere(part) or has_twin(part), part
