"""Times the readers of deal files beside endplay on the same text, in one process.

    python tests/benchmarks/deal_files.py

Needs endplay (extra `check`). Prints the table of docs/benchmarks.md, section "Deal files".
"""

from __future__ import annotations

import random
import statistics
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from deals.boards import Board  # noqa: E402
from deals.deal import Deal  # noqa: E402
from deals.files import FORMATS, pbn, pbn_document, read_deals, write_deals  # noqa: E402

ROUNDS = 9
PLAYED = """\
[Auction "{dealer}"]
1NT Pass 2C =1= Pass
2H Pass 4H AP
[Note "1:asks for a major suit"]
[Play "W"]
SA SK SQ SJ
H2 H3 H4 H5
*
[OptimumResultTable "Declarer;Denomination\\2R;Result\\2R"]
{rows}
[DoubleDummyTricks "88888888886555565555"]
[OptimumScore "NS 420"]
{{A comment over
two lines}}
"""


def boards(count: int) -> list[Board]:
    """Random boards, the same each time."""
    owners = bytearray(seat for seat in range(4) for _ in range(13))
    chance = random.Random(20)
    found = []
    for number in range(1, count + 1):
        chance.shuffle(owners)
        found.append(Board.standard(number, Deal(bytes(owners))))
    return found


def rich(plain: bytes) -> bytes:
    """The same games with auction, play, table and comment, about 1.1 kB each."""
    rows = "\r\n".join(f"{s} {t} 8" for s in "NESW" for t in ("NT", "S", "H", "D", "C"))
    games = plain.decode("ascii").split("\r\n\r\n")
    played = PLAYED.replace("\n", "\r\n")
    full = [
        f"{game}\r\n{played.format(dealer='NESW'[place % 4], rows=rows)}"
        for place, game in enumerate(games[1:-1])
    ]
    return "\r\n".join([games[0], "", *full, ""]).encode("ascii")


def seconds(*works: Callable[[], object]) -> list[float]:
    """Processor time of each work, median of ROUNDS rounds in which they take turns."""
    taken: list[list[float]] = [[] for _ in works]
    for _ in range(ROUNDS):
        for work, times in zip(works, taken, strict=True):
            start = time.process_time()
            work()
            times.append(time.process_time() - start)
    return [statistics.median(times) for times in taken]


def lossless(data: bytes) -> int:
    """Every tag of every game, with its section and comments."""
    return sum(len(game.tags) for game in pbn_document.parse(data).games)


def compare() -> None:
    """Deals alone, lossless and export beside endplay."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from endplay.parsers import pbn as endplay
    plain = write_deals(boards(1_000), "pbn").data
    print("| text | ours, deals alone | ours, lossless | ours, export | endplay | times endplay |")
    print("|---|---|---|---|---|---|")
    for name, data in (("15 tags a board", plain), ("with auction, play, table", rich(plain))):
        text = data.decode("ascii").replace("\r\n", "\n")
        deals, all_of_it, export, theirs = seconds(
            lambda data=data: pbn.loads(data),
            lambda data=data: lossless(data),
            lambda data=data: pbn_document.parse(data).export(),
            lambda text=text: endplay.loads(text),
        )
        times = f"{theirs / deals:.1f} deals alone, {theirs / all_of_it:.1f} lossless"
        cells = [f"{1e6 * t / 1000:.0f} us" for t in (deals, all_of_it, export, theirs)]
        print(f"| {name}, {len(data) // 1000} kB | {' | '.join(cells)} | {times} |")


def every_format() -> None:
    """Microseconds a board to read and to write."""
    print("\n| format | read | write |\n|---|---|---|")
    for known in FORMATS:
        if known.HOLDS is None:
            continue
        some = boards(99)
        data = known.dumps(some)
        read, write = seconds(
            lambda data=data: read_deals(data, "x"),
            lambda known=known, some=some: known.dumps(some),
        )
        print(f"| {known.NAME} | {1e6 * read / 99:.0f} us | {1e6 * write / 99:.0f} us |")


def memory() -> None:
    """Peak of a process that reads 10,000 boards without loss."""
    code = (
        "import resource, runpy, sys; b = runpy.run_path(sys.argv[1]);"
        "d = b['rich'](b['write_deals'](b['boards'](10_000), 'pbn').data);"
        "s = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss; n = b['lossless'](d);"
        "p = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss;"
        "print(f'{n} tags of 10,000 boards, {len(d) // 2**20} MB of text: peak {p // 1024} MB')"
    )
    subprocess.run([sys.executable, "-c", code, __file__], check=True)


if __name__ == "__main__":
    compare()
    every_format()
    print()
    sys.stdout.flush()
    memory()
