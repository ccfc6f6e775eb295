"""The configuration: one TOML file, read once into frozen values; the unknown is an error.

[machine]
id = "club-1"            # letters, digits and hyphens
pocket_order = "NESW"    # along the belt, first gate first
box = "A"                # the boards' box, as on their labels
profile = "standard"
design = "standard"      # the cards' printed pattern, taught before

[serial]
port = "/dev/predeal-mcu"     # a stable name: by udev rule, or from /dev/serial/by-id
baud = 500000

[camera]
source = "v4l2:/dev/predeal-camera"   # or "picamera2:0", "folder:/path", "socket:/path"

[labels]
source = "none"          # "none": the operator confirms each number; or "socket:/path"

[pins]
source = "none"          # "none", "rpi", or "socket:/path"

[daemon]
socket = "/run/predeal/daemon.sock"

[store]
state_dir = "/var/lib/predeal"
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from controller.errors import ConfigError
from controller.geometry import PROFILES


def _known_profile(name: str) -> str:
    if name not in PROFILES:
        raise ValueError(f"known are {', '.join(PROFILES)}")
    return name


def _absolute(path: Path) -> Path:
    if not path.is_absolute():
        raise ValueError("give the whole path, from /")
    return path


BAUDS = (115_200, 250_000, 500_000)
_SOURCES = {"none": "", "rpi": "", "picamera2": "N", "v4l2": "/", "folder": "/", "socket": "/"}
_PLACES = {"": "", "N": ":0", "/": ":/path"}
"""Kinds of sources, and what their place begins with: nothing, a number, or a path from /."""


def _source_of(*kinds: str) -> AfterValidator:
    def check(value: str) -> str:
        kind, _, rest = value.partition(":")
        place = rest.partition("?")[0]
        form = _SOURCES.get(kind) if kind in kinds else None
        fits = {None: False, "": value == kind, "N": place.isdecimal(), "/": place.startswith("/")}
        if not fits[form]:
            raise ValueError(f"write {', '.join(kind + _PLACES[_SOURCES[kind]] for kind in kinds)}")
        return value

    return AfterValidator(check)


def _known_baud(baud: int | None) -> int | None:
    if baud is not None and baud not in BAUDS:
        raise ValueError(f"possible are {', '.join(map(str, BAUDS))}")
    return baud


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class MachineConfig(_Section):
    """The machine as it was built, and how fast it shall be."""

    id: Annotated[str, Field(pattern=r"^[A-Za-z0-9-]{1,32}$")] = "predeal"
    pocket_order: Literal["NESW", "WSEN"] = "NESW"
    box: Annotated[str, Field(pattern=r"^[A-Za-z0-9]{0,8}$")] = ""
    profile: Annotated[str, AfterValidator(_known_profile)] = "standard"
    simulated: bool = False
    """A twin: what it deals is never mixed with what a machine has dealt."""
    design: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")] = "standard"


class SerialConfig(_Section):
    """Where the MCU is; the name must be the same after every start."""

    port: Annotated[Path, AfterValidator(_absolute)] = Path("/dev/predeal-mcu")
    baud: Annotated[int | None, AfterValidator(_known_baud)] = None
    """None: the fastest rate at which the MCU answers."""


class CameraConfig(_Section):
    """Where window images come from."""

    source: Annotated[str, _source_of("v4l2", "picamera2", "folder", "socket")] = (
        "v4l2:/dev/predeal-camera"
    )


class LabelsConfig(_Section):
    """Who reads the label at the slot."""

    source: Annotated[str, _source_of("none", "socket")] = "none"


class PinsConfig(_Section):
    """Start button, stacklight, MCU reset, motor relay and e-stop sense."""

    source: Annotated[str, _source_of("none", "rpi", "socket")] = "none"


class DaemonConfig(_Section):
    """The door for clients; who may come in is decided by the permissions of its directory."""

    socket: Annotated[Path, AfterValidator(_absolute)] = Path("/run/predeal/daemon.sock")


class StoreConfig(_Section):
    """Where the store lives."""

    state_dir: Annotated[Path, AfterValidator(_absolute)] = Path("/var/lib/predeal")


class Config(_Section):
    """The whole file; a section or key that is left out has its default."""

    machine: MachineConfig = MachineConfig()
    serial: SerialConfig = SerialConfig()
    camera: CameraConfig = CameraConfig()
    labels: LabelsConfig = LabelsConfig()
    pins: PinsConfig = PinsConfig()
    daemon: DaemonConfig = DaemonConfig()
    store: StoreConfig = StoreConfig()


def load(path: Path) -> Config:
    """Reads the file; every problem in it is named at once with section and key."""
    try:
        return Config.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise ConfigError("config.cannot_read", file=path, reason=error.strerror) from error
    except UnicodeDecodeError as error:
        raise ConfigError("config.not_utf8", file=path, offset=error.start) from error
    except tomllib.TOMLDecodeError as error:
        raise ConfigError("config.not_toml", file=path, reason=str(error)) from error
    except ValidationError as error:
        problems = "; ".join(_problem(detail) for detail in error.errors(include_url=False))
        raise ConfigError("config.wrong", file=path, problems=problems) from error


def _problem(detail: Any) -> str:
    *sections, key = (str(part) for part in detail["loc"])
    place = f"[{'.'.join(sections)}] {key}" if sections else f"[{key}]"
    if detail["type"] == "extra_forbidden":
        return f"{place} is unknown"
    reason = detail["msg"].removeprefix("Value error, ")
    return f"{place} = {detail['input']!r}: {reason[0].lower()}{reason[1:]}"
