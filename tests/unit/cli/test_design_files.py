"""`predeal design export` and `import`: a taught design goes to another machine, whole or not at all."""

from __future__ import annotations

import io
import json
from pathlib import Path

import numpy as np
import pytest

from controller.cli.main import run
from controller.cli.output import Exit, Session
from tests.unit.vision.test_files import some_design
from vision.design import load, save


@pytest.fixture
def call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    """Calls the program; gives exit code, JSON and stderr. The user's designs lie in `designs`."""
    monkeypatch.setenv("PREDEAL_DESIGNS", str(tmp_path / "designs"))
    monkeypatch.chdir(tmp_path)
    save(some_design(), tmp_path / "designs")

    def called(*arguments: str):
        code = run(["design", *arguments, "--json"], Session())
        out, err = capsys.readouterr()
        return code, json.loads(out), err

    return called


def test_what_was_exported_is_the_design_elsewhere(call, tmp_path, monkeypatch):
    here = load(some_design().name)
    assert call("export", here.name, "-o", "any name.npz")[0] == Exit.DONE
    monkeypatch.setenv("PREDEAL_DESIGNS", str(tmp_path / "elsewhere"))
    code, told, _ = call("import", "any name.npz", "--as", "club")
    assert (code, told["design"]) == (Exit.DONE, "club")
    there = load("club")
    assert (there.limits, there.frame) == (here.limits, here.frame)
    assert np.array_equal(there.model.means, here.model.means)


def test_a_design_is_not_replaced_unasked(call):
    name = some_design().name
    call("export", name, "-o", ".")
    file = f"{name}.design.npz"
    code, told, err = call("import", file)
    assert (code, told["error"]["code"]) == (Exit.COULD_NOT, "vision.name_taken")
    assert "--replace" in err
    assert call("import", file, "--replace")[0] == Exit.DONE


def _without(array: str) -> bytes:
    """The design's file with one card less in *array*, or a figure that is none."""
    held = dict(np.load(Path("x.npz"), allow_pickle=False))
    held[array] = held[array][:-1] if array != "centre" else held[array] * np.float32("nan")
    data = io.BytesIO()
    np.savez_compressed(data, **held)
    return data.getvalue()


@pytest.mark.parametrize("array", ["means", "pictures", "zone", "centre"])
def test_a_file_whose_parts_do_not_fit_is_not_kept(call, tmp_path, array):
    call("export", some_design().name, "-o", "x.npz")
    (tmp_path / "bad.npz").write_bytes(_without(array))
    code, told, _ = call("import", "bad.npz", "--as", "bad")
    assert (code, told["error"]["code"]) == (Exit.COULD_NOT, "vision.damaged_design")
    assert not list((tmp_path / "designs").glob("bad*"))


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 half", b"[Event]\n" * 99])
def test_another_file_is_no_design(call, tmp_path, content):
    (tmp_path / "other").write_bytes(content)
    code, told, _ = call("import", "other")
    assert (code, told["error"]["code"]) == (Exit.COULD_NOT, "vision.damaged_design")


def test_names_that_lead_elsewhere_are_refused(call):
    call("export", some_design().name, "-o", "x.npz")
    code, told, _ = call("import", "x.npz", "--as", "../up")
    assert (code, told["error"]["code"]) == (Exit.COULD_NOT, "vision.bad_name")
