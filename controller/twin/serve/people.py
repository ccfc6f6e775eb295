"""The people at a served twin: staff and operators of the twin, acting through its control socket.

They know what `bring` and `act` are given, which is what a screen says, and what a person sees.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, cast

from controller.devices.realtime import RealTime
from controller.engine.stops import Stop
from controller.jobs.people import Done
from controller.twin.careless import Careless
from controller.twin.operator import Operator, Staff
from controller.twin.played import Played
from controller.twin.serve.remote import RemoteHands, RemoteWorld
from controller.twin.world.world import World
from deals.boards import Board

KINDS: Final = {"none": Staff, "auto": Operator, "careless": Careless}


class PeopleAtTwin:
    """`People` at the twin behind a control socket; after each task they press the start button.

    `idle` is what goes on while a deed takes its time: in a client of the daemon nothing, in one
    process with the link its heartbeat. `plugged_in` hears of a cable that was plugged in.
    """

    def __init__(
        self,
        control: str,
        time: RealTime,
        operator: str = "auto",
        idle: Callable[[int], None] | None = None,
        plugged_in: Callable[[], None] | None = None,
    ) -> None:
        self.hands = RemoteHands(control, time)
        world = cast(World, RemoteWorld(self.hands, time, plugged_in))
        self._people = KINDS[operator](world, idle or time.wait)

    def bring(self, board: int, copy: int, *, follows: bool = False) -> None:
        """Takes the dealt board out, puts the next one and a pack in, closes the lid."""
        self._people.bring(board, copy, follows=follows)
        self.hands.press_start()

    def act(self, stop: Stop, board: int) -> Done | None:
        """Carries out the steps of a remedy; None when nobody mends."""
        done = self._people.act(stop, board)
        if done is not None:
            self.hands.press_start()
        return done

    def serve(self, request: Stop, board: int) -> bool:
        """Brings what a job that reads cards asks for."""
        done = self._people.serve(request, board)
        if done:
            self.hands.press_start()
        return done

    def play(self, boards: Sequence[Board], played: Sequence[Played], seed: int) -> None:
        """These boards have been at the tables; they bring them when they are asked for."""
        self.hands.tables(boards, played, seed)
        self._people.serving.dealt = cast(Any, self.hands.dealt)

    def close(self) -> None:
        """They go home."""
        self.hands.close()
