"""Long lines are split as black splits them."""

import pytest

from s2sad.emit import sweeps
from s2sad.emit.layout import wrap
from s2sad.operators import printed
from tests.rooms.emitted import faults

LONG = "velocity_bar[1:-1] += flux_term_bar[1:] * (nu * lap_bar - np.outer(u, v)) + some_value * y"


def test_a_sum_has_an_operand_on_each_line():
    assert wrap(LONG, 4) == [
        "    velocity_bar[1:-1] += (",
        "        flux_term_bar[1:] * (nu * lap_bar - np.outer(u, v)) + some_value * y",
        "    )",
    ]


def test_a_call_is_opened():
    line = "np.add.at(C_bar[0], (slice(None, None), at), 2.0 * (result_term_2 * the_very_first_operand_bar))"
    assert wrap(line, 4) == [
        "    np.add.at(",
        "        C_bar[0],",
        "        (slice(None, None), at),",
        "        2.0 * (result_term_2 * the_very_first_operand_bar),",
        "    )",
    ]


def test_a_result_of_many_has_one_on_each_line():
    names = ", ".join(f"parameter_number_{k}_bar" for k in range(4))
    inner = [f"        parameter_number_{k}_bar," for k in range(4)]
    assert wrap(f"return {names}", 4) == ["    return (", *inner, "    )"]


def test_a_conditional_among_arguments_gets_parentheses():
    line = (
        "total = combined(first_value_of_all if is_chosen else second_value_of_all, other_values)"
    )
    assert wrap(line, 4) == [
        "    total = combined(",
        "        first_value_of_all if is_chosen else second_value_of_all, other_values",
        "    )",
    ]


def test_what_fits_stays_on_its_line():
    assert wrap("x = 1", 8) == ["        x = 1"]


def test_printed_functions_stand_as_black_lays_them_out():
    wrong = {name: faults(printed.source(name)) for name in sorted(printed.names())}
    assert not {name: why for name, why in wrong.items() if why}


def test_random_lines_are_laid_out_as_black_does():
    pytest.importorskip("black")
    from tests.rooms.lines import compared

    found = [each for each in map(compared, range(900)) if each is not None]
    assert len(found) > 300
    for line, expected, ours, _ in found:
        assert expected == ours, line


def test_nothing_joins_the_end_of_what_takes_several_lines():
    assert sweeps._joined("    )", "y_bar = -x_bar", "copy") == ""
    assert sweeps._joined("    x_bar = u", "y_bar = v", "copy") == "    x_bar, y_bar = u, v"


def test_many_numbers_fill_their_lines():
    first, rest = "0.4444444444444444", ["-0.1111111111111111"] * 6
    line = f"WEIGHTS = [{', '.join([first, *rest])}]"
    assert wrap(line, 0) == [
        "WEIGHTS = [",
        "    0.4444444444444444, -0.1111111111111111, -0.1111111111111111,",
        "    -0.1111111111111111, -0.1111111111111111, -0.1111111111111111,",
        "    -0.1111111111111111,",
        "]",
    ]
