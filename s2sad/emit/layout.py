"""Turns a line of Python that is too long into several, split where black would split it.

x_dot = f(a, b) + g(c)          x_dot = (
                                    f(a, b)
                                    + g(c)
                                )
"""

from __future__ import annotations

import io
import tokenize
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

INDENT = 4

# what binds least is split first; the numbers only order them
PRIORITIES = (
    {"for": 20, "async": 20, ",": 18, "if": 16, "else": 16, "or": 14, "and": 14}
    | dict.fromkeys(("<", ">", "<=", ">=", "==", "!=", "in", "not in", "is", "is not"), 10)
    | {"|": 9, "^": 8, "&": 7, "<<": 6, ">>": 6, "+": 5, "-": 5}
    | dict.fromkeys(("*", "/", "//", "%", "@"), 4)
    | {":": 1}
)
OPENING, CLOSING = frozenset("([{"), frozenset(")]}")
ASSIGNMENTS = frozenset(
    {
        "=",
        "+=",
        "-=",
        "*=",
        "/=",
        "//=",
        "%=",
        "@=",
        "**=",
        "|=",
        "&=",
        "^=",
        "<<=",
        ">>=",
    }
)
KEYWORDS = frozenset({"return", "if", "elif", "while", "assert", "raise", "del", "yield"})
WORDS = KEYWORDS | {"not", "and", "or", "in", "is", "is not", "not in", "else", "lambda", "await"}


@dataclass(frozen=True, slots=True)
class _Piece:
    """A token: where it stands in the line, how deep in brackets, and how it may be split."""

    text: str
    start: int
    end: int
    depth: int
    priority: int = 0


def wrap(prefix: str, line: str, indent: int, width: int = 88) -> list[str]:
    """Return the statement `prefix + line` as lines of at most `width` columns where possible.

    `indent` is the number of columns that the statement is indented by.
    """
    whole = prefix + line
    if indent + len(whole) <= width or "\n" in whole:
        return [" " * indent + whole]
    pieces = _pieces(whole)
    start = _right_side(pieces)
    end = len(whole) - (whole.endswith(":"))
    head, body, tail = whole[:start], whole[start:end], whole[end:]
    return list(_statement(head, body, tail, indent, width))


# ---------------------------------------------------------------------------- tokens


def _pieces(line: str) -> list[_Piece]:
    """Return the tokens of a line; an f-string is one."""
    raw = [
        token
        for token in tokenize.generate_tokens(io.StringIO(f"({line}\n)").readline)
        if token.string.strip() and token.type != tokenize.COMMENT
    ][1:-1]
    found: list[_Piece] = []
    depth = 0
    for text, start, end in _joined(raw):
        if text in CLOSING:
            depth -= 1
        previous = found[-1] if found else None
        if previous and _is_second_word(previous, text, depth):
            both = f"{previous.text} {text}"
            found[-1] = _Piece(both, previous.start, end, depth, PRIORITIES[both])
        else:
            found.append(_Piece(text, start, end, depth, _priority(previous, text)))
        if text in OPENING:
            depth += 1
    return found


def _joined(raw: Sequence[tokenize.TokenInfo]) -> Iterator[tuple[str, int, int]]:
    opened, start = 0, 0
    for token in raw:
        kind = tokenize.tok_name[token.type]
        # the column is one to the right: the line was put in a parenthesis to be read
        if kind == "FSTRING_START":
            start = start if opened else token.start[1] - 1
            opened += 1
        elif kind == "FSTRING_END":
            opened -= 1
            if not opened:
                yield "f''", start, token.end[1] - 1
        elif not opened:
            yield token.string, token.start[1] - 1, token.end[1] - 1


def _is_second_word(previous: _Piece, text: str, depth: int) -> bool:
    return previous.depth == depth and (previous.text, text) in {
        ("not", "in"),
        ("is", "not"),
    }


def _priority(previous: _Piece | None, text: str) -> int:
    priority = PRIORITIES.get(text, 0)
    after_operand = previous is not None and (
        previous.text in CLOSING or previous.text[-1:].isalnum() or previous.text[-1:] in "_'\"."
    )
    keyword = previous is not None and previous.text in WORDS
    # a sign, a star argument or a word like `not` is no place between two operands
    return priority if text in {",", "for", "if", "else"} or (after_operand and not keyword) else 0


def _right_side(pieces: Sequence[_Piece]) -> int:
    """Return the column at which the part of a statement begins that may be split."""
    first = pieces[0].text
    if first in KEYWORDS:
        return pieces[1].start
    if first == "for":
        return next(p.end for p in pieces if p.text == "in" and p.depth == 0) + 1
    equals = [p for p in pieces if p.text in ASSIGNMENTS and p.depth == 0]
    return equals[-1].end + 1 if equals else 0


# ---------------------------------------------------------------------------- splitting


def _statement(head: str, body: str, tail: str, indent: int, width: int) -> Iterator[str]:
    """Split the right side of a statement, in parentheses of its own where that reads better."""
    pieces = _pieces(body)
    bracket = _last_bracket(pieces, indent + len(head), width)
    if bracket is not None and _stands_alone(pieces):
        yield from _at_bracket(head, body, tail, bracket, indent, width)
    elif not head or (_highest(pieces, 0) == 0 and not _is_long_head(head, body, indent, width)):
        yield " " * indent + head + body + tail
    elif (first := _first_bracket(pieces, len(tail), indent, width)) is not None:
        yield from _at_bracket(head, body, tail, first, indent, width)
    else:
        yield " " * indent + head + "("
        yield from _content(body, indent + INDENT, width)
        yield " " * indent + ")" + tail


def _is_long_head(head: str, body: str, indent: int, width: int) -> bool:
    """Tell whether what is left of the last `=` alone leaves no room for the first bracket."""
    return head.endswith("= ") and "(" in body and indent + len(head) < width


def _stands_alone(pieces: Sequence[_Piece]) -> bool:
    """Tell whether the last bracket can be split without parentheses round the whole."""
    highest = _highest(pieces, 0)
    if highest == 0:
        return True
    once = highest < PRIORITIES["if"] and len(_delimiters(pieces, 0, highest)) == 1
    # `a + u[...]` reads better when the subscript is not torn apart
    subscript = pieces[-1].text == "]" and _is_trailer(pieces, _matching(pieces, len(pieces) - 1))
    return once and pieces[-1].text in CLOSING and not subscript


def _is_trailer(pieces: Sequence[_Piece], opening: int) -> bool:
    """Tell whether a bracket calls or subscripts what stands before it."""
    before = pieces[opening - 1].text if opening else ""
    return before in CLOSING or (before.isidentifier() and before not in WORDS)


def _highest(pieces: Sequence[_Piece], depth: int) -> int:
    # a lambda's own commas and colon cannot be told from its neighbours': leave it whole
    if any(p.text == "lambda" and p.depth == depth for p in pieces):
        return 0
    return max((p.priority for p in pieces if p.depth == depth), default=0)


def _delimiters(pieces: Sequence[_Piece], depth: int, priority: int) -> list[_Piece]:
    return [p for p in pieces if p.depth == depth and p.priority == priority]


def _last_bracket(pieces: Sequence[_Piece], column: int, width: int) -> tuple[int, int] | None:
    """Return the columns of the content of the last bracket that is not empty, if it ends here.

    Trailers after it (`.copy()`) stay on the closing line.
    """
    position = len(pieces) - 1
    while position > 0:
        last = pieces[position]
        if last.text in CLOSING:
            opening = _matching(pieces, position)
            if opening < position - 1 and column + pieces[opening].end <= width:
                return pieces[opening].end, last.start
            position = opening - 1
        elif pieces[position - 1].text == ".":
            position -= 2
        else:
            return None
    return None


def _first_bracket(
    pieces: Sequence[_Piece], tail: int, indent: int, width: int
) -> tuple[int, int] | None:
    """Return the columns of the content of a bracket that begins the line: `(a + b) * c`.

    One short operand stands behind it, on the closing line.
    """
    operators = [i for i, piece in enumerate(pieces) if piece.depth == 0 and piece.priority]
    if pieces[0].text != "(" or len(operators) != 1:
        return None
    closing = next(
        i for i in range(1, len(pieces)) if pieces[i].text == ")" and not pieces[i].depth
    )
    start, end = pieces[0].end, pieces[closing].start
    fits = indent + pieces[-1].end - end + tail <= width
    return (start, end) if fits and operators == [closing + 1] else None


def _matching(pieces: Sequence[_Piece], closing: int) -> int:
    depth = pieces[closing].depth
    before = range(closing - 1, -1, -1)
    return next(i for i in before if pieces[i].depth == depth and pieces[i].text in OPENING)


def _at_bracket(
    head: str, body: str, tail: str, bracket: tuple[int, int], indent: int, width: int
) -> Iterator[str]:
    start, end = bracket
    yield " " * indent + head + body[:start]
    yield from _content(body[start:end], indent + INDENT, width)
    yield " " * indent + body[end:] + tail


def _content(body: str, indent: int, width: int) -> Iterator[str]:
    """Lay out what stands inside brackets: on one line, or one element or operand a line."""
    if indent + len(body) <= width:
        yield " " * indent + body
        return
    pieces = _pieces(body)
    priority = _highest(pieces, 0)
    if priority <= PRIORITIES[":"]:
        yield from _element(body, "", indent, width)
        return
    comma = "," if priority == PRIORITIES[","] else ""
    for part in _parts(body, _cuts(pieces, priority)):
        yield from _element(part, comma, indent, width)


def _cuts(pieces: Sequence[_Piece], priority: int) -> list[_Piece]:
    """Return where to cut; of conditionals inside each other the outermost alone."""
    cuts = _delimiters(pieces, 0, priority)
    return cuts[:2] if priority == PRIORITIES["if"] else cuts


def _parts(body: str, delimiters: Sequence[_Piece]) -> Iterator[str]:
    """Cut at delimiters: a comma ends its line, an operator begins the next."""
    start = 0
    for cut in delimiters:
        yield body[start : cut.start].strip()
        start = cut.end if cut.text == "," else cut.start
    rest = body[start:].strip()
    if rest:
        yield rest


def _element(body: str, tail: str, indent: int, width: int) -> Iterator[str]:
    if indent + len(body + tail) <= width:
        yield " " * indent + body + tail
        return
    pieces = _pieces(body)
    skipped = _leading(pieces)
    priority = _highest(pieces[skipped:], 0)
    bracket = _last_bracket(pieces, indent, width)
    if priority == PRIORITIES["if"]:  # a conditional among others gets parentheses
        start = pieces[skipped].start
        yield " " * indent + body[:start] + "("
        yield from _content(body[start:], indent + INDENT, width)
        yield " " * indent + ")" + tail
    elif priority > (PRIORITIES[":"] if bracket else 0):
        cuts = [p for p in _delimiters(pieces, 0, priority) if p.start > pieces[skipped].start]
        *first, last = _parts(body, cuts)
        for part in first:
            yield from _element(part, "", indent, width)
        yield from _element(last, tail, indent, width)
    elif bracket is None:
        yield " " * indent + body + tail
    else:
        yield from _at_bracket("", body, tail, bracket, indent, width)


def _leading(pieces: Sequence[_Piece]) -> int:
    """Return how many pieces stand before the element: its operator or `name=`."""
    if len(pieces) > 2 and pieces[1].text == "=":
        return 2
    return 1 if pieces[0].text in PRIORITIES else 0
