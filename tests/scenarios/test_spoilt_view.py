"""Dirty glass and packs of another design: told within a few cards, mended by hand, never proven wrong."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from reading import check
from room import SIXTEEN, boards, deal, holds

from controller.bench.identity import IdentityReader
from controller.engine.stops import Step
from controller.geometry import PROFILES
from controller.jobs.deal import DealSet
from controller.store.wear import FIRST
from controller.twin.faults import parse
from controller.twin.pictures import DrawnPictures
from controller.twin.session import TwinSession, TwinSetup
from controller.twin.world import view
from deals.words import text
from vision.design import load
from vision.reading import CardReading, Kind
from vision.recognise import Reader

WITHIN = 14
"""Cards: four that are not read, those on the belt while the camera starts anew, four more."""


@dataclass
class Strange(IdentityReader):
    """A reader of another design: of each picture it knows that a card lies there, and no more."""

    read_first: int = 0
    """So many pictures are read before the pack is another one."""
    looked: int = 0

    def read(self, image: Any) -> CardReading:
        self.looked += 1
        seen = super().read(image)
        known = self.looked <= self.read_first or seen.kind is not Kind.CARD
        return seen if known else CardReading(Kind.UNSURE)


def test_a_pack_of_another_design_is_told_within_a_few_cards() -> None:
    evening = deal(reader=Strange(), operator="none")
    (stop,) = evening.stops
    assert stop.fault.value == "unreadable_pack"
    assert stop.steps == (Step.COLLECT_ALL, Step.CLEAN_GLASS, Step.REPLACE_PACK)
    assert stop.feed is not None and stop.feed <= WITHIN
    assert not evening.results[0].proven


def test_where_the_pack_was_read_before_it_is_the_glass_and_no_other_pack_is_asked_for() -> None:
    (stop,) = deal("glass_smeared@1.20", operator="none").stops
    assert stop.fault.value == "unreadable_pack" and 20 <= (stop.feed or 0) <= 20 + WITHIN
    assert stop.steps == (Step.COLLECT_ALL, Step.CLEAN_GLASS)


def test_a_view_that_stays_spoilt_calls_the_technician() -> None:
    stops = deal(reader=Strange()).stops
    assert Step.CALL_TECHNICIAN not in stops[0].steps
    assert all(Step.CALL_TECHNICIAN in stop.steps for stop in stops[1:])


@pytest.mark.parametrize("operator", ["auto", "careless"])
def test_a_smear_is_wiped_away_and_the_board_proven(operator: str) -> None:
    evening = deal("glass_smeared@1.30", numbers=(1, 2), operator=operator, seed=4)
    assert evening.proven_means_true()
    if operator == "auto":
        assert evening.true == [True, True] and evening.faults == ["unreadable_pack"]


def test_four_worn_cards_in_a_row_are_no_dirty_glass() -> None:
    faults = [f"dirty_corner@1.{card}" for card in range(20, 24)]
    evening = deal(*faults)
    assert evening.true == [True] and "unreadable_pack" not in evening.faults


def test_a_board_that_is_checked_through_dirty_glass_asks_for_a_wipe_and_for_no_other_pack() -> (
    None
):
    first, *others = check(reader=Strange(), operator="auto").result.stops
    assert first.fault.value == "unreadable_card"
    assert {stop.fault.value for stop in others} == {"unreadable_pack"}
    assert all(Step.CLEAN_GLASS in stop.steps for stop in others)
    assert not any(Step.REPLACE_PACK in stop.steps for stop in others)


def test_the_glass_is_asked_for_before_the_first_board_stops_and_nothing_is_read_wrong(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With real pictures and the real reader, on glass that gets dirty within four boards (faults.md F23)."""
    monkeypatch.setattr(view, "GRIME_A_PICTURE", 1 / 600)
    chosen = tuple(board for board in boards() if board.number <= 8)
    profile = PROFILES["standard"]
    setup = TwinSetup(
        profile=profile,
        pictures=DrawnPictures.of_design("standard", profile),
        reader=Reader(load("standard")),
        design="standard",
        faults=(parse("glass_soils@5.1"),),
    )
    what = DealSet("sixteen", "TEST", SIXTEEN.read_bytes(), boards(), chosen)
    report = TwinSession(what, setup).run()  # nobody wipes: the first stop ends it
    *proven, stopped = report.results
    assert stopped.stops[0].fault.value in ("unreadable_card", "unreadable_pack")
    assert all(result.proven for result in proven) and len(proven) >= FIRST
    for result, contents in zip(proven, report.contents, strict=False):
        assert holds(contents, chosen[result.board - 1])
    assert report.reminders[0] == text("wear.falls", {"design": "standard"})
