"""A proof on one page of paper, for a county or a federation: what was proven, and how to check it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from deals import words
from deals.commit import Commitment, Proof
from deals.files.collect import ranges
from deals.records.pdf import GREY, MM, Face, Paper, Pdf, text_width

_MARGIN: Final = 20 * MM
_SIZE: Final = 9.5
_MOST_FINDINGS: Final = 5
_MOST_LINES: Final = 3
"""Of one fact; what is longer is made narrower on the last."""
_STEPS: Final = ("proof.page_step_1", "proof.page_step_2", "proof.page_step_3", "proof.page_step_4")


@dataclass(frozen=True, slots=True)
class Facts:
    """What is printed besides commitment and proof."""

    secret: bytes
    file: str
    code: str = ""
    """The set code; empty for none."""
    public: str = ""
    """The public value, as it was given."""


def proof_page(
    commitment: Commitment, proof: Proof, facts: Facts, paper: Paper = Paper.A4
) -> bytes:
    """The page as PDF. It holds the secret, so it is for after play; no hand is on it."""
    title = words.text("proof.page_title", {"name": commitment.terms.name})
    pdf = Pdf(paper, title=title, lang=words.spoken())
    room = pdf.width - 2 * _MARGIN
    pdf.text(_MARGIN, _MARGIN, title, 17, face=Face.BOLD, room=room)
    verdict = words.text("proof.page_proven" if proof.proven else "proof.page_not_proven")
    pdf.box(_MARGIN, _MARGIN + 14, room, 34, line=1.5)
    pdf.text(_MARGIN + 10, _MARGIN + 38, verdict, 20, face=Face.BOLD, room=room - 20)
    y = _MARGIN + 72
    for label, value in _facts(commitment, facts):
        pdf.text(_MARGIN, y, label, _SIZE, colour=GREY, room=100)
        lines = list(_wrapped(value, room - 105))
        lines[_MOST_LINES - 1 :] = [" ".join(lines[_MOST_LINES - 1 :])] * (
            len(lines) >= _MOST_LINES
        )
        for part in lines:
            pdf.text(_MARGIN + 105, y, part, _SIZE, room=room - 105)
            y += 12.5
        y += 2.5
    y = _section(pdf, y + 8, words.text("proof.page_says"), _sentences(proof))
    check = [words.text(step) for step in _STEPS]
    y = _section(pdf, y + 8, words.text("proof.page_check"), check)
    foot = pdf.height - _MARGIN
    pdf.qr(pdf.width - _MARGIN - 80, foot - 80, 80, commitment.label)
    for place, code in enumerate(("proof.page_director", "proof.page_date")):
        line = foot - 45 + 30 * place
        pdf.text(_MARGIN, line, words.text(code), _SIZE, colour=GREY)
        pdf.line(_MARGIN + 105, line + 2, _MARGIN + 320, line + 2)
    return pdf.to_bytes()


def _facts(commitment: Commitment, facts: Facts) -> Iterator[tuple[str, str]]:
    terms = commitment.terms
    secret = facts.secret.hex()
    rows = (
        ("set", terms.name),
        ("boards", f"{ranges(terms.boards)} ({terms.scheme.value})"),
        ("file", facts.file),
        ("code", facts.code or "—"),
        ("commitment", commitment.label),
        ("public", f"{terms.timing.value} {terms.public}".strip()),
        ("value", facts.public or terms.public or "—"),
        ("constraint", terms.constraint or "—"),
        ("secret", " ".join(secret[i : i + 8] for i in range(0, len(secret), 8))),
    )
    for name, value in rows:
        yield words.text(f"proof.page_{name}"), value


def _sentences(proof: Proof) -> list[str]:
    told = [words.text(code, values) for code, values in proof.findings]
    more = len(told) - _MOST_FINDINGS
    if more > 0:
        told[_MOST_FINDINGS:] = [words.text("proof.page_more", {"count": more})]
    return told


def _section(pdf: Pdf, y: float, heading: str, paragraphs: list[str]) -> float:
    """A heading and paragraphs; returns the y below them."""
    pdf.text(_MARGIN, y, heading, 11.5, face=Face.BOLD)
    y += 16
    for paragraph in paragraphs:
        pdf.text(_MARGIN, y, "•", _SIZE)
        for line in _wrapped(paragraph, pdf.width - 2 * _MARGIN - 12):
            pdf.text(_MARGIN + 12, y, line, _SIZE)
            y += 12.5
        y += 3
    return y


def _wrapped(paragraph: str, room: float) -> Iterator[str]:
    line = ""
    for word in paragraph.split():
        longer = f"{line} {word}".strip()
        if line and text_width(longer, _SIZE) > room:
            yield line
            line = word
        else:
            line = longer
    yield line
