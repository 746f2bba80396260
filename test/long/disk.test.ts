import { appendFileSync, chmodSync, mkdirSync, readdirSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import {
  bash,
  expectDaemonAnswers,
  expectDenied,
  expectRightAnswers,
  freeze,
  type Installation,
  isRoot,
  it,
  PASSED,
  run,
} from '../faults/installation.ts'
import { eventually, readText } from '../processes.ts'
import { lockJournal } from './locked-journal.ts'

/** Files that the daemon reads and writes fail. The answers stay the same, and the next event works again. */

const journal = ({ home }: Installation, name: string) => join(home.journal, name)

/** The number of records in the journal, after the command line has imported the spool. */
async function recorded(installation: Installation): Promise<number> {
  const { stdout } = await installation.command('log', '--json', '--limit', '1000')
  return stdout.split('\n').filter((line) => line !== '').length
}

async function journalSays(installation: Installation, word: RegExp): Promise<void> {
  await eventually(
    async () => word.test((await installation.status())?.journal ?? ''),
    `the journal says ${word}`,
  )
}

describe.concurrent('a journal', () => {
  it('that is damaged changes no answer, is reported, and works again after it is moved away', async ({
    installation,
  }) => {
    mkdirSync(installation.home.journal, { recursive: true, mode: 0o700 })
    writeFileSync(journal(installation, 'journal.db'), 'garbage'.repeat(1_000))
    await expectDaemonAnswers(installation)
    await journalSays(installation, /journal\.db|not a database/)
    await expectRightAnswers(installation)
    expect(readText(journal(installation, 'journal.db'))).toContain('garbage')
    unlinkSync(journal(installation, 'journal.db'))
    await journalSays(installation, /^well$/)
    await expectDaemonAnswers(installation)
    expect(await recorded(installation)).toBe(7 + 1)
  })

  it('that another process has locked delays no hook and loses nothing', async ({ installation }) => {
    await expectDaemonAnswers(installation)
    const release = await lockJournal(installation)
    for (let round = 0; round < 3; round += 1) await expectDaemonAnswers(installation)
    release()
    await journalSays(installation, /^well$/)
    expect(await recorded(installation)).toBe(3 + 3 * 3)
    expect((await installation.command('log', '--verify')).exitCode).toBe(0)
  })

  it('that is read-only changes no answer', async ({ installation }) => {
    const { pid } = await expectDaemonAnswers(installation)
    // A record that is being written now would keep the folder from becoming read-only.
    await freeze(pid)
    const release = await makeReadOnly(installation.home.journal)
    process.kill(pid, 'SIGCONT')
    try {
      await expectDaemonAnswers(installation)
    } finally {
      await release()
    }
    await expectDaemonAnswers(installation)
    await journalSays(installation, /^well$/)
  })
})

describe.concurrent('a session state', () => {
  it('that is cut off, invalid or a folder changes no denial', async ({ installation }) => {
    await expectDaemonAnswers(installation)
    const file = () => join(installation.home.state, readdirSync(installation.home.state)[0] ?? '')
    appendFileSync(file(), '\n{"agent":"main","cha')
    await expectDaemonAnswers(installation)
    writeFileSync(file(), 'garbage\n\0')
    await expectDaemonAnswers(installation)
    rmSync(installation.home.state, { recursive: true })
    mkdirSync(join(installation.home.state, 'session-1.session.jsonl'), { recursive: true })
    await expectDaemonAnswers(installation)
    rmSync(installation.home.state, { recursive: true })
    writeFileSync(installation.home.state, 'a file')
    await expectDaemonAnswers(installation)
    rmSync(installation.home.state)
    await expectDaemonAnswers(installation)
  })
})

describe.concurrent('a full disk', () => {
  it('under a running daemon changes no answer', async ({ installation }) => {
    await expectDaemonAnswers(installation)
    const releases = await Promise.all([installation.home.journal, installation.home.state].map(fill))
    try {
      await expectDaemonAnswers(installation)
    } finally {
      for (const release of releases) await release()
    }
    await expectDaemonAnswers(installation)
  })

  it('from the start changes no answer: no file can grow by a byte', async ({ installation }) => {
    const words = ['claude-code', '--home', installation.home.folder, '--event', 'PreToolUse']
    const onFullDisk = (command: string) =>
      run('/bin/sh', ['-c', 'ulimit -f 0; exec "$0" "$@"', installation.home.hookProgram, ...words], {
        stdin: JSON.stringify(bash(command)),
        cwd: installation.project,
      })
    // A separate process prints on standard error that it could store no record.
    expectDenied({ ...(await onFullDisk('git push --force')), stderr: '' })
    // The daemon inherited the limit from the client that started it.
    await eventually(installation.status, 'a daemon serves')
    expectDenied(await onFullDisk('git push --force'))
    expect(await onFullDisk('ls')).toEqual(PASSED)
    expect((await installation.status())?.answered).toBe(2)
    await expectRightAnswers(installation)
  })
})

describe.concurrent('a configuration', () => {
  const config = ({ home }: Installation, text: string) => writeFileSync(home.userConfig, text)
  const RULE = `version: 1
packs: { safety: true }
hooks:
  PreToolUse:
    - { match: Bash, run: "if grep -q harmless; then echo 'not this one' >&2; exit 2; fi" }
`

  it('that changes under a running daemon applies to the next event', async ({ installation }) => {
    await expectDaemonAnswers(installation)
    expect(await installation.call(bash('echo harmless'))).toEqual(PASSED)
    config(installation, RULE)
    expectDenied(await installation.call(bash('echo harmless')))
    config(installation, RULE.replace('harmless', 'something'))
    expect(await installation.call(bash('echo harmless'))).toEqual(PASSED)
    rmSync(installation.home.userConfig)
    await expectDaemonAnswers(installation)
  })

  it('that becomes invalid keeps its last valid content, and the user is notified', async ({
    installation,
  }) => {
    config(installation, RULE)
    await expectDaemonAnswers(installation)
    config(installation, 'version: 1\npacks: [[[\n')
    expectDenied(await installation.call(bash('echo harmless')))
    await expectDaemonAnswers(installation)
    const told = await installation.call(
      { session_id: 'session-1', hook_event_name: 'UserPromptSubmit', prompt: 'Go on.' },
      { event: 'UserPromptSubmit' },
    )
    expect(told).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('Holdpoint configuration') })
    config(installation, RULE)
    expectDenied(await installation.call(bash('echo harmless')))
  })
})

/** Permissions do not stop root, but a mount does. Returns a function that undoes it. */
async function makeReadOnly(folder: string): Promise<() => Promise<void>> {
  if (!isRoot) {
    chmodSync(folder, 0o500)
    return async () => chmodSync(folder, 0o700)
  }
  await must('mount', '--bind', folder, folder)
  await must('mount', '-o', 'remount,ro,bind', folder)
  return () => must('umount', '--lazy', folder)
}

/** As root, mounts a disk of 64 KiB that is full. Other users make the folder read-only. */
async function fill(folder: string): Promise<() => Promise<void>> {
  if (!isRoot) return makeReadOnly(folder)
  await must('mount', '-t', 'tmpfs', '-o', 'size=64k,mode=700', 'tmpfs', folder)
  expect(() => writeFileSync(join(folder, 'filler'), Buffer.alloc(128 * 1024))).toThrow('ENOSPC')
  return () => must('umount', '--lazy', folder)
}

async function must(program: string, ...words: string[]): Promise<void> {
  expect(await run(program, words)).toEqual({ stdout: '', stderr: '', exitCode: 0 })
}
