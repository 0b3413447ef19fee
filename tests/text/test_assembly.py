"""What is assembled by positions that name no element twice is read there, and nothing is asked of them."""

import numpy as np
import pytest

import s2sad
from s2sad.api.saved import expression
from tests.oracles import compare, differences, flatten
from tests.programs.arrays import assembly_by_positions
from tests.programs.entry import Entry, numbers

LINES = {
    assembly_by_positions.beam_of_bars: "ke_bar = K_bar[np.ix_(dofs, dofs)]",
    assembly_by_positions.beam_of_lists: "ke_bar = K_bar[np.ix_(dofs, dofs)]",
    assembly_by_positions.beam_of_ranges: "ke_bar = K_bar[np.ix_(dofs, dofs)]",
    assembly_by_positions.beam_of_crossed_positions: "K_bar[dofs[:, None], dofs[None, :]]",
    assembly_by_positions.displaced: "f_bar[free] += u_back",
    assembly_by_positions.with_given_ends: "K_bar[ix_free] = -np.outer(",
    assembly_by_positions.free_of_a_set: "f_bar[free] += ",
    assembly_by_positions.triangles: "x_bar += 2.0 * A_bar[j, i]",
}


def _body(entry: Entry) -> str:
    source = str(s2sad.grad(entry.function, entry.wrt, like=entry.args).source)
    return source[source.index("# -- reverse sweep") :]


@pytest.mark.parametrize("function", LINES, ids=lambda each: each.__name__)
def test_positions_that_are_all_different_need_no_mask(function):
    entry = next(each for each in assembly_by_positions.PROGRAMS if each.function is function)
    text = _body(entry)
    assert LINES[function] in text, text
    assert "add.at" not in text and "dofs_saved" not in text, text
    assert function is assembly_by_positions.triangles or "_written_last" not in text, text
    assert function is assembly_by_positions.free_of_a_set or "_sum_to" not in text, text


LINE, EQUAL = assembly_by_positions.LINE, np.array([[0, 1], [2, 2], [2, 3], [3, 4]])


def test_positions_of_arguments_are_asked_once_where_something_is_stored():
    df = s2sad.grad(assembly_by_positions.by_rows, "E", like=(assembly_by_positions.E4, LINE))
    assert "ke_bar = K_bar[np.ix_(conn[e], conn[e])]" in df.source, df.source
    assert "or not np.all(np.diff(np.sort(conn), prepend=-1) > 0)" in df.source, df.source
    df = s2sad.grad(assembly_by_positions.by_columns, "x", like=(numbers(5), LINE[:3, ::-1]))
    assert "np.diff(np.sort(edges, axis=0), axis=0, prepend=-1) > 0" in df.source, df.source
    assert df.source.count("np.sort(edges") == 1 and "add.at" not in df.source, df.source


def test_nodes_of_one_element_are_apart_and_nodes_of_two_may_be_equal():
    df = s2sad.grad(
        assembly_by_positions.truss,
        ("A", "x"),
        like=(assembly_by_positions.E4, numbers(5, 2), LINE),
    )
    assert "K_term_bar = K_bar[np.ix_(dofs, dofs)]" in df.source, df.source
    assert "np.sort(conn), prepend=-1" in df.source, df.source
    df = s2sad.grad(assembly_by_positions.chained_nodes, "E", like=(assembly_by_positions.E4, LINE))
    back = df.source[df.source.index("# -- reverse") :]
    assert back.count("_written_last(") == 3 and "K_bar[np.ix_([i, j], [i, j])]" in back, back


def test_nodes_of_a_list_of_pairs_are_asked_for_as_those_of_a_table():
    bars = [(0, 1), (1, 2), (2, 3), (4, 3)]
    args = assembly_by_positions.E4, numbers(5, 2), bars
    df = s2sad.grad(assembly_by_positions.listed_bars, "A", like=args)
    assert "K_term_bar = K_bar[np.ix_(dofs, dofs)]" in df.source, df.source
    assert "k_bar = K_term_bar[:2, :2] - " in df.source, df.source
    made = {}
    exec(df.source, made)
    made["listed_bars_grad"](*args[:2], bars[::-1])
    for others in ([*bars[:3], (2, 2)], [*bars[:3], (2, -1)]):
        with pytest.raises(ValueError, match="different positions, none below 0, in each of bars"):
            made["listed_bars_grad"](*args[:2], others)
    given = *args[:2], [*bars[:3], (2, 2)]
    called = s2sad.grad(assembly_by_positions.chained_pairs, "E")
    for pairs in (bars, given[2]):
        expected = differences(
            assembly_by_positions.chained_pairs, (assembly_by_positions.E4, pairs), (0,)
        )
        got = called(assembly_by_positions.E4, pairs)
        assert compare(flatten((got,), (assembly_by_positions.E4,)), expected) is None


def test_positions_in_a_list_that_a_test_leaves_are_different():
    df = s2sad.grad(
        assembly_by_positions.listed_free,
        ("E", "f"),
        like=(assembly_by_positions.E4, numbers(4), [0, 2]),
    )
    back = df.source[df.source.index("# -- reverse") :]
    assert "np.linalg.solve(u_term.T, u_bar[free])" in back and "f_bar[free] += " in back, back
    assert "u_bar[odd] *= E_odd" in back and back.count("_written_last(") == 2, back


def test_a_saved_text_raises_for_equal_positions(tmp_path):
    path = s2sad.grad(
        assembly_by_positions.by_rows, "E", like=(assembly_by_positions.E4, LINE)
    ).save(tmp_path / "rows.py")
    scope = {}
    exec(path.read_text(), scope)
    scope["by_rows_grad"](assembly_by_positions.E4, LINE[::-1])
    for positions in (EQUAL, np.array([[0, 1], [4, -1]])):
        with pytest.raises(
            ValueError, match="different positions, none below 0, in each row of conn"
        ):
            scope["by_rows_grad"](assembly_by_positions.E4, positions)


def test_a_call_with_equal_positions_is_right_after_one_with_different_ones():
    df = s2sad.grad(assembly_by_positions.by_rows, "E")
    for positions in (LINE, EQUAL, LINE, EQUAL - 1):
        given = assembly_by_positions.E4, positions
        expected = differences(assembly_by_positions.by_rows, given, (0,), 1.0)
        assert compare(flatten((df(*given),), given[:1]), expected) is None


def test_examples_with_equal_positions_make_the_text_for_any():
    df = s2sad.grad(assembly_by_positions.by_rows, "E", like=(assembly_by_positions.E4, EQUAL))
    assert "_written_last" in df.source and "np.sort" not in df.source, df.source


def test_positions_that_are_only_read_are_not_asked():
    def read(x, order):
        return np.sum(x[order] ** 2)

    df = s2sad.grad(read, "x", like=(numbers(4), np.array([2, 0])))
    assert "np.add.at" in df.source and "np.sort" not in df.source, df.source


def test_the_command_of_a_file_makes_the_same_text(tmp_path):
    for positions in (LINE, EQUAL, LINE % 2):
        text = s2sad.grad(
            assembly_by_positions.by_rows, "E", like=(assembly_by_positions.E4, positions)
        )
        again = eval(expression((assembly_by_positions.E4, positions)), {"np": np})
        other = s2sad.grad(assembly_by_positions.by_rows, "E", like=again)
        assert other.source == text.source


def from_both_ends(u, v):
    w = u * 1.0
    for k in range(2):
        w[np.array([k - 1, k, -1])] = v[:3] * u[k]
    return w @ w


def below_zero(u, v):
    w = u * 1.0
    for k in range(2):
        w[k + np.arange(-1, 3)] = v * u[k]
    return w @ w


def met_in_a_pass(u, v):
    w = u * 1.0
    for k in range(2):
        w[[2 * k, k + 1]] += v[:2]
    return w @ w


def moved_below_zero(u, v):
    w = u * 1.0
    for k in range(2):
        w[np.arange(4) - k] *= v
    return w @ w


@pytest.mark.parametrize(
    "function",
    [from_both_ends, below_zero, met_in_a_pass, moved_below_zero],
    ids=lambda each: each.__name__,
)
def test_positions_that_may_be_equal_are_asked(function):
    given = numbers(4), numbers(4, start=0.1)
    df = s2sad.grad(function, ("u", "v"), like=given)
    assert "_written_last(" in df.source, df.source
    expected = differences(function, given, (0, 1), 1.0)
    assert compare(flatten(df(*given), given), expected) is None
