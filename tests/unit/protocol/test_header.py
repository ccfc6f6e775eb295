"""The firmware's messages.h is what the message list says."""

from __future__ import annotations

import re

from controller.protocol.header import HEADER, render
from controller.protocol.messages import ANSWERS, COMMANDS, EVENTS, CalibrationKey, Key
from controller.protocol.tables import PAGE, put


def test_the_header_is_up_to_date() -> None:
    assert HEADER.read_text(encoding="ascii") == render(), (
        "run: python -m controller.protocol.header"
    )


def test_the_tables_of_the_page_are_those_of_the_code() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page == put(page)
    # Nothing is left out: every name is there, and every value has bounds.
    for cls in (*COMMANDS, *ANSWERS, *EVENTS):
        assert f"| 0x{cls.TYPE:02X} | {cls.__name__} |" in page
    for key in (*Key, *CalibrationKey):
        assert re.search(rf"^\| {key.value} \| {key.name} \| \d+ \| \d+ \| \S", page, re.MULTILINE)
