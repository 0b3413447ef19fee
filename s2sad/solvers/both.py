"""The flow of a state together with its tangent, as a function like one of the user's.

def swing_both(both, t, k, k_dot):
    n = len(both) // 2
    y, y_dot = both[:n], both[n:]
    slope, slope_dot = swing_jvp(y, t, k, y_dot, k_dot)
    return np.concatenate([np.ravel(slope), np.ravel(slope_dot)])
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import replace
from itertools import count
from types import FunctionType
from typing import Any

import numpy as np

from s2sad.callee import own_lengths
from s2sad.compile import run_text
from s2sad.facts import Fact
from s2sad.fresh import free
from s2sad.parse import signature_of, source_of
from s2sad.program import Expr, Ref
from s2sad.solvers.task import Task

_numbers = count()  # texts of one name are told apart


def both_of(
    task: Task, state: str, given: Mapping[str, Fact], dots: Mapping[str, Expr], start: Expr
) -> Task:
    """Return the task of state and tangent, of arguments that move along `dots`."""
    from s2sad.api import jvp  # which stands on all of this

    known = dict(own_lengths(dict(given)))
    moving = [name for name in task.parameters if name in dots]
    wrt: list[str | int] = [name for name in task.parameters if name == state or name in dots]
    own = _giving_rows(task.function.value, known)
    push = jvp(own, wrt=wrt).emitted(tuple(known.items())).function
    made = _written(task, state, push, moving)
    args = (*task.args, *(dots[name] for name in moving))
    function = Ref(made.__name__, made)
    return replace(task, function=function, args=args, given={**task.given, "y0": start})


def tangent_of(task: Task, given: Mapping[str, Fact], moving: list[str]) -> Ref:
    """Return a function that gives the tangent of a task's function alone."""
    from s2sad.api import jvp  # which stands on all of this

    known = dict(own_lengths(dict(given)))
    wrt: list[str | int] = [name for name in task.parameters if name in moving]
    push = jvp(task.function.value, wrt=wrt).emitted(tuple(known.items())).function
    names = [*task.parameters]
    for name in moving:
        names.append(free(f"{name}_dot", {*names, push.__name__}))
    handed = _handed(push, task, names[len(task.parameters) :])
    name = f"{called_name(task.function.value)}_dot"
    name, moved = free(name, names), free("moved", names)
    text = f'''def {name}({", ".join(names)}):
    """Return the tangent of {called_name(task.function.value)}."""
    _, {moved} = {push.__name__}({handed})
    return {moved}
'''
    made = _run(text, name, {push.__name__: push})
    return Ref(name, made)


def _giving_rows(own: FunctionType, known: Mapping[str, Fact]) -> FunctionType:
    """Return a function that gives an array where its own gives a list."""
    from s2sad.primal import prepared  # which stands on the solvers

    primal = prepared(own, tuple(known), known)
    if primal.facts.expr(primal.program.result).kind != "list":
        return own
    names = list(signature_of(own).parameters)
    name, called = called_name(own), free(called_name(own), {*names, "np"})
    given = ", ".join(names)
    text = f'''def {name}_row({given}):
    """Return what {name} does, as an array."""
    return np.array({called}({given}))
'''
    return _run(text, f"{name}_row", {called: own})


def called_name(function: FunctionType) -> str:
    """Return the name of a function; of a lambda, that of the variable which holds it."""
    name = function.__name__
    return name if name.isidentifier() else str(source_of(function).tree.name)


def _handed(push: Any, task: Task, dots: list[str]) -> str:
    """Return the arguments of a function that takes tangents last, by name where it asks for it."""
    own = inspect.signature(push).parameters.values()
    last = [each for each in own if each.name not in task.parameters]
    pairs = zip(last, dots, strict=True)
    named = [f"{p.name}={dot}" if p.kind is p.KEYWORD_ONLY else dot for p, dot in pairs]
    return ", ".join([*task.parameters, *named])


def _run(text: str, name: str, used: Mapping[str, Any]) -> FunctionType:
    """Return a function of a text, which can be read as any other."""
    space: dict[str, Any] = {"np": np, **used}
    run_text(text, f"<s2sad {name} {next(_numbers)}>", space)
    made: FunctionType = space[name]
    return made


def _written(task: Task, state: str, push: Any, moving: list[str]) -> FunctionType:
    """Return the function of state and tangent."""
    taken = {*task.parameters, push.__name__, "np"}

    def fresh(wanted: str) -> str:
        taken.add(name := free(wanted, taken))
        return name

    both, y_dot, n = fresh("both"), fresh(f"{state}_dot"), fresh("n")
    slope, slope_dot = fresh("slope"), fresh("slope_dot")
    dot_of = {state: y_dot, **{name: fresh(f"{name}_dot") for name in moving}}
    given = [both if each == state else each for each in task.parameters]
    taken_in = ", ".join([*given, *(dot_of[name] for name in moving)])
    ordered = [dot_of[each] for each in task.parameters if each in dot_of]
    handed = _handed(push, task, ordered)
    name = fresh(f"{called_name(task.function.value)}_both")
    text = f'''def {name}({taken_in}):
    """Return the slopes of state and tangent, one after the other."""
    {n} = len({both}) // 2
    {state}, {y_dot} = {both}[:{n}], {both}[{n}:]
    {slope}, {slope_dot} = {push.__name__}({handed})
    return np.concatenate([np.ravel({slope}), np.ravel({slope_dot})])
'''
    return _run(text, name, {push.__name__: push})
