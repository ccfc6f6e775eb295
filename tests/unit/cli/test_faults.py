"""`predeal faults` tells all that the twin can be asked for."""

from __future__ import annotations

import json

import pytest

from controller.cli.main import run
from controller.cli.output import Session
from controller.twin.faults import KINDS


def test_json_has_the_keys_of_the_contract(capsys):
    assert run(["faults", "--json"], Session()) == 0
    told = json.loads(capsys.readouterr().out)
    assert [fault["name"] for fault in told] == list(KINDS)
    assert all(fault["means"] and fault["row"].startswith("F") for fault in told)
    assert {"link_cut", "double_feed", "mcu_reset", "estop", "image_lost"} <= set(KINDS)


def test_a_person_reads_a_table(capsys):
    assert run(["faults"], Session()) == 0
    shown = capsys.readouterr().out
    assert all(name in shown for name in KINDS)


def test_what_only_the_twin_takes_is_not_passed_over_in_silence(tmp_path, capsys):
    there = ["deal", "controller/twin/demo.dup", "--socket", str(tmp_path / "none")]
    assert run([*there, "--fault", "estop@1.3", "--seed", "4"], Session()) == 1
    assert "(--twin), and of no effect here: --seed, --fault." in capsys.readouterr().err
    assert run(there, Session()) == 1
    assert "--twin" not in capsys.readouterr().err


@pytest.mark.parametrize(("board", "happens"), [(1, True), (9, False)])
def test_a_fault_of_a_board_that_is_not_dealt_is_told(board, happens, capsys):
    asked = ["deal", "controller/twin/demo.dup", "--twin", "--boards", "1", "--design", "none-such"]
    assert run([*asked, "--fault", f"estop@{board}.3"], Session()) == 1
    told = capsys.readouterr().err
    assert (f"The fault estop@{board}.3 will not happen: board {board} is" in told) is not happens


def test_a_card_that_is_named_to_a_fault_of_a_whole_board_is_told(capsys):
    asked = ["deal", "controller/twin/demo.dup", "--twin", "--boards", "1", "--design", "none-such"]
    assert run([*asked, "--fault", "link_noise@1.17"], Session()) == 1
    assert "The fault link_noise happens to the whole board 1; the card" in capsys.readouterr().err
