"""Commands of jobs that read cards, as clients of a daemon behind its real socket."""

from __future__ import annotations

import json
import threading
from functools import partial
from pathlib import Path

import pytest

from controller.cli.main import run
from controller.cli.output import Exit, Session
from controller.client.errors import RefusedByDaemonError
from deals.setcode import QUICK_COST, set_code
from tests.unit.api.house import House
from tests.unit.api.test_api import idle
from tests.unit.cli.test_sets import PHRASE
from tests.unit.daemon.club import SIXTEEN, Script, boards
from tests.unit.daemon.reading import Room
from tests.unit.store.support import quick_passphrases


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


def test_only_a_director_adopts_on_the_machine(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    quick_passphrases(monkeypatch)
    monkeypatch.setattr("deals.setcode.set_code", lambda boards: set_code(boards, QUICK_COST))
    state, phrase = tmp_path / "state", tmp_path / "phrase"
    phrase.write_text(PHRASE)
    room = partial(Room, played=("exchanged",))
    with House(tmp_path, club=room, state=state) as house:
        house.until(idle)
        run(
            ["director", "set", "Ann", "--passphrase-file", str(phrase), "--state", str(state)],
            Session(),
        )
        run(["set", "import", str(SIXTEEN), "--state", str(state), "--json"], Session())
        code = json.loads(capsys.readouterr().out.splitlines()[-1])["set"]
        wish = {"name": SIXTEEN.name, "board": 5, "reason": "played so at both tables"}
        for more, refused in (
            ({}, "adopt.wants_passphrase"),
            ({"director": "Ann", "passphrase": "another one"}, "director.wrong"),
            ({"passphrase": PHRASE, "reason": " "}, "api.task_wants_director"),
        ):
            with pytest.raises(RefusedByDaemonError) as error:
                house.client().task("adopt", SIXTEEN.read_bytes(), **(wish | more))
            assert error.value.problem.code == refused
            assert house.client().state().job is None
        adopt = ("adopt", SIXTEEN, "--board", 5, "--reason", wish["reason"], "--json")
        assert served(house, *adopt, "--passphrase-file", phrase) == Exit.DONE
        told = json.loads(capsys.readouterr().out)
        assert (told["replaces"], told["ended"]) == (code, True)
        assert told["set_code"] not in ("", code)
        contents = house.club.world.contents().as_json()
        with house.store() as store:
            new = store.sets.find(told["set_code"])
            assert store.sets.find(code).replaced_by == new.id
            record = store.sets.boards(new.id)[4].deal
            row = next(one for one in store.logbook.entries() if one.what == "adopted")
        assert record == "N:" + " ".join(contents[seat] for seat in "NESW")
        assert record != boards()[4].deal.pbn()
        assert (row.actor, row.role) == ("Ann", "director")
        assert json.loads(row.details)["reason"] == wish["reason"]
        shown = house.client().state().model_dump_json() + "".join(house.club.log)
        assert PHRASE not in shown
        # Of the set that was nothing more is adopted, and nobody is sent to read it.
        with pytest.raises(RefusedByDaemonError) as error:
            house.client().task("adopt", SIXTEEN.read_bytes(), **wish, passphrase=PHRASE)
        assert error.value.problem.code == "store.set_replaced"
