"""JSON: ours, that of other programs, and damage named."""

from __future__ import annotations

import json

from deals.boards import Board
from deals.deal import Deal
from deals.files import write_deals
from tests.unit.deals.reading import DEAL, OTHER, read, rows, told

ONE = (1, "N", "None", DEAL)
TWO = (2, "E", "NS", OTHER)


def written(name: str) -> str:
    two = [Board.standard(1, Deal.from_pbn(DEAL)), Board.standard(2, Deal.from_pbn(OTHER))]
    return write_deals(two, name).data.decode("ascii")


def test_json_of_ours() -> None:
    assert json.loads(written("json")) == [
        {"board": 1, "dealer": "N", "vulnerable": "None", "deal": DEAL},
        {"board": 2, "dealer": "E", "vulnerable": "NS", "deal": OTHER},
    ]
    shown = {"format": "dup", "boards": json.loads(written("json")), "warnings": []}
    for indent in (None, 2):
        found = read(json.dumps(shown, indent=indent))
        assert (found.format, rows(found)) == ("json", [ONE, TWO])
    assert told(read("[]").problems) == ["No deals in this file."]


def test_json_of_others() -> None:
    solver = {
        "boards": [
            {"board": "1", "Dealer": "N", "Vulnerable": "None", "Deal": DEAL[2:].split(" ")},
            {"board": "2", "Dealer": "E", "Vulnerable": "NS", "Deal": OTHER[2:].split(" ")},
        ]
    }
    assert rows(read(json.dumps(solver))) == [ONE, TWO]
    live = []
    for number, dealer, vulnerable, deal in (
        (1, "North", "None", DEAL),
        (2, "East", "N-S", OTHER),
    ):
        item = {"board_number": number, "dealer": dealer, "vulnerability": vulnerable}
        for seat, hand in zip(("north", "east", "south", "west"), deal[2:].split(" "), strict=True):
            for suit, ranks in zip(
                ("spades", "hearts", "diamonds", "clubs"), hand.split("."), strict=True
            ):
                item[f"{seat}_{suit}"] = " ".join(ranks).replace("T", "10") or "-----"
        live.append(item)
    assert rows(read(json.dumps(live))) == [ONE, TWO]


def test_json_damage() -> None:
    text = written("json")
    found = read(text.replace(OTHER, OTHER.replace("AKQ", "AKJ")))
    assert told(found.problems) == ["line 3, board 2: SJ is in two hands: North and West."]
    found = read(text[:-40])
    assert rows(found) == [ONE]
    assert told(found.problems) == [
        "line 3: From here on this is no JSON; what follows was not read. Save the deals once more."
    ]
    found = read('[{"board": 1}, 5, {"deal": []}]')
    assert told(found.problems) == [
        'line 1, board 1: The object has no deal such as "deal": "N:AKQ.. ... ... ...".',
        "line 1: A board is an object with board, dealer, vulnerable and deal.",
        'line 1, board 2: The object has no deal such as "deal": "N:AKQ.. ... ... ...".',
    ]


def test_json_numbers_that_are_none() -> None:
    item = {"board": [1], "dealer": 5, "vulnerable": None, "deal": DEAL}
    assert rows(read(json.dumps([item]))) == [ONE]
