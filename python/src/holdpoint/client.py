"""Asks the installed Holdpoint, in the format of any host that it knows."""

from __future__ import annotations

import re
from typing import Mapping, Optional, Union

from ._call import DEADLINE, Call, make_call
from ._daemon import TooLate, ask_daemon, ask_daemon_async
from ._frames import Reply
from ._home import default_home, home_problem
from ._hook_program import run_hook_program, run_hook_program_async
from ._process import TOO_LATE

__all__ = ["Client", "Reply", "last_resort"]

#: Events at which a missing answer means that the agent goes on. Everything else is an action, or unknown.
_WITNESS_POINTS = frozenset(
    (
        "PostToolUse PostToolUseFailure SessionStart SessionEnd SubagentStart SubagentStop Stop PreCompact "
        "Notification post_call"
    ).split()
)


def last_resort(event: str) -> str:
    """What a missing answer means at this event: ``deny`` before an action, ``pass`` elsewhere."""
    return "pass" if event in _WITNESS_POINTS else "deny"


class Client:
    """A client of the Holdpoint in ``home``, the folder that ``holdpoint init`` wrote.

    It asks the daemon once. If no daemon answers, it starts the installed hook program, which also starts the next
    daemon. If nothing answers in time, the reply is a block with exit code 2 before an action. It keeps no connection
    and no lock, so it may be used by several threads, after a fork and after a change of the user.

    >>> client = Client(host="claude-code")
    >>> reply = client.ask("PreToolUse", b'{"session_id": "s", "tool_name": "Bash", ...}')
    """

    def __init__(
        self,
        host: str,
        *,
        home: Optional[str] = None,
        config: Optional[str] = None,
        deadline: float = DEADLINE,
    ) -> None:
        self.host = host
        self.home = default_home() if home is None else home
        self.config = config
        self.deadline = deadline

    def ask(
        self,
        event: str,
        payload: bytes,
        *,
        on_failure: Optional[str] = None,
        cwd: Optional[str] = None,
        env: Optional[Mapping[str, str]] = None,
    ) -> Reply:
        """The reply that the installed hook program would give: the same bytes and the same exit code."""
        resort = on_failure if on_failure in ("deny", "pass") else last_resort(event)
        try:
            call = self._call(event, payload, resort, cwd, env)
            problem = home_problem(self.home)
            if problem is not None:
                return unanswered(problem, resort)
            return _read(ask_daemon(call) or run_hook_program(call), resort)
        except TooLate:
            return unanswered(TOO_LATE, resort)
        except Exception as error:  # Whatever is broken, an action must not run because of it.
            return unanswered(f"the client failed ({_reason(error)})", resort)

    async def ask_async(
        self,
        event: str,
        payload: bytes,
        *,
        on_failure: Optional[str] = None,
        cwd: Optional[str] = None,
        env: Optional[Mapping[str, str]] = None,
    ) -> Reply:
        """The same without blocking the event loop. It can be cancelled."""
        resort = on_failure if on_failure in ("deny", "pass") else last_resort(event)
        try:
            call = self._call(event, payload, resort, cwd, env)
            problem = home_problem(self.home)
            if problem is not None:
                return unanswered(problem, resort)
            return _read(await ask_daemon_async(call) or await run_hook_program_async(call), resort)
        except TooLate:
            return unanswered(TOO_LATE, resort)
        except Exception as error:
            return unanswered(f"the client failed ({_reason(error)})", resort)

    def _call(
        self, event: str, payload: bytes, resort: str, cwd: Optional[str], env: Optional[Mapping[str, str]]
    ) -> Call:
        # `bytes(7)` would be seven NULs.
        if not isinstance(payload, (bytes, bytearray, memoryview)):
            raise TypeError(f"the payload is a {type(payload).__name__}; it must be bytes")
        return make_call(
            home=self.home,
            host=self.host,
            event=event,
            on_failure=resort,
            payload=bytes(payload),
            config=self.config,
            cwd=cwd,
            env=env,
            deadline=self.deadline,
        )


def unanswered(why: str, on_failure: str) -> Reply:
    """With the same text as the native client."""
    did, tell = ("allowed", "") if on_failure == "pass" else ("blocked", " Tell the user.")
    text = f"holdpoint: {did} without a check: {why}.{tell} `npx holdpoint doctor` tests the hooks.\n"
    return Reply(b"", text.encode("utf-8", "replace"), 0 if on_failure == "pass" else 2)


def _read(reply: Union[Reply, str], on_failure: str) -> Reply:
    return unanswered(reply, on_failure) if isinstance(reply, str) else reply


def _reason(error: BaseException) -> str:
    text = str(error) or type(error).__name__
    return re.sub(r"\s+", " ", text)[:300]
