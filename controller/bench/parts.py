"""Figures of single parts: the frame codec and the journal."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence

from controller.bench.figures import Figure
from controller.protocol.frame import Decoder, encode
from controller.protocol.messages import PAYLOAD_MAX
from controller.store import BoardEntry, BoardJournal, Kind, Observation, Store
from controller.store.journal import DealingState

_BATCH = 100


def time_each(act: Callable[[], object], n: int, scale: float) -> list[float]:
    """Seconds that *act* takes, times *scale*, *n* times after one that is not counted."""
    act()
    samples = []
    for _ in range(n):
        start = time.perf_counter()
        act()
        samples.append((time.perf_counter() - start) * scale)
    return samples


def frame_codec(n: int) -> Sequence[float]:
    """Microseconds to encode a frame of the longest payload and decode it again."""
    payload = bytes(range(PAYLOAD_MAX))
    decoder = Decoder()

    def act() -> None:
        for seq in range(_BATCH):
            decoder.feed(encode(7, seq, payload))

    return time_each(act, n, 1e6 / _BATCH)


class _Clock:
    def now_us(self) -> int:
        return time.monotonic_ns() // 1000

    def wall_us(self) -> int:
        return time.time_ns() // 1000


def journal_intent(n: int) -> Sequence[float]:
    """Milliseconds for one card in the journal: its intent and four things seen, in memory."""
    seen = [
        Observation(Kind.SEEN, 2),
        Observation(Kind.MEASURED, 2, detail="570 300"),
        Observation(Kind.READ, 2, card=17),
        Observation(Kind.LANDED, 1, pocket=2),
    ]
    with Store.open(None, _Clock(), os.urandom, twin=True) as store:
        entry = BoardEntry(1, "N", "None", "")
        set_id = store.sets.add(code="BENCH", name="bench", source=b"", boards=[entry])
        dealing = store.journal.open_board(set_id, 1, 1, profile="standard", design="none")
        journal = BoardJournal(store.journal, dealing)
        samples = time_each(lambda: journal.intent(2, 17, 3, seen), n, 1e3)
        journal.close(DealingState.STOPPED, "benchmark")
    return samples


FIGURES = (
    Figure(
        "frame_us", "us", "a frame of 48 bytes encoded and decoded", frame_codec, 300, 3_000, 30.0
    ),
    Figure(
        "journal_intent_ms",
        "ms",
        "a card's intent and four observations, in memory",
        journal_intent,
        2_000,
        50_000,
        0.35,
    ),
)
