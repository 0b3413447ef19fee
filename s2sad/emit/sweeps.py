"""The body of a function becomes lines: the forward sweep as the user wrote it, then the reverse.

    # -- reverse sweep ---------------------------------------------------
    s_bar = 2.0 * s  # 9: return np.sum(s * s)

A comment names the statement of the user's that lines belong to; his own stay where they were.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import groupby

from s2sad.analysis.pointers import stored_base
from s2sad.emit.comments import (
    Line,
    Place,
    begins,
    comments_above,
    comments_beside,
    cut,
    is_explained,
    place_of,
    remark,
    source_of,
)
from s2sad.emit.layout import WIDTH, wrap
from s2sad.emit.unpacking import AtOnce, returned, stored_at_once
from s2sad.ir.expression import Expr, Role, Variable, called_object
from s2sad.ir.program import Block, For, If, Let, Note, Return, Statement, Store, While, sweeps
from s2sad.ir.records import dataclass, field
from s2sad.ir.spelling import expression, pattern_text
from s2sad.ir.text import BLOCKS, headed, simple
from s2sad.ir.types import Reference
from s2sad.ir.walk import bound, bound_in, nodes, read_in, read_variables, rewritten
from s2sad.operators import printed

RULER = 74
MOST = 3  # names of what is alike on one line
WORDS = frozenset({"name", "constant", "global"})
# of what is saved, or named by us: that of the line behind it
AHEAD = Place("", 0, 0)
OURS = frozenset({Role.ADJOINT, Role.TANGENT, Role.TERM, Role.SAVED})


@dataclass(slots=True)
class Writer:
    """The lines of one function while they are written.

    `shown` and `closed` are the user's statements whose comments, above them and behind them,
    stand already; `noted` is the one that the last remark named, `under_remark` tells that this
    stands above several lines. `explains` tells whether lines get remarks, `home` is the file of
    the function. `chain` is the last line, its depth, and what it has in common with the next.
    """

    names: Mapping[Variable, str]
    home: str
    lines: list[Line] = field(default_factory=list)
    shown: set[Place] = field(default_factory=set)
    closed: set[Place] = field(default_factory=set)
    noted: Place | None = None
    explains: bool = False
    reverse: bool = False
    gap: bool = False
    under_remark: bool = False
    depth: int = 1
    chain: tuple[str, int, object] = ("", 0, None)

    def write(self, body: Block) -> None:
        """Write a body; the sweeps of a derivative stand under their titles."""
        body = rewritten(body, lambda each: None if self.is_idle(each) else each)
        body = self.within_folders(body)
        forward, reverse = sweeps(body)
        self.explains = any(v.role is Role.TANGENT for v in bound_in(forward))
        if forward and reverse:
            self.lines.append(Line(self.ruler("forward sweep")))
        self.block(forward, self.depth)
        if reverse:
            if forward:
                self.lines.append(Line(""))
            self.lines.append(Line(self.ruler("reverse sweep")))
            self.reverse = self.explains = True
            self.block(returned(reverse, self.names), self.depth)

    def within_folders(self, body: Block) -> Block:
        """Write `with _scratch(FOLDER) as scratch:` around a body; return it without what makes them."""
        made = [s for s in body if isinstance(s, Let) and _folder_of(s) is not None]
        if not made:
            return body
        names = self.names
        opened = (f"{_folder_of(let)} as {pattern_text(let.target, names)}" for let in made)
        self.put(f"with {', '.join(opened)}:", 1)
        self.depth = 2
        return tuple(each for each in body if each not in made)

    def ruler(self, what: str) -> str:
        """Return the title of a sweep."""
        indent = "    " * self.depth
        return f"{indent}# -- {what} ".ljust(RULER, "-")

    def put(self, line: str, depth: int) -> None:
        """Write a statement, over several lines if it is long."""
        for part in line.splitlines():  # a copied statement may be a block
            inner = part.lstrip()
            self.lines += map(Line, wrap(inner, 4 * depth + len(part) - len(inner)))

    # ------------------------------------------------------------------------ blocks

    def block(self, block: Block, depth: int) -> None:
        """Write a block."""
        start = len(self.lines)
        written = begun_together(list(block))
        if not written and depth > self.depth:
            self.put("pass", depth)
        for group in groups(written) if self.explains else ([each] for each in written):
            self.space(group[0], depth)
            if self.explains and any(map(self.is_explained, group)):
                self.group(group, depth)
            else:
                for statement in group:
                    self.statement(statement, depth)
            self.gap = self.reverse and depth == self.depth and isinstance(group[-1], For | While)
        following = None
        for line in reversed(self.lines[start:]):
            line.place = following if line.place == AHEAD else line.place
            following = line.place or following

    def is_explained(self, statement: Statement) -> bool:
        """Tell whether a statement computes an adjoint or a tangent, or returns what it computes."""
        is_last = self.reverse and isinstance(statement, Return) and statement.span is not None
        return is_last or is_explained(statement)

    def is_idle(self, statement: Statement) -> bool:
        """Tell whether a statement binds a name to what it already holds."""
        if not isinstance(statement, Let) or statement.value.op != "name":
            return False
        target = pattern_text(statement.target, self.names)
        return target == expression(statement.value, self.names)

    def space(self, statement: Statement, depth: int) -> None:
        """Leave a line empty around the outermost loops of a reverse sweep."""
        loop = self.reverse and depth == self.depth and isinstance(statement, For | While)
        if (self.gap or loop) and not self.starts():
            self.lines.append(Line(""))
        self.gap = False
        if isinstance(statement, BLOCKS):
            self.noted = None

    def starts(self) -> bool:
        """Tell whether nothing stands above, or a title."""
        last = self.lines[-1].text if self.lines else ""
        return not last or last.lstrip().startswith("# --")

    def group(self, group: list[Statement], depth: int) -> None:
        """Write statements that belong to one statement of the user's, and say so."""
        outer, self.lines = self.lines, []
        for statement in group:
            self.statement(statement, depth)
        lines, self.lines = self.lines, outer
        note = self.remark_of(group, lines)
        if note:
            is_above = not (len(lines) == 1 and _beside(lines, note))
            if is_above:
                lines.insert(0, Line(cut("    " * depth + note), self.noted))
            apart = depth == self.depth and self.reverse and (is_above or self.under_remark)
            if apart and not self.starts():
                lines.insert(0, Line(""))
            self.under_remark = is_above and depth == self.depth
        self.lines += lines

    def remark_of(self, group: list[Statement], lines: list[Line]) -> str:
        """Return the remark for some lines, if the last one was another."""
        explained = next(each for each in group if self.is_explained(each))
        place = place_of(explained.span)
        if place is None or not lines or place == self.noted:
            return ""
        self.noted = place
        # where the line itself stands, it explains itself
        return "" if lines[0].text.strip() == source_of(place) else remark(place, self.home)

    # ------------------------------------------------------------------------ statements

    def statement(self, statement: Statement, depth: int) -> None:
        """Write a statement with the comments that the user gave it."""
        start = len(self.lines)
        if isinstance(statement, BLOCKS):
            self.compound(statement, depth)
        elif (origin := _origin_of(statement)) is not None:
            self.begin(simple(statement, self.names), depth, origin)
        else:
            self.put(simple(statement, self.names), depth)
        place = place_of(statement.span)
        for made in self.lines[start:]:
            made.place = made.place or place or AHEAD
        if place is None or self.reverse or isinstance(statement, Note):
            return
        if not _binds_term(statement) and place not in self.closed:
            self.closed.add(place)
            self.set_beside(comments_beside(place), start, depth, isinstance(statement, BLOCKS))
        if place not in self.shown:
            self.shown.add(place)
            above = [Line(cut("    " * depth + each)) for each in comments_above(place)]
            self.lines[start:start] = above

    def begin(self, line: str, depth: int, origin: object) -> None:
        """Write `y_bar = 0.0`, behind `x_bar = ` where that stands above; so `a, b = f(x), f(y)`."""
        joined = ""
        if self.lines and self.chain == (self.lines[-1].text, depth, origin):
            joined = _joined(self.chain[0], line, origin)
        if joined and len(joined) <= WIDTH:
            self.lines[-1].text = joined
        else:
            self.put(line, depth)
        self.chain = self.lines[-1].text, depth, origin

    def set_beside(self, comments: list[str], start: int, depth: int, is_block: bool) -> None:
        """Put a comment behind the statement that begins at a line; several stand above it."""
        alone = is_block or len(self.lines) == start + 1
        if not (alone and len(comments) == 1 and _beside(self.lines[start:], comments[0])):
            self.lines[start:start] = [Line(cut("    " * depth + each)) for each in comments]

    def compound(self, statement: Statement, depth: int) -> None:
        """Write a statement with its blocks."""
        for head, block in headed(statement, self.names):
            self.noted = None if isinstance(statement, If) else self.noted
            self.put(head, depth)
            self.block(block, depth + 1)


def groups(block: list[Statement]) -> Iterator[list[Statement]]:
    """Yield runs of statements that one remark explains; others one by one."""
    run: list[Statement] = []
    for statement in block:
        if run and _joins(statement, run):
            run.append(statement)
            continue
        yield from _split(run)
        run = [statement]
    yield from _split(run)


def _joins(statement: Statement, run: list[Statement]) -> bool:
    """Tell whether a statement belongs to the same statement of the user's as those before."""
    if isinstance(statement, BLOCKS) or isinstance(run[0], BLOCKS):
        return False
    own = place_of(statement.span)
    return own is not None and own == place_of(run[0].span)


def _split(run: list[Statement]) -> Iterator[list[Statement]]:
    """Yield a run whose remark stands at its first statement that computes a derivative."""
    first = next((k for k, each in enumerate(run) if is_explained(each)), len(run))
    if first < len(run) and any(map(_concerns_tangent, run)):
        first = 0  # what a tangent needs is computed with it
    yield from ([each] for each in run[:first])
    if run[first:]:
        yield run[first:]


def _concerns_tangent(statement: Statement) -> bool:
    """Tell whether a statement binds a tangent, or stores to one."""
    changed = set(bound(statement))
    if isinstance(statement, Store):
        changed |= read_variables(stored_base(statement))
    return any(v.role is Role.TANGENT for v in changed)


def begun_together(block: list[Statement]) -> list[Statement]:
    """Return a block in which adjoints that begin one after the other begin by kinds: on one line each."""
    made: list[Statement] = []
    for begins_adjoint, run in groupby(block, _begins_adjoint):
        found = list(run)
        if begins_adjoint:
            bound_here = {variable for each in found for variable in bound(each)}
            if all(bound_here.isdisjoint(read_in(each)) for each in found):
                kinds = list(dict.fromkeys(map(_origin_of, found)))
                found.sort(key=lambda each: kinds.index(_origin_of(each)))
        made += found
    return made


def _begins_adjoint(statement: Statement) -> bool:
    match statement:
        case Let(Variable(role=Role.ADJOINT), value):
            return begins(value)
    return False


def _origin_of(statement: Statement) -> object:
    """Return what statements have in common that may stand on one line; None of others.

    They assign a literal or a name, of the user's from one line of his; begin with zeros, or as lists; take
    what one dict or object holds; compute what differs in names and numbers alone, for one line; or store
    to parts what the user stores there at one time.
    """
    match statement:
        case Store(Expr("subscript", (Expr("name", data=stored), index)), "=", _, span) if (
            stored.role is Role.PRIMAL and (at_once := stored_at_once(span, read_variables(index)))
        ):
            return at_once
        case Let(
            Variable(),
            Expr("subscript", (Expr("name") as base, Expr("constant", data=str())))
            | Expr("attribute", (Expr("name", type=Reference()) as base,)),
            None,
        ):
            return base.data.name
        case Let(Variable(role=role), value, span, effect, "=") if role in OURS:
            if value.op == "constant" or begins(value):
                is_number = isinstance(value.data, float) and role not in (Role.TERM, Role.SAVED)
                return value.op if value.op != "constant" else Role.ADJOINT if is_number else None
            is_alike = effect.is_pure and role is not Role.SAVED and value.op != "tuple"
            return (place_of(span), role, *_form(value)) if is_alike and span else None
        case Let(Variable(role=Role.PRIMAL), Expr("constant"), span, _, "=") if span is not None:
            return place_of(span)
        case Store(op="=", value=Expr("name" | "constant" as op, data=data)) if op == "name" or (
            isinstance(data, float)
        ):
            is_ours = any(v.role is not Role.PRIMAL for v in read_variables(stored_base(statement)))
            return Role.ADJOINT if is_ours and op != "name" else place_of(statement.span)
    return None


def _joined(above: str, line: str, origin: object) -> str:
    """Return one line for two assignments of one origin; "" if the second reads what the first binds."""
    names, _, values = above.partition(" = ")
    name, _, value = line.partition(" = ")
    if isinstance(origin, AtOnce):
        made = f"{names}, {name} = {values}, {value}"
        return made if origin.begins_with(f"{names.strip()}, {name}") else ""
    if isinstance(origin, Role | Place):
        start = above.removesuffix(value)
        return start + line if start.endswith("= ") else ""
    bound_above = names.strip().split(", ")
    is_whole = all(map(str.isidentifier, bound_above))  # and no end of what takes several lines
    if not is_whole or (len(bound_above) == MOST and not isinstance(origin, str)):
        return ""
    is_read = any(re.search(rf"\b{each}\b", value) for each in bound_above)
    return "" if is_read else f"{names}, {name} = {values}, {value}"


def _form(expr: Expr) -> Iterator[object]:
    """Yield what is alike in expressions that differ in names and numbers alone.

    So do np.sin(x) and np.cos(x), which call functions of words.
    """
    is_short = expr.op == "call" and all(arg.op in WORDS for arg in expr.args)
    words = WORDS if is_short else WORDS - {"global"}
    for node in nodes(expr):
        is_word = node.op in words
        yield (node.op, None if is_word else node.data, len(node.args))


def _binds_term(statement: Statement) -> bool:
    """Tell whether a statement names a part of what the user wrote as one."""
    target = statement.target if isinstance(statement, Let) else None
    return isinstance(target, Variable) and target.role is Role.TERM


def _beside(lines: list[Line], note: str) -> bool:
    """Put a comment behind the first of some lines; tell whether there is room for it."""
    text = lines[0].text
    if len(text) + 2 + len(note) > WIDTH or "#" in text:
        return False
    lines[0].text = f"{text}  {note}"
    return True


def _folder_of(let: Let) -> str | None:
    """Return the call that makes a directory for files, None of other assignments."""
    is_one = printed.name_of(called_object(let.value)) == "_scratch"
    return expression(let.value, {}) if is_one else None
