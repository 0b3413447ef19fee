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
import importlib
import importlib.util
import inspect
import io
import sys
import tokenize
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from types import CodeType, FunctionType, MappingProxyType
from typing import Any, Final

import gast

from s2sad.ir.errors import Span
from s2sad.ir.records import dataclass, field
from s2sad.source.codes import Definition, first_line
from s2sad.source.definition import Named, definition_of, lines_of, parsed_or_refused
from s2sad.source.files import parsed, text_of
from s2sad.source.names import bound_in, locals_of
from s2sad.source.read import GIVEN, plain_function
from s2sad.source.readable import python_of
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
        return parsed_or_refused(self.file, self.path, self.function.__name__)

    @property
    def is_emitted(self) -> bool:
        """Tell whether this is the text of a derivative."""
        return self.path.startswith("<s2sad")

    def resolve(self, name: str) -> Any:
        """Return what a name means outside the function; MISSING where nothing."""
        return resolve(self, name)


def source_of(function: Any) -> Source:
    """Return the source of a Python function, method or lambda, or raise NoSource."""
    plain = plain_function(function)
    given: Source | None = plain.__dict__.get(GIVEN)
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
    function.__dict__[GIVEN] = source


@functools.lru_cache(maxsize=512)
def _source(plain: FunctionType, code: CodeType, text: str, path: str) -> Source:
    named = Named(plain.__name__, plain.__qualname__)
    node, part = definition_of(named, code, text, path)
    tree = gast.ast_to_gast(_as_def(node, plain, parsed(part)))
    first, last = first_line(node), node.end_lineno or node.lineno
    lines = lines_of(text)[first - 1 : last]
    comments = MappingProxyType(dict(_comments(lines, first)))
    where = path or code.co_filename
    made = imported(tree, plain.__globals__)
    own = locals_of(tree).difference(made)
    return Source(plain, tree, where, first, "".join(lines), comments, own, text, made)


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


def imported(tree: Any, outside: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the names are that a function gets from imports alone, of one object each.

    Only modules that are loaded by now, or Python's own: others are imported where they are read.
    """
    imports = [part for part in nodes_of(tree) if isinstance(part, gast.Import | gast.ImportFrom)]
    if not imports:
        return {}
    bound = Counter(bound_in(tree))
    given = [pair for node in imports for pair in _given(node, outside)]
    found = dict(given)
    times = Counter(name for name, value in given if value is found[name])
    return {name: value for name, value in found.items() if times[name] == bound[name]}


def _given(node: Any, outside: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    if isinstance(node, gast.Import):
        for alias in node.names:
            module = _module(alias.name if alias.asname else alias.name.split(".")[0])
            if module is not None and _module(alias.name) is not None:
                yield alias.asname or module.__name__, module
        return
    module = _module(_absolute(node, outside))
    for alias in node.names:
        if hasattr(module, alias.name):
            yield alias.asname or alias.name, getattr(module, alias.name)


def _absolute(node: Any, outside: Mapping[str, Any]) -> str:
    """Return the module of `from .polynomial import ...`, named in full; "" where there is none."""
    name = "." * (node.level or 0) + (node.module or "")
    try:
        return importlib.util.resolve_name(name, outside.get("__package__") or "")
    except ImportError:
        return ""


def _module(name: str) -> Any:
    loaded = name in sys.modules or name.split(".")[0] in sys.stdlib_module_names
    try:
        return importlib.import_module(name) if name and loaded else None
    except ImportError:
        return None
