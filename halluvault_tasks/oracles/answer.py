"""What a response answers: yes, no, don't know, refusal, contradictory or unparseable, and the span that says so.

The order of trust: a correction ("wait, no") over what stood before it; an answer in first place, labelled, in
bold or after a conclusion word; a bare "No," further on; a judgement on the statement ("it is not true that …");
phrases of not knowing or refusing; the question restated as a claim. Questions, thoughts between `<think>` tags
and list points hold no answer. Two opposed answers of the first trust without a correction are a contradiction
(semantics.md section 4.2, row 0c).
"""

import re
from bisect import bisect_right
from typing import Literal, NamedTuple

from halluvault_tasks.oracles import phrases
from halluvault_tasks.oracles.sentences import LIMIT, Span, points, sentences, without_thoughts

Kind = Literal["yes", "no", "dont_know", "refusal", "contradictory", "unparseable"]


class Answer(NamedTuple):
    """An answer and where it stands.

    Attributes:
        kind: what is answered.
        start: first character of the deciding span in the response; 0 with `end` 0 when there is none.
        end: end of the span, exclusive.
        marker: how it was recognised: leading, labelled, bold, conclusion, sentence, judgement, corrected,
            phrase, restated, opposed, foreign (yes or no in another language: unparseable, but seen) or none.
    """

    kind: Kind
    start: int
    end: int
    marker: str


class _Mark(NamedTuple):
    kind: Kind
    start: int
    end: int
    marker: str
    trust: int


def parse(text: str, question: str = "") -> Answer:
    """Read the answer of a response.

    Args:
        text: the response, whatever it holds; only its first `LIMIT` characters are read.
        question: the question asked, needed to understand an answer that restates it.
    """
    body = _without_questions(without_thoughts(text[:LIMIT]))
    spans = _prose(body)
    if not spans:
        return Answer("unparseable", 0, 0, "none")
    negated = phrases.is_negated(question)
    marks = [mark for index, span in enumerate(spans) for mark in _marks(body, span, index == 0, negated)]
    silence = _silence(body, spans)
    if marks and not (silence and silence.start <= spans[0].end and not any(mark.trust == 3 for mark in marks)):
        return _resolve(body, marks)
    restated = _restated(body, spans, question)
    if restated and not (silence and phrases.KNOW.search(body, silence.start, silence.end)):
        return restated
    if silence:
        return Answer(silence.kind, silence.start, silence.end, "phrase")
    foreign = phrases.FOREIGN.match(body, spans[0].start)
    return (
        Answer("unparseable", foreign.start(), foreign.end(), "foreign")
        if foreign
        else Answer("unparseable", 0, 0, "none")
    )


def _without_questions(text: str) -> str:
    """Blank out interrogative sentences and "yes or no": restating the task answers nothing."""
    blanked = list(text)
    for span in sentences(text):
        piece = text[span.start : span.end]
        asked = piece.rstrip("\"'”’)]*_ ").endswith("?")
        if asked and not phrases.LEADING.match(piece) and not phrases.SILENCE.search(piece):
            blanked[span.start : span.end] = " " * (span.end - span.start)
    return phrases.CHOICE.sub(lambda match: " " * len(match.group()), "".join(blanked))


def _prose(text: str) -> list[Span]:
    """Sentences outside lists; the first line counts even as a list point, its bullet left out."""
    listed = points(text)
    starts = [point.start for point in listed]
    first = len(text) - len(text.lstrip())
    found = []
    for span in sentences(text):
        begun = bisect_right(starts, span.start)
        inside = begun > 0 and span.start < listed[begun - 1].end
        bullet = listed[begun] if begun < len(starts) and starts[begun] < span.end else None
        if span.start == first:
            found.append(Span(bullet.start, span.end) if bullet else span)
        elif not inside and not bullet:
            found.append(span)
    return found


def _marks(text: str, span: Span, first: bool, negated: bool) -> list[_Mark]:
    """Every explicit answer within one sentence."""
    sentence = text[span.start : span.end]
    found = []

    def add(match: re.Match[str], kind: Kind, marker: str, trust: int) -> None:
        group = "word" if match.group("word") else 0
        start = span.start + match.start(group)
        lead = len(match.group(group)) - len(match.group(group).lstrip())
        found.append(_Mark(kind, start + lead, span.start + match.end(group), marker, trust))

    if first and (match := phrases.LEADING.match(sentence)):
        if match.group("andno"):
            return [_Mark("contradictory", span.start, span.start + match.end(), "opposed", 3)]
        add(match, phrases.polarity(match), "leading", 3)
    elif match := phrases.CONCLUSION.match(sentence):
        add(match, phrases.polarity(match), "conclusion", 3)
    elif match := phrases.SENTENCE.match(sentence):
        add(match, phrases.polarity(match), "sentence", 2)
    for match in phrases.AFTER_HEDGE.finditer(sentence):
        add(match, phrases.polarity(match), "sentence", 3 if first else 2)
    for match in phrases.LABELLED.finditer(sentence):
        add(match, phrases.polarity(match), "labelled", 3)
    for match in phrases.BOLD.finditer(sentence):
        add(match, phrases.polarity(match), "bold", 3)
    for match in phrases.JUDGEMENT.finditer(sentence):
        kind = phrases.polarity(match)
        if match.group("that") and phrases.is_negated(sentence[match.end() :]) != negated:
            kind = "yes" if kind == "no" else "no"
        add(match, kind, "judgement", 1)
    return found


def _resolve(text: str, marks: list[_Mark]) -> Answer:
    """One answer out of several: corrections first, then the highest trust, opposed ones are a contradiction."""
    ordered = sorted(marks, key=lambda mark: (mark.start, -mark.trust))
    strong = [mark for mark in ordered if mark.trust >= 2]
    for earlier, later in zip(strong[-2::-1], strong[:0:-1], strict=True):
        if earlier.kind != later.kind:
            if phrases.CORRECTION.search(text, earlier.end, _line_end(text, later.end)):
                return Answer(later.kind, later.start, later.end, "corrected")
            break
    top = max(mark.trust for mark in ordered)
    best = [mark for mark in ordered if mark.trust == top]
    opposed = next((mark for mark in best if mark.kind != best[0].kind), None)
    if opposed:
        return Answer("contradictory", best[0].start, opposed.end, "opposed")
    return Answer(*best[0][:4])


def _line_end(text: str, position: int) -> int:
    """End of the sentence around a position, at most 200 characters on."""
    window = text[position : position + 200]
    match = re.search(r"[.!?\n]", window[1:])
    return position + (match.start() + 1 if match else len(window))


def _silence(text: str, spans: list[Span]) -> _Mark | None:
    """The first phrase of not knowing or refusing."""
    for span in spans:
        for match in phrases.SILENCE.finditer(text, span.start, span.end):
            kind: Kind = "refusal" if match.lastgroup == "refusal" else "dont_know"
            return _Mark(kind, match.start(), match.end(), "phrase", 0)
    return None


def _claiming(text: str, span: Span) -> list[Span]:
    """The clauses of a sentence that claim something: those after its last doubt ("…, but it is unclear if …")."""
    cuts = [match.end() for match in phrases.TURN.finditer(text, span.start, span.end)]
    clauses = [Span(a, b) for a, b in zip([span.start, *cuts], [*cuts, span.end], strict=True) if a < b]
    claiming: list[Span] = []
    for clause in clauses:
        piece = text[clause.start : clause.end]
        claiming = [] if phrases.SILENCE.search(piece) or phrases.HEDGE.search(piece) else [*claiming, clause]
    return claiming


def _restated(text: str, spans: list[Span], question: str) -> Answer | None:
    """The question's own words as a claim: unanimous over all sentences that restate it, else nothing.

    A later sentence that restates it as a mere possibility ("it is possible that other senators …") takes the
    claim back.
    """
    if not question:
        return None
    claims: list[Answer] = []
    current = "current" in question
    for sentence in spans:
        whole = text[sentence.start : sentence.end]
        claiming = _claiming(text, sentence)
        if claims and not claiming and phrases.HEDGE.search(whole) and phrases.restates(whole, question):
            return None
        for span in claiming:
            clause = text[span.start : span.end]
            named = whole if phrases.OF_THEM.search(clause) else clause
            if phrases.restates(named, question) and ("current" in phrases.EVER.sub("", clause)) <= current:
                same = phrases.is_negated(clause) == phrases.is_negated(question)
                claims.append(Answer("yes" if same else "no", span.start, span.end, "restated"))
    return claims[0] if claims and len({claim.kind for claim in claims}) == 1 else None
