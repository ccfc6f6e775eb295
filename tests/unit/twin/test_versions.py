"""F21: a machine whose firmware belongs to another program does not move, and says why."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from controller.jobs.ready import Readiness
from controller.machine.errors import VersionError
from controller.protocol.codec import MessageDecoder, encode_message
from controller.protocol.frame import encode
from controller.protocol.messages import PROTOCOL_VERSION, Hello, Identity
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


class Careless:
    """Makes each Identity one of a chip that opens a session with whoever asks, whatever he speaks."""

    def mangle(self, data: bytes) -> bytes:
        """The bytes that the host gets."""
        for received in MessageDecoder().feed(data):
            if isinstance(received.message, Identity):
                other = replace(received.message, protocol=PROTOCOL_VERSION - 1)
                return encode_message(other, received.seq)
        return data


@pytest.mark.parametrize("refuses", [True, False])
@pytest.mark.parametrize("seed", random.Random(1).sample(range(100), 2))
def test_another_version_moves_nothing_and_is_told(seed: int, refuses: bool) -> None:
    shop = Shop(Build(), seed=seed)
    try:
        wire = shop.world.wire
        if refuses:
            wire.manglers_to_mcu.append(Older())
        else:
            wire.manglers_to_host.append(Careless())
        with pytest.raises(VersionError, match=r"another version .* make flash"):
            Readiness(shop.machine).stop(lambda: None)
        assert shop.chip.outputs == 0
        assert shop.chip.belt == shop.chip.feeder == 0
    finally:
        shop.close()
