import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createEngine } from '../../../app/create-engine.ts'
import { source } from '../../../config/sources/claude-settings/source.ts'
import { evaluate } from '../../../core/engine/evaluate.ts'
import type { Engine } from '../../../core/engine/run-hooks.ts'
import type { Event } from '../../../core/event.ts'
import { isObject, type JsonObject } from '../../../core/json.ts'
import type { Layer } from '../../../core/layer.ts'
import { buildPlan } from '../../../handlers/plan.ts'
import { host } from '../../../hosts/scratchpad/host.ts'
import { actorOf } from '../../../library/testing/events.ts'
import { liveFacts } from '../../../system/live-facts.ts'
import { pack } from './pack.ts'

/** The scripts as the protocol describes them, and the pack that replaces them: both make the same decisions. */

const HEAD = `#!/usr/bin/env python3
import datetime, json, os, pathlib, sys
data = json.load(sys.stdin)
pads = pathlib.Path(os.environ["CLAUDE_PROJECT_DIR"]) / ".claude" / "scratchpad"
today = datetime.datetime.now().strftime("%Y-%m-%d")
`
const SCRIPTS: Readonly<Record<string, readonly [file: string, body: string]>> = {
  SessionStart: [
    'session-start.py',
    `if data.get("source") != "startup":
    print("{}"); sys.exit()
files = sorted(pads.glob("coordinator/????-??-??.md"))
text = files[-1].read_text() if files else ""
print(json.dumps({"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": text}}))`,
  ],
  SubagentStart: [
    'subagent-context.py',
    `text = "Write to .claude/scratchpad/%s/%s.md" % (data["agent_type"], today)
print(json.dumps({"hookSpecificOutput": {"hookEventName": "SubagentStart", "additionalContext": text}}))`,
  ],
  SubagentStop: [
    'subagent-stop.py',
    `path = pads / data["agent_type"] / (today + ".md")
text = path.read_text() if path.exists() else ""
if all(h in text for h in ["What I did", "Cross-agent observations", "Unresolved"]):
    print("{}")
else:
    print(json.dumps({"decision": "block", "reason": "Scratchpad missing or incomplete. Write to .claude/scratchpad/%s/%s.md with all three required sections before completing." % (data["agent_type"], today)}))`,
  ],
  Stop: [
    'stop.py',
    `others = [p for p in pads.glob("*/" + today + ".md") if p.parent.name not in ("coordinator", "ego")]
if others and not (pads / "coordinator" / (today + ".md")).exists():
    print(json.dumps({"decision": "block", "reason": "Multi-agent delegation detected but no coordinator scratchpad for today. Write to .claude/scratchpad/coordinator/%s.md before ending session." % today}))
else:
    print("{}")`,
  ],
}

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-scripts-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text, { mode: 0o755 })
}

/** `.claude/settings.json` as the protocol registers the scripts, and the scripts that it names. */
function settings(): Layer {
  const hooks = Object.fromEntries(
    Object.entries(SCRIPTS).map(([event, [file, body]]) => {
      write(`.claude/hooks/${file}`, `${HEAD}${body}\n`)
      const entry = { type: 'command', command: `.claude/hooks/${file}`, timeout: 10 }
      const matcher = event.startsWith('Subagent') ? { matcher: '' } : {}
      return [event, [{ ...matcher, hooks: [entry] }]]
    }),
  )
  const path = join(folder, '.claude/settings.json')
  const read = source.parse(JSON.stringify({ hooks }), { path, rank: 'project', trusted: true, root: folder })
  if (!read.ok) throw new Error(read.problem.message)
  return read.value
}
const own: Layer = {
  ...{ rank: 'user', file: 'test', trusted: true, hooks: [], settings: {}, problems: [] },
  packs: [{ pack: pack.id, options: {}, origin: { file: 'test' } }],
}
const engineOf = (layer: Layer) => createEngine(buildPlan([layer], new Map([[pack.id, pack]])))

/** What a program that follows the protocol reads after this payload. */
async function reply(engine: Engine, kind: string, payload: JsonObject): Promise<JsonObject> {
  const decoded = host.decode({ payload: JSON.stringify(payload), cwd: folder, event: kind })
  if (!decoded.ok) throw new Error(decoded.problem.message)
  const event: Event = decoded.value
  const env = { PATH: process.env.PATH, TZ: 'UTC', CLAUDE_PROJECT_DIR: folder }
  const facts = liveFacts({ cwd: folder, home: folder, project: folder, env })
  const around = { actor: actorOf(event), facts, memory: {}, budgetMs: 60_000 }
  const decision = await evaluate(engine, event, { ...around, now: () => performance.now() })
  expect(decision.failed).toEqual([])
  const said: unknown = JSON.parse(host.encode(decision, event).stdout)
  if (!isObject(said)) throw new Error('no object')
  return said
}

const pad = (agent: string) => `.claude/scratchpad/${agent}/${new Date().toISOString().slice(0, 10)}.md`
const WHOLE = '## What I did\nx\n## Cross-agent observations\nx\n## Unresolved\nx\n'
const writer = { agent_type: 'spec-writer' }

describe('a script of the hooks folder reads and writes JSON, and the pack decides the same (R-003-04)', () => {
  it.each([
    ['R-003-08', 'SessionStart', { source: 'startup' }],
    ['R-003-17', 'SubagentStart', writer],
  ])('%s: %s', async (_id, event, payload) => {
    write(pad('coordinator'), 'The plan.')
    const byScript = await reply(await engineOf(settings()), event, payload)
    const byPack = await reply(await engineOf(own), event, payload)
    const text = event === 'SessionStart' ? 'The plan.' : pad('spec-writer')
    for (const said of [byScript, byPack]) {
      expect(said).toEqual({
        hookSpecificOutput: { hookEventName: event, additionalContext: expect.stringContaining(text) },
      })
    }
  })

  it.each<[string, string, JsonObject, readonly (readonly [file: string, text: string, blocks: boolean])[]]>([
    [
      'R-003-27, R-003-31, R-003-32',
      'SubagentStop',
      writer,
      [
        ['unrelated.txt', '', true],
        [pad('spec-writer'), '## What I did\n', true],
        [pad('spec-writer'), WHOLE, false],
      ],
    ],
    [
      'R-003-37, R-003-41, R-003-42',
      'Stop',
      {},
      [
        [pad('ego'), 'x', false],
        [pad('spec-writer'), WHOLE, true],
        [pad('coordinator'), '', false],
      ],
    ],
  ])('%s: %s', async (_id, event, payload, steps) => {
    const [scripts, packed] = [await engineOf(settings()), await engineOf(own)]
    for (const [file, text, blocks] of steps) {
      write(file, text)
      const byScript = await reply(scripts, event, payload)
      expect(byScript).toEqual(blocks ? { decision: 'block', reason: expect.any(String) } : {})
      expect(await reply(packed, event, payload)).toEqual(byScript)
    }
  })
})

it('settings entries are commands with a timeout of ten seconds, and an empty matcher matches every agent (R-003-50, R-003-51)', async () => {
  const { hooks } = buildPlan([settings()], new Map())
  expect(hooks.map(({ on, run, timeoutMs }) => [on, run.type, run.command, timeoutMs])).toEqual(
    Object.entries(SCRIPTS).map(([event, [file]]) => [event, 'command', `.claude/hooks/${file}`, 10_000]),
  )
  const engine = await engineOf(settings())
  for (const agent_type of ['spec-writer', 'Explore']) {
    for (const event of ['SubagentStart', 'SubagentStop']) {
      expect(JSON.stringify(await reply(engine, event, { agent_type }))).toContain(pad(agent_type))
    }
  }
})
