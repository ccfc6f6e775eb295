"""The doctor: each check well and ill, each ill with its remedy."""

from __future__ import annotations

import json
import os
import socket
import time
from collections import namedtuple
from pathlib import Path

import pytest

from controller.api.events import EventRing
from controller.cli import doctor
from controller.cli.doctor import CHECKS, examine
from controller.cli.main import run
from controller.cli.output import Exit, Session
from controller.daemon.live import NO_MACHINE, first_state


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "predeal.toml"
    path.write_text(
        f'[store]\nstate_dir = "{tmp_path / "state"}"\n[daemon]\nsocket = "{tmp_path / "d"}"\n'
        + text
    )
    return path


def found(tmp_path: Path, check: str, text: str = "") -> tuple[bool, str]:
    for finding in examine(written(tmp_path, text)):
        if finding.check == check:
            return finding.ok, finding.message
    raise AssertionError(check)


def test_every_check_is_made_and_told_as_json(tmp_path, capsys):
    code = run(["doctor", "--config", str(written(tmp_path, "")), "--json"], Session())
    told = capsys.readouterr()
    findings = json.loads(told.out)
    assert code == Exit.COULD_NOT
    assert [finding["check"] for finding in findings] == ["configuration", *CHECKS]
    wrong = [f"predeal: {finding['message']}" for finding in findings if not finding["ok"]]
    assert told.err.splitlines() == "\n".join(wrong).splitlines() != []


def test_a_wrong_configuration_is_the_only_finding(tmp_path):
    findings = list(examine(written(tmp_path, "[machin]\nid = 3\n")))
    assert [(finding.check, finding.ok) for finding in findings] == [("configuration", False)]
    assert "[machin] is unknown" in findings[0].message


def test_a_port_that_is_not_there(tmp_path):
    ok, message = found(tmp_path, "port", f'[serial]\nport = "{tmp_path / "mcu"}"\n')
    assert not ok
    assert message.startswith(f"There is no serial port {tmp_path / 'mcu'}. Plug in")


def test_a_camera_that_is_not_there(tmp_path):
    ok, message = found(tmp_path, "camera", '[camera]\nsource = "v4l2:/dev/none"\n')
    assert not ok
    assert "Plug it in" in message


def test_a_library_that_is_not_there(tmp_path, monkeypatch):
    monkeypatch.setattr(doctor, "LIBRARIES", ("json", "no_such_library"))
    ok, message = found(tmp_path, "libraries")
    assert not ok
    assert message.startswith("Cannot be loaded here: no_such_library. Install")


def test_pins_of_a_pi_need_a_pi(tmp_path):
    ok, message = found(tmp_path, "libraries", '[pins]\nsource = "rpi"\n')
    assert not ok
    assert "RPi.GPIO" in message
    assert not found(tmp_path, "pins", '[pins]\nsource = "rpi"\n')[0]


def test_a_label_reader_that_is_not_there(tmp_path):
    text = f'[labels]\nsource = "socket:{tmp_path / "label"}"\n'
    assert found(tmp_path, "labels", text) == (
        False,
        f"No label reader serves at {tmp_path / 'label'}. "
        'Start it, or write source = "none" under [labels].',
    )
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "label"))
        assert found(tmp_path, "labels", text)[0]


def test_a_design_that_was_not_taught(tmp_path):
    ok, message = found(tmp_path, "design", '[machine]\ndesign = "none"\n')
    assert not ok
    assert "none" in message


def test_a_full_disk(tmp_path, monkeypatch):
    assert found(tmp_path, "disk")[0]
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(doctor.shutil, "disk_usage", lambda path: usage(1, 1, 5_000_000))
    ok, message = found(tmp_path, "disk")
    assert not ok
    assert message.startswith("Only 5 MB are free")


def test_a_clock_that_was_never_set(tmp_path, monkeypatch):
    assert found(tmp_path, "clock")[0]
    monkeypatch.setattr(doctor.time, "time", lambda: 86_400.0)
    ok, message = found(tmp_path, "clock")
    assert not ok
    assert "Set it (timedatectl)" in message


def test_a_clock_behind_what_was_written(tmp_path):
    (tmp_path / "state").mkdir(mode=0o700)
    (tmp_path / "state" / "predeal.db").touch(mode=0o600)
    later_s = time.time() + 5 * 86_400
    os.utime(tmp_path / "state" / "predeal.db", (later_s, later_s))
    assert not found(tmp_path, "clock")[0]


def test_files_that_others_may_read(tmp_path):
    state = tmp_path / "state"
    state.mkdir(mode=0o700)
    (state / "machine.key").touch(mode=0o600)
    assert found(tmp_path, "rights") == (True, f"{state} is for the daemon alone.")
    (state / "machine.key").chmod(0o644)
    assert found(tmp_path, "rights") == (
        False,
        f"Others may read {state / 'machine.key'}. Make them private: chmod -R go= and the name.",
    )


def test_a_daemon_that_does_not_run(tmp_path):
    ok, message = found(tmp_path, "daemon")
    assert not ok
    assert message.startswith(f"No daemon answers at {tmp_path / 'd'}. Start it")


def test_a_daemon_that_runs_with_older_settings(tmp_path, monkeypatch):
    machine = NO_MACHINE.model_copy(
        update={"id": "predeal", "profile": "standard", "pocket_order": "NESW"}
    )
    running = first_state(EventRing("life")).model_copy(update={"machine": machine})
    monkeypatch.setattr(doctor, "_running", lambda config: running)
    assert found(tmp_path, "settings")[0]
    ok, message = found(tmp_path, "settings", '[machine]\npocket_order = "WSEN"\n')
    assert not ok
    assert message.startswith("The daemon runs with other values of pocket_order than the file")


@pytest.mark.parametrize("check", CHECKS)
def test_no_check_raises_on_a_bare_machine(tmp_path, check):
    assert found(tmp_path, check)[1]
