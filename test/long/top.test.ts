import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, createSandbox, type Sandbox } from '../e2e/command.ts'
import { holdpointProgram } from '../installed.ts'
import { PIN, prepareApprovals } from './board/board.ts'

/** `holdpoint top` of the installed package in a real terminal, tmux, with keys and changes of its size. */

const start = promisify(execFile)
const WAIT_MAX_MS = 60_000

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = createSandbox()
  mkdirSync(join(sandbox.project, '.git'))
  await prepareApprovals(sandbox, 25_000)
})
afterAll(() => sandbox.remove())

interface Top {
  /** Waits until the screen matches, and returns it. */
  until(shown: RegExp): Promise<string>
  keys(...keys: readonly string[]): Promise<void>
  resize(columns: number, rows: number): Promise<void>
  end(): Promise<void>
}

let terminals = 0

async function openTop(columns: number, rows: number, pin?: string): Promise<Top> {
  terminals += 1
  const socket = join(sandbox.folder, `tmux-${terminals}`)
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: sandbox.folder,
    HOLDPOINT_HOME: sandbox.home,
    TERM: 'screen',
    LANG: 'C.UTF-8',
  }
  const tmux = async (...words: readonly string[]) =>
    (await start('tmux', ['-S', socket, '-f', '/dev/null', ...words], { cwd: sandbox.project, env })).stdout
  const command = `${holdpointProgram()} top; echo "ended with $?"; sleep 100`
  await tmux('new-session', '-d', '-x', String(columns), '-y', String(rows), command)
  const top: Top = {
    async until(shown) {
      const untilMs = Date.now() + WAIT_MAX_MS
      for (;;) {
        const screen = await tmux('capture-pane', '-p')
        if (shown.test(screen)) return screen
        if (Date.now() > untilMs) throw new Error(`never shown: ${shown}\n${screen}`)
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    },
    async keys(...keys) {
      for (const key of keys) await tmux('send-keys', key)
    },
    async resize(width, height) {
      await tmux('resize-window', '-x', String(width), '-y', String(height))
    },
    async end() {
      await tmux('kill-server').catch(() => '')
    },
  }
  await top.until(/Your PIN:/)
  if (pin !== undefined) await tmux('send-keys', '-l', pin)
  await top.keys('Enter')
  await top.until(/1 Live {2}2 Sessions {2}3 MUX/)
  return top
}

const hook = (command: string, more: object = {}) => sandbox.hook(call('Bash', { command }, more))

describe.each([80, 60])('at %i columns', (columns) => {
  it('shows calls as they are decided, why, and sessions, and follows a change of the size', async () => {
    const top = await openTop(columns, 24)
    await hook('git push --force origin main', { session_id: `s${columns}`, tool_use_id: `t${columns}` })
    await top.until(/DENIED .*git push --force/)
    await top.keys('Enter')
    await top.until(/To allow it\s+holdpoint allow \w+-\w+/)
    await top.keys('Escape')
    await top.keys('2')
    await top.until(new RegExp(`claude.*s${columns}.*1 stopped`))
    await top.keys('Enter')
    await top.until(/main agent 1 calls, 1 stopped/)
    await top.keys('1')
    await top.resize(100, 30)
    const wide = await top.until(/Tab view/)
    expect(wide.split('\n')).toHaveLength(31)
    await top.resize(columns, 20)
    await top.until(/DENIED/)
    await top.keys('q')
    await top.until(/ended with 0/)
    await top.end()
  })
})

it('shows an orchestration: agents, what each may do, signals and the gate', async () => {
  const folder = 'tmp/mux/20260105-1000-topic'
  const mark = join(sandbox.project, 'outputs', 'session', 'shared')
  for (const each of [
    mark,
    join(sandbox.project, folder, '.signals'),
    join(sandbox.project, folder, '.agents'),
  ])
    mkdirSync(each, { recursive: true })
  writeFileSync(join(mark, 'mux-active'), `${folder}\n`)
  writeFileSync(join(sandbox.project, folder, 'report.md'), 'text')
  const signal = `path: ${folder}/report.md\nsize: 4\nstatus: success\n`
  writeFileSync(join(sandbox.project, folder, '.signals', 'writer.done'), signal)
  for (const id of ['writer', 'reader']) {
    const agent = { agent_id: id, output_file: `${folder}/${id}.md`, role: id, status: 'running' }
    writeFileSync(join(sandbox.project, folder, '.agents', `${id}.json`), JSON.stringify(agent))
  }
  const top = await openTop(80, 24)
  await top.keys('3')
  const screen = await top.until(/✓ writer/)
  expect(screen).toMatch(/BLOCK tmp\/mux\/20260105-1000-topic/)
  expect(screen).toMatch(/1 of the agents have not signalled/)
  expect(screen).toMatch(/reader \[mux-subagent\].*running/)
  await top.keys('q')
  await top.end()
})

describe('a question', () => {
  const deploy = (id: string) =>
    hook('deploy --now', { permission_mode: 'bypassPermissions', tool_use_id: id, session_id: 'q' })
  const decided = async (asked: ReturnType<typeof deploy>) =>
    JSON.parse((await asked).stdout).hookSpecificOutput

  it('is approved with the PIN, denied with a reason, and not with a wrong PIN', async () => {
    const top = await openTop(80, 24, PIN)
    // Before the daemon knows that somebody may answer, nothing waits.
    await top.until(/BoardOpened a board may answer/)
    const first = deploy('1')
    await top.until(/WAITS FOR YOU[\s\S]*deploy --now[\s\S]*Deploy to production\?/)
    await top.keys('a')
    await top.until(/Your PIN:/)
    await top.keys('w', 'r', 'o', 'n', 'g', 'Enter')
    await top.until(/The PIN is wrong/)
    await top.keys('a', ...PIN.split('').map((sign) => (sign === ' ' ? 'Space' : sign)), 'Enter')
    await top.until(/Answered/)
    expect(await decided(first)).toMatchObject({ permissionDecision: 'allow' })
    const second = deploy('2')
    await top.until(/WAITS FOR YOU/)
    await top.keys(
      'd',
      'n',
      'o',
      'Enter',
      ...PIN.split('').map((sign) => (sign === ' ' ? 'Space' : sign)),
      'Enter',
    )
    const { permissionDecision, permissionDecisionReason } = await decided(second)
    expect(permissionDecision).toBe('deny')
    expect(permissionDecisionReason).toContain('The user was asked and denied this call: no')
    await top.keys('q')
    await top.end()
    const { stdout } = await sandbox.run(['log', '--json', '--session', 'q'])
    expect(stdout).toMatch(/"approval":\{"answer":"once",[^}]*"how":"terminal"/)
  })
})
