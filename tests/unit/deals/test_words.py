"""The catalogue: every code has its text and every text its code; terms in four languages."""

from __future__ import annotations

import pickle
import re
from pathlib import Path

import pytest

from deals import words
from deals.boards import Vulnerability
from deals.cards import CARDS, Rank, Seat, Suit
from deals.errors import DealError, PredealError

ROOT = Path(__file__).parents[3]
FAMILIES = ("board", "card", "deal", "diagram", "file", "law7", "seat", "setcode")
CODE = re.compile(rf'"((?:{"|".join(FAMILIES)})\.[a-z0-9_]+)"')
TERM = re.compile(r'"((?:seat|suit|rank|vulnerability)\.[a-z]+)"')


def used_codes() -> set[str]:
    """Codes that stand in the source of this layer and the commands made for it."""
    sources = [*(ROOT / "deals").rglob("*.py"), *(ROOT / "controller" / "cli").glob("*.py")]
    text = "\n".join(path.read_text("utf-8") for path in sources)
    return set(CODE.findall(text)) - {f"seat.{s.word.split('.')[1]}" for s in Seat}


def catalogue_codes() -> set[str]:
    return {
        msgid
        for context, msgid in words.catalogue("en")
        if not context and msgid.partition(".")[0] in FAMILIES
    }


def test_every_code_in_the_source_has_a_text_and_the_other_way_round() -> None:
    assert len(used_codes()) > 50
    assert used_codes() - catalogue_codes() == set()
    assert catalogue_codes() - used_codes() == set()


def test_every_term_is_there_in_every_language() -> None:
    english = {key for key in words.catalogue("en") if key[0]}
    for lang in words.LANGUAGES:
        known = {key for key in words.catalogue(lang) if key[0]}
        missing = english - known
        # The Greek laws have no word for "sorted".
        assert missing == ({("deal", "sorted")} if lang == "el" else set())
        assert known <= english
    things = [*Seat, *Suit, *Rank, *Vulnerability]
    assert all(words.term(thing.word) for thing in things)


@pytest.mark.parametrize(
    ("lang", "letters"), [("en", "NESW"), ("fi", "PIEL"), ("nb", "NØSV"), ("el", "ΒΑΝΔ")]
)
def test_seat_letters_follow_the_language(lang: str, letters: str) -> None:
    names = ("north", "east", "south", "west")
    assert "".join(words.term(f"seat letter.{name}", lang) for name in names) == letters


def test_terms_of_the_laws() -> None:
    assert words.term("seat.east", "fi") == "Itä"
    assert words.term("suit.spades", "nb") == "spar"
    assert words.term("rank.ace", "el") == "Άσος"
    assert words.term("board.container", "fi") == "brikka"
    assert words.term("board.numbered deal", "fi") == "jako"
    assert words.term("deal.sorted", "el") == "sorted"


def test_greek_has_no_letters_of_other_alphabets() -> None:
    # The printed law spells mu with the micro sign.
    text = "".join(words.catalogue("el").values())
    assert "µ" not in text


def test_values_are_put_in_the_language_of_the_text() -> None:
    values = {"place": [Seat.N, Seat.E], "message": Suit.SPADES}
    assert words.text("file.problem_at", values) == "North, East: spades"
    assert words.text("file.problem_at", values, "fi") == "North, East: spades"
    assert words.text("card.unknown", {"text": CARDS[0]}).startswith("“SA”")


def test_control_characters_of_a_file_do_not_reach_the_terminal() -> None:
    values = {"place": "a\x1b[2Jb\udcff", "message": "one\ntwo\x07"}
    assert words.text("file.problem_at", values) == "a\ufffd[2Jb\ufffd: one\ntwo\ufffd"


def test_a_missing_code_warns_and_still_tells() -> None:
    with pytest.warns(words.MissingWords, match="no text for code 'deal.no_such'"):
        assert words.text("deal.no_such", {"card": CARDS[0]}) == "deal.no_such card=SA"


def test_a_missing_value_warns_and_still_tells() -> None:
    with pytest.warns(words.MissingWords, match="cannot be filled"):
        assert words.text("deal.card_twice", {"card": CARDS[0]}) == "deal.card_twice card=SA"


def test_a_missing_term_or_language_warns_and_still_tells() -> None:
    with pytest.warns(words.MissingWords, match="no term"):
        assert words.term("seat.middle") == "middle"
    words.catalogue.cache_clear()
    with pytest.warns(words.MissingWords, match="no catalogue for language 'xx'"):
        assert words.term("seat.east", "xx") == "East"
    words.catalogue.cache_clear()


def test_an_error_is_a_code_and_values() -> None:
    error = DealError("deal.card_twice", card=CARDS[0], hand=Seat.N)
    assert (error.code, error.values) == ("deal.card_twice", {"card": CARDS[0], "hand": Seat.N})
    assert str(error) == "SA is twice in the hand of North."
    assert isinstance(error, PredealError)
    assert isinstance(error, ValueError)
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again)) == (DealError, str(error))


def test_the_catalogue_is_installed() -> None:
    text = (ROOT / "setup.cfg").read_text("utf-8")
    assert re.search(r"package_data\]\n(\* =|deals.words =)\n(?: +\S+\n)*? +\S*\*\.po\n", text)
