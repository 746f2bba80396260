import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSandbox, type Sandbox } from './command.ts'

/**
 * What a page shows at a terminal is what happens there. A page is played from its beginning, in an empty project: a block
 * that names a file in a comment in its first line becomes that file, and in a `console` block every line after `$` is
 * typed. In the output, `…` stands for any text. A `bash` block that writes a file is typed too.
 */
const PAGES = ['README.md', 'docs/guide/getting-started.md']

let sandbox: Sandbox
beforeEach(() => {
  sandbox = createSandbox()
})
afterEach(() => sandbox.remove())

describe.each(PAGES)('the page %s', (page) => {
  const blocks = blocksOf(readFileSync(join(import.meta.dirname, '..', '..', page), 'utf8'))

  it('shows what its commands print', async () => {
    expect(blocks.some(({ language }) => language === 'console')).toBe(true)
    for (const { language, text } of blocks) {
      const file = fileNamed(text)
      if (language === 'bash' && text.includes("<<'END'")) await play(text, '')
      else if (language === 'console')
        for (const { command, shown } of session(text)) await play(command, shown)
      else if (file !== undefined) sandbox.write(file, text, text.startsWith('#!') ? 0o755 : 0o644)
    }
  })
})

/** Commands for users are typed at a terminal. */
const FOR_PEOPLE = /^npx holdpoint (trust .*)$/

async function play(command: string, shown: string): Promise<void> {
  const words = FOR_PEOPLE.exec(command)?.[1]?.split(' ')
  const { stdout } = words === undefined ? await typed(command) : await sandbox.person(words)
  const printed = stdout
    .replaceAll(sandbox.project, '/srv/project')
    .replaceAll(sandbox.home, '/home/dev/.config/holdpoint')
    .trimEnd()
  expect(printed, command).toMatch(patternOf(shown))
}

/** A shell reads the command. Where it would start Holdpoint, it notes the words and the input, which are played here. */
async function typed(command: string): Promise<{ readonly stdout: string }> {
  const [words, input] = [join(sandbox.folder, 'words'), join(sandbox.folder, 'input')]
  for (const file of [words, input]) rmSync(file, { force: true })
  const ran = spawnSync('/bin/sh', ['-c', `${AS_TYPED}\n{ ${command}\n} 2>&1`], {
    cwd: sandbox.project,
    env: { PATH: process.env.PATH ?? '', WORDS: words, INPUT: input },
    encoding: 'utf8',
  })
  if (!existsSync(words)) return ran
  expect(ran.stdout, 'what Holdpoint prints is not passed on').toBe('')
  const args = readFileSync(words, 'utf8').split('\0').slice(0, -1)
  const { stdout, stderr } = await sandbox.run(args, { stdin: readFileSync(input, 'utf8') })
  return { stdout: stdout + stderr }
}

const AS_TYPED = `holdpoint() { printf '%s\\0' "$@" > "$WORDS"; cat > "$INPUT"; }
npx() { [ "$1" = holdpoint ] && shift && holdpoint "$@"; }`

interface Block {
  readonly language: string
  readonly text: string
}

function blocksOf(page: string): readonly Block[] {
  return [...page.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, language = '', text = '']) => ({
    language,
    text,
  }))
}

/** `# .holdpoint/config.yaml` in the first line, or after the line that names an interpreter. */
function fileNamed(text: string): string | undefined {
  return /^(?:#!.*\n)?(?:#|\/\/) (\S+\/\S+\.\w+)\n/.exec(text)?.[1]
}

function session(text: string): readonly { readonly command: string; readonly shown: string }[] {
  return text
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const [command = '', ...shown] = part.trimEnd().split('\n')
      return { command, shown: shown.join('\n') }
    })
}

function patternOf(shown: string): RegExp {
  const literal = shown.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${literal.replaceAll(/^…$/gm, '[^]*').replaceAll('…', '.*')}$`)
}
