"""A session that breaks off while nobody asks for anything is begun anew before a card moves."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from controller.devices.happenings import Input, InputMoved, LinkWasLost
from controller.engine.stops import Fault, Step, before_start
from controller.jobs.ready import Readiness
from controller.link.errors import LinkLostError
from controller.link.link import TRIES, TRY_US
from controller.twin.world.build import Build
from tests.unit.calibrate.shop import Shop

A_WHILE_US = 2 * TRIES * TRY_US
LID = before_start(Fault.LID_OPEN, (Step.CLOSE_LID,))


@pytest.fixture
def shop() -> Iterator[Shop]:
    shop = Shop(Build())
    yield shop
    shop.close()


def idle(shop: Shop, for_us: int) -> None:
    """People work; the host only keeps its heartbeat."""
    until_us = shop.twin.time.now_us() + for_us
    while shop.twin.time.now_us() < until_us:
        shop.twin.idle(until_us)


def break_off(shop: Shop) -> None:
    """Nothing passes until the host has given up, then all does again."""
    shop.world.wire.stall(True)
    idle(shop, A_WHILE_US)
    shop.world.wire.stall(False)
    idle(shop, A_WHILE_US)


def test_a_job_that_goes_on_hears_what_the_machine_tells(shop: Shop) -> None:
    ready = Readiness(shop.machine)
    assert ready.stop(lambda: LID) is LID
    break_off(shop)
    assert not shop.machine.connected
    assert ready.stop(lambda: LID) is LID
    assert shop.machine.connected
    before = shop.machine.inputs[Input.LID]
    shop.world.slot.lid(not before)
    until_us = shop.twin.time.now_us() + A_WHILE_US
    happening = shop.machine.next(until_us)
    assert isinstance(happening, InputMoved)
    assert (happening.input, happening.on) == (Input.LID, not before)


def test_between_two_passes_it_is_told(shop: Shop) -> None:
    """Cards lie in the pockets: the pass that follows may not begin as if nothing had been missed."""
    Readiness(shop.machine).stop(lambda: LID)
    break_off(shop)
    assert isinstance(shop.machine.next(shop.twin.time.now_us() + A_WHILE_US), LinkWasLost)


def test_nothing_is_asked_of_a_machine_whose_events_nobody_takes(shop: Shop) -> None:
    Readiness(shop.machine).stop(lambda: LID)
    break_off(shop)
    with pytest.raises(LinkLostError, match="does not answer"):
        shop.machine.start(1)
    shop.machine.stop()  # that it may always be told
