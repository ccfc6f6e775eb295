"""The proof on one page: whole, readable by another program, true to the proof, no hand on it."""

from __future__ import annotations

import pytest

from deals import words
from deals.boards import Board
from deals.commit import Terms, Timing, commit, prove
from deals.generate import Source
from deals.generate.paper import Facts, proof_page
from deals.records.pdf import Paper
from tests.unit.records.page import pages

pdfium = pytest.importorskip("pypdfium2")

SECRET = bytes(range(64))
TERMS = Terms("Loppukilpailu Ä 2026 " + "x" * 170, tuple(range(1, 60, 2)), timing=Timing.ANNOUNCED,
              public="Index " + "y" * 190, constraint="hcp(n) >= 1 and " * 120 + "True")  # fmt: skip


def words_of(data: bytes) -> str:
    document = pdfium.PdfDocument(data)
    assert len(document) == 1
    page = document[0]
    found = page.get_textpage().get_text_bounded()
    return " ".join(found.split())


@pytest.mark.parametrize("paper", Paper)
@pytest.mark.parametrize("lang", words.LANGUAGES)
def test_a_page_with_everything_as_long_as_it_can_be(paper: Paper, lang: str) -> None:
    words.speak(lang)
    source = Source(SECRET, TERMS.name, "42")
    boards = [Board.standard(n, source.deal(n, 1)) for n in TERMS.boards]
    commitment = commit(SECRET, TERMS)
    proof = prove(commitment, SECRET, boards, "42")
    data = proof_page(commitment, proof, Facts(SECRET, "a.pbn", "ABC", "42"), paper)
    text = words_of(data)
    assert words.text("proof.page_not_proven", lang=lang) in text
    assert words.text("proof.page_more", {"count": 25}, lang) in text
    assert words.text("proof.page_director", lang=lang) in text
    (page,) = pages(data)
    assert page.overlaps() == []
    assert page.outside(40) == []


def test_what_stands_on_it() -> None:
    terms = Terms("Final", (1, 2), timing=Timing.ANNOUNCED, public="Index X")
    source = Source(SECRET, "Final", "42,001.31")
    boards = [Board.standard(n, source.deal(n)) for n in (1, 2)]
    commitment = commit(SECRET, terms)
    proof = prove(commitment, SECRET, boards, "42,001.31")
    facts = Facts(SECRET, "a.pbn", "KH7-4MQ-9RT", "42,001.31")
    data = proof_page(commitment, proof, facts)
    text = words_of(data)
    assert "PROVEN" in text
    assert "NOT PROVEN" not in text
    for piece in (commitment.label, "Index X", "42,001.31", "KH7-4MQ-9RT", "00010203 04050607"):
        assert piece in text
    assert "no deal was chosen" in text
    assert all(deal.deal.hand_pbn(deal.dealer) not in text for deal in boards)
    assert proof_page(commitment, proof, facts) == data
