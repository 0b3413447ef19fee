"""Which page of the docs says more about a refusal: the one that claims a phrase of its message.

docs/refusals/aliases.md
"""

from __future__ import annotations

FOLDER = "docs/refusals"

# the first page that claims a phrase has the message; what is most general stands last
PHRASES = {
    "aliases": (
        "may be one array, and",
        "are one array, and",
        "while an earlier value or a part of it is still read",
        "while a part of it is still read",
    ),
    "overlapping-steps": ("is read and written here in different steps",),
    "no-rule": (
        "has no derivative rule",
        "has no derivative with respect to",
        "gives has no derivative",
        "leads through too much of its library",
    ),
    "unknown-function": (
        "is, is not known when",
        "called here is not known when",
        "holds is not known when",
    ),
    "arrays-of-cupy": (
        "arrays= is one of",
        "'s, and ",
        "'s, not of numpy's",
        "and the text is CuPy's",
        "CuPy ",
        "CuPy's ",
        "that the module holds is NumPy's",
    ),
    "names-that-hide": ("hides what the derivative calls by that name",),
    "names-without-a-value": (
        "is not defined",
        "is read before it has a value",
        "cannot be imported",
        "the module ",
    ),
    "what-a-function-reads": (
        "has changed since a function was given it",
        "what this function reads is given another value",
        "was made on another way",
        "reads names that the text does not show",
        "has another value by now, and what it held before",
        "which belongs to the module, is changed here",
    ),
    "functions-made-inside": (
        "the inner function writes to",
        "the inner function reads",
        "which belongs to the function around it",
        "this function made inside is not differentiated",
    ),
    "kept-out-of-sight": (
        "what this line does with a value that varies is not known",
        "and values that vary are put in it",
    ),
    "numbers-from-texts": ("a number is read from the text of a value that varies",),
    "calls-that-write": (
        "draws random numbers, and its reverse would draw others",
        "out= is not differentiated",
        "write where it is not seen",
        "which it is given",
    ),
    "changes-in-an-expression": (
        "changes its argument inside an expression or a test",
        "draws random numbers inside an expression or a test",
        "inside a test or an expression that may not run",
        "out= in the middle of a test or subscript",
        "a call on one side of this expression changes what is read after it",
        "while it computes what it adds",
    ),
    "generators": (
        "is a generator: what it yields",
        "is sent values",
        "is gone through after this line, and sees what it changes",
    ),
    "try": (
        "leaving a `try` that has a `finally`",
        "a handler that raises again on one way",
        "a `try` that ",
        "inside a `try` is not differentiated",
    ),
    "with": (
        "a `with` around what is differentiated",
        "`as` of this `with`",
        "np.errstate that may raise",
        "warnings that become errors",
        "in a region without gradients",
        "no_grad takes nothing",
    ),
    "leaving-a-block": (
        "return, break or continue inside",
        "a loop over the parts of what is made here cannot be left",
    ),
    "recursion": ("calls itself",),
    "dicts": (
        "has other keys on another way",
        "a key of this dict is not known here",
        "the keys of what ** unpacks are not known",
        "() of a dict that is made here",
        "under a key that is not known",
        "what is in this record is not known here",
        "has no key ",
    ),
    "objects": (
        " is a list of objects, and ",
        "is an item of a list of objects, and",
        "which item of a list this is",
        "whether an argument is this very object",
        "may be an item of several",
        "returns a dict or an object that it makes",
        "is written to, and a ",
        "cannot be made: ",
        "that can be followed",
        "an assignment to an attribute",
        ": it has no value here",
        "has no field ",
        "what super() has under the name",
    ),
    "starred-arguments": (
        "*args and **kwargs are not differentiated",
        "is used in a way that is not differentiated",
        "gives what *args or **kwargs of",
        "what is starred is not known here",
    ),
    "calls-that-do-not-fit": (
        "this call cannot be followed",
        "this call does not fit its function",
        "is built inside the call",
    ),
    "writes-through-an-expression": ("a write through an expression is not differentiated",),
    "targets": (
        "a starred target is not differentiated",
        "this does not unpack to as many targets",
        "this target is not differentiated",
        "a target of several that does something of its own",
        "this loop target is not differentiated",
        "unpacking a row is not differentiated",
    ),
    "positions": (
        "a position that is drawn at random",
        "a write at positions that may be an array",
        "a list is written here to what may be an array",
    ),
    "loops": ("a loop over this is not differentiated", "what this loop hands on"),
    "complex-numbers": (
        "complex numbers are not differentiated",
        " is complex: cannot ",
        "returns a complex number, and grad",
    ),
    "no-source": (
        "has no Python source",
        "is no Python function, so it has no source",
        "the source of ",
        "the text that should hold",
        "is not what it runs",
        "not a function of its own",
        "is not a function",
        "is an async function",
    ),
    "wrt": (
        "takes one argument at a time",
        "wrt and argnums are two names",
        "wrt is empty",
        "has no parameter",
        "wrt names ",
        "wrt is made of names and positions",
        "holds a float",
        "stands for several arguments of",
    ),
    "seeds-and-tangents": (
        "is not built like",
        ", but the value it belongs to has",
        ", not a number",
    ),
    "not-a-scalar": (
        "and grad takes a real scalar",
        "and grad takes a scalar",
        "does not return one number for each",
        "which has_aux asks for",
        "there is nothing to differentiate",
    ),
    "many-directions": (
        "many directions at once",
        "as many directions of each have to be given",
        "holds no directions of",
        "each direction in ",
    ),
    "one-matrix": (
        "which is not one matrix",
        "and one axis of a matrix belongs to one array",
        " changes its argument ",
        "and its Jacobian no columns",
        "returns an array without elements",
        "depend on which",
        "is no array with elements",
        "a sparse matrix needs SciPy",
    ),
    "arguments-that-are-no-floats": (
        "whose operators are not those of an array",
        " is an array of ",
        " is an integer (",
        ": cannot ",
    ),
    "example-arguments": (
        "was made for",
        "is not made for these arguments",
        "is made for a number of arguments that is not known",
        "like= ",
        "depends on how many arguments it is called with",
    ),
    "arguments-of-a-call": (
        "does not take these arguments",
        "check_grad takes a tuple of arguments",
    ),
    "checkpoints": (
        "checkpoint= ",
        "checkpointed",
        " is no schedule",
        "it is not known which states to write",
        "only arrays, numbers and tuples of them go to files",
        "Disk takes the name of a directory",
        " from 1 on, not ",
    ),
    "memory": (
        "memory= ",
        "the peak of memory is not known",
        "no schedule keeps within",
    ),
    "rules-of-your-own": (
        "rules are texts, paths of files",
        "there is no rule in what was given",
        "these rules are not in force",
        "takes the arguments, then y and y_bar",
        "as a rule calls the result",
        "check_rule is made of assertions",
        "and modes are held against each other",
    ),
    "custom-derivatives": (
        "custom_derivative needs",
        "is not a Python function",
        "of which there is no one adjoint",
        "arguments, and the derivative of",
        " adjoints, and ",
        "the hook of on_adjoint",
        " by position",
        "was given a forward derivative",
        "was given a reverse derivative",
        "gives no adjoint of",
        " gives for ",
    ),
    "derivatives-inside": (
        "it is not known which function is differentiated here",
        "the options of a derivative are written out",
        "a derivative of a function made inside",
        " has no text: ",
    ),
    "solvers": (
        "the solver chose these times",
        "gives is used as a whole",
        "and a solver takes one value",
        "a parameter is given twice",
        "args= of ",
    ),
    "saving-and-pickling": (" cannot be saved", " cannot be pickled"),
    "modes-and-stages": ("mode is 'forward' or 'reverse'", "there is no stage"),
    "keys-that-vary": ("depends on a key that varies",),
    "syntax": ("is not differentiated",),
}


def page_of(problem: str) -> str:
    """Return the page for a message, nothing if no page claims it."""
    for page, phrases in PHRASES.items():
        if any(phrase in problem for phrase in phrases):
            return f"{FOLDER}/{page}.md"
    return ""
