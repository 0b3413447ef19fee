"""What a file imports and defines for the objects of modules that its functions name.

np.sin        import numpy as np              erf      from scipy.special import erf
GRAVITY       GRAVITY = 9.81                  _sum_to  the function itself, as it stands in templates/
"""

from __future__ import annotations

import ast
import builtins
import cmath
import importlib
import math
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from types import MethodType, ModuleType
from typing import Any

import numpy as np

from s2sad.emit.constants import constant_text
from s2sad.emit.exceptions import exception_text
from s2sad.ir.errors import NotYet, Refused, Unsupported, placed
from s2sad.ir.expression import Expr, Global, call, global_
from s2sad.ir.records import dataclass, field, replace
from s2sad.ir.remedies import counted
from s2sad.lowering.module_names import Entry
from s2sad.operators import printed
from s2sad.source.owners import is_own, stored_attribute
from s2sad.source.plain import is_record
from s2sad.source.trees import nodes_of

MISSING = object()
RAISED = (
    "Give it methods that name its bases alone, or raise an exception of Python's: ValueError(...)."
)
# what every file calls so
WELL_KNOWN: Mapping[str, ModuleType] = {"np": np, "math": math, "cmath": cmath}
STANDARD = frozenset(sys.stdlib_module_names)


@dataclass(slots=True)
class Header:
    """The imports, constants and helpers of one file, while its text is made.

    `module` holds the globals of the user's function, `taken` the names of its variables.
    `spelled` is how each global is written in this file, `objects` are the classes, and the
    constants that may be changed where they stand, with their texts. `fields` are the attributes
    that are read of objects. By identity, `told_apart` are the objects that are asked whether
    something is them, `by_key` the dicts of which single items are read. `helpers` are printed functions with the names
    that they have in this file. `bindings` are what no text gives: the file cannot be saved.
    """

    module: Mapping[str, Any]
    taken: frozenset[str]
    fields: frozenset[str] = frozenset()
    told_apart: frozenset[int] = frozenset()
    by_key: frozenset[int] = frozenset()
    imports: dict[str, str] = field(default_factory=dict)
    constants: dict[str, str] = field(default_factory=dict)
    objects: dict[str, tuple[object, str]] = field(default_factory=dict)
    bindings: dict[str, object] = field(default_factory=dict)
    helpers: dict[str, str] = field(default_factory=dict)
    spelled: dict[Global, str] = field(default_factory=dict)

    def spell(self, node: Expr) -> Expr | None:
        """Return a global as this file writes it; None for other nodes."""
        if node.op == "record" and node.data.is_given:
            return self.made(node)
        if node.op != "global":
            return None
        of = node.data
        if isinstance(of.value, Entry):
            raise counted(of.value.name, of.value.span)
        if of not in self.spelled:
            try:
                self.spelled[of] = self.text_of(of)
            except Refused as fault:
                raise Refused(placed(fault.error, node.span)) from None
            except NotYet as fault:
                fault.span = fault.span or node.span
                raise
        text = self.spelled[of]
        return None if text == of.text else replace(node, data=Global(text, of.value))

    def text_of(self, of: Global) -> str:
        """Return how a global is written, and note what that needs."""
        helper = printed.name_of(of.value)
        if helper:
            self.add_helper(helper)
            return self.helpers[helper]
        if is_same(reach(builtins, of.text.split(".")), of.value):
            return self.builtin(of.text)
        found = self.imported(of.value) if self.has_name_for(of) else None
        found = found or self.module_text(of.text, of.value) or self.imported(of.value)
        return found or self.constant(of.text, of.value)

    def made(self, node: Expr) -> Expr:
        """Return a call of the class of an object that the user is given."""
        cls = node.data.cls
        head = self.free(cls.__name__)
        if self.bindings.setdefault(head, cls) is not cls:
            raise NotYet(f"results of two classes that are called {head}", node.span)
        fields = dict(zip(node.data.names, node.args, strict=True))
        return call(global_(head, cls), type_=node.type, **fields)

    def has_name_for(self, of: Global) -> bool:
        """Tell whether the user's module has imported by name what a rule reads off a package."""
        head = of.text.split(".")[0]
        if head in WELL_KNOWN or head in self.module:
            return False
        return any(value is of.value for value in self.module.values())

    def builtin(self, name: str) -> str:
        """Return a builtin, through its module where the user has taken its name."""
        if name.split(".")[0] not in self.taken:
            return name
        self.add_import("builtins", "import builtins")
        return f"builtins.{name}"

    # ------------------------------------------------------------------------ modules

    def module_text(self, text: str, value: Any) -> str | None:
        """Return the text of an object that a module is asked for: np.sin, numpy.sin, sin."""
        head, *words = text.split(".")
        for called, module in WELL_KNOWN.items():
            for path in (words, [head], [stored_attribute(value, "__name__", "")]):
                if path and is_same(reach(module, path), value):
                    return self.of_module(called, module, path)
        owner = self.module.get(head, sys.modules.get(head))
        if isinstance(owner, ModuleType) and is_same(reach(owner, words), value):
            if is_own(owner):
                return None  # the file does not need the user's own modules
            return self.of_module(head, owner, words)
        return None

    def of_module(self, called: str, module: ModuleType, words: list[str]) -> str:
        """Return a dotted text below a module that is imported under a name."""
        name = module.__name__
        if called in self.taken:  # by a variable of the user's: np is numpy then
            called = self.free(name if name.isidentifier() else called)
        root = name.split(".")[0]
        if called == root:
            inner = inner_module(module, words)
            self.add_import(inner, f"import {inner}")
        else:
            self.add_import(called, f"import {name} as {called}")
        return ".".join([called, *words])

    def imported(self, value: Any) -> str | None:
        """Return the name of a function or class of a library, and import it from there."""
        home, name = stored_attribute(value, "__module__"), stored_attribute(value, "__name__", "")
        if isinstance(value, np.ufunc):
            home = home or "scipy.special"
        if not home or not name.isidentifier() or is_own(value) or home == "__main__":
            return None
        for module in (home.split("._")[0], home):
            if is_same(getattr(sys.modules.get(module), name, MISSING), value):
                return self.of_name(module, name)
        return None

    def held(self, value: Any) -> str | None:
        """Return the name of an object that the module of its class holds: scipy.stats.norm."""
        if isinstance(value, MethodType):
            owner = self.held(value.__self__)
            return owner and f"{owner}.{value.__name__}"
        if is_own(type(value)):
            return None
        module = type(value).__module__.split("._")[0]
        space = vars(sys.modules[module]) if module in sys.modules else {}
        names = (name for name, each in space.items() if each is value and name.isidentifier())
        name = next(names, None)
        return self.of_name(module, name) if name else None

    def of_name(self, module: str, name: str) -> str:
        """Return a name that is imported from a module."""
        called = name
        while called in self.taken or called in self.constants or self.is_other(called, module):
            called += "_"
        renamed = f" as {called}" if called != name else ""
        self.add_import(called, f"from {module} import {name}{renamed}")
        return called

    def is_other(self, called: str, module: str) -> bool:
        """Tell whether a name is imported from another module already."""
        return not self.imports.get(called, f"from {module} ").startswith(f"from {module} ")

    def add_import(self, called: str, line: str) -> None:
        """Note an import; raise NotYet where its name is that of another one."""
        if self.imports.setdefault(called, line) != line:
            raise NotYet(f"{called} is imported twice: {self.imports[called]}, {line}")

    # ------------------------------------------------------------------------ constants, helpers

    def constant(self, text: str, value: Any, as_default: str | None = None) -> str:
        """Return the name of a constant, and define it; what no text gives is bound to it.

        `as_default` is the text of what is a default of a parameter.
        Raises NotYet for code of the user's: what it does is not known.
        """
        written = as_default or self.given_by_text(value) or self.exception(value)
        held = self.held(value) if written is None else None
        if held:
            return held
        if written is None and is_own(stored_attribute(value, "__func__", value)):
            if isinstance(value, type) and issubclass(value, BaseException):
                problem = f"the methods of {text}, which is raised, read names of its module"
                raise Unsupported.refused(problem, None, RAISED)
            raise NotYet(f"{text}, which is handed to what is not followed")
        owner, _, name = text.rpartition(".")
        if written is None and isinstance(value, MethodType):
            owner = owner or type(value.__self__).__name__.lower()
            return f"{self.text_of(Global(owner, value.__self__))}.{value.__name__}"
        if self.is_taken(name, written, value):
            name = text.replace(".", "_")
        while self.is_taken(name, written, value):
            name += "_"
        if written is not None:
            own = getattr(value, "__name__", name)
            if name != own and re.search(rf"\n.*\b{own}\b", written):
                raise NotYet(f"{text}, which names itself and has the name of something else,")
            written = re.sub(r"^class \w+", f"class {name}", written)
        if written is None:
            self.bindings[name] = value
            return name
        self.constants[name] = written
        if isinstance(value, type) or as_default or _may_change(value):
            self.objects[name] = value, written
        self.use(written)
        return name

    def exception(self, value: Any) -> str | None:
        """Return the definition of an exception class of the user's, below those that it is made of."""
        if not isinstance(value, type) or not issubclass(value, BaseException) or not is_own(value):
            return None
        bases = [self.text_of(Global(base.__name__, base)) for base in value.__bases__]
        return exception_text(value, bases)

    def given_by_text(self, value: Any) -> str | None:
        """Return the text of a constant, without what is not read of it; None where there is none."""
        if id(value) in self.told_apart:
            return None
        if id(value) in self.by_key:
            value = {k: v for k, v in value.items() if not callable(v) or isinstance(v, type)}
        return constant_text(value, self.fields)

    def is_taken(self, name: str, written: str | None, value: Any) -> bool:
        """Tell whether a name is that of something else."""
        if name in self.taken or self.constants.get(name, written) != written:
            return True
        if self.bindings.get(name, value) is not value:
            return True
        return name in self.objects and self.objects[name][0] is not value

    def add_helper(self, name: str) -> None:
        """Note a printed function with all that it calls."""
        for needed in printed.uses(name):
            if needed not in self.helpers and needed != name:
                self.add_helper(needed)
        self.helpers[name] = self.free(name)
        self.use(printed.source(name))

    def free(self, name: str) -> str:
        """Return a name that no variable of the user's has."""
        while name in self.taken:
            name += "_"
        return name

    def helper_source(self, name: str) -> str:
        """Return the text of a printed function under the names of this file."""
        source = printed.source(name).rstrip()
        for helper, called in self.helpers.items():
            if called != helper:
                source = re.sub(rf"\b{helper}\b", called, source)
        return source

    def use(self, text: str) -> None:
        """Import the modules that a text names and that nothing in it defines.

        Raises NotYet for a name that is not known, and for blocks in more blocks than Python reads.
        """
        try:
            named = dotted_names(text)
        except (IndentationError, MemoryError, RecursionError):
            raise NotYet("a text of so many blocks in each other") from None
        for path in named:
            head, *words = path.split(".")
            if head in WELL_KNOWN:
                self.imports.setdefault(head, import_line(head, WELL_KNOWN[head]))
            elif head == "scipy":
                inner = inner_module(importlib.import_module("scipy"), words)
                self.imports.setdefault(inner, f"import {inner}")
            elif head == "SimpleNamespace":
                self.imports.setdefault(head, "from types import SimpleNamespace")
            elif head in STANDARD and not self.is_named(head):
                self.imports[head] = f"import {head}"

    def is_named(self, word: str) -> bool:
        """Tell whether a name stands for something in the file already."""
        named = (*self.imports, *self.constants, *self.bindings)
        return any(each.split(".")[0] == word for each in named)


def _may_change(value: Any) -> bool:
    """Tell whether an object may be changed where it stands."""
    if isinstance(value, tuple):
        return any(map(_may_change, value))
    return isinstance(value, np.ndarray | list | dict | set) or is_record(value)


@lru_cache(maxsize=256)
def dotted_names(text: str) -> tuple[str, ...]:
    """Return what a text reads and does not bind, with its attributes: np.linalg.norm."""
    every = list(nodes_of(ast.parse(text)))
    inner = {id(n.value) for n in every if isinstance(n, ast.Attribute)}
    bound_ = {name for n in every for name in _bound(n)}
    outer = (n for n in every if isinstance(n, ast.Name | ast.Attribute) and id(n) not in inner)
    found = (dotted(n) for n in outer)
    read = (".".join([root.id, *words]) for root, words in found if root and root.id not in bound_)
    return tuple(dict.fromkeys(read))


def dotted(node: ast.AST) -> tuple[ast.Name | None, list[str]]:
    """Return a name with its attributes; None in its place of those of something else."""
    words: list[str] = []
    while isinstance(node, ast.Attribute):
        words.insert(0, node.attr)
        node = node.value
    return node if isinstance(node, ast.Name) else None, words


def _bound(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
            yield name
        case ast.arg(arg=name) | ast.FunctionDef(name=name):
            yield name


def import_line(called: str, module: ModuleType) -> str:
    """Return the import of a module under a name."""
    name = module.__name__
    return f"import {name}" if called == name else f"import {name} as {called}"


def reach(module: Any, words: Iterable[str]) -> Any:
    """Return what a dotted path leads to, MISSING where it leads nowhere."""
    found = module
    for word in words:
        found = getattr(found, word, MISSING) if word else MISSING
    return found


def is_same(one: Any, other: Any) -> bool:
    """Tell whether two objects are the same; a method of a function is made anew when asked for."""
    if one is other:
        return True
    return callable(one) and type(one) is type(other) and bool(one == other)


def inner_module(module: ModuleType, words: Iterable[str]) -> str:
    """Return the innermost module on a path, which has to be imported by itself."""
    name = module.__name__.split(".")[0]
    place: Any = sys.modules.get(name, module)
    for word in words:
        place = getattr(place, word, None)
        if not isinstance(place, ModuleType) or f"{name}.{word}" not in sys.modules:
            break
        name = f"{name}.{word}"
    return name


def in_order(imports: Iterable[str]) -> list[str]:
    """Return imports, those of the standard library first, plain ones before others."""
    lines = sorted(set(imports), key=lambda line: (line.startswith("from"), line))
    is_standard = [line.split()[1].split(".")[0] in STANDARD for line in lines]
    ours = [line for line, own in zip(lines, is_standard, strict=True) if own]
    others = [line for line, own in zip(lines, is_standard, strict=True) if not own]
    return [*ours, *([""] if ours and others else []), *others]
