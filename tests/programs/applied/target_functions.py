"""The eight functions that have hand-written derivatives, with many kinds of arguments."""

from __future__ import annotations

import numpy as np

from tests.programs import primal
from tests.programs.entry import Entry, numbers

U = numbers(9)
PARAMS = [
    (numbers(3, 5), numbers(5)),
    (numbers(5, 2, start=0.9), numbers(2, start=0.6)),
]

PROGRAMS = (
    Entry(primal.misfit, (numbers(4, 3), numbers(3), numbers(4)), (0, 1)),
    Entry(primal.misfit, (numbers(1, 3), numbers(3), numbers(4)), (0, 1, 2), note="wide-data"),
    Entry(primal.allen_cahn, (U, 0.3, 0.05, 7), (0, 1)),
    Entry(primal.allen_cahn, (U, 0.3, 0.05, 0), (0, 1, 2), note="no-trips"),
    Entry(primal.allen_cahn, (U, numbers(9, start=0.8), 0.05, 3), (0, 1, 2), note="field-nu"),
    Entry(primal.smooth, (U, 0.2), (0, 1)),
    Entry(primal.smooth, (numbers(6, 4), 0.2), (0, 1), note="rows"),
    Entry(primal.smooth, (U, numbers(7, start=0.1)), (0, 1), note="field-c"),
    Entry(primal.newton_sqrt, (3.0, 1e-14), (0,)),
    Entry(primal.newton_sqrt, (np.float64(3.0), 1e-14), (0,), note="float64"),
    Entry(primal.newton_sqrt, (1.0, 1e-1), (0,), note="no-trips"),
    Entry(primal.huber, (U, 0.7), (0, 1)),
    Entry(primal.huber, (U[:0], 0.7), (0, 1), note="empty"),
    Entry(primal.mlp_loss, (PARAMS, numbers(6, 3), numbers(6, 2)), (0,)),
    Entry(primal.mlp_loss, (PARAMS, numbers(6, 3), numbers(6, 2)), (0, 1, 2), note="all"),
    Entry(primal.mlp_loss, (PARAMS[:1], numbers(6, 3), numbers(6, 5)), (0,), note="one-layer"),
    Entry(primal.mlp_loss, ([], numbers(6, 3), numbers(6, 3)), (1,), note="no-layer"),
    Entry(primal.pendulum, (0.5, 0.1, 9.8, 0.01, 50), (0, 2)),
    Entry(primal.pendulum, (0.5, 0.1, 9.8, 0.01, 0), (0, 1), note="no-trips"),
    Entry(primal.first_crossing, (abs(U), 2.5, 0.5), (0, 2)),
    Entry(primal.first_crossing, (U, 99.0, 0.5), (0, 2), note="never"),
    Entry(primal.first_crossing, (U[:0], 99.0, 0.5), (0, 2), note="empty"),
)
