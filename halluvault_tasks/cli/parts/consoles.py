"""The terminal, kept safe from untrusted text: escape codes and bidirectional text are shown, not obeyed."""

from rich.console import Console, ConsoleOptions, ConsoleRenderable, RenderableType, RenderHook, RenderResult
from rich.segment import Segment

from halluvault_tasks.untrusted import visible


class _Visible:
    """A renderable whose text is made visible once it is laid out; our own styles and cursor moves stay."""

    def __init__(self, inner: RenderableType) -> None:
        self._inner = inner

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for segment in console.render(self._inner, options):
            yield segment if segment.control else Segment(visible(segment.text), segment.style)


class _Hook(RenderHook):
    def process_renderables(self, renderables: list[ConsoleRenderable]) -> list[ConsoleRenderable]:
        return [_Visible(each) for each in renderables]


def console(stderr: bool = False, width: int | None = None) -> Console:
    """A console that prints no control sequences but our own."""
    made = Console(stderr=stderr, highlight=False, width=width)
    made.push_render_hook(_Hook())
    return made
