"""An operation finds its derivative rule: which template fits, and what its names stand for.

find(np.roll(u, shift=1))     Match("np.roll", roll, {"a": u, "shift": 1})

Of several rules that fit, the most specific wins: a repeated name (`x * x`), then a literal
(`x**2`), then a guard on what is known of a parameter (`a: matrix`), then the order of the files.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from s2sad.ir.expression import Expr
from s2sad.ir.records import dataclass, field, replace
from s2sad.ir.types import Numeric, Region, Site, Type
from s2sad.operators import hooks
from s2sad.operators.binding import Bound, bind
from s2sad.operators.guards import CONTAINERS, GUARDS, Guard, is_numeric, is_real, rank_of
from s2sad.operators.heads import CALLED, head_of
from s2sad.operators.instances import is_made_by, is_object
from s2sad.operators.library import Candidate, candidates
from s2sad.operators.marks import is_stopped
from s2sad.operators.match import Match
from s2sad.operators.rule import CONSTANT, TWIN, Rule
from s2sad.operators.sparse import with_matrices_made
from s2sad.operators.spelling import as_rules_spell

OPERATIONS = frozenset("call binary unary attribute subscript compare tuple list".split())


@dataclass(frozen=True, slots=True)
class Known:
    """What is known beside the types on the nodes: the program's regions."""

    regions: Mapping[Site, Region] = field(default_factory=dict)


NOTHING = Known()


def find(expr: Expr, known: Known = NOTHING) -> Match | None:
    """Return the rule of an operation, matched; None if it has none for these operands."""
    if expr.op not in OPERATIONS:
        return None
    made = with_matrices_made(expr)
    found = _found(made, known)
    if found is None:
        plain = as_rules_spell(made)
        found = None if plain == made else _found(plain, known)
    if found is None or made is expr:
        return found
    return replace(found, expr=expr, pattern=None, form_made=found.form)


def _found(expr: Expr, known: Known) -> Match | None:
    if is_stopped(expr):
        return Match(operator_of(expr), STOP, {}, expr)
    for candidate in _fitting(expr, known):
        found = matched(candidate, expr, known)
        if found is not None:
            return found
    return hooks.find(expr, known.regions)


STOP = Rule("stop_gradient", CONSTANT, ())


def matched(candidate: Candidate, expr: Expr, known: Known = NOTHING) -> Match | None:
    """Return what one spelling of a rule makes of an operation, None if it does not fit."""
    rule, pattern = candidate
    bound: Bound = {}
    if not bind(rule, pattern, expr, bound) or not _is_guarded(rule, bound, known):
        return None
    return Match(operator_of(expr), rule, bound, expr, pattern)


def _fitting(expr: Expr, known: Known) -> tuple[Candidate, ...]:
    """Return the spellings that an operation may fit: of an object's, those for its class."""
    head = head_of(expr)
    if head is None:
        return ()
    found = candidates(head)
    if expr.op == "call" and is_object(expr.args[0]):
        found = (*found, *candidates(CALLED))
    if all(not rule.classes for rule, _ in found):
        return found
    return tuple(each for each in found if is_made_by(each[0].classes, each[1], expr))


# ---------------------------------------------------------------------------- guards


@cache
def _guards(rule: Rule) -> Mapping[str, tuple[Guard, ...]]:
    return {
        name: tuple(GUARDS[word] for word in words if word in GUARDS)
        for name, words in rule.marks.items()
    }


@cache
def _asked_to_be_numbers(rule: Rule) -> Mapping[str, Any]:
    """Return what each parameter that an adjoint flows to has to be: a real number or array."""
    asked = {}
    for name in rule.differentiable:
        words = rule.marks.get(name, ())
        if CONTAINERS.isdisjoint(words):
            takes_complex = rule.holomorphic or "complex" in words
            asked[name] = is_numeric if takes_complex else is_real
    return asked


def _is_guarded(rule: Rule, bound: Bound, known: Known) -> bool:
    for name, guards in _guards(rule).items():
        if name in bound and not all(guard(bound[name], known.regions) for guard in guards):
            return False
    for name, fits in _asked_to_be_numbers(rule).items():
        if name in bound and not fits(bound[name].type):
            return False
    return all(_has_at_most(bound[n].type, most) for n, most in rule.ranks.items() if n in bound)


def _has_at_most(type_: Type, axes: int) -> bool:
    """Tell whether a value surely has no more axes than a rule is for."""
    is_open = isinstance(type_, Numeric) and type_.lengths is None
    return not is_open and (rank_of(type_) or 0) <= axes


# ---------------------------------------------------------------------------- asking


def operator_of(expr: Expr) -> str:
    """Return what an operation is called in a message: "np.roll", "*", ".T"."""
    if expr.op != "call":
        return f".{expr.data}" if expr.op == "attribute" else str(expr.data or "[]")
    function = expr.args[0]
    if function.op == "global":
        return str(function.data.text)
    return f".{function.data}" if function.op == "attribute" else "a call"


def find_twin(expr: Expr, known: Known = NOTHING) -> Match | None:
    """Return the row of an operation that says which printed function gives the same."""
    for spelled in (expr, as_rules_spell(expr)):
        for candidate in _twins(spelled, known):
            found = matched(candidate, spelled, known)
            if found is not None:
                return found
    return None


def has_twin(expr: Expr) -> bool:
    """Tell whether a printed function may give the same, though perhaps not of these operands."""
    return bool(_twins(expr, NOTHING) or _twins(as_rules_spell(expr), NOTHING))


def _twins(expr: Expr, known: Known) -> tuple[Candidate, ...]:
    return tuple(each for each in _fitting(expr, known) if each[0].family == TWIN)


def has_rule(expr: Expr, known: Known = NOTHING) -> bool:
    """Tell whether there is a rule for an operation, though perhaps not for these operands."""
    return bool(_fitting(expr, known)) or hooks.is_known(expr)
