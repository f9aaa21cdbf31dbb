"""SWI-Prolog through pyswip: one engine per process, errors always caught, rows never through iteration.

How Prolog is *called* and how terms are written safely belongs here. It knows no rule.
"""
