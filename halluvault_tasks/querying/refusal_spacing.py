"""The spacing between requests to one replica, learnt from refusals (429, 503, 529): this is where a 429 is waited out.

A gateway that admits a number of requests per second refuses whatever comes sooner, however few are open: a limit on
open requests does not help, even spacing does. So each refusal by a gateway widens the spacing, and every answer
narrows it a little, fast while far from the value that was too narrow and slowly near it. While nothing is answered,
the spacing doubles up to half a minute; `Retry-After` is obeyed however long it is.
"""

_FIRST_SECONDS = 0.01
_LONGEST_SECONDS = 30.0
_AGAIN = 2.0
"""Wider after a refusal while nothing is known …"""
_LITTLE, _SOON = 0.02, 0.05
"""… and after one among answers by so little, to be tried again after that part of it; both double in a row."""
_LEAST_EASE, _SEARCHING_EASE, _EASE_GROWS, _MOST_EASE = 0.002, 0.03, 1.1, 0.2
"""How much narrower after an answer, as a share, and more each time, until a request is refused."""
_NEAR = 1.15
_NEGLIGIBLE = 0.002
_OUTAGE_SECONDS = 1.0
"""Spacings this wide came from waiting for a gateway that admitted nothing, and are forgotten once it does."""
_OWN_IN_A_ROW = 3


class Pacer:
    """The spacing of requests to one replica."""

    def __init__(self) -> None:
        self._interval = 0.0
        self._ease = _LEAST_EASE
        self._too_soon = 0.0
        """The spacing at which a request was last refused; 0 once a narrower one was found to work."""
        self._steady = 0.0
        """The spacing before the present row of refusals."""
        self._free_at = 0.0
        self._last_sign = 0.0
        self._in_a_row = 0
        self._forgot = False

    @property
    def interval(self) -> float:
        """Seconds between two requests; 0 where they may follow at once."""
        return self._interval

    def delay(self, now: float) -> float:
        """Seconds until the next request may be sent."""
        return max(0.0, self._free_at - now)

    def reserve(self, now: float) -> float:
        """Take the next place; returns the seconds to wait for it."""
        wait = self.delay(now)
        if self._interval:
            self._free_at = now + wait + self._interval
        return wait

    def answered(self) -> None:
        """Count an answer: the gateway admits."""
        if self._interval >= _OUTAGE_SECONDS and self._in_a_row and not self._forgot:
            # It was not the spacing that healed it. If it was, the next refusals say so, and are believed.
            self._interval, self._free_at = self._steady, 0.0
            self._forgot = True
        elif self._interval:
            if self._too_soon <= self._interval < _NEAR * self._too_soon:
                self._ease = min(self._ease, _LEAST_EASE * 2)
            elif self._interval < self._too_soon:
                self._too_soon = 0.0
            self._interval *= 1 - self._ease
            self._ease = min(self._ease * _EASE_GROWS, _MOST_EASE)
            if self._interval < _NEGLIGIBLE:
                self._interval, self._forgot = 0.0, False
        self._in_a_row = 0

    def refused(self, sent: float, now: float, retry_after: float | None = None, own: bool = False) -> None:
        """Count a refusal.

        Args:
            sent: when the request was sent; what was sent before the last sign belongs to the same burst.
            now: monotonic clock.
            retry_after: seconds that it asked to wait.
            own: whether the server itself has no place left, against which only fewer open requests help; then spacing
                matters only if nobody is answered.
        """
        if retry_after:
            self._free_at = max(self._free_at, now + retry_after)
        if sent < self._last_sign:
            return
        self._last_sign = now
        self._in_a_row += 1
        if own:
            if self._in_a_row > _OWN_IN_A_ROW:
                pause = _FIRST_SECONDS * 2.0 ** min(self._in_a_row, 20)
                self._free_at = max(self._free_at, now + min(pause, _LONGEST_SECONDS))
            return
        if self._in_a_row == 1:
            self._steady = self._interval
        self._too_soon = self._interval
        wider, pause = _AGAIN, 1.0
        if self._steady:
            doubled = 2.0 ** min(self._in_a_row - 1, 8)
            wider, pause = min(1 + _LITTLE * doubled, _AGAIN), min(_SOON * doubled, 1.0)
        self._ease = _SEARCHING_EASE if wider == _AGAIN else _LEAST_EASE
        self._interval = min(max(_FIRST_SECONDS, self._interval * wider), _LONGEST_SECONDS)
        self._free_at = now + max(self._interval * pause, retry_after or 0.0)
