"""Lengths of arrays that are read for nothing else are those of arguments.

log_sum = m + np.log(s)
return -Y / log_sum.size        ->      return -Y / len(X)          log_sum is left out then
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping

from s2sad.ir.expression import Expr, Variable, attribute, call, calls, constant, global_, name
from s2sad.ir.expression import subscript as item
from s2sad.ir.program import Function
from s2sad.ir.records import replace
from s2sad.ir.types import Array, Length, Number
from s2sad.ir.walk import bound, expressions, nodes, statements, with_nodes
from s2sad.types import Context

AXIS = re.compile(r"(\w+)\.shape\[(\d+)\]")
WHOLE = Number("int64")


def with_lengths_of_arguments(function: Function, context: Context) -> Function:
    """Return a function in which what only sizes are read of is asked for none."""
    sized = _read_for_size_alone(function)
    if not sized:
        return function
    again = {v for s in statements(function.body) for v in bound(s)}
    arguments = {
        p.variable.name: name(p.variable, p.type)
        for p in function.parameters
        if p.variable not in again
    }

    def change(node: Expr) -> Expr | None:
        of = _sized(node)
        if of is None or not isinstance(of.type, Array) or of.data not in sized:
            return None
        return _size(of.type, arguments, context)

    return replace(function, body=with_nodes(function.body, change))


def _read_for_size_alone(function: Function) -> set[Variable]:
    """Return the variables of which nothing is read but how many elements they have."""
    every = [n for s in statements(function.body) for e in expressions(s) for n in nodes(e)]
    read = Counter(n.data for n in every if n.op == "name")
    asked = Counter(of.data for of in map(_sized, every) if of is not None)
    parameters = {p.variable for p in function.parameters}
    return {v for v, times in asked.items() if times == read[v] and v not in parameters}


def _sized(node: Expr) -> Expr | None:
    """Return the name of the array whose size an expression is: v.size, or len(v) of a vector."""
    is_size = node.op == "attribute" and node.data == "size"
    is_length = calls(node, len) and len(node.args) == 2
    if not is_size and not is_length:
        return None
    of = node.args[-1]
    if of.op != "name" or not isinstance(of.type, Array) or of.type.lengths is None:
        return None
    return of if is_size or len(of.type.lengths) == 1 else None


def _size(type_: Array, arguments: Mapping[str, Expr], context: Context) -> Expr | None:
    """Return the number of elements of an array by the lengths of arguments."""
    lengths = [None if n is None else context.assumptions.resolve(n) for n in type_.lengths or ()]
    for argument in arguments.values():
        its = argument.type.lengths if isinstance(argument.type, Array) else None
        if its and len(lengths) > 1 and lengths == [_resolved(n, context) for n in its]:
            return attribute(argument, "size", WHOLE)
    if len(lengths) != 1 or lengths[0] is None:
        return None
    return next(_spelled(lengths[0], arguments), None)


def _resolved(length: Length | None, context: Context) -> Length | None:
    return None if length is None else context.assumptions.resolve(length)


def _spelled(length: Length, arguments: Mapping[str, Expr]) -> Iterator[Expr]:
    """Yield a length as it is read off an argument, where it is that of an axis."""
    if length.is_literal:
        yield constant(length.constant, WHOLE)
        return
    (symbols, factor), *more = length.terms
    found = AXIS.fullmatch(symbols[0])
    if more or length.constant or factor != 1 or len(symbols) != 1 or found is None:
        return
    argument, axis = arguments.get(found[1]), int(found[2])
    if argument is None or not isinstance(argument.type, Array):
        return
    if axis == 0:
        yield call(global_("len", len), argument, type_=WHOLE)
    else:
        yield item(attribute(argument, "shape"), constant(axis, WHOLE), WHOLE)
