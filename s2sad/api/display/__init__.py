"""What shows a derivative: notebooks, reports, why it is zero, where it is not finite.

It stands on the public functions, and is imported when something is shown.
"""
