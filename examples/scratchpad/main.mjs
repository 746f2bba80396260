// Notes that agents leave for each other (pack `scratchpad`): explained at the start, checked at the end.
// From a clone: npm ci && npm run build && node examples/scratchpad/main.mjs
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createRuntime } from 'holdpoint'

const cwd = mkdtempSync(join(tmpdir(), 'holdpoint-scratchpad-'))
const runtime = createRuntime({ packs: ['scratchpad'], cwd })
const writer = { agent: 'a1', agentType: 'spec-writer' }
const DAY = /\d{4}-\d\d-\d\d/

async function shows(what, event) {
  const { effect, reason, injections } = await runtime.evaluate({ session: 'demo', cwd, ...event })
  const text = [reason, ...injections.tool_result, ...injections.user_message].filter(Boolean).join(' ')
  const short = text.replaceAll(/\s+/g, ' ').replace(new RegExp(DAY, 'g'), 'YYYY-MM-DD').slice(0, 130)
  console.log(`${what} → ${effect}${short === '' ? '' : `: ${short}`}`)
  return text
}

function writes(path, text) {
  mkdirSync(dirname(join(cwd, path)), { recursive: true })
  writeFileSync(join(cwd, path), text)
}

const ENTRY = '## What I did\nWrote it.\n## Cross-agent observations\nNone.\n## Unresolved\nNothing.\n'
await shows('a session starts', { kind: 'SessionStart', source: 'startup' })
const told = await shows('an agent starts', { kind: 'SubagentStart', ...writer })
const day = DAY.exec(told)?.[0]
await shows('it stops without notes', { kind: 'SubagentStop', ...writer, lastMessage: 'I wrote my notes.' })
writes(`.claude/scratchpad/spec-writer/${day}.md`, '## What I did\nWrote it.\n')
await shows('it stops with a part of them', { kind: 'SubagentStop', ...writer, stopHookActive: true })
writes(`.claude/scratchpad/spec-writer/${day}.md`, ENTRY)
await shows('it stops with all of them', { kind: 'SubagentStop', ...writer, stopHookActive: true })
await shows('its coordinator stops', { kind: 'Stop', lastMessage: 'Done.' })
writes(`.claude/scratchpad/coordinator/${day}.md`, 'All is well.\n')
await shows('and stops with notes', { kind: 'Stop', stopHookActive: true, lastMessage: 'Done.' })
rmSync(cwd, { recursive: true, force: true })
