"""A window that shows one picture after the other."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rummi_env.rendering.extras import needed


class Window:
    """A window, opened with the first picture."""

    def __init__(self, title: str, fps: int) -> None:
        """Takes what it is called and the most pictures that it shows in a second.

        Raises:
            ImportError: the extra ``render`` is not installed.
        """
        self._pygame = needed("pygame", "render_mode='human'")
        self._title = title
        self._fps = fps
        self._clock = self._pygame.time.Clock()
        self._surface: Any = None
        self._was_closed = False

    def show(self, pixels: npt.NDArray[np.uint8]) -> None:
        """Shows a picture, uint8[height, width, 3]; waits if the last one is too young.

        Once the user has closed the window, nothing is shown any more.
        """
        if self._was_closed:
            return
        pygame = self._pygame
        height, width = pixels.shape[:2]
        if self._surface is None:
            pygame.display.init()
            pygame.display.set_caption(self._title)
            self._surface = pygame.display.set_mode((width, height))
        picture = pygame.image.frombuffer(pixels.tobytes(), (width, height), "RGB")
        self._surface.blit(picture, (0, 0))
        pygame.display.flip()
        if any(event.type == pygame.QUIT for event in pygame.event.get()):
            self.close()
            return
        self._clock.tick(self._fps)

    def close(self) -> None:
        """Closes the window for good."""
        self._was_closed = True
        if self._surface is not None:
            self._surface = None
            self._pygame.display.quit()
