"""Frames of English that say a noun or a verb of two things: made once, filled for every property."""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache

from halluvault_tasks.oracles import gaps
from halluvault_tasks.oracles.wordings import Apart, Tokens, expanded, taken_apart

VERBS = frozenset(
    [
        "father", "author", "tutor", "cause", "mother", "star", "cast", "parent", "sire", "host", "head", "master",
        "coach", "mentor", "school", "sponsor", "house", "home", "husband", "trigger", "pilot", "captain", "border",
        "neighbour", "neighbor", "signal", "sign", "name", "influence", "model", "pen", "partner",
    ]
)  # fmt: skip
"""Nouns that are verbs too, and then may say it the other way round: "A fathered B"."""

BARE_NOUNS = frozenset(gaps.stem(noun) for noun in VERBS)
"""Their stems."""

_OF = ("of", "to", "for", "behind")


_NOUN, _NOUN_AND_VERB = "xnoun", "xverb"
"""Stand for a noun, and for one that is a verb too, in frames that are read once for all nouns."""


@lru_cache
def frames(patterns: Callable[[str], Iterator[str]], verb: bool) -> tuple[Apart, ...]:
    """The frames of a pattern function, with a stand-in for the noun; of nouns that are verbs too, those that fit."""
    return tuple(one for pattern in patterns(_NOUN_AND_VERB if verb else _NOUN) for one in taken_apart(pattern))


def filled(part: Tokens, noun: Tokens) -> Tokens:
    """Words of a frame with the noun's own in place of the stand-in."""
    for stand_in in (_NOUN, _NOUN_AND_VERB):
        if stand_in in part:
            at = part.index(stand_in)
            return tuple(gaps.merged([*part[:at], *noun, *part[at + 1 :]]))
    return part


def noun_patterns(noun: str) -> Iterator[str]:
    """Clauses that say a noun of two things: {o} is the NOUN of {s}."""
    for of in _OF:
        yield f"the {noun} {of} {{s}} be {{o}}"
        yield f"the {noun} {of} {{s}} it be {{o}}"
        yield f"{{o}} be the {noun} {of} {{s}}"
        yield f"{{o}} {noun} {of} {{s}}"
        yield f"{{o}} as {noun} {of} {{s}}"
        yield f"{{o}} be in the role of {noun} {of} {{s}}"
        yield f"{{o}} become the {noun} {of} {{s}}"
    for be in ("be", "", "be in", "it be", "lie in", "be call", "be name", "go by the name of", "be by the name of"):
        yield f"{{s}} 's {noun} {be} {{o}}"
        yield f"the {noun} of {{s}} {be} {{o}}"
    yield f"the role of {noun} [of|to|for] {{s}} [be|fall to|be play by|be fill by|go to|belong to] {{o}}"
    yield f"{{s}} find {noun} in {{o}}"
    yield f"{{s}} [practise|practice|exercise|pursue|follow|take up|belong to|work in] the {noun} of {{o}}"
    yield f"{{s}} 's {noun} [go by|carry|bear] the name {{o}}"
    if noun not in VERBS and noun != _NOUN_AND_VERB:
        yield f"{{s}} {noun} {{o}}"
    yield f"{{s}} {noun} be {{o}}"
    yield f"for {{s}} {noun} be {{o}}"
    yield f"for {{s}} {{o}} be {noun}"
    yield f"{{o}} be {{s}} 's {noun}"
    yield f"{{o}} be in {{s}} 's {noun}"
    yield f"{{o}} become {{s}} 's {noun}"
    yield f"it be {{o}} that be {{s}} 's {noun}"
    yield f"{{s}} have {{o}} as {noun}"
    yield f"{{s}} take {{o}} as {noun}"
    yield f"{{s}} with {{o}} as {noun}"
    yield f"with {{o}} as {noun} {{s}}"
    yield f"{{s}} have as {noun} {{o}}"
    yield f"{{s}} have {noun} {{o}}"
    yield f"{{s}} have a {noun} [name|call|by the name of|in] {{o}}"
    yield f"{{s}} [name|call|list|identify] as {noun} {{o}}"
    yield f"among the {noun} of {{s}} [be|we find|one find|appear|figure] {{o}}"
    yield f"among {{s}} 's {noun} [be|we find|one find|appear|figure] {{o}}"
    yield f"among the {noun} in {{s}} [be|we find|one find|appear|figure] {{o}}"
    yield f"{{o}} be among {{s}} 's {noun}"
    yield f"{{o}} among {{s}} 's {noun}"
    yield f"the {noun} of {{s}} include {{o}}"
    yield f"{{s}} 's {noun} include {{o}}"
    yield f"as {noun} of {{s}} {{o}}"
    yield f"{noun} of {{s}} {{o}}"


def date_patterns(noun: str) -> Iterator[str]:
    """Clauses that date what a noun names: {on} is when the NOUN of {s} was."""
    lie = (
        "be|take place|come|occur|happen|fall|lie|date to|date from|date back to|go back to|be set|be put|be place|"
        "be date|"
        "be record|be fix|follow|arrive|be mark"
    )
    yield f"the {noun} of {{s}} [{lie}] {{on}}"
    yield f"{{s}} 's {noun} [{lie}] {{on}}"
    yield f"{{s}} [have|get|find|make|see|meet|reach|come to|celebrate|mark|experience|undergo] {noun} {{on}}"
    yield f"{{s}} [date|trace|owe] {noun} [to|back to] {{on}}"
    yield f"{{s}} [date back|go back] to {noun} {{on}}"
    yield f"{{on}} [see|mark|bring|witness|be|be the year of|be the date of|be the day of|be when] the {noun} of {{s}}"
    yield f"{{on}} [see|mark|bring|witness|be|be the year of|be the date of|be the day of] {{s}} 's {noun}"


def deed_patterns(noun: str) -> Iterator[str]:
    """Clauses that say whose deed something was: {o} did it to {s}."""
    of = f"the {noun} of {{s}}"
    done = "by|due to|owed to|thanks to|down to|the work of|the achievement of|the doing of|in the hand of"
    verbs = "made|done|carried out|undertaken|handled|led|overseen|accomplished|performed|achieved|directed|completed"
    yield f"{of} [{done}] {{o}}"
    yield f"{of} be [{done}|a feat of|a deed of|a matter for|attributable to] {{o}}"
    yield f"{of} be [{verbs}] by {{o}}"
    yield f"{of} be [credited|attributed|ascribed|assigned|put down|traced back] to {{o}}"
    yield f"{of} [go|go back|belong|fall|trace back] to {{o}}"
    yield f"{of} [lie|rest] with {{o}}"
    yield f"{{s}} 's {noun} be [{done}] {{o}}"
    yield f"{{s}} 's {noun} be [{verbs}] by {{o}}"
    yield f"{{s}} 's {noun} be [credited|attributed|ascribed] to {{o}}"
    yield f"{{s}} 's {noun} [go back|belong|fall] to {{o}}"
    yield f"{{s}} [owe|trace] {noun} to {{o}}"
    yield f"{{o}} be [responsible for|behind|credited with|known for|to thank for|the person behind] {of}"
    yield f"{{o}} [make|carry out|undertake|handle|lead|oversee|achieve|accomplish|direct|complete] {of}"
    yield f"{{o}} [get|receive|deserve|have|take] credit for {of}"
    yield f"responsibility for {of} [lie with|rest with|belong to|fall to] {{o}}"
    yield f"credit for {of} [go|belong|be due|be given|fall] to {{o}}"
    yield f"{{o}} 's {noun} of {{s}}"
    yield f"{{o}} 's {noun} be {{s}}"
    yield f"{{s}} be {{o}} 's {noun}"
    yield f"{{s}} be [a|the] {noun} [of|by] {{o}}"
    yield f"{{s}} {noun} [of|by] {{o}}"
    yield f"[we owe|the world owe|people owe] {of} to {{o}}"


_NOT_TURNED = frozenset(["be", "have", "lie", "stand", "sit", "rise", "do", "get", "go", "come", "fall", "run", "flow"])
_ACTIVE = re.compile(r"\{([so])\} (\w+) \{([so])\}")
_ONE_VERB = re.compile(r"\{[so]\} (?:be )?(?:\w+|\[[^\[\]{]*\])(?: by)? \{[so]\}")
_PASSIVE = re.compile(r"\{([so])\} be (\w+(?:ed|en|wn|ght|ung|ade|eld|ound|uilt|ritten)) by \{([so])\}")


def other_voice(clause: str) -> Iterator[str]:
    """The passive of an active clause, the active of a passive one, as far as its form shows which it is."""
    if "[" in clause:
        for one in expanded(clause) if _ONE_VERB.fullmatch(clause) else ():
            yield from other_voice(one)
        return
    if (match := _ACTIVE.fullmatch(clause)) and match[2] not in _NOT_TURNED:
        yield f"{{{match[3]}}} be {match[2]} by {{{match[1]}}}"
        if match[2] in ("include", "contain", "house", "enclose", "comprise", "embrace", "embed", "record"):
            yield f"{{{match[3]}}} be {match[2]} in {{{match[1]}}}"
        yield f"responsibility for {match[2]} {{{match[3]}}} [lie with|rest with|belong to|fall to] {{{match[1]}}}"
        yield f"the [job|task|work] of {match[2]} {{{match[3]}}} [fall to|go to|be done by] {{{match[1]}}}"
        yield f"credit for {match[2]} {{{match[3]}}} [go|belong|be due|be given|fall] to {{{match[1]}}}"
        yield f"{{{match[1]}}} [get|receive|deserve|have|take] credit for {match[2]} {{{match[3]}}}"
    if match := _PASSIVE.fullmatch(clause):
        yield f"{{{match[3]}}} {match[2]} {{{match[1]}}}"


def shared_patterns(nouns: Iterable[str]) -> Iterator[str]:
    """Clauses that say that two things share what a noun names."""
    for noun in nouns:
        yield f"{{s}} and {{o}} have the same {noun}"
        yield f"{{s}} and {{o}} have {noun} in common"
        yield f"{{s}} and {{o}} share {noun}"
        yield f"{{s}} and {{o}} share the same {noun}"
        yield f"{{s}} and {{o}} have a common {noun}"
        yield f"{{s}} and {{o}} have one {noun} in common"
        yield f"{{s}} have the same {noun} as {{o}}"
        yield f"{{s}} share {noun} with {{o}}"
        yield f"the {noun} of {{s}} and {{o}} be the same"
        yield f"{{s}} and {{o}} [be|come|be make|be develop|be discover|be direct|be write] by the same {noun}"
        yield f"{{s}} and {{o}} [come|stem|spring] from the same {noun}"
        yield f"{{s}} and {{o}} [be|be link|be connect|be unite|be join] by [the same|a common|a shared|] {noun}"
        yield f"{{s}} and {{o}} have [the same|a common|a shared|a|the] {noun} in common"
        yield f"{{s}} and {{o}} have same {noun}"
        yield f"{{s}} share [its|their|the same|a] {noun} with {{o}}"
        yield f"{noun} [link|connect|join|unite|tie|be common to|be share by|stand behind|be behind] {{s}} and {{o}}"
        yield f"the same {noun} [link|connect|join|unite|stand behind|be behind] {{s}} and {{o}}"
        yield f"the {noun} of {{s}} be [|the same as] [|the|that] [|noun] of {{o}}".replace("noun", noun)
        yield f"{{s}} 's {noun} be [|the same as] [|the|that] [{noun}|] of {{o}}"
        yield f"{{s}} have {noun} in common with {{o}}"
        yield f"{{s}} and {{o}} 's {noun} be the same"
        yield f"the {noun} of {{s}} be the same as {{o}} 's"
