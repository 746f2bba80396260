import { spawn } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import Database from 'libsql'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { call, createSandbox, type Sandbox } from '../e2e/command.ts'
import { installedPackage } from '../installed.ts'

/** Denied calls stay denied, other calls pass, and the next event works again. */

let sandbox: Sandbox
beforeEach(() => {
  sandbox = createSandbox()
  sandbox.userConfig(
    'version: 1\npacks: { safety: true }\nhooks:\n  PreToolUse:\n    - { actor: { skill: mux }, run: "echo delegate >&2; exit 2" }\n',
  )
})
afterEach(() => sandbox.remove())

const bash = (command: string, id = 't') => call('Bash', { command }, { tool_use_id: id })
const decisionOf = (stdout: string) => JSON.parse(stdout).hookSpecificOutput?.permissionDecision ?? 'none'
const skillBegins = { ...call('Skill', { skill: 'mux' }), hook_event_name: 'PostToolUse', tool_response: {} }

async function answersAsBefore(): Promise<void> {
  expect(decisionOf((await sandbox.hook(bash('git push -f'))).stdout)).toBe('deny')
  expect(await sandbox.hook(bash('ls'))).toMatchObject({ stdout: '{}\n', exitCode: 0 })
}

describe('a journal', () => {
  const journal = (...path: string[]) => join(sandbox.home, 'journal', ...path)

  it.each<[string, () => void]>([
    ['with a spool that is a folder', () => mkdirSync(journal('spool.jsonl'), { recursive: true })],
    [
      'with a spool that is a link to another folder',
      () => (
        mkdirSync(journal(), { recursive: true }),
        symlinkSync(join(sandbox.folder, 'outside'), journal('spool.jsonl'))
      ),
    ],
    [
      'with an invalid database',
      () => (
        mkdirSync(journal(), { recursive: true }),
        writeFileSync(journal('journal.db'), 'garbage'.repeat(1000))
      ),
    ],
  ])('%s changes no answer', async (_name, prepare) => {
    prepare()
    await answersAsBefore()
    expect(existsSync(join(sandbox.folder, 'outside'))).toBe(false)
  })

  it('that is invalid is kept, and `log` says what to do', async () => {
    mkdirSync(journal(), { recursive: true })
    writeFileSync(journal('journal.db'), 'garbage'.repeat(1000))
    const ran = await sandbox.run(['log'])
    expect(ran).toMatchObject({ exitCode: 74, stderr: expect.stringContaining('[JOURNAL_UNREADABLE]') })
    expect(readFileSync(journal('journal.db'), 'utf8')).toContain('garbage')
  })

  it('that is locked delays no hook, and loses nothing', async () => {
    await sandbox.hook(bash('ls', '1'))
    await sandbox.run(['log'])
    const db = new Database(journal('journal.db'))
    db.exec('begin exclusive')
    await answersAsBefore()
    db.exec('commit')
    db.close()
    expect((await sandbox.run(['log', '--json'])).stdout.trim().split('\n')).toHaveLength(3)
    expect((await sandbox.run(['log', '--verify'])).exitCode).toBe(0)
  })

  it('with an incomplete line in the spool keeps every other record', async () => {
    await sandbox.hook(bash('ls', '1'))
    appendFileSync(journal('spool.jsonl'), '\n{"id":"torn","at":"20')
    await sandbox.hook(bash('ls', '2'))
    expect((await sandbox.run(['log', '--json'])).stdout.trim().split('\n')).toHaveLength(2)
  })
})

describe('a session state', () => {
  const stateFile = () => join(sandbox.home, 'state', readdirSync(join(sandbox.home, 'state'))[0] ?? '')

  it('with an incomplete last line loses only what was never committed', async () => {
    await sandbox.hook(skillBegins)
    appendFileSync(stateFile(), '\n{"agent":"main","cha')
    expect(decisionOf((await sandbox.hook(bash('ls'))).stdout)).toBe('deny')
  })

  it('that is invalid leaves the scope unknown, so a scoped rule applies', async () => {
    await sandbox.hook(skillBegins)
    writeFileSync(stateFile(), 'garbage\n')
    expect(decisionOf((await sandbox.hook(bash('ls'))).stdout)).toBe('deny')
  })

  it('that is a folder leaves the scope unknown, and works again once it is gone', async () => {
    mkdirSync(join(sandbox.home, 'state', 'session-1.session.jsonl'), { recursive: true })
    expect(decisionOf((await sandbox.hook(bash('ls'))).stdout)).toBe('deny')
    rmSync(join(sandbox.home, 'state'), { recursive: true })
    await answersAsBefore()
  })

  it('that cannot be written denies the start of a skill with a reason', async () => {
    mkdirSync(sandbox.home, { recursive: true })
    writeFileSync(join(sandbox.home, 'state'), 'a file')
    const ran = JSON.parse((await sandbox.hook(skillBegins)).stdout)
    expect(ran).toMatchObject({ decision: 'block', reason: expect.stringContaining('mux') })
  })
})

describe('a full disk', () => {
  /** No file can grow: every write to state, journal and cache fails, as on a full disk. */
  const onFullDisk = (payload: object) =>
    new Promise<{ stdout: string; exitCode: number | null }>((resolve) => {
      const script = 'ulimit -f 0; exec "$0" "$@"'
      const hook = join(installedPackage(), 'dist', 'hook.cjs')
      const child = spawn(
        'sh',
        ['-c', script, process.execPath, hook, 'claude-code', '--home', sandbox.home],
        {
          cwd: sandbox.project,
          env: { PATH: process.env.PATH ?? '', HOME: '/home/dev' },
        },
      )
      let stdout = ''
      child.stdout.on('data', (chunk) => {
        stdout += chunk
      })
      child.on('close', (exitCode) => resolve({ stdout, exitCode }))
      child.stdin.end(JSON.stringify(payload))
    })

  it('changes no answer', async () => {
    expect(decisionOf((await onFullDisk(bash('git push -f'))).stdout)).toBe('deny')
    expect(await onFullDisk(bash('ls'))).toEqual({ stdout: '{}\n', exitCode: 0 })
    await answersAsBefore()
  })

  it('denies the start of a skill with a reason', async () => {
    expect(JSON.parse((await onFullDisk(skillBegins)).stdout)).toMatchObject({ decision: 'block' })
  })
})

describe('a plan cache', () => {
  const cached = () => join(sandbox.home, 'cache', readdirSync(join(sandbox.home, 'cache'))[0] ?? '')

  it.each<[string, (text: string) => string]>([
    ['cut off', (text) => text.slice(0, text.length / 2)],
    ['invalid', () => 'invalid'],
    ['of another format', (text) => text.replace('"format":1', '"format":0')],
    ['of another project', (text) => text.replace('"key":"', '"key":"other')],
    ['an empty object', () => '{}'],
  ])('that is %s is created again', async (_name, change) => {
    await answersAsBefore()
    writeFileSync(cached(), change(readFileSync(cached(), 'utf8')))
    await answersAsBefore()
  })
})
