"""Changes of containers in place, as the few that the reverse sweep can invert.

xs.extend(ys)       for y in ys:            d.pop(k)        x = d[k]
                        xs.append(y)                        del d[k]
xs[a:b] = ys        kept = list(xs[:a]) + list(ys) + list(xs[b:])
                    xs.clear()
                    for x in kept: xs.append(x)

What is left: append, insert and pop at a position that is not negative, clear, del of a key, and
stores.
"""

from __future__ import annotations

from collections.abc import Mapping

from s2sad.analysis.activity import may_vary
from s2sad.analysis.comprehensions import empty, sorted_places, taken_in_order
from s2sad.analysis.containers import dict_types, is_container, is_dict, whole
from s2sad.analysis.loops import WHOLE, item_type, length_of, range_of
from s2sad.ir.errors import NotYet
from s2sad.ir.expression import (
    Expr,
    Pattern,
    Role,
    attribute,
    call,
    constant,
    global_,
    keywords,
    name,
    positional,
    subscript,
)
from s2sad.ir.program import Block, For, If, Let, RegionOp, Statement, Store
from s2sad.ir.records import dataclass
from s2sad.ir.renaming import Fresh
from s2sad.ir.spelling import is_none
from s2sad.ir.types import Number, Other, Region, Sequence, Site, Type, Unknown
from s2sad.ir.walk import nodes

PLAIN = frozenset({"append", "clear"})
TRUTH = Number("bool")
Regions = Mapping[Site, Region]


def is_changed_in_place(statement: Statement, regions: Regions) -> bool:
    """Tell whether a statement changes a container of what may vary, otherwise than item by item."""
    match statement:
        case RegionOp(base=base):
            return _varies(base, regions)
        case Store(target=Expr(op="name") as target):
            return is_container(target.type) and _varies(target, regions)
        case Store(target=Expr(op="subscript") as target):
            return _is_cut(target) and _varies(target.args[0], regions)
        case Let(None, Expr(op="call") as value):
            function = value.args[0]
            return function.op == "attribute" and _varies(function.args[0], regions)
    return False


def _varies(base: Expr, regions: Regions) -> bool:
    return is_container(base.type) and may_vary(base.type, regions)


def _is_cut(target: Expr) -> bool:
    return is_container(target.args[0].type) and target.args[1].op == "slice"


@dataclass(slots=True)
class Changes:
    """Writes changes of containers as plainer ones."""

    fresh: Fresh
    regions: Regions

    def changed(self, statement: Statement) -> Block:
        """Return the plain statements; the statement itself if it is one."""
        match statement:
            case RegionOp():
                return self.operation(statement)
            case Let(None, value):
                return self.called(statement, value)
            case Store(target=Expr(op="name") as target, op="+", value=value):
                return self.extended(target, value, statement)
            case Store(target=Expr(op="name") as target, op="*", value=count):
                return self.repeated(target, count, statement)
            case Store(target=Expr(op="name") as target, op="=", value=value):
                return self.cut(target, _everything(), value, statement)
            case Store(target=Expr(op="subscript") as target, op=op, value=value):
                if not _is_cut(target):
                    return (statement,)
                if op != "=":
                    value = Expr("binary", (target, value), op, target.type, None, statement.span)
                return self.cut(target.args[0], target.args[1], value, statement)
        raise NotYet("a list that is joined in place", statement.span)

    def called(self, let: Statement, value: Expr) -> Block:
        """xs.sort(reverse=True), d.update(a=1.0): calls of methods with keywords."""
        word, base, args = value.args[0].data, value.args[0].args[0], positional(value)
        if word == "sort" and not args:
            return self.ordered(base, self.sorted(base, keywords(value)), let)
        if word == "update" and len(args) <= 1:
            made: list[Statement] = []
            for arg in args:
                made += self.updated(base, arg, let)
            for key, item in keywords(value).items():
                place = subscript(base, constant(key), item.type)
                made.append(Store(place, "=", item, let.span))
            return tuple(made)
        return (let,)

    def operation(self, operation: RegionOp) -> Block:
        base, args = operation.base, operation.args
        if operation.method in PLAIN:
            return (operation,)
        if is_dict(base.type, self.regions):
            return self.of_dict(operation)
        match operation.method:
            case "extend":
                return self.extended(base, args[0], operation)
            case "pop":
                return self.popped(operation)
            case "insert":
                return self.inserted(operation)
            case "del" if args[0].op == "slice":
                return self.cut(base, args[0], Expr("list", (), None, base.type), operation)
            case "del":
                return self.popped(RegionOp(None, base, "pop", args, operation.span))
            case "remove":
                index = call(attribute(base, "index"), args[0], type_=WHOLE)
                at = self.fresh.variable("position")
                pop = RegionOp(None, base, "pop", (name(at, WHOLE),), operation.span)
                return Let(at, index, operation.span), pop
            case "reverse":
                last = Expr("binary", (length_of(base), whole(1)), "-", WHOLE)
                return self.ordered(base, range_of(last, whole(-1), whole(-1)), operation)
            case "sort":
                return self.ordered(base, self.sorted(base, {}), operation)
        raise NotYet(f"{operation.method} of a list that varies", operation.span)

    # ------------------------------------------------------------------------ lists

    def extended(self, base: Expr, items: Expr, statement: Statement) -> Block:
        item = item_type(items.type, self.regions) or item_type(base.type, self.regions)
        if any(n.type == base.type for n in nodes(items)):  # xs.extend(xs) goes over a copy
            items = call(global_("list", list), items, type_=Sequence(item or Unknown(), list))
        each = self.fresh.variable("each", Role.TERM)
        value = name(each, item or Unknown())
        body = RegionOp(None, base, "append", (value,), statement.span)
        return (For(each, items, (body,), statement.span),)

    def repeated(self, base: Expr, count: Expr, statement: Statement) -> Block:
        """xs *= 3: what a list holds is appended again and again, the same items."""
        held, _ = self.kept(base)
        again = self.fresh.variable("again", Role.TERM)
        return (
            Let(held.data, call(global_("list", list), base, type_=held.type), statement.span),
            RegionOp(None, base, "clear", (), statement.span),
            For(again, range_of(count), self.extended(base, held, statement), statement.span),
        )

    def popped(self, operation: RegionOp) -> Block:
        """A position counts from the start, or is left out for the end."""
        args = operation.args
        if not args or (args[0].op == "constant" and args[0].data == -1) or _is_last(args[0]):
            new = RegionOp(operation.target, operation.base, "pop", (), operation.span)
            return (operation,) if operation == new else (new,)
        if _is_plain_position(args[0]):
            return (operation,)
        at = self.fresh.variable("position")
        index = subscript(range_of(length_of(operation.base)), args[0], WHOLE)
        args = (Expr("name", (), at, _position()),)
        pop = RegionOp(operation.target, operation.base, "pop", args, operation.span)
        return Let(at, index, operation.span), pop

    def inserted(self, operation: RegionOp) -> Block:
        place, item = operation.args
        if _is_plain_position(place) and place.op != "constant":
            return (operation,)
        if place.op == "constant" and place.data == 0:
            return (operation,)
        at = self.fresh.variable("position")
        cut = call(global_("slice", slice), place, constant(None))
        found = call(attribute(cut, "indices"), length_of(operation.base))
        index = subscript(found, whole(0), WHOLE)
        args = (Expr("name", (), at, _position()), item)
        insert = RegionOp(None, operation.base, "insert", args, operation.span)
        return Let(at, index, operation.span), insert

    def sorted(self, base: Expr, words: Mapping[str, Expr]) -> Expr:
        if "key" in words:
            raise NotYet("a list that is sorted by a key", base.span)
        return sorted_places(base, words)

    def kept(self, base: Expr) -> tuple[Expr, Type]:
        """Return the name of a list that holds what another one held, and what its items are."""
        item = item_type(base.type, self.regions) or Unknown()
        return name(self.fresh.variable("kept"), Sequence(item, list)), item

    def ordered(self, base: Expr, order: Expr, statement: Statement) -> Block:
        """Put the items of a list into another order."""
        held, item = self.kept(base)
        made = taken_in_order(base, item, order, held, self.fresh, statement.span)
        return (*made, *self.refilled(base, held, statement))

    def refilled(self, base: Expr, held: Expr, statement: Statement) -> Block:
        return (
            RegionOp(None, base, "clear", (), statement.span),
            *self.extended(base, held, statement),
        )

    def cut(self, base: Expr, index: Expr, value: Expr, statement: Statement) -> Block:
        """Put other items in the place of a slice."""
        start, stop, step = index.args
        if not is_none(step):
            return self.stepped(base, index, value, statement)
        before: Block = ()
        if not (is_none(start) or is_none(stop) or _are_in_order(start, stop)):
            start, stop, before = self.bounds(base, start, stop, statement)
        nothing = constant(None)
        held, _ = self.kept(base)
        made: list[Statement] = [empty(held, statement.span)]
        if not is_none(start):
            first = Expr("slice", (nothing, start, nothing), None, Other(slice))
            made += self.extended(held, subscript(base, first, base.type), statement)
        made += self.extended(held, value, statement)
        if not is_none(stop):
            rest = Expr("slice", (stop, nothing, nothing), None, Other(slice))
            made += self.extended(held, subscript(base, rest, base.type), statement)
        return (*before, *made, *self.refilled(base, held, statement))

    def bounds(
        self, base: Expr, start: Expr, stop: Expr, statement: Statement
    ) -> tuple[Expr, Expr, Block]:
        """Return where a slice starts and stops, not before it, and what names both."""
        first, last = self.fresh.variable("start"), self.fresh.variable("stop")
        cut = call(global_("slice", slice), start, stop)
        found = call(attribute(cut, "indices"), length_of(base))
        places = [subscript(found, whole(k), WHOLE) for k in range(2)]
        later = call(global_("max", max), name(first, WHOLE), places[1], type_=WHOLE)
        lets = Let(first, places[0], statement.span), Let(last, later, statement.span)
        return name(first, _position()), name(last, _position()), lets

    def stepped(self, base: Expr, index: Expr, value: Expr, statement: Statement) -> Block:
        """Put other items in the places of a slice with a step, as many as there are."""
        held, item = self.kept(base)
        places, at = self.fresh.variable("places"), self.fresh.variable("at")
        chosen = name(places, Sequence(WHOLE, range))
        place = subscript(base, subscript(chosen, name(at, WHOLE), WHOLE), item)
        body = Store(place, "=", subscript(held, name(at, WHOLE), item), statement.span)
        return (
            empty(held, statement.span),
            *self.extended(held, value, statement),
            Let(places, subscript(range_of(length_of(base)), index, chosen.type), statement.span),
            For(at, range_of(length_of(chosen)), (body,), statement.span),
        )

    # ------------------------------------------------------------------------ dicts

    def of_dict(self, operation: RegionOp) -> Block:
        base, args, span = operation.base, operation.args, operation.span
        match operation.method:
            case "del":
                return (operation,)
            case "pop":
                return self.taken_out(operation)
            case "setdefault":
                default = args[1] if len(args) > 1 else constant(None)
                key, before = self.key(args[0], operation)
                place = subscript(base, key, self.value_type(base, default.type))
                absent = Expr("compare", (key, base), ("not in",), TRUTH)
                store = Store(place, "=", default, span)
                return (*before, If(absent, (store,), (), span), *_let(operation.target, place))
            case "update":
                return self.updated(base, args[0], operation)
            case "__setitem__":
                return (Store(subscript(base, args[0], args[1].type), "=", args[1], span),)
            case "popitem":
                return self.last_taken_out(operation)
        raise NotYet(f"{operation.method} of a dict that varies", span)

    def last_taken_out(self, operation: RegionOp) -> Block:
        """popitem: take out the entry that came last."""
        base, span = operation.base, operation.span
        key_type, _ = dict_types(base.type, self.regions)
        key = self.fresh.variable("key")
        listed = call(global_("list", list), base, type_=Sequence(key_type, list))
        last = Let(key, subscript(listed, whole(-1), key_type), span)
        held = name(key, key_type)
        item = self.value_type(base, Unknown())
        value = subscript(base, held, item)
        pair = Expr("tuple", (held, value), None, Unknown())
        delete = RegionOp(None, base, "del", (held,), span)
        return (last, *_let(operation.target, pair), delete)

    def key(self, key: Expr, statement: Statement) -> tuple[Expr, Block]:
        if key.op in ("constant", "name"):
            return key, ()
        made = self.fresh.variable("key")
        return name(made, key.type), (Let(made, key, statement.span),)

    def value_type(self, base: Expr, otherwise: Type) -> Type:
        _, item = dict_types(base.type, self.regions)
        return otherwise if item is None else item

    def taken_out(self, operation: RegionOp) -> Block:
        base, args, span = operation.base, operation.args, operation.span
        key, before = self.key(args[0], operation)
        place = subscript(base, key, self.value_type(base, Unknown()))
        delete = RegionOp(None, base, "del", (key,), span)
        taken = (*_let(operation.target, place), delete)
        if len(args) == 1:
            return (*before, *taken)
        test = Expr("compare", (key, base), ("in",), TRUTH)
        return (*before, If(test, taken, _let(operation.target, args[1]), span))

    def updated(self, base: Expr, other: Expr, statement: Statement) -> Block:
        """Store each item of another dict."""
        span = statement.span
        if other.op == "dict" and not any(a.op == "starred" for a in other.args):
            return tuple(
                Store(subscript(base, pair.args[0], pair.args[1].type), "=", pair.args[1], span)
                for pair in other.args
            )
        if not is_dict(other.type, self.regions):
            raise NotYet("an update by what is no dict", span)
        key, value = self.fresh.variable("key"), self.fresh.variable("value")
        key_type, _ = dict_types(other.type, self.regions)
        item = self.value_type(other, self.value_type(base, Unknown()))
        pairs = call(attribute(other, "items"))
        place = subscript(base, name(key, key_type), item)
        body = Store(place, "=", name(value, item), span)
        return (For((key, value), pairs, (body,), span),)


def _let(target: Pattern, value: Expr) -> Block:
    return () if target is None else (Let(target, value, value.span),)


def _position() -> Type:
    """Return the type of a position that is not negative."""
    return Number("uint64")


def _is_plain_position(place: Expr) -> bool:
    if place.op == "constant":
        return type(place.data) is int and place.data >= 0
    return place.op == "name" and place.type == _position()


def _is_last(place: Expr) -> bool:
    is_one = place.op == "unary" and place.data == "-"
    return is_one and place.args[0].op == "constant" and place.args[0].data == 1


def _everything() -> Expr:
    nothing = constant(None)
    return Expr("slice", (nothing, nothing, nothing), None, Other(slice))


def _are_in_order(start: Expr, stop: Expr) -> bool:
    """Tell whether the bounds of a slice are literals, the first not behind the second."""
    both = start.op == "constant" and stop.op == "constant"
    return both and 0 <= start.data <= stop.data
