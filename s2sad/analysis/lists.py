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

from collections.abc import Callable, Iterable
from enum import Enum

import numpy as np

from s2sad.analysis import comprehensions
from s2sad.analysis.activity import FLAT, may_vary
from s2sad.analysis.changes import Changes, is_changed_in_place, spelled_out
from s2sad.analysis.comprehensions import is_iterator
from s2sad.analysis.containers import (
    DISPLAYS,
    NUMBER,
    STACKS,
    dict_of_view,
    dict_types,
    is_container,
    is_copy,
    is_copy_of_array,
    is_dict,
    is_display,
    is_held,
    is_made,
    is_named_tuple,
    is_slot,
    joined_types,
    kind_of,
)
from s2sad.analysis.loops import WHOLE, domain_item, item_type, range_of
from s2sad.analysis.pointers import stored_base
from s2sad.ir.errors import NotYet, Span
from s2sad.ir.expression import (
    Expr,
    Role,
    Variable,
    attribute,
    call,
    calls,
    constant,
    copy_of,
    global_,
    is_own_call,
    keywords,
    name,
    positional,
    subscript,
    text_of_call,
)
from s2sad.ir.program import (
    PURE,
    Block,
    For,
    Function,
    If,
    Let,
    RegionOp,
    Return,
    Statement,
    Store,
    While,
)
from s2sad.ir.records import dataclass, field, replace
from s2sad.ir.renaming import Fresh
from s2sad.ir.types import (
    Array,
    Number,
    Numeric,
    Other,
    Reference,
    Regions,
    Sequence,
    Site,
    Tuple,
    Type,
    Unknown,
)
from s2sad.ir.walk import in_blocks, nodes, own_nodes, rebuilt, statements, with_expressions
from s2sad.operators.effects import effect
from s2sad.operators.filling import makes_array
from s2sad.operators.guards import is_complex, is_none
from s2sad.operators.hooks import is_bracket
from s2sad.operators.statements import Word
from s2sad.operators.table import named

Infer = Callable[[Expr], Expr]
ARRAY = np.array
# what they give holds what they are given
KEEPERS = frozenset(
    """
    list tuple dict set sorted zip enumerate reversed iter map filter copy.copy copy.deepcopy
    """.split()
)
LISTED = frozenset({"list", "tuple"})
# they join arrays, and make arrays of the lists among them
JOINS = named("joins")
EXTREMES = frozenset({"max", "min"})
DISTANCES = frozenset({"math.dist", "math.hypot"})
CONVERTERS = named("converts")  # np.array([xs, ys]) of lists with names, too
# of a list they are what np.array is
COPIERS = named("copies")
# they take lists as they are; the other functions of NumPy make an array of a list first
OF_SEVERAL = named("joins", "converts", "copies", "takes_several")


def named_items(function: Function, regions: Regions, infer: Infer) -> Function:
    """Return a function whose containers hold names and numbers, made without comprehensions."""
    lists = Lists(Fresh.of(function), regions, infer, _changing(function.body))
    return replace(function, body=lists.block(function.body))


@dataclass(slots=True)
class Lists:
    """What the statements of a function make of containers."""

    fresh: Fresh
    regions: Regions
    infer: Infer
    changing: frozenset[Site]
    listed: dict[Variable, Type] = field(default_factory=dict)
    called: str = "made"

    def block(self, block: Block) -> Block:
        """Return a block with its containers made of names and numbers."""
        return tuple(new for s in block for new in self.statement(s))

    def statement(self, statement: Statement) -> Block:
        """Return what a statement becomes."""
        if isinstance(statement, For):
            changes = comprehensions.changes_of_columns(statement, self.regions)
            if changes:
                return self.by_columns(statement, changes)
        first = statement = in_blocks(statement, self.block)
        if self.listed:
            statement = with_expressions(statement, self.with_list_types)
        before: list[Statement] = []
        if isinstance(statement, Store) and isinstance(stored_base(statement).type, Array):
            statement = replace(statement, value=_as_it_stands(statement.value))
        if any(map(self.has_to_change, own_nodes(statement))):
            is_let = isinstance(statement, Let) and isinstance(statement.target, Variable)
            is_given = isinstance(statement, Return) and is_display(statement.value)
            is_whole = is_let or is_given or isinstance(statement, For)
            place = statement.target if isinstance(statement, Store) else None
            if isinstance(statement, Let) and isinstance(statement.target, Variable):
                self.called = statement.target.name
            statement = with_expressions(
                statement,
                lambda e: (
                    self.place(e, before) if e is place else self.expanded(e, before, is_whole)
                ),
            )
            self.called = "made"
            if isinstance(statement, While) and before:
                raise NotYet("a container that is made in the test of a loop", statement.span)
        if isinstance(statement, Let):
            statement = self.with_list(_with_effect(statement, first), before)
        statement = self.with_arrays(statement, before)
        changed = self.changed(statement, before)
        return (*before, *changed)

    def with_list(self, let: Let, before: list[Statement]) -> Let:
        """Return a Let of a list in the place of a view of a dict."""
        if dict_of_view(let.value) is None or not self.varies(let.value):
            return let
        self.refuse_changes_of(let.value)
        let = replace(let, value=self.as_list(let.value, before))
        if isinstance(let.target, Variable):
            self.listed[let.target] = let.value.type
        return let

    def with_list_types(self, expr: Expr) -> Expr:
        """Return an expression in which the names of lists that were iterators have their types."""

        def typed(node: Expr) -> Expr | None:
            known = self.listed.get(node.data) if node.op == "name" else None
            return None if known is None else node.typed(known)

        return rebuilt(expr, typed)

    def refuse_changes_of(self, view: Expr) -> None:
        """Refuse a view that is kept of a dict that changes."""
        site = getattr(view.args[0].args[0].type, "site", None)
        if site in self.changing:
            raise NotYet("a view of a dict that changes", view.span)

    def changed(self, statement: Statement, before: list[Statement]) -> Block:
        """Return a statement whose displays hold names, and which changes containers plainly."""
        if isinstance(statement, Store) and self.is_item_changed(statement):
            statement = replace(statement, target=self.base(statement.target, before))
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
            case RegionOp(base=base, args=args):
                if self.is_kept(base):
                    args = tuple(self.item(arg, before) for arg in args)
                statement = replace(statement, base=self.base(base, before), args=args)
            case Store(target, "=", value) if is_slot(target):
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
        if display.op != "dict":
            return display.with_args(self.item(arg, before) for arg in display.args)
        items: dict[Expr, Expr] = {}
        for pair in display.args:
            key, value = pair.args
            if key.op != "name" and not _is_written_out(key):
                key = self.named(key, "key", before)
            items[key] = pair.with_args((key, self.item(value, before)))
        if not all(map(_is_written_out, items)) and len(items) > 1:
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
        made = self.fresh.variable(called, Role.TERM)
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
        return may_vary(expr.args[0].type, self.regions)

    def expanded(self, expr: Expr, before: list[Statement], is_whole: bool = False) -> Expr:
        """Return an expression with a name for each container that has to be made before.

        `is_whole` is the right side of an assignment: a display or copy may stay there.
        """
        called, self.called = self.called, "made"
        if expr.op in ("conditional", "and", "or") and any(map(self.is_expanded, nodes(expr))):
            return self.on_one_way(expr, before)
        is_sum = calls(expr, sum) and len(expr.args) > 1 and not expr.data
        if is_sum and self.is_expanded(expr.args[1]):
            return self.made(comprehensions.summed(expr, self.fresh), before)
        if self.is_expanded(expr):
            word = called if is_whole else "made"
            return self.made(comprehensions.appended(expr, word, self.fresh), before)
        if expr.op == "comprehension":
            return expr
        if expr.op == "binary" and (repeated := self.repeated_number(expr)) is not None:
            whole = name(self.fresh.variable(called if is_whole else "made"), expr.type)
            part, count = repeated
            words = {"part": part, "count": self.expanded(count, before)}
            return self.spelled("filled", whole, part.type, before, expr.span, **words)
        if text_of_call(expr) not in ("", *KEEPERS) or _is_with_array(expr):
            expr = expr.with_args(_as_it_stands(arg) for arg in expr.args)
        inner = expr.with_args(self.expanded(arg, before, self.is_place(expr)) for arg in expr.args)
        self.called = called if is_whole else "made"
        made = self.replaced(inner, before)
        if made is not None:
            return made
        if is_whole or not self.is_kept(inner) or not is_made(inner):
            return inner
        return self.named(inner, "made", before)

    def is_item_changed(self, store: Store) -> bool:
        """Tell whether a container that another holds is changed: rows[0] += [x], and no slice."""
        if store.op == "=" or not self.is_kept(store.target):
            return False
        return store.target.op != "subscript" or store.target.args[1].op != "slice"

    def on_one_way(self, expr: Expr, before: list[Statement]) -> Expr:
        """Return a name for what is made by statements on one way alone: [...] if n else []."""
        if expr.op != "conditional":
            raise NotYet("a comprehension that is made sometimes", expr.span)
        test, yes, no = expr.args
        made = self.fresh.variable("made", Role.TERM)
        test = self.expanded(test, before)
        then, otherwise = (self.statement(Let(made, side, expr.span)) for side in (yes, no))
        before.append(If(test, then, otherwise, expr.span))
        return name(made, expr.type, expr.span)

    def with_arrays(self, statement: Statement, before: list[Statement]) -> Statement:
        """Return a store to an array of what NumPy makes of a container."""
        if not isinstance(statement, Store) or not self.varies(statement.value):
            return statement
        if not isinstance(stored_base(statement).type, Array):
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
        if expr.op == "binary" and any(makes_array(a, expr.data) for a in expr.args):
            if any(self.varies(a) for a in expr.args):
                args = [self.array_of(_as_it_stands(a), before) for a in expr.args]
                return self.infer(expr.with_args(args))
        if expr.op == "subscript" and is_bracket(expr.args[0]):
            return self.of_bracket(expr, before)
        if expr.op == "list" and self.varies(expr):
            if any(a.op == "starred" for a in expr.args):
                return self.made(comprehensions.taken_in(expr, self.called, self.fresh), before)
        if expr.op != "call" or expr.args[0].op == "function":
            return None
        function, *args = expr.args
        if is_copy_of_array(expr):
            return _copy_as_it_lies(args[0])
        if function.op == "attribute":
            return self.method(expr, function, args, before)
        if function.op != "global":
            return None
        text = function.data.text
        if text in LISTED and len(args) == 1 and isinstance(args[0].type, Array):
            return self.taken_up(expr, args[0], before) if self.varies(expr) else None
        if text == "zip" and args and args[0].op == "starred" and _is_of_one(expr):
            return self.columns(expr, args[0].args[0], before)
        if text == "np.choose" and args and not isinstance(args[0].type, Array | Number):
            places = self.array_of(_as_it_stands(args[0]), before)
            return self.infer(expr.with_args((function, places, *args[1:])))
        if text in JOINS | CONVERTERS and args and args[0].op in ("list", "tuple"):
            is_nested = text in CONVERTERS  # a list in a list stands there as it is
            parts = args[0].with_args(
                part if is_nested and is_display(part) else self.as_array(part, before)
                for part in args[0].args
            )
            joined = expr.with_args((function, parts, *args[1:]))
            return None if joined is expr else self.infer(joined)
        if text in COPIERS and len(args) == 1 and not expr.data and is_container(args[0].type):
            return self.infer(call(global_("np.array", ARRAY), args[0]))
        is_spread = text in DISTANCES | EXTREMES
        varying = [a for a in args if (is_spread or a.op != "starred") and self.varies(a)]
        if not varying:
            return None
        if text in LISTED and len(args) == 1 and not is_copy(expr):
            return self.taken_up(expr, args[0], before)
        if text == "sorted":
            return self.in_order(expr, args[0], before)
        if text in EXTREMES and len(args) == 1 and not expr.data:
            return self.extreme(expr, args[0], before)
        if makes_arrays(text) or is_of_scipy(function):
            return self.of_arrays(expr, before)
        if text in DISTANCES:
            return self.infer(expr.with_args((function, *(self.point(a, before) for a in args))))
        if text in named("sums") | STACKS and self.varies(args[0]):
            if args[0].op in ("subscript", "attribute") or dict_of_view(args[0]) is not None:
                held = self.as_list(args[0], before)
                return expr.with_args((function, held, *args[1:]))
        return None

    def made(self, made: comprehensions.Made, before: list[Statement]) -> Expr:
        """Return the name of a container; the statements that make it come before."""
        base, block = made
        before += self.block(block)
        return base

    def taken_up(self, expr: Expr, domain: Expr, before: list[Statement]) -> Expr:
        """Return a list, or a tuple, of what a domain gives."""
        held = self.taken(expr, domain, before)
        return held if calls(expr, list) else expr.with_args((expr.args[0], held))

    def taken(self, expr: Expr, domain: Expr, before: list[Statement]) -> Expr:
        """Return a list of what a domain gives."""
        item = domain_item(domain, self.regions) or item_type(expr.type, self.regions)
        if item is None:
            raise NotYet("a list of what is not known", expr.span)
        is_plain = isinstance(expr.type, Sequence | Tuple)
        type_ = Sequence(item, list) if is_plain else expr.type
        base = name(self.fresh.variable(self.called), type_)
        return self.spelled("listed", base, item, before, expr.span, domain=domain)

    def spelled(
        self,
        template: str,
        made: Expr,
        item: Type,
        before: list[Statement],
        span: Span | None,
        **words: Word,
    ) -> Expr:
        """Return the name of a container that is made as a template says, of what has such items."""
        named = {"made": made, **words}
        block = spelled_out(template, named, item, self.fresh, self.regions, span)
        return self.made((made, block), before)

    def columns(self, expr: Expr, rows: Expr, before: list[Statement]) -> Expr | None:
        """Return the columns of a list of rows: zip(*rows)."""
        row = item_type(rows.type, self.regions)
        item = None if row is None else item_type(row, self.regions)
        is_held_by_one = is_container(rows.type) or isinstance(rows.type, Array)
        does_vary = is_held_by_one and may_vary(rows.type, self.regions)
        if row is None or item is None or not does_vary:
            return None
        held = rows if isinstance(rows.type, Array) else self.as_list(rows, before)
        made = name(self.fresh.variable("columns"), Sequence(Sequence(item, list), list))
        return self.spelled("columns", made, item, before, expr.span, rows=held)

    def by_columns(self, loop: For, changes: Iterable[Statement]) -> Block:
        """Return a loop over zip(*rows) that writes to the rows: each pass reads its own column."""
        fault = NotYet("rows that change while their columns are gone through", loop.span)
        domain = loop.domain
        is_whole = calls(domain, zip) and domain.args[1].op == "starred" and _is_of_one(domain)
        if not is_whole or not all(isinstance(each, Store) for each in changes):
            raise fault
        rows = domain.args[1].args[0]
        row = item_type(rows.type, self.regions)
        item = None if row is None else item_type(row, self.regions)
        if row is None or item is None:
            raise fault
        before: list[Statement] = []
        if isinstance(rows.type, Array):
            held = name(self.fresh.variable("rows"), rows.type)
            before.append(Let(held.data, rows, loop.span))
        else:
            held = name(self.fresh.variable("rows"), Sequence(row, list))
            self.spelled("listed", held, row, before, loop.span, domain=rows)
        shortest, place = (name(self.fresh.variable(word), WHOLE) for word in ("shortest", "place"))
        column = name(self.fresh.variable("column"), Sequence(item, list))
        words = {"shortest": shortest, "column": column, "rows": held, "place": place}
        begin, first = (
            spelled_out(template, words, item, self.fresh, self.regions, loop.span)
            for template in ("least_length", "column_at")
        )
        body = (*first, Let(loop.target, column, loop.span), *loop.body)
        made = For(place.data, range_of(shortest), body, loop.span)
        return (*before, *self.block(begin), *self.block((made,)))

    def in_order(self, expr: Expr, over: Expr, before: list[Statement]) -> Expr:
        """Return a sorted list; the keys of a dict as they are."""
        key, _ = dict_types(over.type, self.regions)
        if is_dict(over.type, self.regions) and not may_vary(key, self.regions):
            return expr.typed(Sequence(key, list))
        held = self.as_list(over, before)
        item = item_type(held.type, self.regions)
        if item is None or "key" in expr.data:
            raise NotYet("a list that is sorted by a key", expr.span)
        made = name(self.fresh.variable(self.called), expr.type)
        places = comprehensions.sorted_places(held, keywords(expr))
        return self.spelled("in_order", made, item, before, expr.span, xs=held, places=places)

    def method(
        self, expr: Expr, function: Expr, args: list[Expr], before: list[Statement]
    ) -> Expr | None:
        """Return what a method of a container gives, where statements make it."""
        base = function.args[0]
        is_got = function.data == "get" and args and not expr.data
        if is_got and is_container(base.type) and self.varies(base):
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
        joined = joined_types([part.type, default.type])
        is_half = isinstance(default.type, Number) and not isinstance(part.type, Number)
        return name(made, joined or (Unknown() if is_half else expr.type))

    def of_arrays(self, expr: Expr, before: list[Statement]) -> Expr | None:
        """Return a function of NumPy or SciPy over arrays that are made of lists."""
        args = [
            self.array_of(a, before) if k and self.varies(a) and self.is_list(a) else a
            for k, a in enumerate(expr.args)
        ]
        made = expr.with_args(args)
        return None if made is expr else self.infer(made)

    def repeated_number(self, expr: Expr) -> tuple[Expr, Expr] | None:
        """Return the parts of [0.0] * n where arrays take the place of the number: each has a shadow."""
        if expr.data != "*" or not isinstance(item_type(expr.type, self.regions), Numeric):
            return None
        display, count = sorted(expr.args, key=lambda arg: arg.op != "list")
        is_one = display.op == "list" and len(display.args) == 1
        is_number = is_one and isinstance(display.args[0].type, Number)
        return (display.args[0], count) if is_number else None

    def of_bracket(self, expr: Expr, before: list[Statement]) -> Expr | None:
        """Return np.r_[a, b] of arrays."""
        key = expr.args[1]
        parts = key.args if key.op == "tuple" else (key,)
        arrays = tuple(self.as_array(self.as_range(part), before) for part in parts)
        inside = replace(key, args=arrays) if key.op == "tuple" else arrays[0]
        return self.infer(expr.with_args((expr.args[0], inside)))

    def as_range(self, part: Expr) -> Expr:
        """Return start:stop:step among what np.r_ joins as np.arange; a complex step counts points."""
        if part.op != "slice" or is_none(part.args[1]) or is_complex(part.args[2]):
            return part
        start, stop, step = part.args
        ends = (constant(0, WHOLE) if is_none(start) else start, stop)
        steps = () if is_none(step) else (step,)
        return self.infer(call(global_("np.arange", np.arange), *ends, *steps))

    def point(self, part: Expr, before: list[Statement]) -> Expr:
        """Return a list of coordinates, or *xs of one, as an array."""
        if part.op == "starred":
            return part.with_args((self.point(part.args[0], before),))
        return self.array_of(_as_it_stands(part), before)

    def is_list(self, held: Expr) -> bool:
        is_part = held.op in ("name", "subscript", "attribute")
        is_other = isinstance(held.type, Tuple) or is_dict(held.type, self.regions)
        return is_part and not is_other  # options of a solver are a dict

    def array_of(self, held: Expr, before: list[Statement]) -> Expr:
        if not is_container(held.type):
            return held
        if held.op in ("subscript", "attribute"):
            held = self.named(held, "held", before)
        value = self.infer(call(global_("np.array", ARRAY), held))
        return self.named(value, "values", before)

    def extreme(self, expr: Expr, held: Expr, before: list[Statement]) -> Expr | None:
        """Return the largest or smallest number of a list as an item of it."""
        if held.op == "starred":
            (held,) = held.args
            expr = expr.with_args((expr.args[0], held))
        held = self.as_list(held, before)
        if kind_of(item_type(held.type, self.regions) or Other()) != NUMBER:
            return None
        index = call(attribute(held, "index"), expr.with_args((expr.args[0], held)), type_=WHOLE)
        at = self.fresh.named(index, "position", before, expr.span)
        return self.infer(subscript(held, at))

    def as_array(self, part: Expr, before: list[Statement]) -> Expr:
        """Return a list as an array: it is joined with others."""
        is_made = part.op == "binary" and is_container(part.type)  # [a] * n, xs + ys
        if self.varies(part) and (is_made or self.is_list(part)):
            return self.array_of(self.named(part, "held", before) if is_made else part, before)
        is_global = part.op == "global" and isinstance(part.data.value, list | tuple)
        is_display = part.op in ("list", "tuple") and part.args
        if not (is_global or is_made or is_display):
            return part
        return self.infer(call(global_("np.array", ARRAY), _as_it_stands(part)))

    def as_list(self, held: Expr, before: list[Statement]) -> Expr:
        """Return a name for what is gone through, as a list."""
        if is_container(held.type):
            return held if held.op == "name" else self.named(held, "held", before)
        item = held.type.item if is_iterator(held.type) else domain_item(held, self.regions)
        type_ = Sequence(item or Unknown(), list)
        display = Expr("list", (), None, type_)
        return self.taken(display, held, before)


def _changing(block: Block) -> frozenset[Site]:
    """Return the regions that statements change."""
    found = set()
    for statement in statements(block):
        base = None
        if isinstance(statement, RegionOp):
            base = statement.base
        elif isinstance(statement, Store) and statement.target.args:
            base = statement.target.args[0]
        if base is not None and isinstance(base.type, Reference):
            found.add(base.type.site)
    return frozenset(found)


def _with_effect(let: Let, first: Statement) -> Let:
    """Return a Let with the effect of its value, where that was another one: a list is not used up."""
    if let.value.op != "call":
        return replace(let, effect=PURE)
    if is_own_call(let.value):
        return let
    is_new = isinstance(first, Let) and first.value is not let.value
    return replace(let, effect=effect(let.value)) if is_new else let


def makes_arrays(called: str) -> bool:
    """Tell whether a function of NumPy makes arrays of the lists that it is given."""
    is_numpy = called.startswith("np.") and called not in OF_SEVERAL
    return is_numpy and called.rpartition(".")[2] not in FLAT


def is_of_scipy(function: Expr) -> bool:
    """Tell whether a function is SciPy's: those make arrays of the lists that they are given."""
    value = function.data.value
    is_ufunc = isinstance(value, np.ufunc)
    return is_ufunc or str(getattr(value, "__module__", "")).startswith("scipy.")


def _is_written_out(key: Expr) -> bool:
    """Tell whether a key of a display is known to be another one than those beside it."""
    return key.op == "constant" or (key.op == "global" and isinstance(key.data.value, Enum))


def _is_of_one(expr: Expr) -> bool:
    """Tell whether a call has one argument, and is not strict about lengths."""
    words = keywords(expr)
    strict = words.pop("strict", None)
    is_strict = strict is not None and strict.data is not False
    return len(positional(expr)) == 1 and not words and not is_strict


def _is_with_array(expr: Expr) -> bool:
    """Tell whether an operation makes arrays of the displays that it is given."""
    return expr.op == "binary" and any(isinstance(a.type, Array) for a in expr.args)


def _copy_as_it_lies(array: Expr) -> Expr:
    """Return a copy in the order of an array, as copy.copy makes it: that of the method lies in rows."""
    if isinstance(array.type, Array) and len(array.type.lengths) < 2:
        return copy_of(array)
    return call(global_("np.copy", np.copy), array, type_=array.type)


def _as_it_stands(expr: Expr) -> Expr:
    """Return a display that nobody else holds as what it is: its items, one by one."""
    if expr.op not in ("list", "tuple") or any(a.op == "starred" for a in expr.args):
        return expr
    items = tuple(_as_it_stands(arg) for arg in expr.args)
    cls = list if expr.op == "list" else None
    return replace(expr, args=items, type=Tuple(tuple(a.type for a in items), cls))
