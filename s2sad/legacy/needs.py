"""What the functions of a file need besides themselves: each global object, under one name.

    library.damped(x) + GAIN       def damped(x): ...    GAIN = 1.7    and, if library has a GAIN
                                   of its own that damped reads, library_GAIN = 0.3

Functions and constants of the user's own are copied, what is installed as a package is imported.
What can be neither is handed to a derivative that is called, and cannot be saved.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from enum import EnumType
from types import FunctionType, ModuleType
from typing import Any

import gast

from s2sad.legacy.blocks import all_defines, map_everywhere
from s2sad.legacy.callee import Written
from s2sad.legacy.constants import constant_text, is_asked_for_more, table_pieces
from s2sad.legacy.copyable import (
    attribute,
    attributes_in,
    attributes_of,
    bound_inside,
    copyable,
    emitted,
    is_own,
    is_tool,
    not_evaluated,
    words_in,
    words_of,
)
from s2sad.legacy.flags import started_by
from s2sad.legacy.needed import Copied, Item, Key, Place
from s2sad.legacy.printing import wrap
from s2sad.legacy.program import Expr, Opaque, Param, Program, Ref, base
from s2sad.legacy.pulled import called_name
from s2sad.legacy.transplant import Put, transplanted, with_names
from s2sad.legacy.traverse import expressions, statements, transform, walk
from s2sad.legacy.wellknown import RESERVED, WellKnown
from s2sad.operators.custom import Custom, custom_of
from s2sad.source.canonical import is_same
from s2sad.source.fresh import candidates, wishes
from s2sad.source.installed import Namespace, aliased, inner_imports, namespace_of, where
from s2sad.source.names import free_names
from s2sad.source.plain import is_record, may_change
from s2sad.source.text import MISSING, Source, source_of
from s2sad.source.trees import nodes_of


class Needs:
    """The global objects of a file, found first, then named, then written."""

    def __init__(self, reserved: Iterable[str]):
        self.reserved = {*reserved, *RESERVED}
        self.items: dict[Key, Item] = {}
        self.known = WellKnown()
        # copied functions, each behind those it needs
        self.functions: list[Item] = []
        self.first: Source | None = None
        # what is read of objects, whichever these are
        self.attributes: set[str] = set()
        # what may name an attribute as well: `getattr(f, "gain")`
        self.words: set[str] = set()

    # ------------------------------------------------------------ finding

    def visit(self, program: Program, source: Source) -> None:
        """Take in what a program mentions; the names in the first one are left as they are."""
        self.first = self.first or source
        own = {base(var.slot) for var in _variables(program)}
        if any(getattr(stmt, "op", "") == "add.at" for stmt in statements(program.body)):
            self.known.import_used("np.add.at")
        if any(param.default is not None for param in program.params):
            list(self._defaults(source))
        for expr in _all_expressions(program):
            for part in walk(expr):
                self.attributes |= attributes_in(part)
                self.words |= words_in(part)
                for text, place in self._places(part, source):
                    if place is not None:
                        item = self.items[place.key]
                        item.forbidden |= own
                        item.plain |= source is self.first and text == item.wishes[0]

    def _places(self, part: Expr, source: Source) -> Iterator[tuple[str, Place | None]]:
        if isinstance(part, Ref):
            yield part.text, self.place_of_ref(part, source)
        elif isinstance(part, Opaque):
            for node, place in self._uses_of_opaque(part, source):
                yield ".".join(words_of(node)), place

    def place_of_ref(self, ref: Ref, source: Source) -> Place | None:
        """Return what a name in a program stands for; None where it stands as it is."""
        if isinstance(ref.value, Written) or ref.value is MISSING or self.known.takes(ref):
            return None
        words = tuple(ref.text.split("."))
        root = resolved(words[0], source)
        if not is_same(attribute(root, words[1:]), ref.value):
            # the name is one of a function that was lowered into this one
            root, words = ref.value, words[-1:]
        return self._settle(words, root, namespace_of(source))

    def _settle(self, words: tuple[str, ...], root: Any, namespace: Namespace) -> Place:
        """Follow a dotted name through modules and classes of the user's, to what it needs."""
        value, count = root, 1
        start = 0
        while count < len(words) and is_own(value) and not isinstance(value, EnumType):
            inner = getattr(value, words[count], MISSING)
            if inner is MISSING:
                break
            if isinstance(value, ModuleType):
                start, namespace = count, namespace_of(value)
            value, count = inner, count + 1
        return self._item(words[start:count], words[count:], value, namespace)

    def _item(
        self, words: tuple[str, ...], rest: tuple[str, ...], value: Any, namespace: Namespace
    ) -> Place:
        value = emitted(value)
        self.words.update(rest)
        text = None if callable(value) and not is_record(value) else constant_text(value)
        wished = tuple(wishes(words, value, namespace.name))
        imported = not (text or is_own(value) or is_tool(value))
        line = where(words[-1], rest, value, namespace) if imported else None
        if text:
            self.known.import_used(text)
            # of two that can be changed, equal now, each is itself
            key: Key = ("constant", wished[0], text, id(value) if may_change(value) else 0)
            key = ("record", id(value)) if is_record(value) else key
            self.items.setdefault(key, Item(value, wished, constant=text))
        elif line:
            key = ("import", words[-1], id(value))
            self.items.setdefault(key, Item(value, words[-1:])).imports[line] = None
        else:
            key = ("object", id(value))
            if key not in self.items:
                self.items[key] = Item(value, wished)
                self._copy(self.items[key])
        return Place(key, rest)

    # ------------------------------------------------------------ functions

    def _copy(self, item: Item) -> None:
        """Take in a function that is to be copied, and what it needs."""
        source = copyable(item.value)
        if source is None:
            item.table = self._table(item.value)
            item.missing = item.table is None
            self.functions += [item] if item.table else []
            return
        self.attributes |= attributes_in(source.tree)
        self.words |= words_in(source.tree)
        decorated = not isinstance(item.value, FunctionType)
        uses = list(self._uses(source, decorated))
        defaults = list(self._defaults(source))
        item.copied = Copied(source, uses, defaults, decorated)
        bound = bound_inside(source.tree)
        for place in (*(place for _, place in uses), *defaults):
            if isinstance(place, Place):
                self.items[place.key].forbidden |= bound
        self.functions.append(item)

    def _table(self, value: Any) -> list[str | Place] | None:
        """Return the pieces of the text of a table of functions, which are copied before it."""
        pieces = table_pieces(value) or []
        functions = [piece for piece in pieces if not isinstance(piece, str)]
        if not functions or any(copyable(each) is None for each in functions):
            return None
        self.known.import_used("".join(piece for piece in pieces if isinstance(piece, str)))
        return [
            piece
            if isinstance(piece, str)
            else self._settle((called_name(piece),), piece, namespace_of(source_of(piece)))
            for piece in pieces
        ]

    def _uses(self, source: Source, decorated: bool) -> Iterator[tuple[Any, Place]]:
        left_out = not_evaluated(source.tree)
        if not decorated:
            left_out |= {id(part) for d in source.tree.decorator_list for part in nodes_of(d)}
        for node in free_names(source.tree):
            place = None if id(node) in left_out else self._place_of_node(node, source)
            if place is not None:
                yield node, place

    def _place_of_node(self, node: Any, source: Source) -> Place | None:
        words = words_of(node)
        root = resolved(words[0], source)
        return None if root is MISSING else self._place_of_words(words, root, source)

    def _place_of_words(self, words: tuple[str, ...], root: Any, source: Source) -> Place | None:
        text = ".".join(words)
        if self.known.takes(Ref(words[0], root), text):
            return None
        return self._settle(words, root, namespace_of(source))

    def _defaults(self, source: Source) -> Iterator[str | Place | None]:
        """Yield the defaults of parameters by their values, which the text may not show."""
        function, args = source.function, source.tree.args
        given = list(function.__defaults__ or ())
        values = [MISSING] * (len(args.posonlyargs) + len(args.args) - len(given)) + given
        named = function.__kwdefaults__ or {}
        values += [named.get(arg.id, MISSING) for arg in args.kwonlyargs]
        spelled = [*[None] * (len(values) - len(args.kw_defaults) - len(args.defaults))]
        spelled += [*args.defaults, *args.kw_defaults]
        for arg, value, node in zip(_parameters(source), values, spelled, strict=True):
            # what has a name may be changed by it
            shared = may_change(value) and isinstance(node, gast.Name | gast.Attribute)
            text = None if value is MISSING or shared or is_record(value) else constant_text(value)
            if text:
                self.known.import_used(text)
            if value is MISSING or text:
                yield text
            else:
                name = getattr(value, "__name__", "")
                word = name if name.isidentifier() else f"{arg.id}_default"
                yield self._settle((word,), value, namespace_of(source))

    # ------------------------------------------------------------ copied syntax

    def _uses_of_opaque(self, copied: Opaque, source: Source) -> Iterator[tuple[Any, Place]]:
        local = {name for name, _ in (*copied.reads, *copied.writes)}
        values = {ref.text: ref.value for ref in copied.globals}
        left_out = not_evaluated(copied.node)
        for node in free_names(copied.node):
            words = words_of(node)
            if words[0] in local or id(node) in left_out:
                continue
            root = resolved(words[0], source) if words[0] in source.locals else MISSING
            # a class that the function defines for itself is known by its copy alone
            root = values.get(words[0], MISSING) if root is MISSING else root
            if root is MISSING:
                continue
            place = self._place_of_words(words, root, source)
            if place is not None:
                yield node, place

    # ------------------------------------------------------------ naming

    def settle(self) -> None:
        """Give every object its name in the file."""
        for item in self.items.values():
            if item.constant and is_asked_for_more(item.value, self.attributes):
                item.constant, item.missing = "", True
            if item.copied and attributes_of(item.value) & (self.attributes | self.words):
                item.copied, item.missing = None, True  # a copy would be without them
        taken = set(self.reserved)
        for item in sorted(self.items.values(), key=lambda item: not item.plain):
            item.name = next(n for n in candidates(item.wishes) if n not in taken | item.forbidden)
            taken.add(item.name)

    def named(self, place: Place) -> str:
        """Return the text of a global name in the file."""
        return ".".join((self.items[place.key].name, *place.rest))

    def renamed(self, program: Program, source: Source) -> Program:
        """Return a program that calls everything by its name in the file."""

        def one(expr: Expr) -> Expr:
            if isinstance(expr, Ref):
                place = self.place_of_ref(expr, source)
                return expr if place is None else Ref(self.named(place), expr.value)
            return self._renamed_opaque(expr, source) if isinstance(expr, Opaque) else expr

        params = tuple(self._with_default(param, source) for param in program.params)
        body = map_everywhere(program.body, lambda expr: transform(expr, one))
        return replace(program, params=params, body=body, result=transform(program.result, one))

    def _with_default(self, param: Param, source: Source) -> Param:
        """Return a parameter whose default is what it was when the function was made."""
        if param.default is None or not any(
            isinstance(p, Ref | Opaque) for p in walk(param.default)
        ):
            return param
        names = [arg.id for arg in _parameters(source)]
        found = dict(zip(names, self._defaults(source), strict=True)).get(param.var.slot)
        text = self.named(found) if isinstance(found, Place) else found
        return param if text is None else replace(param, default=Ref(text, MISSING))

    def _renamed_opaque(self, copied: Opaque, source: Source) -> Opaque:
        uses = [(node, self.named(place)) for node, place in self._uses_of_opaque(copied, source)]
        if all(".".join(words_of(node)) == text for node, text in uses):
            return copied
        gone = {words_of(node)[0] for node, _ in uses}
        kept = [ref for ref in copied.globals if ref.text not in gone]
        made = [Ref(text.split(".")[0], None) for _, text in uses]
        node = with_names(copied.node, [Put(node, text) for node, text in uses])
        return replace(copied, node=node, globals=(*kept, *made))

    # ------------------------------------------------------------ writing

    def import_lines(self) -> dict[str, None]:
        """Return the imports of the file, once everything has its name."""
        lines = dict(self.known.imports)
        for item in self.items.values():
            for line in item.imports:
                lines[
                    line if item.name == item.wishes[0] else aliased(line, item.name, item.value)
                ] = None
        return lines

    def constants(self) -> dict[str, str]:
        """Return the texts of the constants by their names."""
        return {item.name: item.constant for item in self.items.values() if item.constant}

    def function_texts(self) -> Iterator[str]:
        """Yield the copied functions, each behind those it needs."""
        for item in self.functions:
            if item.table is not None:
                named = (self.named(p) if isinstance(p, Place) else p for p in item.table)
                yield "\n".join(wrap("", f"{item.name} = {''.join(named)}", 0))
            if (copied := item.copied) is None:
                continue
            puts = [Put(node, self.named(place)) for node, place in copied.uses]
            defaults = [self.named(d) if isinstance(d, Place) else d for d in copied.defaults]
            yield transplanted(copied.source, item.name, puts, defaults, copied.decorated)

    def customs(self) -> dict[str, Custom]:
        """Return the derivatives that copied functions were given, by the functions' names."""
        found = ((item.name, custom_of(item.value)) for item in self.functions if item.copied)
        return {name: custom for name, custom in found if custom is not None}

    def copies(self) -> Iterator[tuple[str, Any]]:
        """Yield the functions that are copied, under their names in the file."""
        yield from ((item.name, item.value) for item in self.functions if item.copied)

    def live(self) -> dict[str, tuple[Any, str]]:
        """Return the constants that can be changed where they stand, and their texts, by name."""
        constants = (item for item in self.items.values() if item.constant)
        return {i.name: (i.value, i.constant) for i in constants if may_change(i.value)}

    def bindings(self) -> dict[str, Any]:
        """Return what the file cannot have, by its name."""
        return {item.name: item.value for item in self.items.values() if item.missing}


# ---------------------------------------------------------------- programs


def _parameters(source: Source) -> list[Any]:
    args = source.tree.args
    return [*args.posonlyargs, *args.args, *args.kwonlyargs]


def _all_expressions(program: Program) -> Iterator[Expr]:
    for stmt in statements(program.body):
        yield from (*expressions(stmt), *started_by(stmt))
    yield program.result


def _variables(program: Program) -> Iterator[Any]:
    yield from (param.var for param in program.params)
    for stmt in program.body:
        yield from all_defines(stmt)


def resolved(name: str, source: Source) -> Any:
    """Return what a global name of a function means, imports inside the function included."""
    if name in source.locals:
        return inner_imports(source.tree).get(name, MISSING)
    return source.resolve(name)
