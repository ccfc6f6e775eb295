"""What a calibration found: measures with their limits, the values to keep, and what to do about the rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from controller.protocol.messages import CalibrationKey
from deals.words import text


def words_of(name: str) -> str:
    """What a measure of this name measures, for a person."""
    kind, _, place = name.partition(":")
    return text(f"measure.{kind}", {"place": place})


@dataclass(frozen=True, slots=True)
class Measure:
    """One measured value. `low` and `high` are the limits between which the machine may run."""

    name: str
    """Its name in the catalogue, after "measure."; with a colon and a place, such as a gate, behind."""
    value: float
    unit: str
    low: float
    high: float

    @property
    def within(self) -> bool:
        """Whether it is as it must be."""
        return self.low <= self.value <= self.high

    @property
    def remedy(self) -> str:
        """What to clean or move; empty when it is within its limits."""
        if self.within:
            return ""
        name, _, place = self.name.partition(":")
        side = "low" if self.value < self.low else "high"
        values = {"place": place, "value": _number(self.value), "unit": self.unit}
        limits = {"low": _number(self.low), "high": _number(self.high)}
        return text(f"measure.{name}_{side}", {**values, **limits})

    def as_json(self) -> dict[str, Any]:
        """For the file and the command line."""
        return {
            "name": self.name,
            "value": round(self.value, 3),
            "unit": self.unit,
            "low": self.low,
            "high": self.high,
            "within": self.within,
            "remedy": self.remedy,
        }


@dataclass(slots=True)
class Findings:
    """One section of the commissioning sheet."""

    section: str
    """A name of `sections.SECTIONS`."""
    measures: list[Measure] = field(default_factory=list)
    values: dict[CalibrationKey, int] = field(default_factory=dict)
    """To be kept when all is within limits."""
    notes: list[str] = field(default_factory=list)
    """What could not be measured on this machine, in words; the rest counts all the same."""
    failed: str = ""
    """Why it could not be measured, in words; empty when it could."""

    def add(self, measure: Measure) -> None:
        """One more."""
        self.measures.append(measure)

    @property
    def good(self) -> bool:
        """All was measured and is within limits."""
        return not self.failed and all(measure.within for measure in self.measures)

    @property
    def remedies(self) -> list[str]:
        """What to do, in words."""
        return [measure.remedy for measure in self.measures if not measure.within]


def mean(values: Sequence[float]) -> float:
    """Of at least one value."""
    return sum(values) / len(values)


def _number(value: float) -> str:
    return f"{value:.1f}".rstrip("0").rstrip(".")
