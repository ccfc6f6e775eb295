"""A person is called as seldom as the fault allows, and what he does suffices."""

from __future__ import annotations

import pytest
from room import Evening, deal, seeds

from controller.twin.operator import Operator


def packs_apart(evening: Evening) -> bool:
    """Whether each board holds the cards of one pack."""
    world = evening.session.world
    boards = [*world.finished, world.slot.board]
    return all(
        board is not None
        and len({card.pack for held in board.pockets.values() for card in held}) == 1
        for board in boards
    )


@pytest.mark.parametrize("profile", ["standard", "fast", "stress"])
@pytest.mark.parametrize("card", [50, 51, 52])
def test_a_double_feed_at_the_end_draws_in_nothing_of_the_next_pack(
    card: int, profile: str
) -> None:
    """With card 52 it is the stop card that comes along, and lies in the tray unread."""
    for seed in seeds(3):
        evening = deal(f"double_feed@1.{card}", numbers=(1, 2), profile=profile, seed=seed)
        assert evening.true == [True, True]
        assert packs_apart(evening)
        assert len(evening.stops) == 1


@pytest.mark.parametrize("numbers", [(1,), (1, 2)])
def test_a_stop_card_before_the_last_card_is_found_by_a_look_into_the_hopper(
    numbers: tuple[int, ...],
) -> None:
    for seed in seeds(3):
        evening = deal("stop_card_in_pack@1.52", numbers=numbers, seed=seed)
        assert evening.true == [True] * len(numbers)
        assert packs_apart(evening)
        (stop,) = evening.stops
        assert [step.value for step in stop.steps] == [
            "look_behind",
            "collect_all",
            "replace_pack",
        ]


def test_a_pack_that_is_really_short_is_replaced() -> None:
    for numbers, steps in (
        ((1,), ["collect_all", "replace_pack"]),  # nothing lies behind it
        ((1, 2), ["look_behind", "collect_all", "replace_pack"]),
    ):
        evening = deal("missing_card@1.30", numbers=numbers)
        assert evening.true == [True] * len(numbers)
        assert [[step.value for step in stop.steps] for stop in evening.stops] == [steps]


def test_who_does_not_look_behind_the_stop_card_proves_no_wrong_board(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Operator, "_look_behind", lambda self: None)
    evening = deal("stop_card_in_pack@1.52", numbers=(1, 2))
    assert evening.proven_means_true()
    assert packs_apart(evening)


@pytest.mark.parametrize(
    "fault", ["sensor_stuck", "wrong_pocket", "gate_coil_on", "gate_stuck", "sensor_dead"]
)
def test_what_is_broken_is_shown_to_a_technician_at_the_second_stop(fault: str) -> None:
    for seed in seeds(2):
        evening = deal(f"{fault}@1.26", seed=seed)
        assert evening.true == [True]
        technician = [stop.steps[0].value == "call_technician" for stop in evening.stops]
        assert technician == [False, True]


def test_an_emergency_stop_while_the_machine_homes_is_told_as_one() -> None:
    evening = deal("estop_again@1.26")
    assert evening.true == [True]
    assert evening.faults == ["emergency_stop", "emergency_stop"]
    assert evening.stops[-1].remedy == "release_stop"
