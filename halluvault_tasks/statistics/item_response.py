"""How hard questions are and how able models, from right and wrong answers: a hierarchical logistic model.

Model m answers question i rightly with probability

    floor + (1 − floor) · logit⁻¹(ability_m − difficulty_i),
    difficulty_i = Σ strata + property + group + item

(a three-parameter logistic model whose lower asymptote is known: Birnbaum 1968; with effects of what is known of the
question beforehand: De Boeck & Wilson 2004). Who does not know and has to say yes or no is right half of the time: the
floor is ½, exactly. "Don't know" counts as half right, what a guess would bring (Lord 1974), so that nobody seems abler
by leaving out what is hard. Effects of properties, groups and items are normal, with widths that are estimated: what
few answers say is shrunk towards the stratum.

Group and item effects, thousands of them, are integrated out on a grid; abilities, strata, properties and widths get a
normal approximation with all its correlations, by Pyro's variational inference on the torch that the oracles bring.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from halluvault_tasks.statistics.shares import Floats

YES_NO = 0.5
"""Floor of a question that is answered with yes or no."""

DONT_KNOW = 0.5
"""What "don't know" counts, between 1 for a right answer and 0 for a wrong one."""

OF_ITEMS = 30
"""From so many models on an item's own difficulty is told, below only its stratum's and property's."""

OF_DISCRIMINATION = 100
"""From so many models on it is told how sharply an item divides the able from the others."""

SEED = 20_261_128
_STEPS = 600
_RATE, _LAST = 0.03, 0.02
"""Learning rate at the first step, and what of it is left at the last."""
_BATCH = 1000
"""Questions looked at in one step where there are more: whole groups, drawn anew each time."""
_DRAWS = 2000

_NODES: Floats = np.arange(-8.0, 8.01, 0.32)
"""Where an item's difficulty is looked at; their distance is that of the narrowest normal that they still render."""
_CENTRES: Floats = np.arange(-8.0, 8.01, 0.16)
_NARROWEST = 0.3
_OF_GROUP = 7
_WIDE = 2.0
"""Standard deviation of what is known of abilities and strata beforehand: next to nothing."""
_SLOPES: Floats = np.exp(np.linspace(-1.2, 1.2, 9))
"""Discriminations looked at: 0.3 to 3.3, where 1 is the average item's."""
_TINY = 1e-280

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Answers:
    """Who answered what how.

    Attributes:
        right: (questions, models): 1 right, 0 wrong, ½ "don't know", NaN where there is no answer.
        strata: (questions, features) of each question by each feature of its design, as a place in `stratum_names`.
        properties: the same in `property_names`.
        groups: code of each question's metamorphic group, from 0, none left out.
        stratum_names: the strata, each of one feature.
        property_names: the properties.
        floor: share of right answers by guessing; 0 for an open question.
    """

    right: Floats
    strata: Ints
    properties: Ints
    groups: Ints
    stratum_names: Sequence[str]
    property_names: Sequence[str]
    floor: float = YES_NO

    @property
    def models(self) -> int:
        """How many answered."""
        return int(self.right.shape[1])

    @property
    def easy(self) -> NDArray[np.bool_]:
        """Questions that everybody who answered got right, and somebody answered."""
        seen = ~np.isnan(self.right)
        return np.asarray(seen.any(axis=1) & (np.where(seen, self.right, 1.0) == 1.0).all(axis=1))


class Effect(NamedTuple):
    """A figure in logits, with its 95 % interval."""

    value: float
    low: float
    high: float


class Widths(NamedTuple):
    """Standard deviations of the distributions of effects, in logits."""

    property: float
    group: float
    item: float


@dataclass(frozen=True, slots=True)
class ItemModel:
    """What was estimated. 0 is the difficulty of the average question: an ability of 0 is right on it in ¾.

    Attributes:
        abilities: of the models, in their order.
        strata: name → how much harder than the average question, all other features alike.
        properties: name → how much harder than the average property, in the same stratum.
        widths: of the distributions of effects.
        belief: (questions, discriminations × difficulties) probability of each pair of `_SLOPES` and `_NODES`; of
            `_NODES` alone below `OF_DISCRIMINATION` models.
        zero: difficulty of the average question on the scale of `_NODES`.
        floor: share of right answers by guessing.
    """

    abilities: Sequence[Effect]
    strata: Mapping[str, Effect]
    properties: Mapping[str, Effect]
    widths: Widths
    belief: Floats
    zero: float
    floor: float

    @property
    def difficulties(self) -> list[Effect]:
        """Of the questions, in their order."""
        nodes = np.tile(_NODES, len(self._slopes)) - self.zero
        mean = self.belief @ nodes
        spread = np.sqrt(np.maximum(self.belief @ nodes**2 - mean**2, 0.0))
        return [Effect(m, m - 1.96 * s, m + 1.96 * s) for m, s in zip(mean.tolist(), spread.tolist(), strict=True)]

    @property
    def discriminations(self) -> list[Effect]:
        """Of the questions, 1 is the average's; none below `OF_DISCRIMINATION` models."""
        if len(self._slopes) == 1:
            return []
        logs = np.repeat(np.log(self._slopes), len(_NODES))
        mean = self.belief @ logs
        spread = np.sqrt(np.maximum(self.belief @ logs**2 - mean**2, 0.0))
        return [
            Effect(*np.exp([m, m - 1.96 * s, m + 1.96 * s]).tolist())
            for m, s in zip(mean.tolist(), spread.tolist(), strict=True)
        ]

    @property
    def _slopes(self) -> Floats:
        return _SLOPES if self.belief.shape[1] > len(_NODES) else np.ones(1)

    def chances(self, abilities: Floats) -> Floats:
        """(questions, abilities) probability of a right answer, what is unknown of each question averaged out.

        Args:
            abilities: relative to `zero`.
        """
        right = [chance(slope * (abilities[:, None] + self.zero - _NODES), self.floor) for slope in self._slopes]
        found: Floats = self.belief @ np.concatenate(right, axis=1).T
        return found


def chance(logit: Floats, floor: float = YES_NO) -> Floats:
    """Probability of a right answer, never below the floor, from ability minus difficulty."""
    from scipy.special import expit

    found: Floats = floor + (1 - floor) * expit(logit)
    return found


def fit(answers: Answers, seed: int = SEED, steps: int = _STEPS) -> ItemModel:
    """Estimate it. The same answers and seed give the same figures.

    Args:
        answers: of at least one model.
        seed: of the draws.
        steps: of the optimiser.
    """
    import pyro
    from pyro.infer import SVI, Trace_ELBO
    from pyro.infer.autoguide import AutoMultivariateNormal
    from pyro.infer.autoguide.initialization import init_to_value
    from pyro.optim import ClippedAdam

    grid = _Grid(answers)
    rng = np.random.default_rng(seed)
    with _alone():
        pyro.clear_param_store()
        pyro.set_rng_seed(seed)
        guide = AutoMultivariateNormal(grid.model, init_loc_fn=init_to_value(values=grid.start()), init_scale=0.1)
        pace = ClippedAdam({"lr": _RATE, "lrd": _LAST ** (1 / steps)})
        svi = SVI(grid.model, guide, pace, Trace_ELBO())
        for _ in range(steps):
            svi.step(*grid.batch(rng))
        drawn = guide.get_posterior().sample((_DRAWS,)).numpy()
        pyro.clear_param_store()
    return _told(answers, grid, drawn)


@contextmanager
def _alone() -> Iterator[None]:
    """One thread, whose sums are the same on every machine, and which gains from others what it would lose waiting."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


class _Grid:
    """The answers as tensors, and the likelihood of abilities and effects given them."""

    def __init__(self, answers: Answers) -> None:
        import torch

        seen = ~np.isnan(answers.right)
        right = np.where(seen, answers.right, 0.0)
        order = np.argsort(answers.groups, kind="stable")
        points, weights = np.polynomial.hermite_e.hermegauss(_OF_GROUP)
        self.floor = answers.floor
        self.right, self.wrong = torch.tensor(right), torch.tensor(np.where(seen, 1.0 - right, 0.0))
        self.strata, self.properties = torch.tensor(answers.strata), torch.tensor(answers.properties)
        self.sizes = 3, answers.models, len(answers.stratum_names), len(answers.property_names)
        self.members = np.split(order, np.flatnonzero(np.diff(answers.groups[order])) + 1)
        self.nodes, self.centres = torch.tensor(_NODES), torch.tensor(_CENTRES)
        self.points, self.weights = torch.tensor(points), torch.log(torch.tensor(weights / weights.sum()))
        share = np.array([column[~np.isnan(column)].mean() if seen.any() else 1.0 for column in answers.right.T])
        knows = np.clip((share - self.floor) / (1 - self.floor), 0.03, 0.97)
        self.first = torch.tensor(np.log(knows / (1 - knows)))

    def start(self) -> dict[str, Any]:
        """Where the search begins."""
        import torch

        _, _, strata, properties = self.sizes
        zeros = {name: torch.zeros(size, dtype=torch.float64) for name, size in
                 (("strata", strata), ("properties", properties))}  # fmt: skip
        return {"widths": torch.full((3,), 0.5, dtype=torch.float64), "abilities": self.first, **zeros}

    def batch(self, rng: np.random.Generator) -> tuple[list[Ints], float]:
        """Groups to look at in one step, and how many times as many there are."""
        some = max(1, len(self.members) * _BATCH // max(_BATCH, len(self.strata)))
        taken = rng.permutation(len(self.members))[:some]
        return [self.members[group] for group in taken], len(self.members) / some

    def model(self, members: Sequence[Ints], times: float) -> None:
        """The model in Pyro's words; the sites' order is that of `sizes`."""
        import pyro
        import torch
        from pyro.distributions import HalfNormal, Normal

        _, models, strata, properties = self.sizes
        nought, unit = torch.zeros((), dtype=torch.float64), torch.ones((), dtype=torch.float64)
        widths = pyro.sample("widths", HalfNormal(unit).expand([3]).to_event(1))
        ability = pyro.sample("abilities", Normal(nought, _WIDE * unit).expand([models]).to_event(1))
        stratum = pyro.sample("strata", Normal(nought, _WIDE * unit).expand([strata]).to_event(1))
        standard = pyro.sample("properties", Normal(nought, unit).expand([properties]).to_event(1))
        items = torch.tensor(np.concatenate(members))
        centre = stratum[self.strata[items]].sum(1) + widths[0] * standard[self.properties[items]]
        groups = torch.tensor(np.repeat(np.arange(len(members)), [len(one) for one in members]))
        of_item = self._of_items(items, ability, centre, widths)
        of_group = torch.zeros(len(members), _OF_GROUP, dtype=torch.float64).index_add(0, groups, of_item)
        pyro.factor("answers", times * torch.logsumexp(of_group + self.weights, 1).sum())

    def _of_items(self, items: Any, ability: Any, centre: Any, widths: Any) -> Any:
        """(questions, `_OF_GROUP`) log probability of each question's answers at each value of its group's effect."""
        import torch

        logits = ability[:, None] - self.nodes
        right = torch.log(self.floor + (1 - self.floor) * torch.sigmoid(logits))
        wrong = torch.log((1 - self.floor) * torch.sigmoid(-logits))
        at_node = self.right[items] @ right + self.wrong[items] @ wrong
        most = at_node.max(1, keepdim=True).values.detach()
        normal = torch.exp(-0.5 * ((self.nodes[:, None] - self.centres) / (widths[2] + _NARROWEST)) ** 2)
        at_centre = torch.log(torch.exp(at_node - most) @ (normal / normal.sum(0)) + _TINY) + most
        step = float(_CENTRES[1] - _CENTRES[0])
        place = (centre[:, None] + widths[1] * self.points - float(_CENTRES[0])) / step
        place = place.clamp(0.0, len(_CENTRES) - 1.001)
        left = place.detach().floor().long()
        part = place - left
        return torch.gather(at_centre, 1, left) * (1 - part) + torch.gather(at_centre, 1, left + 1) * part


def _told(answers: Answers, grid: _Grid, drawn: Floats) -> ItemModel:
    ends = np.cumsum(grid.sizes)[:-1]
    logs, abilities, strata, standard = np.split(drawn, ends, axis=1)
    widths = np.exp(logs)
    properties = widths[:, :1] * standard
    of_property = properties @ (np.bincount(answers.properties, minlength=grid.sizes[3]) / len(answers.properties))
    of_strata, average = np.zeros_like(strata), np.zeros(len(drawn))
    for column in answers.strata.T:  # levels of one feature are told from its average, since only that is known
        share = np.bincount(column, minlength=grid.sizes[2]) / len(column)
        of_strata[:, share > 0] = (strata @ share)[:, None]
        average += strata @ share
    zero = average + of_property
    mean = [column.mean(axis=0) for column in (widths, abilities, strata, properties)]
    width = Widths(float(mean[0][0]), float(mean[0][1]), float(mean[0][2]) + _NARROWEST)
    centre = mean[2][answers.strata].sum(axis=1) + mean[3][answers.properties]
    return ItemModel(
        abilities=_effects(abilities - zero[:, None]),
        strata=dict(zip(answers.stratum_names, _effects(strata - of_strata), strict=True)),
        properties=dict(zip(answers.property_names, _effects(properties - of_property[:, None]), strict=True)),
        widths=width,
        belief=_belief(answers, mean[1], centre, width),
        zero=float(zero.mean()),
        floor=answers.floor,
    )


def _effects(drawn: Floats) -> list[Effect]:
    low, high = np.quantile(drawn, (0.025, 0.975), axis=0)
    return [Effect(*found) for found in zip(drawn.mean(axis=0).tolist(), low.tolist(), high.tolist(), strict=True)]


def _belief(answers: Answers, abilities: Floats, centre: Floats, widths: Widths) -> Floats:
    """What is known of each question, given the abilities and the widths: `ItemModel.belief`."""
    from scipy.special import log_expit, logsumexp

    slopes = _SLOPES if answers.models >= OF_DISCRIMINATION else np.ones(1)
    seen = ~np.isnan(answers.right)
    right = np.where(seen, answers.right, 0.0)
    wrong = np.where(seen, 1.0 - right, 0.0)
    logits = [slope * (abilities[:, None] - _NODES) for slope in slopes]
    answered = np.stack(
        [
            right @ np.log(chance(at, answers.floor)) + wrong @ (np.log(1 - answers.floor) + log_expit(-at))
            for at in logits
        ],
        1,
    )  # (questions, slopes, nodes)
    points, weights = np.polynomial.hermite_e.hermegauss(_OF_GROUP)
    of_slope = np.full(len(slopes), 1.0 / len(slopes))
    for _ in range(8 if len(slopes) > 1 else 1):  # the slopes' distribution, from all questions together
        by_point = (
            np.stack(
                [answered + _normal(centre + widths.group * point, widths.item)[:, None, :] for point in points], 1
            )
            + np.log(of_slope)[:, None]
        )  # (questions, points, slopes, nodes)
        alone = logsumexp(by_point, axis=(2, 3))
        together = np.log(weights / weights.sum()) + _summed(alone, answers.groups)[answers.groups]
        posterior = np.exp(by_point + (together - alone - logsumexp(together, axis=1, keepdims=True))[:, :, None, None])
        belief = posterior.sum(axis=1)
        of_slope = belief.sum(axis=(0, 2)) / len(belief)
    return np.ascontiguousarray(belief.reshape(len(belief), -1))


def _summed(values: Floats, groups: Ints) -> Floats:
    total = np.zeros((int(groups.max()) + 1, values.shape[1]))
    np.add.at(total, groups, values)
    return total


def _normal(centre: Floats, width: float) -> Floats:
    """(questions, nodes) log probabilities."""
    from scipy.special import logsumexp

    logs = -0.5 * ((_NODES - centre[:, None]) / width) ** 2
    found: Floats = logs - logsumexp(logs, axis=1, keepdims=True)
    return found
