"""A named Program becomes the text of a function, with the comments a reader needs.

    x_bar = 0.5 * x_bar              # 30: x = 0.5 * (x + a / x)

Primal statements look as the user wrote them. Statements of the reverse sweep say which line of
the primal they undo; zeros and values taken back need no comment.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import gast

from s2sad.ir.errors import Span
from s2sad.legacy.comments import WIDTH, beside, cut, groups, is_reverse, remark
from s2sad.legacy.docstrings import docstring
from s2sad.legacy.printing import statement_text, text, wrap
from s2sad.legacy.program import (
    Assign,
    Block,
    Break,
    Effect,
    Expr,
    If,
    Loop,
    NewStore,
    Op,
    Opaque,
    Param,
    Pop,
    Program,
    Restore,
    Save,
    Stmt,
    Update,
    Var,
)
from s2sad.legacy.schedules.disk import folders_of, without_folders
from s2sad.legacy.templating import SCRATCH
from s2sad.legacy.traverse import is_nested

RULER = 74


@dataclass
class Writer:
    """The lines of one function while they are written."""

    names: Mapping[str, str]
    comments: Mapping[int, str] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)
    shown: set[int] = field(default_factory=set)
    # where the result is returned, and the place that stands for it
    seed: Span | None = None
    whole: Span | None = None
    noted: tuple[str, int] | None = None
    reverse: bool = False
    gap: bool = False
    # how deep the outermost statements stand
    depth: int = 1

    def name(self, slot: str) -> str:
        """Return the identifier of a slot."""
        return self.names[slot]

    def text(self, expr: Expr) -> str:
        """Return an expression as text."""
        return text(expr, self.name)

    def put(self, line: str, depth: int) -> None:
        """Write one statement, over several lines if it is long."""
        self.lines += wrap("", line, 4 * depth, WIDTH)


def function_text(
    program: Program,
    names: Mapping[str, str],
    header: Sequence[str],
    checks: Sequence[str] = (),
    comments: Mapping[int, str] | None = None,
    rulers: bool = True,
    returned: Span | None = None,
) -> list[str]:
    """Return the lines of a function: signature, docstring, checks, statements, result."""
    writer = Writer(names, comments or {}, seed=returned, whole=program.span)
    program = replace(program, body=_without_idle(program.body, names))
    writer.lines += signature(program, writer)
    writer.lines += docstring(header)
    writer.lines += list(checks)
    own, body = _own_checks(program)
    _block(writer, own, 1)
    if rulers and (checks or own) and body:
        writer.lines.append("")
    folders = folders_of(body, names)
    body = without_folders(body)
    if folders:
        made = (f"{SCRATCH}({constant}) as {name}" for constant, name in folders)
        writer.put(f"with {', '.join(made)}:", 1)
        writer.depth = 2
    _body(writer, body, rulers)
    if writer.gap:
        writer.lines.append("")
    _result(writer, program.result)
    return writer.lines


def _body(writer: Writer, body: Block, rulers: bool) -> None:
    """Write the two sweeps, each under its title where both are there."""
    forward, reverse = _sweeps(body) if rulers else (body, ())
    if forward and reverse:
        writer.lines.append(_ruler("forward sweep", writer.depth))
    _block(writer, forward, writer.depth)
    if reverse:
        if forward:
            writer.lines.append("")
        writer.lines.append(_ruler("reverse sweep", writer.depth))
        writer.reverse = True
        _block(writer, reverse, writer.depth)


def _own_checks(program: Program) -> tuple[Block, Block]:
    """Split off the checks that the text of a derivative, differentiated again, begins with."""
    count = 0
    if program.span.path.startswith("<s2sad"):
        while count < len(program.body) and _is_check(program.body[count]):
            count += 1
    return program.body[:count], program.body[count:]


def _is_check(stmt: Stmt) -> bool:
    match stmt:
        case If(_, (Effect(Opaque(gast.Raise())),), ()):
            return True
    return False


def _without_idle(block: Block, names: Mapping[str, str]) -> Block:
    """Return the block without copies to the same name, and without what they leave empty."""
    out: list[Stmt] = []
    for stmt in block:
        match stmt:
            case Assign((target,), Var() as value) if names[target.slot] == names[value.slot]:
                continue
            case If():
                then, orelse = _without_idle(stmt.then, names), _without_idle(stmt.orelse, names)
                if then or orelse:
                    out.append(replace(stmt, then=then, orelse=orelse))
            case Loop():
                body = _without_idle(stmt.body, names)
                if body or not stmt.body:
                    out.append(replace(stmt, body=body))
            case _:
                out.append(stmt)
    return tuple(out)


def _ruler(what: str, depth: int) -> str:
    return f"{'    ' * depth}# -- {what} ".ljust(RULER, "-")


def _result(writer: Writer, result: Expr) -> None:
    if isinstance(result, Op) and result.op == "tuple" and len(result.args) > 1:
        writer.put("return " + ", ".join(writer.text(part) for part in result.args), writer.depth)
    else:
        writer.put(f"return {writer.text(result)}", writer.depth)


def _sweeps(block: Block) -> tuple[Block, Block]:
    """Split a body where the reverse sweep begins."""
    for position, stmt in enumerate(block):
        if is_reverse(stmt):
            return block[:position], block[position:]
    return block, ()


# ---------------------------------------------------------------- signature and docstring


def signature(program: Program, writer: Writer) -> list[str]:
    """Return the first lines of a function."""
    return wrap("", f"def {program.name}({parameters(program.params, writer.text)}):", 0, WIDTH)


def parameters(params: Sequence[Param], show: Callable[[Expr], str]) -> str:
    """Return a parameter list as Python writes it."""
    parts: list[str] = []
    kinds = [param.kind for param in params]
    for position, param in enumerate(params):
        if param.kind == "keyword" and "keyword" not in kinds[:position]:
            parts.append("*")
        name = show(param.var)
        parts.append(name if param.default is None else f"{name}={show(param.default)}")
        if param.kind == "positional" and kinds[position + 1 : position + 2] != ["positional"]:
            parts.append("/")
    return ", ".join(parts)


# ---------------------------------------------------------------- blocks and their comments


def _block(writer: Writer, block: Block, depth: int) -> None:
    if not block and depth > writer.depth:
        writer.put("pass", depth)
    for group, explained in groups(block):
        _space(writer, group[0], depth)
        if explained:
            _group(writer, group, depth)
        else:
            _statement(writer, group[0], depth)
        writer.gap = writer.reverse and isinstance(group[0], Loop) and depth == writer.depth


def _space(writer: Writer, stmt: Stmt, depth: int) -> None:
    """Leave a line empty around the outermost loops of a reverse sweep."""
    loop = writer.reverse and isinstance(stmt, Loop) and depth == writer.depth
    if (writer.gap or loop) and not _starts(writer):
        writer.lines.append("")
    writer.gap = False
    if isinstance(stmt, If | Loop):
        writer.noted = None


def _starts(writer: Writer) -> bool:
    last = writer.lines[-1] if writer.lines else ""
    return not last or last.lstrip().startswith("# --")


def _group(writer: Writer, group: list[Stmt], depth: int) -> None:
    """Write statements that belong to one line of the user's, and say so."""
    outer, writer.lines = writer.lines, []
    for stmt in group:
        _statement(writer, stmt, depth)
    lines, writer.lines = writer.lines, outer
    note = _remark_of(writer, group[0], lines)
    if note and (len(lines) > len(group) or not beside(lines, note)):
        lines.insert(0, cut("    " * depth + note))
        if depth == writer.depth and writer.reverse and not _starts(writer):
            lines.insert(0, "")
    writer.lines += lines


def _remark_of(writer: Writer, stmt: Stmt, lines: Sequence[str]) -> str:
    """Return the remark for lines that begin with `stmt`, once for each line of the user's."""
    span = writer.seed if stmt.span == writer.whole else stmt.span
    if span is None or not lines or (span.path, span.line) == writer.noted:
        return ""
    writer.noted = (span.path, span.line)
    written = span.text().split("  #")[0]
    # where the line itself stands, it explains itself
    return "" if lines[0].strip() == written else remark(span)


# ---------------------------------------------------------------- statements


def _statement(writer: Writer, stmt: Stmt, depth: int) -> None:
    _user_comments(writer, stmt, depth)
    match stmt:
        case Assign():
            _assign(writer, stmt, depth)
        case Update():
            writer.put(_update(writer, stmt), depth)
        case Pop(target, _, old, _, index):
            where = "" if index is None else writer.text(index)
            writer.put(f"{writer.text(target)} = {writer.text(old)}.pop({where})", depth)
        case Save(store, value):
            writer.put(f"{writer.name(store)}.append({writer.text(value)})", depth)
        case Restore(target, store):
            writer.put(f"{writer.text(target)} = {writer.name(store)}.pop()", depth)
        case NewStore(store, _, packed):
            writer.put(f"{writer.name(store)} = {f'{packed}()' if packed else '[]'}", depth)
        case Effect(Opaque() as copied) if not _is_expression(copied):
            for line in statement_text(copied, writer.name):
                writer.lines.append("    " * depth + line)
        case Effect(value):
            writer.put(writer.text(value), depth)
        case If():
            _branch(writer, stmt, depth, "if")
        case Loop():
            _loop(writer, stmt, depth)
        case Break():
            writer.put("break", depth)


def _is_expression(copied: Opaque) -> bool:
    import gast

    return isinstance(copied.node, gast.expr)


def _user_comments(writer: Writer, stmt: Stmt, depth: int) -> None:
    """Write the user's comment lines that stand above a primal statement."""
    if is_reverse(stmt) and not isinstance(stmt, If | Loop):
        return
    line = stmt.span.line - 1
    above: list[str] = []
    while line in writer.comments and line not in writer.shown:
        above.append(writer.comments[line])
        writer.shown.add(line)
        line -= 1
    for comment in reversed(above):
        writer.lines += [cut("    " * depth + comment)]


def _assign(writer: Writer, stmt: Assign, depth: int) -> None:
    left = ", ".join(writer.text(target) for target in stmt.targets)
    if stmt.unpack and len(stmt.targets) == 1:
        left += ","
    value = stmt.value
    if stmt.unpack and isinstance(value, Op) and value.op in ("tuple", "list") and value.args:
        right = ", ".join(writer.text(part) for part in value.args)
        right += "," if len(value.args) == 1 else ""
    else:
        right = writer.text(value)
    if left != right:
        writer.put(f"{left} = {right}", depth)


def _update(writer: Writer, stmt: Update) -> str:
    old, value = writer.text(stmt.old), writer.text(stmt.value)
    if stmt.op == "append":
        return f"{old}.append({value})"
    if stmt.op == "insert" and stmt.index is not None:
        return f"{old}.insert({writer.text(stmt.index)}, {value})"
    if stmt.index is None:
        return f"{old} {stmt.op}= {value}"
    place = Op("index", (stmt.old, stmt.index))
    if stmt.op == "add.at":
        return f"np.add.at({old}, {_key(writer, stmt.index)}, {value})"
    if stmt.op != "=":
        return f"{writer.text(place)} {stmt.op}= {value}"
    return f"{writer.text(place)} = {value}"


def _key(writer: Writer, index: Expr) -> str:
    if isinstance(index, Op) and index.op == "tuple":
        return f"({', '.join(_slice_text(writer, part) for part in index.args)})"
    return _slice_text(writer, index)


def _slice_text(writer: Writer, part: Expr) -> str:
    return writer.text(part)


def _branch(writer: Writer, stmt: If, depth: int, word: str) -> None:
    then, orelse, test = stmt.then, stmt.orelse, stmt.test
    if not then and orelse:
        then, orelse, test = orelse, (), negated(test)
    writer.put(f"{word} {writer.text(test)}:", depth)
    _block(writer, then, depth + 1)
    if len(orelse) == 1 and isinstance(orelse[0], If) and orelse[0].then:
        _branch(writer, orelse[0], depth, "elif")
    elif orelse:
        writer.put("else:", depth)
        _block(writer, orelse, depth + 1)


def negated(test: Expr) -> Expr:
    """Return the opposite of a test; not of an ordering, where a nan would tell them apart."""
    match test:
        case Op("not", (inner,)):
            return inner
        case Op("==", args):
            return Op("!=", args)
        case Op("is", args):
            return Op("is_not", args)
    return Op("not", (test,))


def _loop(writer: Writer, loop: Loop, depth: int) -> None:
    if loop.iterable is None:
        assert loop.test is not None
        writer.put(f"while {writer.text(loop.test)}:", depth)
    else:
        target = _target(writer, loop.targets) or "_"
        writer.put(f"for {target} in {writer.text(loop.iterable)}:", depth)
    _block(writer, loop.body, depth + 1)


def _target(writer: Writer, targets: object) -> str:
    if isinstance(targets, Var):
        return writer.text(targets)
    assert isinstance(targets, tuple)
    parts = [
        f"({_target(writer, part)})" if is_nested(part) else _target(writer, part)
        for part in targets
    ]
    return ", ".join(parts) + ("," if len(parts) == 1 else "")
