"""What is known of the arguments becomes a sentence for people.

W (W.0, W.1), m (m.0), d (d.0)    ->    for float64 arrays W (m, n), m (n,), d (m,)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from s2sad.legacy.facts.fact import Dim, Fact
from s2sad.legacy.facts.inference import Facts
from s2sad.legacy.program import Param, Var

LETTERS = "mnkpqrst"


@dataclass(slots=True)
class _Letters:
    """Names for lengths, in order of first appearance."""

    free: Iterator[str]
    names: dict[str, str] = field(default_factory=dict)

    def of(self, dim: Dim) -> str:
        if not dim.symbol:
            return str(dim.offset)
        if dim.symbol not in self.names:
            self.names[dim.symbol] = next(self.free)
        name = self.names[dim.symbol]
        return f"{name} {'+-'[dim.offset < 0]} {abs(dim.offset)}" if dim.offset else name


def describe(facts: Facts | Mapping[str, Fact], params: Sequence[Param | Var]) -> str:
    """Return the arguments that a text is made for: 'for float64 arrays W (m, n), m (n,)'.

    Given Facts, lengths that have to be equal have one name.
    """
    variables = [each.var if isinstance(each, Param) else each for each in params]
    known = [(var.slot, _fact(facts, var)) for var in variables]
    described = list(_arrays(known))
    first_rank = next((fact.rank for _, fact in described), None)
    letters = _Letters(_alphabet(LETTERS if first_rank != 1 else "nmkpqrst"))
    pieces = _grouped(described, letters)
    scalars = [name for name, fact in known if fact.is_scalar and fact.kind in ("float", "complex")]
    if scalars:
        plural = "s" if len(scalars) > 1 else ""
        pieces.append(f"float{plural} {', '.join(scalars)}")
    return f"for {', '.join(pieces)}" if pieces else ""


def _fact(facts: Facts | Mapping[str, Fact], var: Var) -> Fact:
    if isinstance(facts, Facts):
        return facts.of(var)
    return facts.get(var.slot, Fact("unknown"))


def _arrays(known: Sequence[tuple[str, Fact]]) -> Iterator[tuple[str, Fact]]:
    """Yield the arrays among arguments, those in tuples under their subscripts."""
    for name, fact in known:
        if fact.kind == "array" and isinstance(fact.shape, tuple):
            yield name, fact
        elif fact.kind == "tuple":
            yield from _arrays([(f"{name}[{i}]", item) for i, item in enumerate(fact.items)])


def _alphabet(letters: str) -> Iterator[str]:
    yield from letters
    number = 1
    while True:
        yield f"n{number}"
        number += 1


def _grouped(arrays: Sequence[tuple[str, Fact]], letters: _Letters) -> list[str]:
    """Return what each array is, the dtype named once for neighbours that share it."""
    pieces: list[str] = []
    before = None
    for i, (name, fact) in enumerate(arrays):
        text = f"{name} {_shape_text(fact, letters)}"
        if fact.dtype != before:
            following = arrays[i + 1][1].dtype if i + 1 < len(arrays) else None
            noun = "arrays" if following == fact.dtype else "array"
            text = f"{fact.dtype} {noun} {text}".strip()
        before = fact.dtype
        pieces.append(text)
    return pieces


def _shape_text(fact: Fact, letters: _Letters) -> str:
    assert isinstance(fact.shape, tuple)
    names = [letters.of(dim) for dim in fact.shape]
    return f"({names[0]},)" if len(names) == 1 else f"({', '.join(names)})"
