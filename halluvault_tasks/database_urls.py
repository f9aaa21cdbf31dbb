"""Database URLs as people write them: checked before anybody connects, and shown without what is secret in them."""

import difflib
import re

import psycopg2
from psycopg2.extensions import parse_dsn
from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from halluvault_tasks.errors import UserError
from halluvault_tasks.untrusted import visible, without_password

DRIVER = "postgresql+psycopg2"
"""The one driver that everything here is written for."""

_FORM = f"it must look like {DRIVER}://user:password@host:port/name"
_ESCAPES = "a password's own @ / : % are written %40 %2F %3A %25"
_ALIKE = {DRIVER, "postgresql", "postgres"}
"""What libpq, and whoever hosts a database, call it; SQLAlchemy would take another driver for these."""
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+._-]{0,40})://")
_USER = re.compile(r"[^:/@]*(?:@[^:/@]*)*(?::[^@]*)?@")
"""User and password as SQLAlchemy reads them: the password ends at the first @."""
_COMMON = ("sslmode", "sslrootcert", "connect_timeout", "options", "application_name", "target_session_attrs")
_INSTEAD = {"ssl": "sslmode", "timeout": "connect_timeout"}
_OWN_SECRETS = ("password", "sslpassword", "oauth_client_secret")


def checked(given: str, variable: str, unset: str = "") -> str:
    """A database's URL, with the driver that is meant.

    Args:
        given: what somebody set; no message shows more of it than its scheme or the name of an option.
        variable: where it was set.
        unset: the way out where it is empty.

    Raises:
        UserError: it is no URL of Postgres, names another driver or an option that libpq lacks, or cannot be told
            apart into password and host.
    """
    url = given.strip()
    if not url:
        raise UserError(f"{variable} is empty; {_FORM}", unset or f"set {variable}")
    scheme = _SCHEME.match(url)
    if scheme is None:
        raise UserError(
            f"{variable} is no URL, and not shown, as it may hold a password; {_FORM}", f"correct {variable}"
        )
    if scheme[1].lower() not in _ALIKE:
        raise UserError(
            f"{variable} is {visible(scheme[1])}://…; {_FORM}", f"write {DRIVER}:// and give a PostgreSQL database"
        )
    rest = url[scheme.end() :]
    if _is_ambiguous(rest):
        raise UserError(
            f"{variable} is {without_password(url)}: what is hidden holds another @, so that nothing shows where "
            f"the host begins; {_FORM}",
            _ESCAPES,
        )
    url = f"{DRIVER}://{rest}"
    try:
        read = make_url(url)
    except (ArgumentError, ValueError):
        raise UserError(
            f"{variable} is {without_password(url)}; {_FORM}", f"its port must be one number; {_ESCAPES}"
        ) from None
    _require_options(read, variable)
    return url


def _is_ambiguous(rest: str) -> bool:
    """Whether what follows `://` has an @ behind that with which user and password seem to end: it may be theirs."""
    user = _USER.match(rest)
    return user is not None and "@" in rest[user.end() :]


def _require_options(url: URL, variable: str) -> None:
    """Libpq itself knows its options, which grow with its versions."""
    for option in url.query:
        try:
            parse_dsn(f"{option}=''")
        except psycopg2.ProgrammingError as error:
            told = visible(option[:40])
            near = _INSTEAD.get(option) or next(iter(difflib.get_close_matches(option, _COMMON, 1)), "")
            raise UserError(
                f"{variable} has the option {told!r}, which PostgreSQL's library libpq does not know",
                f"take it out{f', or write {near!r}' if near else ''}; texts are sent as UTF-8 in any case",
            ) from error


def shown(url: str) -> str:
    """The URL without its password, for messages."""
    try:
        read = make_url(url)
    except (ArgumentError, ValueError):
        return without_password(url) if _SCHEME.match(url) else "(unreadable database URL)"
    if _is_ambiguous(url.partition("://")[2]):
        return without_password(url)
    return read.difference_update_query(_OWN_SECRETS).render_as_string(hide_password=True)


def secrets_of(url: str) -> list[str]:
    """The passwords in a URL, to be taken out of what others say."""
    try:
        read = make_url(url)
    except (ArgumentError, ValueError):
        return []
    found = [read.password, *(read.query.get(option) for option in _OWN_SECRETS)]
    return [each for each in found if isinstance(each, str)]
