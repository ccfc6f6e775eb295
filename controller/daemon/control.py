"""What clients ask, and how the control loop answers; the flags that it acts upon.

`attend` runs wherever the loop waits, also in the middle of a card, so nothing here uses the link:
STOP alone goes out, past whatever is under way.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Protocol

from controller.api.desk import Desk
from controller.api.errors import ApiError
from controller.api.files import MayDeal, Wanted
from controller.api.models import (
    CalibrateRequest,
    CalibrationRequest,
    CalibrationView,
    ConfirmRequest,
    DaemonState,
    FiguresRequest,
    FiguresView,
    InterruptedView,
    JobView,
    Model,
    PictureRequest,
    PictureView,
    ResumeRequest,
    SightRequest,
    SightView,
    StateView,
    StopRequest,
    StopView,
    WantsView,
)
from controller.api.tasks import WantedTask
from controller.daemon.errors import DaemonError
from controller.daemon.job import Job
from controller.daemon.live import Live
from controller.daemon.parts import ConfirmedLabels, Panel
from controller.daemon.port import Port
from controller.engine.stops import REQUESTS, Step, Stop
from controller.jobs.people import FaceSeen
from controller.jobs.results import BoardResult
from controller.jobs.teachpass import Sight
from controller.store.director import OPERATE
from controller.store.store import Store, Who
from deals.cards import Card
from deals.errors import DealError, PredealError
from deals.words import text

START_BUTTON = Who("start button", OPERATE)
WAITING = (DaemonState.WAITS, DaemonState.PAUSED, DaemonState.INTERRUPTED)

LAMPS = {
    DaemonState.UNKNOWN: "red",
    DaemonState.INTERRUPTED: "red",
    DaemonState.WAITS: "red",
    DaemonState.PAUSED: "red",
    DaemonState.WANTS_BOARD: "green",
    DaemonState.IDLE: "green",
    DaemonState.DEALING: "amber",
}


class BeginsJobs(Protocol):
    """Makes a job of what a client wants."""

    def __call__(self, wanted: Wanted | WantedTask) -> Job:
        """The job, written down; raises what stands against it."""
        ...


class Control:
    """The daemon's mind: state, job, and what people have asked for since it was last looked at."""

    def __init__(
        self,
        desk: Desk,
        live: Live,
        port: Port,
        store: Store,
        labels: object,
        panel: Panel,
        begin: BeginsJobs,
        figures: Callable[[], FiguresView],
        say: Callable[[str], None],
    ) -> None:
        self.state = DaemonState.UNKNOWN
        self.job: Job | None = None
        self.calibrating: CalibrateRequest | None = None
        """What shall be measured, or is being measured."""
        self.calibrations: Callable[[], CalibrationView] = lambda: CalibrationView(
            values={}, sections={}
        )
        self.stop: Stop | None = None
        """What the board waits for, in state WAITS."""
        self.reachable = False
        """The machine answers, or a lost one would be noticed by the job itself."""
        self.eye_problem = ""
        """Why no card could be read now, while a board waits."""
        self.ending = False
        self.stop_by: str | None = None
        self.given_up_by: str | None = None
        self._stops_asked = 0
        self._asked_last = ""
        self.resumed: tuple[Card, ...] | None = None
        """Set when a person has done what was asked; the cards that he named."""
        self.faces: list[FaceSeen] = []
        """Who saw the face of a card before the board went on."""
        self.crop: Callable[[int, int | None], bytes] = lambda feed, look: b""
        """The small picture of a card of the board that waits; empty when there is none."""
        self.lesson: Sequence[Sight] = ()
        """Pictures of the pack that passed last to be taught, until they are fetched."""
        self.live = live
        self._desk = desk
        self._port = port
        self._store = store
        self._labels = labels
        self._panel = panel
        self._begin = begin
        self._figures = figures
        self._say = say

    # -- the loop's side -------------------------------------------------------------------

    def attend(self) -> None:
        """Answers whatever is asked; keeps a stop that was asked for coming until it is heard."""
        while (asked := self._desk.take()) is not None:
            self._answer(*asked)
        if self._panel.pressed() and self.state in WAITING and self._may_go_on():
            self._store.logbook.append("resume", {"state": self.state.value}, START_BUTTON)
            self.resumed = ()
        if self.state is DaemonState.DEALING and (self.stop_by is not None or self.ending):
            self._port.shout_stop()

    def enter(
        self,
        state: DaemonState,
        words: str,
        *,
        wants: WantsView | None = None,
        stop: StopView | None = None,
        interrupted: list[InterruptedView] | None = None,
    ) -> None:
        """The daemon does something else from now on."""
        self.state = state
        asked = stop is not None and stop.fault in REQUESTS
        self._panel.show(LAMPS[DaemonState.WANTS_BOARD if asked else state])
        if words != self.live.view.words:
            self._say(words)
        view = self.job.view() if self.job else self.live.view.job
        self.live.state(state, words, job=view, wants=wants, stop=stop, interrupted=interrupted)

    def measure(self, request: CalibrateRequest) -> None:
        """The machine moves for a measurement of this section."""
        self.enter(
            DaemonState.DEALING, text("daemon.state_calibrating", {"section": request.section})
        )

    def progressed(self, result: BoardResult) -> None:
        """A board begins, stops or ends."""
        if self.job is None:
            return
        if result.proven and result.machine_us is None:
            result.machine_us = self.live.machine_us
        self.job.note(result, self.stop_by)
        view = self.job.view()
        for board in view.results:
            if (board.board, board.copy_number) == (result.board, result.copy):
                self.live.tell("board", board)

    def task_progressed(self) -> None:
        """A job that reads cards has come further; what is asked of people stays as it is."""
        if self.job is not None:
            view = self.live.view
            job = self.job.view()
            self.live.state(self.state, view.words, job=job, wants=view.wants, stop=view.stop)

    def end_job(self, reason: str) -> None:
        """The job is over; it stays on the screen until the next."""
        if self.job is None:
            return
        self.job.ended, self.job.reason = True, reason
        view = self.job.view()
        self.job, self.state = None, DaemonState.IDLE
        self._panel.show(LAMPS[self.state])
        self.live.state(self.state, text("daemon.state_idle"), job=view)
        self.live.tell("job", view)
        self.given_up_by = self.stop_by = self.resumed = None

    # -- answers ---------------------------------------------------------------------------

    def _answer(self, request: object, answer: Future[Model]) -> None:
        try:
            answer.set_result(self._answered(request))
        except PredealError as error:
            answer.set_exception(error)
        except Exception as error:  # noqa: BLE001 - the client hears of it; the loop goes on
            answer.set_exception(error)

    def _answered(self, request: object) -> Model:
        match request:
            case FiguresRequest():
                return self._figures()
            case CalibrationRequest():
                return self.calibrations()
            case CalibrateRequest():
                return self._calibrate(request)
            case MayDeal():
                self._refuse_if_busy()
                return self.live.view
            case Wanted() | WantedTask():
                return self._deal(request)
            case StopRequest():
                return self._stop(request)
            case ResumeRequest():
                return self._resume(request)
            case ConfirmRequest():
                return self._confirm(request)
            case PictureRequest():
                return self._picture(request)
            case SightRequest():
                return self._sight(request)
        raise TypeError(type(request).__name__)

    def _refuse_if_busy(self) -> None:
        if self.state is DaemonState.UNKNOWN:
            raise ApiError("daemon.no_machine", problem=self.live.view.machine.problem or "-")
        measuring = self.calibrating is not None
        if self.state is not DaemonState.IDLE or self.job is not None or measuring:
            raise self._busy()

    def _deal(self, wanted: Wanted | WantedTask) -> JobView:
        self._refuse_if_busy()
        self.lesson = ()
        self.job = self._begin(wanted)
        self.given_up_by = self.stop_by = self.resumed = None
        self.enter(self.state, self.live.view.words)  # whoever asks next sees the job
        return self.job.view()

    def _calibrate(self, request: CalibrateRequest) -> StateView:
        self._refuse_if_busy()
        self.calibrating = request
        self.given_up_by = self.stop_by = self.resumed = None
        self._store.logbook.append(
            "calibrate", {"section": request.section}, Who(request.by, OPERATE)
        )
        self.measure(request)  # whoever asks next sees it
        return self.live.view

    def _busy(self) -> ApiError:
        words = self.live.view.words
        if self.job is None:
            return ApiError("daemon.busy_alone", words=words)
        return ApiError("daemon.busy", words=words, owner=self.job.owner)

    def _stop(self, request: StopRequest) -> StateView:
        self._port.shout_stop()
        self.stop_by = request.by
        if request.end:
            self.given_up_by = request.by
        self.resumed = None
        self._stops_asked += 1
        self._asked_last = request.by
        self.live.stops_asked(self._stops_asked)
        who = Who(request.by, OPERATE)
        self._store.logbook.append("stop", {"end": request.end, "state": self.state.value}, who)
        return self.live.view

    def _resume(self, request: ResumeRequest) -> StateView:
        if self.state not in WAITING:
            raise ApiError("daemon.nothing_waits", words=self.live.view.words)
        if request.stops_seen is not None and request.stops_seen < self._stops_asked:
            raise ApiError("daemon.stopped_since", who=self._asked_last)
        if self.job and self.job.owner != request.by and not request.take_over:
            raise ApiError("daemon.owned", owner=self.job.owner, words=self.live.view.words)
        if not self._may_go_on(named=len(request.named)):
            raise self._not_yet()
        cards = _cards(request.named)
        who = Who(request.by, OPERATE)
        details = {"named": len(cards), "state": self.state.value}
        self._store.logbook.append("resume", details, who)
        self._note_face(request)
        if self.job:
            self.job.owner = request.by
        self.resumed = cards
        return self.live.view

    def _note_face(self, request: ResumeRequest) -> None:
        """Who saw the face of a card meanwhile; in the logbook at once."""
        if request.face_seen_by is None:
            return
        face = FaceSeen(request.face_seen_by, request.seen_by_player)
        details = {"who": face.who, "plays": face.plays, "words": self.live.view.words}
        self._store.logbook.append("face_seen", details, Who(request.by, OPERATE))
        self.faces = [one for one in self.faces if one.who != face.who] + [face]

    def _picture(self, request: PictureRequest) -> PictureView:
        """The picture of a card that a person has to name, and of no other. Who asks has seen a face."""
        feeds = self.stop.named if self.state is DaemonState.WAITS and self.stop else ()
        if not feeds:
            raise ApiError("daemon.no_picture_now")
        if request.card > len(feeds):
            raise ApiError("daemon.no_such_picture", count=len(feeds))
        feed = feeds[request.card - 1]
        crop = self.crop(feed, request.look)
        if not crop:
            raise ApiError("daemon.picture_lost", feed=feed)
        details = {"who": request.by, "plays": False, "feed": feed, "picture": True}
        self._store.logbook.append("face_seen", details, Who(request.by, OPERATE))
        if request.by not in [one.who for one in self.faces]:
            self.faces.append(FaceSeen(request.by, plays=False))
        image = base64.b64encode(crop)
        return PictureView(feed=feed, card=request.card, of=len(feeds), image=image)

    def _may_go_on(self, named: int = 0) -> bool:
        if self.state is not DaemonState.WAITS or self.stop is None:
            return True
        wanted = self.stop.set_aside if Step.NAME_SET_ASIDE in self.stop.steps else 0
        return self.reachable and not self.eye_problem and named == wanted

    def _not_yet(self) -> ApiError:
        if not self.reachable:
            return ApiError("daemon.no_machine", problem=self.live.view.machine.problem or "-")
        if self.eye_problem:
            return ApiError("daemon.eye_away", problem=self.eye_problem)
        if self.stop is not None and Step.NAME_SET_ASIDE in self.stop.steps:
            return ApiError("daemon.name_cards", count=self.stop.set_aside)
        return ApiError("daemon.name_none")

    def _sight(self, request: SightRequest) -> SightView:
        """A picture of the lesson; when the last is fetched nobody needs them any more."""
        if request.number >= len(self.lesson):
            raise ApiError("daemon.no_lesson")
        found = self.lesson[request.number]
        if request.number == len(self.lesson) - 1:
            self.lesson = ()
        image = base64.b64encode(found.png)
        return SightView(place=found.place, look=found.look, image=image)

    def _confirm(self, request: ConfirmRequest) -> StateView:
        if not isinstance(self._labels, ConfirmedLabels):
            raise ApiError("daemon.has_label_reader")
        if self.state not in (DaemonState.WANTS_BOARD, *WAITING):
            raise ApiError("daemon.nothing_waits", words=self.live.view.words)
        self._labels.confirm(request.board)
        details = {"board": request.board}
        self._store.logbook.append("board confirmed", details, Who(request.by, OPERATE))
        return self.live.view


def _cards(names: list[str]) -> tuple[Card, ...]:
    try:
        return tuple(Card.parse(name) for name in names)
    except DealError as error:
        raise DaemonError("daemon.no_cards") from error
