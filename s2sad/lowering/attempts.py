"""What may raise: raise, try, with.

try: ... except E: ...     Try; a handler may find any value that the body set on its way
else                       a flag says that the body went through
finally                    behind it, and in a handler of everything that raises again
with np.errstate(): ...    With, or the methods of the user's around the body
"""

from __future__ import annotations

import functools
from typing import Any

import gast

from s2sad.ir.errors import Refused, Unsupported
from s2sad.ir.expression import Expr
from s2sad.ir.program import Handler, Let, Raise, Return, Statement, Store, Try, With
from s2sad.ir.types import Other, Reference
from s2sad.ir.walk import nodes
from s2sad.lowering import branches, builders, evaluation_order, exits, marks, reflection, ways
from s2sad.lowering.machine import (
    LEFT,
    SPENT,
    Heap,
    Machine,
    as_name,
    emit,
    forked,
    place_of,
    put,
    refusal,
    slot_variable,
)
from s2sad.lowering.values import (
    SEVERAL,
    Bound,
    Closure,
    Code,
    Data,
    Fails,
    Lazy,
    Unjoinable,
    Value,
    is_atomic,
    literal,
)

Part = tuple[ways.Way, Heap, list[Statement]]
CODE = (Bound, Closure, Code)


def run_raise(m: Machine, node: Any) -> ways.Way:
    """Make what is raised."""
    error = None if node.exc is None else evaluation_order.data(m, node.exc).expr
    cause = None if node.cause is None else evaluation_order.data(m, node.cause).expr
    for each in nodes(error) if m.needs_values and error is not None else ():
        if each.op == "global" and each.data.value in NAMELESS:
            raise refusal(m, "a NameError that is raised by hand")
    place_of(m, node)
    emit(m, Raise(error, m.span, cause))
    return ways.DEAD


def run_try(m: Machine, node: Any) -> ways.Way:
    """Make a `try`."""
    if node.finalbody:
        return _with_finally(m, node)

    def run() -> ways.Way:
        if not node.orelse:
            return _plain(m, node, None)
        body = functools.partial(_plain, m, node)
        return exits.with_flag(m, "done", body, lambda: m.run(node.orelse), True)

    if all(isinstance(handler.body[-1], gast.Raise) for handler in node.handlers):
        return exits.gone_on(m, exits.stopped(m, run))
    return run()


def _with_finally(m: Machine, node: Any) -> ways.Way:
    """Run the last block on both ways: after the rest, and in a handler that raises again."""
    before, outer = m.heap, m.block
    inner = gast.Try(node.body, node.handlers, node.orelse, [])
    gast.copy_location(inner, node)
    m.heap, m.block = forked(before), []
    left = exits.stopped(m, lambda: run_try(m, inner) if node.handlers else m.run(node.body))
    body, after = m.block, m.heap
    raised = _on_the_way(m, before, after)
    final_way, _, final = _part(m, raised, node.finalbody)
    if final_way is not None:
        raise refusal(m, "leaving the last block of a try")
    m.heap, m.block = after, outer
    if not m.is_tried and all(map(_is_pure, final)):
        m.block.extend(body)  # nobody sees what it binds on the way out
    else:
        handler = Handler(None, None, (*final, Raise(None, m.span)))
        emit(m, Try(tuple(body), (handler,), m.span))
    if left[0] is ways.DEAD:
        return ways.DEAD
    m.run(node.finalbody)
    return exits.gone_on(m, left)


def _part(
    m: Machine,
    heap: Heap,
    body: list[Any],
    last: Any = None,
    into: list[Statement] | None = None,
) -> Part:
    """Run a block of a `try` on a heap of its own; `into` is filled with its statements."""
    m.heap, m.block = forked(heap), [] if into is None else into
    way = m.run(body)
    if last is not None and (way is None or isinstance(way, ways.Mixed)):
        put(m, last, literal(True))
    return way, m.heap, m.block


def _caught(
    m: Machine,
    node: Any,
    fault: Fails,
    before: Heap,
    opened: list[Statement],
    outer: list[Statement],
) -> ways.Way:
    """Run the handler of what surely fails, behind the names that were bound before: in `opened`."""
    if not all(map(_is_pure, m.block)) or not _is_unchanged(m, before, names_too=m.block is opened):
        raise _failing(fault)
    if len(node.handlers) == 1 and _is_unchanged(m, before):
        m.heap = before
    elif m.block is opened:
        outer.extend(opened)  # what raises there is not caught, and not hidden
    else:
        raise _failing(fault)
    m.block = outer
    for handler in node.handlers if fault.raised is not None else ():
        kinds = _kinds(m, handler)
        if handler.name is not None or not all(isinstance(kind, type) for kind in kinds):
            break
        if issubclass(fault.raised, tuple(kinds)):
            return m.run(handler.body)
    raise _failing(fault)


def _failing(fault: Fails) -> Refused:
    problem = f"a `try` that fails for these arguments is not differentiated: {fault.reason}"
    hint = "Test for it with an `if`, and compute outside of the `try`."
    return Unsupported.refused(problem, fault.span, hint)


def _is_pure(statement: Statement) -> bool:
    return isinstance(statement, Let) and statement.effect.is_pure


def _is_unchanged(
    m: Machine, before: Heap, but_for: tuple[type, ...] = (), names_too: bool = False
) -> bool:
    """Tell whether all names and fields are what they were, `but_for` those that have become such.

    With `names_too` names may be others.
    """
    return all(
        cell.slots.keys() <= m.heap[place].slots.keys()
        and all(
            isinstance(v, but_for) or cell.slots.get(k) is v for k, v in m.heap[place].slots.items()
        )
        for place, cell in before.items()
        if not (names_too and place == m.frame)
    )


def _goes_through(statement: Statement) -> bool:
    """Tell whether a statement surely raises nothing: it sets a field of an object, or reads a table."""
    if _is_pure(statement):
        return _is_held(statement.value, statement.target)
    if isinstance(statement, Return):
        return _is_held(statement.value)
    if not isinstance(statement, Store) or statement.op != "=" or not is_atomic(statement.value):
        return False
    target = statement.target
    return target.op == "attribute" and isinstance(target.args[0].type, Reference)


def _is_held(read: Expr, target: Any = None) -> bool:
    """Tell whether a dict of the module holds what is read under a known key, as many as it is for."""
    if read.op == "constant":
        return not isinstance(target, tuple)
    table, key = read.args if read.op == "subscript" else (read, read)
    if table.op != "global" or type(table.data.value) is not dict or key.known is None:
        return False
    found = table.data.value.get(key.known.value, 0.0)
    if isinstance(target, tuple):
        return isinstance(found, tuple) and len(found) == len(target)
    return key.known.value in table.data.value


def _returns_held(m: Machine, way: ways.Way) -> bool:
    """Tell whether all that a block does is to return what a dict of the module holds."""
    found = m.heap[m.frame].slots.get("<result>")
    is_return = isinstance(way, ways.Exit) and way.kind == "return"
    return is_return and isinstance(found, Data) and _is_held(found.expr)


def _plain(m: Machine, node: Any, done: Any) -> ways.Way:
    """Make a `try` with its handlers; `done` is the slot of the flag of its else."""
    before, outer, span = m.heap, m.block, m.span
    opened: list[Statement] = []
    handlers = [h for h in node.handlers if not all(kind in NAMELESS for kind in _kinds(m, h))]
    outside = m.is_tried, m.needs_values
    m.is_tried = bool(handlers) or m.is_tried
    m.needs_values |= any(kind in NAMELESS for h in node.handlers for kind in _kinds(m, h))
    try:
        body = _part(m, before, node.body, done, opened)
    except Fails as fault:
        return _caught(m, node, fault, before, opened, outer)
    finally:
        m.is_tried, m.needs_values = outside
    binds_code = _is_unchanged(m, before, CODE) or _returns_held(m, body[0])
    if not handlers or (all(map(_goes_through, body[2])) if body[2] else binds_code):
        outer.extend(body[2])
        m.heap, m.block = body[1], outer
        return body[0]
    raised = _on_the_way(m, before, body[1])
    outs: list[branches.Out] = [(body[0], None, body[1], body[2])]
    heads = []
    for handler in handlers:
        head, part = _handler(m, raised, handler)
        heads.append(head)
        outs.append((part[0], None, part[1], part[2]))
    m.block = outer
    way, _ = branches.meet(m, outs)
    m.span = span
    made = [
        Handler(kinds, target, tuple(out[3]))
        for (kinds, target), out in zip(heads, outs[1:], strict=True)
    ]
    emit(m, Try(tuple(outs[0][3]), tuple(made), m.span))
    return way


def _kinds(m: Machine, handler: Any) -> list[Any]:
    """Return the classes that a handler waits for."""
    found = Code(BaseException) if handler.type is None else m.evaluate(handler.type)
    return [getattr(kind, "obj", kind) for kind in getattr(found, "parts", [found])]


# what names without a value raise: where a handler waits for that, all that are read surely have one
NAMELESS = (NameError, UnboundLocalError)
# what the program that is lowered does not raise where Python does
UNSEEN = {StopIteration: "a try that waits for the end of an iterator"}


def _handler(m: Machine, raised: Heap, node: Any) -> tuple[Any, Part]:
    m.heap, m.block, target = forked(raised), [], None
    if node.name is not None:
        target = slot_variable(m, (m.frame, node.name.id))
        caught = Data(Expr("name", (), target, Other(BaseException)))
        m.heap[m.frame].slots[node.name.id] = as_name(target, caught)
    kinds = None if node.type is None else evaluation_order.data(m, node.type).expr
    if m.block:
        raise refusal(m, "a handler whose kinds take statements")
    for each in () if kinds is None else nodes(kinds):
        if each.op == "global" and (unseen := UNSEEN.get(each.data.value)):
            raise refusal(m, unseen)
    return (kinds, target), _part(m, m.heap, node.body)


def _on_the_way(m: Machine, before: Heap, after: Heap) -> Heap:
    """Return the heap of a handler: what the body may have changed is not known."""
    found: Heap = {}
    for place, cell in after.items():
        now = found[place] = cell.copy()
        for key, value in cell.slots.items():
            old = before[place].slots.get(key) if place in before else None
            if key == SPENT and old is not value:
                now.slots[key] = LEFT
            if old is None:
                m.partial.add((place, key))
            if old is None or old is value or key == SPENT:
                continue
            if isinstance(old, Data) and isinstance(value, Data):
                if old.expr != value.expr:
                    reason = f"{key}, which gets a name of its own, is set in a try"
                    if cell.kind != "frame":
                        raise refusal(m, reason)
                    now.slots[key] = Lazy(
                        SEVERAL, (), Unjoinable(reason)
                    )  # a handler may not read it
                    continue
                type_ = branches.joined_type(m, old.type, value.type)
                now.slots[key] = Data(value.expr.typed(type_), value.origins)
    return found


# ---------------------------------------------------------------------------- with


def run_with(m: Machine, node: Any) -> ways.Way:
    """Make a library's `with`; run the methods of the user's around the body."""
    if len(node.items) > 1:
        inner = gast.With(node.items[1:], node.body, None)
        outer = gast.With(node.items[:1], [gast.copy_location(inner, node)], None)
        return run_with(m, gast.copy_location(outer, node))
    item = node.items[0]
    manager = m.evaluate(item.context_expr)
    if isinstance(manager, Lazy) and manager.kind == "manager":
        body = node.body
        return builders.with_generator(m, manager.parts[0], item.optional_vars, body)
    if reflection.is_object(m, manager):
        return _of_user(m, node, item, manager)
    return _of_library(m, node, item, m.to_data(manager))


def _of_user(m: Machine, node: Any, item: Any, manager: Value) -> ways.Way:
    """Run __enter__ before the body and __exit__ after it."""
    if isinstance(manager, Data) and not is_atomic(manager.expr):
        manager = evaluation_order.name_if_long(m, manager, "manager")
    entered = m.called(m.attribute(manager, "__enter__"), [], {}, node)
    if item.optional_vars is not None:
        m.assign(item.optional_vars, entered)
    if m.is_tried or any(isinstance(n, gast.Raise | gast.Assert) for n in gast.walk(node)):
        raise refusal(m, "a context manager of the user's around what may raise")
    left = exits.stopped(m, lambda: m.run(node.body))
    evaluation_order.run(m, m.attribute(manager, "__exit__"), [literal(None)] * 3)
    return exits.gone_on(m, left)


def _of_library(m: Machine, node: Any, item: Any, manager: Data) -> ways.Way:
    if item.optional_vars is not None:
        raise refusal(m, "the `as` of a library's `with`")
    outer, span, before = m.block, m.span, forked(m.heap)
    m.block = []
    left = exits.stopped(m, lambda: m.run(node.body))
    body, m.block, m.span = m.block, outer, span
    if marks.is_region(manager.expr):
        for statement in marks.without_gradients(m, tuple(body), before):
            emit(m, statement)
    else:
        emit(m, With(manager.expr, tuple(body), m.span))
    return exits.gone_on(m, left)
