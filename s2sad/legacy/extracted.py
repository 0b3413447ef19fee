"""A function that a function makes for itself becomes one of its own, with what it reads as arguments.

def step(x): return x + h * f(x)        ->      def step(h, x): return x + h * f(x)
"""

from __future__ import annotations

import ast
import copy
import re
import tokenize
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from types import FunctionType, MappingProxyType
from typing import Any

import gast

from s2sad.legacy.printing.layout import wrap
from s2sad.legacy.program import (
    Opaque,
    Program,
    Ref,
    Var,
)
from s2sad.source.files import run_text
from s2sad.source.fresh import free
from s2sad.source.names import reads_of
from s2sad.source.trees import nodes_of


@dataclass(frozen=True, slots=True)
class Inner:
    """A function that was taken out, and what it reads of the function it stood in."""

    ref: Ref
    captured: tuple[Var, ...]
    names: tuple[str, ...] = ()


def built(
    program: Program,
    copied: Opaque,
    number: int,
    captured: tuple[tuple[str, Var], ...] | None = None,
    made: Mapping[Var, Inner] = MappingProxyType({}),
) -> Inner:
    """Return a function of its own, with what the inner one reads as further parameters.

    `captured` is that and what others read that are called in the same way; it may call those that
    were `made` before.
    """
    copied = _with_names(copied)
    node = copied.node
    captured = _own_names(copied, copied.reads if captured is None else captured)
    wished = node.name if isinstance(node, gast.FunctionDef) else "inner"
    name = f"{program.name}_{wished}" + (f"_{number + 1}" if number else "")
    node, called = _with_calls_of(_with_captured(node, name, captured), copied, captured, made)
    source = _text(node, name, [text for text, _ in captured])
    function = function_of_text(name, source, (*copied.globals, *called))
    names = tuple(text for text, _ in captured)
    return Inner(Ref(name, function), tuple(var for _, var in captured), names)


def _with_names(copied: Opaque) -> Opaque:
    """Return a function that reads fields of records, which have slots of theirs, by plain names."""
    odd = [text for text, _ in copied.reads if not text.isidentifier()]
    if not odd:
        return copied
    taken = {part.id for part in nodes_of(copied.node) if isinstance(part, gast.Name)}
    fields: dict[str, str] = {}
    for text in odd:
        fields[text] = free(re.sub(r"\W", "_", re.sub(r"%n\d+$", "", text)), taken)
        taken.add(fields[text])
    node = copy.deepcopy(copied.node)
    for part in nodes_of(node):
        if isinstance(part, gast.Name):
            part.id = fields.get(part.id, part.id)
    seen = tuple((fields.get(text, text), var) for text, var in copied.reads)
    return replace(copied, node=node, reads=seen)


def _own_names(
    copied: Opaque, captured: tuple[tuple[str, Var], ...]
) -> tuple[tuple[str, Var], ...]:
    """Return what a function is handed, each under a name that means nothing else in it."""
    parts = (part for part in nodes_of(copied.node) if isinstance(part, gast.Name))
    taken = {part.id for part in parts}
    found: dict[Var, str] = {var: text for text, var in copied.reads}
    for text, var in captured:
        if var not in found:
            found[var] = free(text, taken)
            taken.add(found[var])
    return tuple((found[var], var) for var in dict.fromkeys(var for _, var in captured))


def _with_captured(node: Any, name: str, captured: tuple[tuple[str, Var], ...]) -> Any:
    """Return a function that hands what it reads of others on to itself."""
    own = getattr(node, "name", "")
    if own not in reads_of(node.body):
        return node
    made = copy.deepcopy(node)
    for part in nodes_of(made):
        if isinstance(part, gast.Call) and getattr(part.func, "id", "") == own:
            part.func = gast.Name(name, gast.Load(), None, None)
            part.keywords += [
                gast.keyword(text, gast.Name(text, gast.Load(), None, None)) for text, _ in captured
            ]
    return made


def _with_calls_of(
    node: Any, copied: Opaque, captured: tuple[tuple[str, Var], ...], made: Mapping[Var, Inner]
) -> tuple[Any, tuple[Ref, ...]]:
    """Return a function that calls others which were taken out, and these: they are handed on, too."""
    known = {text: made[var] for text, var in copied.reads if var in made}
    if not known:
        return node, ()
    own = {var: text for text, var in captured}
    node = copy.deepcopy(node)
    taken = {part.id for part in nodes_of(node) if isinstance(part, gast.Name)} | {*own.values()}
    names = {text: free(each.ref.text, taken) for text, each in known.items()}
    for part in [part for part in nodes_of(node) if isinstance(part, gast.Call)]:
        text = getattr(part.func, "id", "")
        if text in known:
            pairs = zip(known[text].names, known[text].captured, strict=True)
            part.func = gast.Name(names[text], gast.Load(), None, None)
            part.keywords = [
                *part.keywords,
                *(gast.keyword(n, gast.Name(own[v], gast.Load(), None, None)) for n, v in pairs),
            ]
    return node, tuple(Ref(names[text], each.ref.value) for text, each in known.items())


def values_read(copied: Opaque, out: Mapping[Var, Opaque]) -> tuple[tuple[str, Var], ...]:
    """Return what a function reads, in the place of each of `out` what that reads."""
    found: list[tuple[str, Var]] = []
    for text, var in copied.reads:
        found += values_read(out[var], out) if var in out else [(text, var)]
    return tuple(dict.fromkeys(found))


def only_called(node: Any, name: str) -> bool:
    """Tell whether syntax names something to call it, and for nothing else."""
    named = [part for part in nodes_of(node) if isinstance(part, gast.Name) and part.id == name]
    called = [part.func for part in nodes_of(node) if isinstance(part, gast.Call)]
    return all(any(part is each for each in called) for part in named)


@lru_cache(maxsize=512)
def function_of_text(name: str, source: str, globals_: tuple[Ref, ...]) -> FunctionType:
    """Return the function of a text, one for each: what is known of it is known once."""
    space: dict[str, Any] = {ref.text: ref.value for ref in globals_}
    run_text(source, f"<inner {name} {zlib.crc32(source.encode()):x}>", space)
    made: FunctionType = space[name]
    return made


def _text(node: Any, name: str, captured: list[str]) -> str:
    tree = gast.gast_to_ast(node)
    body = [ast.Return(tree.body)] if isinstance(tree, ast.Lambda) else tree.body
    own = [arg.arg for arg in tree.args.args]
    params = ", ".join([*own, *captured])
    text = "\n".join(ast.unparse(ast.fix_missing_locations(stmt)) for stmt in body)
    lines = [line for each in text.split("\n") for line in _narrow(each)]
    return f"def {name}({params}):\n" + "".join(f"{line}\n" for line in lines)


def _narrow(line: str) -> list[str]:
    """Return a line of a function's body, in several where it is too long."""
    bare = line.lstrip()
    try:
        return wrap("", bare, 4 + len(line) - len(bare))
    except (SyntaxError, tokenize.TokenError):  # a line of a text over several
        return [f"    {line}"]
