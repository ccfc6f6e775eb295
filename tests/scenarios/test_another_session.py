"""Law 6D2: a set with deals that were dealt for another session is told, by edition, and logged."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest
from room import boards

from controller.bench.identity import IdentityPictures, IdentityReader
from controller.geometry import PROFILES
from controller.jobs.deal import DealSet
from controller.jobs.errors import JobError
from controller.jobs.loading import load
from controller.store import BoardEntry, DatedClock, DealingState, Store, Who
from controller.store.boxes import BoxState
from controller.twin.session import TwinSession, TwinSetup
from deals import words
from deals.boards import Board
from tests.unit.store.support import quick_passphrases

ANNA = Who("anna", "operate")
FRIDAY = DealSet("Friday", "FRIDAY", b"friday", boards()[:4], boards()[:4])
# Saturday has two of Friday's deals, under other numbers, and two of its own.
SATURDAY = DealSet("Saturday", "SATURDAY", b"saturday", (), ())
MIXED = tuple(
    Board.standard(number, boards()[place].deal) for number, place in enumerate((7, 3, 8, 1), 11)
)
SATURDAY = replace(SATURDAY, boards=MIXED, chosen=MIXED)


class _Stopped:
    def now_us(self) -> int:
        return 0


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch):
    quick_passphrases(monkeypatch)
    with Store.open(None, DatedClock(_Stopped(), 0), os.urandom, twin=True) as store:
        yield store


def deal_all(store: Store, what: DealSet, numbers: tuple[int, ...]) -> None:
    loaded = load(store, what, ANNA)
    for number in numbers:
        dealing = store.journal.open_board(loaded.id, number, 1, profile="p", design="d")
        store.journal.close_board(dealing, DealingState.PROVEN)


def end(store: Store, what: DealSet) -> None:
    director = store.directors
    director.set("eva", "a long enough passphrase")
    permit = director.enter("eva", "a long enough passphrase", "end")
    store.states.end(store.sets.find(what.code).id, permit)


def told(store: Store, what: DealSet) -> list[str]:
    return [words.text(*finding) for finding in load(store, what, ANNA).warnings]


def logged(store: Store, what: str) -> list[dict]:
    return [json.loads(entry.details) for entry in store.logbook.entries() if entry.what == what]


def test_deals_of_another_session_are_told_and_logged(store: Store) -> None:
    deal_all(store, FRIDAY, (1, 2, 4))
    assert told(store, SATURDAY) == [
        "Board 12 is the deal of board 4 of “Friday (FRIDAY)”: no result may stand if a deal comes "
        "from another session (Law 6D2, 2017), unless replaying it is the purpose (--replay).",
        "Board 14 is the deal of board 2 of “Friday (FRIDAY)”: no result may stand if a deal comes "
        "from another session (Law 6D2, 2017), unless replaying it is the purpose (--replay).",
    ]
    assert logged(store, "deals from another session") == [
        {"set": "SATURDAY", "boards": "12, 14", "replay": False, "laws": 2017}
    ]


def test_loaded_but_not_dealt_is_no_session(store: Store) -> None:
    deal_all(store, FRIDAY, (1, 3))
    assert told(store, SATURDAY) == []
    assert logged(store, "deals from another session") == []


def test_replay_is_a_purpose_that_is_written_down(store: Store) -> None:
    deal_all(store, FRIDAY, (4,))
    assert told(store, replace(SATURDAY, replay=True)) == []
    assert [entry["replay"] for entry in logged(store, "deals from another session")] == [True]


@pytest.mark.parametrize(("laws", "replay", "warned"), [(2007, True, False), (1997, True, True)])
def test_of_older_editions_only_what_was_played_counts(
    store: Store, laws: int, replay: bool, warned: bool
) -> None:
    deal_all(store, FRIDAY, (4,))
    [asked] = told(store, replace(SATURDAY, laws=laws))
    assert f"If it was played there, no result may stand (Law 6D2, {laws})" in asked
    end(store, FRIDAY)
    [known] = told(store, replace(SATURDAY, laws=laws))
    assert f"and was played there: no result may stand (Law 6D2, {laws})" in known
    assert bool(told(store, replace(SATURDAY, laws=laws, replay=replay))) is warned


def test_a_box_tells_whether_it_was_played(store: Store) -> None:
    deal_all(store, FRIDAY, (4,))
    store.boxes.load("A", 4, store.sets.find("FRIDAY").id, 1)
    older = replace(SATURDAY, laws=2007)
    assert told(store, older) == []
    store.boxes.move("A", BoxState.PLAYED)
    [known] = told(store, older)
    assert "and was played there" in known


def test_the_edition_stays_with_the_set(store: Store) -> None:
    load(store, replace(FRIDAY, laws=2007), ANNA)
    assert load(store, FRIDAY, ANNA).id == store.sets.find("FRIDAY").id
    assert store.sets.find("FRIDAY").laws == 2007
    with pytest.raises(JobError, match="kept under the Laws of 2007, not of 1997"):
        load(store, replace(FRIDAY, laws=1997), ANNA)


def test_the_same_set_is_one_session_until_its_play_has_ended(store: Store) -> None:
    deal_all(store, FRIDAY, (1, 2))
    assert told(store, FRIDAY) == []
    end(store, FRIDAY)
    assert len(told(store, FRIDAY)) == 2


def test_a_set_with_a_new_deal_is_the_same_session(store: Store) -> None:
    deal_all(store, FRIDAY, (1, 2))
    friday = store.sets.find("FRIDAY").id
    after = (*boards()[:3], Board.standard(4, boards()[9].deal))
    entries = [kept(board) for board in after]
    store.sets.add(
        code="AFTER", name="Friday", source=b"", boards=entries, replaces=friday, redealt={4: 1}
    )
    assert told(store, DealSet("Friday", "AFTER", b"", after, after)) == []


def kept(board: Board) -> BoardEntry:
    return BoardEntry(board.number, board.dealer.letter, board.vulnerable.value, board.deal.pbn())


def test_witness_and_origin_are_kept(store: Store) -> None:
    load(store, replace(SATURDAY, witness="Bo", teaching=True), ANNA)
    assert store.sets.find("SATURDAY").origin == "teaching"
    assert logged(store, "dealing witnessed") == [
        {"set": "SATURDAY", "boards": "11-14", "witness": "Bo"}
    ]


def test_two_evenings_in_the_twin(tmp_path: Path) -> None:
    def evening(what: DealSet) -> list[str]:
        setup = TwinSetup(
            profile=PROFILES["standard"],
            pictures=IdentityPictures(),
            reader=IdentityReader(),
            design="identity",
            state_dir=tmp_path,
        )
        heard: list[str] = []
        report = TwinSession(what, setup, on_warning=heard.append).run()
        assert report.summary.proven == len(what.chosen)
        assert heard == report.warnings
        return heard

    assert evening(replace(FRIDAY, chosen=FRIDAY.boards[3:4])) == []
    [warning] = evening(replace(SATURDAY, chosen=MIXED[:2]))
    assert "Board 12 is the deal of board 4 of “Friday (FRIDAY)”" in warning
