"""Stops and their remedies: what happened, where, and what a person does now, step by step.

A remedy never names a card *and* a pocket, and never asks for a card to be put into a pocket by
hand: cards go back through the hopper (design.md section 8).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum

from controller.protocol.messages import Pocket, StopReason
from deals.cards import Card


class Fault(StrEnum):
    """What can stop a board; the words of the field."""

    BOARD_ABSENT = "board_absent"
    BOARD_BACKWARDS = "board_backwards"
    BOARD_DUE = "board_due"
    """No fault: the next board is to be brought."""
    CAMERA = "camera"
    DEAD_MAN = "dead_man"
    DOUBLE_FEED = "double_feed"
    DUPLICATE_CARD = "duplicate_card"
    EMERGENCY_STOP = "emergency_stop"
    FACE_SEEN = "face_seen"
    FOREIGN_BACK = "foreign_back"
    FOREIGN_CARD = "foreign_card"
    HAND_DUE = "hand_due"
    """No fault: the next hand is to be fed."""
    HOME_FAILED = "home_failed"
    HOPPER_EMPTY = "hopper_empty"
    IMAGE_LOST = "image_lost"
    INTERNAL = "internal"
    JAM = "jam"
    KNOWN_ORDER = "known_order"
    LATE_ROUTE = "late_route"
    LABEL_UNREADABLE = "label_unreadable"
    LID_OPEN = "lid_open"
    LINK_LOST = "link_lost"
    MCU_RESTARTED = "mcu_restarted"
    MISFEED = "misfeed"
    MISSING_CARD = "missing_card"
    PACK_DUE = "pack_due"
    """No fault: the pack is to be fed."""
    NOT_READY = "not_ready"
    POCKET_EMPTY = "pocket_empty"
    POCKET_NOT_EMPTY = "pocket_not_empty"
    SHORT_PACK = "short_pack"
    STOP_CARD_IN_PACK = "stop_card_in_pack"
    SURPLUS_CARD = "surplus_card"
    TRAY_NOT_EMPTY = "tray_not_empty"
    UNREADABLE_CARD = "unreadable_card"
    UNREADABLE_PACK = "unreadable_pack"
    """Card after card: another design, dirty glass, bad light."""
    WRONG_BOARD = "wrong_board"
    WRONG_BOX = "wrong_box"
    WRONG_POCKET = "wrong_pocket"


class Step(StrEnum):
    """One thing that a person does with his hands; what the screen says of it is in the catalogue."""

    BRING_DEALT = "bring_dealt"
    BRING_EMPTY = "bring_empty"
    CAMERA_CARDS = "camera_cards"
    CALL_TECHNICIAN = "call_technician"
    CLEAN_GLASS = "clean_glass"
    CLEAR_TRAY = "clear_tray"
    CLOSE_LID = "close_lid"
    COLLECT_ALL = "collect_all"
    COLLECT_HAND = "collect_hand"
    EMPTY_POCKETS = "empty_pockets"
    EMPTY_TRAY = "empty_tray"
    FEED_HAND = "feed_hand"
    FEED_PACK = "feed_pack"
    FEED_PILES = "feed_piles"
    FEED_TRAY = "feed_tray"
    FILL_HOPPER = "fill_hopper"
    FREE_JAM = "free_jam"
    LOOK_BEHIND = "look_behind"
    MAY_BE_EMPTY = "may_be_empty"
    """Nothing to be done: who goes on says that the pocket came so."""
    NAME_SET_ASIDE = "name_set_aside"
    NEW_DEAL = "new_deal"
    PLUG_CABLE = "plug_cable"
    PRESS_STOP = "press_stop"
    PUT_BOARD_BACK = "put_board_back"
    PUT_HAND_BACK = "put_hand_back"
    REFEED_SET_ASIDE = "refeed_set_aside"
    RELEASE_STOP = "release_stop"
    REPLACE_PACK = "replace_pack"
    RIGHT_BOARD = "right_board"
    SHUFFLE_PACK = "shuffle_pack"
    SORTED_PACK = "sorted_pack"
    SORT_TRAY = "sort_tray"
    TAKE_OUT_FOREIGN = "take_out_foreign"
    TAKE_OUT_STOP_CARD = "take_out_stop_card"
    TURN_BOARD = "turn_board"
    TURN_HAND = "turn_hand"
    TURN_PACK = "turn_pack"
    WIPE_LABEL = "wipe_label"


class Then(StrEnum):
    """How the board goes on when the steps are done."""

    START = "start"
    """Nothing was dealt yet: look again and start."""
    REFEED = "refeed"
    """The set-aside cards are fed in another pass of the same attempt."""
    SAME_HANDS = "same_hands"
    """All 52 cards are dealt again: a new attempt."""


@dataclass(frozen=True, slots=True)
class Places:
    """How many cards of the board lie where; no card is named."""

    pockets: tuple[int, int, int, int]
    """N E S W, as their sensors counted."""
    tray: int
    """Set aside in this pass; a stop card counts."""
    way: int
    """Fed and seen nowhere since: on the belt, in a chute, or on the table."""
    hopper: int | None
    """Left of the pack as far as it was to be fed; None when its end has come."""


@dataclass(frozen=True, slots=True)
class Stop:
    """Why a board waits for a person. `feed` and `pocket` say where, if anywhere.

    `set_aside` counts the feeds in the tray that are to be fed again.
    """

    fault: Fault
    feed: int | None = None
    pocket: Pocket | None = None
    steps: tuple[Step, ...] = ()
    then: Then = Then.SAME_HANDS
    set_aside: int = 0
    cards: tuple[Card, ...] = field(default=(), repr=False)
    """Cards concerned, for the director's eyes only."""
    copy: str = ""
    """Name of the copy that is asked for, where there are several."""
    board: int | None = None
    """Number of the board that is asked for."""
    places: Places | None = field(default=None, compare=False)
    """What lies where, once cards were fed."""
    aside: tuple[int, ...] = field(default=(), compare=False)
    """Feeds of the cards that lie in the tray, in their order; once cards were fed."""

    @property
    def named(self) -> tuple[int, ...]:
        """Feeds of the cards that a person has to name: he may see their pictures, nobody else's."""
        return self.aside if Step.NAME_SET_ASIDE in self.steps else ()

    @property
    def shown_pocket(self) -> Pocket | None:
        """The pocket, for whoever is not told the card: a message names one of them, never both."""
        return None if self.feed is not None else self.pocket

    @property
    def remedy(self) -> str:
        """The remedy's name: its last step, which is the one that heals."""
        return self.steps[-1].value if self.steps else self.then.value


_AGAIN = (Step.COLLECT_ALL,)

_BY_REASON: dict[StopReason, tuple[Fault, tuple[Step, ...]]] = {
    StopReason.ESTOP: (Fault.EMERGENCY_STOP, (Step.RELEASE_STOP, *_AGAIN)),
    StopReason.LID_OPEN: (Fault.LID_OPEN, (*_AGAIN, Step.CLOSE_LID)),
    StopReason.BOARD_OUT: (Fault.BOARD_ABSENT, (Step.PUT_BOARD_BACK, *_AGAIN)),
    StopReason.DEAD_MAN: (Fault.DEAD_MAN, _AGAIN),
    StopReason.MISFEED: (Fault.MISFEED, (Step.FREE_JAM, *_AGAIN)),
    StopReason.JAM_WINDOW: (Fault.JAM, (Step.FREE_JAM, *_AGAIN)),
    StopReason.JAM_BELT: (Fault.JAM, (Step.FREE_JAM, *_AGAIN)),
    StopReason.JAM_POCKET: (Fault.JAM, (Step.FREE_JAM, *_AGAIN)),
    StopReason.UNEXPECTED_CARD: (Fault.DOUBLE_FEED, (Step.FREE_JAM, *_AGAIN)),
    StopReason.WRONG_POCKET: (Fault.WRONG_POCKET, _AGAIN),
    StopReason.HOME_FAILED: (Fault.HOME_FAILED, (Step.FREE_JAM, *_AGAIN)),
}


def stop_of_reason(reason: StopReason, feed: int | None, pocket: Pocket | None) -> Stop:
    """The stop that a latched firmware reason means for the board under way: its hands are dealt
    again.
    """
    fault, steps = _BY_REASON.get(reason, (Fault.INTERNAL, _AGAIN))
    return Stop(fault, feed, pocket, steps)


def link_lost(feed: int | None) -> Stop:
    """The MCU cannot be reached in the middle of a board."""
    return Stop(Fault.LINK_LOST, feed, None, (Step.PLUG_CABLE, *_AGAIN))


def mcu_restarted(feed: int | None) -> Stop:
    """The MCU started anew: the board was not watched, so it has lost its proof."""
    return Stop(Fault.MCU_RESTARTED, feed, None, _AGAIN)


def wrong_pocket(feed: int, pocket: Pocket) -> Stop:
    """A sensor saw a card where it was not sent."""
    return Stop(Fault.WRONG_POCKET, feed, pocket, _AGAIN)


def duplicate(feed: int, *, replace_pack: bool) -> Stop:
    """One card was read twice: one reading is wrong, or the pack is. All four hands are fed again,
    each card from its other end, or with another pack.
    """
    step = Step.REPLACE_PACK if replace_pack else Step.TURN_PACK
    return Stop(Fault.DUPLICATE_CARD, feed, None, (*_AGAIN, step))


def duplicate_aside(feed: int, count: int) -> Stop:
    """One card was read twice; the later one lies in the tray and is fed again, nothing else."""
    return Stop(Fault.DUPLICATE_CARD, feed, None, (Step.REFEED_SET_ASIDE,), Then.REFEED, count)


def short_pack(feed: int) -> Stop:
    """The last card had come before: the pack may be short, and this the first of the next pack."""
    return Stop(Fault.SHORT_PACK, feed, None, (*_AGAIN, Step.REPLACE_PACK))


def stop_card_in_pack(feed: int) -> Stop:
    """Cards came behind the stop card although cards of the deal are missing."""
    return Stop(Fault.STOP_CARD_IN_PACK, feed, None, (Step.TAKE_OUT_STOP_CARD, *_AGAIN))


def surplus(feed: int) -> Stop:
    """All 52 are there and another card came: the pack has one too many, or no stop card."""
    return Stop(Fault.SURPLUS_CARD, feed, None, (*_AGAIN, Step.REPLACE_PACK))


def missing(cards: tuple[Card, ...], *, more_behind: bool) -> Stop:
    """The pack ended early and nothing lies in the tray. `more_behind`: with its stop card, and cards
    lie in the hopper: if they are but a few, that stop card was in the pack and not behind it.
    """
    look = (Step.LOOK_BEHIND,) if more_behind else ()
    return Stop(Fault.MISSING_CARD, steps=(*look, *_AGAIN, Step.REPLACE_PACK), cards=cards)


def foreign_card(feed: int) -> Stop:
    """All 52 lie where they belong, and there is one thing more: a joker, say."""
    return Stop(Fault.FOREIGN_CARD, feed, None, (Step.TAKE_OUT_FOREIGN, *_AGAIN))


def foreign_back(feed: int) -> Stop:
    """A card has another back than the pack, which Law 1 (2017) forbids."""
    return Stop(Fault.FOREIGN_BACK, feed, None, (*_AGAIN, Step.REPLACE_PACK))


def known_order(feed: int) -> Stop:
    """The pack lies in order: whoever watches the pockets knows the hands."""
    return Stop(Fault.KNOWN_ORDER, feed, None, (*_AGAIN, Step.SHUFFLE_PACK))


def set_aside(fault: Fault, feed: int, count: int, *, name: bool) -> Stop:
    """Cards in the tray are fed again; those that cannot be read at all are named by a person
    first.
    """
    step = Step.NAME_SET_ASIDE if name else Step.REFEED_SET_ASIDE
    return Stop(fault, feed, None, (step,), Then.REFEED, count)


def several_unreadable(feed: int) -> Stop:
    """Two cards or more cannot be read at all. Who names two can exchange them, and nothing would
    show it; the name of a single card the census confirms.
    """
    return Stop(Fault.UNREADABLE_CARD, feed, None, (*_AGAIN, Step.CLEAN_GLASS, Step.REPLACE_PACK))


def unreadable_pack(feed: int | None, *, some_read: bool) -> Stop:
    """Card after card cannot be read, though the camera was started anew. If none of the pack was read
    it may be of another design.
    """
    pack = () if some_read else (Step.REPLACE_PACK,)
    return Stop(Fault.UNREADABLE_PACK, feed, None, (*_AGAIN, Step.CLEAN_GLASS, *pack))


def camera(feed: int | None) -> Stop:
    """Images and strobes do not fit, not even after the camera was started anew."""
    return Stop(Fault.CAMERA, feed, None, _AGAIN)


def not_ready(*, begun: bool) -> Stop:
    """Something moved just as cards were to be fed; what lay in the pockets was not watched."""
    if begun:
        return Stop(Fault.NOT_READY, steps=(*_AGAIN, Step.CLOSE_LID))
    return before_start(Fault.NOT_READY, (Step.CLOSE_LID,))


def face_seen() -> Stop:
    """A player has seen the face of a card: this deal is not to be played."""
    return Stop(Fault.FACE_SEEN, steps=(*_AGAIN, Step.NEW_DEAL))


def before_start(fault: Fault, steps: tuple[Step, ...], pocket: Pocket | None = None) -> Stop:
    """Something is not as it must be before the first card."""
    return Stop(fault, None, pocket, steps, Then.START)


BY_TECHNICIAN = frozenset(
    {
        Fault.JAM,
        Fault.WRONG_POCKET,
        Fault.HOME_FAILED,
        Fault.DOUBLE_FEED,
        Fault.UNREADABLE_PACK,
    }
)
"""Faults that, when any of them follows another, are the machine's and not the cards'."""


def with_technician(stop: Stop) -> Stop:
    """The same stop when it is the second such one running: someone looks at gates and sensors first."""
    return replace(stop, steps=(Step.CALL_TECHNICIAN, *stop.steps))


REQUESTS = frozenset({Fault.BOARD_DUE, Fault.HAND_DUE, Fault.PACK_DUE})
"""What is asked for in the course of a job; nothing has gone wrong."""


def request(
    fault: Fault,
    *steps: Step,
    pocket: Pocket | None = None,
    board: int | None = None,
    copy: str = "",
) -> Stop:
    """What people are to bring next, put as a stop because the machine waits for it likewise."""
    return Stop(fault, None, pocket, steps, Then.START, copy=copy, board=board)
