"""Expressions: a tree evaluates to a value.

u * 2           Data written u * 2
[f, g]          a list of functions: a structure, known while lowering
xs.pop()        Data whose statement is made where it is needed: `evaluate` makes it at once

What an expression is made of is evaluated in Python's order. Where a part takes statements, what
was evaluated before and would be read after them is named before them.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import gast

from s2sad import prelude
from s2sad.ir.errors import NotYet, Refused, Unsupported
from s2sad.ir.expression import Expr, Variable, global_
from s2sad.ir.program import Let, Statement, Store
from s2sad.ir.types import Array, Number, Numeric, Other
from s2sad.ir.walk import bound_in, nodes, read_variables, statements
from s2sad.lowering import (
    attributes,
    calls,
    comprehend,
    items,
    iterate,
    lifting,
    operations,
    targets,
)
from s2sad.lowering.machine import (
    Machine,
    closure_at,
    emit,
    global_expr,
    named,
    new_cell,
    place_of,
    refusal,
    settled,
    site_of,
    slot_variable,
    stable,
    unknown,
)
from s2sad.lowering.memory import ITEM, KEY
from s2sad.lowering.module_names import value_of_module
from s2sad.lowering.typing import reference, typed
from s2sad.lowering.values import (
    TEXT,
    Cell,
    Code,
    Data,
    Demand,
    Fails,
    Tup,
    Value,
    all_data,
    is_atomic,
    literal,
    origins_of,
)
from s2sad.source.scopes import locals_of

Thunk = Callable[[], Value]


# what Python writes without a name, as a refusal calls it
SYNTAX = {
    gast.Await: "`await`",
    gast.Set: "set",
    gast.SetComp: "set",
    gast.Starred: "starred argument",
    gast.Delete: "`del`",
    gast.AsyncFor: "`async for`",
    gast.AsyncWith: "`async with`",
    gast.AsyncFunctionDef: "`async def`",
    gast.ClassDef: "class",
    gast.TryStar: "`except*`",
}


def evaluate(m: Machine, node: Any) -> Value:
    """Return what an expression evaluates to; what it does has happened."""
    return settled(m, whole(m, node))


def whole(m: Machine, node: Any) -> Value:
    """Return what an expression evaluates to; a call with an effect may be still to be made."""
    span = place_of(m, node)
    found = _by_kind(m, node)
    m.span = span
    if isinstance(found, Data) and found.expr.span is None and span is not None:
        return replace(found, expr=found.expr.at(span))
    return found


def data(m: Machine, node: Any) -> Data:
    """Return an expression as data of the run."""
    return lifting.to_data(m, evaluate(m, node))


def _by_kind(m: Machine, node: Any) -> Value:
    match node:
        case gast.Constant():
            return literal(node.value)
        case gast.Name():
            return look_up(m, node.id)
        case gast.BinOp() | gast.UnaryOp() | gast.Compare() | gast.BoolOp() | gast.IfExp():
            return operations.evaluate(m, node)
        case gast.Call():
            return calls.evaluate(m, node)
        case gast.Attribute():
            return attributes.attribute(m, evaluate(m, node.value), node.attr)
        case gast.Subscript():
            owner, index = in_order(
                m, [lambda: evaluate(m, node.value), lambda: items.index(m, node.slice)]
            )
            return items.item(m, owner, index, node)
        case gast.Tuple():
            return tuple_of(m, parts(m, node.elts))
        case gast.List() | gast.Set() | gast.Dict() | gast.JoinedStr():
            return _display(m, node)
        case gast.ListComp() | gast.SetComp() | gast.DictComp() | gast.GeneratorExp():
            return comprehend.evaluate(m, node)
        case gast.Lambda():
            return calls.make_closure(m, node, "lambda")
        case gast.NamedExpr():
            targets.assign(m, node.target, whole(m, node.value))
            return look_up(m, node.target.id)
        case gast.Yield() | gast.YieldFrom():
            return iterate.evaluate(m, node)
    raise refusal(m, f"this {SYNTAX.get(type(node), 'expression')}")


def _display(m: Machine, node: Any) -> Value:
    match node:
        case gast.List():
            return _list(m, node)
        case gast.Set():
            exprs = tuple(lifting.to_data(m, part).expr for part in parts(m, node.elts))
            return Data(Expr("set", exprs, None, Other(set), None, m.span))
        case gast.Dict():
            return _dict(m, node)
    return _text(m, node)


# ---------------------------------------------------------------------------- order


def in_order(m: Machine, thunks: list[Thunk]) -> list[Value]:
    """Evaluate one after the other; what statements would change is named before them."""
    values: list[Value] = []
    for thunk in thunks:
        mark, block = len(m.block), m.block
        value = thunk()
        if m.block is block and len(block) > mark and values:
            values = unchanged(m, values, mark)
        values.append(value)
    return values


def _changes(new: list[Statement], variable: Variable) -> bool:
    """Tell whether `x op= e` is among statements, for this x."""
    stores = (s.target for s in statements(tuple(new)) if isinstance(s, Store))
    return any(target.op == "name" and target.data == variable for target in stores)


def unchanged(m: Machine, values: list[Any], mark: int) -> list[Any]:
    """Return values that the statements made since a mark do not change, named before them."""
    new = m.block[mark:]
    del m.block[mark:]
    values = [_before(m, each, new) for each in values]
    m.block.extend(new)
    return values


def _before(m: Machine, value: Value, new: list[Statement]) -> Value:
    """Return a value that statements do not change, named before them if it has to be."""
    if isinstance(value, Tup):
        return replace(value, parts=tuple(_before(m, part, new) for part in value.parts))
    if not isinstance(value, Data) or value.expr.op in ("constant", "global"):
        return value
    written = bound_in(tuple(new))
    if value.expr.op == "name":
        variable = value.expr.data
        if isinstance(value.type, Numeric) and _changes(new, variable):
            raise NotYet("a change in place of what may be a number that is read elsewhere", m.span)
        return named(m, value, variable.name) if variable in written else value
    reads = any(
        n.op in ("subscript", "attribute", "call", "comprehension") for n in nodes(value.expr)
    )
    # an operator reads the elements of arrays, which a store may change
    reads |= any(n.op == "name" and not isinstance(n.type, Other) for n in nodes(value.expr))
    if written & read_variables(value.expr) or (reads and not _is_quiet(new)):
        return named(m, value, "value")
    return value


def _is_quiet(new: list[Statement]) -> bool:
    """Tell whether statements change nothing but names."""
    return all(isinstance(s, Let) and s.effect.is_pure for s in statements(tuple(new)))


def without_statements(m: Machine, node: Any) -> Value | None:
    """Return an expression's value if evaluating it takes no statement and changes nothing.

    None, too, where Python would raise: the statement that raises stands where it is reached.
    """
    heap, block, used, outer = m.heap, m.block, set(m.used), m.span
    m.heap, m.block = {place: cell.copy() for place, cell in heap.items()}, []
    try:
        value: Value | None = evaluate(m, node)
    except Fails:
        value = None
    finally:
        made, m.block = m.block, block
        cells, m.heap, m.span = len(m.heap), heap, outer
    if not made and cells == len(heap):
        return value
    m.used = used
    return None


# ---------------------------------------------------------------------------- names


def look_up(m: Machine, wanted: str) -> Value:
    """Return what a name stands for: in the frames, cells, module and builtins."""
    place: int | None = m.frame
    closure = closure_at(m)
    while place is not None:
        cell = m.heap[place]
        if wanted in cell.slots:
            return cell.slots[wanted]
        closure = cell.closure or closure
        if cell.cls is None and wanted in locals_of(closure.node):
            return _unset(m, place, wanted)
        place = cell.parent
    if wanted in closure.cells:
        return _of_cell(m, closure.cells[wanted], wanted)
    given = value_of_module(m, closure, wanted)
    if given is not None:
        return given
    if wanted in closure.module:
        return _of_module(m, wanted, closure.module[wanted])
    if hasattr(builtins, wanted):
        obj = getattr(builtins, wanted)
        return lifting.lift(m, obj, global_(wanted, obj), wanted)
    raise Refused(Unsupported(f"{wanted} is not defined", m.span, "Define it, or import it."))


def _of_cell(m: Machine, cell: Any, wanted: str) -> Value:
    try:
        return lifting.lift(m, cell.cell_contents, None, wanted)
    except ValueError:
        problem = f"{wanted} is read before it has a value"
        hint = "Give it a value on every path before this line."
        raise Refused(Unsupported(problem, m.span, hint)) from None


def _unset(m: Machine, place: int, wanted: str) -> Value:
    """Return a name that is not set on this way: an earlier pass of a loop may have set it."""
    m.unset.add((place, wanted))
    for context in reversed(m.contexts):
        carried = context.carried.get((place, wanted))
        if carried is not None:
            return carried
        if context.is_first:
            m.too_early += 1
            raise Fails(f"{wanted} is read before it has a value", m.span)
    return unknown(slot_variable(m, (place, wanted)))


def _of_module(m: Machine, wanted: str, obj: Any) -> Value:
    value = lifting.lift(m, obj, None, wanted)
    if isinstance(value, Code) and value.expr is None:
        return replace(value, expr=global_expr(m, wanted, value.obj))
    return value


# ---------------------------------------------------------------------------- displays


def parts(m: Machine, elts: list[Any]) -> list[Value]:
    """Evaluate expressions of which some are starred."""
    thunks = [lambda n=n: evaluate(m, n.value if _is_starred(n) else n) for n in elts]
    found: list[Value] = []
    for node, value in zip(elts, in_order(m, thunks), strict=True):
        found.extend(items.parts_of(m, value) if _is_starred(node) else [value])
    return found


def _is_starred(node: Any) -> bool:
    return isinstance(node, gast.Starred)


def tuple_of(m: Machine, values: list[Value]) -> Value:
    """Return a tuple: data if all of it is computed."""
    if values and all_data(values) and not any(_is_choice(v) for v in values):
        return lifting.to_data(m, Tup(tuple(values)))
    return Tup(tuple(values))


def _is_choice(value: Value) -> bool:
    """Tell whether a part of a tuple is known and no number."""
    if not isinstance(value, Data) or value.known is None:
        return False
    known = value.known.value
    return isinstance(known, bool) or not isinstance(known, int | float)


def _list(m: Machine, node: Any) -> Value:
    if not any(map(_is_starred, node.elts)):
        return list_of(m, parts(m, node.elts), site_of(m, node))
    thunks = [lambda n=n: evaluate(m, n.value if _is_starred(n) else n) for n in node.elts]
    found = in_order(m, thunks)
    if all_data(found):
        return _starred_list(m, node, [lifting.to_data(m, v) for v in found])
    whole_list: list[Value] = []
    for n, value in zip(node.elts, found, strict=True):
        whole_list.extend(items.parts_of(m, value) if _is_starred(n) else [value])
    return list_of(m, whole_list, site_of(m, node))


def _starred_list(m: Machine, node: Any, found: list[Data]) -> Data:
    site = site_of(m, node)
    made = m.memory.make(site, "list", list)
    exprs = []
    for n, value in zip(node.elts, found, strict=True):
        starred = _is_starred(n)
        type_ = iterate.item_type(m, value.type) if starred else value.type
        m.memory.store(made, ITEM, type_, None)
        exprs.append(Expr("starred", (value.expr,), "*") if starred else value.expr)
    return Data(Expr("list", tuple(exprs), None, made, None, m.span))


def list_of(m: Machine, values: list[Value], site: Any) -> Value:
    """Return a list of values: memory of the run if all of it is data of one kind."""
    if ("structure", site) not in m.choices:
        if ("runtime", site) in m.choices or is_uniform(m, values):
            return _list_as_data(m, [lifting.to_data(m, v) for v in values], site)
    kept = [stable(m, value, "item") for value in values]
    return new_cell(m, Cell("list", dict(enumerate(kept)), list, site))


def _list_as_data(m: Machine, values: list[Data], site: Any) -> Data:
    made = m.memory.make(site, "list", list)
    for value in values:
        m.memory.store(made, ITEM, value.type, None)
    exprs = tuple(value.expr for value in values)
    origins = frozenset({("structure", site)})
    return Data(Expr("list", exprs, None, made, None, m.span), origins)


def is_uniform(m: Machine, values: list[Value]) -> bool:
    """Tell whether values are data that a list of the run may hold: one kind of objects."""
    if not all(is_plain(m, value) for value in values):
        return False
    classes = {lifting.object_class(m, value) for value in values}
    return len(classes) < 2 and (m.is_handed or not is_mixed(values))


def is_mixed(values: Iterable[Value]) -> bool:
    """Tell whether there are numbers and arrays among values."""
    types = [value.type for value in values if isinstance(value, Data)]
    return all(any(isinstance(t, kind) for t in types) for kind in (Number, Array))


def is_plain(m: Machine, value: Value) -> bool:
    """Tell whether a value is data through and through."""
    if isinstance(value, Tup):
        return all(is_plain(m, part) for part in value.parts)
    return isinstance(value, Data) and value.later is None


def _dict(m: Machine, node: Any) -> Value:
    thunks: list[Thunk] = []
    for key, value in zip(node.keys, node.values, strict=True):
        thunks.append(lambda key=key: literal(None) if key is None else evaluate(m, key))
        thunks.append(lambda value=value: evaluate(m, value))
    found = in_order(m, thunks)
    taken = [found[2 * k + 1] for k, key in enumerate(node.keys) if key is None]
    if any(_is_mapping(m, value) for value in taken):
        return _united(m, node, found)
    pairs: list[tuple[Value, Value]] = []
    for place, key in enumerate(node.keys):
        value = found[2 * place + 1]
        pairs += items.dict_items(m, value) if key is None else [(found[2 * place], value)]
    return dict_of(m, pairs, site_of(m, node))


def _is_mapping(m: Machine, value: Value) -> bool:
    """Tell whether a value is a dict whose keys are not known."""
    if not isinstance(value, Data) or value.expr.op == "dict":
        return False
    kept = reference(value.type)
    return kept is not None and m.memory.of(kept).kind == "mapping"


def _united(m: Machine, node: Any, found: list[Value]) -> Value:
    """Return a dict of the entries of others, and of its own: {**settings, "rate": 0.1}."""
    united = lifting.lift(m, prelude.united, None)
    made: Value = literal(None)
    for place, key in enumerate(node.keys):
        part = found[2 * place + 1]
        if key is not None:
            part = dict_of(m, [(found[2 * place], part)], (site_of(m, node), place))
        made = calls.call(m, united, [made, part], {}, node) if place else _copied(m, part, node)
    return made


def _copied(m: Machine, held: Value, node: Any) -> Value:
    return calls.call(m, lifting.lift(m, dict, None), [held], {}, node)


def dict_of(m: Machine, pairs: list[tuple[Value, Value]], site: Any, cls: Any = dict) -> Value:
    """Return a dict of values: memory of the run if all of it is data."""
    plain = all(is_plain(m, k) and is_plain(m, v) for k, v in pairs)
    if ("structure", site) not in m.choices and (plain or ("runtime", site) in m.choices):
        keys = [lifting.to_data(m, k) for k, _ in pairs]
        return _dict_as_data(m, keys, [lifting.to_data(m, v) for _, v in pairs], site)
    slots = {items.need(m, k): stable(m, v, "item") for k, v in pairs}
    return new_cell(m, Cell("dict", slots, cls, site))


def _dict_as_data(m: Machine, keys: list[Data], values: list[Data], site: Any) -> Data:
    constant_keys = bool(keys) and all(_is_key(k) for k in keys)
    if ("keys", site) in m.choices:
        constant_keys = False
    made = m.memory.make(site, "fields" if constant_keys else "mapping", dict)
    if constant_keys:
        m.memory.note_born(made, [key.known.value for key in keys if key.known is not None])
    for key, value in zip(keys, values, strict=True):
        if constant_keys and key.known is not None:
            m.memory.store(made, key.known.value, value.type, value.known)
        else:
            m.memory.store(made, KEY, key.type, None)
            m.memory.store(made, ITEM, value.type, None)
    pairs = zip(keys, values, strict=True)
    exprs = tuple(Expr("item", (key.expr, value.expr)) for key, value in pairs)
    origins = frozenset({("structure", site), ("keys", site)})
    return Data(Expr("dict", exprs, None, made, None, m.span), origins)


def _is_key(key: Data) -> bool:
    return key.known is not None and isinstance(key.known.value, str | int | tuple)


def _text(m: Machine, node: Any) -> Data:
    """Return a formatted text."""
    fields = [v for v in node.values if isinstance(v, gast.FormattedValue)]
    found = in_order(m, [lambda f=f: _in_text(m, evaluate(m, f.value)) for f in fields])
    rest = iter(found)
    made: list[Expr] = []
    for each in node.values:
        if isinstance(each, gast.FormattedValue):
            made.append(_field(m, each, lifting.to_data(m, next(rest))))
        else:
            made.append(literal(each.value).expr)
    known = _known_text(made)
    if known is not None:
        return literal(known)
    return Data(Expr("formatted", tuple(made), None, TEXT, None, m.span))


def _in_text(m: Machine, value: Value) -> Value:
    return value if isinstance(value, Data) else lifting.to_data(m, value)


def _field(m: Machine, node: Any, value: Data) -> Expr:
    conversion = chr(node.conversion) if node.conversion and node.conversion > 0 else ""
    if node.format_spec is None:
        return Expr("field", (value.expr,), conversion)
    spec = _text(m, node.format_spec)
    inner = spec.expr if spec.expr.op == "formatted" else Expr("formatted", (spec.expr,))
    return Expr("field", (value.expr, inner), conversion)


def _known_text(made: list[Expr]) -> str | None:
    """Return a text of which all parts are known and plain."""
    found = []
    for part in made:
        known = part.known if part.op == "constant" else part.args[0].known
        plain = part.op == "constant" or (len(part.args) == 1 and not part.data)
        if known is None or not plain:
            return None
        found.append(str(known.value))
    return "".join(found)


def operation(m: Machine, expr: Expr, *inputs: Data) -> Data:
    """Return the result of an operation on data."""
    return Data(typed(m, expr.at(m.span)), origins_of(inputs))


def name_if_long(m: Machine, value: Data, wanted: str) -> Data:
    """Return data that may be read twice."""
    return value if is_atomic(value.expr) else named(m, value, wanted)


def as_statement(m: Machine, value: Value) -> None:
    """Make the call that a value is, for what it does."""
    if not isinstance(value, Data):
        return
    if value.pending is not None:
        emit(m, value.pending(None))
    elif any(n.op == "call" for n in nodes(value.expr)):
        emit(m, Let(None, value.expr, m.span))


def demand_structure(m: Machine, owner: Data) -> None:
    """Something that is no data goes into memory: make it a structure, if that is possible."""
    for origin in owner.origins:
        if origin[0] == "structure" and origin not in m.choices:
            raise Demand(origin)
