"""A function's syntax becomes a Program: one operation a statement, every value numbered.

def f(x):                          x%1 = 2.0 * x@0
    y = np.sin(2.0 * x)            y@1 = np.sin(x%1)
    return y * y                   result = y@1 * y@1
"""

from __future__ import annotations

import importlib
import importlib.util
from dataclasses import replace
from functools import lru_cache, singledispatch
from typing import Any

import gast

from s2sad.calls import is_python, lower_call
from s2sad.desugar import ALL, EVERYTHING, Names, desugared
from s2sad.desugar.lists import is_position
from s2sad.echo import bound, bound_together, writes_whole, written
from s2sad.errors import S2sadError, Span, Unsupported, gather
from s2sad.exits import structure
from s2sad.into import stored, writes
from s2sad.links import Question, connected, forgotten, meet
from s2sad.lower import (
    BINARY,
    atom,
    changes_inside,
    draws,
    inline,
    is_atom,
    lower,
    opaque,
    operation,
    outside,
    subscript,
)
from s2sad.parse import Source, assigned_names, reads_of, rebound_names, source_of, span
from s2sad.program import (
    NONE,
    Assign,
    Break,
    Call,
    Carried,
    Effect,
    Expr,
    If,
    Loop,
    Merge,
    Op,
    Opaque,
    Param,
    Pop,
    Program,
    Ref,
    Update,
    Var,
)
from s2sad.revisit import revisited
from s2sad.scope import Numbers, Scope, block_of
from s2sad.statics import functions
from s2sad.statics.kinds import Function, agreed

# ---------------------------------------------------------------- functions


@lru_cache(maxsize=512)
def normalise(
    function: Any,
    answers: tuple[tuple[Question, str], ...] = (),
    opened: frozenset[Span] | None = frozenset(),
) -> Program:
    """Return the Program of a Python function; all its problems in one error.

    `answers` are to what an earlier Program of the function `asked`. Syntax at the places
    `opened` is written out, not copied; None opens all that can be.
    """
    try:
        return _normalised(function, answers, opened)
    except S2sadError as error:
        refusal = error
    if opened is not EVERYTHING:
        # what was not opened may be all that is in the way
        try:
            return _normalised(function, answers, opened | {ALL})
        except S2sadError:
            pass
    raise refusal


def _normalised(
    function: Any,
    answers: tuple[tuple[Question, str], ...],
    opened: frozenset[Span] | None,
) -> Program:
    source = source_of(function)
    scope = Scope(
        source,
        source.locals,
        Numbers(),
        on_call=_call,
        on_static=_static_call,
        active_calls=(function,),
        opened=opened,
    )
    scope.held.answers = dict(answers)
    params = _params(source, scope)
    result = lower_body(source, scope)
    doc = gast.get_docstring(source.tree) or ""
    body = block_of(scope.out)
    where = span(source, source.tree)
    asked = tuple(scope.held.asked.values())
    return Program(source.tree.name, params, body, result, where, doc, asked)


def _call(call: Call, node: Any, scope: Scope, nested: bool) -> Expr:
    given_back = stored(call, node, scope, nested, _write)
    if given_back is not None:
        return given_back
    return lower_call(call, node, scope, nested, lower_body, wide)


def _static_call(node: Any, scope: Scope, nested: bool) -> Expr | None:
    """Return what a call gives where what is called has its structure known."""
    static = scope.static(node.func.id) if isinstance(node.func, gast.Name) else None
    if isinstance(static, Function):
        return functions.called(static, node, scope, nested, lower_body)
    return None


def wide(function: Any) -> Program:
    """Return the Program of a function with as little copied as can be."""
    try:
        return normalise(function, (), EVERYTHING)
    except S2sadError:
        return normalise(function)


def lower_body(source: Source, scope: Scope) -> Expr:
    """Lower the statements of a function into `scope` and return what it returns."""
    body = source.tree.body
    if body and isinstance(body[0], gast.Expr) and gast.get_docstring(source.tree) is not None:
        body = body[1:]
    body = desugared(body, Names(source, scope.locals, scope.opened, scope.first_temp))
    body = structure(body, set(scope.locals))
    scope.locals = scope.locals | frozenset(assigned_names(body))
    result: Expr = NONE
    if body and isinstance(body[-1], gast.Return):
        *body, last = body
        _all(body, scope)
        scope.called_after = "result"
        scope.changing = functions.changing(last, scope)
        if last.value is not None:
            result = _result(last.value, scope)
    else:
        _all(body, scope)
    return result


def _result(node: Any, scope: Scope) -> Expr:
    value = operation(node, scope)
    if isinstance(value, Op) and value.op == "tuple":
        return Op("tuple", tuple(_part_of_result(part, node, scope) for part in value.args))
    return _part_of_result(value, node, scope)


def _part_of_result(value: Expr, node: Any, scope: Scope) -> Expr:
    if isinstance(value, Op) and value.op in ("tuple", "list"):
        value = Op(value.op, tuple(_part_of_result(part, node, scope) for part in value.args))
    return value if is_atom(value) else scope.temp(value, node)


def _params(source: Source, scope: Scope) -> tuple[Param, ...]:
    args = source.tree.args
    if args.vararg or args.kwarg:
        raise Unsupported(
            "*args and **kwargs are not differentiated",
            span(source, source.tree),
            "Name the arguments in the signature.",
        )
    plain = [(arg, "positional") for arg in args.posonlyargs]
    plain += [(arg, "either") for arg in args.args]
    defaults = [None] * (len(plain) - len(args.defaults)) + list(args.defaults)
    named = [(arg, "keyword") for arg in args.kwonlyargs]
    everything = [*zip(plain, defaults, strict=True), *zip(named, args.kw_defaults, strict=True)]
    return tuple(_param(arg, kind, default, scope) for (arg, kind), default in everything)


def _param(arg: Any, kind: str, default: Any, scope: Scope) -> Param:
    var = Var(scope.slot(arg.id), 0)
    scope.held.values[var.slot] = var
    return Param(var, kind, None if default is None else _default(default, scope))


def _default(node: Any, scope: Scope) -> Expr:
    outside = Scope(scope.source, frozenset(), Numbers())
    return inline(node, outside)


# ---------------------------------------------------------------- statements


def _all(body: list[Any], scope: Scope) -> None:
    problems: list[S2sadError] = []
    for node in body:
        try:
            scope.changing = functions.changing(node, scope)
            statement(node, scope)
        except S2sadError as problem:
            problems += problem.problems
            for name in assigned_names([node]):
                if not scope.has(name):
                    scope.define(name)
    if problems:
        raise gather(problems)


@singledispatch
def statement(node: Any, scope: Scope) -> None:
    """Lower one statement; what is not known is copied, which needs it to be inactive."""
    jumps = (gast.Return, gast.Break, gast.Continue)
    if any(isinstance(part, jumps) for part in gast.walk(node)) and not isinstance(
        node, gast.FunctionDef | gast.ClassDef
    ):
        what = type(node).__name__.lower()
        raise Unsupported(
            f"return, break or continue inside `{what}` is not differentiated", scope.span(node)
        )
    copied = opaque(node, scope)
    writes = tuple((name, scope.define(name)) for name in assigned_names([node]))
    scope.emit(Effect(replace(copied, writes=writes), scope.span(node)))


@statement.register
def _(node: gast.FunctionDef, scope: Scope) -> None:
    if functions.stands_alone(node, scope):
        statement.dispatch(object)(node, scope)
    else:
        scope.hold(node.name, functions.made(node, node.name, scope))


@statement.register
def _(node: gast.Pass, scope: Scope) -> None:
    return


@statement.register
def _(node: gast.Nonlocal, scope: Scope) -> None:
    return  # its names stand for the slots of the function around it


@statement.register
def _(node: gast.Break, scope: Scope) -> None:
    scope.emit(Break(scope.span(node)))


@statement.register
def _(node: gast.Delete, scope: Scope) -> None:
    if not all(isinstance(target, gast.Name) for target in node.targets):
        statement.dispatch(object)(node, scope)  # of an element
        return
    for target in node.targets:
        scope.drop(scope.slot(target.id))


@statement.register
def _(node: gast.Import, scope: Scope) -> None:
    for alias in node.names:
        module = _imported(alias.name, node, scope)
        name = alias.asname or alias.name.split(".")[0]
        root = module if alias.asname else _imported(name, node, scope)
        scope.imports[name] = root
    scope.locals = scope.locals - frozenset(scope.imports)


def _imported(name: str, node: Any, scope: Scope) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise Unsupported(f"the module {name} cannot be imported", scope.span(node)) from error


def _absolute(node: gast.ImportFrom, scope: Scope) -> str:
    """Return the module of `from .polynomial import ...`, named in full."""
    package = scope.source.function.__globals__.get("__package__") or ""
    name = "." * (node.level or 0) + (node.module or "")
    try:
        return importlib.util.resolve_name(name, package)
    except ImportError as error:
        raise Unsupported(f"{name} cannot be imported here", scope.span(node)) from error


@statement.register
def _(node: gast.ImportFrom, scope: Scope) -> None:
    module = _imported(_absolute(node, scope), node, scope)
    for alias in node.names:
        if not hasattr(module, alias.name):
            _imported(f"{module.__name__}.{alias.name}", node, scope)
        scope.imports[alias.asname or alias.name] = getattr(module, alias.name)
    scope.locals = scope.locals - frozenset(scope.imports)


@statement.register
def _(node: gast.Expr, scope: Scope) -> None:
    if isinstance(node.value, gast.Constant):
        return
    if _list_method(node.value, "append", scope):
        append = node.value
        _append(append.func.value.id, append.args[0], scope, node)
    elif _list_method(node.value, "insert", scope):
        insert = node.value
        _append(insert.func.value.id, insert.args[1], scope, node, inline(insert.args[0], scope))
    elif _list_method(node.value, "pop", scope):
        _pop(node.value, scope.numbers.temp("unused"), scope, node)
    elif _calls_static(node.value, scope) or not writes(node, scope, _write):
        _effect(node, scope)


def _calls_static(call: Any, scope: Scope) -> bool:
    func = getattr(call, "func", None)
    return isinstance(func, gast.Name) and scope.static(func.id) is not None


def _effect(node: Any, scope: Scope) -> None:
    value = node.value
    method = isinstance(value, gast.Call) and isinstance(value.func, gast.Attribute)
    owner = value.func.value if method else None
    if isinstance(owner, gast.Name) and scope.has(owner.id):
        # an unknown method may change its object
        statement.dispatch(object)(node, scope)
        scope.define(owner.id)
        effect = scope.out.pop()
        assert isinstance(effect, Effect) and isinstance(effect.value, Opaque)
        written_ = replace(effect.value, writes=((owner.id, scope.value(owner.id)),))
        scope.emit(Effect(written_, effect.span))
        return
    result = operation(value, scope)
    if isinstance(result, Call) and not _only_reads(result):
        _writing_call(node, scope)
    elif isinstance(result, Call) or not is_atom(result):
        scope.emit(Effect(result, scope.span(node)))


def _only_reads(call: Call) -> bool:
    """Tell whether a call made for its effect leaves its arguments as they are."""
    if not isinstance(call.func, Ref):
        return False
    return call.func.text in READERS or is_python(call.func)


def _writing_call(node: Any, scope: Scope) -> None:
    """Copy a call that may write to its arguments: what it is given holds something new."""
    copied = opaque(node, scope)
    args = node.value.args if isinstance(node.value, gast.Call) else []
    names = [arg.id for arg in args if isinstance(arg, gast.Name) and scope.has(arg.id)]
    writes = tuple((name, scope.define(name)) for name in dict.fromkeys(names))
    scope.emit(Effect(replace(copied, writes=writes), scope.span(node)))


READERS = frozenset({"print", "isinstance", "hasattr", "len", "warnings.warn", "np.errstate"})


def _list_method(node: Any, name: str, scope: Scope) -> bool:
    """Tell whether `node` is `local.append(v)`, `local.insert(0, v)` or `local.pop()`."""
    if not isinstance(node, gast.Call) or not isinstance(node.func, gast.Attribute):
        return False
    owner, args = node.func.value, node.args
    fits = {
        "append": len(args) == 1,
        "insert": len(args) == 2 and getattr(args[0], "value", None) == 0,
        "pop": not args or (len(args) == 1 and is_position(args[0])),
    }
    return (
        node.func.attr == name
        and isinstance(owner, gast.Name)
        and scope.has(owner.id)
        and fits[name]
        and not node.keywords
    )


def _append(name: str, value: Any, scope: Scope, node: Any, where: Expr | None = None) -> None:
    scope.called_after = name
    item = atom(value, scope)
    slot, old = scope.slot(name), scope.read(name, node)
    op = "append" if where is None else "insert"
    scope.emit(Update(scope.renew(slot), old, where, op, item, scope.span(node)))
    written(scope, slot, node, parts=where is None)


def _pop(call: Any, target: Var, scope: Scope, node: Any) -> None:
    name = call.func.value.id
    slot, old = scope.slot(name), scope.read(name, node)
    where = inline(call.args[0], scope) if call.args else None
    scope.emit(Pop(target, scope.renew(slot), old, scope.span(node), where))
    written(scope, slot, node, parts=False)


@statement.register
def _(node: gast.AnnAssign, scope: Scope) -> None:
    if node.value is not None:
        _store(node.target, node.value, scope, node)


@statement.register
def _(node: gast.Assign, scope: Scope) -> None:
    if len(node.targets) == 1:
        _store(node.targets[0], node.value, scope, node)
    else:
        _store_chain(node, scope)


def _store_chain(node: gast.Assign, scope: Scope) -> None:
    """Store one value from left to right: `u[k] = k = 2` writes at what k was before."""
    first = next((each for each in reversed(node.targets) if _goes_first(each, node.targets)), None)
    if first is not None:
        _store(first, node.value, scope, node)
        value: Expr = scope.read(first.id, node)
    else:
        scope.called_after = "item"
        value = atom(node.value, scope)
    for target in node.targets:
        if target is not first:
            _store_value(target, value, scope, node)


def _goes_first(target: Any, targets: list[Any]) -> bool:
    """Tell whether a target is a name that no other target reads."""
    others = (part for each in targets if each is not target for part in gast.walk(each))
    names = (part.id for part in others if isinstance(part, gast.Name))
    return isinstance(target, gast.Name) and target.id not in names


def _store(target: Any, value: Any, scope: Scope, node: Any) -> None:
    match target:
        case gast.Name():
            _store_name(target.id, value, scope, node)
        case gast.Tuple() | gast.List():
            _store_tuple(target, value, scope, node)
        case gast.Subscript():
            scope.called_after = _owner(target, scope)
            stored = atom(value, scope)
            _write(target, "=", stored, scope, node)
        case _:
            raise Unsupported(
                "an assignment to an attribute is not differentiated",
                scope.span(target),
                "Keep the value in a local name.",
            )


def _store_name(name: str, value: Any, scope: Scope, node: Any) -> None:
    scope.called_after = name
    if _list_method(value, "pop", scope):
        target = scope.numbers.next(scope.slot(name))
        _pop(value, target, scope, node)
        scope.drop(target.slot)
        scope.held.values[target.slot] = target
        return
    if isinstance(value, gast.Lambda) and not functions.stands_alone(value, scope):
        scope.hold(name, functions.made(value, name, scope))
        return
    if isinstance(value, gast.Name) and scope.static(value.id) is not None:
        static = scope.static(value.id)
        scope.hold(name, static)
        return
    result = operation(value, scope)
    scope.emit(Assign((_bind_name(name, result, scope),), result, scope.span(node)))


def _bind_name(name: str, value: Expr, scope: Scope) -> Var:
    """Bind a name to a value and note what it shares; return the name's new value."""
    made = scope.define(name)
    bound(scope, name, value)
    return made


def _owner(target: Any, scope: Scope) -> str:
    if not isinstance(target.value, gast.Name) or not scope.has(target.value.id):
        raise Unsupported(
            "a write through an expression is not differentiated",
            scope.span(target),
            "Give the array a name, and write to that with one subscript: A[i, j] = ...",
        )
    return target.value.id


def _write(target: Any, op: str, value: Expr, scope: Scope, node: Any) -> None:
    name = _owner(target, scope)
    index, old, slot = subscript(target.slice, scope), scope.read(name, node), scope.slot(name)
    scope.emit(Update(scope.renew(slot), old, index, op, value, scope.span(node)))
    written(scope, slot, node)


def _store_tuple(target: Any, value: Any, scope: Scope, node: Any) -> None:
    if any(isinstance(each, gast.Starred) for each in target.elts):
        raise Unsupported("a starred target is not differentiated", scope.span(target))
    plain = all(isinstance(each, gast.Name) for each in target.elts)
    scope.called_after = target.elts[0].id if plain else "item"
    if isinstance(value, gast.Tuple | gast.List) and len(value.elts) == len(target.elts):
        items = []
        for name, each in zip(target.elts, value.elts, strict=True):
            scope.called_after = name.id if isinstance(name, gast.Name) else "item"
            items.append(atom(each, scope))
        result: Expr = Op("tuple", tuple(items))
    else:
        result = operation(value, scope)
    if plain:
        names = [each.id for each in target.elts]
        shown = isinstance(result, Op) and result.op == "tuple" and len(result.args) == len(names)
        values = list(result.args) if shown else [NONE for _ in names]
        targets = tuple(bound_together(scope, names, values))
        scope.emit(Assign(targets, result, scope.span(node), unpack=True))
        return
    temps = tuple(scope.numbers.temp("item") for _ in target.elts)
    scope.emit(Assign(temps, result, scope.span(node), unpack=True))
    for each, temp in zip(target.elts, temps, strict=True):
        _store_value(each, temp, scope, node)


def _store_value(target: Any, value: Expr, scope: Scope, node: Any) -> None:
    if isinstance(target, gast.Name):
        scope.emit(Assign((_bind_name(target.id, value, scope),), value, scope.span(node)))
    elif isinstance(target, gast.Subscript):
        _write(target, "=", value, scope, node)
    elif isinstance(target, gast.Tuple | gast.List):
        temps = tuple(scope.numbers.temp("item") for _ in target.elts)
        scope.emit(Assign(temps, value, scope.span(node), unpack=True))
        for each, temp in zip(target.elts, temps, strict=True):
            _store_value(each, temp, scope, node)
    else:
        raise Unsupported("this target is not differentiated", scope.span(target))


@statement.register
def _(node: gast.AugAssign, scope: Scope) -> None:
    op = BINARY[type(node.op)]
    if isinstance(node.target, gast.Name):
        name = node.target.id
        scope.called_after = name
        old = scope.read(name, node)
        value = atom(node.value, scope)
        if scope.value(name) != old and _is_bound_inside(name, scope):
            raise Unsupported(
                "this line changes what it adds to while it computes what it adds",
                scope.span(node),
                "Compute what is added in a statement of its own.",
            )
        _write_whole(name, op, value, scope, node)
        return
    if not isinstance(node.target, gast.Subscript):
        raise Unsupported("this target is not differentiated", scope.span(node.target))
    scope.called_after = _owner(node.target, scope)
    # Python reads the element before it evaluates the value, which may change it
    element, held = lower(node.target, scope, inline), _held(node.target, scope)
    with scope.block() as out:
        value = atom(node.value, scope)
    changed = _held(node.target, scope) != held
    _refuse_moved(node, held, scope)
    if op in "+-" and not changed:
        scope.out.extend(out)
        _write(node.target, op, value, scope, node)
        return
    if draws(inline(node.target.slice, scope)):
        raise Unsupported(
            "a position that is drawn at random is written to and read",
            scope.span(node.target),
            "Draw it first: i = rng.integers(n); then u[i] *= ...",
        )
    element = scope.temp(element, node)
    scope.out.extend(out)
    _write(node.target, "=", scope.temp(Op(op, (element, value)), node), scope, node)


def _refuse_moved(node: Any, held: tuple[Var, ...], scope: Scope) -> None:
    """Refuse `w[k] += f()` where f gives w or k another value."""
    owner = node.target.value.id
    for old in held:
        own = old.slot == scope.slot(owner)
        if scope.held.values.get(old.slot) != old and (not own or _is_bound_inside(owner, scope)):
            raise Unsupported(
                "this line changes where it writes while it computes what it adds",
                scope.span(node),
                "Compute what is added in a statement of its own.",
            )


def _is_bound_inside(name: str, scope: Scope) -> bool:
    """Tell whether a function made inside binds a name of the function around it anew."""
    whole = source_of(scope.source.function).tree
    return any(isinstance(part, gast.Nonlocal) and name in part.names for part in gast.walk(whole))


def _held(target: Any, scope: Scope) -> tuple[Var, ...]:
    """Return the values of the names that a target reads."""
    return tuple(scope.value(name) for name in reads_of(target) if scope.has(name))


def _write_whole(name: str, op: str, value: Expr, scope: Scope, node: Any) -> None:
    slot, old = scope.slot(name), scope.read(name, node)
    does = writes_whole(scope, slot, old, node)
    new = scope.define(name) if does == "apart" else scope.renew(slot)
    scope.emit(Update(new, old, None, op, value, scope.span(node)))
    if does == "writes":
        written(scope, slot, node)


# ---------------------------------------------------------------- blocks


@statement.register
def _(node: gast.If, scope: Scope) -> None:
    test = outside(node.test, scope)
    before, links, statics = dict(scope.held.values), scope.held.links, scope.held.statics
    sides, after, held, ways = [], [], [], []
    for body in (node.body, node.orelse):
        scope.held.values, scope.held.links, scope.held.statics = dict(before), links, statics
        with scope.block() as side:
            _all(body, scope)
        sides.append(block_of(side))
        after.append(_seen(scope, before))
        held.append(scope.held.links)
        ways.append(scope.held.statics)
    scope.held.values, scope.held.links = dict(before), meet(*held)
    known = {*ways[0], *ways[1]}
    after = [{s: var for s, var in way.items() if s not in known} for way in after]
    merges = _merges(after[0], after[1], scope)
    for slot in before.keys() - (after[0].keys() & after[1].keys()):
        scope.drop(slot)
    scope.settle(*ways)
    key = scope.numbers.key()
    scope.emit(If(test, sides[0], sides[1], merges, scope.span(node), key))


def _seen(scope: Scope, before: dict[str, Var]) -> dict[str, Var]:
    """Return the values after a block, those of functions that were lowered into it left out."""
    return {s: var for s, var in scope.held.values.items() if s in before or scope.is_own(s)}


def _merges(then: dict[str, Var], orelse: dict[str, Var], scope: Scope) -> tuple[Merge, ...]:
    merges = []
    for slot in sorted({*then, *orelse}):
        a, b = then.get(slot), orelse.get(slot)
        if a != b:
            merges.append(Merge(scope.renew(slot), a, b))
    return tuple(merges)


@statement.register
def _(node: gast.For, scope: Scope) -> None:
    by_index = revisited(node, scope)
    if by_index is not None:
        _all(by_index, scope)
    else:
        _loop(node, _iterable(node.iter, scope), scope)


def _iterable(node: Any, scope: Scope) -> Expr:
    """Return what a loop goes over; what is made for it gets a name, so that it has an adjoint."""
    if isinstance(node, gast.Subscript | gast.Tuple | gast.List | gast.BinOp | gast.Attribute):
        scope.called_after = "items"
        return atom(node, scope)
    iterable = inline(node, scope)
    match iterable:
        case Call(Ref("enumerate" | "zip" | "reversed"), args) if len(args) == len(node.args):
            parts = tuple(_iterable(each, scope) for each in node.args)
            return replace(iterable, args=parts)
    return iterable


@statement.register
def _(node: gast.While, scope: Scope) -> None:
    if changes_inside(node.test, scope):
        # what a test writes is written in the pass that it begins
        begun = gast.If(test=node.test, body=node.body, orelse=[gast.Break()])
        always = gast.copy_location(gast.Constant(True, None), node.test)
        for each in (begun, begun.orelse[0]):
            gast.copy_location(each, node.test)
        node = gast.copy_location(gast.While(test=always, body=[begun], orelse=[]), node)
    _loop(node, None, scope)


def _loop(node: Any, iterable: Expr | None, scope: Scope) -> None:
    inside = [node.target, *node.body] if iterable is not None else node.body
    slots = [scope.slot(name) for name in assigned_names(inside, scope.locals)]
    before, links = dict(scope.held.values), scope.held.links
    for name in rebound_names(inside):
        links = forgotten(links, scope.slot(name))
    slots = [*slots, *sorted(connected(links, slots))]
    statics = scope.held.statics
    while True:
        scope.held.values, scope.held.links = dict(before), links
        scope.held.statics = statics
        slots = [slot for slot in slots if slot not in statics]
        heads = {slot: scope.renew(slot) for slot in slots}
        start, links = dict(scope.held.values), scope.held.links
        test = inline(node.test, scope) if iterable is None else None
        with scope.block() as out:
            targets = _targets(node.target, scope) if iterable is not None else None
            _all(node.body, scope)
        # a function lowered in place may write to more than the text shows, and an echo
        more = [s for s in start if s not in slots and scope.held.values.get(s) != start[s]]
        held, known = meet(links, scope.held.links), agreed(statics, scope.held.statics)
        if not more and held == links and known == statics:
            break
        slots, links, statics = slots + more, held, known
    ends = {slot: scope.held.values.get(slot, heads[slot]) for slot in slots}
    scope.held.values, scope.held.links = _seen(scope, before), links
    exits = {slot: scope.renew(slot) for slot in slots}
    carried = tuple(Carried(heads[s], before.get(s), ends[s], exits[s]) for s in slots)
    scope.settle(statics)
    breaks = any(isinstance(stmt, Break) for stmt in _tail_statements(out))
    key = scope.numbers.key()
    block = block_of(out)
    scope.emit(Loop(targets, iterable, test, carried, block, breaks, scope.span(node), key))


def _tail_statements(block: Any) -> Any:
    for stmt in block[-1:]:
        yield stmt
        if isinstance(stmt, If):
            yield from _tail_statements(stmt.then)
            yield from _tail_statements(stmt.orelse)


def _targets(node: Any, scope: Scope) -> Any:
    if isinstance(node, gast.Name):
        return scope.define(node.id)
    if isinstance(node, gast.Tuple | gast.List):
        return tuple(_targets(each, scope) for each in node.elts)
    raise Unsupported("this loop target is not differentiated", scope.span(node))
