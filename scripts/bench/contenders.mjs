import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DENIED, HARMLESS } from './installation.mjs'
import { callEvents, sessionEvents } from './session-calls.mjs'

const PEERS = join(import.meta.dirname, 'peers')
const PRIVATE = join(import.meta.dirname, 'private-hooks')

/**
 * @typedef {object} Contender
 * @property {string} name
 * @property {string} file With its event.
 * @property {readonly [program: string, ...args: string[]]} words
 */

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

/**
 * What is timed, each with its arguments and its event, and what is missing here, each with the reason.
 * @param {import('./installation.mjs').Installation} installation
 */
export function gatherContenders(installation) {
  const harmless = eventFile(installation, 'harmless', installation.event(HARMLESS))
  const session = sessionEvents(installation).map((event) => JSON.stringify(event))
  const inTurn = eventFile(installation, 'session', session.join('\0'))
  const seen = eventFile(installation, 'seen', callEvents(installation, { areNew: false }))
  const fresh = eventFile(installation, 'new', callEvents(installation, { areNew: true }))
  const denied = eventFile(installation, 'denied', installation.event(DENIED, { use: '@@@@@@@@' }))
  const nothing = eventFile(installation, 'nothing', '')
  const words = ['claude-code', '--home', installation.home.folder, '--event', 'PreToolUse']
  /** @type {Record<string, string>} */
  const missing = {}
  /**
   * @param {string} name
   * @param {string} file
   * @param {string | undefined} program
   * @param {(program: string) => readonly [string, ...string[]]} wordsWith
   * @param {string} why it may not be here
   * @returns {Contender[]}
   */
  const found = (name, file, program, wordsWith, why) => {
    if (program !== undefined) return [{ name, file, words: wordsWith(program) }]
    missing[name] = why
    return []
  }
  const native = installation.program === 'native' ? installation.home.hookProgram : undefined
  const bash = pathOf('bash', '-c', 'command -v bash')
  const jq = bash && pathOf('bash', '-c', 'command -v jq')
  // The interpreter itself: otherwise the shim of a version manager would be measured.
  const python = pathOf('python3', '-c', 'import sys; print(sys.executable)')
  const peer = installPeers()
  const noCompiler = 'no C compiler'
  /** @type {Contender} */
  const node = { name: NAMES.node, file: nothing, words: [process.execPath, '-e', '0'] }
  /** @type {Contender[]} */
  const contenders = [
    { name: NAMES.true, file: nothing, words: ['/bin/true'] },
    // Each event is a hook of its own in the settings of the agent.
    ...found(NAMES.session, inTurn, native, (hook) => [hook, ...words.slice(0, -1), '@event'], noCompiler),
    // Not after another call, which would leave the caches warm.
    node,
    ...found(NAMES.native, seen, native, (hook) => [hook, ...words], noCompiler),
    node,
    ...found(NAMES.nativeNew, fresh, native, (hook) => [hook, ...words], noCompiler),
    ...found(NAMES.nativeDenied, denied, native, (hook) => [hook, ...words], noCompiler),
    {
      name: NAMES.oneShot,
      file: harmless,
      // From the installed copy, as agents start it: only there is a code cache.
      words: [process.execPath, join(installation.home.runtime, 'current', 'dist', 'hook.cjs'), ...words],
    },
    ...found(NAMES.jq, harmless, jq, () => [bash ?? 'bash', join(PRIVATE, 'guard.sh')], 'no jq'),
    ...found(NAMES.python, harmless, python, (program) => [program, join(PRIVATE, 'guard.py')], 'no python3'),
    ...found(
      NAMES.safetyNet,
      harmless,
      peer,
      (program) => [process.execPath, program, 'hook', '--claude-code'],
      'it could not be installed',
    ),
  ]
  return { contenders, missing }
}

/**
 * A hook that does not guard is fast, so each must deny one command and pass the other.
 * @param {readonly Contender[]} contenders
 * @param {import('./installation.mjs').Installation} installation
 */
export function checkAnswers(contenders, installation) {
  for (const { name, words } of contenders) {
    if (name === NAMES.true || name === NAMES.node) continue
    for (const [command, denies] of /** @type {const} */ ([
      [HARMLESS, false],
      ['git push --force origin main', true],
    ])) {
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

/**
 * The arguments; `@event` stands for the name of the event.
 * @param {Contender['words']} words
 * @param {string} event
 */
export function wordsFor(words, event) {
  return words.slice(1).map((word) => (word === '@event' ? event : word))
}

/**
 * @param {import('./installation.mjs').Installation} installation
 * @param {string} name
 * @param {string} text
 */
function eventFile(installation, name, text) {
  const path = join(installation.folder, `${name}.json`)
  writeFileSync(path, text)
  return path
}

/**
 * @param {string} program
 * @param {string[]} args
 */
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
