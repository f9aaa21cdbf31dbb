"""Freezing: a part is built, held against the month before, and written down for good."""
