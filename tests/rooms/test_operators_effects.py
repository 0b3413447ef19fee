"""What calls do beside giving a value, held against what NumPy does, and what they cost."""

import ast
import inspect
import re
from pathlib import Path

import numpy as np
import pytest

from s2sad.analysis.pointers import Pointers
from s2sad.ir.expression import Expr, Variable, attribute, call, constant, global_, name
from s2sad.ir.program import ANYTHING, PURE, Effect, Let
from s2sad.ir.spelling import expression
from s2sad.ir.types import Array, Code, Length, Number, Other, Reference, Sequence
from s2sad.operators import printed, rows
from s2sad.operators.effects import cost, effect
from s2sad.operators.table import KNOWN
from s2sad.operators.table import rows as rows_of_table
from s2sad.operators.trees import literal

N = Length.of("n")
U = name(Variable("u"), Array("float64", (N,)))
V = name(Variable("v"), Array("float64", (N,)))
A = name(Variable("A"), Array("float64", (N, N)))
RNG = name(Variable("rng"), Other(np.random.Generator))
LIST = name(Variable("xs"), Reference("xs"))
ITERATOR = name(Variable("it"), Sequence(Number("float64"), type(iter([]))))
NONE, ONE = constant(None), literal(1)
WRITES_FIRST = Effect(writes=frozenset({0}))
OWNER = Effect(writes_owner=True)


def users_own(x):
    return x


def np_(text):
    value = np
    for word in text.split("."):
        value = getattr(value, word)
    return global_(f"np.{text}", value)


@pytest.mark.parametrize(
    ("expr", "wanted"),
    [
        (call(np_("sin"), U), PURE),
        (call(np_("unique"), U), PURE),
        (call(np_("linalg.inv"), A), PURE),
        (call(global_("len", len), U), PURE),
        (call(attribute(U, "sum")), PURE),
        (call(attribute(U, "byteswap")), PURE),
        (call(attribute(LIST, "index"), ONE), PURE),
        (call(np_("put"), U, ONE, ONE), WRITES_FIRST),
        (call(np_("copyto"), U, V), WRITES_FIRST),
        (call(np_("add.at"), U, ONE, V), WRITES_FIRST),
        (call(np_("add"), U, V, out=V), Effect(writes=frozenset({2}))),
        (call(np_("add"), U, V, U), Effect(writes=frozenset({2}))),
        (call(np_("add"), U, V, NONE), PURE),
        (call(np_("add"), U, V, out=NONE), PURE),
        (call(np_("sum"), A, ONE, NONE, U), Effect(writes=frozenset({3}))),
        (call(np_("clip"), U, ONE, ONE, V), Effect(writes=frozenset({3}))),
        (call(attribute(A, "sum"), ONE, NONE, U), Effect(writes=frozenset({2}))),
        (call(attribute(A, "dot"), U, out=V), Effect(writes=frozenset({1}))),
        (call(attribute(U, "sort")), OWNER),
        (call(attribute(U, "fill"), ONE), OWNER),
        (call(attribute(U, "byteswap"), literal(True)), OWNER),
        (call(attribute(LIST, "reverse")), OWNER),
        (call(attribute(RNG, "normal")), Effect(draws=True)),
        (call(attribute(RNG, "shuffle"), U), Effect(frozenset({0}), draws=True)),
        (call(np_("random.shuffle"), U), Effect(frozenset({0}), draws=True)),
        (call(np_("random.normal"), size=ONE), Effect(draws=True)),
        (call(global_("print", print), U), Effect(prints=True)),
        (call(global_("sum", sum), ITERATOR), WRITES_FIRST),
        (call(global_("users_own", users_own), U), ANYTHING),
        (call(Expr("function", (), "step"), U), ANYTHING),
        (call(attribute(name(Variable("thing")), "run"), U), ANYTHING),
        (call(np_("apply_along_axis"), name(Variable("f"), Code(users_own)), ONE, A), ANYTHING),
    ],
    ids=lambda each: expression(each) if isinstance(each, Expr) else "",
)
def test_effects(expr, wanted):
    assert effect(expr) == wanted


def test_a_function_that_is_handed_may_do_anything():
    f = global_("users_own", users_own)
    for function in (map, filter):
        assert effect(call(global_(function.__name__, function), f, LIST)) == ANYTHING
    assert effect(call(global_("sorted", sorted), LIST, key=f)) == ANYTHING
    assert effect(call(global_("isinstance", isinstance), U, global_("float", float))) == PURE


SAMPLES = (np.array([3.0, 1.0, 2.0]), np.array([2.0, 1.0, 3.0]), 1)


@pytest.mark.parametrize("space", ["", "linalg", "fft"])
def test_what_counts_as_pure_writes_to_none_of_its_arguments(space):
    module = getattr(np, space) if space else np
    tried = 0
    for named in sorted(vars(module)):
        function = getattr(module, named)
        if named.startswith("_") or not callable(function) or inspect.isclass(function):
            continue
        if named in ("test", "info", "input", "save", "get_include"):
            continue
        for count in (1, 2, 3):
            tried += _writes_nothing(space, named, function, count)
    assert tried > (200 if not space else 5)


def _writes_nothing(space, named, function, count):
    kinds = (U.type, U.type, Number("int64"))
    text = f"np.{space}.{named}" if space else f"np.{named}"
    args = [name(Variable(f"a{k}"), kinds[k]) for k in range(count)]
    found = effect(call(global_(text, function), *args))
    if found != PURE:
        return False
    given = [np.copy(x) if isinstance(x, np.ndarray) else x for x in SAMPLES[:count]]
    try:
        with np.errstate(all="ignore"):
            function(*given)
    except Exception:
        return False
    for before, after in zip(SAMPLES, given, strict=False):
        assert np.array_equal(before, after), f"{text} writes to its arguments"
    return True


def test_methods_of_arrays_that_count_as_pure_write_nothing():
    for named in dir(np.ndarray):
        if named.startswith("_") or not callable(getattr(np.ndarray, named)):
            continue
        if effect(call(attribute(U, named))) != PURE:
            continue
        array = np.array([3.0, 1.0, 2.0])
        try:
            getattr(array, named)()
        except Exception:
            continue
        assert array.tolist() == [3.0, 1.0, 2.0], named


def test_what_a_method_writes_to_is_its_array():
    sites = {each.data: frozenset({each.data.name}) for each in (U, V)}
    memory = Pointers(sites, {}, lambda expr: (), frozenset())
    sort = call(attribute(U, "sort"))
    assert memory.written_by(Let(None, sort, effect=effect(sort))) == {"u"}
    put = call(np_("put"), U, ONE, V)
    assert memory.written_by(Let(None, put, effect=effect(put))) == {"u"}
    own = call(attribute(U, "unheard_of"), V)
    assert memory.written_by(Let(None, own, effect=ANYTHING)) == {"u", "v"}


@pytest.mark.parametrize(
    ("expr", "wanted"),
    [
        (U, "free"),
        (attribute(A, "T"), "free"),
        (call(np_("reshape"), U, ONE), "free"),
        (call(attribute(U, "reshape"), ONE), "free"),
        (Expr("subscript", (U, ONE)), "free"),
        (Expr("subscript", (U, V)), "cheap"),
        (Expr("binary", (U, V), "*"), "cheap"),
        (call(np_("exp"), U), "lengthy"),
        (Expr("binary", (U, V), "**"), "lengthy"),
        (call(np_("sum"), U), "cheap"),
        (Expr("binary", (A, A), "@"), "costly"),
        (call(np_("linalg.inv"), A), "costly"),
        (call(np_("fft.rfft"), U), "costly"),
        (call(np_("sort"), U), "costly"),
        (call(global_("users_own", users_own), U), "costly"),
    ],
    ids=lambda each: expression(each) if isinstance(each, Expr) else each,
)
def test_costs(expr, wanted):
    assert cost(expr) == wanted


# what takes functions, gives views that are written through, or is of NumPy's own tests
ANY = set(
    """
    apply_along_axis flatiter fromfunction frompyfunc matrix ndarray nditer nested_iters piecewise
    recarray test ufunc vectorize BitGenerator
    """.split()
)


@pytest.mark.parametrize("space", ["", "linalg", "fft", "random"])
def test_every_function_of_numpy_has_an_effect_that_is_known(space):
    module = getattr(np, space) if space else np
    names = [n for n in dir(module) if not n.startswith("_") and callable(getattr(module, n))]
    head = f"np.{space}." if space else "np."
    unknown = {
        n for n in names if effect(call(global_(head + n, getattr(module, n)), U)) == ANYTHING
    }
    assert unknown <= ANY
    if space == "random":
        pure = {n for n in names if effect(call(np_(head[3:] + n), U)) == PURE}
        assert not pure - {"test"}


def test_every_method_of_arrays_and_generators_has_an_effect_that_is_known():
    for owner in (U, RNG):
        cls = np.ndarray if owner is U else np.random.Generator
        for named in (n for n in dir(cls) if not n.startswith("_")):
            assert effect(call(attribute(owner, named))) != ANYTHING, named


def test_no_name_has_two_rows():
    names = [name for _, names in rows_of_table() for name in names]
    assert len(names) == len(set(names))


def test_every_word_of_a_row_is_explained():
    explained = set(re.findall(r"\w+", rows.__doc__))
    for said, _ in rows_of_table():
        assert {trait.removeprefix("distinct") or trait for trait in said} <= explained | {""}


def test_every_word_of_a_row_is_asked():
    house = Path(rows.__file__).parent.parent
    texts = [p.read_text() for p in house.rglob("*.py") if p.name != "rows.py"]
    for trait in {trait for said, _ in rows_of_table() for trait in said} - KNOWN:
        assert any(f'"{trait}"' in text for text in texts), trait


def test_printed_functions_keep_their_hands_off_their_arguments():
    for named in printed.names():
        tree = ast.parse(printed.source(named)).body[0]
        stored = set(_bases(tree))
        own = {a.arg for a in tree.args.args} - {
            n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
        }
        known = effect(call(global_(named, printed.function(named)), U))
        assert not stored & own or known != PURE, named


def _bases(tree):
    """Yield the names that are stored into: x[...] = ..., x.y = ..."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript | ast.Attribute) and isinstance(node.ctx, ast.Store):
            while isinstance(node, ast.Subscript | ast.Attribute):
                node = node.value
            if isinstance(node, ast.Name):
                yield node.id
