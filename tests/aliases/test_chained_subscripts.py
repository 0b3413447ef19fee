"""Elements of arrays are read, added to and saved as elements, however they are written."""

from __future__ import annotations

import numpy as np
import pytest

import s2sad
from tests.programs.applied import textbook_algorithms
from tests.programs.arrays import chained_subscripts
from tests.programs.lists import tables_of_numbers
from tests.texts import defined

A = np.linspace(0.1, 1.7, 16).reshape(4, 4)


def text(function, *args) -> str:  # type: ignore[no-untyped-def]
    return str(s2sad.grad(function, wrt=(0, 1), like=args).source)


@pytest.mark.parametrize(
    "function",
    [
        chained_subscripts.products_by_elements,
        chained_subscripts.shortest_paths,
        chained_subscripts.exchanged,
    ],
)
def test_no_row_is_made_for_an_element(function) -> None:  # type: ignore[no-untyped-def]
    backwards = text(function, A, 0.7).partition("# -- reverse sweep")[2]
    passes = [line for line in backwards.splitlines() if line.startswith(" " * 12)]
    assert passes and "_bar[i][j]" in backwards
    assert not any("zeros_like" in line or ".copy()" in line for line in passes)


@pytest.mark.parametrize("function", [chained_subscripts.limited, chained_subscripts.bubbles])
def test_the_test_is_saved_and_not_the_array(function) -> None:  # type: ignore[no-untyped-def]
    shown = text(function, A[0], 0.7)
    assert "taken_saved.append(taken)" in shown
    assert ".copy())" not in shown


def test_the_length_of_a_row_is_that_of_an_axis() -> None:
    assert "range(1, len(T[0]) - 1)" in text(chained_subscripts.heat_by_elements, A, 0.7)


def test_items_of_lists_stay_items() -> None:
    assert "rows[0][1]" in text(chained_subscripts.lists_of_lists, A.tolist(), 0.7)


def test_a_test_that_reads_nothing_that_is_written_stays_where_it_is() -> None:
    def f(u, v):
        u = u.copy()
        for i in range(len(u)):
            if v[i] > 0.5:
                u[i] = u[i] * v[i]
        return np.sum(u)

    assert "if v[i] > 0.5:" in text(f, A[0], A[1])


@pytest.mark.parametrize(
    "function", [chained_subscripts.shortest_paths, chained_subscripts.lists_of_arrays]
)
def test_a_text_for_any_arguments_is_right_or_refused(function) -> None:  # type: ignore[no-untyped-def]
    df, space = s2sad.grad(function), {}
    expected = df(A, 0.7)
    try:
        exec(df.source, space)
    except s2sad.S2sadError as refusal:
        assert function is chained_subscripts.lists_of_arrays or "with examples of them" in str(
            refusal
        )
        return
    found = space[f"{function.__name__}_grad"](A.copy(), 0.7)
    np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_two_subscripts_are_taken_to_be_of_an_array() -> None:
    def f(M):
        B = M.copy()
        B[0][1] += B[1][0] * B[2][2]
        return np.sum(B * B)

    shown = s2sad.grad(f).source
    assert "an array M" in shown or "M (n, m)" in shown


@pytest.mark.parametrize(
    "function",
    [
        tables_of_numbers.alignment,
        tables_of_numbers.triangular,
        tables_of_numbers.of_three,
        tables_of_numbers.knapsack,
    ],
)
def test_lists_of_lists_are_written_to_where_they_stand(function) -> None:  # type: ignore[no-untyped-def]
    shown = text(function, A[0], 0.7)
    in_passes = [line for line in shown.splitlines() if line.startswith(" " * 12)]
    assert any("_bar[" in line and "][" in line for line in in_passes)
    assert not any("_plus(" in line or "_zeros_of(" in line for line in in_passes)


def test_a_table_of_lists_keeps_numbers_and_no_copies() -> None:
    assert "_copied(" not in text(tables_of_numbers.alignment, A[0], 0.7)


def test_rows_of_adjoints_are_lists_where_rows_are() -> None:
    def f(u, x):
        G = [[v, v * x] for v in u]
        G[1][0] *= G[0][1]
        return sum(a * b for a, b in G)

    assert s2sad.check_grad(f, (A[0], 0.7))


@pytest.mark.parametrize(
    "function, args",
    [
        (textbook_algorithms.dtw, ([0.1, 0.5, 0.9], [0.2, 0.35, 0.8])),
        (textbook_algorithms.jacobi_eig, ([[4.0, 1.0], [1.0, 3.0]], 2)),
        (
            textbook_algorithms.forward_hmm,
            (textbook_algorithms.MOVES, textbook_algorithms.SHOWS, [0, 1, 1]),
        ),
    ],
)
def test_passes_copy_no_table(function, args) -> None:  # type: ignore[no-untyped-def]
    shown = str(s2sad.grad(function, like=args).source).partition("# -- forward sweep")[2]
    assert "_copied(A)" not in shown and "_copied(D)" not in shown and "_sum_to" not in shown


def test_a_list_whose_length_alone_is_read_is_not_saved() -> None:
    shown = s2sad.grad(textbook_algorithms.jacobi_eig, like=([[4.0, 1.0], [1.0, 3.0]], 2)).source
    assert "A_saved" not in shown.replace("len_A_saved", "")


@pytest.mark.parametrize(
    "made",
    [
        "[[LIMIT] * 3 for _ in range(3)]",
        "[[-limit] * 3 for _ in range(3)]",
        "[[float('inf')] * 3 for _ in range(3)]",
        "[[np.inf, 1.0, 2] for _ in range(3)]",
        "[[0.5 * k for k in range(3)] for _ in range(3)]",
        "[[W[i][k] * 0.5 for k in range(3)] for i in range(3)]",
    ],
)
def test_numbers_in_tables_that_are_copied_are_known(made: str) -> None:
    function = defined(
        f"""
        LIMIT = 7.5
        W = [[1.0, 2.0, 3.0]] * 3

        def f(u, limit):
            D = {made}
            D[0][0] = u[0]
            for i in range(1, 3):
                D[i][0] = D[i - 1][0] * u[i] * limit
            return D[2][0]
        """
    )
    if "inf" not in made:
        assert "D_bar[i - 1][0] +=" in s2sad.grad(function, like=(A[0], 2.0)).source
    assert s2sad.check_grad(function, (A[0], 2.0))


@pytest.mark.parametrize("places", ["0], L[1", "i], L[j", "i], L[i", "-1], L[0", "j], L[-1"])
@pytest.mark.parametrize("kind", ["[v * x for v in u]", "u * x", "[u * v for v in u]"])
def test_exchanges_by_any_place(places: str, kind: str) -> None:
    one, two = places.split("], L[")
    function = defined(
        f"""
        def f(u, x, i, j):
            L = {kind}
            for _ in range(2):
                L[{one}], L[{two}] = L[{two}], L[{one}]
                L[0] = L[0] * L[{one}]
                i, j = j, i
            return np.sum(L[0] ** 2) + np.sum(L[1] * L[2]) + np.sum(L[-1] * x)
        """
    )
    assert s2sad.check_grad(function, (A[0], 0.7, 1, 3), wrt=("u", "x"))
