"""The wordings around an answer in English: openings, labels, corrections, doubt, and the negation of a clause.

Patterns have no nested unbounded repetition, so that hostile text costs linear time.
"""

import re

from halluvault_tasks.wikidata.names import fold

_FILLER = (
    r"anyway|lol|tbh|ngl|fr|bro|dude|strictly\s+speaking|technically|you\s+bet(?=\s+it)|why|well|so|ok(?:ay)?|hm+|ah+|oh|um+|uh|er+m?|alas|sadly|unfortunately|regrettably|happily|fortunately|luckily|sorry|apologies|"
    r"honestly|frankly|truthfully|truly|hey|hi|hello|right|alright|all\s+right|now|look|listen|see|you\s+see|ha(?:ha)?|wow|gosh|"
    r"my|dear\s+me|goodness|thus|hence|therefore|ergo|actually|in\s+(?:fact|truth|reality|the\s+end|essence|effect|other\s+words|a\s+word|"
    r"a\s+nutshell|all\s+honesty|all|all\s+likelihood|conclusion|summary|short|brief|sum|total|closing|my\s+(?:view|opinion|judge?ment|book|estimation))|"
    r"as\s+a\s+(?:matter\s+of\s+fact|result)|finally|lastly|overall|ultimately|at\s+the\s+end\s+of\s+the\s+day|"
    r"(?:to\s+)?(?:conclude|summari[sz]e|sum\s+(?:it\s+)?up|recap|wrap\s+up|be\s+(?:clear|precise|exact|fair|honest|brief|sure|blunt|frank|specific)|"
    r"cut\s+a\s+long\s+story\s+short|put\s+it\s+(?:simply|plainly|bluntly|briefly|another\s+way|differently)|answer\s+(?:your\s+question|directly|briefly|this|that|the\s+question)|get\s+to\s+the\s+point|start\s+with\s+the\s+answer)|"
    r"short\s+answer|quick\s+answer|simply\s+put|put\s+(?:simply|plainly|bluntly|briefly|another\s+way|differently)|in\s+(?:plain|simple)\s+(?:terms|words|english)|briefly|plainly|bluntly|simply|"
    r"as\s+such|consequently|accordingly|clearly|obviously|evidently|apparently|certainly|surely|definitely|then|once\s+(?:more|again)|again|and|but|or\s+rather|rather|"
    r"probably|(?:most|very)\s+likely|likely|presumably|naturally|of\s+course|for\s+the\s+record|on\s+balance|on\s+reflection|all\s+things\s+considered|all\s+told|all\s+in\s+all|"
    r"by\s+all\s+accounts|(?:as\s+far\s+as|from\s+what|so\s+far\s+as)\s+i\s+(?:know|can\s+(?:tell|see|say)|am\s+aware|remember|recall)|to\s+(?:the\s+best\s+of\s+)?my\s+knowledge|"
    r"if\s+(?:i\s+(?:remember|recall)\s+(?:correctly|rightly|right|well)|memory\s+serves(?:\s+me)?|i\s+am\s+not\s+mistaken|i'm\s+not\s+mistaken)|"
    r"(?:i|we)\s+(?:(?:would|must|can|will|do|should|have\s+to|'d|could|may)\s+){0,2}(?:\w+ly\s+)?(?:think|believe|say|reckon|suppose|guess|gather|fear|confirm|know|see|feel|answer|conclude|respond|reply|state|report|maintain|hold|find|rule|infer|judge|venture|tell\s+you|submit|declare)(?:\s+that)?|"
    r"(?:i(?:'d|'m|\s+am)\s+(?:\w+ly\s+|pretty\s+|quite\s+|very\s+)?|pretty\s+|fairly\s+|quite\s+)(?:(?:confident|certain|sure|afraid|convinced|satisfied|positive|inclined\s+to\s+(?:say|think)|happy\s+to\s+(?:say|report)|sorry\s+to\s+(?:say|report)|going\s+to\s+(?:say|go\s+with)|say|answer|think|argue)(?:\s+that)?)|"
    r"(?:which|this|that|it)\s+(?:means|shows|implies|suggests|follows|tells\s+me|makes\s+it\s+clear|settles\s+it)(?:\s+that)?|it\s+follows\s+that|(?:it|one)\s+(?:must|can|may|should|has\s+to)\s+(?:be\s+)?sa(?:id|y)\s+that|i\s+am\s+of\s+the\s+opinion\s+that|"
    r"(?:my\s+|the\s+|our\s+)?(?:final\s+|short\s+|honest\s+|quick\s+|direct\s+|simple\s+|full\s+)?(?:answer|response|reply|verdict|conclusion)(?:\s+(?:is|would\s+be|must\s+be))?(?:\s+that)?|"
    r"(?:my\s+)?(?:friend|dear|dear\s+reader|reader|folks|sir|madam|ma'am|mate|buddy|everyone|all|my\s+friend)|"
    r"(?:what\s+an?\s+|that's\s+an?\s+|that\s+is\s+an?\s+)?(?:\w+\s+)?question|thanks\s+for\s+(?:asking|the\s+question)|good\s+one|let(?:'s|\s+me|\s+us)\s+(?:see|think|check|be\s+clear)|"
    r"wait|correction|bottom\s+line|short\s+version|long\s+story\s+short|tl;?\s?dr|in\s+brief|a\d*|ans|here\s+goes|there\s+you\s+(?:go|have\s+it)|case\s+closed|q\.?\s?e\.?\s?d\b|wrapping\s+(?:\w+\s+)?up|(?:everything|all\s+things)\s+considered|(?:my\s+)?(?:last|final)\s+word|end\s+result|"
    r"quick\s+take|my\s+take|on\s+this\s+(?:one|point)|here|for\s+what\s+it's\s+worth|spoiler|spoiler\s+alert|believe\s+it\s+or\s+not|surprisingly|interestingly|as\s+it\s+(?:happens|turns\s+out)|it\s+turns\s+out\s+that"
)
OPEN = re.compile(r"[\s→⇒∴✅❌✔✖✗\"'“‘(\[~=:>.,;!…–—-]{0,12}")
FILLER = re.compile(rf"(?:{_FILLER})\b(?!')[\s,.:;!…–—\"'“‘(\[>=-]{{1,12}}", re.IGNORECASE)
"""Interjections, forms of address and adverbials before an answer."""

CONCLUDING = re.compile(
    r"^\W{0,8}(?:and\s+|but\s+)?(?:so|thus|hence|therefore|ergo|consequently|accordingly|finally|lastly|overall|ultimately|as\s+such|final|finally|then|which\s+(?:means|makes|leaves)|that\s+(?:means|makes|leaves|settles)|this\s+(?:means|makes|leaves)|"
    r"in\s+(?:conclusion|summary|short|sum|brief|the\s+end|closing|total|a\s+word|a\s+nutshell|light\s+of\b[^,]{0,40},)|to\s+(?:conclude|summari[sz]e|sum\s+(?:it\s+)?up|wrap\s+up|close|recap)|(?:so\s+)?all\s+in\s+all|all\s+told|summing\s+up|"
    r"taken\s+together|long\s+story\s+short|on\s+balance|bottom\s+line|at\s+the\s+end\s+of\s+the\s+day|it\s+follows|case\s+closed|q\.?\s?e\.?\s?d\b|wrapping\s+(?:\w+\s+)?up|(?:everything|all\s+things)\s+considered|(?:my\s+)?(?:last|final)\s+word|end\s+result|"
    r"for\s+(?:these|those|that|this|all\s+these|all\s+those)\s+reasons?|(?:on|given|from|based\s+on|considering|with)\s+(?:all\s+)?(?:this|that|these|those)\b[^,]{0,40},|upshot|verdict|conclusion|result|to\s+answer|"
    r"i\s+(?:therefore\s+|thus\s+|hence\s+)?(?:conclude|close|end|finish|rest)|=+>|→|⇒|∴)(?![a-z])"
    r"|\b(?:therefore|thus|hence|then|accordingly|consequently|in\s+conclusion|after\s+all|overall)\b[^\w]{0,3}(?=\W*$|,)|\bi\s+(?:say|answer|vote|go\s+with|stick\s+with|stand\s+by|settle\s+(?:on|for))\b|\b(?:is|was|are)\s+(?:therefore|thus|hence|then|accordingly|consequently)\b",
    re.IGNORECASE,
)
"""A sentence that draws the sum of what stood before it."""

LABEL = re.compile(
    r"(?:^|[\s\"'{(\[|<*_#>])(?:answer|ans|verdict|conclusion|finding|ruling|judge?ment|decision|determination|response|reply|bottom\s+line|tl;?\s?dr|short\s+version|in\s+short|"
    r"final\s+(?:answer|verdict|word|result|call|ruling|finding|decision|judge?ment|conclusion|response)|final|assessment|evaluation|outcome|opinion|call|vote|truth(?:\s*value|fulness)?|veracity|validity|accuracy|accurate|correctness|upshot|takeaway|take|result|status|"
    r"(?:statement|claim|is|question)[_\s]?(?:is[_\s])?(?:true|correct|holds|valid|status)|is[_\s]?(?:true|correct)|fact[\s-]?check|rating|(?:claim|statement|proposition)(?=[\s*]{0,3}[:=])|short\s+answer)"
    r"[\"”*_]{0,4}(?:'(?!s\b))?(?:(?:'s\b(?=\s))|\s+(?:to\s+(?:the|this|your|that|it|all\s+that)(?:\s+\w+)?(?:\s+question)?|here|is|'s|was|would\s+be|must\s+be|should\s+be|(?:has|have|got|need)s?\s+to\s+be|would\s+have\s+to\s+be|(?:can|could)\s+only\s+be|will\s+be|'d\s+be|remains|stays|stands|therefore|thus|then|clearly|simply|indeed|still|"
    r"definitely|obviously|again|of\s+course|at|on\s+(?:this|that|the\s+\w+)|in\s+(?:one\s+word|short|this\s+case)|therefore|once\s+more|,|\(?(?:final|short|yes/no)\)?|a|an|as|clear|firm|resounding|definite|flat|simple|plain|hard|emphatic|that\s+of)\b,?|,\s*(?:then|therefore|thus|in\s+short|of\s+course|clearly|again|simply)\s*,?){0,6}"
    r"\s{0,3}(?:[:=–—|>→⇒-]{1,3})?[\s*_\"'“‘(\[`$>|#✅❌✔✖✗]{0,8}(?:\\boxed\{)?(?:\\text(?:bf)?\{)?",
    re.IGNORECASE,
)
"""What announces an answer; the answer stands at its end."""

ONE_WORD = re.compile(
    r"(?P<word>(?P<silent>unknown|unproven|unverified|unconfirmed|unsubstantiated|unrated|undecided|unresolved|mixed|undetermined|uncertain|unclear|inconclusive|indeterminate|cannot\s+be\s+(?:determined|known|settled)|i\s+(?:do\s+not|don't)\s+know|n/a)|"
    r"(?:definitely|certainly|clearly|most\s+\w+|\w+ly|a|an|not\s+(?:the\s+)?)?\s*(?:(?P<pos>true|correct|accurate|affirmative|affirmed|confirmed|supported|verified|established|positive|proven|upheld|valid|right|sustained)|"
    r"(?P<neg>false|incorrect|inaccurate|untrue|wrong|negative|rejected|refuted|denied|disproved|disproven|dismissed|unsupported|overruled|invalid|mistaken)))\b(?![-'’]\w)(?=[\s\"')\]}*_]{0,8}(?:$|\s{2}|[,.;:!(\n|<\u2190-\u23ff\u2500-\u27bf]|[—–-]|\s(?:because|since|as|and|but|given|based)\b))",
    re.IGNORECASE,
)
"""What may stand behind a label beside yes and no."""

BUT = re.compile(r"[,;]\s+(?:but|yet)\b|\bhowever\b", re.IGNORECASE)
"""What stands before it is conceded."""

UNANSWERED = re.compile(
    r"\b(?:(?:i|we)\s+(?:just\s+|simply\s+|really\s+|honestly\s+)?(?:don't|do\s+not|can't|cannot|can\s+not|could\s+not|couldn't)\s+(?:just\s+|simply\s+|really\s+)?(?:know|tell|say|decide|answer)"
    r"(?=\s*(?:[.!;]|$)|\s+(?:the\s+answer|which|who)\b|\s+(?:it|this|that)\s*(?:[.!,]|$|under\b))|(?:not|n't|nor)\s+(?:be\s+)?(?:able|allowed|permitted|going|willing)\s+to\s+(?:answer|help|discuss|talk|comment|respond|say)|not\s+(?:answering|saying|discussing)\b|"
    r"(?:a|either|with)\s+(?:a\s+)?yes\s+or\s+(?:a\s+)?no\b|could\s+be\s+(?:yes|true|either)\b|(?:maybe|perhaps)\s+(?:yes|so),?\s+(?:maybe|perhaps)|off[\s-]limits)",
    re.IGNORECASE,
)
"""A yes or no that only leads up to not answering: "No, sorry, I just don't know"."""

DETERMINER = re.compile(
    r"\s+(?:longer|one|doubt|matter|idea|clue|information|info|data|knowledge|answer|sufficient|reliable|available|record|evidence|more|less|fewer|"
    r"other|such|clear|known|definite|definitive|comment|way|conclusion|verdict|simple|single|source|documentation|mention|indication|reason|problem|worries|need)\b",
    re.IGNORECASE,
)
"""After "no": it answers nothing by itself."""

OTHERS = re.compile(
    r"\b(?:if|unless|suppose|supposing|assuming|imagine|whether|some|many|most\s+people|people|others|one\s+(?:might|may|could|would)|you\s+(?:might|may|could|would)\s+(?:have\s+)?(?:\w+ly\s+)?(?:think|thought|say(?!\s+(?:that|so)\b\W)|said|(?<!say)expect\w*|assume\w*|believe\w*|guess\w*|suppose\w*|answer\w*)|"
    r"my\s+(?:first|initial|earlier|previous|old|draft|gut)\b|draft|at\s+first|first\s+thought|used\s+to|once\s+(?:thought|said|believed|told|held|wrote)|i\s+(?:nearly|almost)|nearly\s+said|almost\s+said|tempted|would\s+have|had\s+(?:written|said|thought|put|noted|believed|it\s+that)|"
    r"it\s+has\s+been|it\s+is\s+(?:often|sometimes|commonly|widely)|often|sometimes|commonly|myth|misconception|rumou?r|legend\s+has|they\s+say|hearsay|although|though|while|whereas|even\s+if|"
    r"struck|strike|crossed|scratch|deleted|edit|withdrawn?|retract(?:ed)?|previously|formerly|earlier\s+i|someone|somebody|anyone|who)\b",
    re.IGNORECASE,
)
"""Before a yes, no or verdict: it is supposed, somebody else's or taken back."""

RETRACTING = re.compile(
    r"\b(?:wait|w?hoops|oops|ignore|scratch|strike|sorry|hold\s+on|hang\s+on|my\s+(?:mistake|error|bad)|mistake|misspoke|wrong|incorrect|untrue|false|mistaken|not\s+(?:right|true|so|correct|the\s+case)|"
    r"isn't\s+(?:right|true|so|correct|it)|wasn't\s+(?:right|true|so|correct|it)|take\s+(?:that|it)\s+back|rather|correct(?:ing|ed)?\s+(?:myself|that)|cross\s+that|forget\s+that|ignore\s+that|error|slip|confus\w+|mix(?:ed|ing)|"
    r"withdraw|retract|misremember\w*|disregard|undo|delete|on\s+second\s+thoughts?)\b",
    re.IGNORECASE,
)
"""In a sentence with "no": it takes back the statement before it rather than answering."""

CORRECTION = re.compile(
    r"\b(?:actually|wait|correction|on\s+second\s+thought|scratch\s+that|i\s+stand\s+corrected|my\s+(?:mistake|error)|"
    r"i\s+(?:made\s+(?:a|an)\s+(?:mistake|error)|was\s+(?:wrong|mistaken))|"
    r"let\s+me\s+(?:correct|re-?check|reconsider|re-?evaluate|rethink|revise)|i\s+(?:must|need\s+to|should|have\s+to)\s+"
    r"(?:correct|revise)|i\s+(?:correct|revise|change\s+my|take\s+(?:that|it)\s+back)|apolog(?:y|ies|i[sz]e)|upon\s+(?:reflection|re-?check\w*|closer)|"
    r"re-?considering|looking\s+again|(?:this|my|that|(?:the\s+)?(?:previous|above|earlier|first))\s+answer\s+(?:is|was)\s+(?:incorrect|wrong)|more\s+carefully)\b",
    re.IGNORECASE,
)

AFTER_HEDGE = re.compile(
    r"\bbut,?\s+(?:i(?:\s+would|[’']d)?\s+(?:think|believe|say|guess|lean\s+towards?)\s+)?(?P<word>yes|no)\b"
    r"(?=[\"'”’*_)}\]\s]{0,12}(?:$|[,.;:!—–\n]|-\s))",
    re.IGNORECASE,
)
"""A hedge that still answers: "not sure, but yes"."""

BOLD = re.compile(
    r"(?:\*{1,3}|__|`|<(?:b|strong|em)>)\s*(?P<word>(?P<pos>yes|true|correct)|(?P<neg>no|nope|false|incorrect|not\s+true|untrue))\b[.,!:]?\s*(?:\*{1,3}|__|`|</(?:b|strong|em)>)",
    re.IGNORECASE,
)
EMOJI = re.compile(r"(?P<pos>[✅☑✔👍🙆🟢💯👌])|(?P<neg>[❌✖✗✘👎🚫⛔🙅🔴🛑❎])")

DISOWNING = re.compile(
    r"\b(?:told\s+me|heard|tell\s+you|(?:people|many|some|others|sources?|legend|one|they|he|she|someone|somebody)\s+(?:\w+\s+)?(?:says?|said|claims?|believes?|believed|thinks?|thought|holds?|write|wrote|asserts?|assert)|"
    r"error|mistake|myth|misconception|rumou?r|in\s+my\s+head|about\s+to\s+(?:write|say)|(?:i|we)\s+(?:\w+\s+)?(?:first|once|initially|nearly|almost|used\s+to|long|originally|had|previously|noted|wrote|assumed|believed|thought|supposed|guessed)|"
    r"draft|initially|originally|tempting|tempted|has\s+been\s+(?:said|claimed|suggested|argued|put)|it\s+is\s+(?:often|sometimes|commonly|widely)|alleged\w*|supposed(?:ly)?)\b",
    re.IGNORECASE,
)
"""A statement that is not the text's own: "wrong" after it takes back that one."""

PARTING = re.compile(
    r"\b(?:let\s+me\s+know|hope\s+(?:this|that|it)|feel\s+free|happy\s+to|glad\s+to|anything\s+else|any\s+(?:other|more|further)\s+questions?|ask\s+away|cheers|thanks|thank\s+you|"
    r"have\s+a\s+(?:great|nice|good|lovely)|good\s+luck|best\s+wishes|see\s+you|stay\s+curious|welcome|regards|sources?:|enjoy|take\s+care|that's\s+all|that\s+is\s+all|the\s+end)\b",
    re.IGNORECASE,
)
"""A closing courtesy."""

SIGNS = re.compile(
    r"(?:[\U0001f300-\U0001f44c\U0001f450-\U0001f64f\U0001f680-\U0001faff\u2600-\u26ff\u2728\u2b50\u2764](?<![✅☑✔👍🙆🟢💯👌❌✖✗✘👎🚫⛔🙅🔴🛑❎])[\ufe0f\u200d]?)+"
)
"""Signs that decorate and say neither yes nor no."""

INTRODUCING = re.compile(
    r"\b(?:here|below|following|facts?|grounds?|reasons?|because|notes?|evidence|points?|steps?|thinking|walk|list|basis|supports?|"
    r"relevant|explanation|details?|background|why|how|found|gathered|known|considered|used|sources?|summary|reasoning|context|know)\b",
    re.IGNORECASE,
)
"""Before a colon: an argument begins, and the opening is over."""

UNSAYING = re.compile(
    r"\b(?:scratch\s+that|strike\s+that|my\s+(?:mistake|error|bad)|misspoke|take\s+(?:that|it)\s+back|i\s+was\s+(?:wrong|mistaken)|deleted?|withdraw\w*|retract\w*|"
    r"no,?\s+wait|mixed\s+(?:that|this|it|things)\s+up|a\s+(?:slip|lapse)\s+(?:of|on)|mixing|mixed\s+(?:that|it|up)|ignore\s+that|forget\s+that|disregard)\b",
    re.IGNORECASE,
)
"""It takes back a statement of the text's own."""

FOREIGN = re.compile(
    r"[\s*_#>\"'“‘(\[`~=:-]{0,12}(?:oui|non|s[íì]|si|ja|nein|nej|nee|sim|não|tak|nie|ano|ne|igen|nem|evet|hayır|ναι|όχι|да|нет|так|ні|نعم|"
    r"لا|כן|לא|हाँ|नहीं|はい|いいえ|是的?|不是?|否|네|아니(?:요|오))(?!\w)",
    re.IGNORECASE,
)
"""Yes or no in another language at the start: flagged, never guessed."""

CHOICE = re.compile(
    r"\b(?:yes\s*(?:/|\bor\b)\s*no|true\s*(?:/|\bor\b)\s*false|(?:answer|reply|respond)\s+with\s+(?:only\s+)?(?:yes|no|true|false)\s*(?:or|/)\s*(?:yes|no|true|false)(?:\s*[:.])?)",
    re.IGNORECASE,
)

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
EVEN_SO = re.compile(
    r"\b(?:however|but|nevertheless|nonetheless|still|that\s+said|according\s+to|based\s+on)\b", re.IGNORECASE
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


def is_negated(clause: str) -> bool:
    """Whether a clause or question denies: an odd number of negations or contrasts ("other than", "outside")."""
    folded = _TAG.sub(" ", fold(clause).replace("’", "'"))
    return (len(_NEGATION.findall(folded)) + len(_CONTRAST.findall(folded))) % 2 == 1


def is_framed(question: str) -> bool:
    """Whether a question asks of a statement if it is true, so that "it is" and "it is not" speak of that."""
    return bool(_TAG.search(fold(question)))


def words_of(text: str) -> set[str]:
    """The telling words of a text, cut to six letters."""
    return {token[:6] for token in _TOKEN.findall(fold(text)) if token not in _STOP}


def names_of(text: str) -> set[str]:
    """Words with a capital inside a text, cut to six letters.

    Two capitals are mostly a country used as an adjective ("US senator"), which an answer may leave out.
    """
    return {fold(token)[:6] for token in re.findall(r"(?<=[^\w.?!])[A-Z]\w{2,}", text)} - _STOP


_NUMBER = re.compile(r"\d[\d.,]*(?<![.,])")
_YEAR_AFTER = re.compile(r", the (?:year|month|day) (?:after|before) [^,.;”\"]{1,30}")


def numbers_of(text: str) -> set[str]:
    """The numbers in a text."""
    return set(_NUMBER.findall(_YEAR_AFTER.sub("", text)))


_ANAPHOR = re.compile(
    r"\b(?:he|she|it|they|there|them|him|her|such|this|that|these|those|none|neither|no|any|both|such)\b", re.IGNORECASE
)


def _stands_for(name: str, sentence: str) -> bool:
    """Whether a name is an acronym in the question and written out here, or part of one written short here."""
    initials = "".join(token[0] for token in re.findall(r"\b[A-Z]\w*", sentence)).casefold()
    return name in initials or any(name[0] in short.casefold() for short in re.findall(r"\b[A-Z]{2,6}\b", sentence))


def restates(sentence: str, question: str) -> bool:
    """Whether a sentence speaks of what the question asks: half of its words, or all of its names.

    A sentence that leaves out a number, or all but the names, says something else: that X was founded in 1900 is
    not yet an answer to whether it was founded before 1950.
    """
    asked, said = words_of(question), words_of(sentence)
    if not asked or not numbers_of(question) <= numbers_of(sentence):
        return False
    names = names_of(question)
    telling = {word for word in asked - names if not word.isdigit()}
    if telling and not telling & said:
        return False
    missing = {name for name in names - said if not _stands_for(name, sentence)}
    if missing and not _ANAPHOR.search(sentence):
        return False
    return len(asked & said) >= 0.5 * len(asked) or (len(names) >= 2 and names <= said)
