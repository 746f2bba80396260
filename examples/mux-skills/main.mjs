// An orchestrator that may only delegate (pack `mux`): what it tries, and what is decided.
// From a clone: npm ci && npm run build && node examples/mux-skills/main.mjs
import { createRuntime } from 'holdpoint'

const runtime = createRuntime({ packs: ['mux'], cwd: import.meta.dirname })

let calls = 0
async function tries(tool, input, agent) {
  calls += 1
  const who = agent === undefined ? {} : { agent, agentType: 'general-purpose' }
  const event = {
    kind: 'PreToolUse',
    session: 'demo',
    ...who,
    tool: { name: tool, input, useId: `call-${calls}` },
  }
  const { effect, reason } = await runtime.evaluate(event)
  const why = reason === undefined || reason === '' ? '' : `: ${reason.split(/\. |\n/)[0]}`
  console.log(`${agent ?? 'orchestrator'} ${tool} → ${effect}${why}`)
  if (effect !== 'deny') await runtime.evaluate({ ...event, kind: 'PostToolUse', output: 'ok' })
}

const agent = {
  description: 'Research',
  prompt: 'Read agents/researcher.md.',
  subagent_type: 'general-purpose',
}
await tries('Read', { file_path: 'notes.txt' }) // not an orchestrator yet
await tries('Skill', { skill: 'mux' })
await tries('Read', { file_path: 'notes.txt' })
await tries('Write', { file_path: 'a.txt', content: 'x' })
await tries('Bash', { command: 'cat notes.txt' })
await tries('Bash', { command: 'mkdir -p tmp/mux/demo/.signals' })
await tries('Task', agent)
await tries('Task', { ...agent, run_in_background: true })
await tries('Skill', { skill: 'mux-subagent' }, 'researcher')
await tries('Read', { file_path: 'notes.txt' }, 'researcher')
await tries('TaskOutput', { task_id: '1' }, 'researcher')
