"""Where Holdpoint is installed, and whether it can be trusted."""

from __future__ import annotations

import os
import stat
from typing import Optional

_OTHERS_MAY_WRITE = stat.S_IWGRP | stat.S_IWOTH


def default_home() -> str:
    """The folder that `holdpoint init` writes to for this user."""
    own = os.path.expanduser("~")
    config = os.environ.get("XDG_CONFIG_HOME", "")
    below = config if os.path.isabs(config) else os.path.join(own, ".config")
    home = os.environ.get("HOLDPOINT_HOME") or os.path.join(below, "holdpoint")
    return home if os.path.isabs(home) else os.path.join(own, home)


def home_problem(home: object) -> Optional[str]:
    """Why nothing in this home may be asked or started, as the end of a sentence.

    A home that another user owns or can write to could answer anything, and its programs would run as this user.
    """
    if not isinstance(home, str) or not os.path.isabs(home):
        return "the Holdpoint home must be an absolute path"
    for path in (home, os.path.join(home, "bin")):
        problem = place_problem(path)
        if problem is not None:
            return f"{path} {problem}"
    return None


def place_problem(path: str) -> Optional[str]:
    """The same for a folder or a program below it. The user is the one of now: a program may have changed it."""
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return "is missing; `npx holdpoint init` writes it"
    except (OSError, ValueError) as error:
        return f"cannot be read ({error})"
    if found.st_uid not in (os.geteuid(), 0):
        return "belongs to another user"
    return "is writable for other users" if found.st_mode & _OTHERS_MAY_WRITE else None
