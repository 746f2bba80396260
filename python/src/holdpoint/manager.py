"""The engine of Holdpoint for an agent that is written in Python."""

from __future__ import annotations

from typing import Any, Mapping, Optional, Union

from . import _json
from ._call import DEADLINE
from ._frames import Reply
from .client import Client, last_resort
from .events import HookEvent, event_name
from .results import HookResult

__all__ = ["HookManager"]

AnyEvent = Union[HookEvent, Mapping[str, Any]]

#: An event whose name could not be read is an action.
UNKNOWN = ""


class HookManager:
    """Asks the installed Holdpoint about each event: its packs, your configuration, and the journal.

    Nothing that is broken lets an action run: if no answer comes, a call before it runs is denied, with the reason.

    >>> hooks = HookManager()
    >>> event = HookEvent(hook_type="PreToolUse", tool_name="Bash", tool_input={"command": "git push --force"})
    >>> hooks.execute(event).decision
    'deny'

    ``config`` is a MassGen file whose hooks run too, after ``holdpoint trust --config``.
    """

    def __init__(
        self,
        *,
        home: Optional[str] = None,
        config: Optional[str] = None,
        cwd: Optional[str] = None,
        env: Optional[Mapping[str, str]] = None,
        deadline: float = DEADLINE,
    ) -> None:
        self.client = Client("massgen", home=home, config=config, deadline=deadline)
        self.cwd = cwd
        self.env = env

    def execute(self, event: AnyEvent) -> HookResult:
        """The decision about this event. Never raises."""
        name = UNKNOWN
        try:
            name = _name_of(event)
            payload = _json.encode(_fields_of(event))
            return read_reply(self.client.ask(name, payload, cwd=self.cwd, env=self.env), name)
        except Exception as error:
            return failed(name, f"the event could not be sent ({_shown(error)})")

    async def execute_async(self, event: AnyEvent) -> HookResult:
        """The same without blocking the event loop. It can be cancelled, and raises nothing else."""
        name = UNKNOWN
        try:
            name = _name_of(event)
            payload = _json.encode(_fields_of(event))
            return read_reply(await self.client.ask_async(name, payload, cwd=self.cwd, env=self.env), name)
        except Exception as error:
            return failed(name, f"the event could not be sent ({_shown(error)})")


def read_reply(reply: Reply, event: str) -> HookResult:
    """A reply in the format of MassGen. What cannot be read is a failure, never a permission."""
    told = reply.stderr.decode("utf-8", "replace").strip()
    if reply.exit_code == 2:
        return HookResult.deny(told or "Stopped by Holdpoint.")
    if reply.exit_code != 0:
        return failed(event, f"the exit code is {reply.exit_code}")
    if not reply.stdout.strip():
        # The client could not be answered, and the event is not an action.
        return failed(event, "there is no answer", told)
    try:
        fields = _json.decode(reply.stdout)
        if not isinstance(fields, dict) or "decision" not in fields or "allowed" not in fields:
            raise ValueError("it is not a result")
        return HookResult.from_dict(fields)
    except (ValueError, TypeError, RecursionError) as error:
        return failed(event, f"the answer could not be read ({_shown(error)})")


def failed(event: str, why: str, told: str = "") -> HookResult:
    """What a missing answer means at this event."""
    if last_resort(event) == "deny":
        text = told or f"holdpoint: blocked without a check: {why}. Tell the user."
        return HookResult.deny(text, hook_errors=[text])
    return HookResult(hook_errors=[told or f"holdpoint: allowed without a check: {why}."])


def _name_of(event: object) -> str:
    hook_type = event.get("hook_type", "") if isinstance(event, Mapping) else getattr(event, "hook_type", "")
    return event_name(hook_type)


def _fields_of(event: Any) -> Any:
    """Also of an event of MassGen itself."""
    return event if isinstance(event, Mapping) else event.to_dict()


def _shown(error: BaseException) -> str:
    return " ".join((str(error) or type(error).__name__).split())[:300]
