"""Whether an array is what its example was: plain, of as many axes, of the same kind of numbers.

type(u) is np.ndarray and (u.ndim, u.dtype.kind) == (1, "f")

`*` of matrices is another product, masked arrays leave elements out, whole numbers would cut adjoints
off, and of complex numbers another derivative is meant. A number is no array without axes: in place it
would be changed where the caller has it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from numbers import Complex, Integral, Real

import numpy as np

from s2sad.ir.expression import (
    Expr,
    Role,
    Variable,
    attribute,
    call,
    constant,
    global_,
    name,
    negated,
    root_of,
)
from s2sad.ir.spelling import expression
from s2sad.ir.types import Array, Number, Numeric, Tuple, Type
from s2sad.ir.walk import nodes

BOOL, WHOLE = Number("bool"), Number("int64")
NDARRAY = global_("np.ndarray", np.ndarray)
FLOATS = Expr("tuple", (global_("float", float), global_("np.floating", np.floating)))
WORDS = {"f": "float", "c": "complex", "b": "bool"}
WIDTH = 76  # of a test that stands on one line
# what tests bind is no argument, which may have that name: the text tells them apart
EACH = Variable("each", 0, Role.TERM)
FEW = 2  # arrays that are asked for one by one
MANY = 3  # numbers that are asked for together
# what is asked for, and what it is to be
Pair = tuple[Expr, Expr]


def equal(left: Expr, right: Expr) -> Expr:
    """Return the test that two values are equal."""
    return Expr("compare", (left, right), ("==",), BOOL)


def ndim(expr: Expr) -> Expr:
    """Return the number of axes of a value as it runs; it may be a number."""
    return call(global_("np.ndim", np.ndim), expr, type_=WHOLE)


def own_shape(seed: Expr) -> Expr:
    """Return the shape of an array or a number; a list, which arithmetic would repeat, has that of none."""
    said = constant("shape"), constant(())
    return call(global_("getattr", getattr), seed, *said, type_=Tuple(()))


def kind_of(value: Expr) -> Expr:
    """Return the letter of the kind of numbers of a value as it runs."""
    if isinstance(value.type, Numeric):  # it may be one number
        value = call(global_("np.asarray", np.asarray), value)
    return attribute(attribute(value, "dtype"), "kind")


def letter_of(type_: Type) -> str:
    """Return the letter that NumPy has for a kind of numbers."""
    return type_.dtype[0] if isinstance(type_, Number | Array | Numeric) else ""


def are_like(arrays: Sequence[Expr], of_numpy: bool) -> Iterator[Expr]:
    """Yield the tests that arrays are what they were: what is none has no axes to ask for.

    Of one or two, rank and kind are one test where it stands on one line.
    """
    if of_numpy:
        yield from are_plain(arrays)
    ranks = [(attribute(a, "ndim", WHOLE), constant(a.type.rank, WHOLE)) for a in arrays]  # type: ignore[union-attr]
    kinds = of_kinds(arrays)
    left, right = kinds.args
    both = together([*ranks, (left, right)])
    is_short = len(arrays) <= FEW and len(expression(both)) <= WIDTH
    yield from (both,) if is_short else (together(ranks), kinds)


def are_numbers(
    numbers: Sequence[Expr],
    of_numpy: bool,
    has_examples: bool = True,
    stored: frozenset[Variable] = frozenset(),
) -> Expr:
    """Return the test that all are numbers, real ones where they are: isinstance(c, Real).

    Those of which an array is made, that what varies is `stored` in, are floats: it would be cut off
    to whole numbers. Other modules have arrays without axes for numbers: there np.ndim(c) == 0. What
    has no example and is a position or a flag may be a word, too: np.isscalar(c).
    """
    floats = floats_in(numbers, stored) if has_examples else []
    numbers = [each for each in numbers if each not in floats]
    tests = list(_of_class(floats, FLOATS))
    if not of_numpy:
        ranks = [(ndim(each), constant(0, WHOLE)) for each in numbers]
        return all_of([*tests, *([together(ranks)] if ranks else [])])
    others = [e for e in numbers if not has_examples and letter_of(e.type) not in "fc"]
    free = [e for e in others if letter_of(e.type) == "b" or e.type.boxed is False]  # type: ignore[union-attr]
    tests += [are_scalar(free)] if free else []
    of_class = {"c": Complex} if has_examples else {"c": Complex, "i": Integral}
    for cls in (Integral, Real, Complex):
        group = [each for each in numbers if of_class.get(letter_of(each.type), Real) is cls]
        tests += _of_class([e for e in group if e not in free], global_(cls.__name__, cls))
    return all_of(tests)


def floats_in(numbers: Sequence[Expr], stored: frozenset[Variable]) -> list[Expr]:
    """Return the numbers in what is `stored` that have to be floats."""
    return [e for e in numbers if letter_of(e.type) == "f" and root_of(e) in stored]


def _of_class(numbers: Sequence[Expr], of: Expr) -> Iterator[Expr]:
    """Yield the tests that numbers are of a class, of many together."""

    def is_one(each: Expr) -> Expr:
        return call(global_("isinstance", isinstance), each, of, type_=BOOL)

    is_long = len(numbers) >= MANY
    yield from (every(_whole_of(numbers), is_one),) if is_long else map(is_one, numbers)


def _whole_of(parts: Sequence[Expr]) -> Expr:
    """Return the tuple of several: the one that they are all the parts of, where there is one."""
    of = parts[0].args[0] if parts[0].op == "subscript" else None
    if of is None or not isinstance(of.type, Tuple) or len(of.type.items) != len(parts):
        return tuple_of(parts)
    is_whole = all(
        part.op == "subscript" and part.args[0] == of and part.args[1].data == k
        for k, part in enumerate(parts)
    )
    return of if is_whole else tuple_of(parts)


def are_scalar(values: Sequence[Expr]) -> Expr:
    """Return the test that no value is an array: all(map(np.isscalar, (a, b)))."""
    return _of_all(all, global_("np.isscalar", np.isscalar), values)


def are_real(values: Sequence[Expr]) -> Expr:
    """Return the test that no value is complex: not any(map(np.iscomplexobj, (a, b)))."""
    return negated(_of_all(any, global_("np.iscomplexobj", np.iscomplexobj), values))


def _of_all(joined: Callable[..., bool], function: Expr, values: Sequence[Expr]) -> Expr:
    """Return what a function tells of one value, or of several together, by all or any."""
    if len(values) == 1:
        return call(function, values[0], type_=BOOL)
    each = call(global_("map", map), function, tuple_of(values))
    return call(global_(joined.__name__, joined), each, type_=BOOL)


def are_plain(arrays: Sequence[Expr]) -> Iterator[Expr]:
    """Yield the test that all are plain arrays, type(u) is type(v) is np.ndarray; none may be a number."""
    classes = [call(global_("type", type), a) for a in arrays if not _has_no_axes(a)]
    if classes:
        yield Expr("compare", (*classes, NDARRAY), ("is",) * len(classes), BOOL)


def _has_no_axes(array: Expr) -> bool:
    return isinstance(array.type, Array) and not array.type.rank


def of_kinds(arrays: Sequence[Expr]) -> Expr:
    """Return the test of the kinds of numbers of several: u.dtype.kind + m.dtype.kind == "fi"."""
    left, *others = map(kind_of, arrays)
    for kind in others:
        left = Expr("binary", (left, kind), "+")
    return equal(left, constant("".join(letter_of(each.type) for each in arrays)))


def all_of(tests: Sequence[Expr]) -> Expr:
    """Return one test of several."""
    return tests[0] if len(tests) == 1 else Expr("and", tuple(tests), None, BOOL)


def any_of(tests: Sequence[Expr]) -> Expr:
    """Return the test that one of several holds."""
    return tests[0] if len(tests) == 1 else Expr("or", tuple(tests), None, BOOL)


def of_each(domain: Expr, of: Callable[[Expr], Expr], kind: str) -> Expr:
    """Return what is asked of each item that a domain gives, as a list or a generator."""
    each = item_of(domain)
    generator = Expr("generator", (domain,), each.data)
    return Expr("comprehension", (of(each), generator), kind)


def item_of(domain: Expr) -> Expr:
    """Return what an item is called in a test: each, and item within an item."""
    is_inside = any(node.op == "name" and node.data == EACH for node in nodes(domain))
    return name(Variable("item", 0, Role.TERM) if is_inside else EACH)


def every(domain: Expr, test: Callable[[Expr], Expr]) -> Expr:
    """Return the test that holds of each item: all(each.ndim == 2 for each in p)."""
    return call(global_("all", all), of_each(domain, test, "generator"), type_=BOOL)


def tuple_of(parts: Sequence[Expr]) -> Expr:
    """Return one expression of several: itself, or a tuple."""
    if len(parts) == 1:
        return parts[0]
    return Expr("tuple", tuple(parts), None, Tuple(tuple(part.type for part in parts)))


def together(pairs: Sequence[Pair]) -> Expr:
    """Return one test of several equalities."""
    left, right = zip(*pairs, strict=True)
    return equal(tuple_of(left), tuple_of(right))


def kind_of_plain(value: Expr) -> Expr:
    """Return the kind of numbers of a value, or of what a list of numbers would be as an array."""
    own = call(global_("np.asarray", np.asarray), value)
    return attribute(attribute(own, "dtype"), "kind")


def are_of_kind(
    values: Expr,
    kind: str,
    kind_of: Callable[[Expr], Expr] = kind_of_plain,
    takes_lists: bool = True,
) -> Expr:
    """Return the test that values, which have no example, are numbers, plain arrays or lists of a kind."""
    if values.op == "tuple":
        return every(values, lambda each: are_of_kind(each, kind, kind_of, takes_lists))
    lists = [global_("list", list), global_("tuple", tuple)] if takes_lists else []
    classes, symbol = tuple_of([NDARRAY, *lists]), "in" if lists else "is"
    is_plain = Expr("compare", (call(global_("type", type), values), classes), (symbol,), BOOL)
    kinds = constant(kind or "biufU")
    is_of_kind = Expr("compare", (kind_of(values), kinds), ("==" if kind else "in",), BOOL)
    return all_of([Expr("or", (is_plain, are_scalar([values])), None, BOOL), is_of_kind])
