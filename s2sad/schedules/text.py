"""The two functions that run a loop forwards and backwards by its schedule, as text.

def march_loop(u, dt, steps):                 def march_loop_rev(checkpoints, dt, steps, u_bar):
    ...                                           while checkpoints:
    return u, checkpoints                             ...
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from s2sad.callee import Written
from s2sad.comments import WIDTH
from s2sad.facts import Fact
from s2sad.naming import names_of
from s2sad.needs import Needs
from s2sad.printing import wrap
from s2sad.program import Param, Program, Ref, Var
from s2sad.schedules.kinds import Binomial, Every, Recompute, Sqrt
from s2sad.schedules.outline import Steps
from s2sad.schedules.steps import seeds_of
from s2sad.templating import PRINTED_FUNCTION

COPIED = Ref("_copied", PRINTED_FUNCTION)
UNTIL = Ref("_until_checkpoint", PRINTED_FUNCTION)
WORDS = "checkpoints steps start stop stride number last ahead states done".split()


@dataclass(frozen=True)
class Words:
    """The names in a loop's two functions."""

    steps: Steps
    slots: Mapping[str, str]
    own: Mapping[str, str]
    calls: Mapping[str, str]

    def names(self, variables: Iterable[Var]) -> list[str]:
        """Return what values are called."""
        return [self.slots[var.slot] for var in variables]

    @property
    def state(self) -> list[str]:
        """Return the names of what is handed from pass to pass."""
        return self.names(each.head for each in self.steps.outline.state)

    @property
    def found(self) -> list[str]:
        """Return the names of that part of the state which a pass finds."""
        return self.names(each.head for each in self.steps.outline.found)

    @property
    def kept(self) -> list[str]:
        """Return the names of that part of the state which a pass or its reverse reads."""
        return self.names(each.head for each in self.steps.kept)

    def copied(self, name: str) -> str:
        """Return a copy of a part of the state."""
        facts = {
            self.slots[each.head.slot]: self.fact(each.head) for each in self.steps.outline.state
        }
        fact = facts[name]
        if fact.is_scalar:
            return name
        return f"{name}.copy()" if fact.is_array else f"_copied({name})"

    def fact(self, var: Var) -> Fact:
        """Return what is known of a value."""
        return self.steps.step_derived.known(var)

    @property
    def outside(self) -> list[str]:
        """Return the names of what passes read from outside."""
        return self.names(self.steps.outline.outside)

    @property
    def bars(self) -> list[str]:
        """Return the names of the adjoints that are handed from pass to pass, last to first."""
        return self.names(seed for _, seed in seeds_of(self.steps.outline))

    def target(self, targets: object = None, inner: bool = False) -> str:
        """Return what a pass binds, `_` where it reads nothing of it."""
        targets = self.steps.outline.loop.targets if targets is None else targets
        if not targets:
            return "_"
        if isinstance(targets, Var):
            return self.slots[targets.slot]
        assert isinstance(targets, tuple)
        parts = ", ".join(self.target(part, True) for part in targets)
        parts += "," if len(targets) == 1 else ""
        return f"({parts})" if inner else parts

    @property
    def step(self) -> str:
        """Return the statement that runs one pass."""
        told = ["_"] if self.steps.outline.done else []
        return f"{', '.join([*self.state, *told])} = {self._call(self.steps.step, False)}"

    @property
    def step_told(self) -> str:
        """Return the statement that runs one pass, which tells whether it is the last."""
        told = [self.own["done"]] if self.steps.outline.done else []
        return f"{', '.join([*self.state, *told])} = {self._call(self.steps.step, False)}"

    @property
    def goes_on(self) -> str:
        """Return the test of a while loop."""
        if self.steps.more is None:
            return "True"
        written, derived = self.steps.more
        given = self.names(param.var for param in derived.program.params)
        return f"{self.calls.get(written.name, written.name)}({', '.join(given)})"

    @property
    def step_back(self) -> str:
        """Return the statement that runs one pass backwards."""
        return f"{', '.join(self.bars)} = {self._call(self.steps.step_rev, True)}"

    def _call(self, written: Written, back: bool) -> str:
        derived = self.steps.rev_derived if back else self.steps.step_derived
        given = self.names(param.var for param in derived.program.params)
        return f"{self.calls.get(written.name, written.name)}({', '.join(given)})"


def words_of(steps: Steps, same: Mapping[str, str]) -> Words:
    """Return the names in a loop's functions; `same` renames the functions that they call."""
    outline = steps.outline
    heads = tuple(each.head for each in outline.state)
    seeds = tuple(seed for _, seed in seeds_of(outline))
    params = tuple(map(Param, (*heads, *outline.targets, *outline.outside, *seeds)))
    pseudo = Program("", params, (), Var("", 0), outline.loop.span)
    tests = {written.name for written, _ in steps.functions}
    calls = {*tests, "math", "len", "range", "reversed", "enumerate"}
    slots = names_of(pseudo, {*calls, UNTIL.text, steps.slots_name})
    own = {}
    for word in WORDS:
        name = word
        while name in slots.values():
            name += "_"
        own[word] = name
    return Words(steps, slots, own, same)


def loop_texts(steps: Steps, same: Mapping[str, str]) -> list[list[str]]:
    """Return the lines of the function that runs a loop, and of the one that runs it backwards."""
    words = words_of(steps, same)
    own = words.own
    over = [] if steps.outline.loop.iterable is None else [own["steps"]]
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
    backward += _indented([*own_bars, *_backward(words)])
    constant = [f"{steps.slots_name} = {_slots(steps)}"] if steps.slots_name else []
    return [*([constant] if constant else []), forward, backward]


def _slots(steps: Steps) -> int:
    return steps.schedule.slots if isinstance(steps.schedule, Binomial) else 1


def scheduled_needs(loops: Iterable[Steps], needs: Needs) -> Iterator[str]:
    """Yield what the loops' functions need imported; take in the functions that they call."""
    for steps in loops:
        if steps.slots_name:
            needs.known.takes(UNTIL)
        elif isinstance(steps.schedule, Sqrt) and steps.outline.loop.iterable is not None:
            yield "math.isqrt"
        if any("_copied(" in line for text in loop_texts(steps, {}) for line in text):
            needs.known.takes(COPIED)


def _signature(name: str, params: list[str]) -> list[str]:
    return wrap("", f"def {name}({', '.join(params)}):", 0, WIDTH)


def _docstring(*lines: str) -> list[str]:
    if len(lines) == 1:
        return [f'    """{lines[0]}"""']
    return [f'    """{lines[0]}', "", *(f"    {line}" for line in lines[1:]), '    """']


def _about(words: Words) -> list[str]:
    span = words.steps.outline.loop.span
    where = f"{Path(span.path).name}:{span.line}"
    match words.steps.schedule:
        case Sqrt():
            cost = "Keeps about 2 * sqrt(n) states for n passes, and runs each pass twice."
        case Every(passes):
            cost = f"Keeps n / {passes} + {passes} states for n passes, and runs each pass twice."
        case Binomial(slots) if words.steps.outline.passes is not None:
            cost = f"Keeps {slots} states at most: every second is dropped where there are more."
        case Binomial(slots):
            cost = f"Keeps {slots} states at a time, by Griewank and Walther's schedule."
        case Recompute():
            cost = "Keeps the first state, and runs n * n / 2 passes more for n passes."
    return [f"Run the loop at {where}, and keep states to run it backwards from.", cost]


def _about_reverse(words: Words) -> str:
    bars = ", ".join(words.bars)
    span = words.steps.outline.loop.span
    line = f"Pull {bars} back through the loop at {Path(span.path).name}:{span.line}."
    return (
        line
        if len(line) < WIDTH - 8
        else f"Pull adjoints back through the loop at line {span.line}."
    )


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
        f"        {own['checkpoints']}.append({_numbered(words, number)})",
        f"    {words.step}",
        f"return {', '.join([*words.state, own['checkpoints']])}",
    ]


def _stride(words: Words) -> str:
    """Return after how many passes a state is kept; 1 at first where that grows on the way."""
    schedule = words.steps.schedule
    if isinstance(schedule, Every):
        return str(schedule.passes)
    known = words.steps.outline.loop.iterable is not None and isinstance(schedule, Sqrt)
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
        f"        {kept}.append({_numbered(words, number)})",
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
    if _stride(words) != "1" or isinstance(schedule, Every):
        return []
    most = own["stride"] if isinstance(schedule, Sqrt) else words.steps.slots_name
    return [
        f"        if len({own['checkpoints']}) > {most}:",
        f"            {own['stride']} *= 2",
        f"            del {own['checkpoints']}[1::2]",
    ]


def _numbered(words: Words, number: str) -> str:
    kept = words.kept
    if words.steps.swept.copies:
        kept = [words.copied(name) for name in kept]
    return f"({', '.join([number, *kept])})" if kept else f"({number},)"


def _forward_binomial(words: Words) -> list[str]:
    own = words.own
    number, steps, kept = own["number"], own["steps"], own["checkpoints"]
    ahead = _ahead(words, f"len({steps}) - {number}")
    return [
        f"{kept}, {own['ahead']} = [], 0",
        f"for {number}, {words.target(inner=True)} in enumerate({steps}):",
        f"    if {number} == {own['ahead']}:",
        f"        {kept}.append({_numbered(words, number)})",
        f"        {own['ahead']} += {ahead}",
        f"    elif {number} == len({steps}) - 1:",
        f"        {kept}.append({_numbered(words, number)})  # reversed at once",
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
        f"    {_taken(words)} = {own['checkpoints']}.pop()",
        "    # run again from there, keeping the state before each pass",
        f"    {states} = [{_state(words)}]",
        f"    for {words.target()} in {steps}[{start} : {stop} - 1]:",
        f"        {words.step}",
        f"        {states}.append({_state(words)})",
        f"    for {words.target()} in reversed({steps}[{start}:{stop}]):",
        f"        {', '.join(words.kept) or '_'} = {states}.pop()",
        f"        {words.step_back}",
        f"    {stop} = {start}",
        f"return {', '.join(words.bars)}",
    ]


def _state(words: Words) -> str:
    return words.kept[0] if len(words.kept) == 1 else f"({', '.join(words.kept)})"


def _taken(words: Words) -> str:
    return ", ".join([words.own["start"], *words.kept]) + ("" if words.kept else ",")


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
        f"    {_taken(words)} = {kept}[-1]",
        f"    while {start} < {last}:",
        f"        {ahead} = {_ahead(words, f'{last} + 1 - {start}')}",
        f"        {own['stop']} = min({start} + {ahead}, {last})",
        f"        for {words.target()} in {steps}[{start}:{own['stop']}]:",
        f"            {words.step}",
        f"        {start} = {own['stop']}",
        f"        if {start} < {last}:",
        f"            {kept}.append({_numbered(words, start)})",
        *_step_at(words, last),
        f"    {words.step_back}",
        f"    if {kept}[-1][0] == {last}:",
        f"        {kept}.pop()",
        f"return {', '.join(words.bars)}",
    ]
