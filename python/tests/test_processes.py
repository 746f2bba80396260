"""Programs with threads, forks, other users, ignored signals and cancelled tasks."""

from __future__ import annotations

import asyncio
import concurrent.futures
import multiprocessing
import os
import signal
import socket
import threading
import time
import unittest
from typing import Callable, List

from holdpoint import Client, HookManager, Reply

from .support import ALLOW, DENY, FakeDaemon, HomeTest, answering, frame, read_request, saying

FORCE_PUSH = {"hook_type": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "git push --force"}}


def by_payload(connection: socket.socket, daemon: FakeDaemon) -> None:
    """Denies what names a force push, and allows everything else."""
    connection.sendall(b"HPA1")
    request = read_request(connection)
    if request is not None:
        daemon.requests.append(request)
        connection.sendall(frame(DENY if b"--force" in request.payload else ALLOW))


def decision_in_child(home: str) -> str:
    return HookManager(home=home).execute(FORCE_PUSH).decision


class Threads(HomeTest):
    def test_each_thread_gets_its_own_answer(self) -> None:
        self.daemon(by_payload)
        client = self.client()
        payloads = [b"git push --force %d" % i if i % 2 else b"ls %d" % i for i in range(64)]
        with concurrent.futures.ThreadPoolExecutor(16) as pool:
            replies = list(pool.map(lambda payload: client.ask("PreToolUse", payload), payloads))
        self.assertEqual([reply.stdout for reply in replies], [DENY if i % 2 else ALLOW for i in range(64)])

    def test_many_tasks_on_one_loop_get_their_own_answers(self) -> None:
        self.daemon(by_payload)
        client = self.client()

        async def ask_all() -> List[Reply]:
            asked = (client.ask_async("PreToolUse", b"--force" if i % 2 else b"ls") for i in range(50))
            return list(await asyncio.gather(*asked))

        replies = asyncio.run(ask_all())
        self.assertEqual([reply.stdout for reply in replies], [DENY if i % 2 else ALLOW for i in range(50)])

    def test_works_in_a_thread_with_its_own_loop(self) -> None:
        outcome: List[Reply] = []
        thread = threading.Thread(target=lambda: outcome.append(asyncio.run(self.client().ask_async("PreToolUse", b"{}"))))
        thread.start()
        thread.join()
        self.assert_from_program(outcome[0])


class Forks(HomeTest):
    def in_child(self, ask: Callable[[], bytes]) -> bytes:
        """What this returns in a forked process."""
        read, write = os.pipe()
        pid = os.fork()
        if pid == 0:
            try:
                os.write(write, ask())
            finally:
                os._exit(0)
        os.close(write)
        with os.fdopen(read, "rb") as pipe:
            told = pipe.read()
        os.waitpid(pid, 0)
        return told

    def test_a_manager_of_the_parent_works_in_the_child(self) -> None:
        self.daemon(by_payload)
        hooks = HookManager(home=self.home)
        self.assertEqual(hooks.execute(FORCE_PUSH).decision, "deny")
        self.assertEqual(self.in_child(lambda: hooks.execute(FORCE_PUSH).decision.encode()), b"deny")
        told = self.in_child(lambda: asyncio.run(hooks.execute_async(FORCE_PUSH)).decision.encode())
        self.assertEqual(told, b"deny")
        self.assertEqual(hooks.execute(FORCE_PUSH).decision, "deny")

    def test_the_child_is_answered_by_the_hook_program_too(self) -> None:
        client = self.client()
        self.assertEqual(self.in_child(lambda: client.ask("PreToolUse", b"{}").stderr), b"from-program\n")

    def test_a_fork_in_the_middle_of_a_question_of_another_thread(self) -> None:
        self.daemon(by_payload)
        client = self.client()
        stop = threading.Event()
        wrong: List[bytes] = []

        def work() -> None:
            while not stop.is_set():
                told = client.ask("PreToolUse", b"--force").stdout
                if told != DENY:
                    wrong.append(told)

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        told = [self.in_child(lambda: client.ask("PreToolUse", b"--force").stdout) for _ in range(10)]
        stop.set()
        for thread in threads:
            thread.join()
        self.assertEqual((told, wrong), ([DENY] * 10, []))

    def test_multiprocessing(self) -> None:
        self.daemon(by_payload)
        for method in ("fork", "spawn"):
            with multiprocessing.get_context(method).Pool(2) as pool:
                self.assertEqual(pool.map(decision_in_child, [self.home] * 4), ["deny"] * 4, method)


@unittest.skipUnless(os.geteuid() == 0, "only root can become another user")
class OtherUsers(HomeTest):
    NOBODY = 65_534

    def as_nobody(self, ask: Callable[[], bytes]) -> bytes:
        def become() -> bytes:
            os.setgroups([])
            os.setgid(self.NOBODY)
            os.setuid(self.NOBODY)
            return ask()

        return Forks.in_child(self, become)  # type: ignore[arg-type]

    def test_a_program_that_changes_its_user_does_not_trust_the_daemon_of_the_old_one(self) -> None:
        self.daemon(answering(frame(ALLOW)))
        client = self.client()
        self.assertEqual(client.ask("PreToolUse", b"{}").stdout, ALLOW)
        # The folder of the daemon belongs to root: the hook program is asked instead, as the new user.
        self.assertEqual(self.as_nobody(lambda: client.ask("PreToolUse", b"{}").stderr), b"from-program\n")

    def test_a_home_that_the_new_user_cannot_read_blocks(self) -> None:
        os.chmod(self.home, 0o700)
        client = self.client()
        told = self.as_nobody(lambda: client.ask("PreToolUse", b"{}").stderr)
        self.assertIn(b"blocked without a check", told)

    def test_the_home_of_another_user_blocks(self) -> None:
        self.daemon(answering(frame(ALLOW)))
        for place in (self.home, os.path.join(self.home, "bin")):
            os.chown(place, self.NOBODY, self.NOBODY)
            self.assert_blocked(self.client().ask("PreToolUse", b"{}"), "belongs to another user")
            os.chown(place, 0, 0)
        os.chown(self.program, self.NOBODY, self.NOBODY)
        os.chown(self.run_folder, self.NOBODY, self.NOBODY)
        self.assert_blocked(self.client().ask("PreToolUse", b"{}"), "holdpoint-hook belongs to another user")

    def test_a_socket_of_another_user_is_not_asked(self) -> None:
        """In a folder of this user: only the process that listens is another one's."""
        ready_read, ready_write = os.pipe()
        stop_read, stop_write = os.pipe()
        os.chmod(self.home, 0o755)
        os.chmod(self.run_folder, 0o777)
        pid = os.fork()
        if pid == 0:
            os.setgid(self.NOBODY)
            os.setuid(self.NOBODY)
            FakeDaemon(self.run_folder, answering(frame(ALLOW)))
            os.write(ready_write, b"x")
            os.close(stop_write)
            os.read(stop_read, 1)
            os._exit(0)
        os.read(ready_read, 1)
        os.chmod(self.run_folder, 0o700)
        self.assert_from_program(self.client().ask("PreToolUse", b"{}"))
        self.assert_from_program(asyncio.run(self.client().ask_async("PreToolUse", b"{}")))
        for number in (stop_write, stop_read, ready_read, ready_write):
            os.close(number)
        os.waitpid(pid, 0)


class Signals(HomeTest):
    def test_an_exit_code_that_cannot_be_known_is_not_a_permission(self) -> None:
        """With SIGCHLD ignored, Python itself would say 0."""
        self.write_program("cat > /dev/null; exit 2")
        before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        self.addCleanup(signal.signal, signal.SIGCHLD, before)
        self.assert_blocked(self.client().ask("PreToolUse", b"{}"), "exit code could not be read")

    def test_a_thread_that_waits_for_every_child_changes_nothing(self) -> None:
        self.write_program("cat > /dev/null; exit 2")
        stop = threading.Event()

        def reap() -> None:
            while not stop.is_set():
                try:
                    os.waitpid(-1, os.WNOHANG)
                except ChildProcessError:
                    pass

        thread = threading.Thread(target=reap)
        thread.start()
        replies = [self.client().ask("PreToolUse", b"{}") for _ in range(5)]
        stop.set()
        thread.join()
        self.assertEqual([reply.exit_code for reply in replies], [2] * 5)

    def test_a_signal_in_between_does_not_end_the_question(self) -> None:
        def slowly(connection: socket.socket, _daemon: FakeDaemon) -> None:
            connection.sendall(b"HPA1")
            read_request(connection)
            time.sleep(0.3)
            connection.sendall(frame(DENY))

        self.daemon(slowly)
        ticks: List[int] = []
        before = signal.signal(signal.SIGALRM, lambda *_: ticks.append(1))
        self.addCleanup(signal.signal, signal.SIGALRM, before)
        signal.setitimer(signal.ITIMER_REAL, 0.02, 0.02)
        self.addCleanup(signal.setitimer, signal.ITIMER_REAL, 0)
        self.assertEqual(self.client().ask("PreToolUse", b"{}").stdout, DENY)
        self.assertGreater(len(ticks), 0)


class Cancellation(HomeTest):
    def cancelled(self, client: Client, begun: Callable[[], bool]) -> None:
        async def cancel() -> None:
            task = asyncio.ensure_future(client.ask_async("PreToolUse", b"{}"))
            while not begun():
                await asyncio.sleep(0.01)
                self.assertFalse(task.done(), task)
            task.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await task
            self.assertEqual(len(asyncio.all_tasks()), 1)

        asyncio.run(cancel())

    def test_while_the_daemon_thinks(self) -> None:
        gone = threading.Event()
        seen = threading.Event()

        def never(connection: socket.socket, _daemon: FakeDaemon) -> None:
            connection.sendall(b"HPA1")
            read_request(connection)
            seen.set()
            if connection.recv(1) == b"":
                gone.set()

        self.daemon(never)
        self.cancelled(self.client(), seen.is_set)
        self.assertTrue(gone.wait(20), "the connection is closed")

    def test_while_a_large_request_is_sent(self) -> None:
        started = threading.Event()

        def slow_reader(connection: socket.socket, _daemon: FakeDaemon) -> None:
            connection.sendall(b"HPA1")
            started.set()
            time.sleep(1)

        self.daemon(slow_reader)

        async def cancel() -> None:
            task = asyncio.ensure_future(self.client().ask_async("PreToolUse", b"x" * (8 << 20)))
            while not started.is_set():
                await asyncio.sleep(0.01)
                self.assertFalse(task.done(), task)
            task.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await task

        asyncio.run(cancel())

    def test_while_the_hook_program_runs_ends_it_and_what_it_started(self) -> None:
        mark = os.path.join(self.folder, "pids")
        self.write_program(f"sleep 300 & echo $! $$ > {mark}.new && mv {mark}.new {mark}; wait")
        self.cancelled(self.client(), lambda: os.path.exists(mark))
        with open(mark, encoding="utf-8") as file:
            pids = [int(word) for word in file.read().split()]
        due = time.monotonic() + 20
        while any(is_running(pid) for pid in pids) and time.monotonic() < due:
            time.sleep(0.02)
        self.assertEqual([pid for pid in pids if is_running(pid)], [])

    def test_a_timeout_of_the_caller_is_a_cancellation(self) -> None:
        self.daemon(saying(b"HPA1"))

        async def limited() -> None:
            await asyncio.wait_for(self.client().ask_async("PreToolUse", b"{}"), 0.1)

        with self.assertRaises(asyncio.TimeoutError):
            asyncio.run(limited())


def is_running(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


if __name__ == "__main__":
    unittest.main()
