"""What is to be cleaned is said by whoever has dealt the board: the command and the daemon alike."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from room import SIXTEEN, boards

from controller.api.models import DaemonState
from controller.bench.identity import IdentityPictures, IdentityReader
from controller.geometry import PROFILES
from controller.jobs.deal import DealSet
from controller.store.wear import CARDS_A_CLEANING, NAME
from controller.twin.session import TwinSession, TwinSetup
from deals.cards import CARDS
from deals.words import text
from tests.unit.daemon.club import Club, Condition
from vision.reading import CardReading

CLEAN = text("wear.clean", {"cards": CARDS_A_CLEANING})


@pytest.fixture
def nearly_due(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The state of a machine that is to be cleaned after its next board, and an eye that tells how surely it read."""
    read = IdentityReader.read

    def surely(self: IdentityReader, image: Any) -> CardReading:
        return replace(read(self, image), evidence={"margin": 0.5})

    monkeypatch.setattr(IdentityReader, "read", surely)
    fed = {"cards": CARDS_A_CLEANING - len(CARDS), "designs": {}}
    (tmp_path / NAME).write_text(json.dumps(fed))
    return tmp_path


def test_the_command_says_what_is_to_be_cleaned(nearly_due: Path) -> None:
    setup = TwinSetup(
        profile=PROFILES["standard"],
        pictures=IdentityPictures(),
        reader=IdentityReader(),
        design="identity",
        state_dir=nearly_due,
    )
    first, second, *_ = boards()
    what = DealSet("sixteen", "TEST", SIXTEEN.read_bytes(), boards(), (first, second))
    report = TwinSession(what, setup).run()
    assert [result.proven for result in report.results] == [True, True]
    assert report.reminders == [CLEAN]


def test_the_daemon_says_it_with_its_job(nearly_due: Path) -> None:
    club = Club(state_dir=nearly_due)

    def script() -> Iterator[Condition]:
        yield from club.deal(1)
        yield from club.bring(1)
        yield club.is_in(DaemonState.IDLE)

    club.run(script())
    assert club.state.job is not None
    assert club.state.job.warnings == [CLEAN]
