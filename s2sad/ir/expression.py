"""Expressions: pure trees, as the user wrote them, with what is known of each node.

    c * u[1:]     binary "*" (name c, subscript (name u, slice (1, None, None)))

Two expressions are equal if they are written alike; types and places are not compared. An
expression has no effect: a call that has one is the whole right side of a `Let`.

op             args                                    data
-------------  --------------------------------------  -------------------------------------
constant                                               the value
name                                                   a Variable
global                                                 a Global: an object of a module
function                                               the name of a Function of the Program
unary          operand                                 "-", "+", "~", "not"
binary         left, right                             "+", "-", "*", "/", "//", "%", "**", "@", ...
compare        first, second, ...                      its symbols: ("<", "<=")
and, or        first, second, ...
conditional    test, value, otherwise
tuple, list,   items; one may be `starred`
set
dict           `item` (key, value)
starred        value                                   "*"
slice          lower, upper, step; constant None where left out
subscript      base, index
attribute      base                                    its name
call           function, positional..., keywords...    the names of the keywords
comprehension  element or `item`, `generator`...       "list", "set", "dict", "generator"
generator      domain, test...                         the Pattern that each item is bound to
record         values                                  Fields: class and names of the fields
formatted      `constant` texts and `field`s
field          value, or value and format              its conversion
copied         `name`s that it reads                   the text, names in braces
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable
from enum import Enum
from operator import is_
from typing import Any, TypeVar

import numpy as np

from s2sad.ir.errors import Span
from s2sad.ir.records import dataclass, field
from s2sad.ir.types import UNKNOWN, Array, Code, Number, Other, Reference, Sequence, Tuple, Type


class Role(Enum):
    """What a variable holds; the names of the text follow from it.

    A PLACE is a part of the user's memory that a store goes to, under a name of ours.
    """

    PRIMAL = "primal"
    TANGENT = "tangent"
    ADJOINT = "adjoint"
    SAVED = "saved"
    TERM = "term"
    PLACE = "place"


F = TypeVar("F")
_known: dict[tuple[str, int, int, int], Variable] = {}


@dataclass(frozen=True, slots=True, eq=False)
class Variable:
    """A name of the text. What it holds changes where it is assigned to, as in Python.

    `number` tells apart variables that want one name; `of` is the variable whose adjoint, tangent
    or saved values it holds.
    """

    name: str
    number: int = 0
    role: Role = Role.PRIMAL
    of: Variable | None = None

    def __new__(
        cls, name: str, number: int = 0, role: Role = Role.PRIMAL, of: Variable | None = None
    ) -> Variable:
        """Return the one object for a variable: equal ones are the same, which sets ask often."""
        return _known.setdefault((name, number, id(role), id(of)), object.__new__(cls))

    def __reduce__(self) -> tuple[Any, ...]:
        return Variable, (self.name, self.number, self.role, self.of)

    def __str__(self) -> str:
        return f"{self.name}_{self.number}" if self.number else self.name


# what a value is bound to: a variable, nested tuples of them, or nothing
Pattern = Variable | tuple[Any, ...] | None


@dataclass(frozen=True, slots=True, eq=False)
class Global:
    """An object of a module under the text that names it there: `np.sin`, `GRAVITY`.

    A function of NumPy or SciPy is the same under each name that it was imported by.
    """

    text: str
    value: Any

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Global) or self.value is not other.value:
            return False
        return self.text == other.text or bool(_name_in_libraries(self.value))

    def __hash__(self) -> int:
        return hash(_name_in_libraries(self.value) or self.text)


def _name_in_libraries(value: Any) -> str:
    """Return what a function of NumPy or SciPy is called there; "" for all else."""
    if isinstance(value, np.ufunc):
        return str(value.__name__)
    module = getattr(value, "__module__", None) if callable(value) else None
    is_library = isinstance(module, str) and module.partition(".")[0] in ("numpy", "scipy")
    named = getattr(value, "__name__", "") if is_library and not isinstance(value, type) else ""
    return named if isinstance(named, str) else ""


@dataclass(frozen=True, slots=True)
class Fields:
    """What a record is made as: an object of `cls` (None: a plain one) with these fields.

    Where it is given back to the user (`is_given`) it is an object of that class in the text, too.
    """

    cls: type | None
    names: tuple[str, ...]
    is_given: bool = False


@dataclass(frozen=True, slots=True)
class Known:
    """A value that is the same in every run."""

    value: Any


@dataclass(frozen=True, slots=True, eq=False)
class Expr:
    """A node of an expression; see the table of this module for its kinds."""

    op: str
    args: tuple[Expr, ...] = ()
    data: Any = None
    type: Type = UNKNOWN
    known: Known | None = None
    span: Span | None = None
    hashed: int = field(default=0, init=False, repr=False)
    facts: dict[str, Any] | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "hashed", hash((self.op, _key(self), self.args)))

    def __hash__(self) -> int:
        return self.hashed

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return (
            isinstance(other, Expr)
            and self.hashed == other.hashed
            and self.op == other.op
            and _key(self) == _key(other)
            and self.args == other.args
        )

    def with_args(self, args: Iterable[Expr]) -> Expr:
        """Return the node over other operands; the node itself if they are the same ones."""
        new = tuple(args)
        if len(new) == len(self.args) and all(map(is_, new, self.args)):
            return self
        return Expr(self.op, new, self.data, self.type, self.known, self.span)

    def at(self, span: Span | None) -> Expr:
        """Return the node at another place of the user's text."""
        return Expr(self.op, self.args, self.data, self.type, self.known, span)

    def fact(self, name: str, find: Callable[[Expr], F]) -> F:
        """Return what follows from the node alone, found once: what it reads, say."""
        facts = self.facts
        if facts is None:
            facts = {}
            object.__setattr__(self, "facts", facts)
        if name not in facts:
            facts[name] = find(self)
        found: F = facts[name]
        return found

    def typed(self, type_: Type, known: Known | None = None) -> Expr:
        """Return the node with another type."""
        if type_ is self.type and known is self.known:
            return self
        return Expr(self.op, self.args, self.data, type_, known, self.span)


def _key(expr: Expr) -> Any:
    if expr.op == "constant":  # 1, 1.0 and True differ, -0.0 and 0.0 as well, and nan is nan
        return type(expr.data).__name__, repr(expr.data)
    return expr.data


# ---------------------------------------------------------------------------- building


def constant(value: Any, type_: Type | None = None, span: Span | None = None) -> Expr:
    """Return a literal."""
    return Expr("constant", (), value, type_ or Other(type(value)), Known(value), span)


def name(variable: Variable, type_: Type = UNKNOWN, span: Span | None = None) -> Expr:
    """Return a variable that is read."""
    return Expr("name", (), variable, type_, None, span)


def global_(text: str, value: Any, span: Span | None = None) -> Expr:
    """Return an object of a module, known by the text that names it."""
    return Expr("global", (), Global(text, value), Code(value), Known(value), span)


def call(function: Expr, *args: Expr, type_: Type = UNKNOWN, **keywords: Expr) -> Expr:
    """Return a call."""
    return Expr("call", (function, *args, *keywords.values()), tuple(keywords), type_)


def subscript(base: Expr, index: Expr, type_: Type = UNKNOWN) -> Expr:
    """Return a part of a value."""
    return Expr("subscript", (base, index), None, type_)


# [:]
EVERYTHING = Expr("slice", (constant(None),) * 3, None, Other(slice))


def index_parts(index: Expr, rank: int | None = None) -> tuple[Expr, ...]:
    """Return what a subscript says of each axis: i and 1: of A[i, 1:].

    With the rank of A, dots are written out where each part takes one axis: i and : of A[i, ...].
    """
    parts = index.args if index.op == "tuple" else (index,)
    is_dots = [part.op == "constant" and part.data is Ellipsis for part in parts]
    if rank is None or not any(is_dots):
        return parts
    taken = sum(part.op != "constant" or part.data is not None for part in parts) - 1
    place = is_dots.index(True)
    return (*parts[:place], *(EVERYTHING,) * (rank - taken), *parts[place + 1 :])


def chooses(index: Expr) -> bool:
    """Tell whether a subscript of an array has positions or a mask, so that it gives a copy."""
    return any(map(is_positions, index_parts(index)))


def is_positions(part: Expr) -> bool:
    """Tell whether an entry of a subscript is positions or a mask."""
    return part.op == "list" or _are_positions(part.type)


def _are_positions(type_: Type) -> bool:
    if isinstance(type_, Tuple):
        return type_.cls is list or any(map(_are_positions, type_.items))
    is_sequence = isinstance(type_, Sequence) and type_.cls is not tuple
    return is_sequence or isinstance(type_, Array | Reference)


def object_of(expr: Expr) -> Any:
    """Return the object of a module that an expression names; None of all else."""
    return expr.data.value if expr.op == "global" else None


def called_object(expr: Expr) -> Any:
    """Return the object of a module that an expression calls; None of all else."""
    return object_of(expr.args[0]) if expr.op == "call" else None


def calls(expr: Expr, function: object) -> bool:
    """Tell whether an expression is a call of this object of a module."""
    return called_object(expr) is function


def attribute(base: Expr, named: str, type_: Type = UNKNOWN) -> Expr:
    """Return an attribute of a value."""
    return Expr("attribute", (base,), named, type_)


def copy_of(value: Expr) -> Expr:
    """Return a copy of an array or container: value.copy(); what has no axes may be a number."""
    if isinstance(value.type, Array) and value.type.rank == 0:
        return call(global_("np.copy", np.copy), value, type_=value.type)
    return call(attribute(value, "copy"), type_=value.type)


def copied(expr: Expr) -> Expr | None:
    """Return what is copied: u[1:] of u[1:].copy(); None of what is no call of that method."""
    match expr:
        case Expr("call", (Expr("attribute", (base,), "copy"),)):
            return base
    return None


def deep_copy_of(value: Expr) -> Expr:
    """Return a copy of a container with all that it holds: copy.deepcopy(value)."""
    return call(global_("copy.deepcopy", copy.deepcopy), value, type_=value.type)


def positional(expr: Expr) -> tuple[Expr, ...]:
    """Return the positional arguments of a call."""
    return expr.args[1 : len(expr.args) - len(expr.data)]


def keywords(expr: Expr) -> dict[str, Expr]:
    """Return the keyword arguments of a call by their names."""
    if not expr.data:
        return {}
    return dict(zip(expr.data, expr.args[-len(expr.data) :], strict=True))


def text_of_call(expr: Expr) -> str:
    """Return what is called where it is an object of a module, as it is written; "" of all else."""
    is_known = expr.op == "call" and expr.args[0].op == "global"
    return str(expr.args[0].data.text) if is_known else ""


def called(expr: Expr) -> str:
    """Return the last word of the name of the function or method that a call calls."""
    function = expr.args[0]
    if function.op == "global":
        return str(function.data.text.rpartition(".")[2])
    return str(function.data) if function.op == "attribute" else ""


OPPOSITE = {"==": "!=", "!=": "==", "is": "is not", "is not": "is", "in": "not in", "not in": "in"}
OPPOSITE_ORDER = {"<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def negated(test: Expr) -> Expr:
    """Return the opposite of a test; of an order only where no operand may be nan."""
    if test.op == "unary" and test.data == "not":
        return test.args[0]
    if test.op == "compare" and len(test.data) == 1:
        symbol = test.data[0]
        is_total = all(isinstance(a.type, Number) and a.type.dtype[0] in "iu" for a in test.args)
        opposite = OPPOSITE.get(symbol) or (OPPOSITE_ORDER[symbol] if is_total else None)
        if opposite is not None:
            return Expr("compare", test.args, (opposite,), test.type)
    return Expr("unary", (test,), "not", Number("bool"))


def is_own_call(expr: Expr) -> bool:
    """Tell whether an expression is a call of a function of the program."""
    return expr.op == "call" and expr.args[0].op == "function"


def is_of_libraries(function: Expr) -> bool:
    """Tell whether a function is one of NumPy's or SciPy's, under whichever name."""
    if function.op != "global":
        return False
    is_spelled = function.data.text.startswith(("np.", "scipy."))
    return is_spelled or bool(_name_in_libraries(function.data.value))


def root_of(expr: Expr) -> Variable | None:
    """Return the variable that a part is a part of."""
    while expr.op in ("subscript", "attribute"):
        expr = expr.args[0]
    return expr.data if expr.op == "name" else None
