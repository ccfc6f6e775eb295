"""Where commands write: a file whole or not at all, through a link, into a pipe that stays one."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from controller.cli.main import run
from controller.cli.output import Exit, Session
from controller.cli.writing import write_private, write_whole


@pytest.mark.parametrize("write", [write_whole, write_private])
def test_a_pipe_is_written_to_and_stays_one(tmp_path: Path, write):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDWR)
    try:
        write(pipe, b"thirteen")
        assert stat.S_ISFIFO(pipe.stat().st_mode)
        os.set_blocking(reader, False)
        assert os.read(reader, 99) == b"thirteen"
    finally:
        os.close(reader)


@pytest.mark.parametrize("write", [write_whole, write_private])
def test_of_a_link_its_end_is_written(tmp_path: Path, write):
    (tmp_path / "real").write_bytes(b"old")
    link = tmp_path / "link"
    link.symlink_to("real")
    write(link, b"new")
    assert link.is_symlink()
    assert (tmp_path / "real").read_bytes() == b"new"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "real"]


COMMANDS = {
    "deck": ("deck", "print", "-o"),
    "convert": ("files", "convert", "x.pbn"),
    "generate": ("generate", "--boards", "1", "-o"),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_folder_is_named_as_it_was_said(tmp_path, monkeypatch, capsys, name):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PREDEAL_STATE", str(tmp_path / "state"))
    assert run(["generate", "--boards", "1", "-o", "x.pbn"], Session()) == Exit.DONE
    (tmp_path / "folder.pbn").mkdir()
    capsys.readouterr()
    assert run([*COMMANDS[name], "folder.pbn"], Session()) == Exit.COULD_NOT
    assert "predeal: folder.pbn: Is a directory." in capsys.readouterr().err
    assert not list((tmp_path / "folder.pbn").iterdir())
