"""Lengths that are not known, and may differ from pass to pass, but hang together in each of them.

for W, b in zip(Ws, bs):                for k in range(len(Ws)):      W is p times q here, b is r long
    h = np.tanh(W @ h + b)                  W = Ws[k]
                                            b = bs[k]
                                            if W.shape[0] != b.shape[0]: raise ...   so r is p
                                            h = np.tanh(W @ h + b)

What is mixed element by element is taken for equally long; that is asked in the text where it is not
known, and has to be tried with the examples. A length is that of a pass: it holds where the
value is bound, to the end of the block, and nothing is known of it from one pass to the next.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count, pairwise

import numpy as np

from s2sad.analysis.memory import Memory
from s2sad.analysis.terms import elementwise_operands
from s2sad.ir.errors import S2sadError
from s2sad.ir.expression import (
    Expr,
    Variable,
    attribute,
    call,
    calls,
    constant,
    global_,
    index_parts,
    is_own_call,
    name,
    positional,
    subscript,
)
from s2sad.ir.program import Block, Copied, If, Let, Raise, RegionOp, Statement, Store, Try, While
from s2sad.ir.records import dataclass, field, replace
from s2sad.ir.spelling import expression, is_none
from s2sad.ir.types import ONE, Array, Length, Number, Reference, Tuple, Type, with_lengths
from s2sad.ir.walk import (
    blocks,
    bound,
    bound_in,
    expressions,
    in_blocks,
    name_nodes,
    nodes,
    rebuilt,
    statements,
    with_expressions,
)
from s2sad.operators.guards import is_mask, spelled, text_of
from s2sad.types import Fails, Mismatch
from s2sad.types.assumptions import MARK, depends_on_pass
from s2sad.types.elementwise import Shape
from s2sad.types.plain import any_of

WHOLE, BOOL = Number("int64"), Number("bool")
CLOSED = frozenset({"comprehension", "generator", "copied", "function"})
SHORT_CIRCUIT = frozenset({"and", "or", "conditional"})  # the first part alone is surely computed
READ = frozenset({"name", "constant", "global", "attribute", "subscript", "unary"})
BOUNDS = frozenset({"name", "constant", "binary", "unary", "slice", "tuple"})
COMPARED = frozenset({"name", "constant", "global", "compare", "unary", "binary"})  # ops of masks
Infer = Callable[[Expr], Expr]
Pair = tuple[Expr, Expr]

MADE_FOR = "made for "  # begins what a text says where it was not made for its arguments


def with_lengths_of_passes(block: Block, memory: Memory, infer: Infer, assumes: bool) -> Block:
    """Return a block in which lengths are known by what they belong to.

    Those that are mixed are asked to be equal, if it `assumes` that; how many elements a mask chooses
    needs nothing to be asked.
    """
    passes = _Passes(infer, _steady(block, memory), _chosen(memory), assumes)
    made = passes.block(block)
    return made if next(passes.numbers) else block


def _steady(block: Block, memory: Memory) -> Callable[[Expr], bool]:
    """Return what tells of a part of a container that it is the same one throughout a pass."""
    every = list(statements(block))
    stores = (s for s in every if isinstance(s, Store | RegionOp))
    targets = [s.target if isinstance(s, Store) else s.base for s in stores]
    held = {getattr(node.type, "site", None) for target in targets for node in nodes(target)}
    is_open = any(isinstance(s, Copied) or any(map(_is_own, expressions(s))) for s in every)

    def is_fixed(index: Expr) -> bool:
        return index.op == "constant" or spelled(index) is not None or is_name(index)

    def is_name(expr: Expr) -> bool:
        return expr.op == "name" and memory.uses.is_bound_at_one_place(expr.data)

    def is_steady(part: Expr) -> bool:
        base = part.args[0]
        if is_open or not isinstance(base.type, Reference) or base.type.site in held:
            return False
        if part.op == "subscript" and not is_fixed(part.args[1]):
            return False
        return is_name(base) or (base.op in ("attribute", "subscript") and is_steady(base))

    return is_steady


def _chosen(memory: Memory) -> Callable[[Expr], tuple[int, Expr] | None]:
    """Return what gives the mask of a part of an array, and which axis of it the mask takes.

    x[m], X[m, k], X[:, y > c]: of one mask as many elements are chosen, whatever is asked for them.
    """

    def is_fixed(mask: Expr) -> bool:
        names = [node.data for node in nodes(mask) if node.op == "name"]
        return all(node.op in COMPARED for node in nodes(mask)) and all(
            memory.uses.is_bound_at_one_place(v) and not memory.reach(v) & memory.stored
            for v in names
        )

    def mask_of(part: Expr) -> tuple[int, Expr] | None:
        index = part.args[1]
        entries = index.args if index.op == "tuple" else (index,)
        masks = [k for k, each in enumerate(entries) if is_mask(each)]
        others = [each for each in entries if not is_mask(each)]
        if len(masks) != 1 or not is_fixed(entries[masks[0]]):
            return None
        is_kept = all(each.op == "slice" for each in others)
        are_whole = all(each.op == "slice" or isinstance(each.type, Number) for each in others)
        is_first = are_whole and not masks[0]  # positions would be chosen together with the mask
        return (masks[0], entries[masks[0]]) if is_first or is_kept else None

    return mask_of


def _is_own(expr: Expr) -> bool:
    return any(map(is_own_call, nodes(expr)))


@dataclass(slots=True)
class _Passes:
    """What is known at a place: types of names, what lengths are bound to, and where they are read."""

    infer: Infer
    is_steady: Callable[[Expr], bool]
    mask_of: Callable[[Expr], tuple[int, Expr] | None]
    assumes: bool
    known: dict[Variable, Type] = field(default_factory=dict)
    equal: dict[str, Length] = field(default_factory=dict)
    places: dict[str, Expr] = field(default_factory=dict)
    parts: dict[Expr, Array] = field(default_factory=dict)
    parts_of_statement: dict[Expr, Array] = field(default_factory=dict)  # those that may change
    counts: dict[Expr, Length] = field(default_factory=dict)
    asked: list[Pair] = field(default_factory=list)
    numbers: Iterator[int] = field(default_factory=count)

    def block(self, block: Block) -> Block:
        return tuple(made for statement in block for made in self.statement(statement))

    def statement(self, statement: Statement) -> Iterator[Statement]:
        inner = blocks(statement)
        self.forget_parts()
        if not isinstance(statement, While):  # whose test is asked in each pass
            statement = with_expressions(statement, self.whole)
        yield from self.checks(statement)
        self.forget(inner)
        if not isinstance(statement, Try):  # which may catch what is raised
            statement = in_blocks(statement, self.inside)
        for variable in bound(statement):
            self.known.pop(variable, None)
            self.forget_masks(variable)
        if isinstance(statement, Let) and isinstance(statement.target, Variable):
            self.bind(statement.target, statement.value)
        yield statement

    def inside(self, block: Block) -> Block:
        """Return a block of a statement: what is asked there is not known behind it."""
        known, equal, counts = dict(self.known), dict(self.equal), dict(self.counts)
        parts, places = dict(self.parts), dict(self.places)
        made = self.block(block)
        self.known, self.equal, self.counts = known, equal, counts
        self.parts, self.places = parts, places
        return made

    def forget(self, inner: tuple[Block, ...]) -> None:
        """Know no more of what blocks bind: another pass may have bound it."""
        for block in inner:
            for variable in bound_in(block):
                self.known.pop(variable, None)
                self.forget_masks(variable)

    def forget_masks(self, variable: Variable) -> None:
        """Know no more how many elements the masks choose that are made of a variable."""
        for mask in [m for m in self.counts if any(n.data == variable for n in name_nodes(m))]:
            del self.counts[mask]

    def bind(self, target: Variable, value: Expr) -> None:
        """Know the lengths of what a variable is bound to by the variable, where nothing else tells."""
        if isinstance(value.type, Number) and depends_on_pass(value.type.length):
            self.known[target] = value.type
        if isinstance(value.type, Array) and value.type.rank:
            if not self.assumes:
                self.known[target] = value.type
                return
            read = name(target, value.type)
            self.known[target] = self.with_symbols(read)
            for axis, length in enumerate(value.type.lengths):
                if length is not None and _is_alone(length) and value.op != "name":
                    self.places[next(iter(length.symbols))] = _length_in(read, axis)

    def with_symbols(self, read: Expr) -> Array:
        """Return the type of a value whose unknown lengths are its own."""
        assert isinstance(read.type, Array)
        lengths = list(read.type.lengths)
        for axis, length in enumerate(lengths):
            if length is None:
                symbol = f"{MARK}of{next(self.numbers)}"
                lengths[axis] = Length.of(symbol)
                self.places[symbol] = _length_in(read, axis)
        return replace(read.type, lengths=tuple(lengths))

    def resolved(self, length: Length | None) -> Length | None:
        while length is not None and any(s in self.equal for s in length.symbols):
            length = length.replaced(self.equal)
        return length

    def whole(self, expr: Expr) -> Expr:
        """Return an expression with what is known of its lengths, once all that is asked is known."""
        while True:
            before = len(self.equal)
            made = self.typed(expr)
            if len(self.equal) == before:
                return made

    def typed(self, expr: Expr) -> Expr:
        if expr.op in CLOSED or (not expr.args and expr.op != "name"):
            return expr
        is_open = isinstance(expr.type, Array) and None in expr.type.lengths
        is_count = _is_count(expr.type)
        if expr.op == "name":
            if is_count and expr.data in self.known:
                return expr.typed(self.of(self.known[expr.data]))
            if not is_open or not (self.assumes or expr.data in self.known):
                return expr
            if expr.data not in self.known:  # bound by another pass, or by one of several ways
                self.known[expr.data] = self.with_symbols(expr)
            return expr.typed(self.of(self.known[expr.data]))
        if expr.op in SHORT_CIRCUIT:
            return expr.with_args((self.typed(expr.args[0]), *expr.args[1:]))
        made = expr.with_args(map(self.typed, expr.args))
        if is_count and made is not expr:
            return self.inferred(made)
        if not is_open:
            if made is not expr:
                self.learn(made)
            return made
        if self.assumes and expr.op in ("attribute", "subscript") and _is_of_container(expr):
            kept = self.parts if self.is_steady(expr) else self.parts_of_statement
            return self.as_part(made, kept)
        if self.assumes and (_is_of_list(expr) or _is_of_slices(expr)):
            found = made if made is expr else self.inferred(made)
            is_known = isinstance(found.type, Array) and None not in found.type.lengths
            return found if is_known else self.as_part(made, self.parts_of_statement)
        if expr.op == "subscript" and (found_mask := self.mask_of(made)) is not None:
            return made.typed(self.chosen(made, *found_mask))
        if made is expr:
            return expr
        self.learn(made)
        return self.inferred(made)

    def inferred(self, made: Expr) -> Expr:
        """Return an expression with the lengths that follow from those of its operands."""
        try:
            found = self.infer(made)
        except Mismatch as mismatch:
            if any(depends_on_pass(length) for pair in mismatch.pairs for length in pair):
                return made
            raise  # of arguments: it is asked at the entry
        except (Fails, S2sadError):
            return made
        return found if _is_alike(found.type, made.type) else made

    def as_part(self, part: Expr, kept: dict[Expr, Array]) -> Expr:
        """Return a part of a container, or the array of a list, with lengths of its own."""
        alike = _cut_at_start(part)
        if alike not in kept:
            kept[alike] = self.with_symbols(alike)
        return part.typed(self.of(kept[alike]))

    def forget_parts(self) -> None:
        """Know no more what the last statement read of what changes."""
        for part, type_ in self.parts_of_statement.items():
            for axis, length in enumerate(type_.lengths):
                symbol = "" if length is None else next(iter(length.symbols), "")
                if self.places.get(symbol) == _length_in(part, axis):
                    del self.places[symbol]
        self.parts_of_statement.clear()

    def chosen(self, part: Expr, axis: int, mask: Expr) -> Array:
        """Return the type of a part of an array that a mask chooses along an axis."""
        count = self.counts.setdefault(mask, Length.of(f"{MARK}of{next(self.numbers)}"))
        assert isinstance(part.type, Array)
        lengths = part.type.lengths
        return replace(part.type, lengths=(*lengths[:axis], count, *lengths[axis + 1 :]))

    def of(self, type_: Type) -> Type:
        return with_lengths(type_, self.resolved)

    def learn(self, made: Expr) -> None:
        """Take what an operation needs to be equally long for that; what NumPy does not ask is asked."""
        if not self.assumes:
            return
        operands = [e for e in elementwise_operands(made) if isinstance(e.type, Array)]
        for first, second in pairwise(operands):
            pairs = zip(_from_last(first), _from_last(second), strict=False)
            for axis, (a, b) in enumerate(pairs):
                ends = self.place(a, first, axis), self.place(b, second, axis)
                if None not in ends and self.are_made_equal(a, b):
                    self.asked.append((ends[0], ends[1]))  # type: ignore[arg-type]
        if made.op == "binary" and made.data == "@":
            left, right = map(_from_last, made.args)
            if left and right:
                self.are_made_equal(left[0], right[min(1, len(right) - 1)])
        first_of: dict[str, tuple[Expr, int]] = {}
        for letter, operand, axis in _axes_of_letters(made):
            other, at = first_of.setdefault(letter, (operand, axis))
            a, b = _from_last(other)[at], _from_last(operand)[axis]
            ends = self.place(a, other, at), self.place(b, operand, axis)
            if None not in ends and self.are_made_equal(a, b):
                self.asked.append((ends[0], ends[1]))  # type: ignore[arg-type]

    def are_made_equal(self, a: Length | None, b: Length | None) -> bool:
        """Take two lengths for equal, of which one is that of a pass; tell whether that is new."""
        a, b = map(self.resolved, (a, b))
        if a is None or b is None or a == b or ONE in (a, b):
            return False
        mine = next((length for length in (b, a) if _is_alone(length)), None)
        if mine is not None:
            self.equal[next(iter(mine.symbols))] = a if mine == b else b
        return mine is not None

    def place(self, length: Length | None, operand: Expr, axis: int) -> Expr | None:
        """Return what gives a length in the text: of a name, or of what it was bound with."""
        length = self.resolved(length)
        if length is not None and _is_alone(length):
            return self.places.get(next(iter(length.symbols)))
        if operand.op != "name" or not isinstance(operand.type, Array):
            return None
        return _length_in(operand, operand.type.rank - 1 - axis)

    def checks(self, statement: Statement) -> Iterator[Statement]:
        """Yield the statement that asks what is taken for equal in another one."""
        if not self.asked:
            return
        tests = [Expr("compare", pair, ("!=",), BOOL) for pair in _of_whole_shapes(self.asked)]
        self.asked.clear()
        said = (expression(rebuilt(test, _as_the_user_calls_it)) for test in tests)
        message = " and ".join(words.replace("!=", "==") for words in said)
        fault = call(global_("ValueError", ValueError), constant(MADE_FOR + message))
        span = getattr(statement, "span", None)
        yield If(any_of(tests), (Raise(fault, span),), (), span)


def _as_the_user_calls_it(node: Expr) -> Expr | None:
    """Return a name without the number that tells several values of it apart."""
    if node.op != "name":
        return None
    return name(replace(node.data, number=0), node.type)


def _of_whole_shapes(pairs: list[Pair]) -> Iterator[Pair]:
    """Yield pairs of lengths, those of all axes of two values as one pair of shapes."""
    axes: dict[Pair, list[Pair]] = {}
    for left, right in pairs:
        if "call" in (left.op, right.op):  # len(rows)
            yield left, right
            continue
        axes.setdefault((left.args[0], right.args[0]), []).append((left, right))
    for shapes, found in axes.items():
        ranks = {len(each.type.items) for each in shapes if isinstance(each.type, Tuple)}
        in_order = all(left.args[1] == right.args[1] for left, right in found)
        yield from [shapes] if ranks == {len(found)} and in_order else found


def _is_of_container(part: Expr) -> bool:
    """Tell whether an expression reads a part of a list, dict or object, and does nothing else."""
    is_read = isinstance(part.args[0].type, Reference)
    return is_read and all(node.op in READ for node in nodes(part))


def _is_of_list(made: Expr) -> bool:
    """Tell whether an expression is the array of a list that has a name, in one axis: np.array(rows)."""
    if not isinstance(made.type, Array) or made.type.rank != 1 or len(made.args) != 2:
        return False
    is_made = calls(made, np.array) or calls(made, np.asarray)
    return is_made and made.args[1].op == "name" and isinstance(made.args[1].type, Reference)


def _is_of_slices(expr: Expr) -> bool:
    """Tell whether an expression is a part of an array with a name, by slices and numbers: u[k : k + n]."""
    if expr.op != "subscript" or expr.args[0].op != "name":
        return False
    parts = index_parts(expr.args[1])
    are_plain = all(each.op == "slice" or isinstance(each.type, Number) for each in parts)
    return are_plain and all(node.op in BOUNDS for node in nodes(expr.args[1]))


def _cut_at_start(part: Expr) -> Expr:
    """Return a part of a vector without as many elements at its start: u[1:] for u[:-1], as long as it is."""
    if part.op != "subscript" or part.args[1].op != "slice" or part.args[0].op != "name":
        return part
    first, last, step = part.args[1].args
    start, stop = spelled(first) or 0, spelled(last) or 0
    is_plain = is_none(step) and (is_none(first) or start > 0) and (is_none(last) or stop < 0)
    if not is_plain or start - stop <= 0 or int not in {type(start - stop)}:
        return part
    cut = part.args[1].with_args((constant(start - stop, WHOLE), constant(None), constant(None)))
    return part.with_args((part.args[0], cut))


def _axes_of_letters(made: Expr) -> Iterator[tuple[str, Expr, int]]:
    """Yield the letters of np.einsum with the axes that they stand for, counted from the last."""
    if not calls(made, np.einsum) or len(made.args) < 3:
        return
    letters, operands = text_of(made.args[1]), positional(made)[1:]
    sides = letters.partition("->")[0].replace(" ", "").split(",")
    if not letters or "." in letters or len(sides) != len(operands):
        return
    for side, operand in zip(sides, operands, strict=True):
        if isinstance(operand.type, Array) and operand.type.rank == len(side):
            yield from ((each, operand, axis) for axis, each in enumerate(reversed(side)))


def _length_in(read: Expr, axis: int) -> Expr:
    """Return how long an axis of a value is, as the text asks it: len(rows), W.shape[1]."""
    assert isinstance(read.type, Array)
    if _is_of_list(read):
        return call(global_("len", len), read.args[1], type_=WHOLE)
    shape = attribute(read, "shape", Tuple((WHOLE,) * read.type.rank))
    return subscript(shape, constant(axis, WHOLE), WHOLE)


def _from_last(array: Expr) -> Shape:
    """Return the lengths of an array, those of its last axis first."""
    return array.type.lengths[::-1] if isinstance(array.type, Array) else ()


def _is_alike(one: Type, other: Type) -> bool:
    """Tell whether types are those of arrays, or of whole numbers, that differ in lengths alone."""
    if isinstance(one, Number) and isinstance(other, Number):
        return one.dtype == other.dtype
    both = isinstance(one, Array) and isinstance(other, Array)
    return both and (one.rank, one.dtype) == (other.rank, other.dtype)  # type: ignore[union-attr]


def _is_count(type_: Type) -> bool:
    """Tell whether a value is a whole number, of which nobody knows which length it is."""
    return isinstance(type_, Number) and type_.dtype == "int64" and type_.length is None


def _is_alone(length: Length) -> bool:
    """Tell whether a length is that of one axis of a value of a pass."""
    return depends_on_pass(length) and length == Length.of(next(iter(length.symbols)))
