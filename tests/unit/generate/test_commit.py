"""Commitments and proofs: what is bound, what is noticed, what is claimed."""

from __future__ import annotations

import dataclasses
import hashlib
import hmac

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deals.boards import Board, Scheme
from deals.commit import (
    Commitment,
    CommitmentError,
    Proof,
    Terms,
    Timing,
    commit,
    meaning,
    parse,
    prove,
    public_text,
)
from deals.generate import Source
from deals.words import text

SECRET = bytes(range(32))
OTHER = bytes(range(1, 33))
TERMS = {
    Timing.NONE: Terms("Club night", (1, 2, 3, 5)),
    Timing.KNOWN: Terms("Club night", (1, 2, 3, 5), timing=Timing.KNOWN, public="42"),
    Timing.ANNOUNCED: Terms("Club night", (1, 2, 3, 5), timing=Timing.ANNOUNCED, public="Index"),
}
VALUE = {Timing.NONE: None, Timing.KNOWN: "42", Timing.ANNOUNCED: "42"}


def made(timing: Timing, redeals: dict[int, int] | None = None) -> list[Board]:
    source = Source(SECRET, "Club night", VALUE[timing] or "")
    again = redeals or {}
    return [Board.standard(n, source.deal(n, again.get(n, 0))) for n in (1, 2, 3, 5)]


def told(proof: Proof) -> str:
    return " ".join(text(code, values) for code, values in proof.findings)


def test_the_file_as_documented() -> None:
    found = commit(SECRET, TERMS[Timing.ANNOUNCED])
    lines = (
        "predeal commitment 1\nset: Club night\nboards: 1-3,5\nscheme: duplicate\n"
        "public: announced Index\nconstraint: none\n"
    )
    digest = hmac.new(SECRET, lines.encode(), hashlib.sha256).hexdigest()
    assert found.text() == f"{lines}sha256: {digest}\n"
    assert found.label == f"sha256:{digest}"


line = st.text(st.characters(categories=["L", "N", "P", "S", "Zs"]), min_size=1, max_size=30).map(
    lambda t: " ".join(t.split()) or "x"
)


@given(line, st.sets(st.integers(1, 99), min_size=1), st.sampled_from(Scheme), line, line)
def test_what_is_written_is_read_back(name, boards, scheme, public, constraint) -> None:
    terms = Terms(name, tuple(sorted(boards)), scheme, Timing.ANNOUNCED, public, constraint)
    found = commit(SECRET, terms)
    again = parse(found.text())
    assert again.text() == found.text()
    assert again.fits(SECRET)
    assert not again.fits(OTHER)


def test_each_term_is_bound() -> None:
    base = TERMS[Timing.ANNOUNCED]
    changes = [
        {"name": "Club  nights"},
        {"boards": (1, 2, 3)},
        {"scheme": Scheme.CHICAGO},
        {"timing": Timing.KNOWN},
        {"public": "Index 2"},
        {"constraint": "hcp(north) > 20"},
    ]
    digests = {commit(SECRET, dataclasses.replace(base, **change)).digest for change in changes}
    assert len(digests | {commit(SECRET, base).digest}) == 7
    for change in changes:
        false = Commitment(dataclasses.replace(base, **change), commit(SECRET, base).digest)
        proof = prove(false, SECRET, made(Timing.ANNOUNCED), "42")
        assert not proof.proven
        assert "The secret does not belong to this commitment" in told(proof)


def test_editors_may_change_line_ends() -> None:
    found = commit(SECRET, TERMS[Timing.NONE])
    changed = "\ufeff" + found.text().replace("\n", " \r\n") + "\r\n"
    assert parse(changed) == found


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("predeal commitment 1", "predeal commitment 2"), "first line would be “predeal comm"),
        (("boards: ", "board: "), "Line 3 of the commitment must begin with “boards:”"),
        (("scheme: duplicate", "scheme: rubber"), "Line 4 of the commitment says “rubber”"),
        (("public: none", "public: perhaps"), "Line 5 of the commitment says “perhaps”"),
        (("public: none", "public: announced"), "Line 5 .* says “announced”"),
        (("public: none", "public: none at all"), "Line 5 .* says “none at all”"),
        (("sha256: ", "sha256: 0"), "Line 7 .* 64 hexadecimal digits"),
        (("constraint: none\n", ""), "Line 6 .* begin with “constraint:”"),
        (("boards: 1-3,5", "boards: five"), "names no boards"),
    ],
)
def test_what_is_no_commitment(change, said) -> None:
    whole = commit(SECRET, TERMS[Timing.NONE]).text()
    assert change[0] in whole
    with pytest.raises(ValueError, match=said):
        parse(whole.replace(*change))
    with pytest.raises(CommitmentError, match="from line 8 on"):
        parse(whole + "and more\n")


@pytest.mark.parametrize("timing", Timing)
def test_a_true_set_is_proven(timing: Timing) -> None:
    commitment = commit(SECRET, TERMS[timing])
    proof = prove(commitment, SECRET, reversed(made(timing)), VALUE[timing])
    assert proof.proven
    assert proof.differing == ()


def test_what_each_variant_claims() -> None:
    claims = {
        timing: " ".join(text(code, values) for code, values in meaning(terms))
        for timing, terms in TERMS.items()
    }
    assert all("none was changed after the commitment" in claim for claim in claims.values())
    for timing in (Timing.NONE, Timing.KNOWN):
        assert "Not proven: that no deal was chosen" in claims[timing]
    assert "if the commitment was public before “Index” was known" in claims[Timing.ANNOUNCED]
    assert "Not proven" not in claims[Timing.ANNOUNCED]
    teaching = dataclasses.replace(TERMS[Timing.ANNOUNCED], constraint="hcp(north) > 20")
    assert meaning(teaching)[-1][0] == "proof.teaching"


@pytest.mark.parametrize("timing", Timing)
def test_changes_are_noticed(timing: Timing) -> None:
    commitment, boards, value = commit(SECRET, TERMS[timing]), made(timing), VALUE[timing]
    swapped = [
        Board.standard(1, boards[1].deal),
        Board.standard(2, boards[0].deal),
        *boards[2:],
    ]
    for changed, said, differing in (
        (swapped, "Boards 1-2 are not what", (1, 2)),
        (boards[:-1], "Boards 5 are committed to and not in the file", ()),
        ([*boards, Board.standard(4, boards[0].deal)], "Boards 4 are in the file and not", ()),
    ):
        proof = prove(commitment, SECRET, changed, value)
        assert (proof.proven, proof.differing) == (False, differing)
        assert said in told(proof)
    assert not prove(commitment, OTHER, boards, value).proven
    assert not prove(commitment, SECRET, boards, "43").proven


def test_the_public_text_must_fit() -> None:
    assert public_text(TERMS[Timing.NONE], None) == ""
    assert public_text(TERMS[Timing.KNOWN], None) == "42"
    assert public_text(TERMS[Timing.KNOWN], " 42 ") == "42"
    for timing, given_text, said in (
        (Timing.ANNOUNCED, None, "names a public value: “Index”"),
        (Timing.ANNOUNCED, "  ", "names a public value: “Index”"),
        (Timing.NONE, "42", "names no public value"),
        (Timing.KNOWN, "43", "holds the public value “42”, not “43”"),
    ):
        with pytest.raises(CommitmentError, match=said):
            public_text(TERMS[timing], given_text)


def test_new_deals_are_told() -> None:
    commitment = commit(SECRET, TERMS[Timing.NONE])
    boards = made(Timing.NONE, {2: 1, 5: 3})
    proof = prove(commitment, SECRET, boards)
    assert (proof.proven, proof.differing) == (False, (2, 5))
    assert "Board 5 is new deal 3 of this board" in told(proof)
    proof = prove(commitment, SECRET, boards, redealt={2: 1, 5: 3})
    assert proof.proven
    assert proof.redealt == ((2, 1), (5, 3))
    assert "Board 2 is new deal 1: the logbook must give the reason" in told(proof)
    assert not prove(commitment, SECRET, made(Timing.NONE), redealt={2: 1}).proven
