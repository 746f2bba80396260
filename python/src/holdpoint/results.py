"""The answer to an event, with the field names of MassGen."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Dict, List, Mapping, Optional

from ._json import plain

__all__ = ["HookResult"]

_DECISIONS = ("allow", "deny", "ask")
_STRATEGIES = ("tool_result", "user_message")


@dataclass
class HookResult:
    """``allowed`` is False exactly if ``decision`` is "deny"; the stricter of both counts.

    A call with ``decision`` "ask" waits for the user: use ``may_run`` to see whether it may run at once.
    """

    allowed: bool = True
    decision: str = "allow"
    reason: Optional[str] = None
    #: The complete new input of the tool.
    updated_input: Optional[Dict[str, Any]] = None
    #: Text for the agent: ``{"content": ..., "strategy": "tool_result" or "user_message"}``.
    inject: Optional[Dict[str, Any]] = None
    #: Hooks that could not answer, and why.
    hook_errors: List[str] = field(default_factory=list)
    #: The hooks of this program that ran.
    executions: List[Dict[str, Any]] = field(default_factory=list)
    #: An older name for a new input, as JSON text.
    modified_args: Optional[str] = None
    metadata: Dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not isinstance(self.allowed, bool):
            raise ValueError(f"`allowed` is {self.allowed!r:.60}; it must be True or False")
        if self.decision not in _DECISIONS:
            raise ValueError(f"`decision` is {self.decision!r:.60}; accepted: {', '.join(_DECISIONS)}")
        if self.reason is not None and not isinstance(self.reason, str):
            raise ValueError(f"`reason` is {self.reason!r:.60}; it must be a text")
        if not self.allowed or self.decision == "deny":
            self.allowed, self.decision = False, "deny"
        self.updated_input = _read_input(self.updated_input, self.modified_args)
        self.inject = _read_injection(self.inject)

    @property
    def may_run(self) -> bool:
        """True if the call may run without asking anybody."""
        return self.decision == "allow"

    @classmethod
    def allow(cls, **more: Any) -> "HookResult":
        return cls(**more)

    @classmethod
    def deny(cls, reason: str, **more: Any) -> "HookResult":
        return cls(allowed=False, decision="deny", reason=reason, **more)

    @classmethod
    def ask(cls, reason: str, **more: Any) -> "HookResult":
        return cls(decision="ask", reason=reason, **more)

    @classmethod
    def from_dict(cls, fields: Mapping[str, Any]) -> "HookResult":
        """Raises ValueError for a value that no hook may give."""
        known = {name: value for name, value in fields.items() if name in cls.__dataclass_fields__}
        if fields and not known:
            raise ValueError(f"none of {sorted(map(str, fields))!r:.80} is a field of a result")
        return cls(**known)

    @classmethod
    def from_json(cls, text: str) -> "HookResult":
        return cls.from_dict(json.loads(text))

    @classmethod
    def read(cls, returned: Any) -> "HookResult":
        """From anything that a hook may return: nothing, True or False, a mapping, or an object with these fields."""
        if returned is None or returned is True:
            return cls()
        if returned is False:
            return cls.deny("A hook returned False.")
        if isinstance(returned, HookResult):
            return cls(**returned.__dict__)
        if isinstance(returned, Mapping):
            return cls.from_dict(returned)
        if hasattr(returned, "allowed") or hasattr(returned, "decision"):
            return cls.from_dict({n: getattr(returned, n) for n in cls.__dataclass_fields__ if hasattr(returned, n)})
        raise ValueError(f"a hook returned a {type(returned).__name__}")

    def to_dict(self) -> Dict[str, Any]:
        fields: Dict[str, Any] = plain(self.__dict__)
        return fields

    def to_json(self) -> str:
        return json.dumps(self.to_dict(), allow_nan=False)

    def add_error(self, error: str) -> None:
        self.hook_errors.append(error)

    def has_errors(self) -> bool:
        return bool(self.hook_errors)


def _read_input(updated: Any, modified: Any) -> Optional[Dict[str, Any]]:
    if updated is None and isinstance(modified, str):
        try:
            updated = json.loads(modified)
        except ValueError:
            raise ValueError("`modified_args` is not JSON") from None
    if updated is None or isinstance(updated, dict):
        return updated
    raise ValueError(f"`updated_input` is {updated!r:.60}; it must be an object")


def _read_injection(inject: Any) -> Optional[Dict[str, Any]]:
    if inject is None:
        return None
    if not isinstance(inject, Mapping) or not isinstance(inject.get("content"), str):
        raise ValueError(f"`inject` is {inject!r:.60}; accepted: content and strategy")
    strategy = inject.get("strategy", "tool_result")
    if strategy not in _STRATEGIES:
        raise ValueError(f"`inject.strategy` is {strategy!r:.60}; accepted: {', '.join(_STRATEGIES)}")
    return {**inject, "strategy": strategy} if inject["content"] else None


def texts_of(inject: Optional[Mapping[str, Any]]) -> List[Dict[str, str]]:
    """Every text with its own strategy."""
    if inject is None:
        return []
    groups = inject.get("by_strategy") or {inject["strategy"]: [inject["content"]]}
    return [{"content": text, "strategy": strategy} for strategy in _STRATEGIES for text in groups.get(strategy, [])]


def injection_of(texts: List[Dict[str, str]]) -> Optional[Dict[str, Any]]:
    """One text for readers that take one, and all texts by how they should be delivered."""
    if not texts:
        return None
    by_strategy = {s: [t["content"] for t in texts if t["strategy"] == s] for s in _STRATEGIES}
    strategy = "tool_result" if by_strategy["tool_result"] else "user_message"
    whole: Dict[str, Any] = {"content": "\n".join(t["content"] for t in texts), "strategy": strategy}
    if len(texts) > 1:
        whole["by_strategy"] = {name: each for name, each in by_strategy.items() if each}
    return whole
