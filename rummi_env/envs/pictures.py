"""Pictures of a match as it is played, with what the last turn has changed marked."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from rummi_env.envs.match import Match
    from rummi_env.rendering.scenes.shapes import Scene
    from rummi_env.rendering.window import Window

RenderMode: TypeAlias = Literal["ansi", "svg", "rgb_array", "human"]
"""Text, an SVG document, pixels, or a window."""

RENDER_MODES: tuple[RenderMode, ...] = get_args(RenderMode)

RENDER_FPS = 2
"""Pictures in a second, where they are shown one after the other."""

Picture: TypeAlias = str | npt.NDArray[np.uint8] | None


class Pictures:
    """Draws one match.

    Attributes:
        match: the match.
        mode: what is drawn.
        reveal: whether the hidden racks are shown as well.
        before: view of the beginning of the last turn that is over; None if there is
            none.
    """

    def __init__(
        self, match: Match, mode: RenderMode | None, reveal: bool = False
    ) -> None:
        """Takes the match before it has started."""
        self.match = match
        self.mode = mode
        self.reveal = reveal
        self.before: Any = None
        self._start: Any = None
        self._window: Window | None = None

    def begin(self) -> None:
        """Takes note that the match has started or goes on from elsewhere."""
        if self.mode is not None:
            self.before = None
            self._start = self.match.view(0, with_melds=True)

    def follow(self) -> None:
        """Takes note of what was done last."""
        match = self.match
        if self.mode is not None and match.event not in match.game.within_turn:
            self.before = self._start
            self._start = match.view(0, with_melds=True)

    def scene(self, seat: int, names: Sequence[str] = ()) -> Scene:
        """Returns what a seat sees, as shapes."""
        return self.match.game.scene(seat, names, self.before, self.reveal)

    def draw(self, seat: int, names: Sequence[str] = (), more: str = "") -> Picture:
        """Returns what a seat sees, or shows it in the window.

        Args:
            seat: the seat.
            names: of all seats; ``player_0`` and so on by default.
            more: lines that follow where it is text.

        Raises:
            ImportError: the extra ``render`` is not installed.
        """
        if self.mode is None:
            return None
        if self.mode == "ansi":
            shown = self.match.game.text(
                seat,
                names,
                color=_has_colors(),
                before=self.before,
                reveal=self.reveal,
            )
            return shown + more
        scene = self.scene(seat, names)
        if self.mode == "svg":
            from rummi_env.rendering.svg import svg_of

            return svg_of(scene)
        from rummi_env.rendering.rgb import rgb_of

        pixels = rgb_of(scene)
        if self.mode == "rgb_array":
            return pixels
        if self._window is None:
            from rummi_env.rendering.window import Window

            self._window = Window(self.match.game.title, RENDER_FPS)
        self._window.show(pixels)
        return None

    def close(self) -> None:
        """Closes the window, if there is one."""
        if self._window is not None:
            self._window.close()
            self._window = None

    def __getstate__(self) -> dict[str, Any]:
        """Leaves out the window: copies open one of their own."""
        return {**self.__dict__, "_window": None}


def _has_colors() -> bool:
    """Tells whether text is for a terminal; see https://no-color.org."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")
