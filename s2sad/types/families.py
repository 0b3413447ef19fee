"""Calls of values whose rank is not known: run for numbers, vectors and matrices alike.

np.sum of Numeric(token "u")   ->   Number: whatever the rank
np.where(u > 0, u, 0.0)        ->   Numeric with the token of u
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from functools import partial
from itertools import count, product

from s2sad.ir.records import replace
from s2sad.ir.types import UNKNOWN, Array, Length, Number, Numeric, Other, Tuple, Type, with_parts
from s2sad.types.assumptions import Context, Fails, Mismatch
from s2sad.types.calling import CACHE_SIZE, Function, Operand, key_of
from s2sad.types.elementwise import Shape, broadcast, shape_of
from s2sad.types.probing import probe, runs

P, Q, R = Length.of("~p"), Length.of("~q"), Length.of("~r")
RANKS: tuple[tuple[Length, ...], ...] = ((), (P,), (Q, P), (R, Q, P))
MOST_MEMBERS = 64
UNNAMED = count()  # numbers of operands of which nothing tells the shape
Shapes = Mapping[Hashable, Shape]


def probe_family(
    function: Function, args: Sequence[Operand], keywords: Mapping[str, Operand], context: Context
) -> Type:
    """Return the type of a call, of which some operands may be numbers or arrays of any rank."""
    operands = tuple(_with_types(o, _named) for o in _grouped((*args, *keywords.values())))
    atoms = tuple(dict.fromkeys(atom for o in operands for atom in _atoms(o)))
    if not atoms:
        return probe(function, args, keywords, context)
    if len(RANKS) ** len(atoms) > MOST_MEMBERS:
        return UNKNOWN
    numbers = {atom: k for k, atom in enumerate(atoms)}
    numbered = tuple(_with_types(o, lambda t: _numbered(t, numbers)) for o in operands)
    call = function, len(args), tuple(keywords)
    key = call, tuple(map(key_of, numbered))
    # of what arguments tell the lengths of, what is assumed of them decides, too
    is_alike = not any(map(_has_lengths, numbered))
    made = _cache.get(key) if is_alike else None
    if made is None:
        made = _probed(*call, numbered, len(atoms), context)
    if is_alike:
        if len(_cache) > CACHE_SIZE:
            _cache.clear()
        _cache[key] = made
    return _of_atoms(made, atoms)


_cache: dict[Hashable, Type] = {}


def _probed(
    function: Function,
    positional: int,
    names: tuple[str, ...],
    operands: tuple[Operand, ...],
    atoms: int,
    context: Context,
) -> Type:
    """Return the type of a call whose operands have numbers in place of atoms."""
    found: list[tuple[Shapes, Type]] = []
    error, is_passed = None, False
    for shapes in (*_members(range(atoms)), *_apart(range(atoms))):
        try:
            ranked = partial(_of_shape, shapes=shapes, context=context)
            member = [_with_types(operand, ranked) for operand in operands]
            options = dict(zip(names, member[positional:], strict=True))
            made = probe(function, member[:positional], options, context)
            if made == UNKNOWN and not runs(function, member[:positional], options, context):
                is_passed = True  # not for such ranks
                continue
            found.append((shapes, made))
        except Fails as raised:
            error = raised
        except Mismatch:
            continue
    if not found:
        if error is not None and not is_passed:
            raise error
        return UNKNOWN
    return _common(found, context)


def _with_types(operand: Operand, change: Callable[[Numeric], Type]) -> Operand:
    """Return an operand with other types for its parts of any rank."""
    if operand.parts is not None:
        return replace(operand, parts=tuple(_with_types(p, change) for p in operand.parts))
    if not isinstance(operand.type, Numeric) or operand.known is not None:
        return operand
    return replace(operand, type=change(operand.type))


def _free(operand: Operand) -> Iterator[Numeric]:
    """Yield the types of the parts of an operand that are of any rank."""
    for part in operand.parts or ():
        yield from _free(part)
    if isinstance(operand.type, Numeric) and operand.known is None:
        yield operand.type


def _numbered(type_: Numeric, numbers: Mapping[Hashable, int]) -> Type:
    """Return a type with the numbers of atoms in place of these: what they are called decides nothing."""
    token = type_.token
    if not isinstance(token, frozenset):
        return replace(type_, token=numbers[token])
    parts = (each if isinstance(each, tuple) else numbers[each] for each in token)
    return replace(type_, token=frozenset(parts))


def _has_lengths(operand: Operand) -> bool:
    """Tell whether an operand has axes that arguments may tell the lengths of."""
    if operand.parts is not None:
        return any(map(_has_lengths, operand.parts))
    if operand.known is not None:
        return False
    if not isinstance(operand.type, Numeric):
        is_number = isinstance(operand.type, Number) and operand.type.length is None
        return not is_number and not isinstance(operand.type, Other)
    token = operand.type.token
    is_part = isinstance(token, frozenset) and any(isinstance(each, tuple) for each in token)
    return is_part or operand.type.lengths is not None


def _of_atoms(type_: Type, atoms: Sequence[Hashable]) -> Type:
    """Return a type whose tokens name atoms again."""
    if isinstance(type_, Numeric) and isinstance(type_.token, frozenset):
        (number,) = type_.token
        atom = atoms[number]
        return replace(type_, token=atom if isinstance(atom, frozenset) else frozenset({atom}))
    return with_parts(type_, lambda part: _of_atoms(part, atoms))


def _grouped(operands: Sequence[Operand]) -> tuple[Operand, ...]:
    """Return operands whose tokens hold parts that stand together wherever they stand as one.

    Of x * y + z alone the common shape counts: it is one atom, not three.
    """
    every = {type_.token for operand in operands for type_ in _free(operand)}
    tokens = [token for token in every if isinstance(token, frozenset)]
    groups: dict[tuple[bool, ...], set[Hashable]] = {}
    for atom in {atom for token in tokens for atom in token if not isinstance(atom, tuple)}:
        groups.setdefault(tuple(atom in token for token in tokens), set()).add(atom)
    group_of = {atom: frozenset(group) for group in groups.values() for atom in group}

    def grouped(type_: Numeric) -> Type:
        if not isinstance(type_.token, frozenset):
            return type_
        return replace(type_, token=frozenset(group_of.get(atom, atom) for atom in type_.token))

    return tuple(_with_types(operand, grouped) for operand in operands)


def _named(type_: Numeric) -> Type:
    """Return a type of which nothing tells the shape with a name for that, which no other gets."""
    return replace(type_, token=f"~{next(UNNAMED):09d}") if type_.token is None else type_


def _atoms(operand: Operand) -> Iterator[Hashable]:
    for token in (type_.token for type_ in _free(operand)):
        if isinstance(token, frozenset):
            yield from (atom for atom in token if not isinstance(atom, tuple))
        else:
            yield token


def _members(atoms: Sequence[Hashable]) -> Iterator[Shapes]:
    for shapes in product(RANKS, repeat=len(atoms)):
        yield dict(zip(atoms, shapes, strict=True))


def _apart(atoms: Sequence[Hashable]) -> Iterator[Shapes]:
    """Yield members in which no two arrays share a length: which of them a result is as long as."""
    for shapes in product(RANKS[1:3], repeat=len(atoms)) if len(atoms) == 2 else ():
        axes = [tuple(Length.of(f"{length}{k}") for length in s) for k, s in enumerate(shapes)]
        yield dict(zip(atoms, axes, strict=True))


def _of_shape(type_: Numeric, shapes: Shapes, context: Context) -> Type:
    """Return a type with a rank, in the member of the family that gives atoms these shapes."""
    token = type_.token
    if isinstance(token, frozenset):
        lengths = shape_of_token(token, shapes, context)
    else:
        lengths = shapes[token]
    return Array(type_.dtype, lengths) if lengths else Number(type_.dtype)


def shape_of_token(token: frozenset[Hashable], shapes: Shapes, context: Context) -> Shape:
    """Return the shape that a token stands for where its parts have these shapes."""
    parts = [part if isinstance(part, tuple) else shapes[part] for part in token]
    return broadcast(parts, context.assumptions)


def _common(found: Sequence[tuple[Shapes, Type]], context: Context) -> Type:
    """Return what holds of the results of all members."""
    types = {type_ for _, type_ in found}
    first = found[0][1]
    if len(types) == 1 and isinstance(first, Other):
        return first
    if isinstance(first, Tuple):
        return _common_parts(found, first, context)
    if all(isinstance(type_, Number) for type_ in types):
        dtypes = {(t.dtype) for t in types if isinstance(t, Number)}
        boxed = {t.boxed for t in types if isinstance(t, Number)}
        is_boxed = boxed.pop() if len(boxed) == 1 else None
        return Number(dtypes.pop(), is_boxed) if len(dtypes) == 1 else UNKNOWN
    if not all(isinstance(type_, Number | Array) for type_ in types):
        return UNKNOWN
    dtypes = {t.dtype for t in types if isinstance(t, Number | Array)}
    if len(dtypes) != 1:
        return UNKNOWN
    shapes = {t.lengths if isinstance(t, Array) else () for t in types}
    if len({len(shape) for shape in shapes}) == 1 and () not in shapes:  # as np.ravel gives it
        axes = zip(*shapes, strict=True)
        return Array(dtypes.pop(), tuple(_common_length(axis) for axis in axes))
    return Numeric(dtypes.pop(), _token(found))


def _common_length(axis: Sequence[Length | None]) -> Length | None:
    """Return the length that an axis has in all members; None where it is one of the family's own."""
    first = axis[0]
    if first is None or len({*axis}) > 1 or any(symbol[0] == "~" for symbol in first.symbols):
        return None
    return first


def _common_parts(found: Sequence[tuple[Shapes, Type]], first: Tuple, context: Context) -> Type:
    """Return what holds of the tuples that all members give."""
    rows = [(shapes, type_.items) for shapes, type_ in found if isinstance(type_, Tuple)]
    count = len(first.items)
    if len(rows) < len(found) or any(len(items) != count for _, items in rows):
        return UNKNOWN
    columns = ([(shapes, items[k]) for shapes, items in rows] for k in range(count))
    return Tuple(tuple(_common(column, context) for column in columns), first.cls)


def _token(found: Sequence[tuple[Shapes, Type]]) -> frozenset[Hashable] | None:
    """Return the parts whose common shape every result has."""
    for atom in found[0][0]:
        if all(shape_of(type_) == shapes[atom] for shapes, type_ in found):
            return frozenset({atom})
    return None
