"""`--lang` and the environment: what a person reads is in his language, what programs read is not."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import click
import pytest

from controller.cli.main import cli, run
from controller.cli.output import Exit, Session
from deals import setcode

SIXTEEN = str(Path(__file__).parents[2] / "vectors" / "files" / "sixteen.dup")


@pytest.fixture(autouse=True)
def _quick_code(monkeypatch: pytest.MonkeyPatch) -> None:
    quick = partial(setcode.set_code, cost=setcode.QUICK_COST)
    monkeypatch.setattr(setcode, "set_code", quick)


IN_FINNISH = "ei nimeä jakoja: kirjoita 1-16"
IN_GREEK = "δεν δηλώνει διανομές"


def test_the_option_before_or_after_the_command(capsys) -> None:
    for arguments in (
        ["--lang", "fi", "files", "show", SIXTEEN, "--boards", "x"],
        ["files", "show", SIXTEEN, "--boards", "x", "--lang", "fi"],
    ):
        assert run(arguments, Session()) == Exit.WRONG_USAGE
        assert IN_FINNISH in capsys.readouterr().err
    assert run(["files", "show", SIXTEEN, "--boards", "x"], Session()) == Exit.WRONG_USAGE
    assert "names no boards" in capsys.readouterr().err


def test_the_environment_and_what_beats_it(capsys, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PREDEAL_LANG")
    monkeypatch.setenv("LC_ALL", "el_GR.UTF-8")
    run(["files", "show", SIXTEEN, "--boards", "x"], Session())
    assert IN_GREEK in capsys.readouterr().err
    monkeypatch.setenv("PREDEAL_LANG", "nb")
    run(["files", "show", SIXTEEN, "--boards", "x"], Session())
    assert "nevner ingen spill" in capsys.readouterr().err
    run(["--lang", "fi", "files", "show", SIXTEEN, "--boards", "x"], Session())
    assert IN_FINNISH in capsys.readouterr().err


def test_an_error_and_its_document(capsys, tmp_path: Path) -> None:
    out = str(tmp_path / "a.pdf")
    code = run(["records", SIXTEEN, "-o", out, "--rounds", "1-4/4-8", "--lang", "fi", "--json",
                "--no-double-dummy"], Session())  # fmt: skip
    told, err = capsys.readouterr()
    assert code == Exit.COULD_NOT
    assert "Jaot 4 ovat kahdessa kierroksessa" in err
    document = json.loads(told)["error"]
    assert document["code"] == "release.twice"
    assert "kahdessa kierroksessa" in document["message"]


def test_a_diagram_and_a_record_follow_it(capsys, tmp_path: Path) -> None:
    run(["files", "show", SIXTEEN, "--boards", "1", "--lang", "nb"], Session())
    assert "Spill 1   giver Nord   i sonen: ingen" in capsys.readouterr().out
    out = tmp_path / "a.txt"
    run(["records", SIXTEEN, "-o", str(out), "--no-double-dummy", "--lang", "el"], Session())
    assert "Μοιράζων Β" in out.read_text("utf-8")
    told, err = capsys.readouterr()
    assert "σετ" in told
    assert err == ""


def test_an_unknown_language_is_wrong_usage(capsys) -> None:
    assert run(["--lang", "sv", "faults"], Session()) == Exit.WRONG_USAGE
    assert "'sv' is not one of 'en', 'fi', 'nb', 'el'" in capsys.readouterr().err


def test_every_command_that_speaks_takes_it() -> None:
    def leaves(command: click.Command, context: click.Context) -> list[click.Command]:
        if not isinstance(command, click.Group):
            return [command]
        inner = [command.get_command(context, name) for name in command.list_commands(context)]
        return [leaf for one in inner if one for leaf in leaves(one, context)]

    silent = {"completion", "man", "daemon"}
    for leaf in leaves(cli, click.Context(cli)):
        if leaf.name not in silent:
            assert "lang" in {parameter.name for parameter in leaf.params}, leaf.name
