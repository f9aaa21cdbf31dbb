"""Not knowing and refusing, in English.

`AT_ALL` finds either anywhere in a text; group `refusal` tells which. `WHOLE` are idioms that say it only as the core
of a short sentence ("beats me", "pass").
"""

import re

_NOT = (
    r"(?:(?:[’']m|\bam|\bare)\s+not|^not|do(?:es)?\s+not|did\s+not|do(?:es)?n[’']?t|didn[’']?t|am\s+not|is\s+not|"
    r"isn[’']?t|was\s+not|wasn[’']?t|could\s+not|couldn[’']?t|can\s*not|can[’']?t|unable\s+to|not\s+able\s+to|"
    r"have\s+not|haven[’']?t|won[’']t\s+be\s+able\s+to|not\s+in\s+a\s+position\s+to)"
)
_REFUSE = (
    r"i(?:[’']d|\s+would)\s+(?:much\s+)?(?:rather|prefer)\s+(?:not|to\s+(?:leave|pass|skip|refrain|abstain|decline)|leave)(?:\s+to)?\b(?:\s+(?:answer|say|comment|respond|this|that|it))?|"
    r"(?:i|we)(?:\s+am|[’']m|\s+are|\s+must|\s+have\s+to|\s+will|\s+would)?(?:\s+(?:sorry|afraid)"
    r"(?:,?\s+but)?(?:\s+(?:i|we))?)?\s+(?:can\s*not|can[’']?t|won[’']?t|will\s+not|shall\s+not|shan[’']t|unable\s+to|not\s+able\s+to|"
    r"refuse\s+to|decline\s+to|must\s+decline|prefer\s+not\s+to|not\s+(?:comfortable|willing|prepared|permitted|allowed|going|at\s+liberty)|do\s+not\s+(?:wish|want|intend)\s+to|don[’']t\s+(?:wish|want|intend)\s+to)"
    r"(?:\s+(?:to|be|provide|providing|give|giving|offer|accurately|definitively|answer(?:ing)?|help|assist|respond|comply|fulfil+|"
    r"discuss|comment|make|any|an|a|the|you|with|on|that|this|your|specific|definitive|direct|accurate|able|of|such|put))*"
    r"\s+(?:answer(?:ing)?|answers|questions?|request|help|assist|comply|respond|assistance|comment|information|this|that|it)\b|"
    r"(?:i|we)\s+(?:(?:must|have\s+to|will|shall|would|am\s+going\s+to|am\s+obliged\s+to|should|respectfully|politely|hereby|need\s+to|beg\s+to|\w+ly)\s+){0,3}"
    r"(?:decline|refuse|abstain|refrain|pass\s+on|sit\s+this\s+one\s+out|skip|demur|opt\s+out|withhold|pass(?=[.!,;]|$))\b|"
    r"(?:i[’']ll|i[’']m\s+going\s+to)\s+(?:(?:have\s+to|need\s+to|\w+ly)\s+){0,2}(?:decline|refuse|abstain|refrain|pass|sit\s+this\s+one\s+out|skip|not\s+(?:be\s+)?answer(?:ing)?)\b|"
    r"(?:i|we|this\s+(?:response|reply|answer|text|assistant|system|writer|author))\s+(?:(?:must|will|would|shall|does|do|have\s+to|has\s+to|would\s+rather|\w+ly)\s+){0,2}(?:declines?|refuses?|abstains?|refrains?|demurs?|withholds?|elects?\s+not\s+to|chooses?\s+not\s+to|opts?\s+not\s+to|prefers?\s+not\s+to|not\s+(?:take\s+a\s+position|take\s+sides))\b|"
    r"(?:i|we)\s+(?:\w+\s+){0,2}?(?:chosen?|choose|chose|elect(?:ed)?|opt(?:ed)?|decided?)\s+not\s+to\s+(?:answer|respond|say|reply|comment|give|offer|provide|take)|"
    r"(?:no|any)\s+(?:answer|reply|response|opinion|verdict|position|statement|view)\s+(?:will|shall|can|is\s+going\s+to|may|is\s+to)\s+be\s+(?:\w+ly\s+)?(?:offered|given|provided|made|taken|issued|supplied|expressed|forthcoming|ventured|returned|rendered|furnished|had)|"
    r"(?:an?|the)\s+(?:answer|reply|response)\b[^.!?\n]{0,40}?\s(?:can\s*not|can[’']t|will\s+not|won[’']t|shall\s+not|may\s+not|is\s+not\s+(?:going\s+to|to)|is\s+not)\s+(?:be\s+)?(?:\w+ly\s+)?(?:offered|given|provided|made|issued|supplied|forthcoming|returned|rendered|furnished|on\s+offer)|"
    r"(?:i\s+am|i[’']m|we\s+are|we[’']re)\s+(?:\w+\s+)?(?:un)?willing\s+to\s+(?:provide|give|offer|venture|answer|respond|comment|take)|(?:i|we)\s+(?:have|want|wish)\s+(?:no|nothing)\s+(?:wish|desire|intention|comment|to\s+say)|"
    r"(?:not|never|isn[’']t|wasn[’']t)\s+(?:something|a\s+question|one|a\s+(?:matter|topic|subject|point))\s+(?:(?:that|which|on\s+which|to\s+which|about\s+which)\s+)?(?:i|we)\s+(?:am|are|can|will|would|[’']m|shall|could)\b[^.!?\n]{0,30}?(?:answer|response|respond|comment|discuss|reply|help|address|take\s+on|weigh|pronounce|speak)|"
    r"(?:will|shall|would|must)\s+(?:have\s+to\s+|\w+ly\s+)?(?:remain|stay|keep|be)\s+(?:silent|quiet|mum)|(?:leave|leaving)\s+(?:this|that|it|the\s+question)\s+(?:\w+\s+)?unanswered|(?:won[’']t|will\s+not|can[’']t|cannot)\s+be\s+(?:answering|drawn|answered\s+here)|"
    r"(?:you\s+(?:won[’']t|will\s+not)|nobody\s+will)\s+(?:get|have|hear)\s+(?:an?|any|my)\s+(?:answer|reply|response|verdict)|(?:not|n[’']t)\s+my\s+place\s+to|not\s+for\s+me\s+to\s+(?:answer|say|judge|decide)|(?:not\s+something|nothing)\s+(?:that\s+)?i\s+(?:will|shall|intend\s+to|plan\s+to|wish\s+to|want\s+to|care\s+to)\b|"
    r"(?:withholding|keeping)\s+(?:my|the|an)\s+(?:answer|opinion|view|judge?ment)|(?:do\s+not|don[’']t|never)\s+(?:answer|take|discuss|field|address|respond\s+to|comment\s+on)\s+(?:such|this\s+kind|these|those|questions?|that\s+kind)|(?:choose|prefer|elect|opt)\s+to\s+(?:remain|stay|keep)\s+(?:silent|quiet)|"
    r"(?:do\s+not|don[’']t|does\s+not|will\s+not|won[’']t|cannot|can[’']t)\s+(?:rate|handle|cover|deal\s+with|engage\s+with|entertain|review|judge\s+(?:questions|such|this))\b|(?:give|offer|issue|pass|return|render|make|provide|venture)s?\s+no\s+(?:verdict|answer|rating|ruling|opinion|comment|judge?ment|reply|response|statement)\b|"
    r"no\s+(?:rating|verdict|ruling|answer)\s+(?:is\s+|was\s+|will\s+be\s+)?(?:given|issued|offered)|(?:not|n[’']t)\s+something\s+(?:that\s+)?(?:i|we)\s+(?:can|could|may|am\s+able\s+to|are\s+able\s+to|am\s+allowed\s+to)\b(?!\s+(?:\w+ly\s+)?(?:determine|confirm|verify|say|tell|know|decide|recall|judge|settle|resolve|establish))|"
    r"(?:move|turn)\s+(?:on\s+)?to\s+(?:another|a\s+different|something\s+else)|(?:chosen|decided|elected|opted)\s+not\s+to\s+(?:comment|answer|respond|rule|say)|"
    r"no\s+comment\b|my\s+lips\s+are\s+sealed|request\s+(?:denied|declined|refused)|(?:you[’']ll|you\s+will)\s+(?:get|have)\s+no\s+answer\s+from\s+me|"
    r"(?:that|this|it)(?:[’']s|\s+is)\s+(?:not\s+(?:something|a\s+question|one)\s+(?:that\s+)?(?:i|we)\s+(?:can|will|am\s+able\s+to|could|shall)\s+(?:\w+\s+){0,2}?(?:answer|help|assist|discuss|address|respond|comment|weigh)|"
    r"(?:a\s+(?:question|one)\s+)?(?:i|we)\s+(?:cannot|can[’']t|won[’']t|will\s+not|must\s+decline|decline)\s+(?:to\s+)?(?:answer|help|address|take)|outside\s+(?:of\s+)?what\s+i\s+(?:can|may|will)\s+(?:answer|discuss)|off[\s-]limits)|"
    r"(?:a|an|any|no|my)\s+(?:reply|answer|response|ruling|finding|verdict|opinion)\s+(?:is|must\s+be|will\s+be|shall\s+be)\s+(?:declined|refused|withheld|denied)|"
    r"against\s+my\s+(?:guidelines|policy|policies|rules|programming)|"
    r"(?:cannot|can[’']t|can\s+not|won[’']t|will\s+not|not\s+able\s+to|unable\s+to|decline(?:s|d)?\s+to|refuse(?:s|d)?\s+to|declining\s+to|refusing\s+to|not\s+going\s+to|must\s+decline\s+to)\s+"
    r"(?:be\s+)?(?:answer|help|assist|respond|comment|reply|be\s+of\s+(?:help|assistance)|comply|weigh\s+in|rule\s+on|address|take\s+up|take\s+this|touch|go\s+there|do\s+that|oblige)(?:ing)?"
    r"(?:\s+(?:to|with|on|you|upon))?(?:\s+(?:this|that|it|your|the|such\s+a|one|questions?|request|matter|point|of|you))*(?=\s*(?:[.,;:!\n)—–]|$|for\s+you|here|today|at\s+this\s+time|as\s+asked))"
)
_KNOW = (
    rf"{_NOT}\s+(?:currently\s+|actually\s+|really\s+|personally\s+|honestly\s+|rightly\s+|quite\s+|entirely\s+|exactly\s+|truly\s+|even\s+|\w+ly\s+)?(?:know|knowledgeable|sure|certain|aware|recall|remember|familiar|confident|positive|"
    r"(?:have|possess|hold|got)\s+(?:\w+\s+){0,4}?(?:information|access|knowledge|data|records?|details|answer|capability|ability|foggiest|faintest|clue|idea|means|evidence|anything|inkling)|"
    r"(?:find|locate|identify|yield|return|retrieve|search|browse|see)|"
    r"(?:confirm|verify|determine|be\s+(?:determined|verified|confirmed|sure|certain|known|settled|established\s+either|resolved|decided|answered\s+with)|say|tell|ascertain|settle|decide|establish|find\s+out|vouch|judge|work\s+out|figure\s+(?:it\s+)?out|resolve|commit)|"
    r"provide|answer|conclude|give|comprehend|access|possible\s+to)\b"
    r"|(?:it|that|this|the\s+answer)\s+(?:is|remains)\s+(?:unclear|unknown|uncertain|undetermined|undecided|unresolved|unsettled|inconclusive|indeterminate|possible|impossible\s+to\s+(?:say|know|determine|tell)|"
    r"(?:beyond|outside)\s+(?:me|my\s+(?:knowledge|ken|grasp|reach)|what\s+i\s+know)|anyone[’']s\s+guess|hard\s+to\s+(?:say|tell|know)|not\s+something\s+(?:that\s+)?i\s+(?:know|have))"
    r"|(?:it|that|this|the\s+answer)[’']s\s+(?:unclear|unknown|uncertain|beyond\s+me|anyone[’']s\s+guess|anybody[’']s\s+guess|hard\s+to\s+say|impossible\s+to\s+say|above\s+my\s+pay\s*grade|a\s+mystery\s+to\s+me|news\s+to\s+me|not\s+something\s+(?:that\s+)?i\s+know)"
    r"|\bunsure|(?:is|are)\s+(?:unclear|unknown|uncertain|insufficient|inconclusive|silent\s+on\s+(?:this|that|the\s+(?:point|matter|question)))"
    r"|(?:i|we)\s+(?:(?:simply|just|really|honestly|frankly|genuinely|truly|sadly|unfortunately|currently|do|sorely)\s+){0,2}(?:have|lack|possess|hold|find|see)\s+(?:no|insufficient|limited|the|any|enough|sufficient|nothing|neither|too\s+little)?\s*(?:\w+\s+){0,2}?(?:information|knowledge|idea|data|clue|way\s+of\s+(?:knowing|telling)|inkling|means|answer|evidence\s+either\s+way|certainty|basis|notion)"
    r"|(?:is|are)\s+(?:currently\s+)?not\s+(?:known|clear|certain)|no\s+(?:available\s+)?(?:information|records?\s+(?:indicate|suggest|show)|(?:earthly\s+|real\s+)?idea|clue|data|sufficient\s+information|reliable\s+information|answer|way\s+(?:of\s+knowing|to\s+(?:know|tell))|telling)\b"
    r"|(?:not\s+enough|insufficient|too\s+little)\s+(?:\w+\s+)?(?:information|data|evidence|knowledge|context|grounds)"
    r"|there\s+(?:is|are)\s+(?:not\s+enough|insufficient|no)\s+(?:information|data|enough)"
    r"|(?:need|require)\s+(?:more|additional|further)\s+(?:information|details|context|clarification)"
    r"|(?:please|could\s+you)\s+(?:provide|clarify|specify)"
    r"|(?:beyond|outside|exceeds|above)\s+(?:of\s+)?(?:my|what\s+i)\s+(?:knowledge|ken|expertise|know|competence|memory|information|training|pay\s*grade)"
    r"|(?:escapes|eludes|beats|stumps|defeats)\s+me\b|(?:has|got)\s+me\s+(?:stumped|beaten|there|beat)|i(?:[’']m|\s+am|\s+was)\s+(?:\w+\s+)?(?:stumped|clueless|ignorant|in\s+the\s+dark|at\s+a\s+loss|none\s+the\s+wiser|lost\s+here|out\s+of\s+my\s+depth|drawing\s+a\s+blank|undecided|on\s+the\s+fence|agnostic)|"
    r"(?:i[’']d|i\s+would)\s+(?:only\s+|just\s+|merely\s+)?be\s+(?:only\s+|just\s+|merely\s+)?guessing|(?:your|anyone[’']s|anybody[’']s)\s+guess|(?:confess|admit|plead|profess)\s+(?:my\s+|to\s+|total\s+|complete\s+)*ignorance|"
    r"(?:draw|drew|come|came)\s+(?:a\s+blank|up\s+(?:empty|blank))|(?:your|my)\s+guess\s+is\s+as\s+good|(?:who|god|heaven|goodness|lord)\s+(?:knows|can\s+say)|no\s+one\s+can\s+say|"
    r"(?:memory|knowledge|information|notes|records?|sources?|data|expertise|training|file)\s+(?:(?:simply|just|also|unfortunately)\s+)?(?:fails?\s+me|does(?:n[’']t|\s+not)\s+(?:go|reach|extend|cover|say|stretch|tell|settle|help|include|contain)|do\s+not\s+(?:go|reach|extend|cover|say|tell|settle|include|contain)|don[’']t\s+(?:go|reach|extend|cover|say|tell|settle)|(?:is|are)\s+(?:silent|blank|empty)|runs?\s+out|ends?\s+(?:here|there))|"
    r"(?:dunno|idk|n/a)\b|not\s+(?:a\s+clue|known\s+to\s+me|the\s+(?:foggiest|faintest|slightest)(?:\s+(?:idea|clue|notion))?|sure|certain|something\s+i\s+know)\b|hard\s+to\s+(?:say|tell)\b|(?:lack|want)\s+(?:of\s+)?(?:the\s+)?(?:information|knowledge|evidence|data)|"
    r"(?:unknown|unfamiliar)\s+to\s+me|(?:remain|stay)s?\s+(?:an?\s+)?(?:open\s+(?:question)?|mystery)|(?:reserve|suspend|withhold)\s+(?:my\s+)?judge?ment|can[’']t\s+be\s+(?:sure|certain)|"
    r"(?:knowledge|information|evidence|data|facts?|records?|sources?|material|memory|notes?|training)\b[^.!?\n]{0,30}?\s(?:does|do|did|is|are|was|were|can|will)(?:n[’']t|\s*not)\s+(?:\w+ly\s+)?(?:permit|allow|suffice|enable|let|settle|decide|resolve|determine|answer|reach|sufficient|enough|available|tell|cover|extend|conclusive|make\s+it\s+possible)|"
    r"(?:knowledge|information|evidence|data|facts?|records?|sources?)\s+(?:is|are)\s+(?:\w+\s+)?(?:insufficient|lacking|missing|wanting|too\s+(?:thin|scarce|sparse)|inconclusive|silent)|"
    r"(?:can|could|will|may)\s*(?:not|n[’']t)\s+be\s+(?:\w+ly\s+)?(?:determined|decided|settled|resolved|answered\s+(?:with|from|on|given)|known|ascertained|inferred|told)|(?:no|neither)\s+(?:\w+\s+){0,2}(?:is|are|was)\s+(?:known|available)\s+to\s+me|"
    r"(?:i|we)\s+(?:never|haven[’']t|have\s+not|have\s+never)\s+(?:\w+ly\s+)?(?:learn(?:ed|t)|heard|studied|come\s+across|read|been\s+told|encountered|found\s+out|looked)|"
    r"haven[’']t\s+(?:got\s+)?(?:a|the|any|even)\s+(?:\w+\s+){0,2}?(?:clue|foggiest|faintest|idea|inkling)|(?:isn[’']t|aren[’']t|wasn[’']t)\s+(?:enough|sufficient)\s+(?:\w+\s+)?(?:information|data|evidence|to\s+go\s+on)|(?:i|we)\s+(?:know|have|found|hold)\s+nothing\s+(?:about|of|on|that|to|regarding)|"
    r"one[’']s\s+beyond\s+me|not\s+(?:in|within|part\s+of|covered\s+by)\s+my\s+(?:knowledge|memory|training|notes|ken)|neither\s+(?:confirm|verify)\s+nor|(?:can\s*not|can[’']t|could\s+not|couldn[’']t|unable\s+to)\s+(?:\w+ly\s+)?(?:reach|come\s+to|arrive\s+at|form|draw|make|render|pronounce|offer|venture)\s+(?:an?|any|the)?\s*(?:\w+\s+)?(?:conclusion|verdict|judge?ment|decision|opinion|answer|determination|finding|call)|"
    r"no\s+(?:\w+\s+)?(?:verdict|conclusion|finding|judge?ment|decision|determination)\s+(?:can|could|may|is|was)\s+(?:be\s+)?(?:reached|drawn|made|possible|given|formed|had|returned)|"
    r"(?:nothing|none)\s+(?:i\s+(?:know|have)|in\s+(?:my|the)\s+\w+)\s+(?:settles?|answers?|tells?|decides?|says?)"
)
_TALK = (
    r"(?:engage|talk|discuss|share|comment|answer(?:ing)?|respond(?:ing)?|get\s+into|go\s+there|touch|speak|continue)"
)
_REFUSE_TOO = (
    rf"(?:(?:unable|not\s+(?:able|allowed|permitted|going)|inappropriate\s+for\s+me|(?:not|n[’']t)\s+be\s+appropriate\s+for\s+me)\s+to|not\s+gonna|i\s+(?:may\s+not|won[’']?t|will\s+not|can[’']?t|cannot)|^\W*(?:sry\s+|sorry\s+)?cant|(?:not|n[’']t)\s+feel\s+comfortable)\s+{_TALK}"
    r"(?:\s+(?:to|on|with|about|into|for|information))*(?=\s*(?:[.,!;]|$)|\s+(?:this|that|it|you|enquiries|the\s+(?:matter|topic|subject|question)|in|private|sorry|here|there)\b)|not\s+answering\s+(?:this|that|it)\b|recuse\s+myself|i\s+(?:do\s+not|don[’']t)\s+(?:touch\s+on|discuss)\b|"
    r"(?:guidelines?|polic(?:y|ies)|rules)\s+(?:(?:do(?:es)?\s+not|don[’']t|doesn[’']t)\s+(?:allow|permit|let)|prevents?|prohibits?|forbids?)|(?:against|violates?|breaches)\s+(?:my|our)\s+(?:\w+\s+)?(?:guidelines|polic(?:y|ies)|rules)|"
    r"outside\s+what\s+(?:i[’']m\s+allowed|i\s+am\s+allowed|can\s+be\s+offered)|off[\s-]limits\s+(?:for\s+me|here|to\s+me)|only\s+able\s+to\s+help\s+with|not\s+a\s+question\s+i\s+will|not\s+something\s+i[’']m\s+(?:able|permitted|allowed)\s+to|i[’']m\s+not\s+(?:allowed|permitted)\s+to|"
    r"let[’']s\s+talk\s+about\s+something\s+else|change\s+the\s+subject|(?:do(?:es)?\s+not|don[’']t)\s+(?:issue|provide|offer)\s+(?:ratings|entries|opinions|verdicts|rulings)|[\"']?error[\"']?\s*:\s*[\"']refused|no\s+assessment\s+will\s+be|we[’']ll\s+skip"
)
_KNOW_TOO = (
    r"(?:you[’']ve|you\s+have)\s+(?:really\s+)?(?:stumped|got|lost)\s+(?:me|us)|unfamiliar\s+with\s+(?:it|this|that)|wish\s+i\s+(?:knew|could\s+(?:say|tell))|could\s+(?:be|go)\s+either|maybe,?\s+maybe\s+not|perhaps,?\s+perhaps\s+not|"
    r"(?:question|matter|point|issue)\s+(?:is|remains)\s+(?:undecided|unresolved|unsettled|open|moot)|(?:question|matter)\s+cannot\s+be\s+(?:answered|settled|decided)|too\s+low\s+to\s+(?:answer|say)|(?:a|either)\s+yes\s+or\s+(?:a\s+)?no\b|could\s+be\s+yes|"
    r"none\s+of\s+us\s+(?:can|could)\s+(?:tell|say)|nothing\s+that\s+(?:settles|decides|answers)|lack\s+the\s+(?:inputs|means)|be\s+(?:pure\s+|mere\s+)?speculation"
)
_STANCE = (
    r"(?:answer|reply|response|verdict|ruling|position|stance|view|opinion|rating|judge?ment|statement|comment|"
    r"conclusion)"
)
_REFUSE_STANCE = (
    r"(?:(?:do|does|will|shall|can|would)\s*(?:not|n[’']t)|won[’']t|can[’']t)\s+(?:be\s+)?(?:\w+ly\s+)?"
    r"(?:issu|tak|giv|provid|mak|render|offer|express|adopt|return|deliver|hand\s+down|venture)(?:e|ing|s)?\s+"
    rf"(?:an?\s+|any\s+|the\s+|our\s+|my\s+)?(?:\w+\s+)?{_STANCE}\b|"
    rf"\bno\s+(?:\w+\s+)?{_STANCE}\s+(?:is|was|will\s+be|shall\s+be|has\s+been)\s+(?:\w+ly\s+)?"
    r"(?:provided|given|offered|issued|made|taken|supplied|expressed|returned|rendered)"
    r"(?!\s+(?:in|by|for\s+(?:this\s+)?lack)\b)|"
    r"(?:is\s+not|isn[’']t|[’']s\s+not|are\s+not)\s+(?:something|anything|a\s+question|one|a\s+matter|a\s+topic)\s+"
    r"(?:that\s+|which\s+)?"
    r"(?:i|we)(?:[’']m|\s+am|[’']re|\s+are|[’']ll|\s+will|\s+would|[’']d)?\s*(?:going\s+to|gonna|willing\s+to|about\s+to|prepared\s+to|"
    r"here\s+to|planning\s+to|want\s+to|wish\s+to)?\s+(?:answer|discuss|address|comment|respond|speak|weigh\s+in|get\s+into|touch|rule)\w*|"
    r"(?:gonna|going\s+to|will|[’']ll|have\s+to|must|let\s+me|better|rather)\s+(?:\w+\s+)?(?:pass|skip|sit\s+out)\s+(?:on\s+)?"
    r"(?:that|this|it|the\s+question|that\s+one|this\s+one)\b"
)
SILENCE = re.compile(
    rf"(?:(?<!\w)(?:(?P<refusal>{_REFUSE}|{_REFUSE_TOO}|{_REFUSE_STANCE})|{_KNOW}|{_KNOW_TOO}))", re.IGNORECASE
)
"""Not knowing, and refusing (group `refusal`). A sentence that holds one makes no claim."""

WHOLE = re.compile(
    r"[\s\"'(]*(?:(?:well|so|sorry|hmm+|honestly|frankly|alas|ah|oh|answer|verdict|final\s+answer|ruling|finding|result|status|conclusion|a)\b[\s,.:–—-]*){0,3}"
    r"(?:(?P<refusal>pass|no\s+comment|declined|refused|i\s+pass|(?:answer\s+)?withheld|i\s+abstain|abstain(?:ed)?|can[’']t\s+(?:help|do)|cannot\s+(?:help|do)|won[’']t\s+answer|(?:must|i)\s+decline|not\s+answering|skip(?:ping)?(?:\s+this\s+one)?|count\s+me\s+out)"
    r"|unknown|unproven|unverifiable|unverified|not\s+enough\s+info(?:rmation)?|🤷|unconfirmed|unrated|undetermined|undecided|uncertain|unclear|inconclusive|indeterminate|unresolved|unsettled|not\s+(?:known|proven\s+either\s+way|determinable|sure|certain|clear)|search\s+me|beats\s+me|"
    r"no\s+(?:idea|clue|verdict|answer|finding|data|information|info)|insufficient\s+(?:data|evidence|information)|don[’']?t\s+know|do\s+not\s+know|dunno|idk|\?+|n/?a|cannot\s+(?:say|tell)|can[’']t\s+(?:say|tell)|couldn[’']t\s+(?:say|tell\s+you)|"
    r"hard\s+to\s+(?:say|tell)|who\s+knows|open|blank|none\s+reached|cannot\s+be\s+(?:determined|settled|known)|need\s+more\s+(?:data|information))"
    r"(?=[\s\"')]{0,4}(?:$|\s{2}|[,.;:!?—–(]|-\s|\s(?:about|on|as\s+to)\b))",
    re.IGNORECASE,
)
"""What says it only as a sentence of its own, behind a label at most."""
