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
from typing import Any

import gast

from s2sad.ir.errors import NotYet, Unsupported
from s2sad.ir.expression import Expr, Known, global_
from s2sad.ir.records import replace
from s2sad.ir.types import UNKNOWN, Other
from s2sad.lowering import (
    binding,
    calls,
    comprehend,
    demands,
    displays,
    evaluation_order,
    items,
    iterables,
    iterate,
    operations,
    targets,
)
from s2sad.lowering.evaluation_order import Thunk
from s2sad.lowering.machine import (
    Machine,
    closure_at,
    global_expr,
    place_of,
    refusal,
    settled,
    site_of,
    slot_variable,
    unknown,
)
from s2sad.lowering.module_names import value_of_module
from s2sad.lowering.typing import memory_of
from s2sad.lowering.values import (
    TEXT,
    Code,
    Data,
    Fails,
    Lazy,
    Origins,
    Unjoinable,
    Value,
    all_data,
    literal,
    origins_of,
)
from s2sad.prelude import mappings
from s2sad.source.trees import locals_of

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
            return m.attribute(evaluate(m, node.value), node.attr)
        case gast.Subscript():
            owner, index = evaluation_order.in_order(
                m, lambda: evaluate(m, node.value), lambda: items.index(m, node.slice)
            )
            return m.item(owner, index, node)
        case gast.Tuple():
            return _tuple(m, node)
        case gast.List() | gast.Set() | gast.Dict() | gast.JoinedStr():
            return _display(m, node)
        case gast.ListComp() | gast.SetComp() | gast.DictComp() | gast.GeneratorExp():
            return comprehend.evaluate(m, node)
        case gast.Lambda():
            return binding.make_closure(m, node, "lambda")
        case gast.NamedExpr():
            m.assign(node.target, whole(m, node.value))
            return look_up(m, node.target.id)
        case gast.Yield() | gast.YieldFrom():
            return iterate.evaluate(m, node)
    raise refusal(m, f"this {SYNTAX.get(type(node), 'expression')}")


def _display(m: Machine, node: Any) -> Value:
    match node:
        case gast.List():
            return _list(m, node)
        case gast.Set():
            data = [m.to_data(part) for part in parts(m, node.elts)]
            made = Expr("set", tuple(each.expr for each in data), None, Other(set), None, m.span)
            return Data(made, origins_of(data))
        case gast.Dict():
            return _dict(m, node)
    return _text(m, node)


# ---------------------------------------------------------------------------- names


def look_up(m: Machine, wanted: str) -> Value:
    """Return what a name stands for: in the frames, cells, module and builtins."""
    place: int | None = m.frame
    closure = closure_at(m)
    while place is not None:
        cell = m.heap[place]
        if wanted in cell.slots:
            if m.needs_values and (place, wanted) in m.partial:
                raise refusal(m, f"{wanted}, which may have no value in this `try`,")
            return _one_thing(m, cell.slots[wanted])
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
        return m.lift(obj, global_(wanted, obj), wanted)
    raise Unsupported.refused(f"{wanted} is not defined", m.span, "Define it, or import it.")


def _one_thing(m: Machine, value: Value) -> Value:
    """Return the value of a name, which two ways may have left as what no single value stands for."""
    if isinstance(value, Lazy) and isinstance(value.extra, Unjoinable):
        raise value.extra.refusal(m.span)
    return value


def _of_cell(m: Machine, cell: Any, wanted: str) -> Value:
    try:
        return m.lift(cell.cell_contents, None, wanted)
    except ValueError:
        problem = f"{wanted} is read before it has a value"
        hint = "Give it a value on every path before this line."
        raise Unsupported.refused(problem, m.span, hint) from None


def _unset(m: Machine, place: int, wanted: str) -> Value:
    """Return a name that is not set on this way: an earlier pass of a loop may have set it."""
    m.unset.add((place, wanted))
    for context in reversed(m.contexts):
        carried = context.carried.get((place, wanted))
        if carried is not None and not m.needs_values:
            return carried
        if context.is_first:
            m.too_early += 1
            raise Fails(f"{wanted} is read before it has a value", m.span)
    if m.is_tried or m.needs_values:
        raise refusal(m, f"{wanted}, which may have no value in this `try`,")
    return unknown(slot_variable(m, (place, wanted)))


def _of_module(m: Machine, wanted: str, obj: Any) -> Value:
    value = m.lift(obj, None, wanted)
    if isinstance(value, Code) and value.expr is None:
        return replace(value, expr=global_expr(m, wanted, value.obj))
    return value


# ---------------------------------------------------------------------------- displays

Parts = list[tuple[bool, Value]]  # of a display, each with whether it is starred


def parts(m: Machine, elts: list[Any]) -> list[Value]:
    """Evaluate expressions of which some are starred."""
    return _spread(m, _evaluated(m, elts))


def _evaluated(m: Machine, elts: list[Any]) -> Parts:
    thunks = [lambda n=n: evaluate(m, n.value if is_starred(n) else n) for n in elts]
    return list(zip(map(is_starred, elts), evaluation_order.in_order(m, *thunks), strict=True))


def _spread(m: Machine, found: Parts) -> list[Value]:
    """Return the parts of a display; of one that holds code, too, they have to be known one by one."""
    try:
        return [part for starred, v in found for part in (m.parts_of(v) if starred else [v])]
    except NotYet:
        if not all_data(v for _, v in found):
            for starred, value in found:
                if starred and isinstance(value, Data):
                    demands.ask(m, value)
        raise


def is_starred(node: Any) -> bool:
    """Tell whether a part of a display or a call is spread: *xs."""
    return isinstance(node, gast.Starred)


def _tuple(m: Machine, node: Any) -> Value:
    """Return a tuple; one of as many items as a run decides is made of a list, tuple([*xs, 1.0])."""
    found = _with_opened(m, node.elts)
    try:
        return displays.tuple_of(m, _spread(m, found))
    except NotYet:
        if not all_data(v for _, v in found) or not any(starred for starred, _ in found):
            raise
        for starred, value in found:
            if starred and value.type == UNKNOWN:  # x.shape[len(axes):] where axes is known outside
                demands.demand_open(m, value.origins, "known")
    return m.call_global("tuple", tuple, [_starred_list(m, node, found)])


def _with_opened(m: Machine, elts: list[Any]) -> Parts:
    return [(s, _gone_through(m, v) if s else v) for s, v in _evaluated(m, elts)]


def _list(m: Machine, node: Any) -> Value:
    found = _with_opened(m, node.elts)
    spread = [v for starred, v in found if starred]
    if spread and all_data(v for _, v in found):
        if not any(displays.list_with_slots(m, v) for v in spread):
            return _starred_list(m, node, found)
    return displays.list_of(m, _spread(m, found), site_of(m, node))


def _gone_through(m: Machine, value: Value) -> Value:
    """Return what is spread as its items, or as a list of the run where their number is not known."""
    value = iterables.opened(m, value)
    is_listed = not isinstance(value, Lazy) or iterables.is_listed(m, value)
    return value if is_listed else targets.collected(m, value)


def _starred_list(m: Machine, node: Any, found: Parts) -> Data:
    exprs, types = [], []
    for starred, value in found:
        types.append(iterate.item_type(m, value.type) if starred else value.type)
        exprs.append(Expr("starred", (value.expr,), "*") if starred else value.expr)
    made = m.memory.list_of(site_of(m, node), types)
    return Data(Expr("list", tuple(exprs), None, made, None, m.span))


def _dict(m: Machine, node: Any) -> Value:
    thunks: list[Thunk] = []
    for key, value in zip(node.keys, node.values, strict=True):
        thunks.append(lambda key=key: literal(None) if key is None else evaluate(m, key))
        thunks.append(lambda value=value: evaluate(m, value))
    found = evaluation_order.in_order(m, *thunks)
    for place, key in enumerate(node.keys):
        if key is None:
            found[2 * place + 1] = items.as_mapping(m, found[2 * place + 1])
    taken = [found[2 * k + 1] for k, key in enumerate(node.keys) if key is None]
    if any(_is_mapping(m, value) for value in taken):
        return _united(m, node, found)
    pairs: list[tuple[Value, Value]] = []
    for place, key in enumerate(node.keys):
        value = found[2 * place + 1]
        pairs += items.dict_items(m, value) if key is None else [(found[2 * place], value)]
    return displays.dict_of(m, pairs, site_of(m, node))


def _is_mapping(m: Machine, value: Value) -> bool:
    """Tell whether a value is a dict whose keys are not known."""
    if not isinstance(value, Data) or value.expr.op == "dict":
        return False
    kept = memory_of(m, value.type)
    return kept is not None and kept.kind == "mapping"


def _united(m: Machine, node: Any, found: list[Value]) -> Value:
    """Return a dict of the entries of others, and of its own: {**settings, "rate": 0.1}."""
    united = m.lift(mappings.united, None)
    made: Value = literal(None)
    for place, key in enumerate(node.keys):
        part = found[2 * place + 1]
        if key is not None:
            part = displays.dict_of(m, [(found[2 * place], part)], (site_of(m, node), place))
        called, args = (united, [made, part]) if place else (m.lift(dict, None), [part])
        made = m.call(called, args, {}, node)
    if isinstance(made, Data):  # under known keys it has known keys, too
        return replace(made, origins=made.origins | origins_of(found))
    return made


def _text(m: Machine, node: Any) -> Data:
    """Return a formatted text."""
    fields = [v for v in node.values if isinstance(v, gast.FormattedValue)]
    found = evaluation_order.in_order(
        m, *(lambda f=f: evaluation_order.data(m, f.value) for f in fields)
    )
    rest = iter(found)
    made: list[Expr] = []
    origins: Origins = frozenset()
    for each in node.values:
        if isinstance(each, gast.FormattedValue):
            value = m.to_data(next(rest))
            origins |= value.origins
            made.append(_field(m, each, value))
        else:
            made.append(literal(each.value).expr)
    known = _known_text(made)
    if known is not None:
        return literal(known)
    return Data(Expr("formatted", tuple(made), None, TEXT, None, m.span), origins)


def _field(m: Machine, node: Any, value: Data) -> Expr:
    conversion = chr(node.conversion) if node.conversion and node.conversion > 0 else ""
    if node.format_spec is None:
        return Expr("field", (value.expr,), conversion)
    spec = _text(m, node.format_spec)
    inner = spec.expr if spec.expr.op == "formatted" else Expr("formatted", (spec.expr,))
    return Expr("field", (value.expr, inner), conversion)


def _known_text(made: Iterable[Expr]) -> str | None:
    """Return a text of which all parts are known and plain: f"layer_{k:02d}"."""
    found = [part.known if part.op == "constant" else _known_field(part) for part in made]
    known = [str(each.value) for each in found if each is not None]
    return "".join(known) if len(known) == len(found) else None


def _known_field(part: Expr) -> Known | None:
    value, *spec = part.args
    written = _known_text(spec[0].args) if spec else ""
    if value.known is None or written is None:
        return None
    if not isinstance(value.known.value, str | int | float) and (part.data or spec):
        return None
    shown = CONVERSIONS[part.data](value.known.value)
    return Known(format(shown, written) if spec else str(shown))


CONVERSIONS: dict[str, Callable[[Any], Any]] = {
    "": lambda value: value,
    "r": repr,
    "s": str,
    "a": ascii,
}
