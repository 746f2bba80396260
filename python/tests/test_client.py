"""The client with a daemon and a hook program that behave in every way they can."""

from __future__ import annotations

import asyncio
import os
import stat
import struct
import time
import unittest
import unittest.mock
from typing import Any

from holdpoint import Client, Reply

from .support import ALLOW, DENY, HomeTest, answering, closing, frame, saying


class SyncClient(HomeTest):
    def ask(self, payload: bytes = b"{}", event: str = "PreToolUse", client: Any = None, **options: Any) -> Reply:
        return (client or self.client()).ask(event, payload, **options)

    def test_asks_the_daemon_as_the_native_client_does(self) -> None:
        daemon = self.daemon(answering(frame(DENY, b"note\n")))
        reply = self.ask(b'{"a": 1}', cwd="/srv/project", env={"A": "1", "B": "x=y"})
        self.assertEqual(reply, Reply(DENY, b"note\n", 0))
        [request] = daemon.requests
        words = f"massgen --home {self.home} --event PreToolUse --on-failure deny --deadline-ms 28000"
        self.assertEqual(request.argv, words.encode().split(b" "))
        self.assertEqual((request.cwd, request.payload), (b"/srv/project", b'{"a": 1}'))
        self.assertEqual(request.env, {b"A": b"1", b"B": b"x=y"})

    def test_sends_its_own_environment_and_folder(self) -> None:
        daemon = self.daemon(answering(frame(ALLOW)))
        self.ask()
        [request] = daemon.requests
        self.assertEqual(request.env, dict(os.environb))
        self.assertEqual(request.cwd, os.getcwdb())

    def test_names_a_configuration_by_its_whole_path(self) -> None:
        daemon = self.daemon(answering(frame(ALLOW)))
        self.ask(client=Client("massgen", home=self.home, config="team.yaml"))
        argv = daemon.requests[0].argv
        self.assertEqual(argv[argv.index(b"--config") + 1], os.path.join(os.getcwdb(), b"team.yaml"))

    def test_reads_a_reply_in_any_pieces(self) -> None:
        whole = frame(b"o" * 70_000, b"e" * 70_000, 2)
        self.daemon(answering(*(bytes([byte]) for byte in whole[:20]), whole[20:]))
        self.assertEqual(self.ask(), Reply(b"o" * 70_000, b"e" * 70_000, 2))

    def test_a_path_that_is_too_long_for_a_socket_works(self) -> None:
        self.home = os.path.join(self.folder, "x" * 100, "y" * 100)
        self.run_folder = os.path.join(self.home, "run")
        os.makedirs(os.path.join(self.home, "bin"))
        os.mkdir(self.run_folder, 0o700)
        self.daemon(answering(frame(ALLOW)))
        self.assertEqual(self.ask().stdout, ALLOW)
        # As on a Mac, which has no /proc.
        with unittest.mock.patch("os.path.exists", return_value=False):
            self.assertEqual(self.ask().stdout, ALLOW)

    def test_a_huge_payload_is_sent_to_its_limit(self) -> None:
        daemon = self.daemon(answering(frame(DENY)))
        self.assertEqual(self.ask(b"x" * (40 << 20)).stdout, DENY)
        self.assertEqual(len(daemon.requests[0].payload), (32 << 20) + 1)

    def test_without_a_daemon_the_hook_program_answers(self) -> None:
        self.write_program('printf "%s|" "$@"; cat; pwd >&2')
        reply = self.ask(b"payload\0with NUL", cwd="/")
        words, payload = reply.stdout.rsplit(b"|", 1)
        start = f"massgen|--home|{self.home}|--event|PreToolUse|--on-failure|deny|--deadline-ms|".encode()
        self.assertTrue(words.startswith(start), words)
        self.assertEqual((payload, reply.stderr, reply.exit_code), (b"payload\0with NUL", b"/\n", 0))

    def test_whatever_is_not_a_reply_is_answered_by_the_hook_program(self) -> None:
        whole = frame(ALLOW)
        for script in (
            closing(b""),
            closing(b"HPA1"),
            closing(b"HPX1"),
            saying(b"HTTP/1.1 200 OK\r\n\r\n{}"),
            answering(),
            answering(whole[:5]),
            answering(whole[:-1]),
            answering(struct.pack("<III", 256, 0, 0)),
            answering(struct.pack("<III", 0, 2**31, 2**31)),
        ):
            daemon = self.daemon(script)
            self.assert_from_program(self.ask())
            daemon.stop()

    def test_an_answer_before_the_request_is_not_from_the_daemon(self) -> None:
        self.daemon(lambda connection, _: (connection.sendall(b"HPA1" + frame(ALLOW)), time.sleep(3))[0])
        self.assert_from_program(self.ask(b"x" * (20 << 20)))

    def test_a_daemon_that_does_not_greet_is_skipped(self) -> None:
        self.daemon(saying(b""))
        with unittest.mock.patch("holdpoint._daemon.GREETING_MAX", 0.2):
            self.assert_from_program(self.ask())

    def test_a_daemon_that_greets_and_hangs_delays_a_call_until_its_deadline(self) -> None:
        self.daemon(saying(b"HPA1"))
        started = time.monotonic()
        self.assert_blocked(self.ask(client=self.client(deadline=0.5)), "no answer in time")
        self.assertGreaterEqual(time.monotonic() - started, 0.5)

    def test_a_run_folder_that_others_can_write_to_is_not_asked(self) -> None:
        self.daemon(answering(frame(ALLOW)))
        for mode in (0o720, 0o702, 0o777):
            os.chmod(self.run_folder, mode)
            self.assert_from_program(self.ask())

    def test_a_run_folder_that_is_a_link_is_not_asked(self) -> None:
        self.daemon(answering(frame(ALLOW)))
        os.rename(self.run_folder, self.run_folder + "-real")
        os.symlink(self.run_folder + "-real", self.run_folder)
        self.assert_from_program(self.ask())

    def test_a_home_that_cannot_be_trusted_blocks(self) -> None:
        self.daemon(answering(frame(ALLOW)))
        for place in (self.home, os.path.join(self.home, "bin")):
            mode = stat.S_IMODE(os.stat(place).st_mode)
            os.chmod(place, 0o777)
            self.assert_blocked(self.ask(), "is writable for other users")
            os.chmod(place, mode)
        for home in ("", "home", "/nowhere/at/all"):
            self.assert_blocked(self.ask(client=Client("massgen", home=home)), "absolute path|is missing")
        self.assertFalse(os.path.exists("/nowhere"))
        for wrong in (7, b"/home", ["/home"]):
            self.assert_blocked(self.ask(client=Client("massgen", home=wrong)), "client failed|absolute")  # type: ignore[arg-type]

    def test_a_hook_program_that_is_broken_blocks(self) -> None:
        for text, why, deadline in (
            ("kill -9 $$", "without an answer", 28),
            ("exit 1", "without an answer", 28),
            ("exit 127", "without an answer", 28),
            ("sleep 300 & sleep 300", "no answer in time", 0.5),
            ("exec yes", "too large|no answer in time", 1.5),
        ):
            self.write_program(text)
            with self.subTest(text):
                self.assert_blocked(self.ask(client=self.client(deadline=deadline)), why)
        os.chmod(self.program, 0o777)
        self.assert_blocked(self.ask(), "holdpoint-hook is writable for other users")
        os.unlink(self.program)
        self.assert_blocked(self.ask(), "holdpoint-hook is missing")
        os.mkdir(self.program)
        self.assert_blocked(self.ask(), "could not be started")

    def test_a_process_that_the_hook_program_leaves_behind_does_not_delay_the_answer(self) -> None:
        self.write_program("cat > /dev/null; sleep 30 & printf '%s' '{}'; exit 0")
        started = time.monotonic()
        self.assertEqual(self.ask().stdout, b"{}")
        self.assertLess(time.monotonic() - started, 20)

    def test_a_missing_answer_passes_only_where_nothing_can_be_stopped(self) -> None:
        os.unlink(self.program)
        for event in ("PreToolUse", "UserPromptSubmit", "PermissionRequest", "pre_call", "NoSuchEvent", ""):
            self.assertEqual(self.ask(event=event).exit_code, 2, event)
        for event in ("PostToolUse", "Stop", "SessionStart"):
            reply = self.ask(event=event)
            self.assertEqual((reply.exit_code, reply.stdout), (0, b""))
            self.assertIn(b"allowed without a check", reply.stderr)
        self.assertEqual(self.ask(event="PostToolUse", on_failure="deny").exit_code, 2)
        self.assertEqual(self.ask(on_failure="pass").exit_code, 0)
        self.assertEqual(self.ask(on_failure="perhaps").exit_code, 2)

    def test_nul_bytes_never_become_other_arguments(self) -> None:
        daemon = self.daemon(answering(frame(ALLOW)))
        for options in (
            {"event": "PreToolUse\0--home\0/tmp"},
            {"cwd": "/srv\0/x"},
            {"env": {"A": "1\0B=2"}},
            {"client": Client("massgen\0x", home=self.home)},
            {"client": Client("massgen", home=self.home, config="a\0b")},
            {"client": Client("massgen", home=self.home + "\0")},
        ):
            self.assert_blocked(self.ask(**options), "NUL|null")  # type: ignore[arg-type]
        self.assertEqual(daemon.requests, [])
        self.ask(b"\0")
        self.assertEqual(daemon.requests[0].payload, b"\0")

    def test_a_wrong_use_blocks(self) -> None:
        self.daemon(answering(frame(ALLOW)))
        for payload in (None, "text", 7, object()):
            self.assert_blocked(self.ask(payload), "client failed")  # type: ignore[arg-type]
        for deadline in (0, -1, 1e9, float("nan")):
            self.assertEqual(self.ask(client=self.client(deadline=deadline)).stdout, ALLOW)
        self.assert_blocked(self.ask(client=self.client(deadline="soon")), "client failed")

    def test_a_folder_that_was_deleted_is_no_obstacle(self) -> None:
        self.write_program("pwd; cat > /dev/null")
        self.assertEqual(self.ask(cwd=os.path.join(self.folder, "gone")).stdout, b"/\n")
        here = os.getcwd()
        self.addCleanup(os.chdir, here)
        os.mkdir(os.path.join(self.folder, "gone"))
        os.chdir(os.path.join(self.folder, "gone"))
        os.rmdir(os.path.join(self.folder, "gone"))
        self.assertEqual(self.ask().stdout, b"/\n")


class AsyncClient(SyncClient):
    """The same cases with an event loop."""

    def ask(self, payload: bytes = b"{}", event: str = "PreToolUse", client: Any = None, **options: Any) -> Reply:
        return asyncio.run((client or self.client()).ask_async(event, payload, **options))


if __name__ == "__main__":
    unittest.main()
