"""The managers of MassGen: hooks of the program first, then the engine."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
import warnings
from typing import Any, Dict, List, Optional

from holdpoint.massgen import (
    FunctionHook,
    FunctionHookManager,
    GeneralHookManager,
    HighPriorityTaskReminderHook,
    HookEvent,
    HookResult,
    HookType,
    MidStreamInjectionHook,
    PatternHook,
    PythonCallableHook,
)

from .support import ALLOW, FakeDaemon, HomeTest, answering, frame

PRE, POST = HookType.PRE_TOOL_USE, HookType.POST_TOOL_USE


class MassGenTest(HomeTest):
    def setUp(self) -> None:
        super().setUp()
        self.engine = self.daemon(answering(frame(ALLOW)))
        self.hooks = GeneralHookManager(home=self.home)

    def answer(self, result: Dict[str, Any]) -> None:
        self.engine.stop()
        body = json.dumps({"allowed": True, "decision": "allow", **result}).encode()
        self.engine = self.daemon(answering(frame(body)))

    def call(
        self, tool: str = "Write", tool_input: Any = None, agent: Optional[str] = None, at: HookType = PRE, **more: Any
    ) -> HookResult:
        arguments = json.dumps({"path": "a"}) if tool_input is None else tool_input
        context = {"session_id": "s", "orchestrator_id": "o", "agent_id": agent, **more}
        output = "done" if at is POST else None
        return asyncio.run(self.hooks.execute_hooks(at, tool, arguments, context, output))

    def judged(self, daemon: Optional[FakeDaemon] = None) -> List[Any]:
        return [json.loads(request.payload)["tool_input"] for request in (daemon or self.engine).requests]


class General(MassGenTest):
    def test_the_engine_decides_about_every_call(self) -> None:
        self.assertTrue(self.call().may_run)
        self.answer({"allowed": False, "decision": "deny", "reason": "by the engine"})
        self.assertEqual((self.call().decision, self.call().reason), ("deny", "by the engine"))

    def test_without_the_engine_nothing_runs(self) -> None:
        self.hooks = GeneralHookManager(home="/nowhere")
        self.hooks.register_global_hook(PRE, lambda event: True)
        self.assertEqual(self.call().decision, "deny")

    def test_hooks_run_in_order_and_the_engine_gets_their_last_input(self) -> None:
        order: List[str] = []

        async def second(event: HookEvent) -> Any:
            order.append(f"second {event.tool_input}")
            return {"updated_input": {"path": "c"}}

        def first(event: HookEvent) -> HookResult:
            order.append(f"first {event.tool_input}")
            return HookResult(updated_input={"path": "b"})

        self.hooks.register_global_hook(PRE, first)
        self.hooks.register_agent_hook("one", PRE, second)
        result = self.call(agent="one")
        self.assertEqual(order, ["first {'path': 'a'}", "second {'path': 'b'}"])
        self.assertEqual((result.updated_input, result.modified_args), ({"path": "c"}, '{"path": "c"}'))
        self.assertEqual(self.judged(), [{"path": "c"}])
        self.assertEqual([each["hook"] for each in result.executions], ["first", "second"])

    def test_the_first_deny_ends_it(self) -> None:
        self.hooks.register_global_hook(PRE, lambda event: HookResult.deny("no"), name="first")
        self.hooks.register_global_hook(PRE, lambda event: HookResult.deny("never"), name="second")
        result = self.call()
        self.assertEqual((result.reason, self.judged()), ("no", []))

    def test_all_questions_and_texts_are_kept(self) -> None:
        self.answer({"decision": "ask", "reason": "engine?", "inject": {"content": "c", "strategy": "tool_result"}})
        self.hooks.register_global_hook(PRE, lambda event: HookResult.ask("one?", inject={"content": "a"}))
        self.hooks.register_global_hook(
            PRE, lambda event: HookResult.ask("two?", inject={"content": "b", "strategy": "user_message"})
        )
        result = self.call()
        self.assertEqual((result.decision, result.allowed, result.reason), ("ask", True, "one?\ntwo?\nengine?"))
        self.assertEqual(result.inject, {
            "content": "a\nb\nc",
            "strategy": "tool_result",
            "by_strategy": {"tool_result": ["a", "c"], "user_message": ["b"]},
        })

    def test_hooks_of_the_program_check_what_the_engine_changed(self) -> None:
        self.answer({"updated_input": {"path": "/etc/passwd"}})
        guard = lambda event: HookResult.deny("not there") if event.tool_input["path"].startswith("/etc") else None
        self.hooks.register_global_hook(PRE, guard)
        self.assertEqual((self.call().decision, self.call().reason), ("deny", "not there"))

    def test_hooks_that_change_it_again_are_denied(self) -> None:
        self.answer({"updated_input": {"path": "b"}})
        self.hooks.register_global_hook(PRE, lambda event: {"updated_input": {"path": event.tool_input["path"] + "!"}})
        self.assertIn("do not agree", self.call().reason or "")

    def test_a_change_by_the_engine_arrives(self) -> None:
        self.answer({"updated_input": {"path": "b"}})
        self.hooks.register_global_hook(PRE, lambda event: None)
        self.assertEqual(self.call().updated_input, {"path": "b"})

    def test_matchers_are_names_and_globs_and_case_counts(self) -> None:
        seen: List[str] = []
        self.hooks.register_global_hook(PRE, lambda event: seen.append(event.tool_name), matcher="Write | mcp__*__?un|[ab]")
        for tool in ("Write", "write", "Writer", "mcp__x__run", "mcp__x__burn", "a", "c"):
            self.call(tool)
        self.assertEqual(seen, ["Write", "mcp__x__run", "a"])

    def test_overrides(self) -> None:
        seen: List[str] = []
        self.hooks.register_global_hook(PRE, lambda event: seen.append("all"))
        self.hooks.register_agent_hook("one", PRE, lambda event: seen.append("one"), override=True)
        self.hooks.register_agent_hook("two", PRE, [], override=True)
        for agent in ("one", "two", "three", None):
            self.call(agent=agent)
        self.assertEqual(seen, ["one", "all", "all"])
        self.assertEqual(len(self.hooks.get_hooks_for_agent("one", PRE)), 1)
        self.hooks.clear_agent_hooks("two")
        self.call(agent="two")
        self.assertEqual(seen[-1], "all")
        self.hooks.clear_hooks()
        self.assertEqual(self.hooks.get_hooks_for_agent("one", PRE), [])

    def test_a_hook_cannot_change_what_the_next_one_sees(self) -> None:
        def careless(event: HookEvent) -> None:
            event.tool_input["path"] = "changed"

        self.hooks.register_global_hook(PRE, careless)
        self.assertIsNone(self.call().updated_input)
        self.assertEqual(self.judged(), [{"path": "a"}])

    def test_failures(self) -> None:
        def crash(event: HookEvent) -> None:
            raise RuntimeError("out of paper")

        async def crash_later(event: HookEvent) -> None:
            raise RuntimeError("out of ink")

        def leave(event: HookEvent) -> None:
            sys.exit(3)

        def nonsense(event: HookEvent) -> Any:
            return 42

        async def hang(event: HookEvent) -> None:
            await asyncio.sleep(60)

        def block(event: HookEvent) -> None:
            time.sleep(2)

        async def gives_up(event: HookEvent) -> None:
            raise asyncio.CancelledError

        for hook, says in (
            (crash, "crash: out of paper"),
            (crash_later, "crash: out of ink"),
            (leave, "SystemExit"),
            (nonsense, "returned a int"),
            (hang, "timeout: no answer within 0.2 s"),
            (block, "timeout: no answer within 0.2 s"),
            (gives_up, "ancelled"),
        ):
            for closed in (False, True):
                self.hooks = GeneralHookManager(home=self.home)
                self.hooks.register_global_hook(PRE, hook, timeout=0.2, fail_closed=closed)
                for result in (self.call(), self.hooks.execute(event())):
                    with self.subTest(hook.__name__, closed=closed):
                        self.assertEqual(result.decision, "deny" if closed else "allow", result)
                        self.assertIn(says, result.hook_errors[0])
                        self.assertIsNotNone(result.executions[0]["error"])

    def test_what_can_never_run_is_refused_at_once(self) -> None:
        for hook in (None, 7, "text", PatternHook, object()):
            with self.assertRaises(TypeError):
                self.hooks.register_global_hook(PRE, hook)
        for options in ({"timeout": 0}, {"timeout": "soon"}, {"matcher": 7}, {"fail_closed": 1}, {"match": "x"}):
            with self.assertRaises(TypeError):
                self.hooks.register_global_hook(PRE, lambda event: None, **options)
        for hook_type in ("PreTool", None, 7, "Stop"):
            with self.assertRaises(ValueError):
                self.hooks.register_global_hook(hook_type, lambda event: None)
        with self.assertRaises(TypeError):
            self.hooks.register_agent_hook("", PRE, lambda event: None)

    def test_broken_arguments(self) -> None:
        self.assertTrue(self.call(tool_input="not JSON").may_run)
        self.assertEqual(self.judged(), [{"raw": "not JSON"}])
        for wrong in (None, 7, [1]):
            result = asyncio.run(self.hooks.execute_hooks(PRE, "Write", wrong, {}))  # type: ignore[arg-type]
            self.assertEqual(result.decision, "deny")

    def test_hooks_may_use_the_loop_and_the_context_of_the_caller(self) -> None:
        async def scenario() -> HookResult:
            loop = asyncio.get_running_loop()

            async def same_loop(event: HookEvent) -> Any:
                return asyncio.get_running_loop() is loop

            self.hooks.register_global_hook(PRE, same_loop)
            return await self.hooks.execute_hooks(PRE, "Write", "{}", {"objects": object()})

        self.assertTrue(asyncio.run(scenario()).may_run)

    def test_a_cancelled_question_ends_with_its_hook(self) -> None:
        ended: List[bool] = []

        async def hang(event: HookEvent) -> None:
            try:
                await asyncio.sleep(60)
            finally:
                ended.append(True)

        async def scenario() -> None:
            self.hooks.register_global_hook(PRE, hang)
            task = asyncio.ensure_future(self.hooks.execute_hooks(PRE, "Write", "{}", {}))
            await asyncio.sleep(0.1)
            task.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await task
            await asyncio.sleep(0)

        asyncio.run(scenario())
        self.assertEqual((ended, self.judged()), ([True], []))


class Objects(MassGenTest):
    def test_hooks_of_a_class_get_the_older_call(self) -> None:
        seen: List[Any] = []

        class Permission(FunctionHook):
            async def execute(self, function_name: str, arguments: str, context: Any = None, **_: Any) -> Any:
                seen.append((function_name, json.loads(arguments), context["agent_id"], context["extra"]))
                return HookResult.deny("not you") if context["agent_id"] == "two" else None

        self.hooks.register_global_hook(PRE, Permission("permission"))
        self.assertTrue(self.call(agent="one", extra=1).may_run)
        self.assertEqual(self.call(agent="two", extra=1).reason, "not you")
        self.assertEqual(seen[0], ("Write", {"path": "a"}, "one", 1))

    def test_a_python_callable_hook_imports_late_and_denies_if_it_cannot(self) -> None:
        with open(os.path.join(self.folder, "team_hooks.py"), "w", encoding="utf-8") as file:
            file.write("def audit(event):\n    return {'decision': 'ask', 'reason': event.tool_name}\n")
        sys.path.insert(0, self.folder)
        self.addCleanup(sys.path.remove, self.folder)
        self.hooks.register_global_hook(PRE, PythonCallableHook("audit", "team_hooks.audit", matcher="Write"))
        self.assertEqual(self.call().reason, "Write")
        self.assertTrue(self.call("Read").may_run)
        for missing in ("team_hooks.missing", "no_such_module.audit", "audit"):
            self.hooks = GeneralHookManager(home=self.home)
            self.hooks.register_global_hook(PRE, PythonCallableHook("audit", missing))
            self.assertEqual(self.call().decision, "deny", missing)

    def test_the_built_in_hooks(self) -> None:
        async def later(agent: Optional[str]) -> str:
            return f"News for {agent}."

        self.hooks.register_global_hook(POST, MidStreamInjectionHook(later))
        self.hooks.register_global_hook(POST, MidStreamInjectionHook(lambda: None, name="quiet"))
        self.assertEqual((self.call(agent="one", at=POST).inject or {})["content"], "News for one.")
        self.hooks = GeneralHookManager(home=self.home)
        self.hooks.register_global_hook(POST, HighPriorityTaskReminderHook())
        done = {"task": {"priority": "high", "status": "completed"}}
        for tool, output, is_told in (
            ("mcp__plan__update_task_status", json.dumps(done), True),
            ("update_task_status", json.dumps({"task": {"priority": "low", "status": "completed"}}), False),
            ("update_task_status", "not JSON", False),
            ("update_task_status", "[]", False),
            ("other", json.dumps(done), False),
        ):
            result = asyncio.run(self.hooks.execute_hooks(POST, tool, "{}", {}, output))
            self.assertEqual(result.inject is not None, is_told, output)

    def test_the_old_callback_warns_and_works(self) -> None:
        with self.assertWarns(DeprecationWarning):
            self.hooks.set_mid_stream_injection_callback(lambda agent: "first")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self.hooks.set_mid_stream_injection_callback(lambda agent: "second")
            self.assertEqual((self.call(at=POST).inject or {})["content"], "second")
            self.hooks.set_mid_stream_injection_callback(None)
        self.assertIsNone(self.call(at=POST).inject)


class Configuration(MassGenTest):
    def script(self, text: str) -> str:
        path = os.path.join(self.folder, "hook.sh")
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\n{text}\n")
        os.chmod(path, 0o755)
        return path

    def test_the_whole_file_and_the_hooks_of_one_agent(self) -> None:
        deny = self.script('echo \'{"decision": "deny", "reason": "by script"}\'')
        self.hooks.register_hooks_from_config({
            "hooks": {"PreToolUse": [{"matcher": "Write|Edit", "handler": deny, "type": "command"}]},
            "agents": [{"id": "free", "backend": {"hooks": {"PreToolUse": {"override": True, "hooks": []}}}}],
        })
        self.assertEqual((self.call().reason, self.call("Read").decision), ("by script", "allow"))
        self.assertEqual(self.call(agent="free").decision, "allow")
        self.hooks.register_hooks_from_config({"PreToolUse": [{"handler": deny, "type": "command"}]}, "free")
        self.assertEqual(self.call("Read", agent="free").decision, "deny")

    def test_programs_get_the_event_and_little_of_the_environment(self) -> None:
        os.environ["HOLDPOINT_TEST_SECRET"], os.environ["HOLDPOINT_TEST_NAMED"] = "s", "n"
        self.addCleanup(os.environ.pop, "HOLDPOINT_TEST_SECRET")
        self.addCleanup(os.environ.pop, "HOLDPOINT_TEST_NAMED")
        out = os.path.join(self.folder, "out")
        path = self.script(f"env > {out}; cat >> {out}")
        self.hooks.register_hooks_from_config(
            {"PreToolUse": [{"handler": path, "type": "command", "env": ["HOLDPOINT_TEST_NAMED"]}]}
        )
        self.assertTrue(self.call(agent="one").may_run)
        with open(out, encoding="utf-8") as file:
            told = file.read()
        self.assertIn("MASSGEN_TOOL_NAME=Write\n", told)
        self.assertIn("MASSGEN_AGENT_ID=one\n", told)
        self.assertIn("HOLDPOINT_TEST_NAMED=n\n", told)
        self.assertNotIn("HOLDPOINT_TEST_SECRET", told)
        self.assertIn('"tool_input":{"path":"a"}', told)

    def test_programs_that_fail(self) -> None:
        for text, kind in (("exit 1", "crash"), ("echo nonsense", "crash"), ("sleep 60", "timeout")):
            path = self.script(text)
            for closed in (False, True):
                self.hooks = GeneralHookManager(home=self.home)
                entry = {"handler": path, "type": "command", "timeout": 0.5, "fail_closed": closed}
                self.hooks.register_hooks_from_config({"PreToolUse": [entry]})
                result = self.call()
                self.assertEqual(result.decision, "deny" if closed else "allow", result)
                self.assertIn(f": {kind}: ", result.hook_errors[0])
        self.hooks = GeneralHookManager(home=self.home)
        self.hooks.register_hooks_from_config({"PreToolUse": [{"handler": "/no/such/program", "type": "command"}]})
        self.assertEqual(self.call().decision, "deny")
        path = self.script("echo 'not today' >&2; exit 2")
        self.hooks = GeneralHookManager(home=self.home)
        self.hooks.register_hooks_from_config({"PreToolUse": [{"handler": path, "type": "command"}]})
        self.assertEqual(self.call().reason, "not today")

    def test_an_invalid_configuration_registers_nothing(self) -> None:
        good = {"handler": "a.b"}
        for config, says in (
            ([], "must be a mapping"),
            ({"PreTool": [good]}, "hooks.PreTool is not an event"),
            ({"PreToolUse": [good, {}]}, r"hooks.PreToolUse\[1\].handler is missing"),
            ({"PreToolUse": "a.b"}, "must be a list"),
            ({"PreToolUse": [{**good, "type": "module"}]}, "accepted: python, command"),
            ({"PreToolUse": [{**good, "timeout": -1}]}, "number of seconds"),
            ({"PreToolUse": [{**good, "env": "PATH"}]}, "list of names"),
            ({"PreToolUse": {"override": True, "hooks": []}}, "only for the hooks of one agent"),
            ({"agents": [{"backend": {"hooks": {"PreToolUse": [good]}}}]}, r"agents\[0\].id is missing"),
        ):
            with self.assertRaisesRegex(ValueError, says):
                self.hooks.register_hooks_from_config(config)  # type: ignore[arg-type]
        self.assertEqual(self.hooks.get_hooks_for_agent(None, PRE), [])


class Older(MassGenTest):
    def test_permission_hooks_work_unchanged_and_fail_closed(self) -> None:
        older = FunctionHookManager(home=self.home)

        def keep_main(name: str, arguments: str, context: Any) -> bool:
            return "main" not in arguments

        def broken(name: str, arguments: str, context: Any) -> bool:
            raise RuntimeError("out of paper")

        older.register_hook("delete_file", HookType.PRE_CALL, keep_main)
        older.register_hook("break", HookType.PRE_CALL, broken)
        older.register_global_hook(HookType.POST_CALL, PatternHook("post"))

        def allowed(name: str, arguments: str) -> bool:
            return asyncio.run(older.execute_hooks(HookType.PRE_CALL, name, arguments)).allowed

        self.assertEqual(
            [allowed("delete_file", '{"path": "main"}'), allowed("delete_file", "{}"), allowed("delete_files", "main")],
            [False, True, True],
        )
        self.assertFalse(allowed("break", "{}"))
        found = older.get_hooks_for_function("delete_file")
        self.assertEqual((found[HookType.PRE_CALL], len(found[HookType.POST_CALL])), ([keep_main], 1))
        older.clear_hooks()
        self.assertTrue(allowed("delete_file", '{"path": "main"}'))
        with self.assertRaises(TypeError):
            older.register_global_hook(HookType.PRE_CALL, 7)


def event() -> HookEvent:
    return HookEvent(hook_type="PreToolUse", session_id="s", tool_name="Write", tool_input={"path": "a"})
