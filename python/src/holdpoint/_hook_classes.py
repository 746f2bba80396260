"""Hooks as objects, and two that MassGen has built in."""

from __future__ import annotations

import inspect
import json
from typing import Any, Callable, Dict, Optional, Union

from ._handlers import python_handler
from ._local_hooks import TIMEOUT, make_hook
from .events import HookEvent
from .results import HookResult


class FunctionHook:
    """The base class of hooks that are objects. ``execute`` may be ``async``."""

    #: None: the default of the manager it is registered with.
    fail_closed: Optional[bool] = None

    def __init__(self, name: str = "") -> None:
        self.name = name or type(self).__name__

    def execute(self, function_name: str, arguments: str, context: Optional[Dict[str, Any]] = None, **_: Any) -> Any:
        raise NotImplementedError


class PatternHook(FunctionHook):
    """A hook for the tools that ``matcher`` names: names and globs, joined by ``|``."""

    def __init__(self, name: str = "", matcher: str = "*", timeout: float = TIMEOUT) -> None:
        super().__init__(name)
        self.matcher = matcher
        self.timeout = timeout

    def matches(self, tool_name: str) -> bool:
        return make_hook(self).matches(tool_name)


class PythonCallableHook(PatternHook):
    """A function of the event, or ``package.module.function``, which is imported at the first call."""

    def __init__(
        self,
        name: str,
        handler: Union[str, Callable[[HookEvent], Any]],
        matcher: str = "*",
        timeout: float = TIMEOUT,
        fail_closed: bool = False,
    ) -> None:
        super().__init__(name, matcher, timeout)
        self.fail_closed = fail_closed
        self._handler = python_handler(handler) if isinstance(handler, str) else handler

    def __call__(self, event: HookEvent) -> Any:
        return self._handler(event)

    def execute(self, function_name: str, arguments: str, context: Optional[Dict[str, Any]] = None, **_: Any) -> Any:
        return self._handler(HookEvent.from_dict({**(context or {}), "tool_name": function_name, "tool_input": arguments}))


class MidStreamInjectionHook(PatternHook):
    """Injects the text that the callback returns after a call. The callback may be ``async`` and may take the agent."""

    def __init__(
        self, injection_callback: Optional[Callable[..., Any]] = None, name: str = "mid_stream_injection", timeout: float = 5.0
    ) -> None:
        super().__init__(name, "*", timeout)
        self._callback = injection_callback

    def set_callback(self, callback: Optional[Callable[..., Any]]) -> None:
        self._callback = callback

    async def execute(
        self, function_name: str, arguments: str, context: Optional[Dict[str, Any]] = None, **_: Any
    ) -> HookResult:
        if self._callback is None:
            return HookResult()
        takes_agent = len(inspect.signature(self._callback).parameters) > 0
        said = self._callback((context or {}).get("agent_id")) if takes_agent else self._callback()
        text = await said if inspect.isawaitable(said) else said
        return HookResult(inject={"content": text, "strategy": "tool_result"} if text else None)


class HighPriorityTaskReminderHook(PatternHook):
    """Injects a reminder after ``*update_task_status`` completed a task of high priority."""

    def __init__(self, name: str = "high_priority_task_reminder", timeout: float = 5.0) -> None:
        super().__init__(name, "*update_task_status", timeout)

    def execute(
        self, function_name: str, arguments: str, context: Optional[Dict[str, Any]] = None, **_: Any
    ) -> HookResult:
        try:
            task = json.loads((context or {}).get("tool_output") or "null")["task"]
        except (ValueError, TypeError, KeyError):
            return HookResult()
        if not isinstance(task, dict) or task.get("priority") != "high" or task.get("status") != "completed":
            return HookResult()
        return HookResult(inject={"content": _REMINDER, "strategy": "user_message"})


_REMINDER = (
    "A high-priority task is completed. Before you continue: check the result against what was asked, and write down "
    "what others need to know about it."
)
