"""What the proof has found, as a page and as rows of the benchmark's document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from controller.bench.figures import Result
from controller.bench.proof.bounds import upper_bound
from controller.bench.proof.kinds import NO_CARDS
from controller.bench.proof.state import Proof

_HEAD: Final = """# The proof of the eye

Made by `make proof` (`predeal bench --only vision_proof --full`) from [vision-proof.json](vision-proof.json).
What is shown, what is counted, and what it does not prove: [benchmarks.md](benchmarks.md#the-proof-of-the-eye).
Behind each rate stands, in brackets, its upper bound at 95 % (Clopper and Pearson; of none found that is 3/n).
"""


def page(proof: Proof) -> str:
    """Markdown."""
    parts = [
        _HEAD,
        *_run(proof),
        *_cards(proof),
        *_strangers(proof),
        *_packs(proof),
        *_wrong(proof),
    ]
    return "\n".join(parts).rstrip() + "\n"


def rate(found: int, n: int) -> str:
    """A rate with its bound: "0 (< 1.5e-05)"."""
    if not n:
        return "-"
    share = f"{found / n:.2g}" if found else "0"
    return f"{share} (< {upper_bound(found, n):.2g})"


def percent(found: int, n: int) -> str:
    """A share with its bound, in percent."""
    if not n:
        return "-"
    return f"{100 * found / n:.3f} % (< {100 * upper_bound(found, n):.3f} %)"


def accepted(counts: Mapping[str, int]) -> int:
    """Cards that were read at either look, rightly or not."""
    return sum(counts.get(how, 0) for how in ("right 1", "right 2", "wrong"))


def _run(proof: Proof) -> Iterator[str]:
    done = sum(map(len, proof.done.values()))
    taught = [name for name, one in proof.designs.items() if one.accepted]
    planned = proof.plan["rounds"] * len(taught)
    whole = "the whole plan" if done == planned else f"**{done} of {planned} shares of the plan**"
    ours = sum(one.ours for one in proof.designs.values())
    yield f"Commit `{proof.commit}`, seed {proof.seed}, {whole}; {proof.cpu_s / 60:.0f} minutes of processor time.\n"
    yield (
        f"{len(proof.designs)} designs, {len(proof.designs) - ours} of them drawn by others; "
        f"refused at teaching: {len(proof.refused) or 'none'}."
    )
    for name in proof.refused:
        yield f"- {name}: {' '.join(proof.designs[name].reasons)}"
    yield ""


def _cards(proof: Proof) -> Iterator[str]:
    for kind, title in (
        ("guided", "Cards as a clean machine sees them"),
        ("harsh", "Worn cards, dirt, bad light"),
    ):
        yield f"## {title}\n"
        yield "| design | images | accepted | wrong | not accepted at look 1 | after look 2 |"
        yield "|---|--:|--:|---|---|---|"
        for name, images in proof.images.items():
            yield _card_row(name, images.get(kind, Counter()))
        yield _card_row("**all**", proof.kind(kind))
        yield ""


def _card_row(name: str, counts: Mapping[str, int]) -> str:
    n, wrong = counts.get("n", 0), counts.get("wrong", 0)
    later = n - counts.get("right 1", 0) - wrong
    never = n - accepted(counts)
    cells = [
        name,
        f"{n:,}",
        f"{accepted(counts):,}",
        f"{wrong}, rate {rate(wrong, accepted(counts))}",
    ]
    return "| " + " | ".join([*cells, percent(later, n), percent(never, n)]) + " |"


def _strangers(proof: Proof) -> Iterator[str]:
    yield "## What is no card of the design\n"
    yield "| kind | images | read as a card | rate | unsure | no card | stop card |"
    yield "|---|--:|--:|---|--:|--:|--:|"
    for kind in NO_CARDS:
        counts = proof.kind(kind)
        n, card = counts["n"], counts["card"]
        told = [kind, f"{n:,}", str(card), rate(card, n)]
        others = [f"{counts[one]:,}" for one in ("unsure", "no_card", "stop_card")]
        yield "| " + " | ".join([*told, *others]) + " |"
    counts = proof.kind("foreign")
    n, wrong, same = counts["n"], counts["wrong"], counts["same print"]
    yield (
        f"\nCards of other designs: {n:,} images; {wrong} read as another card, rate {rate(wrong, n)}; "
        f"{same} read as what they are, where two designs print that card alike.\n"
    )


def _packs(proof: Proof) -> Iterator[str]:
    packs = proof.all_packs
    n = packs["n"]
    yield "## Whole packs\n"
    yield "| packs | proven by themselves | proven with help | stopped | cards named by a person | silently wrong |"
    yield "|--:|--:|--:|--:|--:|---|"
    told = [f"{packs[one]:,}" for one in ("n", "alone", "mended", "stopped", "named")]
    yield "| " + " | ".join([*told, f"{packs['silent']}, rate {rate(packs['silent'], n)}"]) + " |\n"
    yield "Two cards of each pack are made alike, both ways, in their images:\n"
    yield "| cause | packs | images | read right | unsure | read as its twin | as another card |"
    yield "|---|--:|--:|--:|--:|--:|--:|"
    for cause, counts in sorted(proof.confused.items()):
        images = sum(counts[how] for how in ("right", "unsure", "twin", "other"))
        cells = [
            counts["packs"],
            images,
            *(counts[h] for h in ("right", "unsure", "twin", "other")),
        ]
        yield f"| {cause} | " + " | ".join(f"{cell:,}" for cell in cells) + " |"
    yield ""


def _wrong(proof: Proof) -> Iterator[str]:
    if proof.wrong:
        yield "## Everything that was wrong\n"
        yield from (f"- {one}" for one in proof.wrong)


def rows(proof: Proof) -> Sequence[Result]:
    """For the benchmark's document; n is the sample of each figure."""

    def row(name: str, value: float, unit: str, n: int, target: float | None) -> Result:
        return Result(f"vision_proof_{name}", value, value, unit, n, target)

    found = []
    for kind, look_1, ever in (("guided", 0.1, 0.002), ("harsh", None, 5.0)):
        counts = proof.kind(kind)
        n, read = counts["n"], accepted(counts)
        later = n - counts["right 1"] - counts["wrong"]
        found += [
            row(f"{kind}_wrong", counts["wrong"], "cards", read, 0),
            row(f"{kind}_not_at_look_1", 100 * later / max(n, 1), "%", n, look_1),
            row(f"{kind}_not_accepted", 100 * (n - read) / max(n, 1), "%", n, ever),
        ]
    none = [proof.kind(kind) for kind in NO_CARDS]
    strange = sum(one["n"] for one in none)
    packs = proof.all_packs
    return [
        *found,
        row("strangers_accepted", sum(one["card"] for one in none), "images", strange, 0),
        row(
            "foreign_wrong", proof.kind("foreign")["wrong"], "images", proof.kind("foreign")["n"], 0
        ),
        row("packs_silently_wrong", packs["silent"], "packs", packs["n"], 0),
    ]
