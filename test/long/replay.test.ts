import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { call, createSandbox, type Sandbox } from '../e2e/command.ts'
import { holdpointProgram } from '../installed.ts'

let sandbox: Sandbox
let user: string
beforeEach(() => {
  sandbox = createSandbox()
  user = join(sandbox.folder, 'user')
  mkdirSync(user)
})
afterEach(() => sandbox.remove())

const FORCE = 'git push --force origin main'
const QUIET = 'version: 1\npacks: { safety: { guards: { safety/git/force-push: off } }, secrets: true }\n'

const run = (args: readonly string[], process = false) =>
  sandbox.run(['replay', ...args], { env: { HOME: user }, process })
const git = (...args: readonly string[]) =>
  execFileSync('git', ['-c', 'user.name=Dev', '-c', 'user.email=dev@example.com', ...args], {
    cwd: sandbox.project,
    stdio: 'pipe',
  })

/** A repository whose first commit has the default policy, and whose working tree allows force pushes. */
function changedPolicy(): void {
  sandbox.write('.holdpoint/config.yaml', 'version: 1\n')
  sandbox.write(
    'sample.jsonl',
    ['ls', FORCE, 'make'].map((command) => `${JSON.stringify({ command })}\n`).join(''),
  )
  git('init', '--quiet', '--initial-branch=main')
  git('add', '.')
  git('commit', '--quiet', '-m', 'first')
  sandbox.write('.holdpoint/config.yaml', QUIET)
}

it('holdpoint replay compares the policy of a commit with the one in the working tree', async () => {
  changedPolicy()
  const shown = await run(['--file', 'sample.jsonl', '--against', 'HEAD'])
  expect(shown).toMatchObject({ exitCode: 0, stderr: '' })
  expect(shown.stdout).toMatch(/^Uncertain: 0 %/)
  expect(shown.stdout).toContain('0 newly stopped, 0 newly asked, 1 newly let through, 0 reason changed')
  expect(shown.stdout).toContain(FORCE)
  expect(
    (await run(['--file', 'sample.jsonl', '--against', 'HEAD', '--fail-on', 'newly-allowed'])).exitCode,
  ).toBe(1)
  expect(
    (await run(['--file', 'sample.jsonl', '--against', 'HEAD', '--fail-on', 'newly-denied'])).exitCode,
  ).toBe(0)
  const json = JSON.parse((await run(['--file', 'sample.jsonl', '--against', 'none', '--json'])).stdout)
  expect(json).toMatchObject({ events: 3, weaker: 1, changes: { 'newly let through': 1 } })
})

it.each([
  [['--against', 'no-such-commit'], 'neither a file nor a commit'],
  [['--against', '--output=x'], 'neither a file nor a commit'],
  [['--file', 'missing.jsonl'], 'cannot be read'],
  [['--policy', 'missing.yaml'], 'cannot be read'],
])('holdpoint replay reports what is wrong with %j', async (args, message) => {
  changedPolicy()
  const ran = await run(args.includes('--file') ? args : [...args, '--file', 'sample.jsonl'])
  expect(ran.exitCode).not.toBe(0)
  expect(ran.stderr).toContain(message)
})

describe('holdpoint replay from the journal', () => {
  it("reports what today's policy would decide differently, and saves a sample that replays the same", async () => {
    sandbox.userConfig('version: 1\nsettings: { journal: { keepInput: true } }\n')
    for (const [index, command] of ['ls', FORCE].entries()) {
      const payload = call('Bash', { command }, { cwd: sandbox.project, tool_use_id: `toolu_${index}` })
      await sandbox.hook(payload, [], { env: { HOME: user } })
    }
    sandbox.userConfig(QUIET)
    const saved = join(sandbox.folder, 'saved.jsonl')
    const json = JSON.parse((await run(['--json', '--save', saved])).stdout)
    expect(json).toMatchObject({ uncertain: 0, events: 2, changes: { 'newly let through': 1 } })
    expect(readFileSync(saved, 'utf8')).not.toContain(sandbox.folder)
    const again = JSON.parse((await run(['--json', '--file', saved, '--against', 'none'])).stdout)
    expect(again).toMatchObject({ events: 2, before: { deny: 1, pass: 1 } })
  })

  it('continues after it was killed, and ends with the same figures', async () => {
    const records = 60_000
    const folder = join(sandbox.home, 'journal')
    mkdirSync(folder, { recursive: true })
    const line = (n: number) =>
      `${JSON.stringify({
        id: `r${String(n).padStart(8, '0')}`,
        at: '2026-11-16T10:00:00.000Z',
        host: 'claude-code',
        event: 'PreToolUse',
        session: `s${n % 50}`,
        tool: 'Bash',
        input: n % 100 === 0 ? FORCE : 'ls',
        cwd: sandbox.project,
        project: sandbox.project,
        effect: 'pass',
        because: [],
        durationMs: 1,
        revision: 'v',
      })}\n`
    writeFileSync(join(folder, 'spool.jsonl'), Array.from({ length: records }, (_, n) => line(n)).join(''))
    const env = { PATH: process.env.PATH ?? '', HOME: user, HOLDPOINT_HOME: sandbox.home }
    const child = spawn(holdpointProgram(), ['replay', '--json'], {
      cwd: sandbox.project,
      env,
      stdio: 'ignore',
    })
    const cache = join(sandbox.home, 'cache')
    const isSaved = () => {
      try {
        return readdirSync(cache).some((name) => /^replay-[^.]+$/.test(name))
      } catch {
        return false
      }
    }
    while (!isSaved() && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 20))
    child.kill('SIGKILL')
    // The same build goes on.
    const ended = await run(['--json'], true)
    expect(ended.stderr).toMatch(/Continuing an interrupted replay behind record \d+/)
    const json = JSON.parse(ended.stdout)
    expect(json).toMatchObject({ events: records, changes: { 'newly stopped': records / 100 } })
    expect(isSaved()).toBe(false)
    const whole = JSON.parse((await run(['--json'])).stdout)
    expect(json).toEqual(whole)
  })
})

describe('the replay GitHub Action', () => {
  const action = (env: Record<string, string>) =>
    spawnSync(join(import.meta.dirname, '../../.github/actions/verdict-diff/run.sh'), {
      cwd: sandbox.project,
      encoding: 'utf8',
      env: {
        PATH: process.env.PATH ?? '',
        HOME: user,
        HOLDPOINT_HOME: sandbox.home,
        HOLDPOINT: holdpointProgram(),
        RUNNER_TEMP: sandbox.folder,
        GITHUB_STEP_SUMMARY: join(sandbox.folder, 'summary.md'),
        GITHUB_OUTPUT: join(sandbox.folder, 'output'),
        SAMPLE: 'sample.jsonl',
        AGAINST: 'HEAD',
        FAIL_ON: 'newly-allowed',
        ...env,
      },
    })

  it('fails on a repository whose policy allows more, with the difference in its summary', () => {
    changedPolicy()
    const ran = action({})
    expect(ran.status).toBe(1)
    expect(readFileSync(join(sandbox.folder, 'summary.md'), 'utf8')).toContain('| newly let through | 1 |')
    expect(readFileSync(join(sandbox.folder, 'output'), 'utf8')).toMatch(/^report=\S+\.md$/m)
  })

  it('passes if nothing changes, and if a change is stricter', () => {
    changedPolicy()
    sandbox.write('.holdpoint/config.yaml', 'version: 1\n')
    expect(action({}).status).toBe(0)
  })

  it('fetches a base that the checkout does not have', () => {
    changedPolicy()
    git('add', '.')
    git('commit', '--quiet', '-m', 'second')
    const clone = join(sandbox.folder, 'clone')
    execFileSync('git', ['clone', '--quiet', '--depth=1', `file://${sandbox.project}`, clone])
    const base = String(git('rev-parse', 'HEAD~1')).trim()
    expect(spawnSync('git', ['cat-file', '-e', base], { cwd: clone }).status).not.toBe(0)
    const ran = spawnSync(join(import.meta.dirname, '../../.github/actions/verdict-diff/run.sh'), {
      cwd: clone,
      encoding: 'utf8',
      env: {
        PATH: process.env.PATH ?? '',
        HOME: user,
        HOLDPOINT_HOME: sandbox.home,
        HOLDPOINT: holdpointProgram(),
        RUNNER_TEMP: sandbox.folder,
        SAMPLE: 'sample.jsonl',
        AGAINST: base,
        FAIL_ON: 'any',
      },
    })
    expect(ran.stdout).toContain('newly let through')
    expect(ran.status).toBe(1)
  })

  it('says what is missing if there is nothing to compare with', () => {
    changedPolicy()
    const ran = action({ AGAINST: '' })
    expect(ran.status).toBe(2)
    expect(ran.stderr).toContain('::error::')
  })
})
