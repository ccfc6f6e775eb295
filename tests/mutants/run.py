"""Plants known mistakes, one at a time, in a copy of the tree: a named test must turn red.

A mutant is a file NN-name.patch here: lines "Mistake: ..." and "Tests: path [path ...]", then the
patch. Without any patch the same tests must be green. What was found for exactly this tree is kept in
build/mutants.json, so an interrupted run goes on where it was. `--table` writes what was caught into
results.md, each with its day; rows of mistakes that were not planted in this run stay as they are.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from datetime import date
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
KEPT = ROOT / "build" / "mutants.json"
TABLE = HERE / "results.md"
RED = 1
"""pytest's exit code when tests failed; others mean that it could not run them."""
LIMIT_S = 300


@dataclass(frozen=True)
class Mutant:
    """One planted mistake and the tests that must notice."""

    path: Path
    mistake: str
    tests: tuple[str, ...]

    @classmethod
    def load(cls, path: Path) -> Mutant:
        head = path.read_text(encoding="utf-8").partition("\ndiff ")[0] + "\n"
        fields = dict(re.findall(r"^(Mistake|Tests): (.+)$", head, re.MULTILINE))
        if fields.keys() != {"Mistake", "Tests"}:
            raise SystemExit(f"{path.name}: needs a line 'Mistake: ..' and a line 'Tests: ..'")
        return cls(path, fields["Mistake"], tuple(fields["Tests"].split()))

    @property
    def key(self) -> str:
        """Its name and what it does."""
        return f"{self.path.name} {hashlib.sha256(self.path.read_bytes()).hexdigest()}"

    @property
    def in_c(self) -> bool:
        """Whether the firmware has to be built again."""
        return "\n+++ b/firmware/" in self.path.read_text(encoding="utf-8")

    @property
    def chips(self) -> tuple[str, ...]:
        """What else its tests need built: the chip's program and its simulator."""
        return ("avr", "simavr") if any("avr" in test for test in self.tests) else ()


def copy_tree(target: Path) -> str:
    """Copies what git would keep; gives a digest of what can change a verdict."""
    listed = subprocess.run(
        ["git", "ls-files", "-coz", "--exclude-standard"], cwd=ROOT, capture_output=True, check=True
    )
    digest = hashlib.sha256()
    for name in sorted(filter(None, listed.stdout.decode().split("\0"))):
        source, copy = ROOT / name, target / name
        if source.is_file():
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, copy)
            if not name.startswith("tests/mutants/") and not name.endswith(".md"):
                digest.update(name.encode() + b"\0" + source.read_bytes())
    return digest.hexdigest()


def build_firmware(tree: Path, *more: str) -> bool:
    command = ["make", "--silent", "-C", tree / "firmware", "host", *more]
    return subprocess.run(command, capture_output=True).returncode == 0


def run_tests(tree: Path, tests: tuple[str, ...]) -> tuple[int, str]:
    """Runs tests of the copy; gives pytest's exit code and the first failure."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
    environment = os.environ | {"PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(
            command,
            cwd=tree,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=LIMIT_S,
        )
    except subprocess.TimeoutExpired:
        return -1, f"no end within {LIMIT_S} s"
    failed = re.search(r"^(?:FAILED|ERROR) (\S+)", done.stdout, re.MULTILINE)
    return done.returncode, failed.group(1) if failed else done.stdout[-2000:] + done.stderr[-2000:]


def apply_patch(tree: Path, mutant: Mutant, *options: str) -> bool:
    done = subprocess.run(["git", "apply", *options, mutant.path], cwd=tree, capture_output=True)
    return done.returncode == 0


def try_mutant(tree: Path, mutant: Mutant) -> tuple[bool, str]:
    """Plants one mistake and takes it out again; gives whether a test noticed, and which."""
    if not apply_patch(tree, mutant):
        return False, "the patch does not apply any more"
    try:
        if mutant.in_c and not build_firmware(tree, *mutant.chips):
            return False, "the firmware does not build with it"
        code, first = run_tests(tree, mutant.tests)
    finally:
        if not apply_patch(tree, mutant, "-R"):
            raise SystemExit(f"{mutant.path.name}: cannot be taken out again")
        if mutant.in_c:
            build_firmware(tree, *mutant.chips)
    return code == RED, first if code == RED else f"not caught (exit {code}): {first}"


def note(table: Path, mutant: Mutant, first: str, day: str) -> None:
    """Writes the row of one mistake that was caught; those of all others stay."""
    row = re.compile(r"\| (\d\S+) \|")
    lines = table.read_text(encoding="utf-8").splitlines() if table.exists() else []
    rows = {found.group(1): line for line in lines if (found := row.match(line))}
    name = mutant.path.stem
    rows[name] = f"| {name} | {mutant.mistake} | `{first}` | {day} |"
    known = {path.stem for path in mutant.path.parent.glob("*.patch")}
    lines = [
        "# Planted mistakes, and the test that noticed",
        "",
        "Written by `python tests/mutants/run.py --table`; do not edit.",
        "",
        "| patch | mistake | first test that turned red | last seen |",
        "|---|---|---|---|",
        *(rows[stem] for stem in sorted(known & rows.keys())),
    ]
    table.write_text("\n".join(lines) + "\n", encoding="utf-8")


def main() -> int:
    """Runs all mutants, or those named; exit code 1 when one is not caught."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("only", nargs="*", help="numbers or parts of names")
    parser.add_argument("--table", action="store_true", help="note in results.md what is caught")
    chosen = parser.parse_args()
    mutants = [Mutant.load(path) for path in sorted(HERE.glob("[0-9]*.patch"))]
    mutants = [
        mutant
        for mutant in mutants
        if not chosen.only or any(part in mutant.path.name for part in chosen.only)
    ]
    with tempfile.TemporaryDirectory(prefix="predeal-mutants-") as folder:
        tree = Path(folder)
        digest = copy_tree(tree)
        kept = json.loads(KEPT.read_text()) if KEPT.exists() else {}
        kept = kept if kept.get("tree") == digest else {"tree": digest, "caught": {}}
        if not build_firmware(tree, *{chip for mutant in mutants for chip in mutant.chips}):
            raise SystemExit("the firmware does not build")
        missed = 0
        for mutant in mutants:
            start = time.monotonic()
            first = kept["caught"].get(mutant.key)
            if first is None:
                caught, first = check(tree, mutant, kept)
                missed += not caught
                verdict = "caught by" if caught else "MISSED:"
                took = time.monotonic() - start
                print(f"{mutant.path.stem}: {verdict} {first} ({took:.1f} s)", flush=True)
                if caught and chosen.table:
                    note(TABLE, mutant, first, date.today().isoformat())
    print(f"{len(mutants) - missed} of {len(mutants)} mistakes caught")
    return 1 if missed else 0


def check(tree: Path, mutant: Mutant, kept: dict) -> tuple[bool, str]:
    """Green without the mistake, red with it; remembers what was caught."""
    for test in mutant.tests:
        if test not in kept.setdefault("green", []):
            code, first = run_tests(tree, (test,))
            if code != 0:
                return False, f"red without the mistake: {first}"
            kept["green"].append(test)
    caught, first = try_mutant(tree, mutant)
    if caught:
        kept["caught"][mutant.key] = first
        KEPT.parent.mkdir(exist_ok=True)
        KEPT.write_text(json.dumps(kept, indent=1))
    return caught, first


if __name__ == "__main__":
    sys.exit(main())
