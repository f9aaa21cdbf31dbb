"""The SWI-Prolog engine of this process.

pyswip is used for control only (research: its row iteration is a hundred times slower than `format/3` inside
Prolog). `catcherrors=True` is given with every query: without it an error may enter the tracer and end the
process. A `halt` inside Prolog ends Python with status 0, so whoever starts a derivation checks a manifest.
"""

import errno
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from halluvault_tasks.errors import UserError
from halluvault_tasks.prolog.terms import atom

_NO_ROOM = {os.strerror(code): code for code in (errno.ENOSPC, errno.EDQUOT)}
"""What SWI-Prolog quotes of the system where a file that a goal writes has no room."""


class PrologError(RuntimeError):
    """A goal raised an error or failed where it must not."""


class Engine:
    """The one engine of this process; instances share its database of clauses.

    Args:
        files: Prolog sources to load, in order.
        stack_limit: bytes; a runaway goal ends in `PrologError` instead of filling the machine.
    """

    def __init__(self, files: Sequence[Path] = (), stack_limit: int = 2 << 30) -> None:
        try:
            # Imported late: pyswip looks for libswipl when it is imported, and not every command needs it.
            from pyswip import Prolog
        except Exception as error:
            raise UserError(
                f"SWI-Prolog cannot be loaded: {error}", "install it: apt-get install swi-prolog-nox"
            ) from error
        self._prolog = Prolog()
        self.call(f"set_prolog_flag(stack_limit, {int(stack_limit)})")
        for file in files:
            self.load(file)

    def load(self, file: Path) -> None:
        """Load a source file, once.

        Raises:
            PrologError: it does not exist, or some of it could not be read (SWI-Prolog says what on stderr).
        """
        if not file.is_file():
            raise PrologError(f"no Prolog file {file}")
        # SWI-Prolog prints a syntax error and carries on without the clause: only its own count shows it.
        counted = self.once(
            f"statistics(errors, Before), load_files({atom(str(file))}, [if(not_loaded), silent(true)]), "
            "statistics(errors, After), Errors is After - Before"
        )
        if counted is None or counted["Errors"]:
            raise PrologError(f"{file} has errors: swipl {file} shows them")

    def once(self, goal: str) -> Mapping[str, Any] | None:
        """First solution's bindings, or None when the goal fails.

        Raises:
            PrologError: the goal raised an error.
            OSError: what it writes has no room.
        """
        # Caught inside Prolog, so that an error comes back as SWI-Prolog's own sentence and not as a dump of its term.
        guarded = (
            f"catch(({goal}\n), HvError, true), ( var(HvError) -> HvSaid = '' ; '$messages':translate_message(HvError, "
            "HvLines, []), with_output_to(atom(HvSaid), print_message_lines(current_output, '', HvLines)) )"
        )
        query = None
        try:
            query = self._prolog.query(guarded, maxresult=1, catcherrors=True)
            solution = next(iter(query), None)
        except Exception as error:
            raise PrologError(f"{error} in {goal[:200]}") from error
        finally:
            if query is not None:
                query.close()
        if solution is None:
            return None
        if message := str(solution["HvSaid"]).strip():
            for said, code in _NO_ROOM.items():
                if f"({said})" in message:
                    raise OSError(code, said)
            raise PrologError(f"{message} in {goal[:200]}")
        return {name: value for name, value in solution.items() if not name.startswith("Hv")}

    def call(self, goal: str) -> None:
        """Run a goal for its effect.

        Raises:
            PrologError: it failed or raised an error.
        """
        if self.once(goal) is None:
            raise PrologError(f"the goal failed: {goal[:200]}")
