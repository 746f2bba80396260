import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { personAt } from '../e2e/terminal.ts'
import { shownOn } from '../examples/play.ts'
import { holdpointProgram, installedPackage } from '../installed.ts'
import { PYTHON } from '../python/python.ts'

/** What is in the package besides Holdpoint itself, used from the folder where npm put it. */

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-packed-examples-'))
})
afterAll(() => {
  personAt({ cwd: folder, env: { HOME: folder } }, ['uninstall', '--yes'])
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

function run(program: string, words: readonly string[]) {
  const env = { PATH: process.env.PATH, HOME: folder }
  const { status, stdout, stderr } = spawnSync(program, words, { cwd: folder, env, encoding: 'utf8' })
  return { status, stdout, text: `${stdout}${stderr}` }
}

const holdpoint = (...words: readonly string[]) => run(holdpointProgram(), words)
const example = (...path: readonly string[]) => join(installedPackage(), 'examples', ...path)

/** The program of an example, as its page starts it from an installed package. */
function packedProgram(name: string): string {
  const page = readFileSync(example(name, 'README.md'), 'utf8')
  const [, file = ''] = new RegExp(`node_modules/holdpoint/examples/${name}/(\\S+)`).exec(page) ?? []
  return example(name, file)
}

describe('an example in the package', () => {
  // Those of SDKs are played next to the SDK, in sdk-versions.test.ts.
  it.each([
    'library',
    'collective',
    'massgen-team',
    'mux-legacy',
    'mux-skills',
    'scratchpad',
    'team-policies',
  ])('%s prints what its page shows', (name) => {
    const ran = run(process.execPath, [packedProgram(name)])
    expect(ran.status, ran.text).toBe(0)
    expect(ran.stdout).toBe(shownOn(name))
  })
})

describe('the Python package in the package', () => {
  it('is installed by pip from its folder, asks the Holdpoint that init installed, and plays its example', () => {
    expect(holdpoint('init', '--renew', '--yes')).toMatchObject({ status: 0 })
    const place = join(folder, 'environment')
    const venv = run(PYTHON, ['-m', 'venv', '--system-site-packages', place])
    expect(venv.status, venv.text).toBe(0)
    const python = join(place, 'bin', 'python')
    // Nothing is downloaded: what builds it is the system's own.
    const offline = ['--no-index', '--no-deps', '--no-build-isolation']
    const source = join(installedPackage(), 'python')
    const installed = run(python, ['-m', 'pip', 'install', ...offline, source])
    expect(installed.status, installed.text).toBe(0)
    const ran = run(python, ['-c', PROGRAM])
    expect(ran).toMatchObject({ status: 0, stdout: 'allow deny\n' })
    const played = run(python, [packedProgram('python-agent')])
    expect(played.stdout, played.text).toBe(shownOn('python-agent'))
  })
})

const PROGRAM = `
import holdpoint
def decide(command):
    event = holdpoint.HookEvent(hook_type="PreToolUse", tool_name="Bash", tool_input={"command": command})
    return holdpoint.HookManager().execute(event).decision
assert "environment" in holdpoint.__file__, holdpoint.__file__
print(decide("ls"), decide("git push --force"))
`
