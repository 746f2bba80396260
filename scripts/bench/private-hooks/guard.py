# The same private hook in Python. Measured, not recommended.
import json
import re
import sys

command = json.load(sys.stdin).get("tool_input", {}).get("command", "")
if re.search(r"rm +-[a-z]*r[a-z]*f|push .*(--force|-f)\b", command):
    reason = {"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "not this"}
    print(json.dumps({"hookSpecificOutput": reason}))
