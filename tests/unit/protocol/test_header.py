"""The firmware's messages.h is what the message list says."""

from __future__ import annotations

from controller.protocol.header import HEADER, render


def test_the_header_is_up_to_date() -> None:
    assert HEADER.read_text(encoding="ascii") == render(), (
        "run: python -m controller.protocol.header"
    )
