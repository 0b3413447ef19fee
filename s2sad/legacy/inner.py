"""Functions that a function makes for itself are taken out of it, what they read being handed on.

    area = quad(lambda t: np.exp(-k * t), 0.0, 1.0)[0]
    ->    area = quad(decay_inner, 0.0, 1.0, args=(k,))[0]

That is done where they are called, or given to a solver of SciPy's which takes `args`.
"""

from __future__ import annotations

import functools
import inspect
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import FunctionType
from typing import Any

import gast

from s2sad.ir.errors import Unsupported
from s2sad.legacy.blocks import all_defines, all_reads, map_blocks, map_everywhere
from s2sad.legacy.calls import is_python, makes_derivative
from s2sad.legacy.desugar.syntax import COMPREHENSIONS
from s2sad.legacy.extracted import Inner, built, function_of_text, only_called, values_read
from s2sad.legacy.normalise import normalise
from s2sad.legacy.program import (
    Assign,
    Block,
    Call,
    Effect,
    Expr,
    If,
    Loop,
    Op,
    Opaque,
    Program,
    Ref,
    Var,
    is_temp,
)
from s2sad.legacy.rules import is_known
from s2sad.legacy.solvers.task import solver_name, takes_args
from s2sad.legacy.traverse import blocks, defines, expressions, reads, statements, transform, walk
from s2sad.legacy.written import written_by
from s2sad.source.names import reads_of
from s2sad.source.text import signature_of
from s2sad.source.trees import nodes_of

PARTIAL = Ref("functools.partial", functools.partial)


def taken_out(program: Program, whole: Program) -> Program:
    """Return the program in which functions made inside it stand for themselves.

    `whole` is the program with its dead code: a name that is given another value, which only a
    function that was made before can see.
    """
    out = _out_of(program, whole)
    made = _built(program, out)
    for var, copied in out.items():
        _refuse_writes(made[var], copied, program)
    if not made:
        return program

    def put(expr: Expr) -> Expr:
        return _put(expr, made)

    body = map_everywhere(_without(program.body, made), lambda expr: transform(expr, put))
    return replace(program, body=body, result=transform(program.result, put))


def _built(program: Program, out: Mapping[Var, Opaque]) -> dict[Var, Inner]:
    made: dict[Var, Inner] = {}
    for var, copied in out.items():
        made[var] = built(program, copied, len(made), _read_together(program, var, out), made)
    return made


def _out_of(program: Program, whole: Program, waits: bool = False) -> dict[Var, Opaque]:
    """Return the functions of which every use is known, be it in another of them.

    Where it `waits`, what a comprehension does that is still to be written out counts as known for
    those that a recursion calls, which cannot be written out themselves.
    """
    found = {
        var: copied
        for var, copied in definitions(program)
        if keeps_its_values(whole, var, copied)
        if _keeps_always(whole, var, copied) or not _is_read_by_another(program, var)
    }
    later = _called_later(program) if waits else Counter[Var]()
    while True:
        known = {v: f for v, f in found.items() if _every_use_is_known(program, v, found, later)}
        if len(known) == len(found):
            return found
        found = known


def _called_later(program: Program) -> Counter[Var]:
    """Return how often comprehensions call functions that call themselves, or that those call."""
    again = [each for var, each in _every_definition(program) if _calls_itself(each)]
    found: Counter[Var] = Counter()
    for part in _parts(program):
        if isinstance(part, Opaque) and isinstance(part.node, COMPREHENSIONS):
            found.update(var for _, var in part.reads if _calls(part, var))
    wanted = {var for var, each in _every_definition(program) if each in again}
    wanted |= {var for each in again for _, var in each.reads}
    return Counter({var: count for var, count in found.items() if var in wanted})


def _calls_itself(copied: Opaque) -> bool:
    return getattr(copied.node, "name", "") in reads_of(copied.node.body)


def refuse_lost(program: Program, whole: Program, varied: frozenset[Var]) -> None:
    """Raise where a function that stays inside sees a value which no derivative would follow.

    One that is dead code elsewhere, or one that varies where the one before it did not.
    """
    varying = {var.slot for var in varied}
    there, alive = _definitions_of(whole), _definitions_of(program)
    for var, copied in _every_definition(program):
        for name, each in copied.reads:
            late = each.slot in varying and each not in varied
            if _uses(program, var) and (late or there[each.slot] != alive[each.slot]):
                raise Unsupported(
                    f"the inner function reads {name}, which is given another value",
                    copied.place or program.span,
                    f"Give it {name} as an argument.",
                )


def _definitions_of(program: Program) -> Counter[str]:
    """Return how often each slot is given a value, by the caller or by a statement."""
    made = Counter(param.var.slot for param in program.params)
    every = (each for stmt in program.body for each in all_defines(stmt))
    same = _given_on_one_way(program)
    made.update(each.slot for each in every if each not in same)
    return made


def _given_on_one_way(program: Program) -> frozenset[Var]:
    """Return what a branch leaves under names that only one side binds: that side's values."""
    merges = (
        merge for stmt in statements(program.body) if isinstance(stmt, If) for merge in stmt.merges
    )
    return frozenset(merge.out for merge in merges if None in (merge.then, merge.orelse))


def left_inside(program: Program) -> Iterator[tuple[Var, Opaque]]:
    """Yield the functions made inside that are called by name, and cannot be taken out."""
    called = {
        part.func.slot
        for part in _parts(program)
        if isinstance(part, Call) and isinstance(part.func, Var)
    }
    made = _built(program, _out_of(program, program, waits=True))
    for var, copied in _every_definition(program):
        if var.slot in called and not _can_be_taken_out(copied, made.get(var)):
            yield var, copied


def sees_rebound(program: Program, copied: Opaque) -> bool:
    """Tell whether something that a function reads is given another value, before or after it."""
    made = _definitions_of(program)
    return any(made[each.slot] > 1 for each in reads(copied))


def called_values(program: Program, active: frozenset[Var]) -> Iterator[Var]:
    """Yield the values that are called where something active is computed or changed."""
    for stmt in statements(program.body):
        if isinstance(stmt, Loop | If) or not any(var in active for var in defines(stmt)):
            continue
        for part in (each for expr in expressions(stmt) for each in walk(expr)):
            if isinstance(part, Call) and isinstance(part.func, Var):
                yield part.func


def _can_be_taken_out(copied: Opaque, made: Inner | None) -> bool:
    if made is None or not only_called(copied.node, getattr(copied.node, "name", "")):
        return False
    return not written_by(made.ref.value, normalise)


def _refuse_writes(inner: Inner, copied: Opaque, program: Program) -> None:
    written = sorted(written_by(inner.ref.value, normalise))
    if written:
        raise Unsupported(
            f"the inner function writes to {written[0]}",
            copied.place or program.span,
            "Define it outside, where what it does to its arguments is followed.",
        )


def _without(block: Block, made: Mapping[Var, Inner]) -> Block:
    """Return a block without the definitions of functions that were taken out of it."""
    return tuple(
        map_blocks(stmt, lambda inner: _without(inner, made))
        for stmt in block
        if not any(var in made for var in defines(stmt))
    )


# ---------------------------------------------------------------------------- finding


def definitions(program: Program) -> Iterator[tuple[Var, Opaque]]:
    """Yield the functions with plain parameters that a function makes for itself."""
    for var, copied in _every_definition(program):
        if _is_plain(copied.node.args) and not getattr(copied.node, "decorator_list", []):
            yield var, copied


def _every_definition(program: Program) -> Iterator[tuple[Var, Opaque]]:
    for stmt in statements(program.body):
        match stmt:
            case Assign((var,), Opaque(gast.Lambda()) as copied):
                yield var, copied
            case Effect(Opaque(gast.FunctionDef(), _, ((_, var),)) as copied):
                yield var, copied


def _is_plain(args: Any) -> bool:
    """Tell whether parameters are given by position, without defaults."""
    others = (args.defaults, args.kw_defaults, args.kwonlyargs, args.posonlyargs)
    return not any(others) and args.vararg is None and args.kwarg is None


def keeps_its_values(program: Program, var: Var, copied: Opaque) -> bool:
    """Tell whether what a function reads is the same whenever it is called."""
    changed = any(isinstance(part, gast.Nonlocal | gast.Global) for part in nodes_of(copied.node))
    if changed:
        return False
    uses = _uses(program, var)
    if _keeps_always(program, var, copied):
        return True
    return any(_is_used_at_once(block, var, uses) for block in _blocks(program.body))


def _keeps_always(program: Program, var: Var, copied: Opaque) -> bool:
    """Tell whether a function, and what it reads, are given a value at one place only."""
    made = _definitions_of(program)
    return all(made[each.slot] == 1 for each in (var, *reads(copied)))


def _is_read_by_another(program: Program, var: Var) -> bool:
    """Tell whether a function is read by one that is made inside, and may be called at any time."""
    return any(var in reads(each) for _, each in _every_definition(program))


def _blocks(block: Block) -> Iterator[Block]:
    """Yield a block and all inside it."""
    yield block
    for stmt in block:
        for inner in blocks(stmt):
            yield from _blocks(inner)


def _is_used_at_once(block: Block, var: Var, uses: int) -> bool:
    """Tell whether nothing but temporaries is made between a function and all its uses."""
    found, seen = False, 0
    for stmt in block:
        if found:
            seen += 0 if blocks(stmt) else sum(each == var for each in all_reads(stmt))
            if not all(is_temp(each.slot) for each in all_defines(stmt)):
                break
        found = found or var in defines(stmt)
    return 0 < seen == uses


def _every_use_is_known(
    program: Program, var: Var, out: Mapping[Var, Opaque], later: Counter[Var]
) -> bool:
    named = _uses(program, var)
    closed = not out[var].reads
    known = sum(_is_use(part, var, closed) for part in _parts(program))
    known += sum(_calls(copied, var) for each, copied in out.items() if each != var)
    return named > 0 and named == known + later[var]


def _calls(copied: Opaque, var: Var) -> bool:
    """Tell whether a function reads another that is made inside, and does nothing but call it."""
    names = [text for text, each in copied.reads if each == var]
    return len(names) == 1 and only_called(copied.node, names[0])


def _uses(program: Program, var: Var) -> int:
    """Return how often a program reads a value."""
    named = sum(each == var for stmt in program.body for each in all_reads(stmt))
    return named + sum(each == var for each in reads(program.result))


def _parts(program: Program) -> Iterator[Expr]:
    for stmt in statements(program.body):
        for expr in expressions(stmt):
            yield from walk(expr)
    yield from walk(program.result)


def _is_use(expr: Expr, var: Var, closed: bool) -> bool:
    match expr:
        case Call(Ref(), (Var() as first, *_)) if solver_name(expr) == "optimize.curve_fit":
            return closed and first == var  # it hands nothing on
        case Call(Var() as func):
            return func == var
        case Call(Ref()) if _reads_functions(expr):
            given = (*expr.args, *(value for _, value in expr.keywords))
            return sum(each == var for each in given) == 1
        case Call(Ref(), (Var() as first, *_)) if takes_args(expr):
            return var in (first, *_given_besides(expr))
        case Call(Ref(), (first, *_)):
            return first == var and makes_derivative(expr.func)
    return False


def _given_besides(call: Call) -> tuple[Expr, ...]:
    """Return what a call is given besides its first argument: `fprime=`, `jac=`, `events=`."""
    return (*call.args[1:], *(value for _, value in call.keywords))


def _reads_functions(call: Call) -> bool:
    """Tell whether a call is of a Python function, which is fitted to those that it is given."""
    return is_python(call.func) and not is_known(call)


# ---------------------------------------------------------------------------- taking out


def _read_together(
    program: Program, var: Var, out: Mapping[Var, Opaque]
) -> tuple[tuple[str, Var], ...]:
    """Return what a function reads, and those that a solver is given with it: it calls all alike."""
    group, size = {var}, 0
    while size < len(group):
        size = len(group)
        for part in _parts(program):
            if isinstance(part, Call) and isinstance(part.func, Ref) and takes_args(part):
                given = {each for each in (*part.args[:1], *_given_besides(part)) if each in out}
                group |= given if given & group else set()  # type: ignore[arg-type]
    every = (pair for each in out if each in group for pair in values_read(out[each], out))
    return tuple(dict.fromkeys(every))


def _put(expr: Expr, made: Mapping[Var, Inner]) -> Expr:
    match expr:
        case Call(Var() as func, args, keywords) if func in made and keywords:
            read = tuple(zip(made[func].names, made[func].captured, strict=True))
            return Call(made[func].ref, args, (*keywords, *read))
        case Call(Var() as func, args) if func in made:
            return Call(made[func].ref, (*args, *made[func].captured))
        case Call(Ref() as func, args, keywords) if _reads_functions(expr):
            given = tuple(_handed(each, made) for each in args)
            named = tuple((name, _handed(each, made)) for name, each in keywords)
            return Call(func, given, named)
        case Call(Ref(), (Var() as first, *_), keywords) if first in made:
            given = tuple(_taken(each, made, made[first]) for each in expr.args)
            named = tuple((name, _taken(each, made, made[first])) for name, each in keywords)
            return _with_args(Call(expr.func, given, named), made[first].captured)
    return expr


def _taken(arg: Expr, made: Mapping[Var, Inner], first: Inner) -> Expr:
    """Return a function that is given to a solver, made to take what `first` is handed."""
    if isinstance(arg, Ref) and isinstance(arg.value, FunctionType) and first.captured:
        own = list(signature_of(arg.value).parameters)
        name, last = f"{first.ref.text}_{arg.value.__name__}", arg.text.rpartition(".")[2]
        params = ", ".join([*own, *(f"{each}_unused" for each in first.names)])
        text = f"def {name}({params}):\n    return {last}({', '.join(own)})\n"
        return Ref(name, function_of_text(name, text, (Ref(last, arg.value),)))
    return made[arg].ref if isinstance(arg, Var) and arg in made else arg


def _handed(arg: Expr, made: Mapping[Var, Inner]) -> Expr:
    """Return the function that an argument is, as a partial object where it reads others."""
    if not isinstance(arg, Var) or arg not in made:
        return arg
    inner = made[arg]
    if not inner.captured:
        return inner.ref
    named = tuple(zip(inner.names, inner.captured, strict=True))
    return Call(PARTIAL, (inner.ref,), named)


def _with_args(call: Call, captured: tuple[Var, ...]) -> Call:
    """Return a solver's call that hands on more arguments."""
    if not captured:
        return call
    assert isinstance(call.func, Ref)
    at = list(inspect.signature(call.func.value).parameters).index("args")
    given = dict(call.keywords)
    own = call.args[at] if len(call.args) > at else given.pop("args", Op("tuple", ()))
    before = own.args if isinstance(own, Op) and own.op == "tuple" else (own,)
    every = Op("tuple", (*before, *captured))
    if len(call.args) > at:
        args = (*call.args[:at], every, *call.args[at + 1 :])
        return Call(call.func, args, call.keywords)
    return Call(call.func, call.args, (*given.items(), ("args", every)))
