"""An agent in Python behind Holdpoint: `python3 examples/python-agent/main.py` (after `npx holdpoint init`).

The "model" is a list of calls, so that it runs anywhere; put a real one in its place and nothing else changes.
"""

import asyncio
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "python", "src"))

from holdpoint.massgen import GeneralHookManager, HookEvent, HookResult, HookType, MidStreamInjectionHook

FILES = {"notes.txt": "buy milk"}


def read_file(file_path):
    return FILES.get(file_path, "no such file")


def write_file(file_path, content):
    FILES[file_path] = content
    return f"wrote {file_path}"


def shell(command):
    return f"ran {command}"


TOOLS = {"Read": read_file, "Write": write_file, "Bash": shell}

CALLS = [
    ("Read", {"file_path": " notes.txt "}),
    ("Bash", {"command": "git push --force origin main"}),
    ("Bash", {"command": "git status"}),
    ("Write", {"file_path": "notes.txt", "content": "buy milk and bread"}),
    ("Read", {"file_path": ".env"}),
]


async def tidy_paths(event: HookEvent):
    """A hook of this program that changes calls."""
    path = event.tool_input["file_path"].strip()
    return HookResult.allow(updated_input={**event.tool_input, "file_path": path})


def ask_before_writing(event: HookEvent):
    """A hook of this program that wants a person to confirm."""
    return HookResult.ask(f"May I write {event.tool_input['file_path']}?")


def person_agrees(reason: str) -> bool:
    """Here a person would be asked."""
    print(f"person: {reason} yes")
    return True


async def use_tool(hooks: GeneralHookManager, name: str, arguments: dict) -> str:
    """What the model reads about one call."""
    context = {"session_id": "example", "orchestrator_id": "example", "agent_id": "writer"}
    before = await hooks.execute_hooks(HookType.PRE_TOOL_USE, name, json.dumps(arguments), context)
    if before.decision == "deny" or (before.decision == "ask" and not person_agrees(before.reason)):
        return f"denied: {before.reason}"
    output = TOOLS[name](**(before.updated_input or arguments))
    after = await hooks.execute_hooks(HookType.POST_TOOL_USE, name, json.dumps(arguments), context, output)
    told = [inject["content"] for inject in (before.inject, after.inject) if inject]
    return "\n".join([output if after.decision != "deny" else f"withheld: {after.reason}", *told])


async def main() -> None:
    hooks = GeneralHookManager()
    hooks.register_global_hook(HookType.PRE_TOOL_USE, tidy_paths, matcher="Read|Write")
    hooks.register_global_hook(HookType.PRE_TOOL_USE, ask_before_writing, matcher="Write")
    news = iter(["The person is in a hurry."])
    hooks.register_global_hook(HookType.POST_TOOL_USE, MidStreamInjectionHook(lambda agent: next(news, None)))
    for name, arguments in CALLS:
        told = await use_tool(hooks, name, arguments)
        print(f"{name}: " + "\n      ".join(line[:70] for line in told.split("\n")))


asyncio.run(main())
