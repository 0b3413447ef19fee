"""Functions made of one that a solver is given, which are read as those of the user's are.

def swing_both(both, t, k, k_dot):          the flow of a state together with its tangent
def model_squares(p, k):                    half the sum of squares of what model gives
def bump_dot(t, k, k_dot):                  the tangent of bump alone
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import replace
from types import FunctionType
from typing import Any

from s2sad.legacy.callee import own_lengths
from s2sad.legacy.facts import Fact
from s2sad.legacy.program import Expr, Ref
from s2sad.legacy.pulled import called_name
from s2sad.legacy.solvers.task import Task
from s2sad.legacy.solvers.written import written
from s2sad.source.fresh import free
from s2sad.source.text import signature_of

Given = tuple[tuple[str, Fact], ...]


def both_of(
    task: Task, state: str, given: Mapping[str, Fact], dots: Mapping[str, Expr], start: Expr
) -> Task:
    """Return the task of state and tangent, of arguments that move along `dots`."""
    from s2sad.api.grad import jvp

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
    from s2sad.api.grad import jvp

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
    made = written(text, name, {push.__name__: push})
    return Ref(name, made)


def slope_of(task: Task, given: Given) -> Task:
    """Return the task of a function's gradient, which is zero where it is smallest."""
    from s2sad.api.grad import grad

    made = grad(task.function.value, wrt=task.parameters[0]).emitted(given).function
    return replace(task, function=Ref(made.__name__, made))


def half_squares(task: Task, given: Given) -> Task:
    """Return the task of half the sum of squares of what a function gives."""
    own = _giving_rows(task.function.value, dict(given))
    name, names = called_name(task.function.value), ", ".join(task.parameters)
    called = free(name, {*task.parameters, "np"})
    text = f'''def {name}_squares({names}):
    """Return half the sum of the squares of what {name} gives."""
    return 0.5 * np.sum(np.square({called}({names})))
'''
    made = written(text, f"{name}_squares", {called: own})
    return replace(task, function=Ref(made.__name__, made))


def _giving_rows(own: FunctionType, known: Mapping[str, Fact]) -> FunctionType:
    """Return a function that gives an array where its own gives a list."""
    from s2sad.legacy.primal import prepared  # which stands on the solvers

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
    return written(text, f"{name}_row", {called: own})


def _handed(push: Any, task: Task, dots: list[str]) -> str:
    """Return the arguments of a function that takes tangents last, by name where it asks for it."""
    own = inspect.signature(push).parameters.values()
    last = [each for each in own if each.name not in task.parameters]
    pairs = zip(last, dots, strict=True)
    named = [f"{p.name}={dot}" if p.kind is p.KEYWORD_ONLY else dot for p, dot in pairs]
    return ", ".join([*task.parameters, *named])


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
    return written(text, name, {push.__name__: push})
