"""Pictures of cards that a person has to name, written where he wants them; they show faces, so to nobody else."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from controller.cli.output import complain
from controller.cli.writing import write_private
from controller.client.errors import RefusedByDaemonError
from deals.words import text

if TYPE_CHECKING:
    from controller.api.models import StateView
    from controller.client.client import Client

SUFFIXES: Final = (".jpg", ".jpeg", ".png")


class PicturePath(click.ParamType[Path]):
    """A file that a picture can be written to."""

    name = "picture"

    def convert(
        self, value: str | Path, param: click.Parameter | None, ctx: click.Context | None
    ) -> Path:
        """The path, if its ending says which kind of picture it shall be."""
        path = Path(value)
        if path.suffix.lower() not in SUFFIXES:
            self.fail(text("picture.suffix", {"file": path}), param, ctx)
        return path


def write_picture(path: Path, jpeg: bytes) -> None:
    """Writes it, readable by this user alone; as PNG where the name says so."""
    if path.suffix.lower() == ".png":
        from vision.crop import as_png  # late: only here it needs OpenCV

        write_private(path, as_png(jpeg))
    else:
        write_private(path, jpeg)


class Album:
    """Writes one picture after the other: to FILE.png, then FILE-2.png and so on."""

    def __init__(self, path: Path) -> None:
        self.written: list[Path] = []
        self._path = path
        self._seen = ""

    def add(self, jpeg: bytes) -> None:
        """The next picture."""
        count = len(self.written) + 1
        path = self._path if count == 1 else self._path.with_stem(f"{self._path.stem}-{count}")
        write_picture(path, jpeg)
        self.written.append(path)

    def look(self, client: Client, state: StateView) -> None:
        """Asks for the pictures of a stop that wants names, once."""
        names = state.stop is not None and "name_set_aside" in state.stop.steps
        stop = state.stop.model_dump_json() if state.stop is not None and names else ""
        if not stop or stop == self._seen:
            self._seen = stop
            return
        self._seen = stop
        try:
            first = client.picture()
            self.add(first.image)
            for card in range(2, first.of + 1):
                self.add(client.picture(card).image)
        except RefusedByDaemonError as error:  # somebody was quicker with the names
            complain(error.problem.message)
