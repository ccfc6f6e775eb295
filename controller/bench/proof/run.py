"""Runs the proof share by share, each kind of image in every share, so that an interrupted run has seen all of them."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from controller.bench.proof import state
from controller.bench.proof.kinds import SEED
from controller.bench.proof.prints import Where, designs_in, printed, teach_into
from controller.bench.proof.share import Counted, Share, Sizes, count
from controller.bench.proof.state import Proof, Taught
from deals.errors import PredealError
from vision.threads import one_thread

ROUNDS: Final = 108
"""Shares of each design: so many that what an interruption leaves is of all designs alike."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How much is read in all, over all designs."""

    guided: int = 201_000
    harsh: int = 55_000
    each_kind: int = 10_000
    packs: int = 5_000
    rounds: int = ROUNDS

    def sizes(self, designs: int) -> Sizes:
        """Of one share; cards come in whole packs, so that every card is read as often."""
        shares = designs * self.rounds
        return Sizes(
            _up(self.guided, shares, 52),
            _up(self.harsh, shares, 52),
            _up(self.each_kind, shares, 2),
            _up(self.packs, shares, 2),
        )

    def told(self, sizes: Sizes, designs: int) -> dict[str, int]:
        """For the file."""
        shares = designs * self.rounds
        return {
            "guided": sizes.guided * shares,
            "harsh": sizes.harsh * shares,
            "each_kind": sizes.each_kind * shares,
            "packs": sizes.packs * shares,
            "rounds": self.rounds,
        }


def _up(whole: int, shares: int, step: int) -> int:
    """So much a share that all shares together are no less than the whole."""
    return -(-whole // (shares * step)) * step


Tell = Callable[[Proof, str], None]


def prove(
    path: Path,
    art: Path | None,
    plan: Plan,
    tell: Tell,
    workers: int = 1,
) -> Proof:
    """Goes on with the proof in *path* until it is whole; it is written after every share.

    PredealError for a file of another commit, VisionError for art that cannot be used.
    """
    designs = designs_in(art)
    sizes = plan.sizes(len(designs))
    proof = state.begin(path, SEED, plan.told(sizes, len(designs)))
    kept = path.with_suffix(".designs")
    one_thread()
    for where in designs:
        _teach(where, proof, kept)
        state.save(proof, path)
        tell(proof, where.name)
    accepted = [where for where in designs if proof.designs[where.name].accepted]
    shares = [
        Share(where, number, sizes, kept, designs)
        for number in range(plan.rounds)
        for where in accepted
        if number not in proof.done.get(where.name, ())
    ]
    with _counted(shares, workers) as results:
        for told in results:
            proof.add(told)
            state.save(proof, path)
            tell(proof, told.design)
    return proof


def _teach(where: Where, proof: Proof, kept: Path) -> None:
    """Teaches one design, or finds it kept; what is printed on its cards may not have changed meanwhile."""
    known, digest = proof.designs.get(where.name), printed(where).digest()
    if known is not None and known.faces != digest:
        raise PredealError("bench.other_art", design=where.name)
    if known is not None and not known.accepted:
        return
    result = teach_into(where, kept)
    if known is None:
        accepted = result is None or result.accepted
        reasons = [reason.text() for reason in result.reasons] if result else []
        proof.designs[where.name] = Taught(digest, where.folder is None, accepted, reasons)


@contextmanager
def _counted(shares: Sequence[Share], workers: int) -> Iterator[Iterator[Counted]]:
    if workers == 1:
        yield map(count, shares)
        return
    with multiprocessing.get_context("fork").Pool(workers, one_thread) as pool:
        yield pool.imap_unordered(count, shares)
