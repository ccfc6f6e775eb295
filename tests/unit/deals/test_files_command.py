"""`predeal files show` and `files convert`, as a person and as a program call them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from controller.cli.main import main
from deals.files import read_deals_file
from tests.unit.deals.reading import DEAL, OTHER, game

BOARD_1 = """\
Board 1   North deals   vulnerable: none
                    ♠ A J 9
                    ♥ K 9 5 4 2
                    ♦ Q
                    ♣ A K 9 3
♠ 8 7 2                                 ♠ K
♥ 8 3                                   ♥ Q J 7 6
♦ A 5 4 2                               ♦ K 9 8 7 6 3
♣ Q J 8 4                               ♣ 7 5
                    ♠ Q 10 6 5 4 3
                    ♥ A 10
                    ♦ J 10
                    ♣ 10 6 2

"""


class Ran:
    """What one run of the program gave."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@pytest.fixture
def predeal(capsys: pytest.CaptureFixture[str]) -> Any:
    def run(*arguments: object) -> Ran:
        with pytest.raises(SystemExit) as ended:
            main(["files", *map(str, arguments)])
        out, err = capsys.readouterr()
        return Ran(int(ended.value.code or 0), out, err)

    return run


@pytest.fixture
def pbn(tmp_path: Path) -> Path:
    path = tmp_path / "set.pbn"
    path.write_text(game(1) + game(2, OTHER), "ascii")
    return path


# ---- show


def test_show_json(predeal: Any, samples: Path) -> None:
    ran = predeal("show", samples / "big-deal.dup", "--json")
    assert ran.code == 0
    assert ran.out.count("\n") == 1
    shown = ran.json
    assert shown["format"] == "dup"
    assert shown["boards"] == [
        {"board": 1, "dealer": "N", "vulnerable": "None", "deal": DEAL},
        {"board": 2, "dealer": "E", "vulnerable": "NS", "deal": OTHER},
    ]
    assert shown["warnings"] == shown["problems"] == []
    assert ran.err == ""


def test_show_diagrams(predeal: Any, pbn: Path) -> None:
    ran = predeal("show", pbn, "--boards", "1")
    assert (ran.code, ran.out, ran.err) == (0, BOARD_1, "")


def test_show_a_void_and_another_language(predeal: Any, pbn: Path) -> None:
    out = predeal("show", pbn, "--boards", "2", "--lang", "fi", "--colours", "4").out
    assert "♦ —" in out
    assert out.startswith("Jako 2   jakaja Itä   vaaravyöhyke: pohjoinen-etelä")


def test_show_a_hand_with_two_voids(predeal: Any, tmp_path: Path) -> None:
    path = tmp_path / "two.pbn"
    deal = "N:AKQJT98765432... .AKQJT98.J5.AJT9 .765432.AKQ2.KQ8 ..T987643.765432"
    path.write_text(game(1, deal), "ascii")
    assert predeal("show", path).out == (
        "Board 1   North deals   vulnerable: none\n"
        "                    ♠ A K Q J 10 9 8 7 6 5 4 3 2\n"
        "                    ♥ —\n                    ♦ —\n                    ♣ —\n"
        "♠ —                                     ♠ —\n"
        "♥ —                                     ♥ A K Q J 10 9 8\n"
        "♦ 10 9 8 7 6 4 3                        ♦ J 5\n"
        "♣ 7 6 5 4 3 2                           ♣ A J 10 9\n"
        "                    ♠ —\n                    ♥ 7 6 5 4 3 2\n"
        "                    ♦ A K Q 2\n                    ♣ K Q 8\n\n"
    )


def test_show_lines(predeal: Any, pbn: Path) -> None:
    assert predeal("show", pbn, "--view", "line").out == (
        f"   1 N None {DEAL}\n   2 E NS   {OTHER}\n"
    )


def test_show_problems_and_the_good_boards(predeal: Any, tmp_path: Path) -> None:
    path = tmp_path / "set.pbn"
    path.write_text(game(1, DEAL.replace("AJ9", "AJX")) + game(2, OTHER), "ascii")
    ran = predeal("show", path, "--json")
    assert ran.code == 1
    assert [board["board"] for board in ran.json["boards"]] == [2]
    assert ran.json["problems"] == [
        {
            "line": 2,
            "offset": None,
            "board": 1,
            "code": "deal.no_rank",
            "message": "The hand of North has “X”, which is no rank.",
        }
    ]
    assert ran.err == (
        f"predeal: {path}, line 2, board 1: The hand of North has “X”, which is no rank.\n"
    )


def test_show_a_clash_with_both_deals(predeal: Any, tmp_path: Path) -> None:
    path = tmp_path / "set.pbn"
    path.write_text(game(1) + game(1, OTHER), "ascii")
    ran = predeal("show", path, "--json")
    assert ran.code == 1
    assert [board["deal"] for board in ran.json["boards"]] == [DEAL, OTHER]
    assert "(line 2, line 5). Which is right?" in ran.json["problems"][0]["message"]


def test_show_first_board(predeal: Any, samples: Path) -> None:
    ran = predeal("show", samples / "big-deal.bri", "--json")
    assert [b["board"] for b in ran.json["boards"]] == [1, 2]
    assert "--first-board" in ran.json["warnings"][0]["message"]
    ran = predeal("show", samples / "big-deal.bri", "--first-board", "17", "--json")
    assert [(b["board"], b["vulnerable"]) for b in ran.json["boards"]] == [(17, "None"), (18, "NS")]
    assert ran.json["warnings"] == []
    ran = predeal("show", samples / "big-deal.dup", "--first-board", "17", "--json")
    assert [b["board"] for b in ran.json["boards"]] == [1, 2]
    assert "--first-board 17 ignored" in ran.json["warnings"][0]["message"]
    assert ran.code == 0


@pytest.mark.parametrize("name", ["none.pbn", "."])
def test_show_what_cannot_be_read(predeal: Any, tmp_path: Path, name: str) -> None:
    ran = predeal("show", tmp_path / name, "--json")
    assert ran.code == 1
    assert ran.json["format"] is None
    assert ran.json["boards"] == []
    assert str(tmp_path) in ran.json["problems"][0]["message"]
    assert ran.err.startswith("predeal: ")
    assert predeal("show", tmp_path / name).out == ""


def test_show_sealed(predeal: Any, samples: Path, tmp_path: Path) -> None:
    text = (samples / "big-deal.dlm").read_text("ascii")
    path = tmp_path / "sealed.dlm"
    sealed = text.replace("Status=Show", "Status=Sealed").replace("Checksum=3", "Checksum=2")
    path.write_text(sealed, "ascii")
    ran = predeal("show", path)
    assert (ran.code, ran.out) == (0, "")
    assert ran.err == (
        f"predeal: “{path}” is marked as sealed, so its hands are not shown (boards 1-2). "
        "--reveal shows them.\n"
    )
    assert predeal("show", path, "--reveal").out.startswith(BOARD_1)
    assert predeal("show", path, "--json").json["sealed"] is True


def test_show_boards_that_are_not_there(predeal: Any, pbn: Path) -> None:
    ran = predeal("show", pbn, "--boards", "2-4", "--view", "line")
    assert (ran.code, ran.out) == (1, f"   2 E NS   {OTHER}\n")
    assert ran.err == f"predeal: {pbn}: Not in this file, or not whole: 3-4.\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ("show",),
        ("show", "x", "--boards", "a"),
        ("show", "x", "--first-board", "0"),
        ("show", "x", "--view", "y"),
        ("convert", "x"),
        ("convert", "x", "out.xyz"),
        ("convert", "x", "out"),
        ("convert", "x", "out.pbn", "--to", "xyz"),
        ("convert", "x", "-", "--to", "pbn", "--json"),
    ],
)
def test_wrong_usage(predeal: Any, arguments: tuple[str, ...]) -> None:
    ran = predeal(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert "Error: " in ran.err


# ---- convert


def test_convert(predeal: Any, pbn: Path, tmp_path: Path) -> None:
    out = tmp_path / "set.dup"
    ran = predeal("convert", pbn, out)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == f"2 boards (1-2) written as DUP (Duplimate, old): {out}\n"
    assert read_deals_file(out).boards == read_deals_file(pbn).boards
    assert {path.name for path in tmp_path.iterdir()} == {"set.pbn", "set.dup"}


def test_convert_json_and_to(predeal: Any, pbn: Path, tmp_path: Path) -> None:
    out = tmp_path / "set"
    ran = predeal("convert", pbn, out, "--to", "BRI", "--json")
    assert ran.json == {
        "written": 2,
        "format": "bri",
        "dry_run": False,
        "warnings": [],
        "problems": [],
    }
    assert read_deals_file(out).format == "bri"


def test_convert_some_boards(predeal: Any, pbn: Path, tmp_path: Path) -> None:
    out = tmp_path / "set.bri"
    ran = predeal("convert", pbn, out, "--boards", "2", "--json")
    assert ran.json["written"] == 1
    assert "say --first-board 2" in ran.json["warnings"][0]["message"]


def test_convert_refuses_what_does_not_fit(predeal: Any, tmp_path: Path) -> None:
    path, out = tmp_path / "set.pbn", tmp_path / "set.dup"
    path.write_text(game(99) + game(100, OTHER), "ascii")
    ran = predeal("convert", path, out, "--json")
    assert ran.code == 1
    assert ran.json["written"] == 0
    assert "board 100 does not fit" in ran.json["problems"][0]["message"]
    assert not out.exists()
    assert predeal("convert", path, out, "--boards", "99").code == 0


def test_convert_refuses_a_file_with_problems(predeal: Any, tmp_path: Path) -> None:
    path, out = tmp_path / "set.pbn", tmp_path / "set.lin"
    path.write_text(game(1, "N:- - - -") + game(2, OTHER), "ascii")
    ran = predeal("convert", path, out)
    assert (ran.code, ran.out) == (1, "")
    assert ran.err == f"predeal: {path}, line 2, board 1: The deal has no cards at all.\n"
    assert not out.exists()
    assert predeal("convert", path, out, "--boards", "2").code == 0
    assert [b.number for b in read_deals_file(out).boards] == [2]
    assert predeal("convert", path, out, "--boards", "1-2").code == 1


def test_convert_dry_run(predeal: Any, pbn: Path, tmp_path: Path) -> None:
    out = tmp_path / "set.ber"
    ran = predeal("convert", pbn, out, "--dry-run")
    assert ran.out == f"Would write 2 boards (1-2) as BER (Bernasconi): {out}\n"
    assert not out.exists()
    assert predeal("convert", pbn, out, "--dry-run", "--json").json["written"] == 0


def test_convert_renumber(predeal: Any, tmp_path: Path) -> None:
    path = tmp_path / "training.pbn"
    path.write_text(game(1, OTHER) + game(1, more='[Dealer "S"]\n') + game(1, OTHER), "ascii")
    out = tmp_path / "new.pbn"
    assert predeal("convert", path, out).code == 1
    ran = predeal("convert", path, out, "--renumber", "5", "--json")
    assert (ran.code, ran.json["written"]) == (0, 2)
    found = read_deals_file(out)
    assert [(b.number, b.dealer.letter, b.deal.pbn()) for b in found.boards] == [
        (5, "N", OTHER),
        (6, "S", DEAL),
    ]
    assert out.read_text("ascii").count('[Board "5"]') == 2
    assert predeal("convert", path, tmp_path / "new.csv", "--renumber", "5").code == 0
    assert read_deals_file(tmp_path / "new.csv").boards == found.boards
    assert predeal("convert", path, out, "--renumber", "5", "--boards", "1").code == 2


def test_convert_pbn_to_pbn_loses_nothing(predeal: Any, tmp_path: Path) -> None:
    path, out = tmp_path / "in.pbn", tmp_path / "out.pbn"
    text = '%BoardsPerPage 18\n[Event "Zürich"]\n' + game(1) + '{x}\n[Room "C"]\n[Board "1"]\n'
    path.write_bytes(text.encode("latin-1"))
    assert predeal("convert", path, out).code == 0
    written = out.read_bytes()
    for kept in (b"%BoardsPerPage 18", "Zürich".encode("latin-1"), b"{x}", b'[Room "C"]'):
        assert kept in written
    path.write_bytes(text.encode("latin-1") + b"\n" + game(2, OTHER).encode())
    assert predeal("convert", path, out, "--boards", "1").code == 0
    assert b'[Room "C"]' in out.read_bytes()
    assert [b.number for b in read_deals_file(out).boards] == [1]
    assert out.read_bytes().count(b"[Board ") == 2


def test_convert_into_itself(predeal: Any, pbn: Path) -> None:
    before = pbn.read_bytes()
    ran = predeal("convert", pbn, pbn, "--to", "lin")
    assert ran.code == 1
    assert ran.err == f"predeal: “{pbn}” is the file that is read. Choose another name.\n"
    assert pbn.read_bytes() == before


def test_convert_where_nothing_can_be_written(predeal: Any, pbn: Path, tmp_path: Path) -> None:
    ran = predeal("convert", pbn, tmp_path / "none" / "out.lin")
    assert ran.code == 1
    assert str(tmp_path / "none") in ran.err


def test_convert_to_standard_output(pbn: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["files", "convert", str(pbn), "-", "--to", "json"])
    out, err = capfdbinary.readouterr()
    assert not ended.value.code
    assert json.loads(out)[0]["deal"] == DEAL
    assert b"2 boards (1-2) written" in err
