"""Arguments of other kinds: matrices, masked and sparse arrays, complex numbers; tests of classes.

A text is right for them, or it asks: made with examples or without, it decides nothing by a class,
a dtype or an attribute that the argument of a later call does not have.
"""

import linecache
import pickle
import warnings

import numpy as np
import pytest
import scipy.sparse as sp

import s2sad
from tests import oracles
from tests.programs.arrays.shapes_of_adjoints import alias_then_write

A = np.array([[1.1, 2.5, 3.3], [4.1, 5.5, 6.3], [7.1, 8.5, 9.3]])
ROW = np.array([1.0, 2.0, 4.0])


class Turned(np.ndarray):
    """An array whose product with another is that of matrices."""

    __array_priority__ = 20.0

    def __mul__(self, other):
        return np.asarray(self) @ np.asarray(other)


class Frame:
    """What aligns by labels, as frames do: here from the end."""

    __array_ufunc__ = None

    def __init__(self, values):
        self.values, self.shape, self.ndim = values, values.shape, values.ndim
        self.dtype = values.dtype

    def __array__(self, dtype=None, copy=None):
        return self.values

    def __add__(self, other):
        return self.values + np.asarray(other)[::-1]

    __mul__ = __matmul__ = __rtruediv__ = __add__

    def __getitem__(self, key):
        return self.values[2 - key]


with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    FOREIGN = {
        "matrix": np.matrix(A),
        "masked": np.ma.masked_greater(A, 4.0),
        "sparse matrix": sp.csr_matrix(A),
        "sparse array": sp.csr_array(A),
        "complex": A + 1j * A.T,
        "subclass": A.view(Turned),
        "frame": Frame(A),
        "list of matrices": [sp.csr_matrix(A)],
    }
PLAIN = {
    "array": A,
    "list": A.tolist(),
    "tuple": tuple(map(tuple, A.tolist())),
    "float32": A.astype(np.float32),
    "integers": A.astype(int),
    "mask": A > 2.0,
    "without axes": np.array(2.0),
    "number": 2.0,
    "of NumPy's own": np.float64(2.0),
}


def product(S, u):
    return np.sum(S * u)


def size(S, u):
    return np.sum(np.abs(S * u))


def quotient(S, u):
    return np.sum(u / S)


def matrix_product(S, u):
    return np.sum((S @ u) ** 2)


def added(S, u):
    return np.sum((S + u) ** 2)


def of_a_row(S, u):
    return np.linalg.norm(u * u + S[0])


def reduced(S, u):
    return np.mean(S) * np.sum(u**2)


FUNCTIONS = (product, size, quotient, matrix_product, added, of_a_row, reduced)


@pytest.mark.parametrize("like", (None, (A, ROW)), ids=("any", "like"))
@pytest.mark.parametrize("form", ("grad", "vjp", "jvp"))
@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_text_refuses_what_is_no_plain_array(function, form, like):
    derivative = getattr(s2sad, form)(function, "u", like=like)
    alone = oracles.standalone(derivative.source, derivative.__name__)
    more = {"grad": (), "vjp": (1.0,), "jvp": (ROW,)}[form]
    alone(A, ROW, *more)
    others = (np.matrix(ROW), np.ma.masked_greater(ROW, 1.5), ROW.view(Turned), 1j * ROW)
    given = [(made, u, *more) for made in FOREIGN.values() for u in (ROW, ROW[:, None])]
    given += [(A, made, *more) for made in others]
    given += [(A, ROW, made) for made in others[:3] if form == "jvp"]
    for args in given:
        if like is None:
            with pytest.raises(ValueError, match="made for"):
                alone(*args)
        else:
            with pytest.raises((ValueError, AttributeError), match=r"made for|attribute"):
                alone(*args)


@pytest.mark.parametrize("made", PLAIN.values(), ids=PLAIN)
@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_text_for_any_arguments_takes_plain_ones(function, made):
    try:
        function(made, ROW)
        expected = oracles.differences(function, (made, ROW), (1,))
    except (TypeError, ValueError, IndexError):
        return
    alone = oracles.standalone(s2sad.grad(function, "u").source, f"{function.__name__}_grad")
    if np.ndim(made) or function is not quotient:
        assert oracles.compare(np.asarray(alone(made, ROW)), expected) is None


def by_its_mean(u):
    return np.mean(u) * u[0]


def by_its_neighbours(u):
    return np.sum((u[1:] + u[:-1]) ** 2)


def by_its_norm(u):
    return np.linalg.norm(u) * u[0]


def by_its_product(u):
    return np.dot(u, u) * u[-1]


@pytest.mark.parametrize("made", (list, tuple))
@pytest.mark.parametrize("function", (by_its_mean, by_its_neighbours, by_its_norm, by_its_product))
def test_a_text_that_computes_as_arrays_do_refuses_lists(function, made):
    alone = oracles.standalone(s2sad.grad(function).source, f"{function.__name__}_grad")
    assert oracles.compare(alone(ROW), oracles.differences(function, (ROW,), (0,))) is None
    with pytest.raises(ValueError, match="made for"):
        alone(made(ROW.tolist()))


PICKLED = pickle.dumps(np.matrix(A))


def stored(u):
    y = np.zeros((3, 3))
    y[...] = pickle.loads(PICKLED) * u
    return float(np.sum(y**2))


def added_to_a_store(u):
    y = np.zeros((3, 3))
    y += u / pickle.loads(PICKLED)
    return float(np.sum(y**2))


def scaled_item(u):
    return (pickle.loads(PICKLED) * 2.0)[0, 1] * u[0, 0]


@pytest.mark.parametrize("function", (stored, added_to_a_store, scaled_item))
def test_what_a_library_reads_may_have_operators_of_its_own(function):
    for make in (lambda: s2sad.grad(function)(A), lambda: s2sad.grad(function).source):
        with pytest.raises(s2sad.S2sadError, match=r"operator|may be no number"):
            make()


# ---------------------------------------------------------------------------- tests of kinds

TESTS = """
type(x) is np.ndarray
type(x) in (list, tuple, float)
type(x) == np.float64
x.__class__ is np.ndarray
type(x).__name__ == "float"
isinstance(x, (int, float))
isinstance(x, np.floating)
isinstance(x, (complex, np.generic))
issubclass(type(x), np.ndarray)
hasattr(x, "shape")
hasattr(x, "__len__")
hasattr(x, "nothing")
np.isscalar(x)
np.iterable(x)
np.shape(x) == ()
np.size(x) == 1
getattr(x, "ndim", 0) == 0
np.asarray(x).dtype == float
np.asarray(x).dtype in (np.float64, int)
np.asarray(x).dtype.kind == "f"
np.result_type(x) == np.float64
np.issubdtype(np.asarray(x).dtype, np.float64)
type(x * 2.0) is np.ndarray
hasattr(x * 2.0, "__len__")
{float: True}.get(type(x), False)
{np.float64: True}.get(np.asarray(x).dtype.type, False)
{"float64": True}.get(np.asarray(x).dtype.name, False)
np.asarray(x).itemsize == 8
isinstance(np.sum(x), float)
type(np.sum(x)) is np.float64
x is None
""".strip().splitlines()
VALUES = (0.7, np.float64(0.7), np.array([0.7, 0.3]), np.array([[0.7, 0.3]]), np.array(0.7))
VALUES += (np.float32(0.5), np.array([0.5, 0.25], np.float32))


def deciding(test):
    """Return a function whose way is that of a test."""
    text = f"def f(x):\n    if {test}:\n        return np.sum(x**2)\n    return np.sum(x**3)\n"
    path = f"<deciding by {test}>"
    linecache.cache[path] = (len(text), None, text.splitlines(True), path)
    space = {"np": np}
    exec(compile(text, path, "exec"), space)
    return space["f"]


def expected_of(test, x):
    taken = eval(test, {"np": np, "x": x})
    return 2.0 * np.asarray(x) if taken else 3.0 * np.asarray(x) ** 2


@pytest.mark.parametrize("test", TESTS)
def test_a_text_decides_by_no_kind_that_it_does_not_ask_for(test):
    function = deciding(test)
    texts = [s2sad.grad(function).source]
    texts += [s2sad.grad(function, like=(made,)).source for made in VALUES]
    for text in texts:
        alone = oracles.standalone(text, "f_grad")
        for x in VALUES:
            try:
                found = alone(x)
            except (ValueError, AttributeError) as error:  # x.ndim of a float is asked for, too
                assert "made for" in str(error) or "ndim" in str(error)
            else:
                np.testing.assert_allclose(found, expected_of(test, x), rtol=1e-6)
    for x in VALUES:
        np.testing.assert_allclose(s2sad.grad(function)(x), expected_of(test, x), rtol=1e-6)


def by_pattern(x):
    match x:
        case [a, b]:
            return a**2 + b**2
    return np.sum(x**3)


def by_pattern_of_parts(x):
    match (x[0], x[1]):
        case [a, b] if a > b:
            return a**2 * b
        case (a, _):
            return a


@pytest.mark.parametrize("function", (by_pattern, by_pattern_of_parts))
def test_no_array_is_the_sequence_of_a_pattern(function):
    x = np.array([0.7, 0.3])
    expected = oracles.differences(function, (x,), (0,))
    for options in ({}, {"like": (x,)}):
        assert oracles.compare(s2sad.grad(function, **options)(x), expected) is None


@pytest.mark.parametrize("mode", ["grad", "jvp"])
def test_a_text_of_numbers_asks_where_it_adds_to_an_argument(mode):
    """`t += y` of an array without axes writes to x, too."""

    def f(x, y):
        t = x
        for _ in range(2):
            t += y * t
        return t * x

    made = getattr(s2sad, mode)(f, like=(0.83, 0.41))
    given = np.array(0.83), 0.41, *((1.0,) if mode == "jvp" else ())
    with pytest.raises(ValueError, match="made for real numbers"):
        oracles.standalone(made.source, made.__name__)(*given)


def of_one(u):
    return np.sum(u**2)


def of_an_array_and_a_number(u, k):
    return k * np.sum(u**2)


def of_two(u, v):
    return np.sum(u * v)


def of_a_list(xs):
    return sum(np.sum(x**2) for x in xs)


NO_ARRAYS = (2.0, None, "u", [1.0, 1.0, 1.0], np.float64(2.0), {}, np.matrix([1.0, 2.0]))


@pytest.mark.parametrize("wrong", NO_ARRAYS, ids=repr)
@pytest.mark.parametrize(
    "function, args",
    [
        (of_one, (ROW,)),
        (of_an_array_and_a_number, (ROW, 2.0)),
        (of_two, (ROW, ROW)),
        (of_a_list, ([ROW],)),
    ],
    ids=lambda each: getattr(each, "__name__", ""),
)
def test_what_is_no_array_is_refused_by_the_message_of_the_text(function, args, wrong):
    for derive, more in ((s2sad.grad, ()), (s2sad.jvp, args[:1]), (s2sad.vjp, (1.0,))):
        made = derive(function, like=args)
        text = oracles.standalone(made.source, made.__name__)
        text(*args, *more)
        for place in range(len(args)):
            if isinstance(args[place], float):
                continue
            handed = list(args)
            handed[place] = [wrong] if function is of_a_list else wrong
            with pytest.raises(ValueError, match="made for"):
                text(*handed, *more)


@pytest.mark.parametrize("wrong", NO_ARRAYS, ids=repr)
def test_a_seed_that_is_no_array_is_refused_by_the_message_of_the_text(wrong):
    made = s2sad.vjp(lambda u: u**2, like=(ROW,))
    with pytest.raises(ValueError, match="made for"):
        oracles.standalone(made.source, made.__name__)(ROW, wrong)


@pytest.mark.parametrize("mode", ["grad", "jvp"])
def test_a_text_of_numbers_asks_where_it_adds_to_what_has_two_names(mode):
    """`z += 1.0` of an array changes y, too."""
    made = getattr(s2sad, mode)(alias_then_write, like=(0.83,))
    text = oracles.standalone(made.source, made.__name__)
    given = np.array([0.83, 0.2]), *((np.ones(2),) if mode == "jvp" else ())
    with pytest.raises(ValueError, match="made for real number"):
        text(*given)


def test_a_text_for_any_arguments_asks_for_arrays_where_a_list_would_match():
    """A list is the sequence of a pattern, and has no dtype to be asked for."""
    text = oracles.standalone(s2sad.grad(by_pattern).source, "by_pattern_grad")
    with pytest.raises(ValueError, match="of class ndarray"):
        text([0.7, 0.3])


def of_a_part(u, part):
    return np.sum(u[part] * u[0])


def of_each_part(u, parts):
    return sum(np.sum(u[part] ** 2) for part in parts)


def of_a_part_and_more(u, pair):
    return np.sum(u[pair["part"]] ** 2) * pair["scale"]


@pytest.mark.parametrize(
    "function, made, other",
    (
        (of_a_part, slice(0, 2), [1, 1, 2]),
        (of_each_part, [slice(0, 2), slice(1, 3)], [[1, 1, 2]]),
        (of_a_part_and_more, {"part": slice(0, 2), "scale": 2.0}, {"part": [1, 1], "scale": 2.0}),
    ),
)
def test_a_text_made_for_slices_takes_no_list_of_positions(function, made, other):
    """What is added to an adjoint at two equal positions at once counts once."""
    derivative = s2sad.grad(function, wrt="u", like=(ROW, made))
    alone = oracles.standalone(derivative.source, f"{function.__name__}_grad")
    expected = oracles.differences(function, (ROW, made), (0,)).value
    assert np.allclose(alone(ROW, made), expected)
    with pytest.raises(ValueError, match=r"a slice|slices"):
        alone(ROW, other)


def first_of_a_part(u, part):
    v = u.copy()
    v[part] *= u[0]
    return v[part].sum() * v[part.start]


@pytest.mark.parametrize("function", (first_of_a_part, of_a_part))
def test_a_part_at_a_position_of_an_unknown_kind_is_an_array_or_a_number(function):
    """A product with it was taken for memory that is written: its adjoint was lost."""
    for part in (slice(1, 3), *((...,) if function is of_a_part else ())):
        expected = oracles.differences(function, (ROW, part), (0,))
        for like in (None, (ROW, part)):
            made = s2sad.grad(function, wrt="u", like=like)
            assert oracles.compare(made(ROW, part), expected) is None


def added_at_once(u, at):
    v = u * 1.0
    v[at] += u[0]
    return np.sum(v**2)


@pytest.mark.parametrize("like", (None, (ROW, 0)))
def test_a_text_of_one_position_takes_no_list_of_equal_ones(like):
    """`v[[1, 1]] += x` adds x once, and its adjoint is read once."""
    source = s2sad.grad(added_at_once, wrt="u", like=like).source
    alone = oracles.standalone(source, "added_at_once_grad")
    assert np.allclose(alone(ROW, 1), oracles.differences(added_at_once, (ROW, 1), (0,)).value)
    with pytest.raises(ValueError, match="one position at"):
        alone(ROW, [1, 1])


def product(S, x):
    return np.sum((S * x) ** 2)


def test_a_text_for_a_sparse_matrix_is_not_for_an_array():
    S = sp.csr_matrix(A)
    derivative = s2sad.grad(product, "x", like=(S, ROW))
    alone = oracles.standalone(derivative.source, derivative.__name__)
    np.testing.assert_allclose(alone(S, ROW), 2.0 * A.T @ (A @ ROW))
    with pytest.raises(ValueError, match="made for csr_matrix S"):
        alone(A, ROW)
