"""The text of a function of the user's, made to stand in another file under other names.

@cached                                  def model_step(x, rate=0.5):
def step(x: float, rate=RATE):    ->         return math.exp(-rate * x) * model_GAIN
    return math.exp(-rate * x) * GAIN

Comments and layout stay the user's. What a name means in the new file is said by `Put`s; a
function whose text cannot be cut and pasted (a lambda, a name in an f-string) is printed anew.
"""

from __future__ import annotations

import copy
import io
import tokenize
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import gast

from s2sad.legacy.printing import statement_text, wrap
from s2sad.legacy.program import Opaque
from s2sad.source.text import Source
from s2sad.source.trees import nodes_of

WIDTH = 88


@dataclass(frozen=True, slots=True)
class Put:
    """The (dotted) name at `node` is to be written as `text`."""

    node: Any
    text: str


def transplanted(
    source: Source,
    name: str,
    puts: Sequence[Put],
    defaults: Sequence[str | None],
    decorated: bool = False,
) -> str:
    """Return the text of a function as it stands in another file, called `name` there.

    `defaults` are the texts of the defaults of its parameters, in order, None where there is none.
    """
    if not _can_be_pasted(source, puts):
        return _printed(source, name, puts, defaults, decorated)
    lines = source.text.encode().splitlines(keepends=True)
    for put in sorted(puts, key=_place, reverse=True):
        _replace(lines, put, source.line)
    text = b"".join(lines).decode()
    skipped = 0 if decorated else source.tree.lineno - source.line
    own = _without_indent(text.splitlines(keepends=True), source.tree.col_offset)[skipped:]
    return _with_header("".join(own), source, name, defaults).rstrip()


def with_names(node: Any, puts: Iterable[Put]) -> Any:
    """Return a copy of a syntax tree in which other names stand."""
    wanted = {id(put.node): put.text for put in puts}
    return _Renaming(wanted).visit(copy.deepcopy(node, _keeping(node, wanted)))


# ---------------------------------------------------------------- cut and paste


def _can_be_pasted(source: Source, puts: Sequence[Put]) -> bool:
    first = source.text.encode().splitlines()[source.tree.lineno - source.line]
    if not first[source.tree.col_offset :].startswith(b"def "):
        return False
    # Python 3.11 does not know where the parts of an f-string stand
    strings = (part for part in nodes_of(source.tree) if isinstance(part, gast.JoinedStr))
    inside = {id(part) for string in strings for part in nodes_of(string)}
    return all(_name_at(put) == put.text for put in puts if id(put.node) in inside)


def _name_at(put: Put) -> str:
    node, words = put.node, []
    while isinstance(node, gast.Attribute):
        words.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(words)])


def _place(put: Put) -> tuple[int, int]:
    return put.node.lineno, put.node.col_offset


def _replace(lines: list[bytes], put: Put, first: int) -> None:
    node = put.node
    if _name_at(put) == put.text:
        return
    start, end = node.lineno - first, node.end_lineno - first
    before, after = lines[start][: node.col_offset], lines[end][node.end_col_offset :]
    lines[start : end + 1] = [before + put.text.encode() + after]
    lines[start + 1 : start + 1] = [b""] * (end - start)


def _without_indent(lines: list[str], width: int) -> list[str]:
    """Take indentation off, except from lines inside strings."""
    if not width:
        return lines
    protected = set(_inside_strings("".join(lines)))
    return [
        line if number in protected else line[_leading(line, width) :]
        for number, line in enumerate(lines, 1)
    ]


def _leading(line: str, width: int) -> int:
    return min(width, len(line) - len(line.lstrip(" \t")))


def _inside_strings(text: str) -> Iterator[int]:
    """Yield the numbers of the lines that begin inside a string."""
    opened = 0
    for token in _tokens(text):
        kind = tokenize.tok_name[token.type]
        if kind == "FSTRING_START" and not opened:
            opened = token.start[0]
        if kind == "FSTRING_END":
            yield from range(opened + 1, token.end[0] + 1)
            opened = 0
        if kind == "STRING":
            yield from range(token.start[0] + 1, token.end[0] + 1)


def _tokens(text: str) -> Iterator[tokenize.TokenInfo]:
    try:
        yield from tokenize.generate_tokens(io.StringIO(text).readline)
    except (tokenize.TokenError, IndentationError):
        return  # behind the last line of the function


# ---------------------------------------------------------------- the first line


def _with_header(text: str, source: Source, name: str, defaults: Sequence[str | None]) -> str:
    """Give a function its name in the file; annotations and decorators are left out."""
    args = source.tree.args
    every = [*args.posonlyargs, *args.args, *args.kwonlyargs, args.vararg, args.kwarg]
    annotated = source.tree.returns or any(arg and arg.annotation for arg in every)
    literal = all(map(_is_literal, filter(None, _default_nodes(args))))
    if name == source.tree.name and not annotated and literal:
        return text
    start, end = _header(text)
    head = wrap("", f"def {name}({_parameters(args, defaults)}):", 0, WIDTH)
    return text[:start] + "\n".join(head) + text[end:]


def _header(text: str) -> tuple[int, int]:
    """Return where the `def` of a text begins and where its colon ends."""
    depth, starts = 0, [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    begin = -1
    for token in _tokens(text):
        if begin < 0 and token.string != "def":
            continue
        if begin < 0:
            begin = starts[token.start[0] - 1] + token.start[1]
        depth += (token.string in ("(", "[", "{")) - (token.string in (")", "]", "}"))
        if token.type == tokenize.OP and token.string == ":" and not depth:
            return begin, starts[token.end[0] - 1] + token.end[1]
    raise AssertionError("a def has a colon")


def _default_nodes(args: Any) -> list[Any]:
    """Return the default of each parameter in order, None where there is none."""
    positional = [*args.posonlyargs, *args.args]
    return [*[None] * (len(positional) - len(args.defaults)), *args.defaults, *args.kw_defaults]


def _is_literal(node: Any) -> bool:
    return isinstance(node.operand if isinstance(node, gast.UnaryOp) else node, gast.Constant)


def _parameters(args: Any, defaults: Sequence[str | None]) -> str:
    """Return a parameter list, without annotations."""
    positional = [arg.id for arg in (*args.posonlyargs, *args.args)]
    names = [*positional, *(arg.id for arg in args.kwonlyargs)]
    parts = [
        name if default is None else f"{name}={default}"
        for name, default in zip(names, defaults, strict=True)
    ]
    if args.vararg or args.kwonlyargs:
        parts.insert(len(positional), f"*{args.vararg.id if args.vararg else ''}")
    if args.posonlyargs:
        parts.insert(len(args.posonlyargs), "/")
    if args.kwarg:
        parts.append(f"**{args.kwarg.id}")
    return ", ".join(parts)


# ---------------------------------------------------------------- printed anew


def _printed(
    source: Source, name: str, puts: Sequence[Put], defaults: Sequence[str | None], decorated: bool
) -> str:
    tree = with_names(source.tree, puts)
    tree.decorator_list = tree.decorator_list if decorated else []
    tree.name = name
    tree.args = copy.deepcopy(source.tree.args)
    text = "\n".join(statement_text(Opaque(tree), str))
    start, end = _header(text)
    head = wrap("", f"def {name}({_parameters(tree.args, defaults)}):", 0, WIDTH)
    return text[:start] + "\n".join(head) + text[end:]


def _keeping(node: Any, wanted: dict[int, str]) -> dict[int, Any]:
    """Return a memo with which a copy keeps those nodes that are to be replaced."""
    return {id(part): part for part in nodes_of(node) if id(part) in wanted}


class _Renaming(gast.NodeTransformer):  # type: ignore[misc]
    def __init__(self, wanted: dict[int, str]):
        self.wanted = wanted

    def visit(self, node: Any) -> Any:
        text = self.wanted.get(id(node))
        if text is None:
            return super().visit(node)
        return gast.parse(text, mode="eval").body
