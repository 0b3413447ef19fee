"""The two functions that run a loop forwards and backwards by its schedule, as text.

def march_loop(u, dt, steps):                 def march_loop_rev(checkpoints, dt, steps, u_bar):
    ...                                           while checkpoints:
    return u, checkpoints                             ...
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping

from s2sad.emit.lines import are_numbered, with_lines
from s2sad.legacy.comments import WIDTH
from s2sad.legacy.docstrings import docstring, file_name
from s2sad.legacy.needs import Needs
from s2sad.legacy.printing import wrap
from s2sad.legacy.program import Ref
from s2sad.legacy.schedules.outline import Steps
from s2sad.legacy.schedules.words import SET_STATE, STATE, UNTIL, Words, words_of
from s2sad.legacy.templating import FROM_DISK, PRINTED_FUNCTION, SCRATCH, TO_DISK
from s2sad.operators.schedules import Binomial, Disk, Every, Recompute, Sqrt

PRINTED = ("_copied", TO_DISK, FROM_DISK, STATE, SET_STATE, UNTIL)


def loop_texts(steps: Steps, same: Mapping[str, str]) -> list[list[str]]:
    """Return the lines of the function that runs a loop, and of the one that runs it backwards."""
    words = words_of(steps, same)
    own = words.own
    over = [] if steps.outline.loop.iterable is None else [own["steps"]]
    over += [own["scratch"]] if words.on_disk else []
    forward = _signature(steps.swept.name, [*words.found, *words.outside, *over])
    forward += _docstring(*_about(words))
    forward += _indented(_forward(words))
    assert steps.swept.reverse is not None
    given = [own["checkpoints"], *words.outside, own["steps"], *words.bars]
    backward = _signature(steps.swept.reverse.name, given)
    backward += _docstring(_about_reverse(words))
    own_bars = [
        f"{words.slots[slot]} = {words.slots[slot]}.copy()" for slot in sorted(steps.written)
    ]
    last = [f"return {', '.join(words.bars_back)}"]
    backward += _indented([*own_bars, *_drawing_later(words, _backward(words)), *last])
    return [*_constants(steps), forward, backward]


def _constants(steps: Steps) -> list[list[str]]:
    """Return what a reader may change, in lines of its own."""
    found = []
    if steps.slots_name:
        slots = steps.schedule.slots if isinstance(steps.schedule, Binomial) else 1
        found.append([f"{steps.slots_name} = {slots}"])
    if steps.swept.folder and isinstance(steps.schedule, Disk):
        found.append([f"{steps.swept.folder[0]} = {json.dumps(steps.schedule.folder)}"])
    return found


def _drawing_later(words: Words, lines: list[str]) -> list[str]:
    """Return lines that draw again, and behind them those that forget of it."""
    after = [f"{words.own['after']}{state[len(words.own['drawn']) :]}" for _, state in words.drawn]
    pairs = list(zip(after, (source for source, _ in words.drawn), strict=True))
    kept = [f"{name} = {STATE}({source})" for name, source in pairs]
    return [*kept, *lines, *(f"{SET_STATE}({source}, {name})" for name, source in pairs)]


def scheduled_needs(loops: Iterable[Steps], needs: Needs) -> Iterator[str]:
    """Yield what the loops' functions need imported; take in the functions that they call."""
    text = "\n".join(line for steps in loops for lines in loop_texts(steps, {}) for line in lines)
    called = [name for name in PRINTED if f"{name}(" in text]
    if any(isinstance(steps.schedule, Disk) for steps in loops):
        called.append(SCRATCH)
    for name in called:
        needs.known.takes(Ref(name, PRINTED_FUNCTION))
    yield text


def _signature(name: str, params: list[str]) -> list[str]:
    return wrap("", f"def {name}({', '.join(params)}):", 0, WIDTH)


def _docstring(*lines: str) -> list[str]:
    return docstring([lines[0], *([""] if len(lines) > 1 else []), *lines[1:]])


def _about(words: Words) -> list[str]:
    span = words.steps.outline.loop.span
    where = with_lines(file_name(span.path), str(span.line))
    match words.steps.schedule:
        case Sqrt():
            cost = "Keeps about 2 * sqrt(n) states for n passes, and runs each pass twice."
        case Every(passes):
            cost = f"Keeps n / {passes} + {passes} states for n passes, and runs each pass twice."
        case Disk():
            cost = _about_files(words.steps)
        case Binomial(slots) if words.steps.outline.passes is not None:
            cost = f"Keeps {slots} states at most: every second is dropped where there are more."
        case Binomial(slots):
            cost = f"Keeps {slots} states at a time, by Griewank and Walther's schedule."
        case Recompute():
            cost = "Keeps the first state, and runs n * n / 2 passes more for n passes."
    return [f"Run the loop at {where}, and keep states to run it backwards from.", cost]


def _about_files(steps: Steps) -> str:
    assert isinstance(steps.schedule, Disk)
    every = steps.schedule.every or "sqrt(n)"
    return f"Keeps n / {every} states in files, {every} in memory, and runs each pass twice."


def _about_reverse(words: Words) -> str:
    bars = ", ".join(words.bars)
    span = words.steps.outline.loop.span
    where = with_lines(file_name(span.path), str(span.line))
    line = f"Pull {bars} back through the loop at {where}."
    short = f"the loop at line {span.line}" if are_numbered() else "the loop"
    return line if len(line) < WIDTH - 8 else f"Pull adjoints back through {short}."


def _indented(lines: Iterable[str]) -> list[str]:
    out: list[str] = []
    for line in lines:
        text = line.lstrip(" ")
        out += wrap("", text, 4 + len(line) - len(text), WIDTH)
    return out


# ---------------------------------------------------------------- forwards


def _forward(words: Words) -> list[str]:
    if words.steps.outline.passes is not None:
        return _forward_counted(words)
    if isinstance(words.steps.schedule, Binomial | Recompute):
        return _forward_binomial(words)
    own = words.own
    number, steps = own["number"], own["steps"]
    return [
        f"{own['stride']} = {_stride(words)}",
        f"{own['checkpoints']} = []",
        f"for {number}, {words.target(inner=True)} in enumerate({steps}):",
        f"    if {number} % {own['stride']} == 0:",
        f"        {own['checkpoints']}.append({words.checkpoint(number)})",
        f"    {words.step}",
        f"return {', '.join([*words.state, own['checkpoints']])}",
    ]


def _stride(words: Words) -> str:
    """Return after how many passes a state is kept; 1 at first where that grows on the way."""
    schedule = words.steps.schedule
    if isinstance(schedule, Every):
        return str(schedule.passes)
    if isinstance(schedule, Disk) and schedule.every is not None:
        return str(schedule.every)
    known = words.steps.outline.loop.iterable is not None and isinstance(schedule, Sqrt | Disk)
    return f"max(1, math.isqrt(len({words.own['steps']})))" if known else "1"


def _forward_counted(words: Words) -> list[str]:
    """Return the lines that run a loop whose end is not known, and count its passes."""
    own = words.own
    number, kept, stride = own["number"], own["checkpoints"], own["stride"]
    last = [f"    if {own['done']}:", "        break"] if words.steps.outline.done else []
    return [
        f"{kept}, {number}, {stride} = [], 0, {_stride(words)}",
        _while(words),
        f"    if {number} % {stride} == 0:",
        f"        {kept}.append({words.checkpoint(number)})",
        *_thinned(words),
        f"    {words.step_told}",
        f"    {number} += 1",
        *last,
        f"return {', '.join([*words.state, number, kept])}",
    ]


def _while(words: Words) -> str:
    loop = words.steps.outline.loop
    if loop.iterable is not None:
        return f"for {words.target()} in {words.own['steps']}:"
    return f"while {words.goes_on}:"


def _thinned(words: Words) -> list[str]:
    """Return the lines that drop every second state once there are too many."""
    own, schedule = words.own, words.steps.schedule
    if _stride(words) != "1" or isinstance(schedule, Every | Disk):
        return []
    most = own["stride"] if isinstance(schedule, Sqrt) else words.steps.slots_name
    return [
        f"        if len({own['checkpoints']}) > {most}:",
        f"            {own['stride']} *= 2",
        f"            {own['checkpoints']} = {own['checkpoints']}[::2]",
    ]


def _forward_binomial(words: Words) -> list[str]:
    own = words.own
    number, steps, kept = own["number"], own["steps"], own["checkpoints"]
    ahead = _ahead(words, f"len({steps}) - {number}")
    return [
        f"{kept}, {own['ahead']} = [], 0",
        f"for {number}, {words.target(inner=True)} in enumerate({steps}):",
        f"    if {number} == {own['ahead']}:",
        f"        {kept}.append({words.checkpoint(number)})",
        f"        {own['ahead']} += {ahead}",
        f"    elif {number} == len({steps}) - 1:",
        f"        {kept}.append({words.checkpoint(number)})  # reversed at once",
        f"    {words.step}",
        f"return {', '.join([*words.state, kept])}",
    ]


def _ahead(words: Words, passes: str) -> str:
    slots = words.steps.slots_name
    return f"_until_checkpoint({passes}, {slots} - len({words.own['checkpoints']}) + 1)"


# ---------------------------------------------------------------- backwards


def _backward(words: Words) -> list[str]:
    if isinstance(words.steps.schedule, Binomial | Recompute):
        return _backward_binomial(words)
    own = words.own
    steps, start, stop, states = own["steps"], own["start"], own["stop"], own["states"]
    return [
        f"{stop} = len({steps})",
        f"while {own['checkpoints']}:",
        *_inside(words.taken(f"{own['checkpoints']}.pop()")),
        "    # run again from there, keeping the state before each pass",
        f"    {states} = [{words.found_again}]",
        f"    for {words.target()} in {steps}[{start} : {stop} - 1]:",
        f"        {words.step_again}",
        f"        {states}.append({words.found_again})",
        f"    for {words.target()} in reversed({steps}[{start}:{stop}]):",
        f"        {words.put_back} = {states}.pop()",
        *_inside(_inside(words.drawing_again())),
        *_inside(_inside(words.step_back)),
        f"    {stop} = {start}",
    ]


def _inside(lines: Iterable[str]) -> list[str]:
    return [f"    {line}" for line in lines]


def _step_at(words: Words, last: str) -> list[str]:
    """Return the line that binds what the reverse of a pass reads of its step."""
    read = {param.var for param in words.steps.rev_derived.program.params}
    if read.isdisjoint(words.steps.outline.targets):
        return []
    return [f"    {words.target()} = {words.own['steps']}[{last}]"]


def _backward_binomial(words: Words) -> list[str]:
    own = words.own
    steps, start, last, kept = own["steps"], own["start"], own["last"], own["checkpoints"]
    ahead = own["ahead"]
    return [
        f"for {last} in reversed(range(len({steps}))):",
        *_inside(words.taken(f"{kept}[-1]")),
        f"    while {start} < {last}:",
        f"        {ahead} = {_ahead(words, f'{last} + 1 - {start}')}",
        f"        {own['stop']} = min({start} + {ahead}, {last})",
        f"        for {words.target()} in {steps}[{start}:{own['stop']}]:",
        f"            {words.step_again}",
        f"        {start} = {own['stop']}",
        f"        if {start} < {last}:",
        f"            {kept}.append({words.checkpoint(start)})",
        *_step_at(words, last),
        *_inside(words.step_back),
        f"    if {kept}[-1][0] == {last}:",
        f"        {kept}.pop()",
    ]
