"""A named Program becomes the text of a function, with the comments a reader needs.

    x_bar = 0.5 * x_bar              # 30: x = 0.5 * (x + a / x)

Primal statements look as the user wrote them. Statements of the reverse sweep say which line of
the primal they undo; zeros and values taken back need no comment.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from s2sad.errors import Span
from s2sad.printing import statement_text, text, wrap
from s2sad.program import (
    Assign,
    Block,
    Break,
    Call,
    Const,
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
    Ref,
    Restore,
    Save,
    Stmt,
    Update,
    Var,
    blocks,
    defines,
)

WIDTH = 88
COLUMN = 36
RULER = 70


@dataclass
class Writer:
    """The lines of one function while they are written."""

    names: Mapping[str, str]
    comments: Mapping[int, str] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)
    shown: set[int] = field(default_factory=set)

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
) -> list[str]:
    """Return the lines of a function: signature, docstring, checks, statements, result."""
    writer = Writer(names, comments or {})
    program = replace(program, body=_without_idle(program.body, names))
    writer.lines += _signature(program, writer)
    writer.lines += _docstring(header)
    writer.lines += list(checks)
    forward, reverse = _sweeps(program.body)
    if not rulers:
        _block(writer, program.body, 1)
    else:
        if checks and (forward or reverse):
            writer.lines.append("")
        if forward and reverse:
            writer.lines.append(_ruler("forward sweep"))
        _block(writer, forward, 1)
        if reverse:
            if forward:
                writer.lines.append("")
            writer.lines.append(_ruler("reverse sweep"))
            _block(writer, reverse, 1)
    _result(writer, program.result)
    return writer.lines


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


def _ruler(what: str) -> str:
    return f"    # -- {what} ".ljust(RULER, "-")


def _result(writer: Writer, result: Expr) -> None:
    if isinstance(result, Op) and result.op == "tuple" and len(result.args) > 1:
        writer.put("return " + ", ".join(writer.text(part) for part in result.args), 1)
    else:
        writer.put(f"return {writer.text(result)}", 1)


def _sweeps(block: Block) -> tuple[Block, Block]:
    """Split a body where the reverse sweep begins."""
    for position, stmt in enumerate(block):
        if is_reverse(stmt):
            return block[:position], block[position:]
    return block, ()


def is_reverse(stmt: Stmt) -> bool:
    """Tell whether a statement belongs to the reverse sweep."""
    if isinstance(stmt, Restore):
        return True
    if any("~bar" in var.slot or "~back" in var.slot for var in defines(stmt)):
        return True
    return any(is_reverse(inner) for block in blocks(stmt) for inner in block)


# ---------------------------------------------------------------- signature and docstring


def _signature(program: Program, writer: Writer) -> list[str]:
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


def _docstring(header: Sequence[str]) -> list[str]:
    if len(header) == 1:
        return [f'    """{header[0]}"""']
    if not header:
        return []
    return [f'    """{header[0]}', *(f"    {line}".rstrip() for line in header[1:]), '    """']


# ---------------------------------------------------------------- blocks and their comments


def _block(writer: Writer, block: Block, depth: int) -> None:
    if not block:
        writer.put("pass", depth)
    for group in _groups(block):
        _group(writer, group, depth)


def _groups(block: Block) -> Iterator[list[Stmt]]:
    """Yield runs of plain reverse statements that undo one line; other statements alone."""
    run: list[Stmt] = []
    for stmt in block:
        if run and not (_explained(stmt) and stmt.span == run[0].span):
            yield run
            run = []
        if _explained(stmt):
            run.append(stmt)
        else:
            yield [stmt]
    if run:
        yield run


def _explained(stmt: Stmt) -> bool:
    """Tell whether a statement gets a comment: the adjoint of a line, but no zero."""
    if isinstance(stmt, Assign):
        zero = stmt.value == Const(0.0) or _is_zeros(stmt.value)
        return any("~bar" in var.slot for var in stmt.targets) and not zero
    return isinstance(stmt, Update) and "~bar" in stmt.new.slot and stmt.value != Const(0.0)


def _is_zeros(value: Expr) -> bool:
    return isinstance(value, Call) and value.func in (Ref("np.zeros_like", None),) or (
        isinstance(value, Call)
        and isinstance(value.func, Ref)
        and value.func.text in ("np.zeros_like", "_zeros_of")
    )


def _group(writer: Writer, group: list[Stmt], depth: int) -> None:
    if not _explained(group[0]):
        _statement(writer, group[0], depth)
        return
    note = comment_of(group[0].span)
    start = len(writer.lines)
    for stmt in group:
        _statement(writer, stmt, depth)
    if not note or start == len(writer.lines):
        return
    first = writer.lines[start]
    column = max(COLUMN, len(first) + 2)
    if len(group) < 3 and len(first) + 2 <= COLUMN + 12 and column + len(note) <= WIDTH:
        if len(writer.lines) - start == len(group):
            writer.lines[start] = first.ljust(column) + note
            return
    writer.lines[start:start] = wrap_comment("    " * depth + note)


def wrap_comment(line: str) -> list[str]:
    """Return a comment line, cut where it would be too long."""
    return [line if len(line) <= WIDTH else line[: WIDTH - 3].rstrip() + "..."]


def comment_of(span: Span) -> str:
    """Return the remark that names the user's line."""
    written = span.text().split("  #")[0].strip()
    return f"# {span.line}: {written}" if written else ""


# ---------------------------------------------------------------- statements


def _statement(writer: Writer, stmt: Stmt, depth: int) -> None:
    _user_comments(writer, stmt, depth)
    match stmt:
        case Assign():
            _assign(writer, stmt, depth)
        case Update():
            writer.put(_update(writer, stmt), depth)
        case Pop(target, _, old):
            writer.put(f"{writer.text(target)} = {writer.text(old)}.pop()", depth)
        case Save(store, value):
            writer.put(f"{writer.name(store)}.append({writer.text(value)})", depth)
        case Restore(target, store):
            writer.put(f"{writer.text(target)} = {writer.name(store)}.pop()", depth)
        case NewStore(store):
            writer.put(f"{writer.name(store)} = []", depth)
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
        writer.lines += wrap_comment("    " * depth + comment)


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
    if stmt.index is None:
        return f"{old} {stmt.op}= {value}"
    place = Op("index", (stmt.old, stmt.index))
    if stmt.op == "add.at":
        return f"np.add.at({old}, {_key(writer, stmt.index)}, {value})"
    if stmt.op != "=":
        return f"{writer.text(place)} {stmt.op}= {value}"
    match stmt.value:
        case Op(op, (left, right)) if left == place and f"{op}=" in stmt.span.text():
            return f"{writer.text(place)} {op}= {writer.text(right)}"
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
        f"({_target(writer, part)})" if isinstance(part, tuple) else _target(writer, part)
        for part in targets
    ]
    return ", ".join(parts) + ("," if len(parts) == 1 else "")
