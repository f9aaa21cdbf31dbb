"""Postgres, the only place where state lives between stages: tables, migrations, sessions, bulk COPY.

Put here what every room needs to read and write rows; what a row *means* stays in the room that makes it.
"""
