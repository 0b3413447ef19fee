"""Turns a function object into its source text and tree, checked to be what the function runs.

    source = source_of(f)
    source.tree       gast.FunctionDef; its lines and columns are those of the file
    source.comments   {12: Comment("# metres", alone=False)}

The text is compiled and compared with the function's own code: a file that was edited after it
was imported is refused, not differentiated.
"""

from __future__ import annotations

import ast
import builtins
import functools
import inspect
import io
import tokenize
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import (
    CodeType,
    FunctionType,
    MappingProxyType,
    MethodType,
    ModuleType,
)
from typing import Any, Final

import gast
import numpy as np

from s2sad.ir.errors import NoSource, Span
from s2sad.source.codes import Definition, first_line, runs
from s2sad.source.files import parsed, text_of
from s2sad.source.importing import imported
from s2sad.source.jitted import python_of
from s2sad.source.names import locals_of
from s2sad.source.pieces import lines_of, piece_around
from s2sad.source.same_code import edited
from s2sad.source.trees import nodes_of

MISSING: Final = object()


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment with its `#`; `alone` on its line or behind a statement."""

    text: str
    alone: bool


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """A function and its text: lines are numbered as in the file at `path`."""

    function: FunctionType
    tree: Any
    path: str
    line: int
    text: str
    comments: Mapping[int, Comment]
    locals: frozenset[str]
    file: str
    # what it imports, and classes that it defines for itself, as far as they are known
    made: Mapping[str, Any] = field(default_factory=dict)

    @property
    def module_tree(self) -> ast.Module:
        """The tree of the whole file; raises NoSource where it is not Python any more."""
        return _parsed(self.file, self.path, self.function.__name__)

    @property
    def is_emitted(self) -> bool:
        """Tell whether this is the text of a derivative."""
        return self.path.startswith("<s2sad")

    def resolve(self, name: str) -> Any:
        """Return what a name means outside the function; MISSING where nothing."""
        return resolve(self, name)


def source_of(function: Any) -> Source:
    """Return the source of a Python function, method or lambda, or raise NoSource."""
    plain = _plain_function(function)
    given: Source | None = plain.__dict__.get(_GIVEN)
    return given or _source(plain, plain.__code__, *text_of(plain))


def signature_of(function: Any) -> inspect.Signature:
    """Return what a function takes itself: not what it wraps, nor what it says that it takes."""
    if not isinstance(function, FunctionType):
        return inspect.signature(function, follow_wrapped=False)
    plain = FunctionType(
        function.__code__,
        function.__globals__,
        function.__name__,
        function.__defaults__,
        function.__closure__,
    )
    plain.__kwdefaults__ = function.__kwdefaults__
    plain.__annotations__ = function.__annotations__
    return inspect.signature(plain)


def given_source(function: FunctionType, source: Source) -> None:
    """Let `source` be that of a function which stands in no file."""
    function.__dict__[_GIVEN] = source


_GIVEN = "__s2sad_source__"


@functools.lru_cache(maxsize=512)
def _source(plain: FunctionType, code: CodeType, text: str, path: str) -> Source:
    node, part = _found(plain, text, path)
    tree = gast.ast_to_gast(_as_def(node, plain, parsed(part)))
    first, last = first_line(node), node.end_lineno or node.lineno
    lines = lines_of(text)[first - 1 : last]
    comments = MappingProxyType(dict(_comments(lines, first)))
    where = path or code.co_filename
    made = imported(tree, plain.__globals__)
    own = locals_of(tree).difference(made)
    return Source(plain, tree, where, first, "".join(lines), comments, own, text, made)


def _plain_function(function: Any) -> FunctionType:
    if isinstance(function, MethodType):
        function = function.__func__
    if isinstance(function, FunctionType):
        return function
    name = getattr(function, "__name__", None) or repr(function)
    if isinstance(function, functools.partial):
        hint = "Give s2sad a function: def g(x): return f(x, ...)."
    elif isinstance(function, type) or not callable(function):
        hint = "Give s2sad a function written in Python."
    else:
        hint = "It is not written in Python: wrap it in a function, or add a rule for it."
    raise NoSource(f"{name} is no Python function, so it has no source to read", hint=hint)


def _parsed(text: str, path: str, name: str) -> ast.Module:
    try:
        return parsed(text)
    except (SyntaxError, ValueError):
        raise NoSource(
            f"the text that should hold {name} is not Python: {path!r}",
            hint="Was the file changed after it was imported? Import it again.",
        ) from None


# ---------------------------------------------------------------------------- the definition


def _found(function: FunctionType, text: str, path: str) -> tuple[Definition, str]:
    """Return the definition of a function, and the part of its file that it was found in."""
    part = piece_around(text, function.__code__)
    try:
        return _definition(function, part), part
    except (NoSource, SyntaxError, ValueError):
        _parsed(text, path, function.__name__)
    try:
        return _definition(function, text), text
    except NoSource as refusal:
        found = _edited(function, text)
        if found is None:
            raise refusal
        return found, text


def _definition(function: FunctionType, text: str) -> Definition:
    """Return the one definition in the text that compiles to what the function runs."""
    code = function.__code__
    of_kind = _lambdas if code.co_name == "<lambda>" else _functions
    found = of_kind(text).get((code.co_name, code.co_firstlineno), [])
    # the same name on the same line: told apart by columns, which only lambdas need
    found = [node for node in found if len(found) == 1 or _spans(node, code)]
    if len(found) != 1:
        what = "more than one lambda stands" if found else "no definition of it stands"
        raise NoSource(
            f"the source of {function.__name__} cannot be told: {what} "
            f"at line {code.co_firstlineno} of {code.co_filename!r}",
            hint="Give it a def of its own, or import its file again if that was changed.",
        )
    if not runs(found[0], text, code):
        raise NoSource(
            f"the text of {function.__name__} in {code.co_filename!r} is not what it runs",
            hint="Was the file changed after it was imported? Import it again.",
        )
    return found[0]


def _edited(function: FunctionType, text: str) -> Definition | None:
    """Return the definition of a function that was compiled by itself after its file was edited."""
    code = function.__code__
    named = [
        node
        for (name, _), each in _functions(text).items()
        if name == code.co_name
        for node in each
    ]
    found = edited(named, code)
    if len(found) > 1:
        known = _by_qualified_name(text).get(function.__qualname__)
        found = [node for node in found if node is known]
    return found[0] if len(found) == 1 else None


def _by_qualified_name(text: str) -> dict[str, Definition]:
    """Return the functions and methods of the top level by the name that they have in a module."""
    found: dict[str, Definition] = {}
    waiting: list[tuple[str, ast.stmt]] = [("", node) for node in parsed(text).body]
    for prefix, node in waiting:
        if isinstance(node, ast.ClassDef):
            waiting += [(f"{prefix}{node.name}.", each) for each in node.body]
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            found[prefix + node.name] = node
    return found


_Definitions = dict[tuple[str, int], list[Definition]]


@functools.lru_cache(maxsize=64)
def _functions(text: str) -> _Definitions:
    """Return the functions of a file by the name and the first line of their code."""
    found: _Definitions = {}
    for node in _statements(parsed(text).body):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            found.setdefault((node.name, first_line(node)), []).append(node)
    return found


@functools.lru_cache(maxsize=64)
def _lambdas(text: str) -> _Definitions:
    """Return the lambdas of a file by their name, which all share, and the line of their code."""
    found: _Definitions = {}
    for node in nodes_of(parsed(text)):
        if isinstance(node, ast.Lambda):
            found.setdefault(("<lambda>", node.lineno), []).append(node)
    return found


def _statements(block: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Yield the statements of a block and of all blocks inside; expressions hold none."""
    waiting = [*block]
    while waiting:
        node = waiting.pop()
        yield node
        for part in ("body", "handlers", "orelse", "finalbody", "cases"):
            waiting.extend(getattr(node, part, ()))


def _spans(node: ast.AST, code: CodeType) -> bool:
    """Tell whether the code's instructions stand exactly where a lambda's body does."""
    if not isinstance(node, ast.Lambda):
        return True
    body = node.body
    places = [place for place in code.co_positions() if None not in place and place[2:] != (0, 0)]
    starts = min(((line, column) for line, _, column, _ in places), default=None)
    ends = max(((line, column) for _, line, _, column in places), default=None)
    return (starts, ends) == (
        (body.lineno, body.col_offset),
        (body.end_lineno, body.end_col_offset),
    )


def _as_def(node: Definition, function: FunctionType, module: ast.Module) -> ast.AST:
    """Return a lambda as the `def` that means the same; a `def` as it is."""
    if not isinstance(node, ast.Lambda):
        return node
    body = ast.copy_location(ast.Return(node.body), node.body)
    given = next((name for name in _assigned_lambdas(node, module)), "function")
    name = function.__name__ if function.__name__.isidentifier() else given
    fields: dict[str, Any] = {"name": name, "args": node.args, "body": [body]}
    fields |= {
        "decorator_list": [],
        "returns": None,
        "type_comment": None,
        "type_params": [],
    }
    known = {key: value for key, value in fields.items() if key in ast.FunctionDef._fields}
    return ast.copy_location(ast.FunctionDef(**known), node)


def _assigned_lambdas(node: ast.Lambda, module: ast.Module) -> Iterator[str]:
    for each in nodes_of(module):
        if isinstance(each, (ast.Assign, ast.AnnAssign)) and each.value is node:
            target = each.targets[0] if isinstance(each, ast.Assign) else each.target
            if isinstance(target, ast.Name):
                yield target.id


def _comments(lines: Sequence[str], first: int) -> Iterator[tuple[int, Comment]]:
    reader = io.StringIO("".join(lines)).readline
    try:
        for token in tokenize.generate_tokens(reader):
            if token.type == tokenize.COMMENT:
                alone = not token.line[: token.start[1]].strip()
                yield token.start[0] + first - 1, Comment(token.string, alone)
    except (tokenize.TokenError, IndentationError, SyntaxError):
        return  # a lambda's lines need not be whole statements


# ---------------------------------------------------------------------------- names


def resolve(source: Source, name: str) -> Any:
    """Return what a name of a closure, a global or a builtin means; MISSING where nothing."""
    if name in source.made:
        return source.made[name]
    function = source.function
    free = function.__code__.co_freevars
    if name in free:
        try:
            return python_of((function.__closure__ or ())[free.index(name)].cell_contents)
        except ValueError:
            return MISSING
    if name in function.__globals__:
        return python_of(function.__globals__[name])
    return getattr(builtins, name, MISSING)


def span(source: Source, node: Any) -> Span:
    """Return the place of a node in the user's file."""
    tree = source.tree
    line = getattr(node, "lineno", None) or tree.lineno
    if getattr(node, "lineno", None) is None:
        return Span(source.path, tree.name, line, tree.col_offset)
    ends = node.end_lineno or line, node.end_col_offset or 0
    return Span(source.path, tree.name, line, node.col_offset, *ends)


def resolve_dotted(source: Source, node: Any) -> tuple[str, Any] | None:
    """Return the text and the object of a global's dotted name, or None for anything else.

    Only attributes of modules, classes and ufuncs are followed: those of others may change.
    """
    attributes: list[str] = []
    while isinstance(node, gast.Attribute):
        attributes.append(node.attr)
        node = node.value
    if not isinstance(node, gast.Name) or node.id in source.locals:
        return None
    value = resolve(source, node.id)
    for attribute in reversed(attributes):
        if not isinstance(value, (ModuleType, type, np.ufunc)):
            return None
        value = python_of(getattr(value, attribute, MISSING))
    if value is MISSING:
        return None
    return ".".join([node.id, *reversed(attributes)]), value
