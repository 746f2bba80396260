import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { installedPackage } from '../../installed.ts'
import { notRan, notRecorded, RAN, ran, recorded, told } from '../checks.ts'
import { install, uninstall } from '../install.ts'
import type { Sandbox } from '../sandbox.ts'
import type { Chapter } from '../scenario.ts'
import { differences, type Snapshot, snapshot } from '../snapshot.ts'
import { DENY, LEAVE_A_MARK } from './tools.ts'

/** Installing and uninstalling. */

const once = { main: [{ do: [{ shell: LEAVE_A_MARK }] }] }

const FIRST = 'first.txt'
const GONE = 'gone.txt'
/** The agent's shell waits, so that the second call comes after the removal. */
const UNTIL_GONE = `for i in $(seq 600); do [ -e ${GONE} ] && break; sleep 0.1; done`
const DENY_SECOND = `case "$event" in *"${RAN}"*) echo '${JSON.stringify(DENY.answer)}' ;; *) echo '{}' ;; esac`

export const installation: Chapter = {
  title: 'Installation',
  scenarios: [
    {
      name: 'installed a second time, then taken out',
      policy: { hooks: [DENY] },
      arrange: inAndOut,
      script: once,
      expected: {
        'claude-code': [ran(RAN, 'its files are as before, byte for byte; nothing is held'), notRecorded({})],
        codex: [ran(RAN, 'its files are as before, byte for byte; nothing is held'), notRecorded({})],
      },
    },
    {
      name: 'the package, the npx cache and the Node that installed it are gone',
      policy: { hooks: [DENY] },
      arrange: (sandbox) => fromCache(sandbox)(),
      script: once,
      expected: {
        'claude-code': [notRan(), told('Red tape: not today.'), recorded({ effect: 'deny' })],
        codex: [notRan(), told('Red tape: not today.'), recorded({ effect: 'deny' })],
      },
    },
    {
      name: 'they go while the program runs',
      policy: { hooks: [{ ...DENY, answer: DENY_SECOND }] },
      arrange: (sandbox) => onceThere(join(sandbox.places.project, FIRST), fromCache(sandbox)),
      script: {
        main: [
          { do: [{ shell: `echo first > ${FIRST}; ${UNTIL_GONE}` }] },
          { do: [{ shell: LEAVE_A_MARK }] },
        ],
      },
      expected: {
        'claude-code': [
          ran(FIRST, 'the first call runs'),
          notRan(RAN, 'the second is not run'),
          recorded({ effect: 'deny' }),
        ],
        codex: [
          ran(FIRST, 'the first call runs'),
          notRan(RAN, 'the second is not run'),
          recorded({ effect: 'deny' }),
        ],
      },
    },
    {
      name: 'hooks that no person has reviewed in the program',
      policy: { hooks: [DENY] },
      options: { unseen: true },
      script: once,
      expected: {
        'claude-code': { cannot: 'asks for no review of the hooks of a user' },
        codex: [
          ran(RAN, '**runs**: hooks are skipped in silence until they are trusted in `/hooks`'),
          notRecorded({}),
        ],
      },
    },
  ],
}

/** Installs again from a cache of npx and from a version manager. The returned function removes both. */
function fromCache(sandbox: Sandbox): () => void {
  const cache = join(sandbox.places.home, '.npm', '_npx', '0123456789abcdef', 'node_modules')
  const versions = join(sandbox.places.home, '.nvm', 'versions', 'node')
  const bin = join(versions, 'v20.19.0', 'bin')
  cpSync(dirname(installedPackage()), cache, { recursive: true, verbatimSymlinks: true })
  mkdirSync(bin, { recursive: true })
  cpSync(process.execPath, join(bin, 'node'))
  install(sandbox, sandbox.agent, [], join(cache, '.bin', 'holdpoint'), `${bin}:${sandbox.env.PATH}`)
  return () => {
    rmSync(cache, { recursive: true })
    rmSync(versions, { recursive: true })
    sandbox.holdpoint(['daemon', 'stop', '--home', sandbox.places.holdpoint])
  }
}

/** Acts once the file exists, and then writes another file. */
function onceThere(file: string, act: () => void): () => void {
  const look = setInterval(() => {
    if (!existsSync(file)) return
    clearInterval(look)
    act()
    writeFileSync(join(dirname(file), GONE), '')
  }, 50)
  return () => clearInterval(look)
}

export function inAndOut(sandbox: Sandbox): void {
  const homeNow = () => snapshot(sandbox.places.home, sandbox.agent.scratch)
  const installed = homeNow()
  install(sandbox, sandbox.agent)
  same(homeNow(), installed, 'a second `init` changes files')
  uninstall(sandbox)
  same(homeNow(), sandbox.homeBefore, '`uninstall` leaves files changed')
}

function same(now: Snapshot, before: Snapshot, what: string): void {
  const changed = differences(now, before)
  if (changed.length > 0) throw new Error(`${what}: ${changed.join(', ')}`)
}
