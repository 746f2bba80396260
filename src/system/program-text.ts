import { wordList } from '../core/word-list.ts'
import { DAEMON_ENV, DAEMON_FLAGS } from './daemon-node.ts'
import { type NodeLocation, SYSTEM_NODES } from './node-location.ts'

/**
 * The shell scripts that `init` writes. Only /bin/sh, and no program found by PATH: the caller's environment
 * is untrusted.
 */

interface LauncherOptions {
  readonly home: string
  readonly location: NodeLocation
  /** Where Node is searched after that: only files that only root can change. */
  readonly systemNodes?: readonly string[]
  /** The built program that it starts; if missing, the first argument names it. */
  readonly program?: string
}

/**
 * Starts Node with a built program of the current copy. If the copy or every Node is missing, it reports that, names the
 * command that repairs it, and exits as the `--on-failure` of the hook says.
 */
export function launcherText(options: LauncherOptions): string {
  const { home, location, program, systemNodes = SYSTEM_NODES } = options
  const first = program === undefined ? 'program="$1"\n[ $# -gt 0 ] && shift' : `program=${program}`
  return `#!/bin/sh
# Written by holdpoint init. Starts a program of Holdpoint.
unset ${DROPPED.join(' ')}
stop() {
  echo "holdpoint: $1 Run: npx holdpoint init" >&2
  case " $* " in *" --on-failure pass "* | *" --on-failure=pass "*) exit "$answered" ;; esac
  exit 2
}
${START}${first}
${program === 'hook' ? `[ $# -gt 0 ] || set -- claude-code --home ${quote(home)}` : ':'}
${program === 'holdpoint' ? HOOK_BY_HAND : ''}${ANSWERED}bounded=
${program === undefined ? '' : BOUNDED}script=${quote(`${home}/runtime/current/dist`)}/"$program".cjs
[ -s "$script" ] || stop ${quote(`Its programs in ${home}/runtime are missing.`)} "$@"
node=${quote(location.node)}
[ -x "$node" ] && start "$@"
fits() {
  [ -x "$1" ] && "$1" -e 'const [a, b] = process.versions.node.split("."); process.exit(a > 20 || (a == 20 && b >= 19) ? 0 : 1)' 2>/dev/null
}
# Folders that only root can write; their files belong to root as well.
for node in ${systemNodes.map(quote).join(' ')}; do
  folder=\${node%/node}
  [ -z "$(/usr/bin/find -H "$folder/" "$node" -prune \\( ! -user 0 -o -perm -002 -o -perm -020 \\) 2>&1)" ] || continue
  fits "$node" && start "$@"
done
found=
for node in ${location.others.map(quotePattern).join(' ')}; do
  fits "$node" && found=$node
done
node=$found
[ -n "$node" ] && start "$@"
stop ${quote(`Node.js is missing: ${location.node} is gone, and no other Node.js 20.19 or newer was found.`)} "$@"
`
}

/**
 * The exit code with which Node says that 0 is its answer. Anything can end Node with 0: a module that it loads first, a
 * program in its place. No shell, signal, `timeout` or Node itself ends with this one. The native client has the same.
 */
const ANSWERED_CODE = 113

/** The native client asks for the code that Node ends with. An agent, or an older client, gets 0. */
const ANSWERED = `answered=0
if [ "$program $1" = "hook --answered" ]; then
  answered=$2
  shift 2
fi
`

/** `holdpoint hook` is one event as well, so its ending is judged in the same way. */
const HOOK_BY_HAND = `case " $* " in
*" -h "* | *" --help "*) ;;
" hook "*)
  program=hook
  shift
  ;;
esac
`

/**
 * Waits for the hook: agents read most exit codes as "continue", so only the two that are answers are passed on. A Node
 * that cannot be started (126, 127) leaves standard input for the next one.
 */
const START = `start() {
  if [ "$program" = daemon ]; then
    export ${Object.entries(DAEMON_ENV)
      .map(([name, value]) => `${name}=${value}`)
      .join(' ')}
    exec "$node" ${DAEMON_FLAGS.join(' ')} "$script" "$@"
  fi
  [ "$program" = hook ] || exec "$node" "$script" "$@"
  $bounded "$node" "$script" --answered ${ANSWERED_CODE} "$@"
  code=$?
  case $code in
  ${ANSWERED_CODE}) exit "$answered" ;;
  2) exit 2 ;;
  126 | 127) return ;;
  esac
  # What it printed is no answer: the client drops it.
  answered=0
  case $code in
  124 | 137 | 142) stop "There was no answer in time." "$@" ;;
  esac
  stop "$node ended with exit code $code before it answered." "$@"
}
`

/** A repository can set the environment of hooks; these make Perl run something else. */
const PERL_VARIABLES = wordList('PERL5OPT PERL5LIB PERLLIB PERL5DB PERL5SHELL')

/**
 * Without a native client that enforces the deadline, a program of the system does. Node itself cannot while it waits for
 * a disk that does not answer. macOS has no `timeout`, but Perl: an alarm outlives the change to another program.
 */
const BOUNDED = `ms=28000
for word in "$@"; do
  [ "$before" = --deadline-ms ] && ms=$word
  case $word in --deadline-ms=*) ms=\${word#*=} ;; esac
  before=$word
done
case $ms in '' | *[!0-9]*) ms=28000 ;; esac
if [ "$program" = hook ]; then
  if [ -x /usr/bin/timeout ]; then
    bounded="/usr/bin/timeout --foreground -s KILL $((ms / 1000 + 1))"
  elif [ -x /usr/bin/perl ]; then
    unset ${PERL_VARIABLES.join(' ')}
    bounded="/usr/bin/perl -e \\$SIG{ALRM}=DEFAULT;alarm(shift);exec(@ARGV)or(exit(127)) $((ms / 1000 + 1))"
  fi
fi
`

/** A repository can set the environment of hooks; these make Node or its loader run something else. */
const DROPPED = wordList(`
  NODE_OPTIONS NODE_PATH NODE_EXTRA_CA_CERTS NODE_V8_COVERAGE NODE_ICU_DATA NODE_COMPILE_CACHE
  NODE_REPL_EXTERNAL_MODULE NODE_REDIRECT_WARNINGS NODE_CHANNEL_FD NODE_UNIQUE_ID LD_PRELOAD LD_LIBRARY_PATH
  LD_AUDIT DYLD_INSERT_LIBRARIES DYLD_LIBRARY_PATH OPENSSL_CONF OPENSSL_MODULES
`)

function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`
}

/** Quoted, except for the star that stands for the version. */
function quotePattern(pattern: string): string {
  const [before = '', after = ''] = pattern.split('*')
  return `${quote(before)}*${quote(after)}`
}

export const PROJECT_LAUNCHER_TEXT = `#!/bin/sh
# Written by holdpoint init --scope project. Starts the Holdpoint of the person who works here.
home="\${HOLDPOINT_HOME:-\${XDG_CONFIG_HOME:-$HOME/.config}/holdpoint}"
[ -x "$home/bin/holdpoint-hook" ] && exec "$home/bin/holdpoint-hook" "$@" --home "$home"
echo "This project is guarded by Holdpoint, which is not installed here. Run: npx holdpoint init --scope user" >&2
case " $* " in *" --on-failure pass "*) exit 0 ;; esac
exit 2
`
