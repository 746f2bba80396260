import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DENIED, HARMLESS } from './installation.mjs'
import { callEvents, sessionEvents } from './session-calls.mjs'

const PEERS = join(import.meta.dirname, 'peers')
const PRIVATE = join(import.meta.dirname, 'private-hooks')

/** The names under which other files find the results. */
export const NAMES = {
  true: '/bin/true',
  session: 'Holdpoint, events of sessions',
  native: 'Holdpoint, call seen before',
  nativeNew: 'Holdpoint, new call',
  nativeDenied: 'Holdpoint, denied command',
  http: 'Holdpoint over HTTP',
  oneShot: 'Holdpoint without daemon',
  node: 'node -e 0',
  safetyNet: 'cc-safety-net 2.4.5',
  jq: 'bash and jq, private script',
  python: 'python3, private script',
}

/** What is timed, each with its arguments and its event, and what is missing here, each with the reason. */
export function gatherContenders(installation) {
  const harmless = eventFile(installation, 'harmless', installation.event(HARMLESS))
  const session = sessionEvents(installation).map((event) => JSON.stringify(event))
  const inTurn = eventFile(installation, 'session', session.join('\0'))
  const seen = eventFile(installation, 'seen', callEvents(installation, { areNew: false }))
  const fresh = eventFile(installation, 'new', callEvents(installation, { areNew: true }))
  const denied = eventFile(installation, 'denied', installation.event(DENIED, { use: '@@@@@@@@' }))
  const nothing = eventFile(installation, 'nothing', '')
  const words = ['claude-code', '--home', installation.home.folder, '--event', 'PreToolUse']
  const missing = {}
  const found = (name, program, why) => {
    if (program === undefined) missing[name] = why
    return program !== undefined
  }
  const native = installation.program === 'native' ? installation.home.hookProgram : undefined
  const bash = pathOf('bash', '-c', 'command -v bash')
  const jq = bash && pathOf('bash', '-c', 'command -v jq')
  // The interpreter itself: otherwise the shim of a version manager would be measured.
  const python = pathOf('python3', '-c', 'import sys; print(sys.executable)')
  const peer = installPeers()
  const all = [
    { name: NAMES.true, file: nothing, words: ['/bin/true'] },
    found(NAMES.session, native, 'no C compiler') && {
      name: NAMES.session,
      file: inTurn,
      // Each event is a hook of its own in the settings of the agent.
      words: [native, ...words.slice(0, -1), '@event'],
    },
    // Not after another call, which would leave the caches warm.
    { name: NAMES.node, file: nothing, words: [process.execPath, '-e', '0'] },
    found(NAMES.native, native, 'no C compiler') && {
      name: NAMES.native,
      file: seen,
      words: [native, ...words],
    },
    { name: NAMES.node, file: nothing, words: [process.execPath, '-e', '0'] },
    found(NAMES.nativeNew, native, 'no C compiler') && {
      name: NAMES.nativeNew,
      file: fresh,
      words: [native, ...words],
    },
    found(NAMES.nativeDenied, native, 'no C compiler') && {
      name: NAMES.nativeDenied,
      file: denied,
      words: [native, ...words],
    },
    {
      name: NAMES.oneShot,
      file: harmless,
      // From the installed copy, as agents start it: only there is a code cache.
      words: [process.execPath, join(installation.home.runtime, 'current', 'dist', 'hook.cjs'), ...words],
    },
    found(NAMES.jq, jq, 'no jq') && {
      name: NAMES.jq,
      file: harmless,
      words: [bash, join(PRIVATE, 'guard.sh')],
    },
    found(NAMES.python, python, 'no python3') && {
      name: NAMES.python,
      file: harmless,
      words: [python, join(PRIVATE, 'guard.py')],
    },
    found(NAMES.safetyNet, peer, 'it could not be installed') && {
      name: NAMES.safetyNet,
      file: harmless,
      words: [process.execPath, peer, 'hook', '--claude-code'],
    },
  ]
  return { contenders: all.filter(Boolean), missing }
}

/** A hook that does not guard is fast, so each must deny one command and pass the other. */
export function checkAnswers(contenders, installation) {
  for (const { name, words } of contenders) {
    if (name === NAMES.true || name === NAMES.node) continue
    for (const [command, denies] of [
      [HARMLESS, false],
      ['git push --force origin main', true],
    ]) {
      // A call of its own: one that was answered before is not judged again.
      const input = installation.event(command, { use: `check-${denies}-${name}` })
      const { stdout, status } = spawnSync(words[0], wordsFor(words, 'PreToolUse'), {
        input,
        env: installation.env,
        cwd: installation.project,
        encoding: 'utf8',
      })
      if (status !== 0 || /"deny"/.test(stdout) !== denies) {
        throw new Error(`${name} answered "${command}" with ${status}: ${stdout}`)
      }
    }
  }
}

/** The arguments; `@event` stands for the name of the event. */
export function wordsFor(words, event) {
  return words.slice(1).map((word) => (word === '@event' ? event : word))
}

function eventFile(installation, name, text) {
  const path = join(installation.folder, `${name}.json`)
  writeFileSync(path, text)
  return path
}

function pathOf(program, ...args) {
  const { status, stdout } = spawnSync(program, args, { encoding: 'utf8' })
  return status === 0 && stdout.trim() !== '' ? stdout.trim() : undefined
}

/**
 * Installed from its own lock file into its own folder. Used as it registers itself in Claude Code's
 * settings, cold.
 */
export function installPeers() {
  const program = join(PEERS, 'node_modules', 'cc-safety-net', 'dist', 'bin', 'cc-safety-net.js')
  if (!existsSync(program)) spawnSync('npm', ['ci', '--prefix', PEERS, '--silent'], { stdio: 'ignore' })
  return existsSync(program) ? program : undefined
}
