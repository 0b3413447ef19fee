"""What is known while a program is looked at: its values, the lengths, how deep it stands.

values.bind(x@1, array (n,))        values.of(x@1)    ->    array (n,)
values.enter()  ...  values.leave()      what was named inside is not known outside
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from s2sad.ir.errors import Span
from s2sad.legacy.facts.context import Context, prefixed, text_of
from s2sad.legacy.facts.fact import ANY, UNKNOWN, Dim, Fact, Shape, Token
from s2sad.legacy.facts.joins import element, joined, with_dims
from s2sad.legacy.facts.lengths import Entry, Lengths
from s2sad.legacy.program import Expr, Program, Var
from s2sad.legacy.traverse import reads

UNBOUND = Fact("unbound")  # of a value that, as far as the sweeps know, nothing was given to


class Values(Context):
    """The values of one program while it is looked at."""

    def __init__(self, entries: Mapping[str, Entry], prefix: str, span: Span):
        self.prefix = prefix
        self.span = span
        self.lengths = Lengths(entries)
        self.known: dict[Var, Fact] = {}
        self.implied: list[tuple[Dim, Dim]] = []
        self.held_by_use: Mapping[Var, Fact] = {}
        self.named_calls: Counter[str] = Counter()
        self._depths: dict[Var, int] = {}
        self._inside: list[list[Var]] = [[]]

    # ------------------------------------------------------------ going back

    def state(self) -> tuple[Any, ...]:
        """Return all that is known by now."""
        inside = [[*made] for made in self._inside]
        changing = (self.known, self.implied, self.named_calls, self._depths)
        return (self.lengths.copied(), *(each.copy() for each in changing), inside)

    def back_to(self, state: tuple[Any, ...]) -> None:
        """Forget what has come to be known since."""
        lengths, known, implied, named_calls, depths, inside = state
        self.lengths, self.known, self.implied = lengths.copied(), known.copy(), implied.copy()
        self.named_calls, self._depths = named_calls.copy(), depths.copy()
        self._inside = [[*made] for made in inside]

    # ------------------------------------------------------------ as a context

    def of(self, var: Var) -> Fact:
        """Return what is known of a value."""
        return self.held(var) or UNKNOWN

    def held(self, var: Var | None) -> Fact | None:
        """Return what is known of a value, None of one that nothing was given to."""
        fact = UNBOUND if var is None else self.known.get(var, UNKNOWN)
        return None if fact is UNBOUND else self.lengths.resolved(fact)

    def meet(self, left: Dim, right: Dim) -> Dim | None:
        """Assume two lengths equal where that can be checked on entry."""
        return self.lengths.meet(left, right, self.span)

    def imply(self, left: Dim, right: Dim) -> None:
        """Note that two lengths are equal, or the operation raises."""
        if not self.lengths.depth:
            self.implied.append((left, right))
        self.lengths.imply(left, right, self.span)

    def fresh(self, name: str, parts: Iterable[Expr | Dim]) -> Dim:
        """Return a length called `name`, which ends with the loop or branch of its parts."""
        depth = self.lengths.depth
        if "!" not in name:
            depth = max((self._depth_of(part) for part in parts), default=0)
        return self.new(name, depth)

    def _depth_of(self, part: Expr | Dim) -> int:
        if isinstance(part, Dim):
            return self.lengths.depth_of(part)
        return max((self._depths.get(var, 0) for var in reads(part)), default=0)

    # ------------------------------------------------------------ values

    def bind(self, var: Var, fact: Fact) -> None:
        """Note what is known of a value."""
        if fact.kind == "unknown" and var in self.held_by_use:
            fact = self.held_by_use[var]
        if fact.shape is None and fact.kind in ("array", "unknown"):
            # a value has its own shape at least
            name = prefixed(self.prefix, f"{var.slot}@{var.version}")
            self.lengths.bound[name] = self.lengths.depth
            fact = fact.with_lengths(Token(name), fact.items, fact.extent)
        self.known[var] = fact
        self._depths[var] = self.lengths.depth
        self._inside[-1].append(var)

    def either(self, a: Fact | None, b: Fact | None, out: Var) -> Fact:
        """Return what is known of a value after two ways to it, of which None gives it nothing."""
        if a is None or b is None:
            return b or a or UNBOUND
        return joined(self.lengths.resolved(a), self.lengths.resolved(b), self.naming(out))

    def settle(self) -> None:
        """Resolve what was found before later equalities were; forget what was never given."""
        self._settle(self._inside[0])
        for var, fact in self.known.items():
            if fact is UNBOUND:
                self.known[var] = UNKNOWN

    def _settle(self, made: list[Var]) -> None:
        if not self.lengths.equal:
            return
        for var in made:
            if self.known[var] is not UNBOUND:
                self.known[var] = self.lengths.resolved(self.known[var])

    # ------------------------------------------------------------ names of lengths

    def new(self, name: str, depth: int | None = None) -> Dim:
        """Return a length called `name`, made here or `depth` deep in loops and branches."""
        made = prefixed(self.prefix, name)
        self.lengths.bound[made] = self.lengths.depth if depth is None else depth
        return Dim(made)

    def naming(self, var: Var) -> Callable[[str], Dim]:
        """Return what names the lengths of `var`, by where they stand."""
        return lambda path: self.new(text_of(var) + path)

    def named(self, part: Fact, target: Var) -> Fact:
        """Return an element of a list, its lengths called after what it is assigned to."""
        return element(part, self.naming(target))

    # ------------------------------------------------------------ loops and branches

    def enter(self) -> None:
        """Enter a loop or branch."""
        self.lengths.depth += 1
        self._inside.append([])

    def leave(self) -> None:
        """Leave a loop or branch: what it implied no longer holds."""
        made = self._inside.pop()
        self._settle(made)
        self._inside[-1] += made
        self.lengths.leave()

    def outward(self, fact: Fact, out: Var) -> Fact:
        """Return a fact as it stands after the loop or branch in which it was found."""

        def renamed(dim: Dim, path: str) -> Dim:
            # one name for each of the two ways, so that they differ
            return self.new(f"{text_of(out)}{path}'{dim}", self.lengths.depth - 1)

        return self._outside(fact, renamed, frozenset(), "")

    def next_pass(self, end: Fact, head: Var, own: frozenset[Dim]) -> Fact:
        """Return what the end of a pass is to the next one, which starts with `head`.

        `own` are the lengths that `head` was assumed to have.
        """
        kept = frozenset(map(self.lengths.resolve, own))
        return self._outside(
            end, lambda dim, path: self.new(text_of(head) + path), kept, text_of(head)
        )

    def _outside(
        self, fact: Fact, renamed: Callable[[Dim, str], Dim], kept: frozenset[Dim], token: str
    ) -> Fact:
        def change(dim: Dim, path: str) -> Dim:
            in_list = path.startswith("?")
            if not self.lengths.is_inner(dim.symbol) or (dim in kept and not in_list):
                return dim
            return ANY if in_list or not path else renamed(dim, path)

        allowed = prefixed(self.prefix, token)
        ended = lambda name: name != allowed and self.lengths.is_inner(name)  # noqa: E731
        return with_dims(without_tokens(fact, ended), change)


# ---------------------------------------------------------------------------- parts of facts


def dims_of(fact: Fact) -> list[Dim]:
    """Return all lengths in a fact."""
    found: list[Dim] = []

    def note(dim: Dim, _: str) -> Dim:
        found.append(dim)
        return dim

    with_dims(fact, note)
    return found


def tokens_of(fact: Fact) -> list[str]:
    """Return the names of all shapes of unknown rank in a fact."""
    found = [shape.name for shape in (fact.shape, fact.extent) if isinstance(shape, Token)]
    for each in fact.items:
        found += tokens_of(each)
    return found


def without_tokens(fact: Fact, ended: Callable[[str], bool]) -> Fact:
    """Return a fact without the shapes of which the name has ended."""
    if not any(map(ended, tokens_of(fact))):
        return fact

    def kept(shape: Shape) -> Shape:
        return None if isinstance(shape, Token) and ended(shape.name) else shape

    items = tuple(without_tokens(each, ended) for each in fact.items)
    return fact.with_lengths(kept(fact.shape), items, kept(fact.extent))


def prefix_for(program: Program, given: Mapping[str, Fact]) -> str:
    """Return what the names of this program's lengths start with, and none that it is given."""
    names = {dim.symbol for fact in given.values() for dim in dims_of(fact)}
    names |= {token for fact in given.values() for token in tokens_of(fact)}
    prefix = ""
    # 'x@1.0' of a caller is not that of this function
    while any("@" in name and name.lstrip("#").startswith(prefix) for name in names):
        prefix += f"{program.name}:"
    return prefix
