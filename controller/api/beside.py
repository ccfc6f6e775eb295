"""The store as a request opens it beside the control loop, and a director's permit in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pydantic import SecretStr

from controller.store.director import Permit, Role
from controller.store.store import Store

OpensStore = Callable[[], Store]


def enter(
    store: Store,
    director: str | None,
    passphrase: SecretStr,
    purpose: str,
    details: Mapping[str, object],
) -> Permit:
    """The permit of *director*, or of the only one where no name was given; in the logbook then.

    DirectorError as `Directors.only` and `Directors.enter`.
    """
    name = director or store.directors.only(Role.DIRECTOR)
    return store.directors.enter(name, passphrase.get_secret_value(), purpose, details)
