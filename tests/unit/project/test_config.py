"""The configuration is read strictly, and says where it is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.config import Config, load
from controller.errors import ConfigError


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "predeal.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_an_empty_file_is_the_defaults(tmp_path: Path):
    assert load(written(tmp_path, "")) == Config()


def test_values_are_read_and_frozen(tmp_path: Path):
    text = """
        [machine]
        id = "club-1"
        pocket_order = "WSEN"
        box = "A"
        profile = "fast"
        [store]
        state_dir = "/srv/predeal"
    """
    config = load(written(tmp_path, text))
    assert (config.machine.id, config.machine.pocket_order) == ("club-1", "WSEN")
    assert (config.machine.box, config.machine.profile) == ("A", "fast")
    assert config.store.state_dir == Path("/srv/predeal")
    with pytest.raises(ValueError, match="frozen"):
        config.machine.id = "other"  # type: ignore[misc]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[machin]\nid = 'a'", "[machin] is unknown"),
        ("[machine]\nidd = 'a'", "[machine] idd is unknown"),
        (
            "[machine]\npocket_order = 'NEWS'",
            "[machine] pocket_order = 'NEWS': input should be 'NESW' or 'WSEN'",
        ),
        (
            "[machine]\nprofile = 'slow'",
            "[machine] profile = 'slow': known are standard, fast, stress",
        ),
        ("[machine]\nid = 3", "[machine] id = 3: input should be a valid string"),
        (
            "[store]\nstate_dir = 'here'",
            "[store] state_dir = 'here': give the whole path, from /",
        ),
        (
            "machine = 3",
            "[machine] = 3: input should be a valid dictionary or instance of MachineConfig",
        ),
    ],
)
def test_what_is_wrong_is_told_with_its_place(tmp_path: Path, text: str, problem: str):
    path = written(tmp_path, text)
    with pytest.raises(ConfigError) as caught:
        load(path)
    assert str(caught.value) == (
        f"The configuration {path} cannot be used: {problem}. Mend that, then start again."
    )


def test_all_problems_are_told_at_once(tmp_path: Path):
    path = written(tmp_path, "[machine]\nid = ''\nboxx = 'A'")
    with pytest.raises(ConfigError, match=r"\[machine\] id = '': .*; \[machine\] boxx is unknown"):
        load(path)


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path):
    with pytest.raises(ConfigError, match=r"cannot be read \(No such file or directory\)"):
        load(tmp_path / "none.toml")
    with pytest.raises(ConfigError, match=r"is no TOML: .*line 1"):
        load(written(tmp_path, "[machine\n"))
    (tmp_path / "x").write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError, match=r"is no UTF-8 text \(byte 0\)"):
        load(tmp_path / "x")
