"""Objects and dicts that are filled right after they are made are written out at once.

body = SimpleNamespace()        v = u * 1.0
body.x = c                      body = SimpleNamespace(x=c, v=v)
v = u * 1.0
body.v = v
"""

from __future__ import annotations

from dataclasses import replace

from s2sad.ir.expression import Expr, Fields, Variable
from s2sad.ir.program import Block, Function, Let, Statement, Store
from s2sad.ir.walk import blocks, bound, read_variables, with_blocks


def filled_at_once(function: Function) -> Function:
    """Return a function whose objects and dicts are written out where they are made."""
    return replace(function, body=_block(function.body))


def _block(block: Block) -> Block:
    made: list[Statement] = []
    position = 0
    while position < len(block):
        statement = block[position]
        if blocks(statement):
            statement = with_blocks(statement, tuple(_block(b) for b in blocks(statement)))
        end = _end_of_filling(statement, block, position)
        if end > position + 1:
            made += _at_once(block[position:end])
            position = end
            continue
        made.append(statement)
        position += 1
    return tuple(made)


def _end_of_filling(statement: Statement, block: Block, start: int) -> int:
    """Return the place behind the last store that fills what a statement makes."""
    if not isinstance(statement, Let) or not isinstance(statement.target, Variable):
        return start
    if statement.value.op not in ("record", "dict"):
        return start
    variable, end = statement.target, start + 1
    stored: frozenset[Variable] = read_variables(statement.value)
    for position in range(start + 1, len(block)):
        following = block[position]
        if _fills(following, variable):
            assert isinstance(following, Store)
            stored |= read_variables(following.value)
            end = position + 1
        elif not _is_beside(following, variable, stored):
            break
    return end


def _fills(statement: Statement, variable: Variable) -> bool:
    """Tell whether a statement stores to a field of a variable, whatever else it holds."""
    if not isinstance(statement, Store) or statement.op != "=":
        return False
    target = statement.target
    if target.op not in ("attribute", "subscript") or target.args[0].op != "name":
        return False
    is_known = target.op == "attribute" or target.args[1].op == "constant"
    is_own = target.args[0].data == variable
    return is_own and is_known and variable not in read_variables(statement.value)


def _is_beside(statement: Statement, variable: Variable, stored: frozenset[Variable]) -> bool:
    """Tell whether a statement may come before an object is made."""
    if not isinstance(statement, Let) or not statement.effect.is_pure:
        return False
    targets = frozenset(bound(statement))
    return variable not in targets | read_variables(statement.value) and not targets & stored


def _at_once(run: Block) -> list[Statement]:
    first = run[0]
    assert isinstance(first, Let) and isinstance(first.target, Variable)
    stores = [s for s in run[1:] if _fills(s, first.target)]
    others = [s for s in run[1:] if not _fills(s, first.target)]
    value = first.value
    for store in stores:
        assert isinstance(store, Store)
        value = _with_field(value, store.target, store.value)
    return [*others, replace(first, value=value)]


def _with_field(display: Expr, target: Expr, value: Expr) -> Expr:
    """Return a display with another field; one that is there keeps its place."""
    if display.op == "record":
        fields = dict(zip(display.data.names, display.args, strict=True))
        fields[target.data] = value
        names = Fields(display.data.cls, tuple(fields))
        return replace(display, args=tuple(fields.values()), data=names)
    items = {item.args[0]: item.args[1] for item in display.args}
    items[target.args[1]] = value
    return replace(display, args=tuple(Expr("item", pair) for pair in items.items()))
