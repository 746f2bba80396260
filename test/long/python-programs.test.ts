import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { it } from '../faults/installation.ts'
import { runPython } from '../python/python.ts'

/** The Python programs of the documentation, with an installed Holdpoint and its daemon: they print what the pages show. */

const ROOT = join(import.meta.dirname, '..', '..')
const page = (path: string) => readFileSync(join(ROOT, path), 'utf8')

it('the programs of the guide print what it shows', async ({ installation }) => {
  const blocks = page('docs/guide/python.md').matchAll(
    /```python\n((?:(?!```).)*)```\n\n```bash\n(?:(?!```).)*```\n\n```text\n(.*?)```/gs,
  )
  const programs = [...blocks].map(([, program = '', printed = '']) => ({ program, printed }))
  expect(programs).toHaveLength(3)
  for (const [index, { program, printed }] of programs.entries()) {
    const file = join(installation.folder, `program-${index}.py`)
    writeFileSync(file, program)
    const env = { HOLDPOINT_HOME: installation.home.folder }
    const ran = await runPython(['-W', 'error', file], { cwd: installation.project, env })
    expect(ran.stdout, ran.stderr).toBe(printed)
  }
})

it('the example prints what its page shows', async ({ installation }) => {
  const env = { HOLDPOINT_HOME: installation.home.folder, PYTHONPATH: '' }
  const file = join(ROOT, 'examples', 'python-agent', 'main.py')
  const ran = await runPython(['-W', 'error', file], { cwd: installation.project, env })
  const shown = /```text\n(.*?)```/s.exec(page('examples/python-agent/README.md'))?.[1]
  expect(ran.stdout, ran.stderr).toBe(shown)
})
