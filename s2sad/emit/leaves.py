"""A statement becomes leaves: its tokens, with the places where its line may be split.

total = a if t else f(b, c)     total = <a if t else f ( b , c )>

What stands in <> here are parentheses that a long line may show: round what is assigned or
returned, and round conditionals. The numbers of delimiters only order them: what binds least is
split first. They are those of black, whose layout this follows.
"""

from __future__ import annotations

import io
import tokenize
from collections.abc import Iterator, Sequence

from s2sad.ir.records import dataclass, field

COMPREHENSION, COMMA, TERNARY, LOGIC, COMPARATOR, DOT = 20, 18, 16, 14, 10, 1
ARITHMETIC = {"|": 9, "^": 8, "&": 7, "<<": 6, ">>": 6, "+": 5, "-": 5, "~": 3, "**": 2}
ARITHMETIC |= dict.fromkeys(("*", "/", "//", "%", "@"), 4)
COMPARISONS = frozenset({"<", ">", "<=", ">=", "==", "!="})
OPENING, CLOSING = frozenset("([{"), frozenset(")]}")
ASSIGNMENTS = frozenset("= += -= *= /= //= %= @= **= |= &= ^= <<= >>=".split())
HEADS = frozenset({"return", "if", "elif", "while", "del", "assert"})
WORDS = HEADS | {"not", "and", "or", "in", "is", "else", "lambda", "await", "for", "yield", "raise"}


@dataclass(eq=False, slots=True)
class Leaf:
    """A token with the space before it; `opening` is the bracket that a closing one belongs to.

    A parenthesis that may be shown has no text while it is not. `atom` tells of an opening
    bracket that it makes a tuple, list or dict, or is one of those that may be shown.
    """

    text: str
    space: str = ""
    kind: str = ""
    opening: Leaf | None = None
    atom: bool = False
    depth: int = 0
    hugs: bool = False  # the space before it is not printed: x**2
    word: str = ""  # what the token is here: "ternary", "comprehension", "unary"

    @property
    def is_opening(self) -> bool:
        """Tell whether a bracket begins here, shown or not."""
        return self.kind in OPENING

    @property
    def is_closing(self) -> bool:
        """Tell whether a bracket ends here, shown or not."""
        return self.kind in CLOSING


@dataclass(slots=True)
class Line:
    """Leaves on one line. `delimiters` are the leaves that it may be split behind.

    `invisible` are the parentheses on it that are not shown.
    """

    leaves: list[Leaf]
    depth: int
    inside: bool = False  # brackets stand around it
    explodes: bool = False
    is_def: bool = False
    delimiters: dict[int, int] = field(default_factory=dict)
    invisible: list[Leaf] = field(default_factory=list)

    def __str__(self) -> str:
        """Return the line with spaces round powers, as it is measured while it is split."""
        rest = "".join(leaf.space + leaf.text for leaf in self.leaves[1:])
        return "    " * self.depth + (self.leaves[0].text + rest if self.leaves else "")

    @property
    def text(self) -> str:
        """Return the line as it is printed."""
        apart = _apart(self.leaves)
        made = [" " * 4 * self.depth, *(leaf.text for leaf in self.leaves[:1])]
        for leaf in self.leaves[1:]:
            made.append(
                leaf.text if leaf.hugs and id(leaf) not in apart else leaf.space + leaf.text
            )
        return "".join(made)

    @property
    def highest(self) -> int:
        """Return the priority that the line is split at first, a comma at its end left out; 0."""
        last = id(self.leaves[-1]) if self.leaves else 0
        return max((p for k, p in self.delimiters.items() if k != last), default=0)

    def count(self, priority: int) -> int:
        """Return how many delimiters have a priority."""
        return sum(p == priority for p in self.delimiters.values())

    def track(self) -> Line:
        """Find the brackets and delimiters of a line; return it."""
        tracker = _Tracker(self)
        for leaf in self.leaves:
            tracker.mark(leaf)
        return self


@dataclass(slots=True)
class _Tracker:
    """The brackets that are open at a place of a line."""

    line: Line
    opened: list[Leaf] = field(default_factory=list)
    hidden: list[tuple[str, int]] = field(default_factory=list)  # open lambdas, targets of `for`
    previous: Leaf | None = None

    @property
    def depth(self) -> int:
        return len(self.opened) + len(self.hidden)

    def mark(self, leaf: Leaf) -> None:
        """Note a leaf: its depth, its bracket, and whether the line may be split at it."""
        if leaf.is_closing and not self.opened:
            return
        self.close(leaf)
        leaf.depth = self.depth
        if self.depth == 0:
            before = _before(leaf, self.previous)
            if before and self.previous is not None:
                self.line.delimiters[id(self.previous)] = before
            elif leaf.text == ",":
                self.line.delimiters[id(leaf)] = COMMA
        if leaf.is_opening:
            self.opened.append(leaf)
            if not leaf.text:
                self.line.invisible.append(leaf)
        self.previous = leaf
        if leaf.text == "lambda" or leaf.word == "comprehension for":
            self.hidden.append((leaf.text, len(self.opened)))

    def close(self, leaf: Leaf) -> None:
        """Close the bracket, the lambda's head or the target of a `for` that ends at a leaf."""
        ends = {"in": "for", ":": "lambda"}.get(leaf.text)
        if self.hidden and self.hidden[-1] == (ends, len(self.opened)):
            self.hidden.pop()
        if leaf.is_closing:
            leaf.opening = self.opened.pop()
            if not leaf.text:
                self.line.invisible.append(leaf)


def _before(leaf: Leaf, previous: Leaf | None) -> int:
    """Return the priority of a leaf before which a line may be split; 0 of others."""
    if leaf.word in ("unary", "comprehension in", "statement in"):
        return 0
    if leaf.word == "ternary":
        return TERNARY
    if leaf.word.startswith("comprehension"):
        return COMPREHENSION
    if leaf.text == ".":
        return DOT if previous is None or previous.is_closing else 0
    if leaf.text in ARITHMETIC:
        return ARITHMETIC[leaf.text]
    if leaf.text in ("and", "or"):
        return LOGIC
    word = "" if previous is None else previous.text
    is_second = (word, leaf.text) in (("not", "in"), ("is", "not"))
    first = leaf.text in COMPARISONS or leaf.text in ("in", "is") or leaf.word == "not in"
    return COMPARATOR if first and not is_second else 0


# ---------------------------------------------------------------------------- from the text


def leaves_of(text: str) -> list[Leaf]:
    """Return the leaves of a statement that stands on one line."""
    found: list[Leaf] = []
    end = level = 0
    for word, start, stop in _tokens(text):
        leaf = Leaf(word, text[end:start], word if word in OPENING | CLOSING else "")
        level -= leaf.is_closing
        leaf.depth = level
        level += leaf.is_opening
        leaf.word = "unary" if _is_unary(leaf, found) else ""
        leaf.atom = leaf.is_opening and not (bool(found) and _is_operand(found[-1]))
        is_power = word == "**" and leaf.word != "unary"
        if (is_power and not leaf.space) or (found and found[-1].text == "**" and found[-1].hugs):
            leaf.space, leaf.hugs = " ", True
        found.append(leaf)
        end = stop
    _mark_words(found)
    return _with_optional(_with_conditionals(found))


def _apart(leaves: list[Leaf]) -> set[int]:
    """Return the leaves round powers that black leaves spaces before, on one line.

    It takes `x ** n if f(y)` for a power of a call: it reads on over words.
    """
    found: set[int] = set()
    for place, leaf in enumerate(leaves[:-1]):
        if leaf.text == "**" and leaf.hugs:
            at = place + 1 + (leaves[place + 1].text in ("-", "+", "~"))
            while at < len(leaves) and leaves[at].text != "for" and _is_word(leaves[at]):
                at += 1
            if at < len(leaves) and leaves[at].kind in ("(", "["):
                found |= {id(leaf), id(leaves[place + 1])}
    return found


def _is_word(leaf: Leaf) -> bool:
    return leaf.text == "." or leaf.text.isidentifier()


def _tokens(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield the tokens of a line with their columns; an f-string is one."""
    opened, begin = 0, 0
    for token in tokenize.generate_tokens(io.StringIO(f"({text}\n)").readline):
        kind, start, stop = tokenize.tok_name[token.type], token.start[1] - 1, token.end[1] - 1
        if kind == "FSTRING_START":
            begin = begin if opened else start
            opened += 1
        elif kind == "FSTRING_END":
            opened -= 1
            if not opened:
                yield text[begin:stop], begin, stop
        elif not opened and token.string.strip() and token.start[0] == 1 and start >= 0:
            yield token.string, start, stop


def _is_unary(leaf: Leaf, before: Sequence[Leaf]) -> bool:
    if leaf.text not in ("-", "+", "~", "*", "**"):
        return False
    return not before or not _is_operand(before[-1])


def _is_operand(leaf: Leaf) -> bool:
    if leaf.text in WORDS:
        return False
    last = leaf.text[-1:]
    return leaf.is_closing or last in "_'\"" or last.isalnum() or leaf.text == "..."


def _mark_words(leaves: Sequence[Leaf]) -> None:
    """Tell the words of conditionals and comprehensions from those of statements."""
    is_headed = False  # the `in` of a loop has been seen
    waiting: list[Leaf] = []  # `if`s without an `else` yet, `for`s without an `in`
    for place, leaf in enumerate(leaves):
        same = [each for each in waiting if each.depth == leaf.depth]
        if leaf.text == "if" and place:
            leaf.word = "comprehension if"
            waiting.append(leaf)
        elif leaf.text == "for" and place:
            leaf.word = "comprehension for"
            waiting.append(leaf)
        elif leaf.text == "in" and leaves[0].text == "for" and not (leaf.depth or is_headed):
            leaf.word, is_headed = "statement in", True
        elif leaf.text == "in" and same and same[-1].text == "for":
            leaf.word = "comprehension in"
            waiting.remove(same[-1])
        elif leaf.text == "else" and same:
            leaf.word = same[-1].word = "ternary"
            waiting.remove(same[-1])
        elif leaf.text == "not" and leaves[place + 1 : place + 2]:
            leaf.word = "not in" if leaves[place + 1].text == "in" else ""
        elif leaf.is_closing:
            waiting = [each for each in waiting if each.depth <= leaf.depth]


# ---------------------------------------------------------------------------- parentheses


def _with_conditionals(leaves: list[Leaf]) -> list[Leaf]:
    """Return leaves with parentheses that may be shown round conditionals."""
    firsts: dict[int, Leaf] = {}
    lasts: dict[int, list[Leaf]] = {}
    for place, leaf in enumerate(leaves):
        if leaf.word == "ternary" and leaf.text == "if":
            start, end = _extent(leaves, place)
            if not _stands_in_brackets(leaves, start, end):
                firsts[start] = Leaf("", "", "(", atom=True)
                lasts.setdefault(end, []).append(Leaf("", "", ")"))
    made: list[Leaf] = []
    for place, leaf in enumerate(leaves):
        made += lasts.get(place, [])
        if place in firsts:
            firsts[place].space, leaf.space = leaf.space, ""
            made.append(firsts[place])
        made.append(leaf)
    return made + lasts.get(len(leaves), [])


def _stands_in_brackets(leaves: Sequence[Leaf], start: int, end: int) -> bool:
    """Tell whether parentheses stand right round these leaves."""
    if not start or end >= len(leaves):
        return False
    before, behind = leaves[start - 1], leaves[end]
    return before.text == "(" and behind.is_closing and behind.depth == before.depth


def _extent(leaves: Sequence[Leaf], place: int) -> tuple[int, int]:
    """Return where the conditional of an `if` begins and ends."""
    level = leaves[place].depth
    start = place
    while start and not _ends_operand(leaves[start - 1], level):
        start -= 1
    end, nested = place + 1, 1
    while end < len(leaves):
        leaf = leaves[end]
        at_level = leaf.depth == level and not leaf.is_closing
        if leaf.depth < level or (nested == 0 and at_level and _stops(leaf)):
            break
        if at_level and leaf.word == "ternary":
            nested += 1 if leaf.text == "if" else -1
        end += 1
    return start, end


def _stops(leaf: Leaf) -> bool:
    return leaf.text in (",", ":") or leaf.word in ("comprehension for", "comprehension if")


def _ends_operand(leaf: Leaf, level: int) -> bool:
    """Tell whether a conditional begins behind a leaf."""
    if leaf.depth < level or (leaf.is_opening and leaf.depth == level - 1):
        return True
    if leaf.depth != level or leaf.is_closing:
        return False
    is_word = leaf.word.startswith(("comprehension", "statement"))
    is_word = is_word or (leaf.word, leaf.text) == ("ternary", "else")
    return is_word or leaf.text in ASSIGNMENTS or leaf.text in (",", ":") or leaf.text in HEADS


def _wrapped(leaves: list[Leaf]) -> list[Leaf]:
    """Return leaves in parentheses that may be shown, unless they have some."""
    if not leaves or _has_brackets(leaves):
        return leaves
    opening = Leaf("", leaves[0].space, "(", atom=True)
    leaves[0].space = ""
    return [opening, *leaves, Leaf("", "", ")")]


def _has_brackets(leaves: list[Leaf]) -> bool:
    """Tell whether one pair of parentheses stands round all leaves."""
    if leaves[0].kind != "(" or leaves[-1].kind != ")":
        return False
    Line(leaves, 0).track()
    return leaves[-1].opening is leaves[0]


def _with_optional(leaves: list[Leaf]) -> list[Leaf]:
    """Return a statement with the parentheses that may stand round its parts."""
    first = leaves[0].text
    end = len(leaves) - (leaves[-1].text == ":")
    if first in HEADS:
        return [leaves[0], *_wrapped(leaves[1:end]), *leaves[end:]]
    if first == "for":
        middle = next(k for k, leaf in enumerate(leaves) if leaf.word == "statement in")
        target, domain = _wrapped(leaves[1:middle]), _wrapped(leaves[middle + 1 : end])
        return [leaves[0], *target, leaves[middle], *domain, *leaves[end:]]
    cuts = [k for k, leaf in enumerate(leaves) if leaf.text in ASSIGNMENTS and not leaf.depth]
    if not cuts:
        return leaves
    made = leaves[: cuts[0]]
    if any(leaf.text == "," and not leaf.depth for leaf in made):
        made = _wrapped(made)
    for cut, stop in zip(cuts, [*cuts[1:], len(leaves)], strict=True):
        made = [*made, leaves[cut], *_wrapped(leaves[cut + 1 : stop])]
    return made
