"""What a derivative has in memory at one time besides what it saves: its names and temporaries.

A name holds its value until it is given another one, read again or not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from s2sad.legacy.explain.sizes import Lengths
from s2sad.legacy.facts import Fact, Facts
from s2sad.legacy.naming import names_of
from s2sad.legacy.program import Block, Call, Expr, If, Loop, Op, Program, Ref, Save, Var
from s2sad.legacy.together import Pairs, pairs_of
from s2sad.legacy.traverse import children, defines, expressions, flat_targets, walk

# from this size on NumPy writes the result of an operator into a temporary of its operands
ELIDED = 262_144
Known = Callable[[Var], Fact]
Holds = dict[str, Var]


class _Lookup(Mapping[Var, Fact]):
    """What is known of values, as expressions ask for it."""

    def __init__(self, known: Known):
        self.known = known

    def __getitem__(self, var: Var) -> Fact:
        return self.known(var)

    def __iter__(self) -> Iterator[Var]:
        return iter(())

    def __len__(self) -> int:
        return 1


@dataclass
class Memory:
    """The most bytes held so far, while the statements of a program are gone through.

    `called` are the working sets of functions of the file by their names, `kept` the bytes of
    the states of loops.
    """

    program: Program
    known: Known
    facts: Facts
    sizes: Lengths
    called: Mapping[str, float]
    kept: Mapping[Var, float]
    most: float = 0.0
    saved: float = 0.0
    pairs: Pairs = field(init=False)
    names: Mapping[str, str] = field(init=False)

    def __post_init__(self) -> None:
        self.pairs = pairs_of(self.program, self.known)
        self.names = names_of(self.program, ())
        self.block(self.program.body, {}, 1.0)

    def bytes_of(self, expr: Expr) -> float:
        """Return the bytes of a value, 0 where they are not known."""
        lookup = _Lookup(self.known)
        fact = self.known(expr) if isinstance(expr, Var) else self.facts.expr(expr, lookup)
        return self.sizes.bytes_of(fact).number or 0.0

    def block(self, block: Block, held: Holds, passes: float) -> None:
        """Go through a block that is run `passes` times, with what names hold before it."""
        for stmt in block:
            for expr in expressions(stmt):
                inner = (self.called.get(p.text, 0.0) for p in walk(expr) if isinstance(p, Ref))
                # what is made for a call is that function's own, once it is called
                now = max(self.evaluation(expr)[0], *inner, 0.0)
                self.most = max(self.most, self.held(held) + now)
            if isinstance(stmt, If):
                self.block(stmt.then, held, passes)
                self.block(stmt.orelse, held, passes)
            elif isinstance(stmt, Loop):
                self.loop(stmt, held, passes)
            elif isinstance(stmt, Save):
                self.saved += passes * self.bytes_of(stmt.value)
            for var in defines(stmt):
                held[self.names.get(var.slot, var.slot)] = var

    def loop(self, loop: Loop, held: Holds, passes: float) -> None:
        """Go through a loop: its second pass finds what the first one left in names."""
        often = self.sizes.passes_of(loop.iterable).number or 1.0
        saved = self.saved
        for _ in range(2):
            self.saved = saved
            for var in (*flat_targets(loop.targets), *(each.head for each in loop.carried)):
                held[self.names.get(var.slot, var.slot)] = var
            self.block(loop.body, held, passes * often)

    def held(self, held: Holds) -> float:
        """Return the bytes of what names hold, shared memory counted once, arguments not."""
        counted: list[Var] = [param.var for param in self.program.params]
        total = sum(self.kept.get(var, 0.0) for var in held.values())
        sized = [(self.bytes_of(var), var) for var in held.values() if var not in self.kept]
        for size, var in sorted(sized, key=lambda p: (-p[0], p[1].slot, p[1].version)):
            if size and not any(self.pairs.may_share(var, other) for other in counted):
                counted.append(var)
                total += size
        return total

    def evaluation(self, expr: Expr) -> tuple[float, float]:
        """Return the peak of evaluating an expression, and what its result takes if it is new."""
        held = peak = temporary = 0.0
        for part in children(expr):
            inner, made = self.evaluation(part)
            peak = max(peak, held + inner)
            held += made
            temporary = max(temporary, made)
        if not _is_new(expr):
            return peak, held
        size = self.bytes_of(expr)
        if isinstance(expr, Op) and size >= ELIDED and temporary == size:
            return peak, size
        return max(peak, held + size), size


def _is_new(expr: Expr) -> bool:
    match expr:
        case Op("index" | "slice" | "tuple"):
            return False
        case Op() | Call():
            return True
    return False
