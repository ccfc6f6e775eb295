"""`predeal prove`: re-generate a committed set from its secret, and say what that proves."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from controller.cli.output import Exit, complain, emit, finish, json_option
from controller.cli.writing import write_whole
from deals.commit import Commitment, Draw, Proof, parse, random_deal
from deals.commit import prove as prove_set
from deals.files import DealFile, ranges
from deals.files.reading import read_bytes, read_deals
from deals.generate import parse_secret
from deals.setcode import set_code
from deals.words import text


class Redealt(click.ParamType[tuple[int, int]]):
    """BOARD=COUNT: this board was dealt anew so often (Law 6D)."""

    name = "board=count"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, int]:
        """Board and count."""
        if isinstance(value, tuple):
            return value
        board, _, count = value.partition("=")
        if not (board.isdecimal() and count.isdecimal() and int(board) and 0 < int(count) < 100):
            self.fail(text("prove.bad_redealt", {"text": value}), param, ctx)
        return int(board), int(count)


@click.command()
@click.argument("commitment", type=click.Path(path_type=Path))
@click.argument("secret", type=click.Path(path_type=Path))
@click.argument("setfile", type=click.Path(path_type=Path))
@click.option("--public", metavar="TEXT", help="The public value that the commitment names.")
@click.option("--pdf", type=click.Path(path_type=Path), help="Write the proof on one page here.")
@click.option("--redealt", type=Redealt(), multiple=True, help="A board that was dealt anew.")
@json_option
def prove(
    commitment: Path,
    secret: Path,
    setfile: Path,
    public: str | None,
    pdf: Path | None,
    redealt: tuple[tuple[int, int], ...],
    as_json: bool,
) -> None:
    """Make the set of COMMITMENT again from SECRET, and compare it with SETFILE.

    Exit code 0 only if every board is proven. No hand is shown.
    """
    committed = parse(commitment.read_text("utf-8", errors="replace"))
    key = parse_secret(secret.read_text("utf-8", errors="replace"))
    found = _read(setfile, committed)
    if found.problems:
        proof = Proof(False, tuple((p.code, p.values) for p in found.problems))
    else:
        proof = prove_set(committed, key, found.boards, public, dict(redealt), _draw(committed))
    if pdf is not None:
        write_whole(pdf, _page(committed, proof, key, found, setfile, public))
    if as_json:
        emit(_document(committed, proof))
    else:
        _print(setfile, committed, proof)
    finish(Exit.DONE if proof.proven else Exit.COULD_NOT)


def _page(
    committed: Commitment,
    proof: Proof,
    secret: bytes,
    found: DealFile,
    setfile: Path,
    public: str | None,
) -> bytes:
    from deals.generate.paper import Facts, proof_page  # late: only who prints needs the library

    code = set_code(found.boards) if len(found.boards) > 1 else ""
    return proof_page(committed, proof, Facts(secret, setfile.name, code, public or ""))


def _draw(committed: Commitment) -> Draw:
    if not committed.terms.constraint:
        return random_deal
    from deals.teaching import Constraint, drawer  # late: most sets have none

    return drawer(Constraint(committed.terms.constraint))


def _read(file: Path, committed: Commitment) -> DealFile:
    found = read_deals(read_bytes(file), file.name, None)
    if any(warning.code == "file.numbers_assumed" for warning in found.warnings):
        found = read_deals(read_bytes(file), file.name, committed.terms.boards[0])
    return found


def _sentences(findings: tuple[tuple[str, Mapping[str, object]], ...]) -> list[str]:
    return [text(code, values) for code, values in findings]


def _document(committed: Commitment, proof: Proof) -> dict[str, Any]:
    return {
        "proven": proof.proven,
        "commitment": committed.label,
        "boards": len(committed.terms.boards),
        "differing": list(proof.differing),
        "redealt": [list(pair) for pair in proof.redealt],
        "teaching": bool(committed.terms.constraint),
        "findings": [
            {"code": code, "message": message}
            for (code, _), message in zip(proof.findings, _sentences(proof.findings), strict=True)
        ],
    }


def _print(setfile: Path, committed: Commitment, proof: Proof) -> None:
    for sentence in _sentences(proof.findings):
        if proof.proven:
            click.echo(sentence)
        else:
            complain(text("prove.failed", {"text": sentence}))
    if proof.proven:
        values = {"file": setfile, "label": committed.label}
        click.echo(text("prove.proven", {**values, "boards": ranges(committed.terms.boards)}))
