"""A call with tiny operands, run three times: what it gives or raises is cached by its form.

Call(np.diff, ..., (Form(Array("float64", (0,))),)).outcome((0,))   ->   Array("float64", (0 - 1,))
"""

from __future__ import annotations

import copy
import re
import warnings
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from s2sad.ir.expression import Known
from s2sad.ir.records import dataclass
from s2sad.ir.types import UNKNOWN, Length, Number
from s2sad.ir.types import Type as ValueType
from s2sad.source.outside import Same
from s2sad.types.allowed import asks_for_places, fills_memory, with_pivots
from s2sad.types.lengths import RUNS, Atoms, lengths_of, polynomial, sizes_of, with_extremes
from s2sad.types.reading import read
from s2sad.types.samples import CONTENTS, HOSTILE, MOST_ELEMENTS, Content, NoSample, Sampler

LARGEST = 64  # known integers beyond that are probed by an axis of their own
LONGEST_SHAPE = 8  # more numbers together than that are what an array holds
CACHE_SIZE = 50_000
Function = Callable[..., Any]
Class = type[Any]


@dataclass(frozen=True, slots=True)
class Operand:
    """What is known of an operand: its value, or its type; `parts` of a display."""

    type: ValueType
    known: Known | None = None
    parts: tuple[Operand, ...] | None = None
    cls: Class = tuple


@dataclass(frozen=True, slots=True)
class Form:
    """An operand with axes in place of lengths; a key of the cache."""

    type: ValueType | None
    known: Hashable = None
    value: Known | None = None
    parts: tuple[Form, ...] | None = None
    cls: Class = tuple

    def key(self) -> Hashable:
        """Return what decides of the result."""
        parts = None if self.parts is None else tuple(part.key() for part in self.parts)
        return self.type, self.known, parts, self.cls


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a probe gave: a type over axes, or an exception; `runs` that went through."""

    type: ValueType
    error: Exception | None = None


_cache: dict[Hashable, Outcome] = {}
# errors that other numbers may help against, but not where they say that lengths do not fit
CONTENT = (ValueError, ZeroDivisionError, OverflowError)
_OF_LENGTHS = re.compile(
    "broadcast|dimension(?!.*ascending)|aligned|reshape|square|same shape|rows|cols|unpack"
)


def form(operand: Operand, atoms: Atoms, is_content: bool = False) -> Form:
    """Return an operand over axes of a probe; a whole number of `is_content` is no length."""
    if operand.parts is not None:
        is_content = is_content or _count(operand) > LONGEST_SHAPE
        parts = tuple(form(part, atoms, is_content) for part in operand.parts)
        return Form(None, None, None, parts, operand.cls)
    if operand.known is None:
        return Form(atoms.form(operand.type))
    value = operand.known.value
    if type(value) is int and value > LARGEST and not is_content:
        return Form(Number("int64", False, atoms.axis(Length((), value))))
    return Form(None, _frozen(value), operand.known)


def _count(operand: Operand) -> int:
    """Return how many values a display holds."""
    return 1 if operand.parts is None else sum(map(_count, operand.parts))


def _frozen(value: Any) -> Hashable:
    """Return a key for a known value; equal keys mean equal values and types."""
    if isinstance(value, tuple | list):
        return type(value), tuple(map(_frozen, value))
    if isinstance(value, float | complex):
        return type(value), repr(value)
    if isinstance(value, np.ndarray):
        return np.ndarray, value.dtype.str, value.shape, value.tobytes()
    if isinstance(value, dict):
        return dict, tuple((_frozen(k), _frozen(v)) for k, v in value.items())
    if isinstance(value, slice):
        return slice, _frozen((value.start, value.stop, value.step))
    try:
        hash(value)
    except TypeError:
        return Same(value)
    return type(value), value


def key_of(operand: Operand) -> Hashable:
    """Return a key for an operand; equal keys mean equal operands."""
    if operand.parts is not None:
        return operand.cls, tuple(map(key_of, operand.parts))
    return operand.type if operand.known is None else _frozen(operand.known.value)


@dataclass(frozen=True, slots=True)
class Call:
    """A call to be probed: its function, the forms of its operands, and the lengths of their axes."""

    function: Function
    called: Hashable
    positional: int
    names: tuple[str, ...]
    forms: tuple[Form, ...]
    lengths: tuple[Length | None, ...] = ()

    def key(self, axes: tuple[int, ...]) -> Hashable:
        """Return what decides of the result."""
        forms = tuple(form.key() for form in self.forms)
        return self.called, self.positional, self.names, axes, forms

    def outcome(self, axes: tuple[int, ...]) -> Outcome:
        """Return what a probe gives where atom k has the size of axis axes[k]; cached."""
        key = self.key(axes)
        found = _cache.get(key)
        if found is None:
            if len(_cache) > CACHE_SIZE:
                _cache.clear()
            found = _cache[key] = self._probed(axes)
        return found

    def _probed(self, axes: tuple[int, ...]) -> Outcome:
        rows, count = sizes_in_runs(axes)
        outcome = self.with_sizes(rows, count)
        if isinstance(outcome.error, CONTENT) and not _OF_LENGTHS.search(str(outcome.error)):
            for content in CONTENTS[1:]:
                other = self.with_sizes(rows, count, content)
                if other.error is None:
                    return other
        return outcome

    def few(self, run: int) -> dict[str, int]:
        """Return short sizes for one run, alike for all axes."""
        return dict.fromkeys(map(str, range(len(self.lengths))), run + 2)

    def of_few(self) -> Outcome:
        """Return what a probe gives where all axes are short: ranks and dtypes, but no lengths.

        np.pad(A, ((0, 0), (p, p), (q, q), (0, 0))) has too many lengths to be run with large ones.
        """
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            try:
                values = [self.run(Sampler(self.few(n), n, CONTENTS[0])) for n in range(RUNS)]
            except Exception as error:
                return Outcome(UNKNOWN, error)
        return Outcome(read(values, lambda _: None))

    def with_sizes(
        self, rows: Sequence[Mapping[str, int]], count: int, content: Content = CONTENTS[0]
    ) -> Outcome:
        """Return what a probe gives where atoms have these sizes in each run."""
        values = []
        places = asks_for_places(self.function) or any(map(_makes, self.forms))
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            for k in range(RUNS):
                try:
                    values.append(self.run(Sampler(rows[k], k, content, are_places=places)))
                except NoSample as error:
                    return Outcome(UNKNOWN, error)
                except Exception as error:
                    if k == HOSTILE:
                        break
                    return Outcome(UNKNOWN, error)
        made = read(values, lambda found: polynomial(found, count))
        return Outcome(self._with_extremes(made, count, content))

    def _with_extremes(self, type_: ValueType, count: int, content: Content) -> ValueType:
        """Return a type with the extremes of literal lengths and axes that the runs do not show.

        Q of a matrix (4, n) has min(4, n) columns: all three runs have more than four.
        """
        literals = self.literals - {1}
        if count == 0 or not literals or not any(lengths_of(type_)):
            return type_
        short = {str(k): k + 1 for k in range(count)}
        try:
            value = self.run(Sampler(short, 0, content))
        except Exception:
            return type_  # it is not for such lengths
        seen = read([value], lambda found: Length((), found[0]))
        return with_extremes(type_, seen, count, literals)

    @property
    def literals(self) -> frozenset[int]:
        """Return the lengths of the operands that are literal, but 0."""
        return frozenset(n for form in self.forms for n in _literals(form))

    @property
    def asks_for_content(self) -> bool:
        """Tell whether made-up numbers may be refused: coefficients of a filter, a footprint of zeros."""
        module = str(getattr(self.function, "__module__", "") or "")
        of_filters = module.startswith(("scipy.signal", "scipy.ndimage"))
        return of_filters or any(map(_makes, self.forms))

    def run(self, sampler: Sampler) -> Any:
        """Return what the function gives for values of one run."""
        values = self.values(sampler)
        if fills_memory(self.function, values, MOST_ELEMENTS):
            raise NoSample(self.function)
        return self.apply(values)

    def values(self, sampler: Sampler) -> list[Any]:
        """Return operands of one run."""
        made = [value_of(form, sampler) for form in self.forms]
        return with_pivots(self.function, made)

    def apply(self, values: Sequence[Any]) -> Any:
        """Return what the function gives for these operands."""
        keywords = dict(zip(self.names, values[self.positional :], strict=True))
        return self.function(*values[: self.positional], **keywords)


def call_of(
    function: Function, operands: Sequence[Operand], names: Iterable[str], called: Hashable = None
) -> Call:
    """Return a call of operands, the last of which have names."""
    atoms, named = Atoms(), tuple(names)
    forms = tuple(form(operand, atoms) for operand in operands)
    count = len(operands) - len(named)
    return Call(function, called or function, count, named, forms, tuple(atoms.lengths))


def _literals(form: Form) -> Iterator[int]:
    """Yield the lengths of an operand that are literal, but 0."""
    for length in () if form.type is None else lengths_of(form.type):
        if length is not None and length.is_literal and length.constant > 0:
            yield length.constant
    for part in form.parts or ():
        yield from _literals(part)


def sizes_in_runs(axes: Sequence[int]) -> tuple[list[dict[str, int]], int]:
    """Return the sizes of atoms in each run, and how many axes they have: literal ones are -1 - size."""
    count = max((-1, *axes)) + 1
    rows = sizes_of(max(count, 0))
    sized = ([row[axis] if axis >= 0 else -1 - axis for axis in axes] for row in rows)
    return [{str(k): size for k, size in enumerate(row)} for row in sized], max(count, 0)


def _makes(form: Form) -> bool:
    """Tell whether an operand is an object that is made: its places may be any."""
    return form.cls not in (tuple, list) or any(map(_makes, form.parts or ()))


def value_of(form: Form, sampler: Sampler) -> Any:
    """Return a value of an operand."""
    if form.parts is not None:
        parts = [value_of(part, sampler) for part in form.parts]
        return form.cls(parts)
    if form.value is not None:
        value = form.value.value
        return copy.deepcopy(value) if isinstance(value, list | dict | np.ndarray) else value
    assert form.type is not None
    return sampler.value(form.type)
