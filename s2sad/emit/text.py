"""A Program becomes the text of one Python file that stands alone.

text(program, Request("misfit_grad", "grad", ("W", "m"), source, context))
"""

from __future__ import annotations

import builtins
import re
import textwrap
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from functools import partial

from s2sad.analysis.callees import calling
from s2sad.emit.comments import Line, file_name, joined, lines_of, place_of, with_lines
from s2sad.emit.docstrings import docstring, header
from s2sad.emit.entry import entry_test, parameters
from s2sad.emit.halves import with_long_lines_halved
from s2sad.emit.header import Header, in_order
from s2sad.emit.layout import WIDTH, wrap
from s2sad.emit.names import names_of
from s2sad.emit.request import Request
from s2sad.emit.slices import with_slices
from s2sad.emit.sweeps import Writer
from s2sad.emit.unpacking import unpacked_as_written
from s2sad.ir.errors import NotYet
from s2sad.ir.expression import Expr, Variable
from s2sad.ir.program import Block, Copied, Function, Program, Statement, sweeps
from s2sad.ir.records import dataclass, replace
from s2sad.ir.renaming import free_name
from s2sad.ir.spelling import expression, quoted
from s2sad.ir.text import signature
from s2sad.ir.types import Number
from s2sad.ir.walk import (
    bound_in,
    called_in,
    nodes,
    nodes_in,
    own_nodes,
    read_variables,
    rebuilt,
    rewritten,
    statements,
    with_expressions,
)
from s2sad.source import Source
from s2sad.source.read import signature_of

# the number that lowering gives a function: layer_1, layer_1_jvp
NUMBERED = re.compile(r"^(.*[^\W\d]\w*?)_\d+((?:_jvp|_rev)?)$")
WORD = re.compile(r"\b[^\W\d]\w*")


@dataclass(frozen=True, slots=True)
class File:
    """The lines of a file, and the constants in it that may be changed where they stand.

    `text_of` gives their texts, `bindings` are what no text gives.
    """

    lines: list[Line]
    objects: Mapping[str, tuple[object, str]]
    text_of: Callable[[object], str | None]
    bindings: Mapping[str, object]

    @property
    def source(self) -> str:
        """Return the text of the file."""
        return joined(self.lines)


def text(program: Program, request: Request) -> str:
    """Return the text of the file of a derivative."""
    return written(program, request).source


def written(program: Program, request: Request) -> File:
    """Return the file of a derivative: imports, constants, functions, and the derivative itself.

    It is in NumPy's names. Raises NotYet for what cannot be written into a file of its own.
    """
    program = renamed_functions(_remembering(program), request)
    top = header_of(program, request.source)
    program = spelled(program, top)
    program = program.mapped(with_slices).mapped(unpacked_as_written)
    made = [_Text(program, each, request, top).written() for each in program.functions.values()]
    return File(file_of(made, top), top.objects, top.given_by_text, top.bindings)


def _remembering(program: Program) -> Program:
    """Return a program whose functions of numbers remember what the user's do; no derivative does."""
    made = dict(program.functions)
    for called in program.facts.get("remembering", frozenset()) & made.keys():
        if all(isinstance(p.type, Number) for p in made[called].parameters):
            made[called] = replace(made[called], decorator="@functools.lru_cache(maxsize=None)")
    return replace(program, functions=made)


def header_of(program: Program, source: Source) -> Header:
    """Return the header of a file that holds a program of a function's, with nothing in it yet."""
    taken = frozenset(v.name for f in program.functions.values() for v in _variables(f))
    read = frozenset(_fields(program.body))
    every = list(nodes_in(program.body))
    apart = frozenset(
        (*_told_apart(every), *_of_their_class(program, source), *_members_as_keys(every))
    )
    by_key = frozenset(_read_by_key(every))
    return Header(source.module, taken | frozenset(program.functions), read, apart, by_key)


def file_of(functions: list[list[Line]], top: Header) -> list[Line]:
    """Return a file of functions, the first that is called last, below what they need."""
    helpers = [lines_of(top.helper_source(name)) for name in top.helpers]
    first, *others = [*functions[:-1], *helpers, functions[-1]]
    body = [*first, *(line for each in others for line in (*lines_of("\n"), *each))]
    top.use(joined(body))
    is_class = {name: value.startswith("class ") for name, value in top.constants.items()}
    plain = [f"{name} = {value}" for name, value in top.constants.items() if not is_class[name]]
    classes = [f"\n{value}" for name, value in top.constants.items() if is_class[name]]
    constants = "\n".join("\n".join(wrap(line, 0)) for line in plain)
    heads = ["\n".join(in_order(top.imports.values())), constants, *classes]
    head = "\n\n".join(part for part in heads if part)
    return [*(lines_of(f"{head}\n\n") if head else []), *body, Line("")]


def renamed_functions(program: Program, request: Request) -> Program:
    """Return a program whose functions have the names of the text, the first one last."""
    called: dict[str, str] = {program.entry: request.name}
    used = {request.name} | {v.name for f in program.functions.values() for v in _variables(f)}
    for name, function in program.functions.items():
        if name not in called:
            plain = name if function.decorator else NUMBERED.sub(r"\1\2", name)
            wish = plain if plain not in used else name
            while wish in used or hasattr(builtins, wish):
                wish += "_"
            called[name] = wish
            used.add(wish)

    if len(called) == 1 and not any(called_in(program.function)):
        functions = {request.name: replace(program.function, name=request.name)}
        return replace(program, functions=functions, entry=request.name)

    order = [*(name for name in program.functions if name != program.entry), program.entry]
    functions = {
        called[n]: replace(calling(program.functions[n], called), name=called[n]) for n in order
    }
    return replace(program, functions=functions, entry=request.name)


def spelled(program: Program, top: Header) -> Program:
    """Return a program whose globals are written as in this file."""
    change = partial(_with_names_of, top)
    made = program.mapped(lambda each: replace(each, body=rewritten(each.body, change)))
    checks = tuple(replace(c, test=rebuilt(c.test, top.spell)) for c in program.checks)
    return replace(made, checks=checks)


def _with_names_of(top: Header, statement: Statement) -> Statement:
    try:
        return with_expressions(statement, lambda expr: rebuilt(expr, top.spell))
    except NotYet as fault:
        raise (statement.fault if isinstance(statement, Copied) else fault) from None


def _variables(function: Function) -> Iterator[Variable]:
    yield from (p.variable for p in function.parameters)
    yield from bound_in(function.body)


@dataclass(slots=True)
class _Text:
    """The text of one function."""

    program: Program
    function: Function
    request: Request
    top: Header

    def written(self) -> list[Line]:
        """Return the lines of a function: signature, docstring, check, statements."""
        self.function = with_long_lines_halved(self.function, self.names())
        names = self.names()
        is_entry = self.function.name == self.request.name
        is_primal = not is_entry or self.request.mode == "primal"
        first = self.signature(names, is_entry)
        decorators = [self.function.decorator] if self.function.decorator else []
        head = place_of(self.function.span)
        lines = [Line(each, head) for each in wrap(f"def {self.function.name}({first}):", 0)]
        lines = [*map(Line, decorators), *lines, *map(Line, self.docstring(names, is_primal))]
        check = list(self.check(names)) if is_entry else []
        lines += map(Line, check)
        writer = Writer(names, self.request.source.path)
        writer.write(self.function.body)
        for line in writer.lines[-1:]:  # the result belongs to the head
            line.place = line.place or head
        if check and writer.lines and not is_primal:
            lines.append(Line(""))
        return [*lines, *(writer.lines or [Line("    pass")])]

    def names(self) -> Mapping[Variable, str]:
        top = self.top
        reserved = {*top.helpers.values(), *top.imports, *top.constants}
        reserved -= top.taken  # such a name is read in the printed functions alone
        reserved |= {*self.program.functions, *_words(self.function.body), *_heads(self.function)}
        forward, reverse = sweeps(self.function.body)
        later = bound_in(reverse) - bound_in(forward)
        return names_of(self.function, self.program, reserved, later)

    def signature(self, names: Mapping[Variable, str], is_entry: bool) -> str:
        if is_entry:
            return parameters(self.function, self.request.source, self.top, names)
        return signature(self.function, names)

    def docstring(self, names: Mapping[Variable, str], is_primal: bool) -> list[str]:
        if is_primal:
            return docstring(_named_place(self.function).splitlines())
        return docstring(header(self.program, self.request, *sweeps(self.function.body), names))

    def check(self, names: Mapping[Variable, str]) -> Iterator[str]:
        """Yield the lines of the one check at the entry."""
        asked = entry_test(self.program, self.request)
        if asked is not None:
            test, message = asked
            test = rebuilt(test, self.top.spell)
            given = {names[p.variable] for p in self.function.parameters}
            items = (node.data for node in nodes(test) if node.op == "generator")
            apart = {v: free_name(v.name, given) for v in items if isinstance(v, Variable)}
            yield from wrap(f"if {expression(test, {**names, **apart})}:", 4)
            yield from _raised(message)


def _named_place(function: Function) -> str:
    """Return the docstring of a function of a loop, with the number of its line where it is shown."""
    span = function.span
    if span is None:
        return function.doc
    file = file_name(span.path)
    return function.doc.replace(f"{file}:{span.line}", with_lines(file, str(span.line)))


def _raised(message: str) -> list[str]:
    """Return the lines that raise a message, which stands on several where it is long."""
    whole = wrap(f"raise ValueError({quoted(message)})", 8)
    if all(len(line) <= WIDTH for line in whole):
        return whole
    parts = textwrap.wrap(message, WIDTH - 16, break_long_words=False, break_on_hyphens=False)
    spaced = [f"{part} " for part in parts[:-1]] + parts[-1:]
    inner = [" " * 12 + quoted(part) for part in spaced]
    return ["        raise ValueError(", *inner, "        )"]


def _words(body: Block) -> Iterator[str]:
    """Yield the names in the user's own text that stands in a program as it is."""
    for statement in statements(body):
        if isinstance(statement, Copied):
            yield from WORD.findall(statement.text)
        for node in own_nodes(statement):
            if node.op == "copied":
                yield from WORD.findall(node.data)


def _fields(body: Block) -> Iterator[str]:
    """Yield the attributes that a program reads, or may read."""
    yield from _words(body)
    for node in nodes_in(body):
        if node.op == "attribute":
            yield node.data
        elif node.op == "constant" and isinstance(node.data, str):
            yield node.data  # getattr(model, "k")


def _told_apart(every: Iterable[Expr]) -> Iterator[int]:
    """Yield the identities of objects that are asked whether something is them: key is MISSING."""
    for node in every:
        if node.op == "compare" and any(word in ("is", "is not") for word in node.data):
            for side in node.args:
                if side.op == "global" and not isinstance(side.data.value, type):
                    yield id(side.data.value)


def _of_their_class(program: Program, source: Source) -> Iterator[int]:
    """Yield the identities of defaults whose class the entry asks for: none that is written is of it."""
    every = (node for check in program.checks for node in nodes(check.test))
    classes = (node for node in every if node.op == "attribute" and node.data == "__qualname__")
    asked = {variable.name for node in classes for variable in read_variables(node)}
    yield from (
        id(p.default) for p in signature_of(source.function).parameters.values() if p.name in asked
    )


def _read_by_key(every: Sequence[Expr]) -> Iterator[int]:
    """Yield the identities of the dicts of modules that are read by keys that are written out."""
    counts: Counter[int] = Counter()
    for node in every:
        if node.op == "global" and isinstance(node.data.value, dict):
            counts[id(node.data.value)] += 1
        elif node.op == "subscript" and node.args[1].op == "constant":
            if node.args[0].op == "global":
                counts[id(node.args[0].data.value)] -= 1
    yield from (each for each, count in counts.items() if count == 0)


def _members_as_keys(every: Iterable[Expr]) -> Iterator[int]:
    """Yield the identities of the members of each Enum of which one is a key: what stands for them is none."""
    keys = (node.args[0] for node in every if node.op == "item")
    classes = {type(k.data.value) for k in keys if k.op == "global"}
    yield from (id(each) for cls in classes if issubclass(cls, Enum) for each in cls)


def _heads(function: Function) -> Iterator[str]:
    """Yield the first names of what a function names of modules."""
    for node in nodes_in(function.body):
        if node.op == "global":
            yield node.data.text.split(".")[0]
