"""Objects of SciPy that are made of what varies stand where they are used: rules spell them so.

spline = CubicSpline(x, z)      z = CubicSpline(x, z)(t)
y = spline(t)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from s2sad.analysis.memory import Memory
from s2sad.ir.expression import Expr, Variable, global_, keywords, positional
from s2sad.ir.program import Function, Let, Statement
from s2sad.ir.types import Array, Number, Numeric, Other, Tuple, Unknown
from s2sad.ir.walk import bound, read_variables, rebuilt, rewritten, statements, with_expressions
from s2sad.operators.effects import effect, is_made_by_library

# what is asked of a distribution, whose variable comes first
METHODS = frozenset("pdf logpdf pmf logpmf cdf logcdf sf logsf ppf isf".split())


def with_objects_in_place(function: Function, memory: Memory) -> Function:
    """Return a function in which SciPy's objects stand where they are used."""
    counts = Counter(v for each in statements(function.body) for v in bound(each))
    counts.update(p.variable for p in function.parameters)
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
