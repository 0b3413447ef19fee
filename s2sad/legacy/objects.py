"""Objects of SciPy's are put in place where they are called, or multiplied with.

    spline = CubicSpline(x, z)             spline(t)         CubicSpline(x, z)(t)
    noise = stats.norm(mu, sigma)          noise.logpdf(x)   stats.norm.logpdf(x, mu, sigma)
    a = sparse.csr_matrix((v, (i, j)))     a @ x             sparse.csr_matrix((v, (i, j))) @ x

So what an object was made of is seen by the rule of what it is used for. An object that is used
in any other way stays, and has no rule.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import FunctionType

import numpy as np

from s2sad.legacy.blocks import all_defines, all_reads, map_everywhere, without
from s2sad.legacy.facts.scipy_sparse import CLASSES
from s2sad.legacy.program import NONE, Assign, Attr, Call, Const, Expr, Op, Program, Ref, Stmt, Var
from s2sad.legacy.rules import is_known
from s2sad.legacy.traverse import children, expressions, reads, statements, transform

# the methods that take the variable first: of distributions, and of splines
METHODS = frozenset("evaluate pdf logpdf pmf logpmf cdf logcdf sf logsf ppf isf integrate".split())

POLYNOMIALS = (np.poly1d, np.polynomial.Polynomial)

DENSITY = "scipy.stats.gaussian_kde"

# what is done with a sparse matrix beside products
SOLVERS = frozenset(f"scipy.sparse.linalg.{name}" for name in ("spsolve", "cg", "gmres"))

Made = Mapping[Var, Call]


def unfolded(program: Program, active: frozenset[Var]) -> Program:
    """Return the program with active objects of SciPy's in place where they are called."""
    made = {var: call for var, call in _objects(program) if _matters(call, program, active, var)}
    made = {var: call for var, call in made.items() if _only_used(program, var, call)}
    if not made:
        return program

    def put(expr: Expr) -> Expr:
        return _called(expr, made)

    body = map_everywhere(without(program.body, made), lambda expr: transform(expr, put))
    return replace(program, body=body, result=transform(program.result, put))


def _objects(program: Program) -> Iterator[tuple[Var, Call]]:
    """Yield the objects whose makings keep their values to the end, and how they are made."""
    slots = [param.var.slot for param in program.params]
    slots += [var.slot for stmt in program.body for var in all_defines(stmt)]
    found: dict[Var, Call] = {}
    every = list(statements(program.body))
    for number, stmt in enumerate(every):
        match stmt:
            case Assign((target,), Call(Ref() | Attr(Ref())) as call, unpack=False) if _is_object(
                call
            ):
                kept = all(slots.count(var.slot) == 1 for var in (target, *reads(call)))
                if kept or _is_used_at_once(program, stmt, every[number + 1 :]):
                    found[target] = call
            case Assign((target,), Attr(Var() as owner, "T"), unpack=False) if owner in found:
                if slots.count(target.slot) == 1 and _is_sparse(found[owner]):
                    found[target] = _transposed(found[owner])
    yield from found.items()


def _is_used_at_once(program: Program, made: Assign, rest: list[Stmt]) -> bool:
    """Tell whether one statement is all that reads a value, and nothing has changed before it."""
    (target,) = made.targets
    named = sum(each == target for stmt in program.body for each in all_reads(stmt))
    named += sum(each == target for each in reads(program.result))
    kept = {target.slot, *(var.slot for var in reads(made.value))}
    for stmt in rest:
        if not isinstance(stmt, Assign):
            return False
        read = sum(each == target for each in reads(stmt.value))
        if read:
            return read == named
        if any(each.slot in kept for each in stmt.targets):
            return False
    return False


def _transposed(call: Call) -> Call:
    """Return how the transpose of a sparse matrix is made of the same entries."""
    assert isinstance(call.func, Ref)
    keywords = tuple((key, _turned(value)) for key, value in call.keywords)
    match call.args:
        case (Op("tuple", (data, Op("tuple", (i, j)))),):
            return Call(call.func, (Op("tuple", (data, Op("tuple", (j, i)))),), keywords)
    if not isinstance(call.args[0], Op):  # an array, which every format holds alike
        turned = Call(Ref("np.transpose", np.transpose), call.args[:1])
        return Call(_sparse("csr_array"), (turned, *call.args[1:]), keywords)
    text = call.func.text
    form = {"csr": "csc", "csc": "csr"}.get(text.split(".")[2][:3], "coo")
    return Call(_sparse(f"{form}{text.split('.')[2][3:]}"), call.args, keywords)


def _sparse(name: str) -> Ref:
    return Ref(f"scipy.sparse.{name}", vars(sys.modules["scipy.sparse"])[name])


def _turned(shape: Expr) -> Expr:
    parts = shape.args if isinstance(shape, Op) and shape.op == "tuple" else None
    if parts is None:
        parts = tuple(Op("index", (shape, Const(at))) for at in range(2))
    return Op("tuple", (parts[1], parts[0]))


def _is_object(call: Call) -> bool:
    if isinstance(call.func, Attr):
        return is_known(Call(call, (NONE,)))
    assert isinstance(call.func, Ref)
    if any(call.func.value is each for each in POLYNOMIALS):
        return True
    if call.func.text.startswith("scipy.interpolate.") or call.func.text == DENSITY:
        return True
    return _is_sparse(call) or _is_distribution(call.func)


def _is_sparse(call: Call) -> bool:
    text = call.func.text if isinstance(call.func, Ref) else ""
    return text.removeprefix("scipy.sparse.") in CLASSES


def _is_distribution(func: Ref) -> bool:
    known = func.text.startswith("scipy.stats.") and callable(func.value)
    return known and not isinstance(func.value, type | FunctionType)


def _matters(call: Call, program: Program, active: frozenset[Var], var: Var) -> bool:
    """Tell whether a derivative flows into an object, or into a call of it."""
    if any(each in active for each in reads(call)):
        return True
    calls = (part for part in _parts(program) if isinstance(part, Call) and _owner(part) == var)
    used = (each for part in calls for each in reads(part))
    return not _is_sparse(call) and any(each in active for each in used)


def _only_used(program: Program, var: Var, made: Call) -> bool:
    named = sum(each == var for stmt in program.body for each in all_reads(stmt))
    named += sum(each == var for each in reads(program.result))
    return named == sum(_is_use(part, var, made) for part in _parts(program))


def _is_use(expr: Expr, var: Var, made: Call) -> bool:
    """Tell whether an expression uses an object in a way that has rules."""
    match expr:
        case Call(Attr(owner, name)) if owner == var:
            return name == "dot" if _is_sparse(made) else name in METHODS
        case Call(Var() as owner) if owner == var:
            return not _is_sparse(made)
        case Attr(owner, "T"):
            return owner == var and _is_sparse(made)
        case Op("@", (owner, _)):
            return owner == var and _is_sparse(made)
        case Call(Ref(text), (owner, *_)) if text in SOLVERS:
            return owner == var and _is_sparse(made)
    return False


def _parts(program: Program) -> Iterator[Expr]:
    """Yield every expression in a program, parts included."""
    todo = [expr for stmt in statements(program.body) for expr in expressions(stmt)]
    todo.append(program.result)
    while todo:
        expr = todo.pop()
        yield expr
        todo += children(expr)


def _owner(call: Call) -> Expr:
    return call.func.value if isinstance(call.func, Attr) else call.func


def _called(expr: Expr, made: Made) -> Expr:
    match expr:
        case Call(Var() as owner, args, keywords) if owner in made:
            return Call(made[owner], args, keywords)
        case Call(Attr(Var() as owner, name), args, keywords) if owner in made:
            making = made[owner]
            if isinstance(making.func, Ref) and _is_distribution(making.func):
                method = Attr(making.func, name)
                return Call(method, (*args, *making.args), (*keywords, *making.keywords))
            return Call(Attr(making, name), args, keywords)
        case Op("@", (Var() as owner, other)) if owner in made:
            return Op("@", (made[owner], other))
        case Call(func, (Var() as owner, *others), keywords) if owner in made:
            return Call(func, (made[owner], *others), keywords)
    return expr
