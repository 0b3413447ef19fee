"""One function, printed after each stage on its way to its gradient: what docs/how.md shows.

python docs/stages.py             prints all stages of examples/rod.py:misfit
"""

import importlib.util
from functools import cache
from pathlib import Path

EXAMPLE = Path(__file__).resolve().parent.parent / "examples" / "rod.py"
WRT = ("c",)


def stage(name):
    """Return the print-out of a stage: its text, or a table of what an analysis found."""
    return PRINTED[name](_made())


@cache
def _made():
    from s2sad.api.pipeline import gradient_of

    module = _module()
    return gradient_of(module.misfit, module.misfit_example(), WRT)


@cache
def _module():
    spec = importlib.util.spec_from_file_location("rod", EXAMPLE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _source(made):
    import ast

    text = EXAMPLE.read_text()
    found = {node.name: node for node in ast.parse(text).body if hasattr(node, "name")}
    return ast.get_source_segment(text, found["misfit"]) + "\n"


def _lowered(made):
    from s2sad.ir.text import text

    return text(made.primal)


def _prepared(made):
    from s2sad.ir.text import function

    return function(made.derivation.prepared.function)


def _memory(made):
    """Print what each variable refers to, whether it is written, and whether it varies."""
    memory, world = made.derivation.prepared.memory, made.derivation.world
    lines = ["variable    type              memory        written  active"]
    for variable in memory.types:
        if str(variable) == "_":
            continue
        sites = memory.points_to.get(variable, frozenset())
        told = ", ".join(sorted(map(_site, sites))) or "-"
        written = "yes" if sites & memory.written else "-"
        active = "yes" if variable in world.active else "-"
        type_ = _type(memory.types[variable])
        lines.append(f"{variable!s:<12}{type_:<18}{told:<14}{written:<9}{active}")
    return "\n".join(lines) + "\n"


def _type(type_):
    """Return a type in one word or two: float64, float64 (n,)."""
    if not hasattr(type_, "lengths"):
        return getattr(type_, "dtype", None) or type(type_).__name__.lower()
    lengths = ", ".join(str(length).replace("u.shape[0]", "n") for length in type_.lengths)
    return f"{type_.dtype} ({lengths})"


def _site(site):
    """Return where memory comes from."""
    kind, what, *_ = site
    return f"argument {what}" if kind == "parameter" else f"statement {what[0] + 1}"


def _adjoint(made):
    """Print each statement with its reverse below it: the last one is reversed first."""
    return "\n".join(_steps(made.derivation.adjoint.steps, "")) + "\n"


def _steps(steps, pad):
    from s2sad.ir.text import lines

    for step in steps:
        if step.statement is not None:
            whole = list(lines((step.statement,)))
            yield pad + whole[0]
            for block in step.blocks:
                yield from _steps(block, pad + "    ")
        for code in (step.new, step.old):
            yield from (f"{pad}# reverse: {line}" for line in (lines(code) if code else ()))


def _plan(made):
    """Print how each value that the reverse sweep reads is had again."""
    decided = _decided(made)
    again = {each.variable: each for many in decided.again.values() for each in many}
    lost = {variable for many in decided.lost.values() for variable in many}
    over = _overwritten(made, decided)
    told = {_need(need): _had(need, again, lost, over) for need in _needs(made, decided)}
    return "".join(f"{need:<14}{had}\n" for need, had in told.items())


def _decided(made):
    from s2sad.api.pipeline import tools_for
    from s2sad.checkpoint.plan import plan

    ready = made.derivation.prepared
    parameters = tuple(p.variable for p in ready.function.parameters)
    cost = tools_for(made.primal, made.context).cost
    return plan(made.derivation.adjoint.steps, ready.memory, parameters, cost)


def _overwritten(made, decided):
    """Return the memory of the stores of which old elements are saved."""
    from s2sad.analysis.points_to import stored_base
    from s2sad.reverse.sweep import walk

    steps = dict(walk(made.derivation.adjoint.steps))
    stores = (steps[path].statement for path in decided.overwritten)
    memory = made.derivation.prepared.memory
    return {site for store in stores for site in memory.sites(stored_base(store))}


def _needs(made, decided):
    """Yield the values and the contents of memory that the reverse sweep reads."""
    from s2sad.ir.walk import expressions, statements
    from s2sad.reverse.sweep import walk

    for _, step in walk(made.derivation.adjoint.steps):
        for statement in statements((*step.new, *step.old)):
            for expression in expressions(statement):
                yield from decided.forward.needs(expression)


def _need(need):
    from s2sad.ir.text import expression

    if hasattr(need, "role"):
        return str(need)
    place = "..." if need.index is None else expression(need.index)
    return f"{need.variable}[{place}]"


def _had(need, again, lost, overwritten):
    from s2sad.ir.text import expression

    if need in again and again[need].value is not None:
        return f"computed again: {expression(again[need].value)}"
    if need in again or need in lost:
        return "saved in each pass, and restored"
    if getattr(need, "site", None) in overwritten:
        return "saved before it is overwritten, and restored"
    return "still there"


def _joined(made):
    from s2sad.ir.text import text

    return text(made.program)


def _simplified(made):
    from s2sad.ir.text import text
    from s2sad.optimize import simplify

    return text(simplify(made.program, made.context))


def _text(made):
    import s2sad

    derivative = s2sad.grad(_module().misfit, WRT[0], like=_module().misfit_example())
    assert derivative.core == "rooms", "this page follows the function through the rooms"
    return derivative.source


PRINTED = {
    "source": _source,
    "lowering": _lowered,
    "prepared": _prepared,
    "regions": _memory,
    "adjoint": _adjoint,
    "plan": _plan,
    "joined": _joined,
    "simplified": _simplified,
    "text": _text,
}

if __name__ == "__main__":
    for each in PRINTED:
        print(f"# {each}\n\n{stage(each)}\n")
