"""Answers that nothing here derives: people's labels and programs, and documents that summaries are compared with."""

from collections.abc import Iterable

from halluvault_tasks.prolog import sandbox
from halluvault_tasks.prolog.terms import comment, fact
from halluvault_tasks.reasoning.case_proofs.program import Cited, program


def labelled(answer: str, whose: str) -> str:
    """The program of an answer that somebody gave; whose it is stands above it."""
    return program("label", [comment(whose), fact("label", answer)])


def document(text: str, cited: Iterable[Cited]) -> str:
    """The program that prints a document, under the statements that its sentences are about."""
    return program("label", [*(statement.comment for statement in cited), fact("label", text)])


def answers(written: str) -> list[str]:
    """The solutions of `answer/1` in a program that people wrote, run where it can touch nothing.

    Raises:
        UserError: it is refused, with the reason.
    """
    return sandbox.answers(written)
