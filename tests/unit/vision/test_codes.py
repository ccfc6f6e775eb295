"""Our own bar code: read where it is printed, and never against the index."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from deals.cards import CARDS, Card
from tests.unit.vision.cards import window
from vision import barcode, locate
from vision.barcode import payload, read_code
from vision.reading import Kind
from vision.recognise import Reader
from vision.sources import VisionError
from vision.synthetic import art
from vision.synthetic.coded import modules, with_code
from vision.teach import Labelled, TeachResult, _wrong_codes, teach

ACE, KING = Card.parse("SA"), Card.parse("HK")


@cache
def taught() -> TeachResult:
    """The standard design printed with codes."""
    return teach(
        "coded", [Labelled(card, with_code(art.face("standard", card), card)) for card in CARDS]
    )


@cache
def coded_reader() -> Reader:
    result = taught()
    assert result.accepted, [reason.text() for reason in result.reasons]
    return Reader(result.design)


def code_in(image: Any) -> Card | None:
    return read_code(image, locate.look(image).corners[0])


def test_a_changed_rank_or_suit_changes_the_check_character() -> None:
    for one in CARDS:
        for other in CARDS:
            if one is not other and (one.rank is other.rank or one.suit is other.suit):
                assert payload(one)[3] != payload(other)[3]


def test_a_symbol_has_the_modules_of_its_characters() -> None:
    assert len(modules(payload(ACE))) == 11 + 4 * 11 + 11 + 13


def test_every_code_is_read_in_a_window_and_none_where_none_is() -> None:
    for card in CARDS:
        face = art.face("standard", card)
        assert (
            code_in(window(with_code(face, card), card.index, turned=card.index % 2 == 0)) is card
        )
        assert code_in(window(face, card.index)) is None


def test_teaching_finds_the_codes() -> None:
    result = taught()
    assert result.design is not None and result.design.about["coded"] is True


def test_a_wrong_code_is_told_by_both_names() -> None:
    (reason,) = _wrong_codes([(ACE, KING), (KING, KING)])
    assert reason.text() == "The picture named SA carries the bar code of HK. Is its name right?"


@pytest.mark.long
def test_teaching_refuses_a_wrong_code() -> None:
    images = [Labelled(card, with_code(art.face("standard", card), card)) for card in CARDS]
    images[0] = Labelled(ACE, with_code(art.face("standard", ACE), KING), "SA.png")
    wrong = teach("coded", images)
    assert not wrong.accepted
    assert [r.text() for r in wrong.reasons if r.code == "teach.wrong_code"] == [
        "The picture named SA carries the bar code of HK. Is its name right?"
    ]


def test_index_and_code_agree_on_a_card() -> None:
    seen = coded_reader().read(window(with_code(art.face("standard", ACE), ACE), 5))
    assert (seen.kind, seen.card, seen.method) == (Kind.CARD, ACE, "corner")


def test_index_and_code_that_differ_make_it_unsure() -> None:
    seen = coded_reader().read(window(with_code(art.face("standard", ACE), KING), 5))
    assert (seen.kind, seen.evidence["reason"]) == (Kind.UNSURE, "readers_differ")


def test_a_code_names_a_card_whose_index_is_covered() -> None:
    face = with_code(art.face("standard", ACE), ACE)
    face[20:200, 10:110] = face[-200:-20, -110:-10] = (110, 120, 120)
    seen = coded_reader().read(window(face, 5))
    assert (seen.kind, seen.card, seen.method) == (Kind.CARD, ACE, "barcode")


def test_a_code_alone_is_a_proposal_for_a_design_without_codes() -> None:
    from tests.unit.vision.cards import reader

    face = with_code(art.blank(), KING)
    seen = reader().read(window(face, 5))
    assert (seen.kind, seen.proposal, seen.method) == (Kind.UNSURE, KING, "barcode")


def test_bars_that_are_no_code_of_ours_are_none() -> None:
    rng = np.random.default_rng(8)
    for seed in range(40):
        face = art.blank()
        bars = np.repeat(rng.random(90) < 0.5, 3)
        face[270 : 270 + len(bars), 18:68][bars] = 20
        assert code_in(window(face, seed)) is None


def test_without_the_library_coded_cards_are_refused_and_others_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def missing() -> None:
        raise VisionError("vision.no_zbar")

    monkeypatch.setattr(barcode, "_zbar", missing)
    barcode.available.cache_clear()
    try:
        with pytest.raises(VisionError, match="apt install libzbar0"):
            Reader(taught().design)
        from tests.unit.vision.cards import taught as plain

        assert Reader(plain().design).read(window(art.face("standard", ACE), 2)).card is ACE
    finally:
        monkeypatch.undo()
        barcode.available.cache_clear()
