"""The older manager of MassGen, for permission hooks."""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Mapping, Optional, Tuple, Union

from ._general_manager import GeneralHookManager
from ._hook_classes import FunctionHook
from .events import HookType
from .results import HookResult


class FunctionHookManager:
    """The older manager: hooks of one tool or of all. A hook that fails denies, unless it says ``fail_closed = False``."""

    def __init__(self, **options: Any) -> None:
        self._inner = GeneralHookManager(**options)
        self._hooks: List[Tuple[HookType, Optional[str], Any]] = []

    def register_hook(self, function_name: str, hook_type: Any, hook: Any) -> None:
        self._add(hook_type, function_name, hook)

    def register_global_hook(self, hook_type: Any, hook: Any) -> None:
        self._add(hook_type, None, hook)

    def get_hooks_for_function(self, function_name: str) -> Dict[HookType, List[Any]]:
        return {
            each: [hook for on, name, hook in self._hooks if on is each and name in (None, function_name)]
            for each in HookType
        }

    def clear_hooks(self) -> None:
        self._hooks = []
        self._inner.clear_hooks()

    async def execute_hooks(
        self,
        hook_type: Any,
        function_name: str,
        arguments: Union[str, Mapping[str, Any]],
        context: Optional[Mapping[str, Any]] = None,
    ) -> HookResult:
        return await self._inner.execute_hooks(hook_type, function_name, arguments, context)

    def _add(self, hook_type: Any, function_name: Optional[str], hook: Any) -> None:
        closed = getattr(hook, "fail_closed", None)
        # An older hook is a function of the name, the arguments and the context.
        made = hook if hasattr(hook, "execute") else _Older(hook)
        self._inner.register_global_hook(hook_type, made, fail_closed=closed is not False, only=function_name)
        self._hooks.append((HookType(getattr(hook_type, "value", hook_type)), function_name, hook))


class _Older(FunctionHook):
    def __init__(self, function: Callable[..., Any]) -> None:
        if not callable(function):
            raise TypeError(f"a hook must be a function or have a method `execute`; this is a {type(function).__name__}")
        super().__init__(getattr(function, "__name__", ""))
        self._function = function

    def execute(self, function_name: str, arguments: str, context: Optional[Dict[str, Any]] = None, **_: Any) -> Any:
        return self._function(function_name, arguments, context)
