"""Short cuts for tests of faults: a board dealt as far as it went, or only prepared."""

from __future__ import annotations

from controller.protocol.messages import StopReason, Strobed
from tests.unit.twin.rig import Rig


def dealt(*faults: str, seed: int = 1, packs: int = 1, cards: int = 52) -> Rig:
    """A board dealt as far as it went."""
    rig = Rig(seed=seed, faults=faults)
    rig.ready(packs=packs)
    rig.host.deal(rig.pocket_of, cards, seconds=8)
    return rig


def prepared(*faults: str, seed: int = 1, packs: int = 1) -> Rig:
    """Pack, board and lid, and nothing dealt yet."""
    rig = Rig(seed=seed, faults=faults)
    rig.prepare(packs=packs)
    return rig


def stopped(rig: Rig) -> tuple[StopReason, int]:
    stop = rig.host.stopped
    assert stop is not None
    return StopReason(stop.reason), stop.card


def pack(rig: Rig) -> list[str]:
    return [card.name for card in rig.world.hopper.cards]


def strobes_without_image(rig: Rig) -> list[Strobed]:
    """Strobes whose tick no image carries as its stamp."""
    return [strobe for strobe in rig.host.strobes if strobe.tick not in rig.host.stamps]
