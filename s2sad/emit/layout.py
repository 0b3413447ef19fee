"""A line of Python that is too long becomes several, split where black splits it.

x_dot = f(a, b) + g(c)          x_dot = (
                                    f(a, b)
                                    + g(c)
                                )

The names of the steps are black's: a line is split at its last brackets (head, body, tail), and what
stands inside brackets at the delimiters that bind least. Many numbers of a display fill their lines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set

from s2sad.emit.leaves import COMMA, DOT, Leaf, Line, leaves_of
from s2sad.ir.records import dataclass, replace

INDENT = 4
WIDTH = 88
MANY = 6  # numbers of a display that have one line each
Omitted = Set[int]


class CannotSplit(Exception):
    """A way to split a line that does not lead on."""


@dataclass(frozen=True, slots=True)
class Halves:
    """A line split at a pair of brackets."""

    head: Line
    body: Line
    tail: Line
    opening: Leaf
    closing: Leaf


Step = Callable[[Line, bool], list[Line]]


def wrap(line: str, indent: int) -> list[str]:
    """Return a statement as lines of at most WIDTH columns where possible.

    `indent` is the number of columns that the statement is indented by.
    """
    if "\n" in line or (indent + len(line) <= WIDTH and "**" not in line):
        return [" " * indent + line]
    whole = Line(leaves_of(line), indent // INDENT, is_def=line.startswith("def ")).track()
    return [each.text for each in _split(whole, False)]


def _fits(line: Line) -> bool:
    return len(str(line)) <= WIDTH


def _is_short(line: Line) -> bool:
    return len(line.text) <= WIDTH


def _split(line: Line, force: bool) -> list[Line]:
    """Return a line as lines that fit, where that can be; `force`: show optional parentheses."""
    if _is_short(line) and not line.explodes:
        return [line]
    steps: list[Step] = [_at_brackets]
    if line.is_def:
        steps = [_at_first_bracket]
    elif line.inside:
        steps = [_at_delimiters, _at_brackets]
    for step in steps:
        try:
            return _tried(line, step, force)
        except CannotSplit:
            continue
    return [line]


def _tried(line: Line, step: Step, force: bool) -> list[Line]:
    """Split a line in one way, and its parts further."""
    before = str(line)
    optional = [leaf for leaf in line.invisible if leaf.depth == 0]
    is_done = force or step is not _at_brackets or not line.invisible
    copied = line if is_done else _copy(line)
    result: list[Line] = []
    for part in step(line, force):
        if str(part) == before:
            raise CannotSplit
        result += _split(part, force)
    if is_done or any(leaf.text for leaf in optional) or _is_short(result[0]):
        return result
    second = _tried(copied, step, True)
    return second if all(map(_is_short, second)) else result


def _copy(line: Line) -> Line:
    """Return a line with leaves of its own."""
    new = {id(leaf): replace(leaf, opening=None) for leaf in line.leaves}
    for leaf in line.leaves:
        if leaf.opening is not None:
            new[id(leaf)].opening = new.get(id(leaf.opening), leaf.opening)
    made = Line([new[id(leaf)] for leaf in line.leaves], line.depth, line.inside, line.explodes)
    made.delimiters = {id(new[k]): p for k, p in line.delimiters.items() if k in new}
    made.invisible = [new[id(leaf)] for leaf in line.invisible if id(leaf) in new]
    return made


# ---------------------------------------------------------------------------- delimiters


def _at_delimiters(line: Line, force: bool) -> list[Line]:
    """Split what stands in brackets at the delimiters that bind least."""
    priority = line.highest
    if not priority or (priority == DOT and line.count(DOT) == 1):
        raise CannotSplit
    parts: list[list[Leaf]] = [[]]
    for leaf in line.leaves:
        parts[-1].append(leaf)
        if line.delimiters.get(id(leaf)) == priority:
            parts.append([])
    last = parts[-1] or parts[-2]
    if priority == COMMA and last[-1].text != ",":
        last.append(Leaf(","))
    parts = [part for part in parts if part]
    if len(parts) > MANY and all(map(_is_number, parts)):
        parts = _filled(parts, WIDTH - INDENT * line.depth)
    return [Line(part, line.depth, line.inside).track() for part in parts]


def _is_number(item: list[Leaf]) -> bool:
    """Tell whether an item of a display is a literal number."""
    *signs, last = (leaf.text for leaf in item if leaf.text not in ("", ","))
    return last[:1].isdigit() and set(signs) <= {"-"}


def _filled(items: list[list[Leaf]], room: int) -> list[list[Leaf]]:
    """Return short items of a display line by line, as many as there is room for on each."""
    made: list[list[Leaf]] = []
    width = room
    for item in items:
        length = sum(len(leaf.space) + len(leaf.text) for leaf in item) + 1
        if width + length > room:
            made.append([])
            width = 0
        made[-1] += item
        width += length
    return made


# ---------------------------------------------------------------------------- brackets


def _at_first_bracket(line: Line, force: bool) -> list[Line]:
    """Split the head of a function at its parameters."""
    first = next(k for k, leaf in enumerate(line.leaves) if leaf.is_opening)
    opening = line.leaves[first]
    last = next(k for k, leaf in enumerate(line.leaves) if leaf.opening is opening)
    body = line.leaves[first + 1 : last]
    if not body:
        raise CannotSplit
    if not any(leaf.text == "," and leaf.depth == 1 for leaf in body):
        body.append(Leaf(","))
    parts = _parts(line, line.leaves[: first + 1], body, line.leaves[last:], opening)
    return list(parts)


def _at_brackets(line: Line, force: bool) -> list[Line]:
    """Split at the last brackets, or at earlier ones where what follows them fits on one line."""
    first: list[Line] | None = None
    starts, column = {}, INDENT * line.depth
    for leaf in line.leaves:
        starts[id(leaf)] = column
        column += len(leaf.space) + len(leaf.text)
    for omitted in _trailers(line):
        target = _last_bracket(line, omitted)
        if omitted and target is not None and target.text and starts.get(id(target), 0) > WIDTH:
            continue
        lines = list(_right_hand(_halves(line, omitted), line, force, omitted))
        if first is None and not omitted:
            first = lines
        if _fits(lines[0]):
            return lines
    return (
        first if first is not None else list(_right_hand(_halves(line, set()), line, force, set()))
    )


def _last_bracket(line: Line, omitted: Omitted) -> Leaf | None:
    closing = (leaf for leaf in reversed(line.leaves) if leaf.is_closing)
    return next((leaf.opening for leaf in closing if id(leaf) not in omitted), None)


def _trailers(line: Line) -> Iterator[Omitted]:
    """Yield the closing brackets that may be left out, more and more from the right."""
    omitted: set[int] = set()
    inner: set[int] = set()
    yield set()
    length = INDENT * line.depth
    opening: Leaf | None = None
    closing: Leaf | None = None
    for place in reversed(range(len(line.leaves))):
        leaf = line.leaves[place]
        length += len(leaf.space) + len(leaf.text)
        if length > WIDTH:
            return
        if opening is not None:
            if leaf is opening:
                opening = None
            elif leaf.is_closing:
                inner.add(id(leaf))
        elif leaf.is_closing:
            if place and line.leaves[place - 1].is_opening:
                inner.add(id(leaf))
                continue
            if closing is not None:
                omitted |= {id(closing), *inner}
                inner.clear()
                yield set(omitted)
            if leaf.text:
                opening, closing = leaf.opening, leaf


def _halves(line: Line, omitted: Omitted) -> Halves:
    """Split a line at its last brackets that hold something and are not left out."""
    places = {id(leaf): k for k, leaf in enumerate(line.leaves)}
    for last in reversed(range(len(line.leaves))):
        closing = line.leaves[last]
        if not closing.is_closing or id(closing) in omitted or closing.opening is None:
            continue
        first = places.get(id(closing.opening))
        if first is None:  # the brackets begin on an earlier line
            raise CannotSplit
        if first == last - 1:
            continue
        body = line.leaves[first + 1 : last]
        parts = _parts(line, line.leaves[: first + 1], body, line.leaves[last:], closing.opening)
        return Halves(*parts, closing.opening, closing)
    raise CannotSplit


def _parts(
    line: Line, head: list[Leaf], body: list[Leaf], tail: list[Leaf], opening: Leaf
) -> tuple[Line, Line, Line]:
    """Return head, body and tail; a display of several items has one on each line."""
    inside = Line(body, line.depth + 1, True).track()
    inside.explodes = opening.atom and inside.highest == COMMA
    before = Line(head, line.depth)
    shown = Line(_matched(head), line.depth).track()
    before.invisible = shown.invisible
    return before, inside, Line(tail, line.depth)


def _matched(leaves: list[Leaf]) -> list[Leaf]:
    """Return the leaves from the first bracket on that stand in brackets which are closed."""
    known = {id(leaf) for leaf in leaves}
    closed = [leaf for leaf in leaves if leaf.is_closing and id(leaf.opening) in known]
    places = {id(leaf): k for k, leaf in enumerate(leaves)}
    spans = [(places[id(leaf.opening)], places[id(leaf)]) for leaf in closed]
    return [leaf for k, leaf in enumerate(leaves) if any(a <= k <= b for a, b in spans)]


def _right_hand(parts: Halves, line: Line, force: bool, omitted: Omitted) -> Iterator[Line]:
    """Yield head, body and tail; without optional parentheses where that reads as well."""
    is_optional = not parts.opening.text and not parts.closing.text
    if not force and is_optional and _can_omit(parts):
        omitted = {id(parts.closing), *omitted}
        try:
            other = _halves(line, omitted)
            if _is_preferred(other, parts):
                yield from list(_right_hand(other, line, force, omitted))
                return
        except CannotSplit:
            chained = sum(leaf.text == "=" for leaf in line.leaves) > 1
            if not chained and len(parts.body.leaves) <= 1 and not _fits(parts.body):
                raise
    if is_optional:
        parts.opening.text, parts.closing.text = "(", ")"
    yield from (part for part in (parts.head, parts.body, parts.tail) if part.leaves)


def _is_preferred(other: Halves, parts: Halves) -> bool:
    """Tell whether to split at brackets inside rather than to show the optional parentheses."""
    head = parts.head.leaves
    if len(head) < 2 or head[-2].text != "=":
        return True
    has_brackets = any(leaf.is_opening or leaf.is_closing for leaf in head[:-1])
    if not has_brackets or len(str(parts.head)) > WIDTH - 1:
        return True
    if _assignments(head) > 1 and _assignments(head) > _assignments(other.head.leaves):
        return False
    for leaf in reversed(other.head.leaves):
        if leaf.text == "=":
            break
        if leaf.is_closing:
            return True
    return _assignments(other.head.leaves) > 0 and _fits(other.head)


def _assignments(leaves: list[Leaf]) -> int:
    return sum(leaf.text == "=" for leaf in leaves)


def _can_omit(parts: Halves) -> bool:
    """Tell whether a right side can be split well without parentheses round it."""
    line = parts.body
    if not line.delimiters:
        return True
    priority = max(line.delimiters.values())
    if line.count(priority) > 1:
        return False
    if priority == DOT:
        return True
    first, second = line.leaves[0], line.leaves[1]
    if first.is_opening and not second.is_closing and _begins_well(line, first):
        return True
    last = line.leaves[-1]
    is_index = last.kind == "]" and last.opening is not None and not last.opening.atom
    if not last.is_closing or is_index or line.leaves[-2].is_opening:
        return False
    return _ends_well(line, last)


def _begins_well(line: Line, first: Leaf) -> bool:
    """Tell whether what follows the first brackets fits on the line that they end on."""
    behind, length = False, INDENT * line.depth
    for leaf in line.leaves:
        behind = behind or leaf.opening is first
        if behind:
            length += len(leaf.space) + len(leaf.text)
            if length > WIDTH:
                return False
            if leaf.is_opening:  # there are brackets that can be split further
                behind = False
    return True


def _ends_well(line: Line, last: Leaf) -> bool:
    """Tell whether what stands before the last brackets fits on their first line."""
    length, others = INDENT * line.depth, False
    for leaf in line.leaves:
        length += len(leaf.space) + len(leaf.text)
        if leaf is last.opening:
            return others or length <= WIDTH
        others = others or leaf.is_opening
    return False
