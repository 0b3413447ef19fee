"""Objects stand where they are used, and are written out where they are made.

Objects of SciPy that are made of what varies are spelled so by rules; objects and dicts that are
filled right after they are made hold all at once.

spline = CubicSpline(x, z)      z = CubicSpline(x, z)(t)
y = spline(t)
"""

from __future__ import annotations

from collections.abc import Mapping

from s2sad.analysis.memory import Memory
from s2sad.analysis.pointers import changed_names
from s2sad.ir.expression import Expr, Fields, Variable, global_, keywords, positional
from s2sad.ir.program import Block, Function, Let, Statement, Store
from s2sad.ir.records import replace
from s2sad.ir.types import Array, Number, Numeric, Other, Tuple, Unknown
from s2sad.ir.walk import (
    bind_counts,
    bound,
    in_blocks,
    read_variables,
    rebuilt,
    rewritten,
    statements,
    with_expressions,
)
from s2sad.operators.effects import effect, is_made_by_library
from s2sad.operators.guards import is_factored

# what is asked of a distribution: its variable comes first, where it has one
METHODS = frozenset("pdf logpdf pmf logpmf cdf logcdf sf logsf ppf isf".split())
METHODS |= frozenset("mean median std var entropy stats".split())


def with_objects_in_place(function: Function, memory: Memory) -> Function:
    """Return a function in which SciPy's objects stand where they are used."""
    counts = bind_counts(function.body)
    counts.update(p.variable for p in function.parameters)
    counts.update(v for each in statements(function.body) for v in changed_names(each))
    found: dict[Variable, Expr] = {}
    for each in statements(function.body):
        if isinstance(each, Let) and isinstance(each.target, Variable):
            value = _written_out(each.value, found)
            if counts[each.target] == 1 and _is_object(value):
                if all(_stays(v, counts, memory) for v in read_variables(value)):
                    found[each.target] = value

    def statement(each: Statement) -> Statement:
        return with_expressions(each, lambda expr: _written_out(expr, found))

    body = rewritten(function.body, statement)
    return function if body == function.body else replace(function, body=body)


def _written_out(expr: Expr, found: Mapping[Variable, Expr]) -> Expr:
    """Return an expression with objects where they are used; one that stays, for what may vary."""

    def object_(node: Expr) -> Expr | None:
        return found.get(node.data) if node.op == "name" else None

    def change(node: Expr) -> Expr | None:
        made = object_(node)
        if made is not None:
            return made if read_variables(made) else None
        if node.op != "call" or not any(map(read_variables, node.args[1:])):
            return _of_distribution(node)
        placed = node.with_args((rebuilt(node.args[0], object_), *node.args[1:]))
        return _of_distribution(placed) or placed

    return rebuilt(expr, change)


def _of_distribution(node: Expr) -> Expr | None:
    """Return what is asked of a frozen distribution as what is asked of the distribution.

    stats.norm(m, s).logpdf(x)      stats.norm.logpdf(x, m, s)
    """
    if node.op != "call" or node.args[0].op != "attribute" or node.args[0].data not in METHODS:
        return None
    (frozen,) = node.args[0].args
    if frozen.op != "call" or frozen.args[0].op != "global":
        return None
    distribution = frozen.args[0].data
    method = getattr(distribution.value, node.args[0].data, None)
    if isinstance(distribution.value, type) or method is None or not is_made_by_library(frozen):
        return None
    head = global_(f"{distribution.text}.{node.args[0].data}", method, node.span)
    named = (*keywords(node).values(), *keywords(frozen).values())
    args = (head, *positional(node), *positional(frozen), *named)
    return replace(node, args=args, data=(*node.data, *frozen.data))


def _is_object(value: Expr) -> bool:
    """Tell whether a value is an object that SciPy makes, or one that is made of such a one."""
    if isinstance(value.type, Number | Array | Numeric | Tuple):
        return False
    if isinstance(value.type, Other) and is_factored(value.type.cls):
        return False  # factors are found once, and used for many right sides
    if value.op == "attribute":
        return _is_object(value.args[0]) and isinstance(value.type, Other | Unknown)
    if value.op != "call" or not effect(value).is_pure:
        return False
    if is_made_by_library(value):
        return True
    owner = value.args[0]
    return owner.op == "attribute" and _is_object(owner.args[0])


def _stays(variable: Variable, counts: Mapping[Variable, int], memory: Memory) -> bool:
    """Tell whether a variable is what it was where an object was made of it."""
    held = memory.points_to.get(variable, frozenset())
    return counts[variable] == 1 and not held & memory.written


def filled_at_once(function: Function) -> Function:
    """Return a function whose objects and dicts are written out where they are made."""
    return replace(function, body=_block(function.body))


def _block(block: Block) -> Block:
    made: list[Statement] = []
    position = 0
    while position < len(block):
        statement = in_blocks(block[position], _block)
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
