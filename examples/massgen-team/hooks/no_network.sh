#!/bin/sh
# Exit 2 denies, and what is on standard error is the reason. The event is JSON on standard input.
if grep -qE '"command":"[^"]*(curl|wget)'; then
  echo "$MASSGEN_AGENT_ID may not use the network from the shell; ask the researcher." >&2
  exit 2
fi
