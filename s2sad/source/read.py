"""The definition of a function in its file, read as a gast tree, and where in it parameters stand.

read(f).tree         the definition that compiles to what f runs; its lines are those of the file
signature_of(f)      what f itself takes
span_of(source, n)   the place of a node in the user's file

parameter_place(misfit, "m")      def misfit(W, m, d):
                                              ^
result_place(misfit)              return 0.5 * np.sum(s * s)
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Mapping
from types import CodeType, FunctionType, MethodType
from typing import Any

import gast

from s2sad.ir.errors import NoSource, S2sadError, Span
from s2sad.ir.records import dataclass
from s2sad.source.definition import Named, definition_of
from s2sad.source.files import text_of
from s2sad.source.private import with_private_names
from s2sad.source.trees import below

# under what a function that was made of another keeps its source
GIVEN = "__s2sad_source__"


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """A function with its tree; lines are those of the file at `path`.

    `cells` are the variables of the functions around it, `defaults` those of its parameters.
    """

    function: FunctionType
    tree: Any
    path: str
    name: str
    module: Mapping[str, Any]
    cells: Mapping[str, Any]
    # the function that it does nothing but call
    called: FunctionType | None = None

    @property
    def entered(self) -> Source:
        """Return the source of what it does nothing but call, or else its own."""
        return self if self.called is None else read(self.called).entered

    def span(self, node: Any) -> Span | None:
        """Return the place of a node in the user's file."""
        return span_of(self.path, self.name, node)

    @property
    def is_emitted(self) -> bool:
        """Tell whether this is the text of a derivative."""
        return self.path.startswith("<s2sad")


def read(function: Any) -> Source:
    """Return the source of a Python function, method or lambda, or raise NoSource."""
    plain = plain_function(function)
    given: Source | None = plain.__dict__.get(GIVEN)
    if given is not None:
        return given
    text, path = text_of(plain)
    tree = _tree(Named(plain.__name__, plain.__qualname__), plain.__code__, text, path)
    cells = dict(zip(plain.__code__.co_freevars, plain.__closure__ or (), strict=True))
    return Source(plain, tree, path, plain.__name__, plain.__globals__, cells)


def span_of(path: str, function: str, node: Any) -> Span | None:
    """Return the place of a node in the user's file."""
    line = getattr(node, "lineno", None)
    if line is None:
        return None
    ends = node.end_lineno or line, node.end_col_offset or 0
    return Span(path, function, line, node.col_offset, *ends)


def plain_function(function: Any) -> FunctionType:
    """Return the Python function behind what is called; raise NoSource where there is none."""
    if isinstance(function, MethodType):
        function = function.__func__
    if isinstance(function, FunctionType):
        return function
    named = getattr(function, "__name__", None) or repr(function)
    if isinstance(function, functools.partial):
        hint = "Give s2sad a function: def g(x): return f(x, ...)."
    elif isinstance(function, type) or not callable(function):
        hint = "Give s2sad a function written in Python."
    else:
        hint = "It is not written in Python: wrap it in a function, or add a rule for it."
    raise NoSource(f"{named} is no Python function, so it has no source to read", hint=hint)


@functools.lru_cache(maxsize=1024)
def _tree(named: Named, code: CodeType, text: str, path: str) -> Any:
    tree = gast.ast_to_gast(definition_of(named, code, text, path or code.co_filename))
    return with_private_names(tree, code)


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


_INNER = (gast.FunctionDef, gast.AsyncFunctionDef, gast.Lambda, gast.ClassDef)


def parameter_place(function: Any, name: str) -> Span | None:
    """Return the place of a parameter in a signature, None where there is no text to show."""
    source = _shown(function)
    if source is None:
        return None
    args = source.tree.args
    every = (*args.posonlyargs, *args.args, *args.kwonlyargs)
    return next((source.span(arg) for arg in every if arg.id == name), None)


def signature_place(function: Any) -> Span | None:
    """Return the first line of a function, None where there is no text to show."""
    source = _shown(function)
    return None if source is None else source.span(source.tree)


def result_place(function: Any) -> Span | None:
    """Return the place of the last `return` of a function, or else its first line."""
    source = _shown(function)
    if source is None:
        return None
    if isinstance(source.tree, gast.Lambda):
        return source.span(source.tree.body)
    own, found = list(source.tree.body), source.tree
    while own:
        node = own.pop(0)
        found = node if isinstance(node, gast.Return) else found
        own[:0] = [] if isinstance(node, _INNER) else below(node)
    return source.span(found)


def _shown(function: Any) -> Source | None:
    """Return the source of a function of the user's; the text of a derivative is not theirs."""
    try:
        source = read(function)
    except S2sadError:
        return None
    return None if source.is_emitted else source
