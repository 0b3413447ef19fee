"""A Program: functions made of plain statements, with what is known of them.

    def step(u, c):                  Function("step", (u, c), body, ...)
        flux = c * u[1:]                 Let(flux, c * u[1:])
        u[:-1] += flux                   Store(u[:-1], "+", flux)
        return np.sum(u)                 Return(np.sum(u))

It has the loops, branches and exits of Python, and nothing of its classes, closures, generators
or properties: those have been evaluated. Nothing in it ever changes; a stage makes a new one.
Variables are assigned to as in Python. Every statement knows the place that caused it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from s2sad.ir.errors import NotYet, Span
from s2sad.ir.expression import Expr, Pattern, Variable
from s2sad.ir.records import dataclass, field, replace
from s2sad.ir.types import UNKNOWN, Regions, Type

# ---------------------------------------------------------------------------- effects


@dataclass(frozen=True, slots=True)
class Effect:
    """What a call does beside giving a value.

    `writes` are the positions of the arguments that it writes in place, `shallow` are those among
    them whose items are left as they are. `writes_owner` tells that a method writes to the array or
    list that it is of; `writes_all`: everything that it can reach.
    `order` is kept among calls that draw, print or raise.
    """

    writes: frozenset[int] = frozenset()
    writes_all: bool = False
    draws: bool = False
    prints: bool = False
    raises: bool = False
    writes_owner: bool = False
    shallow: frozenset[int] = field(default=frozenset(), compare=False)

    @property
    def is_pure(self) -> bool:
        """Tell whether nobody sees that the call was made."""
        return self is PURE or self == PURE

    @property
    def writes_anything(self) -> bool:
        """Tell whether something may be written in place."""
        return bool(self.writes or self.writes_owner or self.writes_all)

    def joined(self, other: Effect) -> Effect:
        """Return what is done where either is done."""
        return Effect(
            self.writes | other.writes,
            self.writes_all or other.writes_all,
            self.draws or other.draws,
            self.prints or other.prints,
            self.raises or other.raises,
            self.writes_owner or other.writes_owner,
        )


PURE = Effect()
ANYTHING = Effect(frozenset(), True, True, True, True)


@dataclass(frozen=True, slots=True)
class Summary:
    """What a call of a function does to what it is handed.

    `writes` are the parameters whose memory (or what they refer to) is written, `returns` those
    that the result may be, or be part of.
    """

    writes: frozenset[Variable] = frozenset()
    returns: frozenset[Variable] = frozenset()
    effect: Effect = PURE


# ---------------------------------------------------------------------------- statements


@dataclass(frozen=True, slots=True)
class Let:
    """`target = value`. With no target only the effect of the call counts.

    `spelled` is how the text says it: "=", or the operator of `x += e` on a number (`value` is
    then x + e all the same).
    """

    target: Pattern
    value: Expr
    span: Span | None = None
    effect: Effect = PURE
    spelled: str = "="


@dataclass(frozen=True, slots=True)
class Store:
    """`target op= value` in place: `target` is a subscript, an attribute, or the name of an array.

    `op` is "=" or a binary operator. A name of what may be a number is rebound, as in Python.
    """

    target: Expr
    op: str
    value: Expr
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class RegionOp:
    """`target = base.method(args)` of a list, dict or set that changes it: append, pop, update."""

    target: Pattern
    base: Expr
    method: str
    args: tuple[Expr, ...] = ()
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class If:
    """A branch."""

    test: Expr
    body: Block
    orelse: Block = ()
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class For:
    """A loop over a domain: a range, an array, a list; zip, enumerate and reversed of them."""

    target: Pattern
    domain: Expr
    body: Block
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class While:
    """A loop while a test holds; the test is pure."""

    test: Expr
    body: Block
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Handler:
    """`except kinds as target:`; without `kinds` it takes everything."""

    kinds: Expr | None
    target: Variable | None
    body: Block


@dataclass(frozen=True, slots=True)
class Try:
    """A `try`. `finally` and `else` have been lowered."""

    body: Block
    handlers: tuple[Handler, ...]
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class With:
    """A block under a context that changes no value: np.errstate, warnings.catch_warnings."""

    context: Expr
    body: Block
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Break:
    """Leaves the innermost loop."""

    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Continue:
    """Ends a pass of the innermost loop."""

    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Return:
    """Leaves the function with a value."""

    value: Expr
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Raise:
    """Raises an exception, from another that is its `cause` where one is named."""

    value: Expr | None
    span: Span | None = None
    cause: Expr | None = None


@dataclass(frozen=True, slots=True)
class Copied:
    """A statement that could not be lowered and computes nothing that varies: the user's own text.

    `text` names the variables that it reads and writes in braces, by position: reads, then
    writes. `fault` is the refusal if one of its writes turns out to be active.
    """

    text: str
    reads: tuple[Expr, ...]
    writes: tuple[Variable, ...]
    fault: NotYet
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Save:
    """Puts a value on a stack, for the reverse sweep. Only derivatives have it."""

    stack: Variable
    value: Expr
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Restore:
    """Takes the value that was saved last from a stack. Only derivatives have it.

    `target` is a Variable, variables if several were saved as one value, or the subscript whose
    elements are put back.
    """

    target: Variable | tuple[Variable, ...] | Expr
    stack: Variable
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Note:
    """A line of comment of the text: the head of a sweep."""

    text: str
    span: Span | None = None


# stands where the reverse sweep of a derivative begins
REVERSE_SWEEP = Note("reverse sweep")

Statement = (
    Let
    | Store
    | RegionOp
    | If
    | For
    | While
    | Try
    | With
    | Break
    | Continue
    | Return
    | Raise
    | Copied
    | Save
    | Restore
    | Note
)
Block = tuple[Statement, ...]


def sweeps(body: Block) -> tuple[Block, Block]:
    """Split a body where the reverse sweep begins."""
    for place, statement in enumerate(body):
        if statement == REVERSE_SWEEP:
            return body[:place], body[place + 1 :]
    return body, ()


# ---------------------------------------------------------------------------- functions


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a function: each call hands one argument to each, in their order."""

    variable: Variable
    type: Type = UNKNOWN


@dataclass(frozen=True, slots=True)
class Custom:
    """The functions of the program that are called in place of the derivative of another.

    `reverse(*args, y, y_bar)` gives an adjoint for each of `count` arguments as the user counts
    them, `forward(*args, y, *tangents)` the tangent of y; "" where there is none. `places` are those
    arguments that the function has parameters for: what is known while lowering is handed to none.

    Of what a solver finds, the derivatives are `handed` some of the arguments, and adjoints and
    tangents are those of the arguments that are `varying` alone. Derivatives that are `asked` for by
    this key are made once they are needed, by those of the arguments that `may_vary` which were asked
    for; they take the result, if they say so. Some hold for what is read `at_ends` alone. The results of a gradient are
    `disjoint`: each is memory of its own.
    """

    reverse: str
    forward: str
    places: tuple[int, ...]
    count: int
    adjoints: Type = UNKNOWN
    tangent: Type = UNKNOWN
    handed: tuple[int, ...] | None = None
    varying: tuple[int, ...] | None = None
    may_vary: tuple[int, ...] | None = None
    asked: Any = None
    takes_result: bool = True
    at_ends: bool = False
    disjoint: bool = False


@dataclass(frozen=True, slots=True)
class Inner:
    """Says that a function is the gradient of another one, which the rooms behind make.

    `kind` is "gradient", or "reverse" and "forward" for what stands for the derivative of that. Of
    kind "tangent" it is the tangent of the other one, of "both" that with its value, of "pulled" what
    pulls a seed back.
    """

    kind: str
    of: str
    wrt: tuple[str, ...]
    single: bool


@dataclass(frozen=True, slots=True)
class Function:
    """A function; it returns on every way, or falls off its end with None.

    `decorator` is a line of the text above it.
    """

    name: str
    parameters: tuple[Parameter, ...]
    body: Block
    span: Span | None = None
    doc: str = ""
    summary: Summary | None = None
    custom: Custom | None = None
    inner: Inner | None = None
    decorator: str = ""


@dataclass(frozen=True, slots=True)
class Check:
    """What is assumed of the arguments: the text asks it at its entry, and raises if it fails."""

    test: Expr
    message: str
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Program:
    """The functions of a text, the one that is called first, and what is known of their memory.

    `regions` are the lists, dicts and objects by the site that makes them. `symbols` tells which
    axes of the arguments a symbol of a Length is the length of: {"n": (("u", 0), ("v", 0))}.
    """

    functions: Mapping[str, Function]
    entry: str
    regions: Regions = field(default_factory=dict)
    checks: tuple[Check, ...] = ()
    symbols: Mapping[str, tuple[tuple[str, int], ...]] = field(default_factory=dict)
    facts: Mapping[str, Any] = field(default_factory=dict)

    @property
    def function(self) -> Function:
        """Return the function that is called first."""
        return self.functions[self.entry]

    @property
    def body(self) -> Block:
        """Return the statements of all functions, one function after the other."""
        return tuple(s for function in self.functions.values() for s in function.body)

    def with_first(self, function: Function) -> Program:
        """Return the program with another function in the place of that one."""
        return replace(self, functions={**self.functions, self.entry: function})

    def mapped(self, change: Callable[[Function], Function]) -> Program:
        """Return the program with each of its functions changed."""
        return replace(self, functions={n: change(f) for n, f in self.functions.items()})
