"""The table of the functions that have a derivative, from the templates and what else makes one.

python docs/listed.py     prints it; docs/fill.py puts it into docs/functions.md
"""

import importlib
import re

from s2sad.operators import hooks
from s2sad.operators.library import every_rule
from s2sad.operators.modules import identity
from s2sad.operators.spelling import OF_UFUNCS
from s2sad.prelude.real_domain import OF_EMATH
from s2sad.source.optional import SOLVERS

SCIPY = (
    *(
        "fft",
        "fftpack",
        "integrate",
        "interpolate",
        "linalg",
        "ndimage",
        "optimize",
        "signal",
        "sparse",
    ),
    *("sparse.linalg", "spatial.distance", "special", "stats"),
)
SPELLED = {
    "subscript": "x[i]",
    "conditional": "x if test else z",
    "tuple": "(x, z)",
    "list": "[x, z]",
}
STORES = "np.add.at np.copyto np.fill_diagonal np.put np.place np.putmask np.put_along_axis".split()
OPERATORS = "add floordiv matmul mod mul pow sub truediv".split()
HEAD = "| function | modes | values | by | conventions |\n|---|---|---|---|---|\n"
ZERO, BOTH = "derivative 0", "forward, reverse"


def table():
    """Return the table as Markdown: one row for each function, method, attribute and operator."""
    found = rows()
    return HEAD + "".join(
        f"| `{name}` | {' or '.join(sorted(modes))} | {_values(values)} | {', '.join(sorted(by))} | "
        f"{' '.join(said)} |\n"
        for name, (modes, values, by, said) in sorted(found.items(), key=_order)
    )


def rows():
    """Return for each name its modes, its kinds of values, the files of its rules, and what they say."""
    for module in SCIPY:
        importlib.import_module(
            f"scipy.{module}"
        )  # the rules of a module are read once it is there
    found = {}
    pairs = ((each, name) for each in every_rule() for name in names_of(each))
    for rule, name in pairs:
        modes, values, by, said = found.setdefault(name, (set(), set(), set(), []))
        modes.add(ZERO if rule.is_constant else BOTH)
        values.add(_field(rule))
        by.add(rule.file.removesuffix(".py"))
        doc = " ".join(rule.doc.split()).replace("|", "\\|")
        if doc and doc not in said:
            said.append(doc)
    for name, by in _made():
        modes, values, files, _ = found.setdefault(name, (set(), set(), set(), []))
        modes.add(BOTH)
        values.add("real")
        files.add(by)
    found.update({method: found[f"np.{named}"] for method, named in OF_UFUNCS.items()})
    return found


def _made():
    """Yield what Python functions differentiate: displays of any length, solvers, what is lowered."""
    known = {identity(function) for function, _ in (*hooks.HOOKS, *hooks.DISPLAYED)}
    for module in ("numpy", "numpy.linalg", "math", "builtins"):
        for name, value in vars(importlib.import_module(module)).items():
            if identity(value) in known and not name.startswith("_"):
                prefix = {"numpy": "np.", "numpy.linalg": "np.linalg.", "math": "math."}
                yield f"{prefix.get(module, '')}{name}", "hooks"
    yield from ((f"scipy.{name}", "solvers") for name in SOLVERS)
    # Python that calls what they are given, and what becomes a store
    yield from (
        (f"np.{name}", "prelude") for name in ("vectorize", "apply_along_axis", "piecewise")
    )
    yield from ((f"np.emath.{of_numpy.__name__}", "prelude") for of_numpy in OF_EMATH)
    yield from ((name, "stores") for name in STORES)
    yield from (("np.r_", "hooks"), ("np.c_", "hooks"))
    yield from ((f"scipy.{text}", "hooks") for text, _ in hooks.OF_SCIPY)
    # what is another name of an operator
    yield from (("pow", "spelling"), *((f"operator.{name}", "spelling") for name in OPERATORS))


def names_of(rule):
    """Return what the spellings of a rule are called; printed functions are nobody's to call."""
    names = (name_of(pattern) for pattern in rule.patterns)
    return dict.fromkeys(name for name in names if name)


def name_of(pattern):
    """Return the name of what a pattern is for: `np.sin`, `.sum()`, `.T`, `x + y`."""
    match pattern.op:
        case "call":
            return _called(pattern.args[0])
        case "attribute":
            return f".{pattern.data}"
        case "subscript" | "conditional" | "tuple" | "list":
            return SPELLED[pattern.op]
        case "unary":
            return "not x" if pattern.data == "not" else f"{pattern.data}x"
        case "binary":
            return f"x {pattern.data} z".replace("|", "\\|")
        case "compare":
            return f"x {pattern.data[0]} z"
    return ""


def _called(function):
    """Return the name of what a pattern calls: a function, or a method of what it is given."""
    if function.op == "global":  # those of another NumPy have rows, too
        return "" if function.data.text.startswith("_") else function.data.text
    if function.op == "call":
        return _called(function.args[0])
    if function.op != "attribute":  # an object that is called
        return ""
    owner = function.args[0]
    if owner.op == "global":
        return f"{owner.data.text}.{function.data}"
    if owner.op == "call" and owner.args[0].op == "global":
        return f"{owner.args[0].data.text}().{function.data}"
    return f".{function.data}()"


def _field(rule):
    complex_too = rule.holomorphic or any("complex" in words for words in rule.marks.values())
    return "complex" if complex_too else "real"


def _values(values):
    return "real, complex" if "complex" in values else "real"


def _order(row):
    name = row[0]
    group = re.match(r"scipy|np|math|cmath|\w|\.", name)
    first = _PACKAGES.index(group[0]) if group and group[0] in _PACKAGES else len(_PACKAGES)
    return first, name.lower()


_PACKAGES = ("np", "math", "cmath", "scipy")

if __name__ == "__main__":
    print(table(), end="")
