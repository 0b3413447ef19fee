"""Functions of the program that solvers are given, and those that are made of them.

given(m, f, ...)         f(x, *args) as a function of the program
by_unknown(f)            its gradient by x
weighted(f)              np.sum(weight * f(x, *args))
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from s2sad.ir.expression import Expr, Variable, global_, name
from s2sad.ir.program import Custom, Function, Let, Parameter
from s2sad.ir.records import dataclass, replace
from s2sad.ir.renaming import Fresh, numbered
from s2sad.ir.types import Array, Length, Number, Tuple, Type
from s2sad.lowering import binding, custom, functions, inner, reflection
from s2sad.lowering.machine import Machine, Own, emit, fresh, refusal
from s2sad.lowering.typing import typed
from s2sad.lowering.values import Bound, Closure, Code, Data, Partial, Ref, Tup, Value, Variables
from s2sad.scipy import primitives
from s2sad.scipy.texts import made as texts

# what a function without a name is called, by what is found
WORDS = {
    "root": "equation",
    "fixed_point": "step",
    "minimum": "objective",
    "fit": "residual",
    "integral": "integrand",
    "flow": "rate",
}


@dataclass(frozen=True, slots=True, eq=False)
class Given:
    """A function of the program as a value: one that a solver is given, or made of that.

    It takes `count` arguments first, of which one is solved for (`unknown`), and further ones; in a
    call of a solver it is handed `handed` for them. `varying` counts those of them that may vary; of a
    flow, `flow` is how it is solved for; `parts` are those that it is the gradient by, in a tuple.
    """

    name: str
    result: Data
    count: int
    handed: tuple[Expr, ...]
    free: tuple[Expr, ...] = ()
    unknown: int = 0
    varying: tuple[int, ...] = ()
    parts: tuple[str, ...] = ()
    flow: Any = None


def further(m: Machine, f: Given) -> tuple[Parameter, ...]:
    """Return the parameters of a function behind those that it takes first."""
    return m.functions[f.name].parameters[f.count :]


def given(
    m: Machine,
    value: Value,
    word: str,
    first: Sequence[Type],
    rest: Sequence[Value],
    unknown: int = 0,
) -> Given:
    """Return a function that a solver is given as a function of the program."""
    if isinstance(value, Code) and isinstance(value.obj, Given):
        handed = tuple(m.to_data(each).expr for each in rest)
        return replace(value.obj, handed=handed)
    closure, before, named = _closure(m, value, word)
    names = _names(closure, len(before), len(first))
    unknowns = [
        Data(name(Variable(f"{n} solved for"), t)) for n, t in zip(names, first, strict=True)
    ]
    bound = binding.bind(m, closure, [*before, *unknowns, *rest], named)
    rest_of = closure.node.args.vararg
    if rest_of is not None:
        bound[rest_of.id] = Tup(tuple(m.parts_of(bound[rest_of.id])))
    found, bound = functions.made(m, closure, bound, beside_objects=True)
    if found is None or found.is_begun or found.name not in m.functions:
        raise refusal(
            m, f"{closure.name}, which a solver is given, and which is no function of values"
        )
    # what it raises where it is asked comes through the solver, and so it does not where it has found
    if not replace(found.effect, raises=False).is_pure or found.result is None:
        raise refusal(
            m, f"{closure.name}, which a solver is given, and which does more than compute"
        )
    exprs = functions.handed(m, closure, bound)
    return _in_order(m, found, exprs, [u.expr for u in unknowns], unknown)


def _closure(
    m: Machine, value: Value, word: str
) -> tuple[Closure, list[Value], Mapping[str, Value]]:
    """Return the function behind a value, with what it is handed before all else."""
    match value:
        case Closure():
            return custom.as_definition(value, word), [], {}
        case Partial():
            closure, before, named = _closure(m, value.func, word)
            return closure, [*before, *value.args], {**named, **value.kwargs}
        case Bound():
            closure, before, named = _closure(m, value.func, word)
            return closure, [*before, value.owner], named
        case Code() if callable(value.obj):
            called = getattr(value.obj, "__name__", word)
            closure = reflection.closure_of(m, texts.applied)
            return replace(closure, name=called), [value], {}
        case Ref():
            return _closure(m, m.attribute(value, "__call__"), word)
        case Data() if reflection.is_object(m, value):
            return _closure(m, m.attribute(value, "__call__"), word)
    raise refusal(m, "a function that is not known, which a solver is given")


def _names(closure: Closure, before: int, count: int) -> list[str]:
    """Return what a function calls the arguments that it is called with first."""
    spec = closure.node.args
    params = [a.id for a in (*spec.posonlyargs, *spec.args)][before : before + count]
    return [*params, *("x" for _ in range(count - len(params)))]


def _in_order(
    m: Machine, found: Own, exprs: Sequence[Expr], unknowns: Sequence[Expr], unknown: int
) -> Given:
    """Return a function of the program that takes what is solved for first, then what it is handed."""
    of = m.functions[found.name]
    own = of.parameters[: len(exprs)]
    places = [next((k for k, e in enumerate(exprs) if e == u), None) for u in unknowns]
    if None in places:
        raise refusal(m, f"{found.name}, which does not take what is solved for")
    rest = [k for k in range(len(exprs)) if k not in places]
    order = [*(own[k] for k in places if k is not None), *(own[k] for k in rest)]
    order += of.parameters[len(exprs) :]
    called = found.name
    if tuple(order) != of.parameters:
        called = _copy(m, of, order)
    handed = (*(exprs[k] for k in rest), *found.free)
    assert found.result is not None
    return Given(called, found.result, len(unknowns), handed, found.free, unknown)


def free_name(m: Machine, wish: str) -> str:
    """Return a name that no function has."""
    taken = (m.functions, m.texts, m.ever)
    return next(name for name in numbered(wish, 1) if not any(name in each for each in taken))


def _copy(m: Machine, of: Function, order: Sequence[Parameter]) -> str:
    """Add a function again with its parameters in another order; return its name."""
    called = free_name(m, of.name)
    m.texts[called] = of
    m.functions[called] = replace(of, name=called, parameters=tuple(order))
    return called


def with_all_free(
    m: Machine, given: Given, others: Mapping[str, Given]
) -> tuple[Given, dict[str, Given]]:
    """Return functions that all take what one of them reads of the function around it."""
    every = list(dict.fromkeys(e for each in (given, *others.values()) for e in each.free))
    if all(each.free == tuple(every) for each in (given, *others.values())):
        return given, dict(others)
    made = {key: _taking(m, each, every) for key, each in others.items()}
    return _taking(m, given, every), made


def _taking(m: Machine, given: Given, every: Sequence[Expr]) -> Given:
    """Return a function that takes further variables, which it may not read."""
    if given.free == tuple(every):
        return given
    of = m.functions[given.name]
    count = len(of.parameters) - len(given.free)
    own = {p.variable: p for p in of.parameters[count:]}
    more = [own.get(e.data, Parameter(e.data, e.type)) for e in every]
    called = _copy(m, of, [*of.parameters[:count], *more])
    plain = given.handed[: len(given.handed) - len(given.free)]
    return replace(given, name=called, handed=(*plain, *every), free=tuple(every))


def is_written_out(expr: Expr) -> bool:
    """Tell whether a number stands in the text, or is one of a module: it does not vary."""
    if expr.op == "unary":
        return is_written_out(expr.args[0])
    return expr.op in ("constant", "global") or expr.known is not None


# ---------------------------------------------------------------------------- made of them


def call(m: Machine, given: Given, args: Sequence[Data]) -> Value:
    """Call a function of the program; several results get a name each."""
    head = Expr("function", (), given.name)
    exprs = tuple(arg.expr for arg in args)
    type_ = given.result.type
    made = Expr("call", (head, *exprs), (), type_, None, m.span)
    if not isinstance(type_, Tuple):
        return Data(made)
    slopes = [f"{each}_slope" for each in given.parts]
    return with_names(m, made, slopes or [f"{given.name}_value" for _ in type_.items])


def with_names(m: Machine, made: Expr, wanted: Sequence[str]) -> Tup:
    """Return the results of a call, each under a name."""
    assert isinstance(made.type, Tuple)
    names = tuple(fresh(m, each) for each in wanted)
    emit(m, Let(names, made, m.span))
    return Tup(tuple(Data(name(v, t)) for v, t in zip(names, made.type.items, strict=True)))


def made_of(m: Machine, obj: Any, args: Sequence[Value]) -> Value:
    """Return what a primitive of the texts makes of a function, or of parts."""
    if obj in OF_PARTS:
        return OF_PARTS[obj](m, args)
    (function,) = args
    if not isinstance(function, Code):
        raise refusal(m, "a function that is not known, which a solver is given")
    return Code(MAKERS[obj](m, function.obj))


def _by_each(m: Machine, args: Sequence[Value]) -> Value:
    (function,) = args
    assert isinstance(function, Code)
    f: Given = function.obj
    return Tup(tuple(Code(gradient(m, f, [k], True)) for k in places(f)))


def _results(m: Machine, args: Sequence[Value]) -> Value:
    is_one = isinstance(args[0], Data) and not isinstance(args[0].type, Tuple)
    parts = [args[0]] if is_one else m.parts_of(args[0])
    return parts[0] if len(parts) == 1 else Tup(tuple(parts))


def _each(m: Machine, args: Sequence[Value]) -> Value:
    function, *tuples = args
    rows = zip(*(m.parts_of(each) for each in tuples), strict=False)
    return Tup(tuple(m.called(function, list(row), {}, None) for row in rows))


def _total(m: Machine, args: Sequence[Value]) -> Value:
    pairs = zip(*(m.parts_of(each) for each in args), strict=True)
    return _sum(m, [_product(m, a, b) for a, b in pairs])


def _product(m: Machine, slope: Value, dot: Value) -> Expr:
    """Return what a tangent contributes: the sum of products of arrays."""
    both = typed(m, Expr("binary", (m.to_data(slope).expr, m.to_data(dot).expr), "*"))
    if isinstance(both.type, Number):
        return both
    return typed(m, Expr("call", (global_("np.sum", np.sum), both), ()))


def _added(m: Machine, args: Sequence[Value]) -> Value:
    return _sum(m, [m.to_data(part).expr for part in m.parts_of(args[0])])


def _sum(m: Machine, terms: Sequence[Expr]) -> Data:
    found = terms[0]
    for term in terms[1:]:
        found = typed(m, Expr("binary", (found, term), "+"))
    return Data(found)


def places(f: Given) -> list[int]:
    """Return where the arguments that vary stand among the parameters."""
    return [f.count + k for k in f.varying]


def gradient(m: Machine, f: Given, by: Sequence[int], single: bool) -> Given:
    """Return the gradient of a function by some of its parameters."""
    of = m.functions[f.name]
    if not isinstance(f.result.type, Number):
        raise refusal(m, f"{f.name}, which gives no number, and which a solver is given")
    names = [p.variable.name for p in of.parameters]
    if len(set(names)) < len(names):
        raise refusal(m, f"{of.name}, whose arguments have one name")
    wrt = [of.parameters[k] for k in by]
    called, slope = inner.gradient_of(m, of, wrt, single or len(wrt) == 1)
    return replace(f, name=called, result=slope, parts=tuple(p.variable.name for p in wrt))


def tangent(m: Machine, f: Given, along: Sequence[int], kind: str = "tangent") -> Given:
    """Return the tangent of a function along those of some of its parameters; `both`: and its value."""
    of = m.functions[f.name]
    wrt = tuple(of.parameters[k] for k in sorted(along))
    dots = dots_of(of.parameters, sorted(along))
    word = "along" if kind == "tangent" else "and_tangent"
    called = "_".join((of.name, word, *(p.variable.name for p in wrt)))
    if called not in m.functions:
        inner.add_sweep(m, called, of, kind, wrt, dots)
    type_ = custom.varying(f.result.type)
    result = type_ if kind == "tangent" else Tuple((f.result.type, type_))
    count = len(of.parameters) - f.count
    return replace(
        f,
        name=called,
        result=custom.named("dot", result),
        varying=(*f.varying, *range(count, count + len(dots))),
        parts=("own", "moved"),
    )


def dots_of(parameters: Sequence[Parameter], places: Sequence[int]) -> tuple[Parameter, ...]:
    """Return what the tangents of some parameters are handed in: x_dot may be a parameter itself."""
    fresh = Fresh()
    fresh.know(p.variable for p in parameters)
    along = [parameters[k] for k in places]
    dots = [fresh.variable(f"{p.variable.name}_dot") for p in along]
    pairs = zip(dots, along, strict=True)
    return tuple(Parameter(dot, custom.varying(p.type)) for dot, p in pairs)


def weighted(m: Machine, f: Given) -> Given:
    """Return the sum of what a function gives times a weight, which it takes last."""
    type_ = f.result.type
    if isinstance(type_, Tuple):
        weight: Type = Array("float64", (Length((), len(type_.items)),))
    elif isinstance(type_, Array | Number):
        weight = custom.varying(type_)
    else:  # a list, of as many numbers as there are unknowns
        weight = m.functions[f.name].parameters[f.unknown].type
    return _made(m, f, texts.weighted_sum, "weighted", {"weight": weight})


def _made(
    m: Machine, f: Given, text: Callable[..., Any], word: str, more: Mapping[str, Type]
) -> Given:
    """Return a function that is made of one by a text."""
    key = f.name, word, f.varying
    if key in m.givens:
        return m.givens[key]
    last = {word: custom.named(word, type_) for word, type_ in more.items()}
    own = as_variables(m.functions[f.name].parameters)
    found = lowered(m, text, f"{f.name}_{word}", {"f": Code(f), "args": own, **last})
    m.givens[key] = replace(f, name=found.name, result=found.result)
    return m.givens[key]


def as_variables(parameters: Sequence[Parameter]) -> Variables:
    """Return parameters as a tuple of what they hold."""
    return Variables(tuple(Data(name(p.variable, p.type)) for p in parameters))


def with_texts(
    m: Machine,
    made: Custom,
    called: str,
    texts: tuple[Callable[..., Any], Callable[..., Any]],
    handed: Mapping[str, Value],
    seed: Mapping[str, Value],
    dots: Sequence[Parameter],
) -> Custom:
    """Return derivatives with those that sweeps have asked for: texts, lowered for what they are handed."""
    reverse, forward = texts
    if (made.asked, "reverse") in m.context.solved:
        found = lowered(m, reverse, f"{called}_reverse", {**handed, **seed})
        made = replace(made, reverse=found.name, adjoints=result_of(found).type)
    if (made.asked, "forward") in m.context.solved:
        found = lowered(m, forward, f"{called}_forward", {**handed, "dots": as_variables(dots)})
        made = replace(made, forward=found.name, tangent=result_of(found).type)
    return made


def result_of(found: Own) -> Data:
    """Return what a text gives, which is known once it is lowered."""
    assert found.result is not None
    return found.result


def places_of(varying: Sequence[int], count: int) -> tuple[int, ...]:
    """Return where each parameter stands among those that vary; -1 where it is none of them."""
    return tuple(varying.index(k) if k in varying else -1 for k in range(count))


def lowered(m: Machine, text: Callable[..., Any], called: str, bound: dict[str, Value]) -> Own:
    """Return a text as a function of the program, for what it is handed."""
    m.givens[len(m.givens)] = bound  # functions are told apart by what they are handed
    closure = replace(reflection.closure_of(m, text), name=called)  # type: ignore[arg-type]
    found, _ = functions.made(m, closure, bound)
    if found is None or found.result is None or found.name not in m.functions:
        raise refusal(m, f"the derivative {called} of what a solver finds")
    own = m.functions[found.name]
    if own.summary is not None:  # what the texts give is computed
        summary = replace(own.summary, returns=frozenset())
        m.functions[found.name] = replace(own, summary=summary)
    return found


def quad_vec() -> Any:
    """Return the solver of integrals of arrays."""
    return sys.modules["scipy.integrate"].quad_vec


MAKERS: Mapping[Any, Callable[[Machine, Given], Given]] = {
    primitives.by_unknown: lambda m, f: gradient(m, f, [f.unknown], True),
    primitives.by_rest: lambda m, f: gradient(m, f, places(f), False),
    primitives.by_all: lambda m, f: gradient(m, f, [f.unknown, *places(f)], False),
    primitives.along: lambda m, f: tangent(m, f, places(f)),
    primitives.weighted: weighted,
    primitives.squares: lambda m, f: _made(m, f, texts.half_squares, "squares", {}),
}
OF_PARTS: Mapping[Any, Callable[[Machine, Sequence[Value]], Value]] = {
    primitives.by_each: _by_each,
    primitives.results: _results,
    primitives.each: _each,
    primitives.total: _total,
    primitives.added: _added,
}
