"""The functions that users call, and the callables that they return."""

import copy
import inspect
import linecache
import os
import pickle
import subprocess
import sys
import threading
import time
import traceback

import numpy as np
import pytest

import s2sad
from s2sad.api import callable as callable_module
from s2sad.api.request import Derivative
from s2sad.types.kinds import exact_kind

RNG = np.random.default_rng(7)


def misfit(W, m, d):
    """Half the squared misfit of tanh."""
    r = np.dot(W, m) - d
    s = np.tanh(r)
    return 0.5 * np.sum(s * s)


def misfit_bars(W, m, d):
    s = np.tanh(np.dot(W, m) - d)
    r_bar = s * (1.0 - s**2)
    return np.outer(r_bar, m), np.dot(r_bar, W)


def cube(x, scale=2.0):
    return scale * x**3


def square(x):
    return x * x


def norm(params, x):
    W, b = params
    return np.sum((np.dot(W, x) + b) ** 2)


decorated = s2sad.grad(square)


@s2sad.grad
def shadowed(x):
    return x * x * x


def arguments():
    return RNG.standard_normal((4, 3)), RNG.standard_normal(3), RNG.standard_normal(4)


# ---------------------------------------------------------------------------- calling


def test_grad_is_with_respect_to_the_first_argument():
    W, m, d = arguments()
    np.testing.assert_allclose(s2sad.grad(misfit)(W, m, d), misfit_bars(W, m, d)[0], rtol=1e-13)


@pytest.mark.parametrize("wrt", ["m", 1])
def test_a_single_wrt_gives_the_bare_gradient(wrt):
    W, m, d = arguments()
    found = s2sad.grad(misfit, wrt=wrt)(W, m, d)
    np.testing.assert_allclose(found, misfit_bars(W, m, d)[1], rtol=1e-13)


@pytest.mark.parametrize("wrt", [("m", "W"), (1, 0), ("m", 0), ["m", "W"]])
def test_a_tuple_of_wrt_gives_a_tuple_in_its_order(wrt):
    W, m, d = arguments()
    found = s2sad.grad(misfit, wrt=wrt)(W, m, d)
    assert isinstance(found, tuple)
    for got, expected in zip(found, reversed(misfit_bars(W, m, d)), strict=True):
        np.testing.assert_allclose(got, expected, rtol=1e-13)


def test_a_tuple_of_one_gives_a_tuple_of_one():
    W, m, d = arguments()
    found = s2sad.grad(misfit, wrt=("m",))(W, m, d)
    assert isinstance(found, tuple) and len(found) == 1


def test_value_and_grad_gives_value_then_gradient():
    W, m, d = arguments()
    value, W_bar = s2sad.value_and_grad(misfit)(W, m, d)
    assert value == misfit(W, m, d)
    np.testing.assert_allclose(W_bar, misfit_bars(W, m, d)[0], rtol=1e-13)


def test_vjp_takes_a_seed_of_the_shape_of_the_result():
    def model(W, m):
        return np.tanh(np.dot(W, m))

    W, m, seed = arguments()
    found = s2sad.vjp(model, wrt=("W", "m"))(W, m, seed)
    z_bar = seed * (1.0 - np.tanh(np.dot(W, m)) ** 2)
    np.testing.assert_allclose(found[0], np.outer(z_bar, m), rtol=1e-13)
    np.testing.assert_allclose(found[1], np.dot(z_bar, W), rtol=1e-13)


def test_jvp_gives_value_and_tangent():
    W, m, d = arguments()
    W_dot, m_dot = RNG.standard_normal(W.shape), RNG.standard_normal(m.shape)
    value, tangent = s2sad.jvp(misfit, wrt=("W", "m"))(W, m, d, W_dot, m_dot)
    W_bar, m_bar = misfit_bars(W, m, d)
    assert value == misfit(W, m, d)
    np.testing.assert_allclose(tangent, np.sum(W_bar * W_dot) + np.dot(m_bar, m_dot), rtol=1e-12)


def test_keywords_and_defaults_bind_as_they_do_for_the_function():
    df = s2sad.grad(cube)
    assert df(2.0) == df(x=2.0) == df(2.0, scale=2.0) == df(scale=2.0, x=2.0) == 24.0
    assert df(2.0, 1.0) == 12.0


def test_one_callable_serves_every_kind_of_argument():
    df = s2sad.grad(square)
    assert df(3.0) == 6.0
    assert df(np.float64(3.0)) == 6.0
    assert s2sad.grad(lambda x: np.sum(x * x))(np.ones(3)).tolist() == [2.0, 2.0, 2.0]


def test_the_callers_arguments_are_untouched():
    args = arguments()
    before = copy.deepcopy(args)
    s2sad.grad(misfit, wrt=("W", "m", "d"))(*args)
    assert all(np.array_equal(a, b) for a, b in zip(args, before, strict=True))


def test_the_jvp_of_a_gradient_is_a_hessian_product():
    hessian_product = s2sad.jvp(s2sad.grad(cube))
    assert list(hessian_product.__signature__.parameters) == ["x", "scale", "x_dot"]
    gradient, product = hessian_product(x=1.5, scale=2.0, x_dot=0.5)
    assert gradient == pytest.approx(13.5, rel=1e-14)
    assert product == pytest.approx(9.0, rel=1e-14)


def test_a_derivative_follows_a_parameter_called_seed():
    def scaled(seed, x):
        return seed * x

    assert s2sad.vjp(scaled, wrt="x")(3.0, 2.0, 1.0) == 3.0
    assert list(s2sad.vjp(scaled).__signature__.parameters) == ["seed", "x", "seed_2"]


def as_list(x):
    return [x * x, 3.0 * x]


def as_nested(x):
    return x * x, (x, [2.0 * x])


def as_tuple_of_one(x):
    return (x * x,)


def as_named_tuple(x):
    pair = (x * x, x)
    return pair


def with_constants(x):
    return x * x, 3.0, WEIGHTS


WEIGHTS = np.array([1.0, 2.0])
STRUCTURES = [
    (as_list, [6.0, 3.0], [1.0, 2.0], 12.0),
    (as_nested, (6.0, (1.0, [2.0])), (1.0, (3.0, [5.0])), 19.0),
    (as_tuple_of_one, (6.0,), (2.0,), 12.0),
    (as_named_tuple, (6.0, 1.0), (1.0, 2.0), 8.0),
    (with_constants, (6.0, 0.0, np.zeros(2)), (1.0, 2.0, np.ones(2)), 6.0),
]


@pytest.mark.parametrize(("function", "tangent", "seed", "adjoint"), STRUCTURES)
def test_results_of_any_structure(function, tangent, seed, adjoint):
    forward, reverse = s2sad.jvp(function), s2sad.vjp(function)
    for df in (forward, s2sad.jvp(function, like=(3.0,))):
        value, found = df(3.0, 1.0)
        assert repr(value) == repr(function(3.0))
        assert repr(found) == repr(tangent)
    assert reverse(3.0, seed) == adjoint
    assert s2sad.vjp(function, like=(3.0,))(3.0, seed) == adjoint
    for wrong in (1.0, (1.0, 2.0, 3.0, 4.0), (np.ones(2),)):
        with pytest.raises(s2sad.ArgumentError, match="seed"):
            reverse(3.0, wrong)


@pytest.mark.parametrize("function", [each[0] for each in STRUCTURES])
@pytest.mark.parametrize("make", [s2sad.grad, s2sad.value_and_grad])
def test_results_that_are_no_scalar_have_no_gradient(make, function):
    with pytest.raises(s2sad.ArgumentError, match="scalar"):
        make(function)(3.0)


# ---------------------------------------------------------------------------- dress


def test_the_callable_carries_name_signature_docstring_and_wrapped():
    df = s2sad.grad(misfit)
    assert df.__name__ == df.__qualname__ == "misfit_grad"
    assert df.__module__ == __name__
    assert df.primal is misfit
    assert inspect.getsource(df).startswith("def misfit_grad(W, m, d):")
    assert inspect.signature(df) == inspect.signature(misfit)
    assert "respect to W" in df.__doc__ and "Half the squared misfit" in df.__doc__
    assert repr(df) == f"<s2sad derivative {__name__}.misfit_grad(W, m, d)>"


@pytest.mark.parametrize(
    ("make", "function", "wrt", "name", "parameters"),
    [
        (s2sad.value_and_grad, misfit, None, "misfit_value_and_grad", "(W, m, d)"),
        (s2sad.vjp, misfit, None, "misfit_vjp", "(W, m, d, seed)"),
        (s2sad.jvp, misfit, ("d", "W"), "misfit_jvp", "(W, m, d, d_dot, W_dot)"),
        (s2sad.vjp, cube, None, "cube_vjp", "(x, scale=2.0, *, seed)"),
        (s2sad.jvp, cube, None, "cube_jvp", "(x, scale=2.0, *, x_dot)"),
    ],
)
def test_seeds_and_tangents_follow_the_functions_own_parameters(
    make, function, wrt, name, parameters
):
    made = make(function, wrt)
    assert made.__name__ == name
    assert str(inspect.signature(made)) == parameters


@pytest.mark.parametrize("make", [s2sad.grad, s2sad.value_and_grad, s2sad.vjp, s2sad.jvp])
@pytest.mark.parametrize("function", [misfit, cube])
def test_the_emitted_function_has_the_signature_that_is_shown(make, function):
    df = make(function)
    emitted = inspect.signature(df.emitted(None).function)
    assert list(emitted.parameters) == list(df.__signature__.parameters)
    kinds = [each.kind for each in df.__signature__.parameters.values()]
    assert [each.kind for each in emitted.parameters.values()] == kinds


def test_seeds_and_tangents_follow_all_arguments_or_are_named():
    reverse, forward = s2sad.vjp(cube), s2sad.jvp(cube, wrt=("x", "scale"))
    assert reverse(2.0, seed=0.5) == reverse(2.0, 2.0, 0.5) == reverse(2.0, 2.0, seed=0.5) == 12.0
    assert forward(2.0, 2.0, 1.0, 0.0) == forward(2.0, x_dot=1.0, scale_dot=0.0) == (16.0, 24.0)


@pytest.mark.parametrize(
    "call",
    [
        lambda df: df(2.0),
        lambda df: df(2.0, 0.5),
        lambda df: df(2.0, 2.0),
        lambda df: df(2.0, 2.0, 0.5, 0.5),
        lambda df: df(2.0, 2.0, 0.5, seed=0.5),
        lambda df: df(2.0, 2.0, 0.5, scale=0.5),
    ],
)
def test_a_seed_that_may_be_a_default_is_refused(call):
    with pytest.raises(s2sad.ArgumentError, match=r"Give seed=\.\.\. by name"):
        call(s2sad.vjp(cube))


def test_source_is_the_saved_file(tmp_path):
    df = s2sad.grad(misfit, like=arguments())
    path = df.save(tmp_path / "misfit_grad.py", lines=True)
    head, _, text = path.read_text().partition("\n\n")
    assert head.startswith("# Made by s2sad") and text == df.source
    assert "s2sad" not in [line.split()[1] for line in df.source.splitlines() if "import" in line]


def test_like_specialises_the_text():
    generic, made = s2sad.grad(misfit).source, s2sad.grad(misfit, like=arguments()).source
    assert generic != made
    assert "float64" in made


def test_graph_is_the_dataflow_graph():
    assert "digraph" in s2sad.grad(misfit).graph.dot()


def test_show_prints_python_that_runs():
    text = s2sad.show(misfit, after="lowering")
    namespace = {"np": np}
    exec(text, namespace)
    args = arguments()
    assert namespace["misfit"](*args) == misfit(*args)


def test_show_refuses_an_unknown_stage():
    with pytest.raises(s2sad.ArgumentError, match="frobnicate"):
        s2sad.show(misfit, after="frobnicate")


# ---------------------------------------------------------------------------- copies


@pytest.mark.parametrize("df", [s2sad.grad(misfit, wrt=("W", "m")), s2sad.jvp(misfit)])
def test_pickle_makes_the_derivative_again(df):
    again = pickle.loads(pickle.dumps(df))
    assert again.source == df.source
    assert again.__signature__ == df.__signature__


def test_pickle_keeps_what_the_text_was_made_for():
    df = s2sad.grad(misfit, like=arguments())
    assert pickle.loads(pickle.dumps(df)).source == df.source


def test_pickle_of_a_derivative_of_a_derivative():
    df = pickle.loads(pickle.dumps(s2sad.grad(s2sad.grad(square))))
    assert df(3.0) == 2.0


def test_pickle_of_a_decorated_function_is_its_name():
    assert pickle.loads(pickle.dumps(shadowed)) is shadowed
    assert shadowed(2.0) == 12.0


def test_pickle_of_a_local_function_says_why_not():
    def local(x):
        return x * x

    with pytest.raises(s2sad.ArgumentError, match="cannot be pickled"):
        pickle.dumps(s2sad.grad(local))


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy])
def test_copies_work_for_local_functions_too(duplicate):
    df = duplicate(s2sad.grad(lambda x: x * x))
    assert df(3.0) == 6.0


# ---------------------------------------------------------------------------- tracebacks


def test_tracebacks_show_the_emitted_line():
    W, _, d = arguments()
    df = s2sad.grad(misfit)
    with pytest.raises(
        s2sad.ArgumentError, match="misfit does not take these arguments: ValueError"
    ):
        df(W, np.ones(7), d)
    with pytest.raises(ValueError) as caught:
        df.emitted(None).function(W, np.ones(7), d)
    frames = traceback.extract_tb(caught.value.__traceback__)
    frame = next(each for each in frames if each.filename.startswith("<s2sad misfit_grad "))
    assert "np.dot(W, m)" in frame.line


def test_the_text_survives_linecache_checks():
    made = s2sad.grad(misfit).emitted(None)
    linecache.checkcache()
    assert inspect.getsource(made.function).startswith("def misfit_grad(")


def test_pdb_lists_the_emitted_source(tmp_path):
    script = tmp_path / "debugged.py"
    script.write_text(
        "import pdb, s2sad\n"
        "def f(x):\n    return 1.0 / x\n"
        "df = s2sad.grad(f)\n"
        "try:\n    df(0.0)\n"
        "except ZeroDivisionError as error:\n    pdb.post_mortem(error.__traceback__)\n"
    )
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, str(script)]
    run = subprocess.run(command, input="longlist\nq\n", env=env, capture_output=True, text=True)
    assert "def f_grad(x):" in run.stdout, run.stdout + run.stderr


# ---------------------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("wrt", "words"),
    [
        ("q", "misfit has no parameter 'q'"),
        (3, "no parameter at position 3"),
        (-4, "no parameter at position -4"),
        (("W", -3), "names W twice"),
        (True, "not of True"),
        (1.0, "not of 1.0"),
        ((), "wrt is empty"),
        (("W", 0), "names W twice"),
        (("W", None), "not of None"),
    ],
)
def test_a_wrong_wrt_is_refused(wrt, words):
    with pytest.raises(s2sad.ArgumentError, match=words):
        s2sad.grad(misfit, wrt=wrt)


def test_positions_count_from_the_end_too():
    assert s2sad.grad(misfit, argnums=-1).source == s2sad.grad(misfit, wrt="d").source


def test_a_wrong_name_is_answered_with_the_right_ones():
    with pytest.raises(s2sad.ArgumentError, match="Its parameters: W, m, d"):
        s2sad.grad(misfit, wrt="w")


@pytest.mark.parametrize(
    ("function", "error"),
    [
        (3, s2sad.ArgumentError),
        ("f", s2sad.ArgumentError),
        (len, s2sad.NoSource),
        (np.add.reduce, s2sad.NoSource),
        (int, s2sad.ArgumentError),
        ([].append, s2sad.NoSource),
        (pickle.Pickler, s2sad.ArgumentError),
    ],
)
def test_what_is_no_function_with_a_text_is_refused(function, error):
    with pytest.raises(error):
        s2sad.grad(function)


def test_a_function_without_parameters_is_refused():
    with pytest.raises(s2sad.ArgumentError, match="has no parameter to differentiate"):
        s2sad.grad(lambda: 1.0)


def test_a_function_typed_without_a_file_has_no_source():
    namespace = {}
    exec("def typed(x):\n    return x * x\n", namespace)
    with pytest.raises(s2sad.NoSource):
        s2sad.grad(namespace["typed"])


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (3, "x is an integer"),
        (True, "x is an integer"),
        (np.int64(3), "x is an integer"),
        (np.arange(3), "x is an array of int64"),
        (np.ones(3, bool), "x is an array of bool"),
        (np.array([1.0, None]), "x is an array of object"),
        ("text", "x is a str"),
        (None, "x is a NoneType"),
        ([1.0, 2], r"x\[1\] is an integer"),
        ({"a": np.arange(2)}, r"x\['a'\] is an array of int64"),
    ],
)
def test_what_is_not_continuous_cannot_be_differentiated(value, words):
    with pytest.raises(s2sad.ArgumentError, match=words):
        s2sad.grad(square)(value)


def test_an_integer_says_what_to_pass_instead():
    with pytest.raises(s2sad.ArgumentError, match=r"Pass a float: 3\.0"):
        s2sad.grad(square)(3)


def test_matrices_and_masked_arrays_are_refused():
    for value in (np.matrix([[1.0]]), np.ma.masked_array([1.0, 2.0])):
        with pytest.raises(s2sad.ArgumentError, match=r"np\.asarray\(x\)"):
            s2sad.grad(square)(value)


def test_an_integer_in_like_is_refused_too():
    with pytest.raises(s2sad.ArgumentError, match="x is an integer"):
        s2sad.grad(square, like=(3,))


@pytest.mark.parametrize("like", [3.0, [3.0], np.ones(3)])
def test_like_is_a_tuple(like):
    with pytest.raises(s2sad.ArgumentError, match=r"like=\(x,\)"):
        s2sad.grad(square, like=like)


def test_like_must_fit_the_parameters():
    with pytest.raises(s2sad.ArgumentError, match="missing a required argument: 'd'"):
        s2sad.grad(misfit, like=(1.0, 2.0))


@pytest.mark.parametrize("make", [s2sad.grad, s2sad.value_and_grad])
def test_an_output_that_is_no_scalar_has_no_gradient(make):
    with pytest.raises(s2sad.ArgumentError, match="scalar"):
        make(square)(np.ones(3))


def test_a_tuple_has_no_gradient():
    with pytest.raises(s2sad.S2sadError):
        s2sad.grad(lambda x: (x, x))(1.0)


@pytest.mark.parametrize("seed", [np.ones(4), 1.0, np.ones((3, 1)), np.ones(3, int)])
def test_a_seed_that_does_not_fit_is_refused(seed):
    with pytest.raises(s2sad.ArgumentError, match="seed"):
        s2sad.vjp(square)(np.ones(3), seed)


@pytest.mark.parametrize("tangent", [np.ones(4), 1.0, np.ones((3, 1)), np.ones(3, int)])
def test_a_tangent_that_does_not_fit_is_refused(tangent):
    with pytest.raises(s2sad.ArgumentError, match="x_dot"):
        s2sad.jvp(square)(np.ones(3), tangent)


def test_a_tangent_must_be_built_like_its_argument():
    params, x = (np.ones((2, 3)), np.ones(2)), np.ones(3)
    with pytest.raises(s2sad.ArgumentError, match="params_dot is not built like params"):
        s2sad.jvp(norm)(params, x, (np.ones((2, 3)),))


@pytest.mark.parametrize("W", [np.ones(3), np.ones((2, 4, 3))])
def test_an_argument_of_another_rank_than_like_is_refused(W):
    df = s2sad.grad(misfit, like=arguments())
    with pytest.raises(s2sad.ArgumentError, match="made for W with 2 axes"):
        df(W, np.ones(3), np.ones(4))


def test_wrong_numbers_of_arguments_are_refused():
    df = s2sad.grad(misfit)
    for call in (lambda: df(), lambda: df(1.0, 2.0, 3.0, 4.0), lambda: df(1.0, 2.0, q=3.0)):
        with pytest.raises(s2sad.ArgumentError, match=r"misfit_grad\(W, m, d\)"):
            call()


# ---------------------------------------------------------------------------- specialising


class Pipeline:
    """A stand-in that counts what it derives and writes a text that may assume something."""

    def __init__(self, monkeypatch, assumption=""):
        self.asked = []
        self.assumption = assumption
        monkeypatch.setattr(callable_module, "text_for", self.derive)

    def derive(self, request, examples):
        self.asked.append(request.given)
        time.sleep(0.01)
        assumed = self.assumption and request.given is not None
        check = f"    if x.shape[0] != 3:\n        raise ValueError('{self.assumption}')\n"
        which = "generic" if request.given is None else "made"
        source = f"def square_grad(x):\n{check if assumed else ''}    return '{which}', x\n"
        messages = frozenset({self.assumption} if self.assumption else ())
        return Derivative(source, "square_grad", messages)


def test_each_kind_of_arguments_is_derived_once(monkeypatch):
    stand_in = Pipeline(monkeypatch)
    df = s2sad.grad(square)
    assert not stand_in.asked
    for x in (1.0, 2.0, np.ones(2), np.zeros(2), np.ones(3), np.ones((2, 2)), 5.0):
        df(x)
    assert len(stand_in.asked) == 3


def test_a_text_whose_assumption_fails_gives_way_to_the_generic_one(monkeypatch):
    Pipeline(monkeypatch, "made for an x of length 3")
    df = s2sad.grad(square)
    assert df(np.ones(3))[0] == "made"
    assert df(np.ones(4))[0] == "generic"
    assert df(np.ones(4))[0] == "generic"
    assert df(np.ones(3))[0] == "made"


def test_what_the_generic_text_refuses_too_is_an_argument_error(monkeypatch):
    source = "def square_grad(x):\n    raise ValueError('the result is not a scalar')\n"
    messages = frozenset({"the result is not a scalar"})

    def derive(request, examples):
        return Derivative(source, "square_grad", messages)

    monkeypatch.setattr(callable_module, "text_for", derive)
    with pytest.raises(s2sad.ArgumentError, match="these arguments: the result is not a scalar"):
        s2sad.grad(square)(np.ones(3))


def test_a_value_error_of_the_users_own_is_not_swallowed(monkeypatch):
    Pipeline(monkeypatch, "made for an x of length 3")

    class Short:
        @property
        def shape(self):
            raise ValueError("made for an x of length 3")

    df = s2sad.grad(square)
    df(np.ones(3))
    with pytest.raises(ValueError, match="made for an x") as caught:
        callable_module.DerivativeFunction.__call__(df, Short())
    assert not isinstance(caught.value, s2sad.S2sadError)


def test_threads_share_one_derivation(monkeypatch):
    stand_in = Pipeline(monkeypatch)
    df = s2sad.grad(square)
    found = []
    threads = [threading.Thread(target=lambda: found.append(df(np.ones(3)))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert len(stand_in.asked) == 1


def test_the_table_of_shapes_stays_small(monkeypatch):
    Pipeline(monkeypatch)
    monkeypatch.setattr(callable_module, "_REMEMBERED", 10)
    df = s2sad.grad(square)
    for n in range(2, 40):
        df(np.ones(n))
    assert len(df._exact) <= 10


def test_an_error_that_arguments_may_cure_waits_for_them(monkeypatch):
    def derive(request, examples):
        error = s2sad.Unsupported("x may be a list")
        error.certain = False
        if request.given is None:
            raise error
        return Derivative("def square_grad(x):\n    return 1.0\n", "square_grad", frozenset())

    monkeypatch.setattr(callable_module, "text_for", derive)
    df = s2sad.grad(square)
    assert df(3.0) == 1.0
    with pytest.raises(s2sad.Unsupported):
        _ = df.source


def test_what_cannot_be_imported_cannot_be_saved(monkeypatch, tmp_path):
    source = "def square_grad(x):\n    return helper(x)\n"

    def derive(request, examples):
        return Derivative(source, "square_grad", frozenset(), bindings={"helper": abs})

    monkeypatch.setattr(callable_module, "text_for", derive)
    df = s2sad.grad(square)
    assert df(-3.0) == 3.0
    with pytest.raises(s2sad.ArgumentError, match="it uses helper"):
        df.save(tmp_path / "out.py")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (np.ones(3), np.ones(4)),
        (np.ones(3), np.ones(3, np.float32)),
        (np.ones(3), np.ones(3, ">f8")),
        (np.ones(1), np.ones(())),
        (1.0, 1),
        (1, True),
        (True, False),
        (0, False),
        ("a", "b"),
        (np.str_("a"), np.str_("b")),
        (float, int),
        (np.dtype("f8"), np.dtype(">f8")),
        (None, "None"),
        (1.0, np.float64(1.0)),
        ((1.0, 2), (1.0, 2.0)),
        ([1.0], (1.0,)),
        ([], [1.0]),
        ([[1.0]], [1.0]),
        ({"a": 1.0}, {"b": 1.0}),
    ],
)
def test_kinds_that_differ_have_different_keys(one, other):
    assert exact_kind(one) != exact_kind(other)


def test_a_long_list_of_numbers_has_a_short_key():
    assert exact_kind([1.0] * 1000) == exact_kind([2.0] * 500)


# ---------------------------------------------------------------------------- checking


def test_check_grad_agrees_with_itself():
    report = s2sad.check_grad(misfit, arguments(), wrt=("W", "m", "d"))
    assert report and report.ok
    assert [row.path for row in report.rows] == ["W", "m", "d"]
    assert str(report).count("yes") == 3


def test_check_grad_takes_every_argument_that_holds_floats():
    def power(x, n, name):
        return x**n

    assert [row.path for row in s2sad.check_grad(power, (1.5, 3, "x")).rows] == ["x"]


def test_check_grad_weighs_results_of_any_shape():
    assert s2sad.check_grad(square, (RNG.standard_normal((2, 3)),)).ok


def test_check_grad_reaches_into_structured_arguments():
    params = RNG.standard_normal((2, 3)), RNG.standard_normal(2)
    report = s2sad.check_grad(norm, (params, RNG.standard_normal(3)), wrt="params")
    assert [row.path for row in report.rows] == ["params[0]", "params[1]"]
    assert report.ok, str(report)


def test_check_grad_works_in_single_precision():
    x = RNG.standard_normal(5).astype(np.float32)
    assert s2sad.check_grad(lambda x: np.sum(np.sin(x)), (x,)).ok


def sines(x):
    return np.sum(np.sin(x))


def wrong_text(monkeypatch, mode, source):
    real = callable_module.text_for

    def derive(request, examples):
        if request.mode != mode:
            return real(request, examples)
        name = "sines_jvp" if mode == "forward" else "sines_vjp"
        return Derivative(source, name, frozenset())

    monkeypatch.setattr(callable_module, "text_for", derive)


def test_check_grad_says_which_element_is_wrong(monkeypatch):
    wrong_text(
        monkeypatch,
        "reverse",
        "import numpy as np\n"
        "def sines_vjp(x, seed):\n"
        "    x_bar = seed * np.cos(x)\n"
        "    x_bar[2] *= 1.5\n"
        "    return (x_bar,)\n",
    )
    report = s2sad.check_grad(sines, (np.array([0.1, 0.2, 0.3]),))
    assert not report
    assert "x[2]" in str(report) and "x[1]" not in str(report)
    assert "reverse and forward differ" in str(report)


def test_check_grad_finds_a_wrong_tangent(monkeypatch):
    wrong_text(
        monkeypatch,
        "forward",
        "import numpy as np\n"
        "def sines_jvp(x, x_dot):\n"
        "    return np.sum(np.sin(x)), 1.001 * np.sum(np.cos(x) * x_dot)\n",
    )
    assert not s2sad.check_grad(sines, (np.array([0.1, 0.2, 0.3]),)).ok


def test_check_grad_finds_what_both_modes_have_wrong(monkeypatch):
    # a derivative of another function than the one that is called
    text = "def sines_{}(x, {}):\n    return {}\n"
    wrong_text(monkeypatch, "forward", text.format("jvp", "x_dot", "0.0, 2.0 * x_dot"))
    wrong_text(monkeypatch, "reverse", text.format("vjp", "seed", "(2.0 * seed,)"))
    report = s2sad.check_grad(sines, (0.3,))
    assert not report.ok
    assert "differences do not agree" in str(report)


def test_check_grad_does_not_agree_at_a_kink():
    report = s2sad.check_grad(lambda x: abs(x - 1.0), (1.0 + 1e-9,))
    assert not report.ok
    assert "kink" in str(report)


@pytest.mark.parametrize("args", [3.0, [1.0], np.ones(2)])
def test_check_grad_takes_a_tuple(args):
    with pytest.raises(s2sad.ArgumentError, match="tuple"):
        s2sad.check_grad(square, args)


def test_check_grad_wants_a_float():
    with pytest.raises(s2sad.ArgumentError, match="holds a float"):
        s2sad.check_grad(square, (3,))


# ---------------------------------------------------------------------------- determinism


def test_the_text_does_not_depend_on_the_hash_seed():
    code = (
        f"import sys; sys.path.insert(0, {os.path.dirname(__file__)!r})\n"
        "import test_calling, s2sad\n"
        "print(s2sad.grad(test_calling.misfit, wrt=('d', 'W', 'm')).source)"
    )
    texts = set()
    for seed in ("0", "1", "42"):
        env = {**os.environ, "PYTHONHASHSEED": seed}
        run = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True)
        assert run.returncode == 0, run.stderr
        texts.add(run.stdout)
    assert len(texts) == 1


def told_beside_numbers(x):
    y = x * x
    return y, y > 0.1, 3, [y * x, 2]


def test_check_grad_takes_results_that_hold_more_than_floats() -> None:
    assert s2sad.check_grad(told_beside_numbers, (0.3,))


def unchanged_by_x(x, y):
    return y * (np.sin(x) ** 2 + np.cos(x) ** 2)


def changed_by_less_than_rounding(x, y):
    return y + 1e-30 * x


@pytest.mark.parametrize("function", [unchanged_by_x, changed_by_less_than_rounding])
def test_derivatives_below_the_rounding_of_the_value_agree(function):
    """Reverse mode may give 0.0 where forward mode gives 1e-17, of a value near 1."""
    assert s2sad.check_grad(function, (0.7, 1.3))


def cubes(x, *weights, **options):
    return options["scale"] * sum(np.sum(w * x**3) for w in weights)


def test_a_product_with_the_hessian_takes_any_number_of_arguments() -> None:
    x, dot = np.array([0.3, 0.7]), np.array([1.0, -2.0])
    product = s2sad.hvp(cubes)
    for weights in ([x], [x, x + 1.0]):
        found = product(x, *weights, scale=2.0, x_dot=dot)
        np.testing.assert_allclose(found, 12.0 * sum(weights) * x * dot)
