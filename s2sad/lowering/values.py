"""What an expression evaluates to: data that the program computes, or code that is known.

u[i] * 2        Data(subscript(u, i) * 2)
np.sin          Code(np.sin)
(np.sin, u)     Tup((Code(np.sin), Data(u)))
def step(v):    Closure(its tree, the frame that it was made in)
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from s2sad.ir.errors import NotYet, Refused, S2sadError, Span, UnknownFunction
from s2sad.ir.expression import Expr, Known, Pattern, Variable, constant, global_
from s2sad.ir.program import Statement
from s2sad.ir.records import dataclass, field, replace
from s2sad.ir.remedies import unfit
from s2sad.ir.types import Number, Other, Tuple, Type
from s2sad.types.reading import is_option_of_arguments

# what lowering begins again with: ("unroll", loop), ("known", argument), ("structure", site) ...
Choice = tuple[Any, ...]
Origins = frozenset[Choice]
NONE = Other(type(None))
BOOL = Number("bool")
INTEGER = Number("int64")
TEXT = Other(str)
BY_PLACE = "by place"  # the choice that a list has a slot for each item


class Demand(Exception):
    """Begin again with one choice more."""

    def __init__(self, choice: Choice):
        self.choice = choice
        super().__init__(choice)


class Again(Exception):
    """Begin again: more is known of the memory than when it was read."""


class Fails(Refused):
    """Python itself would raise here: on one side of a test, the program raises.

    `raised` is the class of what it raises, where that is known.
    """

    def __init__(
        self,
        reason: str,
        span: Span | None,
        error: S2sadError | None = None,
        raised: type[BaseException] | None = None,
    ):
        super().__init__(error or unfit(reason, span))
        self.reason, self.raised = reason, raised


class Unjoinable(Exception):
    """Two values of one name that no single value can stand for.

    `key` and `test` tell which conditional expression chose between them.
    """

    def __init__(
        self, reason: str, key: Any = None, test: Expr | None = None, are_code: bool = False
    ):
        self.reason, self.key, self.test, self.are_code = reason, key, test, are_code
        super().__init__(reason)

    def refusal(self, span: Span | None) -> NotYet:
        """Return the refusal of what is one value or another."""
        if not self.are_code:
            return NotYet(self.reason, span)
        problem = "which function is called here is not known when the derivative is made"
        hint = "Choose between functions with an `if` around their calls."
        return UnknownFunction.refused(problem, span, hint)


def managed() -> None:
    """Stand for a call of a context manager that is a generator."""


def made_again() -> None:
    """Stand for a call of an object that is kept as what it is made of."""


# ---------------------------------------------------------------------------- kinds of values


@dataclass(eq=False, frozen=True, slots=True)
class Data:
    """A value of the run: the expression that computes it.

    `origins` are the choices that would make it known. `pending` makes the statement that has to
    compute it, where that is more than its expression: a call with an effect. `later` makes what
    stands for it where it is kept: of what is computed as it is gone through.
    """

    expr: Expr
    origins: Origins = frozenset()
    pending: Callable[[Pattern], Statement] | None = None
    later: Callable[[], Lazy] | None = None

    @property
    def type(self) -> Type:
        """Return what is known of it."""
        return self.expr.type

    @property
    def known(self) -> Known | None:
        """Return its value where that is the same in every run."""
        return Known(None) if self.expr.known is None and self.type == NONE else self.expr.known


@dataclass(eq=False, frozen=True, slots=True)
class Fixed(Data):
    """A value that is known, and written out in functions that are handed it."""


@dataclass(eq=False, frozen=True, slots=True)
class Tup:
    """A tuple (or named tuple) of which some part is code or known."""

    parts: tuple[Value, ...]
    cls: type = tuple


@dataclass(eq=False, frozen=True, slots=True)
class Variables(Tup):
    """A tuple of variables, which functions of the program take under their own names."""


@dataclass(eq=False, frozen=True, slots=True)
class Packed(Tup):
    """A list, or a dict under keys, that a function of the program is handed as what it holds."""

    keys: tuple[Any, ...] = ()


@dataclass(eq=False, frozen=True, slots=True)
class Code:
    """A Python object that is no data: a module, class, builtin, library function."""

    obj: Any
    expr: Expr | None = None


@dataclass(eq=False, frozen=True, slots=True)
class Closure:
    """A function of the user's: its tree, the frame that it was made in, its defaults.

    `remembers`: it is called once for each set of arguments, as functools.cache does.
    """

    node: Any
    frame: int | None
    module: Mapping[str, Any]
    name: str
    path: str
    defaults: tuple[Value, ...] = ()
    kwdefaults: Mapping[str, Value] = field(default_factory=dict)
    cells: Mapping[str, Any] = field(default_factory=dict)
    owner: type | None = None
    original: Any = None
    remembers: bool = False


@dataclass(eq=False, frozen=True, slots=True)
class Bound:
    """A function with its first argument."""

    func: Value
    owner: Value


@dataclass(eq=False, frozen=True, slots=True)
class Method:
    """A method of data whose class is not the user's: `xs.append`."""

    owner: Data
    name: str


@dataclass(eq=False, frozen=True, slots=True)
class Partial:
    """functools.partial of a function."""

    func: Value
    args: tuple[Value, ...]
    kwargs: Mapping[str, Value]


@dataclass(eq=False, frozen=True, slots=True)
class Lazy:
    """An iterator over what is not all data: a call of a generator, zip of lists of functions.

    `cell` is the cell that says whether it has been gone through; what can be gone through twice
    has none.
    """

    kind: str
    parts: tuple[Any, ...]
    extra: Any = None
    cell: int | None = None


@dataclass(eq=False, frozen=True, slots=True)
class Fields:
    """The __dict__ of a structure."""

    id: int


@dataclass(eq=False, frozen=True, slots=True)
class Ref:
    """A cell of the heap: a structure whose parts are values, with an identity."""

    id: int


SEVERAL = "several"  # the kind of what differs from way to way: nothing can be done with it
LISTED = "listed"  # the first word for the memory of a list that holds what an iterator gives


def kept(value: Value) -> Value:
    """Return a value as it is kept under a name: what is computed as it is gone through is a Lazy."""
    if isinstance(value, Data) and value.later is not None:
        return value.later()
    return value


def is_made_inside(value: Any) -> bool:
    """Tell whether a value is a function made inside another one: it reads what is around it."""
    return isinstance(value, Closure) and value.frame is not None


def is_late(value: Value) -> bool:
    """Tell whether a value, or a part of it, is computed as it is gone through."""
    if isinstance(value, Tup):
        return any(map(is_late, value.parts))
    return isinstance(value, Lazy) or (isinstance(value, Data) and value.later is not None)


def is_several(value: Any) -> bool:
    """Tell whether a value is one of several that no single value stands for."""
    return isinstance(value, Lazy) and value.kind == SEVERAL


Value = Data | Tup | Code | Closure | Bound | Method | Partial | Lazy | Fields | Ref
Keywords = Mapping[str, Value]


def held_in(value: Any) -> list[Value]:
    """Return the values that a value is made of: parts, defaults, arguments, the owner."""
    match value:
        case Tup():
            return list(value.parts)
        case Closure():
            return [*value.defaults, *value.kwdefaults.values()]
        case Partial():
            return [*value.args, *value.kwargs.values(), value.func]
        case Bound():
            return [value.owner, value.func]
        case Method():
            return [value.owner]
        case Lazy():
            return [part for part in value.parts if isinstance(part, Value)]
    return []


def holding(value: Value, held: list[Any]) -> Value:
    """Return a value that is made of others, as many as `held_in` gives."""
    match value:
        case Tup():
            return replace(value, parts=tuple(held))
        case Closure():
            count = len(value.defaults)
            keywords = dict(zip(value.kwdefaults, held[count:], strict=True))
            return replace(value, defaults=tuple(held[:count]), kwdefaults=keywords)
        case Partial():
            count = len(value.args)
            kwargs = dict(zip(value.kwargs, held[count:-1], strict=True))
            return Partial(held[-1], tuple(held[:count]), kwargs)
        case Bound():
            return Bound(held[1], held[0])
        case Method():
            return replace(value, owner=held[0])
        case Lazy():
            rest = iter(held)
            parts = (next(rest) if isinstance(part, Value) else part for part in value.parts)
            return replace(value, parts=tuple(parts))
    return value


@dataclass(eq=False, slots=True)
class Cell:
    """A frame, object, list or dict that is known while lowering.

    `names` are the variables that its slots were put under. A frame of a library's function tells by
    which call of the user's it was `entered`.
    """

    kind: str
    slots: dict[Any, Value]
    cls: Any = None
    site: Any = None
    parent: int | None = None
    closure: Closure | None = None
    names: dict[Any, Variable] = field(default_factory=dict)
    word: str = ""
    entered: Span | None = None

    def copy(self) -> Cell:
        """Return a cell whose slots can be changed apart."""
        return replace(self, slots=dict(self.slots))


@dataclass(eq=False, slots=True)
class Box:
    """Holds a value as an attribute of a class that is made while lowering."""

    value: Value


# ---------------------------------------------------------------------------- building, asking


def literal(value: Any, span: Span | None = None) -> Data:
    """Return a number, text, None or the like that is written out."""
    expr = constant(value, type_of_literal(value), span)
    if isinstance(value, np.dtype):  # repr(value) names nothing that a text has
        named = global_(f"np.{value.name}", value.type, span)
        expr = replace(named, type=expr.type, known=expr.known)
    if isinstance(value, enum.Enum):
        named = global_(f"{type(value).__name__}.{value.name}", value, span)
        if isinstance(value, int | float | str):  # a member of an IntEnum is computed with
            named = constant(value.value, type_of_literal(value.value), span)
        expr = replace(named, type=type_of_literal(value), known=Known(value))
    return Data(expr)


def option_at(type_: Type, place: Any) -> Data | None:
    """Return the flag, text or the like that examples show at a place of a tuple; None for others."""
    if not isinstance(type_, Tuple) or not isinstance(place, int):
        return None
    options = dict(type_.options)
    place = place + len(type_.items) if place < 0 else place
    return literal(options[place]) if place in options else None


def type_of_literal(value: Any) -> Type:
    """Return the type of a literal."""
    match value:
        case bool():
            return BOOL
        case int():
            return INTEGER
        case float():
            return Number("float64")
        case complex():
            return Number("complex128")
        case tuple():
            return Tuple(tuple(map(type_of_literal, value)))
    return Other(type(value))


def is_atomic(expr: Expr) -> bool:
    """Tell whether an expression is a name or a literal."""
    return expr.op in ("name", "constant", "global", "function")


def is_none(value: Value) -> bool:
    """Tell whether a value is None in every run."""
    return isinstance(value, Data) and value.known is not None and value.known.value is None


def written_out(key: Data) -> Data:
    """Return a key that is known as a literal."""
    is_plain = key.known is not None and isinstance(key.known.value, str | int)
    return literal(key.known.value, key.expr.span) if key.known and is_plain else key


def is_option(value: Any) -> bool:
    """Tell whether programs choose ways by a value: a flag, a text, None, a dtype, a member of an Enum."""
    return is_option_of_arguments(value) or isinstance(value, type(...) | np.dtype)


def all_data(values: Iterable[Value]) -> bool:
    """Tell whether all are data."""
    return all(isinstance(value, Data) for value in values)


def origins_of(values: Iterable[Value]) -> Origins:
    """Return the choices that would make one of some values known."""
    found: Origins = frozenset()
    for value in values:
        if isinstance(value, Data):
            found |= value.origins
    return found


def word_of(value: Value) -> str:
    """Return what a value is called in a message."""
    return WORDS.get(type(value), "a value")


WORDS = {
    Tup: "a tuple",
    Code: "a function or class",
    Closure: "a function",
    Bound: "a method",
    Method: "a method",
    Partial: "a partial function",
    Lazy: "an iterator",
    Ref: "an object",
}
