"""Events, results, and what a manager makes of a reply."""

from __future__ import annotations

import asyncio
import enum
import json
import unittest
from datetime import datetime, timezone
from typing import Any

from holdpoint import HookEvent, HookManager, HookResult, HookType, Reply
from holdpoint.manager import read_reply

from .support import HomeTest, answering, frame

CALL = {"hook_type": "PreToolUse", "session_id": "s", "tool_name": "Bash", "tool_input": {"command": "ls"}}


class Manager(HomeTest):
    def execute(self, event: Any) -> HookResult:
        return HookManager(home=self.home).execute(event)

    def test_sends_the_event_of_massgen_and_reads_its_result(self) -> None:
        result = {
            "allowed": True,
            "decision": "ask",
            "reason": "Sure?",
            "updated_input": {"command": "ls -l"},
            "inject": {"content": "look", "strategy": "user_message"},
            "hook_errors": ["one: timeout: late"],
        }
        daemon = self.daemon(answering(frame(json.dumps(result).encode())))
        time = datetime(2026, 1, 15, 12, tzinfo=timezone.utc)
        event = HookEvent(HookType.PRE_TOOL_USE, "s", "o", "agent1", time, "Bash", {"command": "ls"})
        told = self.execute(event)
        self.assertEqual({**told.to_dict(), "executions": 0, "modified_args": 0, "metadata": 0}, {**result, "executions": 0, "modified_args": 0, "metadata": 0})
        self.assertFalse(told.may_run)
        [request] = daemon.requests
        self.assertEqual(
            json.loads(request.payload),
            {
                **{"hook_type": "PreToolUse", "session_id": "s", "orchestrator_id": "o", "agent_id": "agent1"},
                **{"timestamp": "2026-01-15T12:00:00+00:00", "tool_name": "Bash", "tool_input": {"command": "ls"}},
                "tool_output": None,
            },
        )
        self.assertIn(b"PreToolUse", request.argv)

    def test_takes_other_shapes_of_an_event(self) -> None:
        class Kind(enum.Enum):
            BEFORE = "pre_call"

        class Theirs:
            hook_type = Kind.BEFORE

            def to_dict(self) -> Any:
                return {**CALL, "hook_type": Kind.BEFORE, "timestamp": datetime(2026, 1, 15)}

        daemon = self.daemon(answering(frame(b'{"allowed":true,"decision":"allow"}')))
        for event in (CALL, {**CALL, "hook_type": HookType.PRE_CALL}, Theirs(), {**CALL, "more": ("a", 1)}):
            self.assertTrue(self.execute(event).may_run)
        self.assertEqual([r.argv[r.argv.index(b"--event") + 1] for r in daemon.requests], [b"PreToolUse"] * 4)
        self.assertEqual(json.loads(daemon.requests[3].payload)["more"], ["a", 1])

    def test_an_event_that_cannot_be_sent_is_denied(self) -> None:
        self.daemon(answering(frame(b'{"allowed":true,"decision":"allow"}')))
        loop: Any = {}
        loop["self"] = loop
        deep: Any = "x"
        for _ in range(300):
            deep = [deep]

        class Broken:
            @property
            def hook_type(self) -> str:
                raise RuntimeError("no")

        for event in (
            None,
            7,
            "text",
            [],
            Broken(),
            {**CALL, "x": loop},
            {**CALL, "x": deep},
            {**CALL, "x": object()},
            {**CALL, "x": {1: "a", "1": "b"}},
            {**CALL, "x": float("nan")},
            {**CALL, "x": b"bytes"},
            {**CALL, "hook_type": 7, "x": {1, 2}},
        ):
            self.assertEqual(self.execute(event).decision, "deny", repr(event)[:60])

    def test_every_text_arrives_as_it_is(self) -> None:
        daemon = self.daemon(answering(frame(b'{"allowed":true,"decision":"allow"}')))
        for text in ("a\0b", "\ud800", "\U0001f600", "\u2028", "\x7f", "é"):
            self.execute({**CALL, "tool_input": {"command": text}})
            payload = daemon.requests[-1].payload
            self.assertEqual(json.loads(payload)["tool_input"]["command"], text)
            self.assertNotIn(b"\0", payload)

    def test_the_event_is_a_copy(self) -> None:
        daemon = self.daemon(answering(frame(b'{"allowed":true,"decision":"allow"}')))
        event = HookEvent.from_dict(CALL)
        self.execute(event)
        event.tool_input["command"] = "rm -rf /"
        self.assertIn(b'"ls"', daemon.requests[0].payload)

    def test_without_holdpoint_every_call_is_denied_with_the_next_step(self) -> None:
        result = HookManager(home="/nowhere").execute(CALL)
        self.assertEqual(result.decision, "deny")
        self.assertIn("npx holdpoint init", result.reason or "")
        after = HookManager(home="/nowhere").execute({**CALL, "hook_type": "PostToolUse"})
        self.assertEqual((after.decision, len(after.hook_errors)), ("allow", 1))


class AsyncManager(Manager):
    def execute(self, event: Any) -> HookResult:
        return asyncio.run(HookManager(home=self.home).execute_async(event))


class Replies(unittest.TestCase):
    def test_what_cannot_be_read_denies_before_a_call_and_is_reported_after_it(self) -> None:
        for stdout in (
            b"",
            b" \n",
            b"go",
            b'{"allowed":true,"decision":',
            b"[]",
            b"null",
            b"{}",
            b'{"allowed":true}',
            b'{"decision":"allow"}',
            b'{"allowed":"yes","decision":"allow"}',
            b'{"allowed":true,"decision":"perhaps"}',
            b'{"allowed":true,"decision":true}',
            b'{"allowed":true,"decision":"allow","updated_input":"rm"}',
            b'{"allowed":true,"decision":"allow","inject":"text"}',
            b'{"allowed":true,"decision":"allow","inject":{"content":"x","strategy":"loud"}}',
            b'{"allowed":true,"decision":"allow","reason":7}',
            b"\xff\xfe",
            b"[" * 100_000,
        ):
            before = read_reply(Reply(stdout, b"", 0), "PreToolUse")
            self.assertEqual((before.decision, before.allowed), ("deny", False), stdout[:60])
            self.assertEqual(len(read_reply(Reply(stdout, b"", 0), "PostToolUse").hook_errors), 1, stdout[:60])
        for code in (1, 3, 255):
            reply = Reply(b'{"allowed":true,"decision":"allow"}', b"", code)
            self.assertEqual(read_reply(reply, "PreToolUse").decision, "deny")

    def test_the_stricter_of_two_words_counts(self) -> None:
        for stdout in (b'{"allowed":false,"decision":"allow"}', b'{"allowed":true,"decision":"deny"}'):
            result = read_reply(Reply(stdout, b"", 0), "PostToolUse")
            self.assertEqual((result.allowed, result.decision), (False, "deny"))

    def test_exit_code_2_is_a_deny_with_its_text(self) -> None:
        self.assertEqual(read_reply(Reply(b"", b"why\n", 2), "PostToolUse").reason, "why")
        self.assertEqual(read_reply(Reply(b"", b"", 2), "PreToolUse").reason, "Stopped by Holdpoint.")


class Texts(unittest.TestCase):
    def test_events_and_results_survive_json(self) -> None:
        event = HookEvent.from_dict({**CALL, "timestamp": "2026-01-15T12:00:00Z", "tool_input": '{"a": 1}', "other": 1})
        self.assertEqual(event.tool_input, {"a": 1})
        self.assertEqual(HookEvent.from_json(event.to_json()), event)
        self.assertEqual(HookEvent.from_dict({**CALL, "tool_input": "ls -l"}).tool_input, {"raw": "ls -l"})
        self.assertEqual(HookEvent.from_dict({**CALL, "timestamp": 0}).timestamp.year, 1970)
        result = HookResult.deny("no")
        self.assertEqual(HookResult.from_json(result.to_json()), result)

    def test_results_are_made_from_what_hooks_return(self) -> None:
        class Theirs:
            allowed = False
            reason = "theirs"

        for returned, decision in (
            (None, "allow"),
            (True, "allow"),
            ({}, "allow"),
            (False, "deny"),
            ({"allowed": False}, "deny"),
            ({"decision": "ask", "reason": "?"}, "ask"),
            ({"modified_args": '{"a": 1}'}, "allow"),
            (HookResult.deny("no"), "deny"),
            (Theirs(), "deny"),
        ):
            self.assertEqual(HookResult.read(returned).decision, decision, returned)
        self.assertEqual(HookResult.read({"modified_args": '{"a": 1}'}).updated_input, {"a": 1})
        for wrong in (7, "deny", [], {"decison": "deny"}, {"decision": "block"}, {"updated_input": [1]}, {"modified_args": "{"}):
            with self.assertRaises(ValueError, msg=repr(wrong)):
                HookResult.read(wrong)


if __name__ == "__main__":
    unittest.main()
