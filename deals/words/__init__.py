"""One gettext catalogue for the whole program: codes in, text for a person out.

`locale/en.po` holds a text for every error code (msgid "family.name", no context) and every term of
the laws (msgctxt "seat", msgid "north"); `fi nb el` hold the terms in the words of the translated
laws, the sentences about deals, laws, proofs and records, and the machine's words (sections "for a
native reader's check"); they fall back to English elsewhere. Placeholders are `{name}`; a value with a `word` attribute
(seat, suit, rank, vulnerability) is put in the language asked for, a list is joined with commas.

To add texts of another layer, append a section to `locale/en.po` under a comment line such as
`# ---- controller: the engine ----` and use codes of a family of your own ("engine.jam"). A code
that the catalogue lacks, or a text whose value is missing, warns with `MissingWords` (the tests
turn that into an error) and shows code and values, so that nobody is left without news.
"""

from __future__ import annotations

import functools
import re
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Final

LANGUAGES: Final = ("en", "fi", "nb", "el")
VARIABLE: Final = "PREDEAL_LANG"
_LOCALE: Final = Path(__file__).parent / "locale"


_NEIGHBOURS: Final = {"no": "nb", "nn": "nb"}
_LAW: Final = re.compile(r"(?<=\d)[A-G]")
_GREEK_LETTERS: Final = dict(zip("ABCDEFG", ("Α", "Β", "Γ", "Δ", "Ε", "ΣΤ", "Ζ"), strict=True))
"""How the Greek Laws letter their parts: 6F is 6ΣΤ."""
_spoken = ["en"]


class MissingWords(UserWarning):
    """The catalogue lacks a text, or a text lacks a value."""


def spoken() -> str:
    """The language of this process, used where none is named."""
    return _spoken[0]


def speak(lang: str) -> None:
    """From now on texts are in *lang*, one of LANGUAGES. Only an edge says so."""
    _spoken[0] = lang


def language_of(environment: Mapping[str, str]) -> str:
    """The language that a user's environment asks for; English where it asks for none of ours.

    PREDEAL_LANG comes first, then what every program goes by: LANGUAGE (a list, without meaning
    where the locale is C), then the first of LC_ALL, LC_MESSAGES and LANG that is set.
    """
    locale = next(
        (environment[n] for n in ("LC_ALL", "LC_MESSAGES", "LANG") if environment.get(n)), ""
    )
    wanted = [environment.get(VARIABLE, ""), locale]
    if locale.partition(".")[0] not in ("", "C", "POSIX"):
        wanted[1:1] = environment.get("LANGUAGE", "").split(":")
    for name in wanted:
        lang = re.split(r"[_.@-]", name.lower(), maxsplit=1)[0]
        lang = _NEIGHBOURS.get(lang, lang)
        if lang in LANGUAGES:
            return lang
    return "en"


@functools.cache
def catalogue(lang: str) -> Mapping[tuple[str, str], str]:
    """(context, msgid) to text for one of LANGUAGES; context is "" for codes."""
    if lang not in LANGUAGES:
        _missing(f"no catalogue for language {lang!r}")
        return {}
    import polib  # late: most commands that go well need no words

    entries = polib.pofile(str(_LOCALE / f"{lang}.po"), encoding="utf-8")
    return {(entry.msgctxt or "", entry.msgid): entry.msgstr for entry in entries if entry.msgstr}


def text(code: str, values: Mapping[str, object] | None = None, lang: str | None = None) -> str:
    """The text of *code* with *values* filled in, in *lang* or else as `spoken`; English where
    that has none.
    """
    values, lang = values or {}, lang or spoken()
    pattern = catalogue(lang).get(("", code))
    if pattern is None:
        lang, pattern = "en", catalogue("en").get(("", code))
    if pattern is None:
        _missing(f"no text for code {code!r}")
        return _bare(code, values)
    try:
        shown = {name: _shown(value, lang) for name, value in values.items()}
        if lang == "el" and "law" in shown:
            shown["law"] = _LAW.sub(lambda found: _GREEK_LETTERS[found[0]], shown["law"])
        return pattern.format_map(shown)
    except (KeyError, IndexError, ValueError) as error:
        _missing(f"text of {code!r} cannot be filled from {sorted(values)}: {error!r}")
        return _bare(code, values)


def term(name: str, lang: str | None = None) -> str:
    """A word of the game, named "context.word": `term("seat.east", "fi")` is "Itä"."""
    lang = lang or spoken()
    context, _, word = name.partition(".")
    found = catalogue(lang).get((context, word)) or catalogue("en").get((context, word))
    if found is None:
        _missing(f"no term {name!r}")
        return word or name
    return found


def _shown(value: object, lang: str) -> str:
    word = getattr(value, "word", None)
    if isinstance(word, str):
        return term(word, lang)
    if isinstance(value, list | tuple | set | frozenset):
        return ", ".join(_shown(item, lang) for item in value)
    shown = str(value)
    if shown.isprintable():
        return shown
    # Pieces of files and names come here: none may command the terminal it is shown on.
    return "".join(sign if sign.isprintable() or sign == "\n" else "\ufffd" for sign in shown)


def _bare(code: str, values: Mapping[str, object]) -> str:
    return " ".join([code, *(f"{name}={value}" for name, value in values.items())])


def _missing(what: str) -> None:
    warnings.warn(what, MissingWords, stacklevel=3)
