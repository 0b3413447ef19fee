"""Statements of the user's that are copied, spaced as the others are.

x = d['a'] ** 2        x = d["a"] ** 2
y = n ** 2             y = n**2
"""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterator, Sequence

from s2sad.ir.spelling import quoted

Token = tokenize.TokenInfo
# line, first column, last column, what stands there instead
Edit = tuple[int, int, int, str]


def respaced(text: str) -> str:
    """Return a statement with strings in double quotes and powers without idle spaces."""
    tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    lines = text.splitlines()
    for line, start, end, new in sorted([*_strings(tokens), *_powers(tokens)], reverse=True):
        old = lines[line - 1]
        lines[line - 1] = old[:start] + new + old[end:]
    return "\n".join(lines)


def _strings(tokens: Sequence[Token]) -> Iterator[Edit]:
    for token in tokens:
        one_line = token.start[0] == token.end[0]
        if token.type == tokenize.STRING and token.string.startswith("'") and one_line:
            value = ast.literal_eval(token.string)
            yield token.start[0], token.start[1], token.end[1], quoted(value)


def _powers(tokens: Sequence[Token]) -> Iterator[Edit]:
    for place, token in enumerate(tokens):
        if token.string != "**" or not _is_operand(tokens[place - 1]):
            continue
        if _is_simple_before(tokens, place) and _is_simple_after(tokens, place):
            yield token.start[0], tokens[place - 1].end[1], tokens[place + 1].start[1], "**"


def _is_operand(token: Token) -> bool:
    return token.type in (tokenize.NAME, tokenize.NUMBER) or token.string in (")", "]")


def _is_simple_before(tokens: Sequence[Token], place: int) -> bool:
    """Tell whether what stands before a power is a name, a number or a dotted name."""
    at = place - 1
    while tokens[at].type == tokenize.NAME and tokens[at - 1].string == ".":
        at -= 2
    return tokens[at].type in (tokenize.NAME, tokenize.NUMBER)


def _is_simple_after(tokens: Sequence[Token], place: int) -> bool:
    at = place + 1
    if tokens[at].string in ("-", "+", "~"):
        at += 1
    if tokens[at].type not in (tokenize.NAME, tokenize.NUMBER):
        return False
    while tokens[at + 1].string == ".":
        at += 2
    return tokens[at + 1].string not in ("(", "[")
