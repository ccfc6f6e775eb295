"""`predeal daemon`: own the machine and serve clients; and a daemon with its twin as children."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self

import click

from controller.cli.parent import end_with_parent, undisturbed, with_parent_option
from controller.client.errors import ClientError
from controller.jobs.errors import JobError
from deals import words
from deals.errors import PredealError

if TYPE_CHECKING:
    from controller.client.client import Client
    from controller.engine.stops import Stop
    from controller.jobs.people import Done
    from controller.twin.serve.people import PeopleAtTwin

CONFIG_FILE: Final = Path("/etc/predeal/predeal.toml")
START_S: Final = 60.0
END_S: Final = 5.0
PRIORITY: Final = -10
"""As the service unit has it, where we may: a machine does not wait for other programs."""
_LOOK_S: Final = 0.05


@click.command()
@click.option(
    "--config",
    "file",
    type=click.Path(path_type=Path),
    help=f"The configuration; without it {CONFIG_FILE}, if that is there.",
)
@with_parent_option
def daemon(file: Path | None, with_parent: bool) -> None:
    """Own port, pins and camera, deal what clients ask for, until SIGTERM or Ctrl-C."""
    from controller.config import Config, load  # late: only the daemon needs all of this
    from controller.daemon.serve import serve

    words.speak("en")  # its clients come from anywhere: they are told in English, with codes
    if with_parent:
        end_with_parent()
    if file is None and CONFIG_FILE.is_file():
        file = CONFIG_FILE
    serve(load(file) if file else Config(), _report)


def _report(line: str) -> None:
    """To stderr, where the system's journal takes it with its date."""
    click.echo(f"predeal: {line}", err=True)


class TwinHouse:
    """A served twin and its daemon, as children in a folder of their own, both gone at the end."""

    def __init__(self, profile: str, design: str, state: Path | None, twin: Sequence[str]) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="predeal-"))
        self.socket = self.folder / "daemon"
        self._profile = profile
        self._design = design
        self._state = state.absolute() if state else self.folder / "state"
        self._twin = twin
        self._children: list[subprocess.Popen[str]] = []
        self.control = ""

    def __enter__(self) -> Self:
        try:
            options = ["--profile", self._profile, "--design", self._design, *self._twin]
            folder = ["--socket-dir", str(self.folder / "twin")]
            twin = self._start("twin", "twin", "serve", "--json", *folder, *options)
            places = json.loads(self._first_line(twin, "twin"))
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
        with contextlib.suppress(PermissionError):
            os.setpriority(os.PRIO_PROCESS, child.pid, PRIORITY)
        return child

    def _first_line(self, child: subprocess.Popen[str], name: str) -> str:
        line = child.stdout.readline() if child.stdout else ""
        if not line:
            child.wait(END_S)
            self._refuse_if_ended()
        return line

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
            },
            "serial": {"port": places["port"]},
            "camera": {"source": places["camera"]},
            "labels": {"source": f"socket:{places['label']}"},
            "pins": {"source": f"socket:{places['pins']}"},
            "daemon": {"socket": str(self.socket)},
            "store": {"state_dir": str(self._state)},
        }
        lines = [
            f"[{name}]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in keys.items())
            for name, keys in sections.items()
        ]
        lines[0] += "simulated = true\n"
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

    def look(self) -> None:
        """Notes what lies in the machine, once for each board that was brought."""
        if self._dealing:
            self._dealing = False
            hands = self._people.hands
            held = {
                key: value for key, value in hands.contents().items() if key not in ("board", "box")
            }
            self.seen.append((held, hands.timing().get("machine_us")))


class CrewThread:
    """The twin's people as clients of the daemon, in a thread beside the view."""

    def __init__(self, client: Client, control: str, operator: str) -> None:
        from controller.client.crew import Crew  # late: only at 1x
        from controller.devices.realtime import RealTime
        from controller.twin.serve.people import PeopleAtTwin

        self._client = client
        self._people = PeopleAtTwin(control, RealTime(), operator)
        self.witness = Witness(self._people)
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
        self._over.set()
        self._thread.join(START_S)
        if kind is None:
            self.witness.look()
        self._people.close()

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
