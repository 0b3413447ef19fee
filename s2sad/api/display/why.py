"""Why a derivative is zero: where what depends on an argument stops to vary, with the line.

>>> print(s2sad.why(f, "k"))
f does not vary with k: its derivative is 0
  line 12: n = int(k)
      int(k) is the same for all k nearby
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from s2sad.analysis.cuts import Cut, Dependence, dependence
from s2sad.analysis.openings import leaves
from s2sad.analysis.prepare import prepared
from s2sad.api.display.markup import table
from s2sad.api.display.panes import fragment
from s2sad.api.display.short import short
from s2sad.api.rounds import Made, derived
from s2sad.api.tools import tools_for
from s2sad.ir.errors import ArgumentError, NotYet, Span, Unsupported
from s2sad.ir.program import Program
from s2sad.ir.records import dataclass
from s2sad.ir.spelling import expression
from s2sad.ir.walk import name_nodes
from s2sad.source.read import plain_function
from s2sad.types import Context

REASONS = {
    "test": "a test: it decides what is computed, not how much",
    "passes": "this is how often a loop runs: a whole number",
    "position": "a position: it decides which element is taken",
    "shape": "only the shape is asked for",
    "integer": "an integer does not vary",
    "copied": "this statement is copied as it stands: nothing that it computes varies",
    "stopped": "the derivative is stopped here",
    "unread": "the result does not depend on what is computed here",
}


@dataclass(frozen=True, slots=True)
class Place:
    """A line where an argument stops to have an influence that has a slope, and why."""

    line: int
    text: str
    reason: str
    file: str = ""


@dataclass(frozen=True, slots=True)
class Why:
    """What `why` found: false if the derivative is zero wherever it is taken."""

    name: str
    argument: str
    varies: bool
    places: tuple[Place, ...]
    through: tuple[int, ...]
    by_tests_alone: bool

    def __bool__(self) -> bool:
        return self.varies

    @property
    def verdict(self) -> str:
        """The answer in one line."""
        if self.varies:
            lines = ", ".join(map(str, self.through))
            plural = "s" if len(self.through) > 1 else ""
            return f"{self.name} varies with {self.argument}, through line{plural} {lines}"
        if self.by_tests_alone:
            alone = f"depends on {self.argument} through tests alone"
            return f"{self.name} {alone}: its derivative is 0"
        if not self.places:
            return f"{self.name} never reads {self.argument}: its derivative is 0"
        return f"{self.name} does not vary with {self.argument}: its derivative is 0"

    def __str__(self) -> str:
        lines = [self.verdict]
        if self.varies and self.places:
            lines.append("  and not through these:")
        for each in self.places:
            lines += [f"  {each.file}line {each.line}: {each.text}", f"      {each.reason}"]
        return "\n".join(lines)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        rows = [(str(each.line), each.text, each.reason) for each in self.places]
        body = table(("line", "statement", "because"), rows) if rows else ""
        return fragment("s2sad-table", (), f"<div>{escape(self.verdict)}</div>", body)


@short
def why(function: Callable[..., Any], argument: str, *, like: Any = None) -> Why:
    """Return where the influence of an argument on the result is cut off, line by line.

    What is printed names each place: `int(k)` and other functions that are flat, tests, positions,
    `s2sad.stop_gradient`, lines whose results nothing reads. `like` are example arguments, as those
    of `grad`: what is known of ranks decides more. True if the result varies with the argument.

    Raises:
        ArgumentError: what is no parameter.
        Unsupported, NoSource: the function cannot be read.

    Example:
        >>> def steps(x, k):
        ...     n = int(k)
        ...     return x * n
        >>> print(s2sad.why(steps, "k"))
        steps does not vary with k: its derivative is 0
          line 2: n = int(k)
              int(k) is the same for all k nearby
    """
    plain = plain_function(function)
    names = list(inspect.signature(plain).parameters)
    if not isinstance(argument, str) or argument not in names:
        raise ArgumentError(
            f"{plain.__name__} has no parameter {argument}",
            hint=f"It has {', '.join(names)}." if names else "It takes none.",
        )
    args = _arguments(names, like)
    try:
        found = dependence_of(plain, argument, args)
    except NotYet as fault:
        raise Unsupported(
            f"where {argument} is cut off cannot be told: {fault.reason}",
            fault.span,
            "Give examples of the arguments: like=(...), or ask about the functions that it calls.",
        ) from None
    home = plain.__code__.co_filename
    places = tuple(_place(cut, argument, home) for cut in found.cuts)
    through = tuple(sorted({span.line for span in found.through}))
    return Why(plain.__name__, argument, found.is_smooth, places, through, found.by_tests_alone)


def _arguments(names: Sequence[str], like: Any) -> tuple[Any, ...] | None:
    if like is None:
        return None
    return tuple(like[n] for n in names if n in like) if isinstance(like, Mapping) else tuple(like)


def dependence_of(
    function: Callable[..., Any], argument: str, args: tuple[Any, ...] | None
) -> Dependence:
    """Return how a function depends on an argument; raises NotYet where the rooms cannot read it."""
    found: list[Dependence] = []

    def make(primal: Program, context: Context) -> Made:
        tools = tools_for(primal, context)
        ready = prepared(primal, tools.infer, tools.shares, tools.join, tools.regions)
        own = next(p for p in primal.function.parameters if p.variable.name == argument)
        parts = frozenset(leaves(own.variable, ready.openings))
        found.append(dependence(ready.function.body, ready.memory, parts, tools.regions))
        return primal, None, None

    derived(function, args, make)
    return found[-1]


def _place(cut: Cut, argument: str, home: str) -> Place:
    span = cut.span or Span(home, "", 0)
    elsewhere = "" if span.path == home else f"{Path(span.path).name}, "
    return Place(span.line, span.text(), _reason(cut, argument), elsewhere)


def _reason(cut: Cut, argument: str) -> str:
    if cut.kind == "flat" and cut.node is not None:
        read = ", ".join(dict.fromkeys(_names(cut.node))) or argument
        return f"{expression(cut.node)} is the same for all {read} nearby"
    return REASONS[cut.kind]


def _names(node: Any) -> Iterator[str]:
    yield from (str(each.data) for each in name_nodes(node))
