"""The physical world of the simulated machine: cards, belt, gates, sensors, cable and hands."""

from controller.twin.world.camera import Pictures, Shown
from controller.twin.world.deeds import Deed, Held
from controller.twin.world.hands import Hands
from controller.twin.world.things import Board, Contents, held_by
from controller.twin.world.wire import Port
from controller.twin.world.world import Timing, World

__all__ = [
    "Board",
    "Contents",
    "Deed",
    "Hands",
    "Held",
    "Pictures",
    "Port",
    "Shown",
    "Timing",
    "World",
    "held_by",
]
