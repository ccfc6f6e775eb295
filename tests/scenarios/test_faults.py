"""Every named fault of the twin: never proven unless true, and mended where a person can."""

from __future__ import annotations

import pytest
from room import deal, seeds

from controller.twin.faults import KINDS

BOUNDED = {"link_noise_20"}
"""So much noise may end in a stop that stays; never in a wrong board."""

EXPECTED = {
    "board_removed": "board_absent",
    "board_backwards": "board_backwards",
    "double_feed_exact": "double_feed",
    "duplicate_card": "duplicate_card",
    "estop": "emergency_stop",
    "estop_again": "emergency_stop",
    "foreign_back": "foreign_back",
    "gate_coil_on": "wrong_pocket",
    "gate_weak": "jam",
    "glass_smeared": "unreadable_pack",
    "image_late_one_pitch": "image_lost",
    "image_frozen": "image_lost",
    "image_lost": "image_lost",
    "jam_pocket": "jam",
    "joker": "foreign_card",
    "label_unreadable": "label_unreadable",
    "lid_open": "lid_open",
    "link_cut": "link_lost",
    "mcu_garbage": "mcu_restarted",
    "mcu_hang": "mcu_restarted",
    "mcu_reset": "mcu_restarted",
    "misfeed": "misfeed",
    "missing_card": "missing_card",
    "pack_in_order": "known_order",
    "sensor_dead": "jam",
    "pocket_not_empty": "pocket_not_empty",
    "unreadable_card": "unreadable_card",
    "wrong_board": "wrong_board",
    "wrong_pocket": "wrong_pocket",
}
"""What the first stop is called."""


@pytest.mark.parametrize("name", sorted(KINDS))
def test_with_an_operator_every_fault_ends_proven_and_true(name: str) -> None:
    evening = deal(name, numbers=(1, 2))
    assert evening.proven_means_true()
    if name not in BOUNDED:
        assert [result.proven for result in evening.results] == [True, True]
    if name in EXPECTED:
        assert evening.faults[0] == EXPECTED[name]


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_without_an_operator_the_board_waits_and_says_where(name: str) -> None:
    evening = deal(name, numbers=(1, 2), operator="none")
    assert evening.results[-1].waiting
    assert not evening.results[-1].proven
    assert evening.stops[-1].fault.value == EXPECTED[name]
    assert evening.stops[-1].steps


@pytest.mark.parametrize("profile", ["standard", "fast", "stress"])
@pytest.mark.parametrize("seed", seeds(3))
def test_a_clean_board_needs_nobody(profile: str, seed: int) -> None:
    evening = deal(numbers=(1, 2, 3), profile=profile, seed=seed)
    assert evening.true == [True, True, True]
    assert evening.stops == []
    assert all(result.held == result.parked == 0 for result in evening.results)
    if profile != "stress":
        limit_us = evening.session.twin.machine.profile.mechanical_limit_us
        assert all((result.machine_us or 0) <= 1.02 * limit_us for result in evening.results)


@pytest.mark.parametrize("profile", ["standard", "fast"])
def test_one_percent_of_noise_on_the_wire_loses_no_board(profile: str) -> None:
    for seed in seeds(6):
        evening = deal("link_noise", numbers=(1, 2, 3), profile=profile, seed=seed)
        assert evening.true == [True, True, True]
        assert evening.stops == []


@pytest.mark.parametrize("seed", seeds(4))
def test_at_any_noise_proven_means_true(seed: int) -> None:
    assert deal("link_noise_20", numbers=(1, 2), seed=seed).proven_means_true()


def test_an_mcu_that_was_stopped_before_it_was_configured_is_configured_when_cleared() -> None:
    """The wire failed between HELLO and COMMIT, and the last word was STOP."""
    evening = deal("link_noise_5@1", numbers=(1,), seed=3)
    assert evening.faults == ["link_lost"]
    assert evening.true == [True]


@pytest.mark.parametrize(
    "name",
    [
        "link_lossy", "link_truncated", "link_spliced", "link_reordered", "link_doubled",
        "card_slips", "sensor_bounce",
    ],
)  # fmt: skip
def test_what_can_be_borne_stops_no_board(name: str) -> None:
    for seed in seeds(2):
        evening = deal(name, numbers=(1, 2), seed=seed)
        assert evening.true == [True, True]
        assert evening.stops == []


def test_an_emergency_stop_while_the_machine_homes_is_a_stop_of_its_own() -> None:
    evening = deal("estop_again", numbers=(1, 2))
    assert evening.faults.count("emergency_stop") == 2
    assert evening.true == [True, True]


@pytest.mark.parametrize("card", [1, 2, 51, 52])
@pytest.mark.parametrize(
    "name", ["double_feed", "double_feed_exact", "image_lost", "link_cut", "mcu_reset", "estop"]
)
def test_faults_at_the_ends_of_the_pack(name: str, card: int) -> None:
    evening = deal(f"{name}@1.{card}")
    assert evening.true == [True]
    assert evening.results[0].proven


def test_two_cards_exactly_on_each_other_are_never_proven_by_themselves() -> None:
    evening = deal("double_feed_exact", operator="none")
    assert not evening.results[0].proven
    assert evening.stops[0].feed == 26


def test_a_double_feed_is_told_by_its_length_or_by_the_window_never_free() -> None:
    """Where the third card is drawn in too, the firmware sees no end of it, or misses the next one."""
    told = {deal("double_feed", seed=seed, operator="none").faults[0] for seed in seeds(8)}
    assert told <= {"double_feed", "jam", "misfeed"}
    assert "double_feed" in told


def test_a_person_names_only_what_cannot_be_read() -> None:
    assert deal("unreadable_card").results[0].named == 1
    assert deal("dirty_corner").results[0].named == 0


@pytest.mark.parametrize("name", sorted(KINDS))
def test_a_careless_operator_never_gets_a_wrong_board_proven(name: str) -> None:
    for seed in seeds(2):
        assert deal(name, numbers=(1, 2), operator="careless", seed=seed).proven_means_true()


def test_two_cards_that_cannot_be_read_are_not_named_but_replaced() -> None:
    """Whoever names two can exchange them, and no census would show it."""
    evening = deal("unreadable_card@1.10", "unreadable_card@1.20")
    assert evening.results[0].named == 0
    assert evening.stops[-1].steps[-1].value == "replace_pack"
    assert evening.true == [True]


def test_the_same_seed_is_the_same_evening() -> None:
    first, second = (deal("double_feed", numbers=(1, 2), seed=5) for _ in range(2))
    assert first.happenings == second.happenings
    assert first.happenings != deal("double_feed", numbers=(1, 2), seed=6).happenings
