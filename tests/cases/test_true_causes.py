"""What a refusal says first: the cause, at its line, and what to write instead.

The table is the golden list of what users meet: each row a construct, the first line of the
message, the line that it points at, and words of the remedy.
"""

import functools
import inspect
import sys

import numpy as np
import pytest
from scipy import integrate, linalg, signal, stats

import s2sad

X = np.array([0.6, 0.35, 0.95, 0.8])


def joined_from_a_vector(x):
    path = np.array(x)
    for _ in range(3):
        x = 1.1 * x
        path = np.vstack((path, x))
    return np.sum(path**2)


def without_a_rule(x):
    return np.sum(np.union1d(x, x[:2]))


def of_a_distribution_without_a_rule(x):
    return np.sum(stats.gamma.logpdf(x, 1.5)) + np.sum(stats.skewnorm.ppf(x, 1.5))


def number_out_of_a_text(x):
    return float(f"{x[0]:.3f}") * x[1]


def number_out_of_bits(x):
    i = x.view(np.int64)
    y = (6910469410427058089 - (i >> 1)).view(np.float64)
    return np.sum(y * (1.5 - 0.5 * x * y * y))


def number_out_of_an_exception(x):
    try:
        if x[1] > 0.0:
            raise ValueError(x[1] * 2.0)
        s = x[0]
    except ValueError as error:
        s = error.args[0] ** 2
    return s


def exception_without_a_name(x):
    try:
        if x[1] > 0.0:
            raise ValueError(x[1] * 2.0)
        s = x[0]
    except ValueError:
        s = sys.exc_info()[1].args[0] ** 2
    return s


def one_name_for_two_arrays(x):
    A = np.outer(x, x)
    flat = A.T.ravel()
    flat[0] = 100.0
    return np.sum(A)


def array_with_named_fields(x):
    state = np.zeros(3, dtype=[("place", float), ("speed", float)])
    state["place"] = x[0] ** 2
    return np.sum(state["place"])


def times_what_a_file_holds(x):
    k = np.loadtxt("scale.txt")
    return k * x[0]


LINES = {1: "line"}


def found_in_a_table_by_what_varies(x):
    return LINES.get(x[0], x[0]) * x[1]


def summed_by_an_iterator(x):
    s = 0.0
    for v in np.nditer(x):
        s += v**2
    return s


def parts_of_a_factorization(x):
    T, *_ = linalg.qz(np.outer(x, x), np.eye(4))
    return np.sum(np.diag(T) ** 2)


PLACES = np.array([0.5, 1.0, 2.0, 2.5])


def beside_an_array_of_the_module(x):
    return np.sum(signal.symiirorder1(x, PLACES, 0.5) ** 2)


WHEN = np.datetime64("2020-05-01T12:00:00")


def days(when):
    return (when - np.datetime64("2000-01-01T12:00:00")) / np.timedelta64(1, "D")


def times_what_a_helper_gives(x):
    return days(WHEN) * x[0]


def edges_of_bins(x):
    count, edges = np.histogram(x, bins=5)
    return np.sum(count * edges[1:])


def ranks_compared(x):
    return stats.kendalltau(x, PLACES).statistic * x[0]


def integral_over_several(x):
    return integrate.nquad(lambda t, u: np.exp(-x[0] * t * u), [(0, 1), (0, 1)])[0]


def filter_of_a_width_that_varies(x):
    b, a = signal.butter(2, x[0])
    return np.sum(signal.lfilter(b, a, PLACES) ** 2)


def line_by_medians(x):
    return stats.theilslopes(x).slope


def by_an_option(x, way):
    if way not in ("up", "down"):
        raise ValueError("no such way")
    return x * 2.0


def of_an_option_that_is_unknown(x):
    turned = by_an_option(x, "left")
    return np.sum(turned)


def windows_by_strides(x):
    wide = np.lib.stride_tricks.as_strided(x, (x.size - 2, 3), (x.itemsize, x.itemsize))
    return np.sum(np.sin(wide))


def checked(function):
    @functools.wraps(function)
    def wrapper(*args):
        inspect.signature(function).bind(*args)
        return function(*args)

    return wrapper


@checked
def power(x, k=2.0):
    return np.sum(x**k)


def of_a_decorator_that_checks_arguments(x):
    return power(x) * 2.0


def rounded_by_its_text(x):
    try:
        if len(x) == 0:
            raise ValueError("nothing to round")
    except TypeError as error:
        text = "An error occurred: {}"
        print(text.format(error.args[-1]))
        raise
    form = "{:.9f}"
    s = sum([float(form.format(part)) for part in x])
    return s


TABLE = (
    (
        of_a_decorator_that_checks_arguments,
        "inspect.signature has no derivative rule",
        "inspect.signature(function).bind(*args)",
        "f.__wrapped__(x)",
    ),
    (
        of_an_option_that_is_unknown,
        'of_an_option_that_is_unknown raises ValueError("no such way") for these arguments, '
        "of which some may have their defaults: there is nothing to differentiate",
        "return np.sum(turned)",
        "Give examples",
    ),
    (
        summed_by_an_iterator,
        "numpy.nditer has no derivative rule",
        "for v in np.nditer(x):",
        "for v in x.ravel()",
    ),
    (
        parts_of_a_factorization,
        "scipy.linalg.qz has no derivative rule",
        "T, *_ = linalg.qz(np.outer(x, x), np.eye(4))",
        "Add a rule",
    ),
    (
        times_what_a_helper_gives,
        "the operator * has no derivative rule for this, whose number of axes is not known",
        "return days(WHEN) * x[0]",
        "Write float(x)",
    ),
    (
        edges_of_bins,
        "numpy.histogram has no derivative rule",
        "count, edges = np.histogram(x, bins=5)",
        "Add a rule",
    ),
    (
        times_what_a_file_holds,
        "the operator * has no derivative rule for k, whose number of axes is not known",
        "return k * x[0]",
        "It may come from a file",
    ),
    (
        ranks_compared,
        "scipy.stats.kendalltau has no derivative rule",
        "return stats.kendalltau(x, PLACES).statistic * x[0]",
        "Add a rule",
    ),
    (
        integral_over_several,
        "scipy.integrate.nquad has no derivative rule",
        "return integrate.nquad(lambda t, u: np.exp(-x[0] * t * u), [(0, 1), (0, 1)])[0]",
        "Add a rule",
    ),
    (
        filter_of_a_width_that_varies,
        "scipy.signal.butter has no derivative rule",
        "b, a = signal.butter(2, x[0])",
        "Add a rule",
    ),
    (
        line_by_medians,
        "scipy.stats.theilslopes has no derivative rule",
        "return stats.theilslopes(x).slope",
        "Add a rule",
    ),
    (
        found_in_a_table_by_what_varies,
        "the method .get() has no derivative rule",
        "return LINES.get(x[0], x[0]) * x[1]",
        "give the function a derivative",
    ),
    (
        array_with_named_fields,
        'a store under "place" into what is no dict is not differentiated',
        'state["place"] = x[0] ** 2',
        "array with named fields",
    ),
    (
        joined_from_a_vector,
        "numpy.vstack has no derivative rule for path, whose number of axes is not known",
        "path = np.vstack((path, x))",
        "Give it its axes where it",
    ),
    (
        without_a_rule,
        "numpy.union1d has no derivative rule",
        "return np.sum(np.union1d(x, x[:2]))",
        "Add a rule",
    ),
    (
        of_a_distribution_without_a_rule,
        "stats.skewnorm.ppf has no derivative rule",
        "return np.sum(stats.gamma.logpdf(x, 1.5)) + np.sum(stats.skewnorm.ppf(x, 1.5))",
        "Add a rule",
    ),
    (
        number_out_of_a_text,
        "a number is read from the text of a value that varies",
        'return float(f"{x[0]:.3f}") * x[1]',
        "",
    ),
    (
        number_out_of_bits,
        "a number is read from the bits of a value that varies",
        "y = (6910469410427058089 - (i >> 1)).view(np.float64)",
        "Calculate with the value itself",
    ),
    (
        number_out_of_an_exception,
        "a value that varies and is carried by an exception is not differentiated",
        "s = error.args[0] ** 2",
        "Give it a name before the `raise`",
    ),
    (
        exception_without_a_name,
        "exc_info reads an exception that the text does not show",
        "s = sys.exc_info()[1].args[0] ** 2",
        "Name it where it is caught",
    ),
    (
        one_name_for_two_arrays,
        "flat and A may be one array, and flat is written in place here",
        "flat[0] = 100.0",
        "copy with .copy() where the second name is made",
    ),
    (
        windows_by_strides,
        "numpy.lib.stride_tricks.as_strided has no derivative rule",
        "wide = np.lib.stride_tricks.as_strided(x, (x.size - 2, 3), (x.itemsize, x.itemsize))",
        "sliding_window_view(x, n)",
    ),
    (
        rounded_by_its_text,
        "a number is read from the text of a value that varies",
        "s = sum([float(form.format(part)) for part in x])",
        "Calculate with the value itself",
    ),
)


@pytest.mark.parametrize(
    "function, problem, line, remedy", TABLE, ids=[row[0].__name__ for row in TABLE]
)
def test_a_refusal_names_the_cause_first(function, problem, line, remedy):
    with pytest.raises(s2sad.S2sadError) as caught:
        derivative = s2sad.grad(function)
        derivative(X.copy())
        derivative.source  # noqa: B018
    error = caught.value
    assert str(error).splitlines()[0] == problem
    assert error.problem == problem
    assert error.span is not None and error.span.text().strip() == line
    assert remedy in error.hint
    assert "More: s2sad help " in str(error)


def hexadecimal(x):
    return float.fromhex(x.hex())


def array_of_texts(x):
    return np.array([str(x)]).astype(float).sum()


def ratio_of_whole_numbers(x):
    numerator, denominator = x.as_integer_ratio()
    return numerator / denominator


@pytest.mark.parametrize("make", (s2sad.grad, s2sad.jvp))
@pytest.mark.parametrize("function", (hexadecimal, array_of_texts, ratio_of_whole_numbers))
def test_the_digits_of_a_number_are_no_way_around_it(function, make):
    with pytest.raises(s2sad.Unsupported, match="a value that varies"):
        make(function, like=(1.25,))


def test_what_a_table_gives_by_what_varies_has_no_tangent_either():
    with pytest.raises(s2sad.NoRule, match=r"the method \.get"):
        s2sad.jvp(found_in_a_table_by_what_varies)(X, x_dot=X)


def counted(n, x):
    return np.sum(np.arange(n) * x)


@pytest.mark.parametrize("make", (s2sad.grad, s2sad.jvp))
def test_a_number_that_counts_needs_an_example(make):
    with pytest.raises(s2sad.S2sadError) as caught:
        make(counted, wrt="n").source  # noqa: B018
    problem = caught.value.problem
    assert problem.startswith("n, taken for a whole number, without an example in like=")


def gives_nothing(x):
    pass


def items_of_nothing(x):
    items = tuple(gives_nothing(x))
    return x[0] * items[0]


@pytest.mark.parametrize("make", (s2sad.grad, s2sad.jvp))
def test_items_of_what_a_function_does_not_give(make):
    with pytest.raises(s2sad.ArgumentError, match="'NoneType' object is not iterable"):
        make(items_of_nothing, like=(X,)).source  # noqa: B018


def solved_in_place(x):
    A = np.diag(x)
    rhs = x * 1.0
    return np.sum(linalg.solve(A, rhs, overwrite_b=True))


@pytest.mark.parametrize("make", (s2sad.grad, s2sad.jvp))
def test_a_keyword_that_lets_a_function_write_is_named(make):
    with pytest.raises(s2sad.Unsupported, match="overwrite_b= lets scipy"):
        make(solved_in_place, like=(X,)).source  # noqa: B018


def squares_of_a_set(x):
    return sum(k**2 for k in {x[0], x[1], 2.0, 3.0})


def list_of_a_set(x):
    return np.sum(np.array(list({x[0], x[1], 2.0})) ** 2)


def loop_over_a_set(x):
    s = 0.0
    for k in {x[0], 1.0} | {2.0, x[1]}:
        s += k * k
    return s


def taken_out_of_a_set(x):
    return sorted({x[0], x[1], 2.0, 3.0})[0]


def popped_from_a_set(x):
    held = {x[0] * 1.0, x[1] * 2.0}
    return held.pop() * x[2]


def unpacked_from_a_set(x):
    a, b = {x[0] * 1.0, x[1] * 2.0}
    return a * b + x[2]


SETS = (squares_of_a_set, list_of_a_set, loop_over_a_set, taken_out_of_a_set)
SETS = (*SETS, popped_from_a_set, unpacked_from_a_set)


@pytest.mark.parametrize("make", (s2sad.grad, s2sad.jvp))
@pytest.mark.parametrize("function", SETS)
def test_a_set_that_varies_has_no_order(function, make):
    """Equal tangents of items would be one item of a set of tangents, and stand anywhere in it."""
    with pytest.raises(s2sad.Unsupported) as raised:
        make(function)(X, *([X] if make is s2sad.jvp else []))
    is_sorted = function is taken_out_of_a_set and make is s2sad.grad
    assert is_sorted or "a set has no order" in str(raised.value)


def of_a_masked_array(x):
    m = np.ma.masked_where(x > 0.5, x)
    return np.sum(m)


@pytest.mark.parametrize("make", (s2sad.grad, s2sad.jvp))
def test_masked_arrays_are_named(make):
    with pytest.raises(s2sad.NoRule, match=r"masked_where has no derivative rule(.|\n)*np\.where"):
        make(of_a_masked_array, like=(X,)).source  # noqa: B018


def of_a_module_that_is_not_there(x):
    import no_such_module_anywhere

    return no_such_module_anywhere.mean(x)


@pytest.mark.parametrize("make", (s2sad.grad, s2sad.jvp))
def test_a_module_that_cannot_be_imported_is_to_be_installed(make):
    with pytest.raises(s2sad.Unsupported, match="Install it") as raised:
        make(of_a_module_that_is_not_there, like=(X,)).source  # noqa: B018
    assert "No module named 'no_such_module_anywhere'" in str(raised.value)
    assert "import no_such_module_anywhere" in str(raised.value)


def test_a_function_without_a_rule_is_not_said_to_change_what_it_is_given():
    with pytest.raises(s2sad.NoRule, match="symiirorder1 has no derivative rule"):
        s2sad.grad(beside_an_array_of_the_module)(X)


def none_of_a_kind(x):
    raise ValueError("no such kind")


def with_what_always_raises(x):
    return x * none_of_a_kind(x)


def with_what_raises_on_one_way(x):
    if x > 0.0:
        return x * none_of_a_kind(x)
    return x**2


@pytest.mark.parametrize("make", (s2sad.grad, s2sad.jvp))
def test_what_always_raises_is_no_operand(make):
    """It was taken for None: unsupported operand types for *."""
    with pytest.raises(s2sad.ArgumentError, match=r'raises ValueError\("no such kind"\)'):
        make(with_what_always_raises, like=(1.5,)).source  # noqa: B018
    seed = () if make is s2sad.grad else (1.0,)
    found = make(with_what_raises_on_one_way)(-1.5, *seed)
    assert (found if make is s2sad.grad else found[1]) == -3.0
    with pytest.raises(ValueError, match="no such kind"):
        make(with_what_raises_on_one_way)(1.5, *seed)
