"""Where each edition says a thing, and that every judgement has its words."""

from __future__ import annotations

import re

import pytest

from deals import words
from deals.laws import Edition, Stage, Topic, law13
from tests.unit.project.source import ROOT

# From the table that was made from the three translated editions.
TABLE = """
FACES_SYMMETRIC        -    -    1B
ADJACENT_CARDS         -    -    6B
RANDOM_EXPECTATION     -    6E4  6E4
OTHER_METHOD           6E4  6E4  6E4
NO_REDEAL_OF_COPIES    -    6F   6F
ORIENTATION            -    -    7A
COUNT_CARDS            7B1  7B2  7B2
SHUFFLE_BEFORE_RETURN  -    7C   7C
CARDS_OF_OTHER_BOARD   17D  17D  15A
CARD_SEEN              16B  16C  16D
PASSED_OUT             22A  22A  22B
TEAMS_RESULT_KNOWN     86C  86C  86A
MARKINGS_FOUL_A_BOARD  -    87   87
"""
FAMILIES = ("law", "score", "generate", "proof", "prove", "teaching")


@pytest.mark.parametrize("row", TABLE.strip().splitlines())
def test_where_the_editions_say_it(row: str) -> None:
    topic, *laws = row.split()
    assert [Topic[topic].law(edition) or "-" for edition in Edition] == laws
    assert Topic[topic].law() == Topic[topic].law(Edition.LAWS_2017)


def test_law_13_by_edition() -> None:
    new, old = Edition.LAWS_2017, Edition.LAWS_1997
    assert law13(Stage.BEFORE_CALL, new, seen=True) == "13A"
    assert law13(Stage.PLAYING, new, seen=False) == "13B"
    assert law13(Stage.PLAYING, new, seen=False, surplus=True) == "13C"
    assert law13(Stage.ENDED, new, seen=False, surplus=True) == "13D"
    assert law13(Stage.PLAYING, old, seen=False) == "13A"
    assert law13(Stage.BEFORE_CALL, old, seen=True) == "13B"
    assert law13(Stage.ENDED, old, seen=False) == "13C"
    middle = Edition.LAWS_2007
    assert law13(Stage.BEFORE_CALL, middle, seen=True) == "13D"
    assert law13(Stage.PLAYING, middle, seen=False) == "13A or 13B"
    assert law13(Stage.ENDED, middle, seen=False) == "13C"
    # A card that is played to a trick is found after play, and still falls under 13F.
    assert {law13(stage, middle, seen=False, surplus=True) for stage in Stage} == {"13F"}


def test_every_code_has_a_text_and_every_text_a_use() -> None:
    code = re.compile(rf'"((?:{"|".join(FAMILIES)})\.[a-z0-9_]+)"')
    places = [*(ROOT / "deals").rglob("*.py"), *(ROOT / "controller" / "cli").glob("*.py")]
    used = {found for path in places for found in code.findall(path.read_text("utf-8"))}
    used |= {f"law.origin_{name}" for name in ("generated", "imported", "tables", "teaching")}
    names = "set boards file code commitment public value constraint secret"
    used |= {f"proof.page_{name}" for name in names.split()}
    there = {
        msgid
        for context, msgid in words.catalogue("en")
        if not context and msgid.partition(".")[0] in FAMILIES
    }
    assert used - there == set()
    assert there - used == set()


def test_no_judgement_says_fouled() -> None:
    # Fouled is a ruling (Law 87), and it is not ours.
    for (context, msgid), text in words.catalogue("en").items():
        if not context and msgid.startswith(("law.", "law7.")):
            assert "foul" not in text.lower(), msgid
