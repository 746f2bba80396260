import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DENIED, HARMLESS } from './installation.mjs'
import { rate } from './rate.mjs'
import { lineFrom } from './tools.mjs'

const COMMANDS = [
  'git status',
  'ls -la src | head -20',
  'npm run build && npm test -- --run',
  'git commit -m "docs: say why rm -rf / is stopped"',
  'for f in *.ts; do sed -i "s/a/b/" "$f"; done',
  'curl -fsSL https://example.com/install.sh -o /tmp/install.sh',
  "grep -rn 'TODO' src",
  DENIED,
]
/** Makes a command one that was never seen: `load` replaces it by a number. */
const NEW = '# @@@@@@@@'
const SESSIONS = 8

/** @typedef {import('./installation.mjs').Installation} Installation */
/** @typedef {import('./installation.mjs').ConnectionKind} ConnectionKind */
/** @typedef {import('./amounts.mjs').Amounts} Amounts */
/** @typedef {import('./tools.mjs').Tools} Tools */
/** @typedef {readonly [command: string, session: string]} Call */

/**
 * Eight commands of eight sessions in turn, in the format of the load generator.
 * @param {Installation} installation
 * @param {ConnectionKind} kind
 * @param {boolean} areNew
 */
export function sessionFrames(installation, kind, areNew) {
  const events = Array.from({ length: SESSIONS }, (_, i) =>
    COMMANDS.map(
      (command) => /** @type {const} */ ([areNew ? `${command} ${NEW}` : command, `session-${i}`]),
    ),
  )
  return framesFile(installation, `${kind}-${areNew}`, events.flat(), installation.home.folder, kind)
}

/**
 * Decisions per second of one daemon under full load.
 * @param {Installation} installation
 * @param {Tools} tools
 * @param {Amounts} amounts
 */
export function measureThroughput(installation, tools, amounts) {
  /** @type {(kind: ConnectionKind, areNew: boolean) => string} */
  const frames = (kind, areNew) => sessionFrames(installation, kind, areNew)
  // In its first seconds a daemon is busy compiling.
  ask(installation, tools, frames('kept', false), 8, 'kept', {
    ...amounts,
    measuredMs: amounts.daemonWarmUpMs,
  })
  /** @type {readonly (readonly [connections: number, kind: ConnectionKind, areNew?: boolean])[]} */
  const cases = [
    [1, 'kept'],
    [8, 'kept'],
    [64, 'kept'],
    [8, 'fresh'],
    [8, 'kept', true],
  ]
  return cases.map(([connections, kind, areNew = false]) => ({
    connections,
    kind,
    areNew,
    ...ask(installation, tools, frames(kind, areNew), connections, kind, amounts),
  }))
}

/**
 * @param {ReturnType<typeof measureThroughput>} results
 * @returns {import('./report.mjs').Section}
 */
export function throughputRows(results) {
  return {
    title: 'Decisions of one daemon',
    head: ['connections', 'decisions/s', 'p50 µs', 'p99 µs'],
    rows: results.map((each) => [
      labelOf(each).padEnd(28),
      rate(each.perSecond),
      shownUs(each.p50),
      shownUs(each.p99),
    ]),
    note: `One question in flight on each connection; eight commands of eight sessions in turn, one of them denied; every decision is journalled. The daemon has seen these calls before, except in the last row. The load generator is C and stays on one of the two processors.`,
  }
}

/** @param {{ readonly connections: number, readonly kind: ConnectionKind, readonly areNew: boolean }} load */
export function labelOf({ connections, kind, areNew }) {
  if (areNew) return `${connections}, all calls new`
  return kind === 'fresh' ? `${connections}, a new one per question` : `${connections}`
}

/**
 * Many agents at the same moment. `byDaemon` counts answers of the daemon; all others came from one-shot
 * hooks.
 * @param {Installation} installation
 * @param {Tools} tools
 * @param {Amounts} amounts
 */
export async function measureBursts(installation, tools, amounts) {
  const bursts = []
  for (const clients of amounts.clients) bursts.push(await measureBurst(installation, tools, clients))
  return bursts
}

/**
 * @param {Installation} installation
 * @param {Tools} tools
 * @param {number} clients
 */
async function measureBurst(installation, tools, clients) {
  const before = await installation.status()
  const words = [
    installation.home.hookProgram,
    'claude-code',
    '--home',
    installation.home.folder,
    '--event',
    'PreToolUse',
  ]
  const file = join(installation.folder, 'burst.json')
  writeFileSync(file, installation.event(DENIED, { use: 'burst' }))
  const [ns = Number.NaN, denied = Number.NaN] = lineFrom(
    tools.time,
    ['burst', `${clients}`, file, ...words],
    {
      env: installation.env,
      cwd: installation.project,
    },
  )
  const after = await installation.status()
  return { clients, denied, ms: ns / 1e6, byDaemon: after.answered - before.answered }
}

/**
 * @param {Awaited<ReturnType<typeof measureBursts>>} bursts
 * @returns {import('./report.mjs').Section}
 */
export function burstRows(bursts) {
  return {
    title: 'Many clients at once',
    head: ['clients', 'answered', 'by the daemon', 'all of them ms', 'ms a client'],
    rows: bursts.map(({ clients, denied, ms, byDaemon }) => [
      `${clients}`,
      `${denied}`,
      `${byDaemon}`,
      ms.toFixed(0),
      (ms / clients).toFixed(2),
    ]),
    note: 'Native clients started one after the other without waiting, each with a command that must be denied.',
  }
}

/**
 * The cost of your own hooks: module hooks in one warm process, in addition to the built-in packs.
 * @param {Installation} installation
 * @param {Tools} tools
 * @param {Amounts} amounts
 */
export function measureHandlers(installation, tools, amounts) {
  /** @type {readonly (readonly [name: string, hooks: number, match: string])[]} */
  const cases = [
    ['no hooks', 0, ''],
    ['1 module hook, matches', 1, ''],
    ['10 module hooks, all match', 10, ''],
    ['100 module hooks, all match', 100, ''],
    ['100 module hooks, none matches', 100, ', match: Write'],
  ]
  return cases.map(([name, count, match], i) => {
    const hooks = Array.from(
      { length: count },
      (_, n) => `    - { id: bench-${n}, run: { module: ./hook.mjs }, timeoutMs: 20000${match} }\n`,
    )
    const config = `version: 1\n${count === 0 ? '' : `hooks:\n  PreToolUse:\n${hooks.join('')}`}`
    const home = installation.writeHome(`home-${i}`, config, {
      'hook.mjs': 'export default () => undefined\n',
    })
    /** @type {readonly Call[]} */
    const events = [[`${HARMLESS} ${NEW}`, `session-${i}`]]
    const frames = framesFile(installation, `home-${i}`, events, home, 'kept')
    return { name, ...ask(installation, tools, frames, 1, 'kept', amounts) }
  })
}

/**
 * @param {ReturnType<typeof measureHandlers>} results
 * @returns {import('./report.mjs').Section}
 */
export function handlerRows(results) {
  const base = results[0]?.p50 ?? Number.NaN
  return {
    title: 'Hooks of your own',
    head: ['configuration', 'p50 / no hooks', 'p50 µs', 'p99 µs'],
    rows: results.map(({ name, p50, p99 }) => [
      name.padEnd(32),
      `${(p50 / base).toFixed(2)}x`,
      shownUs(p50),
      shownUs(p99),
    ]),
    note: 'One connection, a harmless command that is new each time, all built-in packs on. A module hook is a function in a process that keeps running.',
  }
}

/**
 * @param {Installation} installation
 * @param {Tools} tools
 * @param {string} frames
 * @param {number} connections
 * @param {ConnectionKind} kind
 * @param {Pick<Amounts, 'loadWarmUpMs' | 'measuredMs'>} amounts
 */
function ask(installation, tools, frames, connections, kind, { loadWarmUpMs: warmUpMs, measuredMs }) {
  return loadFor(installation, tools, frames, { connections, kind, warmUpMs, measuredMs })
}

/** @param {number} ns */
function shownUs(ns) {
  return Math.round(ns / 1000).toLocaleString('en')
}

/**
 * @param {Installation} installation
 * @param {Tools} tools
 * @param {string} frames
 * @param {{ readonly connections: number, readonly kind: ConnectionKind, readonly warmUpMs: number, readonly measuredMs: number }} load
 */
export function loadFor(installation, tools, frames, { connections, kind, warmUpMs, measuredMs }) {
  const words = [installation.socket, frames, `${connections}`, kind, `${warmUpMs}`, `${measuredMs}`]
  const [answers = Number.NaN, ns = Number.NaN, p50 = Number.NaN, p99 = Number.NaN] = lineFrom(
    tools.load,
    words,
  )
  return { perSecond: (answers * 1e9) / ns, p50, p99 }
}

/**
 * In the format that load.c reads.
 * @param {Installation} installation
 * @param {string} name
 * @param {readonly Call[]} events
 * @param {string} home
 * @param {ConnectionKind} kind
 */
function framesFile(installation, name, events, home, kind) {
  const parts = events.flatMap(([command, session]) => {
    const event = installation.event(command, { session, use: '@@@@@@@@' })
    const frame = installation.frame(event, home, kind)
    const head = Buffer.alloc(8)
    head.writeUInt32LE(frame.length, 0)
    head.writeUInt32LE(command.startsWith(DENIED) ? 1 : 0, 4)
    return [head, frame]
  })
  const path = join(installation.folder, `${name}.frames`)
  writeFileSync(path, Buffer.concat(parts))
  return path
}
