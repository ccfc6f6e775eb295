"""Judgements of the Laws of Duplicate Bridge as values, by edition; docs/laws.md lists them all.

A judgement never speaks: `findings()` are codes and values for `deals.words.text`. It tells facts
and names the law; rulings are the Director's.
"""

from deals.laws.before import Earlier, fingerprint, law6d2
from deals.laws.copies import Comparison, CopiesVerdict, Copy, compare, compare_copies
from deals.laws.editions import DEFAULT, Edition, Topic
from deals.laws.hands import Displaced, HandCount, Law7Verdict, Stage, law7, law13
from deals.laws.movement import copies_needed
from deals.laws.newdeal import (
    Auction,
    BoxCopy,
    Contest,
    NewDeal,
    Reason,
    after_passes,
    face_seen,
    new_deal,
    with_new_deal,
)
from deals.laws.origin import Dealing, Origin
from deals.laws.pack import PackVerdict, law1, runs_in_order, shows_pack_order

__all__ = [
    "DEFAULT",
    "Auction",
    "BoxCopy",
    "Comparison",
    "Contest",
    "CopiesVerdict",
    "Copy",
    "Dealing",
    "Displaced",
    "Earlier",
    "Edition",
    "HandCount",
    "Law7Verdict",
    "NewDeal",
    "Origin",
    "PackVerdict",
    "Reason",
    "Stage",
    "Topic",
    "after_passes",
    "compare",
    "compare_copies",
    "copies_needed",
    "face_seen",
    "fingerprint",
    "law1",
    "law6d2",
    "law7",
    "law13",
    "new_deal",
    "runs_in_order",
    "shows_pack_order",
    "with_new_deal",
]
