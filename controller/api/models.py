"""What goes over the daemon's socket, as values. No model has a field for a card of a live set:
counts, feed numbers and pockets only.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import Base64Bytes, BaseModel, ConfigDict, Field

from controller.geometry import CARD_LENGTH_MM

MAX_FILE_BYTES = 4 * 1024 * 1024
PersonName = Annotated[str, Field(min_length=1, max_length=64, pattern=r"^[^\x00-\x1f\x7f]+$")]


Line = Annotated[str, Field(max_length=200, pattern=r"^[^\x00-\x1f\x7f]*$")]


class Model(BaseModel):
    """Frozen, and strict about names."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class DaemonState(StrEnum):
    """What the daemon is doing; UNKNOWN from its start until the machine has answered once."""

    UNKNOWN = "unknown"
    INTERRUPTED = "interrupted"
    """A board or a job was under way when the daemon ended: a person decides how it goes on."""
    IDLE = "idle"
    WANTS_BOARD = "wants_board"
    PAUSED = "paused"
    """Stopped by a person between two boards."""
    DEALING = "dealing"
    WAITS = "waits"
    """A board has stopped and waits for a person."""


class StopView(Model):
    """Why a board waits. `steps` in their order; `message` says all of it in English."""

    fault: str
    feed: int | None
    pocket: str | None
    steps: list[str]
    then: str
    set_aside: int
    asked_by: str | None = None
    """Who pressed stop, if it was that."""
    message: str
    board: int | None = None
    """The board that is asked for."""
    copy_name: str = ""
    """Its copy, where there are several."""


class FaceView(Model):
    """Who saw the face of a card of a live board, and whether that person will play it."""

    who: str
    plays: bool


class BoardView(Model):
    """One copy of one board, as far as it is."""

    board: int
    copy_number: int
    proven: bool
    waiting: bool
    attempts: int
    cards: int
    pockets: dict[str, int]
    second_looks: int
    parked: int
    held: int
    named: int
    machine_us: int | None
    faces_seen: list[FaceView] = []
    stops: list[StopView]


class TaskKind(StrEnum):
    """What can be asked for, by the name of its command."""

    CHECK = "check"
    RESTORE = "restore"
    RECORD = "record"
    ADOPT = "adopt"
    SCRAMBLE = "scramble"
    SORT = "sort"
    DECK_CHECK = "deck check"
    DECK_TEST = "deck test"
    DECK_TEACH = "deck teach"


class CopyView(Model):
    """One board or copy that was read: what is said of it, and how many cards each hand had."""

    board: int
    copy_name: str
    conclusion: str
    counts: dict[str, int]


class TaskView(Model):
    """How far such a job is, and what it found, in words and numbers."""

    kind: TaskKind
    board: int | None
    copy_name: str
    hand: str | None
    """The pocket whose hand is read now."""
    lots: int
    right: bool | None
    """Whether all is as it should be; None until the job is done."""
    copies: list[CopyView]
    findings: list[str]
    figures: dict[str, int]
    stops: list[StopView]
    set_code: str = ""
    """The set that a record or an adopted board became."""
    replaces: str = ""
    """The set whose place it takes."""
    void: list[str] = []
    """Copies, by their names, that were proven of the record that was."""
    stale: list[str] = []
    """Files that were made of the set that was."""


class JobView(Model):
    """A job: what is asked for, for whom, and what has come of it."""

    id: str
    owner: str
    set_code: str
    name: str
    design: str
    profile: str
    left: list[tuple[int, int]]
    """Boards still to be dealt, each with its copy number."""
    results: list[BoardView]
    ended: bool
    reason: str = ""
    """Why it ended, or why it cannot go on now, in English."""
    warnings: list[str] = []
    """What the Laws say about its deals, in English."""
    task: TaskView | None = None
    """A job that reads cards instead of dealing."""


class WantsView(Model):
    """What the machine wants a person to do next; `board` belongs on the screen in large."""

    board: int
    copy_number: int
    steps: list[str]
    message: str
    asked: int = 0
    """Another number: what was brought meanwhile was not seen to come, and is asked for anew."""
    boards: list[int] = []
    """Not empty: any of these may come next, and the label says which it is."""


class CardFateView(Model):
    """Where one card of an interrupted board is: `pocket` for landed cards only."""

    run: int
    feed: int
    where: str
    pocket: str | None


class InterruptedView(Model):
    """A board that was under way when the daemon ended."""

    set_code: str
    board: int
    copy_number: int
    attempt: int
    cards: list[CardFateView]
    message: str


class Notice(Model):
    """Something to know, by its code of the catalogue: each client says it in its own language."""

    code: str
    values: dict[str, str] = {}


class MachineView(Model):
    """The machine as last heard."""

    id: str = ""
    """What the club calls it."""
    connected: bool
    state: str
    firmware: str
    profile: str
    pocket_order: str = ""
    """Along the belt, first gate first, as the daemon was configured."""
    switches: dict[str, bool]
    label: int | None
    problem: str
    notice: Notice | None = None


class FiguresView(Model):
    """For a technician: how well host and machine keep up, since the daemon began."""

    route_us: list[int]
    """The last cards, from the exposure of the image to the sending of the route; newest last."""
    link: dict[str, int]
    eye: dict[str, int]
    mcu: dict[str, int]
    """What the MCU has counted since its boot; empty while it does not answer."""
    transit_mm: dict[str, list[float]]
    """Of the last run, by leg: least, mean and greatest way of its cards."""


class FiguresRequest(Model):
    """Nothing needs to be said."""


class StateView(Model):
    """Everything a screen shows. `event` is the last event that is contained in it."""

    event: str
    state: DaemonState
    words: str
    machine: MachineView
    job: JobView | None
    wants: WantsView | None
    stop: StopView | None
    pockets: dict[str, int]
    fed: int
    held: bool
    interrupted: list[InterruptedView]
    stops_asked: int = 0
    """How often somebody has asked to stop since the daemon began."""


class CardEvent(Model):
    """One thing that a card did: `seen`, `landed`, or the belt's `hold` on or off."""

    what: str
    feed: int
    pocket: str | None = None
    on: bool | None = None


class DealRequest(Model):
    """Deal boards of a file. Without `copies` the first copy of each, which must not have been
    dealt before; with it so many more of each.
    """

    owner: PersonName
    name: Annotated[str, Field(min_length=1, max_length=200)]
    file: Base64Bytes
    first_board: Annotated[int, Field(ge=1, le=9999)] | None = None
    boards: Annotated[list[int], Field(min_length=1, max_length=500)] | None = None
    copies: Annotated[int, Field(ge=1, le=99)] | None = None
    teaching: bool = False
    """A lesson: a TEACHING set may be dealt, which normal play forbids (Law 6E4)."""
    laws: Literal[1997, 2007, 2017] | None = None
    """Edition of the Laws for this set; None: that under which it is kept, or 2017."""
    replay: bool = False
    """The purpose is to play deals again that were dealt before (Law 6D2)."""
    witness: Annotated[str, Field(max_length=64, pattern=r"^[^\x00-\x1f\x7f]*$")] = ""
    """Who of the other side is present at the dealing (Law 6C); goes into the logbook."""
    boxes: Annotated[list[Line], Field(max_length=99)] = []
    """The box of each copy, in their order."""
    section: Line = ""
    order: Literal["board", "set", "label"] = "board"
    """All copies of a board; the whole set once and then again; or as people bring them, by label."""
    over: bool = False
    """Deal over boxes that nobody called played."""


class StopRequest(Model):
    """Stop the machine now; with `end` also give the job up."""

    by: PersonName
    end: bool = False


class ResumeRequest(Model):
    """What the screen asked for is done: go on. `named` are the set-aside cards in their order, if
    they were asked for; `take_over` makes the sender the owner. `stops_seen` is the `stops_asked` of the
    state that the sender acts upon: who has not seen the latest stop cannot undo it. `face_seen_by`: who
    saw the face of a card meanwhile; a player's board ends there and needs a new deal.
    """

    by: PersonName
    named: Annotated[list[str], Field(max_length=52)] = []
    take_over: bool = False
    stops_seen: Annotated[int, Field(ge=0)] | None = None
    face_seen_by: PersonName | None = None
    seen_by_player: bool = False


class ConfirmRequest(Model):
    """On a machine without label reader: the number on the board that lies in the slot."""

    by: PersonName
    board: Annotated[int, Field(ge=1, le=9999)]


class PictureRequest(Model):
    """See the picture of a card that has to be named here: the first of those in the tray, or another.
    The sender has seen a face then; who plays the set must not ask.
    """

    by: PersonName
    card: Annotated[int, Field(ge=1, le=52)] = 1
    look: Literal[1, 2] | None = None
    """None: the first that there is."""


class PictureView(Model):
    """The picture of a card that is to be named: a small JPEG, as the reader saw it."""

    feed: int
    card: int
    of: int
    """So many cards are to be named."""
    image: Base64Bytes = Field(repr=False)


class SightRequest(Model):
    """A picture of the pack that passed to be taught, by its number from 0."""

    number: Annotated[int, Field(ge=0, le=200)]


class SightView(Model):
    """One look of the card at one place, as PNG of the whole window. A pack that is taught is of no set."""

    place: int
    look: int
    image: Base64Bytes = Field(repr=False)


class CalibrateRequest(Model):
    """Measure one section of the machine; the sender stands beside it. `card_mm`: the short side of a
    card in use; `design`: which cards these are.
    """

    by: PersonName
    section: Annotated[str, Field(pattern=r"^(feed|gates|sensors|camera)$")]
    card_mm: Annotated[float, Field(ge=50, le=70)] = CARD_LENGTH_MM
    design: Annotated[str, Field(max_length=64)] = ""


class CalibrationRequest(Model):
    """Nothing needs to be said."""


class CalibrationView(Model):
    """What was measured on this machine: values in use, and each section as it was measured."""

    values: dict[str, int]
    sections: dict[str, dict[str, Any]]
    simulated: int | None = None
    measuring: str = ""
    """The section that is being measured now."""
    problem: str = ""
    """Why the last section could not be measured, in words."""


class Problem(Model):
    """Why a request was refused: what, in words; the state of the machine and its owner."""

    code: str
    message: str
    state: DaemonState
    owner: str | None = None
    findings: list[str] = []
