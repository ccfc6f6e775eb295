"""Pictures over the daemon's real socket: of the card that has to be named, and of a pack that is taught."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import cv2
import numpy as np
import pytest

from controller.api.models import DaemonState, TaskKind
from controller.cli.main import run
from controller.cli.output import Exit, Session
from controller.client.errors import RefusedByDaemonError
from deals.cards import CARDS
from tests.scenarios.paint import Painted, card_in
from tests.unit.api.house import House
from tests.unit.api.test_api import SOURCE, idle
from tests.unit.daemon.club import Club, Condition
from tests.unit.daemon.test_pictures import tray_in_front

SHADE = 180
JPEG = cv2.imencode(".jpg", np.full((200, 320, 3), SHADE, np.uint8))[1].tobytes()


def seeing(*faults: str) -> Club:
    """A club whose eye makes real pictures."""
    club = Club(*faults)
    club.twin.eye.crop_of = lambda pixels, reading: JPEG
    return club


def to_the_name(club: Club) -> Iterator[Condition]:
    """Until the card that nobody can read has to be named."""
    yield from club.bring(1)
    yield club.is_in(DaemonState.WAITS)
    yield from tray_in_front(club, turned=True)
    club.resume()
    yield lambda: club.state.stop is not None and "name_set_aside" in club.state.stop.steps


def test_the_card_to_be_named_is_written_as_picture_and_nothing_else_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    with House(tmp_path, "unreadable_card@1.20", club=seeing) as house:
        house.until(idle)
        picture = tmp_path / "card.png"
        command = ["status", "--socket", str(house.path), "--picture", str(picture)]
        assert run(command, Session()) == Exit.COULD_NOT
        assert "only of a card that a person has to name" in capsys.readouterr().err
        assert not picture.exists()
        house.client().deal("sixteen.dup", SOURCE, boards=[1])
        house.act(to_the_name)
        assert run([*command, "--json"], Session()) == Exit.DONE
        told = json.loads(capsys.readouterr().out)
        assert told == {"file": str(picture), "feed": 1, "card": 1, "of": 1}
        assert picture.read_bytes().startswith(b"\x89PNG")
        assert abs(float(cv2.imread(str(picture)).mean()) - SHADE) < 2
        assert picture.stat().st_mode & 0o777 == 0o600
        second = [*command[:-1], str(tmp_path / "card.jpg"), "--look", "2"]
        assert run(second, Session()) == Exit.DONE
        assert "has seen a face" in capsys.readouterr().out
        assert (tmp_path / "card.jpg").read_bytes() == JPEG
        assert run([*command, "--card", "2"], Session()) == Exit.COULD_NOT
        assert "Only 1 card(s)" in capsys.readouterr().err
        assert run([*command[:-1], "card.bmp"], Session()) == Exit.WRONG_USAGE
        house.client().stop(end=True)
        house.until(lambda state: state.state is DaemonState.IDLE)


def test_the_pictures_of_a_pack_that_is_taught_come_one_by_one(tmp_path: Path):
    def sorted_pack(club: Club) -> Iterator[Condition]:
        yield lambda: club.state.stop is not None and "sorted_pack" in club.state.stop.steps
        yield from club.change_board(1, pack=False)
        yield from club.do(club.world.hands.load_pack(stop_card_behind=True, order=CARDS))
        yield club.resume("anna").done
        yield lambda: club.state.job is not None and club.state.job.ended

    with House(tmp_path, club=partial(Club, pictures=Painted())) as house:
        house.until(idle)
        client = house.client()
        with pytest.raises(RefusedByDaemonError, match="no such picture"):
            client.sight(0)
        client.task(TaskKind.DECK_TEACH.value)
        house.act(sorted_pack)
        job = client.state().job
        assert job is not None and job.task is not None and job.task.right
        seen = [client.sight(number) for number in range(job.task.figures["pictures"])]
        assert {card_in(one.image) for one in seen if one.place == 40} == {39}
        assert seen[-1].place == 53
        with pytest.raises(RefusedByDaemonError):
            client.sight(0)
