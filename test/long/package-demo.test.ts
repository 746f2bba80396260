import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { wordsOfAll } from '../../src/system/platform/processes.ts'
import { holdpointProgram, installedPackage } from '../installed.ts'

/** `holdpoint demo` of the installed package: what it shows, and that it leaves nothing behind. */

let folder: string
let temporary: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-demo-test-'))
  chmodSync(folder, 0o755)
  temporary = join(folder, 'tmp')
  mkdirSync(temporary)
  chmodSync(temporary, 0o777)
})
afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))

const environment = (more: NodeJS.ProcessEnv = {}) => ({
  PATH: process.env.PATH,
  HOME: folder,
  TMPDIR: temporary,
  ...more,
})

function demo(options: { program?: string; env?: NodeJS.ProcessEnv; uid?: number } = {}) {
  const { program = holdpointProgram(), env = environment(), uid } = options
  const ran = spawnSync(program, ['demo'], {
    cwd: folder,
    env,
    encoding: 'utf8',
    ...(uid === undefined ? {} : { uid, gid: uid }),
  })
  return { exitCode: ran.status, stdout: ran.stdout, stderr: ran.stderr }
}

/** Processes that run from the folder for temporary files, like the demo's daemon. */
function processesThere(): readonly string[] {
  return [...wordsOfAll().values()].filter((words) => words.includes(temporary))
}

function expectClean(): void {
  expect(readdirSync(temporary)).toEqual([])
  expect(processesThere()).toEqual([])
}

function expectWhole({ exitCode, stdout, stderr }: ReturnType<typeof demo>): void {
  expect(stderr).toBe('')
  expect(exitCode).toBe(0)
  const lines = stdout.split('\n')
  const having = (verdict: string) =>
    lines.filter((line) => new RegExp(`^${verdict} +[\\d.]+ ms  `).test(line))
  expect(having('deny')).toHaveLength(5)
  expect(having('ask')).toHaveLength(1)
  expect(having('mask')).toHaveLength(1)
  expect(having('pass').length).toBeGreaterThan(20)
  expect(stdout).toContain('events of this session: 5 stopped, 1 asked. The hash chain is')
}

describe('holdpoint demo', () => {
  it('shows what packs and a rule stop, what the journal contains, and what to type next', () => {
    const ran = demo()
    expectWhole(ran)
    expect(ran.stdout).toContain('the native client (holdpoint-hook)')
    expect(ran.stdout).toMatch(/^deny .* ↳ PreToolUse Bash +bash -c "cd \/ && sudo rm -rf \*"$/m)
    expect(ran.stdout).toMatch(/^deny .* PreToolUse Read +\.env$/m)
    expect(ran.stdout).toMatch(/^ask .* git push origin --delete/m)
    expect(ran.stdout).toMatch(/psql -h db\.prod\.internal[^.]*\n +The production database is off limits\./)
    expect(ran.stdout).toMatch(/^pass .* psql -h db\.replica\.internal/m)
    expect(ran.stdout).toContain('[redacted:api-key]')
    expect(ran.stdout).toMatch(/^ {2}deny +1 {2}no-prod-database$/m)
    expect(ran.stdout).toMatch(/^ {2}ratio +[\d.]+x /m)
    expect(ran.stdout).toContain('npx holdpoint init')
    expect(ran.stdout).not.toContain('\x1b')
    expectClean()
  })

  it('works without HOME, and changes nothing in an existing one', () => {
    expectWhole(demo({ env: { PATH: process.env.PATH, TMPDIR: temporary } }))
    expect(readdirSync(folder)).toEqual(['tmp'])
    expectClean()
  })

  it('says that Node answers if there is no native client, also from a read-only package', () => {
    const modules = join(folder, 'node_modules')
    cpSync(join(installedPackage(), '..'), modules, { recursive: true, verbatimSymlinks: true })
    rmSync(join(modules, 'holdpoint', 'dist', 'native'), { recursive: true })
    chmodAll(modules, 0o555, 0o444)
    try {
      const uid = process.geteuid?.() === 0 ? { uid: 65534 } : {}
      const ran = demo({ program: join(modules, '.bin', 'holdpoint'), ...uid })
      expectWhole(ran)
      expect(ran.stdout).toMatch(/hook +Node\.js, started for each event/)
      expectClean()
    } finally {
      chmodAll(modules, 0o755, 0o644)
    }
  })

  it('says what to do if it cannot be set up', () => {
    const ran = demo({ env: environment({ TMPDIR: join(folder, 'missing') }) })
    expect(ran).toMatchObject({ exitCode: 74, stdout: '' })
    expect(ran.stderr).toContain('[STATE_UNWRITABLE] Set TMPDIR')
  })
})

describe('the demo stops its daemon and removes its folder when it is interrupted', () => {
  /** In a separate process group, as a shell starts it: Ctrl-C reaches every process of the group. */
  const start = () => spawn(holdpointProgram(), ['demo'], { cwd: folder, env: environment(), detached: true })
  const ended = (child: ChildProcess) =>
    new Promise<{ exitCode: number | null; stderr: string }>((resolve) => {
      let stderr = ''
      child.stderr?.on('data', (chunk) => {
        stderr += chunk
      })
      child.on('close', (exitCode) => resolve({ exitCode, stderr }))
    })
  /** Waits until it has printed this. */
  const printed = (child: ChildProcess, what: string) =>
    new Promise<void>((resolve) => {
      let text = ''
      child.stdout?.on('data', (chunk) => {
        text += chunk
        if (text.includes(what)) resolve()
      })
    })

  it.each([
    ['before anything is installed', 'folder '],
    ['while the daemon starts', 'hook '],
    ['in the warm-up', 'daemon '],
    ['in the session', 'SessionStart'],
  ])('by Ctrl-C %s', async (_when, what) => {
    const child = start()
    const end = ended(child)
    await printed(child, what)
    // Twice, because npm sends the signal to the command once more.
    for (const pid of [-(child.pid ?? 0), child.pid ?? 0]) process.kill(pid, 'SIGINT')
    expect(await end).toEqual({
      exitCode: 130,
      stderr: '\nStopped. The daemon was stopped and the folder was removed.\n',
    })
    expectClean()
  })

  it.each([
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('by %s', async (signal, exitCode) => {
    const child = start()
    const end = ended(child)
    await printed(child, 'daemon ')
    child.kill(signal)
    expect(await end).toMatchObject({ exitCode })
    expectClean()
  })

  it('by a reader that closes the pipe', async () => {
    const child = start()
    const end = ended(child)
    await printed(child, 'folder ')
    child.stdout.destroy()
    expect(await end).toEqual({ exitCode: 0, stderr: '' })
    expectClean()
  })

  it('by a full disk for its output', () => {
    const command = `exec '${holdpointProgram()}' demo > /dev/full`
    const ran = spawnSync('/bin/sh', ['-c', command], { cwd: folder, env: environment(), encoding: 'utf8' })
    expect(ran.status).not.toBe(0)
    expect(ran.stderr).toContain('ENOSPC')
    expectClean()
  })
})

function chmodAll(path: string, folderMode: number, fileMode: number): void {
  chmodSync(path, 0o755)
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const inner = join(path, entry.name)
    if (entry.isDirectory()) chmodAll(inner, folderMode, fileMode)
    else if (entry.isFile()) chmodSync(inner, fileMode | (entry.name === 'holdpoint.cjs' ? 0o111 : 0))
  }
  chmodSync(path, folderMode)
}
