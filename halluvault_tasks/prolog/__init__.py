"""SWI-Prolog through pyswip: one engine per process, errors always caught, rows never through iteration.

Put here how Prolog is *called* and how terms are written safely. It knows no rule.
"""
