import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')

/** Every program of these guides runs and prints what its comments say (R-004-07). */
describe.each(['massgen', 'migration'])('docs/guide/%s.md', (guide) => {
  const text = readFileSync(join(ROOT, `docs/guide/${guide}.md`), 'utf8')
  const programs = [...text.matchAll(/^```js\n(.*?)^```$/gms)].map(([, program = '']) => program)

  it('has programs', () => {
    expect(programs.length).toBeGreaterThan(0)
  })

  it.each(programs.map((program, index) => [index + 1, program] as const))(
    'program %i prints what its comments say',
    (_number, program) => {
      const says = [...program.matchAll(/\/\/ → (.*)$/gm)].map(([, line]) => line)
      expect(says.length).toBeGreaterThan(0)
      const options = { cwd: ROOT, encoding: 'utf8' } as const
      const printed = execFileSync(process.execPath, ['--input-type=module', '-e', program], options)
      expect(printed.trim().split('\n')).toEqual(says)
    },
  )
})
