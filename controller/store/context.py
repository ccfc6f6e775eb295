"""What the parts of one open store share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from controller.store.clock import StoreClock
from controller.store.database import Database
from controller.store.ids import Keys
from controller.store.vault import Vault


@dataclass(frozen=True, slots=True)
class Who:
    """A person, or a part of the program, and the role in which it acts."""

    actor: str
    role: str


SYSTEM: Final = Who("predeal", "system")


@dataclass(frozen=True, slots=True)
class Context:
    """One opening of a store on one machine."""

    database: Database
    vault: Vault
    keys: Keys
    clock: StoreClock
    machine: str
    opening: int
    twin: bool
