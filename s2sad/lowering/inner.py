"""Gradients that are taken inside: they are functions of the program, which the rooms behind make.

s2sad.grad(energy)(x, k)      energy_grad(x, k), and what stands for its derivative:
                              energy_grad_rev(x, k, y, y_bar), energy_grad_fwd(x, k, y, x_dot, k_dot)
"""

from __future__ import annotations

from collections import abc
from collections.abc import Mapping
from itertools import islice
from typing import Any

import numpy as np

from s2sad.ir.errors import ArgumentError, NotYet, Unsupported
from s2sad.ir.expression import Variable
from s2sad.ir.program import Custom, Function, Inner, Parameter, Summary
from s2sad.ir.records import dataclass, replace
from s2sad.ir.types import Array, Number, Tuple, Type, is_float
from s2sad.lowering import binding, custom, demands, functions, packed
from s2sad.lowering.machine import Machine, Own, refusal, site_of
from s2sad.lowering.values import Closure, Code, Data, Partial, Tup, Value, held_in, literal
from s2sad.operators.marks import DERIVES

FORMS = frozenset({"grad", "value_and_grad", "vjp", "jvp", "elementwise_grad"})


@dataclass(frozen=True, slots=True)
class Asked:
    """A gradient: its form, and the arguments that it is taken with respect to."""

    form: str
    wrt: tuple[str | int, ...]
    single: bool


@dataclass(frozen=True, slots=True)
class Subject:
    """What a gradient is taken of: a function of the program, as what it was made of is called."""

    function: Own
    closure: Closure
    bound: dict[str, Value]

    def called(self, m: Machine, function: Own) -> Value:
        """Return the call of a function that takes the same arguments."""
        return functions.called(m, function, self.closure, self.bound)


def gradient(function: Any, asked: Asked, *args: Any) -> Any:
    """Stand for a gradient that is called; `call` is what calls it."""
    raise NotImplementedError


def taken(m: Machine, obj: Any, args: list[Value], kwargs: Mapping[str, Value]) -> Value | None:
    """Return the gradient that `s2sad.grad(f, wrt)` gives; None for a call of something else."""
    form = getattr(obj, DERIVES, None)
    if form is None or isinstance(form, tuple):
        return None
    named = {**dict(zip(("function", "wrt"), args, strict=False)), **kwargs}
    wrt = named.pop("wrt", None) or named.pop("argnums", None) or literal(0)
    function = named.pop("function", None)
    is_function = isinstance(function, Closure) or _is_gradient(function)
    if named or len(args) > 2 or not is_function or form not in FORMS:
        raise refusal(m, f"s2sad.{obj.__name__} inside, of what is asked for so")
    found = _plain(m, wrt)
    single = not isinstance(found, tuple)
    asked = Asked(form, (0 if found is None else found,) if single else found, single)
    return Partial(Code(gradient), (function, Code(asked)), {})


def _is_gradient(value: Value | None) -> bool:
    """Tell whether a value is a gradient that was taken inside."""
    if not isinstance(value, Partial) or not isinstance(value.func, Code):
        return False
    spec = value.args[1] if value.func.obj is gradient else None
    return isinstance(spec, Code) and spec.obj.form == "grad"


def of_object(m: Machine, obj: Any) -> Value | None:
    """Return a derivative of the module as a value; None for other objects."""
    if isinstance(obj, type) or not hasattr(type(obj), DERIVES):
        return None
    found = getattr(obj, DERIVES)
    if found is None or found[1] not in ("grad", "value_and_grad"):
        raise refusal(m, f"{obj.__name__}, a derivative of the module")
    function, form, wrt, single = found
    closure = m.lift(function, None)
    return Partial(Code(gradient), (closure, Code(Asked(form, wrt, single))), {})


def _plain(m: Machine, value: Value) -> Any:
    if isinstance(value, Tup):
        return tuple(_plain(m, part) for part in value.parts)
    try:
        return demands.need(m, value)
    except NotYet:
        problem = "the options of a derivative are written out"
        raise Unsupported.refused(problem, m.span, "Write names or numbers.") from None


# ---------------------------------------------------------------------------- calls


def call(m: Machine, args: list[Value], kwargs: Mapping[str, Value]) -> Value:
    """Call a gradient: it is a function of the program, as what it is the gradient of."""
    function, spec, *own = args
    assert isinstance(spec, Code)
    asked: Asked = spec.obj
    own, more = (own[:-1], own[-1:]) if asked.form in ("vjp", "jvp") else (own, [])
    if more and not asked.single:
        raise refusal(m, f"s2sad.{asked.form} inside, by several arguments")
    of = _subject(m, function, own, kwargs, (asked,))
    names, result = _names(m, asked, of.bound), of.function.result
    if asked.form in ("vjp", "jvp", "elementwise_grad"):
        _refuse_containers(m, asked.form, of, names)
    if asked.form == "elementwise_grad":
        _refuse_other_shape(m, of, of.bound[names[0]])
        more = [m.call(Code(np.ones_like), [of.bound[names[0]]], {}, None)]
    if more and result is not None and isinstance(result.type, Array):
        form = "jvp" if asked.form == "jvp" else "vjp"
        return _swept(m, of, names[0], more[0], form)
    _refuse_result(m, of)
    slope = _slope(m, of, names, asked.single)
    if asked.form in ("grad", "elementwise_grad"):
        return slope
    if asked.form == "vjp":
        return m.binary("*", more[0], slope, None)
    value = of.called(m, of.function)
    return Tup((value, _along(m, slope, more[0]) if more else slope))


def _subject(
    m: Machine,
    function: Value,
    own: list[Value],
    kwargs: Mapping[str, Value],
    asked: tuple[Asked, ...],
) -> Subject:
    """Return what a gradient is taken of; it may be a gradient, too."""
    if isinstance(function, Partial):
        inner, spec = function.args
        assert isinstance(spec, Code)
        of = _subject(m, inner, own, kwargs, (*asked, spec.obj))
        _refuse_result(m, of)
        names = _names(m, spec.obj, of.bound)
        _refuse_containers(m, spec.obj.form, of, names)
        return replace(of, function=_made(m, of, names, spec.obj.single))
    assert isinstance(function, Closure)
    closure = custom.as_definition(function, "inner")
    bound = binding.bind(m, closure, own, kwargs)
    for each in asked:
        bound |= {n: packed.packed(m, bound[n]) for n in _asked_names(each, bound) if n in bound}
    made, bound = functions.made(m, closure, bound)
    if made is None or made.name not in m.functions or not made.effect.is_pure:
        raise refusal(m, f"a gradient of {closure.name}, which is no function of values alone")
    return Subject(made, closure, bound)


def _names(m: Machine, asked: Asked, bound: Mapping[str, Value]) -> tuple[str, ...]:
    """Return what a gradient is taken by."""
    names = _asked_names(asked, bound)
    _refuse_arguments(m, bound, names)
    return names


def _asked_names(asked: Asked, bound: Mapping[str, Value]) -> tuple[str, ...]:
    params = list(bound)
    return tuple(params[each] if isinstance(each, int) else each for each in asked.wrt)


def _slope(m: Machine, of: Subject, names: tuple[str, ...], single: bool) -> Value:
    """Return the gradient that is called: for a container, one that holds the slopes of its parts."""
    made = _made(m, of, names, single)
    slope = of.called(m, made)
    given = tuple(of.bound[each] for each in names)
    if not any(isinstance(value, Tup) for value in given):
        return slope
    slopes = packed.with_leaves(Tup(given), iter(m.parts_of(slope)))
    assert isinstance(slopes, Tup)
    site = (*site_of(m, None), m.span, made.name)
    return packed.unpacked(m, slopes.parts[0] if single else slopes, site)


def _refuse_result(m: Machine, of: Subject) -> None:
    """Refuse a gradient of what gives no number."""
    result, named = of.function.result, of.closure.name
    if result is not None and isinstance(result.type, Array):
        raise ArgumentError.refused(
            f"{named} returns an array, and grad takes a real scalar",
            m.span,
            "Return one number, a sum for instance, or take s2sad.jacobian outside.",
        )
    if result is None or not isinstance(result.type, Number):
        raise refusal(m, f"a gradient of {named}, which gives no number")


def _refuse_other_shape(m: Machine, of: Subject, by: Value) -> None:
    """Refuse slopes of elements of what gives one number for an array."""
    result = of.function.result
    if result is not None and _is_array(result) != _is_array(by):
        problem = f"{of.closure.name} does not return one number for each of its argument"
        raise ArgumentError.refused(problem, m.span, "Use s2sad.grad, or s2sad.jacobian outside.")


def _swept(m: Machine, of: Subject, by: str, given: Value, form: str) -> Value:
    """Return an array and its tangent along what is given, or what is given pulled back from it."""
    found = of.function
    (wrt,) = _parameters(m, of)[by]
    assert found.result is not None
    result, own = custom.varying(found.result.type), custom.varying(wrt.type)
    dot = m.to_data(given)
    last = own if form == "jvp" else result
    like = m.binary("+", custom.named("dot", last), dot, None)  # of equal lengths
    is_alike = isinstance(like, Data) and dot.type == last == like.type
    if not is_alike and not (isinstance(dot.type, Number) and isinstance(last, Number)):
        raise refusal(m, f"s2sad.{form} inside, along what has another shape")
    called = f"{found.name}_{form}_{wrt.variable.name}"
    if called not in m.functions:
        word = f"{wrt.variable.name}_dot" if form == "jvp" else "seed"
        kind = "both" if form == "jvp" else "pulled"
        add_sweep(
            m, called, m.functions[found.name], kind, (wrt,), (Parameter(Variable(word), last),)
        )
    gives = Tuple((found.result.type, result)) if form == "jvp" else own
    made = replace(found, name=called, result=custom.named("swept", gives))
    return of.called(m, replace(made, free=(*found.free, dot.expr)))


def add_sweep(
    m: Machine,
    called: str,
    of: Function,
    kind: str,
    wrt: tuple[Parameter, ...],
    more: tuple[Parameter, ...],
) -> None:
    """Add a tangent of a function, or what pulls back a seed, to the program: it is made later."""
    parameters = (*of.parameters, *more)
    made = Inner(kind, of.name, tuple(p.variable.name for p in wrt), True)
    empty = replace(of, name=called, body=(), doc="", summary=Summary(), inner=made, custom=None)
    m.functions[called] = replace(empty, parameters=parameters)


def _along(m: Machine, slope: Value, dot: Value) -> Value:
    """Return the derivative of a number along the tangent of what its gradient is taken by."""
    term = m.binary("*", slope, dot, None)
    return m.call(Code(np.sum), [term], {}, None) if _is_array(term) else term


def _is_array(value: Value) -> bool:
    return isinstance(value, Data) and isinstance(value.type, Array)


def _refuse_arguments(m: Machine, bound: Mapping[str, Value], names: tuple[str, ...]) -> None:
    for each in names:
        value = bound.get(each)
        if value is not None and _holds_integers(m, value):
            raise ArgumentError.refused(
                f"{each} is an integer, or holds one: no derivative is taken with respect to it",
                m.span,
                f"Hand over floats: 1.0 in place of 1, {each}.astype(float) of an array.",
            )
        if value is None or not all(map(_is_of_floats, packed.leaves(value))):
            raise refusal(
                m, f"a gradient by {each}, which is or holds no float or array of floats,"
            )


def _is_of_floats(value: Value) -> bool:
    """Tell whether a value is a number or an array of floats."""
    is_plain = isinstance(value, Data) and isinstance(value.type, Array | Number)
    return is_plain and is_float(value.type)  # type: ignore[union-attr]


def _refuse_containers(m: Machine, form: str, of: Subject, names: tuple[str, ...]) -> None:
    """Refuse what is taken by one array or number at a time."""
    if any(isinstance(of.bound[each], Tup) for each in names):
        raise refusal(m, f"s2sad.{form} inside, by a list, tuple or dict")


def _holds_integers(m: Machine, value: Value) -> bool:
    """Tell whether a value is an integer or an array of integers, or is known to hold one."""
    if not isinstance(value, Data):
        return any(_holds_integers(m, part) for part in held_in(value))
    types = m.memory.reached(value.type)
    kinds = (t.dtype for t in types if isinstance(t, Array | Number) and t.dtype)
    return any(np.dtype(dtype).kind in "iub" for dtype in kinds)


def _made(m: Machine, of: Subject, names: tuple[str, ...], single: bool) -> Own:
    """Return the gradient of a function of the program, made once for the same arguments."""
    own, given = _parameters(m, of), [of.bound[each] for each in names]
    wrt = [p for each in names for p in own[each]]
    if len(wrt) < sum(len(list(packed.leaves(value))) for value in given):
        raise refusal(m, f"a gradient of {of.closure.name}, which is handed more than data")
    single = single and not any(isinstance(value, Tup) for value in given)
    whole = m.functions[of.function.name]
    called, slope = gradient_of(m, whole, wrt, single, "" if single else "_")
    return replace(of.function, name=called, result=slope)


def gradient_of(
    m: Machine, of: Function, wrt: abc.Sequence[Parameter], single: bool, last: str = ""
) -> tuple[str, Data]:
    """Return the name of the gradient of a function of the program, and what it gives."""
    names = tuple(p.variable.name for p in wrt)
    called = f"{of.name}_grad_{'_'.join(names)}{last}"
    adjoints = tuple(custom.varying(p.type) for p in wrt)
    result = adjoints[0] if single else Tuple(adjoints)
    if called not in m.functions:
        _add(m, called, of, Inner("gradient", of.name, names, single), result)
    return called, custom.named("slope", result)


def _parameters(m: Machine, of: Subject) -> dict[str, list[Parameter]]:
    """Return the parameters of a function of the program, by the names of the arguments."""
    parameters, named = m.functions[of.function.name].parameters, of.closure.name
    every = [p.variable.name for p in parameters]
    leaves = (leaf for value in of.bound.values() for leaf in packed.leaves(value))
    if not all(isinstance(leaf, Data) for leaf in leaves):
        raise refusal(m, f"a gradient of {named}, which is handed more than data")
    if len(set(every)) < len(every):
        raise refusal(m, f"a gradient of {named}, whose arguments have one name")
    rest = iter(parameters)
    counts = {p: len(functions.handed(m, of.closure, {p: v})) for p, v in of.bound.items()}
    return {param: list(islice(rest, count)) for param, count in counts.items()}


def _add(m: Machine, called: str, of: Function, inner: Inner, result: Type) -> None:
    """Add a gradient, and what stands for its derivative, to the program: what they do is made later."""
    empty = replace(of, name=called, body=(), doc="", summary=Summary(), inner=inner, custom=None)
    floats = tuple(p for p in of.parameters if is_float(p.type))
    taken = {p.variable.name for p in of.parameters}
    y, y_bar = (
        Parameter(Variable(word, len(of.parameters) if word in taken else 0), result)
        for word in ("y", "y_bar")
    )
    dots = (Parameter(Variable(f"{p.variable.name}_dot"), custom.varying(p.type)) for p in floats)
    ways = {"rev": ("reverse", (y, y_bar)), "fwd": ("forward", (y, *dots))}
    for word, (kind, more) in ways.items():
        parameters = (*of.parameters, *more)
        stands = replace(inner, kind=kind)
        name = f"{called}_{word}"
        m.functions[name] = replace(empty, name=name, parameters=parameters, inner=stands)
    count = len(of.parameters)
    adjoints = Tuple(tuple(map(_adjoint, (p.type for p in of.parameters))))
    names = (f"{called}_rev", f"{called}_fwd")
    given = Custom(*names, tuple(range(count)), count, adjoints, result, disjoint=True)
    m.functions[called] = replace(empty, custom=given)


def _adjoint(type_: Type) -> Type:
    return custom.varying(type_) if is_float(type_) else Number("float64")
