"""Which dicts of a function can be said with two lists: of their keys, and of what stands under them.

d[k] = v      k in d      d.get(k, 0.0)      for k, v in d.items()      d[k].append(v)

Under a key may be a list that is appended to, where it has no other name: it becomes a new one. A name
may be given what another holds (`p = new`), or a copy of it: what can be said of all of them can be of each.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import gast

from s2sad.legacy.desugar.defaults import APART, KINDS, default_of
from s2sad.legacy.desugar.names import Names
from s2sad.legacy.desugar.syntax import COMPREHENSIONS, Node, bound_names
from s2sad.source.text import Source, resolve_dotted, source_of
from s2sad.source.trees import nodes_of

KEYS_OF = (list, sorted, len, tuple, enumerate, set, max, min)
READERS = (sum, len, max, min, sorted, list, tuple, any, all)
FRESH = (gast.List, gast.ListComp)
PURE = (
    *(gast.Name, gast.Constant, gast.BinOp, gast.UnaryOp, gast.Tuple, gast.Subscript),
    *(gast.Attribute, gast.JoinedStr, gast.FormattedValue, gast.Call),
    *(gast.keyword, gast.Lambda, gast.arguments),
    *(gast.operator, gast.unaryop, gast.expr_context, gast.cmpop, gast.Compare),
)
PURE_CALLS = (int, str, len, abs, min, max, round, tuple, divmod, list)
METHODS = {"get": (2,), "setdefault": (2,), "values": (0,), "items": (0,), "keys": (0,)}
CHANGING = frozenset(
    "append extend insert pop remove clear sort reverse add update setdefault".split()
)


def makes_dict(stmt: Node, names: Names) -> bool:
    """Tell whether a statement makes a dict under a name of the function's own."""
    match stmt:
        case gast.Assign(targets=[gast.Name(id=target)], value=value) if names.is_local(target):
            if default_of(stmt, names) is not None:
                return not value.args or value.func is not value.args[0]
            return _pairs(value, names) or _shown(value)
    return False


def may_make_dicts(function: Any) -> bool:
    """Tell whether the text of a function may make a dict, as far as can be told at a glance."""
    source = source_of(function)
    return any(
        isinstance(part, gast.Dict | gast.DictComp)
        or (isinstance(part, gast.Call) and _is_kind(part.func, source))
        for part in nodes_of(source.tree)
    )


def _is_kind(func: Node, source: Source) -> bool:
    found = resolve_dotted(source, func)
    if found is None:  # what is imported inside has its own name mostly
        name = getattr(func, "id", getattr(func, "attr", ""))
        return name in {kind.__name__ for kind in (dict, *KINDS)}
    return any(found[1] is kind for kind in (dict, *KINDS))


def _shown(value: Node) -> bool:
    return isinstance(value, gast.DictComp) or (
        isinstance(value, gast.Dict) and None not in value.keys
    )


def _pairs(value: Node, names: Names) -> bool:
    """Tell whether a call is dict() or dict(zip(a, b))."""
    if not isinstance(value, gast.Call) or not names.means(value.func, dict) or value.keywords:
        return False
    match value.args:
        case []:
            return True
        case [gast.Call(func=func, args=[_, _], keywords=options)]:
            return names.means(func, zip) and all(each.arg == "strict" for each in options)
    return False


def handed_over(stmt: Node, names: Names) -> tuple[str, str] | None:
    """Return the names of `p = new`, or of what gives p a copy: `dict(new)`, `new.copy()`."""
    match stmt:
        case gast.Assign(targets=[gast.Name(id=target)], value=gast.Name(id=other)):
            return target, other
        case gast.Assign(targets=[gast.Name(id=target)]) if copied(stmt.value, names) is not None:
            return target, str(copied(stmt.value, names))
    return None


def copied(value: Node, names: Names) -> str | None:
    """Return the name of the dict of which an expression makes a copy."""
    match value:
        case gast.Call(func=gast.Attribute(value=gast.Name(id=other), attr="copy"), args=[]):
            return str(other)
        case gast.Call(func=func, args=[gast.Name(id=other)], keywords=[]):
            return str(other) if names.means(func, dict) else None
    return None


# ---------------------------------------------------------------------------- how it is used


@dataclass(frozen=True)
class Uses:
    """The syntax of a function, and what stands around each part of it.

    `dicts` are the names that hold such dicts, as far as is known: one may be given to another.
    """

    nodes: list[Node]
    parents: dict[int, Node]
    names: Names
    dicts: frozenset[str] = frozenset()

    def are_of_lists(self, target: str, own: list[Node], makes: bool) -> bool:
        """Tell whether all that is done with a dict can be done with two lists."""
        named = [n for n in self.nodes if isinstance(n, gast.Name) and n.id == target]
        stores = [n for n in named if not isinstance(n.ctx, gast.Load) and not self._given(n)]
        loads = [n for n in named if isinstance(n.ctx, gast.Load)]
        outer = {x for n in self.nodes for x in getattr(n, "names", ()) if isinstance(x, str)}
        outer |= {arg.id for arg in nodes_of(self.names.source.tree.args) if hasattr(arg, "id")}
        if len(stores) != len(own) or target in outer or any(map(self._hidden, named)):
            return False
        return all(self._fits(each, makes) for each in loads)

    def are_grown(self, target: str) -> bool:
        """Tell whether lists under keys of a dict are changed."""
        return any(self._grown(each) is not None for each in self._loads(target))

    def grow_alone(self, target: str, own: list[Node]) -> bool:
        """Tell whether each list under a key has no other name, and appends are all that is done."""
        loads = self._loads(target)
        grown = [each for each in loads if self._grown(each) is not None]
        return self._has_no_other_names(loads, own, grown)

    def is_looked_into(self, target: str) -> bool:
        """Tell whether entries of a dict are read, changed or made under this name."""
        return any(isinstance(self._up(each), gast.Subscript) for each in self._loads(target))

    def givers(self, targets: set[str]) -> set[str]:
        """Return the names whose dicts are given to some of these."""
        pairs = (handed_over(each, self.names) for each in self.nodes)
        return {pair[1] for pair in pairs if pair is not None and pair[0] in targets}

    def _loads(self, target: str) -> list[Node]:
        named = [n for n in self.nodes if isinstance(n, gast.Name) and n.id == target]
        return [n for n in named if isinstance(n.ctx, gast.Load)]

    def _given(self, target: Node) -> bool:
        """Tell whether a name is given what another holds, or a copy of it."""
        pair = handed_over(self._up(target), self.names)
        return pair is not None and pair[1] in self.dicts

    def _up(self, node: Node) -> Any:
        return self.parents.get(id(node))

    def _around(self, node: Node, kinds: Any) -> Node | None:
        around = self._up(node)
        while around is not None and not isinstance(around, kinds):
            around = self._up(around)
        return around

    def _hidden(self, node: Node) -> bool:
        around = self._around(node, gast.FunctionDef | gast.Lambda | gast.ClassDef)
        while around is not None and self._is_key(around):
            around = self._around(around, gast.FunctionDef | gast.Lambda | gast.ClassDef)
        return around is not None

    def _is_key(self, made: Node) -> bool:
        """Tell whether a function tells what is in order by what, which is asked at once."""
        word = self._up(made)
        if not isinstance(made, gast.Lambda) or getattr(word, "arg", None) != "key":
            return False
        return self.names.means(self._up(word).func, max, min, sorted)

    def _fits(self, read: Node, makes: bool) -> bool:
        around = self._up(read)
        if self._is_handed_over(around):
            return True
        match around:
            case gast.Subscript(value=owner, slice=key, ctx=context):
                there = getattr(around, "s2sad_is_there", False)
                early = makes and not there and not isinstance(context, gast.Store)
                now = not self._later(around)
                return owner is read and self._pure(key) and (now or not early)
            case gast.Attribute(attr=attr):
                made = self._up(around)
                called = isinstance(made, gast.Call) and made.func is around
                if not called or made.keywords or len(made.args) not in METHODS.get(attr, ()):
                    return False
                if made.args and not self._pure(made.args[0]):
                    return False
                return self._gone_through(made) if not made.args else not self._later(made)
            case gast.Compare(ops=[gast.In() | gast.NotIn()], comparators=[owner]):
                return owner is read
            case gast.For(iter=through) | gast.comprehension(iter=through):
                return through is read
            case gast.If(test=test) | gast.While(test=test) | gast.IfExp(test=test):
                return test is read
            case gast.Call(func=func, args=[only]):
                return only is read and self.names.means(func, *KEYS_OF)
        return False

    def _is_handed_over(self, around: Node) -> bool:
        """Tell whether a dict is given to another name of such dicts where it is read."""
        made = around
        while isinstance(made, gast.Call | gast.Attribute):
            made = self._up(made)
        pair = handed_over(made, self.names)
        return pair is not None and pair[0] in self.dicts

    def _later(self, node: Node) -> bool:
        """Tell whether an expression may not run, or more than once, where its statement begins."""
        around = self._up(node)
        while around is not None and not isinstance(around, gast.stmt):
            if isinstance(around, APART):
                return True
            node, around = around, self._up(around)
        return isinstance(around, gast.While | gast.Assert)

    def _pure(self, key: Node) -> bool:
        """Tell whether a key is the same when it is computed again."""
        for part in nodes_of(key):
            if not isinstance(part, PURE):
                return False
            if isinstance(part, gast.Call) and not self.names.means(part.func, *PURE_CALLS):
                return False
        return True

    def _gone_through(self, made: Node) -> bool:
        around = self._up(made)
        return isinstance(around, gast.For | gast.comprehension) or (
            isinstance(around, gast.Call) and made in around.args
        )

    # ------------------------------------------------------------ lists under keys

    def _grown(self, read: Node) -> Node | None:
        """Return the statement `d[k].append(v)`, or what else changes a list under a key."""
        held = self._up(read)
        if isinstance(held, gast.Attribute):
            held = self._up(held)
        attribute = self._up(held)
        if not isinstance(attribute, gast.Attribute) or attribute.attr not in CHANGING:
            return None
        made = self._up(attribute)
        return self._up(made) if isinstance(made, gast.Call) else attribute

    def _has_no_other_names(self, loads: list[Node], own: list[Node], grown: list[Node]) -> bool:
        """Tell whether each list under a key has no other name, and appends are all that is done."""
        return (
            all(map(self._is_append, grown))
            and all(map(self._starts_fresh, own))
            and all(self._only_read(each) for each in loads if each not in grown)
        )

    def _is_append(self, read: Node) -> bool:
        match self._grown(read):
            case gast.Expr(value=gast.Call(func=gast.Attribute(attr="append"), args=[_])):
                pass
            case _:
                return False
        around = self._around(read, gast.For)
        while around is not None:
            gone_through = {getattr(n, "id", "") for n in nodes_of(around.iter)}
            if not gone_through.isdisjoint(self.dicts | {read.id}):
                return False
            around = self._around(around, gast.For)
        held = self._up(read)
        made = self._up(held) if isinstance(held, gast.Attribute) else None
        return made is None or isinstance(made.args[1], FRESH)

    def _starts_fresh(self, made: Node) -> bool:
        default, value = default_of(made, self.names), made.value
        if default is not None:
            return isinstance(default.value, FRESH)
        if isinstance(value, gast.DictComp):
            return isinstance(value.value, FRESH)
        if isinstance(value, gast.Dict):
            return all(isinstance(each, FRESH) for each in value.values)
        return not value.args

    def _only_read(self, read: Node) -> bool:
        held = self._up(read)
        around = self._up(held)
        match held:
            case gast.Subscript(ctx=gast.Store()):
                return isinstance(around, gast.Assign) and isinstance(around.value, FRESH)
            case gast.Subscript():
                return self._is_reader(held)
            case gast.Attribute(attr="values" | "items" as attr):
                outer = self._up(around)
                if isinstance(outer, gast.Call) and self._in_order(outer):
                    outer = self._up(outer)  # of keys that differ no lists are compared
                if not isinstance(outer, gast.For | gast.comprehension):
                    return False
                return self._is_soon(outer) and self._are_read_in(outer, attr == "items")
        return not isinstance(held, gast.Attribute)

    def _in_order(self, made: Node) -> bool:
        """Tell whether a call gives what it is given, in the order of the keys."""
        alone = len(made.args) == 1 and not made.keywords
        return alone and self.names.means(made.func, sorted, list)

    def _is_reader(self, held: Node) -> bool:
        """Tell whether a list is gone through at once, or read by a position, where it stands."""
        around = self._up(held)
        if isinstance(around, gast.For | gast.comprehension):
            return around.iter is held and self._is_soon(around)
        if isinstance(around, gast.Subscript):
            place = around.value is held and not isinstance(around.slice, gast.Slice)
            return place and isinstance(around.ctx, gast.Load)
        if not isinstance(around, gast.Call) or held not in around.args:
            return False
        known = self.names.value(around.func)
        if str(getattr(known, "__module__", "")).split(".")[0] == "numpy":
            return True
        return len(around.args) == 1 and any(known is each for each in READERS)

    def _is_soon(self, outer: Node) -> bool:
        """Tell whether a loop runs where it stands: a generator that is kept runs later."""
        made = self._up(outer)
        if not isinstance(made, gast.GeneratorExp):
            return True
        asked = self._up(made)
        return isinstance(asked, gast.Call) and any(
            self.names.value(asked.func) is each for each in READERS
        )

    def _are_read_in(self, outer: Node, paired: bool) -> bool:
        """Tell whether the lists that a loop goes through are only read, and in that loop."""
        target = outer.target
        if paired and isinstance(target, gast.Tuple) and len(target.elts) == 2:
            target = target.elts[1]
        own = {n.id for n in nodes_of(target) if isinstance(n, gast.Name)}
        bound_in = None if isinstance(outer, gast.For) else self._up(outer)
        inside = {id(n) for n in nodes_of(bound_in or outer)}
        reads = [n for n in self.nodes if isinstance(n, gast.Name) and n.id in own]
        reads = [n for n in reads if isinstance(n.ctx, gast.Load) and self._binder(n) is bound_in]
        return all(id(n) in inside and self._is_reader(n) for n in reads)

    def _binder(self, read: Node) -> Node | None:
        """Return the comprehension whose own name this is."""
        around = self._around(read, COMPREHENSIONS)
        while around is not None:
            if read.id in bound_names([each.target for each in around.generators]):
                return around
            around = self._around(around, COMPREHENSIONS)
        return None
