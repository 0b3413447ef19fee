"""What is computed for its shape alone is not computed: arguments have its lengths, or the next pass.

o = h @ w                                 ->    o_bar = np.full(len(x), 1.0 / len(x))
o_bar = np.full_like(o, 1.0 / o.size)

for i in reversed(range(len(pairs))):     ->    for i in reversed(range(2)):
d_bar = np.zeros_like(d)                  ->    d = x[i] - x[j]
d = x[i] - x[j]                                 d_bar = np.zeros_like(d)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Set
from functools import partial, reduce

import numpy as np

from s2sad.analysis.loops import WHOLE, length_of
from s2sad.checkpoint.needs import of_one_shape
from s2sad.ir.expression import (
    Expr,
    Role,
    Variable,
    attribute,
    called_object,
    calls,
    constant,
    global_,
    name,
    subscript,
)
from s2sad.ir.program import REVERSE_SWEEP, Block, Function, Let, Statement
from s2sad.ir.records import replace
from s2sad.ir.types import Array, Length, Number, Tuple
from s2sad.ir.walk import (
    bind_counts,
    blocks,
    bound,
    in_blocks,
    nodes_in,
    read_in,
    read_variables,
    reads_shape_only,
    statements,
    with_nodes,
    with_statements,
)

FILLED = {"full_like": np.full, "zeros_like": np.zeros, "ones_like": np.ones}
Lengths = Mapping[Length, Expr]


def without_values_for_shapes(function: Function) -> Function:
    """Return a function that reads lengths off its arguments, not off what it computes for them alone."""
    lengths = _lengths_of_arguments(function)
    made = _computed_once(function)
    read = partial(_read_off, made=made, lengths=lengths)
    often = Counter(n.data for n in nodes_in(function.body) if n.op == "name" and n.data in made)
    asked = Counter(_operand(n).data for n in nodes_in(function.body) if read(n) is not None)
    alone = {v: type_ for v, type_ in made.items() if 0 < often[v] == asked[v]}
    if not alone:
        return function
    body = with_nodes(function.body, partial(_read_off, made=alone, lengths=lengths))
    return replace(function, body=body)


def with_lengths_by_name(function: Function) -> Function:
    """Return a function whose derived code says lengths as the user does, F_bar[:n], or as numbers."""
    often = bind_counts(function.body)
    named: dict[Length, Expr] = {}
    made: list[Statement] = []
    for each in function.body:
        made += with_nodes((each,), partial(_by_name, named=named))
        match each:
            case Let(Variable(role=Role.PRIMAL) as variable, value, effect=effect):
                length = value.type.length if isinstance(value.type, Number) else None
                is_steady = often[variable] == 1 and effect.is_pure
                if is_steady and length is not None and not length.is_literal:
                    named.setdefault(length, name(variable, WHOLE))
    return replace(function, body=with_statements(function.body, made))


def _by_name(node: Expr, named: Mapping[Length, Expr]) -> Expr | None:
    """Return the user's name for a length that derived code reads off an array, or the number that it is."""
    if node.span is not None:
        return None
    match node:
        case Expr("call", (Expr("global") as function, Expr("name") as array)):
            axis = 0 if function.data.value is len else None
        case Expr("subscript", (Expr("call", (_, Expr("name") as array)) as shape, at)):
            axis = at.data if called_object(shape) is np.shape and at.op == "constant" else None
        case Expr("subscript", (Expr("attribute", (Expr("name") as array,), "shape"), at)):
            axis = at.data if at.op == "constant" else None
        case _:
            return None
    lengths = array.type.lengths if isinstance(array.type, Array) else None
    if axis is None or not lengths:
        return None
    length = lengths[axis]
    if length is None:
        return None
    return constant(length.constant, WHOLE) if length.is_literal else named.get(length)


def with_known_counts(function: Function) -> Function:
    """Return a function that takes no tuple of ours back for its length alone: range(3)."""
    if REVERSE_SWEEP not in function.body:
        return function
    start = function.body.index(REVERSE_SWEEP)
    forward, reverse = function.body[:start], function.body[start:]
    every = tuple(nodes_in(reverse))
    often = Counter(n.data for n in every if n.op == "name" and isinstance(n.type, Tuple))
    counted = Counter(n.args[1].data for n in every if _count(n) is not None)
    alone = {v for v, count in counted.items() if count == often[v]}
    body = with_nodes(reverse, lambda n: _count(n) if alone & read_variables(n) else None)
    return replace(function, body=(*forward, *body)) if alone else function


def _count(node: Expr) -> Expr | None:
    """Return the number of items of a tuple of ours, of which a node is the length."""
    match node:
        case Expr("call", (_, Expr("name", data=Variable(role=Role.TERM), type=Tuple(items)))):
            return constant(len(items), WHOLE) if calls(node, len) else None
    return None


def with_zeros_late(function: Function) -> Function:
    """Return a function whose passes make zeros like a value once they have it, not like the last pass's."""
    alike = of_one_shape(statements(function.body), (p.variable for p in function.parameters))

    def block(body: Block) -> Block:
        made = list(with_statements(body, [in_blocks(each, block) for each in body]))
        for place in reversed(range(len(made))):
            last = _last_bound(made, place, alike)
            if last is not None:
                made.insert(last, made.pop(place))
        return with_statements(body, made)

    body = block(function.body) if alike else function.body
    return function if body is function.body else replace(function, body=body)


def _last_bound(block: list[Statement], place: int, alike: Set[Variable]) -> int | None:
    """Return where what zeros are made like is bound for the last time before they are touched."""
    match block[place]:
        case Let(Variable() as zeros, Expr("call", (_, Expr("name", data=like)), ()) as value):
            if like not in alike or not calls(value, np.zeros_like):
                return None
            later = range(place + 1, len(block))
            end = next((at for at in later if zeros in _mentioned(block[at])), len(block))
            found = [at for at in range(place + 1, end) if like in bound(block[at])]
            return found[-1] if found else None
    return None


def _mentioned(statement: Statement) -> frozenset[Variable]:
    inner = (statement, *statements(tuple(s for b in blocks(statement) for s in b)))
    return frozenset(v for each in inner for v in (*read_in(each), *bound(each)))


def _lengths_of_arguments(function: Function) -> Lengths:
    """Return the lengths that arguments have which keep their names, each as it is read off one."""
    often = bind_counts(function.body)
    found: dict[Length, Expr] = {}
    for parameter in function.parameters:
        held = name(parameter.variable, parameter.type)
        if isinstance(held.type, Array) and not often[parameter.variable]:
            for axis, length in enumerate(held.type.lengths):
                if length is not None and not length.is_literal:
                    found.setdefault(length, _length(held, axis))
    return found


def _length(array: Expr, axis: int) -> Expr:
    if axis == 0:
        return length_of(array)
    return subscript(attribute(array, "shape"), constant(axis, WHOLE), WHOLE)


def _computed_once(function: Function) -> dict[Variable, Array]:
    """Return the arrays that are computed for one name each, and what they are."""
    often = bind_counts(function.body)
    found = {}
    for statement in statements(function.body):
        match statement:
            case Let(Variable() as variable, Expr(type=Array("float64") as type_), spelled="="):
                if often[variable] == 1 and statement.effect.is_pure and type_.lengths:
                    found[variable] = type_
    return found


def _operand(node: Expr) -> Expr:
    """Return the name of which a node asks the shape; the node itself of all else."""
    match node:
        case Expr("subscript", (Expr("attribute", (Expr("name") as operand,), "shape"), _)):
            return operand
        case Expr("attribute", (Expr("name") as operand,), "size"):
            return operand
        case Expr("call", (Expr("global"), Expr("name") as operand, *_)) if reads_shape_only(node):
            return operand
    return node


def _read_off(node: Expr, made: Mapping[Variable, Array], lengths: Lengths) -> Expr | None:
    """Return what a node asks of the shape of a value, read off the arguments."""
    operand = _operand(node)
    type_ = made.get(operand.data) if operand is not node else None
    if type_ is None:
        return None
    known = [_known(length, lengths) for length in type_.lengths]
    shape = [each for each in known if each is not None]
    if len(shape) < len(known):
        return None
    return _answer(node, shape)


def _product(one: Expr, other: Expr) -> Expr:
    return Expr("binary", (one, other), "*", WHOLE)


def _known(length: Length | None, lengths: Lengths) -> Expr | None:
    if length is not None and length.is_literal:
        return constant(length.constant, WHOLE)
    return None if length is None else lengths.get(length)


def _answer(node: Expr, shape: list[Expr]) -> Expr | None:
    """Return what is asked of a shape: a length, how many elements there are, or an array of it."""
    if node.op == "subscript":
        axis = node.args[1].data
        return shape[axis] if node.args[1].op == "constant" and isinstance(axis, int) else None
    function = called_object(node)
    if function is len:
        return shape[0]
    if node.op == "attribute" or (function is np.size and len(node.args) == 2):
        return reduce(_product, shape)
    filled = FILLED.get(getattr(function, "__name__", ""))
    if filled is None or node.data or node.op != "call":
        return None
    whole = shape[0] if len(shape) == 1 else Expr("tuple", tuple(shape))
    return replace(node, args=(global_(f"np.{filled.__name__}", filled), whole, *node.args[2:]))
