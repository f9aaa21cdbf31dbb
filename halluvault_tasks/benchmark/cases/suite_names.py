"""Which suites the headline is over."""

HEADLINE = ("relation", "temporal")
"""The suites that the headline is over (semantics.md §4.4); any other has rates of its own."""
