"""What a job needs around it, whoever runs it: a command in the twin, or the daemon."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol, TypeVar

from controller.devices.happenings import Happening
from controller.devices.ports import Clock
from controller.jobs.feeding import Progress
from controller.jobs.people import Servers
from controller.machine.machine import Machine
from controller.store.store import Store
from deals.cards import Card

R_co = TypeVar("R_co", bound=Progress, covariant=True)
Finding = tuple[str, dict[str, object]]


@dataclass(frozen=True, slots=True)
class Around:
    """Machine, people, clock and store, and who hears how the job goes."""

    machine: Machine
    people: Servers
    clock: Clock
    store: Store
    progress: Callable[[Progress], None]
    on_happening: Callable[[Happening], None] | None = None


class Runs(Protocol[R_co]):
    """A job that is ready to run."""

    def run(self) -> R_co:
        """Runs it to its end."""
        ...


def blind(findings: Iterable[Finding]) -> list[Finding]:
    """Findings without those that name a card; how many there were is told instead."""
    shown: list[Finding] = []
    hidden = 0
    for code, values in findings:
        if any(_names_card(value) for value in values.values()):
            hidden += 1
        else:
            shown.append((code, values))
    if hidden:
        shown.append(("check.cards_hidden", {"count": hidden}))
    return shown


def _names_card(value: object) -> bool:
    if isinstance(value, list | tuple):
        return any(_names_card(item) for item in value)
    return isinstance(value, Card)
