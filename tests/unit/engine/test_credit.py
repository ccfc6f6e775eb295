"""Credit to feed: ahead while the cards are certainly of this pack, then one by one."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from controller.engine.cards import CREDIT_AHEAD, PACK, PassPlan


@given(
    decided=st.integers(0, PACK + 3),
    given_before=st.integers(0, PACK + 4),
    doubles=st.integers(0, 3),
)
def test_no_card_of_the_next_pack_is_drawn_in(decided: int, given_before: int, doubles: int):
    plan = PassPlan(PACK, doubles=doubles)
    credit = plan.credit(decided, given_before)
    if credit is None:
        return
    assert credit > given_before
    assert credit <= decided + CREDIT_AHEAD
    assert credit <= max(PACK - doubles, decided + 1)


def test_the_card_behind_the_pack_is_fed_when_all_others_are_decided():
    """It is the stop card, or else the proof that the pack had no end here."""
    plan = PassPlan(PACK)
    assert plan.credit(PACK - 1, PACK) is None
    assert plan.credit(PACK, PACK) == PACK + 1
    assert plan.credit(PACK, PACK + 1) is None
