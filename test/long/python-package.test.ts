import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PYTHON, PYTHON_PACKAGE } from '../python/python.ts'

/** The Python package as it is published: built with what Debian offers, installed, and typed. Nothing is downloaded. */

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-python-package-'))
  // Building writes next to the sources.
  cpSync(PYTHON_PACKAGE, join(folder, 'python'), {
    recursive: true,
    filter: (path) => !/__pycache__|\.egg-info|\/build$/.test(path),
  })
  const ran = run(PYTHON, [
    '-m',
    'build',
    '--no-isolation',
    '--outdir',
    join(folder, 'dist'),
    join(folder, 'python'),
  ])
  if (ran.status !== 0) {
    throw new Error(
      `cannot build: apt-get install python3-build python3-setuptools python3-wheel\n${ran.text}`,
    )
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function run(program: string, words: readonly string[], cwd = folder) {
  const env = { PATH: '/usr/bin:/bin', HOME: folder }
  const { status, stdout, stderr } = spawnSync(program, words, { cwd, env, encoding: 'utf8' })
  return { status, text: `${stdout}${stderr}`, stdout }
}

const built = (end: string) =>
  join(folder, 'dist', readdirSync(join(folder, 'dist')).find((n) => n.endsWith(end)) ?? '')

describe('the Python package', () => {
  it('is a wheel for every Python and platform, and a source distribution', () => {
    const { version } = JSON.parse(
      spawnSync('cat', [join(PYTHON_PACKAGE, '..', 'package.json')]).stdout.toString(),
    )
    expect(readdirSync(join(folder, 'dist')).sort()).toEqual([
      `holdpoint-${version}-py3-none-any.whl`,
      `holdpoint-${version}.tar.gz`,
    ])
    const names = run(PYTHON, ['-m', 'zipfile', '-l', built('.whl')]).text
    expect(names).toContain('holdpoint/py.typed')
    expect(names).not.toContain('tests/')
    const metadata = run(PYTHON, ['-c', METADATA, built('.whl')]).text
    expect(metadata).toContain('Requires-Python: >=3.9\n')
    expect(metadata).not.toContain('Requires-Dist')
  })

  it.each(['.whl', '.tar.gz'])('installs from its %s and denies without a Holdpoint', (end) => {
    const place = join(folder, `environment${end}`)
    const venv = run(PYTHON, ['-m', 'venv', '--system-site-packages', place])
    expect(venv.status, venv.text).toBe(0)
    const words = ['-m', 'pip', 'install', '--no-index', '--no-deps', '--no-build-isolation', built(end)]
    const installed = run(join(place, 'bin', 'python'), words)
    expect(installed.status, installed.text).toBe(0)
    expect(run(join(place, 'bin', 'python'), ['-W', 'error', '-c', PROGRAM]).text).toBe('deny\n')
  })

  it('is typed: mypy finds nothing under strict, and a wrong use is an error', () => {
    const strict = run(PYTHON, ['-m', 'mypy', '--strict', join(folder, 'python', 'src', 'holdpoint')])
    expect(strict.text, 'apt-get install mypy').toContain('Success: no issues found')
    const program = join(folder, 'program.py')
    writeFileSync(program, `${PROGRAM}\nHookManager().execute(7)\nHookManager(hom="/x")\n`)
    const wrong = spawnSync(PYTHON, ['-m', 'mypy', '--strict', program], {
      env: { PATH: '/usr/bin:/bin', HOME: folder, MYPYPATH: join(folder, 'python', 'src') },
      cwd: folder,
      encoding: 'utf8',
    })
    expect(wrong.stdout.match(/error: /g)).toHaveLength(2)
  })
})

const METADATA = `
import sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as wheel:
    print(wheel.read(next(name for name in wheel.namelist() if name.endswith('METADATA'))).decode())
`
const PROGRAM = `
from holdpoint import HookEvent, HookManager
event = HookEvent(hook_type="PreToolUse", tool_name="Bash", tool_input={"command": "ls"})
print(HookManager(home="/nowhere").execute(event).decision)
`
