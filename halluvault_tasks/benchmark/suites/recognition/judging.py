"""What is asked about a text: whether it holds information that is not factual."""

from collections.abc import Mapping
from random import Random

from halluvault_tasks.benchmark.suites.recognition import demonstrations
from halluvault_tasks.benchmark.suites.recognition.halueval import FileTask
from halluvault_tasks.benchmark.suites.recognition.swaps import PATTERNS

NOUNS: Mapping[FileTask, tuple[str, str]] = {
    "qa": ("Question", "Answer"), "dialogue": ("Dialogue history", "Response"), "summary": ("Document", "Summary"),
    "general": ("Query", "Response"),
}  # fmt: skip
"""What a setting is called, and what a text that is judged."""

INSTRUCTIONS: Mapping[FileTask, str] = {
    "qa": "Judge an answer to a question. Say whether it holds information that is not factual: because it contradicts "
    "what is known about the world, misunderstands what is asked, is too general or too specific to answer it, or "
    "does not follow.",
    "dialogue": "Judge the last response of a dialogue. Say whether it holds information that is not factual: because "
    "what it names is not the true thing, whether of the same kind, of a like kind or of another kind altogether.",
    "summary": "Judge a summary of a document. Say whether it holds information that is not factual or that the "
    "document does not support: because it goes beyond the document, is made up, or contradicts the document.",
    "general": "Judge a response to a query. Say whether it holds information that cannot be verified, is not factual, "
    "or has nothing to do with the query.",
}
"""In our words, after tables 8, 15 and 16."""

DEMONSTRATIONS: Mapping[FileTask, str] = {
    "general": "",
    **{task: demonstrations.of(task, *NOUNS[task]) for task in PATTERNS},
}
"""The paper has none for general queries."""


def question(task: FileTask, setting: str, text: str) -> str:
    """A setting and the text that is to be judged."""
    above, noun = NOUNS[task]
    return f"{above}: {setting}\n{noun}: {text}"


def contrast(task: FileTask, pair: str, right: str, false: str) -> str:
    """Both members of a pair, in an order that tells nothing; `pair` is its id."""
    both = [right, false]
    Random(pair).shuffle(both)
    return "\n".join(f"{NOUNS[task][1]} {letter}: {text}" for letter, text in zip("AB", both, strict=True))
