"""The way from a Program to the Program of its derivative, in the order of the stages.

normalise -> facts -> activity -> prepare -> reverse -> checkpoint -> nest -> own -> verify
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from s2sad.ir.errors import InternalError, S2sadError
from s2sad.legacy.adopted import adopted
from s2sad.legacy.apart import kept_apart
from s2sad.legacy.assume import entry_checks
from s2sad.legacy.bound import bound_first
from s2sad.legacy.callee import Callees
from s2sad.legacy.checkpoint import Plan, decide
from s2sad.legacy.common import computed_once
from s2sad.legacy.contribute import zero_like
from s2sad.legacy.copies import spelled_out
from s2sad.legacy.facts import UNKNOWN, Fact, Facts, static
from s2sad.legacy.facts.device import adjoint_held
from s2sad.legacy.fields import is_taken_apart, put_together
from s2sad.legacy.masks import masked
from s2sad.legacy.memory import Roots
from s2sad.legacy.nest import nested
from s2sad.legacy.own import owned
from s2sad.legacy.precision import precise_results
from s2sad.legacy.primal import Primal
from s2sad.legacy.program import (
    Assign,
    Block,
    Call,
    Const,
    Expr,
    If,
    Op,
    Param,
    Program,
    Ref,
    Stmt,
    Var,
)
from s2sad.legacy.restore import joined
from s2sad.legacy.returned import numeric_slots, own_results
from s2sad.legacy.reverse import reverse_sweep
from s2sad.legacy.schedules.steps import scheduled_loops, with_steps
from s2sad.legacy.scope import Numbers
from s2sad.legacy.simplify import shortened, simplified
from s2sad.legacy.storage import roots_of
from s2sad.legacy.stretched import names_unstretched, without_turned_names
from s2sad.legacy.tidy import without_dead_code
from s2sad.legacy.transposed import turned_back
from s2sad.legacy.traverse import reads, statements, substitute, walk
from s2sad.legacy.verify import Checked, verify
from s2sad.legacy.zeroed import without_dead_slopes, zeroed_in

RETRIES = 12


# ---------------------------------------------------------------- reverse mode


@dataclass
class Derived:
    """A derivative Program, what is known of its values, and the decisions behind it."""

    program: Program
    known: Callable[[Var], Fact]
    plan: Plan | None = None
    checks: dict[str, str] = field(default_factory=dict)
    assumed: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Form:
    """What is to come back: `value` too, a `single` adjoint instead of a tuple.

    `outs` are results of the primal that the derivative is handed as parameters; `trim` drops
    the parameters that are not read; `assume` lets the text check its arguments; a `step` gives
    adjoints as they are, for the step before it; `aux` is a result that is given back beside the
    adjoints.
    """

    value: bool = False
    single: bool = False
    outs: Mapping[Var, Var] = field(default_factory=dict)
    trim: bool = False
    assume: bool = False
    step: bool = False
    aux: Expr | None = None

    def beside(self, program: Program) -> Expr | None:
        """Return what comes back beside the adjoints."""
        return program.result if self.value else self.aux


def reverse(
    primal: Primal,
    name: str,
    seeds: Sequence[tuple[Var, Expr]],
    extra_params: tuple[Param, ...],
    callees: Callees,
    form: Form,
) -> Derived:
    """Return the Program that gives the adjoints of `primal.wrt`, loops run by their schedules."""
    before = callees.noted()
    derived = _reversed(primal, name, seeds, extra_params, callees, form)
    loops = scheduled_loops(primal, derived.plan, callees)
    if not loops:
        return derived
    callees.go_back(before)
    called = with_steps(primal, loops, callees)
    return _reversed(called, name, seeds, extra_params, callees, form)


def _reversed(
    primal: Primal,
    name: str,
    seeds: Sequence[tuple[Var, Expr]],
    extra_params: tuple[Param, ...],
    callees: Callees,
    form: Form,
) -> Derived:
    program, facts, numbers = primal.program, primal.facts, primal.numbers
    assumed: list[str] | None = [] if form.assume else None
    block, bars, sweep = reverse_sweep(
        program, facts, primal.active, seeds, numbers, callees, assumed
    )
    checks = entry_checks(program, facts)
    known = lookup(facts, sweep.known)
    block, given = _returned(primal, turned_back(block, program.body), bars, form.step)
    if form.outs:
        block = _with_outs(block, form.outs)
    alone = spelled_out(replace(program, body=block, result=given))
    block = without_turned_names(shortened(alone.body, known), known)
    block = shortened(block, known)
    block = names_unstretched(block, alone.result, known, sweep.renewed)
    block = masked(simplified(block, known), known)
    block = without_dead_slopes(block, zeroed_in(program.body), known)
    gradient = results_of(alone)[0] if form.single else alone.result
    beside = form.beside(program)
    answer = gradient if beside is None else Op("tuple", (beside, gradient))
    program = replace(program, name=name)
    roots = roots_of(program, facts.of)
    found = _consistent(program, block, answer, facts, known, roots, numbers, extra_params)
    whole = found.program if form.step else _callers_own(found, primal, seeds, form)
    if form.aux is not None and not form.value:
        whole = replace(whole, result=Op("tuple", tuple(reversed(whole.result.args))))
    # one that calls itself is called, inside, with all it was promised to take
    promised = not form.step and form.trim and callees.calls_itself()
    whole = trimmed(whole, checks) if form.trim and not promised else whole
    return Derived(whole, found.known, found.plan, checks, assumed or [])


def _callers_own(
    found: Derived, primal: Primal, seeds: Sequence[tuple[Var, Expr]], form: Form
) -> Program:
    """Return a derivative whose results are the caller's own, and as precise as its arguments."""
    held = form.value or form.aux is not None
    own = precise_results(found.program, found.known, primal, seeds, form.outs, held)
    numeric = numeric_slots(primal.program)
    return own_results(own, found.known, int(held), numeric, not form.trim)


def _consistent(
    program: Program,
    block: Block,
    answer: Expr,
    facts: Facts,
    known: Callable[[Var], Fact],
    roots: Roots,
    numbers: Numbers,
    extra_params: tuple[Param, ...],
) -> Derived:
    """Return forward and reverse sweep joined so that `verify` has nothing to say.

    What it finds lost is kept or saved in the next try; then nothing is nested any more; at
    last what is lost gets a slot of its own.
    """
    forced: frozenset[Var] = frozenset()
    nesting = True
    for _ in range(2 * RETRIES):
        plan = decide(program, block, answer, facts.of, roots, forced)
        whole = joined(program, block, plan, answer)
        whole = replace(whole, params=(*program.params, *extra_params))
        known_all = _lookup_all(known, plan)
        done, checked = _checked(finished(whole, known_all, numbers, nesting), known_all)
        if not checked.problems:
            return Derived(done, known_all, plan)
        again = forced | _primal_of(checked.lost, plan)
        if again == forced:
            if not nesting:
                break
            nesting = False
        forced = again
    done, checked = _apart(whole, known_all, numbers)
    if not checked.problems:
        return Derived(done, known_all, plan)
    raise InternalError("; ".join(checked.problems[:5]), program.span)


def finished(
    whole: Program, known: Callable[[Var], Fact], numbers: Numbers, nesting: bool = True
) -> Program:
    """Return the derivative without dead code, nested, with copies where they are needed."""
    whole = without_dead_code(whole)
    for _ in range(3 if nesting else 0):
        roots = roots_of(whole, known)
        nested_ = adopted(nested(whole, roots))
        nested_ = replace(nested_, body=simplified(nested_.body, known))
        nested_ = without_dead_code(nested_)  # what is gone needs no name for its parts
        if nested_ == whole:
            break
        whole = nested_
    if nesting:
        whole = adopted(computed_once(whole, numbers, known))
    return owned(without_dead_code(whole), known, numbers)


def _checked(whole: Program, known: Callable[[Var], Fact]) -> tuple[Program, Checked]:
    """Return a derivative that reads no unbound name, and what else `verify` says of it."""
    checked = verify(whole, known)
    if checked.problems or not checked.unbound:
        return whole, checked
    whole = bound_first(whole, checked.unbound, known)
    return whole, verify(whole, known)


def _apart(
    whole: Program, known: Callable[[Var], Fact], numbers: Numbers
) -> tuple[Program, Checked]:
    """Return the derivative in which all that is lost as it stands has a slot of its own."""
    whole = kept_apart(whole, verify(whole, known).lost, numbers)
    done, checked = _checked(finished(whole, known, numbers), known)
    if checked.problems:
        done, checked = _checked(finished(whole, known, numbers, nesting=False), known)
    return done, checked


def _primal_of(lost: list[Var], plan: Plan) -> frozenset[Var]:
    back = {decision.var: var for var, decision in plan.decisions.items()}
    found = {back.get(var, var) for var in lost}
    return frozenset(var for var in found if var in plan.homes)


def lookup(facts: Facts, extra: Mapping[Var, Fact]) -> Callable[[Var], Fact]:
    def known(var: Var) -> Fact:
        found = extra.get(var)
        return adjoint_held(found) if found is not None else facts.of(var)

    return known


def _lookup_all(known: Callable[[Var], Fact], plan: Plan) -> Callable[[Var], Fact]:
    slots = {
        decision.var.slot: var for var, decision in plan.decisions.items() if decision.var != var
    }
    slots |= {slot + "on": var for slot, var in slots.items()}

    def lookup(var: Var) -> Fact:
        return known(slots.get(var.slot, var))

    return lookup


def _returned(
    primal: Primal, block: Block, bars: Mapping[str, Var], step: bool
) -> tuple[Block, Op]:
    """Return the sweep with zeros for what it never reached, and the adjoints asked for."""
    out = list(block)
    found: list[Expr] = []
    for slot in primal.wrt:
        param = next(p.var for p in primal.program.params if p.var.slot == slot)
        fact = primal.facts.of(param)
        if is_taken_apart(fact):
            made = primal.numbers.next(slot + "~bar")
            whole = put_together(param, fact, primal.program.body, bars)
            out.append(Assign((made,), whole, primal.program.span))
            found.append(made)
            continue
        if slot in bars and param in primal.active:
            found.append(bars[slot] if step else _shaped(primal, param, bars[slot], out))
            continue
        made = primal.numbers.next(slot + "~bar")
        out.append(Assign((made,), zero_like(param, primal.facts.of(param)), primal.program.span))
        found.append(made)
    return tuple(out), Op("tuple", tuple(found))


def _shaped(primal: Primal, param: Var, adjoint: Var, out: list[Stmt]) -> Var:
    """Give the adjoint of a list or tuple the structure of its argument."""
    if primal.facts.of(param).kind not in ("list", "tuple", "dict"):
        return adjoint
    if _is_known(primal.facts.of(param)) and _built_in_order(out, adjoint):
        return adjoint
    made = primal.numbers.next(adjoint.slot)
    value = Call(Ref("_shaped_as", "printed"), (adjoint, param))
    out.append(Assign((made,), value, primal.program.span))
    return made


def _is_known(fact: Fact) -> bool:
    """Tell whether it is known of all that a list or the like holds what it is."""
    return fact.kind != "unknown" and all(_is_known(item) for item in fact.items)


def _built_in_order(out: list[Stmt], adjoint: Var) -> bool:
    """Tell whether an adjoint was collected item by item, each in its item's structure."""
    made = [s for s in out if isinstance(s, Assign) and s.target == adjoint]
    return (
        bool(made)
        and any(isinstance(part, Op) and part.op == "index" for part in walk(made[0].value))
        and not any(isinstance(part, Ref) and part.text == "_plus" for part in walk(made[0].value))
    )


def _with_outs(block: Block, outs: Mapping[Var, Var]) -> Block:
    from s2sad.legacy.blocks import map_everywhere

    return map_everywhere(block, lambda expr: substitute(expr, lambda var: outs.get(var, var)))


def trimmed(program: Program, checks: Mapping[str, str]) -> Program:
    """Return a function without the parameters that neither it nor its checks read."""
    used = {var for stmt in program.body for var in _reads(stmt)} | set(reads(program.result))
    checked = {word.split(".")[0] for test in checks for word in test.split(" != ")}
    params = tuple(
        param for param in program.params if param.var in used or param.var.slot in checked
    )
    return replace(program, params=params)


def _reads(stmt: Any) -> Any:
    from s2sad.legacy.blocks import all_reads

    return all_reads(stmt)


def consistent(whole: Program, known: Callable[[Var], Fact], numbers: Numbers) -> Program:
    """Return a whole Program finished so that `verify` has nothing to say."""
    for nesting in (True, False):
        done, checked = _checked(finished(whole, known, numbers, nesting), known)
        if not checked.problems:
            return done
    done, checked = _apart(whole, known, numbers)
    if checked.problems:
        raise InternalError("; ".join(checked.problems[:5]), whole.span)
    return done


# ---------------------------------------------------------------- results


def results_of(program: Program) -> tuple[Expr, ...]:
    """Return what a function returns, one by one."""
    return program.result.args if returns_tuple(program) else (program.result,)


def returns_tuple(program: Program) -> bool:
    """Tell whether a function ends with a tuple of results, be it of one."""
    return isinstance(program.result, Op) and program.result.op == "tuple"


__all__ = [
    "UNKNOWN",
    "Const",
    "Derived",
    "If",
    "Primal",
    "S2sadError",
    "statements",
    "static",
    "substitute",
]
