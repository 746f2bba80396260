"""Handlers that a MassGen configuration names: Python functions, and programs."""

from __future__ import annotations

import importlib
import json
import os
import shlex
import sys
import time
from typing import Any, Callable, Dict, List, Mapping, Optional

from ._json import encode
from ._process import CannotStart, Unanswered, run_program
from .events import HookEvent
from .results import HookResult

#: What a program sees of the environment, besides the variables that its hook names.
_COMMON = frozenset("PATH HOME USER LOGNAME SHELL LANG LANGUAGE TZ TMPDIR TERM".split())


class CannotImport(Exception):
    """A handler does not exist, or cannot be loaded."""


def python_handler(handler: str) -> Callable[[HookEvent], Any]:
    """``package.module.function``, imported at the first call."""

    def call(event: HookEvent) -> Any:
        module_name, _, function_name = handler.rpartition(".")
        try:
            function = getattr(importlib.import_module(module_name), function_name)
        except Exception as error:  # Importing runs the module, which may fail in any way.
            raise CannotImport(f"{handler} cannot be imported: {error}") from error
        return function(event)

    call.__name__ = handler
    return call


def command_handler(handler: str, timeout: float, env: List[str]) -> Callable[[HookEvent], HookResult]:
    """A script, a program or a command line: the event on standard input, the result on standard output."""

    def call(event: HookEvent) -> HookResult:
        fields = event.to_dict()
        due = time.monotonic() + timeout
        try:
            reply = run_program(
                [os.fsencode(word) for word in _command_line(handler)],
                encode(fields),
                cwd=os.fsencode(os.getcwd()),
                env={os.fsencode(k): os.fsencode(v) for k, v in _environment(fields, env).items()},
                due=due,
            )
        except CannotStart as error:
            raise CannotImport(f"{handler} cannot be started: {error}") from error
        except Unanswered as error:
            raise TimeoutError(str(error)) from error
        if reply.exit_code == 2:
            return HookResult.deny(reply.stderr.decode("utf-8", "replace").strip() or f"Denied by {handler}.")
        if reply.exit_code != 0:
            raise RuntimeError(f"the exit code is {reply.exit_code}")
        text = reply.stdout.decode("utf-8").strip()
        return HookResult() if text == "" else HookResult.read(json.loads(text))

    call.__name__ = handler
    return call


def _command_line(handler: str) -> List[str]:
    words = shlex.split(handler)
    return [sys.executable, *words] if words and words[0].endswith(".py") and not os.access(words[0], os.X_OK) else words


def _environment(event: Mapping[str, Any], named: List[str]) -> Dict[str, str]:
    own = {k: v for k, v in os.environ.items() if k in _COMMON or k.startswith("LC_") or k in named}
    told: Dict[str, Optional[str]] = {
        "MASSGEN_HOOK_TYPE": event["hook_type"],
        "MASSGEN_TOOL_NAME": event["tool_name"],
        "MASSGEN_SESSION_ID": event["session_id"],
        "MASSGEN_ORCHESTRATOR_ID": event["orchestrator_id"],
        "MASSGEN_AGENT_ID": event["agent_id"],
    }
    return {**own, **{k: v.replace("\0", "") for k, v in told.items() if v is not None}}
