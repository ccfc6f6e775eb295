"""The mark TEACHING goes wherever a set goes: from file to file, on paper, into the daemon."""

from __future__ import annotations

import base64
import json
from functools import partial
from pathlib import Path

import pytest

from controller.api.files import FileRefusedError, read_request
from controller.api.models import DealRequest
from controller.cli.main import run
from controller.cli.output import Exit, Session
from deals import setcode
from deals.boards import Board
from deals.files import read_deals
from deals.teaching import Lesson, is_teaching, marked, write_teaching
from tests.unit.deals.strategies import shuffled
from tests.unit.records.page import pages

LESSON = Lesson('Τα σλεμ "για όλους"', {2: "Lead a trump.\nAlways.", 4: "Κράτα τον άσο."})
CONSTRAINT = "hcp(ns) > 32"
FOUR = [Board.standard(n, shuffled(n)) for n in (1, 2, 3, 4)]


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(setcode, "set_code", partial(setcode.set_code, cost=setcode.QUICK_COST))
    for name in ("pbn", "json"):
        Path(f"a.{name}").write_bytes(write_teaching(FOUR, name, CONSTRAINT, LESSON))


@pytest.fixture
def call(capsys):
    def call(*arguments: str) -> tuple[int, str, str]:
        code = run(list(arguments), Session())
        return code, *capsys.readouterr()

    return call


@pytest.mark.parametrize("source", ["pbn", "json"])
@pytest.mark.parametrize("target", ["pbn", "json"])
def test_conversion_keeps_mark_title_texts_and_constraint(call, source: str, target: str) -> None:
    assert call("files", "convert", f"a.{source}", f"b.{target}")[0] == Exit.DONE
    data = Path(f"b.{target}").read_bytes()
    assert is_teaching(data)
    found = marked(data, target)
    assert (found.constraint, found.lesson.title) == (CONSTRAINT, LESSON.title)
    told = {number: text.split() for number, text in found.lesson.texts.items() if text}
    assert told == {number: text.split() for number, text in LESSON.texts.items()}
    assert read_deals(data, "b").boards == tuple(FOUR)


def test_texts_go_with_their_boards(call) -> None:
    code, _, err = call("files", "convert", "a.pbn", "b.json", "--boards", "2-3")
    assert (code, err) == (Exit.DONE, "")
    assert [board["text"] for board in json.loads(Path("b.json").read_bytes())] == [
        "Lead a trump.\nAlways.",
        "",
    ]
    assert call("files", "convert", "a.json", "c.pbn", "--renumber", "11")[0] == Exit.DONE
    assert set(marked(Path("c.pbn").read_bytes(), "pbn").lesson.texts) == {12, 14}


@pytest.mark.parametrize("target", ["dup", "dlm", "lin", "bri", "csv", "rbn"])
def test_a_format_without_a_place_is_refused_unless_asked_for(call, target: str) -> None:
    code, _, err = call("files", "convert", "a.pbn", f"b.{target}")
    assert code == Exit.COULD_NOT
    assert f"a file of format {target} has no place for that mark" in err
    assert not Path(f"b.{target}").exists()
    code, _, err = call("files", "convert", "a.pbn", f"b.{target}", "--teaching")
    assert code == Exit.DONE
    assert f"{target} has no place for that mark: write it on the box" in err
    assert len(read_deals(Path(f"b.{target}").read_bytes(), "b").boards) == 4


def test_the_screen_says_it(call) -> None:
    assert call("files", "show", "a.pbn")[1].startswith("TEACHING: ")
    assert json.loads(call("files", "show", "a.json", "--json")[1])["teaching"] is True
    Path("b.json").write_text(call("files", "show", "a.pbn", "--json")[1])
    assert is_teaching(Path("b.json").read_bytes())


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig"])
def test_any_encoding_keeps_the_mark(encoding: str) -> None:
    text = Path("a.pbn").read_bytes().decode("utf-8")
    assert read_deals(text.encode(encoding), "a.pbn").teaching


@pytest.mark.parametrize(
    "arguments",
    [
        ("records",),
        ("records", "--large"),
        ("records", "--layout", "curtain"),
        ("records", "--layout", "traveller"),
        ("by-hand",),
        ("labels", "--box", "A"),
        ("labels", "--box", "A", "--for-box"),
    ],
)
@pytest.mark.parametrize(("lang", "mark"), [("en", "TEACHING"), ("fi", "OPETUS")])
def test_every_paper_says_it(call, arguments: tuple[str, ...], lang: str, mark: str) -> None:
    command, *options = arguments
    more = ["--no-double-dummy"] if command == "records" and "--layout" not in options else []
    code, _, err = call(command, "a.pbn", "-o", "a.pdf", "--lang", lang, *options, *more)
    assert code == Exit.DONE, err
    assert all(mark in page.text for page in pages(Path("a.pdf").read_bytes()))


def test_exports_say_it_or_are_not_made(call) -> None:
    code, _, err = call(
        "records", "a.pbn", "-o", "a.pdf", "--no-double-dummy", "--export", "x", "--event", "Class"
    )
    assert code == Exit.DONE
    assert "dup, dlm, lin has no place for the mark TEACHING" in err
    names = sorted(path.name for path in Path("x").iterdir())
    assert names == ["a-bridgewebs.pbn", "a.pbn", "predeal-set.json"]
    for name in names[:2]:
        assert b'[Event "TEACHING: Class"]' in Path("x", name).read_bytes()
        assert is_teaching(Path("x", name).read_bytes())


def test_the_daemon_wants_it_said() -> None:
    def wish(**values: object) -> DealRequest:
        file = base64.b64encode(Path("a.pbn").read_bytes())
        return DealRequest(owner="anna", name="a.pbn", file=file, **values)

    with pytest.raises(FileRefusedError, match="TEACHING set") as caught:
        read_request(wish())
    assert caught.value.code == "job.teaching"
    assert len(read_request(wish(teaching=True)).boards) == 4


def test_the_machine_wants_it_said(call) -> None:
    code, _, err = call("deal", "a.pbn", "--twin")
    assert (code, "deal it with --teaching" in err) == (Exit.COULD_NOT, True)
