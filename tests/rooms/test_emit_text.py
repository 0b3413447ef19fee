"""Texts word by word: names, comments, imports, constants, signatures and what they ask."""

import numpy as np
import pytest

import s2sad
from s2sad.emit import Request, message_of, text
from s2sad.ir.errors import NotYet
from s2sad.ir.expression import Expr, Role, Variable, call, global_, name
from s2sad.ir.program import Let, Parameter, Return
from s2sad.ir.records import replace
from s2sad.ir.spelling import literal
from s2sad.ir.types import Number
from s2sad.operators import printed
from s2sad.source.read import read as source_of
from s2sad.types import Context
from tests.rooms import emit_functions as functions
from tests.rooms.emitted import emitted, loaded
from tests.rooms.forward import jvp_program
from tests.rooms.lowered import program_of

V = np.array([0.3, 0.7, 1.1])


def primal(called, args):
    """Return the text of a function itself."""
    function = getattr(functions, called)
    return text(
        program_of(function, args), Request(called, "primal", (), source_of(function), Context())
    )


def gradient(called, args, form="grad"):
    """Return the text of a gradient."""
    return emitted(getattr(functions, called), args, form=form)[1]


def body(written):
    """Return the lines of a text below the first title."""
    return written[written.index("    # -- ") :]


# ---------------------------------------------------------------------------- as the user wrote it


COMMENTED = """\
import numpy as np


def commented(u, c):
    # the state is not to be changed
    u = u.copy()
    # right
    # metres per second
    flux = c * (u[1:] - u[:-1])
    if c > 0.3:
        # upwind
        u[1:] += flux  # in place
    return np.sum(u**2)
"""

WITH_CONSTANTS = '''\
import math

import numpy as np

GRAVITY = 9.81
WEIGHTS = np.array([0.2, 0.3, 0.5])


def slope(a, k):
    """Return a slope."""
    return a * math.sin(k * a)


def with_constants(x, t):
    return GRAVITY * x * np.dot(WEIGHTS, t) + slope(x, 1.0)
'''

POWERS_AND_SLICES = """\
import math


def powers_and_slices(u, n):
    total = 0.0
    for i in range(1, n):
        total += u[i] ** 2 + u[i - 1 : i + 1].sum() ** -n - -(u[0] ** 2) + n**2
    return total * math.pi
"""

WITH_KINDS = """\
def with_kinds(x, /, scale=2.0):
    return scale * x**3
"""

LONG_LINES = """\
import numpy as np


def long_lines(first_argument, second_argument):
    total = np.sum(first_argument * second_argument) + np.sum(
        first_argument * first_argument
    )
    return total
"""


@pytest.mark.parametrize(
    ("called", "args", "expected"),
    [
        ("commented", (V, 0.4), COMMENTED),
        ("with_constants", (0.3, V), WITH_CONSTANTS),
        ("powers_and_slices", (V, 3), POWERS_AND_SLICES),
        ("with_kinds", (0.3, 0.4), WITH_KINDS),
        ("long_lines", (V, V), LONG_LINES),
    ],
)
def test_a_function_stands_as_it_was_written(called, args, expected):
    assert primal(called, args) == expected


# ---------------------------------------------------------------------------- names


def test_the_users_own_bars_make_all_adjoints_adj():
    written = body(gradient("own_bars", (0.3, 0.4)))
    assert "y_adj = " in written and "return y_adj * x_bar, x * y_adj" in written
    assert "y_bar" not in written


def test_a_value_that_is_read_later_gets_a_word_and_its_adjoint_the_plain_name():
    written = body(gradient("both_versions", (0.3, 0.2)))
    assert "c_new = 0.7 * c * c" in written
    assert "return 1.4 * (c_new * np.cos(c_new) + sin_c) * u * c, sin_c * c_new" in written
    assert "c_2" not in written and "c_new_2" not in written and "c_new_bar" not in written


def test_a_changed_copy_keeps_the_name_where_the_argument_is_not_read_again():
    written = body(gradient("commented", (V, 0.4)))
    assert "u = u.copy()" in written
    assert "u_bar = " in written and "u_2" not in written


def test_temporaries_of_one_statement_have_words():
    written = body(gradient("quotients", (2.0, 0.3)))
    assert "x_term_bar = " in written and "x_numerator_bar = " in written
    assert "_bar_2" not in written


def test_a_builtin_is_found_behind_an_argument_of_its_name():
    written = gradient("counted", (V, 0.3))
    assert "import builtins" in written
    assert "builtins.len(" in written
    run = loaded(written)["counted_grad"]
    np.testing.assert_allclose(run(V, 0.3)[1], np.sum(V))


# ---------------------------------------------------------------------------- the head of a file


MANY_MODULES = """\
import math

import numpy as np
import numpy.linalg as nl

RATES = {"slow": 0.3, "fast": (1, 2)}
SMALL = np.float32(0.10000000149011612)


def many_modules(x):
    x = x * math.sin(RATES["slow"])
    return nl.norm(x) * np.exp(SMALL)
"""


def test_a_file_imports_and_defines_what_it_names():
    assert primal("many_modules", (V,)) == MANY_MODULES


def test_helpers_stand_in_the_file_as_they_are_and_only_where_they_are_called():
    written = str(s2sad.grad(functions.of_any_lengths, "params", like=([V, V[:1]], V)).source)
    assert printed.source("_sum_to") in written
    assert "_sum_to" not in gradient("scaled", (V, 0.2), "vjp")


# ---------------------------------------------------------------------------- comments


def test_a_remark_names_all_lines_of_a_statement_once():
    written = body(gradient("commented", (V, 0.4)))
    start = functions.commented.__code__.co_firstlineno
    lines = f"{start + 4}-{start + 10}"
    assert written.count(f"# {lines}: flux = c * (u[1:] - u[:-1])") == 1


def test_comments_stand_with_their_statements():
    written = gradient("commented", (V, 0.4))
    above = [line.strip() for line in written.splitlines()]
    assert above[above.index("# the state is not to be changed") + 1] == "u = u.copy()"
    assert "pylint" not in written
    assert written.count("# upwind") == 1


def test_one_line_has_its_remark_behind_it():
    written = gradient("own_bars", (0.3, 0.4))
    line = functions.own_bars.__code__.co_firstlineno + 2
    assert f"  # {line}: return np.sin(y) * y\n" in written


# ---------------------------------------------------------------------------- what is asked


def test_whole_numbers_are_refused_where_floats_were_given():
    run = loaded(gradient("shadowing", (V, 0.2)))["shadowing_grad"]
    with pytest.raises(ValueError, match="float array x"):
        run(np.array([1, 2, 3]), 0.2)


def test_seeds_have_the_shape_and_kind_of_the_result():
    program, written = emitted(functions.scaled, (V, 0.2), form="vjp")
    run = loaded(written)["scaled_vjp"]
    assert written.count("raise ValueError") == 1
    request = Request("scaled_vjp", "vjp", ("x", "c"), source_of(functions.scaled), Context())
    message = message_of(program, request)
    assert (
        message
        == "made for float array x (n,), real number c, a float array seed of the result's shape"
    )
    np.testing.assert_allclose(run(V, 0.2, V)[0], 0.4 * V)
    for seed in (np.array([1, 2, 3]), np.ones(4), np.ones((3, 1))):
        with pytest.raises(ValueError, match="made for float array x"):
            run(V, 0.2, seed)


def test_a_seed_of_two_results_has_two_parts():
    run = loaded(gradient("two_results", (V, 0.2), "vjp"))["two_results_vjp"]
    np.testing.assert_allclose(run(V, 0.2, (V, 2.0))[0], 0.2 * V + 2.0)
    for seed in ((V,), (V, V), (2.0 * np.ones(4), 2.0), (np.array([1, 2, 3]), 2.0)):
        with pytest.raises(ValueError, match="made for float array x"):
            run(V, 0.2, seed)


def test_what_has_no_text_is_left_to_others():
    with pytest.raises(NotYet):
        primal("with_an_object", (0.3,))


# ---------------------------------------------------------------------------- forward mode


def with_tangents(program):
    """Return a program that carries the tangent of theta along, written by hand."""
    function = program.function
    theta, omega, dt = (p.variable for p in function.parameters)
    first, second, last = function.body
    number = Number("float64")
    dots = {v: Variable(f"{v.name}_dot", 0, Role.TANGENT, v) for v in (theta, omega)}
    sine = Variable("sin_theta", 0, Role.TERM)

    def read(variable):
        return name(variable, number)

    def times(left, right):
        return Expr("binary", (left, right), "*", number)

    def plus(symbol, left, right):
        return Expr("binary", (left, right), symbol, number)

    cosine = call(global_("np.cos", np.cos), read(theta), type_=number)
    slope = times(read(dt), times(cosine, read(dots[theta])))
    body = (
        Let(sine, first.value.args[1].args[1], first.span),
        Let(dots[omega], Expr("unary", (slope,), "-", number), first.span),
        Let(omega, plus("-", read(omega), times(read(dt), read(sine))), first.span),
        Let(
            dots[theta],
            plus("+", read(dots[theta]), times(read(dt), read(dots[omega]))),
            second.span,
        ),
        second,
        Return(Expr("tuple", (read(theta), read(dots[theta]))), last.span),
    )
    parameters = (*function.parameters, Parameter(dots[theta]))
    made = replace(function, parameters=parameters, body=body, doc="")
    return replace(program, functions={made.name: made})


SWUNG = '''\
import numpy as np


def swung_jvp(theta, omega, dt, theta_dot):
    """Value of swung(theta, omega, dt) and its derivative along theta_dot.

    Differentiated in forward mode by s2sad from emit_functions.py:{first}-{last},
    for floats theta, omega, dt.
    """
    # {one}: omega = omega - dt * np.sin(theta)
    # half a step
    sin_theta = np.sin(theta)
    omega_dot = -(dt * (np.cos(theta) * theta_dot))
    omega = omega - dt * sin_theta
    # {two}: theta = theta + dt * omega
    theta_dot = theta_dot + dt * omega_dot
    theta = theta + dt * omega
    return theta, theta_dot
'''


def test_tangents_stand_with_the_statement_of_the_users():
    function = functions.swung
    program = with_tangents(program_of(function, (0.3, 0.1, 0.01)))
    request = Request("swung_jvp", "jvp", ("theta",), source_of(function), Context())
    first = function.__code__.co_firstlineno
    expected = SWUNG.format(first=first, last=first + 4, one=first + 2, two=first + 3)
    written = text(program, request)
    assert written == expected
    run = loaded(written)["swung_jvp"]
    step = 1e-20
    value = functions.swung(0.3 + 1j * step, 0.1, 0.01)
    np.testing.assert_allclose(run(0.3, 0.1, 0.01, 1.0), (value.real, value.imag / step))


# ---------------------------------------------------------------------------- literals


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("plain", '"plain"'),
        ('say "so"', "'say \"so\"'"),
        ("both ' and \"", '"both \' and \\""'),
        ("line\nand \\", '"line\\nand \\\\"'),
        (b"\x00'\xff", 'b"\\x00\'\\xff"'),
        (-0.5, "-0.5"),
        (float("-inf"), "-np.inf"),
        (2j, "2j"),
        (1 - 2j, "1.0 - 2j"),
        ((1,), "(1,)"),
    ],
)
def test_literals_are_read_back(value, expected):
    written = literal(value)[0]
    assert written == expected
    assert eval(written, {"np": np}) == value


def sheltered(r, delta):
    total = 0.0
    for i in range(len(r)):
        a = abs(r[i])
        if a <= delta:
            total += 0.5 * r[i] ** 2
        else:
            total += delta * (a - 0.5 * delta)
    return total


def test_zeros_of_tangents_stand_beside_what_they_are_tangents_of():
    program = jvp_program(sheltered, (V, 0.6), ["r", "delta"], simpler=True)
    request = Request("jvp", "jvp", ("r", "delta"), source_of(sheltered), Context())
    written = text(program, request)
    assert "    total = 0.0\n" in written and "    total_dot = 0.0\n" in written
    value, dot = loaded(written)["jvp"](V, 0.6, np.ones(3), 0.5)
    step = 1e-6
    moved = (sheltered(V + step * k, 0.6 + 0.5 * step * k) for k in (1, -1))
    np.testing.assert_allclose(value, sheltered(V, 0.6))
    np.testing.assert_allclose(dot, np.subtract(*moved) / (2 * step), rtol=1e-6)


def test_what_is_saved_has_one_name_in_both_sweeps() -> None:
    def mixed(A, B, u):
        v = B[:, 0] * u
        for k in range(4):
            v = np.tanh(A @ v) * B[:, k]
        return np.sum(v)

    args = np.eye(3), np.ones((3, 4)), np.ones(3)
    source = s2sad.grad(mixed, ("A", "B", "u"), like=args).source
    assert "saved.append((v_tanh, v))" in source
    assert "v_tanh, v = saved.pop()" in source
    assert "(1.0 - v_tanh**2)" in source
