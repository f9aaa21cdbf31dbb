"""Words of `years`: what compares years, holds them, denies, counts, and what may stand between them."""


def _words(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


BEFORE = _words(
    """
    ahead antedate antedated antedates anterior before below earlier less lower older pre-dated pre-dates
    precede preceded precedes preceding predate predated predates prior smaller sooner
    """
)
"""Before a year."""

AFTER = _words(
    """
    above after bigger exceed exceeded exceeds follow followed following follows greater higher larger later
    more newer past post-dated post-dates postdate postdated postdates posterior subsequent succeeded succeeds
    younger
    """
)
"""After a year."""

IN = _words(
    """
    across amid amidst among amongst belong belonged belongs between bounded bracketed comprised contained
    covered during embraced enclosed encompassed flanked from in included inside into sandwiched spanned within
    ∈
    """
)
"""Inside a window."""

STRONG_IN = _words(
    """
    among amongst between bounded bracketed enclosed flanked inside sandwiched within
    """
)
"""Words that make a window even of two years joined by "and"."""

OUT = _words(
    """
    absent beyond elsewhere excluded missing outside ∉
    """
)
"""Outside a window."""

HOLDS = _words(
    """
    surround surrounds frame frames sandwich flank flanks
    pass passes meet meets encounter encounters hit hits cross crosses visit visits touch touches
    bracket brackets capture captures comprise comprises contain contained contains count counts cover covered
    covers embrace embraces enclose encloses encompass encompassed encompasses envelop envelops fall falls
    feature features find finds hold holds include included includes inside lie lies list lists reach reaches
    see sees sit sits span spans
    """
)
"""What a window does to a year inside it."""

LIES = _words(
    """
    fall falls find finds inside lie lies see sees sit sits there
    """
)
"""What a year does inside a window."""

NOT = _words(
    """
    cannot hardly n't neither never nor not nowhere
    """
)
"""They deny; each counts."""

UNTRUE = _words(
    """
    error false incorrect mistake mistaken myth untrue wrong
    """
)
"""So do these, in front of a clause."""

FORBIDDEN = _words(
    """
    about again almost already although and approximately around assuming because born but circa could died
    except he her hers him his i if instead just likely may maybe might my nearly or our over perhaps possibly
    probably rather roughly she since some still suppose supposing their them then they though till under unless
    until we were when where whereas whether while who whom whose yet you your
    """
)
"""Words that make a sentence mean something else than a comparison of its two years."""

VERBS = _words(
    """
    appear appeared appears are arrive arrived arrives be been being belong belonged belongs called came can
    come comes considered count counted counts dated dates did do does drop drops ended ends fall falls fell
    figures fit fits found go goes had happen happened happens has have included is land landed lands lay lie
    lies listed located numbered occur occurred occurs passed place placed positioned rank ranks reached remain
    remains resides rest rests sat set sit sits situated stand stands stood takes took was went
    """
)
"""Verbs that say where a year stands."""

FILL = _words(
    """
    we you one reach reaches hit get come comes came arrive arrives point moment stage does did do is was
    a against also as both by calendar chronologically chronology clearly compared counting, date in line
    measured numerically of on order relative s sequence than that the time timeline to well when with year
    years 's :
    """
)
"""What may stand between the word that compares and the year behind it."""

OF_A_WINDOW = _words(
    """
    those them ones
    a an asked at beginning begins between bounded bounds bracket by calendar closed covered covering covers
    dates defined delimited entire extended extending extends formed frame from full given goes going i.e in
    inclusive inside interval interval's into lasting lasts limits marked of opening opens period range reaches
    reaching running runs s said section set slice span spanning spans spell starting starts stretch stretches
    stretching term that the this through time timeframe to which whole window with within year years years' ( ,
    : [ ∈ ∉
    """
)
"""What may stand between the word that holds and the window behind it."""

CONNECTS = _words(
    """
    through thru till to until up - .. ... – — … → −
    """
)
"""Between the two ends of a window."""

MAY_CONNECT = _words(
    """
    all and at both closes closing concluding down end ending ends finishes finishing going in including
    inclusive it last lasting on right running runs stopping straight the way with year years ( , [
    """
)
"""Beside those."""

COUNTS = _words(
    """
    add adds arrive arrives land end needs need moves move jump jumps calendar has must wait waits
    a add added adding adds advancing after ahead all altogether amount amounted amounts an and another apart
    are arithmetic away back be before being between both bring brings by calculates calculation came check come
    comes count counted counting counts cover covered covers difference difference: distance distance: do
    earlier elapse elapsed elapses equal equals exact exactly for forward from further gap gap: get gets give
    given gives giving go goes going got had has have hence here i i.e if in interval into is it just lapse
    lapsed last lasted lasts later lay leave leaves left length less lie lies long made make makes making math
    meaning means measure measures minus moving must now of on one only out overall pass pass: passed passes
    passing period plus precisely reach reached result results roll rolled rolls run runs separate separated
    separates simply since so span spans stand stands stretch subtract subtracted subtracting sum take taken
    takes taking that the then there this thus time to took total travel two until up us was we went were which
    will with works would year years yield yields you ( ) , - : = – — →
    """
)
"""Words of a count of years."""

DIFFERS = _words(
    """
    away difference distance equals gap interval less minus span subtract subtracted subtracting take taken
    taking =
    """
)
"""Words that take one year from another, so that the number needs no unit."""

APPROXIMATE = _words(
    """
    about almost approximately around circa fewer least more most nearly over roughly some under within
    """
)
"""A count with one of these is not exact."""

OPENS = _words(
    """
    as because but consequently hence since so therefore thus whereas which while
    """
)
"""Words that begin another statement behind a comma."""

DOUBTS = _words(
    """
    assuming could if maybe might perhaps possibly probably suppose supposing unless whether
    """
)
"""A clause with one of these states nothing."""

MINUS = _words(
    """
    less minus - – −
    """
)
"""Signs of subtraction."""

GIVES = _words(
    """
    are comes equal equals give gives i.e is it leave leaves make makes or that the to years yields , -> : = →
    """
)
"""Between a sum and its result."""

FIRST = _words(
    """
    earlier first
    """
)
"""Said of the earlier of two."""

SECOND = _words(
    """
    afterward afterwards last later next second subsequently then
    """
)
"""Said of the later of two."""

SEQUENCE = VERBS | _words(
    """
    ;
    follows meet arrive at see encounter find
    after afterwards also and by chronologically earlier first followed former get hit i in it later latter next
    of once one only order pass reach second than that the then time to two we year years you , : – —
    """
)
"""All that a sentence may hold which puts two years in a row."""

WINDOW_HOLDS = (
    HOLDS
    | OUT
    | NOT
    | VERBS
    | _words(
        """
    then never along way
    both inclusive inclusively endpoints boundary boundaries counting ends
    actually also among and as certainly clearly comfortably course definitely easily excludes for here in
    indeed interval it neatly no obviously of one period plainly range s squarely still stretch surely that the
    them there therefore thus to we well which will window within would year years you , : – —
    """
    )
)
"""All that may stand between a window and a year that it holds or leaves out."""
PHRASES = (
    (r"(?:is|was|are|were|be|being)(?: \w+ly)? (?:preceded|predated|antedated) by", "is after"),
    (r"(?:is|was|are|were|be|being)(?: \w+ly)? (?:followed|succeeded|postdated|exceeded) by", "is before"),
    (
        r"(?:further|farther|more remote|more distant|deeper|longer)(?: back| ago| away)?(?: in (?:time|"
        r"the past))? than",
        "before",
    ),
    (r"(?:nearer|closer) to (?:us|today|now|the present|our (?:own )?(?:time|day))(?: day)? than", "after"),
    (r"more (?:recent|recently|modern) than|less (?:long ago|remote|ancient|old) than", "after"),
    (r"less (?:recent|modern) than|more ancient than", "before"),
    (r"(?:on|to) the left of", "before"),
    (r"(?:on|to) the right of", "after"),
    (r"in advance of", "before"),
    (r"(?:is|was|lies|lay|falls) (?:still )?in the past (?:of|for|from|as seen from|seen from)", "is before"),
    (r"(?:is|was|lies|lay|falls) (?:still )?in the future (?:of|for|from|as seen from|seen from)", "is after"),
    (
        r"(?:had|was|has|is) already (?:been |over |passed |past |gone |ended |behind us )*(?:when|by|"
        r"by the time|before)",
        "is before",
    ),
    (r"(?:had|has) (?:come and gone|passed|ended|gone by)(?: already)? (?:when|by|by the time|before)", "is before"),
    (
        r"(?:was|is|lay|were) (?:still|yet) (?:to come|ahead|in the future|to arrive|in the distance|"
        r"away)(?: when| in| by| as of| from)*",
        "is after",
    ),
    (r"(?:had|has) (?:not|yet) (?:yet |to )*(?:come|arrived?|begun|started)(?: when| in| by| as of)+", "is after"),
    (r"(?:does|do|did) (?:fall|come) short of|falls short of|comes short of", "before"),
    (r"too early for", "before"),
    (r"too late for", "after"),
    (
        r"at least|no earlier than|not earlier than|no sooner than|not before|on or after|no smaller than|"
        r"no less than|not less than",
        "from-on",
    ),
    (
        r"at most|no later than|not later than|not after|on or before|no greater than|no more than|"
        r"not more than|no larger than",
        "up-to",
    ),
    (r"part of|one of|member of|element of", "within"),
    (r"out of|outside of|off", "outside"),
    (r"(?:does|do|did) not (?:make it into|make it onto|reach into|hit|enter)", "outside"),
    (
        r"takes? in|took in|makes? room for|has room for|have room for|runs? through|runs? past|passes|"
        r"goes? through|extends? over|stretch(?:es)? over|allows? for",
        "includes",
    ),
    (
        r"leaves? out|left out|leaves? no room for|has no room for|have no room for|stops? short of|"
        r"passes? over|steps? over|skips?|misses|omits?|excludes?|excluded",
        "excludes",
    ),
    (r"comes? across|came across|runs? into|comes? up against", "includes"),
    (r"(?:fails?|failed) (?:the |a |its )?(?:condition|test|requirement|criterion|check)(?: of| for)?", "not"),
    (
        r"(?:does|do|did) not (?:meet|satisfy|fulfil|fulfill|pass) (?:the |a )?(?:condition|test|requirement|"
        r"criterion|check)(?: of| for)?",
        "not",
    ),
    (
        r"(?:meets?|satisfies|satisfy|fulfils?|fulfills?|passes) (?:the |a )?(?:condition|test|requirement|"
        r"criterion|check)(?: of| for)?",
        "is",
    ),
    (r"(?:over|past|gone) and done(?: with)?", ""),
    (r"not (?:only|just|merely|simply)", ""),
    (r"no (?:doubt|question|surprise|wonder)", ""),
    (r"by no means|in no way|at no point|under no circumstances|fails? to|failed to|far from|anything but", "not"),
)
"""Groups of words and the known word that they stand for, in the order in which they are replaced."""
