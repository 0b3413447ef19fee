"""The docstring of a derivative: what it is, where it comes from, what it assumes and keeps.

Gradient of newton_sqrt(a, tol) with respect to a.

Differentiated in reverse mode by s2sad from primal.py:27-31,
for floats a, tol.
Loop at line 29: keeps one x per pass.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence

from s2sad.emit.comments import file_name, loop_called, with_lines
from s2sad.emit.layout import WIDTH
from s2sad.emit.request import Request
from s2sad.ir.expression import Expr, Role, Variable, copied, is_own_call
from s2sad.ir.program import Block, For, Let, Program, Save, Statement, While
from s2sad.ir.spelling import listed
from s2sad.ir.types import Array, Number, without_none
from s2sad.ir.walk import blocks, read_in, saved_values, statements
from s2sad.source.owners import is_of_prelude
from s2sad.types.checks import letters, shape_text

INDENT = 4
SEEDS = (Role.SAVED, Role.TANGENT)
# what each kind of derivative is: of a function `f`, `along` tangents, directions or a seed
FIRST_LINES = {
    "grad": "Gradient of {f} with respect to {wrt}.",
    "value_and_grad": "Value and gradient of {f} with respect to {wrt}.",
    "vjp": "Adjoints of {wrt}, pulled back from {along} through {f}.",
    "jvp": "Value of {f} and its derivative along {along}.",
    "tangent": "Tangent of {f} along {along}.",
    "directional": "Tangents of {f} along each of the directions {along}.",
    "hvp": "Hessian of {f} with respect to {wrt}, times {along}.",
    "second": "Second derivative of {f} with respect to {wrt}.",
    "elementwise": "Derivative of each element of {f} by its own of {wrt}.",
    "jacobian": "Jacobian of {f} with respect to {wrt}.",
    "hessian": "Hessian of {f} with respect to {wrt}.",
    "laplacian": "Sum of the second derivatives of {f} with respect to {wrt}.",
}
WORDS = {"float64": "float", "complex128": "complex number", "float32": "float32 number"}


def docstring(lines: Sequence[str]) -> list[str]:
    """Return the lines of a docstring, indented as in a function."""
    # one line has quotes on both sides, of several the first has them
    quotes = [6 if len(lines) == 1 else 3, *(0 for _ in lines[1:])]
    rooms = [WIDTH - INDENT - each for each in quotes]
    every = zip(lines, rooms, strict=False)
    known = [part for line, room in every for part in _fitted(_escaped(line), room)]
    if not known:
        return []
    if len(known) == 1:
        return [f'    """{known[0]}"""']
    return [f'    """{known[0]}', *(f"    {line}".rstrip() for line in known[1:]), '    """']


def _fitted(line: str, room: int) -> list[str]:
    """Return a line, over several where it is too long."""
    if len(line) <= room:
        return [line]
    return textwrap.wrap(line, room, break_long_words=False, break_on_hyphens=False)


def _escaped(line: str) -> str:
    line = line.replace("\\", r"\\").replace('"""', r"\"\"\"")
    return line[:-1] + r"\"" if line.endswith('"') else line


def header(
    program: Program,
    request: Request,
    forward: Block,
    reverse: Block,
    names: Mapping[Variable, str],
) -> list[str]:
    """Return the docstring of a derivative."""
    about = _about(program, request)
    lines = [_first_line(program, request, names), ""]
    lines.append(_origin(request) + ("," if about else "."))
    lines += [about + "."] if about else []
    lines += [_sweeps(request)] if request.sweep else []
    return [*lines, *loop_lines(forward, reverse, names, request.source.path), *request.notes]


def _sweeps(request: Request) -> str:
    """Return how a matrix is put together."""
    wrt = ", ".join(request.wrt)
    axes = "." if request.mode == "laplacian" else "; the axes of the result come first."
    match request.sweep:
        case "directional":
            return f"One forward sweep along the unit vectors of {wrt}{axes}"
        case "vjp":
            return f"One reverse sweep for each element of the result{axes}"
    kind = "forward over reverse" if request.sweep == "hvp" else "forward"
    return f"One {kind} sweep for each element of {wrt}{axes}"


# ---------------------------------------------------------------------------- what it is


def _first_line(program: Program, request: Request, names: Mapping[Variable, str]) -> str:
    """Return what the text computes; with the call in short where it is too long."""
    spec = request.source.tree.args
    own = [a.id for a in (*spec.posonlyargs, *spec.args)]
    own += [a.id for a in spec.kwonlyargs]
    known = {p.variable.name for p in program.function.parameters}
    shown = [name for name in own if name in known]
    called = request.source.name if request.source.name.isidentifier() else "f"
    line = _subject(program, request, names)
    first = line.format(f"{called}({', '.join(shown)})")
    return first if len(first) <= WIDTH - INDENT - 3 else line.format(f"{called}(...)")


def _subject(program: Program, request: Request, names: Mapping[Variable, str]) -> str:
    """Return the first line of a docstring, with a place for the call."""
    parameters = program.function.parameters
    along = ", ".join(names[p.variable] for p in parameters if p.variable.role in SEEDS)
    if request.first and request.mode == "jvp":
        their = "its" if request.first == "Gradient" else "their"
        return f"{request.first} of {{}}, and {their} derivative along {along}."
    return FIRST_LINES[request.mode].format(f="{}", wrt=", ".join(request.wrt), along=along)


def _origin(request: Request) -> str:
    """Return which text was differentiated, and how."""
    mode = "forward" if request.is_forward else "reverse"
    mode = "reverse, then in forward" if request.is_second else mode
    tree = request.source.tree
    last = getattr(tree, "end_lineno", None) or tree.lineno
    numbers = f"{tree.lineno}-{last}" if last != tree.lineno else f"{last}"
    where = with_lines(file_name(request.source.path), numbers)
    return f"Differentiated in {mode} mode by s2sad from {where}"


# ---------------------------------------------------------------------------- what it is made for


def _about(program: Program, request: Request) -> str:
    """Return what the arguments are: float64 arrays W (m, n), m (n,), floats c, d."""
    lettered = letters(program, request.context)
    own = [p for p in program.function.parameters if p.variable.role is Role.PRIMAL]
    arrays: dict[str, list[str]] = {}
    numbers: dict[str, list[str]] = {}
    for parameter in own:
        match without_none(parameter.type):
            case Array(dtype) as array:
                shape = shape_text(array, lettered, request.context)
                arrays.setdefault(dtype, []).append(f"{parameter.variable} {shape}")
            case Number(dtype) if dtype in WORDS:
                numbers.setdefault(dtype, []).append(str(parameter.variable))
    parts = [f"{kind} array{_s(each)} {', '.join(each)}" for kind, each in arrays.items()]
    parts += [f"{WORDS[kind]}{_s(each)} {', '.join(each)}" for kind, each in numbers.items()]
    return f"for {', '.join(parts)}" if parts else ""


def _s(each: Sequence[str]) -> str:
    return "s" if len(each) > 1 else ""


# ---------------------------------------------------------------------------- what loops keep


def loop_lines(
    forward: Block, reverse: Block, names: Mapping[Variable, str], home: str
) -> Iterator[str]:
    """Yield what is kept of each loop that is run backwards."""
    before = {_place(s): s for s in _loops(forward)}
    loops = {_place(s): s for s in _loops(reverse) if s.span is not None}
    for place in sorted(loops, key=lambda each: (each[0] != home, each)):
        path, line = place
        if not is_of_prelude(path):
            kept = _kept(before.get(place), loops[place], names)
            file = "" if path == home else file_name(path)
            yield f"{loop_called(file, path, line)}: {kept}."
    for let in _scheduled(forward):
        assert let.span is not None
        file = "" if let.span.path == home else file_name(let.span.path)
        called = loop_called(file, let.span.path, let.span.line)
        yield f"{called}: keeps states as {let.value.args[0].data} tells."


def _scheduled(forward: Block) -> Iterator[Let]:
    """Yield the calls of functions that run loops and keep states of them."""
    for let in statements(forward):
        if isinstance(let, Let) and isinstance(let.target, tuple) and let.span is not None:
            last = let.target[-1]
            if (
                is_own_call(let.value)
                and isinstance(last, Variable)
                and last.name.startswith("checkpoints")
            ):
                yield let


def _place(loop: For | While) -> tuple[str, int]:
    return ("", 0) if loop.span is None else (loop.span.path, loop.span.line)


def _loops(block: Block) -> Iterator[For | While]:
    return (s for s in statements(block) if isinstance(s, For | While))


def _kept(forward: For | While | None, backward: For | While, names: Mapping[Variable, str]) -> str:
    saved = [] if forward is None else [s for s in _own(forward.body) if isinstance(s, Save)]
    if saved:
        kinds = dict.fromkeys(
            _kind(v, each.stack, names) for each in saved for v in saved_values(each)
        )
        return f"keeps {listed([f'one {kind}' for kind in kinds])} per pass"
    counted = any(v.name.startswith("passes") for v in read_in(backward))
    return "keeps nothing but how often it ran" if counted else "keeps nothing"


def _kind(value: Expr, stack: Variable, names: Mapping[Variable, str]) -> str:
    """Return what is saved: a name, or an element or a part of what has one."""
    whole = copied(value)
    value = whole or value
    if value.op == "subscript":
        return f"{'element' if whole is None else 'part'} of {_root_name(value, names)}"
    if value.op == "name":
        return names.get(value.data, str(value.data))
    return names[stack].removesuffix("_saved")


def _root_name(value: Expr, names: Mapping[Variable, str]) -> str:
    while value.op != "name" and value.args:
        value = value.args[0]
    return names.get(value.data, "it") if value.op == "name" else "it"


def _own(block: Block) -> Iterator[Statement]:
    """Yield the statements of a loop's body but not those of the loops in it."""
    for statement in block:
        yield statement
        if not isinstance(statement, For | While):
            for inner in blocks(statement):
                yield from _own(inner)
