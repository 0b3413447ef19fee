"""Which functions of a dispatched text look up the module of their arrays, and which are given it.

def grid(n):                             def grid(n, xp=np):
    return np.linspace(0.0, 1.0, n)          return xp.linspace(0.0, 1.0, n)

grid(len(u))                       ->    grid(len(u), xp=xp)

What makes arrays of numbers alone cannot tell by its arguments where they belong.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping

from s2sad.emit.comments import Line
from s2sad.ir.records import dataclass
from s2sad.operators.table import words
from s2sad.source.trees import nodes_of

# functions that make arrays of what may be no array
MAKING = words("makes")


@dataclass(frozen=True)
class Edit:
    """A text that is put in at a place, which counts bytes as `ast` does, for what ends at `end`."""

    line: int
    column: int
    text: str
    end: int | None = None


@dataclass(frozen=True)
class Chosen:
    """The modules that functions look up, by function, and the edits that hand others theirs."""

    looked_up: Mapping[str, frozenset[str]]
    edits: tuple[Edit, ...]


def chosen(
    tree: ast.Module,
    lines: list[Line],
    needs: Mapping[str, frozenset[str]],
    making: frozenset[str],
) -> Chosen:
    """Return who looks up which modules; `needs` are those that each function names.

    `making` are the functions that make arrays: these are given what they need by who calls them.
    """
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    calls = {name: list(_calls(name, functions)) for name in functions}
    takes = {name for name in functions if _can_be_given(name, tree, functions, calls)}
    wanted = dict(needs)
    given = set(making & takes)
    waiting = list(given)
    while waiting:
        name = waiting.pop()
        for caller, _ in calls[name]:
            every = wanted.get(caller, frozenset()) | wanted[name]
            if every != wanted.get(caller) or (caller in takes and caller not in given):
                wanted[caller] = every
                given |= {caller} & takes
                waiting.append(caller)
    edits: list[Edit] = []
    for name in sorted(given):
        aliases = sorted(wanted[name])
        edits.append(_parameters(functions[name], aliases, lines))
        edits += (_arguments(call, aliases, lines) for _, call in calls[name])
    return Chosen({n: each for n, each in wanted.items() if n not in given}, tuple(edits))


def put_in(lines: list[Line], edits: Iterable[Edit]) -> None:
    """Put edits into the lines of a text, the last ones first."""
    for edit in sorted(edits, key=lambda each: (each.line, each.column), reverse=True):
        line = lines[edit.line - 1].text.encode()
        end = edit.column if edit.end is None else edit.end
        made = line[: edit.column] + edit.text.encode() + line[end:]
        lines[edit.line - 1].text = made.decode()


def _calls(name: str, functions: Mapping[str, ast.FunctionDef]) -> Iterator[tuple[str, ast.Call]]:
    for caller, function in functions.items():
        for node in nodes_of(function):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                if node.func.id == name:
                    yield caller, node


def _can_be_given(
    name: str,
    tree: ast.Module,
    functions: Mapping[str, ast.FunctionDef],
    calls: Mapping[str, list[tuple[str, ast.Call]]],
) -> bool:
    """Tell whether every use of a function is a call of it, in another one of the file."""
    function = functions.get(name)
    named = [n for n in nodes_of(tree) if isinstance(n, ast.Name) and n.id == name]
    if function is None or function.decorator_list or function.args.kwarg:
        return False
    if not calls[name] or len(named) != len(calls[name]):
        return False
    inside = (part for _, call in calls[name] for part in (*call.args, *call.keywords))
    return not any(isinstance(part, ast.GeneratorExp) for part in inside)


def _parameters(function: ast.FunctionDef, aliases: list[str], lines: list[Line]) -> Edit:
    """Return the edit that gives a function parameters for modules, NumPy's where none is given."""
    given = ", ".join(f"{each}={'np' if each.startswith('xp') else 'scipy'}" for each in aliases)
    args = function.args
    every = [*args.posonlyargs, *args.args, *args.kwonlyargs, *args.defaults]
    every += [each for each in (args.vararg, *args.kw_defaults) if each is not None]
    if not every:
        line = lines[function.lineno - 1].text.encode()
        return Edit(function.lineno, line.index(b"(", function.col_offset) + 1, given)
    last = max(every, key=_end)
    return Edit(*_end(last), f", {given}")


def _arguments(call: ast.Call, aliases: list[str], lines: list[Line]) -> Edit:
    """Return the edit that hands modules on in a call, behind its last argument."""
    given = ", ".join(f"{each}={each}" for each in aliases)
    line, column = _end(call)
    parts = [*call.args, *(each.value for each in call.keywords)]
    if not parts:
        return Edit(line, column - 1, given)
    last = max(parts, key=_end)
    rest = _between(lines, _end(last), (line, column - 1))
    # what stands in brackets of its own ends behind them
    at = _end(last) if not rest.strip(" ,\n") else (line, column - 1)
    return Edit(*at, f", {given}")


def _between(lines: list[Line], start: tuple[int, int], end: tuple[int, int]) -> str:
    within = [line.text.encode() for line in lines[start[0] - 1 : end[0]]]
    within[-1] = within[-1][: end[1]]
    within[0] = within[0][start[1] :]
    return b"\n".join(within).decode()


def _end(node: ast.AST) -> tuple[int, int]:
    return node.end_lineno, node.end_col_offset  # type: ignore[attr-defined]
