import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSandbox, type Sandbox } from './command.ts'

/** The page is the test: its files are written, and its command is run before and after. */
const page = readFileSync(new URL('../../docs/guide/migrate-hook-scripts.md', import.meta.url), 'utf8')
const sections = page.split(/^## /m).slice(1)

let sandbox: Sandbox
beforeEach(() => {
  sandbox = createSandbox()
})
afterEach(() => sandbox.remove())

const filesIn = (section: string) =>
  [...section.matchAll(/^`([^`\n]+)`:\n\n```\w+\n([\s\S]*?\n)```$/gm)].map(
    ([, path = '', text = '']) => [path, text] as const,
  )

/** Splits a command as a shell would, with single quotes only. */
function commandIn(section: string): { readonly args: readonly string[]; readonly stdin?: string } {
  const line = /^```bash\n(.*holdpoint .*)\n```$/m.exec(section)?.[1] ?? ''
  const [, stdin, command = ''] = /^(?:echo '([^']*)' \| )?holdpoint (.*)$/.exec(line) ?? []
  const args = [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? '')
  return { args, ...(stdin === undefined ? {} : { stdin }) }
}

const BLOCKED = /^BLOCKED: |"decision":"block"/

describe('K-37: the call gets the same answer from the script and from the pack', () => {
  it.each(sections.map((section) => [section.slice(0, section.indexOf('\n')), section] as const))(
    '%s',
    async (_title, section) => {
      const files = filesIn(section)
      const after = files.find(([path]) => path === 'after/config.yaml')?.[1] ?? ''
      for (const [path, text] of files) if (!path.startsWith('after/')) sandbox.write(path, text, 0o755)
      const { args, stdin } = commandIn(section)
      const play = async () => {
        const trusted = await sandbox.person(['trust', '--yes'])
        expect(trusted.exitCode, trusted.stderr).toBe(0)
        return sandbox.run(args, stdin === undefined ? {} : { stdin })
      }
      const before = await play()
      expect(before.stdout).toMatch(BLOCKED)
      // The script itself answered, not only a pack.
      if (args[0] === 'test') expect(before.stderr).toMatch(/by (?:frontmatter|project)\//)
      sandbox.config(after)
      const then = await play()
      expect(then.stdout).toMatch(BLOCKED)
      expect(then.stderr).not.toMatch(/by (?:frontmatter|project)\//)
      expect(then.exitCode).toBe(before.exitCode)
    },
  )
})
