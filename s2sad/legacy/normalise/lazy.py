"""What is gone through later than it is made sees what has changed meanwhile, as Python has it.

g = (k * x for x in u)              sum(g) has the new k: refused, as what is written out here
k = 3.0                             is computed where it is made
y = sum(g)

Lazy are generator expressions, `map` and `filter`, and the views of a dict. Each is followed from
where it is made to where its names are last read; where it is put anywhere else, to the end.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from types import FunctionType
from typing import Any

import gast

from s2sad.ir.errors import S2sadError, Unsupported
from s2sad.legacy.desugar.syntax import own_nodes
from s2sad.legacy.normalise.changing import Changes, changes_of
from s2sad.legacy.remembered import by_rules
from s2sad.source.names import reads_of
from s2sad.source.text import Source, source_of, span
from s2sad.source.trees import nodes_of

VIEWS = ("keys", "values", "items")
READ_LATE = ("map", "filter")
# what goes through others when it is gone through itself
HANDING_ON = (*READ_LATE, "zip", "enumerate", "reversed", "iter", "islice", "chain", "cycle")
KEEPING = ("append", "insert", "appendleft", "add", "setdefault", "partial")
LOOPS = (gast.For, gast.While)
Position = tuple[int, int]
Part = tuple[Any, str]  # a node, and the field of it that holds another
END = (1 << 30, 0)


@dataclass(frozen=True)
class Tree:
    """The syntax of a function: where each node stands, and what changes something."""

    source: Source
    above: dict[int, Part]
    changes: Changes

    def parent(self, node: Any) -> Any:
        """Return the node that holds another."""
        return self.above[id(node)][0] if id(node) in self.above else None

    def path(self, node: Any) -> list[tuple[int, str]]:
        """Return the blocks that a node stands in, from the inside out."""
        found = []
        while id(node) in self.above:
            node, field = self.above[id(node)]
            found.append((id(node), field))
        return found

    def loops(self, node: Any) -> list[Any]:
        """Return the loops around a node, from the inside out."""
        found = []
        while (node := self.parent(node)) is not None:
            if isinstance(node, LOOPS):
                found.append(node)
        return found


def refuse_late(source: Source) -> None:
    """Raise where what is gone through late is used after what it reads changes."""
    lazy = [each for each in nodes_of(source.tree) if is_lazy(each) or _gives_lazy(each, source)]
    if not lazy:
        return
    tree = Tree(source, dict(_above(source.tree)), changes_of(source))
    for each in lazy:
        _refuse_change(each, tree)
        if not isinstance(getattr(each, "func", None), gast.Attribute):
            _refuse_again(each, tree)


def is_lazy(node: Any) -> bool:
    """Tell whether an expression reads what it goes through later than it is made."""
    match node:
        case gast.GeneratorExp() | gast.Call(func=gast.Name(id="map" | "filter"), args=[_, *_]):
            return True
        case gast.Call(func=gast.Attribute(attr=attr), args=[], keywords=[]):
            return attr in VIEWS
    return False


def refuse_returned(source: Source) -> None:
    """Raise where a function returns what can be gone through only once: its call has no length."""
    for node in own_nodes(source.tree.body if isinstance(source.tree.body, list) else []):
        once = isinstance(node, gast.Return) and is_lazy(node.value)
        if once and not isinstance(getattr(node.value, "func", None), gast.Attribute):
            raise Unsupported(
                f"{source.tree.name} returns what can be gone through only once",
                span(source, node),
                "Return a list: [...], or list(...).",
            )


def _gives_lazy(node: Any, source: Source) -> bool:
    """Tell whether a function of the module is called that returns what is gone through late."""
    match node:
        case gast.Call(func=gast.Name(id=name)) if name not in source.locals:
            called = source.resolve(name)
            return isinstance(called, FunctionType) and returns_lazy(called)
    return False


@by_rules()
def returns_lazy(function: Any) -> bool:
    """Tell whether a function returns what is gone through late."""
    try:
        tree = source_of(function).tree
    except S2sadError:
        return False
    return any(isinstance(each, gast.Return) and is_lazy(each.value) for each in nodes_of(tree))


def _above(tree: Any) -> Iterator[tuple[int, Part]]:
    for node in nodes_of(tree):
        for field, value in gast.iter_fields(node):
            for each in value if isinstance(value, list) else [value]:
                if isinstance(each, gast.AST):
                    yield id(each), (node, field)


def _refuse_change(lazy: Any, tree: Tree) -> None:
    held = lazy
    while _hands_on(tree.parent(held), held, tree):
        held = tree.parent(held)
    late, read = _seen_late(lazy, tree), tree.changes.also_called(reads_of(lazy))
    for start, end in _until(held, tree):
        for change in tree.changes.between(start, end):
            if change.bound & late or change.written & read:
                raise Unsupported(
                    f"{_told(held, tree)} is gone through after this line, and sees what it changes",
                    span(tree.source, change.node),
                    "Make a list of it where it is made: [...], or list(...).",
                )


# ---------------------------------------------------------------------------- gone through twice


def _refuse_again(lazy: Any, tree: Tree) -> None:
    """Raise where what has its items once is gone through at two places, or in a later pass."""
    held = lazy
    while _hands_on(tree.parent(held), held, tree):
        held = tree.parent(held)
    call = tree.parent(held)
    if isinstance(call, gast.Call) and held in call.args:
        called = _function(call, tree)
        if called is not None and _parameter_read_twice(called, call.args.index(held)):
            raise _read_again("what is made here", call, tree)
    for name in _given(held, tree) or ():
        again = _second_read(name, held, tree)
        if again is not None:
            raise _read_again(name, again, tree)


def _read_again(name: str, node: Any, tree: Tree) -> Unsupported:
    return Unsupported(
        f"{name} is an iterator, and is gone through here and elsewhere",
        span(tree.source, node),
        "Make a list of it where it is made: [...], or list(...).",
    )


def _second_read(name: str, held: Any, tree: Tree) -> Any:
    """Return where a name that holds an iterator is read once more; None if nowhere."""
    around = tree.loops(held)
    seen: list[Any] = []
    for node in _reads_while_held(name, held, tree):
        later_passes = [loop for loop in tree.loops(node) if loop not in around]
        if any(not _is_its_domain(node, loop, tree) for loop in later_passes):
            return node
        if any(not _exclude_each_other(node, other, tree) for other in seen):
            return node
        seen.append(node)
        holder = tree.parent(node)
        if isinstance(holder, gast.Assign) and isinstance(holder.targets[0], gast.Name):
            seen += [each for each in [_second_read(holder.targets[0].id, node, tree)] if each]
            if len(seen) > 1:
                return seen[-1]
    return None


def _reads_while_held(name: str, held: Any, tree: Tree) -> list[Any]:
    """Return the reads of a name after it is given something, and before it is given another."""
    found = [n for n in nodes_of(tree.source.tree) if isinstance(n, gast.Name) and n.id == name]
    own = set(map(id, nodes_of(held)))
    after = [n for n in found if _start(n) > _start(held) and id(n) not in own]
    after.sort(key=_start)
    path = tree.path(_statement(held, tree))
    for number, node in enumerate(after):
        if isinstance(node.ctx, gast.Store) and tree.path(_statement(node, tree)) == path:
            value = getattr(_statement(node, tree), "value", node)
            after = [n for n in after if n in after[:number] or n in nodes_of(value)]
            break
    return [node for node in after if isinstance(node.ctx, gast.Load)]


def _is_its_domain(node: Any, loop: Any, tree: Tree) -> bool:
    """Tell whether a node stands in what a loop goes over, which is evaluated once."""
    return (id(loop), "iter") in tree.path(node)


def _exclude_each_other(a: Any, b: Any, tree: Tree) -> bool:
    """Tell whether two nodes stand on two sides of one branch."""
    sides = {place: field for place, field in tree.path(a) if field in ("body", "orelse")}
    return any(
        field in ("body", "orelse") and sides.get(place, field) != field
        for place, field in tree.path(b)
    )


def _parameter_read_twice(called: Any, place: int) -> bool:
    """Tell whether a function reads one of its parameters at two places, or in a loop."""
    try:
        made = source_of(called).tree if isinstance(called, FunctionType) else called
    except S2sadError:
        return False
    parameters = [*made.args.posonlyargs, *made.args.args]
    if place >= len(parameters):
        return False
    name = parameters[place].id
    reads = [n for n in nodes_of(made) if isinstance(n, gast.Name) and n.id == name]
    return sum(isinstance(n.ctx, gast.Load) for n in reads) > 1 and not any(
        isinstance(n.ctx, gast.Store) for n in reads
    )


def _seen_late(lazy: Any, tree: Tree) -> frozenset[str]:
    """Return the names whose values are read when an expression is gone through."""
    match lazy:
        case gast.GeneratorExp(generators=[first, *_]):
            late = set(reads_of(lazy)) - set(reads_of(first.iter))
            inner = [lazy.elt, *first.ifs, *lazy.generators[1:]]
            own = {n for each in lazy.generators for n in _names(each.target)}
            late |= {name for part in inner for name in reads_of(part)} - own
        case gast.Call(func=gast.Name(id="map" | "filter"), args=[function, *_]):
            inside = isinstance(function, gast.Lambda)
            late = (
                set(reads_of(function)) if inside else {*tree.changes.read_by(reads_of(function))}
            )
        case _:
            return frozenset()
    return frozenset(late) | tree.changes.read_by(late)


def _names(target: Any) -> Iterator[str]:
    return (each.id for each in nodes_of(target) if isinstance(each, gast.Name))


def _hands_on(node: Any, part: Any, tree: Tree) -> bool:
    """Tell whether a node goes through a part of it no sooner than it is gone through itself."""
    match node:
        case gast.Call(func=gast.Name(id=name) | gast.Attribute(attr=name)):
            return name in HANDING_ON and part is not node.func
        case gast.IfExp() | gast.BoolOp():
            return part is not getattr(node, "test", None)
        case gast.comprehension():
            return part is node.iter and isinstance(tree.parent(node), gast.GeneratorExp)
        case gast.GeneratorExp():
            return isinstance(part, gast.comprehension)
        case gast.keyword():
            return True
    return False


def _told(held: Any, tree: Tree) -> str:
    names = _given(held, tree)
    return names[0] if names else "what is made here"


# ---------------------------------------------------------------------------- until when


def _until(held: Any, tree: Tree) -> Iterator[tuple[Position, Position]]:
    """Yield from where to where something is held that is gone through at some place in between."""
    parent, made = tree.parent(held), _start(held)
    match parent:
        case gast.Call() if _function(parent, tree) is not None:
            line, column = _start(parent)
            yield (line, column - 1), _end(parent)  # the call itself may change something
        case gast.Call(func=gast.Attribute(attr=name) | gast.Name(id=name)) if name in KEEPING:
            yield made, END
        case gast.Assign() | gast.AnnAssign() | gast.NamedExpr() | gast.Tuple() | gast.List():
            names = _given(held, tree)
            if names is None:
                yield made, END
            for name in names or ():
                yield from _uses(name, held, tree)
        case gast.Return() if parent not in tree.source.tree.body:
            yield made, END
        case gast.Dict() | gast.Set() | gast.Lambda() | gast.Yield():
            yield made, END


def _given(held: Any, tree: Tree) -> list[str] | None:
    """Return the names that are given a value; None where it goes anywhere else."""
    parent = tree.parent(held)
    match parent:
        case gast.Assign(targets=targets):
            if any(isinstance(each, gast.Tuple | gast.List) for each in targets):
                return []  # it is unpacked at once
        case gast.AnnAssign(target=target) | gast.NamedExpr(target=target):
            targets = [target]
        case gast.Tuple(elts=parts) | gast.List(elts=parts):
            match tree.parent(parent):
                case gast.Assign(targets=[gast.Tuple(elts=names)]) if len(names) == len(parts):
                    targets = [names[next(i for i, each in enumerate(parts) if each is held)]]
                case _:
                    return None
        case _:
            return []
    plain = [each.id for each in targets if isinstance(each, gast.Name)]
    return plain if len(plain) == len(targets) else None


def _uses(name: str, held: Any, tree: Tree) -> Iterator[tuple[Position, Position]]:
    """Yield from where to where a name may hold something until it is read."""
    made, around, path = _start(held), tree.loops(held), tree.path(_statement(held, tree))
    for node in nodes_of(tree.source.tree):
        if not (isinstance(node, gast.Name) and node.id == name):
            continue
        if not isinstance(node.ctx, gast.Load):
            continue
        loops = tree.loops(node)
        shared = [each for each in loops if each in around]
        own = [each for each in loops if each not in around]
        if shared and not (_start(node) > made and {*path} <= {*tree.path(node)}):
            yield _start(shared[-1]), _end(shared[-1])  # a later pass may read it
        elif _start(node) > made:
            yield made, _end(own[-1]) if own else _start(node)


def _statement(node: Any, tree: Tree) -> Any:
    while not isinstance(node, gast.stmt) and tree.parent(node) is not None:
        node = tree.parent(node)
    return node


def _function(call: Any, tree: Tree) -> Any:
    """Return the Python function that is called, or its syntax; None for any other."""
    if not isinstance(call.func, gast.Name):
        return None
    inner = tree.changes.functions.get(call.func.id)
    found = inner or tree.source.resolve(call.func.id)
    return found if inner is not None or isinstance(found, FunctionType) else None


def _start(node: Any) -> Position:
    return node.lineno, node.col_offset


def _end(node: Any) -> Position:
    return node.end_lineno, node.end_col_offset
