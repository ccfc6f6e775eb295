"""The named faults: what `--fault` takes, and what it says when it does not."""

from __future__ import annotations

import re

import pytest

from controller.twin.faults import (
    KINDS,
    MIDDLE_CARD,
    Fault,
    FaultError,
    When,
    ignored_card,
    parse,
)

ASKED_FOR = {
    "link_cut",
    "double_feed",
    "double_feed_exact",
    "unreadable_card",
    "dirty_corner",
    "duplicate_card",
    "missing_card",
    "extra_card",
    "board_removed",
    "pocket_not_empty",
    "mcu_reset",
    "estop",
    "image_lost",
    "image_late_one_pitch",
    "image_frozen",
    "image_black",
    "jam_pocket",
    "wrong_board",
    "board_backwards",
    "lid_open",
    "link_noise",
    "foreign_back",
    "joker",
    "stop_card_missing",
    "misfeed",
}


def test_every_fault_that_the_scenarios_name_exists() -> None:
    assert set(KINDS) >= ASKED_FOR


def test_every_fault_has_a_row_and_one_sentence() -> None:
    for name, kind in KINDS.items():
        assert re.fullmatch(r"[a-z][a-z0-9_]+", name)
        assert re.fullmatch(r"F\d+[a-z]?( F\d+)?", kind.row), name
        assert re.fullmatch(r"[A-Z][^.]+(\.\.)?[^.]*\.", kind.means), name


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("jam_pocket", Fault("jam_pocket", None, MIDDLE_CARD)),
        ("jam_pocket@3", Fault("jam_pocket", 3, MIDDLE_CARD)),
        (" jam_pocket@3.20 ", Fault("jam_pocket", 3, 20)),
        ("wrong_board@12", Fault("wrong_board", 12)),
    ],
)
def test_a_fault_is_a_name_a_board_and_a_card(text: str, fault: Fault) -> None:
    assert parse(text) == fault
    assert parse(str(fault)) == fault


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "lid_opn",
            "No fault is called “lid_opn”. Did you mean lid_open? `predeal faults` lists them all.",
        ),
        ("zzz", "No fault is called “zzz”. The faults are board_backwards, "),
        (
            "estop@",
            "“estop@” says no place: write estop, estop@BOARD or estop@BOARD.CARD.",
        ),
        ("estop@.3", "“estop@.3” says no place"),
        ("estop@0", "“estop@0” says no place"),
        ("estop@1.2.3", "“estop@1.2.3” says no place"),
        ("estop@two", "“estop@two” says no place"),
        (
            "estop@1.54",
            "The fault estop cannot wait for card 54: a pack and its stop card are 53.",
        ),
        ("estop@1.0", "The fault estop cannot wait for card 0"),
        ("wrong_board@3.54", "The fault wrong_board cannot wait for card 54"),
    ],
)
def test_what_is_none_is_explained(text: str, message: str) -> None:
    with pytest.raises(FaultError) as error:
        parse(text)
    assert str(error.value).startswith(message)


@pytest.mark.parametrize("name", list(KINDS))
def test_every_fault_takes_the_longest_form(name: str) -> None:
    """The contract of the command line: NAME[@BOARD.CARD] for each name that `predeal faults` lists."""
    card = 7 if KINDS[name].takes_card else MIDDLE_CARD
    assert parse(f"{name}@3.7") == Fault(name, 3, card)
    assert ignored_card(f"{name}@3.7") is not KINDS[name].takes_card
    assert not ignored_card(f"{name}@3")


def test_only_faults_of_a_card_wait_for_a_card() -> None:
    assert all(kind.takes_card for kind in KINDS.values() if kind.when is When.FEED)
    assert not any(kind.takes_card for kind in KINDS.values() if kind.when is When.BOARD)
