"""The calibration of this one machine, in a file of its own: values, and how each section was measured.

Plain JSON, so that a technician can read it: {"values": {NAME: number}, "sections": {NAME: {...}}}. A section
of another module is kept as it is.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from controller.errors import StoreError
from controller.store.files import write_whole

NAME: Final = "calibration.json"


@dataclass(frozen=True, slots=True)
class CalibrationFile:
    """What the file holds; without a path it is kept nowhere."""

    path: Path | None = None
    values: dict[str, int] = field(default_factory=dict)
    sections: dict[str, dict[str, Any]] = field(default_factory=dict)
    simulated: int | None = None
    """Seed of the simulated machine that was measured; None for a real one."""

    @classmethod
    def load(cls, state_dir: Path | None) -> CalibrationFile:
        """Of a state directory; empty when nothing was measured there. StoreError when damaged."""
        if state_dir is None:
            return cls()
        path = state_dir / NAME
        try:
            found = json.loads(path.read_bytes())
            values = {str(name): int(value) for name, value in found["values"].items()}
            return cls(path, values, dict(found["sections"]), found.get("simulated"))
        except FileNotFoundError:
            return cls(path)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise StoreError("store.calibration_damaged", path=path) from error

    def with_section(
        self, section: str, document: dict[str, Any], values: dict[str, int]
    ) -> CalibrationFile:
        """A section measured anew; `values` are all values from now on."""
        return replace(self, values=values, sections={**self.sections, section: document})

    def of_twin(self, seed: int) -> CalibrationFile:
        """That of a simulated machine, which is no other's."""
        return replace(self, simulated=seed)

    def save(self) -> None:
        """Whole or not at all, whenever the power goes."""
        if self.path is None:
            return
        document = {"values": self.values, "sections": self.sections, "simulated": self.simulated}
        text = json.dumps(document, indent=1, ensure_ascii=False, sort_keys=True)
        write_whole(self.path, text.encode() + b"\n", mode=0o600)
