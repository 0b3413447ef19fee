"""Tangents by the forward room, judged by differences along a random direction."""

import copy
import inspect

import numpy as np

from s2sad.api.pipeline import tangent_of
from s2sad.api.request import Request
from s2sad.api.rounds import argument_names
from s2sad.ir.text import runnable, text
from s2sad.ir.verify import verify
from s2sad.optimize.simplify import simplify
from s2sad.source.read import read
from tests import oracles
from tests.rooms.derive import grad


def jvp_program(function, args, wrt, simpler=False):
    """Return the program of a function's value and tangent for arguments like these."""
    made = tangent_of(Request(function, tuple(wrt), "jvp"), args)
    return verify(simplify(made.program, made.context) if simpler else made.program)


def jvp(function, args, wrt=(0,), simpler=False):
    """Return the function of value and tangent, with its text."""
    names = argument_names(read(function), args)
    program = jvp_program(function, copy.deepcopy(args), [names[k] for k in wrt], simpler)
    run = runnable(program)
    run.text = text(program)
    return run


def direction(args, wrt, rng):
    """Return a random direction, structured as the arguments are."""
    like = tuple(args[k] for k in wrt)
    flat = rng.normal(size=oracles.pack(like).size)
    return oracles.unpack(flat, like)


def called(run, args, dots):
    """Call a derivative; tangents that come after defaults are taken by name."""
    parameters = inspect.signature(run).parameters.values()
    named = [
        p.name for p in parameters if p.kind is p.KEYWORD_ONLY and p.name.endswith(("dot", "tan"))
    ]
    if named and not any(p.kind is p.VAR_POSITIONAL for p in parameters):
        return run(*args, **dict(zip(named, dots, strict=True)))
    return run(*args, *dots)


def judged(function, args, wrt, run, seed=0):
    """Return None where the tangent agrees with differences, else what is wrong."""
    rng = np.random.default_rng(seed)
    dots = direction(args, wrt, rng)
    given, moved = copy.deepcopy(args), copy.deepcopy(dots)
    value, dot = called(run, given, moved)
    if oracles.changed(dots, moved):
        return "a tangent of the user's is changed"
    if oracles.changed(args, given):
        return "an argument is changed"
    expected = function(*copy.deepcopy(args))
    fault = _other_value(value, expected)
    if fault:
        return fault
    weights = rng.normal(size=oracles.pack(value).size)
    found = float(oracles.flatten(dot, value) @ weights)
    like = tuple(args[k] for k in wrt)
    start, step = oracles.pack(like), oracles.pack(dots)

    def along(t):
        now = list(args)
        for k, part in zip(wrt, oracles.unpack(start + t * step, like), strict=True):
            now[k] = part
        return float(oracles.pack(function(*copy.deepcopy(now))) @ weights)

    slope, error = oracles.slope(along, along(0.0), 1.0)
    estimate = oracles.Estimate(np.array([slope]), np.array([error]))
    return oracles.compare(np.array([found]), estimate)


def paired(function, args, wrt, run, seed=0):
    """Return None where forward and reverse mode agree: w . (J v) is (J^T w) . v."""
    names = argument_names(read(function), args)
    rng = np.random.default_rng(seed)
    dots = direction(args, wrt, rng)
    value, dot = called(run, copy.deepcopy(args), copy.deepcopy(dots))
    form = "grad" if np.ndim(value) == 0 else "vjp"
    back = grad(function, copy.deepcopy(args), [names[k] for k in wrt], form)
    seeds = () if form == "grad" else (rng.normal(size=np.shape(value)),)
    adjoints = back(*copy.deepcopy(args), *seeds)
    like = tuple(args[k] for k in wrt)
    adjoints = (adjoints,) if len(wrt) == 1 else adjoints
    weights = seeds[0] if seeds else 1.0
    along = float(np.sum(np.asarray(dot) * weights))
    against = float(oracles.flatten(adjoints, like) @ oracles.pack(dots))
    scale = (
        1.0 + abs(along) + float(np.abs(oracles.flatten(adjoints, like)) @ abs(oracles.pack(dots)))
    )
    return None if abs(along - against) <= 1e-9 * scale else f"forward {along} reverse {against}"


def _other_value(value, expected):
    if not np.allclose(oracles.pack(value), oracles.pack(expected), equal_nan=True, rtol=1e-9):
        return f"value {value!r} for {expected!r}"[:200]
    return None
