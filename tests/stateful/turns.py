"""Two sides of which one moves at a time: what lives in the room, and whoever plays with it.

What lives there has a thread of its own that moves only while the other side waits, so that time is
one and every evening can be repeated.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from controller.twin.world.world import World

PATIENCE_S = 30.0


class EndedError(BaseException):
    """The evening is over, whatever is being done."""


class FailedError(AssertionError):
    """What lived in the room died of its own."""


class Turns:
    """`begin`, `advance` and `close` are for whoever plays; `pause` and `pace` for what lives there."""

    def __init__(self) -> None:
        self.ended = False
        """What lived there is gone."""
        self._over = False
        self._target_us = 0
        self._failure: BaseException | None = None
        self._ours, self._theirs = threading.Semaphore(0), threading.Semaphore(0)
        self._thread: threading.Thread | None = None

    def begin(self, live: Callable[[], None]) -> None:
        """Has *live* run in a thread of its own until it pauses for the first time."""
        self._thread = threading.Thread(target=self._run, args=(live,), daemon=True)
        self._thread.start()
        self._ours.acquire()
        self._raise_failure()

    def advance(self, world: World, until_us: int) -> None:
        """Lets world and job go on until then."""
        if self.ended:
            while world.now_us < until_us:
                world.run(until_us)
            return
        self._target_us = until_us
        world.at(until_us, world.news)
        self._give()
        self._raise_failure()

    def close(self) -> None:
        """Ends what lives there; raises what it failed with."""
        self._over = True
        if not self.ended:
            self._give()
        if self._thread is not None:
            self._thread.join(PATIENCE_S)
        self._raise_failure()

    def pace(self, now_us: int) -> None:
        """After each wait."""
        while now_us >= self._target_us:
            self.pause()

    def pause(self) -> None:
        """Waits for the next turn."""
        if not self._over:  # whoever is on his way out is not held up
            self._ours.release()
            self._theirs.acquire()
        if self._over:
            raise EndedError

    def _give(self) -> None:
        self._theirs.release()
        self._ours.acquire()

    def _run(self, live: Callable[[], None]) -> None:
        try:
            live()
        except EndedError:
            pass
        except BaseException as error:  # noqa: BLE001 - the other side raises it
            self._failure = error
        self.ended = True
        self._ours.release()

    def _raise_failure(self) -> None:
        failure, self._failure = self._failure, None
        if failure is not None:
            raise FailedError(repr(failure)) from failure
