"""Calls of Python functions: kept as calls, or, where the function writes to its arguments,
lowered in place.

    def scale(y, c):                  f's text:  scale(u, 2.0)
        y[:] = c * y         ->       u%1 = 2.0 * u@0 ; u@1[:] = u%1
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import FunctionType
from typing import Any

import gast
import numpy as np

from s2sad.ir.errors import GivesRecord, NoSource, S2sadError, Span, Unsupported, WritesInside
from s2sad.legacy.choosers import chooses
from s2sad.legacy.deeper import go_deeper, has_object
from s2sad.legacy.desugar.factories import gives_function
from s2sad.legacy.drawn import draws_inside
from s2sad.legacy.following import far, goes_far, lowered
from s2sad.legacy.gathered import Rest, gathered, takes_rest
from s2sad.legacy.generators import is_generator, refuse_writing
from s2sad.legacy.marks import checked_mark
from s2sad.legacy.program import Assign, Call, Const, Expr, Op, Opaque, Ref, Var, is_temp
from s2sad.legacy.remembered import by_rules
from s2sad.legacy.renewed import renewed
from s2sad.legacy.rules import is_known, is_named
from s2sad.legacy.scope import Scope
from s2sad.legacy.spelt import parameters_of
from s2sad.legacy.statics.kinds import Function
from s2sad.legacy.statics.records import give, left
from s2sad.legacy.templating import is_of_a_flow, is_of_states
from s2sad.legacy.written import Normalise, is_left_alone, seems_to_write, shown_writes, written_by
from s2sad.operators.custom import custom_of
from s2sad.source.optional import PREFIX, SOLVERS
from s2sad.source.plain import makes_records
from s2sad.source.text import Source, resolve_dotted, signature_of, source_of
from s2sad.source.trees import nodes_of

Lower = Callable[[Any, Scope], Expr]
DEPTH = 40
MUTABLE = (list, dict, set, bytearray, np.ndarray)
# where s2sad's own functions stand: what they make has a text, they have no derivative
MAKERS_MODULE = "s2sad.api.grad"
SETTINGS = (np.seterr, np.geterr, np.seterrcall, np.geterrcall, np.set_printoptions, np.setbufsize)


def makes_derivative(func: Expr) -> bool:
    """Tell whether a function is one of s2sad's own, as s2sad.grad."""
    function = func.value if isinstance(func, Ref) else None
    return isinstance(function, FunctionType) and function.__module__ == MAKERS_MODULE


def is_python(func: Expr) -> bool:
    """Tell whether a call's function is written in Python, so that its source can be read.

    Functions of SciPy's that have rules are not read: a rule knows what the source hides.
    Nor are those that set how NumPy tells of errors and prints: they stand as they are.
    """
    if not (isinstance(func, Ref) and isinstance(func.value, FunctionType)):
        return False
    if (
        any(func.value is each for each in SETTINGS)
        or _is_spoken_of(func)
        or makes_derivative(func)
    ):
        return False
    return not (is_of_a_flow(func.value) or is_of_states(func.value))


def _is_spoken_of(func: Ref) -> bool:
    """Tell whether what one of SciPy's functions does is known without its source."""
    if not _is_of_scipy(func):
        return False
    solver = func.text.removeprefix(PREFIX) in SOLVERS
    return solver or is_named(func) or is_known(Call(func))


# functions that go through a list or tuple, which has rules as a value only
CONSUMERS = (sorted, list, tuple, reversed, enumerate, zip)


def takes_values(func: Expr) -> bool:
    """Tell whether a display among the arguments is to be a value of its own."""
    if not isinstance(func, Ref) or func.text.startswith("scipy."):
        return False
    read = is_python(func) and not is_known(Call(func))
    return read or any(func.value is each for each in CONSUMERS)


def is_apart(value: Expr) -> bool:
    """Tell whether the last thing that a call gives shares memory with nothing."""
    return bool(getattr(getattr(value.func, "value", None), "copies", False))  # type: ignore[union-attr]


def is_mixed(value: Expr) -> bool:
    """Tell whether what a call gives may share memory with what else it gives."""
    return isinstance(value, Call) and getattr(getattr(value.func, "value", None), "mixed", False)


def arguments(call: Call) -> Mapping[str, Expr]:
    """Bind a call's arguments to the parameters of its Python function, defaults included."""
    assert isinstance(call.func, Ref)
    signature = signature_of(call.func.value)
    kinds = {parameter.kind for parameter in signature.parameters.values()}
    if kinds & {inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD}:
        raise TypeError("*args and **kwargs are not differentiated")
    return _bound(call, signature)


def _bound(call: Call, signature: inspect.Signature) -> dict[str, Any]:
    """Bind a call's arguments; what *args takes is a tuple, and what **kwargs takes a dict."""
    rest = _rest_of(call, signature)
    if rest:
        whole = call.args[-1].args[0]  # type: ignore[union-attr]
        given = _bound(replace(call, args=call.args[:-1]), signature)
        return {**given, rest: Rest(Call(Ref("tuple", tuple), (whole,)))}
    if any(isinstance(arg, Op) and arg.op == "star" for arg in call.args):
        raise TypeError("what is starred is not known here")
    bound = signature.bind(*call.args, **dict(call.keywords))
    given = dict(bound.arguments)
    for name, parameter in signature.parameters.items():
        if name not in given and parameter.default is not parameter.empty:
            given[name] = _default(name, parameter.default)
    return given


def _rest_of(call: Call, signature: inspect.Signature) -> str:
    """Return the name of *args that takes all of what a call stars: total(x, *p)."""
    *first, last = (None, *call.args)
    stars = [isinstance(arg, Op) and arg.op == "star" for arg in (*first, last)]
    if not stars[-1] or any(stars[:-1]):
        return ""
    words = [name for name, _ in call.keywords]
    return takes_rest(signature.parameters.values(), len(first) - 1, words)


def _default(name: str, value: Any) -> Expr:
    literal = value is None or isinstance(value, bool | int | float | str)
    if type(value) is tuple and not value:
        return Op("tuple", ())
    return Const(value) if literal else Ref(f"{name}_default", value)


@by_rules(meanwhile=lambda function, normalise: False)
def gives_record(function: Any, normalise: Normalise) -> bool:
    """Tell whether a function returns a dict, named tuple or object that it makes."""
    if is_left_alone(function):
        return False
    try:
        normalise(function)
    except GivesRecord:
        return True
    except NoSource:
        return False
    except (S2sadError, RecursionError):
        pass
    return _returns_record(source_of(function))


def _returns_record(source: Source) -> bool:
    """Tell whether some `return` makes an object, where an option tells what is returned."""
    given = [part.value for part in nodes_of(source.tree) if isinstance(part, gast.Return)]
    found = [resolve_dotted(source, each.func) for each in given if isinstance(each, gast.Call)]
    return len(given) > 1 and any(each and makes_records(each[1]) for each in found)


@by_rules()
def can_be_read(function: Any, normalise: Normalise) -> bool:
    """Tell whether nothing in a function is in the way of lowering it."""
    if is_left_alone(function):
        return False
    try:
        normalise(function)
    except (S2sadError, RecursionError):
        return False
    return True


def refuse_what_hides(call: Call, node: Any, scope: Scope) -> None:
    """Refuse calls whose reads or writes the text does not show."""
    text = call.func.text if isinstance(call.func, Ref) else ""
    if text in ("eval", "exec", "locals", "vars", "globals"):
        raise Unsupported(
            f"{text} reads names that the text does not show",
            scope.span(node),
            "Write out what it computes.",
        )
    if any(name == "out" and not scope.is_none(value) for name, value in call.keywords):
        raise Unsupported(
            "out= is not differentiated",
            scope.span(node),
            "Assign the result: y[...] = np.multiply(a, b).",
        )
    if not text.startswith(PREFIX):
        return
    names = [each.name for each in parameters_of(call.func)]
    for name, value in (*zip(names, call.args, strict=False), *call.keywords):
        if _overwrites(name, value):
            raise Unsupported(
                f"{name}= lets {text} write where it is not seen",
                scope.span(node),
                "Leave it out.",
            )


def _overwrites(keyword: str, value: Expr) -> bool:
    if keyword.startswith("overwrite_"):
        return value != Const(False)
    return keyword == "output" and isinstance(value, Var)


def lower_call(
    call: Call, node: Any, scope: Scope, nested: bool, lower: Lower, normalise: Normalise
) -> Expr:
    """Return the call itself, or the value it returns when it had to be lowered in place."""
    refuse_what_hides(call, node, scope)
    if not is_python(call.func) or _is_of_scipy(call.func):
        return call
    call = renewed(call, node, scope, normalise)
    if any(part is call.func.value for part in scope.active_calls):  # type: ignore[union-attr]
        return _again(call, node, scope, nested, lower, normalise)
    assert isinstance(call.func, Ref)
    function = call.func.value
    checked_mark(call, scope.span(node))
    if is_generator(function):
        refuse_writing(function)
        return call
    if is_known(call) or custom_of(function):
        return call
    if goes_far(function):
        if seems_to_write(function):
            raise far(function, scope.span(node))
        return call
    starred = scope.opens_here(node) and _rest_of(call, signature_of(function))
    if not nested and (starred or chooses(call)):
        return in_place(function, call, node, scope, lower)
    drawing = draws_inside(function) and can_be_read(function, normalise)
    if not drawing and not written_by(function, normalise):
        if scope.doubts and not nested and _may_give_back(function):
            return in_place(function, call, node, scope, lower)
        return _given_back(call, normalise)
    if (nested or len(scope.active_calls) > DEPTH) and drawing:
        raise WritesInside(
            f"{call.func.text} draws random numbers inside an expression or a test",
            scope.span(node),
            "Call it in a statement of its own.",
        )
    if nested or len(scope.active_calls) > DEPTH:
        raise WritesInside(
            f"{call.func.text} changes its argument inside an expression or a test",
            scope.span(node),
            "Call it in a statement of its own.",
        )
    return in_place(function, call, node, scope, lower)


def _is_of_scipy(func: Expr) -> bool:
    """Tell whether a function is one of SciPy's, which write to nothing they are given."""
    return isinstance(func, Ref) and func.text.startswith(PREFIX)


def _again(
    call: Call, node: Any, scope: Scope, nested: bool, lower: Lower, normalise: Normalise
) -> Expr:
    """Return what a call gives of a function that is being lowered: it calls itself.

    One that was given an object goes on in place, as through its parts: down to those which are
    nothing, or a number.
    """
    function: Any = call.func.value  # type: ignore[union-attr]
    if scope.active_calls[-1] is function and not nested and has_object(scope):
        go_deeper(function, call, node, scope)
        return in_place(function, call, node, scope, lower)
    if function is scope.active_calls[0]:
        return call
    if can_be_read(function, normalise) and not written_by(function, normalise):
        return call
    raise writes_and_recurs(function, scope.span(node))


def writes_and_recurs(function: Any, where: Span) -> Unsupported:
    """Return the refusal of a function that writes to what it is given, or draws, and calls itself."""
    told = "draws random numbers" if draws_inside(function) else "writes to what it is given"
    return Unsupported(
        f"{function.__name__} {told}, and calls itself",
        where,
        "Let it return what it makes, or write it as a loop.",
    )


def _may_give_back(function: Any) -> bool:
    """Tell whether a function's result may be an argument, or a part of one."""
    from s2sad.legacy.handed import handed_back  # which lowers the function

    handed = handed_back(function)
    return handed is None or bool(handed.whole)


def _given_back(call: Call, normalise: Normalise) -> Expr:
    """Return the argument itself where a function does nothing but to give it back."""
    assert isinstance(call.func, Ref)
    if is_left_alone(call.func.value):
        return call
    try:
        program = normalise(call.func.value)
        given = arguments(call)
    except (S2sadError, RecursionError, TypeError):
        return call
    result = program.result
    if program.body or not isinstance(result, Var):
        return call
    return given.get(result.slot, call)


def in_place(function: Any, call: Call, node: Any, scope: Scope, lower: Lower) -> Expr:
    try:
        source, given = gathered(source_of(function), _bound(call, signature_of(function)))
    except TypeError as error:
        raise Unsupported(
            f"this call cannot be followed: {error}",
            scope.span(node),
            "Give it the arguments that it takes, each written out.",
        ) from error
    _refuse_kept_defaults(function, given, node, scope)
    inner = scope.inside(function, source, source.locals, node)
    _bind(given, inner, node, scope)
    result = lowered(function, lambda: lower(source, inner), scope.span(node))
    if not isinstance(scope.held.statics.get(getattr(result, "slot", "")), Function):
        left(inner, scope)
    return result


def _refuse_kept_defaults(
    function: Any, given: Mapping[str, Expr], node: Any, scope: Scope
) -> None:
    """Refuse a call in which a function changes a default of its own: `seen=[]` lasts."""
    for name, value in given.items():
        lasts = isinstance(value, Ref) and value.text == f"{name}_default"
        if lasts and isinstance(value.value, MUTABLE) and name in shown_writes(function):  # type: ignore[union-attr]
            raise Unsupported(
                f"what {function.__name__} gives depends on how often it was called: it changes "
                f"the default of {name}",
                scope.span(node),
                f"Give it {name}=None, and let it make a new one.",
            )


def _bind(given: Mapping[str, Expr], inner: Scope, node: Any, scope: Scope) -> None:
    """Give the parameters their values; some stand for a name of the caller from then on."""
    rebound = _stored_names(inner.source.tree)
    # a function that is returned keeps what it was made with
    kept = gives_function(inner.source.tree)
    shared: set[str] = set()
    for param, value in given.items():
        made = _as_made(value, scope)
        known = scope.held.statics.get(value.slot) if isinstance(value, Var) else None
        if isinstance(known, Function):
            inner.hold(param, known)
            continue
        if isinstance(made, Opaque) and isinstance(made.node, gast.Lambda):
            from s2sad.legacy.statics.functions import (
                made as function_made,  # which asks this module
            )

            inner.hold(param, function_made(made.node, param, scope))
            continue
        named = isinstance(value, Var) and scope.held.values.get(value.slot) == value
        if named and param not in rebound and not kept and value.slot not in shared:
            inner.slots[param] = value.slot
            shared.add(value.slot)
        else:
            give(inner, param, value, scope.span(node), made)


def _as_made(value: Expr, scope: Scope) -> Expr:
    """Return the subscript that a temporary was just made as: helper(u[1:]) writes to u."""
    made = reversed(scope.out) if isinstance(value, Var) and is_temp(value.slot) else ()
    for stmt in made:
        if isinstance(stmt, Assign) and not stmt.unpack and stmt.target == value:
            return stmt.value
    return value


def _stored_names(tree: Any) -> frozenset[str]:
    """Return the names that are bound anew somewhere in a function."""
    return frozenset(
        part.id
        for stmt in tree.body
        for part in nodes_of(stmt)
        if isinstance(part, gast.Name) and isinstance(part.ctx, gast.Store | gast.Del)
    )
