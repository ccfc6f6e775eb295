"""New deals (Law 6D) and same hands (Law 14): what becomes void, and that nothing is half done."""

from __future__ import annotations

import json
import os

import pytest

from controller.errors import DirectorError, StoreError
from controller.jobs.deal import DealSet
from controller.jobs.errors import JobError
from controller.jobs.kept import boards_of, keep, stored
from controller.jobs.newdeal import consider, copies_in, deal_anew, same_hands
from controller.store import DealingState, SetInfo, Store, Who
from controller.store.boxes import Boxes, BoxState
from deals.boards import Board
from deals.generate import Source
from deals.laws import Auction, Contest, Edition, Reason
from deals.setcode import QUICK_COST, set_code
from tests.unit.store.support import open_store, quick_passphrases
from tests.unit.store.test_sets import director

WHO = Who("Bo", "operate")


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch):
    quick_passphrases(monkeypatch)
    monkeypatch.setattr("deals.setcode.set_code", lambda boards: set_code(boards, QUICK_COST))


def boards(count: int = 4, name: str = "a") -> tuple[Board, ...]:
    deals = Source(b"secret" * 6, name).deals(range(1, count + 1))
    return tuple(Board.standard(number, deal) for number, deal in enumerate(deals, 1))


def a_set(store: Store, edition: Edition = Edition.LAWS_2017, **about: str) -> SetInfo:
    those = boards()
    what = DealSet("friday", set_code(those, QUICK_COST), b"file", those, those)
    return store.sets.info(keep(store, what, WHO, edition=edition, about=about))


def prove(store: Store, info: SetInfo, board: int, *copies: int) -> None:
    for copy in copies:
        dealing = store.journal.open_board(info.id, board, copy, profile="standard", design="x")
        store.journal.close_board(dealing, DealingState.PROVEN)


def anew(store: Store, info: SetInfo, board: int = 2, reason: Reason = Reason.CARD_SEEN, **more):
    verdict = consider(store, info, board, reason)
    return deal_anew(store, info, verdict, "seen at table 4", WHO, os.urandom, **more)


def test_a_new_deal_voids_every_copy_and_makes_another_set():
    with open_store() as store:
        info = a_set(store, event="Friday")
        for board in (1, 2):
            prove(store, info, board, 1, 2, 3)
        store.boxes.name(info.id, 1, "A")
        store.boxes.name(info.id, 2, "B", "section 2")
        store.boxes.load("A", 1, info.id, 1)
        store.boxes.load("A", 2, info.id, 1)
        store.exports.add(info.id, "/a.pbn", "pbn")
        done = anew(store, info)
        assert [copy.name for copy in done.verdict.copies] == ["A", "B, section 2", "3"]
        assert [copy.copy for copy in done.voided] == [1, 2, 3]
        assert done.stale == ("/a.pbn",)
        assert (done.new.replaces, done.old.replaced_by) == (info.id, done.new.id)
        assert done.new.code != info.code
        assert done.new.about == {"event": "Friday"}
        assert store.exports.of(info.id)[0].stale
        # Board 2 is to be dealt again, board 1 lies as it was.
        assert store.journal.copies_dealt(done.new.id, 2) == []
        assert store.journal.copies_dealt(info.id, 2) == []
        assert [copy.copy for copy in store.journal.copies_dealt(done.new.id, 1)] == [1, 2, 3]
        found = {one.board: one.state for one in store.boxes.contents("A")}
        assert found == {1: BoxState.LOADED, 2: BoxState.VOID}
        assert store.boxes.names(done.new.id) == store.boxes.names(info.id)


def test_the_other_boards_stay_and_the_old_deal_is_kept():
    with open_store() as store:
        info = a_set(store)
        done = anew(store, info)
        old, new = (boards_of(store.sets.boards(one.id)) for one in (info, done.new))
        assert old == boards()
        assert [a == b for a, b in zip(old, new, strict=True)] == [True, False, True, True]
        assert (old[1].dealer, old[1].vulnerable) == (new[1].dealer, new[1].vulnerable)
        assert done.new.code == set_code(new, QUICK_COST)
        again = anew(store, done.new)
        third = boards_of(store.sets.boards(again.new.id))
        assert len({board.deal.pbn() for board in (old[1], new[1], third[1])}) == 3
        assert store.sets.redealt(again.new.id) == {1: 0, 2: 2, 3: 0, 4: 0}


def test_it_is_in_the_logbook_without_a_card():
    with open_store() as store:
        info = a_set(store)
        prove(store, info, 2, 1)
        done = anew(store, info)
        last = store.logbook.entries()[-1]
        assert (last.actor, last.what) == ("Bo", "new deal")
        assert '"reason": "seen at table 4"' in last.details
        assert f'"after": "{done.new.code}"' in last.details
        assert boards()[1].deal.pbn()[2:10] not in last.details


def test_a_replaced_set_is_neither_dealt_nor_replaced_again():
    with open_store() as store:
        info = a_set(store)
        done = anew(store, info)
        with pytest.raises(StoreError, match=f"Deal set {done.new.code}"):
            stored(store, info.code)
        with pytest.raises(StoreError, match=f"Deal set {done.new.code}"):
            anew(store, info, 3)


def test_the_laws_may_forbid_it_and_then_nothing_happens():
    with open_store() as store:
        info = a_set(store)
        prove(store, info, 2, 1)
        verdict = consider(store, info, 2, Reason.CARD_SEEN, auction=Auction(called=True))
        with pytest.raises(JobError, match="Law 16D stands against it"):
            deal_anew(store, info, verdict, "late", WHO, os.urandom)
        passed = consider(store, info, 2, Reason.DIRECTOR, auction=Auction(passed_out=True))
        with pytest.raises(JobError, match="Law 22B"):
            deal_anew(store, info, passed, "all passed", WHO, os.urandom)
        assert len(store.sets.infos()) == 1
        assert len(store.journal.copies_dealt(info.id, 2)) == 1


@pytest.mark.parametrize(("edition", "law"), [(1997, "86C"), (2007, "86C"), (2017, "86A")])
def test_in_a_team_match_the_director_confirms(edition: int, law: str):
    with open_store() as store:
        info = a_set(store, Edition(edition), contest="teams")
        verdict = consider(store, info, 2, Reason.DIRECTOR)
        assert verdict.confirm
        assert law in str(verdict.findings())
        with pytest.raises(DirectorError, match="needs the Director's word"):
            deal_anew(store, info, verdict, "why", WHO, os.urandom)
        done = deal_anew(store, info, verdict, "why", WHO, os.urandom, director(store))
        assert store.logbook.entries()[-1].actor == "Ann"
        known = consider(store, done.new, 2, Reason.DIRECTOR, auction=Auction(result_known=True))
        assert not known.allowed
        assert not consider(store, done.new, 2, Reason.DIRECTOR, Contest.PAIRS).confirm


def test_a_reason_is_asked_for():
    with open_store() as store:
        info = a_set(store)
        verdict = consider(store, info, 2, Reason.CARD_SEEN)
        with pytest.raises(JobError, match="--reason TEXT"):
            deal_anew(store, info, verdict, " ", WHO, os.urandom)
        with pytest.raises(JobError, match="9"):
            consider(store, info, 9, Reason.CARD_SEEN)


def test_a_sealed_set_stays_sealed():
    with open_store() as store:
        info = a_set(store)
        permit = director(store)
        store.states.seal(info.id, permit)
        info = store.sets.info(info.id)
        with pytest.raises(StoreError, match="is sealed"):
            anew(store, info)
        done = anew(store, info, permit=permit)
        assert done.new.sealed
        with pytest.raises(StoreError, match="is sealed"):
            store.sets.boards(done.new.id)


def test_released_records_are_held_again():
    one, two = ({"boards": part, "at_us": 5, "by": ""} for part in ("1-2", "3-4"))
    release = json.dumps({"rounds": [one, two]})
    with open_store() as store:
        info = store.states.hold(a_set(store).id, release, WHO)
        done = anew(store, info)
        assert '"boards": "1-2", "at_us": null' in done.new.release
        assert '"boards": "3-4", "at_us": 5' in done.new.release


def test_a_board_under_way_is_not_dealt_anew():
    with open_store() as store:
        info = a_set(store)
        store.journal.open_board(info.id, 2, 1, profile="standard", design="x")
        with pytest.raises(StoreError, match="Board 2, copy 1"):
            anew(store, info)
        assert len(store.sets.infos()) == 1


def test_it_happens_as_a_whole_or_not_at_all(monkeypatch: pytest.MonkeyPatch):
    with open_store() as store:
        info = a_set(store)
        prove(store, info, 2, 1)

        def fails(*arguments: object) -> None:
            raise StoreError("store.full", path="x", reason="full")

        monkeypatch.setattr(Boxes, "void", fails)
        with pytest.raises(StoreError, match="full"):
            anew(store, info)
        assert [one.id for one in store.sets.infos()] == [info.id]
        assert [copy.copy for copy in store.journal.copies_dealt(info.id, 2)] == [1]


def test_same_hands_again_is_the_same_deal_and_the_same_copy():
    with open_store() as store:
        info = a_set(store)
        prove(store, info, 2, 1, 2)
        store.boxes.name(info.id, 2, "B")
        store.boxes.load("B", 2, info.id, 2)
        with pytest.raises(JobError, match="several copies: 1, 2"):
            same_hands(store, info, 2, [], "card torn", WHO)
        with pytest.raises(StoreError, match="never dealt, or are void already: 7"):
            same_hands(store, info, 2, [7], "card torn", WHO)
        with pytest.raises(StoreError, match="lies in box C; .* copies of it: B"):
            copies_in(store, info, ["C"])
        found = same_hands(store, info, 2, copies_in(store, info, ["B"]), "card torn", WHO)
        assert [copy.copy for copy in found] == [2]
        assert [copy.copy for copy in store.journal.copies_dealt(info.id, 2)] == [1]
        assert store.boxes.contents("B")[0].state is BoxState.VOID
        assert store.logbook.entries()[-1].what == "same hands again"
        prove(store, info, 2, 2)
        assert boards_of(store.sets.boards(info.id)) == boards()


def test_same_hands_of_the_only_copy_need_no_number():
    with open_store() as store:
        info = a_set(store)
        with pytest.raises(StoreError, match="never dealt"):
            same_hands(store, info, 2, [], "torn", WHO)
        prove(store, info, 2, 1)
        assert [copy.copy for copy in same_hands(store, info, 2, [], "torn", WHO)] == [1]
