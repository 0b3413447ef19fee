"""Generators that are gone through at once become functions that return a list.

def squares(u):                    def squares_items(u):
    for x in u:                        items = []
        yield x * x        ->          for x in u:
                                           items.append(x * x)
                                       return items

Only where nothing can tell the difference: all is asked for, and nothing changes in between.
"""

from __future__ import annotations

import ast
import builtins
import copy
import inspect
from collections.abc import Iterator
from functools import lru_cache
from types import FunctionType
from typing import Any

import gast
import numpy as np

from s2sad.ir.errors import Unsupported
from s2sad.legacy.desugar import yielding
from s2sad.legacy.desugar.endless import ENDLESS
from s2sad.legacy.desugar.names import Names
from s2sad.legacy.desugar.syntax import bound_names, jumps, own_nodes
from s2sad.source.names import changed_names, reads_of
from s2sad.source.remade import namespace, remade
from s2sad.source.text import source_of, span
from s2sad.source.trees import nodes_of

# what goes through all that it is given
CONSUMERS = (sum, list, tuple, max, min, sorted, set, dict, np.fromiter)
TOGETHER = (builtins.zip, builtins.enumerate)


def is_generator(function: Any) -> bool:
    """Tell whether a function is written with `yield`."""
    return isinstance(function, FunctionType) and bool(
        function.__code__.co_flags & inspect.CO_GENERATOR
    )


# ---------------------------------------------------------------------------- where


def mark_consumed(tree: Any, names: Names) -> None:
    """Mark the calls of generators in a function which are gone through at once."""
    for node in nodes_of(tree):
        if isinstance(node, gast.For):
            for call in _generators_in(node.iter, names):
                if not _interferes(node, call, names):
                    _mark(call, names, in_turns=True)
        elif isinstance(node, gast.Call) and node.args and names.means(node.func, *CONSUMERS):
            _mark_all(node.args[0], names)
        elif (
            isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Tuple | gast.List)
        ) or (isinstance(node, gast.Starred) and isinstance(node.ctx, gast.Load)):
            _mark_all(node.value, names)
        elif isinstance(node, gast.ListComp | gast.SetComp | gast.DictComp):
            _mark_all(node, names)


def is_consumed(node: Any) -> bool:
    """Tell whether a call of a generator has been found to be gone through at once."""
    return getattr(node, "s2sad_items", False)


def _generator(func: Any, names: Names) -> Any:
    """Return the generator that is called: a function, or the syntax of one that is made inside."""
    function = names.value(func)
    if is_generator(function):
        return function
    if not isinstance(func, gast.Name):
        return None
    return _made_inside(names.source.tree).get(func.id)


def _made_inside(tree: Any) -> dict[str, Any]:
    """Return the generators that are made inside of a function, by name; looked for once."""
    found: dict[str, Any] | None = getattr(tree, "s2sad_generators", None)
    if found is None:
        found = tree.s2sad_generators = {}
        for part in nodes_of(tree):
            if isinstance(part, gast.FunctionDef) and part is not tree and _yields(part):
                found.setdefault(part.name, part)
    return found


def _yields(made: Any) -> bool:
    return any(isinstance(part, gast.Yield | gast.YieldFrom) for part in own_nodes(made.body))


def listed_inside(body: list[Any], names: Names) -> list[Any]:
    """Return statements in which generators that are made inside give lists, if nothing can tell."""
    nodes = list(nodes_of(names.source.tree))
    made = [p for p in nodes if isinstance(p, gast.FunctionDef) and p is not names.source.tree]
    called = {id(p.func) for p in nodes if isinstance(p, gast.Call) and is_consumed(p)}
    listed = {
        each.name
        for each in made
        if _yields(each) and not each.decorator_list
        if sum(other.name == each.name for other in made) == 1
        if not any(isinstance(part, gast.Nonlocal | gast.Global) for part in nodes_of(each))
        if all(id(p) in called for p in nodes if getattr(p, "id", "") == each.name)
    }
    body = [_Inside(listed).visit(copy.deepcopy(stmt)) for stmt in body] if listed else body
    at_once = any(map(yielding.is_at_once, nodes))
    return [yielding.AtOnce(names).visit(copy.deepcopy(stmt)) for stmt in body] if at_once else body


class _Inside(gast.NodeTransformer):  # type: ignore[misc]
    """Puts functions that return lists in the place of generators of these names."""

    def __init__(self, listed: set[str]):
        self.listed = listed

    def visit_FunctionDef(self, node: Any) -> Any:
        if node.name not in self.listed:
            return self.generic_visit(node)
        tree = gast.gast_to_ast(node)
        if _as_list(tree) is not None:
            return node
        return gast.ast_to_gast(ast.fix_missing_locations(tree))


def _mark_all(node: Any, names: Names, in_turns: bool = False) -> None:
    """Mark generators that are asked for all they yield: alone, or by a comprehension."""
    if isinstance(node, gast.GeneratorExp | gast.ListComp | gast.SetComp | gast.DictComp):
        if not changed_names([node]):
            for each in node.generators:
                _mark_all(each.iter, names, in_turns=True)
        return
    for call in _generators_in(node, names):
        function = _generator(call.func, names)
        alone = call is node or not _may_be_endless(function, names)
        if alone and not _never_ends(function):
            _mark(call, names, in_turns)


def _mark(call: Any, names: Names, in_turns: bool) -> None:
    """Mark a call of a generator: it gives its list, or its lines stand where it is called.

    If what asks for its values does something in between, they stand in the loop that does.
    """
    lines = _writes(_generator(call.func, names)) and yielding.stands(call, names)
    call.s2sad_items, call.s2sad_lines = not lines, lines
    call.s2sad_at_once = lines and not in_turns


def _generators_in(node: Any, names: Names) -> Iterator[Any]:
    """Yield the calls of generators that are gone through together in an iterable."""
    if not isinstance(node, gast.Call):
        return
    if _generator(node.func, names) is not None:
        yield node
    elif names.means(node.func, *TOGETHER):
        for arg in node.args:
            yield from _generators_in(arg, names)


def _interferes(loop: Any, call: Any, names: Names) -> bool:
    """Tell whether a loop may stop early, or change what its generator reads while it runs."""
    function = _generator(call.func, names)
    stops = jumps(loop.body, gast.Break) or jumps([loop], gast.Return)
    stops = stops or names.means(getattr(loop.iter, "func", loop.iter), builtins.zip)
    if _never_ends(function) or (stops and _may_be_endless(function, names)):
        return True
    changed = set(changed_names(loop.body))
    if isinstance(function, gast.FunctionDef):
        # what is made inside sees what names around it hold by then
        if {*reads_of(function)} & {*bound_names([loop.target, *loop.body]), *changed}:
            return True
        if {*changed_names(function.body)} - _made_in(function):
            return True
    if changed & {*reads_of(call)} or _calls_what_writes(loop.body, names):
        return True
    return not all(_is_fresh(name, names) for name in changed)


def _made_in(function: Any) -> set[str]:
    """Return the names of a function that are given values in it, and are no parameters."""
    given = {part.id for part in nodes_of(function.args) if isinstance(part, gast.Name)}
    return bound_names(function.body) - given


def lasts(loop: Any, function: Any, names: Names) -> bool:
    """Tell whether an object may be asked for all its items before a loop begins."""
    stops = jumps(loop.body, gast.Break) or jumps([loop], gast.Return)
    if _never_ends(function) or (stops and _may_be_endless(function, names)):
        return False
    changed = changed_names(loop.body)
    return not _calls_what_writes(loop.body, names) and all(_is_fresh(n, names) for n in changed)


def _calls_what_writes(body: Any, names: Names) -> bool:
    from s2sad.legacy.normalise import wide
    from s2sad.legacy.written import written_by  # they stand after this in the pipeline

    called = (names.value(p.func) for p in own_nodes(body) if isinstance(p, gast.Call))
    return any(isinstance(f, FunctionType) and written_by(f, wide) for f in called)


def _is_fresh(name: str, names: Names) -> bool:
    """Tell whether a name only holds what the function makes: numbers, new arrays and lists."""
    made = (gast.Call, gast.BinOp, gast.List, gast.ListComp, gast.Constant, gast.UnaryOp)
    for part in nodes_of(names.source.tree):
        match part:
            case gast.Assign(targets=targets, value=value):
                flat = [t for each in targets for t in nodes_of(each)]
                whole = [t for t in flat if isinstance(t, gast.Name) and t.id == name]
                stored = any(isinstance(t.ctx, gast.Store) for t in whole)
                if stored and (not isinstance(value, made) or not _is_new(value)):
                    return False
            case gast.For(target=target) | gast.comprehension(target=target):
                if any(getattr(t, "id", "") == name for t in nodes_of(target)):
                    return False
    return True


def _is_new(value: Any) -> bool:
    """Tell whether a call makes something new: u.T and np.reshape(u) give what there is."""
    if not isinstance(value, gast.Call):
        return True
    called = getattr(value.func, "attr", getattr(value.func, "id", ""))
    return called in NEW


NEW = frozenset("zeros ones empty full zeros_like ones_like empty_like full_like copy list".split())


# ---------------------------------------------------------------------------- ends


def _loops(function: Any) -> Iterator[Any]:
    inside = isinstance(function, gast.FunctionDef)
    return (
        part
        for part in nodes_of(function if inside else source_of(function).tree)
        if isinstance(part, gast.While | gast.For)
    )


def _never_ends(function: Any) -> bool:
    """Tell whether a generator has a loop that nothing ends."""
    return any(
        isinstance(loop, gast.While)
        and isinstance(loop.test, gast.Constant)
        and bool(loop.test.value)
        and not jumps(loop.body, gast.Break)
        and not jumps([loop], gast.Return)
        for loop in _loops(function)
    )


def _may_be_endless(function: Any, names: Names) -> bool:
    """Tell whether a generator has a loop of which it is not known that it ends."""
    if not isinstance(function, gast.FunctionDef):
        source = source_of(function)
        names = Names(source, source.locals)
    return any(
        isinstance(loop, gast.While)
        or any(
            isinstance(part, gast.Call)
            and (names.means(part.func, *ENDLESS) or _generator(part.func, names) is not None)
            for part in nodes_of(loop.iter)
        )
        for loop in _loops(function)
    )


# ---------------------------------------------------------------------------- the function


@lru_cache(maxsize=512)
def as_list(function: FunctionType) -> FunctionType:
    """Return the function that gives in a list what a generator yields."""
    source = source_of(function)
    tree = gast.gast_to_ast(source.tree)
    wrong = _as_list(tree)
    if wrong is not None:
        raise Unsupported(
            f"{function.__name__} is sent values, which is not differentiated",
            span(source, wrong),
            "Let it yield values in statements of their own.",
        )
    refuse_writing(function)
    tree.name = f"{function.__name__}_items"
    space = namespace(function)
    made = remade(tree, space, source)
    made.__defaults__, made.__kwdefaults__ = function.__defaults__, function.__kwdefaults__
    return made


def refuse_writing(function: FunctionType) -> None:
    """Refuse a generator that changes what it is given: its loop sees that pass by pass."""
    if _writes(function):
        source = source_of(function)
        raise Unsupported(
            f"{function.__name__} is a generator: what it yields, and changes elsewhere, depends "
            "on how far it is asked",
            span(source, source.tree),
            "Write its loop where it is used.",
        )


def _writes(function: Any) -> bool:
    """Tell whether a generator of the module changes what is not its own."""
    from s2sad.legacy.normalise import wide
    from s2sad.legacy.unseen import keeps_outside
    from s2sad.legacy.written import written_by  # they stand after this in the pipeline

    if not isinstance(function, FunctionType):
        return False
    return bool(written_by(function, wide)) or keeps_outside(function)


def _as_list(tree: Any) -> Any:
    """Let a function return in a list what it yields; return a yield that is sent something."""
    taken = {part.id for part in nodes_of(tree) if isinstance(part, ast.Name)}
    items = next(
        n for n in ("items", "yielded", *(f"items_{i}" for i in range(99))) if n not in taken
    )
    rewrite = _Listing(items)
    body = [rewrite.visit(stmt) for stmt in tree.body]
    start = ast.Assign([ast.Name(items, ast.Store())], ast.List([], ast.Load()))
    end = ast.Return(ast.Name(items, ast.Load()))
    at = 1 if ast.get_docstring(tree) is not None else 0
    ast.copy_location(start, tree.body[0])
    ast.copy_location(end, tree.body[-1])
    tree.body = [*body[:at], start, *body[at:], end]
    return rewrite.wrong


class _Listing(ast.NodeTransformer):
    """Puts appends in the place of yields; `wrong` is a yield that stands elsewhere."""

    def __init__(self, items: str):
        self.items = items
        self.wrong: Any = None

    def visit_FunctionDef(self, node: Any) -> Any:
        """Leave functions inside alone."""
        return node

    visit_Lambda = visit_FunctionDef

    def visit_Expr(self, node: Any) -> Any:
        """Append what a statement yields."""
        match node.value:
            case ast.Yield(value):
                given = value or ast.Constant(None)
                return ast.copy_location(ast.Expr(self._appended(given)), node)
            case ast.YieldFrom(value):
                item = f"{self.items}_item"
                body: list[ast.stmt] = [ast.Expr(self._appended(ast.Name(item, ast.Load())))]
                made = ast.For(ast.Name(item, ast.Store()), value, body, [])
                return ast.copy_location(made, node)
        return self.generic_visit(node)

    def _appended(self, value: Any) -> Any:
        append = ast.Attribute(ast.Name(self.items, ast.Load()), "append", ast.Load())
        return ast.Call(append, [value], [])

    def visit_Return(self, node: Any) -> Any:
        """Return the list."""
        return ast.copy_location(ast.Return(ast.Name(self.items, ast.Load())), node)

    def visit_Yield(self, node: Any) -> Any:
        """Note a yield that gives something back."""
        self.wrong = node
        return node

    visit_YieldFrom = visit_Yield
