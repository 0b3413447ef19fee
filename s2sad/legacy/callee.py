"""A called function gets a derivative of its own, printed beside the one that calls it.

    x = layer(x, W, b)      ->      x_bar, W_bar, b_bar = layer_rev(x, W, out, x_bar)

There is one for each set of active arguments and of what is known of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from s2sad.ir.errors import Span, Unsupported
from s2sad.legacy.blocks import map_everywhere
from s2sad.legacy.calls import is_python
from s2sad.legacy.facts import Dim, Fact
from s2sad.legacy.following import far, goes_far
from s2sad.legacy.program import Call, Expr, Program, Ref, Var
from s2sad.legacy.pulled import (
    bound_arguments,
    by_own_reverse,
    by_result,
    called_name,
    emit_reverse,
    refuse_drawing,
    refuse_hidden,
)
from s2sad.legacy.recursion import asked_for_lists, calls_itself, widened
from s2sad.legacy.returned import shared_arguments
from s2sad.legacy.traverse import transform
from s2sad.legacy.twins import twin_of
from s2sad.operators.custom import custom_of
from s2sad.source.fresh import free
from s2sad.source.text import source_of
from s2sad.source.text import span as span_of

if TYPE_CHECKING:
    from s2sad.legacy.derive import Derived
    from s2sad.legacy.reverse import Sweep
    from s2sad.legacy.schedules.outline import Steps
    from s2sad.operators.schedules import Schedules


LEVELS = 3


def _of_other_kinds(function: Any, where: Span) -> Unsupported:
    error = Unsupported(
        f"{called_name(function)} calls itself with other kinds of arguments each time",
        where,
        "Write it as a loop, or give its arguments one kind: floats, or arrays of one rank.",
    )
    error.certain = False
    return error


@dataclass(frozen=True, slots=True)
class Written:
    """A function of the emitted file: its name there and what it is made from."""

    name: str
    function: Any
    # the positions of arguments in whose memory its results may live
    shares: frozenset[int] | None = None
    # whether its results may share memory with each other
    mixed: bool = False
    # what its docstring says, where that does not follow from its name
    about: str = ""
    # the line before its `def`
    decorator: str = ""

    def __hash__(self) -> int:
        return hash(self.name)


@dataclass
class Callees:
    """The derivatives of called functions, in the order in which they were first needed."""

    derive_reverse: Callable[..., Any]
    derive_forward: Callable[..., Any]
    made: dict[Any, tuple[Written, Derived, tuple[str, ...]]] = field(default_factory=dict)
    # what those that are still being made take, and how those of them are called that call themselves
    taken: dict[Any, tuple[str, ...]] = field(default_factory=dict)
    promised: dict[Any, str] = field(default_factory=dict)
    names: set[str] = field(default_factory=set)
    pending: list[Any] = field(default_factory=list)
    # tangents are those along many directions at once
    directions: bool = False
    # which states of loops to keep, and the loops that are run so
    schedules: Schedules | None = None
    steps: list[Steps] = field(default_factory=list)
    loops: set[Span] = field(default_factory=set)

    def fresh(self, wanted: str) -> str:
        """Return a function name that this file does not have yet."""
        name = free(wanted, self.names)
        self.names.add(name)
        return name

    def noted(self) -> tuple[Any, ...]:
        """Return what has been made so far, to `go_back` to."""
        return dict(self.made), set(self.names), list(self.steps), dict(self.promised)

    def go_back(self, noted: tuple[Any, ...]) -> None:
        """Forget what has been made since: it is made in another way."""
        self.made, self.names, self.steps, self.promised = noted

    def takes(self, params: tuple[str, ...]) -> None:
        """Note what the derivative that is being made takes, should it call itself."""
        self.taken[self.pending[-1]] = params

    def calls_itself(self) -> bool:
        """Tell whether the derivative that is being made has been called by what is in it."""
        return bool(self.pending) and self.pending[-1] in self.promised

    def _promise(self, key: Any, ending: str) -> tuple[Written, tuple[str, ...]] | None:
        """Return a derivative that is still being made, for a call inside it."""
        if key not in self.pending or key not in self.taken:
            return None
        name = self.promised.get(key)
        if name is None:
            name = self.promised[key] = self.fresh(f"{called_name(key[1])}_{ending}")
        return Written(name, key[1]), self.taken[key]

    def _known(self, function: Any, given: Mapping[str, Fact]) -> tuple[tuple[str, Fact], ...]:
        """Return what of the arguments a derivative is made for: of a recursion, of all its calls."""
        again = calls_itself(function) or any(key[1] is function for key in self.pending)
        # what stands in emitted text was followed when that was made
        source = source_of(function)
        lists = asked_for_lists(function) if again and not source.is_emitted else ()
        if any(given[name].kind == "unknown" for name in {*lists} & {*given}):
            raise _of_other_kinds(function, span_of(source, source.tree))
        return own_lengths(widened(given) if again else given)

    @contextmanager
    def _making(self, key: Any, span: Span) -> Iterator[None]:
        """Note that a derivative is being made; refuse one that waits for itself."""
        function = key[1]
        # each level of a recursion may know something else of its arguments
        if sum(each[1] is function for each in self.pending) >= LEVELS:
            raise _of_other_kinds(function, span)
        self.pending.append(key)
        try:
            yield
        finally:
            self.pending.remove(key)

    # ------------------------------------------------------------ reverse

    def reverse(
        self,
        sweep: Sweep,
        call: Call,
        targets: tuple[Var, ...],
        seeds: tuple[Var | None, ...],
        span: Span,
        unpack: bool = False,
    ) -> list[tuple[Var, Expr]] | None:
        """Emit the call of the callee's reverse; return what each argument receives.

        `unpack` tells that the call's result is taken apart into `targets`.
        """
        call = twin_of(call, sweep.fact)
        function = _function(call)
        if function is None:
            return None
        results, seeds = by_result(sweep, function, targets, seeds, span, unpack, sweep.fact(call))
        bound = bound_arguments(call, span)
        wrt = tuple(
            name
            for name, value in bound.items()
            if isinstance(value, Var) and value in sweep.active
        )
        refuse_hidden(sweep, bound, span)
        custom = custom_of(function)
        if custom is not None:
            return by_own_reverse(sweep, function, custom, bound, results, seeds, span)
        _refuse_far(function, span)
        refuse_drawing(function, span)
        given = self._known(function, {name: sweep.fact(value) for name, value in bound.items()})
        live = tuple(seed is not None for seed in seeds)
        key = ("reverse", function, wrt, given, live)
        made = self._promise(key, "rev")
        written, params = made or self._reverse(key, function, wrt, given, live, span)
        return emit_reverse(sweep, written, params, bound, wrt, results, seeds, span)

    def _reverse(
        self,
        key: Any,
        function: Any,
        wrt: tuple[str, ...],
        given: tuple[tuple[str, Fact], ...],
        live: tuple[bool, ...],
        span: Span,
    ) -> tuple[Written, tuple[str, ...]]:
        if key not in self.made:
            with self._making(key, span):
                derived, params = self.derive_reverse(function, wrt, dict(given), live, self)
            self._finish(key, "rev", derived, params)
        written, _, params = self.made[key]
        return written, params

    def _finish(self, key: Any, ending: str, derived: Derived, params: tuple[str, ...]) -> None:
        name = self.promised.get(key) or self.fresh(f"{called_name(key[1])}_{ending}")
        # of one that calls itself it is not known whose memory its results live in
        shares = shared_arguments(derived.program, derived.known)
        written = Written(name, key[1], None if key in self.promised else shares)
        self.made[key] = written, derived, params

    # ------------------------------------------------------------ functions that are handed on

    def whole(
        self,
        function: Any,
        wrt: tuple[str, ...],
        given: Mapping[str, Fact],
        seeded: bool,
        span: Span,
    ) -> Written:
        """Return a function's derivative with all its parameters, to be called by another.

        It gives the gradient, or, where `seeded`, pulls back a last argument.
        """
        _refuse_far(function, span)
        key = ("whole", function, wrt, own_lengths(given), seeded)
        if key not in self.made:
            from s2sad.legacy.called import called_whole  # which calls this

            with self._making(key, span):
                derived = called_whole(function, wrt, dict(own_lengths(given)), seeded, self)
            name = self.fresh(f"{called_name(function)}_{'vjp' if seeded else 'grad'}")
            self.made[key] = Written(name, function), derived, ()
        return self.made[key][0]

    # ------------------------------------------------------------ forward

    def forward(
        self,
        call: Call,
        wrt: tuple[str, ...],
        given: Mapping[str, Fact],
        span: Span,
    ) -> tuple[Written, tuple[str, ...]] | None:
        """Return the function that gives value and tangent of a call, and what it takes."""
        function = _function(call)
        if function is None:
            return None
        _refuse_far(function, span)
        own = self._known(function, given)
        key = ("forward", function, wrt, own)
        made = self._promise(key, "jvp")
        if made is not None:
            return made
        if key not in self.made:
            with self._making(key, span):
                derived = self.derive_forward(function, wrt, dict(own), self)
            params = tuple(param.var.slot for param in derived.program.params)
            self._finish(key, "jvp", derived, params)
        written, _, params = self.made[key]
        return written, params


def own_lengths(given: Mapping[str, Fact]) -> tuple[tuple[str, Fact], ...]:
    """Return facts of arguments whose lengths are named after the callee's own parameters.

    Equal lengths stay equal; what else the caller knows of them is left behind.
    """
    names: dict[Dim, Dim] = {}

    def own(dim: Dim, name: str, axis: int) -> Dim:
        if not dim.symbol:
            return dim
        made = Dim(f"{name}.{axis}")
        return made if dim.symbol == "?" else names.setdefault(dim, made)

    found = []
    for name, fact in given.items():
        if fact.is_array and isinstance(fact.shape, tuple):
            dims = tuple(own(dim, name, axis) for axis, dim in enumerate(fact.shape))
            fact = replace(fact, shape=dims)
        found.append((name, fact))
    return tuple(found)


def _function(call: Call) -> Any:
    return call.func.value if is_python(call.func) else None  # type: ignore[union-attr]


def _refuse_far(function: Any, span: Span) -> None:
    if goes_far(function):
        raise far(function, span)


def renamed_calls(program: Program, same: Mapping[str, str]) -> Program:
    """Return the program that calls one function where several are equal."""

    def one(expr: Expr) -> Expr:
        if isinstance(expr, Ref) and isinstance(expr.value, Written):
            return Ref(same.get(expr.text, expr.text), expr.value)
        return expr

    body = map_everywhere(program.body, lambda expr: transform(expr, one))
    return replace(program, body=body, result=transform(program.result, one))
