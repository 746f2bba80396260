import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSandbox, type Sandbox } from './command.ts'
import { atTerminal } from './terminal.ts'

let sandbox: Sandbox
beforeEach(() => {
  sandbox = createSandbox()
})
afterEach(() => sandbox.remove())

describe('holdpoint docs', () => {
  it('without a topic lists the pages in groups, and counts the guards', async () => {
    const ran = await sandbox.run(['docs'])
    expect(ran).toMatchObject({ exitCode: 0, stderr: '' })
    for (const group of ['Use', 'Write policy', 'Orchestrate', 'Build', 'Operate', 'Reference', 'Guards']) {
      expect(ran.stdout).toContain(`\n${group}\n`)
    }
    expect(ran.stdout).toMatch(/^ {2}rules +Rules in YAML$/m)
    expect(ran.stdout).toMatch(/^ {2}guards +\d{2,} guards in \d packs/m)
  })

  it('shows a page, a guard and a file of the package', async () => {
    expect((await sandbox.run(['docs', 'getting-started'])).stdout).toMatch(/^Getting started\n=+\n/)
    expect((await sandbox.run(['docs', 'safety/git/force-push'])).stdout).toContain('    git push --force\n')
    expect((await sandbox.run(['docs', 'readme'])).stdout).toContain('(holdpoint docs getting-started)')
    expect((await sandbox.run(['docs', 'security'])).stdout).toMatch(/^Security\n/)
  })

  it('wraps to COLUMNS, and turns tables into blocks when that is narrow', async () => {
    const ran = await sandbox.run(['docs', 'rules'], { env: { COLUMNS: '50' } })
    expect(ran.stdout).toContain('\nkey: `when`\nmeaning: The conditions. Without `when`, the\n')
  })

  it('suggests a page for an unknown topic, and does not exit with 2 as a hook does to block', async () => {
    const ran = await sandbox.run(['docs', 'rulez'])
    expect(ran).toMatchObject({ exitCode: 66, stdout: '' })
    expect(ran.stderr).toContain('Did you mean `holdpoint docs rules`? [TOPIC_UNKNOWN]')
  })

  it('lists all pages as JSON, and gives one with its Markdown', async () => {
    const { version, pages } = JSON.parse((await sandbox.run(['docs', '--list', '--json'])).stdout)
    expect(version).toBe(1)
    expect(pages).toContainEqual({
      topic: 'safety/git/force-push',
      path: 'docs/guards/safety/git/force-push.md',
      group: 'Guards',
      title: 'Force push',
    })
    const page = JSON.parse((await sandbox.run(['docs', 'rules', '--json'])).stdout)
    expect(page).toMatchObject({ topic: 'rules', title: 'Rules in YAML' })
    expect(page.markdown).toMatch(/^# Rules in YAML\n/)
  })

  it('searches all pages or one, and exits with 1 if it finds nothing', async () => {
    const found = await sandbox.run(['docs', '--search', 'force', 'push'])
    expect(found.stdout).toMatch(/^safety\/git\/force-push {2}Force push$/m)
    const within = JSON.parse(
      (await sandbox.run(['docs', 'safety/git', '--json', '--search', 'push'])).stdout,
    )
    expect(within.pages.length).toBeGreaterThan(1)
    expect(within.pages.every(({ topic }: { topic: string }) => topic.startsWith('safety/git/'))).toBe(true)
    const none = await sandbox.run(['docs', '--search', 'xyzzy'])
    expect(none).toMatchObject({
      exitCode: 1,
      stdout: '',
      stderr: expect.stringContaining('Try fewer words'),
    })
  })

  it('is plain text in a pipe, even if a build server forces colours', async () => {
    expect((await sandbox.run(['docs', 'rules'], { env: { CI: '1' } })).stdout).not.toContain('\u001b')
  })
})

describe('holdpoint docs at a terminal', () => {
  const size = [24, 80] as const

  it('has colours unless NO_COLOR is set', async () => {
    const env = { TERM: 'xterm', PAGER: 'cat' }
    const coloured = await sandbox.person(['docs', 'trust'], { ...env, NO_COLOR: '' })
    expect(coloured.stdout).toContain('\u001b[1mTrust\u001b[22m')
    expect((await sandbox.person(['docs', 'trust'], env)).stdout).toMatch(/^Trust\n=====\n/)
  })

  it('shows a page that is longer than the screen through $PAGER', async () => {
    const env = { TERM: 'xterm', NO_COLOR: '1', PAGER: "sed 's/^/paged: /'" }
    const { text, exitCode } = await atTerminal(sandbox, ['docs', 'rules'], { size, env })
    expect(exitCode).toBe(0)
    expect(text).toContain('paged: =====')
  })

  it.each([
    ['a page that fits', 'self/daemon', [500, 80] as const, "sed 's/^/paged: /'"],
    ['a long page, if $PAGER is empty', 'rules', size, ''],
    ['a long page, if $PAGER does not exist', 'rules', size, 'no-such-pager --now 2>/dev/null'],
  ])('shows without a pager %s', async (_name, topic, rows, pager) => {
    const shown = await sandbox.person(['docs', topic], { TERM: 'xterm', PAGER: pager }, { size: rows })
    expect(shown.exitCode).toBe(0)
    expect(shown.stdout).toContain('=====')
    expect(shown.stdout).not.toContain('paged: ')
  })

  it('uses `less -R` as the default pager', async () => {
    sandbox.write('bin/less', '#!/bin/sh\necho "less $*, $(wc -l) lines, secure: $LESSSECURE"\n', 0o755)
    const { text } = await atTerminal(sandbox, ['docs', 'rules'], {
      size,
      env: { TERM: 'xterm', PATH: `${join(sandbox.project, 'bin')}:${process.env.PATH}` },
    })
    expect(text).toMatch(/^less -R, +\d{3} lines, secure: 1\n$/)
  })

  it('does not fail if the pager ends early', async () => {
    const env = { TERM: 'xterm', PAGER: 'head -1' }
    expect(await atTerminal(sandbox, ['docs', 'lint'], { size, env })).toMatchObject({ exitCode: 0 })
  })
})
