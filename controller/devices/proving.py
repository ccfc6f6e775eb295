"""Whether something at the port answers HELLO: the loop test of a rate."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from controller.devices.realtime import RealTime
from controller.link.errors import LinkLostError, RefusedError
from controller.link.link import Link
from controller.protocol.messages import PROTOCOL_VERSION, Hello

BOOT_US: Final = 2_500_000
"""So long a board may stay in its boot loader after its port was opened."""
_PAUSE_US: Final = 50_000


def answers_hello(link: Link, time: RealTime, within_us: int = BOOT_US) -> Callable[[], bool]:
    """For `SerialPort.prove`: says HELLO until it is answered, or `within_us` has passed."""

    def answers() -> bool:
        until_us = time.now_us() + within_us
        while time.now_us() < until_us:
            try:
                link.hello(Hello(PROTOCOL_VERSION))
                return True
            except RefusedError:  # answered, though it refuses this version
                return True
            except LinkLostError as error:
                if error.code == "link.no_identity":
                    return True
                if error.code == "link.port_gone":
                    return False
            pause_us = min(until_us, time.now_us() + _PAUSE_US)
            while time.now_us() < pause_us:
                time.wait(pause_us)
        return False

    return answers
