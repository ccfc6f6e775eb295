"""The label reader at a Unix socket: whoever serves there tells the label when it changes.

< {"label": {"board": 7, "box": "A", "backwards": false}}      or {"label": null}
"""

from __future__ import annotations

from typing import Any

from controller.devices.ports import Label
from controller.pins.lines import LineSocket


class UnixLabelReader:
    """A `LabelReader`, and a `Source` for the control loop. Nobody there: no label."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._label: Label | None = None
        self._line = LineSocket.connect(path)

    def read(self) -> Label | None:
        """The label there now."""
        if self._line is None or self._line.closed:
            self._line = LineSocket.connect(self._path)
        self.pump()
        return self._label

    def fileno(self) -> int:
        """The socket; -1 while nobody is there."""
        return -1 if self._line is None else self._line.fileno()

    def pump(self) -> bool:
        """Takes what has come; True when the label is another."""
        before = self._label
        if self._line is not None:
            for message in self._line.receive():
                self._label = _label(message)
            if self._line.closed:
                self._label = None
        return self._label != before

    def close(self) -> None:
        """Hangs up."""
        if self._line is not None:
            self._line.close()


def _label(message: Any) -> Label | None:
    try:
        found = message["label"]
        return Label(int(found["board"]), str(found["box"]), bool(found["backwards"]))
    except (KeyError, TypeError, ValueError):
        return None
