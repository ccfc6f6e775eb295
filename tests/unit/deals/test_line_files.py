"""GIB, DDS lists and bare deals as programs print them; damage named."""

from __future__ import annotations

import pytest

from deals.boards import Board
from deals.deal import Deal
from deals.files import write_deals
from tests.unit.deals.reading import DEAL, OTHER, read, rows, told

ONE = (1, "N", "None", DEAL)
TWO = (2, "E", "NS", OTHER)


def written(name: str) -> str:
    two = [Board.standard(1, Deal.from_pbn(DEAL)), Board.standard(2, Deal.from_pbn(OTHER))]
    return write_deals(two, name).data.decode("ascii")


GIB = "872.83.A542.QJ84 AJ9.K9542.Q.AK93 K.QJ76.K98763.75 QT6543.AT.JT.T62"
GIB_2 = "JT6.A92.K9765.J9 AKQ984.KQT7..Q83 7.J63.AJT82.A754 532.854.Q43.KT62"


def test_gib() -> None:
    found = read(f"{GIB}:65658888888843433232\n{GIB_2}:00000000000000000000\n")
    assert (found.format, rows(found)) == ("gib", [ONE, TWO])
    assert [b.number for b in read(f"{GIB}:\n", first_board=9).boards] == [9]
    assert written("gib") == f"{GIB}:\n{GIB_2}:\n"
    found = read(f"{GIB}:\n{GIB_2}:\nwhat is this\n{GIB_2.replace('JT6', 'JT2')}:\n")
    assert told(found.problems) == [
        "line 3, board 3: A deal has four hands, this one 3.",
        "line 4, board 4: S2 is in two hands: South and West.",
    ]


def test_dds_list_damage() -> None:
    text = written("dds")
    assert text.startswith('NUMBER 2 \nPBN 0 0 4 1 "N:AJ9')
    found = read(text.replace("PBN 1 2", "PBN 7 2").replace("NUMBER 2", "NUMBER 3"))
    assert told(found.problems) == [
        "line 3, board 2: The line is not: PBN dealer vulnerability trump leader and a deal in "
        "quotes."
    ]
    assert "line 1: The file says that it holds 3 boards, but there are 2." in told(found.warnings)


@pytest.mark.parametrize(
    "text",
    [
        f"{DEAL}\n{OTHER}\n",
        f"some words\n{DEAL}\n\n{OTHER.replace('N:', 'N: ')}\nGenerated 2 hands\n",
        "".join("n {} e {} s {} w {} \n".format(*deal[2:].split(" ")) for deal in (DEAL, OTHER)),
        "".join("n {}\ne {}\ns {}\nw {}\n".format(*deal[2:].split(" ")) for deal in (DEAL, OTHER)),
        "".join(
            "|".join(hand.replace(".", " ") for hand in deal[2:].split(" ")) + "\n"
            for deal in (DEAL, OTHER)
        ),
        "   1.\nA J 9               K                   Q T 6 5 4 3         8 7 2 \n"
        "K 9 5 4 2           Q J 7 6             A T                 8 3 \n"
        "Q                   K 9 8 7 6 3         J T                 A 5 4 2 \n"
        "A K 9 3             7 5                 T 6 2               Q J 8 4 \n\n"
        "   2.\nA K Q 9 8 4         7                   5 3 2               J T 6 \n"
        "K Q T 7             J 6 3               8 5 4               A 9 2 \n"
        "-                   A J T 8 2           Q 4 3               K 9 7 6 5 \n"
        "Q 8 3               A 7 5 4             K T 6 2             J 9 \n\nGenerated 2 hands\n",
    ],
    ids=["pbn", "words", "oneline", "compact", "deal-l", "printall"],
)
def test_bare_deals(text: str) -> None:
    found = read(text)
    assert (found.format, rows(found)) == ("lines", [ONE, TWO])
    assert found.problems == ()


BEN = DEAL[2:]
BEN_2 = OTHER[2:]
CONSOLE = "".join(
    "-SWNE -T 30 -H\n{2}\n{3}\n{0}\n{1}\n".format(*deal.split(" ")) + marks
    for deal, marks in ((BEN, "n -\n"), (BEN_2, "e ns\n"))
)


@pytest.mark.parametrize(
    "text",
    [
        f"N None {BEN}\nE N-S {BEN_2}\n",
        f"{BEN}\nN None 1C P 1H P P P\n{BEN_2}\nE N-S P P P P\n",
        f"{DEAL}\nN None 3N.-1.N\nPP 1N PP 3N\n{OTHER}\nE NS\n",
        CONSOLE,
    ],
    ids=["ben", "ben-auction", "pbn-marked", "gib-console"],
)
@pytest.mark.parametrize("encoding", ["ascii", "utf-16"])
def test_bare_deals_with_dealer_and_vulnerability(text: str, encoding: str) -> None:
    turned = text.replace("N None", "W Both").replace("n -", "w both")
    found = read(turned.encode(encoding))
    assert found.format == "lines"
    assert rows(found) == [(1, "W", "All", DEAL), TWO]
    assert rows(read(text.encode(encoding))) == [ONE, TWO]


def test_hands_in_an_order_nobody_told_are_no_deal() -> None:
    hands = BEN.replace(" ", "\n") + "\n"
    found = read(f"{DEAL}\n{hands}-SWNE\n{hands.split()[0]}\nwords\nn {hands}")
    assert rows(found) == [ONE]


def test_bare_deals_damage() -> None:
    found = read(f"{DEAL}\n{OTHER.replace('AKQ', 'AKJ')}\n{'2 ' * 200}\n")
    assert told(found.problems) == ["line 2, board 2: SJ is in two hands: North and West."]


# ---- JSON
