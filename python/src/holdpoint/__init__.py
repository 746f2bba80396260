"""Holdpoint for agents that are written in Python: the same hooks, guards and journal, through the installed daemon."""

from .client import Client, Reply
from .events import HookEvent, HookType
from .manager import HookManager
from .results import HookResult

__all__ = ["Client", "HookEvent", "HookManager", "HookResult", "HookType", "Reply"]
__version__ = "0.2.0"
