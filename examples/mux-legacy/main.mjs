// The older rules for an orchestrator (pack `mux-legacy`).
// From a clone: npm ci && npm run build && node examples/mux-legacy/main.mjs
import { createRuntime } from 'holdpoint'

const runtime = createRuntime({ packs: ['mux-legacy'], cwd: import.meta.dirname })

let calls = 0
async function tries(tool, input) {
  calls += 1
  const event = { kind: 'PreToolUse', session: 'demo', tool: { name: tool, input, useId: `call-${calls}` } }
  const { effect, reason } = await runtime.evaluate(event)
  const why = reason === undefined || reason === '' ? '' : `: ${reason.split(/\. | because |\n/)[0]}`
  console.log(`${tool} ${Object.values(input)[0]} → ${effect}${why}`)
  if (effect !== 'deny') await runtime.evaluate({ ...event, kind: 'PostToolUse', output: 'ok' })
}

await tries('Grep', { pattern: 'TODO' }) // not an orchestrator yet
await tries('Skill', { skill: 'mux' })
await tries('Grep', { pattern: 'TODO' })
await tries('WebFetch', { url: 'https://example.com', prompt: 'What is it?' })
await tries('TaskList', { status: 'all' })
await tries('Bash', { command: 'uv run tools/verify.py' })
await tries('Bash', { command: 'uv run tools/verify.py' }) // nothing has changed since
await tries('Bash', { command: 'cat notes.txt' })
