"""The manual page and the completion are made from the commands themselves."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from controller.cli.main import COMMANDS, run
from controller.cli.output import Session
from controller.cli.shell import _roff, manual_page

MACROS = (".TH ", ".SH ", ".SS ", ".TP", ".B ", ".I ", ".PP")


def test_the_manual_names_every_command_and_option():
    page = manual_page()
    for name in COMMANDS:
        assert f"\n.SS predeal {_roff(name)}" in page
    assert "\n.SS predeal files convert " in page
    assert "\n.B \\-\\-json\n" in page
    assert "Print one JSON document and nothing else." in page


def test_every_line_with_a_dot_is_a_macro_that_is_meant():
    for line in manual_page().splitlines():
        if line.startswith((".", "'")):
            assert line.startswith(MACROS), line


def test_text_cannot_become_a_macro():
    assert _roff(".SH x\n'y\n\na-b\\") == "\\&.SH x\n\\&'y\n.PP\na\\-b\\e"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts(shell: str, capsys):
    assert run(["completion", shell], Session()) == 0
    assert "_PREDEAL_COMPLETE" in capsys.readouterr().out


def test_the_shell_gets_its_completions():
    done = subprocess.run(
        [sys.executable, "-c", "from controller.cli.main import main; main()"],
        env={"_PREDEAL_COMPLETE": "bash_complete", "COMP_WORDS": "predeal fi", "COMP_CWORD": "1"},
        capture_output=True,
        text=True,
    )
    assert done.stderr == ""
    assert re.fullmatch(r"plain,files\s*", done.stdout)
