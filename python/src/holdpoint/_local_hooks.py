"""Hooks of this program: functions, and objects with the `execute` method of MassGen."""

from __future__ import annotations

import asyncio
import contextvars
import fnmatch
import inspect
import json
import threading
from dataclasses import dataclass
from typing import Any, Awaitable, Callable, Dict, List, Optional, Tuple

from .events import HookEvent
from .results import HookResult

TIMEOUT = 30.0


@dataclass(frozen=True)
class LocalHook:
    """One hook as it was registered."""

    name: str
    hook: Any
    matcher: str
    #: In seconds.
    timeout: float
    #: True: a timeout or an error denies. A hook that cannot be imported always denies.
    fail_closed: bool
    #: Exactly this tool, whatever the matcher says.
    only: Optional[str] = None

    def matches(self, tool_name: str) -> bool:
        if self.only is not None and self.only != tool_name:
            return False
        return any(fnmatch.fnmatchcase(tool_name, part.strip() or "*") for part in self.matcher.split("|"))


def make_hook(
    hook: Any,
    *,
    name: Optional[str] = None,
    matcher: Optional[str] = None,
    timeout: Optional[float] = None,
    fail_closed: Optional[bool] = None,
    only: Optional[str] = None,
) -> LocalHook:
    """Options that are not given are those of the hook itself. Raises TypeError for what can never run."""
    if inspect.isclass(hook):
        raise TypeError(f"{hook.__name__} is a class; register an object of it")
    if not callable(getattr(hook, "execute", hook)):
        raise TypeError(f"a hook must be a function or have a method `execute`; this is a {type(hook).__name__}")
    own_name = getattr(hook, "name", None) or getattr(hook, "__name__", None) or type(hook).__name__
    seconds = _first(timeout, getattr(hook, "timeout", None), TIMEOUT)
    if not isinstance(seconds, (int, float)) or isinstance(seconds, bool) or not seconds > 0:
        raise TypeError(f"the timeout is {seconds!r:.60}; it must be a number of seconds")
    pattern = _first(matcher, getattr(hook, "matcher", None), "*")
    if not isinstance(pattern, str):
        raise TypeError(f"the matcher is {pattern!r:.60}; it must be a text")
    closed = _first(fail_closed, getattr(hook, "fail_closed", None), False)
    if not isinstance(closed, bool):
        raise TypeError(f"`fail_closed` is {closed!r:.60}; it must be True or False")
    return LocalHook(name or str(own_name), hook, pattern, float(seconds), closed, only)


def _first(*values: Any) -> Any:
    return next(value for value in values if value is not None)


def run(hook: LocalHook, event: HookEvent, context: Dict[str, Any]) -> HookResult:
    """In a thread: only so can the caller stop waiting for a function that never returns."""
    started = _prepared(hook.hook, event, context)
    outcome: List[Tuple[bool, Any]] = []
    in_context = contextvars.copy_context().run

    def work() -> None:
        outcome.append(_attempt(lambda: in_context(_settled, started)))

    thread = threading.Thread(target=work, name=f"holdpoint {hook.name}", daemon=True)
    thread.start()
    thread.join(hook.timeout)
    if not outcome:
        raise TimeoutError(f"no answer within {hook.timeout:g} s")
    return HookResult.read(_value(outcome[0]))


async def run_async(hook: LocalHook, event: HookEvent, context: Dict[str, Any]) -> HookResult:
    """On the event loop if the hook is asynchronous, otherwise in a thread."""
    started = _prepared(hook.hook, event, context)
    task = asyncio.ensure_future(_awaited(started()) if _is_async(hook.hook) else _in_thread(hook, started))
    try:
        await asyncio.wait({task}, timeout=hook.timeout)
        if not task.done():
            raise TimeoutError(f"no answer within {hook.timeout:g} s")
        if task.cancelled():
            raise RuntimeError("the hook was cancelled")
        return HookResult.read(task.result())
    finally:
        task.cancel()


_Started = Callable[[], Any]


def _prepared(hook: Any, event: HookEvent, context: Dict[str, Any]) -> _Started:
    """Each hook has its own copy of the event, so that its changes do not reach the next one."""
    own = HookEvent.from_dict(event.to_dict())
    if not hasattr(hook, "execute"):
        return lambda: hook(own)
    more = {**context, **own.to_dict()}
    return lambda: hook.execute(own.tool_name, json.dumps(own.tool_input), more)


def _is_async(hook: Any) -> bool:
    called = getattr(hook, "execute", hook)
    return inspect.iscoroutinefunction(called) or inspect.iscoroutinefunction(getattr(called, "__call__", None))


def _settled(started: _Started) -> Any:
    value = started()
    return asyncio.run(_awaited(value)) if inspect.isawaitable(value) else value


async def _awaited(value: Awaitable[Any]) -> Any:
    return await value


async def _in_thread(hook: LocalHook, started: _Started) -> Any:
    loop = asyncio.get_running_loop()
    answered: "asyncio.Future[Tuple[bool, Any]]" = loop.create_future()
    in_context = contextvars.copy_context().run

    def deliver(outcome: Tuple[bool, Any]) -> None:
        if not answered.done():
            answered.set_result(outcome)

    def work() -> None:
        outcome = _attempt(lambda: in_context(started))
        try:
            loop.call_soon_threadsafe(deliver, outcome)
        except RuntimeError:
            # The loop was closed; nobody waits.
            pass

    threading.Thread(target=work, name=f"holdpoint {hook.name}", daemon=True).start()
    value = _value(await answered)
    return await value if inspect.isawaitable(value) else value


def _attempt(function: Callable[[], Any]) -> Tuple[bool, Any]:
    try:
        return True, function()
    except BaseException as error:  # Also SystemExit: it would end a thread silently.
        return False, error


def _value(outcome: Tuple[bool, Any]) -> Any:
    is_result, value = outcome
    if is_result:
        return value
    raise value if isinstance(value, Exception) else RuntimeError(f"{type(value).__name__}: {value}")
