"""The command `predeal records`: one JSON document, honest warnings, nothing half written."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest

from controller.cli.main import run
from controller.cli.output import Exit, Session
from deals import setcode
from deals.doubledummy import solver
from deals.doubledummy.cache import table_from
from tests.unit.records.page import pages

FILES = Path(__file__).parents[2] / "vectors" / "files"
SIXTEEN = str(FILES / "sixteen.dup")


@pytest.fixture(autouse=True)
def solved(monkeypatch, tmp_path) -> None:
    """A library and a set code that answer at once; the real ones have tests of their own."""
    monkeypatch.setattr(setcode, "set_code", partial(setcode.set_code, cost=setcode.QUICK_COST))
    monkeypatch.setenv("PREDEAL_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PREDEAL_STATE", str(tmp_path / "cache" / "state"))
    script = (
        "import sys\nfor line in sys.stdin: print('7676' * len(line.split()[2]), 9, flush=True)\n"
    )
    monkeypatch.setattr(solver, "_COMMAND", [solver.sys.executable, "-c", script])


@pytest.fixture
def records(capsys):
    def call(*arguments: str) -> tuple[int, dict, str]:
        code = run(["records", *arguments, "--json"], Session())
        out, err = capsys.readouterr()
        return code, json.loads(out) if out else {}, err

    return call


def test_the_document_and_the_page_name_the_set(records, tmp_path):
    out = tmp_path / "a.pdf"
    code, told, err = records(SIXTEEN, "-o", str(out), "--title", "Cup", "--event", "Final")
    assert (code, err) == (Exit.DONE, "")
    assert {name: told[name] for name in ("pages", "boards")} == {"pages": 1, "boards": 16}
    (page,) = pages(out.read_bytes())
    assert f"Set {told['set']}" in page.text
    assert "Cup" in page.text and "Final" in page.text
    assert "From file sixteen.dup, randomness not checked" in page.text
    assert page.text.count("Par N-S +") + page.text.count("Par E-W +") == 16


def test_a_part_carries_the_code_of_the_whole_set(records, tmp_path):
    whole = records(SIXTEEN, "-o", str(tmp_path / "a.txt"))[1]
    code, part, _ = records(SIXTEEN, "-o", str(tmp_path / "b.txt"), "--boards", "3-4")
    assert code == Exit.DONE
    assert (part["boards"], part["set"]) == (2, whole["set"])
    text = (tmp_path / "b.txt").read_text()
    assert "Board 3 " in text and "Board 4 " in text and "Board 5 " not in text


@pytest.mark.parametrize(("options", "count"), [((), 1), (("--large",), 4), (("--layout", "2"), 8)])
def test_layouts(records, tmp_path, options, count):
    out = tmp_path / "a.pdf"
    told = records(SIXTEEN, "-o", str(out), "--paper", "letter", *options)[1]
    found = pages(out.read_bytes())
    assert told["pages"] == len(found) == count
    assert (found[0].width, found[0].height) == (612, 792)


def test_words_and_letters(records, tmp_path):
    out = tmp_path / "a.txt"
    records(SIXTEEN, "-o", str(out), "--lang", "fi", "--seats", "NESW", "--ranks", "sv")
    text = out.read_text()
    assert "Jakaja N" in text and "Kn" in text
    assert "♥ E 5 3" in text
    records(SIXTEEN, "-o", str(out), "--ranks", "A,R,D,V", "--replaces", "2")
    assert "New deal: replaces the earlier one" in out.read_text()


def test_without_the_library_the_record_is_made_and_says_what_to_install(
    records, tmp_path, monkeypatch
):
    monkeypatch.setattr(solver, "_COMMAND", [solver.sys.executable, "-c", "print('missing')"])
    out = tmp_path / "a.txt"
    code, told, err = records(SIXTEEN, "-o", str(out))
    assert (code, told["boards"]) == (Exit.DONE, 16)
    assert "sudo apt install libdds0" in told["warnings"][0]
    assert "sudo apt install libdds0" in err
    assert "♥ A 5 3" in out.read_text() and "Par" not in out.read_text()


def test_a_board_that_takes_too_long_is_named(records, tmp_path, monkeypatch):
    script = "import os, signal\nos.kill(os.getpid(), signal.SIGALRM)\n"
    monkeypatch.setattr(solver, "_COMMAND", [solver.sys.executable, "-c", script])
    code, told, err = records(
        SIXTEEN, "-o", str(tmp_path / "a.txt"), "--boards", "7", "--limit-s", "5"
    )
    assert code == Exit.DONE
    assert "sixteen.dup, board 7: Its double dummy results take longer than 5 s" in err
    assert len(told["warnings"]) == 1


def test_the_second_time_nothing_is_solved(records, tmp_path, monkeypatch):
    records(SIXTEEN, "-o", str(tmp_path / "a.txt"))
    monkeypatch.setattr(solver, "_COMMAND", ["/nowhere"])
    code, told, _ = records(SIXTEEN, "-o", str(tmp_path / "b.txt"))
    assert (code, told["warnings"]) == (Exit.DONE, [])
    assert (tmp_path / "a.txt").read_bytes() == (tmp_path / "b.txt").read_bytes()
    key = tmp_path / "cache" / "doubledummy.key"
    assert key.stat().st_mode & 0o777 == 0o600
    assert table_from([7, 6] * 10).complete


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("-o", "a.doc"), Exit.WRONG_USAGE, "end the name in .pdf, .html, .txt or .pbn"),
        (("-o", "a.pdf", "--large", "--layout", "4"), Exit.WRONG_USAGE, "exclude each other"),
        (("-o", "a.pdf", "--seats", "NES"), Exit.WRONG_USAGE, "give 4 letters, such as NESW"),
        (("-o", "a.pdf", "--boards", "16-17"), Exit.COULD_NOT, "17"),
        (("-o", "/nowhere/a.pdf"), Exit.COULD_NOT, "No such file or directory"),
    ],
)
def test_what_cannot_be_is_told(records, tmp_path, monkeypatch, arguments, code, message):
    monkeypatch.chdir(tmp_path)
    found, _, err = records(SIXTEEN, *arguments)
    assert found == code
    assert message in err
    assert [path.name for path in tmp_path.iterdir() if path.name != "cache"] == []


def test_a_faulty_file_is_not_printed_and_the_document_says_what_is_wrong(tmp_path, capsys):
    bad, out = tmp_path / "bad.pbn", tmp_path / "out.pdf"
    deal = "N:AJ9.K9542.Q.AK93 K.QJ76.K98763.75 QT6543.AT.JT.T62 872.83.A542.QJ84"
    bad.write_text(f'[Board "1"]\n[Deal "{deal}"]\n\n[Board "2"]\n[Deal "{deal[:-1]}"]\n')
    asked = ["records", str(bad), "-o", str(out), "--no-double-dummy", "--json"]
    assert run(asked, Session()) == Exit.COULD_NOT
    told = capsys.readouterr()
    document = json.loads(told.out)
    assert (document["pages"], document["boards"]) == (0, 0)
    assert [(problem["line"], problem["board"]) for problem in document["problems"]] == [(5, 2)]
    assert "line 5, board 2" in told.err
    assert f"Nothing was printed. Mend {bad}, or choose boards that are right in it" in told.err
    assert not out.exists()


def test_the_deal_file_is_never_overwritten(records, tmp_path):
    file = tmp_path / "a.txt"
    file.write_bytes((FILES / "dds-list10.txt").read_bytes())
    code, _, err = records(str(file), "-o", str(file))
    assert code == Exit.COULD_NOT
    assert "is the deal file itself" in err
    assert file.read_bytes() == (FILES / "dds-list10.txt").read_bytes()


def test_exports_for_scoring_programs_in_the_same_step(records, tmp_path):
    folder = tmp_path / "scoring"
    arguments = (SIXTEEN, "-o", str(tmp_path / "thursday.pdf"), "--export", str(folder))
    code, told, err = records(*arguments, "--event", "Cup", "--site", "Club")
    assert (code, err) == (Exit.DONE, "")
    assert sorted(path.name for path in folder.iterdir()) == told["exported"]
    pbn = (folder / "thursday.pbn").read_bytes()
    assert b'[Event "Cup"]' in pbn and b'[Site "Club"]' in pbn and b"[OptimumScore " in pbn
    other = str(FILES / "big-deal.dup")
    code, told, err = records(other, *arguments[1:])
    assert code == Exit.DONE
    assert "now end in .old: " in told["warnings"][-1] + err
    assert (folder / "thursday.pbn.old").read_bytes() == pbn


def test_pbn_alone(records, tmp_path):
    out = tmp_path / "a.pbn"
    told = records(SIXTEEN, "-o", str(out), "--boards", "2-3")[1]
    assert told["boards"] == 2
    assert out.read_bytes().count(b"[OptimumResultTable ") == 2


def test_a_file_a_round(records, tmp_path):
    out = tmp_path / "a.txt"
    code, told, _ = records(SIXTEEN, "-o", str(out), "--rounds", "1-4/5-16", "--boards", "1-16")
    assert (code, told["boards"], told["pages"]) == (Exit.DONE, 16, 2)
    first, second = ((tmp_path / f"a-{number}.txt").read_text() for number in (1, 2))
    assert "Round 1" in first and "Board 4 " in first and "Board 5 " not in first
    assert "Round 2" in second and "Board 5 " in second and told["set"] in second
    assert not out.exists()


def test_a_board_in_two_rounds_is_refused(records, tmp_path):
    code, _, err = records(SIXTEEN, "-o", str(tmp_path / "a.txt"), "--rounds", "1-4/4-8")
    assert code == Exit.COULD_NOT
    assert "Boards 4 are in two rounds" in err


def test_uniform_is_said_only_of_a_proven_set(records, tmp_path, capsys):
    file, proof = tmp_path / "set.pbn", [tmp_path / "commitment", tmp_path / "secret"]
    make = [
        "generate",
        "--boards",
        "1-4",
        "-o",
        file,
        "--commit",
        proof[0],
        "--seed-file",
        proof[1],
    ]
    assert run([str(part) for part in make], Session()) == Exit.DONE
    capsys.readouterr()
    options = ("-o", str(tmp_path / "a.txt"), "--proof", *map(str, proof))
    code, _, err = records(str(file), *options)
    assert (code, err) == (Exit.DONE, "")
    assert "Computer dealt, uniform" in (tmp_path / "a.txt").read_text()
    code, _, err = records(SIXTEEN, *options)
    assert code == Exit.COULD_NOT
    assert "not the one that was committed to" in err
    records(str(file), "-o", str(tmp_path / "a.txt"), "--teaching")
    assert "TEACHING" in (tmp_path / "a.txt").read_text()
