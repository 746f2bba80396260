"""The event of a tool call, with the field names of MassGen."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import datetime, timezone
from enum import Enum
from typing import Any, Dict, Mapping, Optional

from ._json import plain

__all__ = ["HookEvent", "HookType"]


class HookType(str, Enum):
    """The events of MassGen. The two older names mean the same events."""

    PRE_TOOL_USE = "PreToolUse"
    POST_TOOL_USE = "PostToolUse"
    PRE_CALL = "pre_call"
    POST_CALL = "post_call"

    @property
    def event(self) -> str:
        """The name that Holdpoint uses for it."""
        return "PreToolUse" if self in (HookType.PRE_TOOL_USE, HookType.PRE_CALL) else "PostToolUse"


def event_name(hook_type: object) -> str:
    """The name that Holdpoint uses; an unknown name stays as it is."""
    try:
        return HookType(_word(hook_type)).event
    except ValueError:
        return str(_word(hook_type))


@dataclass
class HookEvent:
    """What an agent is about to do, or did.

    >>> HookEvent(hook_type="PreToolUse", session_id="s", tool_name="Bash", tool_input={"command": "ls"})
    """

    hook_type: str
    session_id: str = ""
    orchestrator_id: str = ""
    agent_id: Optional[str] = None
    timestamp: datetime = field(default_factory=lambda: datetime.now(timezone.utc))
    tool_name: str = ""
    tool_input: Dict[str, Any] = field(default_factory=dict)
    #: Only after the call.
    tool_output: Optional[str] = None

    def to_dict(self) -> Dict[str, Any]:
        """Plain JSON values, as external hooks get them."""
        fields: Dict[str, Any] = plain(self.__dict__)
        return fields

    def to_json(self) -> str:
        return json.dumps(self.to_dict(), allow_nan=False)

    @classmethod
    def from_dict(cls, fields: Mapping[str, Any]) -> "HookEvent":
        """Missing fields get their default. Arguments may be text, as a model wrote them."""
        known = {name: value for name, value in fields.items() if name in cls.__dataclass_fields__}
        known["hook_type"] = _word(known.get("hook_type", ""))
        time = known.get("timestamp")
        if isinstance(time, str):
            # Before Python 3.11 `fromisoformat` does not know the Z.
            known["timestamp"] = datetime.fromisoformat(time[:-1] + "+00:00" if time.endswith("Z") else time)
        elif isinstance(time, (int, float)):
            known["timestamp"] = datetime.fromtimestamp(time, timezone.utc)
        elif time is None:
            known.pop("timestamp", None)
        if "tool_input" in known:
            known["tool_input"] = read_arguments(known["tool_input"])
        return cls(**known)

    @classmethod
    def from_json(cls, text: str) -> "HookEvent":
        return cls.from_dict(json.loads(text))


def read_arguments(arguments: Any) -> Dict[str, Any]:
    """The arguments of a call. Text that is not a JSON object becomes ``{"raw": text}``."""
    if isinstance(arguments, Mapping):
        return dict(arguments)
    if not isinstance(arguments, str):
        raise TypeError(f"the arguments are a {type(arguments).__name__}; they must be an object or its JSON text")
    try:
        parsed = json.loads(arguments)
    except ValueError:
        return {"raw": arguments}
    return parsed if isinstance(parsed, dict) else {"raw": arguments}


def _word(hook_type: Any) -> Any:
    return hook_type.value if isinstance(hook_type, Enum) else hook_type
