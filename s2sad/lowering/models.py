"""What Python's own functions do with what is known while lowering.

zip(fs, u)           an iterator over a known list beside data
isinstance(u, float) False, where the type of u says so

A model returns None where all is data: then the call stands in the program as it was written.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Callable
from functools import partial
from typing import Any

import gast
import numpy as np

from s2sad.ir.errors import Unsupported
from s2sad.ir.expression import Expr, Role, calls, global_
from s2sad.ir.records import replace
from s2sad.ir.types import (
    NONE,
    UNKNOWN,
    Array,
    Number,
    Numeric,
    Other,
    Reference,
    Sequence,
    Tuple,
    Unknown,
    is_float,
)
from s2sad.lowering import (
    attributes,
    builders,
    comprehend,
    demands,
    displays,
    items,
    iterables,
    iterate,
    lazies,
    library,
    marks,
    operations,
    places,
    reflection,
    sets,
    targets,
)
from s2sad.lowering.machine import Machine, iterator, refusal, site_or_none
from s2sad.lowering.typing import item_type
from s2sad.lowering.values import (
    Code,
    Data,
    Fails,
    Fields,
    Keywords,
    Lazy,
    Method,
    Ref,
    Tup,
    Value,
    kept,
    literal,
    made_again,
    origins_of,
)
from s2sad.operators.marks import no_grad, of_one_kind, on_adjoint
from s2sad.operators.schedules import asked as schedule_asked
from s2sad.operators.schedules import checkpointed
from s2sad.prelude import mappings, ordering

Args = list[Value]
Model = Callable[[Machine, Args, Keywords, Any], Value | None]


def answered(m: Machine, obj: Any, args: Args, kwargs: Keywords, node: Any) -> Value | None:
    """Return what a builtin gives, by a method of its first argument or by its model; or None."""
    try:
        method, model = METHODS.get(obj), MODELS.get(obj) or builders.BUILDERS.get(obj)
        is_at_once = obj in AT_ONCE
    except TypeError:  # what cannot be hashed
        return None
    if is_at_once and any(map(items.is_reversed, args)):
        return m.call(Code(obj), [items.reversed_at_once(m, arg) for arg in args], kwargs, node)
    if method is not None and args and reflection.means(m, args[0], method):
        return m.called(m.attribute(args[0], method), args[1:], kwargs, node)
    return None if model is None else model(m, args, kwargs, node)


# what goes through all items where it is called
AT_ONCE = (sum, max, min, tuple, math.fsum, math.prod)


def _is_plain(m: Machine, args: list[Value]) -> bool:
    """Tell whether arguments are data that builtins may go through."""
    return all(iterables.is_plain_iterable(m, arg) for arg in args)


def call(m: Machine, word: str, obj: Any, args: Args, kwargs: Keywords | None = None) -> Data:
    found = library.call(m, global_(word, obj), args, kwargs or {})
    return replace(found, origins=found.origins | origins_of(args))


# ---------------------------------------------------------------------------- iterables


def _zip(m: Machine, args: Args, kwargs: Keywords, node: Any) -> Value | None:
    strict = kwargs.get("strict")
    if kwargs and (strict is None or len(kwargs) > 1):
        return None
    args = [iterables.of_object(m, each) for each in args]

    def later() -> Lazy:
        return iterator(m, "zip", tuple(args), kwargs)

    if not _is_plain(m, args):
        return later()
    return replace(iterate.zipped(m, args, kwargs), later=later)


def _enumerate(m: Machine, args: Args, kwargs: Keywords, node: Any) -> Value | None:
    start = args[1] if len(args) > 1 else kwargs.get("start", literal(0))
    args = [iterables.of_object(m, args[0]), *args[1:]]

    def later() -> Lazy:
        return iterator(m, "enumerate", (args[0], start), tuple(kwargs))

    if _is_plain(m, args[:1]):
        return replace(call(m, "enumerate", enumerate, args, kwargs), later=later)
    return later()


def _reversed(m: Machine, args: Args, kwargs: Keywords, node: Any) -> Value | None:
    if _is_plain(m, args):
        found = call(m, "reversed", reversed, args)
        # of a list it begins at the end that the list has now
        over = found.expr.args[1]
        may_grow = not _is_made_here(over, node) and isinstance(over.type, Reference | Unknown)
        later = lambda: iterator(m, "reversed", tuple(args))  # noqa: E731
        return found if may_grow else replace(found, later=later)
    return iterator(m, "reversed", tuple(args)) if iterables.is_listed(m, args[0]) else None


def _is_made_here(over: Expr, node: Any) -> bool:
    """Tell whether a list is made where a call reads it: nobody else has it."""
    if over.op in ("list", "comprehension") or calls(over, list) or calls(over, sorted):
        return True
    match node:
        case gast.Call(args=[gast.Call(func=gast.Name(id="list" | "sorted"))]):
            return over.op == "name" and over.data.role is Role.TERM
    return False


def _map(m: Machine, args: Args, kwargs: Keywords, node: Any) -> Value | None:
    made = iterator(m, "map", (args[0], *(iterables.of_object(m, each) for each in args[1:])))
    return made if len(args) > 2 else iterables.over_the_rest(m, made)


def _iter(m: Machine, args: Args, kwargs: Keywords, node: Any) -> Value | None:
    if isinstance(args[0], Data) and isinstance(args[0].type, Number):
        raise Fails("a number has no items", m.span, raised=TypeError)
    if m.is_tried and isinstance(getattr(args[0], "type", None), Numeric | Unknown):
        raise refusal(m, "iter of what may be a number")
    if _is_plain(m, args[:1]) and len(args) == 1:
        found = call(m, "iter", iter, args)
        return replace(found, later=lambda: iterator(m, "iter", tuple(args)))
    return args[0] if isinstance(args[0], Lazy) else None


def _list_or_tuple(
    function: Any, m: Machine, args: Args, kwargs: Keywords, node: Any
) -> Value | None:
    if args and (found := _listed_keys(function, m, args, kwargs, node)) is not None:
        return found
    args = [sets.as_items(m, library.of_plain_class(m, arg)) for arg in args]
    if args and _is_plain(m, args):
        demands.ask_for_items(m, args[0])
        return _listed_data(m, args[0], node) if function is list else None
    args = [_split_map(m, arg) for arg in args]
    if args and not iterables.is_listed(m, args[0]):
        made = m.listed(args[0])
        return made if function is list else call(m, "tuple", tuple, [made])
    parts = m.parts_of(args[0]) if args else []
    if function is tuple:
        return displays.tuple_of(m, parts)
    return displays.list_of(m, parts, site_or_none(m, node))


def _split_map(m: Machine, value: Value) -> Value:
    """Return map(f, state, slope) over items that are values of their own, where these are a few numbers."""
    if not isinstance(value, Lazy) or value.kind != "map":
        return value
    function, *over = value.parts
    if not all(isinstance(each, Data) and demands.may_be_split(m, each.expr) for each in over):
        return value
    for each in over:
        demands.ask_for_items_of_list(m, each)
    if any(items.fixed_length(m, each) is None for each in over):
        return value
    return replace(value, parts=(function, *(Tup(tuple(m.parts_of(each))) for each in over)))


def _listed_data(m: Machine, value: Value, node: Any) -> Value | None:
    """Return list(x.shape) as it is written, or its items where these are asked for."""
    if library.is_list_of_choices(value):
        return replace(value, later=None)  # under a name it is a list, not an iterator
    is_fixed = isinstance(value, Data) and isinstance(value.type, Tuple | Sequence)
    if not is_fixed or items.fixed_length(m, value) is None:
        return None
    origin = ("structure", site_or_none(m, node))
    if origin in m.choices:
        return displays.list_of(m, m.parts_of(value), origin[1])
    made = m.to_data(call(m, "list", list, [value]))
    return replace(made, origins=made.origins | {origin})


def _listed_keys(
    function: Any, m: Machine, args: Args, kwargs: Keywords, node: Any
) -> Value | None:
    """Return a list or tuple of the constant keys of a dict: as it is written, unless they are asked for."""
    found = displays.constant_keys(m, args[0]) if len(args) == 1 else None
    if found is None:
        return None
    options = {key: demands.need(m, value) for key, value in kwargs.items()}
    origin = ("structure", site_or_none(m, node))
    if origin not in m.choices:
        return replace(
            call(m, function.__name__, function, args, kwargs), origins=frozenset({origin})
        )
    parts: list[Value] = [literal(key) for key in function(found, **options)]
    return Tup(tuple(parts)) if function is tuple else displays.list_of(m, parts, origin[1])


def as_dict(m: Machine, args: Args, kwargs: Keywords, node: Any) -> Value:
    """Return a dict; of what is data, the call as it was written, unless its keys are asked for."""
    pairs: list[tuple[Value, Value]] = []
    if args:
        first = items.as_mapping(m, args[0])
        if first is not args[0] and not kwargs:
            return first
        plain = all(displays.is_plain(m, value) for value in kwargs.values())
        if isinstance(first, Data) and _is_plain(m, args) and plain:
            if displays.constant_keys(m, first) is None and not _is_display_of_pairs(m, first):
                if kwargs or operations.is_dict(m, first):
                    return call(m, "dict", dict, args, kwargs)
                return m.call(m.lift(mappings.paired, None), args, {}, node)
            first = kept(first)
        if isinstance(first, Fields) or operations.is_dict(m, first):
            pairs = items.dict_items(m, first)
        else:
            found = [m.parts_of(pair) for pair in m.parts_of(first)]
            pairs = [(key, value) for key, value in found]
        for key in (key for key, _ in pairs if isinstance(key, Data) and key.known is None):
            demands.demand_open(m, key.origins, "structure")
    pairs += [(literal(key), value) for key, value in kwargs.items()]
    return displays.dict_of(m, pairs, site_or_none(m, node))


def _is_display_of_pairs(m: Machine, value: Data) -> bool:
    """Tell whether data is a list or tuple of pairs that is written out: its keys may be known."""
    if operations.is_dict(m, value):
        return False
    count = items.fixed_length(m, value)
    if count is None:
        demands.demand_open(m, value.origins, "structure")
    return count is not None


def _set(m: Machine, args: Args, kwargs: Keywords, node: Any) -> Value | None:
    if args and _is_plain(m, args):
        return None
    made = call(m, "set", set, [m.listed(each) for each in args])
    return replace(made, expr=made.expr.typed(Other(set)))


def _sum(m: Machine, args: Args, kwargs: Keywords, node: Any) -> Value | None:
    tests = _known_items(m, args[0]) if len(args) == 1 and not kwargs else None
    if tests is not None and all(isinstance(test, bool) for test in tests):
        return literal(sum(tests))
    of_list = isinstance(args[0], Data) and isinstance(args[0].type, Reference)
    is_object = reflection.is_object(m, args[0])
    if of_list and not is_object and reflection.holds_objects(m, args[0].type):
        total = ordering.total_of if len(args) > 1 or kwargs else ordering.total_of_objects
        return m.call(m.lift(total, None), args, kwargs, node)
    if _is_view_of_few(m, args[0]):
        args = [Tup(tuple(m.parts_of(args[0]))), *args[1:]]
    is_spelled = len(args) == 1 or (of_list and args[0].expr.op == "name")
    if _is_plain(m, args[:1]) and not kwargs and is_spelled:
        return None
    if not iterables.is_listed(m, args[0]):
        return m.call(m.lift(ordering.total_of, None), args, kwargs, node)
    start = args[1] if len(args) > 1 else kwargs.get("start")
    return _folded("+", literal(0), start, m.parts_of(args[0]), m, node)


def _is_view_of_few(m: Machine, value: Value) -> bool:
    """Tell whether a value is what a dict with a few constant keys holds: d.values()."""
    found = displays.viewed(m, value)
    count = None if found is None else items.fixed_length(m, found[0])
    return (
        found is not None and found[1] == "values" and count is not None and count <= iterate.SHORT
    )


def _product(m: Machine, args: Args, kwargs: Keywords, node: Any) -> Value | None:
    if _is_plain(m, args):
        return None
    over = args[0]
    if isinstance(over, Lazy) and not iterables.is_listed(m, over):
        over = targets.collected(m, over)
    if isinstance(over, Tup) or iterables.is_listed(m, over):
        return _folded("*", literal(1), kwargs.get("start"), m.parts_of(over), m, node)
    return call(m, "math.prod", math.prod, [over], kwargs)


def _folded(
    symbol: str, neutral: Value, start: Value | None, parts: list[Value], m: Machine, node: Any
) -> Value:
    """Return what an operator makes of values one after the other: 0 + u is u, for floats."""
    first = parts[0].type if parts and isinstance(parts[0], Data) else None
    is_new = len(parts) > 1 or isinstance(first, Number)
    if start is None and first is not None and is_new and is_float(first):
        start, *parts = parts
    made = neutral if start is None else start
    for part in parts:
        made = m.binary(symbol, made, part, node)
    return made


def _any_or_all(function: Any, m: Machine, args: Args, kwargs: Keywords, node: Any) -> Value | None:
    if _is_known_of_each(args[0], function is all):
        return literal(function is all)
    made = node.args[0] if isinstance(node, gast.Call) and node.args else None
    known = comprehend.known_tests(m, made)
    if known is None:
        known = _known_items(m, args[0])
    if known is not None:
        return literal(function(known))
    if _is_plain(m, args) and not is_of_objects(m, args[0]):
        return None
    if iterables.is_listed(m, args[0]):
        tests = [operations.flag(m, m.truth(p)) for p in m.parts_of(args[0])]
        return operations.all_of(m, tests, "or" if function is any else "and", function is all)
    # items behind the one that tells are not made
    own = ordering.any_of if function is any else ordering.all_of
    return m.call(m.lift(own, None), args, {}, None)


def _known_items(m: Machine, over: Value) -> list[Any] | None:
    """Return the items of a list or tuple that is written out where all are known, else None."""
    display = library.in_parts(m, over)
    parts = display.parts if isinstance(display, Tup) else ()
    known = [part.known.value for part in parts if isinstance(part, Data) and part.known]
    return known if 0 < len(known) == len(parts) else None


def _is_known_of_each(over: Value, wanted: bool) -> bool:
    """Tell whether all tests of a comprehension come out as one that tells nothing to `any` or `all`."""
    if not isinstance(over, Data) or over.expr.op != "comprehension":
        return False
    known = over.expr.args[0].known
    return known is not None and bool(known.value) is wanted


def _bool(m: Machine, args: Args) -> Value | None:
    """Return what the class of an object says of its truth, as one of two flags."""
    if len(args) != 1 or not reflection.is_object(m, args[0]):
        return None
    return operations.flag(m, m.truth(args[0]))


def _extreme(obj: Any, m: Machine, args: Args, kwargs: Keywords, node: Any) -> Value | None:
    over = args[0] if len(args) == 1 else Tup(tuple(args))
    if not (_is_plain(m, args) or isinstance(over, Tup) or "key" in kwargs):
        is_listed = iterables.is_listed(m, over)
        parts = m.parts_of(over) if is_listed else []
        over = Tup(tuple(parts)) if is_listed else m.listed(over)
    if kwargs or _has_own_order(m, over):
        function = ordering.max_by if obj is max else ordering.min_by
        return m.call(m.lift(function, None), [over], kwargs, node)
    if over is args[0] or len(args) > 1:
        return None
    is_display = isinstance(over, Tup) and len(over.parts) > 1
    return call(m, obj.__name__, obj, list(over.parts) if is_display else [over], kwargs)


def is_of_objects(m: Machine, over: Value) -> bool:
    """Tell whether the items of data are objects: their classes say what is true, or less."""
    return reflection.is_object(m, _item_of(m, over))


def _has_own_order(m: Machine, over: Value) -> bool:
    """Tell whether the items of something are tuples or objects: which is less is asked of each two."""
    parts = over.parts if isinstance(over, Tup) else (_item_of(m, over),)
    return any(
        isinstance(getattr(part, "type", part), Tuple | Tup) or reflection.is_object(m, part)
        for part in parts
    )


def _item_of(m: Machine, over: Value) -> Data:
    """Return what stands for any item of data."""
    return Data(Expr("name", (), None, item_type(m, getattr(over, "type", UNKNOWN))))


def _sorted(m: Machine, args: Args, kwargs: Keywords, node: Any) -> Value | None:
    key = kwargs.get("key")
    if isinstance(key, Method):
        return None
    none = isinstance(key, Data) and key.known is not None and key.known.value is None
    if key is not None and not none:
        return m.call(m.lift(ordering.sorted_by, None), args, kwargs, node)
    if (found := _listed_keys(sorted, m, args, kwargs, node)) is not None:
        return found
    args = [sets.as_items(m, arg) for arg in args]
    if _is_plain(m, args) and not is_of_objects(m, args[0]):
        if not isinstance(args[0], Data) or not isinstance(args[0].type, Array | Numeric):
            return None
        args = [call(m, "list", list, args)]  # of its elements, whose adjoints are added to it
        return call(m, "sorted", sorted, args, kwargs)
    if iterables.is_listed(m, args[0]):
        parts = m.parts_of(args[0])
        known = [p for p in parts if isinstance(p, Data) and p.known is not None]
        if len(known) == len(parts):
            is_reversed = demands.need(m, kwargs.get("reverse", literal(False)))
            ordered = sorted(known, key=lambda part: part.known.value, reverse=is_reversed)
            return displays.list_of(m, ordered, site_or_none(m, node))
        are_objects = any(reflection.is_object(m, part) for part in parts)
        items: Value = Tup(tuple(parts))
    else:
        items = m.listed(args[0])
        are_objects = is_of_objects(m, items)
    if are_objects:
        return m.call(m.lift(ordering.sorted_objects, None), [items], kwargs, node)
    return call(m, "sorted", sorted, [items], kwargs)


def _next(m: Machine, args: Args, kwargs: Keywords, node: Any) -> Value | None:
    over = kept(args[0])
    return lazies.next_item(m, over, args[1] if len(args) > 1 else None)


def _len(m: Machine, args: Args, kwargs: Keywords, node: Any) -> Value | None:
    if isinstance(args[0], Code) and isinstance(args[0].obj, enum.EnumMeta):
        return literal(len(args[0].obj))
    return literal(len(m.parts_of(args[0]))) if isinstance(args[0], Tup | Ref) else None


# ---------------------------------------------------------------------------- kinds, attributes


def _isinstance(m: Machine, args: Args, kwargs: Keywords, node: Any) -> Value | None:
    kinds = _flat(demands.need(m, args[1]))
    is_iterator = isinstance(args[0], Lazy) and args[0].kind != "view"
    if is_iterator and all(hasattr(kind, "__len__") for kind in kinds):
        return literal(False)
    possible = reflection.possible_classes(m, args[0])
    answers = {issubclass(cls, kinds) for cls in possible}
    if len(answers) == 1:
        return literal(answers.pop())
    is_object = bool(answers) and reflection.is_object(m, args[0])
    return attributes.is_of(m, args[0], kinds) if is_object else None


def _flat(kinds: Any) -> tuple[Any, ...]:
    if not isinstance(kinds, tuple):
        return (kinds,)
    return tuple(each for kind in kinds for each in _flat(kind))


def _issubclass(m: Machine, args: Args, kwargs: Keywords, node: Any) -> Value | None:
    cls, kinds = demands.need(m, args[0]), _flat(demands.need(m, args[1]))
    return literal(issubclass(cls, kinds)) if isinstance(cls, type) else None


def _type(m: Machine, args: Args, kwargs: Keywords, node: Any) -> Value | None:
    cls = None if len(args) > 1 else reflection.python_class(m, args[0])
    return None if cls is None else m.lift(cls, None)


def _callable(m: Machine, args: Args, kwargs: Keywords, node: Any) -> Value | None:
    value = args[0]
    if reflection.is_object(m, value):
        return literal(m.find(value, "__call__") is not None)
    if isinstance(value, Data):
        return None if value.type == UNKNOWN else literal(False)
    return literal(not isinstance(value, Tup | Lazy | Ref))


def _iterable(m: Machine, args: Args, kwargs: Keywords, node: Any) -> Value | None:
    if isinstance(args[0], Data | Tup | Lazy | Ref):
        return None
    return literal(isinstance(args[0], Code) and np.iterable(args[0].obj))


def _getattr(m: Machine, args: Args, kwargs: Keywords, node: Any) -> Value | None:
    wanted = demands.need(m, args[1])
    if len(args) < 3:
        return m.attribute(args[0], wanted)
    if isinstance(args[0], Data) and args[0].type == UNKNOWN and not args[0].origins:
        return None
    if isinstance(args[0], Data) and args[0].type == NONE and not hasattr(None, wanted):
        return args[2]
    if not attributes.is_certain(m, args[0], wanted):
        return _field_or(m, args, wanted)
    found = m.find(args[0], wanted)
    return args[2] if found is None else found


def _field_or(m: Machine, args: Args, wanted: str) -> Value:
    """Return a field where an object has it in this run, and else another value."""
    owner = m.to_data(args[0])
    demands.demand_structure(m, owner)
    value = m.to_data(m.attribute(owner, wanted))
    other = m.to_data(args[2])
    test = call(m, "hasattr", hasattr, [owner, literal(wanted)])
    type_ = m.memory.joined(value.type, other.type)
    return Data(Expr("conditional", (test.expr, value.expr, other.expr), None, type_))


def _hasattr(m: Machine, args: Args, kwargs: Keywords, node: Any) -> Value | None:
    if isinstance(args[0], Data) and args[0].type == UNKNOWN:
        return None
    wanted = demands.need(m, args[1])
    if isinstance(args[0], Data) and args[0].type == NONE:
        return literal(hasattr(None, wanted))
    if not attributes.is_certain(m, args[0], wanted):
        demands.demand_structure(m, m.to_data(args[0]))
        return call(m, "hasattr", hasattr, list(args))
    return literal(m.find(args[0], wanted) is not None)


def _setattr(m: Machine, args: Args, kwargs: Keywords, node: Any) -> Value | None:
    places.set_attribute(m, args[0], demands.need(m, args[1]), args[2])
    return literal(None)


def _vars(m: Machine, args: Args, kwargs: Keywords, node: Any) -> Value | None:
    return m.attribute(args[0], "__dict__") if args else None


def _str(m: Machine, args: Args, kwargs: Keywords, node: Any) -> Value | None:
    if not args or not reflection.is_object(m, args[0]):
        return None
    for method in ("__str__", "__repr__"):
        function = m.find(args[0], method)
        if function is not None:
            return m.called(function, [], {}, node)
    raise refusal(m, "the text of an object")


def _checkpointed(m: Machine, args: Args, kwargs: Keywords, node: Any) -> Value | None:
    """Give what a loop goes over, and note the schedule that it asks for."""
    given = {word: _option(m, value) for word, value in kwargs.items()}
    if len(args) != 1 or m.span is None:
        raise refusal(m, "checkpointed of what is no loop")
    m.marks[m.span.path, m.span.line] = schedule_asked(given.get("slots"), given.get("every"))
    return args[0]


def _option(m: Machine, value: Value) -> Any:
    """Return an option that is known while the derivative is made."""
    known = value.expr.known if isinstance(value, Data) else None
    if known is None:
        raise Unsupported.refused(
            "slots= and every= have to be known when the derivative is made",
            m.span,
            "Write numbers, or names of the module that hold them.",
        )
    return known.value


# the methods of objects that answer builtins
METHODS: dict[Any, str] = {
    **{each: f"__{each.__name__}__" for each in (len, iter, next, reversed, abs, round, divmod)},
    **{each: f"__{each.__name__}__" for each in (float, int, complex)},
}
MODELS: dict[Any, Model] = {
    checkpointed: _checkpointed,
    made_again: library.called_again,
    zip: _zip,
    enumerate: _enumerate,
    reversed: _reversed,
    map: _map,
    range: lambda m, args, kwargs, node: call(m, "range", range, args),
    iter: _iter,
    list: partial(_list_or_tuple, list),
    tuple: partial(_list_or_tuple, tuple),
    dict: as_dict,
    set: _set,
    sum: _sum,
    math.prod: _product,
    bool: lambda m, args, kwargs, node: _bool(m, args),
    any: partial(_any_or_all, any),
    all: partial(_any_or_all, all),
    max: partial(_extreme, max),
    min: partial(_extreme, min),
    sorted: _sorted,
    next: _next,
    len: _len,
    isinstance: _isinstance,
    issubclass: _issubclass,
    type: _type,
    callable: _callable,
    np.iterable: _iterable,
    getattr: _getattr,
    hasattr: _hasattr,
    setattr: _setattr,
    vars: _vars,
    str: _str,
    repr: _str,
    id: lambda m, args, kwargs, node: literal(args[0].id) if isinstance(args[0], Ref) else None,
    on_adjoint: marks.on_adjoint,
    of_one_kind: marks.of_one_kind,
    no_grad: marks.region,
}
