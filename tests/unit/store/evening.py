"""Run as a program: deals a board in the twin into a store whose disk fails on the way.

`python -m tests.unit.store.evening STATE_DIR BOARD`: prints one JSON document: the error's code, and
what the world holds at that moment.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from controller.bench.identity import IdentityPictures, IdentityReader
from controller.errors import StoreError
from controller.geometry import PROFILES
from controller.jobs.deal import DealSet
from controller.twin.session import TwinSession, TwinSetup
from deals.files import read_deals_file

SIXTEEN = Path(__file__).parents[2] / "vectors" / "files" / "sixteen.dup"


def session(state: Path | None, board: int) -> TwinSession:
    """One board of a real file, with the identity reader."""
    boards = read_deals_file(SIXTEEN).boards
    chosen = tuple(one for one in boards if one.number == board)
    setup = TwinSetup(
        profile=PROFILES["standard"],
        pictures=IdentityPictures(),
        reader=IdentityReader(),
        design="identity",
        operator="auto",
        state_dir=state,
    )
    return TwinSession(DealSet("sixteen", "TEST", SIXTEEN.read_bytes(), boards, chosen), setup)


def main() -> None:
    code, world = "", None
    try:
        evening = session(Path(sys.argv[1]), int(sys.argv[2]))
        world = evening.world
        evening.run()
    except StoreError as error:
        code = error.code
    print(json.dumps({"code": code, "world": world.contents().as_json() if world else None}))


if __name__ == "__main__":
    main()
