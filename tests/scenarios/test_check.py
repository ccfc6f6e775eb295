"""Check a board: "same" only where the world says so, a fault never makes a difference, the board stays
whole.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from reading import as_recorded, check, record, setup

from controller.engine.stops import Fault, Step, Stop
from controller.jobs.check import Conclusion
from controller.protocol.messages import Pocket
from controller.twin.careless import Careless
from controller.twin.faults import KINDS
from controller.twin.operator import Operator
from controller.twin.room import OPERATORS, TwinRoom
from deals.cards import CARDS, Card, Seat
from deals.laws import DEFAULT, Edition, Stage

CHANGES_CARDS = {"duplicate_card", "extra_card", "joker", "missing_card", "packs_mixed"}
"""Faults of the pack that make a board that was right another one."""
CHANGES_CARDS |= {"pocket_not_empty"}
NOT_TOLD = {
    "unreadable_card": "worn off for good",
    "wrong_pocket": "a sensor that lies makes the machine doubt the pocket",
    "link_noise_20": "too noisy to finish for certain",
}


def codes(report: object, stage: Stage = Stage.ENDED, edition: Edition = DEFAULT) -> list[str]:
    (copy,) = report.result.copies  # type: ignore[attr-defined]
    return [code for code, _ in copy.findings(edition, stage)]


def test_a_board_that_is_right_is_the_same_and_lies_as_before() -> None:
    report = check()
    assert report.result.copies[0].conclusion is Conclusion.SAME
    assert report.result.right and report.result.done
    assert report.result.stops == []
    assert codes(report) == ["law.as_recorded"]
    assert as_recorded(report.contents)
    assert (report.contents["tray"], report.contents["belt"]) == ([], [])


@pytest.mark.parametrize(
    ("happened", "told"),
    [
        ("displaced", ["law7.hand_long", "law7.hand_short", "law7.displaced"]),
        ("exchanged", ["law7.displaced", "law7.displaced"]),
        ("turned", ["law.turned"]),
        ("other_board", ["law.cards_of_board"]),
        ("missing", ["law7.hand_short", "law7.missing"]),
        ("double", ["law7.double", "law7.missing", "law7.displaced"]),
        ("surplus", ["law7.hand_long", "law7.double", "law7.displaced"]),
    ],
)
@pytest.mark.parametrize("seed", [1, 2])
def test_what_play_did_is_told_by_its_law_and_never_called_fouled(
    happened: str, told: list[str], seed: int
) -> None:
    report = check(happened, seed=seed)
    assert report.result.copies[0].conclusion is Conclusion.DIFFERS
    assert not as_recorded(report.contents)
    found = [code for code in codes(report) if code != "check.wrong_number"]
    assert sorted(found) == sorted(["law.differs_from_record", *told])


def test_what_is_told_is_what_the_world_holds() -> None:
    report = check("exchanged", "displaced", seed=4)
    (copy,) = report.result.copies
    for seat in Seat:
        held = report.contents[seat.name].split(".")
        cards = {
            Card.parse(suit + rank)
            for suit, hand in zip("SHDC", held, strict=True)
            for rank in hand
        }
        assert set(copy.hands.pockets[seat]) == cards


@pytest.mark.parametrize("happened", ["foreign", "worn"])
def test_a_card_that_cannot_be_read_is_no_difference_and_no_sameness(happened: str) -> None:
    report = check(happened)
    (copy,) = report.result.copies
    assert copy.conclusion is Conclusion.UNPROVEN
    assert codes(report) == ["check.unread"]
    # It went back into its pocket: the board has as many cards as it had.
    assert sum(len(hand) for hand in copy.hands.pockets.values()) == 52
    assert report.contents["tray"] == []


def test_the_law_of_a_wrong_number_follows_the_stage_of_play() -> None:
    (copy,) = check("displaced").result.copies
    letters = {
        stage: [
            v["law"] for code, v in copy.findings(DEFAULT, stage) if code == "check.wrong_number"
        ]
        for stage in Stage
    }
    assert letters == {Stage.BEFORE_CALL: ["13A"], Stage.PLAYING: ["13B"], Stage.ENDED: ["13D"]}


def test_copies_are_compared_and_the_first_that_differs_is_named() -> None:
    report = check("displaced@B", "exchanged@C", copies=("A", "B", "C"))
    alike = report.result.alike
    assert alike is not None and not alike.alike
    assert alike.groups == (("A",), ("B",), ("C",))
    conclusions = [copy.conclusion for copy in report.result.copies]
    assert conclusions == [Conclusion.SAME, Conclusion.DIFFERS, Conclusion.DIFFERS]
    assert {copy for *_, copy in alike.moved} == {"B", "C"}


def test_copies_that_differ_from_the_record_alike_are_alike() -> None:
    report = check("other_board", copies=("A", "B"))
    assert report.result.alike is not None and report.result.alike.alike
    assert not report.result.right


def every(step: int) -> list[Any]:
    """Every fault; one in `step` in the quick run."""
    return [
        pytest.param(name, marks=() if place % step == 0 else pytest.mark.long)
        for place, name in enumerate(sorted(KINDS))
    ]


@pytest.mark.parametrize("name", every(2))
def test_no_fault_makes_a_right_board_differ(name: str) -> None:
    report = check(faults=(name,))
    conclusion = report.result.copies[0].conclusion
    if name in NOT_TOLD:
        assert conclusion is not Conclusion.DIFFERS
    else:
        true = as_recorded(report.contents)
        assert true is (name not in CHANGES_CARDS)
        assert conclusion is (Conclusion.SAME if true else Conclusion.DIFFERS)


@pytest.mark.parametrize("name", every(6))
def test_no_fault_and_no_person_makes_a_wrong_board_the_same(name: str) -> None:
    told = check("exchanged", faults=(name,)).result.copies[0].conclusion
    assert told is Conclusion.DIFFERS or (name in NOT_TOLD and told is not Conclusion.SAME)
    for happened in ((), ("exchanged",)):
        report = check(*happened, faults=(name,), operator="careless", seed=3)
        if report.result.copies[0].conclusion is Conclusion.SAME:
            assert as_recorded(report.contents)


def test_the_staff_alone_mends_nothing_and_nothing_is_concluded() -> None:
    report = check(faults=("jam_window",), operator="none")
    assert report.result.waiting and not report.result.done
    assert report.result.copies[0].conclusion is None
    (stop,) = report.result.stops
    assert [step.value for step in stop.steps] == ["free_jam", "collect_hand"]


def test_a_check_keeps_no_card_of_the_board(tmp_path: Path) -> None:
    report = check(state_dir=tmp_path)
    assert report.result.right
    kept = b"".join(path.read_bytes() for path in tmp_path.iterdir() if path.is_file())
    assert record().deal.hand_pbn(Seat.N).encode() not in kept
    assert len(kept) > 1000
    assert Counter(
        card for hand in report.result.copies[0].hands.pockets.values() for card in hand
    ) == Counter(CARDS)


def test_a_sensor_that_sees_a_card_elsewhere_makes_it_the_machines_fault() -> None:
    report = check(faults=("wrong_pocket",))
    (copy,) = report.result.copies
    assert copy.spoiled and copy.conclusion is Conclusion.UNPROVEN
    assert codes(report) == ["check.spoiled"]
    assert report.result.stops[-1].fault is Fault.WRONG_POCKET


@pytest.mark.parametrize("seed", [1, 3])
def test_a_pocket_that_came_empty_is_read_as_empty_when_people_say_so(seed: int) -> None:
    """As when a player puts his hand with his partner's: the board is read and stays as it came."""
    report = check("together", seed=seed)
    (stop,) = report.result.stops
    assert (stop.fault, stop.steps[-1]) == (Fault.POCKET_EMPTY, Step.MAY_BE_EMPTY)
    (copy,) = report.result.copies
    assert copy.conclusion is Conclusion.DIFFERS
    held = {seat: report.contents[seat.name] for seat in Seat}
    lying = {seat: len(hand) - 3 for seat, hand in held.items()}
    assert sorted(lying.values()) == [0, 13, 13, 26]
    assert {seat: len(hand) for seat, hand in copy.hands.pockets.items()} == lying
    (empty,) = [seat for seat in Seat if not lying[seat]]
    assert stop.pocket == Pocket(empty)
    assert copy.hands.readings[empty] == 0
    assert {"law7.hand_short", "law7.hand_long"} <= set(codes(report))
    assert (report.contents["tray"], report.contents["belt"]) == ([], [])


def test_a_hand_that_was_left_out_goes_back_before_anything_is_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whoever puts the hand back at the stop has not said that the pocket came empty."""

    class Finds(Operator):
        """Takes East's hand out while the board is brought, and puts it back when told of it."""

        def serve(self, request: Stop, board: int) -> bool:
            done = super().serve(request, board)
            if request.fault is Fault.BOARD_DUE:
                self._do(self._hands.lid(False))
                self.lost = self._do(self._hands.empty_pocket("E")).result
                self._do(self._hands.lid(True))
            return done

        def act(self, stop: Stop, board: int) -> Any:
            if stop.fault is Fault.POCKET_EMPTY:
                self._do(self._hands.lid(False))
                for card in self.lost:
                    self._do(self._hands.put_into_pocket("E", card))
                self._do(self._hands.lid(True))
            return super().act(stop, board)

    monkeypatch.setitem(OPERATORS, "auto", Finds)
    report = check()
    assert [stop.fault for stop in report.result.stops] == [Fault.POCKET_EMPTY]
    assert report.result.copies[0].conclusion is Conclusion.SAME
    assert as_recorded(report.contents)


class Slips(Operator):
    """Takes one hand too many, or another one, the first time that South's is asked for."""

    taken: tuple[Pocket, ...] = ()

    def serve(self, request: Stop, board: int) -> bool:
        """Brings what is asked for, but for that."""
        if request.pocket is not Pocket.S or not self.taken:
            return super().serve(request, board)
        pockets, self.taken = self.taken, ()
        return all(super(Slips, self).serve(replace(request, pocket=one), board) for one in pockets)


@pytest.mark.parametrize("taken", [(Pocket.W,), (Pocket.S, Pocket.W), (Pocket.S, Pocket.N)])
def test_only_the_hand_that_is_asked_for_may_be_out(
    taken: tuple[Pocket, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Slips, "taken", taken)
    monkeypatch.setitem(OPERATORS, "auto", Slips)
    report = check()
    assert report.result.stops[0].fault is Fault.POCKET_EMPTY
    assert report.result.stops[0].steps == (Step.PUT_HAND_BACK,)
    # One hand goes back unseen; of two that were mixed nothing is concluded: the board is restored.
    (copy,) = report.result.copies
    whole = len(taken) == 1
    assert as_recorded(report.contents) is whole
    assert copy.conclusion is (Conclusion.SAME if whole else None)
    assert report.result.waiting is not whole


def test_a_careless_operator_slips_by_the_seed_of_the_run() -> None:
    def slips(seed: int) -> list[bool]:
        room = TwinRoom(setup(operator="careless", seed=seed))
        try:
            assert isinstance(room.people, Careless)
            return [room.people._slips() for _ in range(60)]
        finally:
            room.close()

    assert slips(1) == slips(1)
    assert slips(1) != slips(2)
