"""A served twin and its daemon as children of one program, and the people at them."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self

from controller.client.errors import ClientError
from controller.jobs.errors import JobError
from deals.errors import PredealError

if TYPE_CHECKING:
    from controller.client.client import Client
    from controller.engine.stops import Stop
    from controller.jobs.people import Done
    from controller.twin.serve.people import PeopleAtTwin

ENDINGS: Final = (signal.SIGTERM, signal.SIGHUP)
START_S: Final = 60.0
END_S: Final = 5.0
PRIORITY: Final = -10
"""As the service unit has it, where we may: a machine does not wait for other programs."""
_LOOK_S: Final = 0.05


@contextlib.contextmanager
def undisturbed() -> Iterator[None]:
    """Whoever is impatient and presses Ctrl-C again does not end the putting away."""
    numbers = (signal.SIGINT, *ENDINGS)
    before = {number: signal.signal(number, signal.SIG_IGN) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def prefer(pid: int) -> None:
    """Has a process served before others, where we may do that: it must have a session of its own."""
    with contextlib.suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, pid, PRIORITY)
        # Where the kernel shares time out by sessions first, that of the session counts.
        Path(f"/proc/{pid}/autogroup").write_text(str(PRIORITY))


class TwinHouse:
    """A served twin and its daemon, as children in a folder of their own, both gone at the end."""

    def __init__(self, profile: str, design: str, state: Path | None, twin: Sequence[str]) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="predeal-"))
        self.socket = self.folder / "daemon"
        self._profile = profile
        self._design = design
        self.state = state.absolute() if state else self.folder / "state"
        self._twin = twin
        self._children: list[subprocess.Popen[str]] = []
        self.control = ""

    def __enter__(self) -> Self:
        try:
            options = ["--profile", self._profile, "--design", self._design, *self._twin]
            folder = ["--socket-dir", str(self.folder / "twin")]
            twin = self._start("twin", "twin", "serve", "--json", *folder, *options)
            places = self._places(twin)
            self.control = places["control"]
            config = self.folder / "predeal.toml"
            config.write_text(self._config(places), encoding="utf-8")
            self._start("daemon", "daemon", "--config", str(config))
            return self
        except BaseException:
            self._end()
            raise

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._end()

    @property
    def daemon(self) -> int:
        """The daemon's process."""
        return self._children[1].pid

    def wait_for(self, client: Client) -> None:
        """Until the daemon has found the machine."""
        end_s = time.monotonic() + START_S
        while time.monotonic() < end_s:
            self._refuse_if_ended()
            with contextlib.suppress(ClientError):
                if client.state().machine.connected:
                    return
            time.sleep(_LOOK_S)
        raise JobError("client.child_silent", what="daemon", seconds=round(START_S))

    # -- inside ----------------------------------------------------------------------------

    def _start(self, name: str, *arguments: str) -> subprocess.Popen[str]:
        with (self.folder / f"{name}.log").open("w") as log:
            child = subprocess.Popen(
                [sys.executable, "-m", "controller.cli.main", *arguments, "--with-parent"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE if name == "twin" else log,
                stderr=log,
                text=True,
                start_new_session=True,  # Ctrl-C is for us: we end them in their order
            )
        self._children.append(child)
        prefer(child.pid)
        return child

    def _places(self, twin: subprocess.Popen[str]) -> dict[str, Any]:
        """Where the twin can be reached; what it says instead when it cannot begin is in its log."""
        line = twin.stdout.readline() if twin.stdout else ""
        places: dict[str, Any] = json.loads(line or "{}")
        if "control" not in places:
            twin.wait(END_S)
            self._refuse_if_ended()
        return places

    def _refuse_if_ended(self) -> None:
        for name, child in zip(("twin", "daemon"), self._children, strict=False):
            if child.poll() is not None:
                said = (self.folder / f"{name}.log").read_text().strip().splitlines()
                raise JobError("client.child_ended", what=name, said=" ".join(said[-1:]) or "-")

    def _config(self, places: dict[str, Any]) -> str:
        sections = {
            "machine": {
                "profile": self._profile,
                "design": self._design,
                "pocket_order": places["pocket_order"],
                "simulated": True,
            },
            "serial": {"port": places["port"]},
            "camera": {"source": places["camera"]},
            "labels": {"source": f"socket:{places['label']}"},
            "pins": {"source": f"socket:{places['pins']}"},
            "daemon": {"socket": str(self.socket)},
            "store": {"state_dir": str(self.state)},
        }
        lines = [
            f"[{name}]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in keys.items())
            for name, keys in sections.items()
        ]
        return "\n".join(lines)

    def _end(self) -> None:
        with undisturbed():
            self._put_away()

    def _put_away(self) -> None:
        for child in reversed(self._children):  # the daemon first: it stops the machine
            child.terminate()
            try:
                child.wait(END_S)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()
            for end in (child.stdin, child.stdout):
                if end is not None:
                    end.close()
        shutil.rmtree(self.folder, ignore_errors=True)


class Witness:
    """The twin's people, and after each board what the world really holds."""

    def __init__(self, people: PeopleAtTwin) -> None:
        self.seen: list[tuple[dict[str, Any], int | None]] = []
        """Contents and machine time of each board that was dealt, in order."""
        self._people = people
        self._dealing = False

    def bring(self, board: int, copy: int, *, follows: bool = False) -> None:
        """Looks at the board before it is taken away."""
        self.look()
        self._people.bring(board, copy, follows=follows)
        self._dealing = True

    def act(self, stop: Stop, board: int) -> Done | None:
        """As the people."""
        return self._people.act(stop, board)

    def serve(self, request: Stop, board: int) -> bool:
        """As the people."""
        return self._people.serve(request, board)

    def contents(self) -> dict[str, Any]:
        """What the world really holds now, the slot's own board apart."""
        held = self._people.hands.contents()
        return {key: value for key, value in held.items() if key not in ("board", "box")}

    def look(self) -> None:
        """Notes what lies in the machine, once for each board that was brought."""
        if self._dealing:
            self._dealing = False
            hands = self._people.hands
            self.seen.append((self.contents(), hands.timing().get("machine_us")))


class CrewThread:
    """The twin's people as clients of the daemon, in a thread beside the view."""

    def __init__(self, client: Client, control: str, operator: str) -> None:
        from controller.client.crew import Crew  # late: only at 1x
        from controller.devices.realtime import RealTime
        from controller.twin.serve.people import PeopleAtTwin

        self._client = client
        self._time = RealTime()
        try:
            self.people = PeopleAtTwin(control, self._time, operator)
        except BaseException:
            self._time.close()
            raise
        self.witness = Witness(self.people)
        self.crew = Crew(client, self.witness)
        self.problem: BaseException | None = None
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._attend, name="people", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            self._over.set()
            self._thread.join(START_S)
            if kind is None:
                self.witness.look()
        finally:
            self.people.close()
            self._time.close()

    def _attend(self) -> None:
        try:
            while not self._over.is_set() and not self.crew.gave_up:
                self.crew.attend(self._client.state())
                self._over.wait(_LOOK_S)
        except Exception as error:  # noqa: BLE001 - the command raises it when the view has ended
            self.problem = error
        if self.crew.gave_up or self.problem:
            with contextlib.suppress(PredealError):
                self._client.stop(end=True)  # nobody else will come: the view need not wait
