"""Requests are answered by the rooms: a text that stands alone and gives the derivative."""

import inspect
import math
from contextlib import suppress

import numpy as np
import pytest

from s2sad.api.answer import answer
from s2sad.api.request import Request
from s2sad.ir.errors import NotYet
from tests.compare import code_lines
from tests.emitted.cases import cases
from tests.oracles import compare, differences, flatten, leaves
from tests.rooms.forward import judged
from tests.rooms.forward_texts import answered

FORMS = {"grad": "grad", "value_and_grad": "value_and_grad", "vjp": "vjp"}
CASES = {name: case for name, case in cases().items() if case.mode in FORMS and case.like}


def run_alone(made):
    """Return the function of a text that is run by itself."""
    space = {}
    exec(compile(made.source, "<answer>", "exec"), space)
    return space[made.name]


@pytest.mark.parametrize("name", CASES)
def test_the_golden_functions(name):
    case = CASES[name]
    wrt = (case.wrt,) if isinstance(case.wrt, str) else case.wrt
    bound = dict(zip(inspect.signature(case.function).parameters, case.args, strict=False))
    request = Request(case.function, wrt, FORMS[case.mode], isinstance(case.wrt, str), name=name)
    try:
        made = answer(request, bound)
    except NotYet as fault:
        pytest.skip(f"not yet: {fault.reason}")
    found = run_alone(made)(*case.args, *case.extra)
    adjoints = found[1] if case.mode == "value_and_grad" else found
    adjoints = (adjoints,) if request.single else adjoints
    seed = case.extra[0] if case.extra else 1.0
    like = tuple(case.args[k] for k in case.positions)
    expected = differences(case.function, case.args, case.positions, seed)
    assert compare(flatten(adjoints, like), expected) is None, made.source


TANGENTS = {name: case for name, case in cases().items() if case.mode == "jvp"}


@pytest.mark.parametrize("name", TANGENTS)
def test_the_golden_tangents(name):
    case = TANGENTS[name]
    made = answered(case.function, case.args, case.positions)
    assert judged(case.function, case.args, case.positions, run_alone(made)) is None
    assert code_lines(made.source) <= code_lines(case.source())


def test_a_tangent_is_given_without_its_value():
    u, c, u_dot = np.linspace(0.3, 0.9, 4), 2.0, np.array([0.1, -0.4, 0.2, 0.7])
    made = answered(energy, (u, c), (0,), "tangent")
    assert run_alone(made)(u, c, u_dot) == pytest.approx(np.sum(2.0 * c * u * u_dot))


def summed_in_place(x):
    y = x
    y += 3.0 * x
    return y * x


def raised(u, k):
    u[1:] = u[:-1] * k
    return u


@pytest.mark.parametrize(
    ("function", "args", "dots"),
    [
        (raised, (np.ones(3), 2.0), (np.array([1, 0, 0]), 0.0)),  # whole numbers would cut off
        (raised, (np.ones(3), 2.0), (np.ones(4), 0.0)),
        (raised, (np.ones(3), 2.0), (np.ones(3), np.ones(3))),
        (summed_in_place, (2.0,), (np.ones(3),)),  # it would be written to
    ],
)
def test_tangents_of_another_kind_than_their_arguments_are_refused(function, args, dots):
    made = answered(function, args, tuple(range(len(args))))
    with pytest.raises(ValueError, match="made for") as raised_:
        run_alone(made)(*args, *dots)
    assert str(raised_.value) in made.messages


def shrinks(x, y):
    values, total = [x, y, x * y, 2.0], 0.0
    for k, value in enumerate(values):
        total = total * 2 + value * (k + 1)
        if k % 2 == 0:
            del values[0]
    return total


def written_between(u):
    v, total = u.copy(), 0.0
    for x in v:
        v[1:] = 0.5
        total += x * x
    return total


def suppressed(x):
    y = x
    with suppress(ValueError):
        y = math.log(x)
    return y * x


@pytest.mark.parametrize(
    ("function", "args"),
    [
        (shrinks, (0.7, 1.3)),
        (written_between, (np.linspace(0.2, 0.9, 4),)),
        (suppressed, (0.7,)),
        (suppressed, (-0.7,)),
    ],
)
def test_what_a_loop_goes_over_and_what_may_be_left_stay(function, args):
    wrt = tuple(range(len(args)))
    assert judged(function, args, wrt, run_alone(answered(function, args, wrt))) is None


def returned(u):
    return u, [u[1:], 2.0 * u]


def half_square(u):
    return 0.5 * (u @ u)


@pytest.mark.parametrize(
    ("function", "form"),
    [(returned, "jvp"), (returned, "tangent"), (returned, "directional"), (half_square, "hvp")],
)
def test_tangents_that_come_back_are_arrays_of_their_own(function, form):
    u = np.ones(3)
    u_dot = np.ones((2, 3) if form == "directional" else 3)
    found = run_alone(answered(function, (u,), (0,), form))(u, u_dot)
    tangents = found[1] if form == "jvp" else found
    leaves = [tangents] if isinstance(tangents, np.ndarray) else [tangents[0], *tangents[1]]
    assert not any(np.shares_memory(leaf, u_dot) for leaf in leaves)


def scaled(u, c):
    return u * c


def scaled_twice(u, w):
    return np.sum(scaled(u, 2.0)) + np.sum(scaled(w, 3.0))


def test_a_function_stands_once_where_it_is_called_for_two_lengths():
    args = (np.ones(3), np.ones(5))
    made = answered(scaled_twice, args, (0, 1))
    assert made.source.count("def scaled") == 2
    assert judged(scaled_twice, args, (0, 1), run_alone(made)) is None


def energy(u, c):
    return c * np.sum(u**2)


def test_the_message_of_the_check_is_known():
    made = answer(Request(energy, ("u",)), {"u": np.ones(3), "c": 2.0})
    with pytest.raises(ValueError, match="made for") as raised:
        run_alone(made)(np.ones((2, 2)), 2.0)
    assert str(raised.value) in made.messages


def test_one_argument_in_a_tuple_gives_a_tuple():
    made = answer(Request(energy, ("u",), single=False), {"u": np.ones(3), "c": 2.0})
    found = run_alone(made)(np.ones(3), 2.0)
    assert isinstance(found, tuple) and len(found) == 1


# ---------------------------------------------------------------------------- results


def gradients(function, args, wrt=None, form="grad"):
    """Return the text of a derivative, and its function."""
    names = tuple(inspect.signature(function).parameters)
    request = Request(function, wrt or names[: len(args)], form, False)
    made = answer(request, dict(zip(names, args, strict=True)))
    return made.source, run_alone(made)


def both_alike(u, v):
    return np.sum((u + v) ** 2)


def each_by_itself(u, v):
    return np.sum(u * v**2)


def handed_through(u, v):
    return u + v


def of_a_branch(u, v, c):
    if c > 0.0:
        s = np.sum((u + v) ** 2)
    else:
        s = np.sum(u + np.sin(v))
    return s


def of_two_keys(params):
    both = {**params, "c": params["a"] + params["b"]}
    return np.sum(both["c"])


U, V = np.array([0.3, -0.6, 1.1]), np.array([0.7, 0.2, -0.4])


@pytest.mark.parametrize(
    ("function", "args", "seed"),
    [
        (both_alike, (U, V), ()),
        (handed_through, (U, V), (np.array([1.0, 2.0, 3.0]),)),
        (of_a_branch, (U, V, 1.0), ()),
        (of_a_branch, (U, V, -1.0), ()),
        (of_two_keys, ({"a": U, "b": V},), ()),
    ],
)
def test_adjoints_are_arrays_of_their_own(function, args, seed):
    text, made = gradients(function, args, None, "vjp" if seed else "grad")
    found = made(*args, *seed)
    expected = differences(function, args, range(len(args)), *seed)
    assert compare(flatten(found, args), expected) is None, text
    arrays = [a for a in (*leaves(found), *leaves(args), *seed) if isinstance(a, np.ndarray)]
    for number, one in enumerate(arrays[: len(list(leaves(found)))]):
        assert not any(np.shares_memory(one, other) for other in arrays[number + 1 :]), text


def weighted(w, x):
    return np.sum(0.1 * (w * x))


def growing(w, x):
    for _ in range(2):
        w = w + 0.1 * np.sin(w) * x
    return np.sum(w)


def chosen(w, x):
    return np.sum(np.where(w > x, w, 0.1 * x))


@pytest.mark.parametrize("function", [weighted, growing, chosen])
@pytest.mark.parametrize("kinds", [(np.float32, float), (float, np.float32)])
def test_adjoints_have_the_precision_of_their_arguments(function, kinds):
    args = U.astype(kinds[0]), V.astype(kinds[1])
    text, made = gradients(function, args)
    exact = differences(function, [a.astype(float) for a in args], (0, 1))
    found = made(*args)
    for bar, arg, expected in zip(found, args, np.split(exact.value, 2), strict=True):
        assert bar.dtype == arg.dtype, text
        # growing itself takes the sine of single numbers
        is_single = arg.dtype == np.float32 or function is growing
        tolerance = 1e-6 if is_single else 1e-9
        np.testing.assert_allclose(bar, expected, rtol=tolerance, atol=tolerance)


def test_a_precision_that_is_there_is_not_cast_to():
    args = U.astype(np.float32), V.astype(np.float32)
    text, made = gradients(both_alike, args)
    assert text.count("astype") == 2, "each of the two is an array of its own"
    assert not np.shares_memory(*made(*args))
    assert "astype" not in gradients(each_by_itself, args)[0]


def seeded(x, y):
    a = x
    b = a
    a = a + y
    a += x
    b += 2.0 * a
    return a * b + x


def test_a_seed_without_axes_is_not_written_to():
    text, made = gradients(seeded, (2.0, 3.0), None, "vjp")
    seed = np.array(1.0)
    assert made(2.0, 3.0, seed) == made(2.0, 3.0, 1.0), text
    assert seed == 1.0


# ---------------------------------------------------------------------------- loops over ranges


def last_counter(x, n):
    z = x * 2.0
    for z in range(n):  # noqa: B007
        x = x * 1.1
    return z + x**2


def left_early(x, n):
    z = x * 2.0
    for z in range(1, n + 1):
        if z * x > 2.0:
            break
    return z * x + z


def last_of_two(x, n):
    z, k = x * 2.0, x
    for k, z in enumerate(np.linspace(0.5, 1.5, 5)[:n]):  # noqa: B007
        x = np.sin(x)
    return z * x + k


@pytest.mark.parametrize("function", [last_counter, left_early, last_of_two])
@pytest.mark.parametrize("passes", [0, 1, 3])
def test_a_counter_overwrites_what_varies(function, passes):
    text, made = gradients(function, (0.7, passes), ("x",))
    expected = differences(function, (0.7, passes), (0,))
    assert compare(flatten(made(0.7, passes), (0.7,)), expected) is None, text


# ---------------------------------------------------------------------------- views, layouts


def of_a_diagonal(x, s):
    A = np.outer(x, x)
    d = np.diag(A)
    A[0, 0] = 3.0 * s
    return np.sum(d * d)


def of_what_is_stretched(x, s):
    w = x * 2.0
    d = np.broadcast_to(w, (2, 3))
    w[0] = 3.0 * s
    return np.sum(d * d)


@pytest.mark.parametrize("function", [of_a_diagonal, of_what_is_stretched])
def test_a_view_that_cannot_be_written_to_has_no_shadow(function):
    with pytest.raises(NotYet, match="a read-only view of an array that is written"):
        gradients(function, (U, 2.0))


def chosen_holder(u):
    w = 2.0 * u
    q = (w, 1.0) if u[0] > 0.0 else (u * 1.0, 2.0)
    q[0][1] = 3.0
    return np.sum(w * u) * q[1]


def chosen_dict(u):
    w = 2.0 * u
    d = {"a": w} if u[0] > 0.0 else {"a": u * 1.0}
    d["a"][1] = 3.0
    return np.sum(w * u)


def longer_by_a_choice(u):
    w = 2.0 * u
    pair = (w, 1.0)
    three = (*pair, 2.0) if u[0] > 5.0 else pair + (2.0,)  # noqa: RUF005
    three[0][0] = 8.0
    return np.sum(w * u) * pair[1]


@pytest.mark.parametrize("function", [chosen_holder, chosen_dict, longer_by_a_choice])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_what_a_choice_holds_is_what_its_arms_hold(function, sign):
    with suppress(NotYet):
        text, made = gradients(function, (sign * U,))
        found = flatten(made(sign * U)[0], sign * U)
        assert compare(found, differences(function, (sign * U,), (0,))) is None, text


def raveled(A):
    v = A.ravel()
    v[0] = v[1] ** 2
    return np.sum(A**2)


def picked(x, m):
    return np.sum(x[m] ** 2)


def squared(x, square=True):
    return np.sum(x * x) if square else np.sum(x)


def by_mode(x, mode="square"):
    return np.sum(x * x) if mode == "square" else np.sum(x)


SQUARE = np.arange(1.0, 7.0).reshape(2, 3)
MASK, TWICE = np.array([True, False, True]), np.array([1, 1, 2])


@pytest.mark.parametrize(
    ("function", "args", "others", "words"),
    [
        (raveled, (SQUARE,), (np.asfortranarray(SQUARE),), "A, which has to lie in one piece"),
        (picked, (U, MASK), (U, TWICE), "bool array m"),
        (picked, (U, 1), (U, TWICE), "one position m"),
        (squared, (U, True), (U, False), "made for square=True"),
        (by_mode, (U, "square"), (U, "sum"), 'made for mode="square"'),
    ],
)
def test_a_text_asks_for_what_it_relies_on(function, args, others, words):
    text, made = gradients(function, args, tuple(inspect.signature(function).parameters)[:1])
    expected = differences(function, args, (0,))
    given = [a.copy() if isinstance(a, np.ndarray) else a for a in args]
    assert compare(flatten(made(*given)[0], args[0]), expected) is None, text
    with pytest.raises(ValueError, match=words):
        made(*others)


class Fields:
    """Nothing but its fields."""

    def __init__(self, **fields):
        self.__dict__.update(fields)


class Other(Fields):
    """Another class with the same fields."""


def flow(x, p):
    return np.sum(p.A * x**p.n)


def flow_by_class(x, p):
    return np.sum(x) * p.A if isinstance(p, Other) else np.sum(p.A * x**p.n)


def test_an_object_that_is_nothing_but_its_fields_may_be_of_any_class():
    _, made = gradients(flow, (U, Fields(A=2.0, n=3)), ("x",))
    np.testing.assert_allclose(made(U, Other(A=5.0, n=2))[0], 10.0 * U)
    _, made = gradients(flow_by_class, (U, Fields(A=2.0, n=3)), ("x",))
    with pytest.raises(ValueError, match=r"p of class .*Fields"):
        made(U, Other(A=5.0, n=2))


def longer_set(x):
    s = {1, 2}
    t = s
    t |= {3}
    return x * len(s)


def shorter_set(x):
    s = {1, 2}
    t = s
    t -= {1}
    return x * len(s)


def masked(x):
    m = np.ma.masked_less(np.arange(3.0), 1.5)
    return np.sum(m * (x * np.ones(3)))


def of_two_objects(x, ps):
    return x * ps[0].a * ps[1].a


def of_items(x, ps):
    return x * ps[0] * ps[1]


@pytest.mark.parametrize("function", [longer_set, shorter_set, masked])
def test_what_operators_of_other_classes_do_is_right_or_refused(function):
    with suppress(NotYet):
        text, made = gradients(function, (1.3,))
        assert compare(flatten(made(1.3), (1.3,)), differences(function, (1.3,), (0,))) is None, (
            text
        )


@pytest.mark.parametrize(
    ("function", "given", "other"),
    [
        (of_two_objects, (Fields(a=2.0), Fields(a=3.0)), (Fields(a=2.0),) * 3),
        (of_items, (2.0, 3.0), (2.0, 3.0, 4.0)),
        (of_items, {0: 2.0, 1: 3.0}, {1: 3.0, 0: 2.0}),
    ],
)
def test_the_structure_of_what_holds_numbers_is_asked_for(function, given, other):
    text, made = gradients(function, (0.5, given), ("x",))
    assert made(0.5, given)[0] == function(1.0, given)
    with pytest.raises(ValueError, match="made for"):
        made(0.5, other)


# ---------------------------------------------------------------------------- clamps by branches


def clamped_below(x):
    if x < 0.0:
        x = 0.0
    return math.sqrt(x) + x**1.5


def clamped_above(x):
    if x > 1.0:
        x = 1.0
    y = 2.0 * (1.0 - x)
    return math.sqrt(y) + x


def clamped_in_a_loop(x):
    s = 0.0
    for k in range(3):
        d = x - 0.1 * k
        if d < 0.0:
            d = 0.0
        s = s + math.sqrt(d)
    return s


@pytest.mark.parametrize("function", [clamped_below, clamped_above, clamped_in_a_loop])
@pytest.mark.parametrize("x", [-0.3, 0.15, 0.7, 1.5])
def test_the_slope_at_what_a_branch_clamps_to_is_left_out(function, x):
    text, made = gradients(function, (0.4,))
    assert compare(flatten(made(x), (x,)), differences(function, (x,), (0,))) is None, text


# ---------------------------------------------------------------------------- names of seeds


def beside_a_seed(seed, x):
    return seed * x


def local_seed(x):
    seed = x * x
    seed[0] = 2.0
    return seed * x


def pulled_back(r, phi, seed):
    return r * np.cos(phi) * seed[0], r * seed[1]


@pytest.mark.parametrize(
    ("function", "args", "seed", "named"),
    [
        (beside_a_seed, (3.0, 2.0), 0.7, "seed_2"),
        (beside_a_seed, (U, V), np.array([1.0, 2.0, 3.0]), "seed_2"),
        (local_seed, (U,), np.array([1.0, 2.0, 3.0]), "seed"),
        (pulled_back, (0.7, 0.3, (0.2, 0.4)), (1.0, 2.0), "seed_2"),
    ],
)
def test_a_seed_has_a_name_of_its_own(function, args, seed, named):
    count = 1 if function is local_seed else 2
    names = tuple(inspect.signature(function).parameters)
    text, made = gradients(function, args, names[:count], "vjp")
    assert tuple(inspect.signature(made).parameters) == (*names, named), text
    given = [a.copy() if isinstance(a, np.ndarray) else a for a in args]
    expected = differences(function, args, range(count), seed)
    assert compare(flatten(made(*given, seed), args[:count]), expected) is None, text


def beside_a_tangent(x, x_dot):
    return x * x_dot**2


def test_names_of_tangents_that_the_user_has_taken_are_others():
    made = answered(beside_a_tangent, (2.0, 3.0), (0, 1))
    assert list(inspect.signature(run_alone(made)).parameters) == [
        "x",
        "x_dot",
        "x_tan",
        "x_dot_tan",
    ]
    assert judged(beside_a_tangent, (2.0, 3.0), (0, 1), run_alone(made)) is None


def cast(u, k, p):
    y = u[k] - p
    return y.astype(float) * p


def test_methods_of_numbers_are_taken_of_numbers_of_numpy():
    made = answered(cast, (np.ones(3), 2, 0.8), (2,))
    assert run_alone(made)(np.ones(3), 2, 0.8, 1.0)[1] == pytest.approx(1.0 - 2 * 0.8)
