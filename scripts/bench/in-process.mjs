import { readFile } from 'node:fs/promises'
import { packedModule } from '../built-module.mjs'
import { HARMLESS } from './installation.mjs'
import { percentile } from './rate.mjs'

/**
 * A tool call of an agent that asks from its own process, compared with the same call without a check.
 * @param {import('./installation.mjs').Installation} installation
 * @param {import('./amounts.mjs').Amounts} amounts
 */
export async function measureInProcess({ home, project, env }, { rounds, callWarmUps }) {
  const { createClient } = await packedModule('lib/client.js')
  const { opencode } = await packedModule('plugins.mjs')
  const client = createClient({ home: home.folder, host: 'opencode' })
  const plugin = await opencode({ home: home.folder, host: 'opencode' }, { directory: project })
  let calls = 0
  const next = () => {
    calls += 1
    return { session: `ses_${calls % 8}`, call: `call_${calls}` }
  }
  const tool = () => readFile(import.meta.filename, 'utf8')
  const checks = {
    bare: async () => {},
    client: async () => {
      const { session, call } = next()
      const fields = { session_id: session, tool_name: 'bash', tool_use_id: call }
      const payload = {
        ...{ hook_event_name: 'tool.execute.before', cwd: project, ...fields },
        tool_input: { command: HARMLESS },
      }
      const answer = await client.judge({ event: 'PreToolUse', payload, cwd: project, env })
      if (answer.kind !== 'pass') throw new Error(`the call was stopped: ${answer.reason}`)
    },
    // It throws if the call is stopped.
    plugin: () => {
      const { session, call } = next()
      const args = { command: HARMLESS }
      return plugin['tool.execute.before']({ tool: 'bash', sessionID: session, callID: call }, { args })
    },
  }
  /** @type {Record<keyof typeof checks, number[]>} */
  const times = { bare: [], client: [], plugin: [] }
  for (let round = -callWarmUps; round < rounds; round += 1) {
    for (const name of /** @type {const} */ (['bare', 'client', 'plugin'])) {
      const started = performance.now()
      await checks[name]()
      await tool()
      if (round >= 0) times[name].push((performance.now() - started) * 1_000)
    }
  }
  return times
}

/**
 * @param {Awaited<ReturnType<typeof measureInProcess>>} times
 * @returns {import('./report.mjs').Section}
 */
export function inProcessRows({ bare, client, plugin }) {
  /** @param {number} us */
  const shown = (us) => Math.round(us).toLocaleString('en')
  /** @type {(name: string, all: readonly number[]) => string[]} */
  const row = (name, all) => [
    name.padEnd(28),
    ...[50, 99].map((p) => shown(percentile(all, p))),
    ...[50, 99].map((p) => (all === bare ? '' : shown(percentile(all, p) - percentile(bare, p)))),
  ]
  return {
    title: "A tool call checked from the agent's process",
    head: ['call', 'p50 µs', 'p99 µs', 'check p50 µs', 'check p99 µs'],
    rows: [
      row('without a check', bare),
      row('`holdpoint/client`', client),
      row('the plugin of OpenCode', plugin),
    ],
    note: 'A tool that reads a small file, with a harmless command to check before it, by a warm daemon. Measured in turn in one process; "check" is the difference to a call without one.',
  }
}
