"""A Program becomes a simpler one with the same values.

simplify(program) leaves out what nobody reads, says once what was said twice, and puts
contributions to one adjoint together. What the user wrote stays as it is. The rules:

room           table                    what
-------------  -----------------------  -----------------------------------------------------
ranges         split_live_ranges        one name for each value of ours
liveness       without_dead             statements, stores and loops that nobody reads
numbering      number_values            what either sweep has computed is there
substitute     inline_temporaries       names of ours that are read once
repeated       with_repeated_named      what two statements of ours compute at length
contributions  RULES                    first contributions, sums on one line, zeroed places
guarded        guarded_once             one guard for what follows one another
coalesce       without_copies           two names of one value
together       saved_together           values that one pass saves
stacks         loop_over_saved          loops over saved values
factors        factors_in_order         2.0 * x * y, not 2.0 * (x * y)
memory         memory_of                what may share memory, which all of them ask
results        with_own_results         tangents that come back are arrays of their own
"""

from s2sad.optimize.results import with_own_results
from s2sad.optimize.simplify import simplify

__all__ = ["simplify", "with_own_results"]
