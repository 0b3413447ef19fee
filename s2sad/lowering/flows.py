"""Flows: solutions of ordinary differential equations, whose derivatives are solved for, too.

y = odeint(f, y0, t, args=(k,))      y = f_flow(odeint(f, y0, t, args=(k,)), y0, t, k)

f_back gives the adjoints of y0 and k, f_ahead the tangent of y: both have derivatives of their own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from s2sad.ir.expression import Expr, Variable, call, constant, global_, name
from s2sad.ir.program import Custom, Function, Let, Parameter, Return, Summary
from s2sad.ir.records import dataclass, replace
from s2sad.ir.types import Array, Length, Number, Tuple, Type
from s2sad.lowering import custom, library, made_for_solvers, subscripts
from s2sad.lowering.machine import Machine, emit, fresh, refusal, stable
from s2sad.lowering.made_for_solvers import Given, lowered
from s2sad.lowering.typing import typed
from s2sad.lowering.values import Code, Data, Tup, Value, Variables, literal
from s2sad.operators import printed
from s2sad.scipy import primitives
from s2sad.scipy.texts import flows as texts

FLOAT = Number("float64")
# what decides in which steps a flow is solved for
STEPS = ("method", "rtol", "atol", "max_step", "first_step", "tfirst")


@dataclass(frozen=True, slots=True, eq=False)
class Flow:
    """How a flow is solved for: by which solver, and what that is told of steps.

    `times` are what its derivatives are handed of time, `count` how many of these there are.
    """

    solver: str
    options: Mapping[str, Expr]
    times: tuple[Parameter, ...]
    count: Length | None

    @property
    def axis(self) -> int:
        """Return the axis of the unknowns in the states."""
        return 1 if self.solver == "odeint" else 0

    def states(self, unknowns: Length | None) -> Type:
        """Return the type of the states."""
        lengths = (self.count, unknowns) if self.axis else (unknowns, self.count)
        return Array("float64", lengths)


def start_of(m: Machine, value: Value) -> Data:
    """Return a start as a vector: of one number, of one."""
    start = as_array(m, library.handed_over(m, value))
    if not isinstance(start.type, Array) or len(start.type.lengths) != 1:
        raise refusal(m, "a flow from what is no vector")
    if start.type.dtype[:1] == "c":  # the states are taken to be real
        raise refusal(m, "a flow of complex states")
    held = stable(m, start, "y0")
    assert isinstance(held, Data)
    return held


def as_array(m: Machine, value: Data) -> Data:
    """Return a list as an array, and one number as a vector."""
    if isinstance(value.type, Array):
        return value
    one = Expr("list", (value.expr,)) if isinstance(value.type, Number) else value.expr
    return Data(typed(m, call(global_("np.array", np.array), one)))


def length_of(start: Data) -> Length | None:
    """Return how many unknowns there are."""
    return start.type.lengths[0] if isinstance(start.type, Array) else None


# ---------------------------------------------------------------------------- back and ahead


def back(m: Machine, args: Sequence[Value]) -> Value:
    """Return the adjoints of the start of a flow, and of the arguments that vary."""
    (code, y0, times, rest, y_bar) = args
    assert isinstance(code, Code)
    f: Given = code.obj
    handed = _handed(m, y0, times, rest, y_bar)
    pull = made_for_solvers.gradient(m, made_for_solvers.weighted(m, f), _asked(f), False)
    bar = Parameter(Variable("y_bar"), handed[-1].type)
    places = Expr("tuple", tuple(literal(k).expr for k in f.varying))
    options = {"wrt": places} if f.varying else {}
    own = _Own(m, f, "back", y0, (bar,), handed)
    helper = own.helper(pull, own.last, options)
    varying = (0, *own.varying_args, len(own.parameters) - 1)
    types = tuple(custom.varying(own.parameters[k].type) for k in varying[:-1])
    result = types[0] if len(types) == 1 else Tuple(types)
    names = [own.parameters[k].variable.name for k in varying[:-1]]
    return own.called(helper, result, varying, names)


def ahead(m: Machine, args: Sequence[Value]) -> Value:
    """Return the tangent of the states of a flow."""
    (code, y0, times, rest, dots) = args
    assert isinstance(code, Code)
    f: Given = code.obj
    first, *others = m.parts_of(dots)
    handed = _handed(m, y0, times, rest, first, *others)
    push = made_for_solvers.pushed(m, f)
    tangents = [f.parameters[k].name for k in f.varying]
    more = [Parameter(Variable("y0_dot"), handed[len(handed) - len(others) - 1].type)]
    more += [
        Parameter(Variable(f"{n}_dot"), e.type)
        for n, e in zip(tangents, handed[len(handed) - len(others) :], strict=True)
    ]
    own = _Own(m, f, "ahead", y0, tuple(more), handed)
    dots_ = Expr("tuple", tuple(own.last[1:]))
    helper = own.helper(push, (own.last[0], dots_), {})
    count = len(own.parameters)
    varying = (0, *own.varying_args, *range(count - len(more), count))
    assert f.flow is not None
    result = f.flow.states(length_of(m.to_data(y0)))
    return own.called(helper, result, varying, [])


def _asked(f: Given) -> list[int]:
    """Return where the unknowns and the arguments that vary stand among the parameters."""
    return [f.unknown, *(len(f.first) + k for k in f.varying)]


def _handed(m: Machine, *values: Value) -> tuple[Expr, ...]:
    """Return what the function that solves is handed; tuples are taken apart."""
    found: list[Expr] = []
    for value in values:
        parts = m.parts_of(value) if subscripts.is_tuple(value) else [value]
        found += (m.to_data(part).expr for part in parts)
    return tuple(found)


@dataclass(slots=True)
class _Own:
    """The function of the program that solves for a derivative of a flow."""

    m: Machine
    f: Given
    word: str
    y0: Value
    more: tuple[Parameter, ...]
    handed: tuple[Expr, ...]

    @property
    def flow(self) -> Flow:
        assert self.f.flow is not None
        return self.f.flow

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """Return the parameters: the start, times, arguments, and what is solved along."""
        start = Parameter(Variable("y0"), self.m.to_data(self.y0).type)
        count = 1 + len(self.flow.times)
        types = (e.type for e in self.handed[count:])
        own = tuple(Parameter(v, t) for v, t in zip(self.f.parameters, types, strict=False))
        return (start, *self.flow.times, *own, *self.more)

    @property
    def names(self) -> list[Expr]:
        return [name(p.variable, p.type) for p in self.parameters]

    @property
    def last(self) -> tuple[Expr, ...]:
        return tuple(self.names[len(self.parameters) - len(self.more) :])

    @property
    def varying_args(self) -> tuple[int, ...]:
        """Return where the arguments that vary stand."""
        return tuple(1 + len(self.flow.times) + k for k in self.f.varying)

    def helper(self, made: Given, last: Sequence[Expr], more: Mapping[str, Expr]) -> Expr:
        """Return the call of the printed function that solves."""
        called = f"_{self.flow.solver}_{self.word}"
        start, *rest = self.names
        times, args = rest[: len(self.flow.times)], rest[len(self.flow.times) :]
        own = Expr("tuple", tuple(args[: len(self.f.parameters)]))
        functions = (Expr("function", (), self.f.name), Expr("function", (), made.name))
        if self.flow.solver == "odeint":
            given = (*functions, start, times[0], own, *last)
        else:
            span = Expr("tuple", (times[0], times[1]))
            given = (*functions, span, start, own, times[2], *last)
        options = {**more, **self.flow.options}
        head = global_(called, printed.function(called))
        return Expr("call", (head, *given, *options.values()), tuple(options))

    def called(
        self, helper: Expr, result: Type, varying: tuple[int, ...], names: Sequence[str]
    ) -> Value:
        """Return the call of the function, which is made if it is not there yet."""
        m, key = self.m, (self.f.name, self.word, self.f.varying)
        if key not in m.givens:
            m.givens[key] = self.made(helper.typed(result), result, varying)
        made = call(Expr("function", (), m.givens[key]), *self.handed, type_=result)
        if not isinstance(result, Tuple):
            return Tup((Data(made),)) if self.word == "back" else Data(made)
        parts = tuple(fresh(m, f"{each}_bar") for each in names)
        emit(m, Let(parts, made, m.span))
        return Tup(tuple(Data(name(v, t)) for v, t in zip(parts, result.items, strict=True)))

    def made(self, helper: Expr, result: Type, varying: tuple[int, ...]) -> str:
        """Make the function, with the derivatives that sweeps have asked for."""
        m = self.m
        wish = made_for_solvers.free_name(m, f"{self.f.name}_{self.word}")
        m.texts[wish] = self
        asked = wish, "flow"
        parameters = self.parameters
        places = tuple(varying.index(k) if k in varying else -1 for k in range(len(parameters)))
        handed = tuple(range(len(parameters)))
        made = Custom("", "", places, len(varying), asked=asked, varying=varying, handed=handed)
        made = replace(made, takes_result=self.word == "ahead")
        made = self.derived(made, result, varying)
        reads = Summary(frozenset(p.variable for p in parameters))
        body = (Return(helper, m.span),)
        doc = DOCS[self.word].format(self.f.name)
        m.functions[wish] = Function(wish, parameters, body, m.span, doc, reads, made)
        return wish

    def derived(self, made: Custom, result: Type, varying: tuple[int, ...]) -> Custom:
        m, solved = self.m, self.m.context.solved
        reverse, forward = TEXTS[self.word]
        own = {p.variable.name: Data(name(p.variable, p.type)) for p in self.parameters}
        values = list(own.values())
        count = 1 + len(self.flow.times)
        bound: dict[str, Value] = {
            "f": Code(self.f),
            "y0": values[0],
            "times": Variables(tuple(values[1:count])),
            "args": Variables(tuple(values[count : count + len(self.f.parameters)])),
        }
        last = values[len(values) - len(self.more) :]
        if self.word == "back":
            bound["y_bar"] = last[0]
        else:
            bound |= {"y0_dot": last[0], "arg_dots": Variables(tuple(last[1:]))}
            bound["y"] = custom.named("y", result)
        called = made.asked[0]
        if (made.asked, "reverse") in solved:
            word = "seeds" if self.word == "back" else "y_bar"
            seed: Value = custom.named(word, result)
            if self.word == "back" and not isinstance(result, Tuple):
                seed = Variables((custom.named("y0_bar_bar", result),))
            found = lowered(m, reverse, f"{called}_reverse", {**bound, word: seed})
            assert found.result is not None
            made = replace(made, reverse=found.name, adjoints=found.result.type)
        if (made.asked, "forward") in solved:
            dots = Variables(
                tuple(
                    Data(name(Variable(f"{self.parameters[k].variable.name}_dot"), values[k].type))
                    for k in varying
                )
            )
            found = lowered(m, forward, f"{called}_forward", {**bound, "dots": dots})
            assert found.result is not None
            made = replace(made, forward=found.name, tangent=found.result.type)
        return made


DOCS = {
    "back": "Return the adjoints of the start and the arguments of the flow of {}.",
    "ahead": "Return the tangent of the states of the flow of {}.",
}
TEXTS = {
    "back": (texts.back_reverse, texts.back_forward),
    "ahead": (texts.ahead_reverse, texts.ahead_forward),
}


# ---------------------------------------------------------------------------- state and tangent


def with_tangent(m: Machine, args: Sequence[Value]) -> Value:
    """Return the slopes of state and tangent as one function."""
    (code,) = args
    assert isinstance(code, Code)
    f: Given = code.obj
    key = f.name, "both", f.varying
    if key not in m.givens:
        m.givens[key] = _with_tangent(m, f)
    return Code(m.givens[key])


def _with_tangent(m: Machine, f: Given) -> Given:
    push = made_for_solvers.pushed(m, f)
    own = m.functions[f.name].parameters
    count = len(f.first)
    unknowns = own[f.unknown].type
    length = unknowns.lengths[0] if isinstance(unknowns, Array) else None
    both = custom.named("both", Array("float64", (None if length is None else length * 2,)))
    t = custom.named("t", FLOAT)
    state_first = f.unknown == 0
    first = {"both": both, "t": t} if state_first else {"t": t, "both": both}
    rest = [Data(name(p.variable, p.type)) for p in own[count:]]
    dots = m.functions[push.name].parameters[len(own) + 1 :]
    moving = [Data(name(p.variable, p.type)) for p in dots]
    bound: dict[str, Value] = {
        "push": Code(push),
        **first,
        "args": Variables(tuple(rest)),
        "dots": Variables(tuple(moving)),
        "state_first": literal(state_first),
    }
    found = lowered(m, texts.state_and_tangent, f"{f.name}_both", bound)
    assert found.result is not None
    variables = tuple(p.variable for p in m.functions[found.name].parameters)
    parameters = variables[count:]
    varying = (*f.varying, *range(len(f.parameters), len(parameters)))
    return replace(
        f,
        name=found.name,
        result=found.result,
        first=variables[:count],
        parameters=parameters,
        varying=varying,
    )


def paired(m: Machine, args: Sequence[Value]) -> Value:
    """Return what belongs to states and what belongs to tangents, as one."""
    code, *parts = args
    assert isinstance(code, Code)
    both = Expr("list", tuple(m.to_data(part).expr for part in parts))
    axis = typed(m, constant(code.obj.flow.axis))
    made = Expr("call", (global_("np.concatenate", np.concatenate), both, axis), ("axis",))
    return Data(typed(m, made))


def tangent_half(m: Machine, args: Sequence[Value]) -> Value:
    """Return the tangents of the states of state and tangent."""
    code, both = args
    assert isinstance(code, Code)
    axis = code.obj.flow.axis
    held = m.to_data(both)
    split = global_("np.split", np.split)
    halves = Expr("call", (split, held.expr, literal(2).expr, literal(axis).expr), ("axis",))
    made = typed(m, Expr("subscript", (typed(m, halves), literal(1).expr)))
    return Data(made)


OF_FLOWS = {
    primitives.back: back,
    primitives.ahead: ahead,
    primitives.with_tangent: with_tangent,
    primitives.paired: paired,
    primitives.tangent_half: tangent_half,
}
