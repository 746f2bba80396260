import { appendFileSync, chmodSync, mkdirSync, readdirSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import {
  answersRight,
  bash,
  eventually,
  expectDenied,
  freeze,
  isRoot,
  it,
  PASSED,
  readText,
  run,
  type Station,
  servesAgain,
} from '../faults/station.ts'
import { lockJournal } from './locked-journal.ts'

/** What the daemon writes and reads on disk fails under it; answers stay, and the next event works again. */

const journal = ({ home }: Station, name: string) => join(home.journal, name)

/** What the journal holds, through the command line: it takes in what still waits. */
async function recorded(station: Station): Promise<number> {
  const { stdout } = await station.command('log', '--json', '--limit', '1000')
  return stdout.split('\n').filter((line) => line !== '').length
}

async function journalSays(station: Station, word: RegExp): Promise<void> {
  await eventually(async () => word.test((await station.status())?.journal ?? ''), `the journal says ${word}`)
}

describe.concurrent('the journal', () => {
  it('that is garbage changes no answer, is told, and is taken up again once it is moved away', async ({
    station,
  }) => {
    mkdirSync(station.home.journal, { recursive: true, mode: 0o700 })
    writeFileSync(journal(station, 'journal.db'), 'garbage'.repeat(1_000))
    await servesAgain(station)
    await journalSays(station, /journal\.db|not a database/)
    await answersRight(station)
    expect(readText(journal(station, 'journal.db'))).toContain('garbage')
    unlinkSync(journal(station, 'journal.db'))
    await journalSays(station, /^well$/)
    await servesAgain(station)
    expect(await recorded(station)).toBe(7 + 1)
  })

  it('that somebody else has locked delays nobody and loses nothing', async ({ station }) => {
    await servesAgain(station)
    const release = await lockJournal(station)
    for (let round = 0; round < 3; round += 1) await servesAgain(station)
    release()
    await journalSays(station, /^well$/)
    expect(await recorded(station)).toBe(3 + 3 * 3)
    expect((await station.command('log', '--verify')).exitCode).toBe(0)
  })

  it('that nobody may write changes no answer', async ({ station }) => {
    const { pid } = await servesAgain(station)
    // What is being written at this moment could not be closed to writing.
    await freeze(pid)
    const release = await makeReadOnly(station.home.journal)
    process.kill(pid, 'SIGCONT')
    try {
      await servesAgain(station)
    } finally {
      await release()
    }
    await servesAgain(station)
    await journalSays(station, /^well$/)
  })
})

describe.concurrent('the state of a session', () => {
  it('torn, garbage or a folder: denied stays denied', async ({ station }) => {
    await servesAgain(station)
    const file = () => join(station.home.state, readdirSync(station.home.state)[0] ?? '')
    appendFileSync(file(), '\n{"agent":"main","cha')
    await servesAgain(station)
    writeFileSync(file(), 'garbage\n\0')
    await servesAgain(station)
    rmSync(station.home.state, { recursive: true })
    mkdirSync(join(station.home.state, 'session-1.session.jsonl'), { recursive: true })
    await servesAgain(station)
    rmSync(station.home.state, { recursive: true })
    writeFileSync(station.home.state, 'a file')
    await servesAgain(station)
    rmSync(station.home.state)
    await servesAgain(station)
  })
})

describe.concurrent('a full disk', () => {
  it('under a daemon that serves', async ({ station }) => {
    await servesAgain(station)
    const releases = await Promise.all([station.home.journal, station.home.state].map(fill))
    try {
      await servesAgain(station)
    } finally {
      for (const release of releases) await release()
    }
    await servesAgain(station)
  })

  it('from the start: no file may grow by a byte', async ({ station }) => {
    const words = ['claude-code', '--home', station.home.folder, '--event', 'PreToolUse']
    const onFullDisk = (command: string) =>
      run('/bin/sh', ['-c', 'ulimit -f 0; exec "$0" "$@"', station.home.hookProgram, ...words], {
        stdin: JSON.stringify(bash(command)),
        cwd: station.project,
      })
    // A process of its own says on standard error that it could keep no record.
    expectDenied({ ...(await onFullDisk('git push --force')), stderr: '' })
    // Its limit came from the client that started it.
    await eventually(station.status, 'a daemon serves')
    expectDenied(await onFullDisk('git push --force'))
    expect(await onFullDisk('ls')).toEqual(PASSED)
    expect((await station.status())?.answered).toBe(2)
    await answersRight(station)
  })
})

describe.concurrent('the configuration', () => {
  const config = ({ home }: Station, text: string) => writeFileSync(home.userConfig, text)
  const RULE = `version: 1
packs: { safety: true }
hooks:
  PreToolUse:
    - { match: Bash, run: "if grep -q harmless; then echo 'not this one' >&2; exit 2; fi" }
`

  it('changed under a daemon that serves is in force for the next event', async ({ station }) => {
    await servesAgain(station)
    expect(await station.call(bash('echo harmless'))).toEqual(PASSED)
    config(station, RULE)
    expectDenied(await station.call(bash('echo harmless')))
    config(station, RULE.replace('harmless', 'something'))
    expect(await station.call(bash('echo harmless'))).toEqual(PASSED)
    rmSync(station.home.userConfig)
    await servesAgain(station)
  })

  it('broken under a daemon that serves: what it last said stays, and the person is told', async ({
    station,
  }) => {
    config(station, RULE)
    await servesAgain(station)
    config(station, 'version: 1\npacks: [[[\n')
    expectDenied(await station.call(bash('echo harmless')))
    await servesAgain(station)
    const told = await station.call(
      { session_id: 'session-1', hook_event_name: 'UserPromptSubmit', prompt: 'Go on.' },
      { event: 'UserPromptSubmit' },
    )
    expect(told).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('Holdpoint configuration') })
    config(station, RULE)
    expectDenied(await station.call(bash('echo harmless')))
  })
})

/** Permissions do not hold root back; a mount does. Returns what undoes it. */
async function makeReadOnly(folder: string): Promise<() => Promise<void>> {
  if (!isRoot) {
    chmodSync(folder, 0o500)
    return async () => chmodSync(folder, 0o700)
  }
  await must('mount', '--bind', folder, folder)
  await must('mount', '-o', 'remount,ro,bind', folder)
  return () => must('umount', '--lazy', folder)
}

/** Root puts a real disk of 64 KiB there, with not a byte left; anybody else closes the folder. */
async function fill(folder: string): Promise<() => Promise<void>> {
  if (!isRoot) return makeReadOnly(folder)
  await must('mount', '-t', 'tmpfs', '-o', 'size=64k,mode=700', 'tmpfs', folder)
  expect(() => writeFileSync(join(folder, 'filler'), Buffer.alloc(128 * 1024))).toThrow('ENOSPC')
  return () => must('umount', '--lazy', folder)
}

async function must(program: string, ...words: string[]): Promise<void> {
  expect(await run(program, words)).toEqual({ stdout: '', stderr: '', exitCode: 0 })
}
