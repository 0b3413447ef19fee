"""Contributions to adjoints: the first is assigned, the next are added, parts go into the whole.

y = u * u[0]        u_bar = u[0] * y_bar
                    u_bar[0] += u @ y_bar
"""

from __future__ import annotations

from s2sad.analysis.containers import is_container, is_field_step, stepped
from s2sad.analysis.loops import WHOLE, length_of, range_of
from s2sad.analysis.retype import may_be_missing, present
from s2sad.ir.errors import NotYet
from s2sad.ir.expression import (
    Expr,
    Role,
    Variable,
    call,
    called,
    constant,
    global_,
    name,
    subscript,
)
from s2sad.ir.program import Effect, For, Let, Store
from s2sad.ir.spelling import expression
from s2sad.ir.types import UNKNOWN, Array, Number, Tuple, Unknown
from s2sad.operators import printed
from s2sad.operators.algebra import numpy_function
from s2sad.operators.table import words
from s2sad.reverse.calculus import (
    FLOAT,
    Shape,
    has_shape_of,
    have_one_shape,
    is_array,
    is_float,
    is_known,
    is_literal,
    is_open,
    number,
    shape,
)
from s2sad.reverse.indices import has_array, has_mask, has_positions, names_once
from s2sad.reverse.structures import is_list, region_of, shadow_step, slot_type
from s2sad.reverse.world import Code, Contribution, World
from s2sad.types.assumptions import depends_on_pass

LONGEST = 62  # characters of a sum of contributions that stays on one line
INTO = Effect(writes=frozenset({0}))
ADD_SEED = global_("_add_seed", printed.function("_add_seed"))


def root(variable: Variable, world: World) -> Variable:
    """Return the variable whose memory an easy reference is a part of."""
    memory = world.memory
    while variable in memory.uses.bound:
        value = value_of(variable, world)
        if not memory.is_reference(value):
            return variable
        while value.op != "name":
            value = value.args[0]
        variable = value.data
    return variable


def value_of(variable: Variable, world: World) -> Expr:
    """Return what an easy variable is bound to."""
    if variable not in world.definitions:
        raise NotYet(f"how {variable} is bound")
    return world.definitions[variable].value


def is_zero(variable: Variable, code: Code) -> bool:
    """Tell whether an adjoint is zero here, for certain."""
    world = code.world
    if world.memory.is_memory(variable):
        return not world.is_hard(variable) and root(variable, world) not in code.state
    return variable not in code.state


def shadow(variable: Variable, code: Code) -> Expr:
    """Return the shadow of written memory; an easy one is asked for."""
    world = code.world
    let = world.definitions.get(variable)
    if let is not None and is_read_only(let.value) and world.memory.is_reference(let.value):
        raise NotYet("a read-only view of an array that is written", let.span)
    if not world.is_hard(variable):
        code.state.add(root(variable, world))
        code.wanted[variable] = None
    return world.bar(variable)


def is_read_only(value: Expr) -> bool:
    """Tell whether NumPy gives a view that cannot be written to, or a part of one is taken."""
    while value.op in ("subscript", "attribute"):
        value = value.args[0]
    if value.op != "call":
        return False
    return called(value) in words("read_only")


def spread(found: list[Contribution], code: Code) -> None:
    """Add contributions to the adjoints that they are for; those to one place are summed first."""
    groups: dict[tuple[Variable, tuple[Expr, ...]], list[Expr]] = {}
    for variable, path, term in found:
        groups.setdefault((variable, path), []).append(term)
    for (variable, path), terms in groups.items():
        for term in summed(terms, code):
            accumulate(variable, path, term, code)


def summed(terms: list[Expr], code: Code) -> list[Expr]:
    """Return the sums, as few as fit into a line each."""
    made: list[Expr] = []
    for term in terms:
        joined = _joined(made[-1], term, code) if made else None
        if joined is None:
            made.append(term)
        else:
            made[-1] = joined
    return made


def _joined(a: Expr, b: Expr, code: Code) -> Expr | None:
    """Return the sum of two contributions; None where that takes more than a line.

    _sum_to(g * x, shape) + _sum_to(g * y, shape) is _sum_to(g * x + g * y, shape).
    """
    calculus, whole = code.world.calculus, code.sums.get(a)
    if whole is not None and whole is code.sums.get(b) and a.args[2] == b.args[2]:
        made = a.with_args((a.args[0], calculus.add(a.args[1], b.args[1]), a.args[2]))
        code.sums[made] = whole
        longest = LONGEST + len("_sum_to()")
    elif have_one_shape(a, b) or shape(a) == shape(b) == ():
        made, longest = calculus.add(a, b), LONGEST
    else:
        return None
    return made if len(expression(made)) <= longest else None


def accumulate(variable: Variable, path: tuple[Expr, ...], term: Expr, code: Code) -> None:
    """Add one term to an adjoint, or to a part of it."""
    world = code.world
    world.note(world.bar(variable).data, term, path, world.owner(variable))
    if any(map(has_mask, path)):
        world.masked.add(world.bar(variable).data)
        world.tested.add(world.bar(variable).data)
    if world.memory.is_memory(variable):
        add_into(shadow(variable, code), path, term, code)
        return
    bar = world.bar(variable)
    if path:
        begin(variable, code)
        add_into(bar, path, term, code)
    elif variable not in code.state:
        code.emit(Let(bar.data, whole(term, variable, code), code.span))
    elif isinstance(bar.type, Number):
        code.emit(plus(bar, term, code))
    else:
        code.emit(Let(bar.data, world.calculus.add(bar, term), code.span))
    code.state.add(variable)


def begin(variable: Variable, code: Code) -> None:
    """Let an adjoint that is zero be so explicitly."""
    world = code.world
    if variable not in code.state:
        code.emit(Let(world.bar(variable).data, _zeros(variable, world), code.span))
        code.state.add(variable)


def _zeros(variable: Variable, world: World) -> Expr:
    """Return the adjoint of what nothing depends on; that of None is a number."""
    held = world.read(variable)
    there = held.typed(present(held.type))
    if variable in world.carried and _is_of_arguments(shape(there)):
        there = world.bar(variable)  # that of another pass: the value is not kept for its shape
    zeros = world.calculus.zeros_like(there)
    if not may_be_missing(held.type) or is_literal(zeros):
        return zeros
    test = Expr("compare", (held, constant(None)), ("is not",), Number("bool"))
    return Expr("conditional", (test, zeros, number(0.0)), None, zeros.type)


def _is_of_arguments(lengths: Shape) -> bool:
    """Tell whether a shape is the same in every pass: its lengths are sums of those of arguments."""
    symbols = [s for each in lengths or (None,) for s in (each.symbols if each else ("",))]
    return all(".shape[" in symbol for symbol in symbols)


def is_lasting(found: Shape) -> bool:
    """Tell whether a shape is known, and the same in all passes."""
    return is_known(found) and not any(map(depends_on_pass, found or ()))


def zero_again(variable: Variable, code: Code, keeps_shape: bool = False) -> None:
    """Let an adjoint be zero again: where lengths may change, in the shape of what is there now."""
    bar = code.world.bar(variable)
    like = bar if keeps_shape or is_lasting(shape(bar)) else code.world.read(variable)
    code.emit(Let(bar.data, code.world.calculus.zeros_like(like), code.span))
    code.state.add(variable)


def whole(term: Expr, variable: Variable, code: Code) -> Expr:
    """Return an adjoint in the shape of the variable that it is the adjoint of."""
    calculus, like = code.world.calculus, code.world.read(variable)
    like = like.typed(present(like.type))
    if isinstance(like.type, Number) and isinstance(term.type, Array):
        kind = COMPLEX if _kind(term) == "c" else FLOAT
        return calculus.part(term, constant(())).typed(kind)  # `+=` would write to it
    if not is_float(term) and not is_literal(term):
        term = calculus.multiply(number(1.0), term)
        if not is_float(term):
            term = calculus.binary("*", number(1.0), term)
    if isinstance(like.type, Number) or has_shape_of(term, like) or have_one_shape(term, like):
        return term
    return stretched(term, like, code)


def stretched(term: Expr, like: Expr, code: Code) -> Expr:
    """Return an adjoint that may be smaller, or one number for all, as an array of its own."""
    calculus = code.world.calculus
    if isinstance(like.type, Tuple) and any(map(is_container, like.type.items)):
        raise code.refuse("an adjoint of a container as a whole", like)
    if term.op == "binary" and term.args[1] == NOTHING:
        term = term.args[0]  # in what is complex a real number is as good
    if shape(term) == ():
        if is_literal(term, 0, 1):
            return calculus.numpy("ones_like" if term.data else "zeros_like", like)
        loses_parts = _kind(term) == "c" and _kind(like) != "c"
        kind = (global_("complex", complex),) if loses_parts else ()
        return calculus.numpy("full_like", like, term, *kind)
    if is_open(like) and (is_open(term) or is_array(term)):  # fit() has seen to its shape
        return term
    if is_known(shape(term)) and is_known(shape(like)):
        made = calculus.numpy("broadcast_to", term, calculus.attribute(like, "shape"))
        return calculus.copy(made)
    return calculus.binary("+", calculus.zeros_like(like), term)


def plus(bar: Expr, term: Expr, code: Code) -> Let:
    """Return `bar += term`, or `bar -= ...` where the term is negative."""
    calculus = code.world.calculus
    symbol, term = signed(term, code)
    value = calculus.binary(symbol, bar, term)
    return Let(bar.data, value, code.span, spelled=symbol)


def signed(term: Expr, code: Code) -> tuple[str, Expr]:
    """Return a term without its sign, and the sign."""
    if term.op == "unary" and term.data == "-":
        return "-", term.args[0]
    if term.op == "binary" and term.data in ("*", "/") and is_literal(term.args[0]):
        if isinstance(term.args[0].data, float | int) and term.args[0].data < 0:
            return "-", code.world.calculus.negate(term)
    return "+", term


def add_into(base: Expr, path: tuple[Expr, ...], term: Expr, code: Code) -> None:
    """Add a term in place to a part of an array, or of what a container holds."""
    for step in path[:-1]:
        if not is_container(base.type) and has_array(step):
            raise code.refuse("a part of what an array of positions chooses", step)
        base = shadow_part(base, step, code)
    if not path:
        if is_container(base.type) and is_container(term.type):
            _add_container(base, term, code)
            return
        if is_container(base.type):
            raise code.refuse("an adjoint of a container as a whole", base)
        symbol, term = signed(term, code)
        code.emit(Store(base, symbol, term, code.span))
        return
    index = path[-1]
    if not is_container(base.type) and has_positions(index) and not names_once(index, code.world):
        value = call(numpy_function("add.at"), base, index, term)
        code.emit(Let(None, value, code.span, INTO))
        return
    symbol, term = signed(term, code)
    place = shadow_part(base, index, code)
    is_unclear = is_container(base.type) and isinstance(place.type, Unknown)
    if is_container(place.type) or is_unclear:
        raise code.refuse("an adjoint of a container as a whole", base)
    code.emit(Store(place, symbol, term, code.span))


def _add_container(base: Expr, term: Expr, code: Code) -> None:
    """Add the adjoint of a container: of a list or dict of numbers or arrays, item by item.

    An entry that is taken back stays in the shadow of its dict, and in no adjoint from elsewhere.
    """
    world = code.world
    item = slot_type(base.type, constant(0, WHOLE), world)
    region = region_of(base.type, world)
    is_mapping = region is not None and region.kind == "mapping"
    is_walked = base.op == "name" and (is_mapping or is_list(base.type, world))
    if not is_walked or not isinstance(item, Number | Array):
        code.emit(Let(None, call(ADD_SEED, base, term), code.span, INTO))
        return
    if term.op == "call":  # called once, not for each item
        term = code.temporary(term)
    counter = world.fresh.variable("key" if is_mapping else "k", Role.TERM)
    at = name(counter, region.key if region is not None and is_mapping else WHOLE)
    place, part = (subscript(each, at, item) for each in (base, term))
    added = Store(place, "+", part, code.span)
    code.emit(For(counter, term if is_mapping else range_of(length_of(base)), (added,), code.span))


def shadow_part(base: Expr, step: Expr, code: Code) -> Expr:
    """Return a part of a shadow: an element, an item, or a field."""
    calculus = code.world.calculus
    if not is_container(base.type):
        is_field = is_field_step(step)
        return calculus.attribute(base, step.data) if is_field else calculus.part(base, step)
    typed = slot_type(base.type, step, code.world)
    made = stepped(base, shadow_step(base.type, step))
    if typed == UNKNOWN:
        if is_field_step(step):
            return calculus.attribute(base, step.data)
        return calculus.part(base, step)
    return made.typed(typed)


# ---------------------------------------------------------------------------- complex and real

COMPLEX = Number("complex128")
NOTHING = constant(0j, COMPLEX)


def in_kind(g: Expr, expr: Expr, code: Code) -> Expr:
    """Return an adjoint as one of a value that is complex, or real.

    The adjoint of a complex z is dL/dRe z - i dL/dIm z, so that dL = Re(z_bar dz): what is holomorphic
    has the same rule for real and complex values, and a real operand receives the real part.
    """
    mine, wanted = _kind(g), _kind(expr)
    if wanted == "c" and mine in "fiub" and mine:
        return code.world.calculus.infer(Expr("binary", (g, NOTHING), "+"))
    if mine == "c" and wanted in "fiub" and wanted:
        return code.world.calculus.numpy("real", g)
    return g


def _kind(expr: Expr) -> str:
    """Return whether a value is of floats, integers, truth values or complex; "" if it is not known."""
    return getattr(expr.type, "dtype", "")[:1]
