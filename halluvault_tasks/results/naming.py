"""What models are called where one was asked in several ways: by what tells them apart, in words."""

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple


class AskedModel(NamedTuple):
    """An evaluation to be named.

    Attributes:
        prompt: template with its version, form and context, as in the views.
        samples: whether its answers are drawn at random.
    """

    evaluation_id: str
    model: str
    prompt: str
    route: str | None = None
    samples: bool = False


def distinguished(asked: Iterable[AskedModel]) -> dict[str, str]:
    """Evaluation → the name to show.

    The model's; where a model was asked in several ways, with those parts of prompt and route that differ, and only
    where none does with the evaluation's id.
    """
    by_model: dict[str, dict[str, AskedModel]] = defaultdict(dict)
    for one in asked:
        by_model[one.model][one.evaluation_id] = one
    return {
        evaluation: one.model + _ways(one, list(several.values())) + (" (samples)" * one.samples)
        for several in by_model.values()
        for evaluation, one in several.items()
    }


def _ways(one: AskedModel, several: list[AskedModel]) -> str:
    if len(several) == 1:
        return ""
    parts = [_parts(other) for other in several]
    differing = [place for place in range(len(parts[0])) if len({told[place] for told in parts}) > 1]
    told = [_parts(one)[place] for place in differing]
    if parts.count(_parts(one)) > 1:
        told.append(one.evaluation_id[:6])
    return f" [{', '.join(filter(None, told))}]"


def _parts(one: AskedModel) -> tuple[str, ...]:
    template, form, context = (*one.prompt.split(", "), "", "")[:3]
    return template, form, context, one.route or ""
