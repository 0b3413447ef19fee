"""What a text asks of a seed and of tangents: the shapes and kinds of what they belong to.

def f(x, c): return c * x       seed.shape == x.shape and seed.dtype.kind == "f"
                                x_dot.shape == x.shape and np.ndim(c_dot) == 0
def h(x): return x[0], x[1]     np.shape(seed) == (2,)
def g(x): return x[0], x[1:]    len(seed) == 2 and np.ndim(seed[0]) == 0 and ...
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator

import numpy as np

from s2sad.analysis.terms import has_axes
from s2sad.emit.request import Request
from s2sad.ir.errors import NotYet
from s2sad.ir.expression import (
    Expr,
    Role,
    attribute,
    call,
    constant,
    global_,
    name,
    root_of,
    subscript,
)
from s2sad.ir.program import Check, Let, Parameter, Program, Statement, Store
from s2sad.ir.spelling import expression, listed
from s2sad.ir.types import (
    UNKNOWN,
    Array,
    Number,
    Numeric,
    Other,
    Reference,
    Region,
    Sequence,
    Tuple,
    Type,
    is_float,
    region_of,
    without_none,
)
from s2sad.ir.walk import name_nodes, nodes_in, statements
from s2sad.types.assumptions import Context
from s2sad.types.checks import length_expression, shape_asked
from s2sad.types.plain import (
    BOOL,
    WHOLE,
    all_of,
    are_plain,
    equal,
    kind_of,
    letter_of,
    ndim,
    own_shape,
    together,
    tuple_of,
)
from s2sad.types.structure import leaves

HAVE_KEYS = (None, dict, list)  # of an object the parts are attributes
BEHIND = Expr("slice", (constant(1), constant(None), constant(None)))


def seed_checks(program: Program, request: Request) -> Iterator[Check]:
    """Yield the checks of what is no argument of the user's: a seed, tangents."""
    asks_seed = program.facts.get("asks_seed")  # its sweep asks for the shape of the result
    for variable in (p.variable for p in program.function.parameters):
        if variable.role is Role.SAVED and request.mode == "vjp" and not asks_seed:
            yield from _of_result(name(variable), program.facts.get("result"), program, request)
    if request.mode == "directional":
        yield from _of_directions(program, request)
    else:
        yield from _of_tangents(program, request)


def _of_result(
    seed: Expr, type_: Type | None, program: Program, request: Request
) -> Iterator[Check]:
    """Yield the checks of a seed, or of the parts of one, against the type of the result.

    Raises NotYet where nothing is known of it.
    """
    said = expression(seed, {n.data: n.data.name for n in name_nodes(seed)})
    match type_:
        case Array(lengths=()):  # it is given as a number, too
            whole = call(global_("np.asarray", np.asarray), seed, type_=type_)
            axes, kind = (ndim(seed), constant(0, WHOLE)), kind_of(whole)
            test = together([axes, (kind, constant(letter_of(type_)))])
            yield Check(test, f"made for a float {said}")
        case Number():
            yield Check(equal(ndim(seed), constant(0, WHOLE)), f"made for a number {said}")
        case Array():
            shape = _shape_of(type_, program, request.context)
            axes, words = (ndim(seed), constant(type_.rank, WHOLE)), f"rank {type_.rank}"
            if shape is not None:
                axes, words = (attribute(seed, "shape"), shape), "the result's shape"
            test = _is_like(seed, type_, axes, request)
            yield Check(test, f"made for a float array {said} of {words}")
        case Numeric(token=frozenset() as token) if token and len(_of(token, program)) == len(
            token
        ):
            shapes = [_shape_at_run_time(name(p.variable, p.type)) for p in _of(token, program)]
            stretched = call(global_("np.broadcast_shapes", np.broadcast_shapes), *shapes)
            whole = shapes[0] if len(shapes) == 1 else stretched
            words = f"made for {said} of the result's shape"
            yield Check(equal(own_shape(seed), whole), words)
        case Tuple(items) if items and all(isinstance(item, Number) for item in items):
            shape = Expr("tuple", (constant(len(items), WHOLE),), None, Tuple((WHOLE,)))
            words = f"made for {said} of {len(items)} numbers"
            yield Check(equal(_shape_at_run_time(seed), shape), words)
        case Tuple(items):
            length = call(global_("len", len), seed, type_=WHOLE)
            yield Check(equal(length, constant(len(items), WHOLE)), f"made for {len(items)} seeds")
            for place, item in enumerate(items):
                part = subscript(seed, constant(place), item)
                yield from _of_result(part, item, program, request)
        case Sequence(cls=cls) if cls is tuple and type_.item != UNKNOWN:
            return  # it has as many parts as the run gives
        case Reference(site):
            yield from _of_fields(seed, program.regions.get(site), program, request)
        case Other(cls) if cls in (str, type(None)):
            return  # whatever stands in its place is not read
        case _:
            raise NotYet("a seed of a result of which nothing is known", program.function.span)


def _of_fields(
    seed: Expr, region: Region | None, program: Program, request: Request
) -> Iterator[Check]:
    """Yield the checks of the parts of a seed that are asked for by name; items are added to floats."""
    if region is None or region.kind != "fields":
        return
    for key, type_ in region.fields.items():
        if isinstance(type_, Array | Number) and is_float(type_):
            held = constant(key)
            has_keys = region.cls in HAVE_KEYS
            part = subscript(seed, held, type_) if has_keys else attribute(seed, str(key))
            yield from _of_result(part, type_, program, request)


def _of(token: frozenset[Hashable], program: Program) -> list[Parameter]:
    return [p for p in program.function.parameters if str(p.variable) in token]


def _shape_at_run_time(value: Expr) -> Expr:
    return call(global_("np.shape", np.shape), value, type_=Sequence(WHOLE))


def _shape_of(type_: Array, program: Program, context: Context) -> Expr | None:
    """Return a shape as that of an argument, or as lengths of arguments; None where none has it."""
    resolve = context.assumptions.resolve
    if None in type_.lengths:
        return None
    lengths = tuple(resolve(n) for n in type_.lengths if n is not None)
    known = {str(p.variable): p for p in program.function.parameters}
    for parameter in known.values():
        own = parameter.type
        if isinstance(own, Array) and None not in own.lengths and own.lengths:
            if tuple(resolve(n) for n in own.lengths if n is not None) == lengths:
                return shape_asked(name(parameter.variable), context)
    try:
        axes = tuple(length_expression(n, known, context) for n in lengths)
    except (KeyError, ValueError, SyntaxError):
        return None
    return Expr("tuple", axes, None, Tuple(tuple(a.type for a in axes)))


def _of_tangents(program: Program, request: Request) -> Iterator[Check]:
    """Yield the checks of tangents against the arguments that they are of."""
    known = {p.variable: p.type for p in program.function.parameters}
    context = request.context
    found = [
        pair
        for v in known
        if v.role is Role.TANGENT and v.of is not None
        for pair in _pairs(name(v), name(v.of, known[v.of]), request)
    ]
    arrays = [pair for pair in found if isinstance(pair[1].type, Array)]
    if arrays:
        tests = [
            _is_like(dot, of.type, (shape_asked(dot, context), shape_asked(of, context)), request)
            for dot, of in arrays
        ]
        yield Check(all_of(tests), f"made for {_words(arrays)} of {_whose(arrays)}")
    numbers = [dot for dot, of in found if isinstance(of.type, Number)]
    if numbers and _tells_numbers_apart(program):
        ranks = tuple_of([ndim(each) for each in numbers])
        zeros = tuple_of([constant(0, WHOLE) for _ in numbers])
        yield Check(equal(ranks, zeros), f"made for {_words([(n, n) for n in numbers], 'number')}")
    for dot, of in found:
        if not isinstance(of.type, Array | Number):
            lengths = [call(global_("len", len), each, type_=WHOLE) for each in (dot, of)]
            said = f"{expression(dot)} as long as {expression(of)}"
            yield Check(equal(*lengths), f"made for {said}")


def _of_directions(program: Program, request: Request) -> Iterator[Check]:
    """Yield the checks of many directions: their axis stands in front of those of the argument."""
    known = {p.variable: p.type for p in program.function.parameters}
    tangents = [v for v in known if v.role is Role.TANGENT and v.of is not None]
    pairs = [p for v in tangents for p in _pairs(name(v), name(v.of, known[v.of]), request)]  # type: ignore[arg-type, index]
    tests = []
    for dot, of in pairs:
        if not isinstance(of.type, Array | Number):
            raise NotYet("directions of what holds arrays", program.function.span)
        if isinstance(of.type, Array) and of.type.rank:
            axes = subscript(attribute(dot, "shape"), BEHIND), attribute(of, "shape")
            tests.append(_is_like(dot, of.type, axes, request))
        else:  # one number is no array of directions
            tests.append(equal(ndim(dot), constant(1, WHOLE)))
            tests.append(equal(kind_of(dot), constant(letter_of(of.type))))
    yield Check(all_of(tests), f"made for directions {_words(pairs)}")
    if len(pairs) > 1:
        counts = tuple(call(global_("len", len), dot, type_=WHOLE) for dot, _ in pairs)
        same = Expr("compare", counts, ("==",) * (len(pairs) - 1), BOOL)
        yield Check(same, "made for as many directions of each")


def _tells_numbers_apart(program: Program) -> bool:
    """Tell whether a text with arrays for numbers would be wrong: it has axes, or adds in place."""
    body = program.function.body
    return any(map(_adds_in_place, statements(body))) or any(map(has_axes, nodes_in(body)))


def _adds_in_place(statement: Statement) -> bool:
    match statement:
        case Let(spelled=spelled):
            return spelled != "="
        case Store(target):
            return target.op == "name"
    return False


Pair = tuple[Expr, Expr]


def _pairs(tangent: Expr, of: Expr, request: Request) -> Iterator[Pair]:
    """Yield each tangent with what it is of: whole tuples, lists and dicts, and all parts."""
    context = request.context
    of = of.typed(without_none(of.type))
    if _has_length(of.type, context):
        yield tangent, of
    elif isinstance(of.type, Reference):  # an object
        return
    sides = (leaves(each.typed(of.type), context) for each in (tangent, of))
    known = (pair for pair in zip(*sides, strict=True) if isinstance(pair[1].type, Array | Number))
    yield from ((dot, part) for dot, part in known if is_float(part.type))


def _words(pairs: list[Pair], kind: str = "") -> str:
    """Return what tangents are called: A_dot and x_dot, numbers c_dot and k_dot."""
    words = [expression(dot) for dot, _ in pairs]
    told = listed(words)
    if not kind:
        return told
    return f"a {kind} {told}" if len(words) == 1 else f"{kind}s {told}"


def _whose(pairs: list[Pair]) -> str:
    return f"the shape of {expression(pairs[0][1])}" if len(pairs) == 1 else "their shapes"


def _has_length(type_: Type, context: Context) -> bool:
    """Tell whether an argument is a tuple, a list or a dict."""
    if isinstance(type_, Tuple):
        return True
    region = region_of(type_, context.regions)
    return region is not None and (region.kind == "list" or region.cls in HAVE_KEYS)


def _is_like(value: Expr, type_: Type, axes: Pair, request: Request) -> Expr:
    """Return the test that a seed or a tangent is a plain array of these axes, of floats."""
    known = request.context.has_examples
    has_axes = isinstance(type_, Array) and bool(type_.lengths)  # else it may be a number
    is_tangent = getattr(root_of(value), "role", None) is Role.TANGENT
    is_list = is_tangent and not known  # it may be one, as its argument may
    whole = call(global_("np.asarray", np.asarray), value) if is_list else value
    letter = letter_of(type_)
    if letter == "c" and not is_tangent:
        letter = "f"  # seeds are real
    kind = kind_of(whole), constant(letter)
    asks = not is_list and has_axes and request.arrays == "numpy"
    return all_of([*(are_plain([value]) if asks else ()), together([axes, kind])])
