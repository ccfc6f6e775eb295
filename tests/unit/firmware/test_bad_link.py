"""A link that loses, repeats and spoils frames: nothing is fed twice, and what is good is found."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from controller.protocol.codec import encode_message
from controller.protocol.messages import (
    PROTOCOL_VERSION,
    Feed,
    Finish,
    Hello,
    Identity,
    Landed,
    Message,
    Route,
    Seen,
    Start,
    StopReason,
)
from tests.unit.firmware.library import TRAY
from tests.unit.firmware.rig import RUN, Rig

FRAMES = st.lists(
    st.tuples(
        st.sampled_from(["feed", "route", "finish", "start", "hello", "replay", "time"]),
        st.integers(0, 400),
        st.lists(st.sampled_from(["lost", "once", "twice", "spoilt", "cut"]), max_size=4),
    ),
    max_size=40,
)


class BadLink:
    """Sends commands as the host does, again and again, over a link that mangles them."""

    def __init__(self, rig: Rig) -> None:
        self.rig = rig
        self.sent: list[bytes] = []
        self.credit = 0
        self.routes: dict[int, int] = {}
        self.seq = 0

    def send(self, message: Message, fates: list[str]) -> None:
        """One command: at most five tries, whatever becomes of each."""
        self.seq = (self.seq + 1) % 255
        frame = encode_message(message, self.seq)
        self.sent.append(frame)
        for fate in [*fates, "once"]:
            self.deliver(frame, fate)
            self.rig.run(3_000)

    def deliver(self, frame: bytes, fate: str) -> None:
        """One try."""
        if fate == "spoilt":
            self.rig.raw(bytes([frame[0], frame[1] ^ 0x40]) + frame[2:])
        elif fate == "cut":
            self.rig.raw(frame[: len(frame) // 2] + b"\0")
        else:
            self.rig.raw(frame * ["lost", "once", "twice"].index(fate))

    def act(self, what: str, number: int, fates: list[str]) -> None:
        """One drawn step."""
        card = self.rig.of(Seen)[-1].card if self.rig.of(Seen) else 0
        if what == "feed":
            self.credit = max(self.credit, number % 12)
            self.send(Feed(RUN, number % 12), fates)
        elif what == "route" and card:
            self.send(Route(RUN, card, self.routes.setdefault(card, number % 4)), fates)
        elif what == "finish" and number % 4 == 0:
            self.send(Finish(RUN), fates)
        elif what == "start":
            self.send(Start(RUN), fates)
        elif what == "hello":
            self.send(Hello(PROTOCOL_VERSION), fates)
        elif what == "replay" and self.sent:
            self.deliver(self.sent[number % len(self.sent)], "twice")
        elif what == "time":
            self.rig.run(number * 1_000)


@given(steps=FRAMES)
@settings(max_examples=120)
def test_lost_repeated_and_replayed_frames_never_feed_twice(lib: object, steps: list) -> None:
    rig = Rig(lib)
    rig.start()
    link = BadLink(rig)
    for step in steps:
        link.act(*step)
        assert rig.status.fed <= link.credit
        assert len(rig.plant.cards) - rig.status.fed in (0, 1)  # one may have begun this instant
    rig.run(14_000_000)
    landed = [(event.card, event.pocket, event.expired) for event in rig.of(Landed)]
    assert len({card for card, _, _ in landed}) == len(landed) == rig.status.fed
    for card, pocket, expired in landed:
        assert pocket == (TRAY if expired else link.routes[card])
        assert rig.plant.cards[card - 1].landed == pocket
    assert rig.status.stop_reason in (StopReason.NONE, StopReason.DEAD_MAN)
    assert rig.decoder.dropped == rig.decoder.refused == 0
    rig.close()


@given(data=st.binary(max_size=400), cut=st.integers(0, 30))
@settings(max_examples=200)
def test_any_bytes_leave_a_good_frame_to_be_found(lib: object, data: bytes, cut: int) -> None:
    rig = Rig(lib)
    rig.raw(data)
    rig.raw(encode_message(Hello(PROTOCOL_VERSION), 3)[:cut])
    rig.raw(b"\0")
    assert isinstance(rig.ask(Hello(PROTOCOL_VERSION)), Identity)
    rig.close()
