"""Patterns of `stances`: frames in which a clause is somebody else's, taken back, doubted or asserted."""

import re

_I = re.IGNORECASE

NUMBERED = re.compile(
    r"[\s*(–—-]*(?:(?:(?:key\s+|main\s+|first\s+|second\s+|third\s+|next\s+|knowledge\s+|supporting\s+|"
    r"relevant\s+)?(?:point|fact|step|item|note|premise|reason|entry|line|observation|detail|evidence|"
    r"remark|finding|argument|reality|truth|in\s+reality|part|clue|ground|basis)(?:\s*(?:no\.?\s*|#)?(?:\d{1,3}|"
    r"[ivx]{1,4}|[a-h]))?|#\d{1,3}|first(?:ly)?|second(?:ly)?|third(?:ly)?|lastly|finally)"
    r"\s*[*\s]*(?::|\)|\.(?=\s)|\s[–—-])[\s*]*)+",
    _I,
)
"""A label in front that only numbers or names the sentence."""

_SAID = (
    r"(?:sa(?:y|ys|id)|claim(?:s|ed)?|state[sd]?|stating|saying|claiming|think(?:s)?|thought|thinking|"
    r"believe[sd]?|believing|"
    r"assum(?:e|es|ed|ing)|suppose[sd]?|wr(?:ite|ites|ote|itten|iting)|read|hear[ds]?|t(?:ell|ells|old)|tell|"
    r"assert(?:s|ed)?|"
    r"maintain(?:s|ed)?|h(?:old|olds|eld)|argue[sd]?|suggest(?:s|ed)?|report(?:s|ed)?|allege[sd]?|guess(?:ed)?|"
    r"imagin(?:e|es|ed)|"
    r"suspect(?:s|ed)?|reckon(?:s|ed)?|figure[sd]?|insist(?:s|ed)?|contend(?:s|ed)?|sw(?:ear|ears|ore)|repeat(?:s|ed)?|"
    r"conclude[sd]?|expect(?:s|ed)?|(?:mis)?remember(?:s|ed)?|recall(?:ed)?|typed?|answer(?:ed)?|repl(?:y|ied)|"
    r"quote[sd]?|put|ha(?:s|ve|d)\s+it|propose[sd]?|speculate[sd]?|pretend(?:s|ed)?|mistake|mistook|"
    r"confuse[sd]?|conflate[sd]?|"
    r"list(?:s|ed)?|give[sn]?|gave|jot(?:ted)?\s+down|note[sd]?\s+down|not(?:e|ed)|propos(?:e|ed)|entertain(?:ed)?)"
)
_ADVERB = (
    r"(?:\s+(?:also|once|long|always|first|initially|originally|at\s+first|previously|earlier|still|often|sometimes|"
    r"commonly|frequently|widely|wrongly|falsely|mistakenly|erroneously|incorrectly|occasionally|popularly|"
    r"generally|even|just|"
    r"nearly|almost|briefly|only|really|honestly|simply|already|actually|myself|instead|for\s+(?:a\s+)?(?:long|"
    r"years|while|time|moment)"
    r"(?:\s+time)?|then|may|might|would|will|can|could|must|did|do|does|have|has|had|having|been|be|be\s+heard|"
    r"like\s+to|"
    r"used\s+to|tend(?:s|ed)?\s+to|want(?:s|ed)?\s+to|tempted\s+to|about\s+to|going\s+to|"
    r"confidently|casually|carelessly|hastily|too\s+quickly|sloppily)){0,4}"
)
_WHO = (
    r"(?:(?:some|many|most|several|few|a\s+few|certain|other|lots\s+of|plenty\s+of|a\s+(?:lot|number)\s+of|"
    r"various|older|popular|"
    r"numerous|countless|too\s+many|careless|hasty|online|early|outdated|unreliable)"
    r"(?:\s+(?:\w+\s+){0,2}?(?:people|sources?|websites?|sites?|pages?|writers?|texts?|accounts?|books?|"
    r"readers?|folks?|users?|authors?|"
    r"fans?|critics?|scholars?|historians?|biographers?|reports?|articles?|posts?|stories|students?|quizzes|"
    r"lists?|databases?|"
    r"versions?|commentators?|visitors?|of\s+(?:you|them|us)))?|"
    r"people|folks?|others|critics|sceptics|skeptics|one|you|they|somebody|someone|anyone|nobody|"
    r"(?:a|an|the|my|your)\s+(?:\w+\s+){0,2}?(?:friend|teacher|neighbou?r|colleague|reader|uncle|guide|legend|"
    r"rumou?r|tale|story|"
    r"internet|web|forum|blog|post|draft|notes?|memory|instinct|gut|impression|guess|thought|version|answer|"
    r"reply|assumption|"
    r"hunch|recollection|view|belief|opinion|take|reasoning|attempt|sketch|hypothesis|idea|entry|line|"
    r"inclination|reaction)|"
    r"(?:urban\s+)?legend|rumou?rs?|hearsay|gossip|folklore|tradition|conventional\s+wisdom|popular\s+(?:belief|"
    r"opinion|wisdom|"
    r"memory|culture|imagination)|common\s+(?:belief|knowledge\s+once)|word)"
)
_NOUN = (
    r"(?:idea|claim|belief|notion|view|assumption|assertion|statement|suggestion|story|legend|myth|rumou?r|"
    r"theory|thought|opinion|"
    r"impression|misconception|allegation|contention|tale|line|report|proposition|hypothesis|supposition|remark)"
)
_LINK = (
    r"(?:\s*,[^,;.]{1,40},)?(?:\s+(?:to\s+(?:you|me|us)|me|us|you|down))?(?:\s*[,:])?"
    r"(?:\s+(?:here\s+)?that\b|\s+as\s+if\b)?"
)

VOID = re.compile(
    r"(?:(?<=^)|(?<=[;.:(–—] )|(?<=, )|(?<=\bbut )|(?<=\bthough )|(?<=\bwhile )|(?<=\bwhilst )|(?<=\balthough )|"
    r"(?<=\bwhat )|(?<=\band ))"
    r"(?:[\s\"“(]*(?:well|oh|ah|hm+|so|edit|update|note|correction|erratum|earlier|initially|at\s+first|"
    r"originally|previously|once|"
    r"yes|and|but|now|while|although|though|granted|true|sure|admittedly|for\s+(?:years|a\s+(?:moment|while|"
    r"long\s+time))|"
    r"in\s+(?:an?|my|the)\s+(?:\w+\s+){0,2}(?:draft|version|answer|reply|note|notes|attempt))\b\s*[:,–—-]*\s*){0,3}"
    r"(?:"
    # a former self
    r"(?:i|we)" + r"(?:[’']d|[’']ve|\s+had|\s+have)?"
    r"(?:\s+(?:once|long|always|initially|originally|at\s+first|first|previously|earlier|nearly|almost|wrongly|"
    r"falsely|mistakenly|"
    r"erroneously|briefly|for\s+(?:years|a\s+(?:moment|while|long\s+time)|some\s+time|long)|also|even|just|"
    r"simply|only|honestly|"
    r"really|myself|used\s+to|was\s+(?:about|going|tempted|inclined|ready|set)\s+to|am\s+tempted\s+to|"
    r"wanted\s+to|started\s+to|"
    r"began\s+to|could\s+have|might\s+have|would\s+have|may\s+have|must\s+have|might|could|would|did|wrongly|"
    r"carelessly|hastily|too|incorrectly|once)){0,4}"
    r"\s+(?:thought|believed|assumed|supposed|said|claimed|stated|wrote|written|read|heard|guessed|imagined|"
    r"suspected|figured|"
    r"reckoned|told(?:\s+you)?|was\s+told|have\s+been\s+told|was\s+taught|was\s+convinced|was\s+(?:quite\s+|"
    r"fairly\s+)?(?:sure|certain)|was\s+under\s+the\s+(?:\w+\s+)?impression|"
    r"typed|answered|replied|misremembered|misread|mistook|confused|concluded|expected|put|listed|gave|jotted("
    r"?:\s+down)?|"
    r"had\s+(?:in\s+mind|it)|noted\s+down|wondered|toyed\s+with|considered|(?<=to\s)(?:say|think|believe|assume|"
    r"write|claim|state|suppose|answer|reply)|"
    r"(?<=almost\s)(?:say|write)|(?<=would\s)(?:think|assume|guess)|(?<=did\s)(?:say|write|think|believe))"
    + _LINK
    + r"|"
    r"(?:i|we)(?:\s+(?:hereby|now|must|have\s+to|should|will|would|do|also|formally|therefore|want\s+to|"
    r"need\s+to|wish\s+to|am\s+going\s+to)){0,3}\s+"
    r"(?:withdraw|retract|recant|reject|dismiss|dispute|disown|disavow|delete|strike|cross\s+out|take\s+back|"
    r"abandon|drop|discard|scrap|"
    r"renounce|revoke|no\s+longer\s+(?:think|believe|hold|maintain|claim|say)|(?:do\s+not|don[’']t|cannot|"
    r"can[’']t)\s+(?:claim|maintain|accept|stand\s+by)|am\s+not\s+(?:saying|claiming)|"
    r"was\s+(?:wrong|mistaken|in\s+error|incorrect)\s+(?:to\s+(?:say|think|claim|believe|write|state|assume)|("
    r"?:in|when)\s+\w+(?:\s+\w+)?)|"
    r"(?:erred|misspoke|slipped(?:\s+up)?)\s+(?:in|when|by)\s+\w+(?:\s+\w+)?|should\s+not\s+have\s+\w+|"
    r"shouldn[’']t\s+have\s+\w+)"
    r"(?:\s+(?:my|the|this|that|what|earlier|first|initial|previous|original|i|had|said|wrote|old|own|"
    r"above)){0,4}(?:\s+" + _NOUN + r")?" + _LINK + r"|"
    r"(?:it|this)(?:[’']s|\s+is|\s+was)?\s*(?:n[’']t|not)\s+(?:that|as\s+(?:if|though)|because)\b|not\s+that\b|"
    # others
     + _WHO + _ADVERB + r"\s+" + _SAID + _LINK + r"|"
    r"(?:it|this|that)(?:[’']s|\s+(?:is|was|has|had|would|may|might|could|can|used\s+to|will))(?:\s+(?:but|be|"
    r"been|once|often|sometimes|commonly|"
    r"widely|frequently|long|also|popularly|occasionally|wrongly|falsely|mistakenly|erroneously|incorrectly|"
    r"generally|formerly|still|even|"
    r"previously|at\s+times|in\s+places|at\s+one\s+time|for\s+years)){0,4}\s+"
    r"(?:claimed|said|believed|thought|asserted|assumed|alleged|argued|suggested|put\s+(?:to\s+(?:me|us)|about|"
    r"forward|around)|rumou?red|reported|written|held|supposed|"
    r"maintained|told|repeated|mooted|speculated|imagined|proposed|hinted)" + _LINK + r"|"
    r"it\s+(?:is|was|would\s+be|might\s+be|may\s+be)\s+(?:very\s+|quite\s+|all\s+too\s+|so\s+)?(?:tempting|easy|"
    r"natural|common|usual|customary|understandable)\s+"
    r"(?:(?:for\s+\w+\s+)?to\s+)?(?:\w+ly\s+)?(?:think|say|assume|believe|suppose|claim|conclude|imagine|guess|"
    r"hear|read)" + _LINK + r"|"
    r"(?:there(?:[’']s|\s+(?:is|was|exists?|has\s+been))|(?:you|one)\s+(?:may|might|will|can|could)?\s*("
    r"?:sometimes\s+|often\s+)?(?:hear|come\s+across|meet|encounter|find|read|see))\s+(?:an?|the|this)\s+"
    r"(?:\w+(?:-\w+)?\s+){0,3}?"
    + _NOUN
    + r"(?:\s+(?:around|about|going\s+around|floating\s+around|online|out\s+there))?(?:\s+that\b|\s*:)|"
    r"(?:(?:a|the|one|another)\s+)?(?:very\s+|rather\s+)?(?:common|popular|widespread|frequent|typical|"
    r"frequently\s+made|classic|persistent|usual|easy|old|well[- ]worn|tempting)\s+"
    r"(?:\w+\s+){0,2}?(?:misconception|mistake|error|belief|myth|slip|confusion|misunderstanding|fallacy|claim|"
    r"rumou?r|assumption|notion)\s*"
    r"(?:(?:is|was|has\s+it|would\s+be|holds|says|goes)\b\s*(?::|to\s+(?:say|think|believe|assume|claim|write|"
    r"suppose)\b)?(?:\s+that\b)?|:)|"
    r"(?:my|the)\s+(?:\w+\s+){0,3}?" + _NOUN + r"\s+(?:was|had\s+been)(?:\s+that\b|\s*:)"
    r")",
    _I,
)
"""Openings of a clause that is another's or a former self's."""

ENDORSED = re.compile(
    r"\b(?:rightly|correctly|justly|truthfully|accurately|with\s+(?:good\s+)?reason|"
    r"and\s+(?:they|he|she|it|that|this|you)(?:\s+(?:are|is|was|were)|[’']re|[’']s)\s+(?:quite\s+|"
    r"absolutely\s+)?(?:right|true|correct|so)|"
    r"which\s+is\s+(?:quite\s+|indeed\s+|perfectly\s+)?(?:true|right|correct|so)|and\s+i\s+agree|truly)\b",
    _I,
)

CONTRARY = re.compile(
    r"[\s\"“(]*(?:rather\s+than|instead\s+of|as\s+opposed\s+to|far\s+from\s+being)\b[^,;.]{1,80},(?=\s)|"
    r"[\s\"“(]*(?:contrary\s+to|despite|in\s+spite\s+of|unlike|against|as\s+opposed\s+to|notwithstanding|"
    r"never\s+mind)\s+"
    r"(?:(?:what|the|a|an|all|any|some|many|most|certain|popular|common|widespread|frequent|persistent|"
    r"occasional|older|earlier|my|oft-repeated|often|repeated|general)\s+){0,4}"
    r"(?:belief|beliefs|opinion|claims?|rumou?rs?|reports?|assertions?|notions?|ideas?|legends?|stories|story|"
    r"myths?|suggestions?|views?|"
    r"assumptions?|expectations?|impressions?|wisdom|misconceptions?|people|sources|you|one|folks|critics)\b"
    r"(?:.*,(?=\s)|[^,]{0,200}?(?:[;:–—]))",
    _I | re.DOTALL,
)
"""Up to the last comma: what stands behind it is asserted."""

NOTION = re.compile(
    r"(?:(?:(?<!\w)(?:the|any|this|that|my|an?|every|such\s+an?|all)\s+|^[\s\"“(]*(?!\w+\s+\w+\s*:))(?:\w+("
    r"?:-\w+)?\s+){0,4}?" + _NOUN + r"s?\s*(?:\([^)]{0,40}\)\s*)?(?:,\s*[^,]{0,40},\s*)?"
    r"(?:that|according\s+to\s+which|whereby|:)\s|^[\s\"“(]*that\s(?=[A-Z\d“\"]))(?P<said>.{3,400})"
    r"(?P<judged>(?:\b(?:is|was|are|were|has|have|had|would|cannot|can|does|do|must|should|turns?|turned|proved|"
    r"proves|rests|stems|comes|belongs|remains|"
    r"lacks|i|we|fails|falls)\b|[,;–—]\s*(?:is|was|which)\b)[^,;]{0,90})$",
    _I | re.DOTALL,
)
"""A clause made a noun, with what is said of it at the end of the sentence: "the idea that … is wrong"."""

UNTRUE = re.compile(
    r"(?:is|are|must\s+be|has\s+to\s+be|cannot\s+be|can[’']t\s+be)(?:\s+(?:therefore|thus|hence|so|then|simply|"
    r"clearly|plainly|in\s+fact|actually|indeed|quite|also|just|factually|entirely|completely)){0,3}\s+"
    r"(?:false|incorrect|wrong|untrue|inaccurate|mistaken|not\s+(?:true|correct|right|accurate|the\s+case|so)|("
    r"?<=not\sbe\s)(?:true|correct|right|accurate)|(?<=t\sbe\s)(?:true|correct|right))\W*",
    _I,
)
FALSE = re.compile(
    r"\b(?:wrong(?:ly|ful)?|false(?:ly|hood)?|incorrect(?:ly)?|untrue|inaccurate|mistaken(?:ly)?|mistakes?|"
    r"errors?|erroneous(?:ly)?|erred|myths?|"
    r"misconceptions?|fallac(?:y|ies|ious)|nonsense|rubbish|bogus|fiction|fictitious|invented|invention|"
    r"fabricat\w+|confus\w+|mix(?:ed)?(?:ing)?[- ]?up|mixed|slips?|slipped|"
    r"misremember\w*|misread\w*|misspoke|misspeak|misinform\w*|mis-?stat\w+|misle(?:d|ading)|debunk\w*|"
    r"disprove[nds]?|refuted?|discredited|reject(?:ed|s)?|withdraw[ns]?|withdrew|"
    r"retract(?:ed|s|ion)?|recant(?:ed)?|delet(?:e|ed|ing)|struck|strike|striking|scratch(?:ed)?|cross(?:ed|"
    r"ing)?\s+(?:it\s+|that\s+|this\s+)?out|disregard(?:ed)?|ignore[ds]?|scrap(?:ped)?|"
    r"discard(?:ed)?|dismiss(?:ed)?|tak(?:e|ing)\s+(?:it|that|this|that\s+one)\s+back|take\s+back|"
    r"stand\s+corrected|correct(?:ed|ing)\s+(?:it|that|this|myself)|"
    r"correct\s+(?:it|that|this|myself)|i\s+(?:have|had|[’']ve)\s+(?:since\s+)?corrected|since\s+corrected|"
    r"my\s+bad|oops|whoops|"
    r"(?:not|n[’']t|never|hardly)\s+(?:in\s+fact\s+|actually\s+|at\s+all\s+|even\s+|quite\s+|really\s+|"
    r"remotely\s+|to\s+be\s+)?(?:so|true|right|correct|the\s+case|accurate|how\s+it\s+(?:is|was)|"
    r"what\s+happened|believe|trust(?:ed)?|rely|"
    r"hold(?:\s+(?:up|water|true))?|stand(?:\s+up)?|survive|borne\s+out|supported|bear|agree|check\s+out|stick|"
    r"believed|be\s+believed|right\s+either|what)|"
    r"unfounded|baseless|groundless|without\s+(?:any\s+)?(?:basis|foundation|merit)|no\s+(?:basis|foundation|"
    r"truth|merit|substance)|can(?:not|[’']t)\s+(?:be\s+)?(?:stand|right|true|correct)|falls?\s+apart|"
    r"too\s+hasty|off\s+(?:the\s+mark|base)|far\s+from\s+(?:true|the\s+truth|it)|outdated|out\s+of\s+date|"
    r"no\s+longer\s+(?:stand|think|believe|hold)|changed\s+my\s+mind|thought\s+better|"
    r"fooled|knew\s+no\s+better|know\s+better(?:\s+now)?|no,?\s+(?:wait|actually|sorry|scratch|strike|not)|wait|"
    r"sorry|that\s+goes|bunk|hogwash|legend\s+only|a\s+legend|actually,?\s+no|on\s+second\s+thoughts?|nope|"
    r"not\s+at\s+all|no\s+way|let\s+me\s+(?:correct|rephrase|revise|fix)|"
    r"(?:must|need\s+to|should|have\s+to)\s+correct|meant?\s+to\s+say|i\s+meant|rather,|misattribut\w+|"
    r"misquot\w+|does\s+not\s+apply|not\s+to\s+be\s+(?:believed|trusted)|void|null\s+and\s+void)\b",
    _I,
)
NOT_FALSE = re.compile(
    r"\b(?:not|never|n[’']t|no|nothing|neither|hardly|without)\s+(?:(?:to\s+be|a|an|been|any|entirely|be|in|"
    r"the)\s+){0,2}(?:wrong|false|incorrect|untrue|inaccurate|mistaken|mistakes?|errors?|erroneous|myths?|"
    r"confused|"
    r"fiction|ignored?|dismissed|refuted|disproved|rejected|disregarded|withdrawn|retracted|misled|reason\s+to)\b|"
    r"\b(?:correct|avoid(?:ing)?|prevent)\s+(?:a|the|any)?\s*(?:common\s+)?(?:mistakes?|errors?|confusion)|"
    r"to\s+avoid\s+\w+",
    _I,
)

_THAT = (
    r"(?:that|this|it|which|these|those|they|he|she|both|all\s+of\s+(?:that|this|it)|(?:this|that|the)\s+"
    r"(?:last\s+|previous\s+|first\s+)?(?:bit|part|line|point|sentence|remark|last\s+one|entry|item|thought|idea|view|"
    r"belief|version|claim|story|assumption|notion|rumou?r|attribution))"
)

BACK = re.compile(
    r"[\s\"“(–—-]*(?:(?:but|and|yet|however|well|oh|ah|hm+|actually|though|alas|except|in\s+fact|of\s+course|"
    r"clearly|sorry|unfortunately|still)\b[\s,]*){0,3}"
    r"(?:"
    + _THAT
    + r"\b[^,;:.–—!A-Z\d]{0,60}|(?:i|we)\s+(?:was|am|were|stand|must|take|withdraw|retract|reject|correct|got|"
    r"made|had|have|misspoke|need|should)\b[^,;:.–—!A-Z\d]{0,60}|(?:no|wait|scratch|strike|correction|"
    r"oops|whoops|sorry|wrong|false|incorrect|not\s+(?:so|true|right|correct)|nonsense|nope|actually,?\s+no|"
    r"on\s+second\s+thoughts?|let\s+me\s+(?:correct|rephrase|revise|fix)[^,;:.–—!A-Z\d]{0,40}|my\s+(?:mistake|"
    r"error|bad))\b[^,;:.–—!A-Z\d]{0,40})"
    r"\s*[,;:.–—!]+\s*(?:(?:scratch|strike|sorry|wait|no|that|my|i|and|it|is|was|wrong|mistake|not|"
    r"so)\b[^,;:.–—!A-Z\d]{0,30}[,;:.–—!]+\s*)?",
)
"""In front of a sentence: what it says of the one before."""

BACK_ALONE = re.compile(
    r"[\s\"“(\[–—-]*(?:(?:on|upon|in|after|having|looking|checking|thinking|come|when|"
    r"now\s+that)\b[^,;:]{0,50},\s*)?(?:(?:but|and|yet|however|well|oh|ah|hm+|actually|though|alas|except|"
    r"in\s+fact|of\s+course|clearly|sorry|unfortunately|still|edit|update|correction|no|now|later|then|here|"
    r"today)\b[\s,:–—]*){0,4}"
    r"(?:"
    + _THAT
    + r"\b|i\b|we\b|my\b|wrong|false|incorrect|untrue|not\s|no\b|nope|nonsense|wait|scratch|strike|oops|whoops|"
    r"correction|mistaken|error|retract|withdrawn|struck|deleted|ignore|disregard|please\s+(?:ignore|"
    r"disregard)|rejected|myth|sorry|on\s+second|let\s+me|there|forget|a\s+(?:mistake|myth|slip|misconception|"
    r"common|legend)|far\s+from|except|as\s+it\s+turns|turns\s+out|don[’']t|debunked|once|[\w’'-]+\s+(?:is|"
    r"was|are|were)\b|$)",
    _I,
)
CONCLUDES = re.compile(
    r"[\s\"“(*]*(?:so|therefore|thus|hence|consequently|accordingly|overall|in\s+(?:conclusion|short|summary|"
    r"sum)|as\s+(?:such|a\s+result)|all\s+in\s+all|"
    r"for\s+(?:this|these|that)\s+reasons?|from\s+(?:this|these|all)|it\s+follows|this\s+(?:means|shows|makes|"
    r"proves)|that\s+(?:means|shows|makes|proves)|which\s+(?:means|makes)|bottom\s+line|"
    r"to\s+(?:conclude|sum)|given\s+(?:this|that|these|all)|because\s+of|my\s+(?:final\s+)?(?:answer|verdict|"
    r"conclusion)|final(?:ly)?|answer|verdict|conclusion)\b",
    _I,
)
"""Judges the question; takes nothing back."""

OF_THE_QUESTION = re.compile(
    r"\b(?:the|your|this)\s+(?:\w+\s+)?(?:statement|proposition|question|answer|premise\s+of|sentence\s+in|"
    r"assertion\s+in|claim\s+in)\b|\b(?:the)\s+(?:claim|assertion|statement)\b|\banswer\b",
    _I,
)

BEHIND = re.compile(
    r"(?:[,;:–—(.…]|\s-\s|\?|\s(?=but\b|though\b|although\b|however\b|yet\b))\s*(?:(?:but|and|yet|though|"
    r"although|however|actually|in\s+fact|even\s+though|except\s+that|only|well|or)\b[\s,–—-]*){0,3}"
    r"(?:"
    + _THAT
    + r"\b(?:[’']s|[’']re)?|i\b(?:[’']m|[’']ve)?|we\b|my\b|no\b|nope\b|wrong|false|incorrect|untrue|not\b|wait|"
    r"scratch|strike|oops|whoops|nonsense|mistaken|a\s+(?:mistake|myth|slip|misconception|claim|common|"
    r"popular|view|statement|belief)|an\s+(?:error|idea|assertion|assumption|invention)|"
    r"retracted|withdrawn|struck|deleted|rejected|debunked|disproved|refuted|is\b|was\b|something\b|nothing\b|"
    r"sorry|my\s+(?:mistake|error|bad)|on\s+second|none\s+of|please|forget|ignore|disregard|would\b|there\b|"
    r"has\b|have\b|as\s+it\s+turns|turns\s+out|don[’']t|far\s+from)"
    r"[^A-Z\d;:–—\n“\"]{0,90}?(?=[,;:.!?)–—]|\s-\s|\s*$)",
)
"""Behind a clause: judges it. Names nothing, so it is matched with its case."""

VOID_LABEL = re.compile(
    r"[\s\"“(\[*~❌✗✘×–—-]*(?:(?:struck\s+out|crossed\s+out|deleted|retracted|withdrawn|rejected|removed|"
    r"discarded|dismissed|debunked|wrong(?!\s+answer)|false|incorrect|not\s+true|untrue|mistaken|"
    r"myth|misconception|fallacy|rumou?r|falsehood|common\s+(?:myth|misconception|mistake|error|belief|"
    r"confusion)|popular\s+(?:myth|misconception|belief)|(?:please\s+)?(?:scratch|strike|ignore|disregard|"
    r"discard|forget)\s+(?:this|the\s+following|what\s+follows)|mistake|error|erratum|"
    r"my\s+(?:mistake|error|first\s+(?:thought|guess)|earlier\s+(?:view|claim|answer|note|error|mistake))|("
    r"?:first|initial|earlier|previous)\s+(?:thought|guess|idea|draft|version|attempt|claim|note|view|answer)|"
    r"not\s+so|no\s+longer\s+held|taken\s+back|i\s+take\s+back)"
    r"(?:\s+(?:as|because|out|by|it|this|that|the|following|wrong|false|mistaken|incorrect|untrue|an?|error|"
    r"mistake|below|above|claim|note|line|view|idea|statement|sentence|and|of|mine|on\s+review|after\s+checking|"
    r"here|today|belief|now|earlier|\(\w+\))){0,6})"
    r"[\s*\"”)\]]*(?:[:–—]|\s-\s)\s*(?=\S)|[\s\"“(\[*]*(?:❌|✗|✘|✖|❎|🚫)\s*(?=\S)",
    _I,
)
FRAME = re.compile(r"[\s\"“(–—-]*(?P<said>[^A-Z\d;:\"“]{3,110}?)\bthat\b(?=\s)")
"""A frame that names nothing, up to "that"."""

ATTRIBUTED = re.compile(
    r"\b(?:says?|said|saying|claim(?:s|ed|ing)?|thinks?|thought|thinking|believ(?:e|es|ed|ing)|assum(?:e|es|ed|"
    r"ing)|alleg(?:e|es|ed|ing)|imagin(?:e|es|ed|ing)|"
    r"rumou?r(?:s|ed)?|pretend(?:s|ed|ing)?|hears?|heard|hearing|read(?:s|ing)?|told|tells?|telling|wrote|writ("
    r"?:e|es|ten|ing)|suppos(?:e|es|ed|ing)|legends?|myths?|"
    r"gossip|maintain(?:s|ed|ing)?|insist(?:s|ed|ing)?|suggest(?:s|ed|ing)?|argu(?:e|es|ed|ing)|assert(?:s|ed|"
    r"ing)?|contend(?:s|ed|ing)?|mistak(?:e|es|en|ing)|mistook|speculat(?:e|es|ed|ing))\b",
    _I,
)
INFERS = re.compile(
    r"(?:(?:so|and|thus|hence|therefore|from\s+\w+(?:\s+\w+)?|now|then|but|all|\w+ly|in\s+\w+|on\s+\w+\s+\w+|("
    r"?:putting|taking|taken|looking|seen|adding|combining|based)\b[^,]{0,50},)[\s,]+){0,3}(?:it|they|he|she|"
    r"this|that|these|those|we|i|you|one|all|which|everything|taken)\b"
    r"(?!.*\b(?:not|no|never|nothing|neither|nor|cannot|false|wrong|untrue|incorrect|mistaken|myth|"
    r"misconception|without|hardly)\b)(?!.*n[’']t\b)"
    r".*\b(?:follow|conclu|mean|show|impl|tell|prov|demonstrat|indicat|establish|infer|deduc|see|know|say|stat|"
    r"not(?:e|ed|ing)\b|confirm|reason|must|clear|evident|obvious|certain|true|fact\b|case|found|find|gather|"
    r"entail|verif|lead|"
    r"leav|point|add|mention|happen|worth|record|document|accept|agree|recall|remember|determin|derive|"
    r"maintain\s+here|understand|learn|realis|realiz|observ)",
    _I | re.DOTALL,
)
"""Frames that begin like a clause about somebody ("it follows from this") and only assert what follows."""

COMMITTED = re.compile(
    r"\b(?:can|safe(?:ly)?|fair(?:ly)?|must|right(?:ly)?|correct(?:ly)?|true|truth|suffice|needless|"
    r"without\s+saying|is\s+to\s+say|i\s+(?:do\s+|would\s+)?say|why\s+(?:i|we)|records?|sources?|encyclop\w+|"
    r"histor\w+|"
    r"biograph\w+|evidence|wikipedia|wikidata|documents?|data|facts?|tells?\s+us|sufficient|enough|conclude|"
    r"therefore|thus|hence|so)\b",
    _I,
)
DENIES = re.compile(
    r"(?:and|but|so|also|thus|hence|therefore|no,|indeed,?|correction\s*:)?\s*(?:it|this|that)(?:[’']s|\s+(?:is|"
    r"was|would\s+be))?\s*(?:therefore|thus|simply|just|also|clearly|plainly|quite|in\s+fact|actually|indeed|"
    r"n[’']t|not|\s)*"
    r"(?:true|so|the\s+case|correct|right|accurate|false|wrong|incorrect|untrue|inaccurate|an?\s+(?:common\s+|"
    r"popular\s+|widespread\s+)?(?:myth|misconception))\s*",
    _I,
)
"""Frames that deny what follows in so many words: the words of denial are counted where the claim is read."""

LED = re.compile(r"[\s\"“(–—-]*(?P<said>[^A-Z\d;:\"“]{2,80}):(?=\s)")
"""A lead that names nothing, up to a colon."""

VOID_BRACKET = re.compile(
    r"[(\[]\s*(?:[^()\[\]]{0,30}\b)?(?:wrong|false|incorrect|untrue|struck(?:\s+out)?|retracted|withdrawn|"
    r"deleted|mistaken|mistake|error|sic!|rejected|a\s+myth|myth|debunked|not\s+true|not\s+so|disproved|"
    r"since\s+corrected)(?:\b[^()\[\]]{0,30})?[)\]]|(?<=\s)[❌✗✘✖](?=\s*\.?\s*$)",
    _I,
)
TURN = re.compile(
    r";\s*|[,:–—]\s*(?:but\s+)?(?:in\s+(?:fact|reality|truth|actuality)|actually|the\s+truth\s+is(?:\s+that)?|"
    r"really|whereas|when\s+in\s+fact|correctly|instead|rather)\b[\s,:]*|"
    r"[,;]?\s+but\s+(?:(?:in\s+(?:fact|reality|truth)|actually|really|the\s+truth\s+is(?:\s+that)?|"
    r"now\s+i\s+know(?:\s+that)?|the\s+fact\s+is(?:\s+that)?)\b[\s,]*)?|,?\s+whereas\s+|,?\s+however,\s+",
    _I,
)
"""Where a sentence turns from what is said to what is."""

_DOUBTS = (
    r"perhaps|maybe|possibly|conceivably|presumably|supposedly|reportedly|allegedly|purportedly|apparently|"
    r"seemingly|ostensibly|"
    r"plausibly|potentially|probably|likely|unlikely|tentative(?:ly)?|arguably|hypothetically|theoretically|"
    r"speculative(?:ly)?|speculation|"
    r"(?:i|we)(?:\s+\w+ly)?\s+(?:think|guess|suppose|suspect|reckon|gather|imagine|fancy|assume|presume|wonder|"
    r"doubt|vaguely\s+\w+)|"
    r"i\s+(?:dimly|vaguely|half|faintly)[- ]?\s*\w+|"
    r"(?:it|there|he|she|they|this|that|things?)\s+(?:\w+\s+)?(?:may|might|could|can)\s+(?:well\s+|just\s+|"
    r"also\s+|possibly\s+|perhaps\s+)*(?:be|have|easily|even)(?!\s+(?:\w+\s+){0,2}?(?:add(?:ed|ing)?|not(?:e|ed|"
    r"ing)|mention(?:ed|ing)?|point|stress|said|say|remind|conclude|emphasi\w+|interest\w+|worth|useful|helpful|"
    r"glad|surprised|curious|aware|familiar|wondering|know|like|observed|remarked|recalled|remembered|"
    r"forgiven))|"
    r"(?:may|might|could)\s+(?:well\s+|just\s+|also\s+|very\s+well\s+)*(?:be|have)(?!\s+(?:\w+\s+){0,2}?(?:add("
    r"?:ed|ing)?|not(?:e|ed|ing)|mention(?:ed|ing)?|point|stress|said|say|remind|conclude|emphasi\w+|"
    r"interest\w+|worth|useful|helpful|glad|surprised|curious|aware|familiar|wondering|know|like|observed|"
    r"remarked|recalled|remembered|forgiven))|"
    r"it\s+(?:\w+\s+)?(?:seems?|appears?|looks|sounds)|"
    r"(?:un|not\s+(?:entirely\s+|quite\s+|fully\s+|absolutely\s+|completely\s+|totally\s+|at\s+all\s+|"
    r"100\s*%\s+|really\s+|too\s+|very\s+|so\s+|exactly\s+|yet\s+)?|n[’']t\s+(?:entirely\s+|quite\s+|fully\s+|"
    r"really\s+|too\s+|so\s+|at\s+all\s+)?|far\s+from\s+|less\s+than\s+|hardly\s+|never\s+)(?:sure|certain|"
    r"confident|clear|positive|convinced|confirmed|verified|proven|settled)|"
    r"uncertain|unsure|unconfirmed|unverified|unproven|unclear|doubtful|dubious|debatable|disputed|contested|"
    r"questionable|"
    r"(?:i|we)\s+(?:could|may|might)\s+(?:well\s+|easily\s+|be\s+)*(?:wrong|mistaken|off|mix\w*|misremember\w*|"
    r"confus\w*|be)|"
    r"unless\s+(?:i|my|we)\b|if\s+(?:i|my|we|memory|the|what|it|that)\b[^|]{0,60}?(?:serves?|right(?:ly)?|"
    r"correct(?:ly)?|recall|remember|mistaken|deceives?|trusted|believed?|reliable|holds|wrong|counts)|"
    r"don[’']?t\s+(?:quote|hold)\s+me|do\s+not\s+(?:quote|hold)\s+me|take\s+(?:this|that|it)\s+with|"
    r"grain\s+of\s+salt|pinch\s+of\s+salt|"
    r"(?:cannot|can[’']t|could\s+not|couldn[’']t|unable\s+to|not\s+able\s+to|won[’']t|would\s+not|wouldn[’']t|"
    r"did\s+not|didn[’']t|have\s+not|haven[’']t|do\s+not|don[’']t)\s+(?:\w+\s+){0,2}?(?:vouch|swear|confirm("
    r"?:ed)?|verif(?:y|ied)|guarantee|prove|check(?:ed)?|be\s+(?:sure|certain)|promise|bet|say\s+for\s+(?:sure|"
    r"certain)|know\s+(?:for\s+(?:sure|certain|a\s+fact)|if|whether)|double[- ]check(?:ed)?|find\s+proof|"
    r"remember\s+exactly|trust\s+my)|"
    r"(?:my|a|the|some|any)\s+(?:best\s+|rough\s+|wild\s+|vague\s+|faint\s+|dim\s+|educated\s+|sneaking\s+|"
    r"hazy\s+)?(?:guess|hunch|suspicion|recollection|impression|feeling)|"
    r"(?:chances\s+are|there(?:\s+is|[’']s)\s+(?:a|some|every)\s+(?:\w+\s+)?(?:chance|possibility|doubt|"
    r"likelihood|probability)|odds\s+are)|"
    r"(?:rumou?r|legend|word|story|gossip|hearsay|tradition|whispers?)\s+(?:has|have|is|goes|says|tells)|"
    r"according\s+to\s+(?:rumou?rs?|legend|hearsay|some|gossip|tradition|unconfirmed)|"
    r"as\s+far\s+as\s+(?:i|we)|to\s+(?:the\s+best\s+of\s+)?my\s+(?:knowledge|recollection|memory|mind)|"
    r"for\s+all\s+i\s+know|so\s+far\s+as\s+i|from\s+memory|off\s+the\s+top\s+of|"
    r"i\s+(?:seem|want|would\s+like|am\s+inclined|tend|lean|believe|might|may|could)\b(?!\s+(?:\w+\s+){0,2}?("
    r"?:add(?:ed|ing)?|not(?:e|ed|ing)|mention(?:ed|ing)?|point|stress|said|say|remind|conclude|emphasi\w+|"
    r"interest\w+|worth|useful|helpful|glad|surprised|curious|aware|familiar|wondering|know|like|observed|"
    r"remarked|recalled|remembered|forgiven))|i[’']m\s+(?:inclined|guessing|tempted|leaning|thinking)|i\s+am\s+("
    r"?:guessing|leaning)|"
    r"(?:or|and)\s+so\s+(?:i|they|the)\b|so\s+(?:the\s+story|they\s+say|i[’'](?:m|ve)|i\s+(?:am|have|was|hear))|"
    r"subject\s+to\s+(?:correction|confirmation|verification|checking|doubt|review)|pending\s+(?:confirmation|"
    r"verification)|open\s+to\s+(?:question|doubt|debate)|in\s+(?:doubt|question|dispute)|with\s+(?:some|little|"
    r"low|limited|moderate)\s+(?:doubt|certainty|confidence|hesitation|caution|reservation)|"
    r"nothing\s+(?:certain|sure|confirmed|definite)|surmis\w+|conjectur\w+|hearsay|gossip|hints\s+that|"
    r"there\s+are\s+(?:\w+\s+)?(?:hints?|signs|clues|suggestions|indications)|without\s+(?:having\s+)?(?:check|"
    r"verif)\w+|low\s+confidence|(?:to\s+be|needs?)\s+(?:confirmed|verified|checked|checking|verification|"
    r"confirmation)|needs\s+a\s+source|citation\s+needed|source\s+needed|hard\s+to\s+(?:verify|confirm|say)|"
    r"(?:it(?:\s+is|\s+was|[’']s)|is\s+it)\s+(?:\w+ly\s+)?(?:possible|conceivable|plausible|likely|thinkable|"
    r"imaginable|probable|hard\s+to)|(?:is|was|are|were)\s+(?:said|believed|thought|rumou?red|alleged|reported|"
    r"assumed|supposed|reputed)\s+to|"
    r"(?:cannot|can[’']t|can\s+not|would\s+not|wouldn[’']t|could\s+not)\s+(?:be\s+)?(?:rule[d]?\s+(?:it\s+)?out|"
    r"exclude[d]?)|something\s+tells\s+me|sounds\s+like|i\s+have\s+(?:a\s+(?:\w+\s+)?(?:feeling|hunch|memory|"
    r"idea|recollection|suspicion|notion)|an\s+(?:\w+\s+)?(?:idea|inkling|impression)|(?:some|my|no)\s+("
    r"?:doubts?|proof|way))|who\s+knows|anyone[’']s\s+guess|your\s+guess|call\s+it\s+a\s+guess|just\s+a\s+("
    r"?:guess|hunch)|guesswork|guessing|or\s+(?:maybe|perhaps)\s+not|may(?:be)?\s+not|and\s+perhaps\s+not"
)
DOUBT = re.compile(rf"(?<![\w])(?:{_DOUBTS})(?![\w])", _I)
"""Doubts, looked for in words that name nothing."""

DOUBT_ANYWHERE = re.compile(
    r"[(\[]\s*(?:\?+|unconfirmed|unverified|uncertain|unsure|doubtful|disputed|probably|possibly|perhaps|maybe|"
    r"likely|tentative|not\s+sure|i\s+think|citation\s+needed|source\?|tbc|speculative|rumou?red|alleged(?:ly)?|"
    r"guess|to\s+be\s+(?:confirmed|checked|verified))[^()\[\]]{0,40}[)\]]|"
    r"\?\?+|(?:^|\s)~\?|¿",
    _I,
)
BACK_DOUBT = re.compile(
    r"^[\s\"“(\[–—-]*(?:(?:but|and|though|although|however|still|well|then\s+again|mind\s+you|that\s+said|"
    r"of\s+course|or|again)\b[\s,]*){0,3}"
    r"(?:(?:i|we)\s+(?:could|may|might|am|[’']m|cannot|can[’']t|would\s+not|wouldn[’']t|have\s+not|haven[’']t|"
    r"did\s+not|didn[’']t|have\s+no|won[’']t|do\s+not|don[’']t)\b(?=.*\b(?:wrong|mistaken|off|sure|certain|"
    r"vouch|swear|confirm|verif\w+|misremember\w*|guess\w*|check\w*|proof|positive|quote|know\s+for|bet|mix\w*|"
    r"confident)\b)|"
    r"i[’']m\s+(?:not\s+(?:sure|certain|positive|confident)|just\s+guessing|guessing|unsure)|don[’']t\s+quote|"
    r"do\s+not\s+quote|take\s+(?:this|that|it)\s+with|(?:that|this|it)(?:[’']s|\s+is|\s+was)?\s+(?:only\s+|"
    r"just\s+|merely\s+|still\s+|far\s+from\s+|not\s+|n[’']t\s+|at\s+best\s+|a\s+|an\s+|as\s+yet\s+|yet\s+|"
    r"my\s+|mere\s+|pure\s+){0,3}(?:guess\w*|hunch|rumou?r|hearsay|speculation|unconfirmed|unverified|uncertain|"
    r"unclear|doubtful|disputed|certain|sure|confirmed|verified|debatable|tentative|possible|proven|settled|"
    r"probable|conjecture|supposition|impression)|"
    r"(?:perhaps|maybe|possibly|probably)\b|not\s+(?:entirely\s+|quite\s+|completely\s+|totally\s+|fully\s+|"
    r"100\s*%\s+)?(?:sure|certain|confirmed|verified)|unconfirmed|unverified|unsure|uncertain|please\s+("
    r"?:verify|check|double)|who\s+knows|or\s+so\s+)",
    _I,
)

_ADV = r"(?:\s*,[^,;.]{1,50},)?"
ASSERTS = re.compile(
    r"^[\s\"“(*–—-]*(?:(?:and|but|also|besides|oh|well|now|plus|then|finally|next|additionally|moreover|"
    r"furthermore|incidentally)\b[\s,:]*){0,2}(?:"
    r"(?:this|it|that)(?:\s+(?:has|bears|makes|changes)\s+(?:nothing|no|little)|(?:[’']s|\s+is|\s+does)\s*("
    r"?:n[’']t|not|no)\s+(?:\w+ly\s+)?(?:relevant|important|needed|necessary|part|decisive|essential|asked|what|"
    r"pertinent|crucial|central|matter|affect|change|bear|help|required|related))\b[^,;:A-Z\d]{0,60}[,;:–—]\s*("
    r"?:but|yet|still|however)?\b|"
    # double negation asserts
    r"(?:there\s+(?:is|can\s+be|[’']s)\s+no\s+(?:\w+\s+)?(?:doubt|question|denying|dispute|disputing|arguing|"
    r"getting\s+around|secret|debate|uncertainty)(?:\s+(?:about\s+(?:it|this)|either|here|at\s+all|"
    r"whatsoever))?\s*(?:that|:|,|–|—)|"
    r"(?:no\s*body|no\s+one|few|hardly\s+anyone|no\s+serious\s+\w+|not\s+many(?:\s+people)?|few\s+people|"
    r"nobody\s+\w+ly)\s+(?:\w+ly\s+)?(?:doubts?|disputes?|denies|deny|questions?|contests?|know|realise|realize|"
    r"would\s+(?:deny|dispute|doubt)|can\s+(?:deny|dispute|doubt)|disagrees?)(?:\s+(?:it|this|the\s+fact))?\s*("
    r"?:that|:|,|–|—)|"
    r"it\s+(?:cannot|can[’']t|can\s+not|could\s+not|will\s+not|should\s+not|must\s+not|need\s+not)\s+be\s+("
    r"?:denied|doubted|disputed|forgotten|ignored|overlooked|overstated|surprising)\s+that|"
    r"it\s+(?:is|was|[’']s|comes\s+as|should\s+be|will\s+be)\s+(?:no|not|n[’']t)\s+(?:a\s+)?(?:in\s+(?:dispute|"
    r"doubt|question)|secret|surprise|surprising|accident|coincidence|mystery|wonder|disputed|contested|"
    r"controversial|hard\s+to\s+see|to\s+be\s+forgotten)\s*(?:that)?|"
    r"it\s+goes\s+without\s+saying(?:\s+that)?|(?:do\s+not|don[’']t|never|not\s+to|let\s+us\s+not|"
    r"let[’']s\s+not|we\s+should\s+not|one\s+should\s+not)\s+(?:forget|overlook|ignore|miss)(?:\s+(?:that|"
    r"the\s+fact\s+that|how))?[\s,:–—]|"
    r"(?:no|small|little)\s+(?:wonder|surprise|doubt\s+about\s+it|secret)\s*[:,–—]|no\s+doubt\b|without\s+("
    r"?:a\s+|any\s+)?(?:doubt|question|fail)|undoubtedly|not\s+(?:surprisingly|unexpectedly|coincidentally|"
    r"incidentally)|unsurprisingly|needless\s+to\s+(?:say|add)|beyond\s+(?:any\s+)?(?:doubt|dispute|question)|"
    r"not\s+(?:that\s+it\s+(?:matters|helps|changes|affects)|relevant|important|related|needed|necessary|"
    r"essential|strictly|directly|decisive|crucial|asked|to\s+the\s+point|"
    r"on\s+topic)[^,:;–—A-Z\d]{0,60}[,:;–—]\s*(?:but\b\s*)?|"
    r"(?:though|although|even\s+though|even\s+if|while|whilst|albeit|if)\s+[^A-Z\d,:;–—]{0,80},\s*|"
    # asserting verbs
    r"(?:i|we)(?:[’'](?:ll|d|ve|m))?(?:\s+(?:can|could|may|might|should|would|will|must|do|am|are|have|"
    r"want\s+to|need\s+to|like\s+to|wish\s+to|just|also|only|even|further|here|now|then|happy|glad|happen|sure|"
    r"certain|confident|positive|quite|very|fairly|pleased|told|to|in\s+passing)){0,4}\s*(?:note|add|mention|"
    r"observe|remark|point\s+out|confirm|affirm|stress|emphasi[sz]e|recall|know|remind\s+you|see|establish("
    r"?:ed)?|verified|verify|checked|learned|found|certify|attest|testify|state|happen\s+to\s+know|share|"
    r"throw\s+in|record|sure|certain|confident|positive)\b"
    r"(?:\s+(?:here|too|as\s+well|in\s+passing|for\s+(?:the\s+record|completeness|context|fun|good\s+measure|"
    r"interest)|also|again|by\s+the\s+way|from\s+\w+(?:\s+\w+)?|at\s+once|briefly|with\s+interest|well|"
    r"with\s+certainty)){0,3}" + _ADV + r"(?:\s+that\b|\s*:)|"
    r"(?:note|notice|observe|remember|recall|consider|bear\s+in\s+mind|keep\s+in\s+mind|mind\s+you|"
    r"rest\s+assured|be\s+aware|see\s+also|let\s+me\s+(?:\w+\s+){0,2}(?:add|mention|note|stress|point\s+out|"
    r"recall|say|remark|throw\s+in|remind\s+you))(?:\s+(?:also|too|here|in\s+passing|further))?(?:\s*,|\s*:|"
    r"\s+that\b)+|"
    r"it\s+(?:is|was|may|might|should|can|must|also|bears?|deserves?|helps?|so|[’']s|happens?|has|turns|pays|"
    r"merits?)\b(?:\s+(?:be|been|also|well|widely|worth|perhaps\s+worth|of\s+(?:interest|note)|interesting|"
    r"noteworthy|true|certain|clear|evident|obvious|undisputed|undeniable|beyond\s+doubt|a\s+fact|"
    r"common\s+knowledge|generally|long|further|added|add(?:ing)?|noted|noting|mention(?:ed|ing)?|said|saying|"
    r"stated|recorded|documented|established|known|agreed|accepted|remarked|remembered|recalled|pointed\s+out|"
    r"repeating|stressing|knowing|happens|to|not(?:ing)|the\s+case|also|out|however|observed|emphasi[sz]ed|"
    r"stressed|borne\s+in\s+mind|that\s+way|interest|in\s+passing|here|too|right|correct|safe|fair|just|"
    r"relevant|useful|helpful|handy|amusing|on\s+record|history|matter|fact)){0,6}" + _ADV + r"\s+that\b|"
    r"(?:as|like)\s+(?:everyone|everybody|we|you|most\s+people|people|many|all|anyone|every\s+\w+|any\s+\w+|"
    r"historians|is|was|has|a|i|an|already|noted|mentioned|stated|said|the|one|it|they|"
    r"for)\b[^,A-Z\d:;]{0,60},\s*|"
    r"(?:everyone|everybody|every\s+\w+|all\s+of\s+us|we\s+all|most\s+people|historians|scholars|experts|"
    r"all\s+sources|sources|records?|the\s+records?|reference\s+works|encyclop(?:a?)edias|the\s+(?:sources|"
    r"evidence|facts|documents)|documents|biographers|biographies|history|standard\s+works)\s+(?:\w+ly\s+|"
    r"all\s+|also\s+)?(?:knows?|agrees?|confirms?|shows?|records?|tells?\s+us|tell\s+us|states?|indicates?|"
    r"establish(?:es)?|teaches|documents?|leaves?\s+no\s+doubt|notes?|attests?)\s+(?:that\b|:)|"
    r"(?:[a-z’'\s-]{0,50}?\b(?:fun|little[- ]known|side|quick|bonus|extra|also|aside|trivia|unrelated|footnote|"
    r"note|context|background|incidentally|fyi|p\.?s\.?|btw|remark|addendum|interesting|random|useful|related|"
    r"tangent\w*|off[- ]topic|digression|curiosity|detail|additional(?:ly)?|cool|apropos|parenthetically|"
    r"in\s+passing|by\s+the\s+way|for\s+the\s+record|for\s+what\s+it[’']s\s+worth|worth\s+(?:noting|knowing|"
    r"mentioning|adding)|good\s+to\s+know|also\s+true|in\s+other\s+news|another\s+(?:fact|thing)|"
    r"one\s+more\s+thing)\b[a-z’'\s-]{0,40}(?:\s*:|\s*[–—]|,)\s*)"
    r")\s*)",
)
"""Frames that assert, with words in them that would deny, doubt or name in the claim itself."""
