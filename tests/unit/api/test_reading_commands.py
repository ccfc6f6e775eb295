"""Commands of jobs that read cards, as clients of a daemon behind its real socket."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest

from controller.cli.main import run
from controller.cli.output import Exit, Session
from tests.unit.api.house import House
from tests.unit.api.test_api import idle
from tests.unit.daemon.club import SIXTEEN, Script
from tests.unit.daemon.reading import Room


def serve_next(club: Room) -> Script:
    """The job that begins next, not one that is over and still on the screen."""
    yield lambda: club.state.job is not None and not club.state.job.ended
    yield from club.serve()


def served(house: House, *command: object) -> int:
    """Runs a command while people serve the machine."""
    people = threading.Thread(target=house.act, args=(serve_next,))
    people.start()
    code = run([*map(str, command), "--socket", str(house.path)], Session())
    people.join()
    return int(code)


def test_a_check_on_the_machine(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with House(tmp_path, club=Room) as house:
        house.until(idle)
        assert served(house, "check", SIXTEEN, "--board", 5) == Exit.DONE
        out = capsys.readouterr().out
        assert "▸ Board 5: the next hand is to be read. It was pocket N." in out
        assert "Board 5: each hand of the record is in its pocket" in out


@pytest.mark.long
def test_a_scramble_on_the_machine(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with House(tmp_path, club=Room) as house:
        house.until(idle)
        assert served(house, "scramble", "--boards", 3, "--json") == Exit.DONE
        told = json.loads(capsys.readouterr().out)
        assert (told["kind"], told["right"], told["ended"]) == ("scramble", True, True)


def test_as_json_a_command_waits_for_hands_but_not_for_a_remedy(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with House(tmp_path, "jam_window@5.20", club=Room) as house:
        house.until(idle)

        def stuck(club: Room) -> object:
            return club.serve(
                until=lambda: club.state.stop is not None and club.state.stop.fault == "jam"
            )

        people = threading.Thread(target=house.act, args=(stuck,))
        people.start()
        command = ["check", str(SIXTEEN), "--board", "5", "--json", "--socket", str(house.path)]
        code = run(command, Session())
        people.join()
        told = json.loads(capsys.readouterr().out)
        assert (code, told["ended"], told["right"]) == (Exit.WAITS_FOR_PERSON, False, None)
        assert told["stops"][-1]["steps"] == ["free_jam", "collect_hand"]
        assert run(["check", str(SIXTEEN), "--board", "5", "--reveal"], Session()) == 2
