"""Simulated models: personas that know the truth, err at set rates, and keep elsewhere what they planted.

At request time a persona looks its prompt up (by sha256) through the role `halluvault_sim`, decides its fault from a
seeded hash of (model, case), stores the label in `simulation.planted`, and only then writes its answer. The
pipeline's role has no right on that schema, and no reply, header or id carries a label.
"""

from collections.abc import Mapping
from random import Random
from threading import Lock

from sqlalchemy import Engine, text
from sqlalchemy.exc import DBAPIError

from halluvault_tasks.errors import UserError
from halluvault_tasks.local import persona_cases, persona_phrases, persona_suites
from halluvault_tasks.local.persona_plan import Fault, Persona, Plan, make_plan
from halluvault_tasks.local.persona_writer import write
from halluvault_tasks.local.simulator import conversation

PREFIX = "simulated/"

_SLIPS = (
    (Fault.SWAPPED_ENTITY, 0.01),
    (Fault.SHIFTED_DATE, 0.005),
    (Fault.WRONG_KNOWLEDGE_RIGHT_ANSWER, 0.015),
    (Fault.WRONG_STEP, 0.01),
    (Fault.WRONG_STEP_RIGHT_ANSWER, 0.01),
)
"""Five answers in a hundred: what even a good model gets wrong."""

_CONFIDENT = (
    (Fault.SWAPPED_ENTITY, 0.14),
    (Fault.SHIFTED_DATE, 0.08),
    (Fault.WRONG_KNOWLEDGE_RIGHT_ANSWER, 0.18),
    (Fault.CHANGED_RELATION, 0.04),
    (Fault.WRONG_STEP, 0.03),
    (Fault.WRONG_ANSWER, 0.04),
    (Fault.BOTH, 0.04),
    (Fault.BOTH_RIGHT_ANSWER, 0.03),
)

_LOST_IN_TIME = (
    (Fault.WRONG_STEP, 0.16),
    (Fault.WRONG_STEP_RIGHT_ANSWER, 0.12),
    (Fault.SHIFTED_DATE, 0.12),
    (Fault.WRONG_KNOWLEDGE_RIGHT_ANSWER, 0.12),
    (Fault.WRONG_ANSWER, 0.05),
    (Fault.BOTH, 0.06),
    (Fault.BOTH_RIGHT_ANSWER, 0.05),
)

PERSONAS: Mapping[str, Persona] = {
    "careful": Persona(0.03, _SLIPS, _SLIPS, paraphrases=0.25, extras=0.35),
    "overconfident": Persona(0.0, _CONFIDENT, _CONFIDENT, paraphrases=0.35, extras=0.45),
    "weak-at-time": Persona(0.02, _SLIPS, _LOST_IN_TIME, paraphrases=0.25, extras=0.3),
    "refuser": Persona(0.3, _SLIPS, _SLIPS, paraphrases=0.2, extras=0.3),
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
    """

    def __init__(self, engine: Engine, seed: int = 1, personas: Mapping[str, Persona] = PERSONAS) -> None:
        self._engine = engine
        self._seed = seed
        self._personas = personas
        self._catalogues: dict[str, persona_cases.Catalogue] = {}
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
        persona = self._personas.get(model.removeprefix(PREFIX))
        if persona is None:
            raise UserError(f"no persona {model!r}; there are: {', '.join(self._personas)}")
        try:
            return self._answer(persona, model, prompt, sampling_seed)
        except DBAPIError as error:
            raise ConnectionError(f"knowledge of {model}: {str(error.orig).strip().splitlines()[0]}") from error

    def _answer(self, persona: Persona, model: str, prompt: str, sampling_seed: int | None) -> str:
        with self._engine.begin() as connection:
            found = persona_cases.find_case(connection, prompt)
            if found is None:
                # A first turn, for instance, that sets the scene for the question to come.
                talk = conversation.parse(prompt) is not None
                return persona_phrases.ACKNOWLEDGED if talk else persona_phrases.NOTHING_KNOWN
            case = found.case
            newest = case.snapshots[0]
            with self._loading:
                catalogue = self._catalogues.get(newest)
                if catalogue is None:
                    catalogue = self._catalogues[newest] = persona_cases.load_catalogue(connection, newest)
            rates = persona_suites.RATES.get(model.removeprefix(PREFIX), persona_suites.Rates())
            if (said := persona_suites.answer(rates, model, case, catalogue, self._seed)) is not None:
                for snapshot in case.snapshots:
                    label = {"answer": said.answer, "category": said.category, "fault": said.fault}
                    connection.execute(_PLANT, {"model": model, "snapshot": snapshot, "case_id": case.case_id, **label})
                return said.text
            plan: Plan = make_plan(
                persona,
                model,
                case,
                catalogue,
                lambda thing: persona_cases.alike(connection, newest, thing),
                self._seed,
            )
            for snapshot in case.snapshots:
                connection.execute(
                    _PLANT,
                    {
                        "model": model,
                        "snapshot": snapshot,
                        "case_id": case.case_id,
                        "answer": plan.answer,
                        "category": plan.category,
                        "fault": plan.fault.value,
                    },
                )
            if found.verdict:
                return persona_phrases.VERDICTS[plan.answer]
            subject = case.premises[0].subject.qid if case.premises else 0
            described = persona_cases.description(connection, newest, subject)
        style = Random(f"{self._seed}:{model}:{case.case_id}:{sampling_seed}:style")
        return write(plan, case, catalogue, persona, described, style)
