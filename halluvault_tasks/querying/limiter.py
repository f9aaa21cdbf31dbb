"""How many requests one server may have open: as many as still bring more generated tokens per second.

A server shows that it is full by refusing or timing out. Then the limit is cut by three tenths, at most once per round
of answers, and climbs back by halves to just below the level that was too much, then by a step per round (additive
increase, multiplicative decrease; climbing by halves is BIC's binary increase: Xu, Harfoush, Rhee 2004).

A server that never refuses is judged by its throughput. Requests waiting inside it are no reason to send fewer: if a
batch admits nobody until it ends, all but a batch's worth wait at any number, and more in flight still means more
tokens per second. So an unstated limit is doubled while that brings at least a tenth more, and one that is unchanged
for a while is tried a little lower, which is kept if it costs nothing.
"""

from enum import Enum

_START = 32
_CUT = 0.7
_NEAR = 0.95
_STEP_ABOVE = 64
_LONGEST_HOLD, _UNKNOWN_HOLD = 5.0, 0.5

_LEAST_ANSWERS = 16
"""Of a round: the throughput of fewer is chance."""
_MORE = 1.10
"""What more in flight has to bring; the tokens of a round vary by nearly as much."""
_PLAINLY_MORE = 1.30
_AS_MUCH = 0.95
_FADE = 0.99
_UP, _DOWN = 1.5, 0.85
_BUSY = 0.8
"""Part of the limit that must be open for a round to say anything about the limit."""
_STAND_ROUNDS, _GO_ON_ROUNDS, _MOST_ROUNDS = 12, 4, 64
_TRIAL_ROUNDS = 2


class _Phase(Enum):
    SEEKING = "doubling a limit that nobody stated"
    STANDING = "where nothing calls for another"
    CLIMBING = "back after a refusal"
    HIGHER = "trying whether more brings more"
    LOWER = "trying whether less costs nothing"


class Limiter:
    """The adaptive limit of one server, for one lane.

    Args:
        cap: never more than this; at least 1.
        known: whether the server itself states that it takes so many.
    """

    def __init__(self, cap: int, known: bool) -> None:
        self._cap = max(1, cap)
        self._too_much: float | None = None
        self._hold_until = 0.0
        self._seconds = 0.0
        self._best = 0.0
        """Tokens a second at the limit that the present one is compared with; 0 where there is none."""
        self._ever = 0.0
        """The best of late, at whatever limit: many small losses must not add up."""
        self._stand_for = _STAND_ROUNDS
        self._next_trial = _Phase.LOWER
        self._limit = self._before = float(self._cap if known else min(self._cap, _START))
        """And the limit that a trial goes back to."""
        self._phase = _Phase.STANDING if known else _Phase.SEEKING
        self._rounds, self._sum = 0, 0.0
        """Of this phase: rounds that count, and their tokens a second added up."""
        self._answers = self._tokens = self._most_open = 0
        self._began: float | None = None
        self._settling = False

    @property
    def limit(self) -> int:
        """Requests that may be open now."""
        return max(1, min(int(self._limit), self._cap))

    def bound(self, cap: int) -> None:
        """Set another upper bound: another lane has come to the server, or one has left."""
        if cap == self._cap:
            return
        grown = cap > self._cap and self._too_much is None and self._limit >= self._cap
        self._cap = max(1, cap)
        if grown:
            self._enter(self._phase, float(cap))  # it was never too much for the server, only for its neighbours
        elif self._limit > self._cap and self._phase is not _Phase.CLIMBING:
            self._stand(self._limit)

    def answered(self, tokens: int, seconds: float, in_flight: int, now: float) -> None:
        """Count an answer; once as many have come as the limit allows to be open, move the limit.

        Args:
            tokens: generated for it.
            seconds: from sending the request to its answer.
            in_flight: requests open on the server, this one included.
            now: monotonic clock.
        """
        self._seconds = seconds if not self._seconds else 0.8 * self._seconds + 0.2 * seconds
        began = self._began = now - seconds if self._began is None else self._began
        self._answers += 1
        self._tokens += tokens
        self._most_open = max(self._most_open, in_flight)
        climbing = self._phase is _Phase.CLIMBING
        if self._answers < (self.limit if climbing else max(self.limit, _LEAST_ANSWERS)) or now < self._hold_until:
            return
        rate = self._tokens / (now - began) if now > began else 0.0
        settling, busy = self._settling, self._most_open >= _BUSY * self.limit
        self._new_round(now)
        if climbing:
            self._climb()
        elif busy:
            self._judge(rate, settling)

    def refused(self, now: float, admitted: int = 1) -> None:
        """Count a refusal or a time-out. A burst of them is one sign, so the limit is cut once per round.

        Args:
            now: monotonic clock.
            admitted: requests known to be taken; the limit is not cut below them.
        """
        if now < self._hold_until:
            return
        self._too_much = min(self._limit, float(self._cap))
        self._hold_until = now + min(max(self._seconds or _UNKNOWN_HOLD, 0.05), _LONGEST_HOLD)
        self._enter(_Phase.CLIMBING, max(1.0, self._too_much * _CUT, min(float(admitted), self._too_much)))

    def _judge(self, rate: float, settling: bool) -> None:
        """Take in the tokens a second of a round in which as many were open as may be."""
        if self._phase is _Phase.STANDING:
            if not settling:
                self._best = 0.7 * self._best + 0.3 * rate if self._best else rate
                self._ever = max(self._best, _FADE * self._ever)
                self._rounds += 1
                if self._rounds >= self._stand_for:
                    self._try()
            return
        # The first round after a change holds answers that were asked for before it.
        if settling and not (self._phase is _Phase.SEEKING and rate >= self._best * _PLAINLY_MORE):
            return
        self._rounds += 1
        self._sum += rate
        mean = self._sum / self._rounds
        if self._phase is _Phase.LOWER:
            if mean < self._ever * _AS_MUCH:
                self._give_up()
            elif self._rounds >= _TRIAL_ROUNDS:
                self._next_trial = _Phase.LOWER
                self._stand(self._limit, _GO_ON_ROUNDS)
        elif mean >= self._best * _MORE:
            self._best = mean
            if self._limit < self._cap:
                self._enter(_Phase.SEEKING, self._limit * 2)
            else:
                self._stand(self._limit)
        elif self._rounds >= _TRIAL_ROUNDS:
            self._give_up()

    def _try(self) -> None:
        """Leave a limit that has stood for a while: lower and higher by turns, where there is room."""
        trial = self._next_trial
        self._next_trial = _Phase.HIGHER if trial is _Phase.LOWER else _Phase.LOWER
        wanted = self._limit * (_DOWN if trial is _Phase.LOWER else _UP)
        if wanted < _START if trial is _Phase.LOWER else self._limit >= self._cap:
            self._rounds = 0
        else:
            self._enter(trial, wanted)

    def _give_up(self) -> None:
        """Go back to where a trial started, and stay there for longer than before."""
        self._stand(self._before, min(2 * self._stand_for, _MOST_ROUNDS))

    def _stand(self, limit: float, rounds: int = _STAND_ROUNDS) -> None:
        self._enter(_Phase.STANDING, limit)
        self._best, self._stand_for = 0.0, rounds

    def _climb(self) -> None:
        step = 4.0 if self._limit >= _STEP_ABOVE else 1.0
        safe = (self._too_much or 0.0) * _NEAR
        self._limit = min(self._limit + max(step, (safe - self._limit) / 2), float(self._cap))
        if self._limit >= self._cap:
            self._stand(self._limit)

    def _enter(self, phase: _Phase, limit: float) -> None:
        self._before = self._limit
        self._phase, self._limit = phase, min(limit, float(self._cap))
        self._rounds, self._sum = 0, 0.0
        self._new_round(None)
        self._settling = True

    def _new_round(self, began: float | None) -> None:
        self._answers = self._tokens = self._most_open = 0
        self._began = began
        self._settling = False
