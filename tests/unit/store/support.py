"""A clock, a random source and a small set, the same in every run."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from controller.store import BoardEntry, SetId, Store
from controller.store.director import Cost

DEAL = "N:AKQJ.T98.765.432 T987.AKQ.J432.65 6543.J76.AKQ.T98 2.5432.T98.AKQJ7"


class StepClock:
    """Time goes on by one millisecond at each look."""

    def __init__(self) -> None:
        self._now_us = 0

    def now_us(self) -> int:
        self._now_us += 1_000
        return self._now_us

    def wall_us(self) -> int:
        return 1_700_000_000_000_000 + self._now_us


def seeded(seed: int = 1) -> Callable[[int], bytes]:
    return random.Random(seed).randbytes


def open_store(state_dir: Path | None = None, *, twin: bool = True) -> Store:
    return Store.open(state_dir, StepClock(), seeded(), twin=twin)


def add_set(store: Store, boards: int = 4, *, code: str = "ABCD-2") -> SetId:
    entries = [BoardEntry(number, "N", "None", DEAL) for number in range(1, boards + 1)]
    return store.sets.add(code=code, name="club.dup", source=b"file", boards=entries)


def quick_passphrases(monkeypatch: pytest.MonkeyPatch) -> None:
    """Accounts that are made from now on have a hash that takes no time."""
    monkeypatch.setattr("controller.store.director.COST", Cost(2, 8, 1))
