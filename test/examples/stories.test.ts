import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

/** Stories as their README shows them, played with the built package: one for each design document, and a team. */
const examples = join(import.meta.dirname, '..', '..', 'examples')
const run = (name: string) =>
  execFileSync(process.execPath, [join(examples, name, 'main.mjs')], { encoding: 'utf8' })

describe('K-41: the examples', () => {
  it.each(['mux-skills', 'mux-legacy', 'collective', 'scratchpad', 'openai-agents-team'])(
    '%s prints what its page shows',
    (name) => {
      const page = readFileSync(join(examples, name, 'README.md'), 'utf8')
      const shown = /```text\n([\s\S]*?)```/.exec(page)?.[1]
      expect(run(name)).toBe(shown)
    },
  )

  it('massgen-team checks calls with hooks of a configuration and of the program', () => {
    expect(run('massgen-team')).toMatch(/deny/)
  })
})
