"""What is known of a value: the kind of number, the axes of an array, the memory it refers to.

    x = 0.5                Number("float64")
    u = np.zeros((n, 3))   Array("float64", (n, 3))
    xs = []; xs.append(x)  Reference(site), and regions[site] is a list of Number("float64")

A type holds for every value of its kind, never for one example. A length of an axis is a
polynomial in the lengths of the arguments, or None where it is not known.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Mapping
from typing import Any

from s2sad.ir.records import dataclass, field, replace

Site = Hashable


@dataclass(frozen=True, slots=True)
class Length:
    """A length of an axis: a sum of products of symbols. `terms` are (symbols, factor), sorted.

    2 * n + n * m - 1 is Length(((("m", "n"), 1), (("n",), 2)), -1)
    """

    terms: tuple[tuple[tuple[str, ...], int], ...] = ()
    constant: int = 0

    @staticmethod
    def of(symbol: str) -> Length:
        """Return the length that one symbol stands for."""
        return Length((((symbol,), 1),))

    @property
    def is_literal(self) -> bool:
        """Tell whether it is one number, whatever the arguments."""
        return not self.terms

    @property
    def is_sum(self) -> bool:
        """Tell whether nothing is taken off in it, so that it is never negative."""
        return self.constant >= 0 and all(factor > 0 for _, factor in self.terms)

    @property
    def symbols(self) -> frozenset[str]:
        """Return the symbols that it is made of."""
        return frozenset(symbol for symbols, _ in self.terms for symbol in symbols)

    def __add__(self, other: Length | int) -> Length:
        other = other if isinstance(other, Length) else Length((), other)
        return _collected((*self.terms, *other.terms), self.constant + other.constant)

    def __mul__(self, other: Length | int) -> Length:
        other = other if isinstance(other, Length) else Length((), other)
        left = (*self.terms, ((), self.constant))
        right = (*other.terms, ((), other.constant))
        return _collected(
            tuple((tuple(sorted((*a, *b))), m * n) for a, m in left for b, n in right), 0
        )

    def __sub__(self, other: Length | int) -> Length:
        return self + (other * -1)

    def value(self, sizes: Mapping[str, int]) -> int:
        """Return the number that it is for these sizes of its symbols."""
        total = self.constant
        for symbols, factor in self.terms:
            for symbol in symbols:
                factor *= sizes[symbol]
            total += factor
        return total

    def replaced(self, lengths: Mapping[str, Length]) -> Length:
        """Return it with lengths in place of symbols."""
        total = Length((), self.constant)
        for symbols, factor in self.terms:
            product = Length((), factor)
            for symbol in symbols:
                product = product * lengths.get(symbol, Length.of(symbol))
            total = total + product
        return total

    def __str__(self) -> str:
        by_sign = sorted(self.terms, key=lambda term: term[1] < 0)  # what is taken off stands last
        parts = [
            f"{'' if f == 1 else '-' if f == -1 else f'{f}*'}{'*'.join(s)}" for s, f in by_sign
        ]
        if self.constant or not parts:
            parts.append(str(self.constant))
        return " + ".join(parts).replace("+ -", "- ")


def _collected(terms: tuple[tuple[tuple[str, ...], int], ...], constant: int) -> Length:
    sums: dict[tuple[str, ...], int] = {}
    for symbols, factor in terms:
        sums[symbols] = sums.get(symbols, 0) + factor
    constant += sums.pop((), 0)
    return Length(tuple(sorted((s, f) for s, f in sums.items() if f)), constant)


ONE = Length((), 1)


@dataclass(frozen=True, slots=True)
class Number:
    """A number: of Python's own, or (`boxed`) of NumPy's; `boxed` is None where it may be either.

    `dtype` is NumPy's name of its kind.

    `length` is what an integer is in lengths of the arguments: u.shape[0] - 1 is n - 1. A float is
    `perhaps_whole` where it is one of several numbers of which some are whole.
    """

    dtype: str
    boxed: bool | None = False
    length: Length | None = None
    perhaps_whole: bool = False


@dataclass(frozen=True, slots=True)
class Array:
    """An array with its kind of numbers and the length of each axis.

    One of floats is `perhaps_whole` where it is one of several that are not all of floats.
    """

    dtype: str
    lengths: tuple[Length | None, ...]
    perhaps_whole: bool = False

    @property
    def rank(self) -> int:
        """Return the number of axes."""
        return len(self.lengths)

    @property
    def row(self) -> Array | Number:
        """Return the type of what it gives when it is gone through: rows, or the numbers of a vector."""
        rest = self.lengths[1:]
        return replace(self, lengths=rest) if rest else Number(self.dtype, True)


@dataclass(frozen=True, slots=True)
class Numeric:
    """A number or an array: of these `lengths`, where they are known, or of any rank.

    Two with one `token` have one shape; `perhaps_whole` as in an array.
    """

    dtype: str = "float64"
    token: Hashable = None
    lengths: tuple[Length | None, ...] | None = None
    perhaps_whole: bool = False


@dataclass(frozen=True, slots=True)
class Tuple:
    """A tuple of known length; `cls` is the class of a named tuple, or list for a fresh display.

    `options` are the flags, texts and the like that examples show at some places: (0, "square").
    """

    items: tuple[Type, ...]
    cls: type | None = None
    options: tuple[tuple[int, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class Sequence:
    """A tuple, iterator or range; `cls` is its class, `length` its length where that is known."""

    item: Type
    cls: type = tuple
    length: Length | None = None


@dataclass(frozen=True, slots=True)
class Reference:
    """A list, dict or object that is made at `site`: what is in it, its Region says."""

    site: Site


@dataclass(frozen=True, slots=True)
class Optional:
    """None, or a value of another type."""

    type: Type


@dataclass(frozen=True, slots=True)
class Code:
    """A function, class or module: it is known while lowering."""

    value: Any = field(hash=False)


@dataclass(frozen=True, slots=True)
class Other:
    """What carries no derivative: a text, None, a slice, a dtype, an object of a library.

    `made` is how an object of a library was made: a probe makes one again. Of a sparse matrix it is
    the array that it stands for.
    """

    cls: type | None = None
    made: Hashable = None


@dataclass(frozen=True, slots=True)
class Unknown:
    """Nothing is known: nothing yet, as far as nothing is put where a value is read (`is_unset`)."""

    is_unset: bool = field(default=False, compare=False)


Type = Number | Array | Numeric | Tuple | Sequence | Reference | Optional | Code | Other | Unknown
UNKNOWN = Unknown()
# what is both of two types, if anything
Join = Callable[[Type, Type], Type | None]


@dataclass(frozen=True, slots=True)
class Region:
    """Memory that is written in place, or reached under two names, and lasts beyond a statement.

    `kind` is "list" (of `item`), "mapping" (of `item` under `key`) or "fields" (an object of
    `cls`, or a dict under constant keys: each key has a type of its own). Arrays are found by
    points-to (room analysis), where all is lowered. `by_attribute` is the class of a dict whose
    entries are read as attributes, too. `born` are the fields that it has from the first, `count` is
    how many items a list in a list has that an argument is: the text asks for that.
    """

    site: Site
    kind: str
    item: Type = UNKNOWN
    key: Type = UNKNOWN
    fields: Mapping[Hashable, Type] = field(default_factory=dict)
    cls: type | None = None
    is_parameter: bool = False
    by_attribute: type | None = None
    born: frozenset[Hashable] = frozenset()
    count: int | None = None

    @property
    def is_list(self) -> bool:
        """Tell whether it is a list, of items of one kind or of several."""
        return self.kind == "list" or self.cls is list

    def path_of(self, key: Any) -> str:
        """Return how a slot of an argument is reached: p.mass, d['a'], xs[0]."""
        return f"{self.site}[{key!r}]" if self.cls in (list, dict) else f"{self.site}.{key}"


Regions = Mapping[Site, Region]
NONE = Other(type(None))


def region_of(type_: Type | None, regions: Regions) -> Region | None:
    """Return the region that a value of a type refers to."""
    return regions.get(type_.site) if isinstance(type_, Reference) else None


def with_lengths(type_: Type, change: Callable[[Length], Length | None]) -> Type:
    """Return a type with every length that is known changed."""

    def of(length: Length | None) -> Length | None:
        return None if length is None else change(length)

    match type_:
        case Array(lengths=tuple() as lengths) | Numeric(lengths=tuple() as lengths):
            return replace(type_, lengths=tuple(map(of, lengths)))
        case Number(length=length):
            return replace(type_, length=of(length))
        case Sequence(item, cls, length):
            type_ = Sequence(item, cls, of(length))
    return with_parts(type_, lambda part: with_lengths(part, change))


def with_parts(type_: Type, change: Callable[[Type], Type]) -> Type:
    """Return a type with the types of its parts changed."""
    match type_:
        case Tuple(items, cls):
            return replace(type_, items=tuple(map(change, items)))
        case Sequence(item, cls, length):
            return Sequence(change(item), cls, length)
        case Optional(inner):
            return Optional(change(inner))
        case Other(cls, Array() as holds):
            return Other(cls, change(holds))
    return type_


def types_in(type_: Type) -> Iterator[Type]:
    """Yield a type, and those of the parts of a tuple, sequence or optional, or sparse matrix."""
    yield type_
    match type_:
        case Tuple(items):
            for item in items:
                yield from types_in(item)
        case Sequence(item) | Optional(item) | Other(_, Array() as item):
            yield from types_in(item)


def type_of_keys(keys: Collection[Any]) -> Type:
    """Return the type of the keys of a dict, where it is one."""
    kinds = {str if isinstance(key, str) else type(key) for key in keys} or {str}
    kind = kinds.pop()
    if kind is tuple and not kinds and len(set(map(len, keys))) == 1:
        return Tuple(tuple(map(type_of_keys, zip(*keys, strict=True))))
    if kinds or kind not in (str, int, float):
        return UNKNOWN
    return Other(str) if kind is str else Number(f"{kind.__name__}64")


def is_float(type_: Type) -> bool:
    """Tell whether a value is a number or array of floats or complex numbers: it may vary."""
    return isinstance(type_, Number | Array | Numeric) and type_.dtype[0] in "fc"


def is_integer(type_: Type) -> bool:
    """Tell whether a value is one whole number."""
    return isinstance(type_, Number) and type_.dtype[0] in "iu"


def may_be_whole(type_: Type) -> bool:
    """Tell whether a value may be one whole number: 2**k is, unless k is negative."""
    return is_integer(type_) or (isinstance(type_, Number) and type_.perhaps_whole)


def without_none(type_: Type) -> Type:
    """Return the type of what is not None: an operation on None would raise."""
    return type_.type if isinstance(type_, Optional) else type_


def is_number(type_: Type) -> bool:
    """Tell whether a value is one number."""
    return isinstance(type_, Number) or (isinstance(type_, Array) and not type_.lengths)
