"""The daemon shows the picture of the card that has to be named, to whoever asks and is written down, and of
no other; nothing on disk, in a log or in the state has it, and it is gone when the board is proven.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from controller.api.errors import ApiError
from controller.api.models import DaemonState, FaceView, PictureRequest
from controller.bench.identity import UNREADABLE
from tests.unit.daemon.club import Club, Condition

CANARY = b"\xff\xd8a face of a card"


def crop_of(pixels: Any, reading: Any) -> bytes:
    return CANARY + bytes(pixels)


def told(club: Club, request: PictureRequest) -> Iterator[Condition]:
    """The answer, which is kept in `club.told`: a view, or the code of the refusal."""
    answer = club.ask(request)
    yield answer.done
    try:
        club.told.append(answer.result())  # type: ignore[attr-defined]
    except ApiError as error:
        club.told.append(error.code)  # type: ignore[attr-defined]


def tray_in_front(club: Club, *, turned: bool) -> Iterator[Condition]:
    hands = club.world.hands
    tray = hands.take_tray()
    yield from club.do(tray)
    cards = [card for card in tray.result if not hands.sees_stop_card(card)]
    yield from club.do(hands.put_in_front(cards, stop_card=True, turned=turned))
    club.card = hands.look(cards[0])  # type: ignore[attr-defined]


def evening(state_dir: Path) -> tuple[Club, list[str]]:
    """A board with a card that nobody can read; what the API said of it all the while."""
    club = Club("unreadable_card@1.20", state_dir=state_dir)
    club.twin.eye.crop_of = crop_of
    club.told = []  # type: ignore[attr-defined]
    said: list[str] = []

    def script() -> Iterator[Condition]:
        yield from club.deal(1, 2)
        yield from told(club, PictureRequest(by="bert"))
        yield from club.bring(1)
        yield club.is_in(DaemonState.WAITS)
        yield from told(club, PictureRequest(by="bert"))  # it is fed again first, unseen
        yield from tray_in_front(club, turned=True)
        club.resume()
        yield lambda: club.state.stop is not None and "name_set_aside" in club.state.stop.steps
        said.append(club.state.model_dump_json())
        for request in (
            PictureRequest(by="bert"),
            PictureRequest(by="bert", look=2),
            PictureRequest(by="bert", card=2),
        ):
            yield from told(club, request)
        club.kept = [len(club.daemon._machine.crops)]  # type: ignore[attr-defined]
        yield from tray_in_front(club, turned=False)
        said.append(b"".join(path.read_bytes() for path in state_dir.iterdir()).decode("latin-1"))
        club.resume(named=[club.card])  # type: ignore[attr-defined]
        yield lambda: club.state.wants is not None and club.state.wants.board == 2
        club.kept.append(len(club.daemon._machine.crops))  # type: ignore[attr-defined]
        yield from told(club, PictureRequest(by="bert"))
        yield from club.bring(2)
        yield lambda: 20 <= sum(club.state.pockets.values()) < 40
        club.kept.append(len(club.daemon._machine.crops))  # type: ignore[attr-defined]
        club.stop(end=True)
        yield club.is_in(DaemonState.IDLE)
        club.kept.append(len(club.daemon._machine.crops))  # type: ignore[attr-defined]

    club.run(script())
    events = [event.sse() for event in club.events.since("life-0") or []]
    return club, [*said, club.state.model_dump_json(), *club.log, *events]


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> tuple[Club, list[str], Path]:
    state_dir = tmp_path_factory.mktemp("store")
    return *evening(state_dir), state_dir


def test_the_doubtful_card_can_be_seen_while_it_is_to_be_named(seen: Any) -> None:
    club, _, _ = seen
    early, refed, first, second, other, late = club.told
    assert (early, refed, other, late) == (
        "daemon.no_picture_now",
        "daemon.no_picture_now",
        "daemon.no_such_picture",
        "daemon.no_picture_now",
    )
    assert (first.feed, first.card, first.of) == (1, 1, 1)
    assert first.image.startswith(CANARY)
    assert first.image[len(CANARY)] == second.image[len(CANARY)] == UNREADABLE
    assert first.image != second.image  # another look of the same card


def test_who_looked_has_seen_a_face(seen: Any) -> None:
    club, _, _ = seen
    board, _ = club.state.job.results
    assert board.proven
    assert board.faces_seen == [FaceView(who="bert", plays=False)]
    rows = [row for row in club.entries if row.what == "face_seen"]
    assert [row.actor for row in rows] == ["bert", "bert"]
    assert json.loads(rows[0].details)["picture"] is True


def test_no_picture_is_in_files_log_state_or_events(seen: Any) -> None:
    club, said, state_dir = seen
    files = [path.read_bytes() for path in state_dir.rglob("*") if path.is_file()]
    crop = club.told[2].image
    forms = (
        CANARY,
        base64.b64encode(crop)[:20],
        CANARY.hex().encode(),
        repr(CANARY)[2:-1].encode(),
    )
    heard = [*files, *(words.encode("latin-1", "replace") for words in said)]
    assert sum(map(len, heard)) > 100_000
    for form in forms:
        assert not [words[:80] for words in heard if form in words]
    assert CANARY.hex() not in repr(club.told) and "face of a card" not in repr(club.told)


def test_all_are_gone_when_the_board_is_proven_or_given_up(seen: Any) -> None:
    club, _, _ = seen
    named, proven, next_board, given_up = club.kept
    assert named > 52
    assert proven == 0
    assert next_board >= 20
    assert given_up == 0


def test_a_card_without_a_picture_is_told() -> None:
    club = Club("unreadable_card@1.20")
    club.told = []  # type: ignore[attr-defined]

    def script() -> Iterator[Condition]:
        yield from club.deal(1)
        yield from club.bring(1)
        yield club.is_in(DaemonState.WAITS)
        yield from tray_in_front(club, turned=True)
        club.resume()
        yield lambda: club.state.stop is not None and "name_set_aside" in club.state.stop.steps
        yield from told(club, PictureRequest(by="bert"))

    club.run(script())
    assert club.told == ["daemon.picture_lost"]  # type: ignore[attr-defined]
    assert [row for row in club.entries if row.what == "face_seen"] == []
