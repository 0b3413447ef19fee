"""Turns copied syntax (gast) into text: astor's, where that parses back to the same tree.

[x * y for x in xs]   with y -> y_bar            [x * y_bar for x in xs]
with open(p) as f:    with f -> log              with open(p) as log:
"""

from __future__ import annotations

import ast
import copy
import warnings
from collections.abc import Mapping
from typing import Any

import gast

from s2sad.ir.errors import InternalError
from s2sad.legacy.printing.literals import quoted
from s2sad.legacy.printing.precedence import (
    AND,
    ARITH,
    BITAND,
    BITOR,
    BITXOR,
    COMPARE,
    FACTOR,
    NOT,
    OR,
    POWER,
    PRIMARY,
    SHIFT,
    TERM,
    TEST,
)
from s2sad.legacy.printing.renaming import Names, rename

with warnings.catch_warnings():
    # astor names parts of `ast` that are to go
    warnings.simplefilter("ignore", DeprecationWarning)
    import astor

Texts = Mapping[str, str]


def copied_statement(node: Any, reads: Texts, writes: Texts) -> list[str]:
    """Return the lines of a gast statement, its names replaced."""
    lines = _source(_renamed(node, reads, writes)).splitlines()
    # a function that is made inside has an empty line above it
    after = [*lines[1:], ""]
    starts = ("def ", "@")
    return [a for a, b in zip(lines, after, strict=True) if a or not b.lstrip().startswith(starts)]


def copied_expression(node: Any, reads: Texts, writes: Texts) -> tuple[str, int]:
    """Return the text of a gast expression, its names replaced, and how tightly it binds."""
    tree = _renamed(node, reads, writes)
    written = _source(tree)
    if "\n" in written:
        written = ast.unparse(tree)
    if isinstance(tree, (ast.Tuple, ast.NamedExpr, ast.Yield, ast.YieldFrom)):
        return (written if _is_enclosed(written) else f"({written})"), PRIMARY
    while _is_enclosed(written) and not isinstance(tree, ast.GeneratorExp):
        written = written[1:-1]
    return written, _LEVELS.get(type(getattr(tree, "op", tree)), PRIMARY)


def _is_enclosed(written: str) -> bool:
    """Tell whether one pair of parentheses is round the whole text."""
    if not (written.startswith("(") and written.endswith(")")):
        return False
    tree = ast.parse(f"f{written}", mode="eval").body
    # `(a) + (b)` would make a sum of f(a) and b, `(a)(b)` a call of f(a)
    return isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name)


_LEVELS: dict[type[ast.AST], int] = (
    dict.fromkeys((ast.Lambda, ast.IfExp, ast.Starred), TEST)
    | {ast.Or: OR, ast.And: AND, ast.Not: NOT, ast.Compare: COMPARE}
    | {ast.BitOr: BITOR, ast.BitXor: BITXOR, ast.BitAnd: BITAND}
    | dict.fromkeys((ast.LShift, ast.RShift), SHIFT)
    | dict.fromkeys((ast.Add, ast.Sub), ARITH)
    | dict.fromkeys((ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.MatMult), TERM)
    | dict.fromkeys((ast.USub, ast.UAdd, ast.Invert), FACTOR)
    | dict.fromkeys((ast.Pow, ast.Await), POWER)
)


def is_generator(node: Any) -> bool:
    """Tell whether a node is a generator expression, which brings its own parentheses."""
    return isinstance(node, gast.GeneratorExp)


def _renamed(node: Any, reads: Texts, writes: Texts) -> Any:
    # deepcopy after the conversion too: a node that stands in two places is not renamed twice
    tree = copy.deepcopy(gast.gast_to_ast(copy.deepcopy(node)))
    for name in reads.keys() & writes.keys():
        if reads[name] != writes[name]:
            raise InternalError(f"copied syntax reads and writes {name!r} under two names")
    # a name that is first written and then read stands in `writes` only
    return rename(tree, Names(_parsed({**writes, **reads}), _parsed(writes)))


def _parsed(texts: Texts) -> dict[str, ast.expr]:
    return {name: ast.parse(text, mode="eval").body for name, text in texts.items()}


# ---------------------------------------------------------------------------- astor, checked


def _source(tree: Any) -> str:
    """Return the text of a tree: astor's where it parses back to the same tree."""
    ast.fix_missing_locations(tree)
    for printed in (_astor_text, ast.unparse):
        try:
            written = printed(tree)
            if _same(ast.parse(written), tree):
                return written
        except Exception:
            continue
    raise InternalError(f"cannot print the copied syntax {ast.dump(tree)}")


def _astor_text(tree: Any) -> str:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        # no line is split here: `wrap` does that where it is wanted
        written: str = astor.to_source(tree, pretty_string=_plain_string, pretty_source="".join)
    written = written.strip("\n")
    for ugly, plain in _TIDIER:
        tidied = written.replace(ugly, plain)
        if tidied != written and _parses_to(tidied, tree):
            written = tidied
    return written


# where astor spaces or quotes as nobody does
_TIDIER = (("lambda :", "lambda:"), (") ->", ") -> "), ('f"""', 'f"'), ('"""', '"'))


def _parses_to(written: str, tree: Any) -> bool:
    try:
        return _same(ast.parse(written), tree)
    except SyntaxError:
        return False


def _plain_string(value: str, *_: object, **__: object) -> str:
    return quoted(value)


def _same(parsed: ast.Module, tree: Any) -> bool:
    if len(parsed.body) != 1:
        return False
    found: ast.AST = parsed.body[0]
    if isinstance(tree, ast.expr) and isinstance(found, ast.Expr):
        found = found.value
    return ast.dump(found) == ast.dump(tree)
