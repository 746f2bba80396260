import { spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, existsSync, renameSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeWhole } from './files.ts'
import type { Home } from './home.ts'

/**
 * The program agents start, at a path that never changes, so that an agent which trusts commands by their text keeps
 * trusting it across versions. It is the native client where there is one for this machine, and a few lines of sh
 * that start Node where there is none: the answers are the same. Started without arguments, as an agent too old for
 * `args` does, either exits 2.
 */
export function writeHookProgram(home: Home, node: string): 'native' | 'node' {
  writeProgram(home.nodeProgram, programText(node, `${quote(DIST)}/"$program".cjs`, 'program=$1\nshift\n'))
  const client = nativeClient()
  if (client === undefined) {
    writeProgram(home.hookProgram, programText(node, quote(join(DIST, 'hook.cjs'))))
    return 'node'
  }
  // Renamed into place: the old one may be running.
  const waiting = `${home.hookProgram}.new`
  copyFileSync(client, waiting)
  chmodSync(waiting, 0o755)
  renameSync(waiting, home.hookProgram)
  return 'native'
}

export function removeHookProgram(home: Home): void {
  for (const program of [home.hookProgram, home.nodeProgram]) rmSync(program, { force: true })
}

/** The built daemon, started by a hook that finds none. */
export function daemonProgram(): string {
  return join(DIST, 'daemon.cjs')
}

/** Built here, or from the package for this platform; and only if it truly runs on this machine. */
function nativeClient(): string | undefined {
  return [join(DIST, 'native', 'holdpoint-hook'), packagedClient()].find(
    (file) => file !== undefined && existsSync(file) && spawnSync(file, { env: {} }).status === 2,
  )
}

function packagedClient(): string | undefined {
  try {
    const name = `@holdpoint/client-${process.platform}-${process.arch}/holdpoint-hook`
    return createRequire(join(DIST, 'hook.cjs')).resolve(name)
  } catch {
    return undefined
  }
}

function writeProgram(path: string, text: string): void {
  writeWhole(path, text, 0o755)
  chmodSync(path, 0o755)
}

function programText(node: string, script: string, first = ''): string {
  return `#!/bin/sh
# Written by holdpoint init. Answers the hook events of AI coding agents.
unset ${DROPPED.join(' ')}
${first}exec ${quote(node)} ${script} "$@"
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

/** `dist/`, from the bundled command line (`dist/cli/`) as well as from the library (`dist/src/world/`). */
const HERE = dirname(fileURLToPath(import.meta.url))
const DIST = HERE.slice(0, HERE.lastIndexOf('dist') + 'dist'.length)

function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`
}

/**
 * The launcher a project commits: starts each person's own Holdpoint, and tells a machine without it how to get it.
 * What it stops then is what the entry's own `--on-failure` says.
 */
export function writeLauncher(path: string): void {
  writeProgram(path, LAUNCHER)
}

const LAUNCHER = `#!/bin/sh
# Written by holdpoint init --scope project. Starts the Holdpoint of whoever works here.
home="\${HOLDPOINT_HOME:-\${XDG_CONFIG_HOME:-$HOME/.config}/holdpoint}"
[ -x "$home/bin/holdpoint-hook" ] && exec "$home/bin/holdpoint-hook" "$@" --home "$home"
echo "This project is guarded by Holdpoint, which is not installed here. Run: npx holdpoint init --scope user" >&2
case " $* " in *" --on-failure pass "*) exit 0 ;; esac
exit 2
`
