"""An explicit yes or no in English: the polar word itself, a verdict on the statement, an ellipsis, first person.

`core` reads one at a place where a clause begins, `predicate` one that ends a sentence ("my finding is no"),
`concluded` one after a word of conclusion. What is attributed to others, supposed or taken back is told apart by
`disowned`. Patterns are closed lists in bounded repetition, so that hostile text costs linear time.
"""

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

Sign = Literal["yes", "no"]

YES = r"(?:yes+|yeah?|yea|yep|yup|yessir|aye|uh-huh|mm-?hmm)"
NO = (
    r"(?:no\s+(?:way|sir(?:ee)?|chance|dice|indeed)|no(?:[\s,]{1,3}no(?=[\s,]{0,3}(?:no\b|[.!]|"
    r"$))){0,3}|nope|nah|naw|nay|nuh-uh|uh-uh)"
)
STRICT = (
    r"(?=[\")\]}<]|'(?!\w)|[\s\"')\]}]{0,12}(?:$|[,.;:!?…(\n\[\u2190-\u23ff\u2500-\u27bf\U0001f000-\U0001faff]|[—–-])|"
    r"\s+(?:lol|lmao|haha|tbh|ngl|bro|dude|basically)\b)"
)
"""The end of a clause."""
_LOOSE = (
    rf"(?:{STRICT}|(?=\s+(?:and|but|because|since|as|given|based|according|per|by|from|in|on|with|here|then|though|"
    r"indeed|too|after|about|once|not|at|so|there|under|against|when\s+you|to\s+(?:me|my|(?:any\s+)?(?:scrutiny|examination)|the\s+(?:best|letter|facts))|for\s+(?:the|a|several|two|these|this|that)"
    r"\s+(?:record|\w+\s+)?(?:reasons?|record)?|without|beyond)\b))"
)
"""The end of a predicate: the clause may go on with a reason or a circumstance, not with another noun."""

_ADVERB = (
    r"(?:(?!(?:un)?likely\b|only\b|partly\b|possibly\b)\w{2,20}ly|likely|indeed|in\s+(?:fact|truth|reality|short|sum)|quite|also|thus|hence|then|still|just|very|much|"
    r"well|rather|both|alas|most|more|pretty|all|plain|outright|one\s+hundred\s+percent|100\s?%|of\s+course|"
    r"without\s+(?:a\s+|any\s+)?(?:doubt|question)|beyond\s+(?:a\s+|any\s+)?doubt|no\s+doubt|too|sure|"
    r"for\s+(?:sure|certain)|after\s+all|as\s+(?:it\s+happens|far\s+as\s+i\s+(?:know|can\s+(?:tell|see))|such)|"
    r"on\s+(?:balance|reflection|the\s+(?:whole|evidence|facts))|to\s+my\s+(?:mind|knowledge)|i\s+(?:think|believe|fear)|"
    r"(?:i\s+am|i'm)\s+afraid|therefore|however|again|always|even|in\s+my\s+(?:view|opinion|judge?ment))"
)
_NOT = (
    r"(?:not|never|hardly|scarcely|barely|far\s+from(?:\s+being)?|anything\s+but|by\s+no\s+means|in\s+no\s+way|"
    r"nowhere\s+near|neither|no\s+longer|a\s+long\s+way\s+from)"
)
_AUX = (
    r"(?:may|is|was|are|were|be|been|being|am|has|have|had|does|do|did|can|could|will|would|must|should|shall|ai|ca|wo)"
)
_LINK = (
    r"(?:to|seems?|appears?|looks?|sounds?|proves?|proved|turns?\s+out|turned\s+out|remains?|stands?|comes?\s+out|"
    r"considered|judged|deemed|held|found|called|regarded|rated|counts?|ruled|declared|marked|as|a|an|the|like|"
    r"ends?\s+up|shown|rings?|taken|labell?ed|described|strikes?\s+me)"
)
_STEP = rf"(?:(?:{_AUX}(?:n't|\s*not)?|cannot|{_NOT}|{_ADVERB}|{_LINK}),?\s+)"
VERBAL = rf"(?:(?:'s|'re|'m|'d|'ll|'ve)?,?\s+{_STEP}{{0,9}})"
"""From the end of a subject to its predicate: auxiliaries, adverbs, negations."""

_NEGATIVE = re.compile(rf"\b{_NOT}\b|n't\b|\bcannot\b|\bnot\b", re.IGNORECASE)
_CHECKED = re.compile(r"confirmed|verified|corroborated|certain", re.IGNORECASE)
_LINKED = re.compile(rf"'s\b|'re\b|\b(?:{_AUX}|{_LINK})(?:n't)?\b|cannot", re.IGNORECASE)
_PARTIAL = re.compile(
    r"\b(?:partly|partially|possibly|nearly|almost(?!\s+certainly)|may|might|maybe|perhaps|half|sometimes|often|"
    r"commonly|widely|potentially|conceivably|theoretically|arguably|initially|originally|formerly|only)\b",
    re.IGNORECASE,
)

_GOOD = (
    r"(?P<pos>true|correct|accurate|right|valid|factual|so|the\s+case|spot[\s-]on|bang[\s-]on|dead[\s-]on|supported|"
    r"confirmed|verified|established|prove[nd]|demonstrated|borne\s+out|substantiated|corroborated|well[\s-]founded|"
    r"upheld|sustained|affirmed|affirmative|granted|justified|vindicated|warranted|maintained|accepted|endorsed|allowed|"
    r"fact|truth|reality|truthful|legit(?:imate)?|solid|sound|undeniable|undisputed|indisputable|unquestionable|certain|"
    r"as\s+(?:you|it|the\s+statement|the\s+claim|they)\s+(?:have\s+it|says?|said|puts?\s+it|put\s+it|claims?|describes?|states?|stated|suggests?)|"
    r"as\s+(?:stated|described|claimed|written|said|suggested|put)|on\s+(?:(?:solid|firm|safe)\s+ground|the\s+mark|point|target|the\s+money)|"
    r"consistent\s+with\s+(?:\w+\s+){0,4}(?:facts?|records?|evidence|history|data|knowledge|know)|"
    r"in\s+(?:line|accord(?:ance)?|agreement|keeping|harmony)\s+with\s+(?:\w+\s+){0,4}(?:facts?|records?|evidence|history|data|knowledge|know)|"
    r"made\s+out|how\s+it\s+(?:is|was|went|happened)|what\s+happened|beyond\s+(?:doubt|dispute|question))"
)
_BAD = (
    r"(?P<neg>false|incorrect|inaccurate|untrue|wrong|mistaken|erroneous|unfounded|unsupported|baseless|groundless|bogus|"
    r"myth|mistake|error|in\s+error|misconception|misunderstanding|falsehood|fallacy|fiction|fabrication|nonsense|"
    r"refuted|rejected|disproved|disproven|contradicted|debunked|dismissed|overruled|denied|invalid(?:ated)?|flawed|faulty|"
    r"unsustainable|untenable|negative|ruled\s+out|excluded|impossible|off\s+(?:base|the\s+mark|target)|off|"
    r"at\s+odds\s+with\s+(?:\w+\s+){0,4}(?:facts?|records?|evidence|history|data|know)|contrary\s+to\s+(?:\w+\s+){0,3}(?:facts?|records?|evidence|history)|"
    r"the\s+(?:contrary|opposite|reverse)|otherwise|backwards?|back\s+to\s+front|the\s+other\s+way\s+(?:a?round|about)|"
    r"out\s+of\s+(?:line|step)\s+with\s+(?:\w+\s+){0,4}(?:facts?|records?|evidence|history|data|know)|mixed\s+up|confused|on\s+shaky\s+ground|(?:without|lacking\s+in)\s+(?:any\s+)?(?:foundation|merit|basis|support|substance))"
)
_DOES = (
    r"(?P<pos2>holds?(?:\s+(?:up|good|true|water|together))?|stands?(?:\s+up|\s+firm|\s+as\s+(?:it\s+is|written|stated|is))?|checks?\s+out|adds?\s+up|"
    r"(?:match(?:es)?|fits?|agrees?\s+with|squares?\s+with|tall(?:y|ies)\s+with|lines?\s+up\s+with|accords?\s+with|aligns?\s+with|"
    r"conforms?\s+(?:to|with)|corresponds?\s+(?:to|with)|reflects?|tracks?\s+with)\s+(?:\w+\s+){0,4}(?:facts?|records?|evidence|history|data|know(?:ledge|n)?|reality|sources|timeline|dates)|"
    r"rings?\s+true|tall(?:y|ies)|tracks?|pass(?:es)?(?:\s+muster|\s+the\s+test)?|survives?(?:\s+(?:scrutiny|checking|inspection|examination))?|pans?\s+out|flies|fly|goes?\s+through|wash(?:es)?|bears?\s+up|obtains?|"
    r"got\s+(?:it|that|this)\s+right|(?:has|have)\s+(?:it|that|this)\s+right|got\s+it|"
    r"gets?\s+(?:it|that|this|things|the\s+facts)\s+right|(?:is|are)\s+right)"
    r"|(?P<neg2>fails?(?!\s+to)|falls?\s+(?:apart|flat|short|down)|collapses?|misses\s+the\s+mark|(?:gets?|got|has|have)\s+(?:it|that|this|things|the\s+facts)\s+"
    r"(?:wrong|backwards?|the\s+wrong\s+way\s+round|mixed\s+up)|errs?|crumbles?|misfires?|breaks?\s+down|comes?\s+apart|comes?\s+up\s+(?:short|false)|does\s+not\s+fly|"
    r"(?:contradicts?|conflicts?\s+with|clash(?:es)?\s+with|runs?\s+counter\s+to|flies\s+in\s+the\s+face\s+of|goes\s+against|disagrees\s+with|"
    r"departs\s+from)\s+(?:\w+\s+){0,4}(?:facts?|records?|evidence|history|data|know(?:ledge|n)?|reality|sources|timeline|dates)|"
    r"misstates?|does\s+not\s+compute)"
)
_FAILS = (
    r"(?P<failsto>fails?\s+to\s+(?:hold(?:\s+up)?|stand(?:\s+up)?|check\s+out|add\s+up|match|convince|"
    r"be\s+(?:true|correct)))"
)

NOUN = (
    r"(?:statement|claim|assertion|proposition|sentence|premise|assumption|suggestion|allegation|contention|thesis|"
    r"hypothesis|notion|idea|account|description|supposition|declaration|remark|assertion|quotation|line|"
    r"understanding|recollection|memory|instinct|question|hunch|guess|intuition|information|info|wording|formulation|conjecture|postulate|"
    r"predicate|judge?ment\s+put\s+to\s+me|matter|point)"
)
PREDICATE = rf"(?:{_FAILS}|{_DOES}|(?:{_GOOD}|{_BAD})(?:\s+(?:one|{NOUN}))?)\b{_LOOSE}"
_WHICH = (
    r"(?:the|this|that|your|said|such\s+an?|its)\s+(?:(?:above|given|quoted|following|original|stated|said|whole|entire|"
    r"suggested|proposed|underlying|asked|user's|provided|present|very|first|submitted|posed|foregoing|historical|factual)\s+){0,2}"
)
NAMED = (
    rf"(?:{_WHICH}{NOUN}|{NOUN}|what\s+(?:you|it|the\s+(?:statement|claim|sentence)|is|was|"
    rf"has\s+been)\s+(?:(?:is|was|have|has|just|been)\s+)?(?:say(?:s|ing)?|said|states?|stated|claims?|"
    rf"claimed|asserts?|asserted|describes?|described|asked|put|quoted))"
)
_PRONOUN = r"(?:it|such|this(?:\s+one)?|that(?:\s+(?:one|much|bit))?|you|'?tis)"
_GAP = (
    r"(?P<inner>(?:\s+(?:that|about|of|made|you|in|put|under|as|at|on|to|before|quoted|given|above|"
    r"regarding|concerning)\b|\s*[\"'(“‘:])[^.!?;\n]{0,300}?)?"
)

_EVAL_NAMED = re.compile(rf"(?P<subject>{NAMED}){_GAP}(?P<vp>{VERBAL}){PREDICATE}", re.IGNORECASE)
_EVAL_PRONOUN = re.compile(rf"(?P<subject>{_PRONOUN})(?P<vp>{VERBAL}){PREDICATE}", re.IGNORECASE)
_EVAL_THAT = re.compile(
    rf"(?P<subject>it)(?P<vp>{VERBAL})(?:{_GOOD}|{_BAD})\s+(?:to\s+(?:say|claim|state|assert|suppose|think)\s+)?that\b",
    re.IGNORECASE,
)
_EVAL_BARE = re.compile(
    rf"(?P<vp>(?:(?:{_NOT}|{_ADVERB}|(?:judged|rated|marked|deemed|found|held|ruled|considered|called)(?:\s+(?:to\s+be|as))?|does(?:n't|\s+not)|is(?:n't|\s+not)|was(?:n't|\s+not)|cannot\s+be|can't\s+be|can\s+be|a|the|simply|"
    rf"(?:that|it)\s+being)\s+){{0,4}})(?:{_FAILS}|(?!pass|track)(?:{_DOES})|(?!(?:off|sound|so|certain|otherwise|granted|allowed|fact|right|solid|truth|reality|certain|error|fiction|proved|myth|mistake)\b){_GOOD}|(?!(?:off|otherwise|error|mistake|backwards?|impossible)\b){_BAD})(?:\s+at\s+all)?\b{STRICT}",
    re.IGNORECASE,
)
_BARE_SHORT = re.compile(
    rf"(?:(?P<pos>(?:quite|exactly|precisely|just|very\s+much|decidedly|indubitably|even|\w+ly)\s+so|quite\s+right|right(?:\s+you\s+are)?|"
    rf"so\s+it\s+(?:is|was|did|does|has|seems|appears|would\s+seem)|fact|true\s+(?:enough|story|dat)|"
    rf"indeed|absolutely|definitely|affirmative|positive(?:ly)?|undoubtedly|unquestionably|indisputably|undeniably|assuredly|"
    rf"without\s+(?:a\s+|any\s+)?(?:doubt|question)|no\s+(?:doubt|question)(?:\s+about\s+(?:it|that))?|beyond\s+(?:a\s+|any\s+)?doubt|"
    rf"exactly|precisely|quite|totally|100\s?%|you\s+(?:bet(?:cha)?|got\s+it)|by\s+all\s+means|most\s+(?:certainly|definitely|assuredly)|"
    rf"very\s+much\s+so|sure\s+(?:thing|is|was|did|does|has|enough)|(?:most\s+)?(?:probably|likely)|presumably|apparently|evidently|"
    rf"right\s+on|(?:very|most|highly|quite)\s+likely(?:\s+so)?|(?:there(?:'s|\s+is)\s+)?nothing\s+(?:wrong|false|untrue|incorrect)\s+(?:with|about|in)\s+(?:it|this|that|{NAMED})|bingo|amen|for\s+sure|thumbs?\s+up|in\s+the\s+affirmative|guilty\s+as\s+charged|agreed|granted|"
    rf"(?:(?:it|that)\s+)?(?:looks|seems|appears)\s+(?:that\s+way|so|like\s+it)|i\s+(?:do\s+)?(?:\w+ly\s+)?(?:think|believe|suppose|guess|reckon|gather|"
    rf"should\s+(?:say|think)|would\s+say|presume|imagine)\s+so|it\s+would\s+(?:seem|appear)\s+so|so\s+(?:it\s+is|i\s+(?:believe|understand|gather))|"
    rf"(?:it's\s+|that's\s+|it\s+is\s+|that\s+is\s+)?(?:a\s+)?(?:thumbs\s+up|green\s+light|safe\s+bet|done\s+deal))"
    rf"|(?P<neg>not\s+at\s+all|by\s+no\s+means|in\s+no\s+way(?:,\s+shape,?\s+or\s+form)?|no\s+way|no\s+chance|not\s+in\s+the\s+(?:least|slightest)|not\s+remotely|"
    rf"not\s+even\s+close|not\s+by\s+(?:a\s+long\s+(?:shot|way|chalk)|any\s+(?:means|stretch))|not\s+a\s+chance|not\s+(?:really|quite|exactly|likely|hardly)|"
    rf"far\s+from\s+it|on\s+the\s+contrary|(?:quite|just|exactly)\s+the\s+(?:contrary|opposite|reverse)|anything\s+but|nothing\s+of\s+the\s+(?:sort|kind)|"
    rf"(?:i(?:'m|\s+am)\s+)?'?(?:a?fraid)\s+not|(?:(?:(?:most\s+)?\w+ly|of\s+course|certainly|surely|indeed|alas|sadly|decidedly|better|"
    rf"i\s+(?:think|believe|fear|suppose|guess|should\s+think|hope|trust|would\s+say|say|rather\s+think)|(?:it|that)\s+(?:seems|appears|would\s+(?:seem|appear))|i'd\s+(?:say|think))\s+not)|not\s+so(?:\s+(?:fast|much))?|"
    rf"i\s+(?:really\s+|rather\s+|very\s+much\s+|highly\s+)?(?:do\s+not|don't|wouldn't|would\s+not|shouldn't)\s+(?:\w+ly\s+)?(?:think|believe|say|suppose|reckon)\s+(?:so|that)|i\s+(?:very\s+much\s+|highly\s+|rather\s+|strongly\s+)?doubt\s+(?:it|that)|"
    rf"not\s+(?:that\s+i\s+(?:know|am\s+aware)\s+of|to\s+my\s+knowledge|as\s+far\s+as\s+i\s+(?:know|can\s+tell)|from\s+what\s+i\s+(?:know|can\s+tell|have\s+read)|if\s+[\w\s]{{3,40}})|"
    rf"nothing\s+could\s+be\s+further\s+from\s+the\s+truth|hardly|scarcely|negative|thumbs?\s+down|in\s+the\s+negative|objection|(?:it\s+)?(?:doesn't|does\s+not)\s+(?:look|seem|appear)\s+(?:like\s+it|so|that\s+way)|"
    rf"(?:that\s+)?(?:could|can)(?:n't|not|\s+not)\s+be\s+(?:further\s+from\s+the\s+truth|right|true)|fat\s+chance|wrong|nonsense|hogwash|rubbish|poppycock|balderdash|baloney|bunk|humbug|"
    rf"(?:it\s+is\s+|it's\s+|that\s+is\s+|that's\s+)?a\s+(?:thumbs\s+down|no-go)|ruled\s+out|out\s+of\s+the\s+question|no\s+truth\s+(?:to|in)\s+(?:it|that|this)|"
    rf"there(?:\s+is|'s)\s+no\s+truth\s+(?:to|in)\s+(?:it|(?:that|this|the)(?:\s+{NOUN})?)))(?:{STRICT}|(?=\s+(?:and|but|because|since|as|given|on\s+the)\b))",
    re.IGNORECASE,
)
_SOFT = re.compile(rf"(?:sure(?:ly)?|certainly|of\s+course|naturally|gladly)(?P<not>\s+not)?{STRICT}", re.IGNORECASE)
"""Yes, or the politeness of an assistant: only where nothing else answers."""

_OBJECT = (
    rf"(?:(?:\s+(?:with|to|for|on|of|as|in\s+favou?r\s+of))?\s+(?:it|this\s+one|that\s+one|this|that|you|so|{NAMED}|as\s+much|"
    rf"here|the\s+(?:motion|case)))?"
)
_I = r"(?:(?:i|we)(?:'d|'ll|'m|'ve)?|one|you|this\s+(?:court|panel|reviewer|desk))"
_GUESSED = re.compile(
    rf"if\s+you(?:'d|'ve|\s+had|\s+have|\s+were)?\s+\w+(?:\s+\w+)?\s+[\"']?(?:(?P<yes>{YES})|{NO})[\"']?,?\s+(?:then\s+)?you(?:'re|\s+\w+|'d\s+be)\s+(?:\w+ly\s+)?(?:(?P<good>right|correctly|correct)|wrong|mistaken|incorrect)\b",
    re.IGNORECASE,
)
_IS_IT = re.compile(
    rf"[\"']?(?:(?P<pos>{YES})|(?P<neg>no|nope))[\"']?\s+(?:is|was|must\s+be|would\s+be|has\s+to\s+be)\s+(?:the|my|our)\s+(?:\w+\s+)?(?:answer|reply|response|verdict|conclusion|finding)\b",
    re.IGNORECASE,
)
_REMEMBERED = re.compile(
    rf"(?:you(?:'ve|\s+have)?\s+(?:understood|remembered?|recall(?:ed)?|guessed|read|stated?|have|put)\s+(?:it\s+|this\s+|that\s+)?(?:(?P<pos>correctly|right(?:ly)?|accurately|well)|(?P<neg>wrong(?:ly)?|incorrectly|mixed\s+up|backwards))|"
    rf"(?P<pos2>(?:i|we)\s+(?:can\s+)?(?:see|have|find|know)\s+(?:of\s+)?no\s+reason\s+to\s+(?:doubt|question|dispute|deny)\s+(?:it|this|that|{NAMED})|nothing\s+(?:speaks|tells|argues|stands)\s+against\s+(?:it|this|that|{NAMED}))|"
    rf"(?P<neg2>you(?:'ve|\s+have)?\s+(?:misremember(?:ed)?|misread|misunderstood)|(?:nothing|none\s+of\s+(?:the|this)\s+\w+)\s+(?:supports?|confirms?|backs?)\s+(?:it|this|that|{NAMED})(?:\s+up)?|there(?:'s|\s+is)\s+nothing\s+(?:to\s+(?:it|this|that)|to\s+support\s+(?:it|this|that|{NAMED}))|"
    rf"there(?:'s|\s+is)\s+an?\s+(?:mistake|error)\s+in\s+(?:it|this|that|{NAMED})|{NAMED}\s+contains\s+an?\s+(?:mistake|error)|"
    rf"it\s+would\s+be\s+(?:wrong|incorrect|a\s+mistake|false)\s+to\s+say\s+(?:so|that|this|it)|(?:one|you|i|we)\s+(?:cannot|can't|could\s+not)\s+say\s+that(?=[.!])|not\s+(?:one\s+bit|a\s+bit(?:\s+of\s+it)?|in\s+any\s+way)|i\s+reckon\s+not)){STRICT}",
    re.IGNORECASE,
)
_AGREE = re.compile(
    rf"{_I}(?P<vp>\s+(?:(?:would|will|must|can|do|have\s+to|need\s+to|am\s+(?:going|able|happy|bound|obliged|inclined|forced)\s+to|shall|should|beg\s+to|"
    rf"cannot|can't|don't|do\s+not|couldn't|won't|not|hereby|gladly|may|{_ADVERB}),?\s+){{0,5}})"
    rf"(?:(?P<pos>confirm|affirm|agree|concur|uphold|accept|endorse|sustain|certify|attest|grant|allow|stand\s+(?:by|behind)|side|second|maintain|back|sign\s+off\s+on|go\s+along|subscribe|buy)"
    rf"|(?P<neg>deny|reject|dispute|refute|disagree|dismiss|contradict|contest|rebut|overrule|differ|decline\s+to\s+(?:affirm|accept|confirm|uphold)|object|rule\s+out|throw\s+out|toss\s+out|knock\s+down|shoot\s+down|write\s+off|strike\s+down|take\s+issue|quarrel|set\s+aside|exclude|(?:rule|throw|toss|cross|knock|shoot|write|strike)(?:\s+(?:it|this|that|{NAMED}))\s+(?:out|off|down))){_OBJECT}\b{STRICT}",
    re.IGNORECASE,
)
_HOLD = re.compile(
    rf"(?:{_I}\s+(?:(?:would|will|must|can|do|have\s+to|hereby|am\s+going\s+to|shall|should|{_ADVERB}),?\s+){{0,3}})?"
    rf"(?P<verb>find|hold|rule|judge|deem|consider|call|rate|mark|declare|label|count|reckon|take|believe|think|say|put|file|score|grade|book|chalk|"
    rf"pronounce|rule|log|record|tick|regard|see|treat)\s+(?:that\s+)?(?P<subject>it|this(?:\s+one)?|that|{NAMED})(?P<vp>(?:\s+(?:down|up))?{VERBAL}){PREDICATE}",
    re.IGNORECASE,
)
_SIDES = re.compile(
    rf"(?:{_I}\s+(?:would\s+|must\s+|have\s+to\s+|will\s+)?|(?:my|the|our)\s+(?:finding|verdict|ruling|decision|judge?ment|answer|conclusion|vote|evidence)\s+(?:is|goes|must\s+go|comes?\s+down|falls?|lands?|leans?|points?)?\s*)"
    rf"(?:(?:find|rule|decide|come\s+down|land|side|vote|speak|lean|argue|conclude|answer|reply|respond)s?\s+)?(?:{_ADVERB}\s+)?"
    rf"(?:(?P<pos>(?:in\s+favou?r\s+of|in\s+support\s+of|for)\s+(?:it|this|that|{NAMED})|in\s+(?:the|its)\s+(?:affirmative|favou?r)|affirmatively|positively)|"
    rf"(?P<neg>against\s+(?:it|this|that|{NAMED})|in\s+the\s+negative|negatively)){STRICT}",
    re.IGNORECASE,
)
_SOURCE = (
    r"(?:the\s+|my\s+|all\s+the\s+|history's\s+|these\s+|those\s+|both\s+|available\s+|historical\s+|known\s+|simple\s+|basic\s+|hard\s+){0,4}(?:evidence|facts?|records?|history|data|dates?|numbers|timeline|chronology|sources?|books?|"
    r"archives?|maths?|arithmetic|calendar|map|years|figures|notes|reasoning|knowledge|memory|everything\s+i\s+(?:know|have)|what\s+i\s+know)"
)
_EVIDENCE = re.compile(
    rf"{_SOURCE}(?P<vp>\s+(?:(?:does(?:n't|\s+not)?|do(?:n't|\s+not)?|did(?:n't|\s+not)?|would|cannot|can't|all|{_ADVERB}),?\s+){{0,4}})"
    rf"(?:(?P<pos>(?:supports?|confirms?|backs?|affirms?|corroborates?|agrees?\s+with|agrees?|endorses?|verif(?:y|ies)|proves?|bears?)(?:\s+(?:it|this|that|you|so|{NAMED})){{0,1}}(?:\s+(?:up|out))?|says?\s+(?:so|yes))|"
    rf"(?P<neg>(?:contradicts?|refutes?|disagrees?|disproves?|speaks?\s+against|den(?:y|ies)|rules?\s+out|undermines?|excludes?|rebuts?|forbids?|tells?\s+against)(?:\s+(?:with|it|this|that|you|{NAMED})){{0,2}}(?:\s+out)?|rules?\s+(?:it|that|this)\s+out|says?\s+(?:otherwise|no)|shows?\s+otherwise|"
    rf"tells?\s+(?:another|a\s+different)\s+(?:story|tale)|points?\s+(?:the\s+other\s+way|elsewhere))){STRICT}",
    re.IGNORECASE,
)
_YOU = re.compile(
    rf"you(?:'ve|\s+have|\s+had)?\s+(?:{_ADVERB}\s+)?(?:(?:got|have|had)\s+)?(?:it|that|this|your\s+facts|things)\s+(?:{_ADVERB}\s+)?(?:(?P<pos>right|correct|exactly\s+right|spot\s+on)|(?P<neg>wrong|backwards?|mixed\s+up|the\s+wrong\s+way\s+(?:a?round)|all\s+wrong)){STRICT}",
    re.IGNORECASE,
)
_ELLIPSIS = re.compile(
    rf"(?:(?:indeed|that|so|sure|certainly|and|of\s+course)\s+)?(?P<subject>it|he|she|they|that|this|there|these|those|both|you|we)"
    rf"(?P<vp>(?:\s+(?:{_ADVERB}|never))*?(?:'s|'re|\s+(?:is|was|are|were|did|does|do|has|have|had|could|can|will|would)(?:n't|\s+not)?)(?:,?\s+(?:{_ADVERB}|never|not)){{0,3}}){STRICT}",
    re.IGNORECASE,
)
_FREE = re.compile(
    rf"(?:(?P<pos>{YES}\b(?!\s*[-/]\s*\w|\s+(?:or|votes?|men|man|camp|side|answers?|responses?)\b|'\w))|(?P<neg>{NO}\b(?!\s*[-/'’]\w|\s+or\b)))",
    re.IGNORECASE,
)
BOTH = re.compile(
    rf"(?:both\s+)?(?:yes,?\s+(?:and|but\s+also)\s+no|no,?\s+(?:and|but\s+also)\s+yes)\b{STRICT}", re.IGNORECASE
)
"""Yes and no at once."""
_PRONOUN_AFTER = re.compile(
    r"\s+(?:(?:i|it|he|she|they|that|this|there|you|we|indeed|because|since)\b|(?-i:[A-Z])[^.!?\n]{0,80}?(?:\bnot\b|n't\b|\bnever\b))",
    re.IGNORECASE,
)
_NO_AFTER_LABEL = re.compile(
    rf"{STRICT}|\s+(?:because|since|as|and|but|for|from|it|he|she|they|there|this|that|given|based|here|on|in|at|then|again|without|with|by|to|when|though|too|after|\w+ly)\b|\s+(?-i:[A-Z])",
    re.IGNORECASE,
)
_CONCEDING = re.compile(r"\b(?:while|although|though|if|whether|even)\b[^,;]*$", re.IGNORECASE)
_STRICT = re.compile(STRICT)


class Polar(NamedTuple):
    """An explicit answer.

    Attributes:
        sign: yes or no, as said of what `of` names.
        start: first character of the deciding words.
        end: end of them, exclusive.
        of: "question" (yes, no and their likes), "statement" (true, false …), "ellipsis" (he was, it did not).
        inner: the clause that a verdict is about, if it is named ("the claim that X was born in Y is false").
        weak: a word that may be mere politeness ("Sure!").
        pronoun: a verdict on "it", "this", "that" or on nothing named: only its place tells of what.
    """

    sign: Sign
    start: int
    end: int
    of: Literal["question", "statement", "ellipsis"]
    inner: str = ""
    weak: bool = False
    pronoun: bool = False


def _sign(match: re.Match[str], turned: int = 0) -> Sign:
    found = match.groupdict()
    good = bool(found.get("pos") or found.get("pos2"))
    return "yes" if good != bool(turned % 2) else "no"


def _verdict(match: re.Match[str], *, pronoun: bool) -> Polar | None:
    vp = match.group("vp") or ""
    if (
        _PARTIAL.search(vp)
        and not _NEGATIVE.search(vp)
        and not re.search(r"(?:affirmed|upheld|accepted|sustained|granted)\W*$", match.group())
    ):
        return None
    said = match.groupdict()
    inner = (said.get("inner") or "").strip()
    if not re.match(r"that\b|[\"'(“‘:]", inner):
        inner = ""
    linked = (
        "tis" in (said.get("subject") or "").lower()
        or _LINKED.search(vp)
        or said.get("pos2")
        or said.get("neg2")
        or said.get("failsto")
    )
    if not linked and (pronoun or " " in (said.get("subject") or "")) and "subject" in said and "verb" not in said:
        return None
    turned = len(_NEGATIVE.findall(vp))
    if turned % 2 and said.get("pos") and _CHECKED.match(said["pos"]):
        return None  # "cannot be confirmed": that is not knowing
    group = next(name for name in ("pos", "neg", "pos2", "neg2", "failsto") if said.get(name))
    denial = _NEGATIVE.search(vp)
    start = match.start("vp") + denial.start() if denial else match.start(group)
    return Polar(_sign(match, turned), start, match.end(group), "statement", inner, pronoun=pronoun)


def free(text: str, start: int, end: int) -> Polar | None:
    """A yes or no that stands at `start` as a word of its own: no determiner ("no record"), no compound."""
    match = _FREE.match(text, start, end)
    if not match:
        return None
    closed = _STRICT.match(text, match.end(), end)
    if not closed and match.group("neg") and not _PRONOUN_AFTER.match(text, match.end(), end):
        return None
    return Polar(_sign(match), match.start(), match.end(), "question")


def core(text: str, start: int, end: int) -> Polar | None:
    """The explicit answer that begins at `start`, a place where a clause begins."""
    if match := _GUESSED.match(text, start, end):
        good = bool(match.group("yes")) == bool(match.group("good"))
        return Polar("yes" if good else "no", start, match.end(), "question")
    if match := _IS_IT.match(text, start, end):
        return Polar(_sign(match), start, match.end(), "question")
    if found := free(text, start, end):
        return found
    if match := _REMEMBERED.match(text, start, end):
        return Polar(_sign(match), start, match.end(), "statement", pronoun=True)
    if match := _SOFT.match(text, start, end):
        return Polar("no" if match.group("not") else "yes", start, match.end(), "question", weak=not match.group("not"))
    if match := _EVAL_THAT.match(text, start, end):
        found = _verdict(match, pronoun=False)
        return found and found._replace(inner=text[match.end() : end].strip() or "-")
    if match := _BARE_SHORT.match(text, start, end):
        return Polar(_sign(match), start, match.end(), "question")
    for pattern in (_EVAL_NAMED, _HOLD):
        if match := pattern.match(text, start, end):
            return _verdict(match, pronoun=pattern is _HOLD and len(match.group("subject")) < 9)
    for pattern in (_EVAL_PRONOUN, _EVAL_BARE):
        if match := pattern.match(text, start, end):
            return _verdict(match, pronoun=True)
    if match := _AGREE.match(text, start, end):
        turned = len(_NEGATIVE.findall(match.group("vp")))
        if turned and match.group("pos") in ("confirm", "attest", "certify"):
            return None
        return Polar(_sign(match, turned), start, match.end(), "statement", pronoun=True)
    for pattern in (_SIDES, _YOU):
        if match := pattern.match(text, start, end):
            return Polar(_sign(match), start, match.end(), "statement", pronoun=True)
    if match := _EVIDENCE.match(text, start, end):
        return Polar(
            _sign(match, len(_NEGATIVE.findall(match.group("vp")))), start, match.end(), "statement", pronoun=True
        )
    if match := _ELLIPSIS.match(text, start, end):
        turned = len(_NEGATIVE.findall(match.group("vp")))
        return Polar("no" if turned % 2 else "yes", start, match.end(), "ellipsis", inner=match.group(), pronoun=True)
    return None


_TENDING = re.compile(
    r"\b(?:in\s+(?:the|its)\s+(?P<a>affirmative|negative|positive)|answered\s+(?:\w+ly\s+)?(?P<b>affirmatively|negatively|positively)|"
    r"(?:an?|the|my|with|one)\s+(?:\w+\s+){0,2}?(?P<c>affirmative|positive|negative)\s+(?:answer|reply|response|conclusion|verdict|finding|result|assessment|ruling|decision|one)|"
    r"(?:answer|reply|response|conclusion|verdict|finding|result|assessment|ruling|decision)\s+(?:(?:is|must\s+be|comes?\s+out|turns?\s+out|has\s+to\s+be|should\s+be|would\s+be|to\s+be)\s+)+(?:an?\s+|the\s+)?(?:\w+ly\s+)?(?P<d>affirmative|positive|negative))\b",
    re.IGNORECASE,
)


def tending(text: str) -> Polar | None:
    """An answer by its name anywhere in a sentence: "to be answered in the negative", "calls for a positive answer"."""
    if not (match := _TENDING.search(text)):
        return None
    good = not next(filter(None, match.groups())).lower().startswith("neg")
    turned = len(_NEGATIVE.findall(text, max(0, match.start() - 60), match.start())) % 2
    return Polar("yes" if good != bool(turned) else "no", match.start(), match.end(), "question")


def answer_word(text: str, start: int) -> Polar | None:
    """A yes or no behind a label, perhaps with an adverb ("absolutely not")."""
    end = len(text)
    match = _FREE.match(text, start, end)
    if match and (match.group("pos") or _NO_AFTER_LABEL.match(text, match.end(), end)):
        return Polar(_sign(match), match.start(), match.end(), "question")
    if match := _BARE_SHORT.match(text, start, end):
        return Polar(_sign(match), start, match.end(), "question")
    if match := _EVAL_BARE.match(text, start, end):
        found = _verdict(match, pronoun=True)
        return found and found._replace(of="question")
    return None


def verdicts(text: str) -> Iterator[Polar]:
    """Verdicts on a named statement anywhere in a sentence ("…, so the claim is false")."""
    for match in _EVAL_NAMED.finditer(text):
        if not _CONCEDING.search(text, 0, match.start()) and (found := _verdict(match, pronoun=False)):
            yield found
    for match in _EVAL_THAT.finditer(text):
        if not _CONCEDING.search(text, 0, match.start()) and (found := _verdict(match, pronoun=False)):
            yield found._replace(inner=text[match.end() :].strip() or "-")
