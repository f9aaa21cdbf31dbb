"""Postgres, the only place where state is kept between stages: tables, migrations, sessions, bulk COPY.

What every room needs to read and write rows belongs here; what a row *means* stays in the room that makes it.
"""
