"""Functions that are chosen while a function runs are told by their names, and calls become branches.

g = np.sin if c else np.cos          g = "sin" if c else "cos"
y = g(x)                       ->    y = np.sin(x) if g == "sin" else np.cos(x)

Tables of functions hold their names then: `{"a": "sin", "b": "cos"}[kind]`.
"""

from __future__ import annotations

import copy
from typing import Any

import gast

from s2sad.legacy.desugar.choosing import DISPLAYS, Choices, as_lambda, choices_in, told
from s2sad.legacy.desugar.names import Names
from s2sad.legacy.desugar.renaming import renamed
from s2sad.legacy.desugar.syntax import (
    COMPREHENSIONS,
    Body,
    Node,
    assign,
    bound_names,
    compare,
    constant,
    placed,
)
from s2sad.source.fresh import free
from s2sad.source.names import locals_of, reads_of
from s2sad.source.trees import below, nodes_of

BINDING = (*COMPREHENSIONS, gast.Lambda)
MOST = 8  # functions that one name may stand for


def chosen(body: Body, names: Names) -> Body:
    """Return the statements of a function in which no name is one of several functions."""
    if not _are_chosen(choices_in(body, names)):
        return body
    body = copy.deepcopy(body)
    written = _Written(choices_in(body, names))
    return [written.visit(stmt) for stmt in body]


def _are_chosen(found: Choices) -> bool:
    """Tell whether something stands for one of several functions, and nothing for too many."""
    held = [found.held[text] for text in found.held]
    held += [
        found.of(part) or [] for call in found.calls for part in parts_of(call) if _is_one(part)
    ]
    counts = [len({told(each) for each in functions}) for functions in held]
    several = any(count > 1 for count in counts) or any(
        found.held[text] for text in found.optional & found.held.keys()
    )
    return several and max(counts, default=0) <= MOST and not _is_hidden(found)


def _is_hidden(found: Choices) -> bool:
    """Tell whether a call stands where names of a function mean something else than where it was made."""
    for call in found.calls:
        functions = [each for part in parts_of(call) for each in found.of(part) or []]
        free = {text for each in functions for text in reads_of(each)}
        if free and not free.isdisjoint(_bound_around(call, found)):
            return True
    return False


def _bound_around(call: Node, found: Choices) -> set[str]:
    """Return the names that comprehensions and functions around a call bind."""
    around, bound = found.parents.get(id(call)), set[str]()
    while around is not None:
        if isinstance(around, COMPREHENSIONS):
            bound |= bound_names([each.target for each in around.generators])
        elif isinstance(around, gast.FunctionDef | gast.Lambda):
            bound |= locals_of(around)
        around = found.parents.get(id(around))
    return bound


def _is_one(part: Node) -> bool:
    return isinstance(part, gast.IfExp | gast.Subscript)


def parts_of(call: Node) -> list[Node]:
    """Return what is called, and what it is given."""
    return [call.func, *call.args, *(each.value for each in call.keywords)]


class _Written(gast.NodeTransformer):  # type: ignore[misc]
    """Writes what stands for functions, and the calls of them."""

    def __init__(self, found: Choices):
        self.found = found
        self.labels: dict[str, str] = {}

    def label(self, function: Node) -> Node:
        """Return the word by which a function is told."""
        key = told(function)
        if key not in self.labels:
            word = getattr(function, "attr", getattr(function, "id", "lambda"))
            self.labels[key] = free(word, {*self.labels.values()})
        return constant(self.labels[key], function)

    def visit_FunctionDef(self, node: Any) -> Any:
        if node.name in self.found.held:
            return assign(node.name, self.label(as_lambda(node)), node)
        return self.generic_visit(node)

    def visit_Assign(self, node: Any) -> Any:
        target = node.targets[0]
        if isinstance(target, gast.Name) and target.id in {*self.found.held, *self.found.tables}:
            return assign(target, self.standing_for(node.value), node)
        return self.generic_visit(node)

    def standing_for(self, node: Any) -> Any:
        """Return an expression that gives the words of functions instead of them."""
        match node:
            case gast.Name(id=text) if text in self.found.held:
                return node
            case gast.Constant():
                return node
            case gast.IfExp():
                made = [self.standing_for(each) for each in (node.body, node.orelse)]
                return placed(gast.IfExp(self.visit(node.test), *made), node)
            case gast.Dict():
                values = [self.standing_for(each) for each in node.values]
                return placed(gast.Dict(list(map(self.visit, node.keys)), values), node)
            case gast.List() | gast.Tuple():
                made = [self.standing_for(each) for each in node.elts]
                return placed(type(node)(made, gast.Load()), node)
            case gast.Subscript():
                key = self.visit(node.slice)
                return placed(gast.Subscript(self.standing_for(node.value), key, gast.Load()), node)
            case gast.Call():
                key, other = self.visit(node.args[0]), self.standing_for(node.args[1])
                get = gast.Attribute(self.standing_for(node.func.value), "get", gast.Load())
                return placed(gast.Call(placed(get, node), [key, other], []), node)
            case gast.Name(id=text) if text in self.found.tables:
                return node
        return self.label(node) if self.found.of(node) else self.visit(node)

    def visit_For(self, node: Any) -> Any:
        node.iter = self._through(node.iter)
        return self.generic_visit(node)

    def visit_comprehension(self, node: Any) -> Any:
        node.iter = self._through(node.iter)
        return self.generic_visit(node)

    def _through(self, iterable: Any) -> Any:
        """Return what a loop goes through, displays of functions being told by their words.

        They may stand in a call: `{"a": np.sin}.items()`, `enumerate([np.sin, np.cos])`.
        """
        if isinstance(iterable, DISPLAYS) and self.found.holds_functions(iterable):
            return self.standing_for(iterable)
        if isinstance(iterable, gast.Call):
            iterable.args = list(map(self._through, iterable.args))
            if isinstance(iterable.func, gast.Attribute):
                iterable.func.value = self._through(iterable.func.value)
        return iterable

    # ------------------------------------------------------------ calls

    def visit_Call(self, node: Any) -> Any:
        """Return a call of one of several functions, or that is given one, as branches."""
        for place, each in enumerate(parts_of(node)):
            functions = self._several(each)
            if functions is None:
                continue
            if isinstance(each, gast.IfExp):
                sides = (_with_part(node, place, side) for side in (each.body, each.orelse))
                return placed(gast.IfExp(self.visit(each.test), *map(self.visit, sides)), node)
            choice = self.standing_for(each)
            calls = [self.visit(_with_part(node, place, function)) for function in functions]
            made = calls.pop()
            for function, call in zip(reversed(functions[:-1]), reversed(calls), strict=True):
                test = compare(copy.deepcopy(choice), gast.Eq(), self.label(function), node)
                made = placed(gast.IfExp(test, call, made), node)
            return made
        return self.generic_visit(node)

    def _several(self, node: Any) -> list[Node] | None:
        """Return the functions of which an expression is one, where they are several."""
        if isinstance(node, gast.Name) and node.id not in self.found.held:
            return None
        if not isinstance(node, gast.Name | gast.IfExp | gast.Subscript | gast.Call):
            return None
        # what chooses is evaluated again for each test
        inner = (part for child in below(node) for part in nodes_of(child))
        if any(isinstance(part, gast.Call | gast.NamedExpr) for part in inner):
            if not isinstance(node, gast.IfExp):
                return None
        functions = {told(each): each for each in self.found.of(node) or ()}
        return list(functions.values()) if functions else None


def put_in(function: Any, call: Any) -> Any:
    """Return the expression of a lambda that is called with names and numbers; None for others."""
    args: Any = getattr(function, "args", None)
    if not isinstance(function, gast.Lambda) or args.vararg or args.kwarg or args.kwonlyargs:
        return None
    params = [each.id for each in (*args.posonlyargs, *args.args)]
    plain = all(isinstance(each, gast.Name | gast.Constant) for each in call.args)
    if call.keywords or len(params) != len(call.args) or not plain:
        return None
    taken = {each.id for each in call.args if isinstance(each, gast.Name)}
    if taken & bound_names(function.body) or any(
        isinstance(p, BINDING) for p in nodes_of(function.body)
    ):
        return None
    return renamed(function.body, dict(zip(params, call.args, strict=True)))


def _with_part(call: Any, place: int, function: Any) -> Any:
    """Return a copy of a call with a function put in: 0 is what is called."""
    made, function = copy.deepcopy(call), copy.deepcopy(function)
    if place == 0:
        put = put_in(function, made)
        if put is not None:
            return put
        made.func = function
    elif place <= len(made.args):
        made.args[place - 1] = function
    else:
        made.keywords[place - 1 - len(made.args)].value = function
    return made
