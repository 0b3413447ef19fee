"""Expressions print as black would print them, and parse back to the tree that was meant."""

from __future__ import annotations

import ast
import math
import random
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import gast
import numpy as np
import pytest

from s2sad.ir.errors import InternalError
from s2sad.legacy.printing import comparison_operators, statement_text, text, wrap
from s2sad.legacy.program import NONE, Attr, Call, Const, Expr, Op, Opaque, Ref, Var

x, y, z, u, A, i = (Var(slot, 0) for slot in ("x", "y", "z", "u", "A", "i"))
one, two = Const(1), Const(2)
ALL = Op("slice", (NONE, NONE, NONE))


def names(slot: str) -> str:
    return slot.replace("~", "_").replace("%", "_")


def op(sign: str, *args: Expr) -> Op:
    return Op(sign, args)


def cut(*bounds: Expr) -> Op:
    return Op("slice", (*bounds, *[NONE] * (3 - len(bounds))))


PRINTED = [
    # association is kept, and no parenthesis is printed that it does not need
    (op("-", x, op("-", y, z)), "x - (y - z)"),
    (op("-", op("-", x, y), z), "x - y - z"),
    (op("*", op("*", x, y), z), "x * y * z"),
    (op("*", x, op("*", y, z)), "x * (y * z)"),
    (op("/", x, op("*", y, z)), "x / (y * z)"),
    (op("*", op("+", x, y), z), "(x + y) * z"),
    (op("@", op("@", x, y), z), "x @ y @ z"),
    (op("*", Const(0.5), Var("x~bar", 0)), "0.5 * x_bar"),
    (op("-", x, Const(-1.0)), "x - -1.0"),
    (op("u-", op("u-", x)), "--x"),
    (op("u-", op("+", x, y)), "-(x + y)"),
    (op("*", op("u-", x), y), "-x * y"),
    (op("~", x), "~x"),
    # the power operator hugs names, attributes and numbers
    (op("**", x, two), "x**2"),
    (op("u-", op("**", x, two)), "-x**2"),
    (op("**", op("u-", x), two), "(-x) ** 2"),
    (op("**", Const(-2), two), "(-2) ** 2"),
    (op("**", x, Const(-1)), "x**-1"),
    (op("**", x, op("u-", y)), "x**-y"),
    (op("**", op("index", u, i), two), "u[i] ** 2"),
    (op("**", Attr(x, "T"), two), "x.T**2"),
    (op("**", x, op("**", y, z)), "x ** y**z"),
    (op("**", op("**", x, y), z), "(x**y) ** z"),
    (op("**", x, op("+", y, one)), "x ** (y + 1)"),
    (op("*", x, op("**", y, two)), "x * y**2"),
    # subscripts
    (op("index", u, cut(one, Const(-1))), "u[1:-1]"),
    (op("index", u, cut(op("+", i, one))), "u[i + 1 :]"),
    (op("index", u, cut(NONE, op("+", i, one))), "u[: i + 1]"),
    (op("index", u, cut(i, op("+", i, two), two)), "u[i : i + 2 : 2]"),
    (op("index", u, cut(NONE, NONE, Const(-1))), "u[::-1]"),
    (op("index", u, cut(NONE, NONE, op("*", i, two))), "u[:: i * 2]"),
    (op("index", u, cut(i, NONE, op("*", i, two))), "u[i :: i * 2]"),
    (op("index", u, cut(Attr(x, "size"))), "u[x.size :]"),
    (op("index", A, op("tuple", ALL, Const(0))), "A[:, 0]"),
    (op("index", A, op("tuple", i, Const(...))), "A[i, ...]"),
    (op("index", A, op("tuple", i)), "A[i,]"),
    (op("index", A, op("tuple")), "A[()]"),
    (op("index", A, op("tuple", op("star", x))), "A[*x]"),
    (op("index", A, op("tuple", op("tuple", x, y), i)), "A[(x, y), i]"),
    (op("index", A, Const((0, 1))), "A[0, 1]"),
    (op("index", op("+", x, y), i), "(x + y)[i]"),
    (op("tuple", cut(one)), "(slice(1, None, None),)"),
    # attributes
    (Attr(one, "real"), "(1).real"),
    (Attr(Const(1.5), "real"), "(1.5).real"),
    (Attr(Const(-1), "real"), "(-1).real"),
    (Attr(Attr(x, "T"), "shape"), "x.T.shape"),
    # tests
    (op("< <=", x, y, z), "x < y <= z"),
    (op("is not", x, NONE), "x is not None"),
    (op("is_not", x, NONE), "x is not None"),
    (op("== not_in", x, y, z), "x == y not in z"),
    (op("is not_in", x, y, z), "x is y not in z"),
    (op("<", op("<", x, y), z), "(x < y) < z"),
    (op("and", x, op("or", y, z), op("not", x)), "x and (y or z) and not x"),
    (op("not", op("and", x, y)), "not (x and y)"),
    (op("not", op("<", x, y)), "not x < y"),
    (op("if", x, y, op("if", x, z, y)), "y if x else z if x else y"),
    (
        op("if", op("if", x, y, z), op("if", x, y, z), z),
        "(y if x else z) if (y if x else z) else z",
    ),
    (op("+", op("if", x, y, z), one), "(y if x else z) + 1"),
    # displays and calls
    (op("tuple", x), "(x,)"),
    (op("tuple"), "()"),
    (op("tuple", x, op("star", y)), "(x, *y)"),
    (op("list", x, op("if", x, y, z)), "[x, y if x else z]"),
    (Call(Ref("np.sum", np.sum), (x,), (("axis", Const(0)),)), "np.sum(x, axis=0)"),
    (Call(Attr(op("+", x, y), "sum")), "(x + y).sum()"),
    (Call(Ref("f", None), (op("star", x),), (("**", y),)), "f(*x, **y)"),
    (op("*", x, Call(Ref("f", None), (y,))), "x * f(y)"),
    # literals
    (Const(1e-5), "1e-05"),
    (Const(1e300), "1e300"),
    (Const(-0.0), "-0.0"),
    (Const(math.inf), "np.inf"),
    (Const(-math.inf), "-np.inf"),
    (Const(math.nan), "np.nan"),
    (op("**", Const(-math.inf), two), "(-np.inf) ** 2"),
    (Const(np.float64(0.1)), "0.1"),
    (Const(np.int64(-3)), "-3"),
    (Const(np.bool_(True)), "True"),
    (Const(1j), "1j"),
    (Const(-1j), "-1j"),
    (Const(1 - 2j), "1.0 - 2j"),
    (op("*", Const(1 + 2j), x), "(1.0 + 2j) * x"),
    (Const(complex(0, math.inf)), "complex(0.0, np.inf)"),
    (Const("a"), '"a"'),
    (Const("it's"), '"it\'s"'),
    (Const('say "a"'), "'say \"a\"'"),
    (Const("both ' and \""), "'both \\' and \"'"),
    (Const(b"a"), 'b"a"'),
    (Const(...), "..."),
    (Const((1, -2.0)), "(1, -2.0)"),
    (Const((1,)), "(1,)"),
]


@pytest.mark.parametrize(("expr", "printed"), PRINTED, ids=[printed for _, printed in PRINTED])
def test_prints_as_black_does(expr: Expr, printed: str) -> None:
    assert text(expr, names) == printed
    ast.parse(printed)


def test_infinity_without_numpy() -> None:
    assert text(Const(-math.inf), names, numpy="") == '-float("inf")'
    assert text(Const(math.inf), names, numpy="xp") == "xp.inf"


@pytest.mark.parametrize(
    "value",
    [
        *(1j, -1j, 1 + 2j, 1 - 2j, -1 + 2j, 1e300j, complex(-0.0, 1), complex(0, -0.0)),
        *(complex(-0.0, -0.0), complex(1, math.inf), complex(math.nan, 1)),
        complex(-math.inf, -math.inf),
    ],
)
def test_complex_literals_keep_every_sign(value: complex) -> None:
    assert repr(eval(text(Const(value), names), {"np": np})) == repr(value)


def test_unclear_or_unknown_is_refused() -> None:
    with pytest.raises(InternalError, match="no operator"):
        text(op("is not in", x, y, z), names)
    with pytest.raises(InternalError, match="no operator"):
        text(op("<", x, y, z), names)
    with pytest.raises(InternalError, match="no literal"):
        text(Const(np.zeros(2)), names)


def test_comparison_operators() -> None:
    assert comparison_operators("< not_in ==", 3) == ("<", "not in", "==")
    assert comparison_operators("not in", 1) == ("not in",)


def test_a_chain_of_thousands_of_terms() -> None:
    chain: Expr = x
    for _ in range(5000):
        chain = op("+", chain, y)
    assert text(chain, names) == " + ".join(["x"] + ["y"] * 5000)


# ---------------------------------------------------------------------------- random expressions

AST_BINARY: dict[str, Any] = {"+": ast.Add, "-": ast.Sub, "*": ast.Mult, "/": ast.Div}
AST_BINARY |= {"//": ast.FloorDiv, "%": ast.Mod, "@": ast.MatMult, "**": ast.Pow}
AST_BINARY |= {"<<": ast.LShift, ">>": ast.RShift, "&": ast.BitAnd, "|": ast.BitOr}
AST_BINARY |= {"^": ast.BitXor}
AST_UNARY: dict[str, Any] = {"u-": ast.USub, "u+": ast.UAdd, "~": ast.Invert, "not": ast.Not}
AST_COMPARE: dict[str, Any] = {"<": ast.Lt, "<=": ast.LtE, ">": ast.Gt, ">=": ast.GtE}
AST_COMPARE |= {"==": ast.Eq, "!=": ast.NotEq, "in": ast.In, "not_in": ast.NotIn}
AST_COMPARE |= {"is": ast.Is, "is_not": ast.IsNot}
LITERALS = [0, 1, -1, -3, 10**20, 0.5, -2.0, 1e-5, -0.0, 1e300, math.inf, -math.inf]
LITERALS += [None, True, "it's", 'say "x"', ..., 2j, b"a"]
LOAD = ast.Load()


class Tree:
    """Builds the `ast` tree that an expression means, without printing it."""

    def __call__(self, expr: Expr) -> Any:
        match expr:
            case Var(slot):
                return ast.Name(slot, LOAD)
            case Ref(written):
                return ast.parse(written, mode="eval").body
            case Const(value):
                return self.literal(value)
            case Attr(value, attribute):
                return ast.Attribute(self(value), attribute, LOAD)
            case Call(func, args, keywords):
                named = [ast.keyword(None if k == "**" else k, self(v)) for k, v in keywords]
                return ast.Call(self(func), [*map(self, args)], named)
            case Op(sign, args):
                return self.operation(sign, args)
        raise AssertionError(expr)

    def literal(self, value: Any) -> Any:
        if isinstance(value, float) and math.isinf(value):
            infinity = ast.Attribute(ast.Name("np", LOAD), "inf", LOAD)
            return ast.UnaryOp(ast.USub(), infinity) if value < 0 else infinity
        if isinstance(value, (int, float)) and math.copysign(1.0, value) < 0:
            return ast.UnaryOp(ast.USub(), ast.Constant(-value))
        return ast.Constant(value)

    def operation(self, sign: str, args: tuple[Expr, ...]) -> Any:
        parts = [self(arg) if not is_slice(arg) else self.slice(arg) for arg in args]
        if sign in AST_BINARY:
            return ast.BinOp(parts[0], AST_BINARY[sign](), parts[1])
        if sign in AST_UNARY:
            return ast.UnaryOp(AST_UNARY[sign](), parts[0])
        match sign:
            case "and" | "or":
                return ast.BoolOp(ast.And() if sign == "and" else ast.Or(), parts)
            case "if":
                return ast.IfExp(*parts)
            case "index":
                return ast.Subscript(parts[0], parts[1], LOAD)
            case "tuple":
                return ast.Tuple(parts, LOAD)
            case "list":
                return ast.List(parts, LOAD)
            case "star":
                return ast.Starred(parts[0], LOAD)
        signs = [AST_COMPARE[each]() for each in sign.split()]
        return ast.Compare(parts[0], signs, parts[1:])

    def slice(self, expr: Any) -> Any:
        return ast.Slice(*(None if each == NONE else self(each) for each in expr.args))


def is_slice(expr: Expr) -> bool:
    return isinstance(expr, Op) and expr.op == "slice"


def random_expr(r: random.Random, depth: int) -> Expr:
    if depth == 0 or r.random() < 0.12:
        leaf = r.randrange(3)
        return [
            Var(r.choice("xyzu"), r.randrange(3)),
            Const(r.choice(LITERALS)),
            Ref("np.f", None),
        ][leaf]

    def part() -> Expr:
        return random_expr(r, depth - 1)

    match r.randrange(14):
        case 0 | 1 | 2 | 3 | 4:
            return Op(r.choice([*AST_BINARY]), (part(), part()))
        case 5:
            return Op(r.choice([*AST_UNARY]), (part(),))
        case 6:
            signs = [r.choice([*AST_COMPARE]) for _ in range(r.randint(1, 3))]
            return Op(" ".join(signs), tuple(part() for _ in range(len(signs) + 1)))
        case 7:
            return Op(r.choice(["and", "or"]), tuple(part() for _ in range(r.randint(2, 3))))
        case 8:
            return Op("if", (part(), part(), part()))
        case 9:
            return Op("index", (part(), random_key(r, depth - 1)))
        case 10:
            return Attr(part(), r.choice(["T", "shape"]))
        case 11:
            return Op(r.choice(["tuple", "list"]), random_items(r, depth - 1))
    keywords = [("axis", part()), ("**", part())][: r.randrange(3)]
    return Call(part(), random_items(r, depth - 1), tuple(keywords))


def random_items(r: random.Random, depth: int) -> tuple[Expr, ...]:
    items = (random_expr(r, depth) for _ in range(r.randrange(4)))
    return tuple(Op("star", (each,)) if r.random() < 0.1 else each for each in items)


def random_slice(r: random.Random, depth: int) -> Expr:
    # a bound that is the literal None is not told from one that is left out
    bounds = (NONE if r.random() < 0.5 else random_expr(r, depth) for _ in range(3))
    return Op("slice", tuple(bounds))


def random_key(r: random.Random, depth: int) -> Expr:
    match r.randrange(3):
        case 0:
            return random_expr(r, depth)
        case 1:
            return random_slice(r, depth)
    items = list(random_items(r, depth))
    items[1:1] = [random_slice(r, depth)]
    return Op("tuple", tuple(items))


def test_random_expressions_parse_back_to_their_tree() -> None:
    r = random.Random(20)
    for _ in range(1500):
        expr = random_expr(r, r.randint(1, 4))
        printed = text(expr, names)
        found = ast.dump(ast.parse(printed, mode="eval").body)
        assert found == ast.dump(Tree()(expr)), (printed, expr)


def ruff() -> str | None:
    beside = Path(sys.executable).with_name("ruff")
    return str(beside) if beside.exists() else shutil.which("ruff")


def formatted(source: str, width: int) -> str:
    found = ruff()
    if found is None:
        pytest.skip("ruff is not installed")
    command = [found, "format", "--isolated", "--line-length", str(width), "-"]
    return subprocess.run(command, input=source, capture_output=True, text=True, check=True).stdout


def has_signed_power(expr: Expr) -> bool:
    """Tell whether an expression holds `-x**2`, for which black writes -(x**2)."""
    tree = Tree()(expr)
    return any(
        isinstance(n, ast.UnaryOp)
        and isinstance(n.operand, ast.BinOp)
        and isinstance(n.operand.op, ast.Pow)
        for n in ast.walk(tree)
    )


def has_odd_power(expr: Expr) -> bool:
    """Tell whether a power has None for an operand, or an attribute of a number."""
    for node in ast.walk(Tree()(expr)):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
            for side in (node.left, node.right):
                while isinstance(side, ast.Attribute | ast.UnaryOp):
                    side = side.value if isinstance(side, ast.Attribute) else side.operand
                if isinstance(side, ast.Constant) and isinstance(side.value, bool | None):
                    return True
                if isinstance(side, ast.Constant) and side not in (node.left, node.right):
                    return True
    return False


def test_random_expressions_are_laid_out_as_a_formatter_would() -> None:
    r = random.Random(21)
    exprs = (random_expr(r, r.randint(1, 3)) for _ in range(1200))
    plain = [each for each in exprs if not has_signed_power(each) and not has_odd_power(each)]
    lines = [f"v = {text(each, names)}\n" for each in plain]
    short = "".join(line for line in lines if len(line) < 200)
    assert len(short.splitlines()) > 900
    assert formatted(short, 320) == short


# ---------------------------------------------------------------------------- copied syntax


def copied(source: str, **reads: Expr) -> Opaque:
    return Opaque(gast.parse(source).body[0].value, tuple(reads.items()))


@pytest.mark.parametrize(
    ("source", "printed"),
    [
        ("[x for x in xs if x > y]", "[x for x in xs_bar if x > y_bar]"),
        ("[x for x in x]", "[x for x in x_bar]"),
        ("{x: y for x in xs}", "{x: y_bar for x in xs_bar}"),
        ("lambda x, *a: x + y", "lambda x, *a: x + y_bar"),
        ("lambda z=x: x + z", "lambda z=x_bar: x_bar + z"),
        ("f'{x!r:>{y}} {z:.3f}'", "f'{x_bar!r:>{y_bar}} {z:.3f}'"),
        ("{**x, 'a': 1}", "{**x_bar, 'a': 1}"),
        ("(q := y) + q", "(q := y_bar) + q"),
        ("x[1:, ::2]", "x_bar[1:, ::2]"),
        ("f(*x, **y)", "f(*x_bar, **y_bar)"),
        ("'''a\nb'''", "'a\\nb'"),
    ],
)
def test_copied_expressions_take_new_names(source: str, printed: str) -> None:
    node = copied(source, x=Var("x~bar", 1), y=Var("y~bar", 1), xs=Var("xs~bar", 1))
    found = text(node, names)
    assert "\n" not in found
    assert ast.dump(ast.parse(found)) == ast.dump(ast.parse(printed))


def test_copied_expressions_stand_in_others() -> None:
    total = copied("x + y")
    assert text(op("*", total, z), names) == "(x + y) * z"
    assert text(op("+", total, z), names) == "x + y + z"
    assert text(Call(Ref("f", None), (copied("lambda: x"),)), names) == "f(lambda: x)"
    assert text(op("+", copied("lambda: x"), z), names) == "(lambda: x) + z"
    assert text(Call(Ref("sum", sum), (copied("(a for a in x)"),)), names) == "sum(a for a in x)"
    generator = copied("(a for a in x)")
    assert text(Call(Ref("f", sum), (generator, y)), names) == "f((a for a in x), y)"
    assert text(op("index", copied("(x, y)"), i), names) == "(x, y)[i]"
    assert text(op("*", copied("(x) + (y)"), z), names) == "(x + y) * z"
    assert text(op("*", copied("x := y"[:1]), z), names) == "x * z"


def test_a_value_can_be_put_for_a_name() -> None:
    node = copied("[a * x for a in y]", x=op("+", x, one), y=z)
    expected = "[a * (x + 1) for a in z]"
    assert ast.dump(ast.parse(text(node, names))) == ast.dump(ast.parse(expected))


def test_copied_nodes_are_not_changed_and_may_be_shared() -> None:
    node = gast.parse("[x, x]").body[0].value
    node.elts[1] = node.elts[0]
    before = gast.dump(node)
    assert text(Opaque(node, (("x", Var("x~bar", 0)),)), names) == "[x_bar, x_bar]"
    assert gast.dump(node) == before


def test_capture_is_refused() -> None:
    with pytest.raises(InternalError, match="binds the name"):
        text(copied("lambda a: a + x", x=Var("a", 0)), names)
    with pytest.raises(InternalError, match="not said to write"):
        text(copied("(x := 1)", x=Var("x~bar", 0)), names)
    with pytest.raises(InternalError, match="under two names"):
        node = gast.parse("x = x + 1").body[0]
        statement_text(Opaque(node, (("x", Var("a", 0)),), (("x", Var("b", 0)),)), names)


STATEMENTS = [
    "with open(p, 'w') as f, lock:\n    f.write(x)",
    "try:\n    y = f(x)\nexcept (ValueError, KeyError) as e:\n    raise RuntimeError('no') from e\n"
    "else:\n    pass\nfinally:\n    g()",
    "assert x > 0, f'x is {x:.2f}'",
    "import numpy as np, os.path",
    "from a.b import c as d",
    "def g(a, /, b=1, *args, c, d=2, **kw) -> float:\n    'Doc.'\n    nonlocal q\n    return a + x",
    "@deco(1)\nasync def g():\n    await x\n    async for i in y:\n        yield i",
    "class C(B, metaclass=M):\n    a: int = 1\n\n    def m(self):\n        return self.a",
    "for i, (a, b) in enumerate(x):\n    if a:\n        continue\n    break\nelse:\n    pass",
    "while x:\n    x -= 1",
    "match x:\n    case [1, *rest] if rest:\n        y = 1\n    case {'a': q, **r} | C(a=q):\n"
    "        y = 2\n    case None | 'a':\n        y = 3\n    case _:\n        y = 4",
    "x: int = 3",
    "x[1:, 0], *y = z",
    "del x[0], y",
    "global x",
    "print(x, sep='', end='')",
    "print(f'{x=} {y!r} {\"a\"}')",
    "try:\n    y = 1\nexcept* ValueError:\n    y = 2",
    "a = b = '''long\n  text'''",
    "x = 'a very long string ' 'that goes on and on and on and on and on and on and on and on'",
    "y = f(aaaaaaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb, cccccccccccccccccccccc, ddddd)",
    "x = -1 ** 2, (-1) ** 2, not a, +b, ~c, 1e400, 1_000, 0x10, 1j",
    "x = yield y",
    "x = (yield)",
    "if (n := len(a)) > 10:\n    print(n)",
    "x = a if b else (c, d)[0]",
    "x = a[b, ...][None][1:2, ::3][(1, 2)]",
    "x = {1, 2} | {*a} | {}.keys()",
]


@pytest.mark.parametrize("source", STATEMENTS)
def test_copied_statements_parse_back(source: str) -> None:
    lines = statement_text(Opaque(gast.parse(source).body[0]), names)
    assert all("\n" not in line for line in lines)
    assert ast.dump(ast.parse("\n".join(lines))) == ast.dump(ast.parse(source))


def test_copied_statements_take_new_names() -> None:
    source = (
        "try:\n    with open(x) as f:\n        y = f.read(x)\n"
        "except E as e:\n    import os\n    def g(x):\n        return x + y\n"
    )
    written = [(each, Var(f"{each}~bar", 1)) for each in ("f", "y", "e", "os", "g")]
    node = Opaque(gast.parse(source).body[0], (("x", Var("x~old", 0)),), tuple(written))
    assert statement_text(node, names) == [
        "try:",
        "    with open(x_old) as f_bar:",
        "        y_bar = f_bar.read(x_old)",
        "except E as e_bar:",
        "    import os as os_bar",
        "    def g_bar(x):",
        "        return x + y_bar",
    ]


# ---------------------------------------------------------------------------- long lines


def body(lines: list[str], suite: bool) -> str:
    return "\n".join([*lines, *(["        pass"] if suite else [])])


WRAPPED = [
    (
        "omega_dot = ",
        "omega_dot - dt * (k_dot * sin_theta + k * np.cos(theta) * theta_dot)",
        70,
        [
            "    omega_dot = omega_dot - dt * (",
            "        k_dot * sin_theta + k * np.cos(theta) * theta_dot",
            "    )",
        ],
    ),
    (
        "x = ",
        "np.roll(lap_bar, 1) - 2.0 * lap_bar + np.roll(lap_bar, -1)",
        60,
        [
            "    x = (",
            "        np.roll(lap_bar, 1)",
            "        - 2.0 * lap_bar",
            "        + np.roll(lap_bar, -1)",
            "    )",
        ],
    ),
    (
        "return ",
        "first_name, second_name, third_name",
        40,
        [
            "    return (",
            "        first_name,",
            "        second_name,",
            "        third_name,",
            "    )",
        ],
    ),
    (
        "y = ",
        "function(first_name, second_name).copy()",
        40,
        [
            "    y = function(",
            "        first_name, second_name",
            "    ).copy()",
        ],
    ),
    (
        "if ",
        "first_name > 0 and second_name > 0 or third_name:",
        40,
        [
            "    if (",
            "        first_name > 0",
            "        and second_name > 0",
            "        or third_name",
            "    ):",
        ],
    ),
    (
        "u[i] += ",
        "function(first_name, axis=second_name + third_name)",
        40,
        [
            "    u[i] += function(",
            "        first_name,",
            "        axis=second_name + third_name,",
            "    )",
        ],
    ),
    (
        "for i in ",
        "reversed(range(first_name, second_name)):",
        40,
        [
            "    for i in reversed(",
            "        range(first_name, second_name)",
            "    ):",
        ],
    ),
    ("an_unbreakable_name = ", "another_unbreakable_name", 20, None),
    ("x = ", '"a string of some length, with + signs"', 30, None),
    ("x = ", "lambda first_name, second_name: first_name", 30, None),
]


@pytest.mark.parametrize(("prefix", "line", "width", "expected"), WRAPPED)
def test_long_lines(prefix: str, line: str, width: int, expected: list[str] | None) -> None:
    if expected is None:
        expected = ["    " + prefix + line]
    assert wrap(prefix, line, 4, width) == expected
    suite = line.endswith(":")
    assert tree(body(expected, suite)) == tree(body(["    " + prefix + line], suite))


def tree(lines: str) -> str:
    return ast.dump(ast.parse("def f():\n" + lines))


def test_short_lines_stay() -> None:
    assert wrap("x = ", "y", 4) == ["    x = y"]
    exact = "y" * 80
    assert wrap("x = ", exact, 4) == [f"    x = {exact}"]


def test_elements_are_one_a_line() -> None:
    line = "zeros(" + ", ".join(f"argument_{k}" for k in range(9)) + ")"
    lines = wrap("y = ", line, 0, 60)
    assert lines == ["y = zeros(", *[f"    argument_{k}," for k in range(9)], ")"]


def random_text(r: random.Random, depth: int) -> str:
    if depth == 0:
        return r.choice(["x_bar", "u_term_bar", "omega", "dt", "0.5", "-1", "A[:, 0]", "'a + b'"])

    def part() -> str:
        return random_text(r, depth - 1)

    def operand() -> str:
        found = part()
        simple = ast.Call | ast.Name | ast.Subscript | ast.Constant
        return found if isinstance(ast.parse(found, mode="eval").body, simple) else f"({found})"

    match r.randrange(10):
        case 0 | 1 | 2 | 3:
            return f"{operand()} {r.choice('+-*/@')} {operand()}"
        case 4 | 5:
            keyword = r.choice(["", f", axis={part()}"])
            return f"np.{r.choice(['sin', 'dot'])}({part()}, *{operand()}{keyword})"
        case 6:
            return f"u[{part()} : {operand()}, None, {part()}]"
        case 7:
            return f"{operand()} if {operand()} is not {operand()} else -{operand()}"
        case 8:
            return f"{operand()} not in {operand()} and not {operand()} or {operand()}"
    return f"[{part()} for q in {operand()} if {operand()}]" if r.random() < 0.5 else "f'{dt}'"


def test_random_long_lines_keep_their_tree() -> None:
    r = random.Random(22)
    for _ in range(700):
        prefix = r.choice(["u_bar = ", "return ", "u_bar[i] += ", "if ", "x, y = ", "while "])
        suite = prefix in ("if ", "while ")
        line = random_text(r, 3) + (":" if suite else "")
        width = r.choice([40, 60, 88])
        lines = wrap(prefix, line, 4, width)
        assert tree(body(lines, suite)) == tree(body(["    " + prefix + line], suite)), lines
        assert all(line == line.rstrip() for line in lines)
        if width == 88:
            assert max(map(len, lines)) <= 88, lines


LONG = [
    "omega_dot = omega_dot - dt * (k_dot * sin_theta + k * np.cos(theta) * theta_dot) + omega",
    "u_bar = np.roll(lap_bar, 1) - 2.0 * lap_bar + np.roll(lap_bar, -1) + (1.0 - 3.0 * u**2) * v",
    "return u_bar_total, nu_bar_total, dt_bar_total, theta_bar_total, omega_bar_total, k_bar_total",
    "W_bar = np.einsum(first_operand, second_operand, third_operand, optimize=True, dtype=float)",
    "x_term_bar = np.outer(np.tanh(first_operand @ second_operand), third_operand - fourth_one).T",
    "u_bar = np.where(first_operand > second_operand, third_operand * u_bar, 0.0).reshape(n, m)",
    "u[1:-1, 1:-1] += coefficient * (u[2:, 1:-1] + u[:-2, 1:-1] - 4.0 * u[1:-1, 1:-1] + rate * dt)",
    "value = first_operand if first_operand > second_operand else second_operand * third_operand_x",
    "params_bar.append((first_operand_bar, second_operand_bar, third_operand_bar, fourth_operand))",
    "x_bar = a_function(first_operand, axis=(0, 1), keepdims=True)[0, np.newaxis] * third_operand",
    "z_bar = (out_bar / result_sum - np.sum(out_bar * e / result_sum**2, axis=1, keepdims=True)) * e",
    "up_dot = (np.where(test, u_dot - before_dot, 0.0) + np.where(test, 0.0, after_dot - u_dot)) / dx",
]


def test_long_lines_are_split_where_a_formatter_would() -> None:
    ours = "\n".join("\n".join(wrap("", each, 0)) for each in LONG) + "\n"
    assert ours.count("\n") > 2 * len(LONG)
    assert formatted("\n".join(LONG) + "\n", 88) == ours
