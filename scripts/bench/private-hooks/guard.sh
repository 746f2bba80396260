#!/usr/bin/env bash
# The hook many people write for themselves: read the command with jq, look for what must not happen. Measured, not
# recommended: it sees neither wrappers nor quotes.
command=$(jq -r '.tool_input.command // empty')
if grep -Eq 'rm +-[a-z]*r[a-z]*f|push .*(--force|-f)\b' <<<"$command"; then
  jq -cn '{hookSpecificOutput: {hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason: "not this"}}'
fi
