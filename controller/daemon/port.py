"""The daemon's hold on the wire: what was lost stays lost until it is opened anew, and STOP always
gets through.
"""

from __future__ import annotations

import errno

from controller.daemon.parts import ReopenedTransport
from controller.protocol.codec import MessageDecoder, encode_message
from controller.protocol.messages import Stop


class Port:
    """Between the link and the transport."""

    def __init__(self, transport: ReopenedTransport) -> None:
        self._transport = transport
        self._lost = False
        self._last = b""

    def write(self, data: bytes) -> None:
        """Sends bytes."""
        self._refuse_if_lost()
        self._last = data
        self._transport.write(data)

    def read(self) -> bytes:
        """Takes what is there."""
        self._refuse_if_lost()
        return self._transport.read()

    def lose(self) -> None:
        """Nothing passes any more: a link that came back by itself was not watched meanwhile."""
        self._lost = True

    def reopen(self) -> None:
        """Opens the port anew; OSError while it is not there."""
        self._transport.reopen()
        self._lost = False

    def shout_stop(self) -> None:
        """STOP past whatever is under way; a lost port needs none, the dead-man stops the machine.

        STOP needs no sequence number of its own. It gets one that is far from that of the command
        under way, so that its answer is not taken for that command's.
        """
        seq = next((received.seq for received in MessageDecoder().feed(self._last)), 0)
        try:
            self._refuse_if_lost()
            self._transport.write(encode_message(Stop(), seq ^ 0x80))
        except OSError:
            return

    def _refuse_if_lost(self) -> None:
        if self._lost:
            raise OSError(errno.ENODEV, "the port was lost")
