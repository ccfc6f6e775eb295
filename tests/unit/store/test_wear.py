"""What becomes of a design over the months is told by card, and nothing of any deal is kept."""

from __future__ import annotations

import json
import random
from pathlib import Path

from controller.store.wear import (
    BOARDS_A_SPAN,
    CARDS_A_CLEANING,
    FIRST,
    NAME,
    QUIET,
    UNREAD,
    WearFile,
)
from deals.cards import CARDS, Card
from deals.words import text

S8, S9 = Card.parse("S8"), Card.parse("S9")


def deal(
    wear: WearFile, boards: int, seed: int, lost: float = 0.0, fading: tuple[Card, ...] = ()
) -> list[str]:
    """So many boards with margins about 0.7, less *lost*, and 0.3 less for *fading* cards."""
    rng = random.Random(seed)
    due = []
    for _ in range(boards):
        margins = {
            card: min(max(rng.gauss(0.7 - lost - (0.3 if card in fading else 0), 0.1), 0), 1)
            for card in CARDS
        }
        due += [code for code, _ in wear.note("club", margins)]
    return due


def test_cards_that_fade_are_named_worst_first_and_once_a_span(tmp_path: Path) -> None:
    wear = WearFile(tmp_path)
    assert deal(wear, BOARDS_A_SPAN, 1) == []
    assert deal(wear, BOARDS_A_SPAN, 2, fading=(S8, S9)) == ["wear.fading"]
    trend = WearFile(tmp_path).trend("club")
    assert {card for card, _ in trend.fading} == {S8, S9} and not trend.falls
    assert trend.fading[0][1] >= trend.fading[1][1] > 0.2


def test_what_all_cards_lose_is_the_glass_and_no_card(tmp_path: Path) -> None:
    wear = WearFile(tmp_path)
    deal(wear, BOARDS_A_SPAN, 1)
    assert deal(wear, BOARDS_A_SPAN, 2, lost=0.25) == ["wear.falls"]
    assert wear.trend("club").fading == ()


def test_chance_alone_names_no_card_in_fifty_designs() -> None:
    for seed in range(50):
        wear = WearFile(None)
        assert deal(wear, BOARDS_A_SPAN, 2 * seed) == deal(wear, BOARDS_A_SPAN, 2 * seed + 1) == []
        assert wear.trend("club").telling


def test_before_two_spans_nothing_is_said() -> None:
    wear = WearFile(None)
    deal(wear, 2 * BOARDS_A_SPAN - 1, 3, fading=(S8,))
    trend = wear.trend("club")
    assert (trend.telling, trend.fading, trend.boards) == (False, (), 2 * BOARDS_A_SPAN - 1)
    assert wear.trend("never dealt").boards == 0


def test_cleaning_is_asked_for_by_cards_fed_whatever_the_design() -> None:
    wear = WearFile(None)
    due = deal(wear, 2 * CARDS_A_CLEANING // 52 + 2, 4)
    assert due.count("wear.clean") == 2


def test_a_board_that_was_not_read_whole_counts_for_cleaning_alone(tmp_path: Path) -> None:
    wear = WearFile(tmp_path)
    assert wear.note("club", {}) == [] and wear.note("club", {S8: 0.1}) == []
    assert json.loads((tmp_path / NAME).read_text()) == {"cards": 104, "designs": {}}
    due = [code for _ in range(CARDS_A_CLEANING // 52) for code, _ in wear.note("club", {})]
    assert due == ["wear.clean"]


def test_the_file_holds_sums_alone_and_a_damaged_one_begins_anew(tmp_path: Path) -> None:
    wear = WearFile(tmp_path)
    deal(wear, 3, 5)
    kept = json.loads((tmp_path / NAME).read_text())
    assert set(kept) == {"cards", "designs"} and kept["cards"] == 156
    ((boards, sums, squares),) = kept["designs"]["club"]
    assert (boards, len(sums), len(squares)) == (3, 52, 52)
    for damage in ("", "[]", '{"cards": 1, "designs": {"club": [[1, [0], [0]]]}}'):
        (tmp_path / NAME).write_text(damage)
        assert WearFile(tmp_path).designs == {}


def test_words_name_the_cards() -> None:
    assert "S8, S9" in text("wear.fading", {"design": "club", "cards": [S8, S9]})


def test_a_smear_is_told_after_the_first_board_that_suffers_and_not_at_each() -> None:
    wear = WearFile(None)
    assert deal(wear, FIRST, 1) == []
    assert deal(wear, 1, 2, lost=0.2) == ["wear.falls"]
    assert deal(wear, QUIET, 3, lost=0.2) == []
    assert "wear.falls" in deal(wear, BOARDS_A_SPAN, 4, lost=0.2)


def test_a_spoilt_first_board_of_a_design_costs_nothing_that_is_kept(tmp_path: Path) -> None:
    wear = WearFile(tmp_path)
    deal(wear, FIRST, 5)
    wear.note("new", dict.fromkeys(CARDS, 0.0))
    again = WearFile(tmp_path)
    assert again.cards == 52 * (FIRST + 1) and again.trend("club").boards == FIRST
    assert again.trend("new").boards == 0


def test_second_looks_at_many_cards_of_one_board_are_told_even_of_a_new_design() -> None:
    for unread, told in ((UNREAD - 1, []), (UNREAD, [("wear.second_looks", {"unread": UNREAD})])):
        margins = {card: 0.0 if card.index < unread else 0.9 for card in CARDS}
        assert WearFile(None).note("club", margins) == told
    said = text("wear.second_looks", {"unread": 9})
    assert "9 of the 52 cards" in said and "Wipe the glass" in said
