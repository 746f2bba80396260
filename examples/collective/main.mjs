// A collective (pack `collective`): protected files, a handoff whose tests fail, and one that is passed on.
// From a clone: npm ci && npm run build && node examples/collective/main.mjs
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRuntime } from 'holdpoint'

const cwd = mkdtempSync(join(tmpdir(), 'holdpoint-collective-'))
const options = { test: 'test -e fixed || { echo "1 test failed"; exit 1; }', build: false }
const runtime = createRuntime({ packs: { collective: options }, cwd })

async function shows(what, event) {
  const { effect, reason, injections } = await runtime.evaluate({ session: 'demo', cwd, ...event })
  const text = [reason, ...injections.tool_result, ...injections.user_message].filter(Boolean).join(' ')
  console.log(`${what} → ${effect}${text === '' ? '' : `: ${text.replaceAll(/\s+/g, ' ').slice(0, 110)}`}`)
}

const READY = [
  'The module is done, with tests.',
  'HANDOFF_TOKEN: MODULE_20260115_120000',
  'COLLECTIVE_HANDOFF_READY',
  'Use the unit-testing-agent subagent to test the module.',
].join('\n\n')
const coder = { agent: 'a1', agentType: 'module-development-agent' }
const ends = { kind: 'SubagentStop', ...coder, lastMessage: READY }

await shows('read settings.php', {
  kind: 'PreToolUse',
  tool: { name: 'Read', input: { file_path: 'settings.php' } },
})
await shows('rm -rf /', { kind: 'PreToolUse', tool: { name: 'Bash', input: { command: 'rm -rf /' } } })
await shows('an agent starts', { kind: 'SubagentStart', ...coder })
await shows('it hands its work on, its test fails', ends)
writeFileSync(join(cwd, 'fixed'), '')
await shows('it hands its work on, its test passes', ends)
await shows('its parent wants to stop', { kind: 'Stop', lastMessage: 'Done.' })
console.log('metrics were written:', existsSync(join(cwd, '.claude-collective', 'metrics')))
rmSync(cwd, { recursive: true, force: true })
