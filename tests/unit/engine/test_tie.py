"""No sequence of lost, extra, late, repeated or frozen images gives a card another card's image."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import example, given, settings
from hypothesis import strategies as st

from controller.engine.tie import IMAGE_DUE_US, Doubt, ImageTie, Match, Mismatch

PITCH = 96_000
GAP = 20_556
LATENCY = 30_000
CARDS = 12


@dataclass
class Shot:
    """What the camera really took: of which card, when; and what it says and delivers."""

    feed: int
    look: int
    true_us: int
    stamped_us: int
    arrives_us: int
    digest: bytes
    lost: bool = False


def take_all(pitch: int = PITCH, gap: int = GAP) -> list[Shot]:
    shots = []
    for feed in range(1, CARDS + 1):
        for look in (1, 2):
            at = 1_000_000 + feed * pitch + (look - 1) * gap
            shots.append(Shot(feed, look, at, at, at + LATENCY, f"{feed}/{look}".encode()))
    return shots


@st.composite
def camera_troubles(draw: st.DrawFn) -> list[Shot]:
    """The images of twelve cards after a camera has done its worst."""
    shots = take_all()
    for _ in range(draw(st.integers(1, 5))):
        trouble = draw(st.sampled_from([lose, be_late, stay_late, freeze, repeat, take_another]))
        delay = draw(
            st.sampled_from([PITCH, 2 * PITCH, -PITCH, GAP, -GAP, PITCH - GAP, 5_000, 40_000])
            | st.integers(-2 * PITCH, 3 * PITCH)
        )
        trouble(shots, draw(st.integers(0, len(shots) - 1)), delay)
    return [shot for shot in shots if not shot.lost]


def lose(shots: list[Shot], first: int, delay: int) -> None:
    shots[first].lost = True


def be_late(shots: list[Shot], first: int, delay: int) -> None:
    shot = shots[first]
    if shot.look == 0:
        # A stray picture with a false stamp just where the true one is lost: no clock can tell. The
        # census does: the card would be read twice.
        return
    shot.stamped_us += delay
    shot.arrives_us = max(shot.arrives_us, shot.stamped_us + LATENCY)


def stay_late(shots: list[Shot], first: int, delay: int) -> None:
    for index in range(first, len(shots)):
        be_late(shots, index, delay)


def freeze(shots: list[Shot], first: int, delay: int) -> None:
    """The old picture again and again, with new stamps."""
    frozen = shots[first]
    for later in shots:
        if later.true_us > frozen.true_us:
            later.feed, later.look, later.digest = frozen.feed, frozen.look, frozen.digest


def repeat(shots: list[Shot], first: int, delay: int) -> None:
    """The same picture once more with another stamp."""
    shot = shots[first]
    stamped = shot.stamped_us + delay
    shots.append(Shot(shot.feed, shot.look, shot.true_us, stamped, stamped + LATENCY, shot.digest))


def take_another(shots: list[Shot], first: int, delay: int) -> None:
    """A picture nobody asked for: it shows what is over the window then, and says when it was."""
    at = shots[first].true_us + delay
    feed = max((at - 1_000_000 + 15_000) // PITCH, 0)  # the card slides in before its strobe
    shots.append(Shot(feed, 0, at, at, at + LATENCY, b"another" + bytes([len(shots)])))


SHOT = ("feed", "look", "true_us", "stamped_us", "arrives_us", "digest")


def replay(shots: list[Shot], event_lag: list[int]) -> list[tuple[int, int]]:
    """Feeds a tie as a host would see it; gives (feed the tie said, feed the image shows)."""
    arrivals: list[tuple[int, int, object]] = []
    for index, shot in enumerate(take_all()):
        lag = event_lag[index % len(event_lag)]
        arrivals.append((shot.true_us + lag, 0, (shot.true_us, shot.feed, shot.look)))
    # The link gives events in order whatever happens to single frames.
    latest = 0
    ordered = []
    for at, kind, strobe in arrivals:
        latest = max(latest, at)
        ordered.append((latest, kind, strobe))
    ordered += [(shot.arrives_us, 1, shot) for shot in shots]
    ordered.sort(key=lambda arrival: (arrival[0], arrival[1]))
    tie = ImageTie(PITCH, GAP)
    said: list[tuple[Match, Shot]] = []

    def note(found: list[Match | Mismatch]) -> None:
        for result in found:
            if isinstance(result, Match):
                said.append((result, ordered[result.number][2]))
            else:
                said[:] = [(match, shot) for match, shot in said if match != result.revoked]

    for number, (now, _, what) in enumerate(ordered):
        note(tie.expire(now))
        if isinstance(what, Shot):
            note(tie.image(now, what.stamped_us, number, what.digest))
        else:
            note(tie.strobe(now, *what))
    note(tie.expire(ordered[-1][0] + 1_000_000))
    return [(match.feed, shot.feed) for match, shot in said]


@settings(max_examples=300, deadline=None)
@given(camera_troubles(), st.lists(st.integers(1_000, 25_000), min_size=1, max_size=7))
def test_a_card_never_gets_another_cards_image(shots: list[Shot], lag: list[int]) -> None:
    assert all(said == shown for said, shown in replay(shots, lag))


@given(st.integers(0, 2 * CARDS - 1), st.integers(-5_000, 5_000))
def test_of_two_images_for_one_look_neither_counts(first: int, jitter: int) -> None:
    """A stale picture stamped as the next card's: when the true one comes, the match is revoked."""
    shots = take_all()
    stale = Shot(*(getattr(shots[first], name) for name in SHOT))
    stale.stamped_us += PITCH + jitter
    stale.arrives_us = stale.stamped_us + LATENCY
    stale.digest = b"stale"
    assert all(said == shown for said, shown in replay([*shots, stale], [2_000]))


def test_a_clean_run_ties_every_image() -> None:
    pairs = replay(take_all(), [2_000])
    assert len(pairs) == 2 * CARDS
    assert all(said == shown for said, shown in pairs)


@example(90_000)
@given(st.integers(5_000, 29_000))
def test_events_that_come_late_still_find_their_image(lag: int) -> None:
    assert len(replay(take_all(), [lag])) == 2 * CARDS


def test_one_lost_image_breaks_the_tie_at_its_card() -> None:
    tie = ImageTie(PITCH, GAP)
    tie.strobe(1_000, 0, 7, 1)
    tie.strobe(22_000, GAP, 7, 2)
    assert tie.image(GAP + LATENCY, GAP, 1, b"look 2") == [Mismatch(Doubt.IMAGE_LOST, 7)]
    assert tie.broken


def test_an_image_that_never_comes_is_missed_by_time() -> None:
    tie = ImageTie(PITCH, GAP)
    tie.strobe(1_000, 0, 7, 1)
    assert tie.next_due_us == IMAGE_DUE_US
    assert tie.expire(IMAGE_DUE_US - 1) == []
    assert tie.expire(IMAGE_DUE_US) == [Mismatch(Doubt.IMAGE_LOST, 7)]


def test_all_images_late_by_exactly_one_pitch_are_never_tied() -> None:
    shots = take_all()
    for shot in shots:
        shot.stamped_us += PITCH
        shot.arrives_us += PITCH
    assert replay(shots, [2_000]) == []


def test_a_frozen_camera_is_known_by_its_picture() -> None:
    tie = ImageTie(PITCH, GAP)
    tie.strobe(1_000, 0, 1, 1)
    assert tie.image(LATENCY, 0, 1, b"same") == [Match(1, 1, 1)]
    tie.strobe(GAP + 1_000, GAP, 1, 2)
    assert tie.image(GAP + LATENCY, GAP, 2, b"same") == [
        Mismatch(Doubt.IMAGE_REPEATED, 1, Match(1, 1, 1))
    ]


def test_after_mending_the_tie_works_again() -> None:
    tie = ImageTie(PITCH, GAP)
    tie.strobe(1_000, 0, 1, 1)
    tie.expire(IMAGE_DUE_US + 1)
    assert tie.strobe(1_000_000, 999_000, 2, 1) == []
    tie.mend()
    tie.strobe(2_001_000, 2_000_000, 3, 1)
    assert tie.image(2_030_000, 2_000_000, 9, b"new") == [Match(3, 1, 9)]
