"""The one error a user is meant to read.

Raise `UserError` where a person can fix the cause: the message names the thing, the value that was
found, the accepted form, and the way out. The command line prints it as one line without a traceback
(unless `--debug` is given) and exits with status 2; DAGs write it into the `incident` row.
"""


class UserError(Exception):
    """A failure whose message tells the reader what to do about it.

    Args:
        message: what is wrong, quoting the bad value and the accepted form.
        way_out: the command to type or the setting to change.
    """

    def __init__(self, message: str, way_out: str = "") -> None:
        super().__init__(message if not way_out else f"{message} → {way_out}")
        self.message = message
        self.way_out = way_out


class Unavailable(UserError):
    """Something else's process does not answer (Postgres, an endpoint, a model server).

    A person sees it as any other `UserError`; a DAG may try again later, since it can pass by itself.
    """


class DatabaseAway(Unavailable):
    """Postgres does not answer, or no longer, or broke this off: what was not committed is to be done again.

    Args:
        message: what is wrong.
        way_out: the command to type or the setting to change.
        starting: it is there, and says that it is not ready yet.
    """

    def __init__(self, message: str, way_out: str = "", *, starting: bool = False) -> None:
        super().__init__(message, way_out)
        self.starting = starting
