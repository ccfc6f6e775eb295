"""The chip: its pin table, its loader, and that chips know nothing of each other."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from controller.protocol.codec import MessageDecoder, encode_message
from controller.protocol.messages import PROTOCOL_VERSION, Heartbeat, Hello, Identity
from controller.twin.firmware import (
    LIBRARY_VARIABLE,
    WHY_TIME,
    WHY_TX,
    FirmwareMissingError,
    HostFirmware,
    library_path,
)
from controller.twin.world.pins import Analog, In, Out

PINS_H = Path(__file__).parents[3] / "firmware" / "src" / "pins.h"


@pytest.mark.parametrize(("table", "prefix"), [(Out, "OUT_"), (In, "IN_"), (Analog, "AN_")])
def test_the_twin_and_the_firmware_number_the_pins_alike(
    table: type[Out] | type[In] | type[Analog], prefix: str
) -> None:
    text = PINS_H.read_text()
    in_c = {name: int(number) for name, number in re.findall(rf"{prefix}(\w+) = (\d+)", text)}
    assert in_c == {pin.name: pin.value for pin in table}


def test_a_missing_library_says_what_to_run(tmp_path: Path) -> None:
    with pytest.raises(FirmwareMissingError) as error:
        HostFirmware(tmp_path / "libpredeal_host.so")
    assert str(error.value) == (
        "The firmware for the simulated machine (libpredeal_host.so) is not built. "
        "Run: make firmware"
    )


def test_the_variable_names_another_library(monkeypatch: pytest.MonkeyPatch) -> None:
    assert library_path().name == "libpredeal_host.so"
    monkeypatch.setenv(LIBRARY_VARIABLE, "elsewhere/core.so")
    assert library_path() == Path("elsewhere/core.so")


def test_each_chip_has_a_life_of_its_own() -> None:
    one, other = HostFirmware(), HostFirmware()
    assert one.run(5_000) == WHY_TIME
    assert (one.now_us, other.now_us) == (5_000, 0)
    one.rx(encode_message(Hello(PROTOCOL_VERSION), 1))
    assert one.run(6_000) == WHY_TX
    assert other.run(6_000) == WHY_TIME
    assert other.tx() == b""
    answer = MessageDecoder().feed(one.tx())
    assert [type(message) for _, message in answer] == [Identity]
    one.close()
    other.rx(encode_message(Heartbeat(0), 1))
    assert other.run(7_000) == WHY_TX
