"""Run as a program: deals on paper into a store and says after each step what is confirmed.

`python -m tests.unit.store.writer STATE_DIR FEEDS [MARKS]`: one line for each confirmed step, on
stdout or appended to the file MARKS with one plain write.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from controller.store import Kind, Observation
from tests.unit.store.support import add_set, open_store


def script(feeds: int) -> list[list[Observation]]:
    """What step by step is to be written; the same in every run."""
    steps = [[Observation(Kind.CREDIT, 1)]]
    for feed in range(1, feeds + 1):
        steps.append(
            [
                Observation(Kind.SEEN, feed),
                Observation(Kind.READ, feed, feed - 1, detail=f"sure {feed}"),
                *([Observation(Kind.LANDED, feed - 1, pocket=feed % 4)] if feed > 1 else []),
                Observation(Kind.CREDIT, feed + 1),
                Observation(Kind.INTENT, feed, feed - 1, (feed + 1) % 4),
            ]
        )
    return steps


def main() -> None:
    state_dir, feeds = Path(sys.argv[1]), int(sys.argv[2])
    marks = os.open(sys.argv[3], os.O_WRONLY | os.O_CREAT | os.O_APPEND) if sys.argv[3:] else 1
    with open_store(state_dir) as store:
        set_id = add_set(store)
        dealing = store.journal.open_board(set_id, 1, 1, profile="standard", design="standard")
        store.journal.begin_run(dealing, 1)
        os.write(marks, b"0\n")
        for number, step in enumerate(script(feeds), 1):
            *seen, last = step
            if last.kind is Kind.INTENT:
                store.journal.intent(dealing, last.feed, last.card, last.pocket, seen)
            else:
                store.journal.record(dealing, step)
            os.write(marks, b"%d\n" % number)


if __name__ == "__main__":
    main()
