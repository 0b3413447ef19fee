"""A Program becomes a simpler one with the same values.

simplify(program) leaves out what nobody reads, says once what was said twice, and puts
contributions to one adjoint together. What the user wrote stays as it is. The rules:

room           table                    what
-------------  -----------------------  -----------------------------------------------------
liveness       without_dead             statements, stores and loops that nobody reads
numbering      number_values            what either sweep has computed is there
               with_repeated_named      what two statements of ours compute at length
substitute     inline_temporaries       names of ours that are read once
ranges         without_copies           two names of one value
contributions  RULES                    first contributions, sums on one line, zeroed places
restores       saved_before_branches    what is saved, and when it is taken back
lists          saved_together           values that one pass saves
domains        loop_over_saved          loops over items, and over saved values
memory         memory_of                what may share memory, which all of them ask
results        with_own_results         tangents that come back are arrays of their own
"""

from s2sad.optimize.results import with_own_results
from s2sad.optimize.simplify import simplify, written_out

__all__ = ["simplify", "with_own_results", "written_out"]
