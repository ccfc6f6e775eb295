"""Other people's programs read what we write, and we read what they write (long run only).

endplay from PyPI reads PBN and LIN; Debian's `dealer` and `deal` deal hands of their own. What is
not installed is skipped: extra `check` of setup.cfg, packages dealer and deal.
"""

from __future__ import annotations

import random
import shutil
import subprocess
import warnings
from pathlib import Path
from typing import Any

import pytest

from deals.boards import Board, Vulnerability
from deals.cards import Seat
from deals.files import read_deals, write_deals
from deals.files.pbn_document import parse
from tests.unit.deals.reading import DEAL, game
from tests.unit.deals.strategies import shuffled

pytestmark = pytest.mark.long
VULNERABLE = {"none": "None", "ns": "NS", "ew": "EW", "both": "All"}


def endplay_parser(name: str) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return pytest.importorskip(f"endplay.parsers.{name}")


def marked(count: int) -> list[Board]:
    chance = random.Random(4)
    return [
        Board(n, chance.choice(list(Seat)), chance.choice(list(Vulnerability)), shuffled(n))
        for n in range(1, count + 1)
    ]


def facts(other: Any) -> tuple[int, str, str, str]:
    """Number, dealer, vulnerability and deal of a board of endplay's."""
    deal = other.deal.to_pbn()
    dealer = other.dealer.name[0].upper()
    return other.board_num, dealer, VULNERABLE[other.vul.name.lower()], deal


def ours(board: Board) -> tuple[int, str, str, str]:
    return board.number, board.dealer.letter, board.vulnerable.value, board.deal.pbn()


@pytest.mark.parametrize("name", ["pbn", "lin"])
def test_endplay_reads_what_we_write(name: str) -> None:
    boards = marked(200)
    text = write_deals(boards, name).data.decode("ascii").replace("\r\n", "\n")
    found = endplay_parser(name).loads(text)
    assert [facts(one) for one in found] == [ours(board) for board in boards]


@pytest.mark.parametrize("name", ["pbn", "lin"])
def test_we_read_what_endplay_writes(name: str) -> None:
    parser = endplay_parser(name)
    boards = marked(50)
    text = write_deals(boards, name).data.decode("ascii").replace("\r\n", "\n")
    again = parser.dumps(parser.loads(text))
    found = read_deals(again.encode(), "x")
    assert found.problems == ()
    assert [ours(board) for board in found.boards] == [ours(board) for board in boards]


def test_endplay_reads_our_export_of_a_rich_file(samples: Path) -> None:
    exported = parse((samples / "sixteen.pbn").read_bytes()).export().decode()
    found = endplay_parser("pbn").loads(exported.replace("\r\n", "\n"))
    truth = read_deals((samples / "sixteen.pbn").read_bytes(), "x").boards
    assert [facts(one) for one in found] == [ours(board) for board in truth]


def test_endplay_takes_an_illegal_deal_and_we_do_not() -> None:
    """Why there is a reader of our own: 14 cards in a hand went through without a word."""
    text = game(1, DEAL.replace("AJ9", "AKJ9"), '[Dealer "N"]\n[Vulnerable "None"]\n')
    assert len(endplay_parser("pbn").loads(text)) == 1
    assert [problem.code for problem in read_deals(text.encode(), "x").problems] == [
        "deal.card_in_two_hands"
    ]


def program(name: str) -> str:
    found = shutil.which(name) or shutil.which(f"/usr/games/{name}")
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


@pytest.mark.parametrize("action", ["printpbn", "printall", "printoneline", "printcompact"])
def test_output_of_dealer(action: str) -> None:
    run = subprocess.run(
        [program("dealer"), "-s", "7"],
        input=f"produce 40\naction {action}\n".encode(),
        capture_output=True,
        check=True,
    )
    found = read_deals(run.stdout, "x")
    assert found.problems == ()
    assert [board.number for board in found.boards] == list(range(1, 41))
    truth = subprocess.run(
        [program("dealer"), "-s", "7"],
        input=b"produce 40\naction printpbn\n",
        capture_output=True,
        check=True,
    )
    assert [b.deal for b in found.boards] == [b.deal for b in read_deals(truth.stdout, "x").boards]


@pytest.mark.parametrize("arguments", [["-l"], ["-i", "format/pbn"]])
def test_output_of_deal(arguments: list[str]) -> None:
    run = subprocess.run(
        [program("deal"), *arguments, "40"],
        capture_output=True,
        check=True,
        cwd="/usr/share/deal",
    )
    found = read_deals(run.stdout, "x")
    assert found.problems == ()
    assert len(found.boards) == 40
