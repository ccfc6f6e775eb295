"""Live events, numbered, in a ring: a client that comes back within it has missed nothing."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock
from typing import Final

RING: Final = 8192
"""About 70 boards: two events a card."""


@dataclass(frozen=True, slots=True)
class Event:
    """One event; `id` is "life-number", `data` a JSON document on one line."""

    number: int
    id: str
    kind: str
    data: str

    def sse(self) -> str:
        """The event as text/event-stream wants it."""
        return f"id: {self.id}\nevent: {self.kind}\ndata: {self.data}\n\n"


class EventRing:
    """The last events of one life of the daemon. Any thread may add and read."""

    def __init__(self, life: str, size: int = RING) -> None:
        self.life = life
        self._events: deque[Event] = deque(maxlen=size)
        self._number = 0
        self._lock = Lock()
        self._listeners: list[Callable[[], None]] = []

    @property
    def last_id(self) -> str:
        """The id of the newest event."""
        return f"{self.life}-{self._number}"

    def add(self, kind: str, document: object) -> None:
        """Adds an event and wakes whoever waits for one."""
        data = document if isinstance(document, str) else json.dumps(document)
        with self._lock:
            self._number += 1
            self._events.append(Event(self._number, f"{self.life}-{self._number}", kind, data))
            listeners = list(self._listeners)
        for listener in listeners:
            listener()

    def since(self, last_id: str | None) -> list[Event] | None:
        """The events after *last_id*; None when some of them are gone or it is of another life."""
        with self._lock:
            if last_id is None:
                return []
            life, _, number = last_id.rpartition("-")
            if life != self.life or not number.isdecimal() or int(number) > self._number:
                return None
            behind = self._number - int(number)
            if behind > len(self._events):
                return None
            return list(self._events)[len(self._events) - behind :] if behind else []

    def listen(self, listener: Callable[[], None]) -> None:
        """Has *listener* called, in whatever thread, after each event."""
        with self._lock:
            self._listeners.append(listener)

    def unlisten(self, listener: Callable[[], None]) -> None:
        """The opposite."""
        with self._lock:
            self._listeners.remove(listener)
