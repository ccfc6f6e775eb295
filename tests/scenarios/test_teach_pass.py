"""A sorted pack passes the window: each place's picture is of the card that the world had there, whatever went
wrong on the way; and a pack that is no pack is told before anything is learned.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from paint import Painted, ReadsPaint, card_in

from controller.cli.main import cli
from controller.cli.teaching import labelled
from controller.geometry import PROFILES
from controller.jobs.errors import JobError
from controller.jobs.teachpass import Sight, TeachPass, TeachPassed
from controller.twin.faults import parse
from controller.twin.room import TwinSetup
from controller.twin.tasks import TaskReport, run_task
from deals.cards import CARDS, Card
from vision.crop import decoded, png_of
from vision.design import load
from vision.recognise import Reader
from vision.synthetic import art, special
from vision.synthetic.optics import CLEAN, Piece, render_window


def passed(*faults: str, operator: str = "auto", in_order: bool = True) -> TaskReport[TeachPassed]:
    setup = TwinSetup(
        profile=PROFILES["standard"],
        pictures=Painted(),
        reader=ReadsPaint(),
        design="",
        faults=tuple(parse(fault) for fault in faults),
        operator=operator,
    )
    return run_task(
        lambda a: TeachPass(
            a.machine,
            a.people,
            a.clock,
            in_order=in_order,
            progress=a.progress,
            on_happening=a.on_happening,
        ),
        setup,
    )


def places(result: TeachPassed) -> dict[tuple[int, int], int]:
    """Index of the card that the world showed, by place and look."""
    return {(one.place, one.look): card_in(one.png) for one in result.sights}


@pytest.mark.parametrize(
    "fault",
    [
        "double_feed@1.20",
        "jam_window@1.20",
        *(
            pytest.param(fault, marks=pytest.mark.long)
            for fault in ("", "image_lost@1.12", "estop@1.40", "misfeed@1.25", "lid_open@1.30")
        ),
    ],
)
def test_each_place_shows_the_card_that_lay_there(fault: str) -> None:
    report = passed(*([fault] if fault else []))
    result = report.result
    assert result.right, [stop.fault for stop in result.stops]
    assert bool(result.stops) is bool(fault)
    seen = places(result)
    assert {place for place, _ in seen} == set(range(1, 54))
    first = [seen[place, 1] for place in range(1, 53)]
    assert first == [card.index for card in CARDS]
    second = {place: card for (place, look), card in seen.items() if look == 2}
    assert len(second) >= 50
    assert all(card == place - 1 for place, card in second.items() if place < 53)
    assert seen[53, 1] == 62


@pytest.mark.long
@pytest.mark.parametrize(("fault", "cards"), [("missing_card@1.20", 52), ("extra_card@1.20", 53)])
def test_what_passed_is_counted(fault: str, cards: int) -> None:
    result = passed(fault).result
    assert result.cards == cards if fault.startswith("extra") else result.cards <= 53
    last = max(place for place, _ in places(result))
    assert places(result)[last, 1] == (62 if fault.startswith("missing") else 51)


@pytest.mark.parametrize("fault", [pytest.param("", marks=pytest.mark.long), "jam_window@1.20"])
def test_a_pack_in_no_order_is_seen_as_it_lies(fault: str) -> None:
    report = passed(*([fault] if fault else []), in_order=False)
    seen = places(report.result)
    lying = [Card.parse(name).index for name in report.contents["tray"]]
    assert [seen[place, 1] for place in range(1, 53)] == lying
    assert lying != sorted(lying)


def test_nobody_who_mends_leaves_it_waiting() -> None:
    result = passed("estop@1.40", operator="none").result
    assert result.waiting
    assert not result.right
    assert result.sights == []


# -- what is a pack -----------------------------------------------------------------------------


def window(face: Any) -> bytes:
    return png_of(render_window([Piece(face)], CLEAN, 1.0, np.random.default_rng(1)))


@pytest.fixture(scope="module")
def shots() -> tuple[bytes, bytes]:
    """Some card, and the stop card."""
    return window(art.face("standard", CARDS[5])), window(special.stop_card())


def pack(kinds: Sequence[bytes]) -> list[Sight]:
    return [Sight(place, look, png) for place, png in enumerate(kinds, 1) for look in (1, 2)]


def test_a_pack_with_its_stop_card_or_an_empty_hopper_behind_it(shots: tuple[bytes, bytes]) -> None:
    card, stop = shots
    for kinds in ([card] * 52 + [stop], [card] * 52):
        found = labelled(pack(kinds))
        assert len(found) == 104
        assert [one.card for one in found[::2]] == list(CARDS)
        assert found[3].name == "SK-2.png"


@pytest.mark.parametrize(
    ("cards", "stop_at", "code"),
    [(52, 52, "teach.stop_card_at"), (53, 20, "teach.stop_card_at"), (53, 0, "teach.too_many")],
)
def test_what_is_no_pack_is_told(
    cards: int, stop_at: int, code: str, shots: tuple[bytes, bytes]
) -> None:
    kinds = [shots[0]] * cards
    if stop_at:
        kinds[stop_at - 1] = shots[1]
    with pytest.raises(JobError) as told:
        labelled(pack(kinds))
    assert told.value.code == code
    assert "Nothing was taught" in told.value.text()


def test_a_hopper_that_ran_empty_is_told(shots: tuple[bytes, bytes]) -> None:
    with pytest.raises(JobError, match="Only 51 of 52"):
        labelled(pack([shots[0]] * 51))


def test_one_source_of_pictures_is_wanted() -> None:
    for wrong in ([], ["--from-machine", "--from-art", "jumbo"]):
        told = CliRunner().invoke(cli, ["design", "teach", "x", *wrong])
        assert told.exit_code == 2
        assert "--from-machine" in told.output


@pytest.mark.long
def test_what_the_machine_taught_reads_what_the_machine_sees(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PREDEAL_DESIGNS", str(tmp_path / "designs"))
    options = ["--from-machine", "--twin", "--design", "jumbo", "--keep", str(tmp_path / "kept")]
    told = CliRunner().invoke(cli, ["design", "teach", "mine", "--json", *options])
    assert told.exit_code == 0, told.output
    document = json.loads(told.stdout)
    assert (document["cards"], document["images"], document["accepted"]) == (52, 104, True)
    assert len(list((tmp_path / "kept").glob("*.png"))) == 104
    reader = Reader(load("mine"))
    for card in CARDS:
        seen = reader.read(decoded(window(art.face("jumbo", card))))
        assert seen.card is card
