"""The `hooks` of a MassGen configuration, as the program has loaded them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, List, Mapping, Optional

from ._handlers import command_handler, python_handler
from ._local_hooks import TIMEOUT, LocalHook, make_hook
from .events import HookType, event_name

_EVENTS = ("PreToolUse", "PostToolUse")


@dataclass(frozen=True)
class ConfiguredHook:
    event: str
    #: None: for all agents.
    agent: Optional[str]
    hook: LocalHook


@dataclass(frozen=True)
class Override:
    event: str
    agent: str


@dataclass(frozen=True)
class Configured:
    hooks: List[ConfiguredHook]
    overrides: List[Override]


def read_config(config: Mapping[str, Any], agent: Optional[str]) -> Configured:
    """All of it, or ValueError: a guard that is left out silently would be no guard."""
    found = Configured([], [])
    if not isinstance(config, Mapping):
        raise ValueError(f"the configuration is a {type(config).__name__}; it must be a mapping")
    if agent is None and ("hooks" in config or "agents" in config):
        _read_events(config.get("hooks") or {}, None, found, "hooks")
        for index, each in enumerate(config.get("agents") or []):
            if not isinstance(each, Mapping):
                raise ValueError(f"agents[{index}] is not a mapping")
            own = (each.get("backend") or {}).get("hooks")
            if own:
                name = each.get("id")
                if not isinstance(name, str) or name == "":
                    raise ValueError(f"agents[{index}].id is missing, and it has hooks")
                _read_events(own, name, found, f"agents[{index}].backend.hooks")
    else:
        _read_events(config, agent, found, "hooks")
    return found


def _read_events(events: Any, agent: Optional[str], found: Configured, where: str) -> None:
    if not isinstance(events, Mapping):
        raise ValueError(f"{where} is a {type(events).__name__}; it must map events to hooks")
    for name, entries in events.items():
        event = event_name(name)
        if event not in _EVENTS:
            raise ValueError(f"{where}.{name} is not an event; events: {', '.join(t.value for t in HookType)}")
        if isinstance(entries, Mapping):
            if entries.get("override") is True:
                if agent is None:
                    raise ValueError(f"{where}.{name}.override is only for the hooks of one agent")
                found.overrides.append(Override(event, agent))
            entries = entries.get("hooks") or []
        if not isinstance(entries, list):
            raise ValueError(f"{where}.{name} is a {type(entries).__name__}; it must be a list of hooks")
        for index, entry in enumerate(entries):
            hook = _read_entry(entry, f"{where}.{name}[{index}]")
            found.hooks.append(ConfiguredHook(event, agent, hook))


def _read_entry(entry: Any, where: str) -> LocalHook:
    if not isinstance(entry, Mapping):
        raise ValueError(f"{where} is a {type(entry).__name__}; it must be a mapping with a `handler`")
    handler = entry.get("handler")
    kind = entry.get("type", "python")
    timeout = entry.get("timeout", TIMEOUT)
    env = entry.get("env", [])
    if not isinstance(handler, str) or handler == "":
        raise ValueError(f"{where}.handler is missing")
    if kind not in ("python", "command"):
        raise ValueError(f"{where}.type is {kind!r:.60}; accepted: python, command")
    if not isinstance(env, list) or not all(isinstance(name, str) for name in env):
        raise ValueError(f"{where}.env must be a list of names")
    function = python_handler(handler) if kind == "python" else command_handler(handler, float(timeout), env)
    try:
        return make_hook(
            function,
            name=handler,
            matcher=entry.get("matcher") or "*",
            # The program itself is ended at its timeout; this one is for what ends it.
            timeout=timeout if kind == "python" else float(timeout) + 5,
            fail_closed=entry.get("fail_closed", False),
        )
    except TypeError as error:
        raise ValueError(f"{where}: {error}") from error
