"""Code that was written for another transformer, whose modules wrap functions of NumPy and SciPy."""

import importlib
import sys
import textwrap

import numpy as np
import pytest

import s2sad

WRAPPED = """
    import functools

    import numpy
    import scipy.special

    def primitive(function):
        @functools.wraps(function)
        def wrapped(*args, **kwargs):
            if any(hasattr(arg, "_node") for arg in args):
                raise NotImplementedError
            return function(*args, **kwargs)
        wrapped.fun = function
        wrapped._is_autograd_primitive = True
        return wrapped
"""
MODULES = {
    "numpy/__init__": """
        from autograd.wrapping import primitive, numpy
        from autograd.numpy import linalg
        from autograd.numpy.numpy_wrapper import concatenate
        sum, tanh, where = map(primitive, (numpy.sum, numpy.tanh, numpy.where))
        pi = numpy.pi
    """,
    "numpy/numpy_wrapper": """
        from autograd.wrapping import primitive, numpy
        def concatenate(arrays, axis=0):
            return primitive(numpy.concatenate)(list(arrays), axis)
    """,
    "numpy/linalg": """
        from autograd.wrapping import primitive, numpy
        solve = primitive(numpy.linalg.solve)
    """,
    "scipy/__init__": "",
    "scipy/special": """
        from autograd.wrapping import primitive, scipy
        gammaln = primitive(scipy.special.gammaln)
    """,
    "scipy/stats/__init__": "",
    "scipy/stats/norm": """
        import scipy.stats
        from autograd.wrapping import primitive
        logpdf = primitive(scipy.stats.norm.logpdf)
    """,
    "wrapping": WRAPPED,
    "__init__": "",
}
MODEL = """
    import autograd.numpy as np
    from autograd.numpy.linalg import solve
    from autograd.scipy.special import gammaln
    from autograd.scipy.stats import norm

    def misfit(x, A):
        both = np.concatenate([np.tanh(x), x])
        kept = np.where(both > 0.0, both, 0.1 * both) * np.pi
        return np.sum(solve(A, x) ** 2) + np.sum(kept) + np.sum(gammaln(x + 2.0)) + np.sum(norm.logpdf(x))
"""


@pytest.fixture
def model(tmp_path, monkeypatch):
    """A module of the user's beside a package that is installed."""
    folder = tmp_path / "site-packages"
    for name, text in MODULES.items():
        path = folder / "autograd" / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text))
    (tmp_path / "model_of_tests.py").write_text(textwrap.dedent(MODEL))
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.syspath_prepend(str(tmp_path))
    held = {name: sys.modules.pop(name) for name in [*sys.modules] if _is_made_here(name)}
    yield importlib.import_module("model_of_tests")
    for name in filter(_is_made_here, [*sys.modules]):
        del sys.modules[name]
    sys.modules.update(held)


def _is_made_here(name):
    return name.partition(".")[0] in ("autograd", "model_of_tests")


def test_wrapped_functions_are_those_of_numpy(model):
    x, A = np.array([0.3, -0.5, 1.2]), np.diag([2.0, 1.5, 1.8]) + 0.1
    df = s2sad.grad(model.misfit, "x", like=(x, A))
    steps = 1e-6 * np.eye(3)
    expected = [(model.misfit(x + e, A) - model.misfit(x - e, A)) / 2e-6 for e in steps]
    np.testing.assert_allclose(df(x, A), expected, rtol=1e-7)
    assert "autograd" not in df.source
    assert "np.tanh(x)" in df.source


LIBRARY = """
    class Kept:
        def __new__(cls, values):
            made = super().__new__(cls)
            made.values = values
            return made

    def smoothed(values):
        return total(Kept(values))

    def total(kept):
        return sum(kept.values)
"""


def test_what_a_library_leads_to_is_refused_at_the_call_of_the_users(tmp_path, monkeypatch):
    """The line of the library is named, and that it is none of his."""
    folder = tmp_path / "site-packages"
    folder.mkdir()
    (folder / "keeping_of_tests.py").write_text(textwrap.dedent(LIBRARY))
    monkeypatch.syspath_prepend(str(folder))
    keeping = importlib.import_module("keeping_of_tests")

    def smooth(x):
        y = x**2
        return keeping.smoothed(y) * 2.0

    with pytest.raises(s2sad.S2sadError) as caught:
        s2sad.grad(smooth)(np.ones(3))
    del sys.modules["keeping_of_tests"]
    error = caught.value
    assert error.span.path == __file__
    assert error.span.text() == "return keeping.smoothed(y) * 2.0"
    assert 'keeping_of_tests.py", line ' in str(error)
    assert "That line is a library's" in str(error)
