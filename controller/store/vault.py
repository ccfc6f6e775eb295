"""The machine key: seals what a copy of the files must not tell, and tags what must be found.

AES-256-GCM with a random nonce in front of each sealed value; what it belongs to (the row's key) is
the associated data, so a value that was moved to another row does not open.
"""

from __future__ import annotations

import hmac
import os
import stat
from hashlib import sha256
from pathlib import Path
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from controller.errors import StoreError
from controller.store.files import write_whole

KEY_FILE: Final = "machine.key"
_KEY_BYTES: Final = 32
_NONCE_BYTES: Final = 12


class Vault:
    """Seals, opens and tags under one key."""

    def __init__(self, key: bytes) -> None:
        self._cipher = AESGCM(hmac.digest(key, b"predeal seal 1", sha256))
        self._tag_key = hmac.digest(key, b"predeal tag 1", sha256)

    def seal(self, value: bytes, owner: str) -> bytes:
        """Encrypts *value* for the row *owner*."""
        # Always from the system, never from a seeded source: a nonce that comes twice breaks GCM.
        nonce = os.urandom(_NONCE_BYTES)
        return nonce + self._cipher.encrypt(nonce, value, owner.encode())

    def unseal(self, sealed: bytes, owner: str) -> bytes:
        """Decrypts what was sealed for the row *owner*."""
        try:
            return self._cipher.decrypt(
                sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:], owner.encode()
            )
        except (InvalidTag, ValueError) as error:
            raise StoreError("store.sealed_wrong", row=owner) from error

    def tag(self, purpose: str, value: bytes) -> bytes:
        """A keyed fingerprint: equal values have equal tags, and nobody without the key can try."""
        return hmac.digest(self._tag_key, purpose.encode() + b"\0" + value, sha256)


def new_key() -> bytes:
    """A fresh key of 256 bits, from the system."""
    return os.urandom(_KEY_BYTES)


def load_key(path: Path, *, may_create: bool) -> bytes:
    """Reads the machine key, or makes it where nothing has been sealed yet."""
    try:
        mode = stat.S_IMODE(path.stat().st_mode)
        key = path.read_bytes()
    except FileNotFoundError:
        if not may_create:
            raise StoreError("store.key_missing", path=path) from None
        key = new_key()
        write_whole(path, key, mode=0o600)
        return key
    if mode & 0o077:
        raise StoreError("store.key_open", path=path, mode=f"{mode:04o}")
    if len(key) != _KEY_BYTES:
        raise StoreError("store.key_damaged", path=path)
    return key
