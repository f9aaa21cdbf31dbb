"""Closed classes of English words that answers and steps turn on, as dictionary forms.

Function words, and a few verbs and nouns of truth, knowing, showing and concluding; no phrase, no word of any topic.
"""


def wordset(words: str) -> frozenset[str]:
    """The words of a string."""
    return frozenset(words.split())


NO = wordset("no not n't never none neither nor nobody nothing cannot lack impossible hardly scarcely")
AFFIRMS, DENIES = wordset("yes yeah yep yup"), wordset("no nope nah")
POLAR = AFFIRMS | DENIES
JOINS = wordset("or and / nor either both neither between whether than if")
TRUE, FALSE = (
    wordset("true correct right accurate valid fact case truth"),
    wordset("false incorrect wrong inaccurate untrue error mistake misconception myth"),
)
HOLDS, FAILS = wordset("hold verify confirm prove support"), wordset("fail contradict")
COPULA = wordset("be seem remain")

STATED = wordset("statement claim assertion proposition question premise sentence")
ANSWER = wordset("answer verdict conclusion response guess")
OWN = wordset("this that my above previous")
FIRST_PERSON, SECOND_PERSON = wordset("i we my our"), wordset("you your")
POINTING = wordset("it this that these those which")

KNOW = wordset("know determine find say tell answer provide confirm verify conclude calculate give yield")
REFUSES = wordset("help assist discuss answer provide")
ABLE, UNABLE = (
    wordset("able aware sure certain possible"),
    wordset("unable unsure uncertain unclear unknown impossible"),
)
TOLD = wordset("information answer knowledge access ability capability idea context data memory")
EVIDENCE = wordset("evidence record result indication mention")

SHOW = wordset("mean show prove confirm conclude follow indicate find note know")
VIEW = wordset("consider call think believe say regard find know")
SUPPOSE = wordset("say tell claim argue believe think suggest")
OPINE = VIEW | SUPPOSE | wordset("suppose guess")
ASSERT = OPINE | KNOW | SHOW | wordset("sure certain aware confident recall remember see understand mention state add")
ASSERT |= wordset("repeat agree hold learn")
"""What I assert when I say that I do it."""
DOUBT = wordset("may might could perhaps possibly maybe necessarily probably possible likely unlikely")
DOUBT |= wordset("reportedly allegedly apparently supposedly")
INTEND = wordset("seem appear expect want hope try intend allege")
"""What is said to be so by these need not be."""
CONDITION = wordset("if unless assume suppose")
INVERTED = wordset("had were should")
"""Before their subject they suppose."""
TIME = wordset("when until once")
OPEN = CONDITION | TIME | wordset("whether")
REASON = wordset("as because since for although though while give")
CORRECT = wordset("correction apologize wait mistake actually")
CONCLUDE = wordset("therefore thus hence so conclusion conclude follow mean show")
FOLLOW = wordset("follow conclude infer imply combine")

ONLY = wordset("only solely merely exclusively just exactly")
OTHER = wordset("other another else besides except apart aside more")
APART = wordset("despite unlike opposed contrary")
RELATION = wordset("before after earlier later outside inside above below over under between different until since")
INDEFINITE = wordset("any anyone ever there")
LIGHT = wordset(
    "have number own value consider classify characterize call exhibit kind type year state time any one itself"
)
"""Adds nothing to what is asked."""
