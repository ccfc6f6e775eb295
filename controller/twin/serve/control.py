"""The socket for a person's hands and eyes: one JSON value a line.

    > {"id": 7, "do": "lid", "args": [true], "named": {}}
    < {"id": 7, "done_us": 123456789}                       a deed: when it will be done, host time
    < {"id": 7, "result": true, "problem": null}            and then what came of it

What is seen, and `contents`, is answered at once with a result. Cards in a hand and boards are
{"held": N} and {"card board": N, "number": .., "box": ..}; they are given back as arguments the
same way. A card of a pack that is ordered is {"card": "SA"}. "tables" says which boards come back from
play, and "dealt" gives one of them, with its cards. A deed that does not exist, or wrong arguments:
{"id": .., "wrong": "why"}.
"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from controller.pins.lines import LineSocket
from controller.twin.played import Played, PlayedBoards
from controller.twin.serve.doors import LinesDoor
from controller.twin.serve.pace import Pace
from controller.twin.serve.panel import Panel, PanelWorld
from controller.twin.world.deeds import Deed, Held
from controller.twin.world.things import Board, Kind
from deals.boards import Board as SetBoard
from deals.cards import Card
from deals.deal import Deal

DEEDS: Final = frozenset(
    "load_pack load_camera_cards put_in_front replace_pack shuffle_pack take_pack free_feeder wipe"
    " replace_card put_board put_back take_board lid take_tray clear_belt take_table empty_pocket"
    " put_into_pocket wipe_label clean_glass press_estop release_estop plug_cable restart_power mend".split()
)
SIGHTS: Final = frozenset(
    "look sees_board sees_backwards sees_cards_at sees_cards_in_tray sees_cards_on_belt"
    " sees_cards_on_table sees_hopper_filled sees_pulled_board sees_lamp sees_dirt"
    " sees_stop_card sees_rest_of_pack".split()
)


def contents(world: PanelWorld) -> dict[str, Any]:
    """What the world really holds; a stop card in the tray is counted apart from the cards there."""
    found = world.contents()
    stop_card = Kind.STOP.value
    return {
        "board": found.board,
        "box": found.box,
        **found.as_json(),
        "tray": [name for name in found.tray if name != stop_card],
        "stop_cards_in_tray": found.tray.count(stop_card),
    }


class ControlDoor(LinesDoor):
    """Whoever calls here is a person at the machine; all share one pair of hands."""

    def __init__(self, world: PanelWorld, panel: Panel, pace: Pace, path: Path) -> None:
        super().__init__(path)
        self._world = world
        self._panel = panel
        self._pace = pace
        self._under_way: list[tuple[LineSocket, Any, Deed[Any]]] = []
        self._tables = PlayedBoards(world.shop, (), (), 0)
        self._things: dict[int, Held | Board] = {}
        self._numbers: dict[int, int] = {}
        """By identity of the thing, so that the same board has the same number."""

    def hear(self, caller: LineSocket, message: Any) -> None:
        """Does, or sees, what is asked for."""
        try:
            name, number = message["do"], message["id"]
            arguments = [self._thing(value) for value in message.get("args", [])]
            named = {key: self._thing(value) for key, value in message.get("named", {}).items()}
        except (AttributeError, KeyError, TypeError) as error:
            caller.send({"id": None, "wrong": f"no request: {error}"})
            return
        try:
            self._answer(caller, number, name, arguments, named)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            caller.send({"id": number, "wrong": f"{name}: {error}"})

    def give(self) -> None:
        """Tells which deeds are done."""
        for pair in [pair for pair in self._under_way if pair[2].done]:
            self._under_way.remove(pair)
            caller, number, deed = pair
            result = None if deed.problem else self._told(deed.result)
            caller.send({"id": number, "result": result, "problem": deed.problem})

    def _answer(
        self, caller: LineSocket, number: Any, name: str, arguments: Any, named: Any
    ) -> None:
        hands = self._world.hands
        if name in DEEDS:
            deed: Deed[Any] = getattr(hands, name)(*arguments, **named)
            self._under_way.append((caller, number, deed))
            caller.send({"id": number, "done_us": self._pace.host_us(deed.done_us)})
        elif name in SIGHTS:
            caller.send({"id": number, "result": self._told(getattr(hands, name)(*arguments))})
        elif name == "tables":
            self._come_back(*arguments)
            caller.send({"id": number, "result": True})
        elif name == "dealt":
            caller.send({"id": number, "result": self._told(self._tables.board(*arguments))})
        else:
            caller.send({"id": number, "result": self._special(name)})

    def _come_back(self, deals: Any, played: Any, seed: int) -> None:
        """Boards that lie there as dealt before: [number, PBN deal], with what play did: [name, copy]."""
        boards = [SetBoard.standard(number, Deal.from_pbn(deal)) for number, deal in deals]
        happened = [Played(name, copy) for name, copy in played]
        self._tables = PlayedBoards(self._world.shop, boards, happened, seed)

    def _special(self, name: str) -> Any:
        """What is asked of the twin rather than of a person."""
        world = self._world
        match name:
            case "press_start":
                self._panel.press_start()
                return True
            case "contents":
                return contents(world)
            case "timing":
                return asdict(world.timing) | {"machine_us": world.timing.machine_us}
            case "faces_seen":
                return world.hands.faces_seen
            case "stood_us":
                return self._pace.stood_us
            case "pull_cable":
                world.wire.pull()
                return True
        raise KeyError("there is no such deed")

    def _thing(self, value: Any) -> Any:
        if isinstance(value, list):
            return [self._thing(one) for one in value]
        if isinstance(value, dict) and "card" in value:
            return Card.parse(value["card"])
        if isinstance(value, dict):
            number: int = value["held"] if "held" in value else value["card board"]
            return self._things[number]
        return value

    def _told(self, value: Any) -> Any:
        if isinstance(value, list | tuple):
            return [self._told(one) for one in value]
        if isinstance(value, Held):
            return {"held": self._number(value)}
        if isinstance(value, Board):
            return {"card board": self._number(value), "number": value.number, "box": value.box}
        return value

    def _number(self, thing: Held | Board) -> int:
        if id(thing) not in self._numbers:
            number = len(self._things) + 1
            self._things[number] = thing  # kept, so that its identity stays its own
            self._numbers[id(thing)] = number
        return self._numbers[id(thing)]
