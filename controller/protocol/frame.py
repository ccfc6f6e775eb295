"""Frames on the wire: COBS( type | seq | payload | CRC-16 ) 00. Pure bytes, no port and no clock.

The one module that uses the `cobs` package.
"""

from __future__ import annotations

from binascii import crc_hqx
from typing import Final, NamedTuple

from cobs import cobs

from controller.protocol.messages import PAYLOAD_MAX

DELIMITER: Final = b"\0"
RAW_MIN: Final = 4
"""Type, seq and CRC: a frame without payload."""
RAW_MAX: Final = PAYLOAD_MAX + RAW_MIN
ENCODED_MAX: Final = RAW_MAX + 1
"""COBS adds one byte to anything this short; the delimiter is not counted."""


class Frame(NamedTuple):
    """What one frame carried; its CRC was right."""

    type: int
    seq: int
    payload: bytes


def crc16(data: bytes) -> int:
    """CRC-16/CCITT-FALSE: 0x29B1 for b"123456789"."""
    return crc_hqx(data, 0xFFFF)


def encode(type_: int, seq: int, payload: bytes) -> bytes:
    """The bytes of one frame, delimiter included."""
    if len(payload) > PAYLOAD_MAX:
        raise ValueError(f"payload of {len(payload)} bytes; at most {PAYLOAD_MAX} fit a frame")
    raw = bytes((type_, seq)) + payload
    encoded: bytes = cobs.encode(raw + crc_hqx(raw, 0xFFFF).to_bytes(2, "little"))
    return encoded + DELIMITER


class Decoder:
    """Takes bytes as they come and gives whole frames; anything else is dropped and counted."""

    def __init__(self) -> None:
        self.dropped = 0
        """Pieces between delimiters that were no frame."""
        self._piece = bytearray()
        self._overlong = False

    def feed(self, data: bytes) -> list[Frame]:
        """Takes `data`; gives the frames that it completed."""
        pieces = data.split(DELIMITER)
        frames = []
        for piece in pieces[:-1]:
            self._extend(piece)
            frame = self._finish()
            if frame is not None:
                frames.append(frame)
        self._extend(pieces[-1])
        return frames

    def reset(self) -> None:
        """Forgets a piece under way, for a port that was opened anew; the count stays."""
        self._piece.clear()
        self._overlong = False

    def _extend(self, piece: bytes) -> None:
        if len(self._piece) + len(piece) > ENCODED_MAX:
            self._overlong = True
            self._piece.clear()
        elif not self._overlong:
            self._piece += piece

    def _finish(self) -> Frame | None:
        piece, overlong = bytes(self._piece), self._overlong
        self.reset()
        if not piece and not overlong:
            return None
        frame = None if overlong else _parse(piece)
        if frame is None:
            self.dropped += 1
        return frame


def _parse(piece: bytes) -> Frame | None:
    try:
        raw: bytes = cobs.decode(piece)
    except cobs.DecodeError:
        return None
    if not RAW_MIN <= len(raw) <= RAW_MAX:
        return None
    body = raw[:-2]
    if crc_hqx(body, 0xFFFF) != raw[-2] | raw[-1] << 8:
        return None
    return Frame(raw[0], raw[1], body[2:])
