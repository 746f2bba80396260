import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DENIED, HARMLESS } from './station.mjs'

const PEERS = join(import.meta.dirname, 'peers')
const PRIVATE = join(import.meta.dirname, 'private-hooks')

/** Names that other files look figures up by. */
export const NAMES = {
  true: '/bin/true',
  native: 'Holdpoint, harmless command',
  nativeDenied: 'Holdpoint, denied command',
  http: 'Holdpoint over HTTP',
  oneShot: 'Holdpoint without daemon',
  node: 'node -e 0',
  safetyNet: 'cc-safety-net 2.4.5',
  jq: 'bash and jq, private script',
  python: 'python3, private script',
}

/** What is timed, each with its words and its event, and what is missing here, each with the reason. */
export function gatherContenders(root, station) {
  const harmless = eventFile(station, 'harmless', station.event(HARMLESS))
  const denied = eventFile(station, 'denied', station.event(DENIED))
  const nothing = eventFile(station, 'nothing', '')
  const words = ['claude-code', '--home', station.home.folder, '--event', 'PreToolUse']
  const missing = {}
  const found = (name, program, why) => {
    if (program === undefined) missing[name] = why
    return program !== undefined
  }
  const native = station.program === 'native' ? station.home.hookProgram : undefined
  const bash = pathOf('bash', '-c', 'command -v bash')
  const jq = bash && pathOf('bash', '-c', 'command -v jq')
  // The interpreter itself: a version manager's shim in front of it would be measured instead.
  const python = pathOf('python3', '-c', 'import sys; print(sys.executable)')
  const peer = installPeers()
  const all = [
    { name: NAMES.true, file: nothing, words: ['/bin/true'] },
    found(NAMES.native, native, 'no C compiler') && {
      name: NAMES.native,
      file: harmless,
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
      words: [process.execPath, join(root, 'dist', 'hook.cjs'), ...words],
    },
    { name: NAMES.node, file: nothing, words: [process.execPath, '-e', '0'] },
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

/** A hook that does not guard is quick: each must stop the one command and let the other pass. */
export function checkAnswers(contenders, station) {
  for (const { name, words } of contenders) {
    if (name === NAMES.true || name === NAMES.node) continue
    for (const [command, denies] of [
      [HARMLESS, false],
      ['git push --force origin main', true],
    ]) {
      const input = station.event(command, { use: `check-${denies}` })
      const { stdout, status } = spawnSync(words[0], words.slice(1), {
        input,
        env: station.env,
        cwd: station.project,
        encoding: 'utf8',
      })
      if (status !== 0 || /"deny"/.test(stdout) !== denies) {
        throw new Error(`${name} answered "${command}" with ${status}: ${stdout}`)
      }
    }
  }
}

function eventFile(station, name, text) {
  const path = join(station.folder, `${name}.json`)
  writeFileSync(path, text)
  return path
}

function pathOf(program, ...args) {
  const { status, stdout } = spawnSync(program, args, { encoding: 'utf8' })
  return status === 0 && stdout.trim() !== '' ? stdout.trim() : undefined
}

/** From its own lock file into its own folder; the way it enters itself into Claude Code's settings, cold. */
function installPeers() {
  const program = join(PEERS, 'node_modules', 'cc-safety-net', 'dist', 'bin', 'cc-safety-net.js')
  if (!existsSync(program)) spawnSync('npm', ['ci', '--prefix', PEERS, '--silent'], { stdio: 'ignore' })
  return existsSync(program) ? program : undefined
}
