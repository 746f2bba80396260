import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { percentile } from './rate.mjs'

/** @typedef {import('./installation.mjs').Installation} Installation */

/** What is started, and the exit codes with which it may end. */
const COMMANDS = /** @type {const} */ ([
  { name: 'node -e 0', words: ['-e', '0'], isOwn: false, codes: [0] },
  { name: 'holdpoint --version', words: ['--version'], isOwn: true, codes: [0] },
  { name: "holdpoint test 'rm -rf x'", words: ['test', 'rm -rf x'], isOwn: true, codes: [0] },
  // 1: nothing is guarded, as in a home without hooks.
  { name: 'holdpoint status', words: ['status'], isOwn: true, codes: [0, 1] },
])

/** The names under which other files find the results. */
export const START_UPS = COMMANDS.map(({ name }) => name)

/**
 * The processor time of whole commands of the installed package, in turn with `node -e 0`: in a home where nothing is
 * installed, and in the home of the installation, where `init` has made a copy with room for compiled code.
 * @param {Installation} installation
 * @param {import('./amounts.mjs').Amounts} amounts
 */
export function measureStartUp(installation, { startUps: rounds }) {
  const fresh = mkdtempSync(join(installation.folder, 'fresh-'))
  const bare = join(fresh, 'project')
  for (const path of [join(fresh, 'bin'), join(bare, '.git')]) mkdirSync(path, { recursive: true })
  try {
    const homes = /** @type {const} */ ({
      before: { HOME: fresh },
      after: { HOME: installation.env.HOME, HOLDPOINT_HOME: installation.home.folder },
    })
    // No agent is on this path: `status` starts those that are, for their versions.
    const path = { PATH: join(fresh, 'bin') }
    const { program } = installation.installed
    /** @type {(home: Readonly<Record<string, string>>, cwd: string) => ReadonlyMap<string, number>} */
    const measured = (home, cwd) => inTurn(program, { env: { ...path, ...home }, cwd }, rounds)
    return {
      rounds,
      before: measured(homes.before, bare),
      after: measured(homes.after, installation.project),
    }
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
}

/** @typedef {{ readonly env: Readonly<Record<string, string>>, readonly cwd: string }} Place */

/**
 * The milliseconds of each command, by its name.
 * @param {string} program
 * @param {Place} place
 * @param {number} rounds
 * @returns {ReadonlyMap<string, number>}
 */
function inTurn(program, place, rounds) {
  /** @type {ReadonlyMap<string, number[]>} */
  const times = new Map(START_UPS.map((name) => [name, []]))
  // The first round makes the plan and the compiled code that later ones use.
  for (let round = -1; round < rounds; round += 1) {
    for (const { name, words, isOwn, codes } of COMMANDS) {
      const ms = processorMs([process.execPath, ...(isOwn ? [program] : []), ...words], place, codes)
      if (round >= 0) times.get(name)?.push(ms)
    }
  }
  return new Map([...times].map(([name, all]) => [name, percentile(all, 50)]))
}

/**
 * Node cannot ask what a process that has ended took; the shell can.
 * @param {readonly string[]} command
 * @param {Place} place
 * @param {readonly number[]} codes
 */
function processorMs(command, place, codes) {
  const script = 'TIMEFORMAT="%3U %3S"; { time "$@" >/dev/null 2>&1; } 2>&1'
  const { stdout, status } = spawnSync('/bin/bash', ['-c', script, 'bash', ...command], {
    ...place,
    encoding: 'utf8',
  })
  if (status === null || !codes.includes(status)) throw new Error(`${command.join(' ')} ended with ${status}`)
  const [user = Number.NaN, system = Number.NaN] = stdout.trim().split(' ').map(Number)
  return (user + system) * 1000
}

/**
 * @param {ReturnType<typeof measureStartUp>} measured
 * @returns {import('./report.mjs').Section}
 */
export function startUpRows({ rounds, before, after }) {
  const [base = ''] = START_UPS
  /** @type {(times: ReadonlyMap<string, number>, name: string) => string} */
  const ratio = (times, name) => `${((times.get(name) ?? 0) / (times.get(base) ?? 0)).toFixed(2)}x`
  return {
    title: 'Start-up',
    head: ['command', 'in a fresh home / `node -e 0`', 'ms', 'after `init` / `node -e 0`', 'ms'],
    rows: START_UPS.map((name) => [
      `\`${name}\``.padEnd(28),
      ...[before, after].flatMap((times) => [ratio(times, name), (times.get(name) ?? 0).toFixed(0)]),
    ]),
    note: `Processor time of the whole process, user and system; medians of ${rounds} rounds in turn. The program that npm installed from the tarball is started, with no agent on its path: in the first columns in a home and a project without any file of Holdpoint, in the last ones with configuration in both. \`init\` makes a copy of the programs with room for compiled code, which every later start uses. What a start does is also counted by a test: see test/package/start-up.test.ts.`,
  }
}
