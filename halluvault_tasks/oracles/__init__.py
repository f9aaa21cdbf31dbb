"""Judging: answer parsing, claim extraction, semantic structures, the papers' categories.

Put here how a response becomes a verdict; rates and intervals over verdicts are the results' room.
"""
