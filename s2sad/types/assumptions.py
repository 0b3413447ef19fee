"""What is assumed of the lengths of the arguments, each assumption true of the examples.

assumptions.add("u.shape[0]", 10); assumptions.add("v.shape[0]", 10)
assumptions.unify(n, m)          from now on m resolves to n, and the text asks it at its entry
"""

from __future__ import annotations

from collections.abc import Hashable, Set
from math import gcd
from typing import Any

from s2sad.ir.errors import Span
from s2sad.ir.records import dataclass, field
from s2sad.ir.types import ONE, Length, Number, Region, Site, Type, with_lengths


@dataclass(frozen=True, slots=True)
class Fact:
    """An assumption: `length` is 0 ("zero"), or not negative ("natural")."""

    kind: str
    length: Length
    span: Span | None = None


# a length of arguments without examples: most of what computes with it leaves nothing over
PRESUMED = 72


class Assumptions:
    """Lengths of the arguments by their symbols, which of them are equal, and what else holds.

    A symbol is the Python text that gives the length: "u.shape[0]", or "n" for an integer. Where
    `presumes`, there are no examples: axes are taken for equally long where they have to be, and
    none is taken for a number. Arguments that `may_fit` are taken for numbers or arrays that do not
    stretch what they stand beside, while a function `is_lowered`; the text asks what `fits` what.
    Those that are `compared` with what is computed of `data` follow the shape of it.
    """

    def __init__(self) -> None:
        self.presumes = False
        self.sizes: dict[str, int] = {}
        self.of_items: set[str] = set()  # of all items of a list: asked for with its structure
        self.bindings: dict[str, Length] = {}
        self.facts: dict[Fact, None] = {}
        self.bounds: dict[str, tuple[Length, Length]] = {}
        self.divisions: dict[str, tuple[Length, Length]] = {}  # of what a symbol is the quotient
        self.may_fit: frozenset[str] = frozenset()
        self.is_lowered = False
        self.is_unsure = False  # which of two lengths is the longer one, without examples
        self.apart: set[str] = set()  # lengths of what is taken apart
        self.fits: dict[tuple[str, tuple[Length, ...]], None] = {}
        self.data: frozenset[str] = frozenset()
        self.compared: frozenset[str] = frozenset()
        self.follows: dict[str, frozenset[str]] = {}

    def add(self, symbol: str, size: int) -> Length:
        """Return the length of an axis of an argument that is `size` long in the example."""
        self.sizes[symbol] = size
        return self.resolve(Length.of(symbol))

    def presume(self, symbol: str) -> Length:
        """Return the length of an axis of an argument of which there is no example."""
        self.presumes = True
        return self.add(symbol, PRESUMED)

    def resolve(self, length: Length) -> Length:
        """Return a length in symbols that stand for themselves."""
        while any(symbol in self.bindings for symbol in length.symbols):
            length = length.replaced(self.bindings)
        return length

    def value(self, length: Length) -> int | None:
        """Return what a length is in the examples; None where they do not tell."""
        return None if self.presumes else self._supposed(length)

    def _supposed(self, length: Length) -> int | None:
        """Return what a length is in the examples, or may be: from the latter nothing follows."""
        length = self.resolve(length)
        if not length.symbols <= self.sizes.keys():
            return None
        return length.value(self.sizes)

    def agree(self, a: Length, b: Length) -> bool:
        """Tell whether two lengths are equal in the examples, or can be taken for equal."""
        difference = self.resolve(a - b)
        may_be_said = _has_several(difference) and not _has_quotient(difference)
        may_be_said = may_be_said or (bool(difference.terms) and difference.symbols <= self.apart)
        is_said = not self.presumes or may_be_said or difference == Length()
        return is_said and self._supposed(difference) == 0

    def unify(self, a: Length, b: Length, span: Span | None = None) -> bool:
        """Assume that two lengths are equal; tell whether that is new and true of the examples."""
        difference = self.resolve(a - b)
        if difference == Length() or not self.agree(a, b):
            return False
        self.facts[Fact("zero", a - b, span)] = None
        self._eliminate(difference)
        return True

    def learn(self, mismatch: Mismatch, span: Span | None = None) -> bool:
        """Assume what an operation asks for; tell whether anything was learnt."""
        learnt = [self.unify(a, b, span) for a, b in mismatch.pairs]
        return any(learnt)

    def take_apart(self, length: Length, count: int) -> None:
        """Take an argument for as long as it has parts, or what it stands beside has, without examples."""
        own = self.resolve(length)
        if self.presumes and len(own.symbols) == 1 and own == Length.of(*own.symbols):
            self.sizes |= dict.fromkeys(own.symbols, count)
            self.apart |= own.symbols

    def assume_fit(self, token: Any, shape: tuple[Length | None, ...]) -> bool:
        """Tell whether what has the shape of a token does not stretch an array, or can be asked not to."""
        if not isinstance(token, frozenset) or not token <= self.may_fit:
            return False
        lengths = tuple(self.resolve(n) for n in shape if n is not None)
        if len(lengths) < len(shape) or not all(
            n.symbols <= self.sizes.keys() and n != ONE for n in lengths
        ):
            return False
        for name in token:
            if not (self.is_lowered or self._fits(name, lengths)):
                return False
            self.fits[name, lengths] = None
        return True

    def assume_following(self, name: str, token: frozenset[Any]) -> bool:
        """Tell whether an argument does not stretch what is computed of data, or can be asked not to."""
        may_follow = self.is_lowered and name in self.compared and bool(token & self.data)
        if may_follow and name not in self.follows and token <= self.may_fit - {name}:
            self.follows[name] = token
        return self.follows.get(name) == token

    def _fits(self, name: str, lengths: tuple[Length, ...]) -> bool:
        """Tell whether an argument fits the last axes of an array, and so the array."""
        known = (tuple(map(self.resolve, shape)) for each, shape in self.fits if each == name)
        return any(shape == lengths[len(lengths) - len(shape) :] for shape in known)

    def assume_natural(self, length: Length) -> bool:
        """Assume that a length is not negative; tell whether the examples allow it."""
        length = self.resolve(length)
        if not length.terms:
            return length.constant >= 0
        if length.is_sum:
            return True  # lengths are never negative
        if self._is_left_over(length):
            return True
        if length.symbols & self.bounds.keys():
            return self._least_is_natural(length)
        value = self._supposed(length)
        self.is_unsure |= self.presumes and len(length.symbols) > 1
        if value is None or value < 0:
            return False
        self.facts.setdefault(Fact("natural", length))
        return True

    def bound(self, number: Length, least: Length, most: Length) -> None:
        """Record between which lengths an integer of a loop lies."""
        (symbol,) = number.symbols
        self.bounds[symbol] = (least, most)

    def _least_is_natural(self, length: Length) -> bool:
        """Assume that a length is not negative for all passes of the loops that it depends on."""
        # inner loops first: their bounds may depend on the numbers of outer ones
        for symbol in [s for s in reversed(self.bounds) if s in length.symbols]:
            terms = [(symbols.count(symbol), f > 0) for symbols, f in length.terms]
            grows = {way for count, way in terms if count}
            if len(grows) != 1 or max(terms)[0] > 1:
                return False
            end = self.bounds[symbol][0 if grows.pop() else 1]
            return self.assume_natural(length.replaced({symbol: end}))
        return False

    def _is_left_over(self, length: Length) -> bool:
        """Tell whether a length is at least what some division leaves over: n - k * (n // k)."""
        known = ((s, *self.divisions[s]) for s in length.symbols if s in self.divisions)
        over = (whole - Length.of(symbol) * divisor for symbol, whole, divisor in known)
        return any(self.resolve(length - rest).is_sum for rest in over)

    def quotient(self, length: Length, divisor: int | Length) -> Length | None:
        """Return length // divisor: a polynomial, or a symbol of its own whose text that is."""
        resolved = self.resolve(length)
        if isinstance(divisor, Length):
            divisor = self.resolve(divisor)
            if divisor.is_literal and divisor.constant > 0:
                return self.quotient(length, divisor.constant)
            value, by = self.value(resolved), self.value(divisor)
            if value is None or by is None or value < 0 or by <= 0:
                return None
            return self._divided(resolved, divisor, value // by)
        if (exact := self.exact_quotient(resolved, divisor)) is not None:
            return exact
        value = self._supposed(resolved)
        if value is None:
            return None
        return self._divided(resolved, Length((), divisor), value // divisor)

    def exact_quotient(self, length: Length, divisor: int) -> Length | None:
        """Return length // divisor where it is a polynomial, whatever the lengths are: n of 2*n + 1."""
        length = self.resolve(length)
        whole = Length(length.terms, length.constant - length.constant % divisor)
        return _parted(whole, divisor) if _is_divisible(whole, divisor) else None

    def _divided(self, length: Length, divisor: Length, size: int) -> Length:
        """Return the symbol of a quotient, and record what it is one of."""
        symbol = f"(({length}) // {divisor if divisor.is_literal else f'({divisor})'})"
        self.divisions[symbol] = length, divisor
        return self.add(symbol, size)

    def share(self, length: Length, divisor: int) -> Length | None:
        """Return length / divisor; raise Mismatch where the examples say that nothing is left over."""
        value = self._supposed(length)
        if value is None or divisor <= 0 or value % divisor:
            return None
        found = self.quotient(length, divisor)
        if found is None or self.resolve(found * divisor - length) == Length():
            return found
        if self.agree(found * divisor, length):
            raise Mismatch(found * divisor, length)
        return None if self.presumes else found

    def _eliminate(self, difference: Length) -> None:
        """Express one symbol of a length that is 0 by the others, or fix all to the examples."""
        common = gcd(difference.constant, *(factor for _, factor in difference.terms))
        difference = _parted(difference, common)
        order = {symbol: place for place, symbol in enumerate(self.sizes)}
        alone = [
            (symbols[0], factor)
            for symbols, factor in difference.terms
            if len(symbols) == 1
            and abs(factor) == 1
            and not any(symbols[0] in other for other, _ in difference.terms if other != symbols)
        ]
        if alone:

            def preferred(pair: tuple[str, int]) -> tuple[bool, bool, int]:
                # n + m rather than n - m: no length of it can be negative; a list may be empty
                symbol, factor = pair
                is_sum = self._rest(difference, symbol, factor).is_sum
                return is_sum, symbol in self.of_items, order[symbol]

            symbol, factor = max(alone, key=preferred)
            self.bindings[symbol] = self._rest(difference, symbol, factor)
            return
        for symbol in sorted(difference.symbols, key=order.__getitem__):
            self.bindings[symbol] = Length((), self.sizes[symbol])

    @staticmethod
    def _rest(difference: Length, symbol: str, factor: int) -> Length:
        """Return what a symbol is in a length that is 0."""
        return (difference - Length.of(symbol) * factor) * -factor


def _has_quotient(length: Length) -> bool:
    """Tell whether a length is that of every second item, or the like: zip() stops with the shortest."""
    return any("//" in symbol for symbols, _ in length.terms for symbol in symbols)


def _has_several(difference: Length) -> bool:
    """Tell whether a length that is 0 says of two axes how they hang together: n - m, n - 2 * k."""
    has_one = any(len(s) == 1 and abs(factor) == 1 for s, factor in difference.terms)
    return has_one and len(difference.symbols) > 1


def _is_divisible(length: Length, divisor: int) -> bool:
    factors = (length.constant, *(factor for _, factor in length.terms))
    return all(factor % divisor == 0 for factor in factors)


def _parted(length: Length, divisor: int) -> Length:
    terms = tuple((symbols, factor // divisor) for symbols, factor in length.terms)
    return Length(terms, length.constant // divisor)


class Mismatch(Exception):
    """Lengths that have to be equal, and are in the examples; `pairs` are all of them.

    `a` and `b` are the first pair. The driver hands this to Assumptions.learn and starts again.
    """

    def __init__(self, a: Length, b: Length, *more: tuple[Length, Length]):
        self.a = a
        self.b = b
        self.pairs = ((a, b), *more)
        super().__init__(" and ".join(f"{x} = {y}" for x, y in self.pairs))


# an argument of positions, and the axis along which they are different
Along = tuple[str, int]


@dataclass(slots=True)
class Different:
    """Arguments that are positions, with the axes along which they are different, and none below 0.

    `known` are those of the examples, `asked` those that the text is made for.
    """

    known: frozenset[Along] = frozenset()
    asked: frozenset[Along] = frozenset()


class Fails(Exception):
    """An operation that Python itself would refuse; `exception` is what it would raise."""

    def __init__(self, exception: BaseException):
        self.exception = exception
        super().__init__(f"{type(exception).__name__}: {exception}")


@dataclass(slots=True)
class Context:
    """The assumptions about the arguments, and the lists, dicts and objects by their sites.

    `options` are the flags, texts and Nones of the examples, by their paths: where one decides a
    way, the text is made for it. Without examples, arguments that are taken for arrays may be
    numbers, too: that they have a rank at all is not known where it is asked. `followed` are the
    functions of libraries whose own lines are lowered, and calls whose twins are, each with what
    asked for it. `by_place` are the lists of the examples with a slot for each item. `in_place`
    are the functions that call themselves, and are run where they are called until a call with
    known arguments ends it, each with why it is none of the program. `asks_implied` where arrays that
    have to have some rank, for the result to be a number, are asked for it; `asks_number` where the
    result is asked to be one; `fails` where a way that a test decides raises for arguments like these.
    `peeled` are the
    `loops` whose first pass stands apart; of each it is known whether something is a number before
    it, and may be an array in it. `by_keys` are the dicts of which the keys that are read are known,
    and not their order; `sized` are the lists in lists that are unpacked, with how many they hold.
    Where the program `tests_lengths` and is refused, it is made again so that it `decides_lengths`:
    which of two is the longer one the examples say, and the text asks. Lists that the function makes
    are `split_lists`, with a slot for each item, unless it `keeps_lists` whole.
    """

    assumptions: Assumptions = field(default_factory=Assumptions)
    regions: dict[Site, Region] = field(default_factory=dict)
    options: dict[str, Any] = field(default_factory=dict)
    has_examples: bool = True
    solved: set[Any] = field(default_factory=set)
    followed: dict[Hashable, Exception] = field(default_factory=dict)
    by_place: dict[Site, Region] = field(default_factory=dict)
    opened: set[Site] = field(default_factory=set)
    in_place: dict[Hashable, Exception] = field(default_factory=dict)
    asks_implied: bool = True
    asks_number: bool = False
    fails: bool = False
    peeled: Set[Any] = frozenset()
    loops: dict[Any, bool] = field(default_factory=dict)
    by_keys: set[Site] = field(default_factory=set)
    sized: dict[Site, int] = field(default_factory=dict)
    different: Different = field(default_factory=Different)
    decides_lengths: bool = False
    tests_lengths: bool = False
    split_lists: set[Site] = field(default_factory=set)
    keeps_lists: bool = False


# ---------------------------------------------------------------------------- numbers of loops

MARK = "@"  # in the symbols of loops: no argument has it in its text


def loop_number(least: Length | None, most: Length | None, context: Context) -> Number:
    """Return the type of an integer that runs from `least` to `most` by steps of 1, or back.

    Where they are not known, or it may be negative, neither is the number in lengths.
    """
    assumed = context.assumptions
    if least is None or most is None or not assumed.assume_natural(least):
        return Number("int64")
    number = Length.of(f"{MARK}{len(assumed.bounds)}")
    assumed.bound(number, least, most)
    return Number("int64", False, number)


def depends_on_pass(length: Length | None, symbol: str = MARK) -> bool:
    """Tell whether a length depends on the number of a loop, or of any."""
    return length is not None and any(symbol in each for each in length.symbols)


def without_passes(type_: Type, symbol: str = MARK) -> Type:
    """Return a type in which no length depends on the number of a loop: what holds after it."""
    return with_lengths(type_, lambda n: None if depends_on_pass(n, symbol) else n)
