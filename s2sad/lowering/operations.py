"""Operators: arithmetic, comparisons, tests, choices; of objects, the methods that say what they mean.

u + v                   Data written u + v
p + q                   a call of Point.__add__
a if flag else b        a or b where the flag is known
"""

from __future__ import annotations

import dataclasses
import enum
import operator
from collections.abc import Callable
from typing import Any

import gast

from s2sad.ir.expression import Expr, Known
from s2sad.ir.records import replace
from s2sad.ir.symbols import BINARY, COMPARE, UNARY, of_nodes, words
from s2sad.ir.types import (
    UNKNOWN,
    Array,
    Number,
    Numeric,
    Optional,
    Other,
    Reference,
    Sequence,
    Tuple,
    is_integer,
)
from s2sad.lowering import (
    branches,
    demands,
    displays,
    evaluation_order,
    items,
    library,
    members,
    reflection,
    sets,
)
from s2sad.lowering.length_tests import decided_length_test
from s2sad.lowering.machine import Machine, named, place_of, refusal, site_of, stable
from s2sad.lowering.typing import has_slots, item_type, memory_of, reference
from s2sad.lowering.values import (
    BOOL,
    NONE,
    Code,
    Data,
    Fails,
    Fields,
    Lazy,
    Ref,
    Tup,
    Unjoinable,
    Value,
    all_data,
    is_atomic,
    is_late,
    is_none,
    is_several,
    literal,
    origins_of,
)
from s2sad.operators.guards import is_sparse
from s2sad.prelude import mappings
from s2sad.types.inference import differ_in_kind

SYMBOLS = of_nodes(gast)
SIGNS, WORDS, COMPARED = map(words, (UNARY, BINARY, COMPARE))
TURNED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le"}
# types of what is no code
OF_DATA = Array | Number | Numeric | Reference | Sequence | Tuple


def evaluate(m: Machine, node: Any) -> Value:
    """Return what an operator gives."""
    match node:
        case gast.BinOp():
            left, right = evaluation_order.in_order(
                m, lambda: m.evaluate(node.left), lambda: m.evaluate(node.right)
            )
            place_of(m, node)
            return binary(m, SYMBOLS[type(node.op)], left, right, node)
        case gast.UnaryOp():
            return _unary(m, node)
        case gast.Compare():
            return _compare(m, node)
        case gast.BoolOp():
            return _either(m, node)
    return _choice(m, node)


def binary(m: Machine, symbol: str, left: Value, right: Value, node: Any) -> Value:
    """Apply a binary operator, or the method that says what it means."""
    if symbol == "*" and _is_product_of_matrices(left, right):
        symbol = "@"
    word = WORDS[symbol]
    if _is_number(right):
        left = library.entries_of(m, left)
    elif _is_number(left):
        right = library.entries_of(m, right)
    if reflection.means(m, left, f"__{word}__") or reflection.means(m, right, f"__r{word}__"):
        return special(m, word, left, right, node)
    if isinstance(left, Tup) and isinstance(right, Tup) and symbol == "+":
        return Tup(left.parts + right.parts)
    if symbol == "*" and (repeated := _repeated(m, left, right)) is not None:
        return repeated
    structure = next((v for v in (left, right) if isinstance(v, Ref)), None)
    if structure is not None and symbol in ("+", "*"):
        return _of_structures(m, symbol, left, right, node)
    made = sets.combined(m, symbol, left, right)
    if made is not None:
        return made
    if symbol == "|" and is_dict(m, left) and is_dict(m, right):
        return _united(m, left, right, node)
    a, b = m.to_data(left), m.to_data(right)
    made = evaluation_order.operation(m, Expr("binary", (a.expr, b.expr), symbol), a, b)
    return _items_asked_for(m, symbol, a, b, made) or made


def _united(m: Machine, left: Value, right: Value, node: Any) -> Value:
    """Return a dict of the entries of two: as a display of them where the keys of the second are known."""
    is_known = isinstance(right, Ref) or displays.constant_keys(m, right) is not None
    if is_known and (isinstance(left, Ref) or displays.constant_keys(m, left) is not None):
        pairs = dict(_entries(m, left)) | dict(_entries(m, right))
        return displays.dict_of(m, list(pairs.values()), site_of(m, node))
    return m.call(m.lift(mappings.united, None), [left, right], {}, node)


def _entries(m: Machine, value: Value) -> list[tuple[Any, tuple[Value, Value]]]:
    """Return the items of a dict whose keys are known, by these."""
    return [(demands.need(m, key), (key, part)) for key, part in items.dict_items(m, value)]


def _is_product_of_matrices(left: Value, right: Value) -> bool:
    """Tell whether a star stands for a product of matrices: one is sparse, and no sparse array."""
    if not isinstance(left, Data) or not isinstance(right, Data):
        return False  # of an object the methods say what it means
    types = left.type, right.type
    classes = [each.cls for each in types if isinstance(each, Other) and is_sparse(each.cls)]
    is_of_matrix = any(cls is not None and not cls.__name__.endswith("_array") for cls in classes)
    return is_of_matrix and not any(isinstance(each, Number | Numeric) for each in types)


def _is_number(value: Value) -> bool:
    return isinstance(value, Data) and isinstance(value.type, Number)


def is_dict(m: Machine, value: Value) -> bool:
    """Tell whether a value is a dict, known or of the run."""
    if isinstance(value, Ref):
        return m.heap[value.id].kind == "dict"
    kept = memory_of(m, value.type) if isinstance(value, Data) else None
    return kept is not None and kept.cls is dict


def _items_asked_for(m: Machine, symbol: str, a: Data, b: Data, made: Data) -> Value | None:
    """Return the items of [1] * n or xs + ys, where these were asked for and their number is known."""
    found = reference(made.type)
    if found is None or ("structure", found.site) not in m.choices:
        return None
    if symbol == "+":
        for part in (a, b):
            if items.fixed_length(m, part) is None:
                demands.demand_structure(m, part)
                return None
        return displays.list_of(m, [*m.parts_of(a), *m.parts_of(b)], found.site)
    times, listed = (a, b) if _is_number(a) else (b, a)
    is_known = times.known is not None or demands.can_be_known(m, times)
    if symbol != "*" or not is_known or items.fixed_length(m, listed) is None:
        return None
    return displays.list_of(m, m.parts_of(listed) * demands.need(m, times), found.site)


def _repeated(m: Machine, left: Value, right: Value) -> Value | None:
    """Return a tuple that holds arrays again and again, (u,) * 2: each of them is one array."""
    whole, times = (left, right) if _is_tuple(left) else (right, left)
    count = times.known.value if isinstance(times, Data) and times.known is not None else None
    if not _is_tuple(whole) or type(count) is not int:
        return None
    parts = m.parts_of(whole)
    if all(isinstance(part, Data) and isinstance(part.type, Number) for part in parts):
        return None
    return Tup(tuple(stable(m, part, "item") for part in parts) * count)


def _is_tuple(value: Value) -> bool:
    """Tell whether a value is a tuple that is written out."""
    is_display = isinstance(value, Data) and value.expr.op == "tuple"
    return isinstance(value, Tup) or (
        is_display and all(e.op != "starred" for e in value.expr.args)
    )


def _of_structures(m: Machine, symbol: str, left: Value, right: Value, node: Any) -> Value:
    if symbol == "+":
        parts = m.parts_of(left) + m.parts_of(right)
        return displays.list_of(m, parts, site_of(m, node))
    times, cell = (left, right) if isinstance(right, Ref) else (right, left)
    count = demands.need(m, times)
    return displays.list_of(m, m.parts_of(cell) * count, site_of(m, node))


def special(
    m: Machine, word: str, left: Value, right: Value, node: Any, reflected: str = ""
) -> Value:
    """Call __add__ or __radd__."""
    both = ((f"__{word}__", left, right), (reflected or f"__r{word}__", right, left))
    for method, owner, other in both:
        if not reflection.means(m, owner, method):
            continue
        function = m.find(owner, method)
        if function is not None:
            result = m.call(function, [other], {}, node)
            if not _is_not_implemented(result):
                return result
    if word in ("eq", "ne"):
        same = left is right or branches.is_same_code(left, right)
        if same or isinstance(left, Ref) or isinstance(right, Ref):
            return literal(same == (word == "eq"))
        return _identical(m, left, right, word == "eq")
    raise Fails(f"its object has no operator {word}", m.span)


def _is_not_implemented(value: Value) -> bool:
    known = value.expr.data if isinstance(value, Data) and value.expr.op == "global" else None
    return known is not None and known.value is NotImplemented


def _unary(m: Machine, node: Any) -> Value:
    if isinstance(node.op, gast.Not):
        return flag(m, tested(m, node))
    value = m.evaluate(node.operand)
    place_of(m, node)
    symbol = SYMBOLS[type(node.op)]
    word = SIGNS[symbol]
    if reflection.means(m, value, f"__{word}__"):
        return m.call(m.attribute(value, f"__{word}__"), [], {}, node)
    operand = m.to_data(value)
    return evaluation_order.operation(m, Expr("unary", (operand.expr,), symbol), operand)


# ---------------------------------------------------------------------------- tests


def _refuse_several(m: Machine, *values: Value) -> None:
    if any(map(is_several, values)):
        raise refusal(m, "a test of what differs from pass to pass")


def tested(m: Machine, node: Any) -> Data:
    """Return an expression as a test: of `a and b` the truth of each is asked, which may be an object."""
    match node:
        case gast.BoolOp(op=op, values=[first, *others]):
            word, test = _word_of(op), tested(m, first)
            for other in others:
                test = with_other(m, word, test, other)
            return test
        case gast.UnaryOp(op=gast.Not(), operand=operand):
            test = tested(m, operand)
            place_of(m, node)
            return _as_wanted(test, False)
    return truth(m, m.evaluate(node))


def with_other(m: Machine, word: str, test: Data, node: Any) -> Data:
    """Return a test `and` or `or` another one, which is asked where the first does not decide."""
    return truth(m, _one_of_two(m, word, test, node, m.tested))


def flag(m: Machine, test: Data) -> Data:
    """Return a test as True or False, which `not`, bool, any and all give: a length is neither."""
    if isinstance(test.type, Number) and test.type.dtype == "bool":
        return test
    known = test.known
    return m.call_global("bool", bool, [test]) if known is None else literal(bool(known.value))


def truth(m: Machine, value: Value) -> Data:
    """Return a value as a test; it is known where its truth is."""
    _refuse_several(m, value)
    if isinstance(value, Data):
        return _truth_of_data(m, value)
    if isinstance(value, Tup):
        return literal(bool(value.parts))
    if isinstance(value, Ref):
        cell = m.heap[value.id]
        if cell.kind in ("list", "dict"):
            return literal(bool(cell.slots))
        return _truth_of_object(m, value)
    return literal(True)


def _truth_of_data(m: Machine, value: Data) -> Data:
    if value.known is not None:
        try:
            return Data(value.expr.typed(value.type, Known(bool(value.known.value))), value.origins)
        except ValueError:
            return value
    if reflection.is_object(m, value):
        if not isinstance(value.type, Optional):
            return _truth_of_object(m, value)
        return _truth_of_one_or_none(m, value) if _has_truth(m, value) else value
    if isinstance(value.type, Tuple | Reference):
        count = items.fixed_length(m, value)
        if count is not None:
            return Data(value.expr.typed(value.type, Known(count > 0)), value.origins)
    return value


def _has_truth(m: Machine, value: Value) -> bool:
    """Tell whether an object's class says when it is true: others are, always."""
    own = (m.find(value, method) for method in ("__bool__", "__len__"))
    return reflection.is_object(m, value) and any(found is not None for found in own)


def _truth_of_one_or_none(m: Machine, value: Data) -> Data:
    """Return the truth of what is None, or an object whose class says when it is true."""
    value = value if is_atomic(value.expr) else named(m, value, "either")
    is_one = _identical_data(m, value, literal(None), False)
    one = Data(value.expr.typed(value.type.type), value.origins)  # type: ignore[union-attr]
    found = branches.chosen(
        m, is_one.expr, lambda: _truth_of_object(m, one), lambda: literal(False)
    )
    return m.to_data(found)


def _truth_of_object(m: Machine, value: Value) -> Data:
    for method in ("__bool__", "__len__"):
        function = m.find(value, method)
        if function is not None:
            return truth(m, m.called(function, [], {}, None))
    return literal(True)


def _compare(m: Machine, node: Any) -> Value:
    """Return the result of a chain of comparisons."""
    operands = [node.left, node.comparators[0]]
    first, second = evaluation_order.in_order(m, *(lambda n=n: m.evaluate(n) for n in operands))
    place_of(m, node)
    if len(node.ops) == 1:
        return compared(m, node.ops[0], first, second, node)
    rest = [evaluation_order.without_statements(m, n) for n in node.comparators[1:]]
    values = [first, second, *(v for v in rest if v is not None)]
    plain = len(values) == len(rest) + 2 and all_data(values)
    if plain and not any(reflection.is_object(m, v) for v in values):
        return _chain(m, node, values)
    return _step_by_step(m, node, 0, first, second)


def _step_by_step(m: Machine, node: Any, place: int, first: Value, second: Value) -> Value:
    """Return a chain of which an operand takes statements: it is read where all before it held."""
    if place + 1 == len(node.ops):
        return compared(m, node.ops[place], first, second, node)
    second = stable(m, second, "between")
    test = truth(m, compared(m, node.ops[place], first, second, node))

    def onward() -> Value:
        third = m.evaluate(node.comparators[place + 1])
        place_of(m, node)
        return _step_by_step(m, node, place + 1, second, third)

    if test.known is not None:
        return onward() if test.known.value else literal(False)
    test = evaluation_order.name_if_long(m, test, "holds")
    return branches.chosen(m, test.expr, onward, lambda: test)


def _chain(m: Machine, node: Any, values: list[Value]) -> Data:
    pairs = zip(node.ops, values, values[1:], strict=False)
    exprs = tuple(v.expr for v in values if isinstance(v, Data))
    symbols = tuple(SYMBOLS[type(op)] for op in node.ops)
    tests = [compared(m, op, a, b, node) for op, a, b in pairs]
    known = None
    if all(t.known is not None for t in tests):
        known = Known(all(bool(t.known.value) for t in tests if t.known))
    return Data(Expr("compare", exprs, symbols, BOOL, known, m.span), origins_of(tests))


def compared(m: Machine, op: Any, a: Value, b: Value, node: Any) -> Data:
    """Return the result of one comparison."""
    _refuse_several(m, a, b)
    op, a, b = members.by_name(op, a, b)
    if isinstance(op, gast.Is | gast.IsNot):
        return _identical(m, a, b, isinstance(op, gast.Is))
    a, b = m.at_once(a), m.at_once(b)
    if isinstance(op, gast.In | gast.NotIn):
        return _contained(m, a, b, isinstance(op, gast.In), node)
    symbol = SYMBOLS[type(op)]
    word = COMPARED[symbol]
    turned = TURNED.get(word, word)
    a, b = _compared_fields(m, word, a, b) or (a, b)
    if reflection.means(m, a, f"__{word}__") or reflection.means(m, b, f"__{turned}__"):
        return m.to_data(special(m, word, a, b, node, f"__{turned}__"))
    if isinstance(a, Fields) or isinstance(b, Fields):
        return _same_fields(m, a, b, word, node)
    data = Data | Tup
    if not (isinstance(a, data) and isinstance(b, data)) and word in ("eq", "ne"):
        if not isinstance(a, Ref) and not isinstance(b, Ref):
            same = _is_code(a, b, operator.eq)
            if same is not None:
                return literal(same == (word == "eq"))
    left, right = m.to_data(a), m.to_data(b)
    known = (left.known, right.known)
    if word in ("eq", "ne") and any(k and isinstance(k.value, enum.Enum) for k in known):
        if None not in known:
            return literal((left.known == right.known) == (word == "eq"))
    _ask_for_axes(m, node, left, right)
    decided = decided_length_test(m, symbol, left, right)
    if decided is not None:
        return decided
    return evaluation_order.operation(
        m, Expr("compare", (left.expr, right.expr), (symbol,)), left, right
    )


def _ask_for_axes(m: Machine, node: Any, left: Data, right: Data) -> None:
    """Ask that a number be known which is compared with how many axes an array has: u.ndim < ndim."""
    if isinstance(node, gast.Compare) and any(map(_is_rank, (node.left, *node.comparators))):
        for a, b in ((left, right), (right, left)):
            if a.known is None and b.known is not None and is_integer(a.type):
                demands.ask(m, a)


def _is_rank(node: Any) -> bool:
    """Tell whether an expression asks for the number of axes: u.ndim, len(u.shape), np.ndim(u)."""
    match node:
        case gast.Attribute(attr="ndim") | gast.Call(func=gast.Attribute(attr="ndim")):
            return True
        case gast.Call(func=gast.Name(id="len"), args=[gast.Attribute(attr="shape")]):
            return True
    return False


def _is_code(a: Value, b: Value, same: Callable[[Any, Any], bool]) -> bool | None:
    """Tell whether two values are the same code, or a dtype and a class; None if that is not known."""
    match a, b:
        case Code(), Code():
            return same(a.obj, b.obj)
        case (Code() as code, Data() as data) | (Data() as data, Code() as code):
            if data.known is not None:
                return same(data.known.value, code.obj)
            return False if isinstance(data.type, OF_DATA) else None
    return False


def _compared_fields(m: Machine, word: str, a: Value, b: Value) -> tuple[Value, Value] | None:
    """Return the fields of two objects of a dataclass as the tuples that it compares in their place.

    An item of a list that a loop fills, or what is None before it, is an object of that class once
    its type is known: nothing else is less or more than one.
    """
    classes = {reflection.object_class(m, a), reflection.object_class(m, b)}
    is_order = word not in ("eq", "ne")
    if is_order and (_waits_for_type(a) or _waits_for_type(b)):
        classes -= {None}
    cls = next(iter(classes), None)
    if len(classes) > 1 or cls is None or not dataclasses.is_dataclass(cls):
        return None
    own = "ne" if word == "ne" and cls.__ne__ is not object.__ne__ else word.replace("ne", "eq")
    perhaps_none = any(isinstance(v, Data) and isinstance(v.type, Optional) for v in (a, b))
    if (perhaps_none and not is_order) or not reflection.generates(cls, f"__{own}__"):
        return None
    names = [field.name for field in dataclasses.fields(cls) if field.compare]

    def fields_of(value: Value) -> Value:
        if _waits_for_type(value):
            return value
        return Tup(tuple(m.attribute(value, name) for name in names), tuple)

    return fields_of(a), fields_of(b)


def _waits_for_type(value: Value) -> bool:
    """Tell whether a value has no type in this round, or none but None."""
    return isinstance(value, Data) and value.type in (UNKNOWN, NONE)


def _same_fields(m: Machine, a: Value, b: Value, word: str, node: Any) -> Data:
    """Return whether the fields of two objects are equal: vars(p) == vars(q)."""
    if not (isinstance(a, Fields) and isinstance(b, Fields)) or word not in ("eq", "ne"):
        raise refusal(m, "fields of an object that are compared with something else")
    mine, others = m.heap[a.id].slots, m.heap[b.id].slots
    if mine.keys() != others.keys() or not mine:
        return literal((mine.keys() == others.keys()) == (word == "eq"))
    tests = [compared(m, gast.Eq(), value, others[key], node) for key, value in mine.items()]
    return _as_wanted(all_of(m, tests, "and", True), word == "eq")


def _as_wanted(test: Data, wanted: bool) -> Data:
    """Return a test, or its opposite where that is wanted."""
    return test if wanted else Data(branches.negated(test.expr), test.origins)


def _identical(m: Machine, a: Value, b: Value, wanted: bool) -> Data:
    if isinstance(a, Data) and isinstance(b, Data):
        return _identical_data(m, a, b, wanted)
    if _is_code(a, b, operator.is_) is None:
        return _identical_data(m, m.to_data(a), m.to_data(b), wanted)
    same = _is_code(a, b, operator.is_) or a is b or branches.is_same_code(a, b)
    return literal(same == wanted)


def _identical_data(m: Machine, a: Data, b: Data, wanted: bool) -> Data:
    expr = Expr("compare", (a.expr, b.expr), ("is" if wanted else "is not",), BOOL, None, m.span)
    if a.known is not None and b.known is not None:
        return Data(expr.typed(BOOL, Known((a.known.value is b.known.value) == wanted)))
    if is_none(a) or is_none(b):
        other = b if is_none(a) else a
        if not isinstance(other.type, Optional) and other.type not in (UNKNOWN, NONE):
            if getattr(other.type, "cls", int) is not None:
                return Data(expr.typed(BOOL, Known(not wanted)))
    return Data(expr)


def _contained(m: Machine, a: Value, b: Value, wanted: bool, node: Any) -> Data:
    if reflection.is_object(m, b):
        function = m.attribute(b, "__contains__")
        return _as_wanted(truth(m, m.called(function, [a], {}, node)), wanted)
    if isinstance(b, Fields) or (isinstance(b, Ref) and m.heap[b.id].kind == "dict"):
        return literal((demands.need(m, a) in m.heap[b.id].slots) == wanted)
    if isinstance(b, Tup | Ref):
        known = _contained_in_parts(m, a, m.parts_of(b), wanted, node)
        if known is not None:
            return known
    left, right = m.to_data(a), m.to_data(b)
    if reflection.holds_objects(m, left.type):
        raise refusal(m, "an object of the user's that is searched")
    is_held = _is_key(m, left, right)
    if is_held is None:
        is_held = _is_item(m, left, right)
    if is_held is not None:
        return literal(is_held == wanted)
    expr = Expr("compare", (left.expr, right.expr), ("in" if wanted else "not in",), BOOL)
    if left.known is not None and right.known is not None:
        try:
            return Data(expr.typed(BOOL, Known((left.known.value in right.known.value) == wanted)))
        except TypeError:
            pass
    return Data(replace(expr, span=m.span))


def _is_key(m: Machine, key: Data, held: Data) -> bool | None:
    """Tell whether a dict under constant keys has one; None where that is not known."""
    place = reference(held.type)
    if place is None or key.known is None or not has_slots(m, place, dict):
        return None
    if m.memory.read(place, key.known.value) is None:
        return False
    return True if m.memory.is_certain(place, key.known.value) else None


def _is_item(m: Machine, item: Data, held: Data) -> bool | None:
    """Tell whether a list, tuple or set has an item; None where that is not known."""
    if held.expr.op != "set":
        if not isinstance(held.type, Tuple | Sequence | Reference):
            return None
        if differ_in_kind(item.type, item_type(m, held.type)):
            return False
    is_shown = held.expr.op in ("list", "tuple", "set")
    shown = [each.known for each in held.expr.args] if is_shown else [None]
    if item.known is None or None in shown:
        return None
    return any(each.value == item.known.value for each in shown if each is not None)


def _contained_in_parts(
    m: Machine, a: Value, parts: list[Value], wanted: bool, node: Any
) -> Data | None:
    if all_data(parts) and isinstance(a, Data):
        return None
    tests = [compared(m, gast.Eq(), a, p, node) for p in parts]
    if all(t.known is not None for t in tests):
        return literal(any(t.known.value for t in tests if t.known) == wanted)
    return None


def all_of(m: Machine, tests: list[Data], word: str, neutral: bool) -> Data:
    """Return tests joined by `and` (neutral True) or `or` (neutral False)."""
    if any(t.known is not None and bool(t.known.value) != neutral for t in tests):
        return literal(not neutral)
    rest = [t for t in tests if t.known is None]
    if len(rest) < 2:
        return rest[0] if rest else literal(neutral)
    return Data(Expr(word, tuple(t.expr for t in rest), None, BOOL, None, m.span))


# ---------------------------------------------------------------------------- choices


def _either(m: Machine, node: Any) -> Value:
    """Return `a and b`; b is evaluated on one side alone."""
    value = m.evaluate(node.values[0])
    for other in node.values[1:]:
        value = _one_of_two(m, _word_of(node.op), value, other, m.evaluate)
    return value


def _word_of(op: Any) -> str:
    return "and" if isinstance(op, gast.And) else "or"


def _one_of_two(
    m: Machine, word: str, left: Value, other: Any, evaluate: Callable[[Any], Value]
) -> Value:
    test = truth(m, left)
    if test.known is not None:
        goes_on = bool(test.known.value) == (word == "and")
        return evaluate(other) if goes_on else left
    plain = evaluation_order.without_statements(m, other, evaluate)
    if isinstance(plain, Data) and isinstance(left, Data) and not reflection.is_object(m, left):
        flat = left.expr.args if left.expr.op == word else (left.expr,)
        type_ = branches.joined_type(m, left.type, plain.type)
        expr = Expr(word, (*flat, plain.expr), None, type_, None, m.span)
        return Data(expr, left.origins | plain.origins)
    if isinstance(left, Data) and not is_atomic(left.expr):
        left = named(m, left, "either")
        test = truth(m, left)
    sides = (lambda: evaluate(other)), (lambda: left)
    found = branches.chosen(m, test.expr, *(sides if word == "and" else sides[::-1]))
    if _has_truth(m, left) and not reflection.is_object(m, found):
        raise refusal(m, "an object or something else")  # whose truth would be another one
    return found


def _one_or_the_other(key: Any, test: Expr) -> Callable[[], Lazy]:
    """Return what is done where one of two iterators is kept: each way goes on by itself."""

    def later() -> Lazy:
        raise Unjoinable("one or another of what is gone through later", key, test)

    return later


def _choice(m: Machine, node: Any) -> Value:
    """Return `a if test else b`."""
    test = tested(m, node.test)
    if test.known is not None:
        return m.evaluate_whole(node.body if test.known.value else node.orelse)
    place_of(m, node)
    sides = [evaluation_order.without_statements(m, side) for side in (node.body, node.orelse)]
    body, orelse = sides
    key = (id(node), m.frame)
    if isinstance(body, Data) and isinstance(orelse, Data):
        type_ = branches.joined_type(m, body.type, orelse.type)
        args = (test.expr, body.expr, orelse.expr)
        expr = Expr("conditional", args, None, type_, None, m.span)
        late = _one_or_the_other(key, test.expr) if is_late(body) or is_late(orelse) else None
        if late is None or key not in m.forced:
            return Data(expr, body.origins | orelse.origins, None, late)
    if key in m.forced:
        return m.evaluate(node.body if m.forced[key] else node.orelse)
    try:
        return branches.chosen(
            m, test.expr, lambda: m.evaluate(node.body), lambda: m.evaluate(node.orelse)
        )
    except Unjoinable as fault:
        raise Unjoinable(fault.reason, key, test.expr, fault.are_code) from None
