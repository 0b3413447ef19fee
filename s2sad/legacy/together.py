"""Which two values may share memory: the question that roots answer too coarsely in loops.

    for t in range(n):
        b[1:] = f(a)
        a, b = b, a          both names have both arrays in turn, and never one together

Roots tell what memory a value may live in at all; here each pair is followed through the passes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import or_

from s2sad.legacy.calls import is_apart, is_mixed
from s2sad.legacy.memory import READ_ONLY, Known, Root, Roots, keeps, spread
from s2sad.legacy.origins import origin
from s2sad.legacy.program import (
    Assign,
    Attr,
    Block,
    Call,
    Const,
    Effect,
    Expr,
    If,
    Loop,
    Op,
    Opaque,
    Pop,
    Program,
    Ref,
    Restore,
    Save,
    Stmt,
    Update,
    Var,
)
from s2sad.legacy.storage import defined_in, is_given
from s2sad.legacy.traverse import flat_targets, makes_a_pass, reads

Node = Var | Ref


class _Itself(Roots):
    """Roots in which every value is memory of its own: `origin` then names what it comes from."""

    def __init__(self, fact: Known):
        super().__init__()
        self.fact = fact

    def get(self, var: Var, default: object = None) -> frozenset[Root]:
        return frozenset({var})


@dataclass
class Pairs:
    """The pairs found so far; values that are one object for sure stand for each other.

    Sets of values are the bits of one integer: each value has a number.
    """

    fact: Known
    same: dict[Node, Node] = field(default_factory=dict)
    nodes: list[Node] = field(default_factory=list)
    numbers: dict[Node, int] = field(default_factory=dict)
    partners: dict[Node, int] = field(default_factory=dict)
    # what had been made when a value was, and what has been by now
    before: dict[Node, int] = field(default_factory=dict)
    made: int = 0
    grown: bool = False
    # of each expression, statement by statement: all passes ask for the same
    comes_from: dict[tuple[int, Var], frozenset[Node]] = field(default_factory=dict)
    inside: dict[int, int] = field(default_factory=dict)

    def may_share(self, a: Node, b: Node) -> bool:
        """Tell whether two values that exist at one time may share memory."""
        a, b = self.object(a), self.object(b)
        return a == b or bool(self.partners.get(a, 0) & self.bit(b))

    def object(self, node: Node) -> Node:
        """Return the value that stands for a value's object."""
        while node in self.same:
            node = self.same[node]
        return node

    def bit(self, node: Node) -> int:
        """Return the set of one value."""
        number = self.numbers.setdefault(node, len(self.nodes))
        if number == len(self.nodes):
            self.nodes.append(node)
        return 1 << number

    def bits(self, nodes: Iterable[Node]) -> int:
        """Return the set of some values."""
        return reduce(or_, map(self.bit, nodes), 0)

    def join(self, a: Node, others: int) -> None:
        """Note that a value may share memory with each of some others."""
        a = self.object(a)
        own = self.bit(a)
        new = others & ~own & ~self.partners.get(a, 0)
        if new:
            self.partners[a] = self.partners.get(a, 0) | new
            self.grown = True
        for other in self.members(new):
            self.partners[other] = self.partners.get(other, 0) | own

    def members(self, some: int) -> Iterator[Node]:
        """Yield the values of a set."""
        while some:
            lowest = some & -some
            yield self.nodes[lowest.bit_length() - 1]
            some ^= lowest

    def sources(self, value: Expr, target: Var) -> frozenset[Node]:
        """Return the values that the result of an expression may be, or be a part of."""
        key = id(value), target
        if key not in self.comes_from:
            self.comes_from[key] = sources(value, target, self.fact)
        return self.comes_from[key]

    def made_in(self, loop: Loop) -> int:
        """Return what the body of a loop makes."""
        if id(loop) not in self.inside:
            self.inside[id(loop)] = self.bits(defined_in(loop.body))
        return self.inside[id(loop)]

    def around(self, nodes: Iterable[Node]) -> int:
        """Return values and all that they may share memory with."""
        objects = [self.object(node) for node in nodes]
        return reduce(or_, (self.bit(each) | self.partners.get(each, 0) for each in objects), 0)

    def derive(self, var: Var, sources: Iterable[Node], others: int = 0) -> None:
        """Note that `var` may be, or be a part of, each of `sources`, and what that shares.

        Only what was made before: who shares with both is found when that one is made.
        """
        if var not in self.before:
            self.before[var] = self.made
            self.made |= self.bit(var)
        if self.fact(var).is_scalar:
            sources = [each for each in sources if self.may_be_array(each)]
        if sources:
            later = self.made & ~self.before[var]
            self.join(var, self.around(sources) & ~others & ~later)

    def may_be_array(self, node: Node) -> bool:
        """Tell whether a number that is handed on may be an array without axes: 1.0 * x_dot."""
        if not isinstance(node, Var):
            return False
        fact = self.fact(node)
        return (
            is_given(node)
            or (fact.is_array and fact.rank == 0)
            or self.partners.get(self.object(node), 0) != 0
        )

    def identify(self, new: Var, old: Node) -> None:
        """Note that `new` is the object `old`."""
        a, b = self.object(new), self.object(old)
        if a != b:
            self.same[a] = b
            shared = self.partners.pop(a, 0)
            for node in self.members(shared):
                self.partners[node] &= ~self.bit(a)
            self.join(b, shared)


def pairs_of(program: Program, fact: Known) -> Pairs:
    """Return which values of a Program may share memory."""
    pairs = Pairs(fact)
    pairs.grown = True
    while pairs.grown:
        pairs.grown = False
        _block(program.body, pairs)
    return pairs


def sources(value: Expr, target: Var, fact: Known) -> frozenset[Node]:
    """Return the values that the result of an expression may be, or be a part of."""
    found = spread(origin(value, target, _Itself(fact))) - {target, READ_ONLY}
    return frozenset(node for node in found if isinstance(node, Var | Ref))


def _block(block: Block, pairs: Pairs) -> None:
    for stmt in block:
        match stmt:
            case If(_, then, orelse, merges):
                _block(then, pairs)
                _block(orelse, pairs)
                outs = [merge.out for merge in merges]
                _handed(pairs, outs, [merge.then for merge in merges])
                _handed(pairs, outs, [merge.orelse for merge in merges])
            case Loop():
                _loop(stmt, pairs)
            case _:
                _plain(stmt, pairs)


def _plain(stmt: Stmt, pairs: Pairs) -> None:
    match stmt:
        case Assign((target,), Var() as source, unpack=False):
            pairs.identify(target, source)
        case Assign((target,), value, unpack=False) if _copies_numbers(value, pairs):
            pairs.derive(target, ())
        case Assign(targets, value):
            before: list[Var] = []
            apart = is_mixed(value) and is_apart(value)
            for target, each in zip(targets, _parts(stmt), strict=True):
                if apart and target == targets[-1]:
                    break
                pairs.derive(target, {*pairs.sources(each, target), *before})
                before += [target] if is_mixed(value) else []
        case Update(new, old, _, op, value):
            pairs.identify(new, old)
            if keeps(op, pairs.fact(old)) and not _copies_numbers(value, pairs):
                pairs.derive(new, pairs.sources(value, new))
        case Pop(target, new, old):
            pairs.identify(new, old)
            pairs.derive(target, {old})
        case Save(store, value):
            pairs.derive(Var(store, 0), pairs.sources(value, Var(store, 0)))
        case Restore(target, store):
            pairs.derive(target, {Var(store, 0)})
        case Effect(Opaque() as copied):
            for _, var in copied.writes:
                pairs.derive(var, reads(copied))


def _copies_numbers(value: Expr, pairs: Pairs) -> bool:
    """Tell whether a new list is made of one of numbers, with which it has nothing in common.

    Tangents and adjoints of numbers may be arrays without axes.
    """
    match value:
        case Op("index", (Var() as held, Op("slice"))) | Call(Attr(Var() as held, "copy"), ()):
            known = pairs.fact(held)
        case Call(Ref("list" | "sorted"), (Var() as held,), ()):
            known = pairs.fact(held)
        case _:
            return False
    numbers = bool(known.items) and all(item.is_scalar for item in known.items)
    return known.kind == "list" and numbers and "~" not in held.slot


def _parts(stmt: Assign) -> Sequence[Expr]:
    """Return the expression that each target of an assignment comes from."""
    value = stmt.value
    if stmt.unpack and isinstance(value, Op) and value.op in ("tuple", "list"):
        if len(value.args) == len(stmt.targets):
            return value.args
    return [value] * len(stmt.targets)


def _handed(
    pairs: Pairs,
    outs: Sequence[Var],
    sides: Sequence[Var | None],
    gone: int = 0,
) -> None:
    """Hand values on under new names: two of these share what the old ones shared."""
    mine = gone | pairs.bits(pairs.object(out) for out in outs)
    handed = [(out, side) for out, side in zip(outs, sides, strict=True) if side is not None]
    for number, (out, side) in enumerate(handed):
        pairs.derive(out, {side}, mine)
        for other, its in handed[:number]:
            if not pairs.fact(out).is_scalar and pairs.may_share(side, its):
                pairs.join(out, pairs.bit(pairs.object(other)))


def _loop(loop: Loop, pairs: Pairs) -> None:
    # what a pass made is not there in the next but under the names that are handed on
    gone = pairs.made_in(loop)
    heads = [each.head for each in loop.carried]
    exits = [each.exit for each in loop.carried]
    inits, ends = [each.init for each in loop.carried], [each.end for each in loop.carried]
    _handed(pairs, heads, inits, gone)
    _handed(pairs, heads, ends, gone)
    if loop.iterable is not None:
        for target in flat_targets(loop.targets):
            item = Op("index", (loop.iterable, Const(0)))
            pairs.derive(target, sources(item, target, pairs.fact))
    _block(loop.body, pairs)
    if not makes_a_pass(loop.iterable):
        _handed(pairs, exits, inits, gone | pairs.bits(heads))
    _handed(pairs, exits, ends, gone | pairs.bits(heads))
