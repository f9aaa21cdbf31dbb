"""What recognition's instructions show of each pattern (HELMA, tables 8, 15 and 16), in our words.

Of each pattern a right text, judged No, and a false one, judged Yes, about what everybody knows or the text itself
says: nothing that a snapshot has, so that no case is given away.
"""

from collections.abc import Mapping

from halluvault_tasks.benchmark.suites.recognition.swaps import PATTERNS, Task

SHOWN: Mapping[str, tuple[str, str, str, str]] = {
    "comprehension": (
        "It may misunderstand what is asked.",
        "How many hours does a day have?", "Twenty-four", "An hour has sixty minutes",
    ),
    "factualness": (
        "It may contradict what is known about the world.", "How many days does a week have?", "Seven", "Nine",
    ),
    "specificity": (
        "It may be too general, or too specific, to answer.",
        "On which day does a year begin?", "On 1 January", "In winter",
    ),
    "inference": (
        "It may not follow from what is known.",
        "Ann is older than Ben, and Ben is older than Cleo. Who of the three is the oldest?", "Ann", "Cleo",
    ),
    "extrinsic-soft": (
        "It may name a thing much like the true one in its place.",
        "[Human]: Which month comes after June?", "July comes after June.", "August comes after June.",
    ),
    "extrinsic-hard": (
        "It may name a thing that is not like the true one in its place.",
        "[Human]: What do bees make?", "Bees make honey.", "Bees make coal.",
    ),
    "extrinsic-grouped": (
        "It may name a thing of another kind altogether.",
        "[Human]: On which day does the week of work begin?", "It begins on a Monday.", "It begins on an elephant.",
    ),
    "factual": (
        "It may tell something true that the document does not hold.",
        "The baker opens at eight. She sells bread.", "The baker opens at eight and sells bread.",
        "The baker sells bread, which is made of flour.",
    ),
    "non-factual": (
        "It may tell something made up.",
        "The ferry leaves at noon. It is blue.", "The ferry is blue and leaves at noon.",
        "The ferry leaves at noon and was built for a king.",
    ),
    "intrinsic": (
        "It may contradict the document.",
        "Tom has two dogs. They are brown.", "Tom has two brown dogs.", "Tom has two black dogs.",
    ),
}  # fmt: skip
"""Pattern → what it is, a setting, a right text and a false one."""


def of(task: Task, setting: str, text: str) -> str:
    """The demonstrations of a task, each pattern in turn, with a line break at the end.

    Args:
        task: its patterns are shown.
        setting, text: what its prompts call what is asked about and what is to be judged.
    """
    lines: list[str] = []
    for pattern in PATTERNS[task]:
        said, asked, right, false = SHOWN[pattern]
        lines.append(said)
        for member, judged in ((right, "No"), (false, "Yes")):
            lines += [f"{setting}: {asked}", f"{text}: {member}", f"Judgement: {judged}"]
    return "\n".join([*lines, ""])
