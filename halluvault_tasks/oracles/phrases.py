"""The wordings of an answer in English: patterns of the answer parser, and the negation of a clause.

Every pattern that finds a yes or no names it `word`; `polarity` reads it. Patterns have no nested repetition, so
that hostile text costs linear time.
"""

import re
from typing import Literal

from halluvault_tasks.oracles.sentences import fold

_YES = r"yes|yeah|yep|yup|affirmative|indeed|absolutely|certainly|definitely|of\s+course"
_NOT_AT_ALL = r"(?:absolutely|certainly|definitely|of\s+course)\s+not|not\s+(?:really|quite|exactly)"
_NO = rf"no|nope|nah|negative|{_NOT_AT_ALL}"
_TRUTH = r"true|correct|accurate|false|incorrect|inaccurate|untrue|wrong"
_UNSURE = r"unknown|uncertain|unclear|i\s+(?:do\s+not|don[’']?t)\s+know|undetermined|cannot\s+be\s+determined"
# "no" as a determiner answers nothing by itself: "no longer", "no information"
_BARE_NO = (
    r"no(?!\s+(?:longer|one\s+knows|doubt|matter|idea|clue|information|data|knowledge|answer|sufficient|reliable|"
    r"available))"
)
_ANY = rf"not\s+(?:{_TRUTH})|{_NOT_AT_ALL}|{_YES}|nope|nah|negative|{_BARE_NO}|{_TRUTH}|{_UNSURE}"
_WORD = rf"(?P<word>{_ANY})\b(?![-’'][a-z])"
_STRICT_END = r"(?=[\"'”’*_)}\]\s]{0,12}(?:$|[,.;:!—–\n]|-\s))"
_OPEN = r"[\s*_#>\"'“‘(\[`~=:-]{0,12}"
_LEAD_IN = (
    r"(?:(?:well|so|ok|okay|hmm+|sure|sorry|thus|hence|therefore|actually|wait|in\s+fact|finally|overall|"
    r"in\s+(?:conclusion|summary|short)|to\s+(?:conclude|summari[sz]e)|as\s+such|correction|consequently|"
    r"(?:i\s+(?:think|believe|would\s+say|'d\s+say)(?:\s+that)?)|probably|most\s+likely|likely|"
    r"(?:my\s+|the\s+)?(?:final\s+|short\s+)?(?:answer|response)(?:\s+is)?|a\d*)\b\s*[,.:—–-]*\s*){0,3}"
)
_CONCLUDING = (
    r"(?:so|thus|hence|therefore|consequently|finally|overall|as\s+such|"
    r"in\s+(?:conclusion|summary|short)|to\s+(?:conclude|summari[sz]e|sum\s+up)|(?:so\s+)?all\s+in\s+all|all\s+told|summing\s+up|"
    r"taken\s+together|long\s+story\s+short)"
)

LEADING = re.compile(
    rf"{_OPEN}{_LEAD_IN}{_OPEN}(?:(?P<so>i\s+(?P<dont>do\s+not\s+|don[’']?t\s+)?(?:think|believe)\s+so)\b|"
    rf"(?=(?:yes|no|yeah|nope|yep|yup|nah)\b|(?:{_YES}|{_NO}|not\s+(?:{_TRUTH})|{_TRUTH}|{_UNSURE}){_STRICT_END}){_WORD}(?P<andno>\s+and\s+no\b)?)",
    re.IGNORECASE,
)
"""An answer in first place; words like "true" or "indeed" only with punctuation after them."""

CONCLUSION = re.compile(rf"{_OPEN}{_CONCLUDING}\b[\s,:]*{_OPEN}{_LEAD_IN}{_OPEN}{_WORD}{_STRICT_END}", re.IGNORECASE)
FOREIGN = re.compile(
    rf"{_OPEN}(?:oui|non|s[íì]|si|ja|nein|nej|nee|sim|não|tak|nie|ano|ne|igen|nem|evet|hayır|ναι|όχι|да|нет|так|ні|نعم|"
    rf"لا|כן|לא|हाँ|नहीं|はい|いいえ|是的?|不是?|否|네|아니(?:요|오))(?!\w)",
    re.IGNORECASE,
)
"""Yes or no in another language at the start: flagged, never guessed."""

SENTENCE = re.compile(rf"{_OPEN}{_LEAD_IN}{_OPEN}{_WORD}{_STRICT_END}", re.IGNORECASE)

AFTER_HEDGE = re.compile(
    rf"\bbut,?\s+(?:i(?:\s+would|[’']d)?\s+(?:think|believe|say|guess|lean\s+towards?)\s+)?(?P<word>yes|no)\b{_STRICT_END}",
    re.IGNORECASE,
)
"""A hedge that still answers: "not sure, but yes"."""

LABELLED = re.compile(
    r"\b(?:answer|conclusion|verdict|judge?ment)\b[\"'*_]*(?:\s+(?:to\s+(?:the|this|your)\s+(?:\w+\s+)?question|here|"
    r"is|would\s+be|must\s+be|should\s+be|has\s+to\s+be|remains|therefore|thus|then|clearly|simply|indeed|still|"
    r"definitely|a|clear|firm|resounding)){0,5}\s*[:=–-]?"
    rf"[\s*_\"'“‘(\[`$]{{0,8}}(?:\\boxed\{{)?(?:\\text\{{)?{_WORD}",
    re.IGNORECASE,
)

BOLD = re.compile(r"(?:\*\*|__)\s*(?P<word>yes|no|true|false)\b[.,!:]?\s*(?:\*\*|__)", re.IGNORECASE)

_JUDGED = (
    r"(?:true|correct|accurate|right|false|incorrect|inaccurate|untrue|wrong|mistaken|the\s+case|not\s+the\s+case)"
)
JUDGEMENT = re.compile(
    r"(?<!while )(?<!although )(?<!though )"
    r"\b(?:it|this|that|you|the\s+(?:\w+\s+)?(?:statement|claim|assertion|proposition|sentence|premise))\b"
    r"[^.!?;\n]{0,240}?(?:\b(?:is|was|are|would\s+be|seems|appears\s+to\s+be)|[’']s|[’']re)"
    r"(?P<word>(?:n[’']t)?(?:\s+(?:therefore|thus|indeed|actually|also|simply|clearly|factually|historically|quite|"
    rf"entirely|completely|in\s+fact|not)){{0,3}}\s+[*_\"“]{{0,3}}{_JUDGED})\b[*_\"”]{{0,3}}"
    r"(?P<that>\s+(?:to\s+(?:say|claim|state|assert)\s+)?that\b)?",
    re.IGNORECASE,
)

CORRECTION = re.compile(
    r"\b(?:actually|wait|correction|on\s+second\s+thought|scratch\s+that|i\s+stand\s+corrected|my\s+(?:mistake|error)|"
    r"i\s+(?:made\s+(?:a|an)\s+(?:mistake|error)|was\s+(?:wrong|mistaken))|"
    r"let\s+me\s+(?:correct|re-?check|reconsider|re-?evaluate|rethink|revise)|i\s+(?:must|need\s+to|should|have\s+to)\s+"
    r"(?:correct|revise)|i\s+(?:correct|revise)|apolog(?:y|ies|i[sz]e)|upon\s+(?:reflection|re-?check\w*|closer)|"
    r"re-?considering|looking\s+again|(?:this|my|that|(?:the\s+)?(?:previous|above|earlier|first))\s+answer\s+(?:is|was)\s+(?:incorrect|wrong)|more\s+carefully)\b",
    re.IGNORECASE,
)

CHOICE = re.compile(
    r"\b(?:yes\s*(?:/|\bor\b)\s*no|true\s*(?:/|\bor\b)\s*false|(?:answer|reply|respond)\s+with\s+(?:only\s+)?(?:yes|no|true|false)\s*(?:or|/)\s*(?:yes|no|true|false)(?:\s*[:.])?)",
    re.IGNORECASE,
)

_NOT = (
    r"(?:(?:[’']m|\bam|\bare)\s+not|^not|do(?:es)?\s+not|did\s+not|do(?:es)?n[’']?t|didn[’']?t|am\s+not|is\s+not|"
    r"isn[’']?t|was\s+not|wasn[’']?t|could\s+not|couldn[’']?t|can\s*not|can[’']?t|unable\s+to|not\s+able\s+to|"
    r"have\s+not|haven[’']?t)"
)
SILENCE = re.compile(
    r"\b(?:(?P<refusal>i(?:[’']d|\s+would)\s+(?:rather|prefer)\s+not(?:\s+to)?\s+(?:answer|say|comment|respond)\b|(?:i|we)(?:\s+am|[’']m|\s+are|\s+must|\s+have\s+to|\s+will|\s+would)?(?:\s+(?:sorry|afraid)"
    r"(?:,?\s+but)?(?:\s+(?:i|we))?)?\s+(?:can\s*not|can[’']?t|won[’']?t|will\s+not|unable\s+to|not\s+able\s+to|"
    r"refuse\s+to|decline\s+to|must\s+decline|prefer\s+not\s+to|not\s+comfortable)"
    r"(?:\s+(?:to|provide|give|offer|accurately|definitively|answer(?:ing)?|help|assist|respond|comply|fulfil+|"
    r"discuss|comment|make|any|an|a|the|you|with|on|that|this|your|specific|definitive|direct|accurate))*"
    r"\s+(?:answer|answers|question|questions|request|help|assist|comply|respond|assistance|comment|information)\b)"
    rf"|{_NOT}\s+(?:currently\s+|actually\s+|really\s+|personally\s+)?(?:know|sure|certain|aware|recall|"
    r"(?:have|possess)\s+(?:\w+\s+){0,4}?(?:information|access|knowledge|data|records?|details|answer|capability|ability)|"
    r"(?:find|locate|identify|yield|return|retrieve|search|browse|see)|"
    r"(?:confirm|verify|determine|be\s+(?:determined|verified|confirmed|sure|certain)|say|tell|ascertain)|"
    r"provide|answer|conclude|give|comprehend|access|possible\s+to)\b"
    r"|(?:it|that|this|the\s+answer)\s+(?:is|remains)\s+(?:unclear|unknown|uncertain|possible|impossible\s+to\s+(?:say|know|determine))"
    r"|unsure|(?:is|are)\s+(?:unclear|unknown|uncertain|insufficient)"
    r"|i\s+(?:have|lack|possess)\s+(?:no|insufficient|limited|the|any|enough|sufficient)?\s*(?:\w+\s+){0,2}?(?:information|knowledge|idea|data|clue|way\s+of\s+knowing)"
    r"|(?:is|are)\s+(?:currently\s+)?not\s+(?:known|clear|certain)|no\s+(?:available\s+)?(?:information|records?\s+(?:indicate|suggest|show)|idea|clue|data|sufficient\s+information|reliable\s+information|answer)\b"
    r"|(?:not\s+enough|insufficient)\s+(?:information|data|evidence|knowledge|context)"
    r"|there\s+(?:is|are)\s+(?:not\s+enough|insufficient|no)\s+(?:information|data|enough)"
    r"|(?:need|require)\s+(?:more|additional|further)\s+(?:information|details|context|clarification)"
    r"|(?:please|could\s+you)\s+(?:provide|clarify|specify))",
    re.IGNORECASE,
)
"""Not knowing, and refusing (group `refusal`). A sentence that holds one makes no claim."""

HEDGE = re.compile(
    r"\b(?:possible|possibly|might|may\s+(?:have|be)|could\s+(?:have|be)|would\s+(?:have|need)|perhaps|maybe|unclear|"
    r"(?:un)?likely|(?:un)?common|(?:un)?usual|(?:un)?typical|rare|whether|if\s+any|"
    r"(?:determine|confirm|verify|establish|check|find\s+out|see)\s+if|"
    r"you\s+(?:can|could|may)|i\s+can\s+(?:provide|offer|search|help|try)|i\s+(?:can\s+)?suggest|i\s+recommend)\b",
    re.IGNORECASE,
)

EVER = re.compile(
    r"current(?:ly)?\s+(?:or|and)\s+(?:former|past|previous)|(?:former|past)\s+(?:or|and)\s+current", re.IGNORECASE
)
KNOW = re.compile(r"\bknow\b", re.IGNORECASE)
TURN = re.compile(r"[;,]\s+(?:however|but|though|nevertheless|and(?=\s+according\s+to))\b,?|;", re.IGNORECASE)
OF_THEM = re.compile(r"\b(?:none|neither|both|all|one|some|any)\s+of\s+(?:them|these)\b", re.IGNORECASE)
"""A clause that speaks of what the clause before it names."""

_NEGATION = re.compile(
    r"\b(?:no|not|never|none|nobody|nor|neither|nowhere|nothing|without|cannot|impossible|false|untrue|incorrect)\b|n[’']t\b"
)
_CONTRAST = re.compile(
    r"\b(?:other\s+than|outside|different|elsewhere|someone\s+else|somewhere\s+else|in\s+no\s+year|fail(?:s|ed)?\s+to)\b"
)
_TAG = re.compile(r"is this statement true|is it true|true or false|am i right|please judge the truthfulness[^.?]*")
_STOP = frozenset([
    "a",
    "an",
    "and",
    "any",
    "are",
    "as",
    "at",
    "be",
    "been",
    "by",
    "did",
    "do",
    "does",
    "ever",
    "for",
    "from",
    "had",
    "has",
    "have",
    "he",
    "her",
    "his",
    "how",
    "i",
    "in",
    "is",
    "it",
    "its",
    "of",
    "on",
    "or",
    "she",
    "that",
    "the",
    "their",
    "there",
    "they",
    "this",
    "to",
    "true",
    "was",
    "were",
    "what",
    "when",
    "which",
    "who",
    "whom",
    "whose",
    "will",
    "with",
    "you",
    "your",
    "statement",
    "judge",
    "truthfulness",
    "please",
    "question",
    "know",
    "no",
    "not",
    "never",
    "than",
    "other",
    "year",
    "years",
])
_TOKEN = re.compile(r"\w+")


def polarity(match: re.Match[str]) -> Literal["yes", "no", "dont_know"]:
    """Yes, no or don't know, as the matched `word` says."""
    if match.groupdict().get("so"):
        return "no" if match.group("dont") else "yes"
    word = fold(match.group("word")).replace("’", "'").strip('*_"“ ')
    if re.search(r"unknown|uncertain|unclear|know|determined", word):
        return "dont_know"
    negative = bool(re.match(r"(?:no|nope|nah|negative)\b", word)) + bool(re.search(r"\bnot\b|n't", word))
    negative += bool(re.search(r"\b(?:false|incorrect|inaccurate|untrue|wrong|mistaken)\b", word))
    return "no" if negative % 2 else "yes"


def is_negated(clause: str) -> bool:
    """Whether a clause or question denies: an odd number of negations or contrasts ("other than", "outside")."""
    folded = _TAG.sub(" ", fold(clause).replace("’", "'"))
    return (len(_NEGATION.findall(folded)) + len(_CONTRAST.findall(folded))) % 2 == 1


def _words(text: str) -> set[str]:
    return {token[:6] for token in _TOKEN.findall(fold(text)) if token not in _STOP}


def restates(sentence: str, question: str) -> bool:
    """Whether a sentence speaks of what the question asks: half of its words, or all of its names."""
    asked, said = _words(question), _words(sentence)
    # Two capitals are mostly a country used as an adjective ("US senator"), which an answer may leave out.
    names = {fold(token)[:6] for token in re.findall(r"(?<=[\w,'\"] )[A-Z]\w{2,}", question)} - _STOP
    if not asked:
        return False
    return len(asked & said) >= 0.5 * len(asked) or (len(names) >= 2 and names <= said)
