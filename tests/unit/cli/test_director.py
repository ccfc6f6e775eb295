"""`predeal director`: the first passphrase, further ones, and what stands against them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from controller.cli.main import run
from controller.cli.output import Exit, Session
from tests.unit.store.support import quick_passphrases

PHRASE = "four words are long"


@pytest.fixture
def call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    """Calls the program without a terminal; gives exit code, the JSON document and stderr."""
    quick_passphrases(monkeypatch)
    monkeypatch.setenv("PREDEAL_STATE", str(tmp_path / "state"))
    monkeypatch.delenv("PREDEAL_PASSPHRASE", raising=False)
    for name, phrase in (("first", PHRASE), ("second", "another good one"), ("wrong", "no")):
        (tmp_path / name).write_text(phrase + "\n")
    monkeypatch.chdir(tmp_path)

    def called(*arguments: str):
        code = run([*arguments, "--json"], Session())
        out, err = capsys.readouterr()
        return code, json.loads(out) if out else None, err

    return called


def test_the_first_passphrase_is_set_and_lets_others_in(call):
    code, told, _ = call("director", "set", "Ann", "--passphrase-file", "first")
    assert (code, told) == (Exit.DONE, {"name": "Ann", "role": "director"})
    options = ("--new-passphrase-file", "second", "--passphrase-file", "first")
    assert call("director", "set", "Bob", *options)[0] == Exit.DONE
    assert call("director", "set", "Root", "--admin", "--director", "Ann", *options)[0] == Exit.DONE
    told = call("director", "list")[1]
    assert [(one["name"], one["role"]) for one in told] == [
        ("Ann", "director"),
        ("Bob", "director"),
        ("Root", "admin"),
    ]
    code, told, _ = call(
        "director", "remove", "Ann", "--director", "Bob", "--passphrase-file", "second"
    )
    assert (code, told) == (Exit.DONE, {"removed": "Ann"})


def test_one_changes_ones_own_passphrase_with_the_old_one(call):
    call("director", "set", "Ann", "--passphrase-file", "first")
    options = ("--new-passphrase-file", "second", "--passphrase-file")
    assert call("director", "set", "Ann", *options, "wrong")[0] == Exit.COULD_NOT
    assert call("director", "set", "Ann", *options, "first")[0] == Exit.DONE
    assert call("director", "set", "Ann", *options, "first")[0] == Exit.COULD_NOT


def test_nothing_is_asked_where_no_terminal_is(call):
    code, told, err = call("director", "set", "Ann")
    assert (code, told["error"]["code"]) == (Exit.COULD_NOT, "director.no_passphrase")
    assert "--passphrase-file FILE or in PREDEAL_PASSPHRASE" in err


def test_the_environment_may_hold_it(call, monkeypatch):
    monkeypatch.setenv("PREDEAL_PASSPHRASE", PHRASE)
    assert call("director", "set", "Ann")[0] == Exit.DONE
    monkeypatch.setenv("PREDEAL_NEW_PASSPHRASE", "another good one")
    assert call("director", "set", "Ann")[0] == Exit.DONE
    assert call("director", "set", "Ann")[0] == Exit.COULD_NOT


def test_a_reset_says_what_it_costs_first(call):
    call("director", "set", "Ann", "--passphrase-file", "first")
    code, _, err = call("director", "reset")
    assert code == Exit.WRONG_USAGE
    assert "every sealed set is lost for good" in err
    assert call("director", "reset", "--lose-sealed-sets")[1] == {"removed": ["Ann"]}
    assert call("director", "set", "Ann", "--passphrase-file", "second")[0] == Exit.DONE


def test_a_passphrase_that_is_no_text_is_not_shown(call, tmp_path: Path):
    (tmp_path / "first").write_bytes(b"\xff\xfesecret")
    code, told, err = call("director", "set", "Ann", "--passphrase-file", "first")
    assert (code, told["error"]["code"]) == (Exit.COULD_NOT, "director.not_text")
    assert "secret" not in err
