"""A tool call of a Python program, with a check by Holdpoint before it and without, in turn. Prints microseconds."""

import asyncio
import json
import sys
import time

from holdpoint import HookManager

home, project, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3])
hooks = HookManager(home=home, cwd=project)
times = {"bare": [], "sync": [], "async": []}


def event(number):
    return {
        "hook_type": "PreToolUse",
        "session_id": f"bench-{number % 8}",
        "tool_name": "Bash",
        "tool_input": {"command": "git status && ls -la"},
        "tool_use_id": f"call-{number}",
    }


def tool():
    with open(__file__, encoding="utf-8") as file:
        return file.read()


async def main():
    for number in range(-50, rounds):
        started = time.perf_counter()
        tool()
        bare = time.perf_counter()
        if not hooks.execute(event(3 * number)).may_run:
            sys.exit("the call was stopped")
        tool()
        judged = time.perf_counter()
        if not (await hooks.execute_async(event(3 * number + 1))).may_run:
            sys.exit("the call was stopped")
        tool()
        ended = time.perf_counter()
        if number >= 0:
            for name, seconds in (("bare", bare - started), ("sync", judged - bare), ("async", ended - judged)):
                times[name].append(seconds * 1e6)


asyncio.run(main())
print(json.dumps(times))
