"""The machine under the host's hand: connects, configures, homes, runs, and tells what happens.

Sequential code: each method returns when the MCU has answered. Below the daemon this is the only
user of the link, so nothing else can move a motor.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from controller import geometry
from controller.devices.eye import Eye
from controller.devices.happenings import (
    Happening,
    ImageArrived,
    Input,
    InputMoved,
    LinkWasLost,
    McuWasRestarted,
    PictureArrived,
    ReadingArrived,
    RouteRefused,
    TimePassed,
)
from controller.devices.happenings import Strobed as LookStrobed
from controller.devices.ports import Clock, Label, LabelReader
from controller.geometry import Profile
from controller.link.errors import LinkLostError, McuRestartedError, RefusedError
from controller.link.link import Link, Wait
from controller.machine.calibration import DRAWING, Calibration
from controller.machine.crops import Crops
from controller.machine.errors import MachineError, VersionError
from controller.machine.settings import settings, settings_crc
from controller.machine.translate import happening_of
from controller.protocol.messages import (
    PROTOCOL_VERSION,
    Calibrate,
    CalibrationKey,
    Clear,
    Commit,
    Config,
    Feed,
    Finish,
    GetCalibration,
    GetStatistics,
    GetTransit,
    Hello,
    Home,
    Homed,
    Identity,
    Keep,
    Key,
    Leg,
    NakReason,
    Pocket,
    ResetCause,
    Route,
    Start,
    State,
    Statistics,
    Stop,
    Stopped,
    StopReason,
    Transit,
)
from controller.protocol.messages import Calibration as CalibrationAnswer

HOME_LIMIT_US: Final = 5_000_000
KEEP_LIMIT_US: Final = 1_000_000
"""64 bytes of EEPROM take a quarter of a second."""
KEEP_LOOK_US: Final = 20_000
ROUTES_KEPT: Final = 1_040
"""About twenty boards."""
ROUTE_TOO_LATE: Final = (NakReason.LATE, NakReason.SUSPECT, NakReason.NO_SUCH_CARD)


@dataclass(slots=True)
class Inputs:
    """The switches as last told, a bit word in pin-table order."""

    word: int = 0

    def __getitem__(self, switch: Input) -> bool:
        return bool(self.word >> switch.value & 1)

    def move(self, switch: Input, on: bool) -> None:
        """Notes a change."""
        self.word = self.word & ~(1 << switch.value) | on << switch.value


class Machine:
    """Everything the host can ask of the machine; `next` gives what happens on it, one by one."""

    def __init__(
        self,
        link: Link,
        eye: Eye,
        label_reader: LabelReader,
        clock: Clock,
        wait: Wait,
        profile: Profile,
        pocket_order: str = geometry.POCKET_ORDER,
        box: str = "",
        calibration: Calibration = DRAWING,
    ) -> None:
        self.profile = profile
        self.pocket_order = pocket_order
        self.box = box
        """The only box whose boards may come; empty: any."""
        self.calibration = calibration
        """What was measured on this machine; `connect` configures the MCU by it."""
        self.inputs = Inputs()
        self.identity: Identity | None = None
        self._link = link
        self._eye = eye
        self._label_reader = label_reader
        self._clock = clock
        self._wait = wait
        self.route_us: deque[int] = deque(maxlen=ROUTES_KEPT)
        """From the strobe of a card's first look to the sending of its route, newest last."""
        self.counted: Statistics | None = None
        """As `count` found them last; so is `travelled`."""
        self.travelled: dict[Leg, Transit] = {}
        self.crops = Crops()
        self._happenings: deque[Happening] = deque()
        self._strobed: dict[int, int] = {}
        self._run = 0
        self._unconfigured = False

    # -- getting ready ---------------------------------------------------------------------

    def connect(self) -> Identity:
        """Opens a session and configures the MCU; refuses another protocol version before any
        motion.
        """
        identity = self._greet()
        self._happenings.clear()
        self.identity = identity
        self._run = identity.run  # the MCU may be older than this host: run 1 may be long over
        self._note_inputs(identity.inputs)
        values = settings(self.profile, self.pocket_order, self.calibration)
        self._unconfigured = identity.config_crc != settings_crc(values)
        if self._unconfigured and State(identity.state) in (State.UNKNOWN, State.READY):
            self.configure(values)
        return identity

    @property
    def connected(self) -> bool:
        """Whether the session of the last `connect` is still open."""
        return self._link.open

    def _greet(self) -> Identity:
        """Opens a session, with an MCU of our version of the protocol alone: one of another refuses it."""
        try:
            identity = self._link.hello(Hello(PROTOCOL_VERSION))
        except RefusedError as error:
            if error.reason is not NakReason.VERSION:
                raise
            raise VersionError("machine.other_version", host=PROTOCOL_VERSION) from error
        if identity.protocol != PROTOCOL_VERSION:  # and one that refuses nothing is no better
            raise VersionError("machine.other_version", host=PROTOCOL_VERSION)
        return identity

    def configure(self, values: Mapping[Key, int]) -> None:
        """Gives the MCU other values than `connect` did, for a measurement; in UNKNOWN or READY."""
        for key in sorted(values):
            self._link.request(Config(key, values[key]))
        self._link.request(Commit(settings_crc(dict(values))))
        self._unconfigured = False

    # -- what stays with the machine -------------------------------------------------------

    def kept_calibration(self) -> Calibration:
        """What the MCU's EEPROM holds; nothing when it was never calibrated or is damaged."""
        found = [self._link.ask(GetCalibration(key), CalibrationAnswer) for key in CalibrationKey]
        if not all(answer.kept for answer in found):
            return DRAWING
        return Calibration({CalibrationKey(one.key): one.value for one in found if one.value})

    def keep_calibration(self, calibration: Calibration) -> None:
        """Keeps values in the MCU's EEPROM, and waits until they are there."""
        for key in CalibrationKey:
            self._link.request(Calibrate(key, calibration.values.get(key, 0)))
        self._link.request(Keep(calibration.crc))
        deadline = self._clock.now_us() + KEEP_LIMIT_US
        while not self._link.ask(GetCalibration(CalibrationKey.DATE), CalibrationAnswer).kept:
            if self._clock.now_us() >= deadline:
                raise MachineError("machine.eeprom_worn")
            self._wait(min(deadline, self._clock.now_us() + KEEP_LOOK_US))
        self.calibration = calibration

    def statistics(self) -> Statistics:
        """What has gone less than well on the MCU's side since its boot."""
        return self._link.ask(GetStatistics(), Statistics)

    def transit(self) -> dict[Leg, Transit]:
        """How far the cards of the last run travelled, leg by leg, in belt steps."""
        return {leg: self._link.ask(GetTransit(leg), Transit) for leg in Leg}

    def count(self) -> None:
        """Asks for both, for whoever wants to see them without asking the MCU."""
        self.counted, self.travelled = self.statistics(), self.transit()

    # -- states ----------------------------------------------------------------------------

    def state(self) -> State:
        """The firmware's state, asked for now."""
        self._link.beat(force=True)
        status = self._link.status
        if status is None:
            return State.UNKNOWN
        self._note_inputs(status.inputs)
        return State(status.state)

    def moves(self, switch: Input, on: bool) -> int:
        """How often *switch* has moved so, as events have told, also where nobody looked meanwhile."""
        return self._link.moves[switch.value, on]

    def stop_reason(self) -> StopReason:
        """The latched stop reason as of the last status."""
        return StopReason(self._link.status.stop_reason if self._link.status else 0)

    def clear(self) -> None:
        """Unlatches a stop; RefusedError while its cause is still there.

        An MCU that was stopped when the session began takes its configuration only now.
        """
        self.state()
        self._link.request(Clear(self.stop_reason()))
        if self._unconfigured:
            self.configure(settings(self.profile, self.pocket_order, self.calibration))

    def home(self) -> None:
        """Runs the self-test; MachineError when it fails. The machine is READY afterwards."""
        self._link.request(Home())
        deadline = self._clock.now_us() + HOME_LIMIT_US
        while self._clock.now_us() < deadline:
            self._wait(min(deadline, self._link.next_beat_us))
            self._link.beat()
            for _, event in self._link.take_events():
                if isinstance(event, Homed):
                    self.state()
                    return
                if isinstance(event, Stopped):
                    raise MachineError("machine.home_failed", reason=StopReason(event.reason).name)
        raise MachineError("machine.home_failed", reason="TIME")

    def label(self) -> Label | None:
        """What the label reader sees at the slot."""
        return self._label_reader.read()

    # -- a run -----------------------------------------------------------------------------

    @property
    def next_run(self) -> int:
        """The number of the run that would be started next."""
        return self._run % 0xFFFF + 1

    def start(self, run: int) -> None:
        """Opens run `run`; what happened before it is not told any more."""
        self._run = run
        self._happenings.clear()
        self._strobed.clear()
        self._link.take_events()
        self._eye.images()
        self._link.request(Start(run))

    def credit(self, up_to: int) -> None:
        """Lets the feeder go on up to card `up_to`."""
        self._link.request(Feed(self._run, up_to))

    def route(self, feed: int, pocket: Pocket) -> None:
        """Sends card `feed` to `pocket`; a refusal for lateness or doubt comes back as
        RouteRefused.
        """
        strobed_us = self._strobed.pop(feed, None)
        if strobed_us is not None:
            self.route_us.append(self._clock.now_us() - strobed_us)
        try:
            ack = self._link.request(Route(self._run, feed, pocket))
        except RefusedError as error:
            if error.reason not in ROUTE_TOO_LATE:
                raise
            self._happenings.append(RouteRefused(self._clock.now_us(), feed))
            return
        if (ack.card, ack.pocket) != (feed, pocket):
            self.stop()
            raise MachineError("machine.route_echo", feed=feed)

    def crop(self, feed: int, look: int | None = None) -> bytes:
        """The small picture of a card of this run; empty when there is none."""
        return self.crops.of(self._run, feed, look)

    def finish(self) -> None:
        """Ends feeding; RunEnded comes when the belt is empty."""
        self._link.request(Finish(self._run))

    def stop(self) -> None:
        """Stops everything now."""
        self._link.request(Stop())

    def read_image(self, number: int, feed: int, look: int) -> None:
        """Has one image read, which is that look of a card."""
        self._eye.ask(number, feed, look)

    def show_image(self, number: int) -> None:
        """Has one image given whole: PictureArrived."""
        self._eye.show(number)

    def shoot(self) -> None:
        """Has a picture taken without the strobe, by a camera that can: ImageArrived."""
        self._eye.shoot()

    def restart_camera(self) -> None:
        """Starts the camera anew; images and readings under way are void."""
        self._eye.restart()

    # -- what happens ----------------------------------------------------------------------

    def next(self, until_us: int) -> Happening:
        """The next thing that happens, or TimePassed at `until_us`.

        Heartbeats go on meanwhile. A lost link and a restarted MCU are happenings too, told once;
        after them only `connect` helps.
        """
        while not self._happenings:
            try:
                if not self._gather(until_us):
                    return TimePassed(self._clock.now_us())
            except LinkLostError:
                self._happenings.append(LinkWasLost(self._clock.now_us()))
            except McuRestartedError:
                self._happenings.append(McuWasRestarted(self._clock.now_us(), None))
        return self._happenings.popleft()

    def reset_cause(self) -> ResetCause | None:
        """Why the MCU last started, as told at `connect`."""
        return ResetCause(self.identity.reset_cause) if self.identity else None

    def _gather(self, until_us: int) -> bool:
        """Takes what there is, or waits for it; False when there is nothing and the time is over.

        Only what has been taken may be missed: a slow command can end long after `until_us`.
        """
        self._link.beat()
        self._collect()
        if not self._happenings:
            if self._clock.now_us() >= until_us:
                return False
            self._wait(min(until_us, self._link.next_beat_us))
            self._collect()
        return True

    def _collect(self) -> None:
        now = self._clock.now_us()
        # Images first: after a slow command both have waited, and a strobe must not seem to have
        # no image while that lies behind it in the same heap.
        found: list[Happening] = [
            ImageArrived(now, note.number, note.captured_us, note.digest)
            for note in self._eye.images()
        ]
        for at_us, event in self._link.take_events():
            happening = happening_of(at_us, event, self._run)
            if happening is not None:
                found.append(happening)
        for answer in self._eye.answers():
            self.crops.keep(self._run, answer)
            found.append(ReadingArrived(now, answer.number, answer.reading))
        found += [PictureArrived(now, number, png) for number, png in self._eye.pictures()]
        for happening in found:
            if isinstance(happening, InputMoved):
                self.inputs.move(happening.input, happening.on)
            elif isinstance(happening, LookStrobed) and happening.look == 1:
                self._strobed[happening.feed] = happening.at_us
        self._happenings.extend(found)

    def _note_inputs(self, word: int) -> None:
        self.inputs.word = word
