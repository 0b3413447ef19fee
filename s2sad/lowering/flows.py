"""Flows: solutions of ordinary differential equations, whose derivatives are solved for, too.

y = odeint(f, y0, t, args=(k,))      y = f_flow(odeint(f, y0, t, args=(k,)), y0, t, k)

f_back gives the adjoints of y0 and k, f_ahead the tangent of y: both have derivatives of their own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from s2sad.ir.expression import Expr, call, constant, global_, name
from s2sad.ir.program import Custom, Function, Parameter, Return, Summary
from s2sad.ir.records import dataclass, replace
from s2sad.ir.renaming import Fresh
from s2sad.ir.types import Array, Length, Number, Tuple, Type
from s2sad.lowering import custom, items, library, made_for_solvers
from s2sad.lowering.machine import Machine, refusal, stable
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
    code, y0, times, rest, y_bar = args
    f = _given(code)
    by = [f.unknown, *made_for_solvers.places(f)]
    pull = made_for_solvers.gradient(m, made_for_solvers.weighted(m, f), by, False)
    own = _solver(m, f, "back", [y0, times, rest, y_bar], ["y_bar"])
    wrt = Expr("tuple", tuple(literal(k).expr for k in f.varying))
    helper = own.helper(pull, own.along, {"wrt": wrt} if f.varying else {})
    adjoints = [custom.varying(own.parameters[k].type) for k in own.varying[:-1]]
    result = adjoints[0] if len(adjoints) == 1 else Tuple(tuple(adjoints))
    made = own.call(helper.typed(result))
    if not isinstance(result, Tuple):
        return Tup((Data(made),))
    names = [f"{own.parameters[k].variable.name}_bar" for k in own.varying[:-1]]
    return made_for_solvers.with_names(m, made, names)


def ahead(m: Machine, args: Sequence[Value]) -> Value:
    """Return the tangent of the states of a flow."""
    code, y0, times, rest, dots = args
    f = _given(code)
    by = [f.unknown, *made_for_solvers.places(f)]
    push = made_for_solvers.tangent(m, f, by, "both")
    further = made_for_solvers.further(m, f)
    names = ["y0_dot", *(f"{further[k].variable.name}_dot" for k in f.varying)]
    own = _solver(m, f, "ahead", [y0, times, rest, dots], names)
    helper = own.helper(push, (own.along[0], Expr("tuple", own.along[1:])), {})
    states = own.flow.states(length_of(m.to_data(y0)))
    return Data(own.call(helper.typed(states)))


def _given(code: Value) -> Given:
    assert isinstance(code, Code)
    found: Given = code.obj
    return found


def _solver(
    m: Machine, f: Given, word: str, values: Sequence[Value], names: Sequence[str]
) -> _Solver:
    """Return the function that solves for a derivative along what has these names."""
    parts = (m.parts_of(v) if items.is_tuple(v) else [v] for v in values)
    handed = tuple(m.to_data(part).expr for each in parts for part in each)
    variables = [p.variable for p in (*f.flow.times, *made_for_solvers.further(m, f))]
    fresh = Fresh()
    fresh.know(variables)  # a flow of state and tangent has parameters like k_dot
    every = [fresh.variable("y0"), *variables, *map(fresh.variable, names)]
    pairs = zip(every, handed, strict=True)
    own = [Parameter(v, e.type) for v, e in pairs]
    own[1 : 1 + len(f.flow.times)] = f.flow.times
    first, count = 1 + len(f.flow.times), len(own) - len(names)
    along = [count - 1 + k for k in range(1, 1 + len(names))]
    varying = (0, *(first + k for k in f.varying), *along)
    return _Solver(m, f, word, handed, tuple(own), first, count, varying)


@dataclass(frozen=True, slots=True)
class _Solver:
    """A function of the program that solves for a derivative of a flow.

    Its `parameters` are the start and times, the arguments from `first` on, and from `count` on
    what it is solved along.
    """

    m: Machine
    f: Given
    word: str
    handed: tuple[Expr, ...]
    parameters: tuple[Parameter, ...]
    first: int
    count: int
    varying: tuple[int, ...]

    @property
    def flow(self) -> Flow:
        """Return how the flow is solved for."""
        found: Flow = self.f.flow
        return found

    @property
    def names(self) -> tuple[Expr, ...]:
        """Return what the parameters hold."""
        return tuple(name(p.variable, p.type) for p in self.parameters)

    @property
    def along(self) -> tuple[Expr, ...]:
        """Return what it is solved along."""
        return self.names[self.count :]

    def helper(self, made: Given, last: Sequence[Expr], more: Mapping[str, Expr]) -> Expr:
        """Return the call of the printed function that solves."""
        called = f"_{self.flow.solver}_{self.word}"
        start, *times = self.names[: self.first]
        own = Expr("tuple", self.names[self.first : self.count])
        functions = (Expr("function", (), self.f.name), Expr("function", (), made.name))
        if self.flow.solver == "odeint":
            given = (*functions, start, times[0], own, *last)
        else:
            span = Expr("tuple", (times[0], times[1]))
            given = (*functions, span, start, own, times[2], *last)
        head = global_(called, printed.function(called))
        return call(head, *given, **more, **self.flow.options)

    def call(self, helper: Expr) -> Expr:
        """Return the call of the function, which is made if it is not there yet."""
        m, key = self.m, (self.f.name, self.word, self.f.varying)
        if key not in m.givens:
            m.givens[key] = self._made(helper)
        return call(Expr("function", (), m.givens[key]), *self.handed, type_=helper.type)

    def _made(self, helper: Expr) -> str:
        """Make the function, with the derivatives that sweeps have asked for."""
        m = self.m
        called = made_for_solvers.free_name(m, f"{self.f.name}_{self.word}")
        m.texts[called] = self
        count = len(self.parameters)
        places = made_for_solvers.places_of(self.varying, count)
        made = Custom("", "", places, len(self.varying), asked=(called, "flow"))
        made = replace(
            made, varying=self.varying, may_vary=self.varying, handed=tuple(range(count))
        )
        made = replace(made, takes_result=self.word == "ahead")
        made = self._derived(made, called, helper.type)
        body = (Return(helper, m.span),)
        doc = DOCS[self.word].format(self.f.name)
        m.functions[called] = Function(called, self.parameters, body, m.span, doc, Summary(), made)
        return called

    def _derived(self, made: Custom, called: str, result: Type) -> Custom:
        """Return the derivatives of what is solved for."""
        start, *times = made_for_solvers.as_variables(self.parameters[: self.first]).parts
        along = made_for_solvers.as_variables(self.parameters[self.count :]).parts
        handed: dict[str, Value] = {
            "f": Code(self.f),
            "y0": start,
            "times": Variables(tuple(times)),
            "args": made_for_solvers.as_variables(self.parameters[self.first : self.count]),
        }
        seed: dict[str, Value] = {}
        if self.word == "ahead":
            y = custom.named("y", result)
            handed |= {"y0_dot": along[0], "arg_dots": Variables(along[1:]), "y": y}
            seed["y_bar"] = custom.named("y_bar", result)
        else:
            handed["y_bar"] = along[0]
            is_one = not isinstance(result, Tuple)
            one = Variables((custom.named("y0_bar_bar", result),))
            seed["seeds"] = one if is_one else custom.named("seeds", result)
        dots = made_for_solvers.dots_of(self.parameters, self.varying)
        texts = TEXTS[self.word]
        return made_for_solvers.with_texts(self.m, made, called, texts, handed, seed, dots)


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
    f = _given(args[0])
    key = f.name, "both", f.varying
    if key not in m.givens:
        m.givens[key] = _with_tangent(m, f)
    return Code(m.givens[key])


def _with_tangent(m: Machine, f: Given) -> Given:
    by = [f.unknown, *made_for_solvers.places(f)]
    push = made_for_solvers.tangent(m, f, by, "both")
    own = m.functions[f.name].parameters
    unknowns = own[f.unknown].type
    length = unknowns.lengths[0] if isinstance(unknowns, Array) else None
    both = custom.named("both", Array("float64", (None if length is None else length * 2,)))
    t = custom.named("t", FLOAT)
    state_first = f.unknown == 0
    dots = m.functions[push.name].parameters[len(own) + 1 :]
    bound: dict[str, Value] = {
        "push": Code(push),
        **({"both": both, "t": t} if state_first else {"t": t, "both": both}),
        "args": made_for_solvers.as_variables(own[f.count :]),
        "dots": made_for_solvers.as_variables(dots),
        "state_first": literal(state_first),
    }
    found = lowered(m, texts.state_and_tangent, f"{f.name}_both", bound)
    result, count = made_for_solvers.result_of(found), len(own) - f.count
    varying = (*f.varying, *range(count, count + len(dots)))
    return replace(f, name=found.name, result=result, varying=varying)


def paired(m: Machine, args: Sequence[Value]) -> Value:
    """Return what belongs to states and what belongs to tangents, as one."""
    code, *parts = args
    both = Expr("list", tuple(m.to_data(part).expr for part in parts))
    axis = typed(m, constant(_given(code).flow.axis))
    return Data(typed(m, call(global_("np.concatenate", np.concatenate), both, axis=axis)))


def tangent_half(m: Machine, args: Sequence[Value]) -> Value:
    """Return the tangents of the states of state and tangent."""
    code, both = args
    axis = literal(_given(code).flow.axis).expr
    split = global_("np.split", np.split)
    halves = call(split, m.to_data(both).expr, literal(2).expr, axis=axis)
    return Data(typed(m, Expr("subscript", (typed(m, halves), literal(1).expr))))


OF_FLOWS = {
    primitives.back: back,
    primitives.ahead: ahead,
    primitives.with_tangent: with_tangent,
    primitives.paired: paired,
    primitives.tangent_half: tangent_half,
}
