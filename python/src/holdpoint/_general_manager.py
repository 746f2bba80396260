"""The manager of MassGen: hooks of this program, and the installed Holdpoint after them."""

from __future__ import annotations

import json
import warnings
from dataclasses import replace
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from ._call import DEADLINE
from ._config import Override, read_config
from ._decide import EngineStep, Step, decide
from ._hook_classes import MidStreamInjectionHook
from ._local_hooks import LocalHook, make_hook, run, run_async
from .events import HookEvent, HookType, event_name, read_arguments
from .manager import AnyEvent, HookManager, failed
from .results import HookResult


class GeneralHookManager:
    """Hooks for all agents and for one, and the installed Holdpoint after them."""

    def __init__(
        self,
        *,
        home: Optional[str] = None,
        config: Optional[str] = None,
        cwd: Optional[str] = None,
        env: Optional[Mapping[str, str]] = None,
        deadline: float = DEADLINE,
    ) -> None:
        self._engine = HookManager(home=home, config=config, cwd=cwd, env=env, deadline=deadline)
        self._hooks: List[Tuple[str, Optional[str], LocalHook]] = []
        self._overrides: List[Override] = []
        self._injection: Optional[LocalHook] = None

    def register_global_hook(self, hook_type: Any, hook: Any, **options: Any) -> None:
        """For every agent. Options: ``name``, ``matcher``, ``timeout`` in seconds, ``fail_closed``."""
        self._hooks.append((_event(hook_type), None, make_hook(hook, **options)))

    def register_agent_hook(
        self, agent_id: str, hook_type: Any, hook: Any, override: bool = False, **options: Any
    ) -> None:
        """For one agent, after the hooks for all agents, or with ``override`` instead of them. A list may be empty."""
        event = _event(hook_type)
        if not isinstance(agent_id, str) or agent_id == "":
            raise TypeError("the name of the agent must be a text")
        hooks = [make_hook(each, **options) for each in (hook if isinstance(hook, (list, tuple)) else [hook])]
        self._hooks += [(event, agent_id, each) for each in hooks]
        if override:
            self._overrides.append(Override(event, agent_id))

    def register_hooks_from_config(self, hooks_config: Mapping[str, Any], agent_id: Optional[str] = None) -> None:
        """The ``hooks`` of a MassGen configuration, or the whole of it. ValueError: nothing was registered."""
        read = read_config(hooks_config, agent_id)
        self._hooks += [(each.event, each.agent, each.hook) for each in read.hooks]
        self._overrides += read.overrides

    def get_hooks_for_agent(self, agent_id: Optional[str], hook_type: Any) -> List[Any]:
        return [hook.hook for hook in self._hooks_for(agent_id, _event(hook_type))]

    def clear_hooks(self) -> None:
        self._hooks, self._overrides, self._injection = [], [], None

    def clear_agent_hooks(self, agent_id: str) -> None:
        self._hooks = [each for each in self._hooks if each[1] != agent_id]
        self._overrides = [each for each in self._overrides if each.agent != agent_id]

    def set_mid_stream_injection_callback(self, callback: Optional[Callable[..., Any]]) -> None:
        """The old way to add text to a running turn."""
        warnings.warn(
            "set_mid_stream_injection_callback is deprecated; register a MidStreamInjectionHook at PostToolUse instead",
            DeprecationWarning,
            stacklevel=2,
        )
        self._hooks = [each for each in self._hooks if each[2] is not self._injection]
        self._injection = None if callback is None else make_hook(MidStreamInjectionHook(callback))
        if self._injection is not None:
            self._hooks.append(("PostToolUse", None, self._injection))

    async def execute_hooks(
        self,
        hook_type: Any,
        function_name: str,
        arguments: Union[str, Mapping[str, Any]],
        context: Optional[Mapping[str, Any]] = None,
        tool_output: Optional[str] = None,
    ) -> HookResult:
        """The combined result of all hooks. It can be cancelled, and raises nothing else."""
        fields = {**(context or {}), "hook_type": hook_type, "tool_name": function_name, "tool_input": arguments}
        if tool_output is not None:
            fields["tool_output"] = tool_output
        return await self.execute_async(fields)

    def execute(self, event: AnyEvent) -> HookResult:
        """The same for an event, without an event loop. Never raises."""
        name = ""
        try:
            read, context = _read(event)
            name = event_name(read.hook_type)
            steps = decide(self._hooks_for(read.agent_id, name), read)
            answer: Union[HookResult, Exception, None] = None
            while True:
                try:
                    step = steps.send(answer)  # type: ignore[arg-type]
                except StopIteration as end:
                    return _finished(end.value)
                answer = self._run(step, context)
        except Exception as error:
            return failed(name, f"the hooks could not be run ({error})")

    async def execute_async(self, event: AnyEvent) -> HookResult:
        name = ""
        try:
            read, context = _read(event)
            name = event_name(read.hook_type)
            steps = decide(self._hooks_for(read.agent_id, name), read)
            answer: Union[HookResult, Exception, None] = None
            while True:
                try:
                    step = steps.send(answer)  # type: ignore[arg-type]
                except StopIteration as end:
                    return _finished(end.value)
                answer = await self._run_async(step, context)
        except Exception as error:
            return failed(name, f"the hooks could not be run ({error})")

    def _run(self, step: Step, context: Dict[str, Any]) -> Union[HookResult, Exception]:
        if isinstance(step, EngineStep):
            return self._engine.execute(_whole(step.event, context))
        try:
            return run(step.hook, step.event, context)
        except Exception as error:
            return error

    async def _run_async(self, step: Step, context: Dict[str, Any]) -> Union[HookResult, Exception]:
        if isinstance(step, EngineStep):
            return await self._engine.execute_async(_whole(step.event, context))
        try:
            return await run_async(step.hook, step.event, context)
        except Exception as error:
            return error

    def _hooks_for(self, agent_id: Optional[str], event: str) -> Sequence[LocalHook]:
        """Those for all agents first, each in the order of registration."""
        is_alone = Override(event, agent_id) in self._overrides if agent_id is not None else False
        everyone = [] if is_alone else [hook for on, agent, hook in self._hooks if on == event and agent is None]
        own = [hook for on, agent, hook in self._hooks if on == event and agent is not None and agent == agent_id]
        return everyone + own


def _event(hook_type: Any) -> str:
    event = event_name(hook_type)
    if event not in ("PreToolUse", "PostToolUse"):
        raise ValueError(f"{event!r:.60} is not a hook type; hook types: {', '.join(each.value for each in HookType)}")
    return event


def _read(event: AnyEvent) -> Tuple[HookEvent, Dict[str, Any]]:
    """The event, and what else the caller said about it."""
    fields: Dict[str, Any] = dict(event if isinstance(event, Mapping) else event.to_dict())
    if "tool_input" in fields:
        fields["tool_input"] = read_arguments(fields["tool_input"])
    read = HookEvent.from_dict(fields)
    return read, {name: value for name, value in fields.items() if name not in read.__dict__}


def _whole(event: HookEvent, context: Dict[str, Any]) -> Mapping[str, Any]:
    known = {name: value for name, value in context.items() if name in ("cwd", "tool_use_id", "agent_type")}
    return {**known, **event.to_dict()}


def _finished(result: HookResult) -> HookResult:
    if result.updated_input is None:
        return result
    return replace(result, modified_args=json.dumps(result.updated_input))
