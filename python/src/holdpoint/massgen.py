"""The names of ``massgen.mcp_tools.hooks``, with the engine of Holdpoint behind them: change one import.

    from massgen.mcp_tools.hooks import GeneralHookManager, HookResult, HookType   # before
    from holdpoint.massgen import GeneralHookManager, HookResult, HookType         # after

Hooks that you register run first, as in MassGen. Then the installed Holdpoint decides about the same call.
"""

from ._function_manager import FunctionHookManager
from ._general_manager import GeneralHookManager
from ._hook_classes import (
    FunctionHook,
    HighPriorityTaskReminderHook,
    MidStreamInjectionHook,
    PatternHook,
    PythonCallableHook,
)
from .events import HookEvent, HookType
from .results import HookResult

__all__ = [
    "FunctionHook",
    "FunctionHookManager",
    "GeneralHookManager",
    "HighPriorityTaskReminderHook",
    "HookEvent",
    "HookResult",
    "HookType",
    "MidStreamInjectionHook",
    "PatternHook",
    "PythonCallableHook",
]
