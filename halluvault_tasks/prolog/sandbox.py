"""Programs that others wrote, in a SWI-Prolog of their own: sandboxed, with limits of time and memory.

A program is loaded with `sandboxed(true)`, so that its directives may do nothing outside, and its goal is asked only
after `library(sandbox)` has found it safe. Prolog and the kernel limit the resources that it may use.
"""

import resource
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

from halluvault_tasks.errors import UserError

SECONDS = 5.0
"""Of computing; a program that takes longer is ended."""

MEGABYTES = 64
"""Of Prolog's stacks."""

_KERNEL_BYTES = 1 << 30
_MOST = 100  # answers of one program

_RUN = """\
:- use_module(library(sandbox)).
:- use_module(library(time)).
run(File) :-
    catch(( load_files(user:File, [sandboxed(true), silent(true)]),
            ( current_predicate(user:answer/1) -> true ; throw(no_answer) ),
            safe_goal(user:answer(_)),
            call_with_time_limit(SECONDS, findall(A, limit(MOST, user:answer(A)), Found)) ),
          Error, ( told(Error), halt(3) )),
    forall(member(A, Found), ( text(A, T), format("~w~n", [T]) )),
    halt(0).
text(A, T) :- atomic(A), !, normalize_space(atom(T), A).
text(A, T) :- format(atom(T), "~q", [A]).
told(no_answer) :- !, write(user_error, 'it defines no answer/1').
told(time_limit_exceeded) :- !, write(user_error, 'it does not end').
told(Error) :- message_to_codes(Error, T), write(user_error, T).
message_to_codes(error(permission_error(A, T, C), _), M) :- !, format(atom(M), "it may not ~w ~w ~q", [A, T, C]).
message_to_codes(error(resource_error(R), _), M) :- !, format(atom(M), "it takes too much: ~w", [R]).
message_to_codes(Error, M) :- format(atom(M), "~q", [Error]).
:- use_module(library(solution_sequences)).
"""


def answers(program: str, seconds: float = SECONDS, megabytes: int = MEGABYTES) -> list[str]:
    """The solutions of `answer/1` in a program, in order, each once.

    Args:
        program: Prolog text; it may hold anything.
        seconds: of computing.
        megabytes: of Prolog's stacks.

    Raises:
        UserError: it does not load, does not end, takes too much, touches what lies outside, or has no solution.
    """
    with TemporaryDirectory(prefix="halluvault-oracle-") as folder:
        file, runner = Path(folder, "program.pl"), Path(folder, "run.pl")
        file.write_text(program, encoding="utf-8")
        runner.write_text(_RUN.replace("SECONDS", str(seconds)).replace("MOST", str(_MOST)), encoding="utf-8")
        command = ["swipl", "-f", "none", "--no-tty", f"--stack-limit={megabytes}m", "-g", "run('program.pl')",
                   "-t", "halt(4)", str(runner)]  # fmt: skip
        try:
            done = subprocess.run(
                command, cwd=folder, env={"PATH": "/usr/bin:/bin:/usr/local/bin", "HOME": folder, "LC_ALL": "C.UTF-8"},
                stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=4 * seconds + 10,
                preexec_fn=_limits, check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            raise _refused("it does not end") from None
        except FileNotFoundError as error:
            raise UserError(
                "no swipl: programs of cases cannot be run", "install SWI-Prolog: `halluvault doctor`"
            ) from error
    if done.returncode or done.stderr.strip():  # a directive that may not run is only a warning of the loader
        reason = " ".join(done.stderr.replace(f"{folder}/", "").split())[:300]
        raise _refused(reason or f"swipl ended with {done.returncode}")
    answers = list(dict.fromkeys(line for line in done.stdout.splitlines() if line.strip()))
    if not answers:
        raise _refused("answer/1 has no solution")
    return answers


def _refused(why: str) -> UserError:
    return UserError(
        f"the oracle's program is refused: {why}",
        f"give pure Prolog with answer/1 that ends within {SECONDS:g} s and {MEGABYTES} MB",
    )


def _limits() -> None:
    """In the child: memory and processor as the kernel sees them, and no file larger than nothing."""
    resource.setrlimit(resource.RLIMIT_AS, (_KERNEL_BYTES, _KERNEL_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
