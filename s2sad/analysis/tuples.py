"""Tuples taken apart into names, and assignments of several made one after the other.

p = (x * y, y)              p_0 = x * y
a, b = b, a + p[0]          p_1 = y
                            b_next = a + p_0
                            a = b
                            b = b_next
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, TypeGuard

from s2sad.analysis.comprehensions import is_iterator
from s2sad.analysis.openings import is_named
from s2sad.analysis.several import gives_several
from s2sad.ir.errors import Span
from s2sad.ir.expression import (
    Expr,
    Variable,
    call,
    calls,
    constant,
    copied,
    global_,
    is_own_call,
    name,
)
from s2sad.ir.program import Block, Function, If, Let, Raise, Statement
from s2sad.ir.records import dataclass, field, replace
from s2sad.ir.renaming import Fresh
from s2sad.ir.types import (
    UNKNOWN,
    Array,
    Length,
    Number,
    Reference,
    Regions,
    Tuple,
    Type,
    region_of,
)
from s2sad.ir.walk import (
    bound,
    closed,
    nodes_in,
    read_variables,
    rebuilt,
    rewritten,
    statements,
    with_expressions,
    with_nodes,
)
from s2sad.operators.guards import spelled
from s2sad.types import join

ROUNDS = 6
NO_REGIONS: Regions = MappingProxyType({})
Targets = tuple[Any, ...]


def taken_apart(function: Function, regions: Regions = NO_REGIONS) -> Function:
    """Return a function in which a variable holds no tuple, as far as tuples are made in it."""
    classes = _classes(function)
    function = replace(function, body=with_nodes(function.body, as_display))
    for _ in range(ROUNDS):
        parts = _parts(function)
        apart = _Apart(parts, Fresh.of(function), regions)
        new = replace(function, body=rewritten(function.body, apart.statement))
        if new == function:
            break
        function = new
    made = in_order(function, regions)
    return replace(made, body=with_nodes(made.body, lambda e: _as_call(e, classes)))


def _classes(function: Function) -> dict[type, Expr]:
    """Return the classes of named tuples that are made, as the function calls them."""
    made = [node for node in nodes_in(function.body) if _makes_named(node)]
    return {_class_of(node): node.args[0] for node in made}


def _class_of(node: Expr) -> Any:
    return getattr(node.type, "cls", None)


def _makes_named(node: Expr) -> bool:
    """Tell whether an expression makes a named tuple of each of its parts: State(x, v)."""
    if not is_named(node.type) or node.op != "call" or node.data:
        return False
    cls = _class_of(node)
    of_all = len(node.args) == len(cls._fields) + 1 and all(a.op != "starred" for a in node.args)
    return of_all and calls(node, cls) and "_fields" in vars(cls)


def as_display(node: Expr) -> Expr | None:
    """Return a display, of the type of a named tuple, for what makes one."""
    is_made = _makes_named(node)
    return replace(node, op="tuple", args=node.args[1:], data=None) if is_made else None


def _as_call(node: Expr, classes: Mapping[type, Expr]) -> Expr | None:
    """Return what makes a named tuple for a display of its type."""
    if node.op != "tuple" or not is_named(node.type):
        return None
    cls = _class_of(node)
    made = classes.get(cls) or global_(cls.__name__, cls)
    return replace(node, op="call", args=(made, *node.args), data=())


def in_order(function: Function, regions: Regions = NO_REGIONS) -> Function:
    """Return a function that assigns one name after the other, but where names are exchanged."""
    orders = _Orders(Fresh.of(function), regions)
    return replace(function, body=rewritten(function.body, lambda s: tuple(orders.statement(s))))


def _parts(function: Function) -> dict[Variable, int]:
    """Return the variables that hold tuples made in the function, with how long they are."""
    lengths: dict[Variable, int] = {}
    sources: dict[Variable, set[Variable]] = {}
    refused = {p.variable for p in function.parameters} | _asked_by_position(function)
    for statement in statements(function.body):
        if isinstance(statement, Let) and isinstance(statement.target, Variable):
            target = statement.target
            made = _length_bound(statement.value, sources.setdefault(target, set()))
            if made is None or lengths.setdefault(target, made) != made:
                refused.add(target)
        else:
            refused |= set(bound(statement))
    bad = closed(frozenset(refused), lambda found: {v for v, of in sources.items() if of & found})
    return {v: n for v, n in lengths.items() if v not in bad}


def _asked_by_position(function: Function) -> set[Variable]:
    """Return the variables of which the text asks for parts at positions that it computes."""
    return {
        node.args[0].data
        for node in nodes_in(function.body)
        if node.op == "subscript" and node.args[0].op == "name"
        if not all(
            map(_is_literal, node.args[1].args if node.args[1].op == "slice" else node.args[1:])
        )
    }


def _is_literal(index: Expr) -> bool:
    """Tell whether a position, or a bound of a slice, is written out."""
    is_none = index.op == "constant" and index.data is None
    return is_none or literal_position(index) is not None


def _length_bound(value: Expr, sources: set[Variable]) -> int | None:
    """Return the length of a tuple that is bound: of a call of several results their number."""
    if gives_several(value) and isinstance(value.type, Tuple):
        return len(value.type.items)
    return _length(value, sources)


def _length(value: Expr, sources: set[Variable]) -> int | None:
    """Return the length of a tuple that is made here; the tuples that it is taken from are added."""
    if _is_plain(value):
        return len(value.args)
    if not isinstance(value.type, Tuple) or not (value.type.cls is None or is_named(value.type)):
        return None
    if value.op == "name":
        sources.add(value.data)
        return len(value.type.items)
    if value.op == "conditional":
        found = [_length(arm, sources) for arm in value.args[1:]]
        return found[0] if found[0] == found[1] else None
    if value.op == "binary" and value.data == "+":
        both = [_length(arg, sources) for arg in value.args]
        return None if None in both else sum(n for n in both if n is not None)
    return None


@dataclass(slots=True)
class _Apart:
    """The variables that hold tuples, and the names of their parts."""

    lengths: Mapping[Variable, int]
    fresh: Fresh
    regions: Regions
    names: dict[Variable, tuple[Variable, ...]] = field(default_factory=dict)

    def parts_of(
        self, variable: Variable, types: tuple[Type, ...], whole: Type
    ) -> tuple[Expr, ...]:
        if variable not in self.names:
            count = self.lengths[variable]
            keys = whole.cls._fields if is_named(whole) else range(count)  # type: ignore[union-attr]
            self.names[variable] = tuple(
                self.fresh.variable(f"{variable.name}_{key}", variable.role) for key in keys
            )
        made = self.names[variable]
        return tuple(name(part, type_) for part, type_ in zip(made, types, strict=True))

    def statement(self, statement: Statement) -> Statement | Block:
        statement = with_expressions(statement, self.expression)
        if not isinstance(statement, Let):
            return statement
        target = statement.target
        if isinstance(target, Variable) and target in self.lengths:
            value, before = self.unfolded(statement)
            items = value.type.items if isinstance(value.type, Tuple) else ()
            types = items if gives_several(value) else tuple(a.type for a in value.args)
            targets = tuple(
                part.data for part in self.parts_of(target, types, statement.value.type)
            )
            return (*before, replace(statement, target=targets, value=value))
        if isinstance(target, tuple) and statement.value.op == "conditional":
            value, before = self.unfolded(statement)
            return (*before, replace(statement, value=value))
        if _binds_tuples(statement):
            return tuple(_Orders(self.fresh, self.regions).statement(statement))
        return statement

    def unfolded(self, let: Let) -> tuple[Expr, list[Statement]]:
        """Return a tuple display for what is bound: of a conditional one, a display of conditionals."""
        value = let.value
        before: list[Statement] = []
        if value.op == "conditional" and all(arm.op == "tuple" for arm in value.args[1:]):
            test, left, right = value.args
            if test.op != "name":
                test = self.fresh.named(test, "test", before, let.span)
            pairs = list(zip(left.args, right.args, strict=True))
            types: Sequence[Type] = [_either(a.type, b.type) for a, b in pairs]
            if isinstance(value.type, Tuple) and UNKNOWN in types:
                types = value.type.items
            chosen = tuple(
                Expr("conditional", (test, a, b), None, type_)
                for (a, b), type_ in zip(pairs, types, strict=True)
            )
            value = Expr("tuple", chosen, None, Tuple(tuple(c.type for c in chosen)))
        return value, before

    def expression(self, expr: Expr) -> Expr:
        """Return an expression in which parts of tuples are the names of the parts."""

        def change(node: Expr) -> Expr | None:
            if node.op == "name" and node.data in self.lengths:
                types = node.type.items if isinstance(node.type, Tuple) else ()
                types = types or (UNKNOWN,) * self.lengths[node.data]
                return Expr(
                    "tuple",
                    self.parts_of(node.data, types, node.type),
                    None,
                    node.type,
                    None,
                    node.span,
                )
            if node.op == "subscript" and node.args[0].op == "tuple":
                return _part(node)
            if node.op == "attribute" and node.args[0].op == "tuple":
                return _field(node)
            if node.op == "binary" and node.data == "+" and all(_is_plain(a) for a in node.args):
                parts = tuple(part for arg in node.args for part in arg.args)
                return Expr("tuple", parts, None, node.type, None, node.span)
            if (display := _copied(node)) is not None:
                return replace(display, op="list", type=node.type)
            if len(node.args) == 2 and node.args[1].op == "tuple":
                if calls(node, list):
                    return replace(node.args[1], op="list", type=node.type)
                if calls(node, tuple):
                    return replace(node.args[1], type=node.type)
            return None

        return rebuilt(expr, change)


def _is_plain(expr: Expr) -> bool:
    """Tell whether a tuple is written out, each of its items."""
    return expr.op == "tuple" and not any(arg.op == "starred" for arg in expr.args)


def _binds_tuples(let: Let) -> bool:
    """Tell whether several names are bound at one time, and one of them to a tuple."""
    target, value = let.target, let.value
    if not isinstance(target, tuple) or value.op != "tuple":
        return False
    pairs = zip(target, value.args, strict=False)
    return any(isinstance(t, Variable) and isinstance(v.type, Tuple) for t, v in pairs)


def _either(a: Type, b: Type) -> Type:
    if isinstance(a, Array) != isinstance(b, Array):
        return UNKNOWN
    joined = join(a, b)
    if joined is not None:  # lengths that differ from arm to arm are not known
        return joined
    return b if isinstance(b, Number) else a


def _copied(node: Expr) -> Expr | None:
    """Return the display that a method of lists copies, as np.split(u, 2).copy() does."""
    display = copied(node)
    return display if display is not None and display.op == "tuple" else None


def _part(node: Expr) -> Expr | None:
    """Return the part of a tuple display that a literal position or slice names."""
    display, index = node.args
    if any(a.op == "starred" for a in display.args):
        return None
    position = literal_position(index)
    if position is not None and -len(display.args) <= position < len(display.args):
        return display.args[position]
    if index.op == "slice" and all(map(_is_literal, index.args)):
        kept = display.args[slice(*map(literal_position, index.args))]
        return Expr("tuple", kept, None, Tuple(tuple(a.type for a in kept)), None, node.span)
    return None


def _field(node: Expr) -> Expr | None:
    """Return the part of a named tuple that an attribute names."""
    display = node.args[0]
    named = getattr(getattr(display.type, "cls", None), "_fields", ())
    return display.args[named.index(node.data)] if node.data in named else None


def literal_position(index: Expr) -> int | None:
    """Return the number that a position is, if it is a literal."""
    value = spelled(index)
    return value if type(value) is int else None


def is_exchange(statement: Statement | None) -> TypeGuard[Let]:
    """Tell whether a statement only exchanges names: a, b = b, a."""
    return (
        isinstance(statement, Let)
        and isinstance(statement.target, tuple)
        and statement.value.op == "tuple"
        and len(statement.target) > 1
        and all(isinstance(t, Variable) for t in statement.target)
        and all(a.op == "name" for a in statement.value.args)
        and len(set(statement.target)) == len(statement.target)
        and {a.data for a in statement.value.args} == set(statement.target)
    )


def exchange_of(statement: Statement) -> tuple[tuple[Variable, ...], tuple[Expr, ...]]:
    """Return the names that a statement exchanges, and what each of them gets."""
    if not isinstance(statement, Let) or not isinstance(statement.target, tuple):
        return (), ()
    return tuple(t for t in statement.target if isinstance(t, Variable)), statement.value.args


@dataclass(slots=True)
class _Orders:
    """Assignments of several at one time, one after the other."""

    fresh: Fresh
    regions: Regions

    def statement(self, statement: Statement) -> Iterator[Statement]:
        if (
            is_exchange(statement)
            or not isinstance(statement, Let)
            or not isinstance(statement.target, tuple)
        ):
            yield statement
        elif is_own_call(statement.value) and not isinstance(statement.value.type, Array):
            yield statement  # the results of an own function have a name each
        elif gives_several(statement.value):
            yield from self.of_call(statement, statement.target)
        elif statement.value.op == "tuple":
            yield from self.one_by_one(statement, statement.target)
        else:
            yield from self.unpacked(statement, statement.target)

    def one_by_one(self, let: Let, targets: Targets) -> Iterator[Statement]:
        bound_so_far: set[Variable] = set()
        later: list[Let] = []
        for target, value in zip(targets, let.value.args, strict=True):
            if read_variables(value) & bound_so_far:
                called = target.name if isinstance(target, Variable) else "part"
                kept = self.fresh.variable(f"{called}_next")
                yield Let(kept, value, let.span)
                value = name(kept, value.type, value.span)
            later.append(Let(target, value, let.span))
            bound_so_far |= set(bound(later[-1]))
        for one in later:
            yield from self.statement(one)

    def of_call(self, let: Let, targets: Targets) -> Iterator[Statement]:
        """Yield a call of several results, each of which has a name."""
        items = let.value.type.items if isinstance(let.value.type, Tuple) else ()
        later: list[Let] = []
        names = []
        for target, item in zip(targets, items, strict=True):
            if not isinstance(target, Variable):
                kept = self.fresh.variable("part")
                if target is not None:
                    later.append(Let(target, name(kept, item), let.span))
                target = kept
            names.append(target)
        yield replace(let, target=tuple(names))
        for each in later:
            yield from self.statement(each)

    def unpacked(self, let: Let, targets: Targets) -> Iterator[Statement]:
        """Yield the statements that take the items of an array or a tuple one by one."""
        value = let.value
        if value.op != "name" or value.data in bound(let):
            kept = self.fresh.variable("parts")
            if is_iterator(value.type):  # its items have no places, and are taken once
                value = replace(call(global_("tuple", tuple), value), span=value.span)
            yield replace(let, target=kept, value=value)
            value = name(kept, value.type, value.span)
        if not holds(value.type, len(targets), self.regions):
            yield _raising_for_other_lengths(value, len(targets), let.span)
        for position, target in enumerate(targets):
            if target is None:
                continue
            part = Expr("subscript", (value, constant(position, Number("int64"))), None, UNKNOWN)
            part = part.typed(_type_of_part(value.type, position))
            yield from self.statement(Let(target, part, let.span))


def holds(type_: Type, count: int, regions: Regions = NO_REGIONS) -> bool:
    """Tell whether a value of a type surely holds so many items: `a, b = ends(u)` may leave some."""
    match type_:
        case Tuple(items):
            return len(items) == count
        case Array(_, lengths) if lengths:
            return lengths[0] == Length((), count)
        case Reference():
            region = region_of(type_, regions)
            return region is not None and region.count == count
    return False


def _raising_for_other_lengths(value: Expr, count: int, span: Span | None) -> If:
    """Return what raises the error of an unpacking, as Python does, where there are more or fewer items."""
    length = call(global_("len", len), value, type_=Number("int64"))
    wanted = constant(count, Number("int64"))
    test = Expr("compare", (length, wanted), ("!=",), Number("bool"))
    said = call(global_("ValueError", ValueError), constant(f"expected {count} values to unpack"))
    return If(test, (Raise(said, span),), (), span)


def lengths_asked(statement: Statement) -> tuple[Expr, int] | None:
    """Return the value, and the number of items, of a statement that raises if there are others."""
    match statement:
        case If(Expr("compare", (length, wanted), ("!=",)), (Raise(span=span),), ()):
            if span == statement.span and wanted.op == "constant" and calls(length, len):
                return length.args[1], wanted.data
    return None


def _type_of_part(type_: Type, position: int) -> Type:
    if isinstance(type_, Tuple):
        return type_.items[position] if position < len(type_.items) else UNKNOWN
    if isinstance(type_, Array) and type_.lengths:
        return type_.row
    return UNKNOWN
