"""At 20 cards/s a card is sent off before look 2 has confirmed its image: what comes later is heeded."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest
from room import Evening, boards, deal, seeds

from controller.devices.happenings import BeltHeld
from controller.devices.ports import Image
from controller.geometry import PROFILES
from controller.jobs.errors import JobError
from controller.jobs.halfdone import in_their_pockets
from controller.store.clock import DatedClock
from controller.store.recovery import Where, fates
from controller.store.store import Store
from controller.twin.world.camera import TwinCamera

STRESS: Final = PROFILES["stress"]
GAP_US: Final = STRESS.look_gap_us
_OTHER_NOISE: Final = np.array([0, *[1] * 8], np.uint8)
"""Added to a picture: the same card, another digest."""


class Still:
    def now_us(self) -> int:
        return 0


def shot(card: int, look: int) -> int:
    """The number of a picture when nothing was lost before it."""
    return 2 * card - 2 + look


@dataclass
class Trick:
    """What a camera does once to picture `number`, and to the one behind it."""

    number: int
    does: Callable[[Image, Image], list[Image]]
    held: list[Image] = field(default_factory=list)
    done: bool = False

    def __call__(self, images: list[Image]) -> list[Image]:
        given: list[Image] = []
        for image in images:
            if image.number == self.number and not self.done:
                self.held.append(image)
            elif self.held and not self.done:
                given += self.does(self.held[0], image)
                self.done = True
            else:
                given.append(image)
        return given


@dataclass
class Stray:
    """Once, another picture comes in the place of number `number`, which comes later."""

    number: int
    pixels: Any
    held: list[Image] = field(default_factory=list)
    done: bool = False

    def __call__(self, images: list[Image]) -> list[Image]:
        given: list[Image] = []
        for image in images:
            if image.number == self.number and not self.done:
                self.done = True
                self.held.append(image)
                number, at_us = 10_000 + image.number, image.captured_us - 2_000
                given.append(Image(number, at_us, self.pixels + _OTHER_NOISE))
            else:
                given += [*self.held, image]
                self.held.clear()
        return given


def stamped(by_us: int) -> Callable[[Image, Image], list[Image]]:
    """The picture comes with the next one, and its stamp is wrong."""
    return lambda one, other: [replace(one, captured_us=one.captured_us + by_us), other]


def out_of_order(one: Image, other: Image) -> list[Image]:
    return [other, one]


def exchanged(one: Image, other: Image) -> list[Image]:
    """Each picture under the stamp and the number of the other."""
    return [replace(one, pixels=other.pixels), replace(other, pixels=one.pixels)]


def repeated(one: Image, other: Image) -> list[Image]:
    return [one, replace(other, pixels=one.pixels)]


def lost(one: Image, other: Image) -> list[Image]:
    return [other]


def lost_both(one: Image, other: Image) -> list[Image]:
    return []


TRICKS: Final = {
    "lost": lost,
    "two lost": lost_both,
    "out of order": out_of_order,
    "exchanged": exchanged,
    "repeated": repeated,
    "stamped a look late": stamped(GAP_US),
    "stamped a look early": stamped(-GAP_US),
    "stamped a pitch late": stamped(STRESS.pitch_us),
    "stamped a pitch early": stamped(-STRESS.pitch_us),
    "stamped 8 ms late": stamped(8_000),
    "stamped 8 ms early": stamped(-8_000),
}


def tricked(
    monkeypatch: pytest.MonkeyPatch,
    trick: Callable[[list[Image]], list[Image]],
    faults: Sequence[str] = (),
    **named: object,
) -> Evening:
    """An evening at 20 cards/s with a camera that plays this trick."""
    take = TwinCamera.take
    monkeypatch.setattr(TwinCamera, "take", lambda camera: trick(take(camera)))
    return deal(*faults, profile="stress", **named)  # type: ignore[arg-type]


def test_only_where_look_2_comes_too_late_is_anything_sent_off_before() -> None:
    assert STRESS.departure_us is not None
    assert [PROFILES[name].departure_us for name in ("standard", "fast")] == [None, None]


@pytest.mark.parametrize("late_us", [0, 3_000, 6_000, 20_000])
def test_the_belt_holds_for_no_look_2(monkeypatch: pytest.MonkeyPatch, late_us: int) -> None:
    """However much later than its strobe look 2 comes, as long as it comes before the next card."""
    take = TwinCamera.take
    waiting: list[tuple[int, Image]] = []

    def slow_take(camera: TwinCamera) -> list[Image]:
        now_us = camera._timeline.now_us
        for image in take(camera):
            second = image.number % 2 == 0
            waiting.append((now_us + late_us * second, image))
            camera._timeline.at(waiting[-1][0], camera._timeline.news)
        ready = [image for at_us, image in waiting if at_us <= now_us]
        waiting[:] = [one for one in waiting if one[0] > now_us]
        return ready

    monkeypatch.setattr(TwinCamera, "take", slow_take)
    evening = deal(profile="stress")
    assert (evening.true, evening.stops) == ([True], [])
    assert not any(isinstance(happening, BeltHeld) for happening in evening.happenings)


def pictures(monkeypatch: pytest.MonkeyPatch) -> dict[int, Any]:
    """What the camera sees of a board without tricks, by number."""
    seen: dict[int, Any] = {}

    def noted(images: list[Image]) -> list[Image]:
        seen.update((image.number, image.pixels) for image in images)
        return images

    with monkeypatch.context() as patch:
        assert tricked(patch, noted).true == [True]
    return seen


def each_trick(
    monkeypatch: pytest.MonkeyPatch, operator: str, look: int, cards: Sequence[int]
) -> None:
    for name, card in itertools.product(TRICKS, cards):
        with monkeypatch.context() as patch:
            trick = Trick(shot(card, look), TRICKS[name])
            evening = tricked(patch, trick, operator=operator, seed=seeds(1)[0] + card)
        assert evening.proven_means_true(), name
        if operator == "auto":
            assert evening.true == [True], name


@pytest.mark.parametrize(("look", "card"), [(1, 26), (2, 26), (2, 52)])
def test_whatever_the_camera_does_once_no_wrong_board_is_called_proven(
    monkeypatch: pytest.MonkeyPatch, look: int, card: int
) -> None:
    each_trick(monkeypatch, "auto", look, [card])


@pytest.mark.long
@pytest.mark.parametrize("operator", ["auto", "none", "careless"])
@pytest.mark.parametrize("look", [1, 2])
@pytest.mark.parametrize("card", [1, 2, 3, 13, 26, 39, 50, 51, 52, 53])
def test_whatever_the_camera_does_at_any_card(
    monkeypatch: pytest.MonkeyPatch, card: int, look: int, operator: str
) -> None:
    each_trick(monkeypatch, operator, look, [card])


@pytest.mark.parametrize("operator", ["auto", "none", "careless"])
@pytest.mark.parametrize("cards", [(1, 30), (20, 21), (17, 52)])
def test_stray_pictures_of_two_cards_exchange_no_two_hands(
    monkeypatch: pytest.MonkeyPatch, cards: tuple[int, int], operator: str
) -> None:
    """Each card is seen as the other one, in good time, and its true picture comes only when the card
    is on its way: 52 different cards, and every stamp fits. Look 2 alone shows it.
    """
    seen = pictures(monkeypatch)
    strays = [seen[shot(card, 2)] for card in reversed(cards)]
    tricks = [Stray(shot(card, 1), pixels) for card, pixels in zip(cards, strays, strict=True)]

    evening = tricked(monkeypatch, lambda images: tricks[1](tricks[0](images)), operator=operator)
    assert (evening.stops[0].fault, evening.stops[0].feed) == ("camera", cards[0])
    assert evening.proven_means_true()
    if operator == "auto":
        assert evening.true == [True]


@pytest.mark.parametrize("name", ["lost", "out of order", "stamped a pitch late"])
@pytest.mark.parametrize("card", [1, 2, 26, 51, 52])
def test_a_card_that_look_2_did_not_confirm_costs_the_board_another_deal(
    monkeypatch: pytest.MonkeyPatch, card: int, name: str
) -> None:
    trick = Trick(shot(card, 2), TRICKS[name])
    evening = tricked(monkeypatch, trick)
    assert evening.true == [True]
    assert [(stop.fault, stop.feed, stop.remedy) for stop in evening.stops] == [
        ("camera", card, "collect_all")
    ]
    assert evening.results[0].attempts == 2


def test_the_journal_knows_the_place_of_such_a_card_and_no_name(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A board that is finished by hand then is dealt whole: `by-hand --half-done` refuses it."""
    evening = tricked(monkeypatch, Trick(shot(26, 2), lost), operator="none", state_dir=tmp_path)
    assert not evening.results[0].proven
    with Store.open(tmp_path, DatedClock(Still(), 0), os.urandom, twin=True) as store:
        info = store.sets.infos()[0]
        last = store.journal.last_attempt(info.id, 1)
        assert last is not None
        fate = {one.feed: one for one in fates(store.journal.rows(last[0]))}
        assert (fate[26].where, fate[26].card) == (Where.LANDED, None)
        assert None not in {fate[feed].card for feed in range(1, 26)}
        with pytest.raises(JobError) as told:
            in_their_pockets(store, info, boards()[0])
    assert told.value.code == "byhand.doubtful"


def test_the_last_card_is_confirmed_before_the_pack_has_ended(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Without a stop card the empty hopper ends the pack, which does not wait for pictures."""
    evening = tricked(monkeypatch, Trick(shot(52, 2), lost), faults=("stop_card_missing@1",))
    assert evening.true == [True]
    assert evening.stops[0].fault == "camera"


def test_a_stop_card_that_look_2_did_not_confirm_is_fed_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    evening = tricked(monkeypatch, Trick(shot(53, 2), lost), numbers=(1, 2))
    assert evening.true == [True, True]
    assert [stop.remedy for stop in evening.stops] == ["refeed_set_aside"]
    assert evening.results[0].attempts == 1


def test_a_stray_picture_of_the_stop_card_ends_no_pack(monkeypatch: pytest.MonkeyPatch) -> None:
    stop_card = pictures(monkeypatch)[shot(53, 1)]
    evening = tricked(monkeypatch, Stray(shot(20, 1), stop_card))
    assert evening.true == [True]
    assert [(stop.fault, stop.feed, stop.remedy) for stop in evening.stops] == [
        ("image_lost", 20, "refeed_set_aside")
    ]
    assert evening.results[0].attempts == 1
