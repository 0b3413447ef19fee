"""Which lengths are equal: what operations imply, and what has to be checked on entry.

    np.dot(W, m) - d    W (W.0, W.1), m (m.0), d (d.0)

    implied at once:     W.1 = m.0     np.dot raises otherwise
    met, to be checked:  W.0 = d.0     broadcasting would go on with a length of 1

An equality holds where it was found and inside; what a loop or a branch implies ends with it.
Equalities that are checked on entry hold everywhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from s2sad.ir.errors import Span
from s2sad.legacy.facts.fact import Dim, Fact
from s2sad.legacy.facts.joins import with_dims
from s2sad.legacy.program import Var


@dataclass(frozen=True, slots=True)
class Meeting:
    """The assumption left.shape[left_axis] == right.shape[right_axis], first met at `span`.

    Where `right` is None, it is that the length is `right_axis`.
    """

    span: Span
    left: Var
    left_axis: int
    right: Var | None
    right_axis: int


@dataclass(frozen=True, slots=True)
class Entry:
    """A length that the caller's text can name: an axis of a parameter."""

    var: Var
    axis: int
    order: int


@dataclass(slots=True)
class Lengths:
    """The equalities found so far in one sweep over a program."""

    entries: Mapping[str, Entry]
    depth: int = 0
    equal: dict[str, Dim] = field(default_factory=dict)
    # where equalities and symbols end: how many loops and branches are around them
    owner: dict[str, int] = field(default_factory=dict)
    bound: dict[str, int] = field(default_factory=dict)
    barriers: int = 0
    # how many branches are around, which may never be taken
    branches: int = 0
    met: dict[tuple[str, str], Span] = field(default_factory=dict)
    fixed: dict[str, tuple[int, Span]] = field(default_factory=dict)

    def copied(self) -> Lengths:
        """Return the same equalities, which do not change with these."""
        again = replace(self, equal=dict(self.equal), owner=dict(self.owner))
        again.bound, again.met, again.fixed = dict(self.bound), dict(self.met), dict(self.fixed)
        return again

    def resolve(self, dim: Dim) -> Dim:
        """Return a length in terms of the one symbol that stands for all that equal it."""
        while dim.symbol in self.equal:
            root = self.equal[dim.symbol]
            if dim.offset > 0 and root.offset < 0:
                # max(0, n - 2) + 2 is not n
                return dim
            dim = Dim(root.symbol, root.offset + dim.offset)
            if not dim.symbol:
                return Dim("", max(0, dim.offset))
        return dim

    def resolved(self, fact: Fact) -> Fact:
        """Return a fact with all lengths resolved."""
        return with_dims(fact, lambda dim, _: self.resolve(dim)) if self.equal else fact

    def depth_of(self, dim: Dim) -> int:
        """Return how deep inside loops and branches a length was made."""
        return self.bound.get(dim.symbol, 0)

    def meet(self, left: Dim, right: Dim, span: Span) -> Dim | None:
        """Return the length that two have when they are equal, if that can be checked on entry."""
        a, b = self.resolve(left), self.resolve(right)
        if a == b:
            return a
        if self.barriers:
            return None
        if not self._on_entry(a, b):
            return self._fix(a, b, span) or self._fix(b, a, span)
        first, second = sorted((a.symbol, b.symbol), key=self._order)
        self.met.setdefault((first, second), span)
        self._set(second, Dim(first), 0)
        return Dim(first, a.offset)

    def _fix(self, a: Dim, b: Dim, span: Span) -> Dim | None:
        """Return the constant length that an axis of a parameter has to have, be it no 1."""
        constant = not b.symbol and b.offset >= 2
        if self.branches or not constant or a.offset or a.symbol not in self.entries:
            return None
        self.fixed.setdefault(a.symbol, (b.offset, span))
        self._set(a.symbol, b, 0)
        return b

    def _order(self, symbol: str) -> int:
        """Return where a length stands among those of the parameters, the others being last."""
        return self.entries[symbol].order if symbol in self.entries else len(self.entries)

    def _on_entry(self, a: Dim, b: Dim) -> bool:
        named = a.symbol in self.entries and b.symbol in self.entries
        return named and a.offset == b.offset and a.symbol != b.symbol

    def imply(self, left: Dim, right: Dim, span: Span) -> None:
        """Note that an operation raises unless two lengths are equal."""
        a, b = self.resolve(left), self.resolve(right)
        if a == b or a.symbol == b.symbol:
            return
        if self.depth and not self.barriers and self._on_entry(a, b):
            # the operation may never run: only a check on entry makes this hold everywhere
            self.meet(a, b, span)
            return
        if self._is_lesser(a, b):
            a, b = b, a
        # b is replaced by a
        if b.symbol and b.offset == 0:
            self._set(b.symbol, a, self.depth)
        elif a.symbol and a.offset == 0:
            self._set(a.symbol, b, self.depth)

    def _is_lesser(self, a: Dim, b: Dim) -> bool:
        """Tell whether `a` should be replaced by `b`: made later, or not nameable on entry."""
        rank_a = (not a.symbol, -self._order(a.symbol), -self.depth_of(a))
        rank_b = (not b.symbol, -self._order(b.symbol), -self.depth_of(b))
        return rank_a < rank_b

    def _set(self, symbol: str, to: Dim, depth: int) -> None:
        self.equal[symbol] = to
        self.owner[symbol] = depth

    def leave(self) -> None:
        """Forget what held only inside the loop or branch that ends."""
        ended = [symbol for symbol, depth in self.owner.items() if depth >= self.depth]
        for symbol in ended:
            del self.equal[symbol], self.owner[symbol]
        self.depth -= 1

    def is_inner(self, symbol: str) -> bool:
        """Tell whether a symbol was made inside the innermost loop or branch."""
        return self.depth > 0 and self.bound.get(symbol, 0) >= self.depth

    def meetings(self) -> tuple[Meeting, ...]:
        """Return what has to be checked on entry."""
        found = []
        for (left, right), span in self.met.items():
            a, b = self.entries[left], self.entries[right]
            found.append(Meeting(span, a.var, a.axis, b.var, b.axis))
        for symbol, (length, span) in self.fixed.items():
            entry = self.entries[symbol]
            found.append(Meeting(span, entry.var, entry.axis, None, length))
        return tuple(found)
