"""What a case of the suite memory_external is about."""

from pydantic import BaseModel, ConfigDict

NAME = "memory_external"


class ExternalFact(BaseModel):
    """`benchmark_case.fact` of this suite."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    document: str
    """Id of the document: the group of its cases."""
    title: str
    """What it is about, or its id in the file."""
    text: str
    """The document (q0); what is asked is a rephrasing of it."""
    number: int
    """Of the rephrasing, from 1."""
    of: int
    """How many there are."""
    similarity: float
    """BERTScore of the rephrasing with the document."""
