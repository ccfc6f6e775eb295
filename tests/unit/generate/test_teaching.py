"""TEACHING sets: the language against a slow reading of each hand, places of errors, blocks, marks."""

from __future__ import annotations

import itertools
import re

import numpy as np
import pytest

from deals import words
from deals.boards import Board, Vulnerability
from deals.cards import Seat
from deals.commit import Terms, commit, prove
from deals.deal import Deal
from deals.errors import DealError, DealFileError
from deals.files import read_deals
from deals.generate import Source, bulk
from deals.teaching import (
    Constraint,
    ConstraintError,
    Lesson,
    block,
    drawer,
    is_teaching,
    move,
    origins,
    rotate,
    write_teaching,
)
from deals.teaching.hands import shape_patterns
from deals.teaching.language import USAGE
from tests.unit.deals.strategies import shuffled
from tests.unit.project.source import ROOT

KEY = Source(bytes(range(32)), "teaching").key()
ROWS = next(bulk.candidates(KEY, 1))[:1500]
DEALS = [Deal(row.tobytes()) for row in ROWS]


# ---- the oracle: one hand at a time, from its text


def suits(deal: Deal, seat: str) -> list[str]:
    return deal.hand_pbn(Seat.parse(seat)).split(".")


def points(holding: str) -> int:
    return sum({"A": 4, "K": 3, "Q": 2, "J": 1}.get(rank, 0) for rank in holding)


def hcp(deal: Deal, *seats: str) -> int:
    return sum(points(holding) for seat in seats for holding in suits(deal, seat))


def losers(holding: str) -> int:
    table = {0: 0, 1: 1 - ("A" in holding), 2: 2 - ("A" in holding) - ("K" in holding)}
    return table.get(len(holding), 3 - sum(rank in holding for rank in "AKQ"))


def shape(deal: Deal, seat: str) -> list[int]:
    return [len(holding) for holding in suits(deal, seat)]


def balanced(deal: Deal, seat: str) -> bool:
    return sorted(shape(deal, seat)) in ([3, 3, 3, 4], [2, 3, 4, 4], [2, 3, 3, 5])


CASES = {
    "hcp(north) >= 15": lambda d: hcp(d, "N") >= 15,
    "15 <= hcp(n) <= 17 and balanced(n)": lambda d: 15 <= hcp(d, "N") <= 17 and balanced(d, "N"),
    "strong_notrump(e)": lambda d: 15 <= hcp(d, "E") <= 17 and balanced(d, "E"),
    "weak_notrump(w)": lambda d: 12 <= hcp(d, "W") <= 14 and balanced(d, "W"),
    "hcp(ns) > 22": lambda d: hcp(d, "N", "S") > 22,
    "hcp(south, spades) == 7": lambda d: points(suits(d, "S")[0]) == 7,
    "spades(west) - hearts(west) >= 2": lambda d: shape(d, "W")[0] - shape(d, "W")[1] >= 2,
    "clubs(ew) * 2 == 14": lambda d: shape(d, "E")[3] + shape(d, "W")[3] == 7,
    "diamonds(north) + 1 != 4": lambda d: shape(d, "N")[2] != 3,
    "losers(north) <= 6": lambda d: sum(map(losers, suits(d, "N"))) <= 6,
    "losers(south, hearts) == 2": lambda d: losers(suits(d, "S")[1]) == 2,
    "controls(east) >= 5": lambda d: (
        sum(2 * h.count("A") + h.count("K") for h in suits(d, "E")) >= 5
    ),
    "controls(ns, clubs) == 3": lambda d: (
        sum(2 * suits(d, s)[3].count("A") + suits(d, s)[3].count("K") for s in "NS") == 3
    ),
    "top(north, spades, 3) == 2": lambda d: sum(r in suits(d, "N")[0] for r in "AKQ") == 2,
    "top(ns, hearts, 5) >= 4": lambda d: (
        sum(r in suits(d, s)[1] for r in "AKQJT" for s in "NS") >= 4
    ),
    'has(north, "SA H10")': lambda d: "A" in suits(d, "N")[0] and "T" in suits(d, "N")[1],
    'has(ew, "SA DK")': lambda d: (
        "A" not in suits(d, "N")[0] + suits(d, "S")[0]
        and "K" not in suits(d, "N")[2] + suits(d, "S")[2]
    ),
    'shape(north, "5431")': lambda d: shape(d, "N") == [5, 4, 3, 1],
    'shape(north, "any 5431")': lambda d: sorted(shape(d, "N")) == [1, 3, 4, 5],
    'shape(north, "5xxx", "x5xx")': lambda d: 5 in shape(d, "N")[:2],
    "longest(south) == 7": lambda d: max(shape(d, "S")) == 7,
    "shortest(south) == 0 or not longest(south) < 6": lambda d: (
        min(shape(d, "S")) == 0 or max(shape(d, "S")) >= 6
    ),
    "semibalanced(n) and not balanced(n)": lambda d: (
        sorted(shape(d, "N")) in ([2, 2, 4, 5], [2, 2, 3, 6])
    ),
    "weak_two(n, hearts)": lambda d: (
        6 <= hcp(d, "N") <= 10
        and shape(d, "N")[1] == 6
        and sum(r in suits(d, "N")[1] for r in "AKQ") >= 2
    ),
    "preempt(s, clubs)": lambda d: (
        5 <= hcp(d, "S") <= 10
        and shape(d, "S")[3] == 7
        and sum(r in suits(d, "S")[3] for r in "AKQJ") >= 2
    ),
    "strong_two_clubs(n)": lambda d: hcp(d, "N") >= 22,
    "strong = hcp(n) > 15; weak = hcp(s) < 8; strong and weak and spades(s) > 3 and strong": (
        lambda d: hcp(d, "N") > 15 and hcp(d, "S") < 8 and shape(d, "S")[0] > 3
    ),
    "x = hcp(n); x > 19 or x < 3 and x > -1": lambda d: hcp(d, "N") > 19 or hcp(d, "N") < 3,
    "True": lambda d: True,
}


@pytest.mark.parametrize("text", CASES)
def test_the_language_against_a_slow_reading(text: str) -> None:
    expected = [CASES[text](deal) for deal in DEALS]
    assert Constraint(text).meets(ROWS).tolist() == expected
    # One by one: what is skipped for most deals of a batch must not change the answer.
    assert Constraint(text).meets(ROWS[:40]).tolist() == expected[:40]


def test_every_function_is_tried() -> None:
    assert {name for name in USAGE for text in CASES if f"{name}(" in text} == set(USAGE)


def test_definitions_keep_their_values() -> None:
    text = "a = hcp(n) > 18; b = a and spades(n) == 5; {}"
    both = Constraint(text.format("a and b")).meets(ROWS)
    alone = Constraint(text.format("a")).meets(ROWS)
    assert alone.sum() > both.sum() > 0
    assert (alone == Constraint("hcp(n) > 18").meets(ROWS)).all()


def test_shapes() -> None:
    assert shape_patterns("10-1-1-1") == {(10, 1, 1, 1)}
    assert shape_patterns("any 7600") == set(itertools.permutations((7, 6, 0, 0)))
    assert len(shape_patterns("xxxx") or ()) == 560
    assert len(shape_patterns("any 5xxx") or ()) == sum(
        5 in s for s in itertools.product(range(14), repeat=4) if sum(s) == 13
    )
    for text in ("5432", "any", "543", "54321", "any any 5431", "a431", "", "5-4-3", "²xxx"):
        assert shape_patterns(text) is None


@pytest.mark.parametrize(
    ("text", "at", "said"),
    [
        ("", None, "The constraint is empty"),
        ("hcp(north) >= ", 14, "not understood at"),
        ("hcp(north) >= 15 and", 21, "not understood at"),
        ("hcp(north) >= 15 and (spades(n) == 5", 22, "not understood at “(spades(n) == 5”"),
        ("hcp(north) > 15 and spaeds(north) > 4", 21, "no function “spaeds”"),
        ("hcp(nroth) > 15", 5, "“nroth” is unknown. Known are: n, north"),
        ("balanced(n) and hcp(n)", 17, "and, or, not stand between conditions"),
        ("hcp(n)", 1, "is a number, not a condition"),
        ("hcp > 15", 1, "hcp needs a seat, as in hcp(north)"),
        ("hcp(spades) > 3", 1, "a seat comes first"),
        ("hcp(n, south) > 3", 1, "a suit is wanted"),
        ("losers(ns) > 3", 1, "this is of one hand"),
        ("hcp(n) > 3 and hcp() > 1", 16, "hcp is called like this: hcp(north), hcp(ns, hearts)"),
        ("spades(n, hearts) > 1", 1, "spades is called like this: spades(north)"),
        ('shape(n, "5432")', 1, "“5432” is no shape of 13 cards"),
        ("shape(n)", 1, "shape is called like this"),
        ('has(n, "SX")', 1, "cards are wanted"),
        ("has(n, 3)", 1, "cards are wanted"),
        ("top(n, spades, 0) > 1", 1, "how many of the highest cards"),
        ("hcp(n) > 1.5", 10, "“1.5” is no number that can be meant"),
        ("hcp(n) > 12345", 10, "“12345” is no number"),
        ("hcp(n) ** 2 > 9", 1, "no such thing in this language (Pow)"),
        ("hcp(n) is 4", 1, "no such thing in this language (Is)"),
        ("(1).__class__ == 1", 1, "no such thing in this language (Attribute)"),
        ("[1][0] > 0", 1, "no such thing in this language (Subscript)"),
        ("(lambda: 1)() > 0", 1, "no such thing in this language (Call)"),
        ("hcp(seat=n) > 0", 1, "no such thing in this language (Call)"),
        ("hcp(*n) > 0", 5, "no such thing in this language (Starred)"),
        ("__import__('os') > 0", 1, "no function “__import__”"),
        ("f'{n}' > 0", 1, "no such thing in this language (JoinedStr)"),
        ("hcp(n) > 1; hcp = 2; True", 1, "is no definition"),
        ("hcp = 2; True", 1, "“hcp” already means something else"),
        ("n = 2; True", 1, "“n” already means something else"),
        ("a = b = 2; True", 1, "is no definition"),
        ("import os; True", 1, "is no definition"),
        ("a = 2", 1, "after the definitions comes a condition"),
        ("hcp(n) > 1 and ♠ > 2", 16, "“♠” is no sign of the language"),
        ("not hcp(n)", 5, "and, or, not stand between"),
        ("-balanced(n) > 1", 2, "a number is wanted here"),
        ("True > 1", 1, "a number is wanted here"),
        ("n == s", 1, "a number is wanted here"),
        ("(" * 300 + "1" + ")" * 300, None, "not understood"),
    ],
)
def test_errors_name_the_place(text: str, at: int | None, said: str) -> None:
    with pytest.raises(ConstraintError) as refused:
        Constraint(text)
    assert said in str(refused.value)
    if at is not None:
        assert f"column {at}:" in str(refused.value)


def test_too_long_is_refused_before_anything_else() -> None:
    with pytest.raises(DealError, match="at most 2000"):
        Constraint("hcp(n) > 1 and " * 300 + "True")
    with pytest.raises(ConstraintError):
        Constraint("-" * 1900 + "1 > 0")


def test_the_first_that_fits_is_taken() -> None:
    constraint = Constraint("hcp(n) >= 20 and spades(n) >= 5")
    for board in (1, 2):
        rows = np.concatenate(
            [r for r, _ in zip(bulk.candidates(KEY, board), range(3), strict=False)]
        )
        fits = [row for row in rows if hcp(Deal(row.tobytes()), "N") >= 20
                and shape(Deal(row.tobytes()), "N")[0] >= 5]  # fmt: skip
        assert constraint.first(KEY, board).owners == fits[0].tobytes()
    assert Constraint("True").first(KEY, 5) == Source(bytes(range(32)), "teaching").deal(5)


def test_what_is_impossible_ends() -> None:
    with pytest.raises(DealError, match="Board 1: none of .* meets “hcp.n. > 37”"):
        Constraint("hcp(n) > 37").first(KEY, 1, most=5000)


def test_a_teaching_set_is_proven_and_says_so() -> None:
    terms = Terms("teaching", (1, 2), constraint="hcp(n) >= 20")
    secret = bytes(range(32))
    constraint = Constraint(terms.constraint)
    boards = [Board.standard(n, constraint.first(KEY, n)) for n in (1, 2)]
    proof = prove(commit(secret, terms), secret, boards, draw=drawer(constraint))
    assert proof.proven
    assert "TEACHING" in words.text(*proof.findings[-1])
    assert not prove(commit(secret, terms), secret, boards).proven


# ---- blocks


FOUR = [Board.standard(n, shuffled(n)) for n in (1, 2, 3, 4)]


def test_four_deals_in_nine_copies() -> None:
    boards = block(FOUR, 9)
    assert [b.number for b in boards] == list(range(1, 37))
    for number, board in enumerate(boards, 1):
        origin = FOUR[(number - 1) % 4]
        assert (board.deal, board.dealer, board.vulnerable) == (
            origin.deal,
            origin.dealer,
            origin.vulnerable,
        )
    # Board 5 by Law 2 would be North, N-S vulnerable; the lesson's deal 1 is North, none.
    assert boards[4].vulnerable is Vulnerability.NONE
    assert not boards[4].is_standard
    assert origins(FOUR, 9)[36] == 4
    assert [b.number for b in block(FOUR, 2, first=17)] == list(range(17, 25))
    for deals, copies in (([], 3), (FOUR, 0), (FOUR, 30_000)):
        with pytest.raises(DealError, match="No block can be made"):
            block(deals, copies)


def test_a_deal_moves_to_a_number_that_fits() -> None:
    board = Board(3, Seat.W, Vulnerability.NONE, shuffled(1))
    moved = move(board, range(1, 17))
    assert (moved.number, moved.is_standard, moved.deal) == (8, True, board.deal)
    assert move(board, range(17, 33)).number == 24
    with pytest.raises(DealError, match="Board 3 .dealer West, vulnerable none.: none of these"):
        move(board, range(1, 8))


@pytest.mark.parametrize("steps", range(-1, 5))
def test_a_deal_is_turned(steps: int) -> None:
    board = FOUR[1]
    turned = rotate(board, steps)
    for seat in Seat:
        assert turned.deal.hand(seat.next(steps)) == board.deal.hand(seat)
        assert turned.vulnerable.includes(seat.next(steps)) == board.vulnerable.includes(seat)
    assert turned.dealer == board.dealer.next(steps)
    assert rotate(turned, -steps) == board
    assert move(turned, range(1, 17)).is_standard


# ---- marks


@pytest.mark.parametrize("name", ["pbn", "json"])
def test_the_mark_is_in_the_file_and_the_file_is_good(name: str) -> None:
    lesson = Lesson('Slams "for all"', {2: "Lead {a} trump.\nAlways."})
    boards = block(FOUR, 2)
    data = write_teaching(boards, name, "hcp(ns) > 32", lesson)
    assert is_teaching(data)
    found = read_deals(data, f"a.{name}")
    assert (found.boards, found.problems) == (tuple(boards), ())
    assert b"TEACHING" in data or b'"teaching": "hcp' in data
    assert b"Lead" in data


@pytest.mark.parametrize("name", ["dup", "lin", "bri", "dlm"])
def test_files_without_a_place_for_the_mark_are_refused(name: str) -> None:
    with pytest.raises(DealFileError, match=f"format {name} has no place for the mark TEACHING"):
        write_teaching(FOUR, name, "x")


def test_normal_files_have_no_mark() -> None:
    for path in (ROOT / "tests" / "vectors" / "files").iterdir():
        assert not is_teaching(path.read_bytes()), path.name


def test_the_page_tells_every_function() -> None:
    page = (ROOT / "docs" / "teaching.md").read_text("utf-8")
    assert [name for name in USAGE if f"`{name}(" not in page] == []
    examples = re.findall(r"--constraint '([^']+)'", page)
    assert len(examples) >= 3
    assert all(Constraint(text).meets(ROWS).any() for text in examples)
