"""A person at a served twin: `RemoteHands` has the deeds and sights of `Hands`, in another process."""

from __future__ import annotations

import select
from collections.abc import Callable, Sequence
from typing import Any, Final, Generic, TypeVar

from controller.devices.ports import Clock
from controller.pins.lines import LineSocket
from controller.twin.played import Played
from deals.boards import Board
from deals.cards import Card
from deals.errors import PredealError

T = TypeVar("T")
ANSWER_US: Final = 10_000_000
"""A twin that does not answer for so long has gone or stands still."""
SOON_US: Final = 2_000


class TwinServeError(PredealError, OSError):
    """The twin of another process cannot be reached."""


class RemoteHeld:
    """A card in the hand, known by its number alone."""

    __slots__ = ("number",)

    def __init__(self, number: int) -> None:
        self.number = number


class RemoteBoard:
    """A board that is not in the slot."""

    __slots__ = ("box", "key", "number")

    def __init__(self, key: int, number: int, box: str) -> None:
        self.key = key
        self.number = number
        self.box = box


class RemoteDeed(Generic[T]):
    """A deed under way in the twin; as `Deed`."""

    def __init__(self, hands: RemoteHands, what: str, number: int) -> None:
        self.what = what
        self.problem: str | None = None
        self.over = False
        self.promised_us: int | None = None
        self._hands = hands
        self._number = number
        self._result: Any = None

    @property
    def done(self) -> bool:
        """Whether its end has been told."""
        if not self.over:
            self._hands.listen()
        return self.over

    @property
    def done_us(self) -> int:
        """When it should be done, host time; soon, when that has passed and nothing is told yet."""
        soon_us = self._hands.now_us() + SOON_US
        return soon_us if self.promised_us is None else max(self.promised_us, soon_us)

    @property
    def result(self) -> T:
        """What came of it; only when it is done and there was no problem."""
        if not self.done or self.problem is not None:
            raise ValueError(
                f"{self.what}: no result" + (f", {self.problem}" if self.problem else "")
            )
        result: T = self._result
        return result

    def told(self, message: dict[str, Any], value: Any) -> None:
        """The twin has said something about it."""
        if "done_us" in message:
            self.promised_us = message["done_us"]
        else:
            self.over, self._result = True, value
            self.problem = message.get("wrong") or message.get("problem")


class RemoteHands:
    """One person at the machine. Every deed of `Hands` is a method here, by the same name."""

    def __init__(self, path: str, clock: Clock) -> None:
        line = LineSocket.connect(path)
        if line is None:
            raise TwinServeError("twin.nobody", path=path)
        self._line = line
        self._clock = clock
        self._count = 0
        self._deeds: dict[int, RemoteDeed[Any]] = {}

    # -- deeds: packs and cards ----------------------------------------------------------------

    def load_pack(
        self, stop_card_behind: bool = False, for_next: bool = False, order: Sequence[Card] = ()
    ) -> RemoteDeed[int]:
        """A new pack, shuffled without *order*, behind what is in the hopper."""
        cards = [{"card": str(card)} for card in order]
        return self._do("load_pack", stop_card_behind, for_next, cards)

    def load_camera_cards(self) -> RemoteDeed[int]:
        """Two stop cards and a blank one behind them, before whatever is in the hopper."""
        return self._do("load_camera_cards")

    def put_in_front(
        self, cards: Sequence[RemoteHeld], stop_card: bool = True, turned: bool = False
    ) -> RemoteDeed[int]:
        """Cards to be fed next, face down, the first first."""
        return self._do("put_in_front", list(cards), stop_card, turned)

    def replace_pack(self) -> RemoteDeed[list[RemoteHeld]]:
        """Takes the pack and its stop card from the feeder and puts correct ones there."""
        return self._do("replace_pack")

    def shuffle_pack(self) -> RemoteDeed[int]:
        """Takes the pack out, shuffles it and puts it back."""
        return self._do("shuffle_pack")

    def take_pack(self) -> RemoteDeed[list[RemoteHeld]]:
        """Takes the pack at the feeder out, its stop card too."""
        return self._do("take_pack")

    def free_feeder(self) -> RemoteDeed[bool]:
        """Straightens the card that sticks in the feeder."""
        return self._do("free_feeder")

    def wipe(self, card: RemoteHeld) -> RemoteDeed[bool]:
        """Wipes a card on both ends."""
        return self._do("wipe", card)

    def replace_card(self, card: RemoteHeld) -> RemoteDeed[RemoteHeld]:
        """Looks at a card and takes a new one of its kind."""
        return self._do("replace_card", card)

    # -- deeds: board, lid, tray, belt -----------------------------------------------------------

    def put_board(
        self, number: int, box: str = "", backwards: bool = False
    ) -> RemoteDeed[RemoteBoard]:
        """An empty board into the slot."""
        return self._do("put_board", number, box, backwards)

    def put_back(self, board: RemoteBoard, backwards: bool = False) -> RemoteDeed[RemoteBoard]:
        """A board that was taken or pulled out before."""
        return self._do("put_back", board, backwards)

    def take_board(self) -> RemoteDeed[RemoteBoard]:
        """The board out of the slot with what it holds."""
        return self._do("take_board")

    def lid(self, closed: bool) -> RemoteDeed[bool]:
        """Closes or opens the lid."""
        return self._do("lid", closed)

    def take_tray(self) -> RemoteDeed[list[RemoteHeld]]:
        """All cards out of the tray."""
        return self._do("take_tray")

    def clear_belt(self) -> RemoteDeed[list[RemoteHeld]]:
        """All cards off the belt and out of the chutes."""
        return self._do("clear_belt")

    def take_table(self) -> RemoteDeed[list[RemoteHeld]]:
        """Picks up what fell on the table."""
        return self._do("take_table")

    def empty_pocket(self, seat: str) -> RemoteDeed[list[RemoteHeld]]:
        """All cards out of one pocket."""
        return self._do("empty_pocket", seat)

    def put_into_pocket(self, seat: str, card: RemoteHeld) -> RemoteDeed[bool]:
        """A card by hand into a pocket."""
        return self._do("put_into_pocket", seat, card)

    def wipe_label(self) -> RemoteDeed[bool]:
        """Cleans the label of the board."""
        return self._do("wipe_label")

    def clean_glass(self) -> RemoteDeed[bool]:
        """Wipes the glass over the camera, and shuts the blind against the sun."""
        return self._do("clean_glass")

    # -- deeds: power and cables -----------------------------------------------------------------

    def press_estop(self) -> RemoteDeed[bool]:
        """Presses the emergency stop."""
        return self._do("press_estop")

    def release_estop(self) -> RemoteDeed[bool]:
        """Releases the emergency stop."""
        return self._do("release_estop")

    def plug_cable(self) -> RemoteDeed[bool]:
        """Plugs in the cable to the MCU, and the camera."""
        return self._do("plug_cable")

    def restart_power(self) -> RemoteDeed[bool]:
        """Switches the machine off and on."""
        return self._do("restart_power")

    def mend(self) -> RemoteDeed[bool]:
        """A technician mends gates, sensors and strobe."""
        return self._do("mend")

    # -- what a person sees ----------------------------------------------------------------------

    def look(self, card: RemoteHeld) -> str:
        """The face of a card in the hand, as text."""
        return str(self.ask("look", card))

    def sees_board(self) -> tuple[int, str] | None:
        """Number and box on the board in the slot."""
        found = self.ask("sees_board")
        return None if found is None else (found[0], found[1])

    def sees_backwards(self) -> bool:
        """The board is the wrong way round."""
        return bool(self.ask("sees_backwards"))

    def sees_cards_at(self, seat: str) -> bool:
        """Cards lie in the pocket at the gate of *seat*."""
        return bool(self.ask("sees_cards_at", seat))

    def sees_cards_in_tray(self) -> bool:
        """Cards lie in the tray."""
        return bool(self.ask("sees_cards_in_tray"))

    def sees_cards_on_belt(self) -> bool:
        """Cards lie on the belt or in a chute."""
        return bool(self.ask("sees_cards_on_belt"))

    def sees_cards_on_table(self) -> bool:
        """Cards lie on the table."""
        return bool(self.ask("sees_cards_on_table"))

    def sees_hopper_filled(self) -> bool:
        """Cards are in the hopper."""
        return bool(self.ask("sees_hopper_filled"))

    def sees_rest_of_pack(self) -> bool:
        """A stop card shows in the hopper behind a few cards."""
        return bool(self.ask("sees_rest_of_pack"))

    def sees_pulled_board(self) -> RemoteBoard | None:
        """A board that somebody pulled out."""
        found: RemoteBoard | None = self.ask("sees_pulled_board")
        return found

    def sees_lamp(self, name: str) -> str | None:
        """What a lamp shows: red, amber or green."""
        found: str | None = self.ask("sees_lamp", name)
        return found

    def sees_dirt(self, card: RemoteHeld) -> bool:
        """A card in the hand is dirty or damaged."""
        return bool(self.ask("sees_dirt", card))

    def sees_stop_card(self, card: RemoteHeld) -> bool:
        """A stop card is known from its back."""
        return bool(self.ask("sees_stop_card", card))

    @property
    def faces_seen(self) -> int:
        """How many faces were looked at."""
        return int(self.ask("faces_seen"))

    # -- of the twin -----------------------------------------------------------------------------

    def press_start(self) -> None:
        """A finger on the start button."""
        self.ask("press_start")

    def contents(self) -> dict[str, Any]:
        """What the world really holds."""
        found: dict[str, Any] = self.ask("contents")
        return found

    def timing(self) -> dict[str, Any]:
        """The world's stop-watch of this board."""
        found: dict[str, Any] = self.ask("timing")
        return found

    def tables(self, boards: Sequence[Board], played: Sequence[Played], seed: int) -> None:
        """Which boards come back from the tables, and what play has done to them."""
        deals = [[board.number, board.deal.pbn()] for board in boards]
        self.ask("tables", deals, [[one.name, one.copy] for one in played], seed)

    def dealt(self, number: int, copy: str) -> RemoteBoard:
        """A copy of such a board, with its cards."""
        found: RemoteBoard = self.ask("dealt", number, copy)
        return found

    def pull_cable(self) -> None:
        """Somebody pulls the cable to the MCU."""
        self.ask("pull_cable")

    # -- the line --------------------------------------------------------------------------------

    def now_us(self) -> int:
        """Host time."""
        return self._clock.now_us()

    def ask(self, what: str, *arguments: Any) -> Any:
        """Asks and waits for the answer, which comes within a slice of the twin's time."""
        deed: RemoteDeed[Any] = self._do(what, *arguments)
        until_us = self.now_us() + ANSWER_US
        while not deed.done:
            if self._line.closed or self.now_us() >= until_us:
                raise TwinServeError("twin.gone")
            select.select([self._line], [], [], 0.1)
        if deed.problem is not None:
            raise ValueError(deed.problem)
        return deed.result

    def listen(self) -> None:
        """Takes what the twin has said."""
        for message in self._line.receive():
            deed = self._deeds.get(message["id"])
            if deed is not None:
                deed.told(message, _value(message.get("result")))
                if deed.over:
                    del self._deeds[message["id"]]
        if self._line.closed and self._deeds:
            raise TwinServeError("twin.gone")

    def close(self) -> None:
        """Goes away from the machine."""
        self._line.close()

    def _do(self, what: str, *arguments: Any) -> RemoteDeed[Any]:
        self._count += 1
        deed: RemoteDeed[Any] = RemoteDeed(self, what, self._count)
        self._deeds[self._count] = deed
        self._line.send(
            {"id": self._count, "do": what, "args": [_told(value) for value in arguments]}
        )
        return deed


class RemoteWorld:
    """What `Staff` and `Operator` need of a world, when it is in another process.

    `plugged_in` is called after a cable was plugged in: the host may open its port anew.
    """

    def __init__(
        self, hands: RemoteHands, clock: Clock, plugged_in: Callable[[], None] | None = None
    ) -> None:
        self.hands = hands
        self._clock = clock
        self._plugged_in = plugged_in

    @property
    def now_us(self) -> int:
        """Host time."""
        return self._clock.now_us()

    def open_transport(self) -> None:
        """The host finds the port by itself, or is told."""
        if self._plugged_in is not None:
            self._plugged_in()


def _told(value: Any) -> Any:
    if isinstance(value, list):
        return [_told(one) for one in value]
    if isinstance(value, RemoteHeld):
        return {"held": value.number}
    if isinstance(value, RemoteBoard):
        return {"card board": value.key}
    return value


def _value(value: Any) -> Any:
    if isinstance(value, list):
        return [_value(one) for one in value]
    if isinstance(value, dict) and "held" in value:
        return RemoteHeld(value["held"])
    if isinstance(value, dict) and "card board" in value:
        return RemoteBoard(value["card board"], value["number"], value["box"])
    return value
