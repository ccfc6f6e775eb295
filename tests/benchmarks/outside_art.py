"""Fetches card designs that others have drawn, as folders of 52 pictures; they are never part of this project.

    python -m tests.benchmarks.outside_art build/art [NAME]...

Packages of Debian (gnome-cards-data) and npm, by apt-get and npm; pictures are drawn by rsvg-convert (librsvg2-bin).
A folder that is there already is left as it is. What a package has beside the 52 goes into `NAME/others`: joker, back.
"""

from __future__ import annotations

import argparse
import gzip
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

_GNOME: Final = "gnome-cards-data"
_RANKS: Final = ("A", *"23456789", "10", *"JQK")
_SHEET: Final = (13, 5)
"""Cards across and down a sheet of that package: ace to king of clubs, diamonds, hearts, spades, then others."""
_WIDE: Final = 504
"""Pixels across one card."""
_SUIT_WORDS: Final = {"S": "spade", "H": "heart", "D": "diamond", "C": "club"}
_RANK_WORDS: Final = {"A": "1", "J": "jack", "Q": "queen", "K": "king"}
_RANK_NUMBERS: Final = {"A": "1", "J": "11", "Q": "12", "K": "13"}

Pictures = Iterator[tuple[str, Any]]
"""File name without its ending, and pixels; others than the 52 begin with "others/"."""


class FetchError(Exception):
    """A package that could not be fetched or drawn."""


@dataclass(frozen=True)
class Source:
    """One design: the package that has it, and how its pictures are taken out of that."""

    package: str
    pictures: Callable[[Path], Pictures]


def _run(*command: str, folder: Path) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise FetchError(f"{' '.join(command)}: {done.stderr.strip() or done.stdout.strip()}")


def _unpacked(package: str, folder: Path) -> Path:
    """The package's files, fetched by the ordinary client."""
    place = folder / package.replace("/", "_")
    if place.is_dir():
        return place
    with tempfile.TemporaryDirectory(dir=folder) as made:
        part = Path(made)
        if package == _GNOME:
            _run("apt-get", "download", package, folder=part)
            _run("dpkg", "-x", str(next(part.glob("*.deb"))), "files", folder=part)
        else:
            _run("npm", "pack", "--silent", package, folder=part)
            (part / "files").mkdir()
            _run("tar", "xzf", str(next(part.glob("*.tgz"))), "-C", "files", folder=part)
        (part / "files").replace(place)
    return place


def _drawn(svg: Path, width: int) -> Any:
    """The pixels of an SVG, BGRA."""
    with tempfile.TemporaryDirectory() as folder:
        plain, png = Path(folder) / "a.svg", Path(folder) / "a.png"
        data = svg.read_bytes()
        plain.write_bytes(gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data)
        _run(
            "rsvg-convert",
            "--unlimited",
            "-w",
            str(width),
            "a.svg",
            "-o",
            "a.png",
            folder=Path(folder),
        )
        return cv2.imread(str(png), cv2.IMREAD_UNCHANGED)


def _gnome(name: str, package: Path) -> Pictures:
    sheet = _drawn(package / f"usr/share/aisleriot/cards/{name}.svgz", _WIDE * _SHEET[0])
    high = sheet.shape[0] / _SHEET[1]
    for row, suit in enumerate((*"CDHS", "")):
        for column, rank in enumerate(_RANKS):
            top, left = round(row * high), column * _WIDE
            cell = sheet[top : round((row + 1) * high), left : left + _WIDE]
            if suit:
                yield suit + rank, cell
            elif column < 3 and (cell[:, :, 3] > 0).mean() > 0.5:
                yield f"others/{('joker-1', 'joker-2', 'back-1')[column]}", cell


def _svg_cards(package: Path) -> Pictures:
    folder = package / "package/png/2x"
    for suit, word in _SUIT_WORDS.items():
        for rank in _RANKS:
            yield suit + rank, _read(folder / f"{word}_{_RANK_WORDS.get(rank, rank)}.png")
    for name, to in (("joker_red", "joker-1"), ("joker_black", "joker-2"), ("back-red", "back-1")):
        yield f"others/{to}", _read(folder / f"{name}.png")


def _single(
    folder: str, file_of: Callable[[str, str], str], others: dict[str, str], package: Path
) -> Pictures:
    """One SVG a card."""
    for suit in _SUIT_WORDS:
        for rank in _RANKS:
            yield suit + rank, _drawn(package / folder / f"{file_of(suit, rank)}.svg", _WIDE)
    for name, to in others.items():
        yield f"others/{to}", _drawn(package / folder / f"{name}.svg", _WIDE)


def _read(path: Path) -> Any:
    picture = cv2.imread(str(path), cv2.IMREAD_UNCHANGED) if path.exists() else None
    if picture is None:
        raise FetchError(f"no picture {path.name} in the package")
    return picture


def _number_and_suit(suit: str, rank: str) -> str:
    return _RANK_NUMBERS.get(rank, rank) + suit.lower()


_OF_GNOME: Final = {
    "anglo_bitmap": "anglo_bitmap",
    "anglo_modern_4_color": "anglo_modern_4_color",
    "ancient_french": "ancient_french",
    "atlasnye": "Атласные",
    "dondorf": "dondorf",
    "ornamental": "ornamental",
    "plastic": "plastic",
    "tango": "tango",
}
"""Our name of a design, ASCII, and the package's."""

SOURCES: Final = {
    **{name: Source(_GNOME, partial(_gnome, theirs)) for name, theirs in _OF_GNOME.items()},
    "svg_cards": Source("svg-cards@4.0.2", _svg_cards),
    "standard_deck": Source(
        "@younestouati/playing-cards-standard-deck@3.0.0",
        partial(_single, "package/cards", _number_and_suit, {"joker": "joker-1", "back": "back-1"}),
    ),
}


def fetch(name: str, folder: Path) -> Path:
    """The folder of a design's pictures, made if it is not there; FetchError or OSError says why not."""
    place = folder / name
    if place.is_dir():
        return place
    packages = folder / "packages"
    packages.mkdir(parents=True, exist_ok=True)
    source = SOURCES[name]
    with tempfile.TemporaryDirectory(dir=packages) as made:
        part = Path(made) / name
        for label, picture in source.pictures(_unpacked(source.package, packages)):
            path = part / f"{label}.png"
            path.parent.mkdir(parents=True, exist_ok=True)
            cv2.imwrite(str(path), np.ascontiguousarray(picture))
        part.replace(place)
    return place


def main() -> int:
    """Fetches what is asked for, all if nothing is."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*", choices=[*SOURCES, []], metavar="NAME")
    options = parser.parse_args()
    for name in options.names or SOURCES:
        try:
            print(fetch(name, options.folder.resolve()), flush=True)
        except (FetchError, OSError, StopIteration) as error:
            print(f"{name}: {error}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
