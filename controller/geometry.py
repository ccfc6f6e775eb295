"""The machine's one table of dimensions, times and profiles (design.md section 2 in docs/design
terms).

Twin, firmware configuration, benchmarks and docs all read it here. Lengths are millimetres along
the belt, measured from the hopper's exit to the *leading edge* of the card unless a name says
otherwise.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

CARD_LENGTH_MM: Final = 57.0
"""Along the travel: cards travel long edge first."""
CARD_WIDTH_MM: Final = 88.0
"""Across the travel."""
CARD_THICKNESS_UM: Final = 300
"""One card; the thickness sensor reads one count a micrometre."""

STEPS_PER_MM: Final = 10
"""Belt and feeder steppers alike: 0.1 mm a step."""

HOPPER_TO_WINDOW_MM: Final = 40.0
WINDOW_TO_HOLD_LINE_MM: Final = 120.0
HOLD_LINE_TO_FIRST_GATE_MM: Final = 40.0
GATE_PITCH_MM: Final = 65.0
GATE_TO_POCKET_MM: Final = 60.0
LAST_GATE_TO_TRAY_MM: Final = 100.0

BELT_GRIPS_AT_MM: Final = 25.0
"""Up to here the feeder moves the card, from here on the belt does (the feeder's clutch runs free).
"""
FEEDER_THROW_MM: Final = 30.0
"""How far one feed turns the feeder before it slows down: past the belt's grip, short of the next
card.
"""

LOOK_1_AFTER_WINDOW_MM: Final = 8.0
"""The strobe fires when the leading edge is this far past the window sensor (debounce must be
over).
"""
LOOK_2_AFTER_WINDOW_MM: Final = 26.5

BELT_ACCELERATION_MM_S2: Final = 20_000
FEEDER_ACCELERATION_MM_S2: Final = 60_000

CAMERA_LATENCY_US: Final = 30_000
DEBOUNCE_US: Final = 3_000
HOLD_MAX_MS: Final = 1_000
TICK_US: Final = 1_000
"""So often the MCU looks whether a card must be held."""
ROUTE_TAKES_US: Final = 15_000
"""What journal, wire and a busy computer may add to a route before it is in the MCU."""
STROBE_1_US: Final = 150
STROBE_2_US: Final = 250

POCKET_ORDER: Final = "NESW"
"""Pockets along the belt, first gate first."""
POCKET_ORDERS: Final = (POCKET_ORDER, POCKET_ORDER[::-1])
"""A machine may be built the other way round."""


@dataclass(frozen=True, slots=True)
class Profile:
    """One speed of the machine: belt in mm/s, feed-to-feed pitch and gate travel in microseconds."""

    name: str
    belt_mm_s: int
    pitch_us: int
    gate_travel_us: int
    read_latency_us: tuple[int, int]
    """Lock-step only: bounds of the seeded time from image to reading that the twin charges."""

    @property
    def pitch_mm(self) -> float:
        """Leading edge to leading edge on the belt."""
        return self.belt_mm_s * self.pitch_us / 1_000_000

    @property
    def look_gap_us(self) -> int:
        """From the strobe of look 1 to that of look 2."""
        gap_mm = LOOK_2_AFTER_WINDOW_MM - LOOK_1_AFTER_WINDOW_MM
        return round(gap_mm * 1_000_000 / self.belt_mm_s)

    @property
    def departure_us(self) -> int | None:
        """Latest departure: so long after the strobe of look 1 a route must leave if the belt shall not
        be held for it. None where the image of look 2 comes before that (docs/decisions/0056).
        """
        braking_mm = self.belt_mm_s**2 / (2 * BELT_ACCELERATION_MM_S2)
        ticks_mm = 2 * self.belt_mm_s * TICK_US / 1_000_000
        way_mm = WINDOW_TO_HOLD_LINE_MM - braking_mm - ticks_mm - LOOK_1_AFTER_WINDOW_MM
        latest_us = round(way_mm * 1_000_000 / self.belt_mm_s) - ROUTE_TAKES_US
        return latest_us if latest_us < self.look_gap_us + CAMERA_LATENCY_US else None

    @property
    def mechanical_limit_us(self) -> int:
        """Least time of a board: 51 pitches and the transit of the last card to the last pocket."""
        transit_mm = (
            HOPPER_TO_WINDOW_MM
            + WINDOW_TO_HOLD_LINE_MM
            + HOLD_LINE_TO_FIRST_GATE_MM
            + 3 * GATE_PITCH_MM
            + GATE_TO_POCKET_MM
        )
        return 51 * self.pitch_us + round(transit_mm * 1_000_000 / self.belt_mm_s)


PROFILES: Final = {
    "standard": Profile("standard", 900, 96_000, 12_000, (4_000, 9_000)),
    "fast": Profile("fast", 1_100, 75_000, 12_000, (4_000, 9_000)),
    # For the control stack only: no real gate turns in a gap of 8 mm, so this one's gates are
    # idealised.
    "stress": Profile("stress", 1_300, 50_000, 2_000, (3_000, 8_000)),
}


def gate_mm(index: int) -> float:
    """Where gate *index* (0..3 along the belt) begins."""
    return (
        HOPPER_TO_WINDOW_MM
        + WINDOW_TO_HOLD_LINE_MM
        + HOLD_LINE_TO_FIRST_GATE_MM
        + index * GATE_PITCH_MM
    )


def pocket_mm(index: int) -> float:
    """Where the passing sensor of the pocket behind gate *index* sees a leading edge."""
    return gate_mm(index) + GATE_TO_POCKET_MM


def tray_mm() -> float:
    """Where the tray's passing sensor sees a leading edge."""
    return gate_mm(3) + LAST_GATE_TO_TRAY_MM


def steps(mm: float) -> int:
    """Millimetres as belt or feeder steps."""
    return round(mm * STEPS_PER_MM)
