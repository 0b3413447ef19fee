"""Counts how much of tests/programs is lowered to a program that gives the same values.

python -m tests.rooms.lowered [table ...] [--row=NAME] [--fail] [--show] [--reasons] [--kernels]
"""

import collections
import copy
import logging
import signal
import sys
import time
import traceback
import warnings

import numpy as np

from s2sad.ir.errors import NotYet, S2sadError
from s2sad.ir.text import runnable, text
from s2sad.ir.verify import verify
from s2sad.lowering.lower import lower
from s2sad.source import read
from s2sad.types import Context, type_of

SLOW = 6  # seconds of the processor


class Slow(BaseException):
    """A row that takes too long."""


def program_of(function, args):
    """Return the program of a function for arguments like these."""
    source = read(function)
    context = Context()
    spec = source.tree.args
    params = [a.id for a in (*spec.posonlyargs, *spec.args)]
    rest = [f"{spec.vararg.id}_{k}" for k in range(len(params), len(args))] if spec.vararg else []
    names = [*params, *rest][: len(args)]
    types = [type_of(arg, name, context) for name, arg in zip(names, args, strict=True)]
    return lower(source, types, context)


def perturbed(value, rng):
    """Return an argument that is a little different."""
    if isinstance(value, np.ndarray) and np.issubdtype(value.dtype, np.inexact):
        return value + np.asarray(rng.normal(size=value.shape) * 0.07, dtype=value.dtype)
    if isinstance(value, float):
        # a tolerance stays one: a negative one would never be met
        return value + float(rng.normal() * 0.07) * (1.0 if abs(value) > 1e-3 else value)
    if isinstance(value, list):
        return [perturbed(part, rng) for part in value]
    if type(value) is tuple:
        return tuple(perturbed(part, rng) for part in value)
    if isinstance(value, dict):
        return {key: perturbed(part, rng) for key, part in value.items()}
    return copy.deepcopy(value)


def outcome(function, args):
    """Return what a call gives, or raises, and the arguments after it."""
    given = copy.deepcopy(args)
    np.random.seed(3)
    try:
        return ("gives", function(*given)), given
    except Exception as error:
        return ("raises", type(error).__name__), given


def plain(value, depth=0):
    """Return a value as something that can be compared."""
    if depth > 6:
        return "deep"
    if isinstance(value, np.ndarray) and value.dtype != object:
        return np.array(value)
    if isinstance(value, list | tuple):
        return [plain(part, depth + 1) for part in value]
    if isinstance(value, dict):
        return {str(key): plain(part, depth + 1) for key, part in value.items()}
    if hasattr(value, "__dict__") and not callable(value):
        return {key: plain(part, depth + 1) for key, part in vars(value).items()}
    known = int | float | complex | str | np.generic | type(None)
    return value if isinstance(value, known) else "object"


def same(a, b):
    """Tell whether two plain values agree."""
    if isinstance(a, np.ndarray | float | complex | np.generic) or isinstance(b, np.ndarray):
        try:
            equal = np.allclose(a, b, rtol=1e-10, atol=1e-12, equal_nan=True)
            return np.shape(a) == np.shape(b) and bool(equal)
        except Exception:
            return False
    if isinstance(a, list):
        return isinstance(b, list) and len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return isinstance(b, dict) and a.keys() == b.keys() and all(same(a[k], b[k]) for k in a)
    return bool(a == b)


def compared(function, made, args):
    """Return what differs between a function and its program; "" if nothing does."""
    rng = np.random.default_rng(1)
    for now in (args, perturbed(args, rng), perturbed(args, rng)):
        expected, after = outcome(function, now)
        found, written = outcome(made, now)
        if expected[0] != found[0] or not same(plain(expected[1]), plain(found[1])):
            return f"{expected} / {found}"[:300]
        if not same(plain(after), plain(written)):
            return "arguments are changed differently"
    return ""


def judge(function, args):
    """Return (verdict, detail, program)."""
    program = None
    try:
        program = program_of(function, copy.deepcopy(args))
        verify(program)
        made = runnable(program)
    except NotYet as error:
        return "not yet", f"{error.reason} {'' if error.span is None else error.span.line}", None
    except S2sadError as error:
        where = traceback.extract_tb(error.__traceback__)[-1].name
        verdict = "internal" if type(error).__name__ == "InternalError" else "refused"
        return verdict, f"{error.problem} {where}", program
    except Exception as error:
        where = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{where.filename.rpartition('/')[2]}:{where.lineno}"
        return "internal", f"{type(error).__name__}: {str(error)[:100]} at {place}", program
    detail = compared(function, made, args)
    return ("differs" if detail else "equal"), detail, program


def timed(function, args):
    """Return (verdict, detail, program), within some seconds."""
    signal.signal(signal.SIGVTALRM, alarm)
    signal.setitimer(signal.ITIMER_VIRTUAL, SLOW)
    try:
        return judge(function, args)
    except Slow:
        return "slow", "", None
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def alarm(*_):
    raise Slow


def rows(words):
    """Yield (table, label, function, arguments)."""
    if "--kernels" in words:
        from tests.kernels.test_kernels import KERNELS

        for kernel, made in KERNELS.items():
            yield "kernels", kernel.__name__, kernel, made(np.random.default_rng(7))
        return
    from tests.programs.table import TABLES

    tables = [word for word in words if not word.startswith("--")]
    wanted = [word[6:] for word in words if word.startswith("--row=")]
    for table, entries in TABLES.items():
        if not tables or table in tables:
            for entry in entries:
                if not wanted or entry.label in wanted:
                    yield table, entry.label, entry.function, entry.args


def main(words):
    """Print how many rows are lowered, and what is not."""
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    counts, reasons, start = collections.Counter(), collections.Counter(), time.time()
    for table, label, function, args in rows(words):
        verdict, detail, program = timed(function, args)
        counts[verdict] += 1
        if verdict != "equal":
            reasons[f"{verdict}: {detail[:90]}"] += 1
        if "--show" in words or ("--fail" in words and verdict != "equal"):
            print(f"--- {table}.{label}: {verdict} {detail}", flush=True)
            if "--show" in words and program is not None:
                print(text(program))
    print(dict(counts), "of", sum(counts.values()), f"in {time.time() - start:.0f} s")
    if "--reasons" in words:
        for reason, number in reasons.most_common(60):
            print(number, reason)


if __name__ == "__main__":
    main(sys.argv[1:])
