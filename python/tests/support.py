"""A home of Holdpoint that does what a test says: a fake daemon, and a fake hook program."""

from __future__ import annotations

import os
import shutil
import socket
import struct
import tempfile
import threading
import unittest
from typing import Callable, List, Optional

from holdpoint import Client, Reply

ALLOW = b'{"allowed":true,"decision":"allow"}\n'
DENY = b'{"allowed":false,"decision":"deny","reason":"not here"}\n'


def frame(stdout: bytes = b"", stderr: bytes = b"", exit_code: int = 0) -> bytes:
    """What follows the greeting."""
    return struct.pack("<III", exit_code, len(stdout), len(stderr)) + stdout + stderr


class Request:
    """A request as the daemon reads it."""

    def __init__(self, data: bytes) -> None:
        assert data[:4] == b"HPO1"
        self.elapsed_ms, *lengths = struct.unpack_from("<5I", data, 4)
        parts, at = [], 24
        for length in lengths:
            parts.append(data[at : at + length])
            at += length
        assert at == len(data), "the client sent more or less than a request"
        self.argv = parts[0].split(b"\0")[:-1]
        self.cwd = parts[1]
        self.env = dict(entry.split(b"=", 1) for entry in parts[2].split(b"\0")[:-1])
        self.payload = parts[3]


def read_request(connection: socket.socket) -> Optional[Request]:
    data = bytearray()
    while len(data) < 24 or len(data) < 24 + sum(struct.unpack_from("<4I", data, 8)):
        chunk = connection.recv(1 << 16)
        if not chunk:
            return None
        data += chunk
    return Request(bytes(data))


Script = Callable[[socket.socket, "FakeDaemon"], None]


class FakeDaemon:
    def __init__(self, run: str, script: Script) -> None:
        self.requests: List[Request] = []
        self._script = script
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        # The address of a socket is short, and the path of a home may be long.
        folder = os.open(run, os.O_RDONLY)
        self._listener.bind(f"/proc/self/fd/{folder}/hook.sock")
        os.close(folder)
        self._listener.listen(64)
        self._path = os.path.join(run, "hook.sock")
        self._server = threading.Thread(target=self._serve, daemon=True)
        self._server.start()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    def _answer(self, connection: socket.socket) -> None:
        with connection:
            try:
                self._script(connection, self)
            except OSError:
                # A client that disconnects early is a test case.
                pass

    def stop(self) -> None:
        if not self._server.is_alive():
            return
        # The thread must have left `accept` before the descriptor is closed: it could accept on its number again, which
        # is the next test's daemon by then.
        self._listener.shutdown(socket.SHUT_RDWR)
        self._server.join()
        self._listener.close()
        if os.path.exists(self._path):
            os.unlink(self._path)


def answering(*pieces: bytes, greeting: bytes = b"HPA1") -> Script:
    """Greets, reads the whole request, sends these pieces and closes."""

    def script(connection: socket.socket, daemon: FakeDaemon) -> None:
        connection.sendall(greeting)
        request = read_request(connection)
        if request is not None:
            daemon.requests.append(request)
            for piece in pieces:
                connection.sendall(piece)

    return script


def saying(data: bytes) -> Script:
    """Sends these bytes, reads nothing, and waits until the client has gone."""

    def script(connection: socket.socket, _daemon: FakeDaemon) -> None:
        connection.sendall(data)
        while connection.recv(1 << 16):
            pass

    return script


def closing(data: bytes) -> Script:
    """Sends these bytes and closes."""
    return lambda connection, _daemon: connection.sendall(data)


class HomeTest(unittest.TestCase):
    """Each test has its own home. Its hook program denies, unless a test writes another one."""

    def setUp(self) -> None:
        self.folder = tempfile.mkdtemp(prefix="holdpoint-python-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        os.chmod(self.folder, 0o755)
        self.home = os.path.join(self.folder, "home")
        self.run_folder = os.path.join(self.home, "run")
        os.makedirs(os.path.join(self.home, "bin"), mode=0o755)
        os.mkdir(self.run_folder, 0o700)
        self.program = os.path.join(self.home, "bin", "holdpoint-hook")
        self.write_program("cat > /dev/null; echo from-program >&2; exit 2")

    def write_program(self, text: str) -> None:
        with open(self.program, "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\n{text}\n")
        os.chmod(self.program, 0o755)

    def daemon(self, script: Script) -> FakeDaemon:
        started = FakeDaemon(self.run_folder, script)
        self.addCleanup(started.stop)
        return started

    def client(self, **options: object) -> Client:
        return Client("massgen", home=self.home, **options)  # type: ignore[arg-type]

    def assert_blocked(self, reply: Reply, why: str) -> None:
        text = reply.stderr.decode()
        self.assertEqual((reply.exit_code, reply.stdout), (2, b""), text)
        self.assertRegex(text, r"^holdpoint: blocked without a check: .*doctor")
        self.assertRegex(text, why)

    def assert_from_program(self, reply: Reply) -> None:
        self.assertEqual((reply.exit_code, reply.stdout, reply.stderr), (2, b"", b"from-program\n"))
