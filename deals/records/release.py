"""When records may be seen: each round's boards are held until a time, or until the director says so.

In a barometer everybody plays the same boards at the same time, so a round's records can go out
while the next is played; in other movements the one round is the whole session. Times are wall clock
microseconds since 1970 and passed in.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from deals.boards import parse_numbers
from deals.errors import DealError
from deals.files import ranges


@dataclass(frozen=True, slots=True)
class Round:
    """Boards that are released together."""

    boards: tuple[int, ...]
    at_us: int | None = None
    """Released from this time on; None: only by the director."""
    by: str = ""
    """The director who released it before its time."""

    def is_open(self, now_us: int) -> bool:
        """Whether its records may be printed or exported."""
        return bool(self.by) or (self.at_us is not None and now_us >= self.at_us)


@dataclass(frozen=True, slots=True)
class Release:
    """The rounds of a set. Boards of no round are held: nobody said when they may be seen."""

    rounds: tuple[Round, ...]

    def __post_init__(self) -> None:
        seen: set[int] = set()
        for one in self.rounds:
            if twice := seen & set(one.boards):
                raise DealError("release.twice", boards=ranges(sorted(twice)))
            seen |= set(one.boards)

    def open_boards(self, now_us: int) -> frozenset[int]:
        """The boards that may be seen."""
        return frozenset(n for one in self.rounds if one.is_open(now_us) for n in one.boards)

    def within(self, boards: Collection[int]) -> None:
        """DealError "release.no_such" names boards of a round that are not among *boards*."""
        missing = sorted({n for one in self.rounds for n in one.boards} - set(boards))
        if missing:
            raise DealError("release.no_such", boards=ranges(missing))

    def check(self, boards: Iterable[int], now_us: int) -> None:
        """DealError "release.held" names the boards of *boards* that are held."""
        held = sorted(set(boards) - self.open_boards(now_us))
        if held:
            raise DealError("release.held", boards=ranges(held))

    def opened(self, place: int, director: str) -> Release:
        """The director releases round *place* (0 is the first) before its time."""
        if not director.strip() or not 0 <= place < len(self.rounds):
            raise DealError("release.no_round", round=place + 1, count=len(self.rounds))
        rounds = list(self.rounds)
        rounds[place] = replace(rounds[place], by=director)
        return Release(tuple(rounds))

    def with_new_deal(self, boards: Collection[int]) -> Release:
        """Boards dealt anew (Law 6D) are held again with their round: what was seen is void."""
        return Release(
            tuple(
                replace(one, at_us=None, by="") if set(one.boards) & set(boards) else one
                for one in self.rounds
            )
        )

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "rounds": [
                {"boards": ranges(list(one.boards)), "at_us": one.at_us, "by": one.by}
                for one in self.rounds
            ]
        }

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> Release:
        """From `as_dict`."""
        return cls(
            tuple(
                Round(parse_numbers(one["boards"].replace(" ", "")), one["at_us"], one["by"])
                for one in stored["rounds"]
            )
        )


def parse_rounds(text: str) -> tuple[tuple[int, ...], ...]:
    """ "1-6/7-12" as the boards of each round; DealError if it is not that or names a board twice."""
    rounds = tuple(parse_numbers(part) for part in text.split("/"))
    Release(tuple(Round(boards) for boards in rounds))
    return rounds
