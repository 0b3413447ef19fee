"""An operation finds its derivative rule: which template fits, or which lines are lowered in its place.

find(np.roll(u, shift=1))     Match("np.roll", roll, {"a": u, "shift": 1})

Of several rules that fit, the most specific wins: a repeated name (`x * x`), then a literal
(`x**2`), then a guard on what is known of a parameter (`a: matrix`), then the order of the files.

chebyshev.chebval(x, c)      its own, as its authors wrote them
integrate.simpson(u, x)      those of its twin, a printed function that gives the same
np.union1d(u, v)             neither has lines, nor a rule: it is refused
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from functools import cache
from types import FunctionType
from typing import Any

import numpy as np

from s2sad.ir.errors import NotYet, Refused, S2sadError, Span, Unfollowed
from s2sad.ir.expression import Expr, call, called_object, global_, keywords, object_of, positional
from s2sad.ir.records import dataclass, field, replace
from s2sad.ir.types import Array, Numeric, Other, Regions, Type
from s2sad.operators import hooks
from s2sad.operators.binding import Bound, bind
from s2sad.operators.effects import effect
from s2sad.operators.guards import (
    CONTAINERS,
    GUARDS,
    Guard,
    holds_complex,
    is_factored,
    is_numeric,
    is_real,
    is_sparse,
    rank_of,
)
from s2sad.operators.heads import CALLED, head_of, head_of_function
from s2sad.operators.instances import is_made_by, is_object
from s2sad.operators.library import Candidate, candidates, is_spelled
from s2sad.operators.marks import is_stopped
from s2sad.operators.match import Match
from s2sad.operators.modules import is_hashable
from s2sad.operators.rule import CONSTANT, TWIN, Rule
from s2sad.operators.spelling import as_rules_spell, with_owner
from s2sad.operators.table import row_of
from s2sad.source.optional import imported, solver_name
from s2sad.source.owners import is_own, library_of
from s2sad.source.read import read

OPERATIONS = frozenset("call binary unary attribute subscript compare tuple list".split())


@dataclass(frozen=True, slots=True)
class Known:
    """What is known beside the types on the nodes: the program's regions."""

    regions: Regions = field(default_factory=dict)


NOTHING = Known()


def find(expr: Expr, known: Known = NOTHING) -> Match | None:
    """Return the rule of an operation, matched; None if it has none for these operands."""
    if expr.op not in OPERATIONS:
        return None
    made = expr.with_args(map(_with_made, expr.args))
    found = _found(made, known)
    if found is None:
        plain = as_rules_spell(made)
        found = None if plain == made else _found(plain, known)
    if found is None or found.expr is expr:
        return found
    return replace(found, expr=expr, pattern=None, form_made=found.form)


def _found(expr: Expr, known: Known) -> Match | None:
    if is_stopped(expr):
        return Match(operator_of(expr), STOP, {}, expr)
    measured = hooks.of_known_ranks(expr)
    if measured is not None:
        return measured
    for candidate in _fitting(expr):
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


def _fitting(expr: Expr) -> tuple[Candidate, ...]:
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


@cache
def _asked_to_hold_reals(rule: Rule) -> tuple[str, ...]:
    """Return the lists and tuples that an adjoint flows to, by a rule that holds for reals alone."""
    named = () if rule.holomorphic else rule.differentiable
    return tuple(n for n in named if not CONTAINERS.isdisjoint(rule.marks.get(n, ())))


def _is_guarded(rule: Rule, bound: Bound, known: Known) -> bool:
    for name, guards in _guards(rule).items():
        if name in bound and not all(guard(bound[name], known.regions) for guard in guards):
            return False
    for name, fits in _asked_to_be_numbers(rule).items():
        if name in bound and not fits(bound[name].type):
            return False
    for name in _asked_to_hold_reals(rule):
        if name in bound and holds_complex(bound[name].type, known.regions):
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
        for candidate in _twins(spelled):
            found = matched(candidate, spelled, known)
            if found is not None:
                return found
    return None


def has_twin(expr: Expr) -> bool:
    """Tell whether a printed function may give the same, though perhaps not of these operands."""
    return bool(_twins(expr) or _twins(as_rules_spell(expr)))


def _twins(expr: Expr) -> tuple[Candidate, ...]:
    return tuple(each for each in _fitting(expr) if each[0].family == TWIN)


def has_rule(expr: Expr) -> bool:
    """Tell whether there is a rule for an operation, though perhaps not for these operands."""
    return bool(_fitting(expr)) or hooks.is_known(expr)


# ---------------------------------------------------------------------------- sparse matrices

TRANSPOSE = global_("np.transpose", np.transpose)
# says that sparse matrices are lowered as their entries, those that are made by these functions
ENTRIES = "sparse matrices as their entries"
MAKERS = ("scipy.sparse._construct", "scipy.sparse.construct")
# they change how a matrix is held, and none of its entries
FORMATS = frozenset("tocsr tocsc tocoo copy".split())
TURNED = {"csr": "csc", "csc": "csr"}


def _with_made(operand: Expr) -> Expr:
    """Return an operand that is a sparse matrix as it is made; of a method its owner."""
    if isinstance(operand.type, Other) and is_sparse(operand.type.cls):
        return _made(operand) or operand
    return (
        operand.with_args(map(_with_made, operand.args)) if operand.op == "attribute" else operand
    )


def _made(expr: Expr) -> Expr | None:
    """Return the call of a class that makes a matrix; None where its entries are not seen."""
    if expr.op == "attribute" and expr.data == "T":
        inner = _made(expr.args[0])
        return None if inner is None else _transposed(inner)
    if expr.op != "call":
        return None
    function = expr.args[0]
    if function.op == "attribute":
        inner = _made(function.args[0]) if len(expr.args) == 1 else None
        if inner is None or function.data == "transpose":
            return None if inner is None else _transposed(inner)
        return inner if function.data in FORMATS else None
    cls = object_of(function)
    return expr if isinstance(cls, type) and is_sparse(cls) else None


def _transposed(made: Expr) -> Expr | None:
    """Return the transpose of a matrix as it is made; None where its shape is not seen."""
    shape = keywords(made).get("shape")
    if len(positional(made)) != 1 or keywords(made).keys() - {"shape"}:
        return None
    if shape is not None and (shape.op != "tuple" or len(shape.args) != 2):
        return None
    function, entries = made.args[:2]
    match entries.op, entries.args:
        case "tuple", (data, places) if places.op == "tuple":
            entries = entries.with_args((data, _reversed(places)))
        case "tuple", (_, _, _):
            cls = function.data.value
            name = cls.__name__.replace(cls.__name__[:3], TURNED[cls.__name__[:3]])
            function = global_(f"scipy.sparse.{name}", getattr(imported()["sparse"], name))
        case _ if isinstance(entries.type, Array):
            entries = call(TRANSPOSE, entries).typed(
                replace(entries.type, lengths=entries.type.lengths[::-1])
            )
        case _:
            return None
    shapes = () if shape is None else (_reversed(shape),)
    return replace(made, args=(function, entries, *shapes), type=_of_transpose(made, function))


def _reversed(pair: Expr) -> Expr:
    return pair.with_args(pair.args[::-1])


def _of_transpose(made: Expr, function: Expr) -> Other:
    assert isinstance(made.type, Other)
    held = made.type.made
    turned = replace(held, lengths=held.lengths[::-1]) if isinstance(held, Array) else None
    return Other(function.data.value, turned)


def unsupported(reason: str, expr: Expr | None, span: Span | None) -> NotYet:
    """Return what says that an operation is not supported, or that other lines may be lowered."""
    if expr is None:
        return NotYet(reason, span)
    return followed(NotYet(reason, expr.span or span), expr)


def followed(fault: NotYet, expr: Expr) -> NotYet:
    """Return a fault of an operation, or what says that other lines may be lowered for it."""
    key = key_of_twin(expr) if has_twin(expr) else _of_factors(expr) or _function_to_follow(expr)
    if expr.op == "call" and effect(expr).writes:
        key = None  # what fills in a result ends in compiled code, whose writes are not seen
    return fault if key is None else Unfollowed(fault, key)


def unless_read(fault: NotYet, value: Any) -> NotYet:
    """Return a fault of what a library defines, or what says that the library may be read for it."""
    if library_of(value) is None:
        return fault
    key: Any = value if is_hashable(value) else type(value)
    return Unfollowed(fault, key)


def refuse_unless_followed(error: S2sadError, expr: Expr) -> S2sadError:
    """Return what a user is told of an operation without a rule; Unfollowed where lines may do."""
    fault = followed(Refused(error), expr)
    if isinstance(fault, Unfollowed):
        raise fault
    return error


def key_of_twin(call: Expr) -> Hashable | None:
    """Return what tells apart a call that has a twin; None of one that nobody wrote."""
    is_call = call.op == "call" and call.span is not None
    return (head_of(with_owner(call)), call.span) if is_call else None


def is_ruled(key: Hashable) -> bool:
    """Tell whether what is followed under a key has a rule, too, perhaps for other operands."""
    if isinstance(key, tuple):
        return any(rule.family != TWIN for rule, _ in candidates(key[0]))
    return is_spelled(head_of_function(key))


def _of_factors(expr: Expr) -> Hashable | None:
    """Return what says that the factors of a sparse matrix, which varies, stand where they solve."""
    is_made = isinstance(expr.type, Other) and is_factored(expr.type.cls)
    return (("method", "solve"), expr.span) if is_made else None


def _function_to_follow(call: Expr) -> FunctionType | type | None:
    """Return the function of a library that a call calls, if its text can be lowered instead; a class.

    A class is followed by reading its library, and so is an object of the module by its class.
    """
    if call.op == "call" and call.args[0].op == "attribute":
        owner = type(object_of(call.args[0].args[0]))
        return None if library_of(owner) is None else owner
    function = called_object(call)
    function = getattr(function, "__func__", function)  # of a method
    if isinstance(function, type):
        return None if library_of(function) is None else function
    if not isinstance(function, FunctionType) or is_own(function) or find(call) is not None:
        return None
    if str(function.__module__).startswith(MAKERS):
        return None
    row = row_of(function)
    if solver_name(function) or (row is not None and not row.effect.is_pure):
        return None
    try:
        read(function)
    except S2sadError:
        return None
    return function
