import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSandbox, type Sandbox } from '../e2e/command.ts'
import { atTerminal } from '../e2e/terminal.ts'
import { holdpointProgram } from '../installed.ts'
import { BLOCK_SETTINGS } from './guide-blocks.ts'

/**
 * Every `bash` block of the guides is typed as it is, in order, in a fresh home and an empty project, and must succeed.
 * A block whose first line names a file becomes that file. Commands of `console` blocks are typed too, because later
 * blocks may depend on them. What a block needs besides is in guide-blocks.ts. A block that cannot run has a comment
 * before it that says why: `<!-- not run: the reason -->`.
 */
const PACKAGE = join(import.meta.dirname, '..', '..')
const GUIDES = join(PACKAGE, 'docs', 'guide')
const PAGES = readdirSync(GUIDES).filter((name) => name.endsWith('.md'))

interface Block {
  readonly language: string
  readonly text: string
  /** Why the block is not run. */
  readonly reason: string | undefined
}

function blocksOf(page: string): readonly Block[] {
  const found = page.matchAll(
    /(?:^<!-- not run: ?(?<reason>[^\n]*?) ?-->\n\n)?^```(?<language>\w*)\n(?<text>.*?)^```$/gms,
  )
  return [...found].map(({ groups = {} }) => {
    const { reason, language = '', text = '' } = groups
    return { language, text, reason }
  })
}

let sandbox: Sandbox
beforeEach(() => {
  sandbox = createSandbox()
  mkdirSync(join(sandbox.folder, 'user'))
  mkdirSync(join(sandbox.folder, 'programs'))
  // An agent that says its version: enough for `init` to find it.
  writeFileSync(join(sandbox.folder, 'programs', 'claude'), '#!/bin/sh\necho "2.1.325 (Claude Code)"\n', {
    mode: 0o755,
  })
})
afterEach(() => sandbox.remove())

const WITH_COMMANDS = PAGES.map((name) => ({
  name,
  blocks: blocksOf(readFileSync(join(GUIDES, name), 'utf8')),
})).filter(({ blocks }) => blocks.some(({ language }) => language === 'bash'))

it('the guides have commands', () => expect(WITH_COMMANDS.length).toBeGreaterThan(8))

describe.each(WITH_COMMANDS)('the guide $name', ({ name, blocks }) => {
  it('says why a block is not run', () => {
    for (const { reason, language } of blocks) {
      if (reason === undefined) continue
      expect(language).toBe('bash')
      expect(reason.length, reason).toBeGreaterThan(10)
    }
  })

  it('has commands that work when they are typed from top to bottom', async () => {
    for (const { language, text, reason } of blocks) {
      const file = /^(?:#![^\n]*\n)?(?:#|\/\/) (\S+\/\S+\.\w+)\n/.exec(text)?.[1]
      if (reason !== undefined) continue
      if (language === 'bash') await typeBlock(name, text)
      else if (language === 'console')
        for (const [, command = ''] of text.matchAll(/^\$ (.*)$/gm)) await typedByPerson(command, [])
      else if (file !== undefined) sandbox.write(file, text, text.startsWith('#!') ? 0o755 : 0o644)
    }
  })
})

it('every setting is for a block of a guide', () => {
  const unused = BLOCK_SETTINGS.filter(
    ({ page, begins }) =>
      !WITH_COMMANDS.some(
        ({ name, blocks }) => name === page && blocks.some(({ text }) => text.startsWith(begins)),
      ),
  )
  expect(unused).toEqual([])
})

async function typeBlock(page: string, text: string): Promise<void> {
  const setting = BLOCK_SETTINGS.find((each) => each.page === page && text.startsWith(each.begins))
  const { files = {}, before = '', exitCode = 0, answers, stands = {} } = setting ?? {}
  for (const [path, content] of Object.entries(files)) sandbox.write(path, content)
  if (before !== '') expect(typed(before), before).toMatchObject({ status: 0 })
  const words = Object.entries(stands).map(([word, command]) => [word, typed(command).stdout.trim()] as const)
  const filled = words.reduce((sofar, [word, value]) => sofar.replaceAll(word, value), text)
  const ended = answers === undefined ? typed(filled) : await typedByPerson(filled, answers)
  expect(ended.status, `${filled}\n${ended.stdout}${ended.stderr}`).toBe(exitCode)
}

async function typedByPerson(text: string, answers: readonly string[]) {
  const ended = await atTerminal(sandbox, ['-c', AS_TYPED + text], {
    program: '/bin/sh',
    type: answers,
    size: [50, 120],
    env: { ...environment(), NO_COLOR: '1', TERM: 'xterm' },
  })
  return { status: ended.exitCode, stdout: ended.text, stderr: '' }
}

/** `npx holdpoint` runs the built program. */
const AS_TYPED = `holdpoint() { "$HOLDPOINT_PROGRAM" "$@"; }
npx() { [ "$1" = holdpoint ] && shift && holdpoint "$@"; }
set -e
`

const TYPED_MAX_MS = 300_000

function typed(text: string) {
  const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', AS_TYPED + text], {
    cwd: sandbox.project,
    env: environment(),
    input: '',
    encoding: 'utf8',
    // A command that waits for its user must fail here, not wait.
    timeout: TYPED_MAX_MS,
  })
  return { status, stdout, stderr: stderr.slice(0, 2_000) }
}

function environment() {
  return {
    PATH: `${join(sandbox.folder, 'programs')}:${process.env.PATH}`,
    HOME: join(sandbox.folder, 'user'),
    HOLDPOINT_HOME: sandbox.home,
    HOLDPOINT_PROGRAM: holdpointProgram(),
    HOLDPOINT_PACKAGE: PACKAGE,
  }
}
