"""Questions about claims put to the pinned model, and its two replies to each brought together."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from halluvault_tasks.oracles.cross_examination.questions import CrossQuestion, upheld
from halluvault_tasks.querying import pinned
from halluvault_tasks.querying.pinned import PinnedModel, PinnedQuestion, PinnedReply
from halluvault_tasks.querying.registry import Registry
from halluvault_tasks.querying.replies import storable
from halluvault_tasks.querying.servers import TokenOf
from halluvault_tasks.storage.tables import model


class ClaimAnswer(NamedTuple):
    """What an examiner said of a claim.

    Attributes:
        name: under which the claim was given.
        says, otherwise: its replies; empty where its server refused for good to answer.
    """

    name: str
    question: CrossQuestion
    says: str
    otherwise: str

    @property
    def upheld(self) -> bool:
        """Whether it finds that the text says so."""
        return upheld(self.says, self.otherwise)

    @property
    def columns(self) -> dict[str, str | bool]:
        """As the tables `examination` and `examiner_trial` hold it."""
        return {
            "claim": self.question.key,
            "says": storable(self.question.says),
            "says_reply": storable(self.says),
            "otherwise": storable(self.question.otherwise),
            "otherwise_reply": storable(self.otherwise),
            "upheld": self.upheld,
        }


def rows_of(session: Session, registry: Registry) -> Sequence[str]:
    """Rows of table `model` that are the pinned model: with another version of its server it is no other."""
    pin = registry.examiner
    if pin is None:
        return ()
    same = [model.c.name == pin.model, model.c.model_id == pin.model_id]
    same += [model.c.model_sha == pin.model_sha] if pin.model_sha else []
    return session.scalars(select(model.c.id).where(*same).order_by(model.c.id)).all()


def ask(
    session: Session,
    registry: Registry,
    claims: Mapping[str, CrossQuestion],
    keep: Callable[[PinnedModel, Sequence[ClaimAnswer]], None],
    token: TokenOf,
) -> None:
    """Ask about claims, each by a name, both ways round.

    Args:
        session: committed, and used from another thread while the model is asked.
        keep: stores claims that are answered both ways, every few seconds; called in that thread.

    Raises:
        Unavailable: nobody answers, or no longer.
        UserError: as `pinned.identified` and `pinned.ask`.
    """
    prompts = {name: question.prompts for name, question in claims.items()}
    examiner = pinned.identified(session, registry, [one for both in prompts.values() for one in both], token)
    halves: dict[str, dict[int, str]] = {name: {} for name in claims}

    def take(replies: Sequence[PinnedReply]) -> None:
        for one in replies:
            halves[one.key][one.number] = one.text
        whole = [name for name in dict.fromkeys(one.key for one in replies) if len(halves[name]) == 2]
        keep(examiner, [ClaimAnswer(name, claims[name], halves[name][0], halves[name][1]) for name in whole])

    questions = [PinnedQuestion(name, number, one) for name, both in prompts.items() for number, one in enumerate(both)]
    pinned.ask(session, registry, examiner, questions, take, token)
