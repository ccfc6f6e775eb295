"""Drawing ahead: at 1x there is no time to paint a card when it first comes to the window."""

from __future__ import annotations

import os
import random
from typing import Final

from controller.geometry import STROBE_1_US
from controller.twin.world.camera import ROW_OF_EDGE, Pictures, Shown
from controller.twin.world.things import PrintShop
from controller.twin.world.view import View

_STRAIGHT: Final = 0.0


def draw_all(pictures: Pictures) -> None:
    """Has every card drawn once, both ways round, and a stop card, a joker and a blank one."""
    shop = PrintShop(random.Random(0))
    for card in [*shop.pack(), shop.stop_card(), shop.joker(), shop.blank()]:
        for turned in (False, True):
            card.turned = turned
            shown = Shown(card, ROW_OF_EDGE[0], _STRAIGHT, _STRAIGHT)
            pictures.window([shown], View(STROBE_1_US), random.Random(0))


def one_thread() -> None:
    """OpenCV shall draw with one thread: to be called before it is imported."""
    os.environ.setdefault("OPENCV_FOR_THREADS_NUM", "1")
