"""A taught design: its model, its limits, and the file that holds it; and where designs live."""

from __future__ import annotations

import json
import os
import re
import sys
import zipfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from deals.cards import CARDS
from vision.corner import Model, Opinion
from vision.features import LENGTH
from vision.patch import COLS, ROWS
from vision.sources import VisionError
from vision.strip import Strips
from vision.stripfile import packed, unpacked

VERSION: Final = 2
_ONE_FORM_EACH: Final = 1
"""Files of that version have 52 forms, and no array that says whose they are."""
SUFFIX: Final = ".design.npz"
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_LOOSE_ZOOM: Final = 1.6
"""An index that takes so much of the taught picture is all that the picture showed."""
_ARRAYS: Final = ("centre", "whiten", "means", "pictures", "spreads", "zone")


@dataclass(frozen=True, slots=True)
class Limits:
    """What an accepted reading may reach at most; set from data when the design is taught."""

    distance: float
    misfit: float
    doubt: float
    lean: float

    def strain(self, opinion: Opinion) -> float:
        """The largest measure as a share of its limit; 1 and below keeps every limit."""
        return max(
            opinion.distance / self.distance,
            opinion.misfit / self.misfit,
            opinion.doubt / self.doubt,
            opinion.lean / self.lean,
        )


@dataclass(frozen=True, slots=True)
class Frame:
    """How the taught patch relates to a card's edges."""

    zoom: float = 1.0
    """Millimetres of the card in one millimetre of the patch, so that it holds just the index."""
    inset_x_mm: float = 0.0
    inset_y_mm: float = 0.0
    """Width of a dark printed border: a window shows the card without it, a scan with it."""
    source: str = "whole"
    """What the pictures were: "window", "outline", "whole" or "upright"."""

    @property
    def loose(self) -> bool:
        """Whether it was taught from bare corners, so that nothing tells its millimetres."""
        return self.source in ("whole", "upright") and self.zoom > _LOOSE_ZOOM


@dataclass(frozen=True, slots=True, eq=False)
class Design:
    """One printed pattern, taught once."""

    name: str
    model: Model
    limits: Limits
    frame: Frame
    about: Mapping[str, Any]
    """How it was taught: images, accepted, weakest, kinds of image; plain JSON values."""
    strips: Strips | None = None
    """Printed bars that tell its cards apart, if it has any."""


def check_name(name: str) -> str:
    """A name that is safe as a file name; VisionError otherwise."""
    if not _NAME.fullmatch(name):
        raise VisionError("vision.bad_name", name=name)
    return name


def designs_dir() -> Path:
    """Where this user's designs are written."""
    named = os.environ.get("PREDEAL_DESIGNS")
    if named:
        return Path(named)
    data = os.environ.get("XDG_DATA_HOME")
    base = Path(data) if data else Path.home() / ".local" / "share"
    return base / "predeal" / "designs"


def design_folders() -> tuple[Path, ...]:
    """Where designs are looked for, first find wins: the user's own, then those of the installation."""
    return (designs_dir(), Path(sys.prefix) / "share" / "predeal" / "designs")


def design_files() -> dict[str, Path]:
    """Every design there is, by name."""
    found: dict[str, Path] = {}
    for folder in design_folders():
        if folder.is_dir():
            for path in sorted(folder.glob("*" + SUFFIX)):
                found.setdefault(path.name[: -len(SUFFIX)], path)
    return found


def save(design: Design, folder: Path | None = None) -> Path:
    """Writes a design, replacing one of that name at once or not at all; returns the file."""
    folder = folder or designs_dir()
    path = folder / (check_name(design.name) + SUFFIX)
    head: dict[str, Any] = {
        "version": VERSION,
        "name": design.name,
        "limits": asdict(design.limits),
        "frame": asdict(design.frame),
        "about": dict(design.about),
    }
    arrays = {
        name: getattr(design.model, name).astype(
            np.float16 if name in ("pictures", "spreads") else np.float32
        )
        for name in _ARRAYS
    }
    arrays["cards"] = design.model.cards.astype(np.uint8)
    if design.strips:
        head["strips"], more = packed(design.strips)
        arrays |= more
    part = path.with_suffix(f".{os.getpid()}.part")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with part.open("wb") as file:
            np.savez_compressed(file, head=np.array(json.dumps(head)), **arrays)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise VisionError("vision.cannot_write", file=path, reason=error.strerror) from None
    return path


def load(name_or_path: str | Path) -> Design:
    """The design of that name, or in that file; VisionError when there is none or it is damaged.

    A `Path` is a file whatever it is called; a string only if it ends as designs do.
    """
    path = Path(name_or_path)
    if isinstance(name_or_path, str) and not name_or_path.endswith(SUFFIX):
        files = design_files()
        if str(name_or_path) not in files:
            raise VisionError("vision.no_design", name=name_or_path, known=sorted(files) or ["-"])
        path = files[str(name_or_path)]
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as held:
            head = json.loads(str(held["head"]))
            if head["version"] not in (_ONE_FORM_EACH, VERSION):
                raise VisionError("vision.old_design", file=path, version=head["version"])
            arrays = {name: np.asarray(held[name], np.float32) for name in _ARRAYS}
            if head["version"] == VERSION:
                arrays["cards"] = held["cards"].astype(np.intp)
            return _whole(
                Design(
                    check_name(head["name"]),
                    Model(**arrays),
                    Limits(**head["limits"]),
                    Frame(**head["frame"]),
                    head["about"],
                    unpacked(head["strips"], held) if "strips" in head else None,
                )
            )
    except OSError as error:
        raise VisionError("vision.cannot_open", file=path, reason=error.strerror) from None
    except (KeyError, TypeError, ValueError, zipfile.BadZipFile, EOFError) as error:
        if isinstance(error, VisionError):
            raise
        raise VisionError("vision.damaged_design", file=path) from None


def _whole(design: Design) -> Design:
    """The design, if its parts fit each other and every figure is one; ValueError otherwise."""
    model, inner = design.model, design.model.whiten.shape[:1]
    patch, forms = (ROWS, COLS), len(model.cards)
    seconds = model.cards[len(CARDS) :].tolist()
    fits = (
        (model.centre.shape, model.zone.shape) == ((LENGTH,), patch)
        and (model.whiten.shape, model.means.shape) == ((*inner, LENGTH), (forms, *inner))
        and model.pictures.shape == model.spreads.shape == (forms, *patch)
        and model.cards[: len(CARDS)].tolist() == list(range(len(CARDS)))
        and sorted(set(seconds)) == sorted(seconds)
        and set(seconds) <= set(range(len(CARDS)))
    )
    figures = all(bool(np.isfinite(getattr(model, name)).all()) for name in _ARRAYS)
    limits = all(np.isfinite(limit) for limit in asdict(design.limits).values())
    if not (fits and figures and limits and isinstance(design.about, dict)):
        raise ValueError
    return design
