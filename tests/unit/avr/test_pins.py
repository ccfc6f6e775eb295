"""One pin table: firmware, wiring, twin, configuration of the Pi and docs say the same."""

from __future__ import annotations

import re

import pytest

from controller.pins.table import PIN_TABLE
from controller.twin.world.pins import Analog, In, Out
from tests.unit.project.source import ROOT

FIRMWARE = ROOT / "firmware"
DOC = (ROOT / "docs" / "firmware.md").read_text(encoding="utf-8")
# The Arduino Mega 2560: which of its pins is which bit of which port.
MEGA = (
    {f"PA{bit}": str(22 + bit) for bit in range(8)}
    | {f"PC{bit}": str(37 - bit) for bit in range(8)}
    | {f"PL{bit}": str(49 - bit) for bit in range(8)}
    | {"PB5": "11", "PB6": "12"}
    | {f"PF{bit}": f"A{bit}" for bit in range(8)}
)


def rows(head: str) -> dict[str, list[str]]:
    """The rows of the table of the docs that begins so, by their first cell."""
    table = DOC[DOC.index(head) :].partition("\n\n")[0].splitlines()[2:]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in table]
    return {name: rest for name, *rest in cells}


def wiring() -> dict[str, str]:
    """The words of wiring.h."""
    text = (FIRMWARE / "board" / "avr" / "wiring.h").read_text()
    return dict(re.findall(r"#define WIRE_(\w+) (\w+)", text))


def ports() -> dict[str, str]:
    """Name to port, as the firmware has it: bits by pins.h, ports by wiring.h."""
    text = (FIRMWARE / "src" / "pins.h").read_text()
    bits = {name: int(bit) for name, bit in re.findall(r"((?:OUT|IN|AN)_\w+) = (\d+)", text)}
    wire = wiring()
    found = {}
    for name, bit in bits.items():
        if name.startswith("OUT_"):
            found[name] = f"P{wire['OUTPUTS']}{bit}"
        elif name.startswith("AN_"):
            found[name] = f"PF{bit}"
        elif bit < 8:
            found[name] = f"P{wire['INPUTS_LOW']}{bit}"
        else:
            found[name] = f"P{wire['INPUTS_HIGH']}{bit - 8}"
    for motor in ("BELT", "FEEDER"):
        found[f"STEP_{motor}"] = f"P{wire['STEPS']}{wire[f'STEP_{motor}']}"
    return found


def test_the_docs_have_every_pin_where_the_firmware_has_it() -> None:
    told = rows("| name | what | port |")
    assert {name: cells[1] for name, cells in told.items()} == ports()
    assert {name: cells[2] for name, cells in told.items()} == {
        name: MEGA[port] for name, port in ports().items()
    }


def test_no_pin_has_two_meanings() -> None:
    found = list(ports().values())
    assert len(found) == len(set(found))
    assert {"PE0", "PE1"}.isdisjoint(found)  # the UART's


@pytest.mark.parametrize(("table", "prefix"), [(Out, "OUT"), (In, "IN"), (Analog, "AN")])
def test_the_twin_has_the_same_pins(
    table: type[Out] | type[In] | type[Analog], prefix: str
) -> None:
    mine = [name for name in rows("| name | what | port |") if name.startswith(f"{prefix}_")]
    assert mine == [f"{prefix}_{pin.name}" for pin in sorted(table)]


def test_the_docs_have_the_pins_of_the_pi() -> None:
    told = rows("| name | what | BCM |")
    assert list(told) == [row.pin.value for row in PIN_TABLE]
    for row in PIN_TABLE:
        what, bcm, means = told[row.pin.value]
        assert (int(bcm), means) == (row.bcm, row.means)
        assert what.startswith("input" if row.is_input else "output")
        assert (("ground" in what) or ("low" in what)) == row.active_low
