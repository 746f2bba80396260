import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { HARMLESS } from './installation.mjs'
import { percentile } from './rate.mjs'

const WARM_UP = 50

/** A tool call of an agent that asks from its own process, compared with the same call without a check. */
export async function measureInProcess(root, { home, project, env }, rounds) {
  const load = (path) => import(pathToFileURL(join(root, 'dist', path)))
  const { createClient } = await load('lib/client.js')
  const { opencode } = await load('plugins.mjs')
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
      const payload = { hook_event_name: 'tool.execute.before', cwd: project, ...fields }
      payload.tool_input = { command: HARMLESS }
      const { kind, reason } = await client.judge({ event: 'PreToolUse', payload, cwd: project, env })
      if (kind !== 'pass') throw new Error(`the call was stopped: ${reason}`)
    },
    // It throws if the call is stopped.
    plugin: () => {
      const { session, call } = next()
      const args = { command: HARMLESS }
      return plugin['tool.execute.before']({ tool: 'bash', sessionID: session, callID: call }, { args })
    },
  }
  const times = { bare: [], client: [], plugin: [] }
  for (let round = -WARM_UP; round < rounds; round += 1) {
    for (const [name, check] of Object.entries(checks)) {
      const started = performance.now()
      await check()
      await tool()
      if (round >= 0) times[name].push((performance.now() - started) * 1_000)
    }
  }
  return times
}

export function inProcessRows({ bare, client, plugin }) {
  const shown = (us) => Math.round(us).toLocaleString('en')
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
