"""Random programs: the text of a derivative runs alone, gives the same numbers, and stays as it is.

python -m tests.rooms.emitted 0 1000 plain|more|lists
"""

import ast
import collections
import copy
import importlib.util
import sys
import warnings

import numpy as np

from s2sad.api.pipeline import gradient_of
from s2sad.api.request import Request as Asked
from s2sad.api.rounds import argument_names
from s2sad.emit import Request, text
from s2sad.ir.errors import NotYet
from s2sad.ir.records import replace
from s2sad.ir.text import runnable
from s2sad.optimize import simplify
from s2sad.source.read import read
from s2sad.types import entry_checks
from tests.rooms.derive import is_float
from tests.rooms.fuzz import ARGS, made


def emitted(function, args, wrt=None, form="grad"):
    """Return the program of a derivative and its text."""
    if wrt is None:
        names = argument_names(read(function), args)
        wrt = [n for n, a in zip(names, args, strict=True) if is_float(a)]
    derived = gradient_of(Asked(function, tuple(wrt), form), args)
    program = simplify(derived.program, derived.context)
    checks = entry_checks(derived.primal, derived.context)
    program = replace(program, checks=(*checks, *derived.primal.checks))
    name = f"{function.__name__}_{form}"
    request = Request(name, form, tuple(wrt), derived.source, derived.context)
    return program, text(program, request)


def loaded(written):
    """Return the functions of a text that is run in a namespace of its own."""
    space = {"__name__": "alone"}
    exec(compile(written, "<alone>", "exec"), space)
    return space


def faults(written):
    """Return what is wrong with the layout of a text."""
    found = [f"too long: {line}" for line in written.splitlines() if _is_too_long(line)]
    if importlib.util.find_spec("black"):
        import black

        mode = black.Mode(target_versions={black.TargetVersion.PY311})
        laid_out = black.format_str(written, mode=mode)
        if laid_out != written:
            pairs = zip(written.splitlines(), laid_out.splitlines(), strict=False)
            found.append(next(f"black: {a} -> {b}" for a, b in pairs if a != b))
    return found


def _is_too_long(line):
    return len(line) > 88


def unbound(written):
    """Return the names that a text reads and nothing in it defines."""
    import builtins

    tree = ast.parse(written)
    names = [n for n in ast.walk(tree) if isinstance(n, ast.Name)]
    known = {n.id for n in names if not isinstance(n.ctx, ast.Load)} | set(dir(builtins))
    known |= {a.arg for a in ast.walk(tree) if isinstance(a, ast.arg)}
    known |= {f.name for f in ast.walk(tree) if isinstance(f, ast.FunctionDef)}
    known |= {h.name for h in ast.walk(tree) if isinstance(h, ast.ExceptHandler)}
    imported = [
        a for n in ast.walk(tree) if isinstance(n, ast.Import | ast.ImportFrom) for a in n.names
    ]
    known |= {(a.asname or a.name).split(".")[0] for a in imported}
    return {n.id for n in names} - known


def verdict(seed, kind):
    """Return same, differs, not yet or raises, and the text."""
    function, args = made(seed, kind)[0], ARGS
    try:
        program, written = emitted(function, copy.deepcopy(args))
        expected = runnable(program)(*copy.deepcopy(args))
    except (NotYet, ArithmeticError, IndexError, ValueError) as error:
        return "not yet", str(error)
    wrong = [*faults(written), *map(str, unbound(written))]
    if wrong:
        return "badly laid out", f"{wrong}\n{written}"
    try:
        got = loaded(written)[f"{function.__name__}_grad"](*copy.deepcopy(args))
    except Exception as error:
        return "raises", f"{type(error).__name__} {error}\n{written}"
    same = all(
        np.array_equal(a, b, equal_nan=True)
        for a, b in zip(_parts(expected), _parts(got), strict=True)
    )
    return ("same" if same else "differs"), written


def _parts(value):
    return value if isinstance(value, tuple) else (value,)


if __name__ == "__main__":
    warnings.filterwarnings("ignore")
    tally = collections.Counter()
    for number in range(int(sys.argv[1]), int(sys.argv[2])):
        found, why = verdict(number, sys.argv[3])
        tally[found] += 1
        if found not in ("same", "not yet"):
            print(number, found, why if tally[found] < 3 else why.splitlines()[0])
    print(dict(tally))
