"""An Einstein sum gets a rule made to measure: what each operand receives is another one.

    np.einsum("ij,jk->ik", A, B)    ->    A_bar = np.einsum("ik,jk->ij", y_bar, B)

An index that stands twice in one operand (a diagonal) is spread with np.eye; one that stands in
no other operand and not in the result (a plain sum), with np.ones_like of the operand.
"""

from __future__ import annotations

import string

from s2sad.ir.expression import Expr, constant, keywords, positional
from s2sad.ir.records import dataclass
from s2sad.ir.types import ONE, Array, Length
from s2sad.operators.guards import text_of
from s2sad.operators.hooks.making import Making
from s2sad.operators.match import Match
from s2sad.operators.rule import LINEAR
from s2sad.operators.trees import literal

DOTS = "..."
Terms = list[tuple[str, str]]  # indices, and what they are of, as it is written


@dataclass(frozen=True, slots=True)
class Subscripts:
    """The indices of each operand, and of the result."""

    operands: tuple[str, ...]
    result: str


def read(text: str) -> Subscripts | None:
    """Read "ij,jk->ik"; without an arrow the result has every index that stands once."""
    left, arrow, result = text.replace(" ", "").partition("->")
    operands = tuple(left.split(","))
    if not arrow:
        letters = left.replace(",", "").replace(DOTS, "")
        once = sorted(each for each in {*letters} if letters.count(each) == 1)
        result = DOTS * (DOTS in left) + "".join(once)
    is_plain = all(not each or each.isalpha() for each in map(_letters, (*operands, result)))
    return Subscripts(operands, result) if is_plain else None


def _letters(indices: str) -> str:
    return indices.replace(DOTS, "")


def rule_of(expr: Expr) -> Match | None:
    """Return the rule of np.einsum with its subscripts written out, matched."""
    spelled = with_letters(expr)
    args, named = positional(spelled), keywords(spelled)
    subscripts = read(text_of(args[0])) if args and text_of(args[0]) else None
    if subscripts is None or len(subscripts.operands) != len(args) - 1:
        return None
    if any(key != "optimize" or not _is_plain(value) for key, value in named.items()):
        return None
    options = "".join(f", {key}={value.data!r}" for key, value in named.items())
    making = Making(expr)
    params = [
        making.operand(each, _Adjoint(subscripts, k, args[1:], options).received)
        for k, each in enumerate(args[1:])
    ]
    form = spelled.with_args((expr.args[0], constant(text_of(args[0])), *params, *named.values()))
    return making.match("einsum", "np.einsum", form, LINEAR)


def with_letters(expr: Expr) -> Expr:
    """Return np.einsum with its indices in a text, where they are given as lists of numbers."""
    args = positional(expr)
    operands, lists = args[::2], args[1::2]
    result = operands[len(lists) :]
    texts = [_letters_of(each) for each in (*lists, *result)]
    if not lists or None in texts or len(result) > 1:
        return expr
    named = ",".join(str(text) for text in texts[: len(lists)])
    named += f"->{texts[-1]}" if result else ""
    made = (expr.args[0], literal(named), *operands[: len(lists)], *keywords(expr).values())
    return expr.with_args(made)


def _letters_of(axes: Expr) -> str | None:
    """Return a list of indices as a text; as NumPy numbers them, upper case comes first."""
    letters = string.ascii_uppercase + string.ascii_lowercase
    if axes.op not in ("list", "tuple"):
        return None
    found = [
        DOTS if axis.op == "constant" and axis.data is ... else axis.data for axis in axes.args
    ]
    places = range(len(letters))
    if not all(each == DOTS or (type(each) is int and each in places) for each in found):
        return None
    return "".join(each if each == DOTS else letters[int(each)] for each in found)


def _is_plain(value: Expr) -> bool:
    return value.op == "constant" and isinstance(value.data, bool | str)


# ---------------------------------------------------------------------------- one operand


@dataclass(frozen=True, slots=True)
class _Adjoint:
    """What one operand receives; `options` are those of the sum."""

    subscripts: Subscripts
    place: int
    operands: tuple[Expr, ...]
    options: str

    @property
    def own(self) -> str:
        """Return the operand's own indices."""
        return self.subscripts.operands[self.place]

    @property
    def me(self) -> str:
        """Return the operand's parameter."""
        return f"part_{self.place}"

    @property
    def received(self) -> str:
        """Return what the operand receives, as a template writes it."""
        terms = self._terms()
        target, spread = _apart(self.own, "".join(indices for indices, _ in terms))
        seen = {letter for indices, _ in terms for letter in indices} - self.stretched()
        if not {*_letters(self.own)} <= seen:
            if not self.subscripts.result and len(terms) == 1 and not spread:
                return f"np.full_like({self.me}, y_bar)"
            terms.append((self.own, f"np.ones_like({self.me})"))
        eye = f"np.eye({self.me}.shape[{{}}], dtype={self.me}.dtype)"
        terms += [(pair, eye.format(axis)) for pair, axis in spread]
        has_dots = any(DOTS in indices for indices, _ in terms)
        return self._summed(terms, DOTS + _letters(target) if has_dots else target, has_dots)

    def stretched(self) -> set[str]:
        """Return the indices that are summed, and of which all others have a single element."""
        found = [
            _by_letter(indices, operand)
            for indices, operand in zip(self.subscripts.operands, self.operands, strict=True)
        ]
        mine = found.pop(self.place)
        return {
            letter
            for letter, length in mine.items()
            if letter not in self.subscripts.result and length != ONE
            if {each[letter] for each in found if letter in each} == {ONE}
        }

    def _terms(self) -> Terms:
        others = enumerate(self.subscripts.operands)
        factors = [(indices, f"part_{k}") for k, indices in others if k != self.place]
        return [(self.subscripts.result, "y_bar"), *factors]

    def _summed(self, terms: Terms, target: str, has_dots: bool) -> str:
        has_own = _has_own_lengths(self)
        product = None if self.options or not has_own else product_of(terms, target)
        if product is not None:
            return product
        value = _contracted(terms, target, self.options)
        if has_dots and DOTS in self.own and not self.own.startswith(DOTS):
            return _before_dots(value, self.me, self.own)
        if self.may_be_stretched():
            value = f"np.zeros_like({self.me}) + {value}"
        return f"_sum_to({value}, {self.me}.shape)" if has_dots or not has_own else value

    def may_be_stretched(self) -> bool:
        """Tell whether all others may have a single element along a summed index, as far as is known."""
        pairs = zip(self.subscripts.operands, self.operands, strict=True)
        others = [pair for k, pair in enumerate(pairs) if k != self.place]
        summed = {*_letters(self.own)} - {*self.subscripts.result}
        return any(
            all(
                letter not in each or _by_letter(each, of).get(letter) is None
                for each, of in others
            )
            for letter in summed & {*_letters("".join(each for each, _ in others))}
        )


def _before_dots(value: str, me: str, own: str) -> str:
    """Return a value with the indices behind its dots that stand before those of an operand."""
    before, _, behind = own.partition(DOTS)
    front = tuple(range(len(before)))
    back = tuple(k - len(before) - len(behind) for k in front)
    first, last = (each if len(each) > 1 else each[0] for each in (front, back))
    summed = f"_sum_to({value}, np.moveaxis({me}, {first}, {last}).shape)"
    return f"np.moveaxis({summed}, {last}, {first})"


def _contracted(terms: Terms, target: str, options: str) -> str:
    """Return the sum over what is not in the target; a number stands before it.

    Of more than two factors NumPy is asked to find a good order, as a hand would.
    """
    numbers = [term for indices, term in terms if not indices]
    rest = [(indices, term) for indices, term in terms if indices]
    if numbers and rest:
        return " * ".join([*numbers, _contracted(rest, target, options)])
    if len(terms) > 2 and not options:
        options = ", optimize=True"
    text = ",".join(indices for indices, _ in terms) + "->" + target
    return f"np.einsum('{text}', {', '.join(term for _, term in terms)}{options})"


def product_of(terms: Terms, target: str) -> str | None:
    """Return what two matrices, or one and a vector, make as their product, if it is that.

    np.einsum("ik,kj->ij", y_bar, B) is y_bar @ B, for which there are fast libraries.
    """
    sides = [indices for indices, _ in terms]
    if len(sides) != 2 or sorted(map(len, sides)) not in ([1, 2], [2, 2]) or not target:
        return None
    shared = {*sides[0]} & {*sides[1]}
    is_plain = all(len({*side}) == len(side) and side.isalpha() for side in (*sides, target))
    if not is_plain or len(shared) != 1 or {*target} != {*sides[0]} ^ {*sides[1]}:
        return None
    (s,) = shared
    if len(target) == 1:
        at = 0 if len(sides[0]) == 2 else 1
        (matrix, a), (_, b) = terms[at], terms[1 - at]
        return f"{a} @ {b}" if matrix[1] == s else f"{b} @ {a}"
    left = terms[0] if target[0] in sides[0] else terms[1]
    right = terms[1] if left is terms[0] else terms[0]
    return f"{_turned(left, 1, s)} @ {_turned(right, 0, s)}"


def _turned(term: tuple[str, str], place: int, letter: str) -> str:
    """Return a matrix, or its transpose, with an index at a place."""
    return term[1] if term[0][place] == letter else f"{term[1]}.T"


def _apart(own: str, used: str) -> tuple[str, list[tuple[str, int]]]:
    """Return indices that are all different, and the pairs that have to be equal."""
    target, pairs = "", []
    free = iter(each for each in string.ascii_letters if each not in used + own)
    for place, letter in enumerate(own):
        if letter != "." and letter in target:
            other = next(free)
            is_behind = DOTS in own[:place]  # it counts from the last axis there
            pairs.append((letter + other, place - len(own) if is_behind else place))
            letter = other
        target += letter
    return target, pairs


def _has_own_lengths(made: _Adjoint) -> bool:
    """Tell whether no axis of the operand is a single element that others make longer."""
    lengths = _lengths(made.operands[made.place])
    if lengths is None:
        return False
    known = dict(zip(made.own, lengths, strict=False))
    for indices, operand in zip(made.subscripts.operands, made.operands, strict=True):
        others = _lengths(operand)
        if others is None:
            return False
        if any(known.get(i, n) != n for i, n in zip(indices, others, strict=False)):
            return False
    return True


def _by_letter(indices: str, operand: Expr) -> dict[str, Length | None]:
    """Return the lengths of the indices of an operand, as far as they are known."""
    if not isinstance(operand.type, Array):
        return {}
    lengths = operand.type.lengths
    before, _, behind = indices.partition(DOTS)
    found = dict(zip(before, lengths, strict=False))
    return found | dict(zip(reversed(behind), reversed(lengths), strict=False))


def _lengths(expr: Expr) -> tuple[Length | None, ...] | None:
    """Return the lengths of an array, None where one of them is not known."""
    if not isinstance(expr.type, Array) or None in expr.type.lengths:
        return None
    return expr.type.lengths
