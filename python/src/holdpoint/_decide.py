"""One event through the hooks of this program, and then through the engine.

Written as a generator that says what to run next, so that the same rules hold with and without an event loop.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from typing import Any, Dict, Generator, List, Sequence, Union

from ._handlers import CannotImport
from ._local_hooks import LocalHook
from .events import HookEvent
from .results import HookResult, injection_of, texts_of

#: What to run: a hook of this program; None means the engine.
Step = Union["HookStep", "EngineStep"]
Steps = Generator[Step, Union[HookResult, Exception], HookResult]


@dataclass(frozen=True)
class HookStep:
    hook: LocalHook
    event: HookEvent


@dataclass(frozen=True)
class EngineStep:
    event: HookEvent


@dataclass
class _Outcome:
    event: HookEvent
    denied: List[str] = field(default_factory=list)
    asked: List[str] = field(default_factory=list)
    texts: List[Dict[str, str]] = field(default_factory=list)
    errors: List[str] = field(default_factory=list)
    executions: List[Dict[str, Any]] = field(default_factory=list)

    def add(self, result: HookResult) -> None:
        self.texts += texts_of(result.inject)
        self.errors += result.hook_errors
        if result.decision == "deny":
            self.denied.append(result.reason or "A hook denied this call.")
        elif result.decision == "ask":
            self.asked.append(result.reason or "A hook wants this call to be confirmed.")


def decide(hooks: Sequence[LocalHook], event: HookEvent) -> Steps:
    """The first deny ends it. The engine decides about the input as the hooks of this program changed it."""
    outcome = _Outcome(event)
    yield from _run_hooks(hooks, outcome)
    if not outcome.denied:
        answer = yield EngineStep(outcome.event)
        result = answer if isinstance(answer, HookResult) else HookResult.deny(str(answer))
        outcome.add(result)
        if result.allowed and result.updated_input not in (None, outcome.event.tool_input):
            yield from _check_again(hooks, outcome, result.updated_input or {})
    return _combined(outcome, event)


def _check_again(hooks: Sequence[LocalHook], outcome: _Outcome, changed: Dict[str, Any]) -> Steps:
    """No hook of this program has seen what the engine wrote."""
    outcome.event = replace(outcome.event, tool_input=changed)
    again = _Outcome(outcome.event)
    yield from _run_hooks(hooks, again)
    outcome.denied += again.denied
    outcome.asked += [reason for reason in again.asked if reason not in outcome.asked]
    outcome.errors += again.errors
    outcome.executions += again.executions
    if again.event.tool_input != changed:
        outcome.denied.append("The hooks of this program and of Holdpoint do not agree on the input of this call.")
    return HookResult()


def _run_hooks(hooks: Sequence[LocalHook], outcome: _Outcome) -> Steps:
    for hook in hooks:
        if outcome.denied or not hook.matches(outcome.event.tool_name):
            continue
        since = time.monotonic()
        answer = yield HookStep(hook, outcome.event)
        result = answer if isinstance(answer, HookResult) else _failed(hook, answer)
        outcome.add(result)
        if result.updated_input is not None and result.allowed:
            outcome.event = replace(outcome.event, tool_input=result.updated_input)
        outcome.executions.append(_execution(hook, result, since, answer))
    return HookResult()


def _failed(hook: LocalHook, error: Exception) -> HookResult:
    kind = (
        "import" if isinstance(error, CannotImport) else "timeout" if isinstance(error, TimeoutError) else "crash"
    )
    text = f"{hook.name}: {kind}: {error or type(error).__name__}"
    if kind == "import" or hook.fail_closed:
        return HookResult.deny(f"The hook {text}", hook_errors=[text])
    return HookResult(hook_errors=[text])


def _execution(hook: LocalHook, result: HookResult, since: float, answer: object) -> Dict[str, Any]:
    said = (result.inject or {}).get("content") or result.reason
    return {
        "hook": hook.name,
        "decision": result.decision,
        "duration_ms": round((time.monotonic() - since) * 1000, 3),
        "preview": said[:200] if said else None,
        "error": result.hook_errors[0] if not isinstance(answer, HookResult) else None,
    }


def _combined(outcome: _Outcome, event: HookEvent) -> HookResult:
    more: Dict[str, Any] = {"hook_errors": outcome.errors, "executions": outcome.executions, "inject": injection_of(outcome.texts)}
    if outcome.denied:
        return HookResult.deny("\n".join(outcome.denied), **more)
    changed = outcome.event.tool_input
    if changed != event.tool_input:
        more["updated_input"] = changed
    if outcome.asked:
        return HookResult.ask("\n".join(outcome.asked), **more)
    return HookResult(**more)
