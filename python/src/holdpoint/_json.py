"""Events as JSON, exactly as the engine will read them."""

from __future__ import annotations

import json
from datetime import datetime
from enum import Enum
from typing import Any, Mapping

DEPTH_MAX = 200


def encode(value: Any) -> bytes:
    """Raises ValueError or TypeError for what JSON cannot express. ASCII, so that no character can get lost."""
    return json.dumps(plain(value), allow_nan=False, separators=(",", ":")).encode("ascii")


def plain(value: Any, depth: int = 0) -> Any:
    """A copy of plain JSON values. What happens to the original later changes nothing."""
    if depth > DEPTH_MAX:
        raise ValueError(f"the event is nested more than {DEPTH_MAX} levels deep")
    if isinstance(value, Enum):
        return plain(value.value, depth + 1)
    if isinstance(value, datetime):
        return (value if value.tzinfo is not None else value.astimezone()).isoformat()
    if value is None or isinstance(value, (bool, int, float)):
        return value
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, Mapping):
        # `json` would write 1 and "1" as the same key.
        for key in value:
            if not isinstance(key, str):
                raise TypeError(f"the key {key!r:.60} is not a text")
        return {str.__str__(key): plain(each, depth + 1) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(each, depth + 1) for each in value]
    raise TypeError(f"a {type(value).__name__} is not JSON")


def decode(text: bytes) -> Any:
    """Raises ValueError."""
    return json.loads(text.decode("utf-8"))
