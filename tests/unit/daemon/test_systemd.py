"""The service unit, its rules and scripts: hardened, valid, and installed into a scratch root.

Debian's systemd tools check the unit without running it. In CI they must be there; elsewhere the
tests that need them are skipped.
"""

from __future__ import annotations

import os
import re
import shutil
import socket
import stat
import subprocess
from pathlib import Path

import pytest

from controller.config import Config, load
from controller.daemon.notify import AT_MOST_EVERY_US, Notifier

SYSTEMD = Path(__file__).parents[3] / "systemd"
MOST_EXPOSED = 2.0


def analyze() -> str:
    found = shutil.which("systemd-analyze")
    if found is None and os.environ.get("CI"):
        pytest.fail("systemd-analyze is not here: install Debian's package systemd")
    if found is None:
        pytest.skip("systemd-analyze is not here")
    return found


def run(*command: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, timeout=60
    )


@pytest.fixture
def unit(tmp_path: Path) -> Path:
    """The unit with a program that is there, so that only the unit itself is judged."""
    text = (SYSTEMD / "predeal.service").read_text()
    path = tmp_path / "predeal.service"
    path.write_text(text.replace("/opt/predeal/bin/predeal", "/bin/true"))
    return path


def test_the_unit_is_hardened(unit: Path):
    done = run(analyze(), "security", "--offline=true", "--no-pager", unit)
    exposure = re.search(r"exposure level for predeal.service: ([\d.]+)", done.stdout)
    assert exposure, done.stderr
    assert float(exposure[1]) <= MOST_EXPOSED


def test_a_unit_without_hardening_would_be_noticed(unit: Path):
    lines = [
        line
        for line in unit.read_text().splitlines()
        if not line.startswith(("Protect", "Private", "Restrict", "Capability", "SystemCall"))
    ]
    unit.write_text("\n".join(lines))
    done = run(analyze(), "security", "--offline=true", "--no-pager", unit)
    exposure = re.search(r"exposure level for predeal.service: ([\d.]+)", done.stdout)
    assert exposure
    assert float(exposure[1]) > MOST_EXPOSED


def test_the_unit_is_valid(unit: Path):
    done = run(analyze(), "verify", unit)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_wrong_key_in_the_unit_would_be_noticed(unit: Path):
    unit.write_text(unit.read_text().replace("WatchdogSec=10", "WatchdogSecs=10"))
    assert "WatchdogSecs" in run(analyze(), "verify", unit).stderr


def test_the_unit_feeds_its_watchdog_in_time():
    found = re.search(r"^WatchdogSec=(\d+)$", (SYSTEMD / "predeal.service").read_text(), re.M)
    assert found
    assert int(found[1]) * 1_000_000 >= 5 * AT_MOST_EVERY_US


def test_the_installed_configuration_is_the_defaults():
    assert load(SYSTEMD / "predeal.toml") == Config()


def test_install_and_uninstall_in_a_scratch_root(tmp_path: Path):
    root = tmp_path / "root"
    done = run(SYSTEMD / "install.sh", "--root", root, "--program", "/srv/predeal")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"The files are under {root}; nothing was started.\n"
    files = {str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()}
    assert files - {"usr/lib/systemd/system/predeal.service.d/gpio.conf"} == {
        "etc/predeal/predeal.toml",
        "usr/lib/sysusers.d/predeal.conf",
        "usr/lib/systemd/system/predeal.service",
        "usr/lib/tmpfiles.d/predeal.conf",
        "usr/lib/udev/rules.d/70-predeal.rules",
    }
    unit = (root / "usr/lib/systemd/system/predeal.service").read_text()
    assert "ExecStart=/srv/predeal/bin/predeal daemon" in unit
    config = root / "etc/predeal/predeal.toml"
    assert stat.S_IMODE(config.stat().st_mode) == 0o640
    config.write_text("# ours\n")
    run(SYSTEMD / "install.sh", "--root", root)
    assert config.read_text() == "# ours\n"
    (root / "var/lib/predeal").mkdir(parents=True)
    (root / "var/lib/predeal/key").touch()
    done = run(SYSTEMD / "uninstall.sh", "--root", root)
    assert done.stdout.startswith("Removed. Sets, journal and key are still in /var/lib/predeal")
    left = {str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()}
    assert left == {"etc/predeal/predeal.toml", "var/lib/predeal/key"}
    run(SYSTEMD / "uninstall.sh", "--root", root, "--purge")
    assert [path for path in root.rglob("*") if path.is_file()] == []


@pytest.mark.parametrize("script", ["install.sh", "uninstall.sh"])
def test_scripts_refuse_what_they_do_not_know(script: str):
    done = run(SYSTEMD / script, "--rot")
    assert done.returncode == 2
    assert done.stderr == f"{script}: unknown option --rot (see the head of this file)\n"


def test_sysusers_and_tmpfiles_are_valid(tmp_path: Path):
    analyze()
    root = tmp_path / "root"
    (root / "etc").mkdir(parents=True)
    run(SYSTEMD / "install.sh", "--root", root)
    for group in ("dialout:x:20:", "video:x:44:"):
        with (root / "etc/group").open("a") as file:
            file.write(group + "\n")
    if os.geteuid() != 0:
        pytest.skip("only root may make users, also in a scratch root")
    done = run("systemd-sysusers", f"--root={root}", "predeal.conf")
    assert done.returncode == 0, done.stderr
    assert "predeal:x:" in (root / "etc/passwd").read_text()
    groups = (root / "etc/group").read_text()
    assert "dialout:x:20:predeal" in groups
    assert "video:x:44:predeal" in groups
    done = run("systemd-tmpfiles", f"--root={root}", "--create", "predeal.conf")
    assert done.returncode == 0, done.stderr
    assert stat.S_IMODE((root / "var/lib/predeal").stat().st_mode) == 0o700
    assert stat.S_IMODE((root / "run/predeal").stat().st_mode) == 0o750


def test_udev_rules_name_what_the_configuration_names():
    rules = (SYSTEMD / "70-predeal.rules").read_text()
    config = Config()
    assert f'SYMLINK+="{config.serial.port.name}"' in rules
    assert f'SYMLINK+="{Path(config.camera.source).name}"' in rules
    lines = [line for line in rules.splitlines() if line and not line.startswith("#")]
    assert all(re.fullmatch(r'(\w+(\{[\w/]+\})?(==|\+=|=)"[^"]*"(, |$))+', line) for line in lines)


class FixedClock:
    def __init__(self) -> None:
        self.us = 0

    def now_us(self) -> int:
        return self.us


@pytest.mark.parametrize("abstract", [False, True])
def test_the_service_manager_is_told(tmp_path: Path, abstract: bool):
    manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    name = f"@predeal-test-{os.getpid()}" if abstract else str(tmp_path / "notify")
    manager.bind("\0" + name[1:] if abstract else name)
    manager.settimeout(1)
    clock = FixedClock()
    notifier = Notifier({"NOTIFY_SOCKET": name}, clock)
    notifier.ready()
    notifier.alive()
    notifier.alive()
    clock.us = AT_MOST_EVERY_US
    notifier.alive()
    notifier.status("Board 3\nis being dealt.")
    notifier.stopping()
    notifier.close()
    told = [manager.recv(999).decode() for _ in range(5)]
    manager.close()
    assert told == [
        "READY=1",
        "WATCHDOG=1",
        "WATCHDOG=1",
        "STATUS=Board 3 is being dealt.",
        "STOPPING=1",
    ]


def test_without_a_service_manager_nobody_is_told():
    notifier = Notifier({}, FixedClock())
    notifier.ready()
    notifier.close()
