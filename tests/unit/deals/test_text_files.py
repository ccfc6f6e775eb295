"""LIN, RBN, RBX and CSV: variants seen, and damage named."""

from __future__ import annotations

from urllib.parse import quote_plus

import pytest

from deals.boards import Board
from deals.deal import Deal
from deals.files import write_deals
from tests.unit.deals.reading import DEAL, OTHER, read, rows, told

ONE = (1, "N", "None", DEAL)
TWO = (2, "E", "NS", OTHER)
HANDS = (
    "SQT6543HATDJTCT62",  # S, W, N, E as LIN has them
    "S872H83DA542CQJ84",
    "SAJ9HK9542DQCAK93",
    "SKHQJ76DK98763C75",
)
HANDS_2 = (
    "S532H854DQ43CKT62",
    "SJT6HA92DK9765CJ9",
    "SAKQ984HKQT7DCQ83",
    "S7HJ63DAJT82CA754",
)


def md(dealer: int, hands: tuple[str, ...] = HANDS, count: int = 3, tail: str = ",") -> str:
    return f"md|{dealer}{','.join(hands[:count])}{tail}|"


def written(name: str) -> str:
    two = [Board.standard(1, Deal.from_pbn(DEAL)), Board.standard(2, Deal.from_pbn(OTHER))]
    return write_deals(two, name).data.decode("ascii")


# ---- LIN


@pytest.mark.parametrize(
    "deal",
    [
        md(3),
        md(3, tail=""),
        md(3, count=4, tail=""),
        md(3).lower().replace("md", "MD"),
        md(3).replace("SQT6543", "S3456TQ"),
        md(3).replace(",", ", "),
        md(3).replace("DQ", "DQ\n"),
        md(3).replace("T", "10"),
        "md|3QT6543.AT.JT.T62,872.83.A542.QJ84,AJ9.K9542.Q.AK93,|",
    ],
    ids=["bbo", "no-comma", "four", "lower", "order", "blank", "line-end", "ten", "dotted"],
)
def test_lin_deals(deal: str) -> None:
    found = read(f"qx|o1|{deal}sv|o|pg||")
    assert found.format == "lin"
    assert rows(found) == [ONE]
    assert found.warnings == found.problems == ()


@pytest.mark.parametrize(("digit", "dealer"), [(1, "S"), (2, "W"), (3, "N"), (4, "E")])
def test_lin_dealer_digits(digit: int, dealer: str) -> None:
    assert read(f"qx|o1|{md(digit)}").boards[0].dealer.letter == dealer


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("o", "None"),
        ("O", "None"),
        ("0", "None"),
        ("-", "None"),
        ("", "None"),
        ("n", "NS"),
        ("e", "EW"),
        ("b", "All"),
        ("B", "All"),
    ],
)
def test_lin_vulnerability(text: str, value: str) -> None:
    assert read(f"qx|o2|{md(4)}sv|{text}|").boards[0].vulnerable.value == value


def test_lin_without_vulnerability_takes_that_of_the_number() -> None:
    assert rows(read(f"qx|o2|{md(4, HANDS_2)}")) == [TWO]


def test_lin_with_an_unknown_vulnerability() -> None:
    found = read(f"qx|o1|{md(3)}sv|x|")
    assert rows(found) == [ONE]
    assert told(found.warnings) == [
        "line 1, board 1: Vulnerability “x” is not known; taken from the board number."
    ]


@pytest.mark.parametrize(
    ("before", "after", "number"),
    [
        ("qx|o12|", "", 12),
        ("qx|c12|", "", 12),
        ("qx|o1,BOARD 7|", "", 7),
        ("", "rh||ah|Board 12|", 12),
        ("qx|o39|", "ah|Board 3|", 3),
        ("ah|Board 5|", "", 5),
        ("qx|o39|", "ah|Giv 5|", 5),
        ("qx|o7|", "rh||ah||", 7),
        ("qx|x|", "", 1),
        ("qx|o0|", "", 1),
    ],
)
def test_lin_numbers(before: str, after: str, number: int) -> None:
    assert [b.number for b in read(f"{before}{md(3)}{after}sv|o|").boards] == [number]


def test_lin_two_rooms_and_what_to_ignore() -> None:
    text = (
        "vg|Final,Segment 1,I,1,2,HOME,0,AWAY,0|\n"
        "rs|4SN=,4SN+1,,|\npw|a,b,c,d|mp|1,2|bn|1,2|\n"
        "pn|S,W,N,E,s,w,n,e|pg||\n"
        f"qx|o1|pn|a,b,c,d|st||{md(3)}sv|o|nt|!S is md the suit|an|x|mb|p|mb|p|mb|p|pc|SA|pg||\n"
        f"qx|c1|{md(3)}sv|o|sk|n|mc|10|tu|y|pg||\n"
        f"qx|o2|{md(4, HANDS_2)}\nsv|n|pg||\nqx|c2|{md(4, HANDS_2)}\nsv|n|pg||\n"
    )
    found = read(text)
    assert rows(found) == [ONE, TWO]
    assert found.warnings == found.problems == ()


def test_lin_hands_one_after_the_other_without_qx() -> None:
    text = "".join(
        f"pn|a,b,c,d|st||{deal}rh||ah|Board {n}|sv|{v}|mb|p|pg||\n"
        for n, v, deal in ((1, "o", md(3)), (2, "n", md(4, HANDS_2)))
    )
    assert rows(read(text)) == [ONE, TWO]


def test_lin_with_unfinished_auction_and_play() -> None:
    text = f"pn|a,b,c,d|st||{md(3)}rh||ah|Board 1|sv|o|mb|p|mb|p|mb|p|pg||pc|"
    assert rows(read(text)) == [ONE]
    assert rows(read(f"qx|o1|{md(3)}sv|o|mb|1n|an|15-17 !S|mb|p|pc|sa|pc|s2|mc|")) == [ONE]


def test_lin_without_any_number() -> None:
    found = read(f"{md(3)}sv|o|{md(4, HANDS_2)}sv|n|", first_board=1)
    assert rows(found) == [ONE, TWO]


@pytest.mark.parametrize(
    "address",
    [
        "https://www.example.org/bbo/handviewer.html?lin={}",
        "http://example.org/handviewer.html?bbo=y&lin={}&x=1",
    ],
)
def test_lin_handviewer_address(address: str) -> None:
    lin = quote_plus(f"pn|a,b,c,d|{md(3)}ah|Board 1|sv|o|")
    assert rows(read(address.format(lin))) == [ONE]


def test_lin_handviewer_fields() -> None:
    s, w, n, e = (hand.lower() for hand in HANDS)
    one = f"https://example.org/hv.html?n={n}&e={e}&s={s}&w={w}&d=n&v=-&b=1\n"
    s, w, n, e = (hand.lower() for hand in HANDS_2)
    two = f"https://example.org/hv.html?s={s}&w={w}&n={n}&d=e&v=n&b=2\n"
    found = read(one + two)
    assert found.format == "lin"
    assert rows(found) == [ONE, TWO]


def test_lin_partial_and_wrong_deals() -> None:
    found = read(f"qx|o1|md|3{HANDS[0]},,,|qx|o2|{md(4, HANDS_2)}")
    assert rows(found) == [TWO]
    assert [p.number for p in found.partial] == [1]
    found = read(f"qx|o1|{md(3)}\nqx|o2|\n{md(4, (HANDS_2[0], HANDS_2[0]), 2)}")
    assert rows(found) == [ONE]
    assert told(found.problems) == ["line 3, board 2: S5 is in two hands: South and West."]
    found = read(f"qx|o1|{md(3)}qx|o2|md|3a,b,c,d,e,f|")
    assert told(found.problems) == ["line 1, board 2: A deal has four hands, this one 6."]


def test_lin_written_as_readers_want_it() -> None:
    assert written("lin").split("\r\n")[1] == (
        "qx|o2|pn|South,West,North,East|st||md|4S532H854DQ43CKT62,SJT6HA92DK9765CJ9,"
        "SAKQ984HKQT7DCQ83,S7HJ63DAJT82CA754|rh||ah|Board 2|sv|n|pg||"
    )


# ---- RBN and RBX


def test_rbn_in_all_its_spellings() -> None:
    text = (
        "D 20260704\nT Title\nE Event\nB 1\n"
        "H W:872.83.A542.QJ84:AJ9.K9542.Q.AK93:K.QJ76.K98763.75:\n"
        "A NZ:1C1D\n1 a note\nP S2\n\n"
        "{a paragraph that says H N:x\nand goes on}\n"
        "N a+b:c+d:O\nA NZ:PPPP\n\n"
        "B 2:C\nH N:AKQ984.KQT7..Q83:7.J63.AJT82.A754:532.854.Q43.KT62:JT6.A92.K9765.J9\n"
        "A EN:\n"
    )
    for end in ("\n", "\r\n"):
        found = read(text.replace("\n", end))
        assert found.format == "rbn"
        assert rows(found) == [ONE, TWO]
        assert found.warnings == found.problems == ()


@pytest.mark.parametrize(
    ("auction", "dealer", "vulnerable"),
    [
        ("SE:", "S", "EW"),
        ("WB:P", "W", "All"),
        ("N?:P", "N", "None"),
        ("?N:P", "N", "NS"),
        ("1C P", "N", "None"),
        ("", "N", "None"),
    ],
)
def test_rbn_dealer_and_vulnerability(auction: str, dealer: str, vulnerable: str) -> None:
    found = read(f"B 1\nH {DEAL.replace(' ', ':')}\nA {auction}\n")
    assert [(b.dealer.letter, b.vulnerable.value) for b in found.boards] == [(dealer, vulnerable)]


def test_rbn_board_may_be_any_text_and_deals_partial() -> None:
    hands = DEAL.replace(" ", ":")
    found = read(f"B 7a\nH {hands}\n\nB Final\nH {OTHER.replace(' ', ':')}\n")
    assert [b.number for b in found.boards] == [7, 8]
    for part in ("N:AJ9.K9542.Q.AK93:", "N:AJ9.K9542.Q.AK93::x.x.x.x:", "N:AJ9.K9542.Q.AK93:;::"):
        found = read(f"B 1\nH {part}\n\nB 2\nH {OTHER.replace(' ', ':')}\n")
        assert [p.number for p in found.partial] == [1]
        assert rows(found) == [TWO]


def test_rbn_and_rbx_damage() -> None:
    wrong = DEAL.replace(" ", ":").replace("AJ9", "AJ8")
    found = read(f"B 1\nH {wrong}\n\nB 2\nH {OTHER[2:]}\n")
    assert told(found.problems) == [
        "line 2, board 1: S8 is in two hands: North and West.",
        f"line 5, board 2: A deal begins with its first seat, such as “N:”. Found: “{OTHER[2:42]}”",
    ]
    found = read("H{N:a:b:c:d:e:f}B{1}\n")
    assert told(found.problems) == ["line 1, board 1: A deal has four hands, this one 6."]
    found = read("H{N:a:b:c:}B{1}\nH{Q:a:}B{2}")
    assert len(found.problems) == 2


def test_rbn_and_rbx_written() -> None:
    assert written("rbn") == (
        "B 1\nH N:AJ9.K9542.Q.AK93:K.QJ76.K98763.75:QT6543.AT.JT.T62:\nA NZ:\n\n"
        "B 2\nH E:7.J63.AJT82.A754:532.854.Q43.KT62:JT6.A92.K9765.J9:\nA EN:\n"
    )
    rbx = written("rbx")
    assert rbx.split("\n")[1] == (
        "B{2}H{E:7.J63.AJT82.A754:532.854.Q43.KT62:JT6.A92.K9765.J9:}A{EN:}"
    )
    assert rows(read("%{a comment}\n" + rbx)) == [ONE, TWO]


# ---- CSV


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text,
        lambda text: text.replace('"', ""),
        lambda text: text.replace(",", ";"),
        lambda text: text.replace(",", "\t"),
        lambda text: text.replace(",", ", "),
        lambda text: "North S,North H,North D\r\n" + text,
        lambda text: text.replace('""', '"---"'),
        lambda text: text.replace('"T62"', '"1062"'),
        lambda text: text.replace("N/-", "N/None").replace("E/NS", "east/n-s"),
        lambda text: text.replace(',"N/-"', "").replace(',"E/NS"', ""),
        lambda text: text + "\r\n\r\n",
    ],
)
def test_csv_variants(change: object) -> None:
    found = read(change(written("csv")))  # type: ignore[operator]
    assert found.format == "csv"
    assert rows(found) == [ONE, TWO]
    assert found.problems == ()


def test_csv_number_with_a_strange_blank() -> None:
    found = read(written("csv").replace('"1",', '"1\x1c",'))
    assert rows(found) == [ONE, TWO]


def test_csv_damage() -> None:
    text = written("csv")
    found = read(text + '"A","K"\r\n' + text.replace('"AJ9"', '"AJX"').replace('"1"', '"3"'))
    assert told(found.problems) == [
        "line 3: A board needs 17 or 18 fields (16 holdings, number, dealer/vulnerability); this "
        "line has 2.",
        "line 4, board 3: The hand of North has “X”, which is no rank.",
    ]
    assert rows(found) == [ONE, TWO]
    # A quote that is never closed spoils its line only.
    found = read(text + '"never closed\r\n' + text)
    assert rows(found) == [ONE, TWO]
