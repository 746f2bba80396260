import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PYTHON_PACKAGE, runPython } from './python.ts'

/**
 * The tests of the Python package, which are written in Python. They need no Holdpoint: daemon and program are fake. Only
 * on Linux: they find open sockets and processes in /proc.
 */
const MODULES = readdirSync(join(PYTHON_PACKAGE, 'tests'))
  .filter((name) => /^test_.*\.py$/.test(name))
  .map((name) => name.slice(0, -3))

describe.runIf(process.platform === 'linux').concurrent('the Python package', () => {
  it.each(MODULES)('passes tests.%s, with warnings as errors', async (name) => {
    // A fork of a process with threads, which one of the modules tests, is a warning of newer versions.
    const strict = name === 'test_processes' ? [] : ['-W', 'error']
    const ran = await runPython(['-X', 'dev', ...strict, '-m', 'unittest', `tests.${name}`])
    expect(ran.exitCode, ran.stderr).toBe(0)
    expect(Number(/^Ran (\d+) tests/m.exec(ran.stderr)?.[1]), ran.stderr).toBeGreaterThan(5)
  })

  it('imports nothing but the standard library', async () => {
    const program = `
import sys
import holdpoint.massgen
own = [name for name in sys.modules if name.split('.')[0] not in sys.stdlib_module_names]
print(sorted({name.split('.')[0] for name in own} - {'__main__', 'sitecustomize', 'usercustomize'}))`
    const ran = await runPython(['-S', '-c', program])
    expect(ran.stdout).toBe("['holdpoint']\n")
  })
})

it('the version of the Python package is that of the package', () => {
  const { version } = JSON.parse(readFileSync(join(PYTHON_PACKAGE, '..', 'package.json'), 'utf8'))
  const project = readFileSync(join(PYTHON_PACKAGE, 'pyproject.toml'), 'utf8')
  const module = readFileSync(join(PYTHON_PACKAGE, 'src', 'holdpoint', '__init__.py'), 'utf8')
  expect([/^version = "(.*)"$/m.exec(project)?.[1], /^__version__ = "(.*)"$/m.exec(module)?.[1]]).toEqual([
    version,
    version,
  ])
})
