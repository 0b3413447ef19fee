"""Turns a scope and a wanted kind into the text of a random expression of that kind.

floating(scope, 2)      "np.tanh(u[i - 1] * x) + 0.2 * np.sum(v)"
"""

from __future__ import annotations

import re

from tests.fuzz import names
from tests.fuzz.scope import FLOAT, Helper, Index, Kind, Scope, array


def expression(scope: Scope, kind: Kind, depth: int = 2) -> str:
    """Return an expression of a kind."""
    if kind == FLOAT:
        return floating(scope, depth)
    return vector(scope, kind.dims[0], depth) if len(kind.dims) == 1 else matrix(scope, kind, depth)


def tamed(scope: Scope, kind: Kind, depth: int = 2) -> str:
    """Return an expression that keeps a value which is carried round a loop bounded."""
    text = expression(scope, kind, depth)
    shape = scope.rng.choice(("np.tanh({})", "np.sin({})", "0.3 * ({})", "0.5 * np.cos({})", "{}"))
    return shape.format(text)


# ---------------------------------------------------------------------------- integers


def index(scope: Scope, length: int) -> str:
    """Return an index that is valid for an axis of a length."""
    rng = scope.rng
    options = [str(rng.choice((0, 1, -1, -2, length - 1, -length)))]
    for known in scope.indices:
        options += _shifted(known, length) * 3
    return rng.choice(options)


def _shifted(known: Index, length: int) -> list[str]:
    found = [f"({known.text} + 1) % {length}"] if known.low >= 0 else []
    for by, text in ((0, "{}"), (1, "{} + 1"), (-1, "{} - 1"), (-2, "{} - 2")):
        if -length <= known.low + by and known.high + by < length:
            found += [text.format(known.text)] * (2 if by == 0 else 1)
    if known.low >= 0 and known.high < length:
        found += [f"-{known.text} - 1", f"{length - 1} - {known.text}"]
    return found


def element(scope: Scope, name: str) -> str:
    """Return a subscript that reads or writes one element of an array."""
    dims = scope.kinds[name].dims
    if len(dims) == 1:
        return f"{name}[{index(scope, dims[0])}]"
    row, column = index(scope, dims[0]), index(scope, dims[1])
    return f"{name}[{row}, {column}]" if scope.rng.random() < 0.8 else f"{name}[{row}][{column}]"


def condition(scope: Scope) -> str:
    """Return a test: mostly on data, sometimes on an index."""
    rng = scope.rng
    if scope.indices and rng.random() < 0.35:
        known = rng.choice(scope.indices).text
        return rng.choice((f"{known} % 2 == 0", f"{known} > 1", f"{known} == 2", f"not {known}"))
    left, right = floating(scope, 1), rng.choice((floating(scope, 0), rng.choice(("0.1", "-0.2"))))
    test = f"{left} {rng.choice(('>', '<', '>=', '<='))} {right}"
    if scope.has("tests", 0.3):
        other = f"{floating(scope, 0)} > {rng.choice(('0.0', '0.3'))}"
        shape = rng.choice(("{} and {}", "{} or {}", "not ({}) and {}"))
        return shape.format(test, other)
    return test


# ---------------------------------------------------------------------------- scalars


def floating(scope: Scope, depth: int) -> str:
    """Return an expression whose value is a float."""
    rng = scope.rng
    if depth <= 0 or rng.random() < 0.15:
        return _float_leaf(scope)
    draw = rng.random()
    if draw < 0.30:
        pattern = rng.choice(names.UNARY + names.SCALAR_ONLY)
        return pattern.format(_grouped(floating(scope, depth - 1)))
    if draw < 0.65:
        pair = (_grouped(floating(scope, depth - 1)), _grouped(floating(scope, depth - 1)))
        return rng.choice(names.BINARY).format(*pair)
    if draw < 0.85:
        return _reduction(scope, depth)
    return _special_float(scope, depth)


def _grouped(text: str) -> str:
    return text if re.fullmatch(r"[\w.]+(\[[^][()]*\])?", text) else f"({text})"


def _float_leaf(scope: Scope) -> str:
    rng = scope.rng
    options = scope.of(FLOAT) * 2
    for name in scope.arrays(1) + scope.arrays(2):
        options.append(element(scope, name))
    if scope.has("constants", 0.4):
        options += list(names.CONSTANTS)
    if not options or rng.random() < 0.12:
        return rng.choice(names.CONSTANT_TEXTS)
    return rng.choice(options)


def _reduction(scope: Scope, depth: int) -> str:
    rng = scope.rng
    vectors = scope.arrays(1)
    if not vectors:
        return _float_leaf(scope)
    length = scope.kinds[rng.choice(vectors)].dims[0]
    a, b = vector(scope, length, depth - 1), vector(scope, length, depth - 1)
    plain = [f"np.sum({a})", f"0.5 * np.sum({a})", f"np.mean({a})", f"({a}).sum()", f"sum({a})"]
    plain += [f"np.dot({a}, {b})", f"({a}) @ ({b})", f"np.max({a})", f"({a}).mean()"]
    plain += [f"np.min({a})", f"np.prod(0.9 + 0.1 * ({a}))", f"np.linalg.norm(1.5 + 0.1 * ({a}))"]
    for name in scope.arrays(2):
        plain += [f"0.3 * np.sum({name})", f"np.mean({name} ** 2)", f"{name}.sum()"]
    return "0.5 * " + rng.choice(plain) if rng.random() < 0.3 else rng.choice(plain)


def _special_float(scope: Scope, depth: int) -> str:
    rng = scope.rng
    options = [lambda: _float_leaf(scope)]
    if "ifexp" in scope.features:
        options.append(lambda: _choice(scope, FLOAT, depth))
    if scope.indices:
        options.append(lambda: f"{rng.choice(scope.indices).text} * {_float_leaf(scope)}")
    if scope.arrays(1):
        options.append(lambda: f"len({rng.choice(scope.arrays(1))}) * 0.1 * {_float_leaf(scope)}")
    options.append(lambda: f"max({floating(scope, 0)}, {floating(scope, 0)})")
    calls = [each for each in scope.helpers if each.result == FLOAT]
    if calls:
        options += [lambda: call(scope, rng.choice(calls))] * 4
    return rng.choice(options)()


def _choice(scope: Scope, kind: Kind, depth: int) -> str:
    then, other = expression(scope, kind, depth - 1), expression(scope, kind, depth - 1)
    return f"({then} if {condition(scope)} else {other})"


# ---------------------------------------------------------------------------- vectors


def vector(scope: Scope, length: int, depth: int) -> str:
    """Return an expression whose value is a 1-d array of a length."""
    rng = scope.rng
    if depth <= 0 or rng.random() < 0.2:
        return _vector_leaf(scope, length)
    draw = rng.random()
    one = _grouped(vector(scope, length, depth - 1))
    if draw < 0.3:
        return rng.choice(names.UNARY).format(one)
    if draw < 0.6:
        return rng.choice(names.BINARY).format(one, _grouped(vector(scope, length, depth - 1)))
    if draw < 0.8:
        scalar = _grouped(floating(scope, depth - 1))
        pair = (scalar, one) if rng.random() < 0.6 else (one, scalar)
        return rng.choice(names.BINARY).format(*pair)
    return _special_vector(scope, length, depth, one)


def _vector_leaf(scope: Scope, length: int) -> str:
    rng = scope.rng
    options = scope.of(array(length)) * 3
    if "slices" in scope.features:
        for name in scope.arrays(1):
            options += slices(name, scope.kinds[name].dims[0], length)
    for name in scope.arrays(2):
        rows, columns = scope.kinds[name].dims
        options += [f"{name}[{index(scope, rows)}]"] if columns == length else []
        options += [f"{name}[:, {index(scope, columns)}]"] if rows == length else []
    if not options:
        shape = ("np.ones({}) * {}", "np.full({}, {})", "np.linspace(0.1, 0.8, {}) * {}")
        return rng.choice(shape).format(length, _grouped(floating(scope, 0)))
    return rng.choice(options)


def slices(name: str, size: int, length: int) -> list[str]:
    """Return the slices of a name (of `size` elements) that have a length."""
    short = size - length
    if short == 0:
        return [f"{name}[::-1]", f"{name}[:]"]
    if short == 1:
        return [f"{name}[1:]", f"{name}[:-1]", f"{name}[:{length}]", f"{name}[-1:0:-1]"]
    if short == 2:
        return [f"{name}[1:-1]", f"{name}[2:]", f"{name}[:-2]"]
    found = [f"{name}[::2]"] if (size + 1) // 2 == length else []
    return found + ([f"{name}[1:{length + 1}]"] if short > 2 else [])


def _special_vector(scope: Scope, length: int, depth: int, one: str) -> str:
    rng = scope.rng
    options = [f"np.roll({one}, {rng.choice((1, -1, 2))})", f"np.clip({one}, -0.8, 0.9)"]
    options += [f"0.3 * np.cumsum({one})", f"({one})[::-1]", f"np.flip({one})"]
    other = vector(scope, length, depth - 1)
    options.append(f"np.where({one} > {rng.choice(('0.1', '-0.2'))}, {one}, {other})")
    options.append(f"np.concatenate([({other})[1:], ({one})[:1]])")
    for name in scope.arrays(2):
        options += _from_matrix(scope, name, length, depth)
    calls = [each for each in scope.helpers if each.result == array(length)]
    if calls:
        options += [call(scope, rng.choice(calls))] * 4
    if scope.has("ifexp", 0.2):
        options.append(_choice(scope, array(length), depth))
    return rng.choice(options)


def _from_matrix(scope: Scope, name: str, length: int, depth: int) -> list[str]:
    rows, columns = scope.kinds[name].dims
    found: list[str] = []
    if columns == length:
        left = vector(scope, rows, 0)
        found += [f"0.3 * np.sum({name}, axis=0)", f"np.mean({name}, axis=0)", f"({left}) @ {name}"]
    if rows == length:
        right = vector(scope, columns, 0)
        found += [f"0.3 * {name}.sum(axis=1)", f"0.4 * ({name} @ ({right}))"]
        found += [f"0.3 * np.dot({name}, {right})", f"np.max({name}, axis=-1)"]
    return found


# ---------------------------------------------------------------------------- matrices


def matrix(scope: Scope, kind: Kind, depth: int) -> str:
    """Return an expression whose value is a 2-d array."""
    rng = scope.rng
    rows, columns = kind.dims
    known = scope.of(kind)
    if not known or rng.random() < 0.1:
        left, right = vector(scope, rows, 0), vector(scope, columns, 0)
        return f"np.outer({left}, {right})"
    one = rng.choice(known)
    if depth <= 0:
        return one
    options = [
        rng.choice(names.UNARY).format(one),
        rng.choice(names.BINARY).format(one, _grouped(matrix(scope, kind, depth - 1))),
        rng.choice(names.BINARY).format(one, _grouped(vector(scope, columns, depth - 1))),
        rng.choice(names.BINARY).format(_grouped(floating(scope, depth - 1)), one),
        f"{one} - np.mean({one}, axis=1, keepdims=True)",
        f"{one} * ({vector(scope, rows, 0)})[:, None]",
        f"({one}.T @ {one})[:{rows}, :] * 0.2" if rows <= columns else one,
        f"({one}.T * {_grouped(floating(scope, 0))}).T",
        f"np.reshape({one}[::-1], ({rows}, {columns}))",
    ]
    return rng.choice(options)


# ---------------------------------------------------------------------------- calls


def call(scope: Scope, helper: Helper) -> str:
    """Return a call of a helper, now and then with one name twice or with keywords."""
    rng = scope.rng
    given = helper.params
    if helper.defaults and rng.random() < 0.5:
        given = given[: -helper.defaults]
    texts: list[tuple[str, str]] = []
    for name, kind in given:
        text = argument(scope, kind)
        keyword = len(texts) > 0 and rng.random() < 0.25
        texts.append((name, text) if keyword or (texts and texts[-1][0]) else ("", text))
    return f"{helper.name}({', '.join(f'{k}={v}' if k else v for k, v in texts)})"


def argument(scope: Scope, kind: Kind) -> str:
    """Return an argument for a call: a name where there is one."""
    known = scope.of(kind)
    if known and scope.rng.random() < 0.7:
        return scope.rng.choice(known)
    return (
        scope.rng.choice(names.CONSTANT_TEXTS[:6]) if kind == FLOAT else expression(scope, kind, 1)
    )
