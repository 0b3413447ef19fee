"""Cells of notebooks: each statement is compiled by itself, and edited modules are loaded again."""

import ast
import linecache
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest

import s2sad
from s2sad.source.read import read

# ---------------------------------------------------------------------------- a real notebook

FIRST = """\
import json
import sys
import numpy as np
import s2sad

def bowl(x):
    return np.sum(np.cosh(x) - 1.0)

class Spring:
    stiffness = 3.0

    def energy(self, x):
        return 0.5 * self.stiffness * np.dot(x, x)

    @staticmethod
    def force(x):
        return np.sum(np.sin(x))

    @property
    def doubled(self):
        return np.multiply(2.0, self.stiffness)

spring = Spring()
damped = lambda x: np.sum(np.exp(-x))
point = np.array([0.3, -0.2])

def tell(*values):
    print(json.dumps([np.asarray(each).tolist() for each in values]))
"""

CELLS = {
    "beside imports": FIRST + "tell(s2sad.grad(bowl)(point))",
    "methods": "tell(s2sad.grad(spring.energy)(point), s2sad.grad(Spring.force)(point))",
    "lambdas": "tell(s2sad.grad(damped)(point), s2sad.grad(lambda x: np.sum(np.tan(x)))(point))",
    "without imports": """\
        def outer(x):
            return bowl(x) * damped(x) + spring.energy(x) + spring.doubled * Spring.force(x)
        tell(s2sad.grad(outer)(point))
        """,
    "imported again": """\
        import math
        import numpy as np
        def curve(t):
            return math.exp(t) * np.sin(t)
        derivative = s2sad.grad(curve)
        tell(derivative(0.4))
        """,
    "redefined": """\
        def curve(t):
            return math.exp(t) * np.cos(t)
        tell(s2sad.grad(curve)(0.4), derivative(0.4))
        """,
    "a line of magic": """\
        %precision 3
        import numpy as np
        def after_magic(x):
            return np.prod(np.square(x))
        tell(s2sad.grad(after_magic)(point))
        """,
    "an error": """\
        import numpy as np
        def parted(x):
            return np.sum(np.union1d(x, 1.0))
        try:
            s2sad.grad(parted)(point)
        except s2sad.NoRule as refusal:
            tell(str(refusal))
        """,
    "a timed cell": """\
        %%time
        import numpy as np
        def timed(x):
            return np.sum(x * x)
        try:
            s2sad.grad(timed)
        except s2sad.NoSource as refusal:
            tell(str(refusal))
        """,
    "loads a module": """\
        %load_ext autoreload
        %autoreload 2
        sys.path.insert(0, ".")
        import edited_model
        model = edited_model.Model()
        whole, of_method = s2sad.grad(edited_model.cost), s2sad.grad(model.cost)
        tell(whole(point), of_method(point))
        """,
    "edits it": """\
        from pathlib import Path
        text = Path("edited_model.py").read_text()
        _ = Path("edited_model.py").write_text(text.replace("* 2.0", "* 5.0"))
        """,
    "edited": """\
        tell(s2sad.grad(edited_model.cost)(point), s2sad.grad(edited_model.Model().cost)(point))
        tell(whole(point), [edited_model.cost(point)])
        """,
    "adds to it": """\
        text = Path("edited_model.py").read_text()
        added = "def added(x):\\n    # new\\n    return np.sum(np.sqrt(2.0 + x))\\n"
        _ = Path("edited_model.py").write_text(text + added)
        """,
    "added": "tell(s2sad.grad(edited_model.added)(point))",
}

MODULE = '''\
import numpy as np


class Model:
    def cost(self, x):
        """What the model costs."""
        # in a method
        return np.sum(
            np.sin(x)
        ) * 2.0


def cost(x):
    # the comment is lost where the function is compiled by itself
    y = np.exp(x)

    return np.sum(y) * 2.0


'''


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """Return what each cell of a notebook printed, by the name of the cell."""
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    import nbformat

    folder = tmp_path_factory.mktemp("notebook")
    (folder / "edited_model.py").write_text(MODULE)
    book = nbformat.v4.new_notebook()
    root = str(Path(s2sad.__file__).parents[1])
    setup = f"import sys; sys.path.insert(0, {root!r})"
    book.cells = [nbformat.v4.new_code_cell(setup)]
    book.cells += [nbformat.v4.new_code_cell(textwrap.dedent(text)) for text in CELLS.values()]
    resources = {"metadata": {"path": str(folder)}}
    nbclient.NotebookClient(book, timeout=120, kernel_name="python3", resources=resources).execute()
    return dict(zip(CELLS, map(printed, book.cells[1:]), strict=True))


def printed(cell):
    """Return the lists that a cell printed, and the text where it printed one text."""
    lines = [out.text for out in cell.outputs if out.output_type == "stream"]
    return [ast.literal_eval(line) for line in "".join(lines).splitlines() if line[:1] == "["]


X = np.array([0.3, -0.2])
SPRING = 0.5 * 3.0 * X @ X


def slope(t):
    return np.exp(t) * (np.cos(t) - np.sin(t))


OUTER = (
    np.sinh(X) * np.sum(np.exp(-X))
    - np.sum(np.cosh(X) - 1.0) * np.exp(-X)
    + 3.0 * X
    + 6.0 * np.cos(X)
)

EXPECTED = {
    "beside imports": [[np.sinh(X)]],
    "methods": [[3.0 * X, np.cos(X)]],
    "lambdas": [[-np.exp(-X), 1.0 / np.cos(X) ** 2]],
    "without imports": [[OUTER]],
    "imported again": [[np.exp(0.4) * (np.sin(0.4) + np.cos(0.4))]],
    "redefined": [[slope(0.4), np.exp(0.4) * (np.sin(0.4) + np.cos(0.4))]],
    "a line of magic": [[2.0 * X * X[::-1] ** 2]],
    "loads a module": [[2.0 * np.exp(X), 2.0 * np.cos(X)]],
    "edited": [[5.0 * np.exp(X), 5.0 * np.cos(X)], [5.0 * np.exp(X), [5.0 * np.sum(np.exp(X))]]],
    "added": [[0.5 / np.sqrt(2.0 + X)]],
}


@pytest.mark.parametrize("cell", EXPECTED)
def test_cells_have_their_derivatives(told, cell):
    lines = told[cell]
    assert len(lines) == len(EXPECTED[cell])
    for found, wanted in zip(lines, EXPECTED[cell], strict=True):
        assert len(found) == len(wanted)
        for one, other in zip(found, wanted, strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-13)


def test_an_error_points_at_the_line_of_the_cell(told):
    ((text,),) = told["an error"]
    assert "numpy.union1d has no derivative rule" in text
    assert "line 3, in parted" in text
    assert "return np.sum(np.union1d(x, 1.0))" in text


def test_a_cell_whose_text_is_not_kept_says_so(told):
    ((text,),) = told["a timed cell"]
    assert "cannot be found" in text and "without %%time" in text


# ---------------------------------------------------------------------------- without a kernel


def run_cell(text, name, known):
    """Run a cell as IPython does: each statement is compiled without the others."""
    text = textwrap.dedent(text)
    linecache.cache[name] = len(text), None, text.splitlines(True), name
    for statement in ast.parse(text).body:
        exec(compile(ast.Module([statement], []), name, "exec"), known)


@pytest.mark.parametrize(
    "text",
    [
        "import numpy as np\ndef f(x): return np.sum(np.sin(x))",
        "import numpy as np; f = lambda x: np.sum(np.sin(x))",
        "from numpy import linalg\nimport numpy as np\ndef f(x):\n    return np.sum(np.sin(x))",
        "import numpy as np\nclass C:\n    @staticmethod\n    def f(x):\n"
        "        return np.sum(np.sin(x))\nf = C.f",
        "import numpy as np\nif np.pi > 3:\n    def f(x):\n        return np.sum(np.sin(x))",
        "import numpy as np\ndef make(k):\n    def f(x):\n        return np.sum(np.sin(k * x))\n"
        "    return f\nf = make(1.0)",
        "import numpy as np\ndef g(x): return np.sin(x)\ndef f(x): return np.sum(g(x))",
    ],
)
def test_statements_that_were_compiled_one_by_one(text):
    known = {"__name__": "__main__"}
    run_cell(text, "<cell of a test>", known)
    x = np.array([0.3, 1.2])
    np.testing.assert_allclose(s2sad.grad(known["f"])(x), np.cos(x), rtol=1e-14)


def test_a_cell_that_was_edited_and_not_run_again_is_refused():
    known = {}
    run_cell("import numpy as np\ndef f(x): return np.sum(np.sin(x))", "<cell edited>", known)
    text = "import numpy as np\ndef f(x): return np.sum(np.cos(x))"
    linecache.cache["<cell edited>"] = len(text), None, text.splitlines(True), "<cell edited>"
    with pytest.raises(s2sad.NoSource, match="is not what it runs"):
        s2sad.grad(known["f"])


TWICE = """\
import numpy as np


class A:
    def f(self, x):
        return np.sum(x)


class B:
    def f(self, x):
        return np.sum(x)


def f(x):
    return np.prod(x)
"""


@pytest.fixture
def twice(tmp_path):
    path = str(tmp_path / "twice.py")
    Path(path).write_text(TWICE)
    known = {"__name__": "twice"}
    exec(compile(TWICE, path, "exec"), known)
    yield known, path
    sys.modules.pop("twice", None)


def moved(function, text):
    """Give a function code that was compiled by itself, as autoreload does."""
    known = {}
    exec(compile(textwrap.dedent(text), function.__code__.co_filename, "exec"), known)
    made = known["Holder"].f if "Holder" in known else known["f"]
    function.__code__ = made.__code__


def test_what_was_compiled_by_itself_is_told_by_its_class(twice):
    known, _ = twice
    moved(known["B"].f, "class Holder:\n    def f(self, x):\n        return np.sum(x)")
    assert read(known["B"].f).tree.lineno == 10
    moved(known["f"], "def f(x):\n    return np.prod(x)")
    assert read(known["f"]).tree.lineno == 14


def test_what_is_in_the_file_no_more_is_refused(twice):
    known, path = twice
    moved(known["f"], "def f(x):\n    return np.mean(x)")
    with pytest.raises(s2sad.NoSource):
        read(known["f"])


def test_a_derivative_follows_code_that_was_given_to_a_method():
    class Kept:
        def f(self, x):
            return np.sum(x**2)

        def through(self, x):
            return 2.0 * self.f(x)

        def __call__(self, x):
            return np.sum(x**2)

    class Edited:
        def f(self, x):
            return np.sum(x**3)

    kept = Kept()

    def called(x):
        return kept.f(x)

    x = np.array([2.0, 1.0])
    asked = [(kept.f, 1), (kept.through, 2), (called, 1), (kept, 1)]
    derivatives = [(s2sad.grad(function), scale) for function, scale in asked]
    for derivative, scale in derivatives:
        assert np.array_equal(derivative(x), scale * 2.0 * x)
    Kept.f.__code__ = Kept.__call__.__code__ = Edited.f.__code__
    for derivative, scale in derivatives:
        assert np.array_equal(derivative(x), scale * 3.0 * x**2)
