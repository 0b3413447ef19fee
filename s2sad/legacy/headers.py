"""The docstring of a derivative: what it is, where it comes from, what it assumes and keeps.

Gradient of newton_sqrt(a, tol) with respect to a.

Differentiated in reverse mode by s2sad from primal.py:27-31.
Loop at line 29: keeps one x per pass.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from s2sad.api.request import SECOND, Request, identifier, subject
from s2sad.emit.lines import loop_called, with_lines
from s2sad.legacy.callee import Written
from s2sad.legacy.comments import WIDTH, is_reverse
from s2sad.legacy.docstrings import file_name
from s2sad.legacy.facts import describe
from s2sad.legacy.primal import Primal
from s2sad.legacy.program import (
    Assign,
    Attr,
    Block,
    Call,
    Loop,
    Op,
    Program,
    Ref,
    Save,
    Stmt,
    Var,
    base,
    dot,
)
from s2sad.legacy.schedules.outline import Swept
from s2sad.legacy.traverse import blocks, expressions, reads, statements
from s2sad.source.text import Source, source_of

INDENT = 4


def header(
    first: str, short: str, origin: str, about: str, program: Program, names: Mapping[str, str]
) -> list[str]:
    """Return the lines of a docstring; `short` stands for `first` where that is too long."""
    lines = [first if len(first) <= WIDTH - INDENT - 3 else short, ""]
    lines.append(origin + ("," if about else "."))
    if about:
        lines += _wrapped(about + ".")
    for line in loop_lines(program, names):
        lines += _wrapped(line)
    return lines


def _wrapped(line: str) -> list[str]:
    return textwrap.wrap(line, WIDTH - INDENT, break_long_words=False, break_on_hyphens=False)


# ---------------------------------------------------------------- what loops keep


def loop_lines(program: Program, names: Mapping[str, str]) -> Iterator[str]:
    """Yield what is kept of each loop that is run backwards."""
    forward = {loop.key: loop for loop in _loops(program.body) if not is_reverse(loop)}
    for loop in sorted(_loops(program.body), key=lambda each: each.span.line):
        if is_reverse(loop) and loop.key:
            called = loop_called("", loop.span.path, loop.span.line)
            yield f"{called}: {_kept(forward.get(loop.key), loop, names)}."
    for stmt in statements(program.body):
        match stmt:
            case Assign(_, Call(Ref(name, Swept()))):
                called = loop_called("", stmt.span.path, stmt.span.line)
                yield f"{called}: keeps states as {name} tells."


def _loops(block: Block) -> Iterator[Loop]:
    return (stmt for stmt in statements(block) if isinstance(stmt, Loop))


def _kept(forward: Loop | None, backward: Loop, names: Mapping[str, str]) -> str:
    saved = [stmt for stmt in _own(forward.body) if isinstance(stmt, Save)] if forward else []
    if saved:
        kinds = dict.fromkeys(_kind(each, names) for each in saved)
        return f"keeps {_listed([f'one {kind}' for kind in kinds])} per pass"
    again = [stmt for stmt in _own(backward.body) if isinstance(stmt, Assign)]
    if any("~back" in stmt.target.slot for stmt in again):
        return "keeps nothing, its values are cheap to compute again"
    counting = (var.slot for expr in expressions(backward) for var in reads(expr))
    counted = any(slot.startswith("passes%") for slot in counting)
    return "keeps nothing but how often it ran" if counted else "keeps nothing"


def _kind(saved: Save, names: Mapping[str, str]) -> str:
    """Return what is saved: a name, or an element or a part of what has one."""
    match saved.value:
        case Op("index", (Var(slot), _)):
            return f"element of {base(slot)}"
        case Call(Attr(Op("index", (Var(slot), _)), "copy")):
            return f"part of {base(slot)}"
        case Var(slot) | Call(Attr(Var(slot), "copy")) if slot in names:
            return names[slot]
    name = base(saved.store)
    store = names.get(saved.store, name).rpartition("_saved")[0]
    return "count of passes" if name == "passes" else store or name


def _own(block: Block) -> Iterator[Stmt]:
    """Yield the statements of a loop's body but not those of the loops in it."""
    for stmt in block:
        yield stmt
        if not isinstance(stmt, Loop):
            for inner in blocks(stmt):
                yield from _own(inner)


def _listed(words: Sequence[str]) -> str:
    return " and ".join(words) if len(words) < 3 else f"{', '.join(words[:-1])} and {words[-1]}"


# ---------------------------------------------------------------- of derivatives


def called_header(written: Written, program: Program) -> list[str]:
    function = written.function
    if written.about:
        return [written.about]
    code = function.__code__
    count = code.co_argcount + code.co_kwonlyargcount
    params = ", ".join(code.co_varnames[:count])
    if written.name.startswith(f"{function.__name__}_jvp"):
        return [f"Value and tangent of {function.__name__}({params})."]
    if written.name.startswith(f"{function.__name__}_grad"):
        return [f"Gradient of {function.__name__}({params})."]
    if written.name.startswith(f"{function.__name__}_vjp"):
        return [f"Pull seed back through {function.__name__}({params})."]
    seeds = [p.var.slot for p in program.params if p.var.slot.startswith("out&")]
    bars = "out_bar" if sum("~bar" in s for s in seeds) <= 1 else "the adjoints of the results"
    return [f"Pull {bars} back through {function.__name__}({params})."]


def header_of(
    request: Request,
    primal: Primal,
    source: Source,
    program: Program,
    names: Mapping[str, str],
) -> list[str]:
    """Return the docstring of a derivative: what it is, where it comes from, what it assumes."""
    call, short = _calls(request, primal)
    first = _subject(request, names)
    about = describe(primal.facts, primal.program.params) if request.given else ""
    lines = header(
        first.format(call), first.format(short), _origin(request, source), about, program, names
    )
    return [*lines, request.note] if request.note else lines


def _calls(request: Request, primal: Primal) -> tuple[str, str]:
    """Return the call of what is differentiated, at length and in short."""
    own = [param.var.slot for param in primal.program.params]
    name = identifier(subject(request)) if request.form in SECOND else primal.program.name
    return f"{name}({', '.join(own)})", f"{name}(...)"


def _subject(request: Request, names: Mapping[str, str]) -> str:
    """Return the first line of a docstring, with a place for the call."""
    wrt = ", ".join(request.wrt)
    dots = ", ".join(names.get(dot(name), f"{name}_dot") for name in request.wrt)
    if request.form in SECOND:
        return f"Hessian of {{}} with respect to {wrt}, times {dots}."
    if request.form == "elementwise":
        return f"Derivative of each element of {{}} by its own of {wrt}."
    if request.mode == "forward" and request.directions:
        return f"Tangents of {{}} along each of the directions {dots}."
    if request.mode == "forward":
        return f"{'Value' if request.value else 'Tangent'} of {{}}{_along(request.value, dots)}."
    if request.seed or request.form == "jacobian":
        return f"Adjoints of {wrt}, pulled back from seed through {{}}."
    what = "Value and gradient" if request.value else "Gradient"
    return f"{what} of {{}} with respect to {wrt}."


def _along(value: bool, dots: str) -> str:
    return f" and its derivative along {dots}" if value else f" along {dots}"


def matrix_header(request: Request, primal: Primal) -> list[str]:
    """Return the docstring of a function that calls a sweep over unit vectors."""
    wrt = ", ".join(request.wrt)
    what = {"laplacian": "Sum of the second derivatives"}.get(
        request.form, request.form.capitalize()
    )
    lines = [f"{what} of {call} with respect to {wrt}." for call in _calls(request, primal)]
    first = lines[0] if len(lines[0]) <= WIDTH - INDENT - 3 else lines[1]
    element = "the result" if request.mode == "reverse" else wrt
    sweep = "forward over reverse" if request.form in SECOND else request.mode
    shapes = "" if request.form == "laplacian" else " The axes of the result come first."
    sweeps = f"One {sweep} sweep for each element of {element}."
    if request.directions:
        sweeps = f"One forward sweep along the unit vectors of {wrt}."
    return [first, "", f"{sweeps}{shapes}"]


def _origin(request: Request, source: Source) -> str:
    """Return which text was differentiated, and how: through all derivatives of derivatives."""
    modes = [request.mode]
    inner = request.inner
    while inner is not None:
        modes.append(inner.request.mode)
        source = source_of(inner.request.function) if not nested(inner) else source
        inner = inner.request.function if nested(inner) else None
    last = int(getattr(source.tree, "end_lineno", None) or source.tree.body[-1].end_lineno)
    where = with_lines(file_name(source.path), f"{source.tree.lineno}-{last}")
    return f"Differentiated in {', then in '.join(reversed(modes))} mode by s2sad from {where}"


def nested(derivative: Any) -> bool:
    """Tell whether a derivative is that of another."""
    return hasattr(derivative.request.function, "request")
