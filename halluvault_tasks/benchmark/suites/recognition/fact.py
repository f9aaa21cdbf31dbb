"""What a case of the suite recognition is about."""

from typing import Literal

from pydantic import BaseModel, ConfigDict

from halluvault_tasks.benchmark.suites.recognition.halueval import FileTask

NAME = "recognition"

Member = Literal["right", "false"]


class RecognitionFact(BaseModel):
    """`benchmark_case.fact` of this suite; texts named here are slots of its templates."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    task: FileTask
    pattern: str
    """Of the pair's false member."""
    generator: str
    pair: str
    member: Member
    words: int
    """Of this member."""
    characters: int
    other_words: int
    """Of the other member; 0 where there is none."""
    other_characters: int
    why: str
    """What shows that the false member is false."""
    instruction: str | None = None
    """None: its text is to be corrected, and not to be judged."""
    demonstrations: str | None = None
    """What the instruction shows; None also in parts that were made before it showed anything."""
    refine: str | None = None
    """What to do with a text that is to be corrected, and what is known."""
    names: tuple[str, str] | None = None
    """For a text to correct: what is right, and what is in its place."""
    contrast: str | None = None
    """Both members in a drawn order."""
    knowledge: str | None = None
    """What decides it; None for summaries, whose document does."""

    @property
    def longer(self) -> bool | None:
        """Whether this member is the longer one, by words, else by characters; None: neither."""
        mine, other = (self.words, self.characters), (self.other_words, self.other_characters)
        return None if mine == other or not self.other_words else mine > other
