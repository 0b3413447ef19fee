"""The one representation of primal and derivative: structured, immutable, every value numbered.

    x = np.sin(x)          Assign((x@1,), Call(np.sin, (x@0,)))
    u[0] += x              Update(u@1, u@0, index=0, op="+", value=x@1)
    if c: y = x            If(c, then, orelse, merges=(Merge(y@3, y@2, y@1),))

A value (`Var`) is a slot and a version. A slot is a place that holds one value at a time and
becomes one name in the emitted text: the user's own name (`x`), a temporary (`x%3`, the third
one, called after the x it helps to compute), a field of a record (`state_u$2`), its adjoint
(`x~bar`) or tangent (`x~dot`).
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

from s2sad.ir.errors import Span


class Node:
    """What consists of parts. It never changes: what was asked of it once, it knows (`once`)."""

    __slots__ = ("kept_pure", "kept_reads", "kept_value_reads")


Asked = TypeVar("Asked")
Answer = TypeVar("Answer")


def once(slot: str) -> Callable[[Callable[[Asked], Answer]], Callable[[Asked], Answer]]:
    """Let each node remember, in `slot`, what a function that is asked of it gave."""
    get, put = getattr(Node, slot).__get__, getattr(Node, slot).__set__

    def remembered(compute: Callable[[Asked], Answer]) -> Callable[[Asked], Answer]:
        @functools.wraps(compute)
        def asked(node: Asked) -> Answer:
            try:
                return get(node)  # type: ignore[no-any-return]
            except AttributeError:
                found = compute(node)
                put(node, found)
                return found

        return asked

    return remembered


# ---------------------------------------------------------------------------- expressions


@dataclass(frozen=True, slots=True)
class Const:
    """A literal of the text; compared with its type, so that 1, 1.0 and True differ."""

    value: Any

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Const) and _literal_key(self.value) == _literal_key(other.value)

    def __hash__(self) -> int:
        return hash(_literal_key(self.value))


def _literal_key(value: Any) -> tuple[str, str]:
    # repr tells -0.0 from 0.0 and makes nan equal to itself
    return type(value).__name__, repr(value)


class Var(NamedTuple):
    """One value: version `version` of what `slot` holds."""

    # a tuple, as values are the keys of every table: its hash is computed in C

    slot: str
    version: int


@dataclass(frozen=True, slots=True)
class Ref:
    """A global object of the user's module (or NumPy's) under the text that names it there."""

    text: str
    value: Any

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ref) and self.text == other.text and self.value is other.value

    def __hash__(self) -> int:
        return hash(self.text)


@dataclass(frozen=True, slots=True)
class Op(Node):
    """An operator or display.

    `op` is a binary or unary operator ("+", "u-", "not"), a comparison chain ("<", "< <="),
    "and"/"or", "if" (test, then, else), "index" (base, key), "slice" (lower, upper, step, each
    Const(None) when left out), "tuple", "list", or "star". A two-word comparison has an
    underscore: "is_not". "path" is a key: that of an item of an item of a list, `rows[i][j]`.
    """

    op: str
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Attr(Node):
    """`value.name`."""

    value: Expr
    name: str


@dataclass(frozen=True, slots=True)
class Call(Node):
    """`func(*args, **keywords)`."""

    func: Expr
    args: tuple[Expr, ...] = ()
    keywords: tuple[tuple[str, Expr], ...] = ()


@dataclass(frozen=True, slots=True)
class Opaque(Node):
    """Syntax that is copied as it stands; `reads` tells which names in it are values.

    `writes` (of a statement) lists the names it assigns, with the values they then hold;
    `place` is where it stands.
    """

    node: Any
    reads: tuple[tuple[str, Var], ...] = ()
    writes: tuple[tuple[str, Var], ...] = ()
    globals: tuple[Ref, ...] = ()
    place: Span | None = None


Expr = Const | Var | Ref | Op | Attr | Call | Opaque

NONE = Const(None)

# ---------------------------------------------------------------------------- statements


@dataclass(frozen=True, slots=True)
class Assign(Node):
    """`a = value`, or `a, b = value` where `unpack` is set.

    An `echo` says under another name what was written to the memory that both share; it is
    `silent` where that memory holds it already, and then not part of the text.
    """

    targets: tuple[Var, ...]
    value: Expr
    span: Span
    unpack: bool = False
    echo: bool = False
    silent: bool = False

    @property
    def target(self) -> Var:
        """Return the only target."""
        return self.targets[0]


@dataclass(frozen=True, slots=True)
class Update(Node):
    """A write in place: `new` is `old` after `old[index] op= value`.

    `op` is "=" or a binary operator; an `index` of None is `old op= value` on the whole, which
    rebinds a scalar and writes an array. "append" adds `value` to the list `old`, "insert" puts
    it before the item at `index`.
    An `echo` is as that of an Assign: it writes what `value`, a part of `old`, holds.
    """

    new: Var
    old: Var
    index: Expr | None
    op: str
    value: Expr
    span: Span
    echo: bool = False
    silent: bool = False


@dataclass(frozen=True, slots=True)
class Pop(Node):
    """`target = old.pop(index)`; `new` is the list that is left. None takes the last item."""

    target: Var
    new: Var
    old: Var
    span: Span
    index: Expr | None = None


@dataclass(frozen=True, slots=True)
class Effect(Node):
    """A statement that only acts: print, assert, or copied syntax (an `Opaque`)."""

    value: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Merge:
    """After a branch, `out` is `then` or `orelse`; None where that branch left it unbound."""

    out: Var
    then: Var | None
    orelse: Var | None


@dataclass(frozen=True, slots=True)
class If(Node):
    """A branch. `key` ties a branch of the reverse sweep to the primal one it mirrors."""

    test: Expr
    then: Block
    orelse: Block
    merges: tuple[Merge, ...]
    span: Span
    key: int = 0


@dataclass(frozen=True, slots=True)
class Carried:
    """A value that a loop hands from pass to pass.

    `head` at the start of a pass is `init` (None: unbound before the loop) or the last pass's
    `end`; `exit` is what is left after the loop: the last `end`, or `init` after no pass.
    """

    head: Var
    init: Var | None
    end: Var
    exit: Var


@dataclass(frozen=True, slots=True)
class Loop(Node):
    """`for targets in iterable` or, where `iterable` is None, `while test`.

    `targets` is a Var or a nested tuple of them. `breaks` says that a Break may end the loop.
    `key` ties a loop of the reverse sweep to the primal one whose passes it runs backwards.
    """

    targets: Any
    iterable: Expr | None
    test: Expr | None
    carried: tuple[Carried, ...]
    body: Block
    breaks: bool
    span: Span
    key: int = 0


@dataclass(frozen=True, slots=True)
class Break:
    """Leaves the innermost loop; always last on its path through the body."""

    span: Span


@dataclass(frozen=True, slots=True)
class Save(Node):
    """Puts `value` on the list `store`, for the reverse sweep; only in derivatives."""

    store: str
    value: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Restore:
    """Takes `target` back from the list `store`, last saved first; only in derivatives."""

    target: Var
    store: str
    span: Span


@dataclass(frozen=True, slots=True)
class NewStore:
    """Starts the empty list `store`; where it is `packed`, by that call. Only in derivatives."""

    store: str
    span: Span
    packed: str = ""


Stmt = Assign | Update | Pop | Effect | If | Loop | Break | Save | Restore | NewStore
Block = tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class Param:
    """A parameter: `kind` is inspect's ("positional", "keyword", ...) and `default` its text.

    One that is `owned` is the function's to write to: nobody else reads it afterwards.
    """

    var: Var
    kind: str = "either"
    default: Expr | None = None
    owned: bool = False


@dataclass(frozen=True, slots=True)
class Program:
    """A function: parameters, statements, and the expression it returns.

    `asked` are questions (`links.Asked`) whose answers would make it more exact. `layout` tells of
    what dict or object the results are the parts (`layout.Layout`), None where they are no parts.
    """

    name: str
    params: tuple[Param, ...]
    body: Block
    result: Expr
    span: Span
    doc: str = ""
    asked: tuple[Any, ...] = ()
    layout: Any = None


# ---------------------------------------------------------------------------- slots


def base(slot: str) -> str:
    """Return the user's name that a slot is called after: 'x' of 'x', 'x%3' and 'x~bar'."""
    return slot.split("~")[0].split("%")[0].split("&")[0].split("$")[0]


def is_temp(slot: str) -> bool:
    """Tell whether a slot is a temporary (or belongs to one), not a name of the user's."""
    return "%" in slot


def bar(slot: str) -> str:
    """Return the slot of the adjoint of what `slot` holds."""
    return slot + "~bar"


def dot(slot: str) -> str:
    """Return the slot of the tangent of what `slot` holds."""
    return slot + "~dot"
