"""Simulated models: personas that know the truth, err at set rates, and record elsewhere what they planted.

At request time a persona looks its prompt up (by sha256) through the role `halluvault_sim`, decides its fault from a
seeded hash of (model, case), stores the label in `simulation.planted`, and only then writes its answer. The
pipeline's role has no rights on that schema, and no reply, header or id carries a label.
"""

from collections.abc import Mapping
from functools import partial
from random import Random
from threading import Lock
from types import MappingProxyType

from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import DBAPIError

from halluvault_tasks.errors import UserError
from halluvault_tasks.local.personas import (
    examiner_replies,
    generator_texts,
    knowledge_edits,
    lookup,
    phrases,
    reactions,
    suite_replies,
)
from halluvault_tasks.local.personas.answer_writer import write
from halluvault_tasks.local.personas.choose_fault import Persona, ReplyPlan, make_plan
from halluvault_tasks.local.personas.fault_kinds import LABEL, FaultKind
from halluvault_tasks.local.personas.knowledge_edits import Edited
from halluvault_tasks.local.personas.lookup import PromptedCase
from halluvault_tasks.local.simulator import conversation

PREFIX = "simulated/"

_SLIPS = (
    (FaultKind.WRONG_SWAP, 0.01),
    (FaultKind.WRONG_DATE, 0.005),
    (FaultKind.RIGHT_SWAP, 0.015),
    (FaultKind.WRONG_STEP, 0.01),
    (FaultKind.RIGHT_STEP, 0.01),
)
"""Five answers in a hundred: what even a good model gets wrong."""

_CONFIDENT = (
    (FaultKind.WRONG_SWAP, 0.14),
    (FaultKind.WRONG_DATE, 0.08),
    (FaultKind.RIGHT_SWAP, 0.18),
    (FaultKind.CHANGED_RELATION, 0.04),
    (FaultKind.WRONG_STEP, 0.03),
    (FaultKind.WRONG_KNOWN, 0.04),
    (FaultKind.WRONG_MIXED, 0.04),
    (FaultKind.RIGHT_MIXED, 0.03),
)

_LOST_IN_TIME = (
    (FaultKind.WRONG_STEP, 0.16),
    (FaultKind.RIGHT_STEP, 0.12),
    (FaultKind.WRONG_DATE, 0.12),
    (FaultKind.RIGHT_SWAP, 0.12),
    (FaultKind.WRONG_KNOWN, 0.05),
    (FaultKind.WRONG_MIXED, 0.06),
    (FaultKind.RIGHT_MIXED, 0.05),
)

_WAVERING = (
    (FaultKind.WRONG_SWAP, 0.07),
    (FaultKind.WRONG_KNOWN, 0.05),
    (FaultKind.RIGHT_SWAP, 0.13),
)
"""One answer in four, on any question: enough to be edited, and as much to be left alone."""

PERSONAS: Mapping[str, Persona] = {
    "careful": Persona(0.03, _SLIPS, _SLIPS, paraphrases=0.25, extras=0.35),
    "overconfident": Persona(0.0, _CONFIDENT, _CONFIDENT, paraphrases=0.35, extras=0.45),
    "weak-at-time": Persona(0.02, _SLIPS, _LOST_IN_TIME, paraphrases=0.25, extras=0.3),
    "refuser": Persona(0.3, _SLIPS, _SLIPS, paraphrases=0.2, extras=0.3),
    "always-right": Persona(0.0, (), (), paraphrases=0.0, extras=0.0),
    "wavering": Persona(0.0, _WAVERING, _WAVERING, paraphrases=0.2, extras=0.3),
    "teachable": Persona(
        0.0,
        _WAVERING,
        _WAVERING,
        paraphrases=0.2,
        extras=0.3,
        mends={reactions.EVIDENCE: 0.6, reactions.SELF_CHECK: 0.3},
    ),
}
"""Short name → persona. Everywhere else it is called `simulated/NAME`."""

_PLANT = text(
    "INSERT INTO simulation.planted (model, snapshot, case_id, answer, category, fault) "
    "VALUES (:model, :snapshot, :case_id, :answer, :category, :fault) ON CONFLICT DO NOTHING"
)


class Personas:
    """All personas over one results database.

    Args:
        engine: on the results database, through the role `halluvault_sim`.
        seed: of all fault plans.
        personas: by short name.
        edited: further ones by short name, each one of `personas` after edits of its knowledge.
    """

    def __init__(
        self,
        engine: Engine,
        seed: int = 1,
        personas: Mapping[str, Persona] = PERSONAS,
        edited: Mapping[str, Edited] = MappingProxyType({}),
    ) -> None:
        self._engine = engine
        self._seed = seed
        self._personas = personas
        self._edited = edited
        self._catalogues: dict[str, lookup.Catalogue] = {}
        self._settled: dict[tuple[str, str], frozenset[str]] = {}
        self._loading = Lock()

    def answer(self, model: str, prompt: str, sampling_seed: int | None) -> str:
        """What a model writes; stores its label first.

        Args:
            model: `simulated/NAME`.
            prompt: the text it was sent, or the conversation in canonical JSON.
            sampling_seed: changes the style, never the plan; None when greedy.

        Raises:
            UserError: no such persona.
            ConnectionError: the database does not answer; the server tells its client that generation failed.
        """
        served = model.removeprefix(PREFIX)
        edited = self._edited.get(served)
        base = edited.base if edited else served
        if base not in self._personas:
            raise UserError(f"no persona {model!r}; there are: {', '.join([*self._personas, *self._edited])}")
        try:
            with self._engine.begin() as connection:
                return self._answer(connection, model, base, prompt, sampling_seed)
        except DBAPIError as error:
            raise ConnectionError(f"knowledge of {model}: {str(error.orig).strip().splitlines()[0]}") from error

    def _answer(self, connection: Connection, model: str, base: str, prompt: str, sampling_seed: int | None) -> str:
        # An edited model errs where the one before errs: its name is the one before's in every draw but those of edits.
        persona, drawn_as = self._personas[base], PREFIX + base
        rates = suite_replies.RATES.get(base, suite_replies.Rates())
        found = lookup.find_case(connection, prompt)
        if found is None:
            if examined := examiner_replies.reply(prompt):
                return examined
            if (written := generator_texts.write(connection, rates, drawn_as, prompt, self._seed)) is not None:
                return written
            # A first turn, for instance, that sets the scene for the question to come.
            talk = conversation.parse(prompt) is not None
            return phrases.ACKNOWLEDGED if talk else phrases.NOTHING_KNOWN
        case = found.case
        edited = self._edited.get(model.removeprefix(PREFIX))
        if edited and knowledge_edits.meaningless(edited, model, case, self._seed):
            _plant(connection, model, case, "unparseable", "unparseable", knowledge_edits.MEANINGLESS)
            asked_apart = found.guide == "verdict"
            return phrases.VERDICTS["dont_know"] if asked_apart else knowledge_edits.babble(case)
        newest = case.snapshots[0]
        catalogue = self._catalogue(connection, newest)
        near = partial(lookup.alike, connection, newest)
        if (said := suite_replies.answer(rates, drawn_as, case, catalogue, near, self._seed)) is not None:
            _plant(connection, model, case, said.answer, said.category, said.fault)
            return said.guided.get(found.guide, said.text)
        if edited and case.case_id in self._settled_by(connection, newest, edited, model):
            plan = ReplyPlan(case.gold, LABEL[FaultKind.PLAIN].category, FaultKind.PLAIN, None)
        else:
            plan = make_plan(persona, drawn_as, case, catalogue, near, self._seed)
        reacts_to = [way for way in reactions.ways(found.template, found.context) if way in persona.mends]
        plan = reactions.mended(persona, drawn_as, case, reacts_to, plan, self._seed)
        _plant(connection, reactions.labelled(model, reacts_to), case, plan.answer, plan.category, plan.fault.value)
        if found.guide == "verdict":
            return phrases.VERDICTS[plan.answer]
        subject = case.premises[0].subject.qid if case.premises else 0
        described = lookup.description(connection, newest, subject)
        style = Random(f"{self._seed}:{drawn_as}:{case.case_id}:{sampling_seed}:style")
        return write(plan, case, catalogue, persona, described, style)

    def _catalogue(self, connection: Connection, snapshot: str) -> lookup.Catalogue:
        with self._loading:
            if snapshot not in self._catalogues:
                self._catalogues[snapshot] = lookup.load_catalogue(connection, snapshot)
            return self._catalogues[snapshot]

    def _settled_by(self, connection: Connection, snapshot: str, edited: Edited, model: str) -> frozenset[str]:
        with self._loading:
            key = (model, snapshot)
            if key not in self._settled:
                self._settled[key] = knowledge_edits.settled(connection, snapshot, edited, model, self._seed)
            return self._settled[key]


def _plant(connection: Connection, model: str, case: PromptedCase, answer: str, category: str, fault: str) -> None:
    label = {"model": model, "case_id": case.case_id, "answer": answer, "category": category, "fault": fault}
    for snapshot in case.snapshots:
        connection.execute(_PLANT, {"snapshot": snapshot, **label})
