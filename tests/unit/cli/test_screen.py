"""A stop on one screen: what happened, what is where, what to do, how it goes on; blind-safe."""

from __future__ import annotations

import io
import re
from dataclasses import replace

import pytest
from rich.console import Console

from controller.cli.live import LiveView
from controller.cli.screen import large, remedy
from controller.cli.telling import stop_document, told
from controller.engine import stops
from controller.engine.stops import Fault, Places, Step, Stop
from controller.jobs.deal import DealSet
from controller.jobs.results import BoardResult
from controller.protocol.messages import Pocket, StopReason
from deals.cards import CARDS
from deals.words import text

PLACES = Places((7, 5, 6, 8), 1, 2, 23)


def shown(stop: Stop, operator: str | None = None) -> str:
    """The screen as one line of words."""
    console = Console(file=io.StringIO(), width=80)
    console.print(remedy(stop, 17, operator))
    printed = console.file.getvalue()  # type: ignore[attr-defined]
    return " ".join(re.sub(r"[│╭╮╰╯─]", " ", printed).split())


@pytest.mark.parametrize("fault", list(Fault))
@pytest.mark.parametrize("where", [{"feed": 26}, {"pocket": Pocket.S}, {}])
def test_every_stop_says_all_of_it_and_names_no_card(
    fault: Fault, where: dict[str, object]
) -> None:
    every = tuple(step for step in Step if step not in (Step.NAME_SET_ASIDE, Step.NEW_DEAL))
    stop = Stop(fault, steps=every, places=PLACES, board=17, **where)  # type: ignore[arg-type]
    screen = shown(stop)
    for number, step in enumerate(every, 1):
        assert f"{number} {text(f'step.{step.value}')}" in screen
    assert "BOARD 17" in screen
    assert "N 7 E 5 S 6 W 8 · set aside 1 · on the belt 2 · in the hopper 23" in screen
    assert ("card 26" in screen) == ("feed" in where)
    assert ("pocket S" in screen) == ("pocket" in where)
    assert "into a pocket" not in screen or "no card" in screen
    words = set(re.findall(r"\b[A-Z0-9]{2}\b", screen))
    assert not words & {str(card) for card in CARDS}


def test_a_screen_says_how_it_goes_on() -> None:
    stop = stops.stop_of_reason(StopReason.ESTOP, None, None)
    assert "start button" in shown(stop) and "--face-seen" in shown(stop)
    assert "names in their order" in shown(stops.set_aside(Fault.IMAGE_LOST, 3, 1, name=True))
    assert "simulated operator (auto)" in shown(stop, "auto")
    assert "the board waits" in shown(stop, "none")
    assert "The job ends here" in shown(stops.face_seen())


def test_a_message_names_a_card_or_a_pocket_never_both() -> None:
    stop = replace(stops.wrong_pocket(26, Pocket.S), places=PLACES)
    document = stop_document(stop)
    assert (document["card"], document["pocket"]) == (26, None)
    assert "card 26" in told(stop) and "pocket S" not in told(stop)
    assert stop_document(replace(stop, feed=None))["pocket"] == "S"
    assert document["places"] == {"N": 7, "E": 5, "S": 6, "W": 8, "tray": 1, "way": 2, "hopper": 23}


def test_a_number_is_three_lines_high() -> None:
    rows = large(1234567890).splitlines()
    assert len(rows) == 3
    assert {len(row) for row in rows} == {39}
    digits = ["".join(row[at : at + 3] for row in rows) for at in range(0, 39, 4)]
    assert len(set(digits)) == 10


def test_nothing_of_a_screen_is_lost_where_there_is_no_terminal(
    capsys: pytest.CaptureFixture[str],
) -> None:
    result = BoardResult(17, 1, stops=[replace(stops.known_order(10), places=PLACES)])
    LiveView(DealSet("set", "CODE", b"", (), ())).progress(result)
    printed = " ".join(re.sub(r"[│╭╮╰╯─]", " ", capsys.readouterr().out).split())
    assert "It was card 10 from the hopper." in printed
    assert "in the hopper 23" in printed
    assert text("step.collect_all") in printed
