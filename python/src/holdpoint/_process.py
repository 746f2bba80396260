"""A program that gets its input on standard input: within a deadline, and with a maximum of output."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import threading
import time
from typing import IO, Dict, Mapping, Optional, Sequence

from ._frames import REPLY_MAX_BYTES, Reply

#: How long the end of the process, or of the question, may stay unnoticed.
_TICK = 0.01
_CHUNK = 1 << 16
TOO_LATE = "no answer in time"


class Unanswered(Exception):
    """There is no answer, and why, as the end of a sentence."""


class CannotStart(Unanswered):
    """The program does not exist, or may not be started."""


def run_program(
    argv: Sequence[bytes],
    payload: bytes,
    *,
    cwd: bytes,
    env: Mapping[bytes, bytes],
    due: float,
    cancelled: Optional[threading.Event] = None,
) -> Reply:
    """What it printed, and its exit code. ``due`` is a time of the monotonic clock."""
    try:
        process = subprocess.Popen(
            argv,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=cwd if os.path.isdir(cwd) else b"/",
            env=env,
            # With everything it starts, so that all of it can be ended.
            start_new_session=True,
        )
    except OSError as error:
        raise CannotStart(str(error)) from error
    try:
        return _Exchange(process, payload, due, cancelled).reply()
    finally:
        _end(process)


class _Exchange:
    def __init__(
        self, process: "subprocess.Popen[bytes]", payload: bytes, due: float, cancelled: Optional[threading.Event]
    ) -> None:
        self._process = process
        self._due = due
        self._cancelled = cancelled
        self._input = memoryview(payload)
        self._poller = select.poll()
        self._open: Dict[int, IO[bytes]] = {}
        self._texts: Dict[int, bytearray] = {}
        self._out = self._watch(process.stdout, select.POLLIN)
        self._err = self._watch(process.stderr, select.POLLIN)
        self._in = self._watch(process.stdin, select.POLLOUT)
        if not payload:
            self._close(self._in)

    def reply(self) -> Reply:
        exit_code: Optional[int] = None
        while self._open:
            ready = self._poller.poll(0 if exit_code is not None else _TICK * 1000)
            for number, _events in ready:
                self._serve(number)
            # Output of a process that it left behind is not part of its answer.
            if exit_code is not None and not ready:
                break
            if exit_code is None:
                exit_code = self._ended()
            self._check_time()
        while exit_code is None:
            exit_code = self._ended()
            if exit_code is None:
                self._check_time()
                time.sleep(_TICK / 10)
        return Reply(bytes(self._texts[self._out]), bytes(self._texts[self._err]), exit_code)

    def _watch(self, stream: Optional[IO[bytes]], events: int) -> int:
        assert stream is not None
        number = stream.fileno()
        os.set_blocking(number, False)
        self._poller.register(number, events)
        self._open[number] = stream
        if events == select.POLLIN:
            self._texts[number] = bytearray()
        return number

    def _close(self, number: int) -> None:
        self._poller.unregister(number)
        _closed(self._open.pop(number))

    def _serve(self, number: int) -> None:
        try:
            if number == self._in:
                self._input = self._input[os.write(number, self._input[:_CHUNK]) :]
                if not self._input:
                    self._close(number)
                return
            data = os.read(number, _CHUNK)
        except BlockingIOError:
            return
        except OSError:
            # A program that ends before it has read everything says by its exit code what that means.
            self._close(number)
            return
        if not data:
            self._close(number)
        self._texts[number] += data
        if len(self._texts[number]) > REPLY_MAX_BYTES:
            raise Unanswered("its answer is too large")

    def _check_time(self) -> None:
        if time.monotonic() >= self._due:
            raise Unanswered(TOO_LATE)
        if self._cancelled is not None and self._cancelled.is_set():
            raise Unanswered("the question was cancelled")

    def _ended(self) -> Optional[int]:
        """The exit code. `Popen` says 0 if it cannot be known, for example if this program ignores SIGCHLD."""
        try:
            pid, status = os.waitpid(self._process.pid, os.WNOHANG)
        except ChildProcessError:
            self._process.returncode = -1
            raise Unanswered("its exit code could not be read") from None
        if pid == 0:
            return None
        self._process.returncode = os.waitstatus_to_exitcode(status)
        return self._process.returncode


def _end(process: "subprocess.Popen[bytes]") -> None:
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream is not None:
            _closed(stream)
    if process.returncode is not None:
        return
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except OSError:
        pass
    # It may hang in the kernel and not die, so only a thread waits for it.
    threading.Thread(target=process.wait, name="holdpoint", daemon=True).start()


def _closed(stream: IO[bytes]) -> None:
    try:
        stream.close()
    except OSError:
        pass
