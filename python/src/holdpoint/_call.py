"""One question: everything that a hook process knows when it starts."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, field
from typing import List, Mapping, Optional, Sequence

PAYLOAD_MAX_BYTES = 32 << 20
DEADLINE = 28.0
_DEADLINE_MIN = 0.01
_DEADLINE_MAX = 600.0


@dataclass(frozen=True)
class Call:
    home: str
    argv: Sequence[bytes]
    cwd: bytes
    env: Mapping[bytes, bytes]
    payload: bytes
    #: In seconds, for everything.
    deadline: float
    started: float = field(default_factory=time.monotonic)

    def elapsed_ms(self) -> int:
        return max(0, int((time.monotonic() - self.started) * 1000))

    def left(self) -> float:
        return self.started + self.deadline - time.monotonic()


def make_call(
    *,
    home: str,
    host: str,
    event: str,
    on_failure: str,
    payload: bytes,
    config: Optional[str] = None,
    cwd: Optional[str] = None,
    env: Optional[Mapping[str, str]] = None,
    deadline: float = DEADLINE,
) -> Call:
    """Raises ValueError for what a process could not be started with."""
    seconds = deadline if _DEADLINE_MIN <= deadline <= _DEADLINE_MAX else DEADLINE
    words: List[str] = [host, "--home", home, "--event", event, "--on-failure", on_failure]
    if config is not None:
        words += ["--config", os.path.abspath(config)]
    words += ["--deadline-ms", str(int(seconds * 1000))]
    return Call(
        home=home,
        argv=[_encoded(word) for word in words],
        cwd=_encoded(cwd if cwd is not None else _working_folder()),
        env=_own_environment() if env is None else {_encoded(k): _encoded(v) for k, v in env.items()},
        # One byte more than the maximum is enough to be refused.
        payload=payload[: PAYLOAD_MAX_BYTES + 1],
        deadline=seconds,
    )


def _encoded(text: str) -> bytes:
    encoded = os.fsencode(text)
    # It would be two arguments for the daemon.
    if b"\0" in encoded:
        raise ValueError(f"{text!r:.80} contains a NUL")
    return encoded


def _own_environment() -> Mapping[bytes, bytes]:
    environ = os.environb if os.supports_bytes_environ else {_encoded(k): _encoded(v) for k, v in os.environ.items()}
    return dict(environ)


def _working_folder() -> str:
    try:
        return os.getcwd()
    except OSError:
        # The folder was deleted.
        return "/"
