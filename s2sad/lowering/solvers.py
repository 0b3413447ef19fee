"""SciPy's solvers: the function that one is given is a function of the program.

x = brentq(f, 0.0, 2.0, args=(k,))      x = f_root(brentq(f, 0.0, 2.0, args=(k,)), k)

f_root gives what it is handed first, and has a derivative of its own: f_root_reverse(k, x, x_bar),
lowered from the text for such a solver where a sweep asks for it.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from typing import Any

from s2sad.ir.errors import Refused, S2sadError, Unsupported
from s2sad.ir.expression import Expr, Variable, calls, name
from s2sad.ir.program import Custom, Function, Parameter, Return, Summary
from s2sad.ir.records import dataclass, replace
from s2sad.ir.types import NONE, UNKNOWN, Array, Length, Number, Other, Tuple, Type, is_float
from s2sad.lowering import custom, fits, flows, items, library, made_for_solvers, reflection
from s2sad.lowering.flows import FLOAT
from s2sad.lowering.machine import Machine, new_cell, refusal, stable
from s2sad.lowering.made_for_solvers import Given, is_written_out
from s2sad.lowering.opened import opened
from s2sad.lowering.values import (
    Cell,
    Code,
    Data,
    Fixed,
    Keywords,
    Partial,
    Ref,
    Tup,
    Value,
    Variables,
    is_none,
    literal,
)
from s2sad.prelude import mappings
from s2sad.scipy import primitives
from s2sad.scipy.tasks import EITHER, FLOW, NUMBER, TASKS, Task, Text
from s2sad.source.optional import SOLVERS, solver_name

FUNCTIONS = ("f", "fun", "func")
# what else is a function in the arguments of a solver, which is handed what the first one is
MORE_FUNCTIONS = frozenset({"fprime", "fprime2", "jac", "hess"})
# a function that gives its gradient, too (jac=True), as one that gives its value alone
ALONE = "value"
# what makes a solver give more than the solution
OTHER_RESULTS = frozenset({"full_output", "infodict"})
PLAIN = (None, False, 0, ())
# what a solver says of how it went
INACTIVE = ("success", "status", "message", "nit", "nfev", "njev", "nhev", "converged", "flag")


@dataclass(frozen=True, slots=True, eq=False)
class Again:
    """A solver, with what it is told beside the problem, for the derivatives of what it is given."""

    solver: Code
    options: Mapping[str, Value]


def called(m: Machine, function: Code, args: list[Value], kwargs: Keywords) -> Value | None:
    """Return what a solver finds, or a function that is made of one that a solver is given.

    None for a call of anything else.
    """
    if isinstance(function.obj, Given):
        return made_for_solvers.call(m, function.obj, [m.to_data(a) for a in args])
    if isinstance(function.obj, Again):
        return _again(m, function.obj, args)
    if getattr(function.obj, "__module__", "") == primitives.__name__:
        if function.obj is primitives.numbers:
            return fits.numbers(m, args)
        of_flow = flows.OF_FLOWS.get(function.obj)
        return of_flow(m, args) if of_flow else made_for_solvers.made_of(m, function.obj, args)
    solver = solver_name(function.obj)
    task = TASKS.get(solver)
    if task is None:
        return None
    bound = _bound(m, function.obj, args, kwargs)
    return _solved(m, function, task, bound, SOLVERS[solver].split())


def _again(m: Machine, again: Again, args: list[Value]) -> Value:
    """Solve the problem of another function: an integral between ends."""
    given, a, b, rest = args
    assert isinstance(given, Code) and isinstance(given.obj, Given)
    found, options = again.solver, again.options
    if isinstance(given.obj.result.type, Array) and solver_name(found.obj) == "integrate.quad":
        found, options = Code(made_for_solvers.quad_vec()), {}
    key = next(iter(inspect.signature(found.obj).parameters))
    bound = {key: given, "a": a, "b": b, "args": rest, **options}
    task = TASKS[solver_name(found.obj)]
    value = _solved(m, found, task, bound, list(bound))
    return value.parts[0] if isinstance(value, Tup) else value


def _bound(m: Machine, solver: Any, args: list[Value], kwargs: Keywords) -> dict[str, Value]:
    """Return the arguments of a solver by name."""
    try:
        bound = inspect.signature(solver).bind(*args, **kwargs).arguments
    except TypeError:
        raise refusal(m, "arguments that a solver does not take") from None
    for more in ("options", "kwargs"):
        if isinstance(bound.get(more), dict):
            bound |= bound.pop(more)
    return dict(bound)


def _solved(
    m: Machine, solver: Code, task: Task, bound: dict[str, Value], allowed: Sequence[str]
) -> Value:
    """Return what a solver finds, as calls that have derivatives."""
    key = next((key for key in FUNCTIONS if key in bound), None)
    if key is None:
        raise refusal(m, "a solver without its function")
    refused = _refused_option(m, solver, bound, allowed)
    rest = _arguments(m, bound)
    if task.unknown == FLOW:
        bound["y0"] = flows.start_of(m, bound["y0"])
    if solver_name(solver.obj) == "optimize.curve_fit":
        return _fitted(m, solver, task, bound, refused)
    is_number, first, place = _unknown(m, task, bound)
    word = made_for_solvers.WORDS[task.word]
    given = made_for_solvers.given(m, bound[key], word, first, rest, place)
    others = {
        k: made_for_solvers.given(m, value, k, first, rest, place)
        for k, value in bound.items()
        if k in MORE_FUNCTIONS and (not isinstance(value, Data) or value.expr.op == "function")
    }
    if any(_is_set(bound.get(each)) for each in MORE_FUNCTIONS):
        alone = m.call(m.lift(mappings.value_alone, None), [bound[key]], {}, None)
        others[ALONE] = made_for_solvers.given(m, alone, word, first, rest, place)
    given, others = made_for_solvers.with_all_free(m, given, others)
    given, others = opened(m, given), {k: opened(m, each) for k, each in others.items()}
    alone = others.pop(ALONE, given)
    raw = _raw(m, solver, {**bound, key: given, **others}, given)
    texts = task.texts(is_number)
    problem = _Problem(m, solver, task, bound, alone, texts, first, refused)
    found = _flow(m, problem, raw) if task.unknown == FLOW else _found(m, problem, raw)
    if isinstance(found, Ref) and _is_set(bound.get("dense_output")):
        told = {**bound, **{k: Code(each) for k, each in {key: given, **others}.items()}}
        m.heap[found.id].slots["sol"] = _states_between(m, problem, told)
    return found


def _states_between(m: Machine, problem: _Problem, bound: Mapping[str, Value]) -> Value:
    """Return what gives the states of a flow at any time: it is solved for again, as it is now."""
    told = {k: v if isinstance(v, Code) else library.as_made(m, v) for k, v in bound.items()}
    handed = _handed_as_made(m, problem)
    again = {k: v for k, v in told.items() if k not in ("t_eval", "dense_output")}
    solve = Partial(problem.solver, (), {**again, "args": handed})
    return Partial(m.lift(mappings.states_at, None), (solve,), {})


def _fitted(
    m: Machine, solver: Code, task: Task, bound: dict[str, Value], refused: S2sadError | None
) -> Value:
    """Return the parameters of a curve that is fitted, and their covariance."""
    data = fits.data_of(m, bound)
    model, count = fits.model(m, bound)
    words = ("xdata", "ydata", "sigma")
    bound |= dict(zip(words, data, strict=False))
    raw = _raw(m, solver, {**bound, "f": model}, replace(model, handed=()))
    given = fits.misfit(m, model, count, data)
    own: list[Type] = [Array("float64", (Length((), count),) * k) for k in (1, 2)]
    held = stable(m, Data(raw.typed(Tuple(tuple(own)))), "fit")
    assert isinstance(held, Data)
    parts = _parts(m, held, own)
    problem = _Problem(m, solver, task, bound, given, task.vector, own[:1], refused)
    found = _with_derivative(problem, parts[0], own[0])
    problem = replace(problem, refused=fits.covariance_refused(m.span))
    return Tup((found, _with_derivative(problem, parts[1], own[1])))


def _refused_option(
    m: Machine, solver: Code, bound: Mapping[str, Value], allowed: Sequence[str]
) -> S2sadError | None:
    """Return the refusal of what makes another problem of it, which has another derivative."""
    for key, value in bound.items():
        if key in FUNCTIONS or key == "args" or key in allowed:
            continue
        known = value.known if isinstance(value, Data) else None
        is_empty = isinstance(value, Tup) and not value.parts
        if not is_empty and (known is None or known.value not in PLAIN):
            if key in OTHER_RESULTS:
                raise refusal(m, f"{key}= of a solver, which gives more")
            return Unsupported(
                f"{key}= of scipy.{solver_name(solver.obj)} is not differentiated",
                m.span,
                "Leave it out, or stop the derivative: s2sad.stop_gradient(...).",
            )
    return None


def _arguments(m: Machine, bound: Mapping[str, Value]) -> list[Value]:
    """Return the further arguments of a function that a solver is given; solve_ivp takes lists, too."""
    value, is_any = bound.get("args"), "t_span" in bound
    if value is None or (
        isinstance(value, Data) and value.known is not None and not value.known.value
    ):
        return []
    if isinstance(value, Data) and calls(value.expr, tuple):
        return m.parts_of(replace(value, expr=value.expr.args[1]))
    return m.parts_of(value) if items.is_tuple(value) or is_any else [value]


# ---------------------------------------------------------------------------- what is solved for


def _unknown(m: Machine, task: Task, bound: Mapping[str, Value]) -> tuple[bool, list[Type], int]:
    """Tell whether a number is solved for, the types of what the function is called with first,
    and which of these that is.
    """
    if task.unknown == FLOW:
        state: Type = Array("float64", (flows.length_of(bound["y0"]),))  # type: ignore[arg-type]
        time_first = "t_span" in bound or _is_set(bound.get("tfirst"))
        return (False, [FLOAT, state], 1) if time_first else (False, [state, FLOAT], 0)
    if task.unknown == NUMBER:
        return True, [FLOAT], 0
    start = library.handed_over(m, bound["x0"]) if "x0" in bound else None
    if start is None or (task.unknown == EITHER and isinstance(start.type, Number)):
        return True, [FLOAT], 0
    return False, [Array("float64", (_length(start),))], 0


def _is_set(value: Value | None) -> bool:
    """Tell whether a flag is given as True."""
    return isinstance(value, Data) and value.known is not None and value.known.value is True


def _length(start: Data) -> Length | None:
    """Return how many unknowns a start has."""
    match start.type:
        case Array(_, (length,)):
            return length
        case Tuple(items):
            return Length((), len(items))
        case Number():
            return Length((), 1)
    if start.expr.op == "list":
        return Length((), len(start.expr.args))
    return None


# ---------------------------------------------------------------------------- what is found


def _raw(m: Machine, solver: Code, bound: Mapping[str, Any], given: Given) -> Expr:
    """Return the call of a solver as it stands in the text."""
    handed = Expr("tuple", given.handed, None, Tuple(tuple(e.type for e in given.handed)))
    args: dict[str, Expr] = {}
    told: dict[str, Expr] = {"args": handed} if given.handed else {}
    for key, value in bound.items():
        if key == "args":
            continue
        if isinstance(value, Given):
            args[key] = Expr("function", (), value.name)
        elif isinstance(value, Code) and isinstance(value.obj, Given):
            args[key] = Expr("function", (), value.obj.name)
        else:
            args[key] = library.handed_over(m, value).expr
    parameters = list(inspect.signature(solver.obj).parameters)
    positional = []
    for parameter in parameters:
        if parameter not in args or parameter in ("args", "method", "jac"):
            break
        positional.append(args.pop(parameter))
    args = {**told, **args}
    head = reflection.code_expr(m, solver)
    return Expr("call", (head, *positional, *args.values()), tuple(args), UNKNOWN, None, m.span)


@dataclass(frozen=True, slots=True, eq=False)
class _Problem:
    """A solver with the function that it is given, and how what it finds is differentiated."""

    m: Machine
    solver: Code
    task: Task
    bound: Mapping[str, Value]
    given: Given
    texts: tuple[Text, Text] | None
    first: Sequence[Type]
    refused: S2sadError | None = None


def _flow(m: Machine, problem: _Problem, raw: Expr) -> Value:
    """Return the states of a flow: an array, or an object that has them."""
    bound, y0 = problem.bound, problem.bound["y0"]
    assert isinstance(y0, Data)
    n = flows.length_of(y0)
    is_object = bool(problem.task.attribute)
    if is_object:
        held = stable(m, Data(raw.typed(Other(_Result))), "found")
        assert isinstance(held, Data)
        span = m.parts_of(bound["t_span"])
        own_times = is_none(bound.get("t_eval", literal(None)))
        t: Value = _attribute(m, held, "t", Array("float64", (None,)))
        times = [*span, t if own_times else bound["t_eval"]]
    else:
        times = [bound["t"]]
    handed = [library.handed_over(m, each) for each in times]
    handed[-1] = flows.as_array(m, handed[-1])  # moments may be given as a list
    data = [stable(m, each, "t") for each in handed]
    exprs = [each.expr for each in data if isinstance(each, Data)]
    names = ("t0", "t1", "times") if is_object else ("t",)
    parameters = tuple(Parameter(Variable(k), e.type) for k, e in zip(names, exprs, strict=True))
    last = exprs[-1].type
    count = last.lengths[0] if isinstance(last, Array) else None
    options = {
        k: v.expr
        for k, v in bound.items()
        if k in flows.STEPS and isinstance(v, Data) and is_written_out(v.expr)
    }
    flow = flows.Flow("solve_ivp" if is_object else "odeint", options, parameters, count)
    problem = replace(problem, given=replace(problem.given, flow=flow))
    ends = [Data(y0.expr), *(Data(e) for e in exprs)]
    states = flow.states(n)
    if not is_object:
        return _with_derivative(problem, Data(raw.typed(states)), states, ends)
    read = _attribute(m, held, "y", states)
    return _object(problem, held, {"y": _with_derivative(problem, read, states, ends), "t": t})


def _object(problem: _Problem, held: Data, fields: Mapping[str, Value]) -> Value:
    """Return an object with fields of what is found, and with what it says of how it went."""
    m = problem.m
    # before what the solver is given is written to
    fields = {k: stable(m, v, k) for k, v in fields.items()}
    told = {each: _attribute(m, held, each, UNKNOWN) for each in INACTIVE}
    if "x" not in fields:
        return new_cell(m, Cell("object", {**fields, **told}, mappings.Namespace))
    own: dict[str, Value] = {
        "_function": Code(problem.given),
        "_args": _handed_as_made(m, problem),
    }
    return new_cell(m, Cell("object", {**fields, **told, **own}, mappings.Found))


def _handed_as_made(m: Machine, problem: _Problem) -> Tup:
    """Return what the function of a solver is handed as it is now, whatever is written to it later."""
    return Tup(tuple(library.as_made(m, Data(each)) for each in problem.given.handed))


def _attribute(m: Machine, held: Data, named: str, type_: Type) -> Data:
    return Data(Expr("attribute", (held.expr,), named, type_, None, m.span))


def _parts(m: Machine, held: Data, types: Sequence[Type]) -> list[Data]:
    """Return the parts of a tuple that is found, which has a name."""
    parts = enumerate(types)
    return [
        Data(Expr("subscript", (held.expr, literal(k).expr), None, t, None, m.span))
        for k, t in parts
    ]


def _found(m: Machine, problem: _Problem, raw: Expr) -> Value:
    """Return what a solver finds: a value, a tuple, or an object with what is read of it."""
    task, type_ = problem.task, _type_of_solution(problem)
    if task.is_first:
        parts = Data(raw.typed(Tuple((type_, FLOAT))))
        held = stable(m, parts, task.word)
        assert isinstance(held, Data)
        value, error = _parts(m, held, (type_, FLOAT))
        return Tup((_with_derivative(problem, value, type_), error))
    if not task.attribute:
        return _with_derivative(problem, Data(raw.typed(type_)), type_)
    held = stable(m, Data(raw.typed(Other(_Result))), "found")
    assert isinstance(held, Data)
    read = _attribute(m, held, task.attribute, type_)
    return _object(problem, held, {task.attribute: _with_derivative(problem, read, type_)})


class _Result:
    """Stands for the class of what a solver finds."""


def _type_of_solution(problem: _Problem) -> Type:
    """Return the type of what is found."""
    if problem.task.solves:
        found = problem.given.result.type
        if solver_name(problem.solver.obj) == "integrate.quad_vec":
            return custom.varying(found)
        return FLOAT
    (type_,) = problem.first
    return type_


# ---------------------------------------------------------------------------- derivatives


def _with_derivative(
    problem: _Problem, value: Data, type_: Type, ends: Sequence[Data] | None = None
) -> Data:
    """Return what is found as a call of a function that gives it, and has a derivative."""
    m, given, flow, task = problem.m, problem.given, problem.given.flow, problem.task
    if ends is None:
        ends = [m.to_data(problem.bound[key]) for key in task.ends]
    args = (*(end.expr for end in ends), *given.handed)
    words = task.ends if flow is None else ("y0", *(p.variable.name for p in flow.times))
    further = (p.variable for p in made_for_solvers.further(m, given))
    rest = [*(Variable(word) for word in words), *further]
    y = Parameter(_apart(Variable(task.letter), rest), type_)
    own = (y, *(Parameter(v, e.type) for v, e in zip(rest, args, strict=True)))
    called = made_for_solvers.free_name(m, f"{given.name}_{task.word}")
    made = _derivative(problem, called, own, args, len(ends))
    body = (Return(name(y.variable, type_), m.span),)
    m.functions[called] = Function(called, own, body, m.span, "", Summary(), made)
    m.texts[called] = problem
    head = Expr("function", (), called)
    return Data(Expr("call", (head, value.expr, *args), (), type_, None, m.span))


def _apart(variable: Variable, others: Sequence[Variable]) -> Variable:
    taken = {other.name for other in others}
    word, number = variable.name, 0
    while word in taken:
        number += 1
        word = f"{variable.name}{number}"
    return Variable(word)


def _derivative(
    problem: _Problem, called: str, own: Sequence[Parameter], args: Sequence[Expr], count: int
) -> Custom:
    """Return the derivative of what is found, with the texts that sweeps have asked for.

    `own` are the parameters of what gives it, behind itself `count` that are no arguments.
    """
    m, flow, task = problem.m, problem.given.flow, problem.task
    asked = (called, str(m.span))
    if problem.refused is not None and {(asked, "reverse"), (asked, "forward")} & m.context.solved:
        raise Refused(problem.refused)
    may_vary = tuple(k for k, e in enumerate(args, 1) if _may_vary(problem, k, e, count))
    # the adjoint equation of a flow gives the adjoints of all
    varying = (
        may_vary
        if flow is not None
        else tuple(k for k in may_vary if (asked, k) in m.context.solved)
    )
    places = made_for_solvers.places_of(varying, len(own))
    made = Custom("", "", places, len(varying), may_vary=may_vary, asked=asked)
    if flow is not None and flow.solver == "solve_ivp":
        made = replace(made, at_ends=is_none(problem.bound.get("t_eval", literal(None))))
    if not varying:
        return made
    if problem.texts is None:
        raise refusal(m, "an array of roots, each found by itself")
    fixed = [k for k in range(1, len(task.ends) + 1) if k not in varying and args[k - 1].known]
    # None is written out in the texts
    handed = tuple(k for k, p in enumerate(own) if k and k not in fixed and p.type != NONE)
    made = replace(made, varying=varying, handed=handed)
    bar = {
        f"{task.letter}_bar": custom.named(
            f"{own[0].variable.name}_bar", custom.varying(own[0].type)
        )
    }
    dots = made_for_solvers.dots_of(own, varying)
    given = replace(problem.given, varying=tuple(k - count - 1 for k in varying if k > count))
    told = {"f": Code(given), **_told(problem, own, args, count, fixed)}
    if task.ends:
        told["moves"] = Tup(tuple(literal(k in varying) for k in range(1, count + 1)))
    return made_for_solvers.with_texts(m, made, called, problem.texts, told, bar, dots)


def _may_vary(problem: _Problem, place: int, expr: Expr, count: int) -> bool:
    """Tell whether what is found varies with an argument: the moments of a flow are not asked."""
    if not is_float(expr.type):
        return False
    if problem.given.flow is not None and place <= count:
        return place == 1
    return not is_written_out(expr)


def _told(
    problem: _Problem,
    own: Sequence[Parameter],
    args: Sequence[Expr],
    count: int,
    fixed: Sequence[int],
) -> dict[str, Value]:
    """Return what the texts of a derivative are handed beside the function."""
    values = made_for_solvers.as_variables(own).parts
    ends, rest = values[1 : count + 1], values[count + 1 :]
    told: dict[str, Value] = {}
    if problem.task.solves:
        options = {k: v for k, v in problem.bound.items() if _is_option(k, v)}
        told["solve"] = Code(Again(problem.solver, options))
    if problem.given.flow is not None:
        told |= {"y0": ends[0], "times": Variables(ends[1:])}
    for k, end in enumerate(ends if problem.given.flow is None else (), 1):
        told[own[k].variable.name] = Fixed(args[k - 1]) if k in fixed else end
    return {**told, "args": Variables(rest), problem.task.letter: values[0]}


def _is_option(key: str, value: Value) -> bool:
    """Tell whether an option of a solver can be said again for a derivative: it is written out."""
    if key in (*FUNCTIONS, "args", "a", "b"):
        return False
    return isinstance(value, Data) and is_written_out(value.expr)
