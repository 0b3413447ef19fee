"""The items of a list of objects are read, and written, where their fields stand in its lists.

b = bodies[i]                     b holds a Row
b.x = b.x + b.m           ->      bodies_x[i] = bodies_x[i] + bodies_m[i]
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from s2sad.ir.errors import Unsupported
from s2sad.legacy.desugar.syntax import with_
from s2sad.legacy.program import Call, Const, Expr, Op, Ref
from s2sad.legacy.scope import Scope
from s2sad.legacy.statics import records
from s2sad.legacy.statics.kinds import Cut, Lost, Record, Row, Table


def table_called(name: str, scope: Scope) -> Record | None:
    """Return the list of objects that a name holds."""
    static = scope.static(name)
    return static if isinstance(static, Record) and is_table(static) else None


def is_table(record: Record) -> bool:
    """Tell whether a record is a list of objects."""
    return issubclass(record.kind, Table)


def whole(table: Record) -> Record:
    """Return the list of objects that a slice is of; a list itself."""
    return table.table if isinstance(table, Cut) else table


def cut(table: Record, part: Any, name: str, scope: Scope, node: Any) -> Cut:
    """Return a slice of a list of objects, or what stands at the places that `part` makes."""
    taken = part
    slot: str | tuple[str, int] | None = None if isinstance(table, Cut) else _rest(part, scope)
    if isinstance(part, gast.Slice):
        taken = placed(gast.Subscript(places(table, scope, node), part, gast.Load()), node)
    slot = slot or kept(taken, f"{name}_places", scope, node)
    scope.numbers.records += 1
    made = Cut(name, scope.numbers.records, table.kind, whole(table), slot)
    keys = scope.held.statics[table.place]
    scope.held.statics = {**scope.held.statics, made.place: keys}
    return made


def _rest(part: Any, scope: Scope) -> tuple[str, int] | None:
    """Return i and 1 of `[i + 1:]`, where i is never negative."""
    match part:
        case gast.Slice(lower=lower, upper=None, step=None):
            pass
        case _:
            return None
    match lower:
        case gast.BinOp(left=gast.Name() as count, op=gast.Add(), right=gast.Constant(value=more)):
            pass
        case gast.Name() as count:
            more = 0
        case _:
            return None
    slot = scope.slot(count.id)
    fits = isinstance(more, int) and more >= 0 and slot in scope.numbers.counters
    return (slot, more) if fits else None


def kept(value: Any, name: str, scope: Scope, node: Any) -> str:
    """Compute a place, or places, under a name of its own, and return its slot."""
    from s2sad.legacy.normalise.statements import every  # which asks for lists of objects

    name = f"{name}%k{scope.numbers.key()}"
    scope.locals |= {name}
    every([placed(gast.Assign([named(name, gast.Store(), node)], value, None), node)], scope)
    return scope.slot(name)


def places(table: Record, scope: Scope, node: Any) -> Any:
    """Return the syntax of the places of a list of objects: a range."""
    if isinstance(table, Cut) and isinstance(table.places, str):
        return named(records.known_as_name(table.places, scope), gast.Load(), node)
    first, *_ = records.keys_of(table, scope, node)
    through = called("range", called("len", column(table, first, scope, node), node), node)
    if isinstance(table, Cut) and isinstance(table.places, tuple):
        slot, more = table.places
        start = named(records.known_as_name(slot, scope), gast.Load(), node)
        behind = placed(gast.Constant(more, None), node)
        begin = placed(gast.BinOp(start, gast.Add(), behind), node) if more else start
        through.args = [begin, *through.args]
    return through


def called(word: str, arg: Any, node: Any) -> Any:
    """Return a call of a function of Python's own."""
    return placed(gast.Call(named(word, gast.Load(), node), [arg], []), node)


def place_in(table: Record, at: Any, scope: Scope, node: Any) -> Any:
    """Return the place in the whole list of what stands at a place of a slice."""
    if not isinstance(table, Cut):
        return at
    return placed(gast.Subscript(places(table, scope, node), at, gast.Load()), node)


def note(table: Record, event: str, scope: Scope, node: Any) -> None:
    """Note that items of a list are written to, or kept as they are: not both is followed."""
    number = whole(table).number
    scope.numbers.events.add((number, event))
    if {(number, "written"), (number, "kept")} <= scope.numbers.events:
        problem = (
            "an item of it is written to while a name that is given several things may hold it"
        )
        raise refused(table, problem, "Keep its place, or copy.copy(...) of it", node, scope)


def row_at(table: Record, at: str | int, in_doubt: bool, name: str, scope: Scope) -> Row:
    """Return the item of a list of objects at a place."""
    scope.numbers.records += 1
    return Row(name, scope.numbers.records, table.kind.row, whole(table), at, in_doubt)


def column(table: Record, key: Any, scope: Scope, node: Any, ctx: Any = None) -> Any:
    """Return the name of the list of a field."""
    slot = records.known_as_name(records.slot_of(whole(table), key), scope)
    return named(slot, ctx or gast.Load(), node)


def field_of(row: Row, key: Any, scope: Scope, node: Any, ctx: Any) -> Any:
    """Return the syntax that reads or writes a field of an item."""
    if not isinstance(ctx, gast.Load):
        note(row.table, "written", scope, node)
    function = common_function(row.table, key, scope, node, ctx)
    if function is not None:
        return function
    at: Any = placed(gast.Constant(row.at, None), node)
    if isinstance(row.at, str):
        at = named(records.known_as_name(row.at, scope), gast.Load(), node)
    return placed(gast.Subscript(column(row.table, key, scope, node), at, ctx), node)


def common_function(table: Record, key: Any, scope: Scope, node: Any, ctx: Any) -> Any:
    """Return the name of the function that all objects of a list have in a field; None for others."""
    known = scope.numbers.common.get((whole(table).number, key))
    if not isinstance(known, Ref):
        return None
    if not isinstance(ctx, gast.Load):
        problem = f"is given another function for its field {key}"
        raise refused(table, problem, "Write a class for each, with a method", node, scope)
    name = f"{known.text.rpartition('.')[2]}%k{scope.numbers.key()}"
    scope.imports = {**scope.imports, name: known.value}
    return named(name, ctx, node)


def same_item(rows: list[Record | None], scope: Scope, node: Any) -> Expr | None:
    """Return the test whether two items of one list are one object; None for other records."""
    if not all(isinstance(each, Row) for each in rows) or len(rows) != 2:
        return None
    one, other = rows
    assert isinstance(one, Row) and isinstance(other, Row)
    if one.table != other.table:
        return None
    return Op("==", tuple(_place(each, scope, node) for each in (one, other)))


def _place(row: Row, scope: Scope, node: Any) -> Expr:
    if not isinstance(row.at, str):
        return Const(row.at)
    return scope.read(records.known_as_name(row.at, scope), node)


def forget(table: Record, moved: Callable[[Any], bool], scope: Scope) -> None:
    """Forget the items of a list whose places are others from now on."""
    scope.held.statics = {
        slot: Lost(held.name)
        if isinstance(held, Row | Cut) and held.table == table and moved(held)
        else held
        for slot, held in scope.held.statics.items()
    }


def popped(table: Record, call: Call, node: Any, scope: Scope, nested: bool) -> Expr:
    """Return the object that is taken off a list: what is taken off the list of each field."""
    if nested or isinstance(table, Cut):
        raise refused(table, "loses an item here", "Pop in a statement of its own", node, scope)
    refuse_going(table, node, scope)
    forget(table, lambda held: True, scope)
    name, args = scope.called_after, node.args
    values: dict[Any, Expr] = {}
    for key in records.keys_of(table, scope, node):
        func = gast.Attribute(column(table, key, scope, node), "pop", gast.Load())
        taken = placed(gast.Call(placed(func, node), args, []), node)
        slot = kept(taken, f"{name}_{key}", scope, node)
        values[key] = scope.read(records.known_as_name(slot, scope), node)
    scope.called_after = name
    return records.made(table.kind.row, values, scope, node)


def as_test(test: Any, scope: Scope) -> Any:
    """Return a test in which a list of objects is asked for its length: `while bodies:`."""
    match test:
        case gast.Name(id=name):
            table = table_called(name, scope)
            if table is not None:
                return called("len", places(table, scope, test), test)
        case gast.UnaryOp(op=gast.Not(), operand=inner):
            return with_(test, operand=as_test(inner, scope))
        case gast.BoolOp(values=parts):
            return with_(test, values=[as_test(part, scope) for part in parts])
    return test


def length(table: Record, scope: Scope, node: Any) -> Expr:
    """Return how many objects a list holds."""
    from s2sad.legacy.lower import atom  # these stand after this in the pipeline

    if isinstance(table, Cut):
        return Call(Ref("len", len), (atom(places(table, scope, node), scope),))
    first, *_ = records.keys_of(table, scope, node)
    slot = records.known_as_name(records.slot_of(table, first), scope)
    return Call(Ref("len", len), (scope.read(slot, node),))


def of_table(value: Any, table: Record, call: Call, node: Any, scope: Scope) -> Expr:
    """Return what a function of Python's own gives for a list of objects."""
    if value is len:
        return length(table, scope, node)
    if value is isinstance and isinstance(call.args[1], Ref):
        return Const(issubclass(list, call.args[1].value))
    raise refused(table, "is used as a whole", "Go through it in a loop", node, scope)


def refuse_going(table: Record, node: Any, scope: Scope) -> None:
    """Refuse to change how long a list is while a loop goes through it."""
    if scope.numbers.going[table.number] > 0:
        problem = "is changed while it is gone through"
        raise refused(table, problem, "Append to another list", node, scope)


def refused(table: Record, problem: str, hint: str, node: Any, scope: Scope) -> Unsupported:
    """Return the refusal of what is done with a list of objects."""
    return Unsupported(
        f"{table.name or 'this'} is a list of objects, and {problem}", scope.span(node), f"{hint}."
    )


def named(text: str, ctx: Any, at: Any) -> Any:
    """Return a name."""
    return placed(gast.Name(text, ctx, None, None), at)


def placed(made: Any, node: Any) -> Any:
    """Return new syntax at the place of what it stands for."""
    return gast.copy_location(made, node)


def assigned(target: Any, value: Any, node: Any) -> Any:
    """Return an assignment."""
    return placed(gast.Assign([target], value, None), node)
