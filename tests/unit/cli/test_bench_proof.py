"""The proof of the eye counts what is there, can find a mistake, and never adds up what does not belong together."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from controller.bench.dealing import random_boards
from controller.bench.proof import decks, kinds, report, run, share, state
from controller.bench.proof.bounds import upper_bound
from controller.bench.proof.prints import OURS, designs_in, printed
from controller.bench.proof.share import Counted, Share, Sizes
from controller.cli import main as main_module
from controller.cli.output import Session
from deals.cards import CARDS, Card
from deals.errors import PredealError
from vision.design import load, save
from vision.reading import CardReading, Kind
from vision.synthetic import art
from vision.synthetic.confusions import CAUSES, Confusion, confuse
from vision.synthetic.optics import CLEAN

STANDARD, JUMBO, *_ = OURS
SA, CA = Card.parse("SA"), Card.parse("CA")
SMALL = Sizes(guided=52, harsh=52, each_kind=2, packs=2)


def sure(card: Card) -> CardReading:
    return CardReading(Kind.CARD, card, card, 0.99)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The design that comes with the installation, kept as the proof keeps it."""
    folder = tmp_path_factory.mktemp("kept")
    save(load("standard"), folder)
    return folder


@pytest.mark.parametrize(
    ("found", "n", "bound"),
    # as tables of the beta distribution have it
    [(0, 239_423, 1.2512e-5), (0, 1, 0.95), (1, 100, 0.046560), (5, 10, 0.777559), (7, 7, 1.0)],
)
def test_the_bound_is_that_of_clopper_and_pearson(found: int, n: int, bound: float) -> None:
    assert upper_bound(found, n) == pytest.approx(bound, rel=1e-3)


def test_rates_are_told_with_their_bounds() -> None:
    assert report.rate(0, 200_000) == "0 (< 1.5e-05)"
    assert report.percent(1, 1000) == "0.100 % (< 0.473 %)"
    assert report.rate(0, 0) == report.percent(0, 0) == "-"


def test_an_image_is_drawn_again_from_its_numbers() -> None:
    def image(number: int) -> Any:
        rng = kinds.random_of(1, "standard", "guided", number)
        return kinds.window(art.face("standard", SA), CLEAN, 1, rng)

    assert np.array_equal(image(3), image(3))
    assert not np.array_equal(image(3), image(4))


def test_a_share_shows_every_kind_and_finds_nothing_wrong(kept: Path) -> None:
    told = share.count(Share(STANDARD, 0, SMALL, kept, OURS))
    cards, strange = {"guided", "harsh"}, {*kinds.NO_CARDS, "foreign"}
    assert set(told.images) == cards | strange
    for kind, counts in told.images.items():
        assert counts["n"] == (52 if kind in cards else 2)
        assert counts.total() == 2 * counts["n"]  # each image once, by how it was read
    assert told.images["stop card"]["stop_card"] == 2
    assert told.images["guided"]["right 1"] >= 51
    assert told.packs["n"] == 2
    assert sum(told.packs[how] for how in ("alone", "mended", "stopped")) == 2
    assert sum(counts["packs"] for counts in told.confused.values()) == 2
    assert told.wrong == []
    assert json.loads(json.dumps(told.plain()))["images"]["guided"]["n"] == 52


def test_what_is_misread_is_counted_and_named(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = share.reader_of("standard", kept)

    class Hasty:
        design = real.design

        def read(self, image: Any) -> CardReading:
            return sure(SA)

    monkeypatch.setattr(share, "reader_of", lambda name, folder: Hasty())
    sizes = Sizes(guided=52, harsh=0, each_kind=2, packs=0)
    told = share.count(Share(STANDARD, 0, sizes, kept, OURS))
    assert (told.images["guided"]["wrong"], told.images["guided"]["right 1"]) == (51, 1)
    assert told.images["joker"]["card"] == 2
    assert "guided standard 1: SK as SA, look 1" in told.wrong or len(told.wrong) == 40


def test_look_2_is_of_the_same_end_of_the_same_card(
    kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = []
    real = kinds.window

    def window(face: Any, conditions: Any, look: int, rng: Any, turned: Any = None) -> Any:
        drawn.append((look, rng.bit_generator.state["state"]["state"]))
        return real(face, conditions, look, rng, turned)

    class Unsure:
        design = share.reader_of("standard", kept).design

        def read(self, image: Any) -> CardReading:
            return CardReading(Kind.UNSURE)

    monkeypatch.setattr(kinds, "window", window)
    unsure: Any = Unsure()
    told = Counted("standard", 0)
    place = Share(STANDARD, 0, SMALL, kept, OURS)
    pool: dict[Card, list[CardReading]] = {card: [] for card in CARDS}
    share._cards(place, "harsh", 4, printed(STANDARD), unsure, told, pool)
    assert [look for look, _ in drawn] == [1, 2] * 4
    chances = [chance for _, chance in drawn]
    assert chances[::2] == chances[1::2]
    assert len(set(chances)) == 4
    assert told.images["harsh"] == Counter(n=4, unsure=4)


def packs(answers: dict[Card, CardReading]) -> decks.Dealt:
    """Two packs in which two aces are confused; *answers* is how images of them are read."""
    faces = printed(STANDARD)
    marked = {card: np.full_like(faces.faces[card], 100 + card.index) for card in (SA, CA)}

    class Scripted:
        def read(self, image: Any) -> CardReading:
            level = np.median(image[250:380, 100:500])
            near = min((SA, CA), key=lambda card: abs(100 + card.index - level / 148 * 255))
            return answers[near]

    pool = {card: [sure(card)] for card in CARDS}
    confusion = Confusion((SA, CA), "dirt", 0.5, marked)
    reader: Any = Scripted()
    return decks.deal_packs(faces, reader, pool, CLEAN, [confusion, confusion], 1)


def test_packs_whose_cards_are_read_right_are_proven() -> None:
    dealt = packs({SA: sure(SA), CA: sure(CA)})
    assert dealt.counts == Counter(n=2, alone=2)
    assert dealt.images["dirt"]["right"] > 0
    assert dealt.images["dirt"]["packs"] == 2


def test_two_cards_read_as_each_other_are_found_to_be_silently_wrong() -> None:
    """What no engine can notice: it must be seen by the proof, or the proof is worth nothing."""
    dealt = packs({SA: sure(CA), CA: sure(SA)})
    deals = [board.deal for board in random_boards(2, "proof standard 1")]
    apart = [deal.seat_of(SA) is not deal.seat_of(CA) for deal in deals]
    assert any(apart)  # in one hand it does no harm
    assert dealt.counts["silent"] == sum(apart)
    assert dealt.images["dirt"]["twin"] > 0
    assert dealt.silent[0] == f"board {1 + apart.index(True)}: SA CA, dirt"


def test_one_of_the_two_misread_stops_and_is_never_silent() -> None:
    dealt = packs({SA: sure(CA), CA: sure(CA)})
    assert (dealt.counts["n"], dealt.counts["silent"], dealt.counts["alone"]) == (2, 0, 0)


@pytest.mark.parametrize("cause", CAUSES)
def test_a_confused_card_is_spoilt_at_both_ends_and_still_itself(cause: str) -> None:
    faces = printed(STANDARD).faces
    one, other = Card.parse("S8"), Card.parse("S6")
    for number in range(20):
        spoilt = confuse(faces, (one, other), cause, np.random.default_rng(number))
        for card, twin in ((one, other), (other, one)):
            now, was, like = (f.astype(int) for f in (spoilt.faces[card], faces[card], faces[twin]))
            assert np.array_equal(now[280:600], was[280:600])
            for end in (slice(None), slice(None, None, -1)):
                corner, own, twins = (it[end, end][:280, :160] for it in (now, was, like))
                away = [np.abs(corner - it).sum() for it in (own, twins)]
                assert away[0] > 0
                if cause in ("ink", "washed out"):
                    assert away[0] <= away[1]


def test_designs_are_ours_and_folders_of_52(tmp_path: Path) -> None:
    import cv2

    for name, cards in (("theirs", CARDS), ("torn", CARDS[:51])):
        (tmp_path / name).mkdir()
        for card in cards:
            cv2.imwrite(str(tmp_path / name / f"{card}.png"), art.face("jumbo", card)[::8, ::8])
    found = designs_in(tmp_path)
    assert [where.name for where in found] == ["standard", "jumbo", "dutch", "danish", "theirs"]
    assert printed(found[-1]).faces[SA].shape == art.face("jumbo", SA).shape
    assert printed(found[-1]).digest() != printed(JUMBO).digest()


# -- the result file -------------------------------------------------------------------------


def counted(design: str, number: int, wrong: list[str] | None = None) -> Counted:
    told = Counted(design, number, wrong=wrong or [], cpu_s=1.5)
    told.images = {"guided": Counter({"n": 10, "right 1": 9, "unsure": 1})}
    told.packs = Counter(n=2, alone=2)
    told.confused = {"dirt": Counter(packs=2, right=4)}
    return told


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """A proof whose shares cost nothing; the list tells which were counted."""
    done: list[tuple[str, int]] = []

    def count(one: Share) -> Counted:
        done.append((one.where.name, one.number))
        return counted(one.where.name, one.number)

    monkeypatch.setattr(run, "designs_in", lambda art: (STANDARD, JUMBO))
    monkeypatch.setattr(run, "count", count)
    monkeypatch.setattr(run, "teach_into", lambda where, folder: None)
    monkeypatch.setattr(state, "commit_here", lambda: "abc")
    return done


PLAN = run.Plan(1, 1, 1, 1, rounds=3)


def test_an_interrupted_proof_goes_on_where_it_was(
    tmp_path: Path, quick: list[tuple[str, int]]
) -> None:
    path = tmp_path / "proof.json"

    def tell(proof: state.Proof, design: str) -> None:
        if sum(map(len, proof.done.values())) == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run.prove(path, None, PLAN, tell)
    assert quick == [("standard", 0), ("jumbo", 0), ("standard", 1), ("jumbo", 1)]
    held = state.load(path)
    assert held is not None
    assert held.kind("guided") == Counter({"n": 40, "right 1": 36, "unsure": 4})
    proof = run.prove(path, None, PLAN, lambda proof, design: None)
    assert quick[4:] == [("standard", 2), ("jumbo", 2)]
    assert (proof.kind("guided")["n"], proof.all_packs["n"], proof.cpu_s) == (60, 12, 9.0)
    assert state.load(path) == proof


def test_numbers_of_two_programs_are_never_added_up(
    tmp_path: Path, quick: list[tuple[str, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "proof.json"
    run.prove(path, None, PLAN, lambda proof, design: None)
    before = path.read_bytes()
    with pytest.raises(PredealError, match="another number of designs"):
        run.prove(path, None, run.Plan(1, 1, 1, 1, rounds=4), lambda proof, design: None)
    for other in ("abd", "abc-dirty"):
        monkeypatch.setattr(state, "commit_here", lambda other=other: other)
        with pytest.raises(PredealError, match="counted at abc, this program is"):
            run.prove(path, None, PLAN, lambda proof, design: None)
    assert path.read_bytes() == before


def test_other_pictures_under_the_same_name_are_refused(
    tmp_path: Path, quick: list[tuple[str, int]]
) -> None:
    path = tmp_path / "proof.json"
    proof = run.prove(path, None, PLAN, lambda proof, design: None)
    proof.designs["jumbo"].faces = "0" * 16
    state.save(proof, path)
    with pytest.raises(PredealError, match="“jumbo” are not those"):
        run.prove(path, None, PLAN, lambda proof, design: None)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"commit": "abc"}', "no JSON"])
def test_a_file_that_is_no_proof_is_left_alone(tmp_path: Path, text: str) -> None:
    path = tmp_path / "other.json"
    path.write_text(text)
    with pytest.raises(PredealError, match="no result of the proof"):
        state.load(path)


def test_a_share_counts_once() -> None:
    proof = state.Proof("abc", 1, {"rounds": 2})
    proof.add(counted("standard", 0))
    with pytest.raises(ValueError, match="second time"):
        proof.add(counted("standard", 0))


def example() -> state.Proof:
    proof = state.Proof("abc", 1, {"rounds": 2})
    proof.designs = {
        "standard": state.Taught("00", True, True),
        "swiss": state.Taught("01", False, False, ["Its courts have no index."]),
    }
    proof.add(counted("standard", 0, ["guided standard 7: SA as CA, look 1"]))
    proof.images["standard"]["joker"] = Counter(n=5, unsure=4, card=1)
    return proof


def test_the_page_tells_what_is_wrong_refused_and_left() -> None:
    page = report.page(example())
    for line in (
        "Commit `abc`, seed 1, **1 of 2 shares of the plan**; 0 minutes of processor time.",
        "2 designs, 1 of them drawn by others; refused at teaching: 1.",
        "- swiss: Its courts have no index.",
        "- guided standard 7: SA as CA, look 1",
        "| joker | 5 | 1 | 0.2 (< 0.66) | 4 | 0 | 0 |",
        "| dirt | 2 | 4 | 4 | 0 | 0 | 0 |",
    ):
        assert line in page.splitlines()


def test_the_command_tells_rows_and_writes_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def prove(path: Path, art: Path | None, plan: Any, tell: Any, workers: int) -> state.Proof:
        assert (plan.guided, plan.harsh, plan.each_kind, plan.packs) == (
            201_000,
            55_000,
            10_000,
            5_000,
        )
        tell(example(), "standard")
        return example()

    monkeypatch.setattr(run, "prove", prove)
    path = tmp_path / "eye.json"
    call = ["bench", "--only", "vision_proof", "--full", "--proof", str(path)]
    assert main_module.run([*call, "--json"], Session()) == 0
    told = {row["name"]: row for row in json.loads(capsys.readouterr().out)}
    assert told["vision_proof_strangers_accepted"]["median"] == 1
    assert told["vision_proof_guided_not_at_look_1"]["n"] == 10
    assert path.with_suffix(".md").read_text() == report.page(example())
    assert main_module.run(call, Session()) == 0
    out, err = capsys.readouterr()
    assert "standard: 1 shares, 1 wrong" in out
    assert "vision_proof_strangers_accepted misses its target of 0 images" in err


def test_the_proof_is_for_full_runs_only(capsys: pytest.CaptureFixture[str]) -> None:
    assert main_module.run(["bench", "--only", "vision_proof"], Session()) == 1
    assert "vision_proof" in capsys.readouterr().err


def test_the_page_in_the_documents_is_made_from_the_file_beside_it() -> None:
    docs = Path(__file__).parents[3] / "docs"
    proof = state.load(docs / "vision-proof.json")
    assert proof is not None
    assert (docs / "vision-proof.md").read_text("utf-8") == report.page(proof)
    assert proof.kind("guided")["wrong"] == len([w for w in proof.wrong if w.startswith("guided")])
