"""The main job as a user runs it: a real file, real images, the command line's own JSON."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import cv2
import pytest
from room import SIXTEEN, boards

from controller.cli.main import run
from controller.cli.output import Session
from controller.jobs.deal import DealJob
from controller.jobs.results import BoardResult
from deals.boards import Board
from deals.cards import CARDS, Card, Seat
from deals.teaching import write_teaching
from vision.design import load, save
from vision.synthetic import art


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's folder of designs that holds the default, as setting up has taught it."""
    taught, designs = load("standard"), tmp_path / "designs"
    monkeypatch.setenv("PREDEAL_DESIGNS", str(designs))
    save(taught, designs)
    return tmp_path


class Terminal:
    """Runs commands as the program does and takes what they print."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *arguments: object) -> tuple[int, Any, str]:
        """Exit code, the JSON document on stdout, and stderr."""
        code = run([str(argument) for argument in arguments], Session())
        printed = self._capsys.readouterr()
        return int(code), json.loads(printed.out), printed.err


@pytest.fixture
def predeal(home: Path, capsys: pytest.CaptureFixture[str]) -> Terminal:
    """The command line of a user who has the default design."""
    return Terminal(capsys)


def hands(number: int) -> dict[str, str]:
    board = next(board for board in boards() if board.number == number)
    return {seat.name: board.deal.hand_pbn(seat) for seat in Seat}


def test_a_real_file_is_dealt_card_by_card_and_proven(predeal: Terminal) -> None:
    code, told, _ = predeal("deal", SIXTEEN, "--twin", "--boards", "1-2", "--json")
    assert code == 0
    assert told["summary"] == {"proven": 2, "mended": 0, "stopped": 0}
    for board in told["boards"]:
        assert board["proven"] and board["cards"] == 52
        assert board["pockets"] == dict.fromkeys("NESW", 13)
        contents = board["contents"]
        assert {seat: contents[seat] for seat in "NESW"} == hands(board["board"])
        assert (contents["tray"], contents["belt"], contents["hopper"]) == ([], [], 0)
        assert board["machine_s"] <= 1.02 * told["mechanical_limit_s"]


@pytest.mark.parametrize("after", [b"[Board 1]", None], ids=["rewritten", "deleted"])
def test_a_file_that_is_changed_while_its_board_is_dealt_changes_nothing(
    after: bytes | None, predeal: Terminal, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is read once; that it is another by now is told."""
    file = home / "evening.dup"
    file.write_bytes(SIXTEEN.read_bytes())
    deals = DealJob._deal

    def changed_meanwhile(job: DealJob, board: Board, result: BoardResult) -> None:
        if after is None:
            file.unlink()
        else:
            file.write_bytes(after)
        deals(job, board, result)

    monkeypatch.setattr(DealJob, "_deal", changed_meanwhile)
    code, told, problem = predeal("deal", file, "--twin", "--boards", "1", "--json")
    assert code == 0
    contents = told["boards"][0]["contents"]
    assert {seat: contents[seat] for seat in "NESW"} == hands(1)
    (warning,) = told["warnings"]
    assert "What was dealt is what it held at the start" in warning
    assert "What was dealt is what it held at the start" in problem


def test_readings_follow_the_picture(predeal: Terminal, tmp_path: Path) -> None:
    """Two pictures exchanged on the simulated cards exchange those two cards in the pockets."""
    deck = tmp_path / "deck"
    deck.mkdir()
    for card in CARDS:
        cv2.imwrite(str(deck / f"{card}.png"), art.face("standard", card))
    ace, two = deck / "SA.png", deck / "H2.png"
    shutil.move(ace, tmp_path / "kept.png")
    shutil.move(two, ace)
    shutil.move(tmp_path / "kept.png", two)
    code, told, _ = predeal("deal", SIXTEEN, "--twin", "--boards", 1, "--deck-art", deck, "--json")
    assert code == 0
    swapped = {"SA": "H2", "H2": "SA"}
    contents = told["boards"][0]["contents"]
    board = boards()[0]
    for seat in Seat:
        wanted = [Card.parse(swapped.get(str(card), str(card))) for card in board.deal.hand(seat)]
        held = [
            Card.parse(suit + rank)
            for suit, ranks in zip("SHDC", contents[seat.name].split("."), strict=True)
            for rank in ranks
        ]
        assert sorted(held) == sorted(wanted)


def test_a_design_that_was_not_taught_is_not_dealt(predeal: Terminal) -> None:
    code, told, error = predeal("deal", SIXTEEN, "--twin", "--design", "club", "--json")
    assert (code, told["error"]["code"]) == (1, "vision.no_design")
    assert "There is no design club" in error


def test_other_cards_than_the_design_are_not_dealt(predeal: Terminal, tmp_path: Path) -> None:
    deck = tmp_path / "deck"
    deck.mkdir()
    for card in CARDS:
        cv2.imwrite(str(deck / f"{card}.png"), art.face("jumbo", card))
    code, told, _ = predeal("deal", SIXTEEN, "--twin", "--boards", 1, "--deck-art", deck, "--json")
    assert code == 3
    assert not told["boards"][0]["proven"]
    assert told["boards"][0]["cards"] < 13


ILLEGAL = {
    "a card twice": "AKQJ.AKQ.AKQ.AKQ T987.JT9.JT9.JT9 AKQJ.876.876.876 6543.5432.5432.54",
    "fourteen cards": "AKQJT.AKQ.AKQ.AKQ 987.JT9.JT9.JT9 6543.876.876.876 2.5432.5432.5432",
    "twelve cards": "AKQ.AKQ.AKQ.AKQ JT98.JT9.JT9.JT9 7654.876.876.876 32.5432.5432.5432",
}


@pytest.mark.parametrize("wrong", sorted(ILLEGAL))
def test_an_illegal_deal_moves_no_motor(
    predeal: Terminal, tmp_path: Path, wrong: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    import controller.twin.session as session

    def started(*_: object, **__: object) -> None:
        raise AssertionError("the machine was switched on")

    monkeypatch.setattr(session, "TwinSession", started)
    file = tmp_path / "bad.pbn"
    file.write_text(f'[Board "7"]\n[Deal "N:{ILLEGAL[wrong]}"]\n')
    code, told, error = predeal("deal", file, "--twin", "--json")
    assert code == 1
    assert told["boards"] == [] and told["problems"]
    assert (told["problems"][0]["board"], told["problems"][0]["line"]) == (7, 2)
    assert "Nothing was dealt and nothing moved." in error


def test_a_teaching_set_is_not_dealt_for_normal_play(predeal: Terminal, tmp_path: Path) -> None:
    file = tmp_path / "lesson.pbn"
    file.write_bytes(write_teaching(boards()[:2], "pbn", "hcp(N) >= 12"))
    code, told, error = predeal("deal", file, "--twin", "--json")
    assert (code, told["error"]["code"]) == (1, "job.teaching")
    assert "Law 6E4" in error
    code, told, _ = predeal("deal", file, "--twin", "--teaching", "--json")
    assert (code, told["summary"]["proven"]) == (0, 2)


def test_a_missing_file_is_one_clear_sentence(predeal: Terminal) -> None:
    code, told, error = predeal("deal", "nowhere.dup", "--twin", "--json")
    assert code == 1
    assert told["error"]["code"].startswith("file.")
    assert "nowhere.dup" in error


def test_a_trace_holds_wire_pins_and_images(predeal: Terminal, tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    code, _, _ = predeal("deal", SIXTEEN, "--twin", "--boards", 1, "--trace", trace, "--json")
    assert code == 0
    kinds = {path.suffix for path in trace.rglob("*") if path.is_file()}
    assert ".png" in kinds
    assert len(list(trace.rglob("*.png"))) >= 104
