"""The served twin's parts, in this process: pace, doors, hands from afar, the front panel."""

from __future__ import annotations

import inspect
import os
import random
import signal
import subprocess
import sys
import threading
import tty
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from controller.devices.cameras.unix import UnixCamera
from controller.devices.realtime import RealClock, RealTime
from controller.geometry import PROFILES
from controller.pins.table import Pin
from controller.pins.unix import UnixPins
from controller.twin.firmware import HostFirmware
from controller.twin.played import Played
from controller.twin.serve.control import DEEDS, SIGHTS
from controller.twin.serve.pace import CATCH_UP_US, Pace
from controller.twin.serve.panel import PanelWorld
from controller.twin.serve.remote import RemoteHands, TwinServeError
from controller.twin.serve.server import Server, Sockets
from controller.twin.world.camera import RESTART_US
from controller.twin.world.deeds import SECONDS
from controller.twin.world.hands import Hands
from controller.twin.world.view import View
from tests.recovery.host import ROOT, demo_boards, hands_of


class BlackPictures:
    def window(self, shown: Any, view: View, rng: random.Random) -> Any:
        raise AssertionError("nobody looks")


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """People without any weight: a hundredth of every deed."""
    for what, seconds in SECONDS.items():
        monkeypatch.setitem(SECONDS, what, seconds / 100)


class Served:
    """A server in a thread, and a person at it."""

    def __init__(self, folder: Path) -> None:
        firmware = HostFirmware()
        self.world = PanelWorld(
            firmware, PROFILES["fast"], random.Random(1), pictures=BlackPictures()
        )
        self.sockets = Sockets(folder)
        self.server = Server(self.world, RealClock(), self.sockets)
        self.thread = threading.Thread(target=self.server.serve)
        self.thread.start()
        self.time = RealTime()
        self.hands = RemoteHands(str(self.sockets.control), self.time)

    def end(self, deed: Any) -> Any:
        while not deed.done:
            self.time.wait(deed.done_us)
        return deed

    def close(self) -> None:
        self.hands.close()
        self.server.stop()
        self.thread.join(5)
        self.time.close()


@pytest.fixture
def served(tmp_path: Path, quick: None) -> Iterator[Served]:
    found = Served(tmp_path)
    yield found
    found.close()


class Clock:
    def __init__(self) -> None:
        self.us = 1_000_000

    def now_us(self) -> int:
        return self.us


# -- pace -------------------------------------------------------------------------------------


def test_the_world_is_as_fast_as_the_clock():
    clock = Clock()
    pace = Pace(clock, 500)
    clock.us += 1_000
    assert pace.due_us(500) == 1_500
    assert pace.host_us(1_500) == clock.us


def test_a_short_delay_is_made_up_for():
    clock = Clock()
    pace = Pace(clock, 0)
    clock.us += CATCH_UP_US
    assert pace.due_us(0) == CATCH_UP_US
    assert pace.stood_us == 0


def test_after_a_long_one_the_world_has_stood_still():
    clock = Clock()
    pace = Pace(clock, 0)
    clock.us += 3_000_000
    assert pace.due_us(0) == 0
    assert pace.stood_us == 3_000_000
    clock.us += 1_000
    assert pace.due_us(0) == 1_000
    assert pace.host_us(1_000) == clock.us


# -- hands from afar --------------------------------------------------------------------------


def test_everything_that_hands_do_and_see_can_be_done_from_afar():
    public = {
        name
        for name, member in inspect.getmembers(Hands, inspect.isfunction)
        if not name.startswith("_")
    }
    assert public == DEEDS | SIGHTS
    remote = dict(inspect.getmembers(RemoteHands, inspect.isfunction))
    for name in public:
        wanted = list(inspect.signature(getattr(Hands, name)).parameters.items())
        found = list(inspect.signature(remote[name]).parameters.items())
        assert [key for key, _ in found] == [key for key, _ in wanted], name
        assert [p.default for _, p in found] == [p.default for _, p in wanted], name


def test_deeds_take_their_time_and_cards_keep_their_identity(served: Served):
    hands = served.hands
    deed = hands.load_pack(stop_card_behind=True)
    assert not deed.done
    assert served.end(deed).result == 52
    assert hands.sees_hopper_filled()
    pack = served.end(hands.take_pack()).result
    assert len(pack) == 53
    assert [hands.sees_stop_card(card) for card in pack].index(True) == 52
    names = {hands.look(card) for card in pack[:52]}
    assert len(names) == 52
    assert hands.faces_seen == 52
    served.end(hands.put_in_front(pack[:52]))
    assert hands.contents()["hopper"] == 53


def test_boards_come_go_and_come_back(served: Served):
    hands = served.hands
    assert hands.sees_board() is None
    put = served.end(hands.put_board(7, "A")).result
    assert hands.sees_board() == (7, "A")
    taken = served.end(hands.take_board()).result
    assert (taken.key, taken.number, taken.box) == (put.key, 7, "A")
    served.end(hands.put_back(taken, backwards=True))
    assert hands.sees_backwards()
    found = hands.contents()
    assert (found["board"], found["box"], found["N"]) == (7, "A", "...")


def test_boards_come_back_from_the_tables_with_their_cards(served: Served):
    hands = served.hands
    known = demo_boards(1, 2)
    hands.tables(known, [Played("displaced", "B")], 1)
    for number, copy in ((2, "A"), (2, "B"), (1, "A")):
        served.end(hands.put_back(hands.dealt(number, copy)))
        found = hands.contents()
        assert found["board"] == number
        lying = {seat: found[seat] for seat in "NESW"}
        record = hands_of(known[number - 1])
        if copy == "A":
            assert lying == record
        else:
            assert sorted(len(hand) for hand in lying.values()) == [15, 16, 16, 17]
        served.end(hands.take_board())
    assert hands.dealt(2, "A").key == hands.dealt(2, "A").key  # the same board, whenever it comes
    with pytest.raises(ValueError, match="dealt"):
        hands.dealt(7, "A")


def test_what_cannot_be_done_is_a_problem_and_no_end(served: Served):
    deed = served.end(served.hands.take_board())
    assert deed.problem == "no board in the slot"
    with pytest.raises(ValueError, match="no board in the slot"):
        _ = deed.result
    with pytest.raises(ValueError, match="there is no such deed"):
        served.hands.ask("fly")
    with pytest.raises(ValueError, match="sees_cards_at"):
        served.hands.ask("sees_cards_at")
    assert served.hands.sees_board() is None


def test_a_twin_that_has_gone_is_told(served: Served, tmp_path: Path):
    deed = served.hands.load_pack()
    served.server.stop()
    served.thread.join(5)
    with pytest.raises(TwinServeError, match="does not answer any more"):
        served.end(deed)
    with pytest.raises(TwinServeError, match="No simulated machine serves at"):
        RemoteHands(str(served.sockets.control), served.time)
    assert list(tmp_path.iterdir()) == []


# -- front panel and port ---------------------------------------------------------------------


def test_button_lamps_and_estop_reach_both_ways(served: Served):
    pins = UnixPins(str(served.sockets.pins), served.time)
    served.time.watch(pins)
    wait_until(served, lambda: pins.read(Pin.ESTOP_SENSE))
    pins.edges()
    served.hands.press_start()
    edges: list[Any] = []
    wait_until(served, lambda: edges.extend(pins.edges()) or len(edges) == 2)  # type: ignore[func-returns-value]
    assert [(edge.pin, edge.on) for edge in edges] == [(Pin.START, True), (Pin.START, False)]
    assert edges[1].at_us - edges[0].at_us > 100_000
    pins.write(Pin.LAMP_GREEN, True)
    wait_until(served, lambda: served.hands.sees_lamp("green") == "on")
    served.end(served.hands.press_estop())
    wait_until(served, lambda: not pins.read(Pin.ESTOP_SENSE))
    pins.close()


def wait_until(served: Served, what: Any) -> None:
    end_us = served.time.now_us() + 5_000_000
    while not what():
        assert served.time.now_us() < end_us
        served.time.wait(served.time.now_us() + 5_000)


def test_without_the_relay_no_motor_has_current():
    world = PanelWorld(HostFirmware(), PROFILES["fast"], random.Random(1), pictures=BlackPictures())
    world._outputs = 1  # enable
    world._drive()
    assert world._powered
    world.supply(False)
    assert not world._powered
    world.supply(True)
    assert world._powered
    world.press_estop(True)
    world.supply(True)
    assert not world._powered


def test_a_pulled_cable_takes_the_port_away_and_a_plugged_one_brings_another(served: Served):
    path = served.sockets.port
    first = os.open(path, os.O_RDWR | os.O_NOCTTY)
    tty.setraw(first)
    served.hands.pull_cable()
    wait_until(served, lambda: not path.is_symlink())
    with pytest.raises(OSError, match="Input/output error"):
        os.write(first, b"x")
    served.end(served.hands.plug_cable())
    wait_until(served, path.is_symlink)
    device = path.readlink()
    second = os.open(path, os.O_RDWR | os.O_NOCTTY)
    wait_until(served, lambda: served.server.mcu._opened)
    assert served.server.mcu.device == str(device) == str(path.readlink())
    os.close(first)
    os.close(second)


# -- the command ------------------------------------------------------------------------------


def test_the_command_tells_where_it_serves_and_leaves_nothing_behind():
    command = [sys.executable, "-m", "controller.cli.main", "twin", "serve"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        assert process.stdout is not None
        lines = [process.stdout.readline() for _ in range(6)]
        assert lines[0] == "The simulated machine runs at the speed of a real one until Ctrl-C.\n"
        found = dict(line.split(maxsplit=1) for line in lines[1:])
        folder = Path(found["hands"].strip()).parent
        assert {path.name for path in folder.iterdir()} == {
            "mcu",
            "camera",
            "label",
            "pins",
            "control",
        }
        assert folder.stat().st_mode & 0o077 == 0
        process.send_signal(signal.SIGINT)
        assert process.wait(10) == 0
    assert not folder.exists()


def test_what_is_sent_while_the_world_draws_reaches_the_mcu_no_sooner(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Else clocks, which are matched by round trips, would be wrong by as long as it draws."""
    firmware = HostFirmware()
    world = PanelWorld(firmware, PROFILES["fast"], random.Random(1), pictures=BlackPictures())
    clock = RealClock()
    server = Server(world, clock, Sockets(tmp_path))
    host = os.open(server.mcu.device, os.O_RDWR | os.O_NOCTTY)
    sent: list[int] = []
    reached: list[int] = []
    advance = server._advance

    def slowly() -> None:
        advance()
        end_us = clock.now_us() + 5_000
        while clock.now_us() < end_us:
            pass
        sent.append(clock.now_us())
        os.write(host, b"\0")
        if len(sent) == 5:
            server.stop()

    monkeypatch.setattr(server, "_advance", slowly)
    monkeypatch.setattr(
        type(world.transport),
        "write",
        lambda port, data: reached.extend([server._pace.host_us(world.now_us)] * len(data)),
    )
    server.serve()
    os.close(host)
    firmware.close()
    assert len(reached) >= 3
    assert all(there >= gone for gone, there in zip(sent, reached, strict=False))


# -- the camera -------------------------------------------------------------------------------


def test_the_host_has_the_camera_shoot_without_the_strobe(tmp_path: Path, quick: None):
    lit: list[float] = []

    class Sees:
        def window(self, shown: Any, view: View, rng: random.Random) -> Any:
            lit.append(view.light_us)
            return np.zeros((400, 640, 3), np.uint8)

    served = Served(tmp_path)
    served.world.camera._pictures = Sees()
    try:
        camera = UnixCamera(str(served.sockets.camera))
        served.time.wait(served.time.now_us() + RESTART_US + 100_000)
        before_us = served.time.now_us()
        assert camera.shoot()
        found: list[Any] = []
        while not found:
            served.time.wait(served.time.now_us() + 10_000)
            found = camera.take()
            assert served.time.now_us() < before_us + 5_000_000
        assert lit == [0]
        assert abs(found[0].captured_us - before_us) < 300_000
        camera.close()
        assert not camera.shoot()
    finally:
        served.close()
