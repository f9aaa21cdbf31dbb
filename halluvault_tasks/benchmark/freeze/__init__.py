"""Freezing: a part is built, compared with the previous month's, and written for good."""
