"""What in a response says something about its answer: explicit answers, and not knowing.

An explicit answer is a leading or labelled yes or no; a verdict on the statement, claim or question; or the question's
proposition, affirmed or denied in a clause that is asserted. Not knowing is a verb of knowing, finding or telling that
is denied of whoever answers.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

from halluvault_tasks.reading import elliptic, english
from halluvault_tasks.reading.base import AnswerKind, Span
from halluvault_tasks.reading.clauses import Clause, clauses
from halluvault_tasks.reading.echoes import OPPOSITE, Heard
from halluvault_tasks.reading.parser import Parse
from halluvault_tasks.reading.propositions import Asked, Proposition, compared, dated, excludes, stated, undated, worded
from halluvault_tasks.reading.text import Sentence

How = Literal["leading", "labelled", "verdict", "pronoun", "retracted", "restated", "dated", "excluded", "unknown"]
EXPLICIT = ("leading", "labelled", "verdict", "retracted")


def is_read(sentence: Sentence) -> bool:
    """Whether a sentence may say anything about the answer: no thought, code or quotation, and not for the nth time."""
    return not (sentence.thought or sentence.loop or sentence.kind in ("code", "quote"))


class Sign(NamedTuple):
    """One thing said about the answer.

    Attributes:
        kind: what it says.
        how: how it was recognised; `excluded`: a part of what must hold together is denied; `retracted`: what was
            answered before is called wrong; `dated`: a date in or outside the decade that is asked.
        sentence: number of its sentence.
        span: of its words.
        concludes: a word of concluding stands before it in its sentence.
    """

    kind: AnswerKind
    how: How
    sentence: int
    span: Span
    concludes: bool


class Said:
    """A sentence of a response, with its parse and clauses."""

    def __init__(self, heard: Heard, parse: Parse) -> None:
        self.sentence, self.label, self.parse = heard.sentence, frozenset(heard.label.split()), parse
        self.lowered = [word.text.casefold() for word in parse]
        self.folded = [word.lemma.casefold() for word in parse]
        self.bare = [word for word in self.lowered if word.isalpha()]
        self.clauses = clauses(parse)
        self.concludes = not english.CONCLUDE.isdisjoint(self.folded)
        self.asks = self.sentence.text.rstrip("\"') ").endswith("?")
        self.skipped = not parse or not is_read(self.sentence)
        self.corrects = not english.CORRECT.isdisjoint(self.lemmas(range(len(parse))) | self.label)
        self.retitles = self.corrects and (len(parse) <= 3 or bool(self.label & english.CORRECT))

    def span(self, positions: Iterable[int]) -> Span:
        """Where words stand in the response, from the first to the last of them."""
        places = sorted(positions)
        return self.sentence.span(self.parse[places[0]].start, self.parse[places[-1]].end)

    def quoted(self, index: int, inside: bool = False) -> bool:
        """Whether a word stands in quotation marks; `inside`: and does not begin the quotation."""
        return any(q.start + inside <= self.parse[index].start < q.end for q in self.sentence.quotes)

    def lemmas(self, positions: Iterable[int]) -> set[str]:
        """Dictionary forms of words, in lower case."""
        return {self.folded[one] for one in positions}


def signs(text: Sequence[Said], asked: Asked) -> list[Sign]:
    """Everything in a response that says something about its answer, in order."""
    found: list[Sign] = []
    for number, one in enumerate(text):
        if one.skipped or one.label & english.STATED:
            continue
        here = list(_polar(text, number, asked))
        if not one.asks:
            here += [*_verdicts(one, number, asked), *_restated(text, number, asked)]
        here += (
            _sign(one, number, _silence(one, each), "unknown", each.words)
            for each in one.clauses
            if _unknown(one, each)
        )
        before = next((sign for sign in reversed(found) if sign.how != "unknown"), None)
        found += (sign for each in here if (sign := _referred(each, before, asked)))
    return found


def _sign(one: Said, number: int, kind: AnswerKind, how: How, positions: Sequence[int]) -> Sign:
    concludes = not english.CONCLUDE.isdisjoint(one.lemmas(range(max(positions) + 1)))
    return Sign(kind, how, number, one.span(positions), concludes)


def _referred(one: Sign, before: Sign | None, asked: Asked) -> Sign | None:
    """ "This is false": of the answer just given, which it takes back, else of what is to be judged."""
    if one.how != "pronoun":
        return one
    adjoins = before is not None and before.sentence == one.sentence - 1
    if not adjoins and (asked.statement or one.sentence == 0):
        return one._replace(how="verdict")
    return one._replace(how="retracted") if one.kind == "no" else None


# ---------------------------------------------------------------------- yes and no


def _polar(text: Sequence[Said], number: int, asked: Asked) -> Iterator[Sign]:
    one = text[number]
    words = [index for index, word in enumerate(one.lowered) if word[0].isalnum() or word == "n't"]
    if short := _elliptic(text, number, asked):
        yield _sign(one, number, short, "leading", words)
    if len(one.bare) == 3 and one.bare[1] == "and" and {*one.bare[::2]} == {"yes", "no"}:
        yield from (_sign(one, number, "yes" if word == "yes" else "no", "leading", words) for word in one.bare[::2])
        return
    listed = (each for each in text[max(0, number - 2) : number + 3] if _is_listed(each))
    options = {each.bare[0] in english.AFFIRMS for each in listed}
    for index, word in enumerate(one.lowered):
        judged = one.bare == [word] and word in english.TRUE | english.FALSE and one.parse[index].pos != "NOUN"
        if not judged and (len(options) > 1 or word not in english.POLAR or not _stands_alone(one, index)):
            continue
        clause = next((each for each in one.clauses if index in each.words), None)
        if clause and clause.guard == "condition":
            if "would" not in one.lemmas(clause.words):  # "if he had been born there, it would be yes": he was not
                yield _sign(one, number, "dont_know", "unknown", [index])
        elif how := _place(one, index, clause):
            yield _sign(one, number, "yes" if word in english.AFFIRMS | english.TRUE else "no", how, [index])


def _is_listed(one: Said) -> bool:
    """A yes or no that is one of the options offered: "(1). Yes; (2). No;"."""
    ends = one.sentence.kind == "point" or ";" in one.sentence.text or one.sentence.text[-1:].isalpha()
    return ends and len(one.bare) == 1 and one.bare[0] in english.POLAR


def _stands_alone(one: Said, index: int) -> bool:
    """No determiner and no option: "no record", "no longer", "yes or no"."""
    after = [word for word in one.lowered[index + 1 : index + 6] if word not in "\"',-"]
    before = [word for word in one.lowered[max(0, index - 5) : index] if word not in "\"',-"]
    joined = after[:1] == ["or"] or (english.JOINS.intersection(after[:1]) and english.POLAR.intersection(after[1:3]))
    if joined or english.JOINS.intersection(before[-1:]) or english.POLAR.intersection(after[:1] + before[-1:]):
        return False
    if one.lowered[index] in english.AFFIRMS or index + 1 == len(one.parse):
        return True
    word, following = one.parse[index], one.parse[index + 1]
    lower = following.text.islower() or following.text == "I"
    begins = word.dep != "det" and following.tag in ("PRP", "EX", "IN", "DT", "WRB") and lower
    return begins or not following.text[0].isalnum()


def _place(one: Said, index: int, clause: Clause | None) -> How | None:
    """Where an answer stands: at the start, behind a label or a verb of answering; None where it answers nothing."""
    before = [place for place in range(index) if one.lowered[place][0].isalnum()]
    if all(one.parse[place].tag in ("RB", "UH", "CC") or one.lowered[place] in english.CORRECT for place in before):
        return None if index > 1 and one.quoted(index) else "labelled" if one.label else "leading"
    closed = index + 1 == len(one.parse) or not one.lowered[index + 1][0].isalnum()
    denied = not (english.NO - english.DENIES).isdisjoint(one.lowered[max(0, index - 4) : index])  # "cannot be yes"
    if not closed or denied or (clause and clause.guard) or one.quoted(index, inside=True):
        return None
    last, answers = one.parse[before[-1]], not english.ANSWER.isdisjoint(one.lowered[:index])
    sign = next((word for word in one.lowered[index - 1 :: -1] if word not in "\"'("), "")
    labels = sign in (":", "=", "→", "–", "—", "-", "|") and (len(before) < 5 or answers)
    if labels or (answers and (last.lemma == "be" or last.pos == "ADV")):
        return "labelled"
    speaks = last.lemma in ("say", "answer") and not english.FIRST_PERSON.isdisjoint(one.lowered[:index])
    return "leading" if speaks or last.text in ("that", "so", "then", "therefore", "sorry") else None


def _elliptic(text: Sequence[Said], number: int, asked: Asked) -> AnswerKind | None:
    """A short answer that leaves out what was asked; it speaks of the question only where nothing else was said."""
    one = text[number]
    if one.asks:
        return None
    if len(one.bare) <= 4 and not any(word.pos in ("VERB", "AUX") for word in one.parse):
        plain = "not" in one.bare and english.ABLE.union(english.DOUBT).isdisjoint(one.bare)
        return "no" if plain else None
    if not one.concludes and not _opens(text, number, asked):
        return None
    opinion = elliptic.thinks(one.parse)
    true = opinion if opinion is not None else elliptic.affirms(one.parse, asked.auxiliary, asked.proposition.first)
    if opinion is None and true is not None:
        true ^= asked.proposition.denied
    framed = elliptic.affirms(one.parse, elliptic.FRAME, english.STATED) if asked.statement else None
    if framed is not None and one.folded[0] in english.POINTING:
        true = framed if true in (None, framed) else None
    return None if true is None else "yes" if true ^ asked.inverted else "no"


def _opens(text: Sequence[Said], number: int, asked: Asked) -> bool:
    """Whether nothing was stated before a sentence, or only the question put again right before it."""
    before = text[:number]
    if before and before[-1].asks:
        own = (stated(before[-1].parse, clause) for clause in before[-1].clauses)
        return any(compared(asked.proposition, one, pronoun=False) for one in own)
    return not any(word.pos in ("VERB", "AUX") for one in before for word in one.parse)


# ---------------------------------------------------------------------- verdicts


def _verdicts(one: Said, number: int, asked: Asked) -> Iterator[Sign]:
    for clause in one.clauses:
        nouns = {one.parse[each].lemma.casefold() for each in clause.subject if one.parse[each].pos in ("NOUN", "PRON")}
        own = "answer" in nouns
        truth = None if clause.guard or not nouns or one.quoted(clause.head) else _truth(one, clause, own=own)
        more = clause.denied and one.lemmas(clause.words) & english.ONLY  # "not just an error but …"
        if truth is None or more:
            continue
        kind: AnswerKind = "yes" if truth ^ clause.denied ^ _opposes(one, clause, asked) ^ asked.inverted else "no"
        first = one.lowered[clause.subject[0]]
        if len(clause.subject) == 1 and first in english.OWN | {"it"}:
            below = (word for word in one.parse if word.head == clause.head)
            governs = any(word.dep in ("ccomp", "csubj", "prep") for word in below)
            if clause.over < 0 and not governs and one.parse[clause.head].lemma in english.COPULA:
                yield _sign(one, number, kind, "pronoun", clause.words)
        elif own and first in english.OWN:
            if truth == clause.denied:
                yield _sign(one, number, "no", "retracted", clause.words)
        elif own or nouns & english.STATED or (nouns == {"one"} and first in english.OWN and _states(one, clause)):
            several = any(one.parse[each].pos == "NUM" or one.parse[each].tag == "NNS" for each in clause.subject)
            if several == asked.several:
                yield _sign(one, number, kind, "verdict", (*clause.subject, *clause.words))


_OBJECTS = ("dobj", "ccomp", "advcl")


def _states(one: Said, clause: Clause) -> bool:
    """Whether "this one" is a statement that its sentence has spoken of."""
    return not english.STATED.isdisjoint(one.folded[: clause.subject[0]])


def _truth(one: Said, clause: Clause, *, own: bool) -> bool | None:
    """Whether a clause's predicate calls its subject true or false, its negations left aside."""
    head = one.parse[clause.head]
    if head.lemma == "follow" and not own and not clause.denied:  # "so the statement follows"; denied, it is no verdict
        governed = (word for word in one.parse[clause.head + 1 :] if word.head == clause.head)
        return None if any(word.dep in _OBJECTS for word in governed) else True
    if head.lemma in english.HOLDS | english.FAILS and not own:
        return None if one.lemmas(clause.words) & {"can", "could"} else head.lemma in english.HOLDS
    behind = [each for each in clause.words if each > clause.head and head.lemma in english.COPULA]
    for index in behind:
        word = one.parse[index]
        between = one.parse[clause.head + 1 : index]
        if word.head != clause.head and any(each.dep not in ("neg", "advmod", "aux", "xcomp") for each in between):
            continue
        if word.lemma in english.TRUE | english.FALSE and (word.pos == "ADJ" or not own):
            return word.lemma in english.TRUE
        if word.dep == "attr" and word.lemma in english.STATED and not own and _upheld(one, index):
            return True
    return None


def _upheld(one: Said, noun: int) -> bool:
    """ "A claim that has been verified": no modal verb in between."""
    modal = {word.head for word in one.parse if word.tag == "MD"}
    verbs = (index for index, word in enumerate(one.parse) if word.head == noun and word.dep in ("relcl", "acl"))
    return any(one.parse[index].lemma in english.HOLDS and index not in modal for index in verbs)


def _opposes(one: Said, clause: Clause, asked: Asked) -> bool:
    """Whether what is judged is quoted or told as the opposite of what is asked."""
    under = (each for each in one.clauses if each.over == clause.head and one.parse[each.head].dep == "acl")
    told = (
        compared(asked.proposition, stated(one.parse, each), pronoun=_is_pronoun((one,), 0, each, asked.proposition))
        for each in under
    )
    return any(one.parse[each].text == OPPOSITE for each in clause.subject) or "opposite" in told


# ---------------------------------------------------------------------- the proposition, and not knowing


def _restated(text: Sequence[Said], number: int, asked: Asked) -> Iterator[Sign]:
    one = text[number]
    for clause in one.clauses:
        subject = [one.parse[each] for each in clause.subject]
        persons = {word.text.casefold() for word in subject if word.pos == "PRON"}
        fragment = not subject and one.parse[clause.head].pos not in ("VERB", "AUX")
        told = one.lemmas(clause.subject) & english.TOLD or persons & (english.FIRST_PERSON | english.SECOND_PERSON)
        if fragment or told or clause.guard not in ("", "hedge") or one.quoted(clause.head):
            continue
        pronoun = _is_pronoun(text, number, clause, asked.proposition)
        own = stated(one.parse, clause)
        others = _taken_up(one, clause, persons, own)
        said = stated(one.parse, clause, others) if others else own
        found = None if _contrasts(one, clause) else compared(asked.proposition, said, pronoun=pronoun)
        if not found and number == len(text) - 1 and one.concludes and _is_bare(one, clause):
            found = compared(undated(asked.proposition), said, pronoun=pronoun)
        words = (*clause.subject, *clause.words)
        if found and clause.guard:
            yield _sign(one, number, "dont_know", "unknown", words)
        elif found:
            yield _sign(one, number, "yes" if (found == "same") != asked.inverted else "no", "restated", words)
        elif not clause.guard and (when := dated(asked.proposition, said, one.parse, clause, pronoun=pronoun)):
            yield _sign(one, number, "yes" if (when == "inside") != asked.inverted else "no", "dated", words)
        elif (pronoun or (subject and subject[-1].pos == "PROPN")) and excludes(asked.proposition, own, one.parse):
            yield _sign(one, number, "no", "excluded", words)


def _is_bare(one: Said, clause: Clause) -> bool:
    """Whether a clause says neither when nor where, and nothing under it does."""
    below = any(each.over == clause.head < each.head for each in one.clauses)
    elsewhen = below or "then" in one.lemmas(clause.words)
    return not elsewhen and all(one.parse[each].dep != "pobj" and one.parse[each].pos != "NUM" for each in clause.words)


def _contrasts(one: Said, clause: Clause) -> bool:
    """ "In Oslo, not Bergen", "rather than in Bergen": it is denied of a part, which no parse tells surely."""
    nots = [index for index in clause.words if one.lowered[index] == "not" and index]
    but = (each for each in clause.words if one.lowered[each] == "but" and one.parse[each].dep == "cc")
    parted = any(one.parse[index - 1].text == "," or one.parse[index - 1].dep == "cc" for index in nots)
    instead = any(one.lowered[each] in ("rather", "instead") for each in clause.words)
    return parted or instead or (bool(nots) and max(but, default=-1) > nots[0])


def _is_pronoun(text: Sequence[Said], number: int, clause: Clause, question: Proposition) -> bool:
    """Whether a pronoun, or "the war", stands for what was asked about; "his mother" is somebody else."""
    one = text[number]
    subject = [one.parse[each] for each in clause.subject]
    if len(subject) == 2 and subject[0].text.casefold() in ("the", "this", "that"):
        return subject[1].text.casefold() in question.first
    pronouns = [word for word in subject if word.tag in ("PRP", "PRP$") or word.lemma in english.OWN]
    if any(word.tag == "PRP$" for word in pronouns):
        nouns = (word.lemma.casefold() for word in subject if word.pos in ("NOUN", "PROPN") or word.text == "-")
        if not all(worded(noun, question.words | question.first) for noun in nouns):
            return False
    return bool(pronouns) and (question.exists or not _speaks_of_another(text, number, clause, question))


def _speaks_of_another(text: Sequence[Said], number: int, clause: Clause, question: Proposition) -> bool:
    """Whether the clause before is about somebody by name whom the question does not name."""
    here = [(text[number], each) for each in text[number].clauses if max(each.subject, default=0) < min(clause.subject)]
    before = [(text[number - 1], each) for each in text[number - 1].clauses] if number else []
    names = frozenset(word for name in question.names for word in name)
    for one, each in (here or before)[-1:]:
        heads = [one.parse[word] for word in each.subject if one.parse[word].head not in each.subject]
        if heads and heads[0].pos == "PROPN" and not names & {one.lowered[word] for word in each.subject}:
            return True
    return False


def _taken_up(one: Said, clause: Clause, persons: set[str], said: Proposition) -> list[Clause]:
    """Clauses whose names another takes up: a coordinated one by a shared subject or "them", one on existence all."""
    if not said.names:
        return []
    found = _qualifying(one, clause) if said.exists else []
    before = next((each for each in one.clauses if each.head == clause.over), None)
    if before and one.parse[clause.head].dep == "conj":
        shared = before.subject == clause.subject and before.denied == clause.denied
        found += [before] if shared or persons & {"they", "them"} else []
    return found


def _qualifying(one: Said, clause: Clause) -> list[Clause]:
    """What says more of whom there is or is not, in clauses under it: "no one has served with X being his school"."""
    found, heads = [], {clause.head}
    for each in one.clauses:
        marks = one.lemmas(index for index in each.words if one.parse[index].dep == "mark")
        asserted = not each.denied and not one.lemmas(each.words) & english.DOUBT
        apart = one.parse[each.head].dep == "conj" or bool(marks & (english.REASON | english.OPEN))
        if each.over in heads and asserted and not apart:
            heads.add(each.head)
            found.append(each)
    return found


def _silence(one: Said, clause: Clause) -> AnswerKind:
    """ "I cannot answer that" refuses; "I cannot tell" does not know."""
    unable = bool(one.lemmas(clause.words) & english.UNABLE)
    verbs = clause.words if unable else (clause.head,)
    refuses = any(one.parse[each].lemma in english.REFUSES and one.parse[each].pos == "VERB" for each in verbs)
    return "refusal" if refuses else "dont_know"


def _unknown(one: Said, clause: Clause) -> bool:
    """Whether who answers cannot know or tell, or has nothing that tells; or leaves it at "possible"."""
    if clause.soft or one.quoted(clause.head):
        return False
    words, subject = one.lemmas(clause.words), one.lemmas(clause.subject)
    lacking, denied = bool(words & english.UNABLE), clause.denied
    known = denied and one.parse[clause.head].lemma in english.KNOW
    if subject & english.FIRST_PERSON and any(one.parse[each].pos == "PRON" for each in clause.subject):
        able = words & (english.ABLE | english.TOLD | {"can", "could", "have"})
        return lacking or known or (denied and bool(able))
    if any(
        one.lowered[each] == "no" and one.parse[one.parse[each].head].lemma in english.TOLD for each in clause.words
    ):
        return True
    passive = any(one.parse[each].dep in ("auxpass", "nsubjpass") for each in clause.words)
    told = known and bool(words & (english.TOLD | english.EVIDENCE))
    if subject & {"it", "there"} or (subject & english.POLAR and passive) or (not subject and len(one.bare) <= 5):
        open_ = clause.guard == "hedge" and clause.over < 0 and one.lowered[0] == "it" and len(clause.words) < 8
        return open_ or lacking or (known and passive) or (denied and bool(words & english.ABLE))
    return known and passive if subject & (english.TOLD | english.STATED) else told
