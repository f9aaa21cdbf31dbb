"""What a sentence that names nothing says of the claim: assent, dissent, and whatever turns them round, multiplied.

It reads what no pattern of `polar` foresees ("nobody seriously disputes this", "those who deny it are mistaken", "it
would be wrong to deny it"): every clause that is asserted counts its words of assent and dissent and its negations, and
all clauses have to agree. Concessions and what others think count nothing; doubt, tasks and alternatives make it void.
"""

import re
from typing import Literal

from halluvault_tasks.oracles.silence import SILENCE

_END = (
    r"(?=[\"')\]]*\s*(?:$|[,.;:!…]|[—–-])|\s+(?:and|but|because|since|as|given|based|according|by|from|in|on|with|here|then|though|indeed|too|after|about|at|so|"
    r"there|for|that|to|all|one|of|lol|basically|again|now|today|this|claim|statement|story|account|assertion|fact|facts|version|answer|information|info|belief|idea)\b)"
)
_ADJECTIVE = (
    r"(?:true|correct|right|accurate|factual|legit(?:imate)?|authentic|genuine|real|sound|proven|confirmed|verified|established|well[\s-]founded|"
    r"undisputed|indisputable|uncontested|uncontroversial|incontrovertible|attested|spot\s+on|the\s+real\s+deal|conclusive(?=\s+in\s+favou?r)|in\s+agreement|trustworthy|reliable|vindicated|consistent\s+with\s+(?:it|this|the\s+\w+))"
)
_ADVERSE = (
    r"(?:false|untrue|wrong|wrongly\s+so|incorrect|inaccurate|mistaken|in\s+error|fake|phon(?:e)?y|bogus|apocryphal|fictional|fictitious|fabricated|invented|imaginary|made[\s-]up|"
    r"discredited|debunked|busted|disproved|disproven|refuted|rejected|inconsistent\s+with\s+(?:it|this|the\s+\w+)|unfounded|baseless|spurious|erroneous|imagining(?=\s+(?:it|things))|misinformed|misled)"
)
_FOR = re.compile(
    rf"\b(?:(?:{_ADJECTIVE}){_END}|(?:is|are|'s|isn't|n't|not|was|be|been|quite|just|indeed|deny(?:ing)?\s+that\s+this\s+is)\s+(?:so|the\s+case){_END}|"
    r"(?:a|an|the|this|as|is|simple|plain|historical|\w+ed|no|any|bit\s+of|shred\s+of|grain\s+of|ounce\s+of|word\s+of|iota\s+of|basis\s+in|some|in)\s+(?:fact|truth)(?![\w-])|"
    r"(?:supports?|supported|supporting|confirms?|confirm(?:ing|ed)|validates?|validated|attests?|backs?|backing|agrees?\s+with|endorses?|accepts?|affirms?|affirming|corroborates?|vouch(?:es)?\s+for|upholds?|bears?\s+out|verif(?:y|ies)|believes?|repeats?|cites?|trusts?|rely\s+on|credit)"
    r"(?=\s+(?:it|this|that|you|so|as\s+(?:much|fact)|what\s+you|(?:the|your|our)\s+(?:claim|statement|story|idea|account|assertion|view)))|"
    r"nailed\s+it|(?:leg|ground)\s+to\s+stand\s+on|(?:for\s+)?the\s+affirmative(?=\s+(?:takes|wins|has|carries)|\W*$)|a\s+tick|the\s+tick(?=\s+(?:stays|stands))|(?:holds?|stands?|withstands?|survives?|checks?\s+out|adds?\s+up|passes|(?<=not )pass|(?<=can )pass)(?=\s*(?:$|[,.;:!]|up\b|(?:the|every|any|all)\s+(?:test|scrutiny|examination|check))|\s+(?:true|good|firm|water|scrutiny))|"  # noqa: E501
    r"(?:it|that|this)\s+(?:\w+ly\s+)?(?:did\s+)?happen(?:ed|s)?\b|(?:(?:did|does)(?:n't|\s+not)|never)\s+(?:\w+ly\s+)?happen(?:ed)?\b|"
    r"in\s+favou?r\s+of\s+(?:it|this|that|the\s+(?:claim|statement|assertion))|on\s+the\s+side\s+of\s+(?:it|the\s+(?:claim|statement))|(?:is|be|clearly|fact)\s+yes(?=\W*$)|^\W*(?:and\s+|so\s+|at\s+)?yes(?=\W*$)|arrive\s+at\s+yes(?=\W*$)|"
    r"(?:heard|read|remember(?:ed)?|recall(?:ed)?|guess(?:ed)?|understood|surmise[d]?|informed)\s+(?:it\s+)?(?:correctly|rightly|right|well|accurately)|(?:well|correctly|rightly)\s+(?:remembered|spotted|guessed|said|recalled|observed|informed))",
    re.IGNORECASE,
)
_AGAINST = re.compile(
    rf"\b(?:(?:dismissed|rejected|debunked|disputed|condemned|refuted|discredited|struck\s+off)\s+as\s+(?:an?\s+)?\w+|myth\s+busted|(?:{_ADVERSE}){_END}|(?:mis-?(?:heard|read|remember(?:ed)?|understood|informed|recall(?:ed)?))\b|(?:heard|read|remember(?:ed)?|recall(?:ed)?|guess(?:ed)?)\s+(?:it\s+)?(?:wrong(?:ly)?|incorrectly)|"
    r"(?:(?:urban|old\s+wives'?)\s+)?(?:myth|legend|misconception|hoax|tall\s+tale|fairy[\s-]?tale|wives'?\s+tale|fiction|fabrication|falsehood|canard|mistake|fallacy|invention|rumou?r|error)(?![\w-])|"
    r"(?:den(?:y|ies|ied|ying)|disput(?:e|es|ed|ing)|doubt(?:s|ed|ing)?|reject(?:s|ed|ing)?|contradict(?:s|ed|ing)?|refut(?:e|es|ed|ing)|disprov(?:e|es|ed|ing)|disagrees?|debunks?|question(?:s|ed)|challeng(?:e|es|ed)|contest(?:s|ed)?|dismiss(?:es|ed)?|rebuts?)\b|"
    r"(?:fails|falls|sinks|collapses|crumbles|founders)(?!\s+to\b)|fault\b|(?:the\s+)?(?:contrary|opposite|reverse)(?:\s+(?:is|was|holds)(?:\s+(?:true|the\s+case|so|right|correct|established|proven|shown|known)\b)?)?|otherwise\b|"
    r"against\s+(?:it|this|that|the\s+(?:claim|statement|assertion))|(?:is|be|clearly|fact)\s+no(?=\W*$)|(?<![\w ])no(?=\W*$)|correct\s+you\b|invalidates?|arrive\s+at\s+no(?=\W*$)|(?:a\s+)?cross(?=\s+(?:next|stays|stands|beside))|struck\s+out|that's\s+a\s+miss|wide\s+of\s+the\s+mark|(?:for\s+)?the\s+negative(?=\s+(?:takes|wins|has|carries)|\W*$)|lose\s+(?:that|this|the)\s+bet|pull(?:ed|ing)\s+your\s+leg|no\s+cigar|pants\s+on\s+fire|(?:is|'s|thats)\s+cap\b|(?:is|'s)\s+bs\b|no\s+such\s+thing|(?:is|'s)\s+(?:rubbish|nonsense|garbage|hogwash|baloney|bunk))",  # noqa: E501
    re.IGNORECASE,
)
_DENIAL = re.compile(
    r"\W*(?:(?:and|so)\s+)?(?:no|never(?:\s+ever)?|(?:almost\s+|very\s+|quite\s+)?\w+ly\s+not|not\s+(?:according\s+to|by|per)\s+(?:the|any)\s.*|not\s+this\s+time)\W*$",
    re.IGNORECASE,
)
_QUOTED = re.compile(
    r"\b(?:put|goes?|mark|marked|wrote|writes?|note|result|tick|which\s+is|is|file|label|box)\b[^\"']{0,40}[\"'](?:(?P<pos>true|yes|correct|confirmed|right)|(?P<neg>false|no|not\s+(?:true|correct)|incorrect|wrong|untrue))[\"']",
    re.IGNORECASE,
)
"""A verdict written down."""
_TURNS = re.compile(
    r"\b(?:not|never|nobody|none|nothing|cannot|no\s+one|no|nowhere|neither|hardly|scarcely|barely|lack(?:s|ing)?|devoid\s+of|isnt|wasnt|didnt|aint)\b|n't\b",
    re.IGNORECASE,
)
_NEUTRAL = re.compile(
    r"\b(?:no\s+doubt(?:\s+about\s+(?:it|that|this))?|without\s+(?:an?\s+|any\s+)?(?!foundation|merit|basis|support|truth)\w+(?:\s+of\s+an?\s+\w+)?|beyond\s+(?:\w+\s+){0,2}(?:doubt|dispute|question)|100\s?(?:%|percent)(?=\s)|right\s+to\s+(?:be|ask|wonder|check|worry|hesitate)(?:\s+\w+)?|if\s+(?:i|we|you)\s+(?:may|will|check|look|ask)\b[^,]*,|not\s+(?:only|just|merely|simply)|all\s+right|right\s+(?:away|now|here|off)|no\s+matter|in\s+(?:fact|truth)|as\s+a\s+matter\s+of\s+fact|"
    r"(?:the|this|that|these|those|such)\s+(?:\w+\s+){0,3}?(?:myth|legend|rumou?r|belief|misconception|fact|truth|tale|hoax)s?(?=\s+(?:(?:is|are|was|were|happens?|turns?|proves?|has|does|do|also|really|actually|therefore|in\s+(?:fact|this))\b))|in\s+error|the\s+(?:plain|simple)\s+truth\s+is)",
    re.IGNORECASE,
)
_UNDER_NO = re.compile(
    r"\b(?:anything\s+but|(?:far|a\s+long\s+way)\s+from|zero\s+percent|nowhere\s+near|0\s?%)(?=\s)|\b(?:under|in)\s+no\s+(?:circumstances?|sense|way)|by\s+no\s+means|not\s+in\s+any\s+(?:sense|way)",
    re.I,
)
_VOID = re.compile(
    r"\b(?:whether|if|unless|may(?!\s+(?:\w+\s+)?(?:be\s+(?:regarded|taken|cited|accepted|affirmed|marked|considered|treated|closed)|rest|safely|cite|repeat|rely))|maybe|might|perhaps|possibly|partly|partially|half|sometimes|or|depends?|determine|verify|check(?!s\s+out)|checking|following|must\s+be\s+(?:checked|shown)|find\s+out|"
    r"mostly|almost(?!\s+certainly)|nearly|question\s+(?:is|of)|could(?!\s+(?:hardly|not)|n't)|unlikely|used\s+to|once|formerly|originally|earlier|previously|first|i\s+said|i\s+(?:wrote|thought)|previous)\b",
    re.IGNORECASE,
)
_TASK = re.compile(
    r"\b(?:let|let's|lets|examine|consider|explain|below|asks?|asked|asking|steps?|needs?|wants?|see|look(?:ing)?|help|please|try|above|my)\b",
    re.IGNORECASE,
)
"""A clause with one of these sets about something."""
_CONCEDED = re.compile(
    r"(?:^|(?<=[,;:—–]))\W*(?:so\s+|and\s+|but\s+|hence\s+)?(?:although|though|while|whereas|even\s+(?:if|though|allowing)|despite|in\s+spite\s+of|notwithstanding|contrary\s+to|whatever|regardless\s+of|no\s+matter)\b[^,;:]*[,;:]|"
    r",?\s+(?:even\s+(?:if|though|when)|although|though|despite|whatever|regardless\s+of|no\s+matter|contrary\s+to)\s[^,;:.]*",
    re.IGNORECASE,
)
_TURNING = re.compile(r"[,;]?\s*\b(?:but|yet|however|nevertheless|nonetheless)\b,?\s+", re.IGNORECASE)
_ATTRIBUTED = re.compile(
    r"\b(?:many|some|most|people|others|they|you(?:\s+(?:might|may|could|would))?|one\s+(?:might|may|could|would)|(?:anyone|everyone|everybody|folks)(?!\s+who\b)|often|commonly|popularly|widely|frequently|widespread)\s+(?:\w+\s+){0,2}?"
    r"(?:think|thinks|believe[sd]?|says?|said|saying|claims?|call|insist|tells?|assume|expect|hear|suppose|repeat(?:ed)?|hold|has\s+it|believed)\b",
    re.IGNORECASE,
)
_CLAUSES = re.compile(r"[,;:—–]\s*|\s-+\s|\s+(?:and|so|because|since|which)\s+", re.IGNORECASE)
_LONGEST = 40
"""Words of a sentence that is read."""


def gist(sentence: str) -> Literal["yes", "no"] | None:
    """Whether a sentence that names nothing assents or dissents; None where it is doubtful or says neither.

    Args:
        sentence: one sentence without markup, typographic signs made plain.
    """
    if len(sentence.split()) > _LONGEST or sentence.rstrip().endswith((":", "?")) or SILENCE.search(sentence):
        return None
    text = _UNDER_NO.sub("not", _NEUTRAL.sub(" ", sentence))
    text = _CONCEDED.sub(" ", text)
    parts = _TURNING.split(text)
    signs: set[int] = set()
    for number, part in enumerate(parts):
        read = {sign for clause in _CLAUSES.split(part) if (sign := _sign(clause))}
        if number and read:
            signs = read  # what stands behind "but" is what is meant
        else:
            signs |= read
    if len(signs) != 1 or _VOID.search(text):
        return None
    return "yes" if signs == {1} else "no"


def _sign(clause: str) -> int:
    """1 for assent, -1 for dissent, 0 for neither."""
    if _ATTRIBUTED.search(clause):
        return 0
    if quoted := _QUOTED.search(clause):
        return 1 if quoted["pos"] else -1
    if _TASK.search(clause):
        return 0
    against = len(_AGAINST.findall(clause))
    rest = _AGAINST.sub(" ", clause)
    if _DENIAL.match(clause):
        return -1
    if not against and not _FOR.search(rest):
        return 0
    return -1 if (against + len(_TURNS.findall(rest))) % 2 else 1
