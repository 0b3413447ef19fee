"""Changes of containers in place, as the few that the reverse sweep can invert.

xs.extend(ys)       for y in ys:            d.pop(k)        x = d[k]
                        xs.append(y)                        del d[k]
xs[a:b] = ys        kept = list(xs[:a]) + list(ys) + list(xs[b:])
                    xs.clear()
                    for x in kept: xs.append(x)

What is left: append, insert and pop at a position that is not negative, clear, del of a key, and
stores. What templates/containers.py says of lists and dicts becomes statements with names and types.

spelled_out("pop", {"xs": xs, "place": k, "result": x}, ...)     position = range(len(xs))[k]
                                                                 x = xs.pop(position)
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from s2sad.analysis.activity import may_vary
from s2sad.analysis.comprehensions import sorted_places
from s2sad.analysis.containers import dict_types, is_container, is_cut, is_dict, whole
from s2sad.analysis.loops import WHOLE, domain_item, item_type, length_of, range_of
from s2sad.ir.errors import NotYet, Span
from s2sad.ir.expression import (
    EVERYTHING,
    Expr,
    Role,
    call,
    constant,
    global_,
    keywords,
    name,
    positional,
    subscript,
)
from s2sad.ir.program import Block, Let, RegionOp, Statement, Store
from s2sad.ir.records import dataclass, field, replace
from s2sad.ir.renaming import Fresh
from s2sad.ir.spelling import is_none
from s2sad.ir.types import UNKNOWN, Number, Other, Regions, Sequence, Tuple, Type, Unknown
from s2sad.ir.walk import nodes
from s2sad.operators.statements import Statements, Word, Words
from s2sad.operators.texts import CONTAINERS

PLAIN = frozenset({"append", "clear"})


def is_changed_in_place(statement: Statement, regions: Regions) -> bool:
    """Tell whether a statement changes a container of what may vary, otherwise than item by item."""
    match statement:
        case RegionOp(base=base):
            return _varies(base, regions)
        case Store(target=Expr(op="name") as target):
            return is_container(target.type) and _varies(target, regions)
        case Store(target=Expr(op="subscript") as target):
            return is_cut(target) and _varies(target.args[0], regions)
        case Let(None, Expr(op="call") as value):
            function = value.args[0]
            return function.op == "attribute" and _varies(function.args[0], regions)
    return False


def _varies(base: Expr, regions: Regions) -> bool:
    return is_container(base.type) and may_vary(base.type, regions)


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
                return self.spelled("repeat", statement, xs=target, count=count)
            case Store(target=Expr(op="name") as target, op="=", value=value):
                return self.cut(target, EVERYTHING, value, statement)
            case Store(target=Expr(op="subscript") as target, op=op, value=value):
                if not is_cut(target):
                    return (statement,)
                if op != "=":
                    value = Expr("binary", (target, value), op, target.type, None, statement.span)
                return self.cut(target.args[0], target.args[1], value, statement)
        raise NotYet("a list that is joined in place", statement.span)

    def spelled(self, template: str, statement: Statement, **words: Word) -> Block:
        """Return what a template says; its first word is the container that changes."""
        base = next(iter(words.values()))
        assert isinstance(base, Expr)
        if isinstance(statement, RegionOp):
            words["result"] = statement.target
        item = item_type(base.type, self.regions) or UNKNOWN
        return spelled_out(template, words, item, self.fresh, self.regions, statement.span)

    def called(self, let: Statement, value: Expr) -> Block:
        """xs.sort(reverse=True), d.update(a=1.0): calls of methods with keywords."""
        word, base, args = value.args[0].data, value.args[0].args[0], positional(value)
        if word == "sort" and not args:
            return self.sorted(base, keywords(value), let)
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
                return self.spelled("remove", operation, xs=base, item=args[0])
            case "reverse":
                last = Expr("binary", (length_of(base), whole(1)), "-", WHOLE)
                places = range_of(last, whole(-1), whole(-1))
                return self.spelled("reorder", operation, xs=base, places=places)
            case "sort":
                return self.sorted(base, {}, operation)
        raise NotYet(f"{operation.method} of a list that varies", operation.span)

    # ------------------------------------------------------------------------ lists

    def extended(self, base: Expr, items: Expr, statement: Statement) -> Block:
        if any(n.type == base.type for n in nodes(items)):  # xs.extend(xs) goes over a copy
            item = item_type(items.type, self.regions) or item_type(base.type, self.regions)
            items = call(global_("list", list), items, type_=Sequence(item or Unknown(), list))
        return self.spelled("extend", statement, xs=base, ys=items)

    def popped(self, operation: RegionOp) -> Block:
        """A position counts from the start, or is left out for the end."""
        args = operation.args
        if not args or (args[0].op == "constant" and args[0].data == -1) or _is_last(args[0]):
            new = RegionOp(operation.target, operation.base, "pop", (), operation.span)
            return (operation,) if operation == new else (new,)
        if _is_plain_position(args[0]):
            return (operation,)
        return self.spelled("pop", operation, xs=operation.base, place=args[0])

    def inserted(self, operation: RegionOp) -> Block:
        place, item = operation.args
        if _is_plain_position(place) and place.op != "constant":
            return (operation,)
        if place.op == "constant" and place.data == 0:
            return (operation,)
        return self.spelled("insert", operation, xs=operation.base, place=place, item=item)

    def sorted(self, base: Expr, words: Mapping[str, Expr], statement: Statement) -> Block:
        if "key" in words:
            raise NotYet("a list that is sorted by a key", base.span)
        return self.spelled("reorder", statement, xs=base, places=sorted_places(base, words))

    def cut(self, base: Expr, index: Expr, value: Expr, statement: Statement) -> Block:
        """Put other items in the place of a slice."""
        start, stop, step = index.args
        if not is_none(step):
            return self.spelled("put_in_steps", statement, xs=base, steps=index, ys=value)
        low, high = (None if is_none(bound) else bound for bound in (start, stop))
        if low is None or high is None or _are_in_order(low, high):
            return self.spelled("cut", statement, xs=base, low=low, high=high, ys=value)
        return self.spelled("cut_in_order", statement, xs=base, low=low, high=high, ys=value)

    # ------------------------------------------------------------------------ dicts

    def of_dict(self, operation: RegionOp) -> Block:
        base, args, span = operation.base, operation.args, operation.span
        match operation.method:
            case "del":
                return (operation,)
            case "pop" | "setdefault" as method:
                key, before = self.key(args[0], operation)
                if method == "pop" and len(args) == 1:
                    return (*before, *self.spelled("pop_key", operation, d=base, key=key))
                default = args[1] if len(args) > 1 else constant(None)
                template = "pop_key_or" if method == "pop" else method
                made = self.spelled(template, operation, d=base, key=key, default=default)
                return (*before, *made)
            case "update":
                return self.updated(base, args[0], operation)
            case "popitem":
                return self.spelled("popitem", operation, d=base)
        raise NotYet(f"{operation.method} of a dict that varies", span)

    def key(self, key: Expr, statement: Statement) -> tuple[Expr, Block]:
        if key.op in ("constant", "name"):
            return key, ()
        made = self.fresh.variable("key")
        return name(made, key.type), (Let(made, key, statement.span),)

    def updated(self, base: Expr, other: Expr, statement: Statement) -> Block:
        """Store each item of another dict."""
        if other.op == "dict":
            pairs = [pair.args for pair in other.args]
            return tuple(
                Store(subscript(base, key, value.type), "=", value, statement.span)
                for key, value in pairs
            )
        if not is_dict(other.type, self.regions):
            raise NotYet("an update by what is no dict", statement.span)
        return self.spelled("update", statement, d=base, other=other)


def _is_plain_position(place: Expr) -> bool:
    if place.op == "constant":
        return type(place.data) is int and place.data >= 0
    return place.op == "name" and place.type == POSITION


def _is_last(place: Expr) -> bool:
    is_one = place.op == "unary" and place.data == "-"
    return is_one and place.args[0].op == "constant" and place.args[0].data == 1


def _are_in_order(start: Expr, stop: Expr) -> bool:
    """Tell whether the bounds of a slice are literals, the first not behind the second."""
    both = start.op == "constant" and stop.op == "constant"
    return both and 0 <= start.data <= stop.data


# ---------------------------------------------------------------------------- templates

POSITION = Number("uint64")  # it is not negative
# what is named for a statement alone: the text may do without
TERMS = frozenset({"each", "again", "order"})
GIVEN: Mapping[object, Type] = {
    len: WHOLE,
    min: WHOLE,
    max: WHOLE,
    range: Sequence(WHOLE, range),
    "index": WHOLE,
    "indices": Sequence(WHOLE, tuple),
}
TYPES: Mapping[str, Type] = {"binary": WHOLE, "compare": Number("bool"), "slice": Other(slice)}


def spelled_out(
    template: str,
    words: Words,
    item: Type,
    fresh: Fresh,
    regions: Regions,
    span: Span | None,
) -> Block:
    """Return what a template says of a container of some items."""
    return SpelledOut(CONTAINERS, words, span, None, fresh, regions, item).made(template)


@dataclass(slots=True)
class SpelledOut(Statements):
    """Statements about containers; where it is not known what one holds, it is an `item`."""

    fresh: Fresh = field(default_factory=Fresh)
    regions: Regions = field(default_factory=dict)
    item: Type = UNKNOWN

    def declare(self, target: ast.expr, kind: str | None, value: Expr | None) -> None:
        """Give a name that is new its type."""
        type_ = self.of_kind(kind, value)
        if isinstance(target, ast.Tuple):
            types = type_.items if isinstance(type_, Tuple) else (UNKNOWN, self.item)
            for part, each in zip(target.elts, types, strict=True):
                self.name(part, each)
        else:
            self.name(target, type_)

    def name(self, target: ast.expr, type_: Type) -> None:
        """Let a name of a template be a variable, if it is new."""
        if isinstance(target, ast.Name) and target.id not in self.words:
            role = Role.TERM if target.id in TERMS else Role.PRIMAL
            self.words[target.id] = name(self.fresh.variable(target.id, role), type_)

    def of_kind(self, kind: str | None, value: Expr | None) -> Type:
        """Return the type of a name of some kind; what a loop binds has none."""
        match kind, value:
            case None, Expr():
                return domain_item(value, self.regions) or self.item
            case "Position", _:
                return POSITION
            case "Items", _:
                return Sequence(self.item, list)
        return UNKNOWN if value is None else value.type

    def bound(self, target: ast.expr | None, made: Expr) -> Iterator[Statement]:
        """Yield the statement that binds a value: a display is of the type of its name."""
        named = target.id if isinstance(target, ast.Name) else ""
        if made.op == "list" and named:
            made = made.typed(self.words[named].type)
        for each in Statements.bound(self, target, made):
            is_result = named == "result" and isinstance(each, Let)
            yield replace(each, span=made.span) if is_result else each  # it stands where it did

    def typed(self, expr: Expr) -> Expr:
        """Return a node with its type."""
        match expr:
            case Expr(op="unary", data="-", args=(Expr(op="constant", data=number),)):
                return whole(-number)
            case Expr(op="call", args=(function, *args)):
                return expr.typed(self.given(function, args))
            case Expr(op="subscript", args=(base, index)):
                return expr.typed(base.type if index.op == "slice" else self.item_of(base))
        return expr.typed(TYPES.get(expr.op, expr.type))

    def given(self, function: Expr, args: list[Expr]) -> Type:
        """Return the type of what a function gives."""
        called = function.data if function.op == "attribute" else function.data.value
        if called is not list:
            return GIVEN.get(called, UNKNOWN)
        is_keys = is_dict(args[0].type, self.regions)
        key, _ = dict_types(args[0].type, self.regions)
        return Sequence(key if is_keys else self.item_of(args[0]), list)

    def item_of(self, base: Expr) -> Type:
        """Return the type of what stands in a container."""
        if is_dict(base.type, self.regions):
            return dict_types(base.type, self.regions)[1] or self.item
        return item_type(base.type, self.regions) or self.item
