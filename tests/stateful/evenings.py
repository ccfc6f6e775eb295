"""Evenings by chance: one number says what people do, and which faults strike."""

from __future__ import annotations

import random
import shutil
import tempfile
from pathlib import Path

from controller.api.models import DaemonState
from tests.stateful.daemon_evening import CLIENTS, DaemonEvening
from tests.stateful.door import Door
from tests.stateful.job_evening import JobEvening
from tests.stateful.told import PROFILES, Told, a_fault, boards_of, names_of

BOARDS = 4
STEPS_AT_MOST = 400
MISCHIEF = 0.12
"""How often, between two moments, somebody does something that nobody asked for."""
MOMENTS_US = (20_000, 300_000, 2_000_000, 6_000_000)
HOW = ("well", "badly", "not", "give up")
SHARES = (80, 14, 5, 1)
MEMORY = Path("/dev/shm")


def by_job(seed: int) -> Told:
    """Four boards of a job: up to four faults, and people who mostly do what is asked for."""
    rng = random.Random(f"{seed} evening")
    faults = [a_fault(rng, BOARDS) for _ in range(rng.randint(0, 4))]
    played = JobEvening(seed, boards_of(seed, BOARDS), faults, rng.choice(PROFILES))
    wild = rng.random() < 0.7
    try:
        for _ in range(STEPS_AT_MOST):
            if played.ended or played.told.wrong:
                break
            if played.wants is not None:
                how = rng.choices(HOW, SHARES)[0]
                played.answer(how, names_of(played.stop, rng) if how == "not" else ())
            if wild and rng.random() < MISCHIEF:
                played.anybody.does(rng)
            played.advance(rng.choice(MOMENTS_US))
    finally:
        played.close()
    return played.told


def a_folder() -> Path:
    """For a store that outlives its daemon; in memory where there is such a place: nothing here loses power."""
    return Path(tempfile.mkdtemp(dir=MEMORY if MEMORY.is_dir() else None))


def by_daemon(seed: int, door: Door) -> Told:
    """The same with a daemon and its clients; in one evening of eight it dies now and then."""
    rng = random.Random(f"{seed} evening")
    faults = [a_fault(rng, BOARDS) for _ in range(rng.randint(0, 4))]
    folder = a_folder() if rng.random() < 0.125 else None
    try:
        played = DaemonEvening(
            door, seed, boards_of(seed, BOARDS), faults, rng.choice(PROFILES), folder
        )
        try:
            _play(played, rng)
        finally:
            played.close()
    finally:
        if folder is not None:
            shutil.rmtree(folder)
    return played.told


def _play(played: DaemonEvening, rng: random.Random) -> None:
    wild = rng.random() < 0.7
    played.advance(1_000_000)
    for _ in range(STEPS_AT_MOST):
        if played.told.wrong or not _goes_on(played, rng):
            break
        if wild and rng.random() < MISCHIEF:
            played.anybody.does(rng)
        if wild and rng.random() < MISCHIEF / 8:
            played.stop(rng.choice(CLIENTS), end=rng.random() < 0.1)
        if played.mortal and rng.random() < MISCHIEF / 8:
            played.die(rng.choice(MOMENTS_US))
        played.advance(rng.choice(MOMENTS_US))


def _goes_on(played: DaemonEvening, rng: random.Random) -> bool:
    """What somebody does next; False when all boards are dealt."""
    state = played.state()
    if state.state is DaemonState.DEALING:
        return True
    if state.state is DaemonState.IDLE:
        left = [number for number in played.boards if number not in played.dealt]
        if played.dealt and rng.random() < 0.2:
            played.check(rng.choice(CLIENTS), rng.choice(played.dealt))
            return True
        order = rng.choice(("board", "set", "label"))
        if left:
            played.deal(rng.choice(CLIENTS), left, rng.choice((None, None, 1)), order)
        return bool(left)
    how = rng.choices(HOW, SHARES)[0]
    if how == "give up":
        played.stop(rng.choice(CLIENTS), end=True)
    elif how == "not":
        played.resume(rng.choice(CLIENTS), names_of(played.asked, rng))
    else:
        played.people(how)
    return True
