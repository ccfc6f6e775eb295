"""The configuration: one TOML file, read once into frozen values; the unknown is an error.

    [machine]
    id = "club-1"            # letters, digits and hyphens
    pocket_order = "NESW"    # along the belt, first gate first
    box = "A"                # the boards' box, as on their labels
    profile = "standard"

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


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class MachineConfig(_Section):
    """The machine as it was built, and how fast it shall be."""

    id: Annotated[str, Field(pattern=r"^[A-Za-z0-9-]{1,32}$")] = "predeal"
    pocket_order: Literal["NESW", "WSEN"] = "NESW"
    box: Annotated[str, Field(pattern=r"^[A-Za-z0-9]{0,8}$")] = ""
    profile: Annotated[str, AfterValidator(_known_profile)] = "standard"


class StoreConfig(_Section):
    """Where the store lives."""

    state_dir: Annotated[Path, AfterValidator(_absolute)] = Path("/var/lib/predeal")


class Config(_Section):
    """The whole file; a section or key that is left out has its default."""

    machine: MachineConfig = MachineConfig()
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
