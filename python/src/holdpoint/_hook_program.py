"""The installed hook program: it answers without a daemon, and starts the next one."""

from __future__ import annotations

import asyncio
import os
import threading
from typing import Optional, Union

from ._call import Call
from ._frames import Reply
from ._home import place_problem
from ._process import TOO_LATE, CannotStart, Unanswered, run_program


def run_hook_program(call: Call, cancelled: Optional[threading.Event] = None) -> Union[Reply, str]:
    """Its reply; or why there is none, as the end of a sentence."""
    program = os.path.join(call.home, "bin", "holdpoint-hook")
    problem = place_problem(program)
    if problem is not None:
        return f"{program} {problem}"
    left_ms = int(call.left() * 1000)
    if left_ms <= 0:
        return TOO_LATE
    argv = [os.fsencode(program), *call.argv[:-1], b"%d" % left_ms]
    due = call.started + call.deadline
    try:
        reply = run_program(argv, call.payload, cwd=call.cwd, env=call.env, due=due, cancelled=cancelled)
    except CannotStart:
        return f"{program} could not be started; `npx holdpoint init` writes it"
    except Unanswered as error:
        return str(error)
    return reply if reply.exit_code in (0, 2) else "the hook process ended without an answer"


async def run_hook_program_async(call: Call) -> Union[Reply, str]:
    """The same in a thread. A cancelled question ends the process."""
    loop = asyncio.get_running_loop()
    answered: "asyncio.Future[Union[Reply, str]]" = loop.create_future()
    cancelled = threading.Event()

    def deliver(reply: Union[Reply, str]) -> None:
        if not answered.done():
            answered.set_result(reply)

    def work() -> None:
        try:
            reply = run_hook_program(call, cancelled)
        except Exception as error:  # A thread has no caller that would see it.
            reply = f"the client failed ({error})"
        try:
            loop.call_soon_threadsafe(deliver, reply)
        except RuntimeError:
            # The loop was closed; nobody waits.
            pass

    threading.Thread(target=work, name="holdpoint", daemon=True).start()
    try:
        return await answered
    finally:
        cancelled.set()
