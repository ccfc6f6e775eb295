"""`predeal generate` and `predeal prove`, and the check that docs/proving.md gives to outsiders."""

from __future__ import annotations

import json
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from controller.cli import generate as generate_command
from controller.cli import prove as prove_command
from controller.cli.main import run
from controller.cli.output import Exit, Session
from controller.errors import StoreError
from controller.store import Store
from deals.files import read_deals_file
from deals.setcode import QUICK_COST, check_set_code, set_code
from tests.unit.project.source import ROOT


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PREDEAL_STATE", str(tmp_path / "state"))
    for module in (generate_command, prove_command):
        monkeypatch.setattr(module, "set_code", lambda boards: set_code(boards, QUICK_COST))


@pytest.fixture
def call(capsys):
    def call(*arguments: str) -> tuple[int, dict, str]:
        code = run([*arguments, "--json"], Session())
        out, err = capsys.readouterr()
        return code, json.loads(out) if out else {}, err

    return call


def logbook() -> list[tuple[str, dict]]:
    class Clock:
        def now_us(self) -> int:
            return 0

        def wall_us(self) -> int:
            return 0

    with Store.open(Path("state"), Clock(), lambda n: bytes(n)) as store:
        assert store.logbook.broken() == []
        return [(entry.what, json.loads(entry.details)) for entry in store.logbook.entries()]


KEPT = ("--commit", "c.txt", "--seed-file", "s.txt")


def test_generate_and_prove(call) -> None:
    code, made, _ = call("generate", "--boards", "1-36", "-o", "a.pbn", *KEPT)
    assert (code, made["boards"]) == (Exit.DONE, 36)
    assert check_set_code(made["set"]) == made["set"]
    assert made["commitment"] == "sha256:" + Path("c.txt").read_text().split()[-1]
    assert [stat.S_IMODE(Path(name).stat().st_mode) for name in ("s.txt", "a.pbn", "c.txt")] == [
        0o600,
        0o600,
        0o644,
    ]
    found = read_deals_file(Path("a.pbn"))
    assert [b.number for b in found.boards] == list(range(1, 37))
    assert len({b.deal for b in found.boards}) == 36
    code, proof, err = call("prove", "c.txt", "s.txt", "a.pbn")
    assert (code, proof["proven"], err) == (Exit.DONE, True, "")
    assert "no deal was chosen" in proof["findings"][1]["message"]


@pytest.mark.parametrize("name", ["a.dup", "a.dlm", "a.bri", "a.dge", "a.lin", "a.rzd"])
def test_files_without_numbers_are_proven_too(call, name: str) -> None:
    assert call("generate", "--boards", "17-32", "-o", name, *KEPT)[0] == Exit.DONE
    assert call("prove", "c.txt", "s.txt", name)[1]["proven"] is True


def test_a_page_for_the_county(call) -> None:
    call("generate", "--boards", "1-4", "-o", "a.pbn", *KEPT)
    code, proof, _ = call("prove", "c.txt", "s.txt", "a.pbn", "--pdf", "proof.pdf")
    assert (code, proof["proven"]) == (Exit.DONE, True)
    assert Path("proof.pdf").read_bytes().startswith(b"%PDF")


def test_the_order_of_proof(call) -> None:
    announce = ("--announce", "Index X, 2 Nov 2026", "--name", "Final")
    code, committed, _ = call("generate", "--boards", "1-4", *KEPT, *announce)
    assert (code, committed["set"]) == (Exit.DONE, None)
    assert "public: announced Index X, 2 Nov 2026" in Path("c.txt").read_text()
    code, told, _ = call("generate", "--boards", "1-4", *KEPT, "-o", "a.pbn")
    assert (code, told["error"]["code"]) == (Exit.COULD_NOT, "proof.public_missing")
    code, made, _ = call("generate", "--boards", "1-4", *KEPT, "-o", "a.pbn", "--public", "42")
    assert (code, made["commitment"]) == (Exit.DONE, committed["commitment"])
    code, proof, _ = call("prove", "c.txt", "s.txt", "a.pbn", "--public", "42")
    assert proof["proven"] is True
    assert "no deal was chosen" in proof["findings"][1]["message"]
    assert "Not proven" not in str(proof)
    code, proof, _ = call("prove", "c.txt", "s.txt", "a.pbn", "--public", "43")
    assert (code, proof["proven"], proof["differing"]) == (Exit.COULD_NOT, False, [1, 2, 3, 4])


def test_a_value_given_at_once_proves_less(call) -> None:
    call("generate", "--boards", "1-4", *KEPT, "-o", "a.pbn", "--public", "42")
    proof = call("prove", "c.txt", "s.txt", "a.pbn", "--public", "42")[1]
    assert proof["proven"] is True
    assert proof["findings"][1]["code"] == "proof.value_known"
    assert call("prove", "c.txt", "s.txt", "a.pbn", "--public", "43")[1]["proven"] is False


def test_every_set_is_numbered(call) -> None:
    numbers = [call("generate", "--boards", "1-4", "-o", "a.pbn")[1]["number"] for _ in range(3)]
    call("generate", "--boards", "1-4", *KEPT, "--announce", "x")
    assert numbers == [1, 2, 3]
    entries = logbook()
    assert [what for what, _ in entries] == ["set generated"] * 3 + ["commitment made"]
    assert [details["number"] for _, details in entries] == [1, 2, 3, 1]
    assert len({details["set"] for _, details in entries[:3]}) == 3


def test_the_number_is_there_before_the_deals(call) -> None:
    code, told, _ = call("generate", "--boards", "1-4", "-o", "missing/a.pbn")
    assert (code, told["error"]["code"]) == (Exit.COULD_NOT, "cli.os_error_at")
    assert len(logbook()) == 1


def test_a_logbook_in_use_is_waited_for_and_then_told(call, monkeypatch) -> None:
    monkeypatch.setattr(generate_command, "_PATIENCE_S", 0.2)
    call("generate", "--boards", "1-4", "-o", "a.pbn")
    with generate_command._open(Path("state")):
        code, told, _ = call("generate", "--boards", "1-4", "-o", "b.pbn")
    assert (code, told["error"]["code"]) == (Exit.COULD_NOT, "store.in_use")
    assert not Path("b.pbn").exists()


def test_a_logbook_that_is_free_again_is_used(call, monkeypatch) -> None:
    real, tries = generate_command._open, []

    def busy_twice(state: Path) -> Store:
        tries.append(state)
        if len(tries) < 3:
            raise StoreError("store.in_use", path=state)
        return real(state)

    monkeypatch.setattr(generate_command, "_open", busy_twice)
    assert call("generate", "--boards", "1-4", "-o", "a.pbn")[1]["number"] == 1
    assert len(tries) == 3


def test_where_the_logbook_is(call, monkeypatch, tmp_path: Path) -> None:
    monkeypatch.delenv("PREDEAL_STATE")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "xdg"))
    call("generate", "--boards", "1-4", "-o", "a.pbn")
    assert Path("xdg/predeal").is_dir()
    call("generate", "--boards", "1-4", "-o", "a.pbn", "--state", "mine")
    assert Path("mine").is_dir()


def test_a_secret_is_read_and_gives_the_same_set(call) -> None:
    first = call("generate", "--boards", "1-8", "-o", "a.pbn", "--seed-file", "s.txt")[1]
    secret = Path("s.txt").read_bytes()
    again = call("generate", "--boards", "1-8", "-o", "b.pbn", "--seed-file", "s.txt")[1]
    assert Path("s.txt").read_bytes() == secret
    assert first["set"] == again["set"]
    Path("s.txt").chmod(0o644)
    err = call("generate", "--boards", "1-8", "-o", "b.pbn", "--seed-file", "s.txt")[2]
    assert "s.txt can be read by others" in err


def test_commitments_are_never_overwritten(call) -> None:
    call("generate", "--boards", "1-8", "-o", "a.pbn", *KEPT)
    kept = Path("c.txt").read_text()
    for change, said in (
        (("--boards", "1-9", *KEPT), "boards differs"),
        (("--boards", "1-8", *KEPT, "--name", "Other"), "set differs"),
        (("--boards", "1-8", *KEPT, "--scheme", "chicago"), "scheme differs"),
        (("--boards", "1-8", "--commit", "c.txt", "--seed-file", "new.txt"), "not in new.txt"),
        (("--boards", "1-8", "--commit", "c.txt"), "its secret is not in -"),
    ):
        code, _, err = call("generate", "-o", "b.pbn", *change)
        assert code == Exit.COULD_NOT
        assert said in err
    Path("s.txt").write_text("ab" * 32)
    code, _, err = call("generate", "-o", "b.pbn", "--boards", "1-8", *KEPT)
    assert "does not belong to the commitment" in err
    assert Path("c.txt").read_text() == kept
    assert not Path("b.pbn").exists()


def test_wrong_usage(call) -> None:
    for arguments, said in (
        (("--boards", "1-4"), "Say where the deals go: -o FILE"),
        (("--boards", "1-4", "--announce", "x"), "needs --commit and --seed-file"),
        (("--boards", "1-4", "--announce", "x", "-o", "a", *KEPT), "in a later call"),
        (("-o", "a.pbn"), "Missing option '--boards'"),
        (("--boards", "x", "-o", "a.pbn"), "names no boards"),
    ):
        code, document, err = call("generate", *arguments)
        assert (code, document) == (Exit.WRONG_USAGE, {})
        assert said in err
    assert not Path("state").exists()


def test_one_board_has_no_code(call) -> None:
    code, made, _ = call("generate", "--boards", "7", "-o", "a.pbn")
    assert (code, made["set"], made["boards"]) == (Exit.DONE, None, 1)
    assert logbook()[0][1]["set"] is None


def test_a_format_that_cannot_hold_it_writes_nothing(call) -> None:
    code, told, _ = call("generate", "--boards", "1-200", "-o", "a.dup", *KEPT)
    assert (code, told["error"]["code"]) == (Exit.COULD_NOT, "file.number_too_high")
    assert sorted(path.name for path in Path().iterdir()) == []


def test_chicago(call) -> None:
    call("generate", "--boards", "1-5", "-o", "a.pbn", "--scheme", "chicago", *KEPT)
    found = read_deals_file(Path("a.pbn")).boards
    assert [b.vulnerable.value for b in found] == ["None", "EW", "NS", "All", "None"]
    assert call("prove", "c.txt", "s.txt", "a.pbn")[1]["proven"] is True


def test_a_teaching_set_is_marked_and_proven_as_one(call) -> None:
    wish = ("--boards", "1-4", "--constraint", "hcp(north) >=  15 and balanced(north)")
    code, made, err = call("generate", *wish, "-o", "a.pbn", *KEPT)
    assert (code, made["teaching"]) == (Exit.DONE, True)
    assert err.startswith("predeal: TEACHING: this set is marked")
    assert Path("a.pbn").read_text().count('[Event "TEACHING"]') == 4
    assert "constraint: hcp(north) >= 15 and balanced(north)" in Path("c.txt").read_text()
    assert logbook()[0][1]["teaching"] is True
    code, proof, _ = call("prove", "c.txt", "s.txt", "a.pbn")
    assert (code, proof["proven"], proof["teaching"]) == (Exit.DONE, True, True)
    assert "Not for normal play (Law 6E4)" in proof["findings"][-1]["message"]
    for name in ("a.dup", "a.lin"):
        code, told, _ = call("generate", *wish, "-o", name)
        assert (code, told["error"]["code"]) == (Exit.COULD_NOT, "teaching.no_place")
        assert not Path(name).exists()
    code, told, err = call("generate", "--boards", "1", "-o", "b.pbn", "--constraint", "hcp(x) > 1")
    assert (code, told["error"]["code"]) == (Exit.COULD_NOT, "teaching.name_unknown")
    assert "column 5" in err


def test_a_spoilt_file_is_not_proven(call) -> None:
    call("generate", "--boards", "1-4", "-o", "a.pbn", *KEPT)
    whole = Path("a.pbn").read_text()
    Path("a.pbn").write_text(re.sub(r'\[Deal "(.:)[^.]+', r'[Deal "\1', whole, count=1))
    code, proof, err = call("prove", "c.txt", "s.txt", "a.pbn")
    assert (code, proof["proven"]) == (Exit.COULD_NOT, False)
    assert err == ""


def test_for_a_person(capsys) -> None:
    assert run(["generate", "--boards", "1-4", "-o", "a.pbn"], Session()) == Exit.DONE
    out = capsys.readouterr().out
    assert "number 1 of this machine: boards 1-4 are in a.pbn" in out
    assert "this set can never be proven" in out
    run(["generate", "--boards", "1-4", "-o", "a.pbn", *KEPT], Session())
    assert "What s.txt will prove when it is published: Not proven" in capsys.readouterr().out
    assert run(["prove", "c.txt", "s.txt", "a.pbn"], Session()) == Exit.DONE
    assert "a.pbn: boards 1-4, commitment sha256:" in capsys.readouterr().out
    Path("s.txt").write_text("ab" * 32)
    assert run(["prove", "c.txt", "s.txt", "a.pbn"], Session()) == Exit.COULD_NOT
    assert capsys.readouterr().err.startswith("predeal: Not proven: The secret does not belong")
    assert run(["prove", "c.txt", "s.txt", "a.pbn", "--redealt", "5"], Session()) == 2


def outsider(*arguments: str) -> subprocess.CompletedProcess[str]:
    page = (ROOT / "docs" / "proving.md").read_text("utf-8")
    (check,) = re.findall(r"```python\n(.*?)```", page, re.S)
    assert len([line for line in check.splitlines() if line.strip()]) <= 40
    Path("check.py").write_text(check, "utf-8")
    command = [sys.executable, "-I", "check.py", *arguments]
    return subprocess.run(command, capture_output=True, text=True)


@pytest.mark.parametrize("variant", ["none", "value", "announced"])
def test_the_check_in_the_documentation(call, variant: str) -> None:
    base = ("generate", "--boards", "1-20", "--name", "Kisa Ä", *KEPT)
    public = ("--public", "42,001.31")
    if variant == "announced":
        call(*base, "--announce", "Indeksi Ö")
    call(*base, "-o", "a.pbn", *(() if variant == "none" else public))
    done = outsider("c.txt", "s.txt", "a.pbn", "42,001.31")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.split("\n")[:20] == [f"{n} fits" for n in range(1, 21)]
    whole = Path("a.pbn").read_text()
    deals = re.findall(r'\[Deal "[^"]*"\]', whole)
    Path("a.pbn").write_text(whole.replace(deals[6], deals[2]))
    done = outsider("c.txt", "s.txt", "a.pbn", "42,001.31")
    assert [row for row in done.stdout.splitlines() if "DIFFERS" in row] == ["7 DIFFERS"]
    Path("c.txt").write_text(Path("c.txt").read_text().replace("1-20", "1-21"))
    done = outsider("c.txt", "s.txt", "a.pbn", "42,001.31")
    assert done.stderr == "the secret does not belong to the commitment\n"
