import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { checkAnswers, gatherContenders, NAMES, wordsFor } from './contenders.mjs'
import { HARMLESS } from './installation.mjs'
import { percentile } from './rate.mjs'
import { mixOf, sessionEvents } from './session-calls.mjs'
import { numbersFrom } from './tools.mjs'

/** This many rounds in a row, so that a busy minute of the machine affects all contenders equally. */
const STRETCH = 50

/** @typedef {import('./installation.mjs').Installation} Installation */
/** @typedef {import('./contenders.mjs').Contender} Contender */

/**
 * One hook call from its start to its answer: Holdpoint and its alternatives, in turn.
 * @param {Installation} installation
 * @param {import('./tools.mjs').Tools | undefined} tools
 * @param {import('./amounts.mjs').Amounts} amounts
 */
export async function measureCalls(installation, tools, { rounds, warmUpRounds }) {
  const { contenders, missing } = gatherContenders(installation)
  checkAnswers(contenders, installation)
  /** @param {number} count */
  const run = (count) => {
    const lines =
      tools === undefined
        ? timeWithNode(contenders, installation, count)
        : timeWith(tools, contenders, installation, count)
    return contenders.map((_, i) => lines.map((line) => line[i] ?? Number.NaN))
  }
  const http = createHttpCaller(installation)
  run(warmUpRounds)
  await http.time(warmUpRounds)
  /** @type {Map<string, number[]>} */
  const times = new Map([...contenders.map(({ name }) => name), NAMES.http].map((name) => [name, []]))
  for (let done = 0; done < rounds; done += STRETCH) {
    const count = Math.min(STRETCH, rounds - done)
    for (const [i, all] of run(count).entries()) times.get(contenders[i]?.name ?? '')?.push(...all)
    times.get(NAMES.http)?.push(...(await http.time(count)))
    process.stderr.write(`\r  ${done + count} of ${rounds} rounds `)
  }
  process.stderr.write('\n')
  http.close()
  return { times, missing, isLight: tools !== undefined, mix: mixOf(sessionEvents(installation)) }
}

/**
 * @param {Awaited<ReturnType<typeof measureCalls>>} measured
 * @param {number} rounds
 * @returns {import('./report.mjs').Section}
 */
export function callRows({ times, missing, isLight, mix }, rounds) {
  const base = percentile(times.get(NAMES.true) ?? [], 50)
  /** @param {number} ns */
  const ms = (ns) => (ns / 1e6).toFixed(2)
  const rows = Object.values(NAMES).map((name) => {
    const all = times.get(name)
    if (all === undefined) return [name.padEnd(28), `not measured: ${missing[name]}`, '', '', '']
    const middle = percentile(all, 50)
    return [
      name.padEnd(28),
      `${(middle / base).toFixed(2)}x`,
      ...[50, 90, 99].map((p) => ms(percentile(all, p))),
    ]
  })
  const timer = isLight
    ? 'Timed by a small C program: start, event through a pipe, answer read, end.'
    : 'Timed from Node, because there is no C compiler: about a millisecond of every figure is Node starting it.'
  return {
    title: 'One hook call',
    head: ['hook', 'p50 / `/bin/true`', 'p50 ms', 'p90 ms', 'p99 ms'],
    rows,
    note: `${rounds} interleaved rounds; all built-in packs on; the daemon warm. Events of sessions: a session that was recorded from Claude Code, then sixteen calls as agents make them, each before and after it ran, all in turn and all calls new: ${mix}. The rows below it are these sixteen calls before they run, in turn: nine commands, seven calls of other tools (scripts/bench/session-calls.mjs). A new call has a name or number that was never used before; a call seen before is the same in all respects except its id. Before each of them another program has run, so the caches of the processor are cold. ${timer} The call over HTTP starts no process: one POST on an open connection, from Node.`,
  }
}

/**
 * @param {import('./tools.mjs').Tools} tools
 * @param {readonly Contender[]} contenders
 * @param {Installation} installation
 * @param {number} count
 */
function timeWith({ time }, contenders, installation, count) {
  const words = contenders.flatMap((each, i) => [...(i === 0 ? [] : ['--next']), each.file, ...each.words])
  return numbersFrom(time, ['rounds', `${count}`, ...words], {
    env: installation.env,
    cwd: installation.project,
  })
}

/**
 * @param {readonly Contender[]} contenders
 * @param {Installation} installation
 * @param {number} count
 */
function timeWithNode(contenders, installation, count) {
  const inputs = contenders.map(({ file }) => readFileSync(file, 'utf8').split('\0'))
  return Array.from({ length: count }, (_, round) =>
    contenders.map(({ name, words }, i) => {
      const started = process.hrtime.bigint()
      const input = (inputs[i]?.[round % inputs[i].length] ?? '').replaceAll('@@@@@@@@', `${Date.now()}`)
      const event = input === '' ? '' : JSON.parse(input).hook_event_name
      const { status } = spawnSync(words[0], wordsFor(words, event), {
        input,
        env: installation.env,
        cwd: installation.project,
      })
      if (status !== 0) throw new Error(`${name} ended with ${status}`)
      return Number(process.hrtime.bigint() - started)
    }),
  )
}

/** @param {Installation} installation */
function createHttpCaller({ http: { port, secret }, event }) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }
  const options = {
    agent,
    port,
    host: '127.0.0.1',
    path: '/hook/claude-code?event=PreToolUse',
    method: 'POST',
  }
  let asked = 0
  /** @type {(body: string) => Promise<void>} */
  const call = (body) =>
    new Promise((resolve, reject) => {
      const length = { 'content-length': Buffer.byteLength(body) }
      const asking = request({ ...options, headers: { ...headers, ...length } }, (response) => {
        response.resume()
        response.on('end', () => (response.statusCode === 200 ? resolve() : reject(new Error('HTTP failed'))))
      })
      asking.on('error', reject)
      asking.end(body)
    })
  return {
    /** @param {number} count */
    async time(count) {
      const times = []
      for (let i = 0; i < count; i += 1) {
        asked += 1
        const body = event(HARMLESS, { use: `http-${asked}` })
        const started = process.hrtime.bigint()
        await call(body)
        times.push(Number(process.hrtime.bigint() - started))
      }
      return times
    },
    close: () => agent.destroy(),
  }
}
