"""The proof's result file: what was counted, from which seeds, at which commit; a run goes on where another ended."""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import controller
from controller.bench.proof.share import Counted
from controller.store.files import write_whole
from deals.errors import PredealError

_WRONG_TOLD: Final = 200
Counts = dict[str, dict[str, Counter[str]]]
"""By design and kind."""


def commit_here() -> str:
    """The commit of this program, "-dirty" behind it where files differ from it; its version without git."""
    command = ["git", "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"]
    folder = Path(controller.__file__).resolve().parents[1]
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        from importlib.metadata import version

        return f"version {version('predeal')}"
    return done.stdout.strip()


@dataclass(slots=True)
class Taught:
    """What teaching said of a design."""

    faces: str
    """Digest of its 52 faces."""
    ours: bool
    accepted: bool
    reasons: list[str] = field(default_factory=list)


@dataclass
class Proof:
    """All that is known so far. Shares of one design are numbered from 0."""

    commit: str
    seed: int
    plan: dict[str, int]
    """How large it is when it is finished."""
    designs: dict[str, Taught] = field(default_factory=dict)
    done: dict[str, list[int]] = field(default_factory=dict)
    images: Counts = field(default_factory=dict)
    packs: dict[str, Counter[str]] = field(default_factory=dict)
    confused: dict[str, Counter[str]] = field(default_factory=dict)
    """By cause, all designs together."""
    wrong: list[str] = field(default_factory=list)
    cpu_s: float = 0.0

    def add(self, told: Counted) -> None:
        """Adds a share; one that is there already is a mistake of the caller's."""
        done = self.done.setdefault(told.design, [])
        if told.number in done:
            raise ValueError(f"share {told.number} of {told.design} a second time")
        done.append(told.number)
        images = self.images.setdefault(told.design, {})
        for kind, counts in told.images.items():
            images.setdefault(kind, Counter()).update(counts)
        self.packs.setdefault(told.design, Counter()).update(told.packs)
        for cause, counts in told.confused.items():
            self.confused.setdefault(cause, Counter()).update(counts)
        self.wrong = (self.wrong + told.wrong)[:_WRONG_TOLD]
        self.cpu_s = round(self.cpu_s + told.cpu_s, 2)

    def kind(self, kind: str) -> Counter[str]:
        """All designs together."""
        total: Counter[str] = Counter()
        for images in self.images.values():
            total.update(images.get(kind, {}))
        return total

    @property
    def all_packs(self) -> Counter[str]:
        """All designs together."""
        return sum(self.packs.values(), Counter())

    @property
    def refused(self) -> list[str]:
        """Designs that were not accepted at teaching."""
        return [name for name, taught in self.designs.items() if not taught.accepted]


def load(path: Path) -> Proof | None:
    """What a file holds; None if there is none. PredealError if it is no result of a proof."""
    if not path.exists():
        return None
    try:
        return _proof(json.loads(path.read_text("utf-8")))
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise PredealError("bench.no_proof_file", file=path) from None


def _proof(held: Mapping[str, Any]) -> Proof:
    return Proof(
        held["commit"],
        held["seed"],
        held["plan"],
        {name: Taught(**taught) for name, taught in held["designs"].items()},
        {name: list(numbers) for name, numbers in held["done"].items()},
        {
            name: {kind: Counter(counts) for kind, counts in images.items()}
            for name, images in held["images"].items()
        },
        {name: Counter(counts) for name, counts in held["packs"].items()},
        {cause: Counter(counts) for cause, counts in held["confused"].items()},
        list(held["wrong"]),
        held["cpu_s"],
    )


def save(proof: Proof, path: Path) -> None:
    """Writes the file whole or not at all."""
    document = {
        "commit": proof.commit,
        "seed": proof.seed,
        "plan": proof.plan,
        "designs": {
            name: {"faces": t.faces, "ours": t.ours, "accepted": t.accepted, "reasons": t.reasons}
            for name, t in proof.designs.items()
        },
        "done": proof.done,
        "images": proof.images,
        "packs": proof.packs,
        "confused": proof.confused,
        "wrong": proof.wrong,
        "cpu_s": proof.cpu_s,
    }
    write_whole(path, (_lines(document) + "\n").encode())


def _lines(document: Mapping[str, Any]) -> str:
    """JSON with a line for each count, so that what a run adds can be read in a diff."""
    parts = []
    for name, value in document.items():
        if isinstance(value, dict) and any(isinstance(v, dict | list) for v in value.values()):
            inner = ",\n".join(f"  {json.dumps(k)}: {json.dumps(v)}" for k, v in value.items())
            text = "{\n" + inner + "\n }"
        elif isinstance(value, list) and value:
            text = "[\n" + ",\n".join(f"  {json.dumps(v)}" for v in value) + "\n ]"
        else:
            text = json.dumps(value)
        parts.append(f" {json.dumps(name)}: {text}")
    return "{\n" + ",\n".join(parts) + "\n}"


def begin(path: Path, seed: int, plan: Mapping[str, int]) -> Proof:
    """What is there, or a new one. PredealError if it is of another commit, seed or plan."""
    commit, held = commit_here(), load(path)
    if held is None:
        return Proof(commit, seed, dict(plan))
    if held.commit != commit or held.commit.endswith("-dirty"):
        raise PredealError("bench.other_commit", file=path, theirs=held.commit, ours=commit)
    if (held.seed, held.plan) != (seed, dict(plan)):
        raise PredealError("bench.other_plan", file=path)
    return held
