"""A loop that keeps states by a schedule is reversed by one call: its function knows the schedule.

u, checkpoints = march_loop(u, dt, range(n))
u_bar, dt_bar = march_loop_rev(checkpoints, dt, range(n), u_bar, dt_bar)
"""

from __future__ import annotations

from s2sad.legacy.program import Assign, Call, Var
from s2sad.legacy.reverse.sweep import Sweep, whole
from s2sad.legacy.schedules.outline import Swept
from s2sad.legacy.schedules.steps import reverse_call


def swept_back(sweep: Sweep, stmt: Assign, swept: Swept) -> None:
    """Emit the call that pulls the adjoints of a loop's state back through its passes."""
    outline, call = swept.outline, stmt.value
    assert outline is not None and isinstance(call, Call)
    exits, kept = stmt.targets[: len(outline.state)], stmt.targets[-1]
    places = {each: n for n, each in enumerate(outline.state)}
    reached = any(sweep.bars.get(var.slot) and var in sweep.active for var in exits)
    for var in exits:
        if var not in sweep.active:
            sweep.bars.pop(var.slot, None)
    if not reached:
        return
    ins = [whole(sweep, exits[places[each]], stmt.span) for each in outline.received]
    ins += [whole(sweep, var, stmt.span) for var in outline.varying_outside]
    ins += [whole(sweep, exits[places[each]], stmt.span) for each in outline.left]
    for each in outline.left:  # unbound before the loop: the adjoint ends here
        sweep.bars.pop(exits[places[each]].slot, None)
    sources = [call.args[places[each]] for each in outline.received]
    sources += outline.varying_outside
    outs = []
    for source in sources:
        assert isinstance(source, Var)
        outs.append(sweep.new_bar(source))
    value = reverse_call(swept, kept, tuple(ins))
    sweep.emit(Assign(tuple(outs), value, stmt.span, unpack=len(outs) > 1))
    for source, made in zip(sources, outs, strict=True):
        assert isinstance(source, Var)
        if source in sweep.active:
            sweep.bars[source.slot] = made
            sweep.given[made] = stmt.span
        else:
            sweep.bars.pop(source.slot, None)
