"""`predeal design teach --from` and `propose --from`: what lies in the folder and is not taught from is told."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import pytest

from controller.cli.main import run
from controller.cli.output import Exit, Session
from deals.cards import Card
from vision.synthetic import art


@pytest.fixture
def call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    """Calls `predeal design`; gives exit code, stdout and stderr."""
    monkeypatch.setenv("PREDEAL_DESIGNS", str(tmp_path / "designs"))

    def called(*arguments: str):
        code = run(["design", *arguments, "--json"], Session())
        return code, *capsys.readouterr()

    return called


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "cards"
    made.mkdir()
    for name in ("ace_of_spades.png", "10h.png", "joker.png", "back-1.png"):
        cv2.imwrite(str(made / name), art.face("standard", Card.parse("SA")))
    (made / "H2.heic").write_bytes(b"\0\0\0\x18ftypheic")
    return made


def test_pictures_that_are_not_used_are_named(call, folder):
    code, out, err = call("teach", "club", "--from", str(folder))
    told = json.loads(out)
    assert (code, told["cards"]) == (Exit.COULD_NOT, 2)
    assert [note["code"] for note in told["notes"]] == ["teach.unnamed", "teach.other_kinds"]
    assert "back-1.png, joker.png" in err
    assert "H2.heic" in err


def test_a_folder_of_a_telephones_own_kind_says_so(call, folder):
    for path in folder.glob("*.png"):
        path.unlink()
    code, _, err = call("teach", "club", "--from", str(folder))
    assert code == Exit.COULD_NOT
    assert "H2.heic" in err
    assert "Save them as PNG or JPEG" in err


def test_a_proposal_says_which_pictures_it_left_out(call, folder, tmp_path):
    code, out, err = call("propose", str(tmp_path / "out"), "--from", str(folder))
    assert (code, json.loads(out)["cards"]) == (Exit.DONE, 4)
    assert "H2.heic" in err
