"""The pins over the RPi.GPIO programming interface, with a fake of it; no Pi was near."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

import pytest

from controller.pins.errors import PinsError
from controller.pins.ports import Edge
from controller.pins.rpi import RpiPins
from controller.pins.table import INPUTS, OUTPUTS, PIN_TABLE, ROW_OF, Pin


class FakeGpio:
    """In place of RPi.GPIO: levels by Broadcom number."""

    BCM, IN, OUT, HIGH, LOW, PUD_UP, PUD_DOWN = 11, 1, 0, 1, 0, 22, 21

    def __init__(self) -> None:
        self.levels: dict[int, int] = {}
        self.modes: dict[int, tuple[int, Any]] = {}
        self.stuck: dict[int, int] = {}
        self.cleaned: list[int] = []
        self.mode: int | None = None
        self.trouble: Exception | None = None

    def setwarnings(self, on: bool) -> None:
        assert on is False

    def setmode(self, mode: int) -> None:
        if self.trouble is not None:
            raise self.trouble
        self.mode = mode

    def setup(
        self, number: int, way: int, pull_up_down: int | None = None, initial: int | None = None
    ) -> None:
        self.modes[number] = (way, pull_up_down)
        self.levels[number] = initial if initial is not None else int(pull_up_down == self.PUD_UP)

    def output(self, number: int, level: int) -> None:
        assert self.modes[number][0] == self.OUT
        self.levels[number] = int(level)

    def input(self, number: int) -> int:
        return self.stuck.get(number, self.levels[number])

    def cleanup(self, numbers: list[int]) -> None:
        self.cleaned = numbers


class Clock:
    def __init__(self) -> None:
        self.us = 0

    def now_us(self) -> int:
        return self.us


@pytest.fixture
def gpio() -> FakeGpio:
    return FakeGpio()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def pins(gpio: FakeGpio, clock: Clock) -> RpiPins:
    return RpiPins(clock, gpio)


def at(pins: RpiPins, clock: Clock, us: int) -> list[Edge]:
    clock.us = us
    pins.pump()
    return pins.edges()


def test_the_table_names_each_pin_once_and_no_pin_twice():
    assert [row.pin for row in PIN_TABLE] == list(Pin)
    numbers = [row.bcm for row in PIN_TABLE]
    assert len(set(numbers)) == len(numbers)
    assert all(4 <= number <= 27 for number in numbers)  # 0 to 3 are for hats and I2C


def test_everything_is_off_at_first(pins: RpiPins, gpio: FakeGpio):
    assert gpio.mode == gpio.BCM
    assert not any(pins.read(pin) for pin in Pin)
    for pin in OUTPUTS:
        assert gpio.levels[ROW_OF[pin].bcm] == int(ROW_OF[pin].active_low)
    for pin in INPUTS:
        assert gpio.modes[ROW_OF[pin].bcm] == (gpio.IN, gpio.PUD_UP)


def test_outputs_mean_what_the_table_says(pins: RpiPins, gpio: FakeGpio):
    for pin in OUTPUTS:
        pins.write(pin, True)
        assert pins.read(pin)
        assert gpio.levels[ROW_OF[pin].bcm] == int(not ROW_OF[pin].active_low)


def test_a_press_is_one_edge_each_way(pins: RpiPins, gpio: FakeGpio, clock: Clock):
    start = ROW_OF[Pin.START].bcm
    gpio.levels[start] = 0
    assert at(pins, clock, 1_000) == []
    assert not pins.read(Pin.START)
    assert at(pins, clock, 21_000) == [Edge(Pin.START, True, 1_000)]
    assert pins.read(Pin.START)
    gpio.levels[start] = 1
    assert at(pins, clock, 100_000) == []
    assert at(pins, clock, 120_000) == [Edge(Pin.START, False, 100_000)]
    assert pins.glitches()[Pin.START] == 0


def test_self_test_finds_an_output_that_does_not_follow(pins: RpiPins, gpio: FakeGpio):
    assert pins.self_test() == []
    gpio.stuck[ROW_OF[Pin.LAMP_RED].bcm] = 0
    (problem,) = pins.self_test()
    assert str(problem) == (
        "Pin 22 (lamp_red) does not follow: it is short-circuited or wired to something else. "
        "Check the wire at that pin."
    )
    assert not any(pins.read(pin) for pin in OUTPUTS)


def test_self_test_touches_neither_mcu_nor_motors(pins: RpiPins, gpio: FakeGpio):
    def output(number: int, level: int) -> None:
        assert number not in (ROW_OF[Pin.MCU_RESET].bcm, ROW_OF[Pin.MOTOR_RELAY].bcm)

    gpio.output = output  # type: ignore[method-assign]
    pins.self_test()


def test_at_the_end_outputs_are_off_and_pins_free(pins: RpiPins, gpio: FakeGpio):
    pins.write(Pin.MOTOR_RELAY, True)
    pins.close()
    assert gpio.levels[ROW_OF[Pin.MOTOR_RELAY].bcm] == 0
    assert gpio.cleaned == [row.bcm for row in PIN_TABLE]


def test_pins_that_are_refused_are_told(gpio: FakeGpio, clock: Clock):
    gpio.trouble = RuntimeError("can not open gpiochip\nand more")
    with pytest.raises(PinsError, match=r"cannot be used \(can not open gpiochip\)\. Check"):
        RpiPins(clock, gpio)


@pytest.mark.parametrize("error", [RuntimeError, OSError])
def test_a_library_that_is_no_good_here_is_told(
    monkeypatch: pytest.MonkeyPatch, clock: Clock, error: type[Exception]
):
    """RPi.GPIO raises RuntimeError, not ImportError, on anything but a Pi."""

    class Finder:
        def find_spec(self, name: str, *_: Any) -> None:
            if name == "RPi.GPIO":
                raise error("This module can only be run on a Raspberry Pi!")

    package = ModuleType("RPi")
    package.__path__ = []
    monkeypatch.setitem(sys.modules, "RPi", package)
    monkeypatch.setattr(sys, "meta_path", [Finder(), *sys.meta_path])
    with pytest.raises(PinsError, match=r"can only be run on a Raspberry Pi!\)\. On a Raspberry"):
        RpiPins(clock)


def test_without_the_library_it_is_named(monkeypatch: pytest.MonkeyPatch, clock: Clock):
    monkeypatch.setitem(sys.modules, "RPi", None)
    with pytest.raises(PinsError, match="need the library RPi.GPIO"):
        RpiPins(clock)
