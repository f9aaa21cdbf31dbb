"""Superset's settings in compose: its own SQLite for users and charts, secrets from files."""

from pathlib import Path

SECRET_KEY = Path("/run/secrets/superset_secret_key").read_text()
SQLALCHEMY_DATABASE_URI = "sqlite:////var/lib/superset/superset.db"
TALISMAN_ENABLED = True
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
