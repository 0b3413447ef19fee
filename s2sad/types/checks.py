"""All that is assumed of the arguments as one check at the entry, with one message.

(W.ndim, m.ndim, d.ndim) == (2, 1, 1) and W.shape[0] == d.shape[0]
made for W (m, n), m (n,), d (m,)
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import chain
from typing import Any

import numpy as np

from s2sad.ir.expression import (
    Expr,
    Variable,
    attribute,
    call,
    constant,
    global_,
    name,
    root_of,
    subscript,
)
from s2sad.ir.program import Check, For, Let, Parameter, Program, RegionOp, Store
from s2sad.ir.spelling import expression
from s2sad.ir.types import (
    Array,
    Length,
    Number,
    Reference,
    Sequence,
    Tuple,
    Type,
    region_of,
    without_none,
)
from s2sad.ir.walk import bound, expressions, nodes, nodes_in, rebuilt, statements
from s2sad.operators.table import calls_one
from s2sad.operators.trees import SYMBOLS
from s2sad.types.assumptions import Assumptions, Context
from s2sad.types.inference import infer
from s2sad.types.plain import (
    BOOL,
    FEW,
    WHOLE,
    WIDTH,
    WORDS,
    all_of,
    are_like,
    are_numbers,
    are_plain,
    equal,
    every,
    floats_in,
    kind_of,
    letter_of,
    ndim,
    of_each,
    together,
    tuple_of,
)
from s2sad.types.positions import position_tests
from s2sad.types.structure import leaves, stored_in, structure_tests

LETTERS = "nmklpqrstwxyz"
FRESH = ("elementwise", "creates", "copies", "joins", "reduces")  # what gives memory of its own
Names = Mapping[str, Parameter]


def entry_checks(
    program: Program,
    context: Context,
    asks_kinds: bool = True,
    fields: frozenset[str] | None = None,
    of_numpy: bool = True,
) -> tuple[Check, ...]:
    """Return the check of what the types of a program assume of its arguments; none for nothing.

    `asks_kinds` tells that the function asks of which class its arguments are, `fields` which
    attributes it reads, None where that is not known; `of_numpy` that arrays are plain ones of NumPy's.
    """
    parameters = {str(p.variable): p for p in program.function.parameters}
    is_numpy, of_numpy = of_numpy, of_numpy and context.has_examples
    more = asks_kinds or _tells_lists_apart(program, context), fields, of_numpy

    def length_of(length: Length) -> Expr:
        return length_expression(context.assumptions.resolve(length), parameters, context)

    asked = list(structure_tests(parameters.values(), program, context, length_of, *more))
    tests = [test for test, _ in asked]
    found = [leaf for p in parameters.values() for leaf in leaves(read_of(p), context)]
    free = (leaf for leaf in found if expression(leaf) not in context.options)
    numbers = list(_asked_numbers(program, free))
    arrays = [leaf for leaf in found if isinstance(leaf.type, Array)]
    tests += _kind_tests(parameters, arrays, context, of_numpy)
    stored = stored_in(program, context)
    tests += [are_numbers(numbers, is_numpy, context.has_examples, stored)] if numbers else []
    tests += _length_tests(parameters, arrays, context)
    fitting = _fitting(context.assumptions)
    tests += [_fit_test(shape, each, parameters, context) for shape, each in fitting.items()]
    follows = context.assumptions.follows
    tests += [_following_test(*each, parameters, context) for each in follows.items()]
    placed = list(position_tests(parameters, context.different))
    tests += [test for test, _ in placed]
    if not tests:
        return ()
    told = [*(words for _, words in asked), _shapes(program, found, numbers, context)]
    lettered = letters(program, context)
    told += [
        f"{', '.join(each)} that fit {shape_text(Array('float64', shape), lettered, context)}"
        for shape, each in fitting.items()
    ]
    told += [f"{each} that fits {', '.join(sorted(of))}" for each, of in follows.items()]
    told += [words for _, words in placed]
    message = f"made for {', '.join(filter(None, told))}"
    span = next((fact.span for fact in context.assumptions.facts if fact.span), None)
    return (Check(all_of(tests), message, span),)


def _tells_lists_apart(program: Program, context: Context) -> bool:
    """Tell whether an array in the place of a list does something else.

    It adds and multiplies where a list is joined and repeated; what is cut off it, or made an array,
    is a view, and what is stored in it is copied.
    """
    every_one = (n for f in program.functions.values() for n in nodes_in(f.body))
    joins = (n for n in every_one if n.op == "binary" and n.data in ("+", "*"))
    if any(isinstance(arg.type, Reference | Sequence) for n in joins for arg in n.args):
        return True
    held = {p.variable for p in program.function.parameters if _is_list(p.type, context)}
    for statement in statements(program.function.body) if held else ():
        match statement:
            case Let(value=value) | For(domain=value) if not held.isdisjoint(_views(value)):
                held.update(bound(statement))
            case Store(target) | RegionOp(base=target) if root_of(target) in held:
                return True
    return False


def _is_list(type_: Type, context: Context) -> bool:
    """Tell whether a value is a list or a tuple."""
    region = region_of(type_, context.regions)
    return isinstance(type_, Sequence | Tuple) or (region is not None and region.is_list)


def _views(value: Expr) -> Iterator[Variable]:
    """Yield what a value is perhaps a part of, a view, or what holds it."""
    if value.op == "name":
        yield value.data
    elif value.op in ("subscript", "attribute"):
        yield from _views(value.args[0])
    elif value.op not in ("binary", "unary", "compare") and not calls_one(value, *FRESH):
        for each in value.args:
            yield from _views(each)


# ---------------------------------------------------------------------------- ranks


def _asked_numbers(program: Program, found: Iterable[Expr]) -> Iterator[Expr]:
    """Yield the numbers that a text is made for; one that counts passes raises by itself for others."""
    counts = frozenset(_counts(program))
    for leaf in found:
        match leaf.type:
            case Number(dtype, boxed, length):
                is_free = (boxed, length) == (None, None)  # without an example: it may be a shape
                is_whole = dtype[0] in "iu" and boxed is not None and expression(leaf) not in counts
                if dtype[0] in "fc" or is_free or is_whole:
                    yield leaf


def _counts(program: Program) -> Iterator[str]:
    """Yield what counts passes or places, whichever way a program goes."""
    for expr in (e for statement in program.function.body for e in expressions(statement)):
        every_one = list(nodes(expr))
        if not any(node.op in ("and", "or", "conditional") for node in every_one):
            for node in every_one:
                is_index = node.op == "subscript" and isinstance(node.args[0].type, Array)
                is_range = node.op == "call" and getattr(node.args[0].data, "value", 0) is range
                inside = node.args[1:] if is_index or is_range else ()
                leaves = (n for arg in inside for n in nodes(arg) if n.op != "generator")
                yield from map(expression, leaves)


def _kind_tests(
    parameters: Names, arrays: list[Expr], context: Context, of_numpy: bool
) -> Iterator[Expr]:
    """Yield the tests of arrays: of their classes, ranks, and kinds of numbers.

    One or two are asked for together: type(u) is np.ndarray and (u.ndim, u.dtype.kind) == (1, "f").
    """
    if not context.has_examples:
        yield from _rank_test(arrays, ndim)
        return
    has_axes = all(leaf.type.rank for leaf in arrays)  # type: ignore[union-attr]
    if len(arrays) > FEW and has_axes and not _fit_one_line(arrays):
        wholes = [w for p in parameters.values() for w in _wholes(read_of(p), context)]
        yield from _kinds_of_many(arrays, wholes, of_numpy)
        yield from _ranks_of_many(arrays, wholes)
    elif arrays:
        yield from are_like(arrays, of_numpy)


def _wholes(expr: Expr, context: Context) -> Iterator[tuple[Expr, list[Expr]]]:
    """Yield what goes through an argument that holds nothing but arrays, with these: p, p.values()."""
    region = region_of(expr.type, context.regions)
    cls = tuple if isinstance(expr.type, Tuple) else None if region is None else region.cls
    held = list(leaves(expr, context)) if cls in (tuple, list, dict) else []
    count = len(
        expr.type.items if isinstance(expr.type, Tuple) else region.fields if region else ()
    )
    if (
        held
        and len(held) == count
        and all(isinstance(each.type, Array) and each.args[0] == expr for each in held)
    ):
        yield call(attribute(expr, "values")) if cls is dict else expr, held


def _fit_one_line(arrays: list[Expr]) -> bool:
    """Tell whether the kinds of arrays can be asked for side by side: A.dtype.kind + u.dtype.kind."""
    return sum(len(f"{expression(each)}.dtype.kind + ") for each in arrays) <= WIDTH


def _domain(arrays: list[Expr], wholes: Iterable[tuple[Expr, list[Expr]]]) -> Expr:
    """Return what is gone through to ask of several arrays: p, (*p, u)."""
    parts = list(arrays)
    for whole, held in wholes:
        if set(held) <= set(parts):
            if len(held) == len(parts):
                return whole
            starred = Expr("starred", (whole,), "*")  # in the place of the first that it holds
            kept = (p for p in parts if p not in held[1:])
            parts = [starred if p == held[0] else p for p in kept]
    return tuple_of(parts)


def _ranks_of_many(arrays: list[Expr], wholes: list[tuple[Expr, list[Expr]]]) -> Iterator[Expr]:
    """Yield the tests of the ranks of many arrays: [each.ndim for each in p] == [2, 1, 2, 1]."""
    for whole, held in wholes:
        if len(held) > FEW:
            of_held = [constant(each.type.rank, WHOLE) for each in held]  # type: ignore[union-attr]
            asked = of_each(whole, own_ndim, "list")
            yield equal(asked, Expr("list", tuple(of_held)))
            arrays = [each for each in arrays if each not in held]
    yield from _rank_test(arrays, own_ndim)


def _kinds_of_many(
    arrays: list[Expr], wholes: list[tuple[Expr, list[Expr]]], of_numpy: bool
) -> Iterator[Expr]:
    """Yield the tests of the classes and kinds of many arrays, those of one kind together."""
    by_letter: dict[str, list[Expr]] = {}
    for each in arrays:
        by_letter.setdefault(letter_of(each.type), []).append(each)
    for letter, group in by_letter.items():

        def alike(each: Expr, letter: str = letter) -> Expr:
            is_plain = are_plain([each]) if of_numpy else ()
            return all_of([*is_plain, equal(kind_of(each), constant(letter))])

        yield alike(group[0]) if len(group) == 1 else every(_domain(group, wholes), alike)


def _rank_test(arrays: list[Expr], of: Callable[[Expr], Expr]) -> Iterator[Expr]:
    """Yield the test of all ranks: (W.ndim, m.ndim) == (2, 1)."""
    if arrays:
        yield together([(of(a), constant(a.type.rank, WHOLE)) for a in arrays])  # type: ignore[union-attr]


def read_of(parameter: Parameter) -> Expr:
    """Return an argument that is read."""
    return name(parameter.variable, parameter.type)


def own_ndim(array: Expr) -> Expr:
    """Return the number of axes that an array has."""
    return attribute(array, "ndim", WHOLE)


# ---------------------------------------------------------------------------- lengths


def _length_tests(parameters: Names, arrays: list[Expr], context: Context) -> Iterable[Expr]:
    """Yield the tests of lengths that were unified, and of those that are long enough."""
    assumed = context.assumptions
    alike = list(_of_one_shape(arrays, assumed))
    for group in alike:
        shapes = tuple(shape_asked(each, context) for each in group)
        yield Expr("compare", shapes, ("==",) * (len(group) - 1), BOOL)
    asked = {shape_asked(each, context) for group in alike for each in group[1:]}
    for symbol in assumed.bindings:
        if symbol not in assumed.of_items and not _follows(symbol, assumed):
            axis = length_expression(Length.of(symbol), parameters, context)
            if axis.op == "subscript" and axis.args[0] in asked:
                continue
            wanted = assumed.resolve(Length.of(symbol))
            yield _compared("==", Length.of(symbol), wanted, parameters, context)
    for length in needed_naturals(assumed):
        less = Length(tuple((s, f) for s, f in length.terms if f > 0), max(length.constant, 0))
        yield _compared(">=", less, less - length, parameters, context)


def _follows(symbol: str, assumed: Assumptions) -> bool:
    """Tell whether a quotient is what is wanted because what is divided is asked for."""
    wanted = assumed.resolve(Length.of(symbol))
    divided = (assumed.divisions.get(s) for s in (symbol, *wanted.symbols))
    mine, *others = (tuple(map(assumed.resolve, each or ())) for each in divided)
    if not mine:
        return False
    whole, divisor = mine
    is_literal = whole.is_literal and divisor.is_literal
    return mine in others or whole == divisor * wanted or is_literal


def _fitting(assumed: Assumptions) -> dict[tuple[Length, ...], list[str]]:
    """Return which arguments of any rank do not stretch arrays of which shapes."""
    found: dict[tuple[Length, ...], list[str]] = {}
    for name_, shape in assumed.fits:
        found.setdefault(tuple(map(assumed.resolve, shape)), []).append(name_)
    return {shape: sorted(set(names)) for shape, names in found.items()}


def _fit_test(
    shape: tuple[Length, ...], names: list[str], parameters: Names, context: Context
) -> Expr:
    """Return the test of what does not stretch an array of a shape."""
    axes = tuple(length_expression(length, parameters, context) for length in shape)
    wanted = Expr("tuple", axes, None, Tuple(tuple(axis.type for axis in axes)))
    shapes = [_shape_of(each, parameters, context) for each in names]
    return equal(_broadcast([*shapes, wanted], context), wanted)


def _following_test(one: str, of: frozenset[str], parameters: Names, context: Context) -> Expr:
    """Return the test of what does not stretch what is computed of other arguments."""
    others = [_shape_of(each, parameters, context) for each in sorted(of)]
    wanted = _broadcast(others, context) if len(others) > 1 else others[0]
    return equal(_broadcast([_shape_of(one, parameters, context), *others], context), wanted)


def _shape_of(given: str, parameters: Names, context: Context) -> Expr:
    """Return the shape of what is given, of an array or a number: np.shape(p.x)."""
    return call(global_("np.shape", np.shape), _parsed(given, parameters, context))


def _broadcast(shapes: list[Expr], context: Context) -> Expr:
    """Return the shape that arrays of some shapes are stretched to."""
    function = global_("np.broadcast_shapes", np.broadcast_shapes)
    return infer(call(function, *shapes), context)


def _of_one_shape(arrays: list[Expr], assumed: Assumptions) -> Iterator[list[Expr]]:
    """Yield the arrays that have the shape of one of them: one test asks less than each axis does."""
    groups: dict[Any, list[Expr]] = {}
    for each in arrays:
        lengths = each.type.lengths  # type: ignore[union-attr]
        if lengths and None not in lengths:
            groups.setdefault(tuple(map(assumed.resolve, lengths)), []).append(each)
    for shape, group in groups.items():
        if len(group) * len(shape) > FEW and len(group) > 1:
            yield group


def shape_asked(array: Expr, context: Context) -> Expr:
    """Return the shape of an array; of what may be a list, too, where there are no examples."""
    if context.has_examples:
        return infer(attribute(array, "shape"), context)
    return infer(call(global_("np.shape", np.shape), array), context)


def needed_naturals(assumed: Assumptions) -> list[Length]:
    """Return the lengths that must not be negative, but those that are at least another one."""
    naturals = (fact.length for fact in assumed.facts if fact.kind == "natural")
    found = dict.fromkeys(n for n in map(assumed.resolve, naturals) if n.terms and not n.is_sum)
    return [n for n in found if not any(m != n and (n - m).is_sum for m in found)]


def _compared(
    symbol: str, left: Length, right: Length, parameters: Names, context: Context
) -> Expr:
    """Return the test of two lengths; those of the items of a list are asked of each: it may be empty."""
    sides = tuple(length_expression(side, parameters, context) for side in (left, right))
    test = Expr("compare", sides, (symbol,), Number("bool"))
    for each in sorted((left.symbols | right.symbols) & context.assumptions.of_items):
        held = each.partition("[-1]")[0]
        whole, last = (_parsed(text, parameters, context) for text in (held, f"{held}[-1]"))
        if any(node == last for node in nodes(test)):
            test = every(whole, partial(_with_item, test, last))
    return test


def _with_item(test: Expr, last: Expr, item: Expr) -> Expr:
    return rebuilt(test, lambda node: item if node == last else node)


def length_expression(length: Length, parameters: Names, context: Context) -> Expr:
    """Return a length as an expression of the arguments: u.shape[0] + 4."""
    parts = ["*".join(([str(f)] if f != 1 else []) + list(s)) for s, f in length.terms]
    if length.constant or not parts:
        parts.append(str(length.constant))
    return _parsed(" + ".join(parts).replace("+ -", "- "), parameters, context)


def _parsed(text: str, parameters: Names, context: Context) -> Expr:
    return _built(ast.parse(text, mode="eval").body, parameters, context)


def _built(node: ast.expr, parameters: Names, context: Context) -> Expr:
    """Return the expression of the text of a symbol."""
    match node:
        case ast.Name(id=found):
            parameter = parameters[found]
            return name(parameter.variable, parameter.type)
        case ast.Constant(value=value):
            return infer(constant(value), context)
        case ast.Attribute(value=base, attr="shape"):
            return shape_asked(_built(base, parameters, context), context)
        case ast.Attribute(value=base, attr=named):
            return infer(attribute(_built(base, parameters, context), named), context)
        case ast.Subscript(value=base, slice=index):
            whole, part = (_built(each, parameters, context) for each in (base, index))
            return infer(subscript(whole, part), context)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return infer(Expr("unary", (_built(operand, parameters, context),), "-"), context)
        case ast.BinOp(left=left, op=op, right=right):
            sides = tuple(_built(side, parameters, context) for side in (left, right))
            return infer(Expr("binary", sides, SYMBOLS[type(op)]), context)
    raise ValueError(ast.dump(node))


# ---------------------------------------------------------------------------- the message


def letters(program: Program, context: Context) -> dict[str, str]:
    """Return the letters of the lengths: the user's own where he unpacks a shape, else n, m, k."""
    assumed = context.assumptions
    chosen: dict[str, str] = {}
    for symbol, variable in _names_of_lengths(program):
        root = assumed.resolve(Length.of(symbol))
        own = next(iter(root.symbols)) if root == _alone(root) else None
        if own is not None and own not in chosen and str(variable) not in chosen.values():
            chosen[own] = str(variable)
    taken = {str(p.variable) for p in program.function.parameters} | set(chosen.values())
    free = (letter for letter in LETTERS if letter not in taken)
    known = (p.type for p in program.function.parameters)
    unexampled = [
        s for t in known if isinstance(t, Array) for n in t.lengths if n for s in n.symbols
    ]
    order = list(dict.fromkeys([*assumed.sizes, *sorted(unexampled)]))
    for symbol in order:
        root = assumed.resolve(Length.of(symbol))
        for own in sorted(root.symbols - assumed.divisions.keys(), key=order.index):
            if own not in chosen:
                chosen[own] = own if own.isidentifier() else next(free, own)
    return chosen | {s: _quotient_text(s, chosen, assumed) for s in assumed.divisions}


def _alone(length: Length) -> Length | None:
    symbols = length.symbols
    return Length.of(next(iter(symbols))) if len(symbols) == 1 else None


def _names_of_lengths(program: Program) -> Iterable[tuple[str, Variable]]:
    """Yield what the user calls the lengths of his arguments: n, d = x.shape; n = len(x)."""
    for statement in statements(program.function.body):
        if not isinstance(statement, Let):
            continue
        value = statement.value
        targets = statement.target if isinstance(statement.target, tuple) else (statement.target,)
        if value.op == "attribute" and value.data == "shape" and value.args[0].op == "name":
            for axis, target in enumerate(targets):
                if isinstance(target, Variable) and isinstance(statement.target, tuple):
                    yield f"{value.args[0].data}.shape[{axis}]", target
        elif isinstance(value.type, Number) and value.type.length is not None:
            own = _alone(value.type.length)
            if own == value.type.length and isinstance(statement.target, Variable):
                yield next(iter(own.symbols)), statement.target


def _shapes(program: Program, found: list[Expr], numbers: list[Expr], context: Context) -> str:
    """Return the arguments with their shapes: W (m, n), m (n,), real number c, n >= 2."""
    lettered = letters(program, context)
    kinds = {expression(leaf): without_none(leaf.type) for leaf in found}
    by_words: dict[str, list[str]] = {}
    for name_, type_ in kinds.items():
        if isinstance(type_, Array):
            words = WORDS.get(type_.dtype[0], "integer") if context.has_examples else ""
            by_words.setdefault(words, []).append(f"{name_} {shape_text(type_, lettered, context)}")
    told = [_titled(words, each) for words, each in by_words.items()]
    floats = floats_in(numbers, stored_in(program, context))
    others = [each for each in numbers if each not in floats]
    real = all(letter_of(leaf.type) != "c" for leaf in others)
    for word, group in (("float", floats), (f"{'real ' if real else ''}number", others)):
        if group:
            told.append(
                f"{word}{'s' if len(group) > 1 else ''} {', '.join(map(expression, group))}"
            )
    shown = [each.lengths for each in kinds.values() if isinstance(each, Array)]
    known = {s for n in chain(*shown) if n for s in context.assumptions.resolve(n).symbols}
    own = {s: letter for s, letter in lettered.items() if s in known}
    own |= {s: lettered[s] for s in context.assumptions.divisions}
    told += [_natural_text(length, own) for length in needed_naturals(context.assumptions)]
    told += _equal_quotients(own, context.assumptions)
    return ", ".join(told)


def _equal_quotients(lettered: Mapping[str, str], assumed: Assumptions) -> Iterator[str]:
    """Yield which quotients are asked to be equal: (m // 2) == (n // 2)."""
    for symbol in assumed.bindings:
        if symbol in assumed.divisions and not _follows(symbol, assumed):
            wanted = assumed.resolve(Length.of(symbol))
            yield f"{lettered[symbol]} == {_lettered(wanted, lettered)}"


def _quotient_text(symbol: str, lettered: Mapping[str, str], assumed: Assumptions) -> str:
    """Return a quotient in letters: (n // 2)."""
    whole, divisor = assumed.divisions[symbol]
    spelled = (str(_lettered(n, lettered)) for n in (whole, divisor))
    return "({} // {})".format(*(f"({n})" if " " in n else n for n in spelled))


def _titled(words: str, arrays: list[str]) -> str:
    """Return what arrays are called: float arrays W (m, n), m (n,)."""
    title = f"{words} array{'s' if len(arrays) > 1 else ''} " if words else ""
    return title + ", ".join(arrays)


def shape_text(type_: Array, lettered: Mapping[str, str], context: Context) -> str:
    """Return the lengths of an array in letters: (m, n)."""
    axes = [_in_letters(n, lettered, context) for n in type_.lengths]
    return f"({', '.join(axes)}{',' if len(axes) == 1 else ''})"


def _in_letters(length: Length | None, lettered: Mapping[str, str], context: Context) -> str:
    if length is None:
        return "any"
    return str(_lettered(context.assumptions.resolve(length), lettered))


def _lettered(length: Length, lettered: Mapping[str, str]) -> Length:
    """Return a length of the letters of its symbols; one without a letter stays."""
    return length.replaced({s: Length.of(lettered.get(s, s)) for s in length.symbols})


def _natural_text(length: Length, lettered: Mapping[str, str]) -> str:
    """Return n >= 2 for n - 2 that must not be negative."""
    spelled = _lettered(length, lettered)
    more = Length(tuple((s, f) for s, f in spelled.terms if f > 0), max(spelled.constant, 0))
    return f"{more} >= {more - spelled}"
