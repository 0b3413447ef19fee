"""Gradients that a function takes inside are made, with what stands for their derivatives.

energy_grad_x(x, k)                        the gradient of energy(x, k)
energy_grad_x_rev(x, k, y, y_bar)          the tangent of the gradient by x and k, along y_bar of x:
                                           a Hessian is symmetric
energy_grad_x_fwd(x, k, y, x_dot, k_dot)   the tangent of the gradient
"""

from __future__ import annotations

from s2sad import forward
from s2sad.analysis.callees import calling
from s2sad.analysis.even_powers import without_kinks
from s2sad.api.tools import tangent_tools, tools_for
from s2sad.checkpoint.gradient import gradient
from s2sad.ir.errors import NotYet
from s2sad.ir.expression import Expr, Variable, constant, name
from s2sad.ir.program import Function, Inner, Let, Note, Parameter, Program, Return, Statement
from s2sad.ir.records import replace
from s2sad.ir.renaming import free_name
from s2sad.ir.types import Number, Tuple, is_float
from s2sad.ir.walk import reached, rewritten
from s2sad.types import Context

# derivatives of one sweep, which follow no gradient
SWEEPS = frozenset({"tangent", "both", "pulled"})


def with_inner(program: Program, context: Context) -> Program:
    """Return a program whose gradients that are taken inside are made; the innermost come first."""
    if program.facts.get("marks"):
        raise NotYet("a gradient inside of loops that ask for their schedules")
    functions = dict(program.functions)
    for called, function in program.functions.items():
        if function.inner is not None and _is_wanted(function, context):
            below = reached(functions, function.inner.of)
            own = replace(program, functions=below, entry=function.inner.of)
            functions |= _apart(_made(own, function, function.inner, context), called, functions)
            assert functions[called].inner is None
    return replace(program, functions=functions)


def _apart(
    made: dict[str, Function], stub: str, functions: dict[str, Function]
) -> dict[str, Function]:
    """Return what was made under names of its own: each derivative names those that it calls for itself."""
    taken = [n for n in made if n in functions and n != stub]
    if all(made[n] == functions[n] for n in taken):
        return made
    names: dict[str, str] = {}
    for n in taken:
        names[n] = free_name(n, {*functions, *made, *names.values()})
    renamed = ((names.get(n, n), each) for n, each in made.items())
    return {n: calling(replace(each, name=n), names) for n, each in renamed}


def _is_wanted(function: Function, context: Context) -> bool:
    """Tell whether a function is made: what stands for derivatives, where one is asked for."""
    is_derivative = function.inner is not None and function.inner.kind in ("reverse", "forward")
    return not is_derivative or (function.name, "inner") in context.solved


def _made(program: Program, stub: Function, inner: Inner, context: Context) -> dict[str, Function]:
    """Return what a function stands for, with the functions that it calls."""
    made = _derived(program, inner, context)
    whole, count = made.function, len(program.function.parameters)
    if inner.kind == "reverse":
        whole = _pulling_back(whole, program.function, stub, inner.single)
    elif inner.kind == "forward":
        y = _other(stub.parameters[count], whole)
        parameters = (*whole.parameters[:count], y, *whole.parameters[count:])
        whole = replace(whole, parameters=parameters)
    elif inner.kind in SWEEPS:
        body = rewritten(whole.body, lambda s: () if isinstance(s, Note) else s)
        whole = replace(whole, body=body)
    own = replace(stub, parameters=whole.parameters, body=whole.body, inner=None)
    new = {n: f for n, f in made.functions.items() if n not in program.functions}
    new.pop(made.entry, None)
    return {**new, stub.name: replace(own, doc=_about(program.function, inner, whole))}


def _derived(program: Program, inner: Inner, context: Context) -> Program:
    """Return the derivative of the function that something stands for the derivative of."""
    tools_along = tangent_tools(program, context)
    if inner.kind in ("tangent", "both"):
        return forward.tangent(program, inner.wrt, tools_along, inner.kind == "both")
    floats = tuple(p.variable.name for p in program.function.parameters if is_float(p.type))
    wrt, single = (floats, False) if inner.kind == "reverse" else (inner.wrt, inner.single)
    tools = tools_for(program, context)
    smooth = without_kinks(program, tools.infer)
    form = "vjp" if inner.kind == "pulled" else "grad"
    made = gradient(smooth, wrt, tools, form, single).program
    if inner.kind in ("gradient", "pulled"):
        return made
    along = inner.wrt if inner.kind == "reverse" else floats
    return forward.tangent(made, along, tools_along, False)


def _pulling_back(whole: Function, of: Function, stub: Function, single: bool) -> Function:
    """Return a tangent of the gradient by all as what pulls back an adjoint of one by some."""
    count = len(of.parameters)
    own, dots = whole.parameters[:count], whole.parameters[count:]
    y, y_bar = (_other(p, whole) for p in stub.parameters[count:])
    start: tuple[Statement, ...] = ()
    if single:
        y_bar = dots[0]
    else:
        start = (Let(tuple(p.variable for p in dots), name(y_bar.variable, y_bar.type)),)
    places = [is_float(p.type) for p in of.parameters]

    def change(statement: Statement) -> Statement:
        if not isinstance(statement, Return):
            return statement
        if statement.value.op != "tuple":
            raise NotYet("adjoints of a gradient that are not told apart", of.span)
        parts = iter(statement.value.args)
        zero = constant(0.0, Number("float64"))
        every = tuple(next(parts) if each else zero for each in places)
        types = Tuple(tuple(part.type for part in every))
        return replace(statement, value=Expr("tuple", every, type=types))

    body = (*start, *rewritten(whole.body, change))
    return replace(whole, parameters=(*own, y, y_bar), body=body)


def _other(parameter: Parameter, function: Function) -> Parameter:
    """Return a parameter under a variable that the function does not have."""
    taken = {p.variable.name for p in function.parameters}
    number = len(function.parameters) if parameter.variable.name in taken else 0
    return replace(parameter, variable=Variable(parameter.variable.name, number))


def _about(of: Function, inner: Inner, whole: Function) -> str:
    """Return what the text says of a function."""
    call = f"{of.name}({', '.join(str(p.variable) for p in of.parameters)})"
    slope = f"the gradient of {call} with respect to {', '.join(inner.wrt)}"
    match inner.kind:
        case "pulled":
            return f"Pull seed back through {of.name}."
        case "tangent" | "both":
            return f"Tangent of {of.name}."
        case "reverse":
            return f"Pull {whole.parameters[-1].variable} back through {slope}."
        case "forward":
            return f"Tangent of {slope}."
    return f"{slope[0].upper()}{slope[1:]}."
