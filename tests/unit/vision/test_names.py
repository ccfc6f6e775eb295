"""The card that a file's name states, in the ways in which people and packages name pictures of cards."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deals.cards import CARDS, Card
from vision.names import card_named
from vision.sources import pictures_in

RANKS = dict(
    zip(
        "AKQJT98765432",
        "ace king queen jack ten nine eight seven six five four three two".split(),
        strict=True,
    )
)
SUITS = {"S": "spade", "H": "heart", "D": "diamond", "C": "club"}
TAILS = ["", "-2", "_front", " (3)", ".crop"]


@given(st.sampled_from(CARDS), st.sampled_from(TAILS), st.booleans(), st.booleans())
def test_letters_and_words_in_either_order_state_the_card(
    card: Card, tail: str, plural: bool, number: bool
) -> None:
    suit, rank = str(card)[0], str(card)[1]
    short = "10" if number and rank == "T" else rank
    word = SUITS[suit] + ("s" if plural else "")
    long = short if number and short.isdecimal() else RANKS[rank]
    for name in (suit + short, short + suit, f"{long}_of_{word}", f"{word}-{long}", long + word):
        for text in (name, name.lower(), name.upper()):
            assert card_named(text + tail) is card
    assert card_named(f"{long.title()}Of{word.title()}{tail}") is card
    assert card_named(f"{short}_{suit}") is card


@pytest.mark.parametrize(
    ("name", "card"), [("1H", "HA"), ("11c", "CJ"), ("12-of-hearts", "HQ"), ("spade_1", "SA")]
)
def test_numbers_stand_for_ace_and_courts(name: str, card: str) -> None:
    assert card_named(name) is Card.parse(card)


@pytest.mark.parametrize(
    "name",
    "S1 C1 c12 SAB HT2 52 S S-2 joker back IMG_0001 2022-01 DSC_2 as_de_coeur herz_as kings_of_hearts 15H".split(),
)
def test_what_states_no_card_for_certain_states_none(name: str) -> None:
    """S1 may be the first scan, S-2 the second of anything, "as de coeur" is no ace of spades."""
    assert card_named(name) is None


def test_a_folder_tells_what_is_no_picture_of_a_card(tmp_path: Path) -> None:
    for name in ("SA.png", "ace_of_hearts.JPG", "joker.png", "H2.HEIC", ".SK.png", "notes.txt"):
        (tmp_path / name).write_bytes(b"x")
    (tmp_path / "D2.png").mkdir()
    found = pictures_in(tmp_path)
    assert [str(card) for card, _ in found.labelled] == ["SA", "HA"]
    assert [path.name for path in found.unnamed] == ["joker.png"]
    assert [path.name for path in found.other_kinds] == ["H2.HEIC"]
