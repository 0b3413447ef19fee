"""What the values of a loop are called in the functions that run it by its schedule.

number, start, stop, states ...     are the schedule's own; u, dt, u_bar the user's
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from s2sad.legacy.callee import Written
from s2sad.legacy.facts import Fact
from s2sad.legacy.naming import names_of
from s2sad.legacy.program import Param, Program, Var, bar
from s2sad.legacy.schedules.disk import goes_to_disk
from s2sad.legacy.schedules.outline import Steps
from s2sad.legacy.schedules.steps import seeds_of, wrt_of
from s2sad.legacy.templating import FROM_DISK, TO_DISK
from s2sad.operators.schedules import Disk

UNTIL = "_until_checkpoint"
STATE, SET_STATE = "_random_state", "_set_random_state"
WORDS = (
    "checkpoints steps start stop stride number last ahead states done drawn after scratch file"
).split()
# what the text calls, and what it binds to be rid of it: no value of the user's has these names
CALLED = "_ _copied enumerate len math max min np range reversed".split()


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

    @property
    def drawn(self) -> list[tuple[str, str]]:
        """Return what passes draw from, and what the state of each is called."""
        found = []
        for number, each in enumerate(self.steps.outline.drawn):
            name = self.slots[each.slot] if isinstance(each, Var) else each.text
            found.append((name, self.own["drawn"] + (f"_{number + 1}" if number else "")))
        return found

    @property
    def on_disk(self) -> list[str]:
        """Return the names of that part of the kept state which is written to files."""
        if not isinstance(self.steps.schedule, Disk):
            return []
        heads = (each.head for each in self.steps.kept)
        return self.names(head for head in heads if goes_to_disk(self.fact(head)))

    @property
    def in_memory(self) -> list[str]:
        """Return the names of that part of the kept state which is not written to files."""
        return [name for name in self.kept if name not in self.on_disk]

    def copied(self, name: str) -> str:
        """Return a copy of a part of the state."""
        facts = {
            self.slots[each.head.slot]: self.fact(each.head) for each in self.steps.outline.state
        }
        fact = facts[name]
        if fact.is_scalar:
            return name
        return f"{name}.copy()" if fact.is_array else f"_copied({name})"

    # ------------------------------------------------------------ states

    def checkpoint(self, number: str) -> str:
        """Return the state before a pass, as it is kept for long."""
        kept = self.in_memory
        if self.steps.swept.copies:
            kept = [self.copied(name) for name in kept]
        files = [f"{TO_DISK}({', '.join([self.own['scratch'], *self.on_disk])})"]
        parts = [number, *kept, *self._states_drawn(), *(files if self.on_disk else [])]
        return f"({', '.join(parts)})" if parts[1:] else f"({number},)"

    def taken(self, value: str) -> list[str]:
        """Return the lines that take a checkpoint back, and have draws go on from there."""
        parts = [self.own["start"], *self.in_memory, *(state for _, state in self.drawn)]
        parts += [self.own["file"]] if self.on_disk else []
        lines = [f"{', '.join(parts)}{'' if parts[1:] else ','} = {value}"]
        if self.on_disk:
            lines.append(f"[{', '.join(self.on_disk)}] = {FROM_DISK}({self.own['file']})")
        return lines + self.drawing_again()

    @property
    def found_again(self) -> str:
        """Return the state before a pass, as it is kept until that pass is reversed."""
        parts = [*self.kept, *self._states_drawn()]
        return parts[0] if len(parts) == 1 else f"({', '.join(parts)})"

    @property
    def put_back(self) -> str:
        """Return the names that take `found_again`."""
        return ", ".join([*self.kept, *(state for _, state in self.drawn)]) or "_"

    def _states_drawn(self) -> list[str]:
        return [f"{STATE}({source})" for source, _ in self.drawn]

    def drawing_again(self) -> list[str]:
        """Return the lines that have draws go on from where a state was kept."""
        return [f"{SET_STATE}({source}, {state})" for source, state in self.drawn]

    def fact(self, var: Var) -> Fact:
        """Return what is known of a value."""
        return self.steps.step_derived.known(var)

    @property
    def outside(self) -> list[str]:
        """Return the names of what passes read from outside."""
        return self.names(self.steps.outline.outside)

    @property
    def bars(self) -> list[str]:
        """Return the names of the adjoints that a pass is handed from the one behind it."""
        return self.names(seed for _, seed in seeds_of(self.steps.outline))

    @property
    def bars_back(self) -> list[str]:
        """Return the names of the adjoints that a pass hands on to the one before it."""
        return self.bars[: len(wrt_of(self.steps.outline))]

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
        """Return the statement that runs one pass for the first time."""
        return self._step("True")

    @property
    def step_again(self) -> str:
        """Return the statement that runs one pass again."""
        return self._step("False")

    def _step(self, first: str) -> str:
        told = ["_"] if self.steps.outline.done else []
        return f"{', '.join([*self.state, *told])} = {self._call(self.steps.step, False, first)}"

    @property
    def step_told(self) -> str:
        """Return the statement that runs one pass, which tells whether it is the last."""
        told = [self.own["done"]] if self.steps.outline.done else []
        return f"{', '.join([*self.state, *told])} = {self._call(self.steps.step, False, 'True')}"

    @property
    def goes_on(self) -> str:
        """Return the test of a while loop."""
        if self.steps.more is None:
            return "True"
        written, derived = self.steps.more
        given = self.names(param.var for param in derived.program.params)
        return f"{self.calls.get(written.name, written.name)}({', '.join(given)})"

    @property
    def step_back(self) -> list[str]:
        """Return the lines that run one pass backwards."""
        left = [(self.slots[bar(each.head.slot)], each.end) for each in self.steps.outline.left]
        return [
            f"{', '.join(self.bars_back)} = {self._call(self.steps.step_rev, True)}",
            *(
                f"{name} = {self._zero_of(name, end)}  # of the last pass alone"
                for name, end in left
            ),
        ]

    def _zero_of(self, name: str, end: Var) -> str:
        return "0.0" if self.fact(end).is_scalar else f"np.zeros_like({name})"

    def _call(self, written: Written, back: bool, first: str = "") -> str:
        derived = self.steps.rev_derived if back else self.steps.step_derived
        known = [param.var for param in derived.program.params]
        given = [
            first if var == self.steps.outline.first else self.slots[var.slot] for var in known
        ]
        return f"{self.calls.get(written.name, written.name)}({', '.join(given)})"


def words_of(steps: Steps, same: Mapping[str, str]) -> Words:
    """Return the names in a loop's functions; `same` renames the functions that they call."""
    outline = steps.outline
    heads = tuple(each.head for each in outline.state)
    seeds = tuple(seed for _, seed in seeds_of(outline))
    params = tuple(map(Param, (*heads, *outline.targets, *outline.outside, *seeds)))
    pseudo = Program("", params, (), Var("", 0), outline.loop.span)
    tests = {written.name for written, _ in steps.functions}
    calls = {*tests, *CALLED, UNTIL, STATE, SET_STATE, TO_DISK, FROM_DISK, steps.slots_name}
    slots = names_of(pseudo, calls, frozenset(calls))  # parameters are handed on by place
    own = {}
    for word in WORDS:
        name = word
        while name in slots.values():
            name += "_"
        own[word] = name
    return Words(steps, slots, own, same)
