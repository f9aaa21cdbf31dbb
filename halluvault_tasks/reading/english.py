"""Closed classes of English words that answers and steps turn on, as dictionary forms.

Function words, and a few verbs and nouns of truth, knowing, showing and concluding; no phrase, no word of any topic.
"""

from halluvault_tasks.reading.wordset import wordset as _words

NO = _words("no not n't never none neither nor nobody nothing cannot lack impossible")
AFFIRMS, DENIES = _words("yes yeah"), _words("no nope")
POLAR = AFFIRMS | DENIES
JOINS = _words("or and / nor either both neither between whether than if")
TRUE, FALSE = (
    _words("true correct right accurate valid fact case truth"),
    _words("false incorrect wrong inaccurate untrue"),
)
HOLDS, FAILS = _words("hold verify confirm prove support"), _words("fail refute contradict disprove")
COPULA = _words("be seem remain")

STATED = _words("statement claim assertion proposition question premise sentence")
ANSWER = _words("answer verdict conclusion response guess")
OWN = _words("this that my above previous")
FIRST_PERSON, SECOND_PERSON = _words("i we my our"), _words("you your")
POINTING = _words("it this that these those which")

KNOW = _words("know determine find say tell answer provide confirm verify conclude calculate give yield")
REFUSES = _words("help assist discuss comment answer provide")
ABLE, UNABLE = (
    _words("able aware sure certain possible"),
    _words("unable unaware unsure uncertain unclear unknown impossible"),
)
TOLD = _words("information answer knowledge access ability capability idea context data memory")
EVIDENCE = _words("evidence record result indication mention proof")

SHOW = _words("mean show prove confirm conclude follow indicate find note know")
VIEW = _words("consider call think believe say regard find know")
SUPPOSE = _words("say tell claim argue believe think suggest")
DOUBT = _words("may might could perhaps possibly maybe necessarily probably possible likely unlikely")
CONDITION = _words("if unless assume suppose")
TIME = _words("when until once")
OPEN = CONDITION | TIME | _words("whether")
REASON = _words("as because since for although though while")
CORRECT = _words("correction apologize apologise wait mistake actually")
CONCLUDE = _words("therefore thus hence so conclusion conclude follow mean show")
FOLLOW = _words("follow conclude infer derive imply combine")

ONLY = _words("only solely exclusively just exactly")
OTHER = _words("other another else besides except apart aside more")
RELATION = _words("before after earlier later outside inside above below over under between different until since")
INDEFINITE = _words("any anyone ever there")
LIGHT = _words(
    "have number own value consider classify characterize call exhibit kind type year state time any one itself"
)
"""Adds nothing to what is asked."""

BEFORE, AFTER = _words("before earlier sooner precede predate prior"), _words("after later follow postdate succeed")
INSIDE, OUTSIDE = _words("between within inside in include contain belong"), _words("outside exclude beyond")
UNTIL = _words("to until till through and - – — ,")
OF_YEARS = BEFORE | AFTER | INSIDE | OUTSIDE | UNTIL | CONCLUDE | NO | REASON | LIGHT
OF_YEARS |= _words(
    "come fall sit run start end lie pass period range window span interval date gap difference order check"
)
OF_YEARS |= _words("than of by on at from apart separate however also still bc bce ad ce first then go place")
"""Beside years it dates nothing else."""
