"""What the parts of the interpreter ask of each other: its open recursion.

An expression holds expressions, a call runs statements, a loop over an object of the user's calls
its methods: each part needs all others. So each asks the machine, whose methods `lowering.lower`
puts together; what stands here is all that a part has to know of the others.
"""

from __future__ import annotations

from typing import Any, Protocol

from s2sad.ir.expression import Expr
from s2sad.lowering.values import Data, Keywords, Value
from s2sad.lowering.ways import Body, Orelse, Way


class Interpreter(Protocol):
    """The machine as its parts see it."""

    __slots__ = ()

    # ------------------------------------------------------------------------ syntax

    def evaluate(self, node: Any) -> Value:
        """Return what an expression evaluates to; what it does has happened."""

    def evaluate_whole(self, node: Any) -> Value:
        """Return what an expression evaluates to; a call with an effect may be still to be made."""

    def run(self, statements: list[Any], is_whole: bool = False) -> Way:
        """Run statements in order; return how they are left."""

    def assign(self, target: Any, value: Value) -> None:
        """Assign one value to one target."""

    def loop(self, over: Value, target: Any, body: Body, site: Any, orelse: Orelse = None) -> Way:
        """Run a loop over a value; return its way out."""

    # ------------------------------------------------------------------------ calls

    def call(self, function: Value, args: list[Value], kwargs: Keywords, node: Any) -> Value:
        """Call a value; what the call does may be still to be done."""

    def called(self, function: Value, args: list[Value], kwargs: Keywords, node: Any) -> Value:
        """Call a value; what the call does has been done."""

    def call_method(
        self, owner: Data, word: str, args: list[Value], kwargs: Keywords, node: Any
    ) -> Value:
        """Call a method of data."""

    def call_global(
        self, word: str, obj: Any, args: list[Value], kwargs: Keywords | None = None
    ) -> Data:
        """Call a function of a library, or one that is built in, by its name."""

    # ------------------------------------------------------------------------ values

    def lift(self, obj: Any, expr: Expr | None, wanted: str = "value") -> Value:
        """Return a Python object as a value; `expr` is how it is written."""

    def to_data(self, value: Value | None) -> Data:
        """Return a value as data that can be stored, returned or handed to a library."""

    def parts_of(self, value: Value) -> list[Value]:
        """Return the items of what has a known number of them."""

    def item(self, owner: Value, place: Value, node: Any) -> Value:
        """Return owner[place]."""

    def find(self, owner: Value, wanted: str, default: Any = None) -> Value | None:
        """Return an attribute of a value; None where it has none and that is asked."""

    def attribute(self, owner: Value, wanted: str) -> Value:
        """Return an attribute of a value, which has to have it."""

    def listed(self, value: Value, words: tuple[str, ...] = ()) -> Data:
        """Return all items of an iterator as a list of the run."""

    def at_once(self, value: Value, state: Data = ...) -> Value:
        """Return what is gone through here as one expression, if it can be one."""

    def binary(self, symbol: str, left: Value, right: Value, node: Any) -> Value:
        """Apply a binary operator, or the method that says what it means."""

    def truth(self, value: Value) -> Data:
        """Return a value as a test; it is known where its truth is."""

    def tested(self, node: Any) -> Data:
        """Return an expression as a test."""
