"""What a benchmark is: a named figure, samples in its unit, and the summary that is told."""

from __future__ import annotations

import json
import os
import statistics
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from controller.store.files import write_whole
from deals.errors import PredealError

Samples = Callable[[int], Sequence[float]]
"""Measures now, the given number of times, and gives all samples."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One thing that is measured. `target` is what design asks of the median, None is no bound."""

    name: str
    unit: str
    means: str
    measure: Samples
    n: int
    n_full: int
    target: float | None = None
    lacks: Callable[[], PredealError | None] | None = None
    """What is not built here and this figure cannot do without."""


@dataclass(frozen=True, slots=True)
class Result:
    """A figure, measured."""

    name: str
    median: float
    p99: float
    unit: str
    n: int
    target: float | None
    load: float = 0.0
    """How many programs wanted a processor when it began, on average over a minute."""

    @property
    def met(self) -> bool | None:
        """Whether the median keeps the target; None where there is none."""
        return None if self.target is None else self.median <= self.target


def summarise(figure: Figure, samples: Sequence[float]) -> Result:
    """Median and 99th percentile (nearest rank) of the samples."""
    ordered = sorted(samples)
    rank = -(-99 * len(ordered) // 100) - 1
    return Result(
        figure.name,
        statistics.median(ordered),
        ordered[rank],
        figure.unit,
        len(ordered),
        figure.target,
    )


def run(
    figures: Iterable[Figure],
    *,
    full: bool = False,
    done: Mapping[str, Result] | None = None,
    keep: Callable[[Result], None] | None = None,
) -> Iterator[Result]:
    """Measures one figure after the other; those in *done* are told as they were."""
    for figure in figures:
        known = (done or {}).get(figure.name)
        if known is not None:
            yield known
            continue
        load = round(os.getloadavg()[0], 1)
        result = summarise(figure, figure.measure(figure.n_full if full else figure.n))
        result = replace(result, load=load)
        if keep is not None:
            keep(result)
        yield result


def load_results(path: Path) -> dict[str, Result]:
    """What an interrupted run had finished, by name."""
    kept = json.loads(path.read_text(encoding="utf-8")) if path.exists() else []
    return {row["name"]: Result(**row) for row in kept}


def keep_result(path: Path, result: Result) -> None:
    """Adds one finished figure."""
    kept = [*load_results(path).values(), result]
    write_whole(path, json.dumps([asdict(row) for row in kept], indent=1).encode())
