"""The words between two mentions, brought to one form: tense, number, articles, adverbs and negation taken out.

Patterns (`phrasebook`) and responses pass through the same function, so all that counts is that two wordings of one
relation come out alike, not that the stems are a linguist's.
"""

import re
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import NamedTuple

from halluvault_tasks.oracles.words import (
    ADVERBS_NOT,
    APPOSITIONS,
    DROPPED,
    HEDGES,
    IRREGULAR,
    NEGATIONS,
    PREPOSITIONS,
    UNTRUTHS,
)
from halluvault_tasks.wikidata.names import fold

_TOKEN = re.compile(r"[’']s\b|s[’'](?=\s)|n[’']t\b|[a-z0-9]+(?:-[a-z]+)*|[:;()–—]|,")
_CONTRACTED = re.compile(r"\b(ca|wo|does|do|did|is|was|are|were|has|had|have|could|would|should)n[’']t\b")

_PARTICIPLE = re.compile(
    r"(?:ed|born|written|made|held|won|given|taken|seen|sung|run|led|found|taught|stood|lain|come|"
    r"become|gone|been|known|shown|built|fought|begun|left|kept|met|laid|spoken|worn|borne|had|grown|put)$"
)
_LINKS = frozenset(["and", "or", "but", ",", ";", "as", "well"])


class Gap(NamedTuple):
    """A stretch of words in its one form.

    Attributes:
        tokens: stems, in order.
        negations: words of denial that were taken out.
        hedged: a word of doubt is in it.
        link: it begins with "and", "but", a comma …, which is not among the tokens.
        contrast: that word is "but", or "instead", "rather than" stands in it.
        relative: "which", "who", "where" stands first: the mention before is spoken of.
    """

    tokens: tuple[str, ...]
    negations: int = 0
    hedged: bool = False
    link: bool = False
    contrast: bool = False
    relative: bool = False


_RELATIVE = re.compile(r"^\W*(?:and\s+)?(?:which|who|whom|whose|where|itself)\b")
_CONTRAST = re.compile(r"\b(?:instead of|rather than|as opposed to|but)\b")
_LY = r"(?:\w+ly |also |now |often |still |today |ever )*"
_BE = r"(?:is|was|are|were|be|been|being|am)"
_SAID = (
    r"(?:listed|recorded|given|named|identified|recognis\w+|recogniz\w+|regarded|cited|acknowledged|noted|registered|"
    r"documented|considered|classified|classed|classif\w+|defined|viewed|treated|reckoned|designated|entered|"
    r"specified|"
    r"stated|shown|marked|understood|counted|credited|known|described|seen|hailed|remembered|celebrated|chronicled|"
    r"catalogued|categori[sz]ed|labell?ed|filed|attested|confirmed|ranked|numbered)"
)
_SOURCES = (
    r"(?:sources?|records?|accounts?|biograph(?:y|ies|ers)|histor(?:y|ies|ians)|documents?|documentation|"
    r"evidence|data|facts?|"
    r"references?|encyclopa?edias?|literature|wikidata|wikipedia|archives?|registers?|knowledge|scholarship|scholars|"
    r"textbooks|authorities|reference works)"
)

_WORD = (
    r"(?!(?:of|by|in|on|at|to|for|with|from|and|or|not|no|never|who|that|which|born|being|into|onto|upon|out|"
    r"up|down|off|away|through|about|against|during|since|until|before|after|than|earlier|later|as|around|"
    r"through|like|same|between|under|over|" + "|".join(sorted(HEDGES | UNTRUTHS | NEGATIONS)) + r")\b)[\w-]+"
)
"""A word of a noun phrase that has nothing hanging on it."""

_REWRITTEN: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), said)
    for pattern, said in (
        (
            r"\b(?:on|as|in|at|for|from) (?:an?|another|some)(?: \w+ly| quite| rather| whole)? ?(?:different|separate|"
            r"distinct|unrelated|unconnected|other|side|lighter|related)?"
            r" (?:note|point|matter|topic|subject|thread|front|issue|remark|observation|aside|track)\b,?", " ",
        ),
        (
            r",?\s*\b(?:but|though|although|and)?,? ?(?:that(?:'s| is)|this is|which is) "
            r"(?:quite )?(?:a(?: whole)? different|another|a separate)"
            r" (?:story|matter|topic|question|thing|issue|tale)\b", " ",
        ),
        # what has a word of denial or doubt in it and neither denies nor doubts
        (
            r"\b(?:without|beyond|outside)(?: (?:a|any|all|the|reasonable|serious|slightest|shadow of a))*"
            r" (?:doubt|question|dispute|exception|ambiguity)\b", " ",
        ),
        (
            r"\b(?:there (?:is|can be|remains|exists)|there's)? ?\b(?:no|little|not any|"
            r"hardly any)(?: (?:real|serious|"
            r"reasonable|room for))* (?:doubt|question|dispute|denying|disputing|mistaking|uncertainty|"
            r"ambiguity|debate)"
            r"(?: about (?:it|this|that))?,?(?: (?:that|but that))?\b", " ",
        ),
        (r"\b(?:is|was|are) not (?:in|open to|up for) (?:doubt|question|dispute|debate)\b", " "),
        (r"\bit (?:cannot|can not|can hardly) be (?:denied|disputed|doubted) that\b", " "),
        (r"\bneedless to say\b|\bnot surprisingly\b|\bno wonder\b", " "),
        (
            r"\b(?:none|no|nothing|nobody|nowhere)(?: one)?(?: else)?(?: (?:other|less|else) (?:than|but)|"
            r" but| than| more(?: and| or|,)? (?:no|nothing) less than)\b", " ",
        ),
        (r"\bnot (?:only|just|merely|simply|solely)\b", " "),
        (r"\bnot (?=(?:(?!last|surviv|exist|liv|run|remain|hold|reign|stay|serv|continu)\w+ ){1,5}until\b)", " "),
        # what only joins
        (
            rf"\b(?:according to|as per|going by) (?:all |most |the |every |any |many |our |my )?"
            rf"(?:\w+ ){{0,2}}{_SOURCES}\b,?", " ",
        ),
        (
            r"\b(?:in (?:fact|reality|truth|actuality|actual fact|the end|due course|particular|other words|short|"
            r"(?:large |no small )?part|its entirety|turn|the process)|as a matter of fact|of course|for the record|"
            r"as it (?:happens|turns out)|by all accounts|after all|at (?:long )?last|at (?:the|that) time|"
            r"for the first time|to this day|as (?:is|has been|was) (?:well |widely |often )?(?:known|"
            r"documented|established|noted)|"
            r"as (?:we|you|many)(?: all)?(?: may)? know|as every(?:one|body) knows|as (?:mentioned|noted|"
            r"stated|said)(?: above| before)?|"
            r"to be (?:precise|exact|clear|sure|fair|specific)|(?:strictly|technically|geographically|"
            r"administratively|"
            r"politically) speaking|more (?:precisely|specifically|exactly)|for (?:example|instance)|"
            r"among (?:others|other things|many others|other \w+)|along with others|at (?:the very )?least|"
            r"and others|"
            r"on (?:the )?record|at all|at (?:one|some|any) (?:point|time|stage)|"
            r"for (?:a (?:time|while|period|spell)|(?:some|many|several|a few) (?:years|months|time))|"
            r"in (?:his|her|its|their) (?:time|day|life|lifetime|career|youth|early years|later years|later life)|"
            r"over the (?:years|course of (?:his|her|its) \w+)|during (?:his|her|its|their) (?:life|lifetime|career)|"
            r"early on|later on|in later life|back then|to (?:the (?:general )?public|audiences|the world at large)|"
            r"in (?:its|their|his|her) own right|in space|guess what|by (?:birth and )?definition|"
            r"for its part|on the (?:other|one) hand)\b", " ",
        ),
        (r"\bunderway\b", "under way"),
        (r"\b(?:already|yet) (?=exist|been? (?:there|around)|be (?:there|around)|in existence)", " "),
        # denial in other words
        (
            r"\b(?:it|that) (?:is|was|would be) (?:\w+ly |just )?(?:not|n't) (?:\w+ly )?"
            r"(?:the case|true|so|correct|accurate|right|a fact|as if|as though) (?:to say )?(?:that)?\b", " not ",
        ),
        (r"\b(?:anything but|far from(?: being)?|by no (?:means|stretch)(?: of the imagination)?|in no (?:way|sense)|"
         r"on no account|under no circumstances|at no (?:time|point|stage)|not in the least|not at all|"
         r"not in any (?:way|sense))\b", " not "),
        (
            r"\b(?:has|had|have|having) (?:nothing|little) (?:whatsoever |at all )?to do with\b|"
            r"\b(?:has|had|have|plays?|played|took|takes?) no (?:part|hand|role|share|involvement|say)"
            r"(?: at all| whatsoever)? in\b", " not be behind ",
        ),
        (r"\b(?:has|had|have) (?:something|everything|a lot) to do with\b", " may "),
        (
            r"\b(?:somewhere|anywhere|elsewhere|some place|a (?:place|city|town|country|"
            r"different place))(?: (?:other|else))?"
            r" (?:than|but)(?: in| at)?\b", " not in ",
        ),
        (
            r"\b(?:something|someone|somebody|anyone|anything|anybody|people|a \w+|an \w+|another \w+|others?)?"
            r" ?\bother than\b|\b(?:anyone|anything|anybody|everyone|everything) (?:else )?but\b", " not ",
        ),
        (r"\b(?:fails?|failed|failing) to\b", " not "),
        (r"\b(?:well |just |far |entirely |completely )?outside(?: of)?\b", " not in "),
        (
            rf"\b(?:{_BE} )?{_LY}(?:credited with|responsible for|(?:best |well |widely )?known for|"
            rf"famous for|noted for|"
            r"remembered for|celebrated for|hailed for|recogni[sz]ed for|honou?red for|the one for)"
            r" (?:having |first |successfully )*(?=\w+(?:ing|ed)\b)", " ",
        ),
        (
            r"\b(?:would )?(?:(?:went|goes|go) on to|managed to|manages to|came to|proceeded to|used to|got to|"
            r"is known to(?: have)?|are known to(?: have)?|succeeded in|had the honou?r of)\b(?! (?:the|an?|"
            r"its)\b)", " ",
        ),
        (r"\b(?:a |one |the |at least one )(?:common|shared|single|identical|selfsame|very same|"
            r"one and the same) (?=\w)", "same "),
        (r"\b(from|by|around|under) one (?!of\b)(?=[a-z]{3,} ?$|[a-z]{3,} [a-z]{3,} ?$)", r"\1 same "),
        (r"\bone and the same\b|\bthe very same\b", "same"),
        (r"\b(?:wholly|fully|partly|jointly|majority)[ -]owned (?!by\b)", " "),
        (r"\b((?:his|her|its|their|'s|’s|my|your|one's) (?:very )?)own\b", r"\1"),
        (r"\b(?:unrelated|unconnected) (?:to|with)\b", " not related to "),
        (r"\b(?:different|differing|distinct|separate|divergent|dissimilar)(?! from\b| than\b|"
            r" to\b)\b", " not same "),
        # what only says "is"
        (
            r"\b(?:turn(?:s|ed)? out|prov(?:es?|ed|en)|happen(?:s|ed)?|appear(?:s|ed)? on record|came|comes|"
            r"come) to (?:be|have been)\b",
            "is",
        ),
        (rf"\b(?:can|may|could|should|must|is to|has to) be {_LY}{_SAID} (?:as|to be|to have been)\b", "is"),
        (rf"\b{_BE} {_LY}{_SAID} (?:as|to be|to have been)\b", "be"),
        (r"\b(?:can|may|is|are|was|were)( not| never)? (?:to )?be (found|seen|visited|located)\b", r"be\1 \2"),
        (
            rf"\b{_BE}( not| never)? {_LY}(?:located|situated|found|set|placed|positioned|nestled|sited|stationed)"
            r"(?= (?:in|on|at|within|inside|along|near|beside|next to)\b)", r"lie\1",
        ),
        (rf"\b{_BE}( not| never)? {_LY}(?:located|situated|positioned|nestled)(?=\s*$| (?:is|was|in)\b)", r"lie\1"),
        (r"\b(?:falls?|fell|stands?|stood|sits?|sat) (?=(?:in|within|inside)\b)", "lie "),
        (r"\b(follow\w*) (?:on )?(?:\w+ly |right |straight )?(?:after|on from)\b", r"\1"),
        (r"\b(round|around) and (?:round|around)\b|\b(?:again and again|over and over(?: again)?|"
            r"time and again)\b", r"\1"),
        (r"\b(?:ends?|ended|ending|winds?|wound) up (?=\w+ing\b)", " "),
        (r"['’]s (?:\w+ )?(?:mortal )?(?:remains|ashes|bones)\b|\b(?:the )?(?:mortal )?(?:remains|ashes|"
            r"bones) of\b", " "),
        (r"\bas well\b(?! as)", " "),
        (
            r"\b(the|an?|its|his|her|their|['’]s) (?:direct|immediate|actual|real|sole|only|very|true|rightful|own)"
            r" (?=[a-z])", r"\1 ",
        ),
        (r"\b(not|never|no)\b((?: \w+){0,3}) (?:and|or|nor) (?:\w+ ){0,2}(?:not|never)\b", r"\1\2"),
        (r"\b(?:serv|act|function|doubl|featur|figur|stand|rank|count|qualif|work|operat|go(?:es)? down)(?:s|"
            r"es|ed|ing|e|ies|ied|y)? as\b", "be"),
        (r"\bstood as\b|\bwent down as\b", "be"),
        (
            r"\b(?:hold|holds|held|bear|bears|bore|enjoy|enjoys|enjoyed|have|has|had|carr(?:y|ies|ied)) the "
            r"(?:distinction|honou?r|title|status|role|function|privilege) of (?:being )?\b", "be ",
        ),
        (r"\b(?:play|plays|played|fill|fills|filled|take on|took on) the (?:role|part|function) of\b", "be"),
        (rf"\b({_BE}(?: not| never)?) that of\b", r"\1"),
        (
            rf"\b(?:{_BE}|ranks?|counts?|counted|numbered|figures?|features?|listed|included|belongs?|appears?)"
            r"(?: to be)?(?: to)?(?: counted| numbered| listed| included| found| ranked)?"
            r" among(?:st)?(?: the| those| its| his| her| their)?(?: ranks of)?(?: many| several| few)?\b", "be",
        ),
        (
            r"\bone (?:of|among)(?: the| its| his| her| their|(?= \w+['’]s))?"
            r"(?: (?:many|several|few|various|numerous|two|three|four|five|six|seven|eight|nine|ten|\d+))?\b", " ",
        ),
        (r"\bborn (?:and|&) (?:raised|bred|brought up|educated|baptis\w+|baptiz\w+|christened)\b", "born"),
        (r"\bin (?:common )?with (?=each other|one another)", " "),
        (r"\bwhose\b", "'s"),
        (r"\b(?:gets?|got|getting|gotten) (?=(?:\w+ed|wed|born|made|built|written|elected)\b)", "be "),
        (r"\b(?:mak(?:es?|ing)|made|finds?|found|wends?) (?:its|his|her|their) way\b", "move"),
        (r"\b(?:the |its )?ranks of\b|\bbod(?:y|ies) of(?= water\b)", " "),
        (
            r"\b(?:within|inside|in) (?:the )?(?:(?:present-day|modern|modern-day|current|today['’]?s|own|"
            r"administrative|national|territorial|geographical|city) )*"
            r"(?:borders?|boundar(?:y|ies)|limits|confines|frontiers) of\b", "in",
        ),
        (r"\bno (?:single|one|common|shared) (?=\w)", " not same "),
        (
            rf"\b{_BE}( not| never)? (?:the \w+ |exactly |precisely )?where (?:you|we|one|people|visitors|anyone)"
            r"(?:['’]d|['’]ll| can| will| may| would| could)?(?: have to go to| go to)? (?:find|see|locate|"
            r"look for|visit|place|put|pin)\b", r"\1 contains",
        ),
        (r"\b(\w{3,}(?:ed|en|wn)|found|made|built|born|held|begun|won|led) or (?:\w+ly |first )?\w{2,}(?:ed|"
            r"en|wn|ght|ilt|ade)\b", r"\1"),
        (r"\b(\w{3,}ing) or (?:\w+ly |first )?\w{3,}ing\b", r"\1"),
        (r"\b(shore|coast|bank)s? or (?:the )?(?:shore|coast|bank)s?\b", r"\1"),
        # "is a film which was directed by", "is one of the companies owned by"
        (rf"\b{_BE} (not |never )?(?:(?:the|an?|one|one of the|what|"
            rf"part of what)\b)?(?: ?{_WORD}){{0,4}} (?:who|that|which)(?= (?!of\b)\w)", r" \1"),
        (rf"^\W*,\s*(?:the|an?|one|one of the)(?: {_WORD}){{0,4}} (?:who|that|which)(?= (?!of\b)\w)", " "),
        (
            rf"\b({_BE}(?: not| never)?)(?: the| an?| one of the| one of| those| among the| any)?(?: {_WORD}){{1,4}}?"
            r" (?=(?:\w{2,}(?:ed|wn|en|ght|ilt|ade|ing)|born|held|led|won) (?:by|in|at|to|into|from|with|"
            r"after|for|on|around|under|upon)\b)",
            r"\1 ",
        ),
        (
            rf"\b{_BE}( not| never)?(?: the| an?| one of the| any)(?: {_WORD}){{1,4}}? (?!(?:king|building|"
            rf"painting|thing|"
            r"string|ring|spring|offspring|sibling|wing|being|morning|evening|meaning|writing|recording|"
            r"ruling|beginning|"
            r"ending|setting|founding|offering)\b)(?=\w{3,}ing(?: the)?\s*$)",
            r"\1 ",
        ),
        (
            rf"\b{_BE}( not| never)? (?=\w{{3,}}ing (?:around|into|in|to|on|from|with|through|under|at|by|"
            rf"the|an?|its)\b|\w{{3,}}ing$)",
            r"\1 ",
        ),
        (
            rf"\b({_BE}(?: not| never)?)(?: the| an?| one of the| any)(?: {_WORD}){{1,4}}?"
            r" (?=(?:adjacent|next|close|native|subject|prior|common) to\b)", r"\1 ",
        ),
    )
)  # fmt: skip
_ANY_REWRITTEN = re.compile("|".join(f"(?:{pattern.pattern})" for pattern, _ in _REWRITTEN))
_INSTEAD = re.compile(r"\b(?:instead of|rather than|as opposed to)\b")
_THOSE_WHO = re.compile(
    r"\b(?:is|was|are|were|be) (?:among (?:those|the people|the ones)|"
    r"(?:one of )?the (?:very |first |only |same )?(?:ones?|person|people|man|woman|company|team|studio|firm|"
    r"individual|figure)|"
    r"one of (?:those|the people)|someone|somebody|an? (?:person|man|woman|company)) (?:who|that|which|to have)\b"
)
_BEFORE = re.compile(
    r"\b(?:(?:at|on|in) an? )?(?:earlier|sooner|longer ago|further back|further)"
    r"(?: (?:date|time|point|year|day|stage|moment))?(?: in time)? than\b|\b(?:prior to|ahead of|in advance of)\b"
)
_AFTER = re.compile(
    r"\b(?:(?:at|on|in) an? )?(?:later|more recently|less long ago)(?: (?:date|time|point|year|day|stage|moment))?"
    r"(?: in time)? than\b|\bsubsequent to\b"
)
_POLITE = re.compile(
    r"\bit (?:may|might|could|can) (?:also )?be (?:added|noted|mentioned|said|remarked|recalled|worth noting) that\b"
)
_HEDGED_PHRASE = re.compile(
    r"\b(?:it is (?:said|believed|thought|possible|rumou?red)|some (?:say|sources|believe|historians|"
    r"scholars|people|accounts)|"
    r"i(?: a|['’])m not (?:sure|certain|"
    r"entirely)|not (?:entirely )?(?:sure|certain)|as far as i (?:know|recall|remember)|if (?:i|memory)|"
    r"i (?:think|believe|guess|suppose|seem to (?:recall|remember))|to my knowledge|"
    r"there is (?:some )?(?:evidence|debate)|(?:legend|rumou?r|tradition|folklore|gossip) (?:has|says|holds)|"
    r"according to (?:some|a few|certain|one|legend|tradition|rumou?r|folklore|hearsay)|"
    r"(?:is|was|are|were) (?:\w+ly |often |sometimes )?(?:said|believed|thought|reported|rumou?red|assumed|"
    r"alleged|held|claimed) to|"
    r"may have|might have|could have|appears? to|appeared to|as good as|open question|hard to say|"
    r"(?:wish|want|hop|plan|intend|attempt|refus|declin|offer|propos|threaten|expect|aim|wait|long|prepar|"
    r"dream)(?:e|s|es|ed|ned|ing|ning)? (?:to|of)|"
    r"(?:tries|try|tried|trying|seeks?|sought|seeking|due|about|meant|going|set|ready|keen|eager|able|unable) to"
    r"(?! (?:the|a|an|its|his|her|their|be found)\b)|"
    r"nominated|nominee|candidate for|shortlisted)\b"
)
_ASIDE = re.compile(r"\(([^()]{0,120})\)|[–—]\s*([^–—()]{1,120}?)\s*[–—]")
_TURNS = re.compile(r"\b(?:not|no|never|n't|nor|neither|without|" + "|".join(sorted(HEDGES | UNTRUTHS)) + r")\b")


def stem(word: str) -> str:
    """A word without its ending: "directed", "directs" and "direct" are one."""
    if word in IRREGULAR:
        base = IRREGULAR[word]
    elif len(word) > 6 and word.endswith("ings"):
        base = _single(word[:-4])
    elif len(word) > 4 and word.endswith(("ies", "ied")):
        base = word[:-3] + "y"
    elif len(word) > 5 and word.endswith("ing"):
        base = _single(word[:-3])
    elif len(word) > 4 and word.endswith("ed"):
        base = _single(word[:-2])
    elif len(word) > 4 and word.endswith("es") and word[-3] in "sxzo":
        base = word[:-2]
    elif len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        base = word[:-1]
    else:
        base = word
    return base[:-1] if len(base) > 3 and base.endswith("e") else base


def _single(base: str) -> str:
    doubled = len(base) > 3 and base[-1] == base[-2] and base[-1] not in "lsfzeo"
    return base[:-1] if doubled else base


@lru_cache(maxsize=65_536)
def read(text: str) -> Gap:
    """The one form of a stretch of text."""
    folded = fold(text).replace("’", "'")
    folded = _CONTRACTED.sub(lambda match: {"ca": "can", "wo": "will"}.get(match[1], match[1]) + " not", folded)
    relative = bool(_RELATIVE.match(folded))
    if "(" in folded or "–" in folded or "—" in folded:
        folded = _ASIDE.sub(_without_aside, folded)
    hedged = bool(_HEDGED_PHRASE.search(folded))
    contrast = bool(_CONTRAST.search(folded))
    folded = _THOSE_WHO.sub(" ", folded)
    if _ANY_REWRITTEN.search(folded):  # one look spares most texts sixty
        for pattern, said in _REWRITTEN:
            changed = pattern.sub(said, folded)
            folded = folded if changed == folded else " ".join(changed.split())
    folded = _AFTER.sub(" after ", _BEFORE.sub(" before ", _POLITE.sub(" ", folded)))
    words = _TOKEN.findall(_INSTEAD.sub(" not ", folded).replace("today's", "todays"))
    negations, joined = 0, False
    kept: list[str] = []
    for position, word in enumerate(words):
        joined = joined or (negations > 0 and word in ("and", "but", ";"))
        if word in NEGATIONS or word == "n't" or word in UNTRUTHS:
            paired = (word == "nor" and "neither" in words[:position]) or (negations and joined)
            negations += not paired and not (word == "no" and words[position + 1 : position + 2] == ["doubt"])
        elif word in HEDGES:
            hedged = hedged or not (word == "doubt" and "no" in words[max(0, position - 1) : position])
        elif word in ("'s", "s'"):
            kept.append("'s")
        elif (
            word in DROPPED
            or _adverb(word)
            or word in ":()–—"
            or (word in ("or", "nor") and kept)
            or (word in ("has", "had", "have", "having") and _participle_follows(words, position))
        ):
            continue
        else:
            kept.append(stem(word))
    hedged = hedged or ("longer" in words and "no" in words)  # what is no longer so may have been so
    link = (bool(kept) and kept[0] in _LINKS) or words[:1] == ["nor"]
    while kept and kept[0] in (*_LINKS,) and kept[0] != "as":
        kept.pop(0)
    while kept and kept[-1] in (",", ";"):
        kept.pop()
    return Gap(
        tuple(merged([token for token in kept if token not in (",", ";")])),
        negations,
        hedged,
        link,
        contrast,
        relative,
    )


def _without_aside(match: re.Match[str]) -> str:
    """A remark in brackets or dashes says nothing of what stands around it, unless it denies or doubts it."""
    inside = match[1] if match[1] is not None else match[2]
    return match.group() if _TURNS.search(inside) else " "


def _adverb(word: str) -> bool:
    return len(word) > 4 and word.endswith("ly") and word not in ADVERBS_NOT


def _participle_follows(words: Sequence[str], position: int) -> bool:
    for word in words[position + 1 : position + 4]:
        if word in DROPPED or word in NEGATIONS or word in HEDGES:
            continue
        return bool(_PARTICIPLE.search(word)) and word != "had"
    return False


_BE_AS = frozenset([
    "count",
    "rank",
    "qualify",
    "serv",
    "act",
    "function",
    "regard",
    "class",
    "classify",
    "see",
    "figur",
])


def merged(tokens: Sequence[str]) -> list[str]:
    """Words that stand for one: "be be" (is known to be), "have be" (has been), "counts as" are one "be"."""
    found: list[str] = []
    for token in tokens:
        if (token == "as" and found and found[-1] in _BE_AS) or (
            token == "be" and found and found[-1] in ("be", "hav")
        ):
            found[-1] = "be"
        else:
            found.append(_SAME.get(token, token))
        if len(found) > 1 and found[-1] == found[-2] == "be":
            found.pop()
    return found


_SAME = {"at": "in", "within": "in", "insid": "in", "upon": "on", "onto": "on", "sort": "kind", "typ": "kind",
         "variety": "kind", "constitut": "be", "represent": "be", "amongst": "among",
         "peopl": "person", "individual": "person", "organization": "organisation",
         "denot": "be", "travel": "mov"}  # fmt: skip
"""Words that the patterns take for one."""


def strip_appositions(tokens: Sequence[str]) -> tuple[str, ...]:
    """The words without those that only say what comes next is: "be born in town of" is "be born in"."""
    end = len(tokens)
    while end:
        if tokens[end - 1] in APPOSITIONS:
            end -= 1
        elif end > 1 and tokens[end - 1] == "of" and tokens[end - 2] in APPOSITIONS:
            end -= 2
        else:
            break
    return tuple(tokens[:end])


def strip_prepositions(tokens: Sequence[str]) -> tuple[str, ...]:
    """The words without the prepositions at their end: what stands before a date."""
    end = len(tokens)
    while end and tokens[end - 1] in PREPOSITIONS:
        end -= 1
    return tuple(tokens[:end])


def reduce(tokens: Sequence[str], vocabulary: Collection[str], most: int = 4) -> tuple[str, ...] | None:
    """The words that any pattern has; None where more than `most` others stand among them."""
    kept = tuple(token for token in tokens if token in vocabulary)
    return kept if len(tokens) - len(kept) <= most else None
