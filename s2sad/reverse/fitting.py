"""What adjoints are reduced or stretched to: the shape of what they are the adjoint of.

fit(g, u * c, c)        np.sum(g)                    c is a number
fit(g, x * w, x)        _sum_to(g, np.shape(x))      x and w may have any rank
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from s2sad.analysis.terms import elementwise_operands, is_cheap
from s2sad.analysis.tuples import literal_position
from s2sad.ir.expression import Expr, Variable, calls, constant, keywords
from s2sad.ir.types import ONE, Length, Number
from s2sad.ir.types import Sequence as SequenceType
from s2sad.ir.walk import nodes, operands, read_variables
from s2sad.operators.guards import value_of
from s2sad.operators.table import calls_one, words
from s2sad.reverse.calculus import (
    has_shape_of,
    have_one_shape,
    is_array,
    is_known,
    is_open,
    literal,
    number,
    shape,
)
from s2sad.reverse.contribute import stretched
from s2sad.reverse.structures import is_list
from s2sad.reverse.world import Code
from s2sad.types.assumptions import Fails

Lengths = tuple[Length | None, ...]
NONE = constant(None)


def fit(g: Expr, node: Expr, operand: Expr, code: Code) -> Expr:
    """Return the adjoint of an operand: g summed over the axes along which it was stretched.

    Where lengths are not known the text asks them as it runs: `_sum_to`.
    """
    if is_open(node) or is_open(operand) or code.wide is not None:
        return _fit_openly(g, node, operand, code)
    whole_shape, wanted, had = shape(node), shape(operand), shape(g)
    if wanted and whole_shape and len(wanted) > len(whole_shape):  # u[:] = v[None, :], A.flat = B
        given = code.world.calculus.numpy("shape", like(operand, code))
        try:
            return code.world.calculus.numpy("reshape", full(g, node, code), given)
        except Fails:  # NumPy does not store it: on another way than that of the examples
            return code.world.calculus.zeros_like(operand)
    if whole_shape == wanted and (is_known(wanted) or had == ()):
        return g
    if whole_shape == wanted and has_shape_of(g, node) and is_as_large(node, operand, code):
        return g
    if (not is_known(wanted) and wanted != ()) or whole_shape is None or had is None:
        return summed_to(g, node, operand, code)
    if wanted == () and had == () and whole_shape:
        size = code.world.calculus.attribute(like(node, code), "size")
        return code.world.calculus.multiply(g, size)
    if wanted is None or not _is_decided(whole_shape, wanted):
        return summed_to(g, node, operand, code)
    if had != whole_shape:
        g = full(g, node, code)
    return _summed_over(g, whole_shape, wanted, operand, code)


def is_as_large(whole: Expr, part: Expr, code: Code) -> bool:
    """Tell whether two values have one shape by how they are made, whatever their lengths.

    2.0 * u, np.exp(-u) * u     the shape of u        x[good], y[good]     that of one mask, or of positions
    """
    if whole == part or _is_made_of(whole, part, code):
        return True
    found = _origin(whole, code)
    return found is not None and found == _origin(part, code)


def _is_made_of(whole: Expr, part: Expr, code: Code) -> bool:
    """Tell whether an elementwise value is made of another, of what sums it up, and of numbers.

    np.sqrt(s), 2.0 * s      s      e / np.sum(e, axis=1, keepdims=True)      e
    """
    arrays = [each for each in elementwise_operands(whole) if shape(each) != ()]
    others = (each for each in arrays if each != part)
    return part in arrays and all(_sums_up(each, part, code) for each in others)


def _sums_up(value: Expr, part: Expr, code: Code) -> bool:
    """Tell whether a value is a reduction of another that fits it: it kept its axes, or lost the first.

    e / np.sum(e, axis=-1, keepdims=True)      x - x.mean(axis=0)
    """
    if value.op == "name" and code.world.is_lasting(value.data):
        let = code.world.definitions.get(value.data)
        value = value if let is None else let.value
    if value.op != "call" or not _reduces(value) or operands(value)[:1] != (part,):
        return False
    named = keywords(value)
    kept, axis = named.get("keepdims"), named.get("axis")
    is_kept = kept is not None and value_of(kept) is True
    return is_kept or (kept is None and axis is not None and literal_position(axis) == 0)


def _reduces(value: Expr) -> bool:
    function = value.args[0]
    is_method = function.op == "attribute" and function.data in words("reduces")
    return is_method or calls_one(value, "reduces")


def _origin(expr: Expr, code: Code) -> Expr | None:
    """Return the value that an elementwise one has the shape of; None where it is not one alone."""
    match expr.op:
        case "name":
            return _origins(code).get(expr.data) or expr
        case "subscript" if len(shape(expr) or ()) == 1 and _is_choice(expr.args[1], code):
            return expr.args[1]
        case "call" if calls(expr, np.linalg.solve) and len(shape(expr) or ()) == 1:
            return _origin(expr.args[2], code)
        case "binary" if expr.data == "@" and len(shape(expr) or ()) == 1:
            return _positions_of_rows(expr.args[0], code)
        case "subscript":
            return _without_ends(expr)
        case "unary":
            return _origin(expr.args[0], code)
    operands = elementwise_operands(expr)
    if not operands:
        return expr if expr.op == "call" and _reduces(expr) else None
    origins = {_origin(each, code) for each in operands if shape(each) != ()}
    sure = {origin for origin in origins if origin is not None}
    if len(sure) == len(origins) > 1:
        origins -= {o for o in sure if any(_sums_up(o, e, code) for e in sure - {o})}
    return origins.pop() if len(origins) == 1 else expr


def _positions_of_rows(matrix: Expr, code: Code) -> Expr | None:
    """Return the positions, or the mask, that chose the rows of a matrix: free of K[np.ix_(free, i)]."""
    index = matrix.args[1] if matrix.op == "subscript" else matrix
    if not calls(index, np.ix_) or len(index.args) != 3:
        return None
    return index.args[1] if _is_choice(index.args[1], code) else None


def _is_choice(index: Expr, code: Code) -> bool:
    """Tell whether an index is a mask or positions, an array or a list, with a name: one in a statement."""
    if index.op != "name":
        return False
    is_other = isinstance(index.type, SequenceType) and index.type.cls is not list
    if is_other or not is_list(index.type, code.world):
        return len(shape(index) or ()) == 1
    uses = code.world.memory.uses
    in_loop = uses.loop_of(uses.block_of(index.data)) is not None
    return not in_loop and code.world.memory.is_steady(index.data)


def _origins(code: Code) -> Mapping[Variable, Expr | None]:
    """Return the origins of what names are bound to that keep it: of each from those before it."""
    world = code.world
    if not world.origins:
        world.origins.update(dict.fromkeys(world.definitions))
        for variable, let in world.definitions.items():
            found = _origin(let.value, code) if world.is_lasting(variable) else None
            asked = () if found is None else read_variables(found)
            lasts = bool(asked) and all(map(world.is_lasting, asked))
            world.origins[variable] = found if lasts else None
    return world.origins


def _without_ends(part: Expr) -> Expr:
    """Return a slice as one of as many elements: v[1:] for v[:-1], u[:, 1:] for u[:, :-1]."""
    base, index = part.args
    if index.op != "tuple":
        return part.with_args((base, _of_as_many(index)))
    return part.with_args((base, index.with_args(map(_of_as_many, index.args))))


def _of_as_many(index: Expr) -> Expr:
    """Return a slice that leaves as many elements out, all of them at the start."""
    if index.op != "slice" or not all(each.op in ("constant", "unary") for each in index.args):
        return index
    start, stop, step = (literal_position(each) for each in index.args)
    if step is not None or (start or 0) < 0 or (stop or 0) > 0 or stop == 0:
        return index
    return index.with_args((number((start or 0) - (stop or 0)), NONE, NONE))


def have_same_shape(node: Expr, operand: Expr, code: Code) -> bool:
    """Tell whether an operation surely does not stretch an operand."""
    return have_one_shape(node, operand) or shape(node) == () or is_as_large(node, operand, code)


def _fit_openly(g: Expr, node: Expr, operand: Expr, code: Code) -> Expr:
    """Return the adjoint of an operand where ranks are known as the text runs.

    An adjoint that is no number has the shape of what it is the adjoint of: see spread_openly().
    """
    calculus = code.world.calculus
    if have_same_shape(node, operand, code) and not (code.wide and shape(g) != ()):
        return g
    if shape(operand) == ():
        if shape(g) != ():
            return calculus.total(g)
        return calculus.multiply(g, calculus.numpy("size", like(node, code)))
    if shape(g) != () and _is_of_shape_or_inactive(operand, node, code):
        return g
    whole = code.wide or node
    if shape(g) == ():
        g, whole = stretched(g, like(node, code), code), node
    made = code.world.rules.sum_to(g, calculus.numpy("shape", like(operand, code)), operand)
    code.sums[made] = whole
    return made


def _is_of_shape_or_inactive(operand: Expr, node: Expr, code: Code) -> bool:
    """Tell whether an operand has the shape of a value, or is a number whose adjoint nobody asks for."""
    mine, whole = (getattr(each.type, "lengths", None) for each in (operand, node))
    return mine == whole and is_known(mine) and code.world.is_inactive_as_number(operand)


def spread_openly(g: Expr, node: Expr, operands: Sequence[Expr], code: Code) -> Expr:
    """Return one number for all in the shape of a value of any rank or length, if it is multiplied.

    With an operand that is smaller than the value it would give what is smaller, too.
    """
    if shape(g) != () or not (is_open(node) or None in (shape(node) or ())):
        return g
    arrays = [o for o in operands if shape(o) != ()]
    smaller = (o for o in arrays if len(arrays) > 1 and not have_one_shape(o, node))
    return stretched(g, like(node, code), code) if any(smaller) else g


def _is_decided(whole_shape: Lengths, wanted: Lengths) -> bool:
    """Tell whether it is known which axes of an operand were stretched."""
    if wanted == ():
        return True
    if len(wanted) > len(whole_shape):
        return False
    tail = whole_shape[len(whole_shape) - len(wanted) :]
    return all(n is not None and (n in (ONE, m)) for n, m in zip(wanted, tail, strict=True))


def _summed_over(g: Expr, whole_shape: Lengths, wanted: Lengths, operand: Expr, code: Code) -> Expr:
    calculus = code.world.calculus
    if not wanted:
        return calculus.total(g)
    added = len(whole_shape) - len(wanted)
    stretched_axes = tuple(
        added + k
        for k, length in enumerate(wanted)
        if length == ONE and whole_shape[added + k] != ONE
    )
    axes = (*range(added), *stretched_axes)
    if not axes:
        return g
    if g.op == "unary" and g.data == "-":
        return calculus.negate(_summed_over(g.args[0], whole_shape, wanted, operand, code))
    axis = literal(axes[0] if len(axes) == 1 else axes)
    if not stretched_axes:
        return calculus.numpy("sum", g, axis=axis)
    if not added:
        return calculus.numpy("sum", g, axis=axis, keepdims=literal(True, Number("bool")))
    summed = calculus.numpy("sum", g, axis=axis)  # the axes of one are put in again
    return calculus.numpy("expand_dims", summed, literal(tuple(k - added for k in stretched_axes)))


def summed_to(g: Expr, node: Expr, operand: Expr, code: Code) -> Expr:
    """Return g summed to the shape of an operand by the printed function that asks as it runs."""
    calculus = code.world.calculus
    if not has_shape_of(g, node):
        g = calculus.binary("+", calculus.numpy("zeros_like", like(node, code)), g)
    return code.world.rules.sum_to(g, calculus.numpy("shape", like(operand, code)), operand)


def full(g: Expr, node: Expr, code: Code) -> Expr:
    """Return an adjoint in the shape of the value that it is the adjoint of."""
    if shape(g) == shape(node) and (is_known(shape(g)) or shape(g) == ()):
        return g
    if is_open(node) and (is_open(g) or is_array(g)):
        return g
    if has_shape_of(g, node):
        return g
    return stretched(g, like(node, code), code)


def like(node: Expr, code: Code, of_kind: bool = True) -> Expr:
    """Return something that has the shape and kind of a value, as cheap as there is.

    full_like of positions cuts numbers off: where it is not read alone, the shape is not enough.
    """
    if is_cheap(node):
        return node
    if is_open(node) and node.op in ("unary", "binary"):
        inner = _of_same_shape_and_kind(node)
        if inner is not node:
            return like(inner, code, of_kind)
    for inner in nodes(node):
        kinds = [getattr(each.type, "dtype", None) for each in (inner, node)]
        same = have_one_shape(inner, node) and (kinds[0] == kinds[1] or not of_kind)
        if same and inner.op in ("name", "subscript") and is_cheap(inner):
            return inner
    return code.value(node)


def _of_same_shape_and_kind(node: Expr) -> Expr:
    """Return what an operation with a whole number is applied to: r of r**2, of -r."""
    if node.op == "unary":
        return node.args[0] if node.data in "+-" else node
    base, other = node.args
    is_whole = other.op == "constant" and type(other.data) is int and other.data >= 0
    return base if is_whole and node.data in ("**", "*", "+", "-") else node
