"""The benchmark's frame: summaries, resuming, and the document of the contract."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from controller.bench.figures import Figure, Result, keep_result, load_results, run, summarise
from controller.cli import main as main_module
from controller.cli.output import Session
from deals.errors import PredealError
from vision.reading import CardReading, Kind


def figure(name: str = "x_ms", target: float | None = 2.0, calls: list[int] | None = None):
    def measure(n: int) -> list[float]:
        if calls is not None:
            calls.append(n)
        return [float(number) for number in range(n)]

    return Figure(name, "ms", "for tests", measure, 3, 101, target)


def test_median_and_99th_percentile():
    result = summarise(figure(), [float(number) for number in range(200, 0, -1)])
    assert (result.median, result.p99, result.n, result.unit) == (100.5, 198.0, 200, "ms")
    assert summarise(figure(), [7.0]).p99 == 7.0


@pytest.mark.parametrize(("target", "met"), [(1.0, True), (0.9, False), (None, None)])
def test_a_target_is_kept_or_missed(target, met):
    [result] = run([figure(target=target)])
    assert result.median == 1.0
    assert result.met is met


def test_full_takes_the_larger_sample():
    [result] = run([figure()], full=True)
    assert result.n == 101


def test_what_is_done_is_not_measured_again(tmp_path: Path):
    path, calls = tmp_path / "results.json", []
    figures = [figure("a", calls=calls), figure("b", calls=calls)]
    first = next(iter(run(figures, keep=lambda result: keep_result(path, result))))
    assert load_results(path) == {"a": first}
    again = list(run(figures, done=load_results(path)))
    assert [result.name for result in again] == ["a", "b"]
    assert calls == [3, 3]
    assert load_results(tmp_path / "none") == {}


def test_the_document_of_the_contract(capsys):
    assert main_module.run(["bench", "--only", "frame_us", "--json"], Session()) == 0
    [told] = json.loads(capsys.readouterr().out)
    assert told.keys() >= {"name", "median", "p99", "unit", "n"}
    assert (told["name"], told["unit"]) == ("frame_us", "us")
    assert 0 < told["median"] <= told["p99"]


def test_a_person_reads_a_table_and_what_misses(capsys, monkeypatch):
    monkeypatch.setattr("controller.bench.all.FIGURES", (figure(), figure("slow_ms", 0.5)))
    assert main_module.run(["bench"], Session()) == 0
    out, err = capsys.readouterr()
    assert "slow_ms" in out
    assert "for tests" in out
    assert err == "predeal: slow_ms misses its target of 0.5 ms\n"


def test_full_resumes(tmp_path: Path, monkeypatch, capsys):
    monkeypatch.setattr("controller.bench.all.FIGURES", (figure("a"), figure("b")))
    path = tmp_path / "kept"
    keep_result(path, Result("a", 5.0, 6.0, "ms", 7, None))
    call = ["bench", "--full", "--results", str(path), "--json"]
    assert main_module.run(call, Session()) == 0
    told = json.loads(capsys.readouterr().out)
    assert [(row["name"], row["n"]) for row in told] == [("a", 7), ("b", 101)]
    assert set(load_results(path)) == {"a", "b"}


def test_an_unknown_figure_is_told(capsys):
    assert main_module.run(["bench", "--only", "speed"], Session()) == 1
    assert capsys.readouterr().err.startswith("predeal: There is no figure speed. There are: ")


def test_a_family_of_figures_is_named_by_what_their_names_begin_with(tmp_path, monkeypatch):
    from controller.bench import all as all_figures
    from controller.cli.bench import bench

    figures = (figure("eye_ms"), figure("eye_share"), figure("eyelid_ms"), figure("x_ms"))
    monkeypatch.setattr(all_figures, "FIGURES", figures)
    done = CliRunner().invoke(bench, ["--only", "eye", "--json"])
    assert [row["name"] for row in json.loads(done.stdout)] == ["eye_ms", "eye_share"]


def test_figures_of_the_eye_count_what_is_refused_and_end_at_a_misread(monkeypatch):
    from controller.bench import vision
    from deals.cards import Card

    card, other = Card.parse("SA"), Card.parse("CA")
    answers = [CardReading(Kind.CARD, card), CardReading(Kind.UNSURE)] * 50

    class Scripted:
        def read(self, image):
            return answers[image]

    monkeypatch.setattr(vision, "_reader", lambda design: Scripted())
    shown = [vision.Shown(number, card) for number in range(100)]
    assert vision._refused(iter(shown), "any", 100) == [50.0]
    answers[7] = CardReading(Kind.CARD, other)
    with pytest.raises(PredealError, match="CA"):
        vision._refused(iter(shown), "any", 100)
    with pytest.raises(PredealError, match="SA"):  # something that is no card at all
        vision._refused(iter([vision.Shown(0, None)]), "any", 100)
