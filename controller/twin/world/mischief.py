"""The faults at work: each acts on pasteboard, wire, camera or sensors, never on the engine."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from controller.protocol.messages import ResetCause
from controller.twin.faults import Fault, When
from controller.twin.world.layout import CARD
from controller.twin.world.pins import In
from controller.twin.world.things import BACK_FOREIGN, Board, Kind, PhysicalCard, Smudge
from controller.twin.world.track import Passage
from controller.twin.world.wire import Doubler, Harm, Noise, Overtaker
from deals.cards import CARDS

if TYPE_CHECKING:
    from controller.twin.world.world import World

STALL_US: Final = 500_000
GLITCHES: Final = 40
GLITCHES_WITHIN_US: Final = 2_000_000
GLITCH_US: Final = (10, 2_000)
SLOW: Final = 3
ASKEW_DEG: Final = 6.0
MIXED: Final = 5
SLIPS: Final = 90
BOUNCES_US: Final = (200, 400, 900, 1_300)
GARBAGE: Final = 40
AGAIN_US: Final = 200_000
LATE_US: Final = (500, 2_000)
SMEAR: Final = (0.6, 1.0)
_HARM: Final = {
    "link_lossy": (0.05, "lost"),
    "link_truncated": (0.03, "truncated"),
    "link_spliced": (0.02, "spliced"),
}
_NOISE: Final = {"link_noise": 0.01, "link_noise_5": 0.05, "link_noise_20": 0.20}


class Mischief:
    """Waits for the board, pack or feed that each fault names, and does it once."""

    def __init__(self, world: World, faults: Sequence[Fault], seed: int) -> None:
        self._world = world
        self._pending = [
            (fault, random.Random(f"{seed} fault {number} {fault}"))
            for number, fault in enumerate(faults)
        ]
        self._pack: list[tuple[Fault, random.Random]] = []
        self._feed: dict[int, list[tuple[Fault, random.Random]]] = defaultdict(list)
        self._number: int | None = None
        self._again = False
        self.omit_stop_card = False
        """The next pack is loaded without a stop card before it."""

    def before_board(self, board: Board, backwards: bool) -> tuple[Board, bool]:
        """A person takes a board to put it in: which one, and which way, he really puts in."""
        mine = [pair for pair in self._pending if pair[0].board in (None, board.number)]
        self._pending = [pair for pair in self._pending if pair not in mine]
        if board.number != self._number:
            self._number = board.number
            self._feed.clear()
        for fault, rng in mine:
            if fault.kind.when is When.FEED:
                self._feed[fault.card].append((fault, rng))
            elif fault.kind.when is When.PACK:
                self._pack.append((fault, rng))
            elif fault.name == "wrong_board":
                board = Board(board.number + 1, board.box)
            elif fault.name == "board_backwards":
                backwards = not backwards
            else:
                self._on_board(fault.name, rng, board)
        return board, backwards

    def settle(self) -> None:
        """A board or cards came: the pack at the front takes what is due to it."""
        pack = self._front_pack()
        if pack and self._pack:
            due, self._pack = self._pack, []
            for fault, rng in due:
                self._on_pack(fault, rng)
        self._before_feed(self._world.timing.feeds + 1)

    def fed(self, feed: int, passage: Passage) -> None:
        """The belt has gripped the card of feed number *feed* since the board was put in."""
        for fault, rng in self._feed.pop(feed, ()):
            self._on_feed(fault.name, rng, passage)
        self._before_feed(feed + 1)

    def in_tray(self, passage: Passage) -> None:
        """A card that was to stick in a chute went down none: the next one does."""
        self._world.track.stick_next |= passage.sticks

    def _before_feed(self, feed: int) -> None:
        due = self._feed.get(feed, ())
        for pair in [pair for pair in due if pair[0].name == "misfeed"]:
            self._feed[feed].remove(pair)
            self._world.hopper.stuck = True
            self._world.note("fault misfeed")

    def _front_pack(self) -> list[PhysicalCard]:
        pack: list[PhysicalCard] = []
        for card in self._world.hopper.cards:
            if card.kind is not Kind.STOP:
                pack.append(card)
            elif pack:
                break
        return pack

    def _on_board(self, name: str, rng: random.Random, board: Board) -> None:
        world = self._world
        world.note(f"fault {name}")
        if name in _NOISE:
            world.wire.manglers.append(Noise(rng, _NOISE[name]))
        elif name in _HARM:
            share, kind = _HARM[name]
            world.wire.manglers.append(Harm(rng, share, kind))
        elif name == "link_reordered":
            world.wire.manglers_to_mcu.append(Overtaker(rng, 0.05))
            world.wire.manglers_to_host.append(Overtaker(rng, 0.05))
        elif name == "link_doubled":
            world.wire.manglers.append(Doubler(rng, 0.5))
        elif name == "pocket_not_empty":
            board.pockets[rng.choice("NESW")].append(world.shop.card(rng.choice(CARDS)))
        elif name == "label_unreadable":
            world.slot.label_readable = False
        elif name == "dtr_reset":
            world.resets_on_open = True

    def _on_pack(self, fault: Fault, rng: random.Random) -> None:
        self._world.note(f"fault {fault.name}")
        cards, pack = self._world.hopper.cards, self._front_pack()
        card = pack[min(fault.card, len(pack)) - 1]
        place = cards.index(card)
        others = [other for other in pack if other is not card]
        match fault.name:
            case "duplicate_card":
                card.card = rng.choice(others).card
            case "missing_card":
                cards.remove(card)
            case "extra_card":
                cards.insert(place, self._world.shop.card(rng.choice(CARDS)))
            case "stop_card_in_pack":
                cards.insert(place, self._world.shop.stop_card())
            case "stop_card_doubled":
                cards.insert(cards.index(pack[-1]) + 1, self._world.shop.stop_card())
            case "packs_mixed":
                self._mix(pack, rng)
            case "joker":
                cards.insert(place, self._world.shop.joker())
            case "foreign_back":
                card.back = BACK_FOREIGN
            case "card_face_up":
                card.face_up = True
            case "unreadable_card":
                card.smudges[:] = [Smudge.DAMAGE, Smudge.DAMAGE]
            case "dirty_corner":
                card.smudges[int(card.turned)] = Smudge.DIRT
            case "pack_in_order":
                first = cards.index(pack[0])
                ordered = sorted(pack, key=lambda one: CARDS.index(one.card) if one.card else 52)
                for at, one in enumerate(ordered, first):
                    cards[at] = one
            case "stop_card_missing":
                self._lose_stop_card(pack)

    def _mix(self, pack: list[PhysicalCard], rng: random.Random) -> None:
        """Some cards change places with cards of a pack that nobody deals."""
        other = self._world.shop.pack()
        cards = self._world.hopper.cards
        for out, into in zip(rng.sample(pack, MIXED), rng.sample(other, MIXED), strict=True):
            into.pack = out.pack
            cards[cards.index(out)] = into

    def _lose_stop_card(self, pack: list[PhysicalCard]) -> None:
        cards = self._world.hopper.cards
        behind = cards.index(pack[-1]) + 1
        if behind < len(cards):
            del cards[behind]
        if behind == len(cards):  # nor does anybody put one there when the next pack comes
            self.omit_stop_card = True

    def _on_feed(self, name: str, rng: random.Random, passage: Passage) -> None:
        world, camera = self._world, self._world.camera
        moment = rng.randint(0, world.profile.pitch_us)
        match name:
            case "double_feed":
                world.drag_along(rng.randint(CARD * 15 // 57, CARD * 45 // 57))
            case "double_feed_exact":
                world.drag_along(0)
            case "jam_pocket":
                passage.sticks = True
            case "jam_window":
                world.track.stick_over_window(passage)
            case "card_slips":
                world.track.slip(passage, SLIPS)
            case "card_askew":
                passage.tilt_deg = rng.choice((-1, 1)) * ASKEW_DEG
            case "image_lost":
                camera.lose.add(rng.choice((1, 2)))
            case "image_extra":
                camera.extra = True
            case "image_late_one_pitch":
                camera.late = 1
            case "image_late_two_pitches":
                camera.late = 2
            case "camera_silent":
                camera.silent = True
            case "image_frozen":
                camera.frozen = True
            case "image_black":
                camera.sight.black = True
            case (
                "strobe_dim"
                | "strobe_late"
                | "strobe_flickers"
                | "sun"
                | "glass_smeared"
                | "glass_soils"
            ):
                self._spoil(name, rng)
            case _:
                act = self._machine_fault(name, rng)
                world.at(world.now_us + moment, lambda: self._do(name, act))
                return
        world.note(f"fault {name}")

    def _spoil(self, name: str, rng: random.Random) -> None:
        sight = self._world.camera.sight
        match name:
            case "strobe_dim":
                sight.dim = True
            case "strobe_late":
                sight.late_us = rng.randint(*LATE_US)
            case "strobe_flickers":
                sight.flickers = True
            case "sun":
                sight.sunlit = True
            case "glass_smeared":
                sight.grime = max(sight.grime, rng.uniform(*SMEAR))
            case "glass_soils":
                sight.soiling = True

    def _do(self, name: str, act: Callable[[], object]) -> None:
        self._world.note(f"fault {name}")
        act()

    def _machine_fault(self, name: str, rng: random.Random) -> Callable[[], object]:
        world = self._world
        gate = rng.randrange(len(world.track.gates))
        other = rng.choice([i for i in range(len(world.track.gates)) if i != gate])
        passing = world.plan.pass_pins
        acts: dict[str, Callable[[], object]] = {
            "link_cut": world.wire.pull,
            "link_stall": self._stall,
            "mcu_reset": lambda: world.reset_mcu(ResetCause.BROWN_OUT),
            "mcu_hang": lambda: world.reset_mcu(ResetCause.WATCHDOG),
            "mcu_garbage": lambda: self._garbage(rng),
            "gate_coil_on": lambda: self._coil_on(gate),
            "gate_weak": lambda: world.track.gates[gate].weaken(SLOW),
            "sensor_bounce": self._bounce,
            "sensor_dead": lambda: world.inputs.force(passing[gate], 0),
            "estop_again": self._estop_again,
            "gate_stuck": lambda: world.track.gates[gate].stick(world.now_us),
            "gate_slow": lambda: world.track.gates[gate].slow_down(SLOW),
            "wrong_pocket": lambda: world.inputs.swap(passing[gate], passing[other]),
            "sensor_glitch": lambda: self._glitches(rng),
            "sensor_stuck": lambda: world.inputs.force(passing[gate], 1),
            "board_removed": self._pull_board,
            "estop": lambda: world.press_estop(True),
            "lid_open": lambda: world.slot.lid(False),
            "hub_lost": self._drop_hub,
        }
        return acts[name]

    def _stall(self) -> None:
        self._world.wire.stall(True)
        self._world.at(self._world.now_us + STALL_US, lambda: self._world.wire.stall(False))

    def _pull_board(self) -> None:
        self._world.pulled_board = self._world.slot.take()

    def _drop_hub(self) -> None:
        self._world.wire.pull()
        self._world.camera.unplugged = True

    def _garbage(self, rng: random.Random) -> None:
        self._world.wire.to_host(rng.randbytes(GARBAGE))
        self._world.reset_mcu(ResetCause.BROWN_OUT)

    def _coil_on(self, gate: int) -> None:
        track = self._world.track
        track.drive_gate(gate, True, self._world.now_us)
        track.gates[gate].coil_on = True

    def _estop_again(self) -> None:
        self._again = True
        self._world.press_estop(True)

    def powered(self) -> None:
        """Motors and gates have current: the machine homes."""
        if self._again:
            self._again = False
            world = self._world
            world.at(world.now_us + AGAIN_US, lambda: self._do("estop_again", self._press))

    def _press(self) -> None:
        self._world.press_estop(True)

    def _bounce(self) -> None:
        world = self._world

        def edge(pin: int, level: int) -> None:
            if pin not in world.plan.pass_pins:
                return
            for number, after_us in enumerate(BOUNCES_US):
                shown = None if number % 2 else 1 - level
                world.at(world.now_us + after_us, partial(world.inputs.force, pin, shown))

        world.inputs.on_edge = edge

    def _glitches(self, rng: random.Random) -> None:
        world = self._world
        pins = [In.WINDOW, *world.plan.pass_pins]

        def pulse(pin: int, long_us: int) -> None:
            world.inputs.force(pin, 1 - world.inputs.level(pin))
            world.at(world.now_us + long_us, lambda: world.inputs.force(pin, None))

        for _ in range(GLITCHES):
            act = partial(pulse, rng.choice(pins), rng.randint(*GLITCH_US))
            world.at(world.now_us + rng.randint(0, GLITCHES_WITHIN_US), act)
