"""The table of operations: which rule, effect and cost a call has, and the algebra that builds expressions."""
