"""A called function gets a derivative of its own, printed beside the one that calls it.

    x = layer(x, W, b)      ->      x_bar, W_bar, b_bar = layer_rev(x, W, out, x_bar)

There is one for each set of active arguments and of what is known of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from s2sad.activity import flow
from s2sad.adjoint_shapes import refuse_other_ranks
from s2sad.blocks import map_everywhere
from s2sad.calls import arguments, is_python
from s2sad.contribute import zero_like
from s2sad.custom import Custom, adjoints_left_out, custom_of
from s2sad.drawn import draws_inside
from s2sad.errors import S2sadError, Span, Unsupported
from s2sad.facts import Dim, Fact
from s2sad.fresh import free
from s2sad.normalise import normalise
from s2sad.parse import signature_of, source_of
from s2sad.program import Assign, Call, Const, Expr, Op, Param, Program, Ref, Var, base
from s2sad.recursion import calls_itself, widened
from s2sad.refusals import starred
from s2sad.returned import shared_arguments
from s2sad.traverse import transform
from s2sad.twins import twin_of

if TYPE_CHECKING:
    from s2sad.derive import Derived
    from s2sad.reverse import Sweep
    from s2sad.schedules.kinds import Schedules
    from s2sad.schedules.outline import Steps


LEVELS = 3


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
            name = self.promised[key] = self.fresh(f"{_called(key[1])}_{ending}")
        return Written(name, key[1]), self.taken[key]

    def _known(self, function: Any, given: Mapping[str, Fact]) -> tuple[tuple[str, Fact], ...]:
        """Return what of the arguments a derivative is made for: of a recursion, of all its calls."""
        again = calls_itself(function) or any(key[1] is function for key in self.pending)
        return own_lengths(widened(given) if again else given)

    @contextmanager
    def _making(self, key: Any, span: Span) -> Iterator[None]:
        """Note that a derivative is being made; refuse one that waits for itself."""
        function = key[1]
        # each level of a recursion may know something else of its arguments
        if sum(each[1] is function for each in self.pending) >= LEVELS:
            error = Unsupported(
                f"{_called(function)} calls itself with other kinds of arguments each time",
                span,
                "Write it as a loop, or give its arguments one kind: floats, or arrays of one rank.",
            )
            error.certain = False
            raise error
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
        results, seeds = _by_result(sweep, function, targets, seeds, span, unpack)
        bound = bound_arguments(call, span)
        wrt = tuple(
            name
            for name, value in bound.items()
            if isinstance(value, Var) and value in sweep.active
        )
        _refuse_hidden(sweep, bound, span)
        custom = custom_of(function)
        if custom is not None:
            return _by_own_reverse(sweep, function, custom, bound, results, seeds, span)
        _refuse_drawing(function, span)
        given = self._known(function, {name: sweep.fact(value) for name, value in bound.items()})
        live = tuple(seed is not None for seed in seeds)
        key = ("reverse", function, wrt, given, live)
        made = self._promise(key, "rev")
        written, params = made or self._reverse(key, function, wrt, given, live, span)
        return _emit_reverse(sweep, written, params, bound, wrt, results, seeds, span)

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
        name = self.promised.get(key) or self.fresh(f"{_called(key[1])}_{ending}")
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
        key = ("whole", function, wrt, own_lengths(given), seeded)
        if key not in self.made:
            from s2sad.called import called_whole  # which calls this

            with self._making(key, span):
                derived = called_whole(function, wrt, dict(own_lengths(given)), seeded, self)
            name = self.fresh(f"{_called(function)}_{'vjp' if seeded else 'grad'}")
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


def _called(function: Any) -> str:
    """Return the name of a function; of a lambda, that of the variable which holds it."""
    name = function.__name__
    return str(name if name.isidentifier() else source_of(function).tree.name)


def results_of_call(function: Any) -> int | None:
    """Return how many results a function returns as a tuple, None where it returns one value."""
    result = normalise(function).result
    return len(result.args) if isinstance(result, Op) and result.op == "tuple" else None


def _by_result(
    sweep: Sweep,
    function: Any,
    targets: tuple[Var, ...],
    seeds: tuple[Var | None, ...],
    span: Span,
    unpack: bool,
) -> tuple[tuple[Expr, ...], tuple[Var | None, ...]]:
    """Return the results of a call as the function has them, and their adjoints."""
    count = results_of_call(function)
    if unpack == (count is not None):
        return targets, seeds
    name = base(targets[0].slot)
    if count is None:
        pairs = zip(targets, seeds, strict=True)
        bars = [seed or zero_like(target, sweep.facts.of(target)) for target, seed in pairs]
        return (Op("tuple", targets),), (sweep.temp(name, Op("list", tuple(bars)), span),)
    places = [Const(n) for n in range(count)]
    results = tuple(Op("index", (targets[0], place)) for place in places)
    seed = seeds[0]
    assert seed is not None
    parts = [sweep.temp(name, Op("index", (seed, place)), span) for place in places]
    return results, tuple(parts)


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


def _refuse_hidden(sweep: Sweep, bound: Mapping[str, Expr], span: Span) -> None:
    """Refuse active arguments that have no name."""
    for name, value in bound.items():
        inside = not isinstance(value, Var) and flow(value, sweep.fact)
        if inside and any(var in sweep.active for var in inside):
            raise Unsupported(
                f"the argument {name} is built inside the call",
                span,
                "Give it a name first, then call the function with that.",
            )


def _refuse_drawing(function: Any, span: Span) -> None:
    """Refuse a function whose reverse would draw again: it could not be lowered where it is called."""
    if draws_inside(function):
        raise Unsupported(
            f"{_called(function)} draws random numbers, and its reverse would draw others",
            span,
            "Draw before the call and hand over what was drawn, or write a recursion as a loop.",
        )


def _by_own_reverse(
    sweep: Sweep,
    function: Any,
    custom: Custom,
    bound: Mapping[str, Expr],
    results: tuple[Expr, ...],
    seeds: tuple[Var | None, ...],
    span: Span,
) -> list[tuple[Var, Expr]]:
    """Call the reverse that a function was given; return what each argument receives."""
    if custom.reverse is None:
        raise Unsupported(
            f"{function.__name__} was given a forward derivative, but no reverse one",
            span,
            "Give it custom_derivative(forward=..., reverse=...), or differentiate forward.",
        )
    names = list(signature_of(function).parameters)
    for name in adjoints_left_out(custom.reverse, names):
        if bound[name] in sweep.active:
            raise Unsupported(
                f"{custom.reverse.__name__} gives no adjoint of {name}, which varies here",
                span,
                f"Return one, or stop the derivative: s2sad.stop_gradient({name}).",
            )
    bars = [
        seed or zero_like(result, sweep.facts.of(result))  # type: ignore[arg-type]
        for result, seed in zip(results, seeds, strict=True)
    ]
    several = results_of_call(function) is not None
    y = Op("tuple", results) if several else results[0]
    y_bar = Op("tuple", tuple(bars)) if several else bars[0]
    call = Call(
        Ref(custom.reverse.__name__, custom.reverse), (*(bound[n] for n in names), y, y_bar)
    )
    given, wanted = map(sweep.fact, call.args), [sweep.fact(bound[name]) for name in names]
    refuse_other_ranks(custom.reverse, list(given), names, wanted, span)
    made = tuple(_bar_of(sweep, name, bound[name]) for name in names)
    sweep.emit(Assign(made, call, span, unpack=len(made) > 1))
    pairs = ((bound[name], var) for name, var in zip(names, made, strict=True))
    return [(v, var) for v, var in pairs if isinstance(v, Var) and v in sweep.active]


def _bar_of(sweep: Sweep, name: str, operand: Expr) -> Var:
    """Return a name for what an argument receives."""
    called = base(operand.slot) if isinstance(operand, Var) else name
    made = Var(sweep.numbers.temp(called).slot + "~bar", 1)
    sweep.known[made] = sweep.fact(operand)
    return made


def _function(call: Call) -> Any:
    return call.func.value if is_python(call.func) else None  # type: ignore[union-attr]


def bound_arguments(call: Call, span: Span) -> Mapping[str, Expr]:
    """Bind a call's arguments to its function's parameters, or refuse."""
    if any(isinstance(arg, Op) and arg.op == "star" for arg in call.args):
        raise starred(span)
    try:
        return arguments(call)
    except TypeError as error:
        raise Unsupported(
            f"this call does not fit its function: {error}",
            span,
            "Give it the arguments that it takes.",
        ) from error


def _emit_reverse(
    sweep: Sweep,
    written: Written,
    params: tuple[str, ...],
    bound: Mapping[str, Expr],
    wrt: tuple[str, ...],
    results: tuple[Expr, ...],
    seeds: tuple[Var | None, ...],
    span: Span,
) -> list[tuple[Var, Expr]]:
    outs = {f"out{n}": result for n, result in enumerate(results)}
    bars = {f"bar{n}": seed for n, seed in enumerate(seeds)}
    args: list[Expr] = []
    for name in params:
        value = bound.get(name) or outs.get(name) or bars.get(name)
        assert value is not None
        args.append(value)
    call = Call(Ref(written.name, written), tuple(args))
    found = []
    for name in wrt:
        operand = bound[name]
        assert isinstance(operand, Var)
        made = sweep.numbers.temp(base(operand.slot))
        made = Var(made.slot + "~bar", 1)
        sweep.known[made] = sweep.facts.of(operand)
        found.append((operand, made))
    variables = tuple(made for _, made in found)
    sweep.emit(Assign(variables, call, span, unpack=len(variables) > 1))
    return list(found)


def renamed_calls(program: Program, same: Mapping[str, str]) -> Program:
    """Return the program that calls one function where several are equal."""

    def one(expr: Expr) -> Expr:
        if isinstance(expr, Ref) and isinstance(expr.value, Written):
            return Ref(same.get(expr.text, expr.text), expr.value)
        return expr

    body = map_everywhere(program.body, lambda expr: transform(expr, one))
    return replace(program, body=body, result=transform(program.result, one))


__all__ = ["Callees", "Const", "Op", "Param", "Program", "S2sadError", "Written", "replace"]
