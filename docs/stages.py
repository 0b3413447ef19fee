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
    from s2sad.api.request import Request

    module = _module()
    return gradient_of(Request(module.misfit, WRT), module.misfit_example())


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
    from s2sad.api.explain import memory_table

    return memory_table(made)


def _adjoint(made):
    from s2sad.api.explain import turned
    from s2sad.ir.text import lines

    return "\n".join(lines(turned(made).body)) + "\n"


def _plan(made):
    from s2sad.api.explain import plan_table

    return plan_table(made)


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
