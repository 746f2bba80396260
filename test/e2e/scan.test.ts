import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { TRANSCRIPTS } from '../../src/hosts/transcripts.ts'
import { createSandbox, type Sandbox } from './command.ts'

let sandbox: Sandbox
let user: string
beforeEach(() => {
  sandbox = createSandbox()
  user = join(sandbox.folder, 'user')
})
afterEach(() => sandbox.remove())

const run = (args: readonly string[]) => sandbox.run(['scan', ...args], { env: { HOME: user } })

/** A session with this many calls, in which every tenth is a force push that ran. */
function writeSession(session: string, calls: number, proseBytes = 0): void {
  const folder = join(user, '.claude/projects/-srv-project')
  mkdirSync(folder, { recursive: true })
  const at = new Date().toISOString()
  const base = { sessionId: session, cwd: '/srv/project', timestamp: at, version: '2.1.325' }
  const lines = Array.from({ length: calls }, (_, n) => {
    const command = n % 10 === 0 ? `git push --force origin t${n}` : `ls part${n}`
    const use = { type: 'tool_use', id: `${session}-${n}`, name: 'Bash', input: { command } }
    const result = { type: 'tool_result', tool_use_id: `${session}-${n}`, content: 'x'.repeat(proseBytes) }
    return [
      { ...base, type: 'assistant', message: { content: [use] } },
      { ...base, type: 'user', message: { content: [result] } },
    ]
  }).flat()
  writeFileSync(join(folder, `${session}.jsonl`), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
}

it('scan needs nothing installed, configured or recorded', async () => {
  const ran = await run([])
  expect(ran).toMatchObject({ exitCode: 0, stderr: '' })
  expect(ran.stdout).toMatch(/^In 30 days, no tool calls were found/)
  expect(ran.stdout).toContain('`holdpoint scan --since all`')
})

it('scan prints the same figures on a screen, as JSON and on a page', async () => {
  writeSession('s1', 20)
  const shown = await run(['--host', 'claude-code'])
  expect(shown.stdout).toContain('your agents made 20 calls in 1 session')
  expect(shown.stdout).toContain('would have stopped 2 and asked about 0. Of the 2 stopped calls, 2 ran.')
  const page = join(sandbox.folder, 'scan.html')
  const json = JSON.parse((await run(['--json', '--html', page])).stdout)
  expect(json).toMatchObject({ format: 1, calls: 20, effects: { deny: 2 }, ran: { deny: 2 } })
  expect(readFileSync(page, 'utf8')).toContain('would have stopped 2')
  const codex = JSON.parse((await run(['--json', '--host', 'codex'])).stdout)
  expect(codex.calls).toBe(0)
})

it('scan counts the same on several threads as on one', async () => {
  // More than one thread reads in one step.
  for (let n = 0; n < 12; n += 1) writeSession(`s${n}`, 100, 5_000)
  const json = JSON.parse((await run(['--json'])).stdout)
  expect(json).toMatchObject({ calls: 1_200, sessions: 12, effects: { deny: 120, pass: 1_080 } })
  expect(json.notRead).toEqual({
    tooLong: 0,
    garbled: 0,
    cut: 0,
    incomplete: 0,
    files: 0,
    undecided: 0,
    links: 0,
  })
})

it('scan lists the hosts with transcripts if another one is requested', async () => {
  const ran = await run(['--host', 'emacs'])
  expect(ran.exitCode).toBe(64)
  expect(ran.stderr).toContain('Use one of: claude-code, codex')
  const goose = await run(['--host', 'goose'])
  expect(goose.stderr).toContain('Goose keeps its sessions in an SQLite database.')
  // Finding nothing must not look like everything was decided.
  const audit = await sandbox.run(['audit', '--host', 'goose'], { env: { HOME: user } })
  expect(audit.exitCode).toBe(64)
})

/** Databases, and sessions in several files: their recordings are texts made from them. The real programs are in test/hosts. */
const NO_COPIES = ['cline', 'kilo', 'openclaw', 'opencode']

it('scan finds the calls in transcripts of ten real agents', async () => {
  for (const [id, load] of Object.entries(TRANSCRIPTS).filter(([name]) => !NO_COPIES.includes(name))) {
    const { transcript } = await load()
    const [root = ''] = transcript.roots({ home: user, project: sandbox.project, env: {} })
    cpSync(join(import.meta.dirname, '../../src/hosts', id, 'transcripts'), root, { recursive: true })
  }
  const json = JSON.parse((await run(['--json', '--since', 'all'])).stdout)
  const found = json.hosts.map(({ host, calls }: { host: string; calls: number }) => [host, calls]).sort()
  expect(found).toEqual([
    ['claude-code', 8],
    ['codebuddy', 8],
    ['codex', 9],
    ['copilot', 8],
    ['droid', 8],
    ['gemini', 8],
    ['grok', 8],
    ['kimi', 8],
    ['pi', 5],
    ['qwen', 8],
  ])
  // Each of them tried a force push.
  expect(json.guards).toContainEqual(expect.objectContaining({ guard: 'safety/git/force-push', deny: 10 }))
  expect(json.hosts.flatMap((host: { unknownVersions: unknown }) => host.unknownVersions)).toEqual([])
})
