import { chmodSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeWhole } from './files.ts'
import type { Home } from './home.ts'

/**
 * The program agents start: a few lines of sh at a path that never changes, so that an agent which trusts commands
 * by their text keeps trusting it across versions. It drops every variable that would make Node load foreign code,
 * then starts the hook by absolute paths. Started without arguments, as an agent too old for `args` does, the hook
 * itself exits 2.
 */
export function writeHookProgram(home: Home, node: string): void {
  writeWhole(home.hookProgram, hookProgramText(node, HOOK), 0o755)
  chmodSync(home.hookProgram, 0o755)
}

export function removeHookProgram(home: Home): void {
  rmSync(home.hookProgram, { force: true })
}

function hookProgramText(node: string, hook: string): string {
  return `#!/bin/sh
# Written by holdpoint init. Answers the hook events of AI coding agents.
unset ${DROPPED.join(' ')}
exec ${quote(node)} ${quote(hook)} "$@"
`
}

/** A repository can set the environment of hooks; these make Node or its loader run something else. */
const DROPPED: readonly string[] = [
  'NODE_OPTIONS',
  'NODE_PATH',
  'NODE_EXTRA_CA_CERTS',
  'NODE_V8_COVERAGE',
  'NODE_ICU_DATA',
  'NODE_COMPILE_CACHE',
  'NODE_REPL_EXTERNAL_MODULE',
  'NODE_REDIRECT_WARNINGS',
  'NODE_CHANNEL_FD',
  'NODE_UNIQUE_ID',
  'LD_PRELOAD',
  'LD_LIBRARY_PATH',
  'LD_AUDIT',
  'DYLD_INSERT_LIBRARIES',
  'DYLD_LIBRARY_PATH',
  'OPENSSL_CONF',
  'OPENSSL_MODULES',
]

/** `dist/hook.cjs`, from the bundled command line (`dist/cli/`) as well as from the library (`dist/src/world/`). */
const HERE = dirname(fileURLToPath(import.meta.url))
const HOOK = join(HERE.slice(0, HERE.lastIndexOf('dist') + 'dist'.length), 'hook.cjs')

function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`
}

/**
 * The launcher a project commits: starts each person's own Holdpoint, and tells a machine without it how to get it.
 * What it stops then is what the entry's own `--on-failure` says.
 */
export function writeLauncher(path: string): void {
  writeWhole(path, LAUNCHER, 0o755)
  chmodSync(path, 0o755)
}

const LAUNCHER = `#!/bin/sh
# Written by holdpoint init --scope project. Starts the Holdpoint of whoever works here.
program="\${HOLDPOINT_HOME:-\${XDG_CONFIG_HOME:-$HOME/.config}/holdpoint}/bin/holdpoint-hook"
[ -x "$program" ] && exec "$program" "$@"
echo "This project is guarded by Holdpoint, which is not installed here. Run: npx holdpoint init --scope user" >&2
case " $* " in *" --on-failure pass "*) exit 0 ;; esac
exit 2
`
