"""Slots get their names: the user's own, and readable inventions that clash with nothing.

    x~bar -> x_bar     x%2~bar -> x_term_bar     x~saved3 -> x_saved     x~back3 -> x (if free)

Two slots share a name only where neither is overwritten while it is still to be read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field

from s2sad.legacy.blocks import all_defines
from s2sad.legacy.called_after import called_after
from s2sad.legacy.callee import Written
from s2sad.legacy.liveness import walk_live
from s2sad.legacy.program import (
    Assign,
    Call,
    Effect,
    If,
    Loop,
    NewStore,
    Opaque,
    Program,
    Ref,
    Save,
    Stmt,
    Var,
    base,
    is_temp,
)
from s2sad.legacy.traverse import defines, expressions, flat_targets, reads, statements, walk
from s2sad.source.fresh import numbered

NAMED_TEMPS = frozenset(
    {"directions", "passes", "items", "k", "item", "checkpoints", "done", "test"}
)


# what tells names apart that want to be one: x_2, x_old, x_new
ENDING = re.compile(r"(_(\d+|old|new))+$")


@dataclass
class _Graph:
    """Which slots are alive together; only those that may want one name are held against each other.

    What a slot wants is its stem: x for x~back2 and for a variable x_3. So the graph grows with the
    number of slots, where no stem is that of many.
    """

    stem: Callable[[str], str]
    edges: dict[str, set[str]] = field(default_factory=dict)
    order: dict[str, None] = field(default_factory=dict)
    stems: dict[str, str] = field(default_factory=dict)

    def add(self, slot: str, others: Iterable[str]) -> None:
        """Note that `slot` is given a value while `others` are alive."""
        self.order.setdefault(slot)
        mine, stem = self.edges.setdefault(slot, set()), self.stem_of(slot)
        for other in others:
            if self.stem_of(other) == stem and other != slot:
                mine.add(other)
                self.edges.setdefault(other, set()).add(slot)

    def stem_of(self, slot: str) -> str:
        """Return what a slot and all that may be called alike have in common."""
        found = self.stems.get(slot)
        if found is None:
            found = self.stems[slot] = ENDING.sub("", self.stem(slot))
        return found


def names_of(
    program: Program, taken: Iterable[str], hidden: frozenset[str] = frozenset()
) -> Mapping[str, str]:
    """Return the name of every slot; `taken` names belong to functions and modules.

    Parameters that are `hidden` cannot have their own.
    """
    suffix = _suffixes(program, frozenset(taken))
    called = {**_named_after_values(program), **_handed_back(program)}
    users = {var.slot for var in _all_vars(program) if "~" not in var.slot}
    words = _words(program, {slot for slot in users if not is_temp(slot)} & NAMED_TEMPS)
    called = {**called, **words}
    graph = _interference(program, lambda slot: _plain_wish(slot, suffix, called)[0])
    plain = [p.var.slot for p in program.params if p.var.slot == base(p.var.slot)]
    names: dict[str, str] = {slot: slot for slot in plain if slot not in hidden}
    reserved = frozenset(taken) | hidden
    ordered = sorted(graph.order, key=_priority)
    for slot in ordered:
        if slot in names:
            continue
        near = {names[other]: other for other in graph.edges[slot] if other in names}
        names[slot] = _first_free(_wishes(slot, suffix, called, near), near.keys() | reserved)
    return names


def _priority(slot: str) -> tuple[int, ...]:
    # the user's names first, then what belongs to them; the order of the text decides the rest
    if "~" not in slot and not is_temp(slot):
        return (0,)
    return (1,) if "~back" not in slot else (2,)


def _first_free(wishes: Iterator[str], used: Set[str]) -> str:
    for wish in wishes:
        if wish not in used:
            return wish
    raise AssertionError("wishes never end")


# ---------------------------------------------------------------- wishes


def _wishes(
    slot: str, suffix: Mapping[str, str], called: Mapping[str, str], near: Mapping[str, str]
) -> Iterator[str]:
    """Yield names for a slot, the nicest first; `near` are the names that stand beside it."""
    first, role = _plain_wish(slot, suffix, called)
    yield first
    if role == "back" and not is_temp(slot):
        yield f"{first}_new" if _is_newer(slot, near.get(first, "")) else f"{first}_old"
    yield from numbered(first)


def _is_newer(slot: str, other: str) -> bool:
    """Tell whether of two values that are there again the first was made after the second."""
    numbers = [re.search(r"~back(\d+)$", each) for each in (slot, other)]
    made = [int(found.group(1)) for found in numbers if found]
    return len(made) == 2 and made[0] > made[1]


def _plain_wish(slot: str, suffix: Mapping[str, str], called: Mapping[str, str]) -> tuple[str, str]:
    primal, *roles = called.get(slot, slot).split("~") if "~" in slot else [slot]
    name = base(primal)
    if is_temp(primal) and "%n" not in primal:
        name = called.get(primal, f"{name}_term")
    role = ""
    for part in roles:
        role = re.sub(r"\d+|on$", "", part)
        ending = suffix.get(role, f"_{role}")
        name += "" if role.startswith("back") else ending
    return name, role


def _suffixes(program: Program, taken: frozenset[str]) -> Mapping[str, str]:
    """Return how adjoints and tangents end; another way if the user's names end so."""
    users = {base(var.slot) for var in _all_vars(program) if "~" not in var.slot} | taken
    slots = [var.slot for var in _all_vars(program)]
    return {role: _ending(role, slots, users) for role in ("bar", "dot")}


def _ending(role: str, slots: Iterable[str], users: set[str] | frozenset[str]) -> str:
    bases = {base(slot) for slot in slots if f"~{role}" in slot}
    other = {"bar": "_adj", "dot": "_tan"}[role]
    return other if any(f"{name}_{role}" in users for name in bases) else f"_{role}"


def _named_after_values(program: Program) -> Mapping[str, str]:
    """Return names for temporaries that say what they hold: sin_theta, u_i, K_exp."""
    found: dict[str, str] = {}
    for stmt in statements(program.body):
        match stmt:
            case Assign((Var(slot),), value, unpack=False) if is_temp(slot) and not _derived(slot):
                name = called_after(value, base(slot))
            case Save(store, value) if is_temp(store):
                slot, name = store.partition("~")[0], called_after(value, base(store))
            case _:
                continue
        if name:
            found.setdefault(slot, name)
    return found


def _words(program: Program, users: Set[str]) -> Mapping[str, str]:
    """Return what temporaries are called that have a word for what they are: k, items, test.

    Where the user calls something else so, that is what loops count with alone.
    """
    loops = (stmt for stmt in statements(program.body) if isinstance(stmt, Loop))
    counting = {var.slot for loop in loops for var in flat_targets(loop.targets or ())}
    slots = {var.slot.partition("~")[0] for var in _all_vars(program)}
    named = {slot for slot in slots if is_temp(slot) and base(slot) in NAMED_TEMPS}
    return {slot: base(slot) for slot in named if slot in counting or base(slot) not in users}


def _derived(slot: str) -> bool:
    return "~bar" in slot or "~dot" in slot


def _handed_back(program: Program) -> Mapping[str, str]:
    """Return x~bar for adjoints of x that a called function returns, if nothing else is that."""
    taken = {var.slot for var in _all_vars(program)}
    found: dict[str, str] = {}
    for stmt in statements(program.body):
        match stmt:
            case Assign(targets, Call(Ref(value=Written()))):
                for var in targets:
                    plain = f"{base(var.slot)}~bar"
                    if is_temp(var.slot) and "~bar" in var.slot and plain not in taken:
                        found[var.slot] = plain
    return found


def _all_vars(program: Program) -> Iterator[Var]:
    yield from (param.var for param in program.params)
    for stmt in program.body:
        yield from all_defines(stmt)


# ---------------------------------------------------------------- alive together


def _interference(program: Program, stem: Callable[[str], str]) -> _Graph:
    graph = _Graph(stem)
    for param in program.params:
        graph.add(param.var.slot, [other.var.slot for other in program.params])
    stores = [s.store for s in statements(program.body) if isinstance(s, Save | NewStore)]

    def visit(stmt: Stmt, live: frozenset[Var]) -> None:
        made = list(defines(stmt))
        alive = {var.slot for var in live} | set(stores)
        copied = None
        if isinstance(stmt, Assign) and not stmt.unpack and isinstance(stmt.value, Var):
            copied = stmt.value.slot
        for var in made:
            # a copy does not overwrite what it copies
            graph.add(var.slot, [slot for slot in alive | {v.slot for v in made} if slot != copied])
        if isinstance(stmt, Loop):
            _loop_interference(stmt, live, graph)

    live = walk_live(program.body, frozenset(reads(program.result)), visit)
    for param in program.params:
        graph.add(param.var.slot, [var.slot for var in live])
    for store in stores:
        graph.add(store, list(graph.order))
    for slot in list(graph.order):
        graph.add(slot, [s for s in stores if s != slot])
    _definition_order(program, graph)
    return graph


def _loop_interference(loop: Loop, live: frozenset[Var], graph: _Graph) -> None:
    """Loop targets and heads are overwritten while what the body reads later is alive."""
    inside: set[str] = {var.slot for var in live} - {each.exit.slot for each in loop.carried}
    made: set[str] = set()
    for stmt in loop.body:
        made |= {var.slot for var in all_defines(stmt)}
    for stmt in statements(loop.body):
        for expr in expressions(stmt):
            inside |= {var.slot for var in reads(expr)}
    for expr in expressions(loop):
        inside |= {var.slot for var in reads(expr)} if loop.test is not None else set()
    heads = {each.head.slot for each in loop.carried}
    outside = (inside - made) | heads
    for target in flat_targets(loop.targets):
        graph.add(target.slot, outside)
    for head in heads:
        graph.add(head, outside)


def _definition_order(program: Program, graph: _Graph) -> None:
    order: dict[str, None] = {param.var.slot: None for param in program.params}
    for stmt in program.body:
        order.update(dict.fromkeys(_text_order(stmt)))
    for slot in graph.order:
        order.setdefault(slot)
    graph.order = order
    for slot in order:
        graph.edges.setdefault(slot, set())


def _text_order(stmt: Stmt) -> Iterator[str]:
    if isinstance(stmt, NewStore):
        yield stmt.store
    if isinstance(stmt, Loop):
        yield from (var.slot for var in flat_targets(stmt.targets))
        for inner in stmt.body:
            yield from _text_order(inner)
    elif isinstance(stmt, If):
        for inner in (*stmt.then, *stmt.orelse):
            yield from _text_order(inner)
    if isinstance(stmt, Effect) and not isinstance(stmt.value, Opaque):
        return
    yield from (var.slot for var in defines(stmt))


def global_names(program: Program) -> frozenset[str]:
    """Return the first names of all global objects that a program mentions."""
    found: set[str] = set()
    for stmt in statements(program.body):
        for expr in expressions(stmt):
            for part in walk(expr):
                if isinstance(part, Ref):
                    found.add(part.text.split(".")[0])
                if isinstance(part, Opaque):
                    found.update(ref.text.split(".")[0] for ref in part.globals)
    for part in walk(program.result):
        if isinstance(part, Ref):
            found.add(part.text.split(".")[0])
    return frozenset(found)
