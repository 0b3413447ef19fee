"""Texts for other array modules: by a strict stand-in for CuPy, by its names, and by Dask."""

from __future__ import annotations

import copy
import inspect
import math
import subprocess
import sys
import warnings
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy.linalg import solve_triangular
from scipy.special import erf, gammaln, jv, xlogy

import s2sad
from s2sad.api.commands import main as cli
from s2sad.ir.errors import S2sadError
from s2sad.operators.cupy_names import HAVING, LACKING
from tests.benchmarks import gpu
from tests.benchmarks.experts import CASES as EXPERTS
from tests.benchmarks.experts import Case
from tests.kernels.test_kernels import KERNELS
from tests.modules import standin
from tests.modules.standin import standing_in, to_device, to_host
from tests.programs.entry import Entry, numbers
from tests.programs.table import ALL

U, V = numbers(12), numbers(12, start=0.1)


def chain(u, v, c):
    a = np.tanh(u) * v + c
    b = np.exp(-a * a) / (1.0 + u * u)
    return np.sum(a * b + np.sin(b))


def steps(u, v, dt, count):
    for _ in range(count):
        lap = np.roll(u, 1) - 2.0 * u + np.roll(u, -1)
        r = u * v**2
        u = u + dt * (lap - r)
        v = v + dt * (r - 0.1 * v)
    return np.sum(v**2)


def element_by_element(u):
    total, last = 0.0, u[0]
    for i in range(len(u)):
        total += u[i] * last
        last = u[i]
    return total * last


def _kept(value: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return copy.deepcopy(value)


def close(a: Any, b: Any) -> bool:
    if isinstance(a, (tuple, list)):
        return len(a) == len(b) and all(map(close, a, b))
    if isinstance(a, dict):
        return all(close(a[key], b[key]) for key in a)
    if a is None or b is None:
        return a is b
    return np.shape(a) == np.shape(b) and np.allclose(a, b, rtol=1e-10, atol=1e-12, equal_nan=True)


# ---------------------------------------------------------------- programs


def _means_something_else(function: Any, args: Any) -> bool:
    """Tell whether a function, where it runs on the device as it stands, gives another value."""
    try:
        there = to_host(function(*to_device(args)))
    except Exception:  # what it calls is not on the device under NumPy's name
        return False
    return not close(there, function(*_kept(args)))


def on_device(function: Any, args: Any, wrt: Any, seed: Any, arrays: str) -> None:
    """Compare a derivative on the stand-in's arrays with that on NumPy's."""
    try:
        expected = s2sad.vjp(function, wrt=wrt)(*_kept(args), seed)
    except S2sadError as problem:
        pytest.skip(f"refused on the host: {problem}".splitlines()[0])
    with standing_in():
        if _means_something_else(function, args):
            pytest.skip("on the device u[0] is a part of u: the function gives something else")
        try:
            derivative = s2sad.vjp(function, wrt=wrt, arrays=arrays)
            found = derivative(*to_device(args), to_device(seed))
        except S2sadError as problem:
            pytest.skip(f"refused: {problem}".splitlines()[0])
        assert close(to_host(found), expected), derivative.source


@pytest.mark.parametrize("arrays", ["cupy", "dispatch"])
@pytest.mark.parametrize("entry", ALL, ids=lambda entry: entry.label)
def test_programs_on_a_device(entry: Entry, arrays: str) -> None:
    wrt = entry.wrt if len(entry.wrt) > 1 else entry.wrt[0]
    on_device(entry.function, entry.args, wrt, entry.seed, arrays)


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.__name__)
def test_kernels_on_a_device(kernel: Any) -> None:
    args = KERNELS[kernel](np.random.default_rng(0))
    on_device(kernel, args, 0, 1.0, "cupy")


# ---------------------------------------------------------------- what stays on the device


@pytest.mark.parametrize("arrays", ["cupy", "dispatch"])
@pytest.mark.parametrize(
    "function, args",
    [(chain, (U, V, 0.3)), (steps, (U, V, 0.1, 4)), (element_by_element, (U,))],
)
def test_nothing_goes_to_the_host(function: Any, args: Any, arrays: str) -> None:
    expected = s2sad.value_and_grad(function)(*args)
    with standing_in():
        found = s2sad.value_and_grad(function, arrays=arrays)(*to_device(args))
        assert standin.transfers == []
    assert all(isinstance(each, standin.Array) for each in found)
    assert close(to_host(found), expected)


def test_second_order_and_forward_mode() -> None:
    host = s2sad.hvp(chain)(U, V, 0.3, u_dot=V)
    forward = s2sad.jvp(steps)(U, V, 0.1, 3, V)
    with standing_in():
        args = to_device((U, V, 0.3))
        assert close(to_host(s2sad.hvp(chain, arrays="cupy")(*args, u_dot=to_device(V))), host)
        made = s2sad.jvp(steps, arrays="cupy")(*to_device((U, V, 0.1, 3, V)))
        assert close(to_host(made), forward)


def newton(p, v):
    a, b = p
    total = 0.0
    for w in v:
        z = 1.0
        for _ in range(2):
            f = z**3 - (1.0 + b) * z**2 - a * b - 0.01 * w
            z = z - f / (3.0 * z**2 - 2.0 * (1.0 + b) * z + a)
        total += z
    return total


@pytest.mark.parametrize("arrays", ["cupy", "dispatch"])
def test_adjoints_that_are_numbers_are_values(arrays: str) -> None:
    args = np.array([0.1, 0.2]), np.array([1.0, 2.0]), np.array([1.0, 0.5])
    expected = s2sad.hvp(newton)(*args)
    with standing_in():
        assert close(to_host(s2sad.hvp(newton, arrays=arrays)(*to_device(args))), expected)


def curve(x, k):
    return np.sin(x) * k * x[0]


def well(x):
    return np.sum(np.sin(x) * x)


@pytest.mark.parametrize("arrays", ["cupy", "dispatch"])
@pytest.mark.parametrize("mode", ["forward", "reverse"])
def test_matrices_on_a_device(mode: str, arrays: str) -> None:
    x, dots = np.array([0.7, -1.3]), np.array([[0.4, 0.9], [1.0, 0.0], [0.2, -0.3]])
    with standing_in():
        found = s2sad.jacobian(curve, mode=mode, arrays=arrays)(*to_device((x, 2.0)))
        along = s2sad.directional(curve, arrays=arrays)(*to_device((x, 2.0, dots)))
        matrix = s2sad.hessian(well, arrays=arrays)(to_device(x))
        trace = s2sad.laplacian(well, arrays=arrays)(to_device(x))
        found, along, matrix, trace = (to_host(each) for each in (found, along, matrix, trace))
    expected = s2sad.jacobian(curve, mode=mode)(x, 2.0)
    assert close(found, expected) and close(along, dots @ expected.T)
    assert close(matrix, s2sad.hessian(well)(x))
    assert close(np.sum(trace), np.trace(matrix))


# fmt: off
def doubled(x): return np.sin(x) * 2.0
# fmt: on


def test_a_function_on_one_line_has_its_module() -> None:
    x = np.array([0.7, -1.3])
    made = s2sad.jacobian(doubled, mode="reverse", arrays="dispatch", like=(x,))
    assert close(made(x), np.diag(2.0 * np.cos(x)))
    with standing_in():
        assert close(to_host(made(to_device(x))), np.diag(2.0 * np.cos(x)))


def test_elementwise_runs_are_kernels() -> None:
    args = (U, V, 0.3)
    derivative = s2sad.grad(chain, like=args, arrays="cupy")
    assert "@fuse()\ndef _chain_grad_kernel_1(" in derivative.source
    with standing_in():
        derivative(*to_device(args))
        first = len(standin.launches)
        assert 0 < first <= 2
    text = s2sad.grad(steps, like=(U, V, 0.1, 4), arrays="cupy").source
    assert text.count("@fuse()") <= 6


def test_text_of_cupy_names_no_numpy() -> None:
    text = s2sad.grad(chain, like=(U, V, 0.3), arrays="cupy").source
    code = [line.partition("#")[0] for line in text.split("\n")]
    assert "import cupy as cp" in code
    assert not any("np." in line for line in code)


def test_text_is_made_without_cupy() -> None:
    code = "import sys, s2sad, tests.modules.test_modules as t\n"
    code += "print(s2sad.grad(t.chain, arrays='cupy').source[:17], 'cupy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["import", "cupy", "as", "cp", "False"]


def test_dispatched_text_runs_on_numpy() -> None:
    expected = s2sad.grad(steps, wrt=("u", "v"))(U, V, 0.1, 4)
    found = s2sad.grad(steps, wrt=("u", "v"), arrays="dispatch")(U, V, 0.1, 4)
    assert all(np.allclose(a, b, rtol=1e-13) for a, b in zip(found, expected, strict=True))


def of_operators(u, v):
    return (u * v + 1.0) * u / (2.0 + v * v)


def test_kernels_of_operators_alone_have_their_decorator() -> None:
    derivative = s2sad.jvp(of_operators, like=(U, V), arrays="dispatch")
    assert "@fuse()" in derivative.source
    assert close(derivative(U, V, V), s2sad.jvp(of_operators)(U, V, V))


def test_dispatched_text_follows_dask() -> None:
    dask = pytest.importorskip("dask.array")
    expected = s2sad.grad(steps, wrt=("u", "v"))(U, V, 0.1, 4)
    args = [dask.from_array(each, chunks=5) for each in (U, V)]
    found = s2sad.grad(steps, wrt=("u", "v"), arrays="dispatch")(*args, 0.1, 4)
    assert all(isinstance(each, dask.Array) for each in found)
    assert all(close(np.asarray(a), b) for a, b in zip(found, expected, strict=True))


def waiting(u, n):
    s = np.sum(u)
    if s > 0.0:
        s = s * 2.0
    k = float(s)
    for i in range(n):
        if len(u) > i:
            s = s + u[i] * math.exp(-abs(u[i]))
    return s * k


def test_explain_points_at_what_waits() -> None:
    found = s2sad.explain(waiting, like=(U, 2), arrays="cupy")
    words = ("s > 0.0", "float(s)", "math.exp(-")
    assert [each.line for each in found.waits] == [_number(waiting, word) for word in words]
    assert [each.what for each in found.waits] == ["the test", "float()", "math.exp()"]
    assert "float() waits for the device" in str(found)
    assert s2sad.explain(waiting, like=(U, 2)).waits == ()
    assert s2sad.explain(steps, like=(U, V, 0.1, 4), arrays="cupy").waits == ()


def test_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    target = f"{__file__}:chain"
    assert cli.main(["grad", target, "--arrays", "cupy"]) == 0
    assert capsys.readouterr().out.startswith("import cupy as cp\n")
    assert cli.main(["grad", target, "--arrays", "torch"]) == 2


def grid(n, first=0.0):
    return np.linspace(first, 1.0, n)


def units():
    return np.eye(3)


def weights(n):
    places = grid(n,
        first=(0.5))  # fmt: skip
    return erf(places) + places @ units()


def of_made_arrays(u):
    return np.sum(u * u * weights(len(u)))


def test_functions_of_numbers_are_handed_the_module() -> None:
    expected = s2sad.grad(of_made_arrays)(U[:3])
    derivative = s2sad.grad(of_made_arrays, arrays="dispatch")
    assert close(derivative(U[:3]), expected)
    with standing_in():
        assert close(to_host(derivative(to_device(U[:3]))), expected)


def read_before_a_write(u, c):
    a, b = u[0], u[1]
    u[:] = u * c
    return a * b * u[2] + u[0]


@pytest.mark.parametrize("arrays", ["cupy", "dispatch"])
def test_a_number_is_not_seen_through_a_view(arrays: str) -> None:
    expected = s2sad.grad(read_before_a_write)(U[:3], 0.7)
    with standing_in():
        derivative = s2sad.grad(read_before_a_write, arrays=arrays)
        assert close(to_host(derivative(to_device(U[:3]), 0.7)), expected)


def goes_over_what_it_writes(u, c):
    total = 0.0
    for k, x in enumerate(u):
        u[k] = x * c
        total += x * u[k]
    return total


def gives_names_to_elements(u, c):
    a, b, rest = u
    u *= c
    return a * b + rest * u[1]


def keeps_elements(u, c):
    kept, picked = [u[0], u[2]], u[1] if c > 0.0 else u[2]
    u[:] = np.cos(u) * c
    return kept[0] * kept[1] * picked + np.sum(u)


def sums_items(u, c):
    parts = [c, c]
    parts[0] += u[0]
    parts[1] *= u[1]
    return parts[0] * parts[1] * c


@pytest.mark.parametrize("arrays", ["cupy", "dispatch"])
@pytest.mark.parametrize(
    "function", [goes_over_what_it_writes, gives_names_to_elements, keeps_elements, sums_items]
)
def test_elements_are_values(function: Any, arrays: str) -> None:
    expected = s2sad.value_and_grad(function, wrt=("u", "c"))(U[:3].copy(), 0.7)
    with standing_in():
        derivative = s2sad.value_and_grad(function, wrt=("u", "c"), arrays=arrays)
        assert close(to_host(derivative(to_device(U[:3]), 0.7)), expected)


def slope_energy(u, h):
    return np.sum(np.gradient(u, h) ** 2)


def test_numbers_of_a_device_are_scalars_to_rules() -> None:
    expected = s2sad.grad(slope_energy)(U, 0.5)
    with standing_in():
        args = to_device((U, np.array([0.5])))
        made = s2sad.grad(lambda u, h: slope_energy(u, h[0]), arrays="cupy")
        assert close(to_host(made(*args)), expected)


# ---------------------------------------------------------------- refusals

GAIN = np.array([1.0, 2.0, 3.0])


def lacks_a_function(u):
    w = np.geomspace(1.0, 2.0, 3)
    return np.sum(u * u * w)


def lacks_a_keyword(u):
    c = np.max(np.arange(3.0), initial=5.0)
    return np.sum(u * u) * c


def special(u):
    return np.sum(erf(u))


def log_likelihood(u):
    def term(each):
        return gammaln(each) - xlogy(each, 2.0)

    return np.sum(term(u)) + solve_triangular(np.diag(u), u, lower=True)[0]


def of_bessel(u):
    return np.sum(jv(2.0, u))


def holds_a_constant(u):
    return np.sum(u * GAIN)


def draws_what_cupy_does_not(u):
    rng = np.random.default_rng(3)
    return np.sum(u * rng.normal(size=u.shape[0]))


def waits_for_an_error(u):
    A = np.outer(u, u) + 0.3 * np.eye(12)
    try:
        L = np.linalg.cholesky(A)
    except np.linalg.LinAlgError:
        return np.sum(u)
    return np.sum(L)


def _number(function: Any, word: str) -> int:
    lines, first = inspect.getsourcelines(function)
    return next(first + number for number, line in enumerate(lines) if word in line)


@pytest.mark.parametrize(
    "function, arrays, problem, word",
    [
        (lacks_a_function, "cupy", "has no numpy.geomspace", "np.geomspace(1.0, 2"),
        (lacks_a_keyword, "cupy", "takes no initial=", "initial=5.0)"),
        (lacks_a_function, "dispatch", "has no numpy.geomspace", "np.geomspace(1.0, 2"),
        (draws_what_cupy_does_not, "cupy", "CuPy's Generator has no normal", "rng.normal"),
        (waits_for_an_error, "cupy", "a try that waits for an error of NumPy's", "try:"),
        (of_bessel, "dispatch", "has no scipy.special.jv", "np.sum(jv(2.0, u))"),
        (holds_a_constant, "cupy", "an object of the module that may be changed", "u * GAIN"),
        (holds_a_constant, "dispatch", "an object of the module that may be changed", "u * GAIN"),
    ],
)
def test_what_cupy_lacks_is_refused(function: Any, arrays: str, problem: str, word: str) -> None:
    with pytest.raises(s2sad.Unsupported, match=problem) as caught:
        like = (U,) if function in (draws_what_cupy_does_not, waits_for_an_error) else None
        s2sad.value_and_grad(function, like=like, arrays=arrays).source  # noqa: B018
    if word != "u * GAIN":
        assert f"line {_number(function, word)}, in {function.__name__}" in str(caught.value)


def test_special_functions_are_those_of_cupyx() -> None:
    text = s2sad.grad(special, arrays="cupy").source
    assert "import cupyx.scipy.special" in text or "cupyx.scipy.special" not in text
    expected = s2sad.grad(special)(U)
    either = s2sad.grad(log_likelihood, arrays="dispatch")
    assert close(either(U + 2.0), s2sad.grad(log_likelihood)(U + 2.0))
    with standing_in():
        assert close(to_host(s2sad.grad(special, arrays="cupy")(to_device(U))), expected)
        assert close(to_host(either(to_device(U + 2.0))), either(U + 2.0))


def test_a_mix_of_modules_is_refused() -> None:
    with standing_in():
        derivative = s2sad.grad(chain, arrays="dispatch")
        with pytest.raises(s2sad.ArgumentError, match="u is an array of cupy's, and v of numpy's"):
            derivative(to_device(U), V, 0.3)
        with pytest.raises(s2sad.ArgumentError, match="u is an array of numpy's, and the text"):
            s2sad.grad(chain, arrays="cupy")(U, V, 0.3)
        with pytest.raises(s2sad.ArgumentError, match="u is an array of cupy's, not of numpy's"):
            s2sad.grad(chain)(*to_device((U, V, 0.3)))


def test_the_gradient_of_an_array_is_refused() -> None:
    with standing_in(), pytest.raises(s2sad.ArgumentError, match="scalar"):
        s2sad.grad(lambda u: u * u, arrays="cupy")(to_device(U))


def test_other_modules_are_not_known() -> None:
    with pytest.raises(s2sad.ArgumentError, match="arrays= is one of 'numpy', 'cupy', 'dispatch'"):
        s2sad.grad(chain, arrays="torch")


def test_names_are_those_of_cupy() -> None:
    cupy = pytest.importorskip("cupy")
    assert not [name for name in LACKING["numpy"] if hasattr(cupy, name)]
    named = [name for name in dir(np) if not name.startswith("_")]
    lacking = {n for n in named if callable(getattr(np, n)) and not hasattr(cupy, n)}
    types = {n for n in lacking if isinstance(getattr(np, n), type)}
    assert lacking - types - LACKING["numpy"] - standin.OF_THE_HOST == set()
    special_names = __import__("cupyx.scipy.special", fromlist=["_"])
    assert not [n for n in HAVING["scipy.special"] if not hasattr(special_names, n)]


# ---------------------------------------------------------------- what CuPy takes


def of_numbers(u, c, d):
    return np.sum(u * (c * d)) + np.sum(u**2 * (c - d) * 0.1 + c * d * u)


def mixed(u, c):
    A = np.array([[u[0], 0.0], [c, u[1]]])
    u = u.copy()
    u[2:5] = [0.5, c, u[0]]
    k = np.argmax(u)
    return np.sum(A @ A) * np.sum(u**2) * np.sum(np.outer(c, u)) + sum(u[i] for i in range(k % 3))


def gone_over_backwards(u):
    a = np.sin(u)
    for _ in range(2):
        for s in a[::-1]:
            a += 0.1 * np.tanh(s)
    return np.sum(u * a)


def beside_their_elements(u):
    v, w = u.copy(), 2.0 * u
    for a, c in zip((v, w), (w[0], v[0]), strict=True):
        a[0] *= c
    return np.sum(v * w)


def by_columns(A):
    A, s = A.copy(), 0.0
    for column in zip(*A, strict=True):
        A[1, 2] += s
        s = s + column[1] ** 2 * column[0]
    return s


@pytest.mark.parametrize("function, arg", [(gone_over_backwards, U), (beside_their_elements, U)])
def test_what_a_loop_goes_over_is_what_it_is_on_the_host(function: Any, arg: Any) -> None:
    expected = s2sad.jvp(function)(arg, V)
    with standing_in():
        found = s2sad.jvp(function, arrays="cupy")(*to_device((arg, V)))
        assert close(to_host(found), expected)


def test_elements_that_are_written_while_columns_are_gone_over_are_refused() -> None:
    with pytest.raises(S2sadError, match="a loop over arrays that are written to"):
        s2sad.jvp(by_columns, like=(U.reshape(3, 4),), arrays="cupy").source  # noqa: B018


@pytest.mark.parametrize("arrays", ["cupy", "dispatch"])
@pytest.mark.parametrize("function, args", [(of_numbers, (U, 0.3, 0.7)), (mixed, (U, 0.4))])
def test_numbers_and_lists_are_arrays_where_cupy_takes_only_these(
    function: Any, args: Any, arrays: str
) -> None:
    expected = s2sad.grad(function, wrt=("u", "c"))(*args)
    with standing_in():
        found = s2sad.grad(function, wrt=("u", "c"), arrays=arrays)(*to_device(args))
        assert close(to_host(found), expected)


def test_a_kernel_is_handed_what_is_computed_of_numbers_alone() -> None:
    text = s2sad.grad(of_numbers, like=(U, 0.3, 0.7), arrays="cupy").source
    with standing_in():
        space: dict[str, Any] = {}
        exec(text, space)
        assert close(
            to_host(space["of_numbers_grad"](*to_device((U, 0.3, 0.7)))),
            s2sad.grad(of_numbers)(U, 0.3, 0.7),
        )
    assert "_kernel_1(" in text and "* d" not in text.split("def of_numbers_grad")[0]


@pytest.mark.parametrize("case", EXPERTS, ids=lambda case: case.function.__name__)
def test_functions_with_adjoints_by_hand_stay_on_the_device(case: Case) -> None:
    args = case.args(case.sizes[0])
    expected = s2sad.grad(case.function, wrt=case.wrt, like=args)(*args)
    with standing_in():
        derivative = s2sad.grad(case.function, wrt=case.wrt, like=args, arrays="cupy")
        found = derivative(*to_device(args))
        assert standin.transfers == []
    assert close(to_host(found), expected)


# ---------------------------------------------------------------- what a GPU will be asked


def test_what_is_timed_on_a_gpu_runs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def small(value: Any) -> Any:
        return value[tuple(slice(8) for _ in value.shape)] if hasattr(value, "shape") else value

    cases = {f: tuple(map(small, args)) for f, args in gpu.cases().items()}
    monkeypatch.setattr(gpu, "cases", lambda: cases)
    monkeypatch.setattr(gpu, "REPEATS", 1)
    monkeypatch.setattr(gpu, "CASES", EXPERTS[:3])
    monkeypatch.setattr(gpu, "SIZE", 0)
    with standing_in() as cupy:
        runtime = SimpleNamespace(getDeviceProperties=lambda _: {"name": b"stand-in"})
        device = lambda: SimpleNamespace(synchronize=lambda: None)  # noqa: E731
        cupy.cuda, cupy.asarray = SimpleNamespace(Device=device, runtime=runtime), to_device
        cupy.__version__ = "0"
        gpu.main()
    printed = capsys.readouterr().out
    assert printed.startswith("\nstand-in; NumPy ") and printed.count(" ms |") >= 2 * len(cases)
