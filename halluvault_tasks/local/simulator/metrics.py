"""The counters, gauges and histograms that text-generation-inference shows at /metrics, in Prometheus' text format.

Names, labels and buckets are the router's (research notes beside the project, §3): its counters have no `_total`.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence

_SECONDS = tuple(0.0001 * 1.5**n for n in range(36))
_BATCH = tuple(float(2**n) for n in range(11))
_TOKENS = tuple(float(2**n) for n in range(16))

_HISTOGRAMS: Mapping[str, Sequence[float]] = {
    "tgi_request_duration": _SECONDS,
    "tgi_request_validation_duration": _SECONDS,
    "tgi_request_queue_duration": _SECONDS,
    "tgi_request_inference_duration": _SECONDS,
    "tgi_request_mean_time_per_token_duration": _SECONDS,
    "tgi_request_generated_tokens": _TOKENS,
    "tgi_request_input_length": _TOKENS,
    "tgi_request_max_new_tokens": _TOKENS,
    "tgi_batch_next_size": _BATCH,
    "tgi_batch_inference_duration": _SECONDS,
    "tgi_batch_forward_duration": _SECONDS,
    "tgi_batch_decode_duration": _SECONDS,
}


class Metrics:
    """The numbers of one model."""

    def __init__(self) -> None:
        self._counters: Counter[tuple[str, str]] = Counter()
        self._counts = {name: [0] * (len(bounds) + 1) for name, bounds in _HISTOGRAMS.items()}
        self._sums = dict.fromkeys(_HISTOGRAMS, 0.0)

    def count(self, name: str, labels: str = "", times: int = 1) -> None:
        """Add to a counter.

        Args:
            name: e.g. `tgi_request_failure`.
            labels: as written between braces, e.g. `err="overloaded"`.
            times: how much.
        """
        self._counters[name, labels] += times

    def failed(self, kind: str) -> None:
        """Count a failed request: overloaded, validation, generation, incomplete, dropped, template."""
        self._counters["tgi_request_failure", f'err="{kind}"'] += 1

    def record(self, name: str, value: float, times: int = 1) -> None:
        """Add a value to a histogram, once or several times."""
        self._counts[name][bisect_left(_HISTOGRAMS[name], value)] += times
        self._sums[name] += value * times

    def passed(self, method: str, passes: int, size: int, seconds: float) -> None:
        """Count forward passes of the batch: `prefill` or `decode`, how many, over how many sequences, seconds each."""
        if not passes:
            return
        self.count("tgi_batch_inference_count", f'method="{method}"', passes)
        self.count("tgi_batch_inference_success", f'method="{method}"', passes)
        for name in ("inference", "forward", "decode"):
            self.record(f"tgi_batch_{name}_duration", seconds if name != "decode" else 0.0, passes)
        if method == "prefill":
            self.record("tgi_batch_next_size", size)

    def value(self, name: str, labels: str = "") -> int:
        """A counter's value."""
        return self._counters[name, labels]

    def render(self, gauges: Mapping[str, float]) -> str:
        """Everything, as /metrics answers it.

        Args:
            gauges: the present values, by name.
        """
        lines: list[str] = []
        typed = ""
        for (name, labels), count in sorted(self._counters.items()):
            if name != typed:
                lines.append(f"# TYPE {name} counter")
                typed = name
            lines.append(f"{name}{{{labels}}} {count}" if labels else f"{name} {count}")
        for name, gauge in sorted(gauges.items()):
            lines += [f"# TYPE {name} gauge", f"{name} {gauge:g}"]
        for name, counts in self._counts.items():
            if any(counts):
                lines.append(f"# TYPE {name} histogram")
                total = 0
                for bound, count in zip((*_HISTOGRAMS[name], float("inf")), counts, strict=True):
                    total += count
                    shown = "+Inf" if bound == float("inf") else f"{bound:.10g}"
                    lines.append(f'{name}_bucket{{le="{shown}"}} {total}')
                lines += [f"{name}_sum {self._sums[name]:.10g}", f"{name}_count {total}"]
        return "\n".join(lines) + "\n"
