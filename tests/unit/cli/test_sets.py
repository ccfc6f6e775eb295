"""`predeal set`, `store`, `logbook`, `box`: what a club does with its sets, and what it may not."""

from __future__ import annotations

import json
import re
import sqlite3
from pathlib import Path

import pytest

from controller.cli.main import run
from controller.cli.output import Exit, Session
from controller.cli.stores import open_beside
from controller.store import DealingState
from deals.boards import Board
from deals.files import write_deals
from deals.generate import Source
from deals.setcode import QUICK_COST, set_code
from tests.unit.store.support import quick_passphrases

PHRASE = "four words are long"
DIRECTOR = ("--passphrase-file", "phrase")


def boards(count: int = 4, name: str = "a"):
    deals = Source(b"secret" * 6, name).deals(range(1, count + 1))
    return [Board.standard(number, deal) for number, deal in enumerate(deals, 1)]


@pytest.fixture
def call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    """Calls the program; gives exit code, JSON and stderr. A set lies in a.pbn, Ann directs."""
    quick_passphrases(monkeypatch)
    monkeypatch.setattr("deals.setcode.set_code", lambda b: set_code(b, QUICK_COST))
    monkeypatch.setenv("PREDEAL_STATE", str(tmp_path / "state"))
    monkeypatch.delenv("PREDEAL_PASSPHRASE", raising=False)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "phrase").write_text(PHRASE)
    (tmp_path / "a.pbn").write_bytes(write_deals(boards(), "pbn").data)

    def called(*arguments: str):
        code = run([*arguments, "--json"], Session())
        out, err = capsys.readouterr()
        return code, json.loads(out) if out else None, err

    assert called("director", "set", "Ann", *DIRECTOR)[0] == Exit.DONE
    return called


@pytest.fixture
def code(call) -> str:
    """The code of the set that is kept."""
    return call("set", "import", "a.pbn", "--event", "Friday")[1]["set"]


def test_a_set_is_kept_once(call, code):
    again = call("set", "import", "a.pbn")[1]
    assert (again["set"], again["new"], again["warnings"]) == (code, False, [])
    (listed,) = call("set", "list")[1]
    assert (listed["set"], listed["boards"], listed["live"], listed["event"]) == (
        code,
        4,
        True,
        "Friday",
    )


def test_the_file_may_change_afterwards(call, code, tmp_path):
    (tmp_path / "a.pbn").unlink()
    assert call("set", "export", code, "-o", "b.pbn", *DIRECTOR)[0] == Exit.DONE
    assert (tmp_path / "b.pbn").read_bytes() == write_deals(boards(), "pbn").data


def test_hands_of_a_live_set_need_the_director(call, code):
    shown, err = call("set", "show", code)[1:]
    assert "hands" not in shown
    for command in (("show", code, "--reveal"), ("export", code, "-o", "b.pbn")):
        result, told, err = call("set", *command)
        assert (result, told["error"]["code"]) == (Exit.COULD_NOT, "director.no_passphrase")
        assert not Path("b.pbn").exists()
    hands = call("set", "show", code, "--reveal", *DIRECTOR)[1]["hands"]
    assert [hand["deal"] for hand in hands] == [board.deal.pbn() for board in boards()]
    assert call("logbook", "show", "--last", "1")[1][0]["details"]["purpose"] == "hands shown"
    assert boards()[0].deal.pbn() not in err


def test_hands_of_an_ended_set_are_open(call, code):
    assert call("set", "end", code)[0] == Exit.COULD_NOT
    assert call("set", "end", code, *DIRECTOR)[1]["live"] is False
    assert len(call("set", "show", code, "--reveal")[1]["hands"]) == 4
    assert call("set", "list", "--live")[1] == []


def test_retiring_a_set_shows_no_hands(call, code):
    assert call("set", "retire", code, "--reason", "torn")[1]["retired"] is True
    assert call("set", "show", code, "--reveal")[0] == Exit.COULD_NOT


def test_a_sealed_set_stays_closed_after_its_play(call, code):
    assert call("set", "seal", code)[0] == Exit.COULD_NOT
    assert call("set", "seal", code, *DIRECTOR)[1]["sealed"] is True
    call("set", "end", code, *DIRECTOR)
    assert call("set", "show", code, "--reveal")[0] == Exit.COULD_NOT
    assert len(call("set", "show", code, "--reveal", *DIRECTOR)[1]["hands"]) == 4


def test_a_set_is_sealed_at_its_import(call):
    told = call("set", "import", "a.pbn", "--seal", *DIRECTOR)[1]
    assert (told["sealed"], told["new"]) == (True, True)
    assert call("set", "import", "a.pbn")[1]["new"] is False


def test_the_mark_of_a_dlm_file_is_a_hint_only(call, tmp_path):
    data = write_deals(boards(), "dlm").data
    for old, new in ((b"Status=Show", b"Status=Sealed"), (b"Checksum=5", b"Checksum=4")):
        assert old in data
        data = data.replace(old, new)
    (tmp_path / "a.dlm").write_bytes(data)
    code, told, _ = call("set", "import", "a.dlm")
    assert (code, told["sealed"]) == (Exit.DONE, False)
    (warning,) = told["warnings"]
    assert f"predeal set seal {told['set']}" in warning


def test_deals_of_another_set_are_told_by_edition(call, code, tmp_path):
    mixed = [*boards()[:1], *boards(4, "b")[1:]]
    (tmp_path / "b.pbn").write_bytes(write_deals(mixed, "pbn").data)
    assert call("set", "import", "b.pbn")[1]["warnings"] == []  # kept, but never dealt
    with open_beside(tmp_path / "state") as store:
        dealing = store.journal.open_board(
            store.sets.find(code).id, 1, 1, profile="standard", design="a"
        )
        store.journal.close_board(dealing, DealingState.PROVEN)
    (warning,) = call("set", "import", "b.pbn")[1]["warnings"]
    assert warning.startswith(f"Board 1 is the deal of board 1 of “Friday ({code})”")
    assert call("set", "import", "b.pbn", "--replay")[1]["warnings"] == []


def test_a_file_with_faults_is_not_kept(call, tmp_path):
    text = write_deals(boards(), "pbn").data.decode().replace(boards()[0].deal.pbn(), "N:A", 1)
    (tmp_path / "bad.pbn").write_text(text)
    code, told, _ = call("set", "import", "bad.pbn")
    assert (code, told["set"]) == (Exit.COULD_NOT, None)
    assert call("set", "list")[1] == []


def test_a_backup_and_its_key_bring_the_sets_to_another_place(call, code):
    told = call("store", "backup", "copy.db", "--key-file", "copy.key")[1]
    assert (told["ok"], told["sets"], told["boards"], told["key"]) == (True, 1, 4, "copy.key")
    told = call("store", "restore", "copy.db", "--key-file", "copy.key", "--state", "new")[1]
    assert (told["ok"], told["old"]) == (True, None)
    assert call("set", "list", "--state", "new")[1][0]["set"] == code
    Path("wrong.key").write_bytes(bytes(32))
    Path("wrong.key").chmod(0o600)
    result, told, err = call(
        "store", "restore", "copy.db", "--key-file", "wrong.key", "--state", "other"
    )
    assert (result, told["error"]["code"]) == (Exit.COULD_NOT, "store.key_wrong")
    assert "is not the one that this store was sealed with" in err


def test_a_changed_logbook_is_told_with_its_row(call, code):
    told = call("logbook", "check")[1]
    assert (told["ok"], told["broken"]) == (True, [])
    head = f"{told['entries']}:{told['head'][:16]}"
    assert call("logbook", "check", "--head", head)[1]["head_fits"] is True
    database = sqlite3.connect("state/predeal.db")
    with database:
        database.execute("DROP TRIGGER logbook_no_update")
        database.execute("UPDATE logbook SET actor = 'Eve' WHERE number = 1")
    database.close()
    result, told, err = call("logbook", "check")
    assert (result, told["ok"], told["broken"]) == (Exit.COULD_NOT, False, [2])
    assert "changed or cut at row 2" in err
    assert call("store", "check")[0] == Exit.COULD_NOT
    assert call("logbook", "check", "--head", f"{told['entries']}:{'0' * 16}")[0] == Exit.COULD_NOT
    assert call("logbook", "check", "--head", "17")[1]["error"]["code"] == "logbook.bad_head"


def test_no_store_is_made_by_asking(call, tmp_path):
    for command in (("set", "list"), ("store", "check"), ("logbook", "show"), ("box", "list")):
        code, told, _ = call(*command, "--state", "none")
        assert (code, told["error"]["code"]) == (Exit.COULD_NOT, "store.not_there")
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize("name", ["r.txt", "r.html", "r.pdf"])
def test_the_head_of_the_logbook_is_on_each_record(call, code, name):
    call("set", "end", code, *DIRECTOR)
    assert call("records", code, "-o", name, "--no-double-dummy")[0] == Exit.DONE
    if name.endswith("pdf"):
        import pypdfium2

        with pypdfium2.PdfDocument(name) as document:
            printed = " ".join(page.get_textpage().get_text_range() for page in document)
    else:
        printed = Path(name).read_text("utf-8")
    (head,) = set(re.findall(r"Logbook (\d+:[0-9A-F-]{19})", printed))
    assert call("logbook", "check", "--head", head)[1]["head_fits"] is True
    assert call("logbook", "check", "--head", "1" + head)[1]["head_fits"] is False


def test_a_record_of_a_user_without_a_store_has_no_head(call, monkeypatch):
    monkeypatch.setenv("PREDEAL_STATE", "none")
    assert call("records", "a.pbn", "-o", "r.txt", "--no-double-dummy")[0] == Exit.DONE
    assert "Logbook" not in Path("r.txt").read_text("utf-8")


def test_the_logbook_is_read_by_people(call, code, capsys):
    with open_beside(None) as store:
        store.logbook.append("tried", {"boards": [1, 2, 3, 7], "void": ["A", "B"], "none": []})
    assert run(["logbook", "show", "--last", "1"], Session()) == Exit.DONE
    assert capsys.readouterr().out.rstrip().endswith("boards 1-3, 7  none -  void A, B")


def test_who_gave_the_passphrase_is_not_told_to_wait(call, code):
    asked = ("records", code, "-o", "r.txt", "--no-double-dummy")
    assert "the director’s until play has ended" in call(*asked)[2]
    assert call(*asked, *DIRECTOR)[2] == ""


# -- by its code in place of a file ------------------------------------------------------------


def purposes(call) -> list[str]:
    """For what the director was asked, in order."""
    rows = call("logbook", "show")[1]
    return [row["details"]["purpose"] for row in rows if row["what"] == "director entered"]


def test_a_kept_set_is_shown_and_converted_by_its_code(call, code, tmp_path):
    (tmp_path / "a.pbn").unlink()
    assert call("files", "show", code)[0] == Exit.COULD_NOT  # live: the director's
    assert call("files", "convert", code, "b.dup")[0] == Exit.COULD_NOT
    assert not (tmp_path / "b.dup").exists()
    done, shown, _ = call("files", "show", code, *DIRECTOR)
    assert (done, shown["set"], shown["problems"]) == (Exit.DONE, code, [])
    assert [board["deal"] for board in shown["boards"]] == [board.deal.pbn() for board in boards()]
    done, told, _ = call("files", "convert", code.lower(), "b.dup", "--boards", "2-3", *DIRECTOR)
    assert (done, told["written"]) == (Exit.DONE, 2)
    plain = call("files", "show", "b.dup", *DIRECTOR)[1]
    assert [board["deal"] for board in plain["boards"]] == [
        board.deal.pbn() for board in boards()[1:3]
    ]
    assert purposes(call)[-3:] == ["hands shown", "hands written", "hands shown"]


def test_a_sealed_set_is_shown_by_its_code_to_the_director_and_asked_once(call, code):
    assert call("set", "seal", code, *DIRECTOR)[0] == Exit.DONE
    assert call("files", "show", code)[0] == Exit.COULD_NOT
    done, shown, _ = call("files", "show", code, "--boards", "4", *DIRECTOR)
    assert (done, [board["board"] for board in shown["boards"]]) == (Exit.DONE, [4])
    assert purposes(call) == ["set sealed", "hands shown"]


def test_a_set_whose_play_has_ended_is_shown_by_its_code_to_anybody(call, code):
    assert call("set", "end", code, *DIRECTOR)[0] == Exit.DONE
    assert call("files", "show", code)[0] == Exit.DONE
    assert call("set", "retire", code, "--reason", "torn")[0] == Exit.DONE
    assert call("files", "show", code)[0] == Exit.DONE  # it may still be looked up


def test_what_is_neither_file_nor_set_is_told(call, code):
    done, _, err = call("files", "show", "KPW-3AA-AAA")
    assert done == Exit.COULD_NOT
    assert call("files", "show", code, "--first-board", "3")[0] == Exit.COULD_NOT
    done, told, err = call("files", "show", "nowhere.pbn")
    assert (done, told["format"]) == (Exit.COULD_NOT, None)
    assert "nowhere.pbn" in err
