"""`predeal faults` tells all that the twin can be asked for."""

from __future__ import annotations

import json

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
