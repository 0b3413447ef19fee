"""Containers whose items are names, and comprehensions as loops that append.

L = [u, u * c]                    item = u * c
                                  L = [u, item]
y = np.array([x * c for x in u])  made = []
                                  for x in u:
                                      made.append(x * c)
                                  y = np.array(made)
s = sum(x * x for x in u)         total = 0.0
                                  for x in u:
                                      total = total + x * x
                                  s = total
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from s2sad.analysis.activity import may_vary
from s2sad.analysis.changes import Changes, is_changed_in_place
from s2sad.analysis.comprehensions import own_names
from s2sad.analysis.containers import (
    DISPLAYS,
    NUMBER,
    STACKS,
    is_container,
    is_copy,
    is_copy_of_array,
    is_held,
    is_made,
    is_named_tuple,
    kind_of,
    whole,
)
from s2sad.analysis.fresh import Fresh
from s2sad.analysis.loops import (
    WHOLE,
    domain_item,
    is_view_of_dict,
    item_type,
    length_of,
    range_of,
)
from s2sad.ir.errors import NotYet
from s2sad.ir.expression import (
    Expr,
    Variable,
    attribute,
    call,
    constant,
    global_,
    keywords,
    name,
    positional,
    subscript,
)
from s2sad.ir.program import PURE, Block, For, Function, If, Let, RegionOp, Statement, Store, While
from s2sad.ir.types import (
    Array,
    Number,
    Other,
    Reference,
    Region,
    Sequence,
    Site,
    Tuple,
    Unknown,
)
from s2sad.ir.walk import (
    blocks,
    expressions,
    nodes,
    statements,
    with_blocks,
    with_expressions,
)

Infer = Callable[[Expr], Expr]
ARRAY = np.array
# what they give holds what they are given
KEEPERS = frozenset(
    """
    list tuple dict set sorted zip enumerate reversed iter map filter copy.copy copy.deepcopy
    """.split()
)
LISTED = frozenset({"list", "tuple"})
EXTREMES = frozenset({"max", "min"})
# they make an array of a list of numbers first, as np.array does
OF_AN_ARRAY = frozenset(
    """
    np.sum np.mean np.prod np.max np.min np.amax np.amin np.std np.var np.median np.cumsum np.diff
    np.linalg.norm np.dot np.vdot np.inner np.outer np.trapezoid np.cumprod np.average np.sort
    np.ptp np.sin np.cos np.exp np.log np.sqrt np.square np.abs np.tanh np.multiply np.add
    np.subtract np.divide np.maximum np.minimum np.flip np.roll np.convolve np.interp np.polyval
    """.split()
)


def named_items(function: Function, regions: Mapping[Site, Region], infer: Infer) -> Function:
    """Return a function whose containers hold names and numbers, made without comprehensions."""
    lists = Lists(Fresh.of(function), regions, infer, _changing(function))
    return replace(function, body=lists.block(function.body))


@dataclass(slots=True)
class Lists:
    """What the statements of a function make of containers."""

    fresh: Fresh
    regions: Mapping[Site, Region]
    infer: Infer
    changing: frozenset[Site]

    def block(self, block: Block) -> Block:
        """Return a block with its containers made of names and numbers."""
        return tuple(new for s in block for new in self.statement(s))

    def statement(self, statement: Statement) -> Block:
        """Return what a statement becomes."""
        inner = tuple(self.block(b) for b in blocks(statement))
        statement = with_blocks(statement, inner)
        before: list[Statement] = []
        if any(self.has_to_change(n) for e in expressions(statement) for n in nodes(e)):
            if isinstance(statement, While):
                raise NotYet("a container that is made in the test of a loop", statement.span)
            is_let = isinstance(statement, Let) and isinstance(statement.target, Variable)
            is_whole = is_let or isinstance(statement, For)
            place = statement.target if isinstance(statement, Store) else None
            statement = with_expressions(
                statement,
                lambda e: (
                    self.place(e, before) if e is place else self.expanded(e, before, is_whole)
                ),
            )
        if isinstance(statement, Let) and statement.value.op != "call":
            statement = replace(statement, effect=PURE)
        if isinstance(statement, Let) and is_view_of_dict(statement.value):
            if self.varies(statement.value):
                self.refuse_changes_of(statement.value)
                statement = replace(statement, value=self.as_list(statement.value, before))
        statement = self.with_arrays(statement, before)
        changed = self.changed(statement, before)
        return (*before, *changed)

    def refuse_changes_of(self, view: Expr) -> None:
        """Refuse a view that is kept of a dict that changes."""
        site = getattr(view.args[0].args[0].type, "site", None)
        if site in self.changing:
            raise NotYet("a view of a dict that changes", view.span)

    def changed(self, statement: Statement, before: list[Statement]) -> Block:
        """Return a statement whose displays hold names, and which changes containers plainly."""
        if is_changed_in_place(statement, self.regions):
            statement = self.with_named_base(statement, before)
            made = Changes(self.fresh, self.regions).changed(statement)
            if made != (statement,):
                return self.block(made)
        match statement:
            case Let(value=value) if value.op in DISPLAYS and self.is_kept(value):
                statement = replace(statement, value=self.with_names(value, before))
            case Let(value=value) if is_made(value) and self.is_kept(value):
                statement = replace(statement, value=self.with_named_operands(value, before))
            case RegionOp(base=base, args=args) if self.is_kept(base):
                items = tuple(self.item(arg, before) for arg in args)
                statement = replace(statement, base=self.base(base, before), args=items)
            case RegionOp():
                statement = replace(statement, base=self.base(statement.base, before))
            case Store(target, "=", value) if _is_slot(target):
                statement = replace(statement, value=self.item(value, before))
        return (statement,)

    def with_named_base(self, statement: Statement, before: list[Statement]) -> Statement:
        """Return a change of a container that is a name."""
        match statement:
            case RegionOp(base=base):
                return replace(statement, base=self.base(base, before))
            case Store(target=Expr(op="subscript") as target):
                base = self.base(target.args[0], before)
                return replace(statement, target=target.with_args((base, target.args[1])))
            case Let(value=value):
                function = value.args[0]
                method = function.with_args((self.base(function.args[0], before),))
                return replace(statement, value=value.with_args((method, *value.args[1:])))
        return statement

    def is_kept(self, expr: Expr) -> bool:
        """Tell whether a container is memory that may vary, not a tuple that is taken apart."""
        is_tuple = expr.op == "tuple" or isinstance(expr.type, Tuple)
        return not is_tuple and is_container(expr.type) and may_vary(expr.type, self.regions)

    def base(self, base: Expr, before: list[Statement]) -> Expr:
        return base if base.op == "name" else self.named(base, "held", before)

    def with_names(self, display: Expr, before: list[Statement]) -> Expr:
        """Return a display whose items are names and numbers."""
        if display.op == "call":
            parts = [self.item(arg, before) for arg in display.args[1:]]
            return display.with_args((display.args[0], *parts))
        if display.op != "dict":
            return display.with_args(self.item(arg, before) for arg in display.args)
        items: dict[Expr, Expr] = {}
        for pair in display.args:
            key, value = pair.args
            if key.op not in ("constant", "name"):
                key = self.named(key, "key", before)
            items[key] = pair.with_args((key, self.item(value, before)))
        if any(key.op != "constant" for key in items) and len(items) > 1:
            raise NotYet("a display of several keys that are not constant", display.span)
        return display.with_args(items.values())

    def with_named_operands(self, made: Expr, before: list[Statement]) -> Expr:
        """Return a copy, a sum or a repetition whose operands are names and displays."""
        if is_copy(made):
            return made
        args = []
        for arg in made.args:
            if not is_container(arg.type) or arg.op == "name":
                args.append(arg)
            elif arg.op in ("list", "tuple"):
                args.append(self.with_names(arg, before))
            else:
                args.append(self.named(arg, "part", before))
        return made.with_args(args)

    def item(self, item: Expr, before: list[Statement]) -> Expr:
        """Return an item of a container: what is memory gets a name, but a tuple."""
        if item.op == "name" or not is_held(item.type):
            return item
        if item.op == "tuple" or is_named_tuple(item):
            return self.with_names(item, before)
        return self.named(item, "item", before)

    def named(self, value: Expr, called: str, before: list[Statement]) -> Expr:
        """Return a name for a value."""
        made = self.fresh.variable(called)
        before += self.statement(Let(made, value, value.span))
        return name(made, value.type, value.span)

    # ------------------------------------------------------------------------ expressions

    def has_to_change(self, expr: Expr) -> bool:
        """Tell whether an expression is made by statements."""
        if expr.op == "comprehension":
            return self.is_expanded(expr)
        if expr.op in ("call", "binary", "subscript", "list", "dict", "record"):
            if is_copy_of_array(expr):
                return True
            vary = self.varies
            return vary(expr) or any(vary(n) for arg in expr.args for n in (arg, *arg.args))
        return False

    def varies(self, expr: Expr) -> bool:
        """Tell whether a value is a container, or an iterator, of what may vary."""
        is_one = isinstance(expr.type, Reference | Sequence | Tuple) or is_container(expr.type)
        return is_one and may_vary(expr.type, self.regions)

    def is_expanded(self, expr: Expr) -> bool:
        """Tell whether a comprehension makes a container of what may vary."""
        if expr.op != "comprehension" or expr.data == "set":
            return False
        return any(may_vary(n.type, self.regions) for n in nodes(expr.args[0]))

    def expanded(self, expr: Expr, before: list[Statement], is_whole: bool = False) -> Expr:
        """Return an expression with a name for each container that has to be made before.

        `is_whole` is the right side of an assignment: a display or copy may stay there.
        """
        if expr.op in ("conditional", "and", "or") and any(map(self.is_expanded, nodes(expr))):
            raise NotYet("a comprehension that is made sometimes", expr.span)
        if _is_sum(expr) and self.is_expanded(expr.args[1]):
            return self.summed(expr, before)
        if self.is_expanded(expr):
            return self.appended(expr, before)
        if expr.op == "comprehension":
            return expr
        if _reads_displays(expr):
            expr = expr.with_args(_as_it_stands(arg) for arg in expr.args)
        inner = expr.with_args(self.expanded(arg, before, self.is_place(expr)) for arg in expr.args)
        made = self.replaced(inner, before)
        if made is not None:
            return made
        if is_whole or not self.is_kept(inner) or not is_made(inner):
            return inner
        return self.named(inner, "made", before)

    def with_arrays(self, statement: Statement, before: list[Statement]) -> Statement:
        """Return a store to an array of what NumPy makes of a container."""
        if not isinstance(statement, Store) or not self.varies(statement.value):
            return statement
        target = statement.target
        base = target if target.op == "name" else target.args[0]
        if not isinstance(base.type, Array):
            return statement
        return replace(statement, value=self.array_of(_as_it_stands(statement.value), before))

    def place(self, target: Expr, before: list[Statement]) -> Expr:
        """Return the place of a store: its base and its subscript may have to be made before."""
        return target.with_args(self.expanded(arg, before) for arg in target.args)

    def is_place(self, expr: Expr) -> bool:
        """Tell whether the displays of an expression get names where they are looked at later."""
        return expr.op in ("list", "dict", "item", "record", "tuple", "starred")

    def replaced(self, expr: Expr, before: list[Statement]) -> Expr | None:
        """Return what an expression of containers becomes, by statements before it."""
        if expr.op == "binary" and any(isinstance(a.type, Array) for a in expr.args):
            if any(self.varies(a) for a in expr.args):
                args = [self.array_of(_as_it_stands(a), before) for a in expr.args]
                return self.infer(expr.with_args(args))
        if expr.op in ("list", "dict") and self.varies(expr):
            if any(a.op == "starred" for a in expr.args):
                return self.joined(expr, before)
        if expr.op != "call" or expr.args[0].op == "function":
            return None
        function, *args = expr.args
        if is_copy_of_array(expr):
            return call(attribute(args[0], "copy"), type_=args[0].type)
        if function.op == "attribute":
            return self.method(expr, function, args, before)
        if function.op != "global":
            return None
        text = function.data.text
        if text in LISTED and len(args) == 1 and isinstance(args[0].type, Array):
            return self.taken_up(expr, args[0], before) if self.varies(expr) else None
        if text == "zip" and args and args[0].op == "starred" and _is_of_one(expr):
            return self.turned(expr, args[0].args[0], before)
        varying = [a for a in args if a.op != "starred" and self.varies(a)]
        if not varying:
            return None
        if text in LISTED and len(args) == 1 and not is_copy(expr):
            return self.taken_up(expr, args[0], before)
        if text in LISTED and len(args) == 1 and isinstance(args[0].type, Sequence):
            return None
        if text == "dict" and len(args) == 1 and not expr.data and not is_copy(expr):
            return self.dict_of_pairs(expr, args[0], before)
        if text == "sorted":
            return self.sorted(expr, args, before)
        if text in EXTREMES and len(args) == 1 and not expr.data:
            return self.extreme(expr, args[0], before)
        if text in OF_AN_ARRAY and function.data.value is not None:
            return self.of_arrays(expr, before)
        if text in ("sum", "np.sum", *STACKS) and self.varies(args[0]):
            if args[0].op in ("subscript", "attribute") or _is_view_of_dict(args[0]):
                held = self.as_list(args[0], before)
                return expr.with_args((function, held, *args[1:]))
        return None

    def method(
        self, expr: Expr, function: Expr, args: list[Expr], before: list[Statement]
    ) -> Expr | None:
        base = function.args[0]
        if not is_container(base.type) or not self.varies(base):
            return None
        if function.data == "get" and args and not expr.data:
            return self.got(expr, base, args, before)
        return None

    def got(self, expr: Expr, base: Expr, args: list[Expr], before: list[Statement]) -> Expr:
        """Return the name of d.get(k, default): a branch."""
        made = self.fresh.variable("found")
        key = args[0] if args[0].op in ("constant", "name") else self.named(args[0], "key", before)
        held = self.base(base, before)
        default = args[1] if len(args) > 1 else constant(None)
        part = self.infer(subscript(held, key))
        test = Expr("compare", (key, held), ("in",), Number("bool"))
        arms = (Let(made, part, expr.span),), (Let(made, default, expr.span),)
        before += self.statement(If(test, *arms, expr.span))
        return name(made, expr.type if part.type != default.type else part.type)

    def of_arrays(self, expr: Expr, before: list[Statement]) -> Expr | None:
        """Return a function of NumPy over arrays that are made of lists."""
        args = [
            self.array_of(a, before) if k and self.varies(a) and self.is_list(a) else a
            for k, a in enumerate(expr.args)
        ]
        made = expr.with_args(args)
        return None if made is expr else self.infer(made)

    def is_list(self, held: Expr) -> bool:
        return held.op == "name" and not isinstance(held.type, Tuple)

    def array_of(self, held: Expr, before: list[Statement]) -> Expr:
        if not is_container(held.type):
            return held
        value = self.infer(call(global_("np.array", ARRAY), held))
        return self.named(value, "values", before)

    def extreme(self, expr: Expr, held: Expr, before: list[Statement]) -> Expr | None:
        """Return the largest or smallest number of a list as an item of it."""
        held = self.as_list(held, before)
        if kind_of(item_type(held.type, self.regions) or Other()) != NUMBER:
            return None
        index = call(attribute(held, "index"), expr.with_args((expr.args[0], held)), type_=WHOLE)
        at = self.fresh.variable("position")
        before.append(Let(at, index, expr.span))
        return self.infer(subscript(held, name(at, WHOLE)))

    def as_list(self, held: Expr, before: list[Statement]) -> Expr:
        """Return a name for what is gone through, as a list."""
        if is_container(held.type):
            return held if held.op == "name" else self.named(held, "held", before)
        type_ = Sequence(domain_item(held, self.regions) or Unknown(), list)
        return self.listed(Expr("list", (), None, type_), held, before)

    def taken_up(self, expr: Expr, domain: Expr, before: list[Statement]) -> Expr:
        """Return the name of a list, or a tuple, of what a domain gives."""
        held = self.listed(expr, domain, before)
        if expr.args[0].data.text == "list":
            return held
        return expr.with_args((expr.args[0], held))

    def listed(self, expr: Expr, domain: Expr, before: list[Statement]) -> Expr:
        """Return the name of a list of what a domain gives."""
        item = domain_item(domain, self.regions) or item_type(expr.type, self.regions)
        if item is None:
            raise NotYet("a list of what is not known", expr.span)
        each = self.fresh.variable("each")
        type_ = expr.type
        if isinstance(type_, Sequence | Tuple):
            type_ = Sequence(item, list)
        return self.gathered(type_, expr, each, domain, name(each, item), before)

    def gathered(
        self,
        type_: object,
        expr: Expr,
        each: Variable,
        domain: Expr,
        item: Expr,
        before: list[Statement],
    ) -> Expr:
        made = self.fresh.variable("made")
        base = name(made, type_)  # type: ignore[arg-type]
        before.append(Let(made, Expr("list", (), None, base.type), expr.span))
        body = RegionOp(None, base, "append", (item,), expr.span)
        before += self.block((For(each, domain, (body,), expr.span),))
        return base

    def turned(self, expr: Expr, rows: Expr, before: list[Statement]) -> Expr | None:
        """Return the name of the columns of a list of rows: zip(*rows)."""
        row = item_type(rows.type, self.regions)
        item = None if row is None else item_type(row, self.regions)
        if row is None or item is None or not is_container(rows.type) or not self.varies(rows):
            return None
        held = self.as_list(rows, before)
        each, column = self.fresh.variable("row"), self.fresh.variable("column")
        place, made = self.fresh.variable("place"), self.fresh.variable("columns")
        kind = Sequence(item, list)
        base, columns = name(column, kind), name(made, Sequence(kind, list))
        lengths = self.fresh.variable("shortest")
        first = length_of(self.infer(subscript(held, whole(0))))
        shorter = call(
            global_("min", min), name(lengths, WHOLE), length_of(name(each, row)), type_=WHOLE
        )
        part = subscript(name(each, row), name(place, WHOLE), item)
        inner = For(each, held, (RegionOp(None, base, "append", (part,), expr.span),), expr.span)
        body = (
            Let(column, Expr("list", (), None, kind), expr.span),
            inner,
            RegionOp(None, columns, "append", (base,), expr.span),
        )
        before += self.block(
            (
                Let(lengths, first, expr.span),
                For(each, held, (Let(lengths, shorter, expr.span),), expr.span),
                Let(made, Expr("list", (), None, columns.type), expr.span),
                For(place, range_of(name(lengths, WHOLE)), body, expr.span),
            )
        )
        return columns

    def sorted(self, expr: Expr, args: list[Expr], before: list[Statement]) -> Expr:
        """Return the name of a sorted list: its items in an order that is recorded."""
        held = self.as_list(args[0], before)
        item = item_type(held.type, self.regions)
        words = dict(zip(expr.data, expr.args[len(expr.args) - len(expr.data) :], strict=True))
        if item is None or "key" in words:
            raise NotYet("a list that is sorted by a key", expr.span)
        ask = attribute(held, "__getitem__")
        words["key"] = ask
        places = range_of(length_of(held))
        type_ = Sequence(WHOLE, list)
        order = call(global_("sorted", sorted), places, type_=type_, **words)
        kept = self.named(order, "order", before)
        each = self.fresh.variable("place")
        part = subscript(held, name(each, WHOLE), item)
        return self.gathered(expr.type, expr, each, kept, part, before)

    def joined(self, display: Expr, before: list[Statement]) -> Expr:
        """Return the name of a display that takes in other containers: [*xs, y], {**p, "a": y}."""
        made = self.fresh.variable("made")
        base = name(made, display.type)
        before.append(Let(made, Expr(display.op, (), None, display.type), display.span))
        for arg in display.args:
            if display.op == "dict" and arg.op == "item":
                place = self.infer(subscript(base, arg.args[0]))
                before += self.statement(Store(place, "=", arg.args[1], arg.span))
                continue
            word = "update" if display.op == "dict" else "extend"
            is_one = arg.op != "starred"
            operation = RegionOp(
                None, base, "append" if is_one else word, (arg if is_one else arg.args[0],)
            )
            before += self.statement(replace(operation, span=display.span))
        return base

    def dict_of_pairs(self, expr: Expr, pairs: Expr, before: list[Statement]) -> Expr:
        """Return the name of a dict of pairs of keys and values."""
        item = item_type(pairs.type, self.regions)
        if not isinstance(item, Tuple) or len(item.items) != 2:
            raise NotYet("a dict of what is not known", expr.span)
        if not isinstance(expr.type, Reference):
            raise NotYet("a dict of an unknown kind", expr.span)
        made = self.fresh.variable("made")
        base = name(made, expr.type)
        before.append(Let(made, Expr("dict", (), None, expr.type), expr.span))
        key, value = self.fresh.variable("key"), self.fresh.variable("value")
        place = subscript(base, name(key, item.items[0]), item.items[1])
        body = Store(place, "=", name(value, item.items[1]), expr.span)
        before += self.block((For((key, value), pairs, (body,), expr.span),))
        return base

    # ------------------------------------------------------------------------ comprehensions

    def appended(self, expr: Expr, before: list[Statement]) -> Expr:
        """Return the name of the container that a comprehension makes."""
        type_ = expr.type
        if expr.data == "generator":
            element = expr.args[0].type
            type_ = Sequence(element, list)
        elif not isinstance(type_, Reference):
            raise NotYet("a comprehension of an unknown kind", expr.span)
        made = self.fresh.variable("made")
        base = name(made, type_)
        display = "dict" if expr.data == "dict" else "list"
        before.append(Let(made, Expr(display, (), None, type_), expr.span))
        element_, *generators = own_names(expr, self.fresh).args
        body: Statement = RegionOp(None, base, "append", (element_,), expr.span)
        if display == "dict":
            key, value = element_.args
            body = Store(subscript(base, key, value.type), "=", value, expr.span)
        before += self.block(_nested(generators, (body,)))
        return base

    def summed(self, expr: Expr, before: list[Statement]) -> Expr:
        made = self.fresh.variable("total")
        start = expr.args[2] if len(expr.args) > 2 else constant(0, Number("int64"))
        before.append(Let(made, start, expr.span))
        element, *generators = own_names(expr.args[1], self.fresh).args
        value = Expr("binary", (name(made, expr.type), element), "+", expr.type)
        before += self.block(_nested(generators, (Let(made, value, expr.span),)))
        return name(made, expr.type)


def _changing(function: Function) -> frozenset[Site]:
    """Return the regions that statements change."""
    found = set()
    for statement in statements(function.body):
        base = None
        if isinstance(statement, RegionOp):
            base = statement.base
        elif isinstance(statement, Store) and statement.target.args:
            base = statement.target.args[0]
        if base is not None and isinstance(base.type, Reference):
            found.add(base.type.site)
    return frozenset(found)


def _nested(generators: list[Expr], body: Block) -> Block:
    """Return the loops and tests of a comprehension around what is done for each item."""
    for generator in reversed(generators):
        domain, *tests = generator.args
        for test in reversed(tests):
            body = (If(test, body, (), test.span),)
        body = (For(generator.data, domain, body, generator.span),)
    return body


def _is_sum(expr: Expr) -> bool:
    if expr.op != "call" or expr.args[0].op != "global" or len(expr.args) < 2 or expr.data:
        return False
    return expr.args[0].data.value is sum


def _is_of_one(expr: Expr) -> bool:
    """Tell whether a call has one argument, and is not strict about lengths."""
    words = keywords(expr)
    strict = words.pop("strict", None)
    is_strict = strict is not None and strict.data is not False
    return len(positional(expr)) == 1 and not words and not is_strict


def _reads_displays(expr: Expr) -> bool:
    """Tell whether a call only reads the displays that it is given."""
    if expr.op != "call" or expr.args[0].op != "global":
        return False
    return expr.args[0].data.text not in KEEPERS


def _as_it_stands(expr: Expr) -> Expr:
    """Return a display that nobody else holds as what it is: its items, one by one."""
    if expr.op not in ("list", "tuple") or any(a.op == "starred" for a in expr.args):
        return expr
    items = tuple(_as_it_stands(arg) for arg in expr.args)
    cls = list if expr.op == "list" else None
    return replace(expr, args=items, type=Tuple(tuple(a.type for a in items), cls))


def _is_slot(target: Expr) -> bool:
    return target.op in ("subscript", "attribute") and is_container(target.args[0].type)


def _is_view_of_dict(expr: Expr) -> bool:
    """Tell whether an expression is the values or items of a dict."""
    if expr.op != "call" or expr.args[0].op != "attribute":
        return False
    return expr.args[0].data in ("values", "items") and is_container(expr.args[0].args[0].type)
