"""Statistics over verdicts, the documented SQL views, and the report.

How rates, intervals and tables are made from verdict rows belongs here; what a verdict *means* belongs to the oracles.
"""
