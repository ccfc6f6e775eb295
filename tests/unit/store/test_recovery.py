"""Where each card is after a crash: never "in the hopper" or "landed" unless it is certain."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from controller.protocol.messages import Pocket
from controller.store import CardFate, JournalRow, Kind, Where, fates
from controller.store.recovery import TRAY


def row(kind, feed=None, *, card=None, pocket=None, run=1):
    return JournalRow(0, run, kind, feed, card, pocket, "", 0)


def test_tray_is_the_wires_tray():
    assert TRAY == Pocket.TRAY


def test_before_the_first_run_all_is_in_the_hopper():
    found = fates([])
    assert len(found) == 52
    assert {fate.where for fate in found} == {Where.HOPPER}


def test_each_state_is_told():
    rows = [
        row(Kind.RUN),
        row(Kind.CREDIT, 5),
        row(Kind.SEEN, 1),
        row(Kind.INTENT, 1, card=40, pocket=2),
        row(Kind.SEEN, 2),
        row(Kind.INTENT, 2, card=None, pocket=TRAY),
        row(Kind.READ, 3, card=12),
        row(Kind.LANDED, 1, pocket=2),
        row(Kind.LANDED, 2, pocket=TRAY),
    ]
    found = fates(rows)
    assert found[:6] == (
        CardFate(1, 1, Where.LANDED, 2, 40),
        CardFate(1, 2, Where.TRAY),
        CardFate(1, 3, Where.IN_FLIGHT, None, 12),
        CardFate(1, 4, Where.IN_FLIGHT),
        CardFate(1, 5, Where.IN_FLIGHT),
        CardFate(1, 6, Where.HOPPER),
    )
    assert len(found) == 52


def test_a_card_whose_image_is_in_doubt_has_a_place_and_no_name():
    rows = [row(Kind.RUN), row(Kind.CREDIT, 2), row(Kind.INTENT, 1, card=40, pocket=2)]
    rows += [row(Kind.VOID, 1), row(Kind.LANDED, 1, pocket=2)]
    assert fates(rows)[0] == CardFate(1, 1, Where.LANDED, 2, None)


def test_a_new_run_leaves_only_landed_cards_out_of_the_hopper():
    rows = [
        row(Kind.RUN),
        row(Kind.CREDIT, 4),
        row(Kind.LANDED, 1, pocket=0),
        row(Kind.LANDED, 2, pocket=TRAY),
        row(Kind.RUN, run=2),
        row(Kind.CREDIT, 1, run=2),
    ]
    found = fates(rows)
    assert found[:3] == (
        CardFate(1, 1, Where.LANDED, 0),
        CardFate(2, 1, Where.IN_FLIGHT),
        CardFate(2, 2, Where.HOPPER),
    )
    assert len(found) == 52


def test_a_run_number_that_comes_again_is_a_new_run():
    rows = [row(Kind.RUN), row(Kind.LANDED, 1, pocket=0), row(Kind.RUN), row(Kind.CREDIT, 1)]
    assert [(fate.where, fate.feed) for fate in fates(rows)[:2]] == [
        (Where.LANDED, 1),
        (Where.IN_FLIGHT, 1),
    ]


@st.composite
def histories(draw):
    """What truly happened, as (journal row or None, act) pairs in the order of time."""
    steps, credit, fed, routed, landed = [(row(Kind.RUN), None)], 0, 0, 0, 0
    for choice in draw(st.lists(st.sampled_from("cfrl"), max_size=120)):
        if choice == "c" and credit < 53:
            credit += draw(st.integers(1, 3))
            steps.append((row(Kind.CREDIT, credit), None))
        elif choice == "f" and fed < credit:
            fed += 1
            steps.append((None, ("fed", fed)))
            steps.append((row(Kind.SEEN, fed), None))
        elif choice == "r" and routed < fed:
            routed += 1
            steps.append((row(Kind.INTENT, routed, card=routed % 52, pocket=routed % 5), None))
        elif choice == "l" and landed < routed:
            landed += 1
            steps.append((None, ("landed", landed)))
            steps.append((row(Kind.LANDED, landed, pocket=landed % 5), None))
    return steps


@given(histories(), st.data())
def test_only_cards_in_flight_are_uncertain(steps, data):
    cut = data.draw(st.integers(0, len(steps)))
    kept = [written for written, _ in steps[:cut] if written is not None]
    fed = {act[1] for _, act in steps[:cut] if act and act[0] == "fed"}
    landed = {act[1] for _, act in steps[:cut] if act and act[0] == "landed"}
    found = {fate.feed: fate for fate in fates(kept)}
    assert set(range(1, 53)) <= set(found)
    assert fed <= {feed for feed, fate in found.items() if fate.where is not Where.HOPPER}
    for feed, fate in found.items():
        if fate.where is Where.LANDED:
            assert feed in landed
            assert fate.pocket == feed % 5
        if fate.where is Where.TRAY:
            assert feed in landed
            assert feed % 5 == TRAY
