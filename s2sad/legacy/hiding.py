"""Parameters and locals that are called like something the text needs: `len`, `np`, a printed function.

def f(u, np): ...        def f_grad(u, np):
                             return f_grad_sweep(u, np)

                         def f_grad_sweep(u, np_2):          in which np is NumPy
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Callable, Mapping, Sequence
from textwrap import dedent

from s2sad.ir.errors import Unsupported
from s2sad.legacy.blocks import all_defines
from s2sad.legacy.docstrings import docstring
from s2sad.legacy.emit import Writer, signature
from s2sad.legacy.naming import global_names, names_of
from s2sad.legacy.program import Program, base
from s2sad.source.trees import nodes_of

Write = Callable[[Mapping[str, str]], list[str]]


def shown_names(
    program: Program, write: Write, checks: Sequence[str] = ()
) -> tuple[Mapping[str, str], tuple[str, ...]]:
    """Return the name of every slot, and the parameters that cannot have their own.

    `write` gives the text of the program under names; `checks` are the lines in front of it.
    """
    taken = global_names(program) | {program.name}
    mine = {param.var.slot for param in program.params}
    own = {base(var.slot) for stmt in program.body for var in all_defines(stmt)} - mine
    checked = _called(dedent("\n".join(checks)))
    risky = mine & (taken - {program.name} | {*dir(builtins)}) | own & {*dir(builtins), *checked}
    if not risky:
        return names_of(program, taken), ()
    used = _called("\n".join(write(names_of(program, taken, frozenset(risky)))))
    unfit = risky & (used | (checked - mine))  # a local has another name then
    return names_of(program, taken, frozenset(unfit)), tuple(sorted(unfit & mine))


def _called(text: str) -> set[str]:
    """Return the names that a text reads or binds."""
    return {part.id for part in nodes_of(ast.parse(text)) if isinstance(part, ast.Name)}


def refuse_checked(hidden: Sequence[str], checks: Sequence[str], program: Program) -> None:
    """Raise where the text has to check a parameter that it cannot call by its name."""
    for name in hidden:
        if any(re.search(rf"\b{name}\b", line) for line in checks):
            raise Unsupported(
                f"the parameter {name} hides what the derivative calls by that name",
                program.span,
                "Give the parameter another name.",
            )


def around(
    program: Program,
    own: Mapping[str, str],
    sweep: tuple[str, Mapping[str, str]],
    header: list[str],
) -> list[str]:
    """Return the function under the user's names `own`, which hands its parameters to a sweep.

    `sweep` is its name, and the names that it has for the same slots.
    """
    writer = Writer(own)
    writer.lines += [*signature(program, writer), *docstring(header)]
    called, names = sweep
    slots = [(param.kind, param.var.slot) for param in program.params]
    given = [f"{names[s]}={own[s]}" if kind == "keyword" else own[s] for kind, s in slots]
    writer.put(f"return {called}({', '.join(given)})", 1)
    return writer.lines
