"""Commitments: what is published before a set is made, and the proof when its secret is revealed.

A commitment is a small text file; its last line is HMAC-SHA-256(secret, all lines before it).
docs/proving.md describes the format and says what each variant proves.
"""

from __future__ import annotations

import enum
import hmac
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from deals.boards import Board, Scheme, parse_numbers
from deals.deal import Deal
from deals.errors import DealError
from deals.files.collect import ranges
from deals.generate.numbering import DEALS, deal_of
from deals.generate.source import LONGEST_CONSTRAINT, Source, numbers, plain_line

HEAD: Final = "predeal commitment 1"
_KEYS: Final = ("set", "boards", "scheme", "public", "constraint")
_NONE: Final = "none"
MOST_REDEALS: Final = 20
"""New deals of one board that a proof looks through; more are no accident."""


class CommitmentError(DealError):
    """A commitment cannot be read, or does not fit what is asked of it."""


class Timing(enum.Enum):
    """What the commitment says about the public text."""

    NONE = "none"
    ANNOUNCED = "announced"
    """Named, and to appear later: with it a set is proven not to be chosen."""
    KNOWN = "value"
    """Known when the commitment was made: it is part of it and proves nothing more."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What is committed to, besides the secret. Texts are plain lines (`plain_line`)."""

    name: str
    boards: tuple[int, ...]
    scheme: Scheme = Scheme.DUPLICATE
    timing: Timing = Timing.NONE
    public: str = ""
    """The name of the value to come, or the value; empty for none."""
    constraint: str = ""
    """Of a TEACHING set; empty: every deal is equally likely."""

    def text(self) -> str:
        """The lines that are hashed, each with its line feed."""
        public = self.timing.value + (f" {plain_line(self.public)}" if self.public else "")
        values = (
            plain_line(self.name),
            ranges(self.boards).replace(" ", ""),
            self.scheme.value,
            public,
            plain_line(self.constraint, LONGEST_CONSTRAINT) or _NONE,
        )
        lines = [f"{key}: {value}\n" for key, value in zip(_KEYS, values, strict=True)]
        return f"{HEAD}\n{''.join(lines)}"


@dataclass(frozen=True, slots=True)
class Commitment:
    """Terms and the digest that binds a secret to them."""

    terms: Terms
    digest: str
    """64 hexadecimal digits."""

    @property
    def label(self) -> str:
        """As it is shown and published: "sha256:.."."""
        return f"sha256:{self.digest}"

    def text(self) -> str:
        """The file."""
        return f"{self.terms.text()}sha256: {self.digest}\n"

    def fits(self, secret: bytes) -> bool:
        """Whether it was made with this secret."""
        return hmac.compare_digest(self.digest, commit(secret, self.terms).digest)


def commit(secret: bytes, terms: Terms) -> Commitment:
    """The commitment of *secret* to *terms*."""
    return Commitment(terms, hmac.digest(secret, terms.text().encode(), "sha256").hex())


def parse(text: str) -> Commitment:
    """Reads a commitment file; CommitmentError names the line that is none of one."""
    lines = text.removeprefix("\ufeff").splitlines()
    if not lines or lines[0].strip() != HEAD:
        raise CommitmentError("proof.no_commitment", head=HEAD)
    expected = (*_KEYS, "sha256")
    found = []
    for number, key in enumerate(expected, 2):
        line = lines[number - 1] if number <= len(lines) else ""
        name, colon, value = line.partition(":")
        if name != key or not colon:
            raise CommitmentError("proof.line_missing", line=number, key=key)
        found.append(value.strip())
    name, boards, scheme, public, constraint, digest = found
    if "".join(lines[len(expected) + 1 :]).strip():
        raise CommitmentError("proof.line_extra", line=len(expected) + 2)
    if len(digest) != 64 or set(digest) - set("0123456789abcdef"):
        raise CommitmentError("proof.no_digest", line=len(expected) + 1)
    timing, _, rest = public.partition(" ")
    if timing not in {t.value for t in Timing} or (timing == _NONE) != (rest == ""):
        raise CommitmentError("proof.line_wrong", line=5, text=public)
    if scheme not in {s.value for s in Scheme}:
        raise CommitmentError("proof.line_wrong", line=4, text=scheme)
    terms = Terms(
        name,
        parse_numbers(boards),
        Scheme(scheme),
        Timing(timing),
        rest,
        "" if constraint == _NONE else constraint,
    )
    return Commitment(terms, digest)


def public_text(terms: Terms, given: str | None) -> str:
    """The public text that the deals depend on; CommitmentError if *given* does not fit *terms*."""
    if terms.timing is Timing.ANNOUNCED:
        if not given or not plain_line(given):
            raise CommitmentError("proof.public_missing", name=terms.public)
        return plain_line(given)
    if given is not None and plain_line(given) != terms.public:
        if terms.timing is Timing.NONE:
            raise CommitmentError("proof.public_unnamed", text=given)
        raise CommitmentError("proof.public_differs", text=given, committed=terms.public)
    return terms.public


@dataclass(frozen=True, slots=True)
class Proof:
    """What came of re-generating a set. No value in it names a card."""

    proven: bool
    findings: tuple[tuple[str, Mapping[str, object]], ...] = ()
    """Codes and values for `deals.words.text`: first what is wrong, then what it proves."""
    differing: tuple[int, ...] = ()
    """Boards that are not the secret's."""
    redealt: tuple[tuple[int, int], ...] = ()
    """Boards dealt anew (Law 6D) and how often."""


Draw = Callable[[bytes, int, int], Deal]
"""key, board, redeal -> the deal; `deals.teaching` has the one of a set with a constraint."""


def random_deal(key: bytes, board: int, redeal: int) -> Deal:
    """The deal of a set without a constraint."""
    return deal_of(next(n for n in numbers(key, board, redeal) if n < DEALS))


def prove(
    commitment: Commitment,
    secret: bytes,
    boards: Iterable[Board],
    public: str | None = None,
    redealt: Mapping[int, int] | None = None,
    draw: Draw = random_deal,
) -> Proof:
    """Re-generates the set and compares; *redealt* says which boards have had new deals, how often.

    A TEACHING set needs the *draw* of its constraint.
    """
    terms = commitment.terms
    if not commitment.fits(secret):
        return Proof(False, (("proof.secret_differs", {}),))
    try:
        key = Source(secret, terms.name, public_text(terms, public)).key()
    except CommitmentError as error:
        return Proof(False, ((error.code, error.values),))
    return _compare(terms, boards, redealt or {}, lambda n, again: draw(key, n, again))


def _compare(
    terms: Terms,
    boards: Iterable[Board],
    redealt: Mapping[int, int],
    deal: Callable[[int, int], Deal],
) -> Proof:
    there = {board.number: board for board in boards}
    missing = [n for n in terms.boards if n not in there]
    surplus = sorted(set(there) - set(terms.boards))
    differing = [
        n for n in terms.boards if n in there and there[n].deal != deal(n, redealt.get(n, 0))
    ]
    findings: list[tuple[str, Mapping[str, object]]] = []
    if missing:
        findings.append(("proof.boards_missing", {"boards": ranges(missing)}))
    if surplus:
        findings.append(("proof.boards_surplus", {"boards": ranges(surplus)}))
    later = {n: again for n in differing if (again := _redeal_of(there[n].deal, n, deal))}
    for number, again in later.items():
        findings.append(("proof.is_redeal", {"board": number, "count": again}))
    plain = [n for n in differing if n not in later]
    if plain:
        findings.append(("proof.boards_differ", {"boards": ranges(plain)}))
    if findings:
        return Proof(False, tuple(findings), tuple(differing))
    return Proof(True, tuple(meaning(terms, redealt)), (), tuple(sorted(redealt.items())))


def _redeal_of(found: Deal, board: int, deal: Callable[[int, int], Deal]) -> int:
    """Which new deal of the board it is; 0 if none of the first MOST_REDEALS."""
    return next((r for r in range(1, MOST_REDEALS + 1) if deal(board, r) == found), 0)


def meaning(
    terms: Terms, redealt: Mapping[int, int] | None = None
) -> list[tuple[str, Mapping[str, object]]]:
    """What a proof of a set with these *terms* says, and what it does not, as codes and values."""
    told: list[tuple[str, Mapping[str, object]]] = [("proof.unchanged", {})]
    if terms.timing is Timing.ANNOUNCED:
        told.append(("proof.unchosen", {"name": terms.public}))
    elif terms.timing is Timing.KNOWN:
        told.append(("proof.value_known", {}))
    else:
        told.append(("proof.no_value", {}))
    if terms.constraint:
        told.append(("proof.teaching", {"constraint": terms.constraint}))
    for board, count in sorted((redealt or {}).items()):
        told.append(("proof.redealt", {"board": board, "count": count}))
    return told
