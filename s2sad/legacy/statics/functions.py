"""Functions made inside which only make sense where they stand: each call is lowered in place.

    def add(v):                     add(x):     total@1 = total@0 + x@0
        nonlocal total
        total += v

Names that are free in them stand for the slots of the function around them, so that they see
what those hold when they are called, as in Python.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import gast

from s2sad.ir.errors import Span, Unsupported, WritesInside
from s2sad.legacy.calls import in_place, is_python
from s2sad.legacy.desugar.factories import gives_function, is_factory
from s2sad.legacy.drawn import tree_draws
from s2sad.legacy.gathered import gathered
from s2sad.legacy.lower import atom, outer_writes, writes_around
from s2sad.legacy.program import Attr, Call, Expr, Var, is_temp
from s2sad.legacy.scope import Scope
from s2sad.legacy.statics.classes import method
from s2sad.legacy.statics.kinds import Copy, Cut, Function, Method, Record, Row
from s2sad.legacy.statics.parameters import bound_arguments, in_order
from s2sad.legacy.statics.records import give, left
from s2sad.legacy.written import params_stored_into
from s2sad.source.names import locals_of, reads_of
from s2sad.source.plain import makes_records
from s2sad.source.text import Source
from s2sad.source.trees import nodes_of

Lower = Callable[[Source, Scope], Expr]
DEPTH = 40
BEYOND = (gast.Yield, gast.YieldFrom, gast.Await, gast.Global)

# methods that return nothing: as the body of a lambda they are called for what they do
SILENT = frozenset("append extend insert sort reverse fill clear remove add update".split())


def stands_alone(node: Any, scope: Scope) -> bool:
    """Tell whether a function made inside can be copied as it is, or taken out later."""
    opened = scope.opens(node, only_named=True) and not getattr(node, "s2sad_apart", False)
    if outer_writes(node, scope) or opened:
        return False
    if scope.suffix and gives_function(scope.source.tree):
        return False  # it is returned, or called by what is
    if scope.opens(node) and _has_defaults(node.args):
        return False
    if tree_draws(node, scope.source):
        return False  # its reverse would draw again
    if any(scope.static(name) for name in (*reads_of(node), *_handed_to(node, scope))):
        return False
    if set(_handed_to(node, scope)) & set(_objects(scope)):
        return False
    if (scope.doubts or params_stored_into(node)) and _is_only_called(node, scope):
        return False  # what it gives may share nothing with what is written
    return not _is_handed_to_factory(node, scope)


def _handed_to(node: Any, scope: Scope) -> Iterator[str]:
    """Yield the names that a function which is made inside is called with."""
    if not isinstance(node, gast.FunctionDef):
        return
    for part in nodes_of(scope.source.tree):
        match part:
            case gast.Call(func=gast.Name(id=called), args=args) if called == node.name:
                yield from (arg.id for arg in args if isinstance(arg, gast.Name))


def _is_only_called(node: Any, scope: Scope) -> bool:
    """Tell whether a plain function made inside is called, and used for nothing else."""
    own = _name_of(node, scope)
    if own is None or any(isinstance(part, BEYOND) for part in nodes_of(node)):
        return False
    called, named = 0, 0
    for part in nodes_of(scope.source.tree):
        match part:
            case gast.Call(func=gast.Name(id=name)) if name == own:
                called += 1
            case gast.Name(id=name, ctx=gast.Load()) if name == own:
                named += 1
    return 0 < called == named


def _name_of(node: Any, scope: Scope) -> str | None:
    """Return the name of a plain `def`, or the one that a `lambda` is given."""
    if isinstance(node, gast.FunctionDef):
        return None if node.decorator_list else str(node.name)
    at = (getattr(node, "lineno", 0), getattr(node, "col_offset", 0))
    for part in nodes_of(scope.source.tree):
        match part:
            case gast.Assign(targets=[gast.Name(id=name)], value=gast.Lambda() as made):
                if (made.lineno, made.col_offset) == at:
                    return str(name)
    return None


def _is_handed_to_factory(node: Any, scope: Scope) -> bool:
    """Tell whether a function is given to one that makes another: `step = make_step(rhs)`."""
    if not isinstance(node, gast.FunctionDef):
        return False
    for part in nodes_of(scope.source.tree):
        match part:
            case gast.Call(func=gast.Name(id=maker), args=args):
                if any(isinstance(arg, gast.Name) and arg.id == node.name for arg in args):
                    if maker not in scope.locals and is_factory(scope.source.resolve(maker)):
                        return True
    return False


def _objects(scope: Scope) -> Iterator[str]:
    """Yield the names that are given an object which will be taken apart."""
    for part in nodes_of(scope.source.tree):
        match part:
            case gast.Assign(
                targets=[gast.Name(id=name)], value=gast.Call(func=gast.Name(id=maker))
            ):
                if makes_records(scope.source.resolve(maker)):
                    yield name


def _has_defaults(args: Any) -> bool:
    return bool(args.defaults or args.kwonlyargs)


def made(node: Any, name: str, scope: Scope) -> Function:
    """Return the function that a `def` or `lambda` makes, its defaults evaluated."""
    if getattr(node, "decorator_list", []) or any(
        isinstance(part, BEYOND) for part in nodes_of(node)
    ):
        raise Unsupported(
            "this function made inside is not differentiated",
            scope.span(node),
            "Decorators, generators and globals cannot be followed here: define it outside.",
        )
    place = scope.span(node)
    defaults = tuple(
        (param, _default(param, value, node, scope)) for param, value in _defaults(node.args)
    )
    return Function(name, place, scope.suffix, defaults, node, scope)


def _defaults(args: Any) -> list[tuple[str, Any]]:
    plain = [*args.posonlyargs, *args.args]
    last = plain[len(plain) - len(args.defaults) :]
    named = zip(args.kwonlyargs, args.kw_defaults, strict=True)
    pairs = [*zip(last, args.defaults, strict=True), *(pair for pair in named if pair[1])]
    return [(arg.id, value) for arg, value in pairs]


def _default(param: str, value: Any, node: Any, scope: Scope) -> str:
    """Evaluate the default of a parameter where the function is made; return its slot."""
    slot = _unused(f"{param}&{node.lineno}:{node.col_offset}", scope)
    scope.slots[slot] = slot
    scope.called_after = param
    given: Expr = atom(value, scope)
    if isinstance(given, Var):
        given = scope.held.constants.get(given, given)  # of a loop that is written out
    give(scope, slot, given, scope.span(value))
    return slot


def _unused(wished: str, scope: Scope) -> str:
    """Return a slot that no function has which was made at the same place before."""
    functions = [each for each in scope.held.statics.values() if isinstance(each, Function)]
    taken = {slot for each in functions for _, slot in each.defaults}
    numbers = (f"{wished}{mark}{scope.suffix}" for mark in ("", *map(".{}".format, range(1, 1000))))
    return next(slot for slot in numbers if slot not in taken)


def changing(stmt: Any, scope: Scope) -> frozenset[str]:
    """Return the slots that calls in a statement may give to another value.

    What an expression has read of them is kept before the call: `c * step(x)`.
    """
    held = scope.held.statics.values()
    known = [each for each in held if isinstance(each, Function) and each.scope is not None]
    if not known or isinstance(stmt, gast.If | gast.While | gast.FunctionDef):
        return frozenset()
    stmt = stmt.iter if isinstance(stmt, gast.For) else stmt
    whole = getattr(stmt, "value", None)
    calls = (part for part in nodes_of(stmt) if isinstance(part, gast.Call) and part is not whole)
    names = {name for call in calls for name in reads_of(call)}
    if not any(isinstance(scope.static(name), Function) for name in names):
        return frozenset()
    return frozenset(
        each.scope.slot(name) for each in known for name in writes_around(each.node) if each.scope
    )


def handed_on(node: Any, name: str, scope: Scope) -> Function | None:
    """Return the function that syntax is, where it is one of the function's own; else None."""
    if isinstance(node, gast.Lambda):
        return made(node, name, scope)
    static = scope.static(node.id) if isinstance(node, gast.Name) else None
    return static if isinstance(static, Function) else None


def standing_for(function: Function, scope: Scope) -> Var:
    """Return a value that stands for a function while what returns it is lowered."""
    scope.numbers.records += 1
    var = Var(f"{function.name}%r{scope.numbers.records}", 0)
    scope.held.statics = {**scope.held.statics, var.slot: function}
    return var


def function_in(value: Expr, scope: Scope) -> Function | None:
    """Return the function that a value stands for."""
    static = scope.held.statics.get(value.slot) if isinstance(value, Var) else None
    return static if isinstance(static, Function) else None


# ---------------------------------------------------------------------------- as values


def taken(thing: Any, scope: Scope) -> Expr | None:
    """Return what stands for a function in an expression: a lambda, or `m.step`; None for others."""
    if isinstance(thing, Attr):
        return _method_of(thing, scope)
    if getattr(thing, "s2sad_orders", False):
        return None  # it stands where the call does, which is opened
    if not scope.opens(thing, only_named=True) and not any(map(scope.static, reads_of(thing))):
        return None
    for name in getattr(thing, "s2sad_late", ()):
        raise Unsupported(
            f"the inner function reads {name}, which is given another value",
            scope.span(thing),
            f"Give it {name} as an argument: lambda ..., {name}={name}: ...",
        )
    return standing_for(made(thing, "lambda", scope), scope)


def _method_of(value: Attr, scope: Scope) -> Expr | None:
    """Return what stands for a method that is not called here.

    It sees the fields that its object has when it is called. An item of a list has none of its own.
    """
    owner = scope.record(value.value)
    found = None if owner is None else method(owner.kind, value.name)
    if owner is None or found is None or isinstance(owner, Row | Cut | Copy):
        return None
    place = Span("", value.name, 0, 0)
    return standing_for(Method(value.name, place, "", made=found, owner=owner), scope)


def of_owner(taken_: Method, call: Any, scope: Scope) -> Any:
    """Return a call of a method that was taken as one of its function, which is given the object."""
    number = scope.numbers.key()
    name, first = f"{taken_.name}%k{number}", f"self%r{number}m"
    scope.imports = {**scope.imports, name: taken_.made}
    scope.locals |= {first}
    assert taken_.owner is not None
    scope.held.statics = {**scope.held.statics, scope.slot(first): taken_.owner}
    func, owner = (
        gast.copy_location(gast.Name(each, gast.Load(), None, None), call) for each in (name, first)
    )
    made_ = gast.Call(func=func, args=[owner, *call.args], keywords=call.keywords)
    return gast.copy_location(made_, call)


# ---------------------------------------------------------------------------- calls


def called(function: Function, call: Any, scope: Scope, nested: bool, lower: Lower) -> Expr:
    """Return what a call gives, the function's statements standing before it."""
    _refuse_where_it_cannot_stand(function, call, scope, nested)
    bound = bound_arguments(function.node.args, call, scope)
    inner, given = _inside(function, bound, call, scope)
    for param, value in in_order(given, call):
        scope.called_after = param
        handed = handed_on(value, param, scope)
        if handed is not None:
            inner.hold(param, handed)
        else:
            give(inner, param, atom(value, scope), scope.span(value))
    for param, slot in function.defaults:
        if param not in given:
            give(inner, param, _held(slot, function, call, scope), scope.span(call))
    result = lower(inner.source, inner)
    if function_in(result, scope) is not None:
        return result
    left(inner, scope)
    if isinstance(result, Var) and not is_temp(result.slot):
        return scope.temp(result, call)  # the next call may change what the name holds
    return result


def in_place_of(call: Call, node: Any, scope: Scope, nested: bool, lower: Lower) -> Expr | None:
    """Return what a call gives that makes a function, or is handed one that is known here."""
    if not is_python(call.func) or nested:
        return None
    function: Any = call.func.value  # type: ignore[union-attr]
    given = [*call.args, *(value for _, value in call.keywords)]
    handed = any(function_in(each, scope) is not None for each in given)
    makes = scope.opens_here(node) and is_factory(function)
    if not (handed or makes) or len(scope.active_calls) > DEPTH or function in scope.active_calls:
        return None
    return in_place(function, call, node, scope, lower)


def _refuse_where_it_cannot_stand(
    function: Function, call: Any, scope: Scope, nested: bool
) -> None:
    name = function.name
    if any(part == function for part in scope.active_calls):
        raise Unsupported(
            f"{name} calls itself, which is not differentiated",
            scope.span(call),
            "Write the recursion as a loop.",
        )
    if nested or len(scope.active_calls) > DEPTH:
        raise WritesInside(
            f"{name} is called inside a test or an expression that may not run",
            scope.span(call),
            "Call it in a statement of its own.",
        )


def _held(slot: str, function: Function, call: Any, scope: Scope) -> Var:
    if isinstance(scope.held.statics.get(slot), Function | Record):
        return Var(slot, 0)
    if slot not in scope.held.values:
        raise Unsupported(
            f"{function.name} was made on another way",
            scope.span(call),
            "Define the function before the branch.",
        )
    return scope.held.values[slot]


def _inside(
    function: Function, bound: Mapping[str, Any], call: Any, scope: Scope
) -> tuple[Scope, Mapping[str, Any]]:
    """Return the scope in which a call is lowered, and the syntax that its parameters are given.

    Free names are those of where the function was made.
    """
    around, tree = function.scope, _as_def(function)
    assert around is not None
    source, given = gathered(replace(around.source, tree=tree), bound)
    own = locals_of(source.tree)
    outside = around.locals - own
    inner = scope.inside(
        function,
        replace(source, locals=around.source.locals | own),
        own | outside,
        call,
        slots={name: around.slot(name) for name in _free(source.tree) if name in outside},
        imports={name: value for name, value in around.imports.items() if name not in own},
        first_temp=100 * (scope.numbers.inlined + 1),
    )
    return inner, given


def _free(tree: Any) -> set[str]:
    """Return the names that a function, or one inside it, reads or writes of others."""
    found = {part.id for part in nodes_of(tree) if isinstance(part, gast.Name)}
    for part in nodes_of(tree):
        found |= {name for name in getattr(part, "names", ()) if isinstance(name, str)}
    return found


def _as_def(function: Function) -> Any:
    node = function.node
    if isinstance(node, gast.FunctionDef):
        return node
    body = node.body
    if _is_silent(body):
        stmts: list[Any] = [gast.copy_location(gast.Expr(value=body), body)]
    else:
        stmts = [gast.copy_location(gast.Return(value=body), body)]
    made_ = gast.FunctionDef(
        name=function.name,
        args=node.args,
        body=stmts,
        decorator_list=[],
        returns=None,
        type_comment=None,
        type_params=[],
    )
    return gast.copy_location(made_, node)


def _is_silent(body: Any) -> bool:
    return (
        isinstance(body, gast.Call)
        and isinstance(body.func, gast.Attribute)
        and body.func.attr in SILENT
        and isinstance(body.func.value, gast.Name)
    )
