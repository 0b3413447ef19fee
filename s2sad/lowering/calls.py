"""Calls: what is called, with which arguments, and who answers.

f(u)            a function of the program, or its body in place: see `functions`
Body(x, v)      an object: see `classes`
np.sum(u)       a call of a library: see `library`
zip(fs, gs)     a builtin on what is known: see `models`
"""

from __future__ import annotations

import types
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import gast
import numpy as np

from s2sad.ir.errors import NotYet, Refused, Unsupported
from s2sad.ir.expression import Expr, global_, is_of_libraries
from s2sad.ir.types import UNKNOWN, Array, Number, Other, Tuple
from s2sad.ir.types import Code as CodeType
from s2sad.lowering import (
    binding,
    classes,
    custom,
    demands,
    evaluation_order,
    functions,
    inner,
    items,
    iterables,
    lazies,
    library,
    methods,
    models,
    places,
    reflection,
    solvers,
    targets,
)
from s2sad.lowering.binding import Rest
from s2sad.lowering.evaluation_order import Thunk
from s2sad.lowering.list_lengths import length_of_list
from s2sad.lowering.machine import Machine, closure_at, iterator, place_of, refusal, settled, stable
from s2sad.lowering.reflection import refuse_unseen_reads
from s2sad.lowering.typing import memory_of
from s2sad.lowering.values import (
    Bound,
    Closure,
    Code,
    Data,
    Fails,
    Keywords,
    Lazy,
    Method,
    Partial,
    Ref,
    Tup,
    Value,
    kept,
    literal,
    word_of,
)
from s2sad.operators.effects import is_made_by_library
from s2sad.prelude import sparse_functions
from s2sad.source.owners import is_own
from s2sad.source.trees import yields

# of what may be an array or a number: u.copy where u may be either
METHOD = Other(types.BuiltinMethodType)
# items of a list that a function of NumPy's is handed one by one, not as `*` of the list
MOST_ITEMS = 8


def evaluate(m: Machine, node: Any) -> Value:
    """Call a function with what its arguments evaluate to."""
    if isinstance(node.func, gast.Name) and node.func.id == "super":
        return _super(m, *map(m.evaluate, node.args))
    function, args, kwargs = handed(m, node)
    if m.leaving is not None:
        return literal(None)
    return call(m, function, args, kwargs, node)


def handed(m: Machine, node: Any) -> tuple[Value, list[Value], Keywords]:
    """Return what a call calls, with its arguments by position and by name."""
    found: list[Value] = []

    def function() -> Value:
        found.append(m.evaluate(node.func))
        return found[0]

    thunks: list[Thunk] = [function]
    thunks += [lambda a=a: _argument(m, a, found, node) for a in node.args]
    thunks += [lambda k=k: _keyword(m, k) for k in node.keywords]
    values = evaluation_order.in_order(m, *thunks)
    place_of(m, node)
    return (values[0], *_spread(m, node, values[1:]))


def _argument(m: Machine, argument: Any, found: list[Value], node: Any) -> Value:
    if isinstance(argument, gast.Starred):
        return _starred(m, argument.value, found[0], node)
    outer, m.is_handed = m.is_handed, isinstance(found[0], Code) and _is_library(found[0])
    try:
        return m.evaluate(argument)
    finally:
        m.is_handed = outer


def _keyword(m: Machine, keyword: Any) -> Value:
    value = m.evaluate(keyword.value)
    if keyword.arg is not None:
        return value
    entries = items.as_mapping(m, value)
    with _taken_apart(m, entries):
        return Tup(tuple(Tup(pair) for pair in items.dict_items(m, entries)))
    if isinstance(value, Data):
        demands.demand_structure(m, value)
    raise refused_star(m)


def _spread(m: Machine, node: Any, values: list[Value]) -> tuple[list[Value], dict[str, Value]]:
    """Return the arguments of a call with what is starred taken apart."""
    args: list[Value] = []
    for a, value in zip(node.args, values, strict=False):
        is_spread = isinstance(a, gast.Starred) and isinstance(value, Tup)
        args.extend(value.parts if is_spread and value.cls is not Rest else [value])
    kwargs: dict[str, Value] = {}
    for k, value in zip(node.keywords, values[len(node.args) :], strict=True):
        if k.arg is not None:
            kwargs[k.arg] = value
        elif isinstance(value, Tup):
            pairs = [m.parts_of(pair) for pair in value.parts]
            kwargs.update({demands.need(m, key): each for key, each in pairs})
    return args, kwargs


def _starred(m: Machine, argument: Any, function: Value, node: Any) -> Value:
    """Return what `*` spreads: parts, or for a library data as it stands."""
    value = iterables.opened(m, m.evaluate(argument))
    if isinstance(value, Lazy):
        value = targets.collected(m, value)
    if isinstance(value, Data) and value.expr.op not in ("tuple", "list"):
        if _is_repeated(value):
            with suppress(NotYet):
                return Tup(tuple(m.parts_of(value)))
        takes_all = _is_library(function) and not _is_of_few(function, value)
        if isinstance(function, Method):
            demands.demand_open(m, value.origins, "structure")  # u.reshape(*shape)
        if isinstance(function, Method) or (
            isinstance(function, Code) and is_of_libraries(global_("", function.obj))
        ):
            demands.ask_for_slots(m, value)  # how many there are decides about the result
            count = length_of_list(m.block, value.expr, m.context)
            if count is not None and not count.terms and count.constant <= MOST_ITEMS:
                return Tup(tuple(targets.unpacked(m, value, count.constant)))
        if takes_all and iterables.is_plain_iterable(m, value):
            return Data(Expr("starred", (value.expr,), "*", value.type), value.origins)
    with _taken_apart(m, value):
        return Tup(tuple(m.parts_of(value)))
    if isinstance(value, Data) and _is_all_the_rest(function, node):
        return Tup((m.call_global("tuple", tuple, [value]),), Rest)
    if isinstance(value, Data) and (count := _taken(function, node)) is not None:
        return Tup(tuple(targets.unpacked(m, value, count)))
    if isinstance(value, Data) and not _is_library(function):
        demands.ask_for_slots(m, value)  # defaults stand for those that are left out
    raise refused_star(m)


def _is_repeated(value: Data) -> bool:
    """Tell whether a value is a display so many times: [Q] * 2."""
    operands = value.expr.args if value.expr.op == "binary" and value.expr.data == "*" else ()
    return any(each.op in ("list", "tuple") for each in operands)


@contextmanager
def _taken_apart(m: Machine, value: Value) -> Iterator[None]:
    """Take apart what is starred; where that does not tell its parts, ask what would."""
    try:
        yield
    except NotYet:
        if isinstance(value, Data):
            demands.ask(m, value)


def refused_star(m: Machine) -> Refused:
    """Return the refusal of a call whose starred arguments cannot be told one by one."""
    error = Unsupported(
        "this call cannot be followed: what is starred is not known here",
        m.span,
        "Write its arguments out. Of a tuple, list or dict that is an argument give an example: "
        "like=(...).",
    )
    error.certain = False
    return Refused(error)


def _is_all_the_rest(function: Value, node: Any) -> bool:
    """Tell whether what is starred, the last argument, is all that `*args` of a function takes."""
    if not isinstance(function, Closure) or function.node.args.vararg is None:
        return False
    place = len(function.node.args.posonlyargs) + len(function.node.args.args)
    return len(node.args) == place + 1 and isinstance(node.args[place], gast.Starred)


def _taken(function: Value, node: Any) -> int | None:
    """Return how many arguments of a call the one that is starred stands for, if that is fixed."""
    if isinstance(function, Bound):
        count = _taken(function.func, node)
        return None if count is None else count - 1
    if isinstance(function, Code) and isinstance(function.obj, np.ufunc):
        return function.obj.nin - (len(node.args) - 1)
    if not isinstance(function, Closure) or any(k.arg is None for k in node.keywords):
        return None
    spec = function.node.args
    is_one_of_several = sum(isinstance(arg, gast.Starred) for arg in node.args) > 1
    if spec.vararg is not None or function.defaults or is_one_of_several:
        return None
    names = {a.id for a in (*spec.posonlyargs, *spec.args)}
    return len(names - {k.arg for k in node.keywords}) - (len(node.args) - 1)


def _is_of_few(function: Value, value: Data) -> bool:
    """Tell whether a function takes a number of arguments that is known, or is given one."""
    few = isinstance(function, Code) and isinstance(function.obj, np.ufunc)
    return few or isinstance(value.type, Tuple)


def _is_library(function: Value) -> bool:
    if isinstance(function, Method):
        return True
    if not isinstance(function, Code):
        return False
    return not (isinstance(function.obj, type) and is_own(function.obj))


def _super(m: Machine, cls: Value | None = None, owner: Value | None = None) -> Value:
    """Return what stands for the classes above the one of a method, or of `super(Body, self)`."""
    if isinstance(cls, Code) and isinstance(cls.obj, type) and owner is not None:
        return Lazy("super", (owner,), cls.obj)
    place: int | None = m.frame
    while place is not None:
        cell = m.heap[place]
        closure = closure_at(m, place)
        if closure.owner is not None and closure.node.args.args:
            first = cell.slots[closure.node.args.args[0].id]
            return Lazy("super", (first,), closure.owner)
        place = cell.parent
    raise refusal(m, "super() outside of a method")


# ---------------------------------------------------------------------------- who answers


def call(m: Machine, function: Value, args: list[Value], kwargs: Keywords, node: Any) -> Value:
    """Call a value; what the call does may be still to be done."""
    if isinstance(function, Code | Method | Data):
        args = lazies.handed_to(m, function, args)
    match function:
        case Closure():
            return call_closure(m, function, args, kwargs)
        case Bound(func=Code(obj=str() as word)):
            return methods.of_structure(m, word, function.owner, args, kwargs, node)
        case Bound():
            return call(m, function.func, [function.owner, *args], kwargs, node)
        case Partial():
            both = {**function.kwargs, **kwargs}
            return call(m, function.func, [*function.args, *args], both, node)
        case Method():
            return m.call_method(function.owner, function.name, args, kwargs, node)
        case Code():
            return _call_code(m, function, args, kwargs, node)
        case Tup() if any("__call__" in vars(base) for base in function.cls.__mro__):
            return call(m, m.attribute(function, "__call__"), args, kwargs, node)
        case Ref():
            return call(m, m.attribute(function, "__call__"), args, kwargs, node)
        case Data():
            return _call_data(m, function, args, kwargs, node)
    raise refusal(m, f"a call of {word_of(function)}")


def called(m: Machine, function: Value, args: list[Value], kwargs: Keywords, node: Any) -> Value:
    """Call a value; what the call does has been done."""
    return settled(m, call(m, function, args, kwargs, node))


def _call_data(m: Machine, function: Data, args: list[Value], kwargs: Keywords, node: Any) -> Value:
    if reflection.is_object(m, function):
        method = m.attribute(function, "__call__")
        return call(m, method, args, kwargs, node)
    known = function.known
    if known is not None and callable(known.value):
        lifted = m.lift(known.value, function.expr)
        if not isinstance(lifted, Data):
            return call(m, lifted, args, kwargs, node)
    if function.expr.op == "attribute" and function.type in (UNKNOWN, METHOD):
        owner = Data(function.expr.args[0], function.origins)
        if not reflection.is_object(m, owner):
            return m.call_method(owner, function.expr.data, args, kwargs, node)
    is_known = is_made_by_library(function.expr)
    if is_known and function.expr.op == "attribute":  # a field that holds it, no method
        function = m.to_data(stable(m, function, function.expr.data))
    held = memory_of(m, function.type)
    is_list = held is not None and (held.kind != "fields" or held.cls in (list, dict))
    if is_list or isinstance(function.type, Array | Number | Tuple):
        raise Fails("what is called here is no function", m.span, raised=TypeError)
    if not is_known and (isinstance(function.type, CodeType) or function.origins):
        demands.need(m, function)
    return library.call_library(m, function.expr, args, kwargs)


def _call_code(m: Machine, function: Code, args: list[Value], kwargs: Keywords, node: Any) -> Value:
    """Call a class, builtin or library function."""
    obj = function.obj
    refuse_unseen_reads(m, obj, bool(args))
    if obj is inner.gradient:
        return inner.call(m, args, kwargs)
    derivative = inner.taken(m, obj, args, kwargs)
    if derivative is not None:
        return derivative
    solution = solvers.called(m, function, args, kwargs)
    if solution is not None:
        return solution
    answer = models.answered(m, obj, args, kwargs, node)
    if answer is not None:
        return answer
    if isinstance(obj, type) and (is_own(obj) or classes.is_named_tuple(obj)):
        return classes.construct(m, obj, args, kwargs, node)
    slots = types.WrapperDescriptorType | types.MethodDescriptorType | types.FunctionType
    if isinstance(obj, slots) and args and getattr(obj, "__objclass__", None) is object:
        return _of_object(m, obj, args)
    return library.call_library(m, reflection.code_expr(m, function), args, kwargs)


def _of_object(m: Machine, obj: Any, args: list[Value]) -> Value:
    if obj is object.__init__:
        return literal(None)
    if obj.__name__ == "__setattr__":
        places.set_field(m, args[0], demands.need(m, args[1]), args[2])
        return literal(None)
    raise refusal(m, f"object.{obj.__name__}")


# ---------------------------------------------------------------------------- own functions


def call_closure(m: Machine, closure: Closure, args: list[Value], kwargs: Keywords) -> Value:
    """Call a function of the user's: its own function of the program, or its body here."""
    args, kwargs = [kept(a) for a in args], {k: kept(v) for k, v in kwargs.items()}
    chosen = library.choices_of_numbers(m, closure, args, kwargs)
    if chosen is not None:
        return chosen
    bound = binding.bind(m, closure, args, kwargs)
    derivatives = custom.derivatives_of(closure)
    if derivatives is not None:
        return custom.call(m, closure, bound, derivatives)
    if yields(closure.node):
        return iterator(m, "generator", (closure, Ref(functions.enter(m, closure, bound))))
    if isinstance(closure.node, gast.AsyncFunctionDef):
        raise refusal(m, f"{closure.name} is an async function")
    # matrices stay the structures that they are
    if sparse_functions.is_of_sparse_module(closure.module):
        bound = {param: library.in_parts(m, value) for param, value in bound.items()}
        return functions.inlined(m, closure, bound)
    if not isinstance(closure.node, gast.Lambda):
        found = functions.own(m, closure, bound)
        if found is not None:
            return found
    if closure.remembers:
        raise refusal(m, "a function that remembers its results")
    return functions.inlined(m, closure, bound)
