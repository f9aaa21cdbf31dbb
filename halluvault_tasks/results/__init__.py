"""Statistics over verdicts, the documented SQL views, and the report.

Put here how rates, intervals and tables are made from verdict rows; what a verdict *means* is the oracles' room.
"""
