# Functions for hook scripts written in sh or bash. Copy this file next to your scripts and load it:
#
#   . "$(dirname "$0")/hook-utils.sh"
#   hook_read
#   case "$(hook_field tool_input.command)" in
#     *"git push --force"*) hook_deny "Do not force-push. Push to a branch instead." ;;
#   esac
#   hook_pass
#
# JSON is read with jq, node or python3, whichever is there. Without any of them, and for input that is not JSON,
# the script denies: a guard that cannot read its event must not let the call through.

HOOK_EVENT=''
HOOK_MAX_BYTES=10485760

# Reads the event from standard input into HOOK_EVENT.
hook_read() {
  HOOK_EVENT=$(head -c $((HOOK_MAX_BYTES + 1)) | tr -d '\000')
  [ "${#HOOK_EVENT}" -le "$HOOK_MAX_BYTES" ] || hook_deny "The event is larger than $HOOK_MAX_BYTES bytes."
  printf '%s' "$HOOK_EVENT" | hook_json check >/dev/null 2>&1 || hook_deny "The event on standard input is not a JSON object."
}

# Prints a value of the event: hook_field tool_input.command. Prints nothing if it is missing. Objects are printed as JSON.
hook_field() {
  printf '%s' "$HOOK_EVENT" | hook_json get "$1"
}

# Ends the script without an opinion.
hook_pass() {
  exit 0
}

# Ends the script and blocks the event. The agent reads the reason. Exit code 2 works at every event that can be blocked.
hook_deny() {
  printf '%s\n' "$1" >&2
  exit 2
}

# Ends the script and lets the user decide. Only at PreToolUse.
hook_ask() {
  printf '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":%s}}\n' \
    "$(hook_quote "$1")" || hook_deny "$1"
  exit 0
}

# Ends the script and tells the agent something.
hook_context() {
  printf '{"hookSpecificOutput":{"hookEventName":%s,"additionalContext":%s}}\n' \
    "$(hook_quote "$(hook_field hook_event_name)")" "$(hook_quote "$1")"
  exit 0
}

# Adds a line to a log: hook_log my-hook "it happened". The format is [YYYY-MM-DD HH:MM:SS] message, on one line.
# The folder is HOOK_LOG_DIR, or the log folder of Holdpoint. A log that cannot be written changes no decision.
hook_log() {
  hook_log_dir=${HOOK_LOG_DIR:-${HOLDPOINT_HOME:-$HOME/.config/holdpoint}/state/logs}
  case "$1" in *[!A-Za-z0-9._-]* | '' | .*) return 0 ;; esac
  (
    umask 077
    mkdir -p "$hook_log_dir" &&
      printf '[%s] %s\n' "$(date '+%Y-%m-%d %H:%M:%S')" "$(printf '%s' "$2" | tr '\000-\037\177' ' ' | cut -c1-1000)" \
        >>"$hook_log_dir/$1.log"
  ) 2>/dev/null || return 0
}

# Prints the agent that a message hands its work to: hook_handoff "$message". Prints nothing if there is none.
# With Holdpoint on the PATH the answer is that of `holdpoint test --handoff`; otherwise the last plain phrase counts.
hook_handoff() {
  if command -v holdpoint >/dev/null 2>&1; then
    printf '%s' "$1" | holdpoint test --handoff --json 2>/dev/null | hook_json get to
  else
    printf '%s\n' "$1" | sed -n 's/.*[Uu]se the \([A-Za-z0-9][A-Za-z0-9_-]*\) sub-\{0,1\}agent to .*/\1/p' | tail -n 1
  fi
}

# A text as a JSON string.
hook_quote() {
  if command -v jq >/dev/null 2>&1; then
    printf '%s' "$1" | jq -Rs .
  elif command -v node >/dev/null 2>&1; then
    printf '%s' "$1" | node -e 'process.stdout.write(JSON.stringify(require("fs").readFileSync(0,"utf8")))'
  else
    printf '%s' "$1" | python3 -c 'import json,sys; sys.stdout.write(json.dumps(sys.stdin.read()))'
  fi
}

# hook_json check | hook_json get PATH: the JSON object on standard input.
hook_json() {
  if command -v jq >/dev/null 2>&1; then
    if [ "$1" = check ]; then
      jq -e 'type == "object"'
    else
      jq -r --arg path "$2" 'getpath($path | split(".")) // empty | if type == "string" then . else tojson end' 2>/dev/null
    fi
  elif command -v node >/dev/null 2>&1; then
    node -e '
      const value = JSON.parse(require("fs").readFileSync(0, "utf8"))
      if (value === null || typeof value !== "object" || Array.isArray(value)) process.exit(1)
      if (process.argv[1] === "check") process.exit(0)
      const own = (each, key) => each !== null && typeof each === "object" && Object.hasOwn(each, key) ? each[key] : undefined
      const found = process.argv[2].split(".").reduce(own, value)
      if (found !== undefined && found !== null && found !== false) process.stdout.write((typeof found === "string" ? found : JSON.stringify(found)) + "\n")
    ' "$@" 2>/dev/null
  else
    python3 -c '
import json, sys
value = json.load(sys.stdin)
if not isinstance(value, dict): sys.exit(1)
if sys.argv[1] == "check": sys.exit(0)
for key in sys.argv[2].split("."):
    value = value.get(key) if isinstance(value, dict) else None
if value is not None and value is not False: print(value if isinstance(value, str) else json.dumps(value))
' "$@" 2>/dev/null
  fi
}
