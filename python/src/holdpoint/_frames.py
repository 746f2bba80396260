"""The protocol between a client and the daemon: lengths, then bytes. All numbers are 32 bit, little-endian.

    request   "HPO1" elapsedMs argvBytes cwdBytes envBytes inputBytes | argv | cwd | env | input
    reply     "HPA1" | exitCode stdoutBytes stderrBytes | stdout | stderr

"HPO1" is for the only request of a connection, which ends with its reply. Each string of argv and env ends with a NUL.
"HPA1" is the greeting: it comes as soon as a request begins.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Optional

from ._call import Call

GREETING = b"HPA1"
REPLY_MAX_BYTES = 64 << 20
_REPLY_HEAD = struct.Struct("<III")


@dataclass(frozen=True)
class Reply:
    """What the installed hook program would print, and its exit code."""

    stdout: bytes
    stderr: bytes
    exit_code: int


class NotAReply(Exception):
    """These bytes are not from Holdpoint's daemon."""


def encode_request(call: Call) -> bytes:
    parts = (
        b"".join(word + b"\0" for word in call.argv),
        call.cwd,
        b"".join(name + b"=" + value + b"\0" for name, value in call.env.items()),
        call.payload,
    )
    numbers = (call.elapsed_ms(), *(len(part) for part in parts))
    return b"".join((b"HPO1", struct.pack("<5I", *numbers), *parts))


class ReplyReader:
    """Takes the bytes of a reply as they arrive."""

    def __init__(self) -> None:
        self._bytes = bytearray()

    @property
    def is_greeted(self) -> bool:
        return len(self._bytes) >= len(GREETING)

    def feed(self, data: bytes) -> Optional[Reply]:
        """The whole reply, or None while bytes are missing."""
        if not data:
            raise NotAReply("the connection ended too early")
        received = self._bytes
        received += data
        start = bytes(received[: len(GREETING)])
        if start != GREETING[: len(start)]:
            raise NotAReply("this is not the greeting")
        head = len(GREETING)
        if len(received) < head + _REPLY_HEAD.size:
            return None
        exit_code, out_bytes, err_bytes = _REPLY_HEAD.unpack_from(received, head)
        if exit_code > 255 or out_bytes + err_bytes > REPLY_MAX_BYTES:
            raise NotAReply("a number is out of range")
        out = head + _REPLY_HEAD.size
        err = out + out_bytes
        if len(received) < err + err_bytes:
            return None
        return Reply(bytes(received[out:err]), bytes(received[err : err + err_bytes]), exit_code)
