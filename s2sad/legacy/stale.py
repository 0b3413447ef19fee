"""What reads a value after its name has gone to another is refused: the two would share an adjoint."""

from __future__ import annotations

from s2sad.ir.errors import Span, Unsupported
from s2sad.legacy.blocks import all_reads
from s2sad.legacy.program import Program, Var, base, is_temp
from s2sad.legacy.traverse import statements
from s2sad.legacy.verify import stale_reads


def refuse_stale_reads(program: Program) -> None:
    """Refuse what reads a value after its name has gone to another: they share an adjoint."""
    for var in stale_reads(program):
        if not is_temp(var.slot):
            raise Unsupported(
                f"{base(var.slot)} has another value by now, and what it held before is used here",
                _last_read(program, var),
                "Give the two values names of their own.",
            )


def _last_read(program: Program, var: Var) -> Span:
    found = [s.span for s in statements(program.body) if var in all_reads(s)]
    return found[-1] if found else program.span
