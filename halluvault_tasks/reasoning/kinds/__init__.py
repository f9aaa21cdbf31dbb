"""Kinds of rules, one module each or a few that share their drafts, and the one list of them.

Nothing else asks what kind a rule is by its name or its figures: `Rule.kind` is one of these objects.

What a further kind takes, one that derives or one that draws, docs/reasoning.md lists in *Kinds*.
"""

from halluvault_tasks.errors import UserError
from halluvault_tasks.reasoning.kinds.age import Age
from halluvault_tasks.reasoning.kinds.amount import Amount
from halluvault_tasks.reasoning.kinds.base import RuleKind
from halluvault_tasks.reasoning.kinds.checked import Checked
from halluvault_tasks.reasoning.kinds.composite import Chain, ClimbingChain, Share
from halluvault_tasks.reasoning.kinds.country import Country
from halluvault_tasks.reasoning.kinds.exclusive import Exclusive
from halluvault_tasks.reasoning.kinds.inverse import Inverse, InverseBySex, UnnamedInverse
from halluvault_tasks.reasoning.kinds.listed import CompleteLists
from halluvault_tasks.reasoning.kinds.maker import Maker
from halluvault_tasks.reasoning.kinds.one_way import Converse, Reflexive
from halluvault_tasks.reasoning.kinds.order import Order
from halluvault_tasks.reasoning.kinds.polarity import Polarity
from halluvault_tasks.reasoning.kinds.sole import Sole
from halluvault_tasks.reasoning.kinds.symmetric import Symmetric
from halluvault_tasks.reasoning.kinds.transitive import FromBothEnds, Stepwise, Transitive
from halluvault_tasks.reasoning.kinds.wrong_value import WrongValue
from halluvault_tasks.reasoning.kinds.year import Year

POLARITY = Polarity()
WRONG_VALUE, CONVERSE, REFLEXIVE, CHECKED = WrongValue(), Converse(), Reflexive(), Checked()
EXCLUSIVE = Exclusive()
SOLE, YEAR, AGE, AMOUNT = Sole(), Year(), Age(), Amount()
COUNTRY, ORDER, MAKER = Country(), Order(), Maker()
LISTED = CompleteLists()

KINDS: tuple[RuleKind, ...] = (
    Symmetric(),
    Inverse(),
    InverseBySex(),
    UnnamedInverse(),
    Transitive(),
    Stepwise(),
    FromBothEnds(),
    Chain(),
    ClimbingChain(),
    Share(),
    POLARITY,
    WRONG_VALUE,
    CONVERSE,
    REFLEXIVE,
    CHECKED,
    EXCLUSIVE,
    SOLE,
    YEAR,
    AGE,
    AMOUNT,
    COUNTRY,
    ORDER,
    MAKER,
    LISTED,
)
"""Every kind, in the order in which rules are numbered."""

FAMILIES: tuple[str, ...] = tuple(dict.fromkeys(kind.family for kind in KINDS))
"""The kinds as the papers name them, in the same order, and what is drawn."""

TRUE_FAMILIES = tuple(dict.fromkeys(kind.family for kind in KINDS if kind.truth))
"""Of these, those whose facts are true."""

CONCLUDING_FAMILIES = tuple(family for family in TRUE_FAMILIES if family not in {POLARITY.family, YEAR.family})
"""Of these, those that conclude something that is not stated."""

_BY_NAME = {kind.name: kind for kind in KINDS}


def named(name: str) -> RuleKind:
    """The kind of that name.

    Raises:
        UserError: there is none: a newer version has typed these rules.
    """
    if name not in _BY_NAME:
        raise UserError(
            f"{name!r} is no kind of rule; there are: {', '.join(_BY_NAME)}", "`halluvault derive run` types them anew"
        )
    return _BY_NAME[name]
