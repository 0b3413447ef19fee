"""What the parts of the interpreter ask of each other: its open recursion.

An expression holds expressions, a call runs statements, a loop over an object of the user's calls
its methods: each part needs all others. So each asks the machine, and `lowering.lower` says which
function answers; what stands here is all that a part has to know of the others.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from s2sad.ir.expression import Expr
from s2sad.ir.records import dataclass
from s2sad.lowering.values import Data, Keywords, Origins, Value
from s2sad.lowering.ways import Body, Orelse, Way


@dataclass(frozen=True, slots=True)
class Parts:
    """The functions that answer; each is given the machine first."""

    evaluate: Callable[..., Value]
    evaluate_whole: Callable[..., Value]
    run: Callable[..., Way]
    call: Callable[..., Value]
    called: Callable[..., Value]
    call_method: Callable[..., Value]
    call_global: Callable[..., Data]
    lift: Callable[..., Value]
    to_data: Callable[..., Data]
    parts_of: Callable[..., list[Value]]
    item: Callable[..., Value]
    find: Callable[..., Value | None]
    attribute: Callable[..., Value]
    assign: Callable[..., None]
    loop: Callable[..., Way]
    listed: Callable[..., Data]
    at_once: Callable[..., Value]
    binary: Callable[..., Value]
    truth: Callable[..., Data]


class Interpreter:
    """The machine as its parts see it."""

    __slots__ = ()
    parts: Parts

    # ------------------------------------------------------------------------ syntax

    def evaluate(self, node: Any) -> Value:
        """Return what an expression evaluates to; what it does has happened."""
        return self.parts.evaluate(self, node)

    def evaluate_whole(self, node: Any) -> Value:
        """Return what an expression evaluates to; a call with an effect may be still to be made."""
        return self.parts.evaluate_whole(self, node)

    def run(self, statements: list[Any]) -> Way:
        """Run statements in order; return how they are left."""
        return self.parts.run(self, statements)

    def assign(self, target: Any, value: Value) -> None:
        """Assign one value to one target."""
        self.parts.assign(self, target, value)

    def loop(self, over: Value, target: Any, body: Body, site: Any, orelse: Orelse = None) -> Way:
        """Run a loop over a value; return its way out."""
        return self.parts.loop(self, over, target, body, site, orelse)

    # ------------------------------------------------------------------------ calls

    def call(self, function: Value, args: list[Value], kwargs: Keywords, node: Any) -> Value:
        """Call a value; what the call does may be still to be done."""
        return self.parts.call(self, function, args, kwargs, node)

    def called(self, function: Value, args: list[Value], kwargs: Keywords, node: Any) -> Value:
        """Call a value; what the call does has been done."""
        return self.parts.called(self, function, args, kwargs, node)

    def call_method(
        self, owner: Data, word: str, args: list[Value], kwargs: Keywords, node: Any
    ) -> Value:
        """Call a method of data."""
        return self.parts.call_method(self, owner, word, args, kwargs, node)

    def call_global(
        self, word: str, obj: Any, args: list[Value], kwargs: Keywords | None = None
    ) -> Data:
        """Call a function of a library, or one that is built in, by its name."""
        return self.parts.call_global(self, word, obj, args, kwargs)

    # ------------------------------------------------------------------------ values

    def lift(
        self, obj: Any, expr: Expr | None, wanted: str = "value", origins: Origins = frozenset()
    ) -> Value:
        """Return a Python object as a value; `expr` is how it is written."""
        return self.parts.lift(self, obj, expr, wanted, origins)

    def to_data(self, value: Value | None) -> Data:
        """Return a value as data that can be stored, returned or handed to a library."""
        return self.parts.to_data(self, value)

    def parts_of(self, value: Value) -> list[Value]:
        """Return the items of what has a known number of them."""
        return self.parts.parts_of(self, value)

    def item(self, owner: Value, place: Value, node: Any) -> Value:
        """Return owner[place]."""
        return self.parts.item(self, owner, place, node)

    def find(self, owner: Value, wanted: str, default: Any = None) -> Value | None:
        """Return an attribute of a value; None where it has none and that is asked."""
        return self.parts.find(self, owner, wanted, default)

    def attribute(self, owner: Value, wanted: str) -> Value:
        """Return an attribute of a value, which has to have it."""
        return self.parts.attribute(self, owner, wanted)

    def listed(self, value: Value) -> Data:
        """Return all items of an iterator as a list of the run."""
        return self.parts.listed(self, value)

    def at_once(self, value: Value) -> Value:
        """Return what is gone through here as one expression, if it can be one."""
        return self.parts.at_once(self, value)

    def binary(self, symbol: str, left: Value, right: Value, node: Any) -> Value:
        """Apply a binary operator, or the method that says what it means."""
        return self.parts.binary(self, symbol, left, right, node)

    def truth(self, value: Value) -> Data:
        """Return a value as a test; it is known where its truth is."""
        return self.parts.truth(self, value)
