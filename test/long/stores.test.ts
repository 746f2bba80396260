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
import { call, createWorld, type World } from '../e2e/command.ts'

/** Was denied, stays denied; was let through, goes on; and the next event works again. */

let world: World
beforeEach(() => {
  world = createWorld()
  world.userConfig(
    'version: 1\npacks: { safety: true }\nhooks:\n  PreToolUse:\n    - { actor: { skill: mux }, run: "echo delegate >&2; exit 2" }\n',
  )
})
afterEach(() => world.remove())

const bash = (command: string, id = 't') => call('Bash', { command }, { tool_use_id: id })
const decisionOf = (stdout: string) => JSON.parse(stdout).hookSpecificOutput?.permissionDecision ?? 'none'
const skillBegins = { ...call('Skill', { skill: 'mux' }), hook_event_name: 'PostToolUse', tool_response: {} }

async function answersAsBefore(): Promise<void> {
  expect(decisionOf((await world.hook(bash('git push -f'))).stdout)).toBe('deny')
  expect(await world.hook(bash('ls'))).toMatchObject({ stdout: '{}\n', exitCode: 0 })
}

describe('the journal', () => {
  const journal = (...path: string[]) => join(world.home, 'journal', ...path)

  it.each<[string, () => void]>([
    ['a spool that is a folder', () => mkdirSync(journal('spool.jsonl'), { recursive: true })],
    [
      'a spool that is a link elsewhere',
      () => (
        mkdirSync(journal(), { recursive: true }),
        symlinkSync(join(world.folder, 'outside'), journal('spool.jsonl'))
      ),
    ],
    [
      'a journal that is garbage',
      () => (
        mkdirSync(journal(), { recursive: true }),
        writeFileSync(journal('journal.db'), 'garbage'.repeat(1000))
      ),
    ],
  ])('%s changes no answer', async (_name, prepare) => {
    prepare()
    await answersAsBefore()
    expect(existsSync(join(world.folder, 'outside'))).toBe(false)
  })

  it('that is garbage is kept, and `log` says what to do', async () => {
    mkdirSync(journal(), { recursive: true })
    writeFileSync(journal('journal.db'), 'garbage'.repeat(1000))
    const ran = await world.run(['log'])
    expect(ran).toMatchObject({ exitCode: 74, stderr: expect.stringContaining('[JOURNAL_UNREADABLE]') })
    expect(readFileSync(journal('journal.db'), 'utf8')).toContain('garbage')
  })

  it('that is locked delays nobody, and loses nothing', async () => {
    await world.hook(bash('ls', '1'))
    await world.run(['log'])
    const db = new Database(journal('journal.db'))
    db.exec('begin exclusive')
    await answersAsBefore()
    db.exec('commit')
    db.close()
    expect((await world.run(['log', '--json'])).stdout.trim().split('\n')).toHaveLength(3)
    expect((await world.run(['log', '--verify'])).exitCode).toBe(0)
  })

  it('with a torn line in the spool keeps every other record', async () => {
    await world.hook(bash('ls', '1'))
    appendFileSync(journal('spool.jsonl'), '\n{"id":"torn","at":"20')
    await world.hook(bash('ls', '2'))
    expect((await world.run(['log', '--json'])).stdout.trim().split('\n')).toHaveLength(2)
  })
})

describe('the state', () => {
  const stateFile = () => join(world.home, 'state', readdirSync(join(world.home, 'state'))[0] ?? '')

  it('with a torn last line forgets only what was never committed', async () => {
    await world.hook(skillBegins)
    appendFileSync(stateFile(), '\n{"agent":"main","cha')
    expect(decisionOf((await world.hook(bash('ls'))).stdout)).toBe('deny')
  })

  it('that is garbage leaves the scope unknown, so a scoped rule holds', async () => {
    await world.hook(skillBegins)
    writeFileSync(stateFile(), 'garbage\n')
    expect(decisionOf((await world.hook(bash('ls'))).stdout)).toBe('deny')
  })

  it('that is a folder leaves the scope unknown, and works again once it is gone', async () => {
    mkdirSync(join(world.home, 'state', 'session-1.session.jsonl'), { recursive: true })
    expect(decisionOf((await world.hook(bash('ls'))).stdout)).toBe('deny')
    rmSync(join(world.home, 'state'), { recursive: true })
    await answersAsBefore()
  })

  it('that cannot be written makes the start of a skill a loud deny', async () => {
    mkdirSync(world.home, { recursive: true })
    writeFileSync(join(world.home, 'state'), 'a file')
    const ran = JSON.parse((await world.hook(skillBegins)).stdout)
    expect(ran).toMatchObject({ decision: 'block', reason: expect.stringContaining('mux') })
  })
})

describe('a full disk', () => {
  /** No file may grow: every write to state, journal and cache fails, as on a full disk. */
  const onFullDisk = (payload: object) =>
    new Promise<{ stdout: string; exitCode: number | null }>((resolve) => {
      const script = 'ulimit -f 0; exec "$0" "$@"'
      const hook = join(import.meta.dirname, '..', '..', 'dist', 'hook.cjs')
      const child = spawn('sh', ['-c', script, process.execPath, hook, 'claude-code', '--home', world.home], {
        cwd: world.project,
        env: { PATH: process.env.PATH ?? '', HOME: '/home/dev' },
      })
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

  it('makes the start of a skill a loud deny', async () => {
    expect(JSON.parse((await onFullDisk(skillBegins)).stdout)).toMatchObject({ decision: 'block' })
  })
})

describe('the plan cache', () => {
  const cached = () => join(world.home, 'cache', readdirSync(join(world.home, 'cache'))[0] ?? '')

  it.each<[string, (text: string) => string]>([
    ['cut off', (text) => text.slice(0, text.length / 2)],
    ['garbage', () => 'garbage'],
    ['of another format', (text) => text.replace('"format":1', '"format":0')],
    ['of another project', (text) => text.replace('"key":"', '"key":"other')],
    ['an empty object', () => '{}'],
  ])('that is %s is made anew', async (_name, change) => {
    await answersAsBefore()
    writeFileSync(cached(), change(readFileSync(cached(), 'utf8')))
    await answersAsBefore()
  })
})
