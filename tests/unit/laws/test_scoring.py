"""Law 77 against the printed score table, Law 78, and par against other programs' results."""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from deals.boards import Vulnerability
from deals.cards import Seat
from deals.errors import DealError
from deals.scoring import IMP_STEPS, Contract, Doubling, imps, matchpoints, par, score
from deals.tricks import Strain, TrickTable

FILES = Path(__file__).parents[2] / "vectors" / "files"

# The official table as it stands on the back of bidding boxes, made exactly: undoubled, doubled,
# redoubled, each not vulnerable and vulnerable. m clubs and diamonds, M hearts and spades, N.
MADE = """
1m 70 70 140 140 230 230      1M 80 80 160 160 520 720        1N 90 90 180 180 560 760
2m 90 90 180 180 560 760      2M 110 110 470 670 640 840      2N 120 120 490 690 680 880
3m 110 110 470 670 640 840    3M 140 140 530 730 760 960      3N 400 600 550 750 800 1000
4m 130 130 510 710 720 920    4M 420 620 590 790 880 1080     4N 430 630 610 810 920 1120
5m 400 600 550 750 800 1000   5M 450 650 650 850 1000 1200    5N 460 660 670 870 1040 1240
6m 920 1370 1090 1540 1380 1830   6M 980 1430 1210 1660 1620 2070   6N 990 1440 1230 1680 1660 2110
7m 1440 2140 1630 2330 1960 2660  7M 1510 2210 1770 2470 2240 2940  7N 1520 2220 1790 2490 2280 2980
"""
OVERTRICK = {"m": (20, 20, 100, 200, 200, 400), "M": (30, 30, 100, 200, 200, 400)}
OVERTRICK["N"] = OVERTRICK["M"]
DOWN = (
    (50, 100, 150, 200, 250, 300, 350, 400, 450, 500, 550, 600, 650),
    (100, 200, 300, 400, 500, 600, 700, 800, 900, 1000, 1100, 1200, 1300),
    (100, 300, 500, 800, 1100, 1400, 1700, 2000, 2300, 2600, 2900, 3200, 3500),
    (200, 500, 800, 1100, 1400, 1700, 2000, 2300, 2600, 2900, 3200, 3500, 3800),
    (200, 600, 1000, 1600, 2200, 2800, 3400, 4000, 4600, 5200, 5800, 6400, 7000),
    (400, 1000, 1600, 2200, 2800, 3400, 4000, 4600, 5200, 5800, 6400, 7000, 7600),
)
KIND = {
    Strain.CLUBS: "m",
    Strain.DIAMONDS: "m",
    Strain.HEARTS: "M",
    Strain.SPADES: "M",
    Strain.NOTRUMP: "N",
}


def printed() -> dict[str, list[int]]:
    words = MADE.split()
    return {words[i]: [int(w) for w in words[i + 1 : i + 7]] for i in range(0, len(words), 7)}


@pytest.mark.parametrize("strain", Strain)
def test_law_77_every_contract_and_every_result(strain: Strain) -> None:
    table = printed()
    checked = 0
    for level, (d, doubling), vulnerable in itertools.product(
        range(1, 8), enumerate(Doubling), (False, True)
    ):
        column = 2 * d + vulnerable
        for tricks in range(14):
            over = tricks - 6 - level
            if over < 0:
                expected = -DOWN[column][-over - 1]
            else:
                kind = KIND[strain]
                expected = table[f"{level}{kind}"][column] + over * OVERTRICK[kind][column]
            assert score(Contract(level, strain, doubling), tricks, vulnerable) == expected
            checked += 1
    assert checked == 7 * 3 * 2 * 14


def test_no_such_contract_or_result() -> None:
    with pytest.raises(DealError, match="A contract has a level from 1 to 7, not 8"):
        Contract(8, Strain.SPADES)
    with pytest.raises(DealError, match="A declarer makes 0 to 13 tricks, not 14"):
        score(Contract(1, Strain.SPADES), 14, False)


def test_law_78b() -> None:
    # As printed: 20-40 is 1, 50-80 is 2, .. 4000 and upwards is 24.
    ends = (40, 80, 120, 160, 210, 260, 310, 360, 420, 490, 590, 740, 890, 1090, 1290, 1490)
    ends += (1740, 1990, 2240, 2490, 2990, 3490, 3990, 99990)
    assert imps(0) == imps(10) == imps(-10) == 0
    for n, (low, high) in enumerate(zip(IMP_STEPS, ends, strict=True), 1):
        assert (imps(low), imps(high), imps(low - 10)) == (n, n, n - 1)
        assert imps(-high) == -n


def test_law_78a() -> None:
    assert matchpoints([420, 420, 450, -50]) == [3, 3, 6, 0]
    assert matchpoints([0]) == [0]
    values = [random.Random(5).choice((0, 50, 100)) for _ in range(9)]
    assert sum(matchpoints(values)) == 9 * 8


def tables() -> Iterator[tuple[str, TrickTable, Seat, Vulnerability, str, str]]:
    """From other programs' files: name, table, dealer, vulnerability, score of NS, contracts."""
    sixteen = (FILES / "sixteen.pbn").read_text("latin-1")
    for game in sixteen.split("[Event ")[1:]:
        tags = dict(re.findall(r'\[(\w+) "([^"]*)"\]', game))
        rows = re.findall(r"^([NESW]) (C|D|H|S|NT) +(\d+)\s*$", game, re.M)
        tricks = {(Seat.parse(s), Strain.parse(t) or Strain(0)): int(n) for s, t, n in rows}
        yield (
            f"sixteen-{tags['Board']}",
            TrickTable(tricks),
            Seat.parse(tags["Dealer"]),
            Vulnerability(tags["Vulnerable"]),
            tags["OptimumScore"].removeprefix("NS "),
            "",
        )
    dds = (FILES / "dds-list10.txt").read_text("latin-1")
    order = (Vulnerability.NONE, Vulnerability.ALL, Vulnerability.NS, Vulnerability.EW)
    heads = re.findall(r"^PBN (\d) (\d)", dds, re.M)
    lists = re.findall(r"^TABLE ([\d ]+)", dds, re.M)
    pars = re.findall(r'^PAR "NS (-?\d+)" "EW -?\d+" "NS:([^"]*)"', dds, re.M)
    for n, ((dealer, who), numbers, (points, contracts)) in enumerate(
        zip(heads, lists, pars, strict=True)
    ):
        values = [int(v) for v in numbers.split()]
        tricks = {(Seat(i % 4), Strain(i // 4)): value for i, value in enumerate(values)}
        yield f"dds-{n}", TrickTable(tricks), Seat(int(dealer)), order[int(who)], points, contracts


@pytest.mark.parametrize("case", list(tables()), ids=lambda case: case[0])
def test_par_as_other_programs_have_it(case) -> None:
    _, table, dealer, vulnerable, points, contracts = case
    assert table.complete
    found = par(table, dealer, vulnerable)
    assert found.score_ns == int(points)
    if contracts:
        shown = {
            f"{c.side} {c.level}{c.strain.letter}{'x' if c.doubled else ''}"
            for c in found.contracts
        }
        assert _expanded(contracts) == {_by_side(text) for text in shown}


def _by_side(shown: str) -> str:
    who, what = shown.split()
    return f"{'NS' if who[0] in 'NS' else 'EW'} {what}"


def _expanded(text: str) -> set[str]:
    """DDS joins levels: "EW 23S" is 2S and 3S."""
    found = set()
    for item in text.split(","):
        who, what = item.split()
        levels, rest = re.fullmatch(r"(\d+)(\w+x?)", what).groups()
        found |= {f"{'NS' if who[0] in 'NS' else 'EW'} {level}{rest}" for level in levels}
    return found


def by_hand(table: TrickTable, dealer: Seat, vulnerable: Vulnerability, bids: list) -> int:
    """The value of the auction for NS by trying every call of two sides that see all cards."""
    points = {}
    for n, (level, strain) in enumerate(bids):
        for side in (0, 1):
            made = max(table.of(Seat(side), strain), table.of(Seat(side + 2), strain))
            results = [
                score(Contract(level, strain, d), made, vulnerable.includes(Seat(side)))
                for d in (Doubling.UNDOUBLED, Doubling.DOUBLED)
            ]
            points[n, side] = min(results) * (1 if side == 0 else -1)

    @cache
    def value(last: int, holder: int, passes: int, turn: int) -> int:
        if (last < 0 and passes == 4) or (last >= 0 and passes == 3):
            return points[last, holder] if last >= 0 else 0
        side = turn % 2
        choices = [value(last, holder, passes + 1, turn + 1)]
        choices += [value(n, side, 0, turn + 1) for n in range(last + 1, len(bids))]
        return max(choices) if side == 0 else min(choices)

    return value(-1, 0, 0, int(dealer) % 2)


def test_par_is_the_value_of_the_auction() -> None:
    rising = (Strain.CLUBS, Strain.DIAMONDS, Strain.HEARTS, Strain.SPADES, Strain.NOTRUMP)
    bids = [(level, strain) for level in range(1, 8) for strain in rising]
    chance = random.Random(77)
    for _ in range(6):
        tricks = {}
        for strain in Strain:
            middle = chance.randint(0, 13)
            for seat in Seat:
                own = middle if seat % 2 == 0 else 13 - middle
                tricks[seat, strain] = min(13, max(0, own - chance.choice((0, 0, 0, 1, 2))))
        table = TrickTable(tricks)
        for dealer, who in itertools.product((Seat.N, Seat.E), Vulnerability):
            assert par(table, dealer, who).score_ns == by_hand(table, dealer, who, bids)


def test_nobody_makes_anything() -> None:
    table = TrickTable({(seat, strain): 6 for seat in Seat for strain in Strain})
    for dealer in Seat:
        assert par(table, dealer, Vulnerability.ALL).score_ns == 0
        assert par(table, dealer, Vulnerability.ALL).contracts == ()


def test_the_dealers_side_comes_first() -> None:
    table = TrickTable(
        {(seat, strain): 7 if strain is Strain.NOTRUMP else 0 for seat in Seat for strain in Strain}
    )
    assert par(table, Seat.N, Vulnerability.NONE).score_ns == 90
    found = par(table, Seat.E, Vulnerability.NONE)
    assert found.score_ns == -90
    assert [(c.side, c.level, c.doubled, c.result) for c in found.contracts] == [
        ("EW", 1, False, 0)
    ]


def test_an_incomplete_table_names_what_is_missing() -> None:
    with pytest.raises(DealError, match="tricks of North in C are not known"):
        par(TrickTable({}), Seat.N, Vulnerability.NONE)
