"""The program's frame: exit codes, one JSON document, sentences, and nothing imported too early."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import click
import pytest

from controller.cli import main as main_module
from controller.cli.main import COMMANDS, LazyGroup, run
from controller.cli.output import Exit, Session, emit, finish, json_option
from deals.errors import PredealError


def program(monkeypatch: pytest.MonkeyPatch, act: Callable[[], None]) -> Callable[..., int]:
    """A program with the one command `do`, which does *act*."""

    @click.group()
    def group() -> None:
        """For tests."""

    @group.command("do")
    @click.option("--count", type=int)
    @json_option
    def do(as_json: bool, count: int | None) -> None:
        act()

    monkeypatch.setattr(main_module, "cli", group)
    return lambda *arguments: run(["do", *arguments], Session())


def raising(error: BaseException) -> Callable[[], None]:
    def act() -> None:
        raise error

    return act


def test_a_command_that_ends_is_done(monkeypatch, capsys):
    call = program(monkeypatch, lambda: emit({"suit": "♠"}))
    assert call("--json") == Exit.DONE
    assert capsys.readouterr() == ('{"suit": "♠"}\n', "")


@pytest.mark.parametrize("code", [Exit.DONE, Exit.COULD_NOT, Exit.WAITS_FOR_PERSON])
def test_a_command_chooses_its_exit_code(monkeypatch, code):
    assert program(monkeypatch, lambda: finish(code))() == code


def test_an_error_is_one_sentence(monkeypatch, capsys):
    call = program(monkeypatch, raising(PredealError("cli.os_error", reason="no")))
    assert call() == Exit.COULD_NOT
    out, err = capsys.readouterr()
    assert out == ""
    assert err == (
        "predeal: The system refused: no. Nothing was changed after that; "
        "mend the cause and run the command again.\n"
    )


def test_with_json_an_error_is_a_document_too(monkeypatch, capsys):
    call = program(monkeypatch, raising(PredealError("cli.os_error", reason="no")))
    assert call("--json") == Exit.COULD_NOT
    out, err = capsys.readouterr()
    assert json.loads(out)["error"]["code"] == "cli.os_error"
    assert json.loads(out)["error"]["message"] in err


def test_never_two_documents(monkeypatch, capsys):
    def act() -> None:
        emit([1])
        raise PredealError("cli.os_error", reason="no")

    assert program(monkeypatch, act)("--json") == Exit.COULD_NOT
    assert json.loads(capsys.readouterr().out) == [1]

    def twice() -> None:
        emit([1])
        emit([2])

    assert program(monkeypatch, twice)("--json") == Exit.COULD_NOT
    out, err = capsys.readouterr()
    assert json.loads(out) == [1]
    assert "RuntimeError" in err


def test_wrong_usage_is_2_and_no_document(monkeypatch, capsys):
    call = program(monkeypatch, lambda: None)
    assert call("--json", "--count", "x") == Exit.WRONG_USAGE
    out, err = capsys.readouterr()
    assert out == ""
    assert "Invalid value for '--count'" in err


def test_a_missing_file_names_it(monkeypatch, capsys):
    call = program(monkeypatch, raising(FileNotFoundError(2, "No such file or directory", "a.dup")))
    assert call() == Exit.COULD_NOT
    assert capsys.readouterr().err.startswith("predeal: a.dup: No such file or directory. Check")


def test_a_missing_library_is_named(monkeypatch, capsys):
    error = ModuleNotFoundError("No module named 'pyzbar.pyzbar'", name="pyzbar.pyzbar")
    assert program(monkeypatch, raising(error))() == Exit.COULD_NOT
    assert "needs the Python package pyzbar, which is not installed" in capsys.readouterr().err


def test_a_mistake_of_ours_tells_the_place_but_no_card(monkeypatch, capsys):
    assert program(monkeypatch, raising(KeyError("SA")))("--json") == Exit.COULD_NOT
    out, err = capsys.readouterr()
    assert "SA" not in out + err
    assert "(KeyError at test_main.py:" in err or "(KeyError at main.py:" in err
    assert json.loads(out)["error"]["code"] == "cli.unexpected"


def test_the_traceback_is_there_for_who_asks(monkeypatch, capsys):
    monkeypatch.setenv("PREDEAL_TRACEBACK", "1")
    assert program(monkeypatch, raising(KeyError("SA")))() == Exit.COULD_NOT
    assert "KeyError: 'SA'" in capsys.readouterr().err


def test_interrupt_is_quiet(monkeypatch, capsys):
    assert program(monkeypatch, raising(KeyboardInterrupt()))() == 130
    assert capsys.readouterr().out == ""


def test_every_command_of_the_menu_can_be_called():
    for name in COMMANDS:
        assert run([name, "--help"], Session()) == Exit.DONE, name


def test_an_unknown_command_is_wrong_usage(capsys):
    assert run(["dael"], Session()) == Exit.WRONG_USAGE
    assert "No such command 'dael'" in capsys.readouterr().err


def test_completion_offers_commands_and_options():
    group = LazyGroup("predeal")
    context = click.Context(group)
    assert [item.value for item in group.shell_complete(context, "fa")] == ["faults"]
    assert "--help" in [item.value for item in group.shell_complete(context, "--")]


def predeal(*arguments: str, **options) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "error", "-m", "controller.cli.main", *arguments]
    return subprocess.run(
        command, capture_output=True, text=True, stdin=subprocess.DEVNULL, **options
    )


def test_help_imports_nothing_heavy():
    script = (
        "import sys, controller.cli.main as m\n"
        "try: m.main(['--help'])\n"
        "except SystemExit: pass\n"
        "heavy = {'cv2', 'numpy', 'sqlalchemy', 'rich', 'alembic', 'polib', 'pydantic'}\n"
        "sys.exit(', '.join(heavy & set(sys.modules)) or None)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert all(name in done.stdout for name in COMMANDS)


@pytest.mark.parametrize("said", [None, "3"])
def test_small_matrices_are_multiplied_by_one_thread_unless_the_user_says_otherwise(
    said, monkeypatch
):
    variable = main_module.MATRIX_THREADS_VARIABLE
    monkeypatch.setenv(variable, said or "1")
    if said is None:
        monkeypatch.delenv(variable)
    with pytest.raises(SystemExit):
        main_module.main(["--version"])
    assert os.environ[variable] == (said or "1")


def test_a_closed_pipe_is_quiet():
    read_end, write_end = os.pipe()
    os.close(read_end)
    command = [sys.executable, "-m", "controller.cli.main", "completion", "bash"]
    done = subprocess.run(command, stdout=write_end, stderr=subprocess.PIPE)
    os.close(write_end)
    assert (done.returncode, done.stderr) == (Exit.COULD_NOT, b"")


def test_output_that_cannot_be_written_is_told():
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-m", "controller.cli.main", "completion", "bash"]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == Exit.COULD_NOT
    assert done.stderr.startswith("predeal: The system refused: No space left on device.")


def test_version():
    done = predeal("--version")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("predeal 0.")
