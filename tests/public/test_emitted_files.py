"""An emitted file stands alone: it imports installed packages, and copies what is the user's own."""

from __future__ import annotations

import ast
import importlib
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from runpy import run_path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import s2sad
from s2sad.emit import relied
from s2sad.emit.constants import constant_text
from s2sad.source.owners import is_installed
from tests import oracles

ALLOWED = {"numpy", "scipy", "math", "functools", "operator", "logging", "numbers"}
Modules = Callable[..., ModuleType]


@pytest.fixture
def modules(tmp_path: Path, monkeypatch: Any) -> Iterator[Modules]:
    """Write modules, given by name, and import the last; none of them outlives the test."""
    made: list[str] = []
    monkeypatch.syspath_prepend(str(tmp_path))

    def write(**texts: str) -> ModuleType:
        for name, text in texts.items():
            path = tmp_path / (name.replace(".", "/") + ".py")
            path.parent.mkdir(exist_ok=True)
            path.write_text(textwrap.dedent(text).lstrip("\n"))
            made.append(name.removesuffix(".__init__"))
        importlib.invalidate_caches()
        return importlib.import_module(made[-1])

    yield write
    for name in made:
        sys.modules.pop(name, None)


def alone(df: Any) -> Callable[..., Any]:
    """Run a derivative's text where no module of the user's can be imported."""
    assert oracles.imports(df.source) <= ALLOWED, df.source
    space: dict[str, Any] = {"__name__": "alone"}
    exec(compile(df.source, "<alone>", "exec"), space)
    found: Callable[..., Any] = space[df.__name__]
    return found


def check(function: Any, *args: Any, wrt: tuple[int, ...] = (0,)) -> str:
    """Fail unless the gradient's text is right and stands alone, in both modes; return it."""
    expected = oracles.differences(function, args, wrt)
    like = tuple(args[i] for i in wrt)
    for options in ({"like": args}, {}):
        df = s2sad.grad(function, wrt, **options)
        assert oracles.compare(oracles.flatten(alone(df)(*args), like), expected) is None
        assert oracles.compare(oracles.flatten(df(*args), like), expected) is None
    dots = tuple(np.ones_like(x) for x in like)
    forward = s2sad.jvp(function, wrt)
    named = dict(zip(forward.extra, dots, strict=True))
    value, tangent = alone(forward)(*args, **named)
    assert value == pytest.approx(function(*args), rel=1e-13)
    assert tangent == pytest.approx(np.sum(expected.value), rel=1e-6)
    return str(df.source)


X = 0.7
U = np.array([0.3, -0.6, 1.1])


# ---------------------------------------------------------------------------- functions


LIBRARY = """
    import math

    GAIN = 1.7

    def damped(x, rate=0.5, *, shift=0.0):
        # slowly
        return math.exp(-rate * x) * GAIN + shift
"""


def test_a_dotted_function_is_copied_with_its_constants(modules: Modules) -> None:
    main = modules(
        h_library=LIBRARY,
        h_main="""
        import h_library

        def f(x):
            return h_library.damped(x) * h_library.damped(2.0) * h_library.GAIN
        """,
    )
    source = check(main.f, X)
    assert source.count("GAIN = 1.7") == 1


def test_names_of_different_modules_are_kept_apart(modules: Modules) -> None:
    main = modules(
        h_one="RATE = 0.3\ndef decay(x):\n    return RATE * x * x\n",
        h_two="RATE = 0.9\ndef decay(x):\n    return x - RATE\n",
        h_main="""
        import h_one
        import h_two
        from h_two import decay

        RATE = -1.1

        def f(x, y):
            k = h_one.decay(2.0) + h_two.decay(3.0) + h_one.RATE
            return h_one.decay(x) * h_two.decay(x) * decay(x) * RATE * k + h_two.RATE * y
        """,
    )
    source = check(main.f, X, 0.4)
    assigned = [node for node in ast.parse(source).body if isinstance(node, ast.Assign)]
    assert sorted(ast.literal_eval(node.value) for node in assigned) == [-1.1, 0.3, 0.9]


def test_names_give_way_to_locals_and_parameters(modules: Modules) -> None:
    main = modules(
        h_library="""
        GAIN = 2.5

        def damped(x):
            return GAIN * x * x

        def gain(x, rate):
            rate = rate + 1.0
            return rate * damped(x)
        """,
        h_main="""
        import h_library

        rate = 0.3

        def f(x, damped, GAIN):
            gain = h_library.gain(x, rate) + h_library.gain(2.0, rate)
            return gain * damped + h_library.damped(x) * GAIN + h_library.GAIN
        """,
    )
    check(main.f, X, 0.4, 1.3, wrt=(0, 1, 2))


def test_inactive_calls_need_no_module_of_the_users_too(modules: Modules) -> None:
    main = modules(
        h_grid="""
        import numpy
        from numpy import linspace as spaced

        POINTS = 5

        def nodes(n=POINTS):
            numpy.sin(0.0)
            return [float(x) for x in spaced(0.0, 1.0, n)]
        """,
        h_main="""
        import numpy as np
        import h_grid

        def f(x):
            grid = h_grid.nodes()
            weights = [h_grid.POINTS * w for w in grid]
            return x * np.sum(np.array(weights)) * x
        """,
    )
    check(main.f, X)


def test_functions_that_call_each_other_and_themselves(modules: Modules) -> None:
    main = modules(
        h_library="""
        def fibonacci(n):
            return n if n < 2 else fibonacci(n - 1) + even(n - 2) * 0 + fibonacci(n - 2)

        def even(n):
            return True if n == 0 else odd(n - 1)

        def odd(n):
            return False if n == 0 else even(n - 1)
        """,
        h_main="""
        import h_library as library

        def fibonacci(x):
            return x + 1.0

        def f(x):
            return fibonacci(x) * library.fibonacci(7) * library.even(4) * x
        """,
    )
    check(main.f, X)


def test_closures_lambdas_and_methods_are_copied(modules: Modules) -> None:
    main = modules(
        h_library='''
        def scaled(k):
            def times(x, power=k):
                """Scale.

                  Twice indented.
                """
                if power:
                    return k * x
                # never
                return x
            return times

        double, triple = scaled(2.0), scaled(3.0)
        square = lambda x: x * x

        class Model:
            rate = 0.25

            @staticmethod
            def step(x):
                return Model.rate * x
        ''',
        h_main="""
        import h_library
        from h_library import double

        def f(x):
            k = h_library.square(3.0) * h_library.triple(1.0) * double(1.0) * h_library.Model.rate
            k += h_library.Model.step(2.0)
            return k * h_library.square(x) * double(x) * h_library.triple(x) * h_library.Model.step(x)
        """,
    )
    check(main.f, X)


def test_decorated_helpers_keep_their_decorators(modules: Modules) -> None:
    main = modules(
        h_library="""
        import functools

        def logged(function):
            @functools.wraps(function)
            def wrapper(*args, **keywords):
                return 2.0 * function(*args, **keywords)
            return wrapper

        @functools.lru_cache(maxsize=None)
        def slow(n):
            return float(n) if n < 2 else slow(n - 1) + slow(n - 2)

        @logged
        def logged_sum(a, b):
            return a + b
        """,
        h_main="""
        import h_library

        def f(x):
            return x * x * h_library.slow(6) * h_library.logged_sum(1.0, 2.0)
        """,
    )
    source = check(main.f, X)
    assert "@functools.lru_cache(maxsize=None)\ndef slow(n):" in source


def test_annotations_are_left_out(modules: Modules) -> None:
    main = modules(
        h_library="""
        from __future__ import annotations
        from typing import TYPE_CHECKING

        if TYPE_CHECKING:
            from nowhere import Array

        LIMIT = 4

        def clipped(
            x: Array,
            *rest: Array,
            low: float = -1.0,  # below
            high: dict[str, float] = {"a": LIMIT},
        ) -> Array:
            y: Array = min(x, high["a"])
            return max(y, low)
        """,
        h_main="""
        import h_library

        def f(x):
            return x * x * h_library.clipped(9.0)
        """,
    )
    assert "nowhere" not in check(main.f, X)


def test_defaults_have_the_values_that_they_were_given(modules: Modules) -> None:
    main = modules(
        h_library="""
        RATE = 0.5

        def identity(x):
            return x

        def damped(x, rate=RATE, then=identity):
            return then(rate * x)

        RATE = 99.0
        """,
        h_main="""
        import h_library

        def f(x):
            return x * x * h_library.damped(2.0)
        """,
    )
    source = check(main.f, X)
    assert "99" not in source


def test_the_functions_own_defaults_too(modules: Modules) -> None:
    main = modules(
        h_main="""
        RATE = 0.5

        def identity(x):
            return x

        def f(x, rate=RATE, then=identity, sign=-1.0):
            return then(2.0) * rate * x * x * sign

        RATE = 99.0
        """,
    )
    source = check(main.f, X)
    assert 'def f_grad(x, rate=0.5, then="identity", sign=-1.0):' in source


def test_defaults_that_are_called_like_their_parameters(modules: Modules) -> None:
    """`g=g` reads the module's; what it was is known when its name is gone."""
    main = modules(
        h_main="""
        import numpy as np

        g, span = 9.8, 3.0

        def drop(x, g=g, w=np.array([0.5, 2.0])):
            return g * x * np.sum(w)

        def made(rate):
            def decay(x, rate=rate, scale=2.0 * rate):
                return np.exp(-rate * x) * scale
            return decay

        decay = made(0.5)

        def f(x, span=span, g: float = g):
            return drop(x) * decay(x) + span * x * g

        del span
        """,
    )
    source = check(main.f, X)
    assert "def f_grad(x, span=3.0, g=9.8):" in source


def test_names_in_f_strings_are_renamed(modules: Modules) -> None:
    main = modules(
        h_library="""
        UNIT = "metres"

        def tell(x):
            return len(f"{x!r:>{len(UNIT)}} of {UNIT}")
        """,
        h_main="""
        import h_library

        UNIT = 3.0

        def f(x):
            return x * x * h_library.tell(2.0) * UNIT
        """,
    )
    source = check(main.f, X)
    assert "UNIT = 3.0" in source and '{"metres"}' in source


def test_packages_and_chains_of_modules(modules: Modules) -> None:
    main = modules(
        **{"h_package.__init__": "from . import inner\n"},
        **{
            "h_package.inner": """
        import numpy as np
        from scipy import special
        from scipy.special import gamma as g

        SCALE = np.float32(0.1)

        def weight(n):
            return float(special.erf(n) + g(n))
        """
        },
        h_main="""
        import numpy as np
        import h_package
        import h_package.inner as deep

        def f(x):
            n = deep.special.erf(0.5) * deep.np.cos(0.1)
            return x * x * h_package.inner.weight(2.0) * n * h_package.inner.SCALE
        """,
    )
    source = check(main.f, X)
    assert "np.float32(" in source


def test_an_inner_function_has_the_imports_of_scipy(modules: Modules) -> None:
    main = modules(
        h_main="""
        from scipy.special import gammaln

        def f(x):
            def scaled(t, n):
                return t * t * gammaln(n)
            return scaled(x, 4.0) * scaled(2.0, x + 1.0)
        """,
    )
    assert "import gammaln" in check(main.f, X)


def test_imports_inside_a_function(modules: Modules) -> None:
    main = modules(
        h_library="def damped(x):\n    return 0.5 * x\n",
        h_main="""
        def f(x):
            import math as m
            from functools import reduce
            from h_library import damped
            k = reduce(max, [1.0, m.cos(0.3)]) + damped(2.0)
            ks = [damped(each) for each in (k, 2.0)]
            return x * damped(x) * sum(ks)
        """,
    )
    check(main.f, X)


def test_a_logger_is_the_same_one(modules: Modules, caplog: pytest.LogCaptureFixture) -> None:
    main = modules(
        h_main="""
        import logging
        log = logging.getLogger(__name__)
        def f(x):
            y = x * x
            log.warning("at %f", x)
            return y * x
        """,
    )
    check(main.f, X)
    assert {record.name for record in caplog.records} == {"h_main"}
    assert "log = logging.getLogger('h_main')" in s2sad.vjp(main.f).source


def test_a_module_alias_of_one_file_is_not_that_of_another(modules: Modules) -> None:
    main = modules(
        h_one="import math as m\n\ndef one(x):\n    return m.cos(x)\n",
        h_two="import numpy as m\n\ndef two(x):\n    return float(m.sum(m.ones(3))) + x\n",
        h_main="""
        import h_one
        import h_two

        def f(x):
            return x * x * h_one.one(1.0) * h_two.two(1.0)
        """,
    )
    check(main.f, X)


def test_builtins_stay_what_they_are(modules: Modules) -> None:
    main = modules(
        h_library="""
        def sum(xs):
            return max(xs)

        def both(xs):
            return sum(xs) + len(xs)
        """,
        h_main="""
        import h_library

        def f(x):
            return x * x * sum([1.0, 2.0]) * h_library.sum([1.0, 2.0]) * h_library.both([4.0])
        """,
    )
    check(main.f, X)


def test_a_function_that_is_named_like_a_printed_one(modules: Modules) -> None:
    main = modules(
        h_main="""
        import numpy as np

        def _sum_to(x, shape):
            return x * shape

        def f(x, u):
            return np.sum(x * u) * _sum_to(2.0, 3.0) * _sum_to(x, 2.0)
        """,
    )
    check(main.f, X, U, wrt=(0, 1))


def test_lowered_callees_read_their_own_constants(modules: Modules) -> None:
    main = modules(
        h_library="""
        GAIN = 3.0

        def weight(n):
            return 2.0 * n

        def scale(u):
            u[0] = u[0] * GAIN * weight(GAIN)
        """,
        h_main="""
        import numpy as np
        from h_library import scale

        GAIN = 0.2

        def weight(n):
            return n

        def f(u):
            v = u * 1.0
            scale(v)
            return np.sum(v * v) * GAIN * weight(GAIN)
        """,
    )
    check(main.f, U)


def test_derivatives_that_are_called_are_copied(modules: Modules) -> None:
    main = modules(
        h_main="""
        import s2sad

        def cube(x):
            return x * x * x

        slope = s2sad.grad(cube)

        def f(x):
            return x * slope(2.0)
        """,
    )
    check(main.f, X)


# ---------------------------------------------------------------------------- imports


def test_a_builtin_of_the_interpreter_is_installed_and_a_script_is_not() -> None:
    assert is_installed(sys) and is_installed(ast) and is_installed(np)
    assert not is_installed(ModuleType("no_such_module_anywhere"))
    assert not is_installed(check) and is_installed(ast.parse)


# ---------------------------------------------------------------------------- what cannot be


UNREACHABLE = {
    "an object": "THING = object()\ndef g(x):\n    return float(id(THING)) * 0.0 + x\n",
    "a large array": "import numpy as np\nT = np.arange(9999.0)\ndef g(x):\n    return x * T[3]\n",
    "a module": "import h_other\ndef g(x):\n    return x + 0.0 * len(vars(h_other))\n",
}


@pytest.mark.parametrize("text", UNREACHABLE.values(), ids=UNREACHABLE)
def test_what_cannot_be_copied_is_called_but_not_saved(
    text: str, modules: Modules, tmp_path: Path
) -> None:
    main = modules(
        h_other="def h(x):\n    return x\n",
        h_library=text,
        h_main="""
        import h_library

        def f(x):
            return x * x * h_library.g(2.0)
        """,
    )
    df = s2sad.grad(main.f)
    assert df(X) == pytest.approx(2.0 * X * main.h_library.g(2.0))
    with pytest.raises(s2sad.ArgumentError, match="cannot be saved: it uses"):
        df.save(tmp_path / "out.py")


def test_a_saved_file_defines_the_exceptions_that_it_raises(
    modules: Modules, tmp_path: Path
) -> None:
    main = modules(
        h_main="""
        class Failed(ArithmeticError):
            \"\"\"What a solver raises.\"\"\"

            code = 3

        class Diverged(Failed):
            def __init__(self, message: str, step: int | None = None, at=None):
                Failed.__init__(self, message)
                super(Diverged, self).__init__(message)
                self.step, self.at = step, at

            def __str__(self) -> str:
                return f"{self.args[0]} in step {self.step}"

        def root(f, x, steps):
            for i in range(steps):
                x = x - f(x) / (2.0 * x)
                if abs(x) > 1e8:
                    raise Diverged("too far", step=i, at=x)
            return x

        def f(a):
            return root(lambda x: x * x - a, a, 7)
        """
    )
    assert s2sad.grad(main.f)(2.0) == pytest.approx(0.5 / np.sqrt(2.0), rel=1e-12)
    with pytest.raises(main.Diverged, match="too far in step 0"):
        s2sad.grad(main.f)(1e18)
    s2sad.grad(main.f).save(tmp_path / "saved.py")
    space = run_path(str(tmp_path / "saved.py"))
    with pytest.raises(space["Diverged"], match="too far in step 0") as caught:
        space["f_grad"](1e18)
    assert isinstance(caught.value, ArithmeticError)
    assert (caught.value.code, caught.value.step, caught.value.at) == (3, 0, 5e17)


def test_an_exception_that_reads_its_module_is_refused(modules: Modules) -> None:
    main = modules(
        h_main="""
        import sys

        class Diverged(Exception):
            def __init__(self, message):
                super().__init__(message + sys.platform)

        def f(x):
            if x > 1.0:
                raise Diverged("too far")
            return x * x
        """
    )
    with pytest.raises(
        s2sad.Unsupported, match=r"Diverged(.|\n)*names of its module(.|\n)*raise Div"
    ):
        s2sad.grad(main.f)(0.5)


def test_a_saved_file_holds_the_sets_that_options_are_looked_up_in(
    modules: Modules, tmp_path: Path
) -> None:
    main = modules(
        h_main="""
        CUBIC = {"srk", "pr"}
        KNOWN = frozenset({"ideal", "srk", "pr"})

        def f(x, kind):
            if kind not in KNOWN:
                raise ValueError(kind)
            return x**3 if kind in CUBIC else x
        """
    )
    for kind, slope in (("pr", 12.0), ("ideal", 1.0)):
        path = tmp_path / f"{kind}.py"
        s2sad.grad(main.f, wrt="x", like=(2.0, kind)).save(path)
        assert "KNOWN" not in path.read_text()  # it is nobody's to change
        assert run_path(str(path))["f_grad"](2.0, kind) == slope


@pytest.mark.parametrize(
    "value",
    [
        0.8,
        -1,
        1j,
        True,
        None,
        "it's",
        b"b",
        ...,
        float("inf"),
        (1, 2.0),
        (3,),
        [[], [1]],
        {"a": (0.1, None), 2: [0.5]},
        np.float32(0.1),
        np.float64(0.1),
        np.int64(3),
        np.bool_(False),
        np.array(2.0),
        np.zeros((0, 3)),
        np.zeros(0, bool),
        np.array([1.0, np.nan, -np.inf, -0.0]),
        np.array([[1, 2]], dtype=np.int32),
        np.array([0.1], dtype=np.float32),
        np.array([True]),
        {3, 1},
        {"a"},
        set(),
        frozenset({1.5}),
    ],
    ids=repr,
)
def test_constants_are_what_they_were(value: Any) -> None:
    text = constant_text(value)
    assert text is not None
    found = eval(text, {"np": np})
    assert type(found) is type(value)
    assert repr(found) == repr(value)
    assert getattr(found, "dtype", None) == getattr(value, "dtype", None)
    assert getattr(found, "shape", None) == getattr(value, "shape", None)


@pytest.mark.parametrize(
    "value",
    [
        object(),
        {len},
        [object()],
        np.longdouble(2),
        np.array(["a"]),
        np.array([1.0], dtype=">f8"),
        np.matrix([[1.0]]),
        np.arange(1000),
        type("Named", (tuple,), {})((1, 2)),
        len,
    ],
    ids=lambda value: type(value).__name__,  # the repr of an object is another in every process
)
def test_what_has_no_exact_text_has_none(value: Any) -> None:
    assert constant_text(value) is None


# ---------------------------------------------------------------- what a text was made for


def _option(u, square=True):
    return np.sum(u * u) if square else np.sum(u)


def _switched_off(u, square=False):
    return np.sum(u * u) if square else np.sum(u)


def _named(u, mode="square"):
    return np.sum(u * u) if mode == "square" else np.sum(u)


def _left_out(u, w=None):
    return np.sum(u * u) if w is None else w * np.sum(u)


def _or_else(u, w=None):
    w = w or 2.0 * u[0]
    return w * np.sum(u)


@pytest.mark.parametrize(
    ("function", "other", "message"),
    [
        (_option, False, "square=True"),
        (_switched_off, True, "square=False"),
        (_named, "sum", 'mode="square"'),
        (_left_out, 3.0, "w=None"),
        (_or_else, 3.0, "w=None"),
    ],
)
def test_a_text_made_for_one_option_refuses_another(function, other, message):
    u = np.array([0.3, 0.4])
    df = s2sad.grad(function, like=(u,))
    space = {}
    exec(df.source, space)
    alone = space[df.__name__]
    assert np.array_equal(alone(u), df(u))
    with pytest.raises(ValueError, match=message):
        alone(u, other)
    known = s2sad.check_grad(function, (u, other))
    assert known and np.array_equal(df(u, other), s2sad.grad(function)(u, other))


def test_of_what_a_library_names_no_more_is_read_than_tells(
    modules: Modules, monkeypatch: Any
) -> None:
    """A class of it may lead to thousands of functions: what is asked of arguments is known before."""
    chain = "\n".join(f"def step_{k}(x):\n    return step_{k + 1}(x)\n" for k in range(300))
    main = modules(
        h_library=f"""
{textwrap.indent(chain, " " * 8)}
        def step_300(x):
            return x

        class Model:
            def __init__(self, gain=None):
                self.gain = 2.0 if gain is None else gain

            def scaled(self, x):
                n = len(x) if hasattr(x, "size") else 1
                return self.gain * x / n

            def summary(self, x):
                return step_0(x)
        """,
        h_main="""
        from h_library import Model

        def f(x):
            return Model().scaled(x) ** 2
        """,
    )
    count = []
    read = relied.read
    monkeypatch.setattr(relied, "read", lambda function: count.append(function) or read(function))
    assert s2sad.grad(main.f)(X) == pytest.approx(8.0 * X)
    assert len(count) < 50
