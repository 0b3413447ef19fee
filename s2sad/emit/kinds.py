"""What kinds of numbers a text relies on: floats, whole numbers, masks, positions, None.

np.asarray(x).dtype.kind in "biufU" of a plain x without examples; with them see types/plain.py
_are_real((x, w))  where x may be a list of arrays of several shapes, too
_are_real(W, "f")  floats in W: an adjoint in the dtype of W would be cut off to integers
mask.dtype.kind == "b"   a mask: positions may name an element twice
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from numbers import Integral

import numpy as np

from s2sad.emit.relied import ANY, Asks, asks_of
from s2sad.emit.request import Request
from s2sad.ir.errors import NotYet
from s2sad.ir.expression import (
    Expr,
    Role,
    Variable,
    attribute,
    call,
    calls,
    constant,
    copied,
    global_,
    is_of_libraries,
    root_of,
    text_of_call,
)
from s2sad.ir.program import PURE, Block, Check, For, Let, Program, Statement, Store
from s2sad.ir.spelling import expression, listed
from s2sad.ir.types import Array, Number, Numeric, Reference, Sequence, Tuple, Unknown, without_none
from s2sad.ir.walk import (
    bound,
    closed,
    expressions,
    name_nodes,
    nodes,
    nodes_in,
    read_variables,
    statements,
)
from s2sad.operators import printed
from s2sad.operators.table import calls_one
from s2sad.types.assumptions import Context
from s2sad.types.checks import read_of
from s2sad.types.plain import BOOL, all_of, are_of_kind, equal, kind_of, tuple_of
from s2sad.types.structure import is_uniform, leaves

ARE_REAL = global_("_are_real", printed.function("_are_real"))
IS_SCALAR = global_("np.isscalar", np.isscalar)
KIND_OF = global_("_kind_of", printed.function("_kind_of"))
BY_IDENTITY = frozenset({"is", "is not", "in", "not in"})
DERIVED = (Role.ADJOINT, Role.TERM)


def plain_checks(program: Program, request: Request) -> Iterator[Check]:
    """Yield the checks that arguments without examples, and a seed, are real numbers or plain arrays.

    Of floats where whole numbers would cut adjoints off.
    """
    context = request.context
    if context.has_examples:
        return
    given = (read_of(p) for p in program.function.parameters)
    result = program.facts.get("result")
    if program.facts.get("asks_seed") and isinstance(result, Unknown):
        result = Numeric("float64")  # an array: the sweep asks for its shape
    typed = (e.typed(result) if result and e.data.role is Role.SAVED else e for e in given)
    found = ((e.data.role, leaf) for e in typed for leaf in leaves(e, context))
    others = (e for role, e in found if not _is_asked_for(e, role, program))
    floats = {expression(e): e for e in _in_floats(program, request, context)}
    # a seed is real, of a complex result, too
    numbers = [e for e in others if getattr(e.type, "dtype", " ")[0] in "fc"]
    numbers = [e for e in numbers if not _is_compared_by_text(e, program.body)]
    asked = [e for e in numbers if expression(e) not in floats]
    uneven = _taken_apart(program) - _taken_whole(program.function.body)
    arrays = {v for node in nodes_in(program.function.body) for v in _read_as_arrays(node)}
    # an adjoint that is made like a list of arrays of several shapes cannot be made
    for values, words, kind, test_of in (
        (asked, "real numbers or plain arrays", "", _all_are_real),
        ([*floats.values()], "floats or plain arrays of floats", "f", _each_is_real_and_even),
    ):
        if values:
            said = f"made for {words} {', '.join(map(expression, values))}"
            # written out, of what is no list of arrays of several shapes
            test_of = are_of_kind if uneven.isdisjoint(map(root_of, values)) else test_of
            wholes = [each for each in values if each.op == "name" and each.data not in arrays]
            parts = [each for each in values if each not in wholes]
            tests = [are_of_kind(tuple_of(parts), kind, takes_lists=False)] if parts else []
            tests += [test_of(tuple_of(wholes), kind)] if wholes else []
            yield Check(all_of(tests), said)
    yield from _whole_checks(program, relied_on(program, request.wrt), context)


def _whole_checks(
    program: Program, relied: frozenset[Variable], context: Context
) -> Iterator[Check]:
    """Yield the checks that whole numbers of which an array is made, that what varies is put into, are whole."""
    for parameter in program.function.parameters:
        for leaf in leaves(read_of(parameter), context) if parameter.variable in relied else ():
            if isinstance(leaf.type, Number) and leaf.type.dtype[0] == "i":
                whole = global_("Integral", Integral)
                test = call(global_("isinstance", isinstance), leaf, whole, type_=BOOL)
                yield Check(test, f"made for a whole number {expression(leaf)}")


def _is_asked_for(leaf: Expr, role: Role, program: Program) -> bool:
    """Tell whether other checks ask for the kind: of the user's numbers, and of a seed of a known rank."""
    if role is Role.SAVED and not program.facts.get("asks_seed"):
        return isinstance(leaf.type, Array) and bool(leaf.type.rank)
    return role is Role.PRIMAL and isinstance(leaf.type, Number)


def _is_compared_by_text(leaf: Expr, body: Block) -> bool:
    """Tell whether nothing but the text of an argument is read, as of a member: str(a) == "Law.LINEAR"."""
    texts = [n for n in nodes_in(body) if calls(n, str) or calls(n, repr)]
    asked = sum(n.args[1] == leaf for n in texts)
    return 0 < asked == sum(n == leaf for n in nodes_in(body))


def _all_are_real(values: Expr, kind: str) -> Expr:
    """Return the test that values are real, or of one kind: _are_real(W, "f")."""
    return call(ARE_REAL, values, *map(constant, kind), type_=BOOL)


def _each_is_real_and_even(values: Expr, kind: str) -> Expr:
    """Return the test written out that fails of a list of arrays of several shapes."""
    return are_of_kind(values, kind, lambda value: call(KIND_OF, value))


def _taken_apart(program: Program) -> frozenset[Variable]:
    """Return the variables of which a function takes items, or that it hands on: they may be lists."""
    every = statements(program.body)
    passed = [p for e in nodes_in(program.body) for p in _taken(e)]
    passed += [s.domain for s in every if isinstance(s, For)]
    return _with_sources((part.data for part in passed if part.op == "name"), every, _named)


def _taken_whole(body: Block) -> frozenset[Variable]:
    """Return the variables that NumPy computes with as they are: it does so with no uneven list."""
    every = list(_surely(body))
    whole = (w for s in every for e in expressions(s) for n in nodes(e) for w in _whole(n))
    return _with_sources((part.data for part in whole if part.op == "name"), every, _named)


def _surely(body: Block) -> Iterator[Statement]:
    """Yield the statements that are not left out by a test; a loop is taken to have a pass."""
    for statement in body:
        yield statement
        if isinstance(statement, For):
            yield from _surely(statement.body)


def _whole(node: Expr) -> tuple[Expr, ...]:
    """Return the operands of arithmetic on arrays: `+` and `*` are of lists, too, but for `0.5 * x`."""
    if node.op == "unary" or (node.op == "binary" and node.data not in ("+", "*")):
        return node.args
    if node.op == "binary" and any(isinstance(arg.data, float) for arg in node.args):
        return node.args
    return node.args[1:] if calls_one(node, "elementwise") else ()


def _with_sources(
    found: Iterable[Variable], every: Iterable[Statement], of: Callable[[Expr], Iterable[Variable]]
) -> frozenset[Variable]:
    """Return variables with those that they are made `of`."""
    lets = [s for s in every if isinstance(s, Let)]
    return closed(
        frozenset(found),
        lambda found: (v for s in lets if found.intersection(bound(s)) for v in of(s.value)),
    )


def _named(value: Expr) -> tuple[Variable, ...]:
    """Return the name that a value had before: x of h = x."""
    return (value.data,) if value.op == "name" else ()


def _taken(node: Expr) -> tuple[Expr, ...]:
    """Return the operands of a node whose items it takes, or hands on."""
    if node.op == "call" and calls_one(node, "converts", "joins", "beside"):
        return node.args[1:]
    if node.op == "call" and node.args[0].op != "attribute":
        return () if _is_of_arrays(node.args[0]) else node.args[1:]
    takes = node.op in ("generator", "starred", "tuple", "list")
    takes = takes or (node.op == "subscript" and node.args[1].op != "tuple")
    return node.args[: None if node.op in ("tuple", "list") else 1] if takes else ()


def _is_of_arrays(called: Expr) -> bool:
    is_printed = called.op == "global" and called.data.text in printed.names()
    return is_printed or is_of_libraries(called)


def _in_floats(program: Program, request: Request, context: Context) -> Iterator[Expr]:
    """Yield the arguments without examples in whose kind of numbers adjoints are made."""
    relied = relied_on(program, request.wrt) | _cut_off(program)
    for parameter in program.function.parameters:
        variable = parameter.variable
        wanted = variable in relied or (variable.name in request.wrt and not request.is_forward)
        if wanted and variable.role in (Role.PRIMAL, Role.TANGENT):
            for leaf in leaves(read_of(parameter), context):
                type_ = without_none(leaf.type)
                is_asked = isinstance(type_, Array) or variable in relied
                if (
                    is_asked
                    and isinstance(type_, Array | Number | Numeric)
                    and type_.dtype[0] == "f"
                ):
                    yield leaf.typed(type_)


def number_checks(program: Program, request: Request) -> Iterator[Check]:
    """Yield the checks of numbers of which the function asks whether they are None, or whole."""
    asked_for = frozenset(check.test.args[0] for check in program.checks if check.test.args)
    own = [p for p in program.function.parameters if p.variable.role is Role.PRIMAL]
    every = (leaf for p in own for leaf in leaves(read_of(p), request.context))
    found = [leaf for leaf in every if leaf not in asked_for]
    many = next((p.variable for p in own if is_uniform(p.type)), None)
    if not found and many is None:
        return
    classes = [r.cls for r in request.context.regions.values() if r.cls is not None]
    asks = asks_of(request.source, classes)
    if many is not None and asks.kinds:
        raise NotYet(f"kinds of the many parts of {many}", program.function.span)
    real = {leaf for check in program.checks for leaf in _asked_for_numbers(check.test)}
    by_words: dict[str, list[tuple[Expr, str]]] = {}
    for leaf in found:
        path = expression(leaf)
        if isinstance(leaf.type, Array):
            for words, test in _kinds_of_array(leaf, leaf.type, asks, request.context.has_examples):
                by_words.setdefault(words, []).append((test, path))
            continue
        if not isinstance(leaf.type, Number):
            continue
        kind = _class_of(leaf.type) if asks.kinds else None
        if kind is not None:
            test = _is_of_class(leaf, *kind, exactly=asks.classes)
            by_words.setdefault(f"of class {kind[0]}", []).append((test, path))
        elif request.context.has_examples and (asks.none == ANY or path in asks.none):
            if leaf in real:  # None is no number
                continue
            test = Expr("compare", (leaf, constant(None)), ("is not",), BOOL)
            by_words.setdefault("not None", []).append((test, path))
    for words, asked in by_words.items():
        tests, paths = zip(*asked, strict=True)
        yield Check(all_of(tests), f"made for {listed(paths)} {words}")


def _asked_for_numbers(test: Expr) -> Iterator[Expr]:
    """Yield what a test asks to be numbers: one by one, or all(isinstance(each, Real) for each in ...)."""
    for node in nodes(test):
        match node:
            case Expr("comprehension", (asked, Expr("generator", (Expr("tuple", leaves_),)))):
                if calls(asked, isinstance) and asked.args[2].op == "global":
                    yield from leaves_
            case Expr("call", (_, leaf, Expr("global"))) if calls(node, isinstance):
                yield leaf


def _kinds_of_array(
    leaf: Expr, type_: Array, asks: Asks, has_examples: bool
) -> Iterator[tuple[str, Expr]]:
    """Yield what the ways of a function depend on: the class where it may be another; the dtype."""
    if asks.classes and not (has_examples and type_.lengths):
        array = global_("np.ndarray", np.ndarray)
        yield "of class ndarray", call(global_("isinstance", isinstance), leaf, array, type_=BOOL)
    if asks.dtypes:
        dtype = global_(f"np.{type_.dtype}", np.dtype(type_.dtype).type)
        yield f"of dtype {type_.dtype}", equal(attribute(leaf, "dtype"), dtype)


def _is_of_class(leaf: Expr, called: str, cls: type, exactly: bool) -> Expr:
    """Return the test of a number's class: np.float64 is a float, where that does not decide."""
    if not exactly:
        return call(global_("isinstance", isinstance), leaf, global_(called, cls), type_=BOOL)
    own = call(global_("type", type), leaf)
    return Expr("compare", (own, global_(called, cls)), ("is",), BOOL)


def _class_of(type_: Number) -> tuple[str, type] | None:
    """Return the class of the numbers of a type, under the name that the text has for it."""
    if type_.boxed is None:
        return None
    if type_.boxed:
        boxed = np.dtype(type_.dtype).type
        return f"np.{boxed.__name__}", boxed
    kind = {"f": float, "i": int, "c": complex, "b": bool}.get(type_.dtype[0])
    return None if kind is None else (kind.__name__, kind)


def list_checks(program: Program, request: Request) -> Iterator[Check]:
    """Yield the checks that arguments without examples are no lists, where these are something else.

    `L * 2` repeats a list, a slice of it is no view, and a row that is put into it is no copy.
    """
    body = program.function.body
    otherwise = {v for node in nodes_in(body) for v in _repeated(node)} | set(_written_views(body))
    replaced = _stored_to(body)
    for parameter in program.function.parameters:
        type_, is_free = parameter.type, not request.context.has_examples
        is_asked = isinstance(type_, Numeric) or (isinstance(type_, Array) and is_free)
        has_rows = is_free and isinstance(type_, Array) and type_.rank > 1
        others = otherwise | replaced if has_rows else otherwise
        if parameter.variable in others and is_asked:
            kinds = Expr("tuple", (global_("list", list), global_("tuple", tuple)))
            asked = call(global_("isinstance", isinstance), read_of(parameter), kinds, type_=BOOL)
            test = Expr("unary", (asked,), "not", BOOL)
            yield Check(test, f"made for an array or number {parameter.variable}")


def _stored_to(body: Block) -> frozenset[Variable]:
    """Return what is stored to: a row of a list is another list then, and no copy of its numbers."""
    every = statements(body)
    stores = (s.target for s in every if isinstance(s, Store) and s.target.op == "subscript")
    roots = (v for target in stores if (v := root_of(target)) is not None)
    return _with_sources(roots, every, _bases)


def _repeated(node: Expr) -> Iterator[Variable]:
    """Yield the variable of `L * 2` and `L + L`: a list would be repeated."""
    if node.op != "binary" or node.data not in ("*", "+"):
        return
    names = [arg.data for arg in node.args if arg.op == "name"]
    others = [arg.data for arg in node.args if arg.op == "constant"]
    is_repeated = node.data == "*" and others and isinstance(others[0], int)
    if is_repeated or (node.data == "+" and len(names) == 2 and names[0] == names[1]):
        yield from names[:1]


def _read_as_arrays(node: Expr) -> Iterator[Variable]:
    """Yield the variables that are no lists where a text runs: x.size, 2.0 * x, x[1:] - x[:-1], x > 0.0."""
    if node.op == "attribute":
        yield from _named(node.args[0])
    symbols = node.data if node.op == "compare" else ()
    if node.op in ("binary", "unary") or (symbols and not set(symbols) & BY_IDENTITY):
        lists = [(arg, tuple(_perhaps_list(arg))) for arg in node.args]
        found = {variable for _, variables in lists for variable in variables}
        # of two of them one may be a list, if the other is an array
        if len(found) == 1 and all(own or isinstance(arg.type, Number) for arg, own in lists):
            yield from found


def _perhaps_list(operand: Expr) -> Iterator[Variable]:
    """Yield the variable that an operand is, or is a slice of."""
    is_slice = operand.op == "subscript" and operand.args[1].op == "slice"
    yield from _named(operand.args[0] if is_slice else operand)


def _written_views(body: Block) -> Iterator[Variable]:
    """Yield what slices are taken of, with all that it was made of, where one of both is stored to."""
    made = {s.target: s.value for s in statements(body) if isinstance(s, Let)}
    stores = (s.target for s in statements(body) if isinstance(s, Store))
    stored = {t.args[0].data for t in stores if t.op == "subscript" and t.args[0].op == "name"}
    for target, value in made.items():
        is_view = value.op == "subscript" and value.args[1].op == "slice"
        if is_view and isinstance(target, Variable) and target.role is Role.PRIMAL:
            bases = _bases(value)
            if not stored.isdisjoint({target, *bases}):
                yield from _with_sources(bases, statements(body), _bases)


def _bases(value: Expr) -> tuple[Variable, ...]:
    """Return the variable that a value is, or is a part or a copy of."""
    value = copied(value) or value
    while value.op == "subscript":
        value = value.args[0]
    return _named(value)


def _cut_off(program: Program) -> frozenset[Variable]:
    """Return the tangents of a program that writes to arrays, which may be made like them."""
    every = statements(program.body)
    stores = any(isinstance(s, Store) or not getattr(s, "effect", PURE).is_pure for s in every)
    if not stores and not any(map(_is_like, nodes_in(program.body))):
        return frozenset()
    given = (parameter.variable for parameter in program.function.parameters)
    return frozenset(variable for variable in given if variable.role is Role.TANGENT)


def relied_on(
    program: Program, wrt: Container[str], stores_alone: bool = False
) -> frozenset[Variable]:
    """Return the variables whose kind of numbers new arrays take over: np.zeros_like(u).

    Of arrays that what varies is put into, where it `stores_alone`. Such a store of the user's may
    be gone from the derivative by now: it is remembered as a fact.
    """
    found = set(program.facts.get("stored", ()))
    body = program.function.body
    floats = _made_of(wrt, body)
    for node in nodes_in(body) if not stores_alone else ():
        if _is_like(node):
            found |= {n.data for n in _sources(node.args[1])}
        found |= set(_kept_kinds(node))
    for statement in reversed(statements(body)):
        if isinstance(statement, Store) and _may_be_cut_off(statement, floats):
            found |= {v for v in (root_of(statement.target),) if v is not None}
        match statement:
            case Let(Variable() as target, value) if target in found:
                found |= set() if _holds_floats(value) else _enough(value, floats)
            case Let(value=value) | For(domain=value) if found & set(bound(statement)):
                found |= _enough(value, floats)
    return frozenset(found)


def _may_be_cut_off(store: Store, floats: frozenset[Variable]) -> bool:
    """Tell whether what varies is put into an array, which may be one of whole numbers."""
    root, owner = root_of(store.target), store.target.args[0] if store.target.args else None
    if root is None or root.role is not Role.PRIMAL or store.op != "=":
        return False
    if owner is not None and isinstance(
        owner.type, Reference | Sequence
    ):  # a list holds what it is given
        return False
    return any(n.op == "name" and n.data in floats for n in nodes(store.value))


def _made_of(arguments: Container[str], body: Block) -> frozenset[Variable]:
    """Return the arguments of these names, and what is computed from them: floats if these are."""
    every = [(bound(s), e) for s in statements(body) for e in expressions(s)]
    read = [(targets, {n.data for n in name_nodes(e)}) for targets, e in every]
    given = {v for _, names in read for v in names if v.name in arguments}
    return closed(
        frozenset(v for v in given if v.role is Role.PRIMAL),
        lambda found: (v for targets, names in read if names & found for v in targets),
    )


def _enough(value: Expr, floats: frozenset[Variable]) -> set[Variable]:
    """Return the names that hold floats if a value does: of several that vary these are enough."""
    names = set(_open_names(value))
    numbers = {n.data for n in _sources(value) if isinstance(n.type, Number | Reference | Tuple)}
    return names & floats or numbers & floats or names | numbers


def _open_names(expr: Expr) -> Iterator[Variable]:
    yield from (n.data for n in _sources(expr) if isinstance(n.type, Numeric | Array))


def _sources(expr: Expr) -> Iterator[Expr]:
    """Yield the names whose numbers a value is computed from: positions are none of them.

    A part of a dict, a tuple or an object is its name with the type of the part.
    """
    if expr.op == "name":
        yield expr
    owner = expr.args[0] if expr.op in ("subscript", "attribute") else expr
    if owner.op == "name" and isinstance(owner.type, Reference | Tuple):
        yield owner.typed(expr.type)
    for arg in expr.args[:1] if expr.op == "subscript" else expr.args:
        yield from _sources(arg)


def _holds_floats(expr: Expr) -> bool:
    """Tell whether a value holds floats, whatever the names in it hold."""
    if expr.op == "constant":
        return isinstance(expr.data, float)
    if expr.op == "call" and len(expr.args) == 2:
        return calls_one(expr, "filled")
    if expr.op == "binary":
        return expr.data == "/" or any(map(_holds_floats, expr.args))
    return expr.op == "unary" and _holds_floats(expr.args[0])


def _kept_kinds(node: Expr) -> Iterator[Variable]:
    """Yield what may be whole numbers, and is copied or handed to what makes arrays like it."""
    if node.op != "call":
        return
    called = node.args[0]
    text = called.data.text if called.op == "global" else ""
    is_maker = text in printed.names() and "_like(" in printed.source(text)
    base = copied(node)
    if is_maker or base is not None or calls_one(node, "keeps_kind"):
        parts = node.args[1:] if base is None else (base,)
        for names in (set(_open_names(e)) for e in parts if not _holds_floats(e)):
            yield from {v for v in names if v.role in DERIVED} or names  # adjoints are floats


def _is_like(node: Expr) -> bool:
    return text_of_call(node).endswith("_like") and len(node.args) > 1


# ---------------------------------------------------------------------------- positions


def index_checks(program: Program) -> Iterator[Check]:
    """Yield the checks that the positions of an element are a tuple: a list of two is two elements."""
    indices = _indices(program)
    for parameter in program.function.parameters:
        if parameter.variable in indices and isinstance(parameter.type, Tuple):
            of = call(global_("type", type), read_of(parameter))
            test = Expr("compare", (of, global_("tuple", tuple)), ("is",), BOOL)
            yield Check(test, f"made for tuple {parameter.variable}")


def position_checks(program: Program, request: Request) -> Iterator[Check]:
    """Yield the checks of masks and positions by which adjoints are added to.

    What is added at once to positions of which two are equal counts once.
    """
    chosen = _choosing(program)
    numbers = {leaf for check in program.checks for leaf in _asked_for_numbers(check.test)}
    for parameter in program.function.parameters:
        whole = read_of(parameter)
        if parameter.variable not in chosen or whole in numbers:
            continue
        if isinstance(parameter.type, Array) and parameter.type.dtype[0] == "b":
            if not request.context.has_examples:  # else its kind is asked for with its rank
                said = f"made for a mask {parameter.variable}"
                yield Check(equal(kind_of(whole), constant("b")), said)
        elif isinstance(parameter.type, Number) and parameter.type.dtype[0] not in "fc":
            # that the others are numbers is asked anyway
            said = f"made for one position {parameter.variable}"
            yield Check(call(IS_SCALAR, whole, type_=BOOL), said)  # np.ndim of a slice is 0, too


def _indices(program: Program) -> frozenset[Variable]:
    """Return the variables that are positions in arrays, or parts of them."""
    found: set[Variable] = set()
    body = program.function.body
    for node in nodes_in(body):
        if node.op == "subscript" and isinstance(node.args[0].type, Array):
            found |= {n.data for n in name_nodes(node.args[1])}
    return _with_sources(found, statements(body), read_variables)


def _choosing(program: Program) -> frozenset[Variable]:
    """Return the variables that decide at which elements adjoints are added to."""
    found: set[Variable] = set()
    body = program.function.body
    for statement in statements(body):
        if isinstance(statement, Store) and _is_derived(statement.target):
            found |= {n.data for n in name_nodes(statement.target.args[1])}
    for node in nodes_in(body):  # what is added to equal positions at once is added once
        root = root_of(node) if node.op == "subscript" else None
        if root is not None and root.role is Role.ADJOINT:
            found |= {n.data for n in name_nodes(node.args[1])}
    return _with_sources(found, statements(body), read_variables)


def _is_derived(target: Expr) -> bool:
    """Tell whether a store goes to elements of an adjoint."""
    root = root_of(target)
    return target.op == "subscript" and root is not None and root.role in DERIVED
