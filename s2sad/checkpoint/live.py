"""Which variables are read later, at each place of a block.

live_after(block)[place]   the variables whose values may be read after the statement there
"""

from __future__ import annotations

from dataclasses import dataclass, field

from s2sad.analysis.places import Place
from s2sad.ir.expression import Variable
from s2sad.ir.program import Block, For, If, Statement, While
from s2sad.ir.walk import blocks, bound, expressions, read_variables

Names = frozenset[Variable]


def live_after(block: Block) -> dict[Place, Names]:
    """Return the variables that may be read after each statement of a block."""
    walk = _Walk()
    walk.block(block, frozenset(), ())
    return walk.found


@dataclass(slots=True)
class _Walk:
    found: dict[Place, Names] = field(default_factory=dict)

    def block(self, block: Block, after: Names, inside: Place) -> Names:
        """Return what is live before a block; note what is after each of its statements."""
        for position in reversed(range(len(block))):
            place = (*inside, position)
            self.found[place] = self.found.get(place, frozenset()) | after
            after = self.before(block[position], after, place)
        return after

    def before(self, statement: Statement, after: Names, place: Place) -> Names:
        reads = frozenset(v for e in expressions(statement) for v in read_variables(e))
        match statement:
            case If():
                inner = [self.block(b, after, (*place, k)) for k, b in enumerate(blocks(statement))]
                return inner[0] | inner[1] | reads
            case For() | While():
                head = after | (reads if isinstance(statement, While) else frozenset())
                while True:
                    start = self.block(statement.body, head, (*place, 0)) - frozenset(
                        bound(statement)
                    )
                    if start <= head:
                        return head | reads
                    head |= start
        for k, b in enumerate(blocks(statement)):
            after = after | self.block(b, after, (*place, k))
        return (after - frozenset(bound(statement))) | reads
