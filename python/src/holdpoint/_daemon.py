"""One request to the daemon. Only a process of this user is trusted, and nothing is kept between two requests.

Nothing here is shared between threads or inherited by a forked process: each request has its own connection.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import select
import socket
import stat
import struct
import sys
import tempfile
import time
from typing import Iterator, Optional

from ._call import Call
from ._frames import NotAReply, Reply, ReplyReader, encode_request

#: A daemon that does not greet by then hangs. One that did may take until the deadline.
GREETING_MAX = 2.5
_CHUNK = 1 << 16
_SOCKET_PATH_MAX_BYTES = 100


class TooLate(Exception):
    """The daemon took the whole time."""


def ask_daemon(call: Call) -> Optional[Reply]:
    """The reply, or None if the daemon did not answer and there is time left. Raises TooLate."""
    connection = _connect(call.home)
    if connection is None:
        return None
    with connection:
        try:
            return _converse(connection, call)
        except (OSError, NotAReply):
            return None


async def ask_daemon_async(call: Call) -> Optional[Reply]:
    """The same without blocking the event loop. A cancelled question ends at once."""
    connection = _connect(call.home)
    if connection is None:
        return None
    with connection:
        reader = ReplyReader()
        conversation = asyncio.ensure_future(_converse_async(connection, call, reader))
        try:
            # `wait_for` may lose a cancellation before Python 3.12; `wait` does not.
            await asyncio.wait({conversation}, timeout=min(GREETING_MAX, call.left()))
            if not conversation.done() and reader.is_greeted:
                await asyncio.wait({conversation}, timeout=max(0.0, call.left()))
            if conversation.done():
                return conversation.result()
        except (OSError, NotAReply):
            return None
        finally:
            # The loop must have forgotten the connection before it is closed.
            if not conversation.done():
                conversation.cancel()
                await asyncio.wait({conversation})
        if reader.is_greeted or call.left() <= 0:
            raise TooLate
        return None


def _connect(home: str) -> Optional[socket.socket]:
    """Never waits. None: there is no daemon of this user."""
    if not hasattr(socket, "AF_UNIX"):
        return None
    try:
        folder = os.open(os.path.join(home, "run"), os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        found = os.fstat(folder)
        # Another user who can write to the folder could answer instead of the daemon.
        if found.st_uid != os.geteuid() or found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
            return None
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            connection.setblocking(False)
            with _socket_path(home, folder) as path:
                connection.connect(path)
            if _peer_user(connection) == os.geteuid():
                return connection
        except BaseException:
            connection.close()
            raise
        connection.close()
        return None
    except (OSError, ValueError):
        return None
    finally:
        os.close(folder)


@contextlib.contextmanager
def _socket_path(home: str, folder: int) -> Iterator[str]:
    """Through the open folder, so that it is the one that was checked, and a long path fits into an address."""
    opened = f"/proc/self/fd/{folder}/hook.sock"
    if sys.platform.startswith("linux") and os.path.exists("/proc/self/fd"):
        yield opened
        return
    path = os.path.join(home, "run", "hook.sock")
    if len(os.fsencode(path)) <= _SOCKET_PATH_MAX_BYTES:
        yield path
        return
    # Without /proc, through a link in a folder with a short path that only this user can enter.
    own = tempfile.mkdtemp(prefix="holdpoint-", dir="/tmp")
    link = os.path.join(own, "run")
    try:
        os.symlink(os.path.join(home, "run"), link)
        yield os.path.join(link, "hook.sock")
    finally:
        with contextlib.suppress(OSError):
            os.unlink(link)
        os.rmdir(own)


def _peer_user(connection: socket.socket) -> int:
    if sys.platform == "darwin":
        # struct xucred: version, user, ...
        credentials = connection.getsockopt(0, 1, 76)
        return int(struct.unpack_from("=II", credentials)[1])
    credentials = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    return int(struct.unpack("3i", credentials)[1])


def _converse(connection: socket.socket, call: Call) -> Optional[Reply]:
    """Sends and receives at once."""
    request = memoryview(encode_request(call))
    reader = ReplyReader()
    greeting_due = time.monotonic() + GREETING_MAX
    poller = select.poll()
    poller.register(connection, select.POLLIN)
    while True:
        if request:
            request = request[_sent(connection, request) :]
            poller.modify(connection, select.POLLIN | (select.POLLOUT if request else 0))
        left = call.left()
        if not reader.is_greeted:
            left = min(left, greeting_due - time.monotonic())
        ready = poller.poll(max(0.0, left) * 1000) if left > 0 else []
        if not ready:
            if reader.is_greeted or call.left() <= 0:
                raise TooLate
            return None
        if not ready[0][1] & ~select.POLLOUT:
            continue
        try:
            reply = reader.feed(connection.recv(_CHUNK))
        except BlockingIOError:
            continue
        if reply is not None:
            # A process that answers before the request was sent is not Holdpoint's daemon.
            return None if request else reply


def _sent(connection: socket.socket, request: memoryview) -> int:
    try:
        return connection.send(request)
    except BlockingIOError:
        return 0


async def _converse_async(connection: socket.socket, call: Call, reader: ReplyReader) -> Optional[Reply]:
    loop = asyncio.get_running_loop()
    sending = asyncio.ensure_future(loop.sock_sendall(connection, encode_request(call)))
    try:
        while True:
            reply = reader.feed(await loop.sock_recv(connection, _CHUNK))
            if reply is not None:
                return reply if sending.done() and sending.exception() is None else None
    finally:
        sending.cancel()
        # Its error, if there is one, is not news: the daemon has gone.
        await asyncio.gather(sending, return_exceptions=True)
