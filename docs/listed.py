"""The table of the functions that have a derivative, from the templates and what else makes one.

python docs/listed.py     prints it; docs/fill.py puts it into docs/functions.md
"""

import importlib
import re

SCIPY = (
    *("fft", "integrate", "interpolate", "linalg", "ndimage", "optimize", "signal", "sparse"),
    *("sparse.linalg", "spatial.distance", "special", "stats"),
)
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
    for rule, name in (*_templates(), *_twins()):
        modes, values, by, said = found.setdefault(name, (set(), set(), set(), []))
        modes.add(ZERO if rule.constant else BOTH)
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
    return found


def _templates():
    from s2sad.legacy.rules import load

    return ((rule, name) for rule in load().every for name in names_of(rule))


def _twins():
    from s2sad.legacy.rules import TWINS, rules_of
    from s2sad.legacy.templating import template_texts
    from s2sad.source.optional import loaded

    files = (file for file in template_texts() if file.startswith(TWINS))
    rules = (rule for file in files for rule in rules_of(file, loaded()))
    return ((rule, name) for rule in rules for name in names_of(rule))


def _made():
    """Yield what Python functions differentiate: displays of any length, and solvers."""
    from s2sad.legacy import hooks
    from s2sad.legacy.behind import OPERATORS
    from s2sad.legacy.solvers.task import SOLVERS
    from s2sad.legacy.writers import PARAMETERS

    known = {**hooks._hooks(), **hooks._display_hooks()}
    for module in ("numpy", "numpy.linalg", "math", "builtins"):
        for name, value in vars(importlib.import_module(module)).items():
            if id(value) in known and not name.startswith("_"):
                prefix = {"numpy": "np.", "numpy.linalg": "np.linalg.", "math": "math."}
                yield f"{prefix.get(module, '')}{name}", "hooks"
    yield from ((f"scipy.{name}", "solvers") for name in SOLVERS)
    # Python that calls what they are given, and what becomes an assignment
    yield from ((f"np.{name}", "higher") for name in ("vectorize", "apply_along_axis", "piecewise"))
    yield from ((name, "writers") for name in PARAMETERS)
    yield ("np.add.at", "into")
    yield from (("np.r_", "hooks"), ("np.c_", "hooks"))
    # what is another name of an operator
    yield from (
        ("pow" if each is pow else f"operator.{each.__name__}", "behind") for each in OPERATORS
    )


def names_of(rule):
    """Return what the spellings of a rule are called; printed functions are nobody's to call."""
    names = (name_of(pattern) for pattern in rule.patterns)
    return dict.fromkeys(name for name in names if name)


def name_of(pattern):
    """Return the name of what a pattern is for: `np.sin`, `.sum()`, `.T`, `x + y`."""
    from s2sad.legacy.program import Attr, Call, Op, Ref

    match pattern:
        case Call(Ref(text)):
            return "" if text.startswith("_") else text  # those of another NumPy have rows, too
        case Call(Attr(Ref(text), method)):
            return f"{text}.{method}"
        case Call(Attr(Call(Ref(text)), method)):
            return f"{text}().{method}"
        case Call(Attr(_, method)):
            return f".{method}()"
        case Call(Call(Ref(text))):
            return text
        case Attr(_, name):
            return f".{name}"
        case Op(op, args):
            return _operator(op) if len(args) != 1 else "not x" if op == "not" else f"{op[-1]}x"
    return ""


def _operator(op):
    return {"index": "x[i]", "if": "x if test else z", "tuple": "(x, z)", "list": "[x, z]"}.get(
        op, f"x {op.replace('_', ' ')} z".replace("|", "\\|")
    )


def _field(rule):
    complex_too = rule.holomorphic or any("complex" in words for words in rule.marks.values())
    return "complex" if complex_too else "real"


def _values(values):
    return "real, complex" if "complex" in values else "real"


def _order(row):
    name = row[0]
    group = re.match(r"scipy|np|math|\w|\.", name)
    first = ["np", "math", "scipy"].index(group[0]) if group and group[0] in _PACKAGES else 3
    return first, name.lower()


_PACKAGES = ("np", "math", "scipy")

if __name__ == "__main__":
    print(table(), end="")
