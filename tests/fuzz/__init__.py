"""Random programs, their scores, and the smallest program behind a bad score."""
