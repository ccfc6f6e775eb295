"""Solving is bounded, can be stopped, remembers, and says what to install where it cannot work."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace

import pytest

from deals.deal import Deal
from deals.doubledummy import library as library_module
from deals.doubledummy import solver, worker
from deals.doubledummy.cache import MemoryCache, digits_of, table_from
from deals.doubledummy.errors import DoubleDummyError
from deals.doubledummy.solver import Failure, solve
from tests.unit.deals.strategies import shuffled

# Andrews' symmetric deal: legal, and minutes of work (formats.md section 4).
SLOW = Deal.from_pbn("N:.Q853.AJ962.KT74 KT74..Q853.AJ962 AJ962.KT74..Q853 Q853.AJ962.KT74.")
# Each side has two whole suits: solved at once.
QUICK = Deal(bytes(suit for suit in range(4) for _ in range(13)))
TABLE = table_from([13, 0, 13, 0] * 5)


def pretend(monkeypatch, script: str) -> None:
    """Children that run *script* instead; `answer(text)` writes a line, `tricks(line)` those of TABLE."""
    head = (
        "import sys\ndef answer(text): print(text, flush=True)\n"
        "def tricks(line): return 'd0d0' * len(line.split()[2]) + ' 1.000'\n"
    )
    monkeypatch.setattr(solver, "_COMMAND", [sys.executable, "-c", head + script])


def started(monkeypatch) -> list[solver._Child]:
    children: list[solver._Child] = []
    real = solver._Child.__init__

    def noted(self: solver._Child) -> None:
        real(self)
        children.append(self)

    monkeypatch.setattr(solver._Child, "__init__", noted)
    return children


def all_dead(children: Sequence[solver._Child]) -> bool:
    return bool(children) and all(child.process.poll() is not None for child in children)


ANSWERS = "for line in sys.stdin: answer(tricks(line))\n"


def test_a_whole_suit_each_is_solved(library):
    (solved,) = solve([QUICK])
    # Each declarer's own suit as trump takes all, the partner's as well; anything else loses all.
    assert (
        digits_of(solved.table)
        == [13, 0, 13, 0, 0, 13, 0, 13, 13, 0, 13, 0, 0, 13, 0, 13] + [0] * 4
    )


def test_a_deal_that_takes_too_long_is_given_up_and_the_others_are_solved(library):
    found = list(solve([SLOW, QUICK], limit_s=0.4, processes=1))
    assert [(s.place, s.table is None, s.failure) for s in found] == [
        (0, True, Failure.TOO_LONG),
        (1, False, None),
    ]


def test_every_place_gets_its_table_and_equal_deals_are_solved_once(monkeypatch):
    pretend(monkeypatch, "for line in sys.stdin: answer(tricks(line))\n")
    cache = MemoryCache()
    puts = []
    monkeypatch.setattr(cache, "put", lambda deal, table: puts.append(deal))
    deals = [shuffled(1), shuffled(2), shuffled(1), shuffled(3)]
    found = sorted(solve(deals, cache=cache, processes=2), key=lambda solved: solved.place)
    assert [(s.place, s.deal, s.table) for s in found] == [
        (place, deal, TABLE) for place, deal in enumerate(deals)
    ]
    assert sorted(map(repr, puts)) == sorted(map(repr, {*deals}))


def test_what_is_remembered_needs_no_process(monkeypatch):
    pretend(monkeypatch, "answer('missing')")
    cache = MemoryCache()
    cache.put(QUICK, TABLE)
    (solved,) = solve([QUICK], cache=cache)
    assert (solved.table, solved.remembered) == (TABLE, True)


def test_without_the_library_the_message_says_what_to_install(monkeypatch):
    pretend(monkeypatch, "answer('missing')")
    children = started(monkeypatch)
    with pytest.raises(DoubleDummyError, match="sudo apt install libdds0"):
        list(solve([QUICK]))
    assert all_dead(children)


def test_a_process_that_dies_costs_one_deal(monkeypatch):
    slain = "".join(str(owner) for owner in QUICK.owners)
    pretend(
        monkeypatch,
        f"for line in sys.stdin:\n    if {slain!r} in line: sys.exit(11)\n    answer(tricks(line))\n",
    )
    deals = [QUICK, shuffled(1), shuffled(2)]
    found = {s.place: s for s in solve(deals, processes=1)}
    assert found[0].failure is Failure.CRASHED
    assert found[1].table == found[2].table == TABLE


def test_stop_kills_what_is_at_work(monkeypatch):
    pretend(monkeypatch, "import time\ntime.sleep(60)\n")
    children = started(monkeypatch)
    asked = []
    assert list(solve([QUICK], stop=lambda: bool(asked.append(1) or len(asked) > 2))) == []
    assert all_dead(children)


def test_leaving_the_loop_kills_what_is_at_work(monkeypatch):
    pretend(monkeypatch, "for line in sys.stdin: answer(tricks(line))\n")
    children = started(monkeypatch)
    found = solve([shuffled(seed) for seed in range(20)], processes=2)
    next(found)
    found.close()
    assert len(children) == 2
    assert all_dead(children)


def test_no_more_processes_than_there_is_work(monkeypatch):
    pretend(monkeypatch, ANSWERS)
    children = started(monkeypatch)
    assert len(list(solve([QUICK], processes=8))) == 1
    assert len(children) == 5
    assert len(list(solve([QUICK], processes=1))) == 1
    assert len(children) == 6


def test_the_last_deals_are_handed_out_by_strain(monkeypatch, tmp_path):
    given = tmp_path / "given"
    pretend(
        monkeypatch,
        f"log = open({str(given)!r}, 'a')\n"
        "for line in sys.stdin:\n"
        "    print(line.split()[2], file=log, flush=True)\n"
        "    answer(''.join(f'{int(s) + 1:x}{int(s) + 2:x}{int(s) + 3:x}{int(s) + 4:x}'"
        " for s in line.split()[2]) + ' 1.000')\n",
    )
    monkeypatch.setattr(solver, "_SPLIT", 3)
    deals = [shuffled(seed) for seed in range(9)]
    found = list(solve(deals, processes=2))
    assert sorted(given.read_text().split()) == sorted(["01234"] * 3 + list("01234") * 6)
    expected = [strain + seat for strain in range(5) for seat in range(1, 5)]
    assert [digits_of(one.table) for one in found] == [expected] * 9


AT_ONCE = (
    "import os, time\n"
    "while True:\n"
    "    time.sleep(0.05)\n"
    "    lines = os.read(0, 65536).decode().splitlines()\n"
    "    print(len(lines), file=log, flush=True)\n"
    "    for line in lines: answer(tricks(line))\n"
)


def test_a_process_has_its_next_piece_before_it_is_done_but_for_the_last_ones(
    monkeypatch, tmp_path
):
    given = tmp_path / "given"
    pretend(monkeypatch, f"log = open({str(given)!r}, 'a')\n{AT_ONCE}")
    deals = [shuffled(seed) for seed in range(3)]
    assert [one.table for one in solve(deals, processes=2)] == [TABLE] * 3
    at_once = [int(word) for word in given.read_text().split()]
    assert sum(at_once) == 15
    assert max(at_once) == 2 and at_once[-4:] == [1] * 4


def test_what_a_process_had_before_it_is_done_by_another_when_it_dies(monkeypatch):
    slain = "".join(str(owner) for owner in QUICK.owners)
    pretend(
        monkeypatch,
        "import time\ntime.sleep(0.1)\n"
        f"for line in sys.stdin:\n    if {slain!r} in line: sys.exit(11)\n    answer(tricks(line))\n",
    )
    deals = [QUICK, *(shuffled(seed) for seed in range(9))]
    found = {one.place: one for one in solve(deals, processes=1)}
    assert found.pop(0).failure is Failure.CRASHED
    assert [one.table for one in found.values()] == [TABLE] * 9


class Alarm:
    """A clock by which each piece takes two seconds."""

    SIGINT = SIG_IGN = SIGALRM = SIG_DFL = ITIMER_REAL = 0

    def __init__(self) -> None:
        self.limits: list[float] = []

    def signal(self, *_: object) -> None:
        """Nothing."""

    def setitimer(self, _: int, seconds: float) -> tuple[float, float]:
        if seconds:
            self.limits.append(seconds)
            return 0.0, 0.0
        return max(0.0, self.limits[-1] - 2), 0.0


class Solves:
    def __init__(self, threads: int) -> None:
        """Needs none."""

    def strains(self, holdings: object, strains: bytes) -> list[int]:
        return [13, 0, 13, 0] * len(strains)


def test_of_a_deal_a_waiting_piece_has_no_more_than_the_last_one_left(monkeypatch, capfd):
    one, other = ("".join(map(str, deal.owners)) for deal in (QUICK, shuffled(1)))
    lines = [
        f"{limit} {owners} 4"
        for limit, owners in ((9, one), (9, one), (5, other), (2, other), (2, other))
    ]
    alarm = Alarm()
    monkeypatch.setattr(worker, "signal", alarm)
    monkeypatch.setattr(library_module, "Library", Solves)
    monkeypatch.setattr(
        worker.sys, "stdin", SimpleNamespace(buffer=[line.encode() for line in lines])
    )
    monkeypatch.setattr(worker.os, "_exit", lambda code: None)
    worker.main()
    assert alarm.limits == [9, 7, 5, 2, 0.001]  # an alarm after nothing would be none
    assert capfd.readouterr().out.split("\n")[0] == "d0d0 2.000"


def test_a_deal_by_strain_is_solved_as_the_whole(library):
    deals = [shuffled(seed) for seed in range(2)]
    whole = {one.deal: one.table for one in solve(deals, processes=1)}
    assert {one.deal: one.table for one in solve(deals, processes=2)} == whole


def test_a_deal_by_strain_is_given_up_once(library):
    found = list(solve([SLOW, QUICK], limit_s=0.4, processes=2))
    assert sorted((one.place, one.failure) for one in found) == [(0, Failure.TOO_LONG), (1, None)]


def test_the_limit_is_for_all_strains_of_a_deal(monkeypatch, tmp_path):
    given = tmp_path / "given"
    pretend(
        monkeypatch,
        f"log = open({str(given)!r}, 'a')\n"
        "for line in sys.stdin:\n"
        "    print(line.split()[0], file=log, flush=True)\n"
        "    answer('d0d0 2.000')\n",
    )
    assert [one.table for one in solve([QUICK], limit_s=9, processes=2)] == [TABLE]
    limits = [float(limit) for limit in given.read_text().split()]
    assert (max(limits), len(limits)) == (9, 5)
    assert min(limits) <= 3  # at least three others had taken two seconds each


def test_an_answer_of_another_length_is_none(monkeypatch):
    pretend(monkeypatch, "for line in sys.stdin: answer(tricks(line)[1:])\n")
    assert [one.failure for one in solve([QUICK], processes=1)] == [Failure.CRASHED]


def test_a_program_that_cannot_be_started_is_told(monkeypatch):
    monkeypatch.setattr(solver, "_COMMAND", ["/nowhere/python"])
    with pytest.raises(DoubleDummyError, match="No such file or directory"):
        list(solve([QUICK]))


def test_warnings_as_errors_do_not_stop_the_processes(library, monkeypatch):
    monkeypatch.setenv("PYTHONWARNINGS", "error")
    assert [solved.failure for solved in solve([QUICK])] == [None]


def test_a_process_starts_with_next_to_nothing():
    """`typing` alone would take as long as Python itself does."""
    code = (
        "import sys\nfrom deals.doubledummy import library, worker\nprint(' '.join(sys.modules))\n"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", code],
        env={"PYTHONPATH": str(Path(solver.__file__).parents[2])},
        capture_output=True,
        text=True,
        check=True,
    )
    assert not {"typing", "re", "dataclasses", "contextlib", "enum"}.intersection(
        done.stdout.split()
    )
