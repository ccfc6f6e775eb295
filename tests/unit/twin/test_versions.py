"""F21: a machine whose firmware belongs to another program does not move, and says why."""

from __future__ import annotations

import random

import pytest

from controller.jobs.ready import Readiness
from controller.machine.errors import VersionError
from controller.protocol.codec import MessageDecoder
from controller.protocol.frame import encode
from controller.protocol.messages import PROTOCOL_VERSION, Hello
from controller.twin.world.build import Build
from tests.unit.calibrate.shop import Shop


class Older:
    """Makes each HELLO one of a program whose protocol is newer than the chip's."""

    def mangle(self, data: bytes) -> bytes:
        """The bytes that the chip gets."""
        for received in MessageDecoder().feed(data):
            if isinstance(received.message, Hello):
                return encode(Hello.TYPE, received.seq, bytes([PROTOCOL_VERSION + 1]))
        return data


@pytest.mark.parametrize("seed", random.Random(1).sample(range(100), 2))
def test_another_version_moves_nothing_and_is_told(seed: int) -> None:
    shop = Shop(Build(), seed=seed)
    try:
        shop.world.wire.manglers_to_mcu.append(Older())
        with pytest.raises(VersionError, match=r"another version .* make flash"):
            Readiness(shop.machine).stop(lambda: None)
        assert shop.chip.outputs == 0
        assert shop.chip.belt == shop.chip.feeder == 0
    finally:
        shop.close()
