"""`predeal lesson`: four deals for nine tables, other boards, other seats, texts, the mark."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from controller.cli.main import run
from controller.cli.output import Exit, Session
from controller.cli.writing import write_private
from deals.boards import Board
from deals.cards import Seat
from deals.files import read_deals_file, write_deals
from deals.teaching import is_teaching
from tests.unit.deals.strategies import shuffled

FOUR = [Board.standard(n, shuffled(n)) for n in (1, 2, 3, 4)]


@pytest.fixture
def call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("four.dup").write_bytes(write_deals(FOUR, "dup").data)

    def call(*arguments: str) -> tuple[int, dict, str]:
        code = run(["lesson", *arguments, "--json"], Session())
        out, err = capsys.readouterr()
        return code, json.loads(out) if out else {}, err

    return call


def test_four_deals_for_nine_tables(call) -> None:
    Path("notes.txt").write_text("2: Lead a trump.\nAlways.\n\n4: Duck.\n")
    code, made, _ = call("four.dup", "c.pbn", "--copies", "9", "--text", "notes.txt")
    assert (code, made["boards"], made["numbers"]) == (Exit.DONE, 36, "1-36")
    assert made["origin"]["34"] == 2
    content = Path("c.pbn").read_bytes()
    assert is_teaching(content)
    assert content.count(b"{Lead a trump.\nAlways.}") == 9
    found = read_deals_file(Path("c.pbn")).boards
    assert [(b.dealer, b.vulnerable, b.deal) for b in found] == [
        (b.dealer, b.vulnerable, b.deal) for b in FOUR * 9
    ]


def test_boards_that_fit(call) -> None:
    code, made, _ = call("four.dup", "c.pbn", "--copies", "2", "--fit", "1-32", "--rotate", "1")
    assert code == Exit.DONE
    found = read_deals_file(Path("c.pbn")).boards
    assert len(found) == 8
    assert all(board.is_standard for board in found)
    for board in found:
        deal = FOUR[made["origin"][str(board.number)] - 1].deal
        assert [board.deal.hand(s.next(1)) for s in Seat] == [deal.hand(s) for s in Seat]
    code, told, _ = call("four.dup", "c.pbn", "--copies", "3", "--fit", "1-32")
    assert (code, told["error"]["code"]) == (Exit.COULD_NOT, "teaching.no_fit")


def test_some_deals_and_another_first_board(call) -> None:
    made = call("four.dup", "c.json", "--boards", "2,4", "--first", "17")[1]
    assert made["origin"] == {"17": 2, "18": 4}
    assert is_teaching(Path("c.json").read_bytes())


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("four.dup", "c.dup"), "teaching.no_place"),
        (("four.dup", "c.pbn", "--boards", "7"), "teaching.not_there"),
        (("four.dup", "c.pbn", "--text", "notes.txt"), "teaching.text_without_board"),
    ],
)
def test_refusals(call, arguments: tuple[str, ...], code: str) -> None:
    Path("notes.txt").write_text("Lead a trump.\n")
    exit_code, told, _ = call(*arguments)
    assert (exit_code, told["error"]["code"]) == (Exit.COULD_NOT, code)
    assert not Path(arguments[1]).exists()


def test_for_a_person(call, capsys) -> None:
    assert run(["lesson", "four.dup", "c.pbn"], Session()) == Exit.DONE
    out, err = capsys.readouterr()
    assert out == "Boards 1-4 are in c.pbn, marked TEACHING.\n"
    assert err.startswith("predeal: TEACHING: this set is marked")


def test_half_a_file_is_never_there(tmp_path: Path) -> None:
    target = tmp_path / "a.pbn"
    write_private(target, b"old")
    with pytest.raises(TypeError):
        write_private(target, "no bytes")  # type: ignore[arg-type]
    assert target.read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["a.pbn"]
    with pytest.raises(OSError, match="missing/a"):
        write_private(Path("missing/a"), b"")
