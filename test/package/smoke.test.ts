import { execFileSync, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clientFile } from '../../scripts/build-native.mjs'
import { machineOf, TARBALL_MAX_BYTES } from '../../scripts/release-rules.mjs'
import { personAt } from '../e2e/terminal.ts'
import { freshPackage, holdpointProgram, installedPackage, tarball } from '../installed.ts'

/** The packed and installed package, used as a new user would use it, without any file of the repository. */

/** The clients for macOS come from the release workflow: nothing packed elsewhere has them. */
const ROOM_FOR_MACOS_BYTES = 20_000

let folder: string
let env: NodeJS.ProcessEnv
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-smoke-'))
  mkdirSync(join(folder, 'project', '.git'), { recursive: true })
  env = { PATH: process.env.PATH, HOME: folder }
})
afterAll(() => {
  person('uninstall', '--yes')
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

function holdpoint(...args: readonly string[]): { exitCode: number | null; text: string } {
  const ran = spawnSync(holdpointProgram(), args, { cwd: join(folder, 'project'), env, encoding: 'utf8' })
  return { exitCode: ran.status, text: `${ran.stdout}${ran.stderr}` }
}

/** What removes protection is typed by a person. */
const person = (...args: readonly string[]) => personAt({ cwd: join(folder, 'project'), env }, args)

const manifest = () => JSON.parse(readFileSync(join(installedPackage(), 'package.json'), 'utf8'))

describe('the installed command starts as a program', () => {
  it('holdpoint --version prints the version of the package', () => {
    expect(holdpoint('--version')).toEqual({ exitCode: 0, text: `${manifest().version}\n` })
  })

  it('holdpoint without arguments prints the help', () => {
    expect(holdpoint().text).toContain('Usage: holdpoint')
  })

  it('holdpoint test denies a force push with exit code 2', () => {
    const ran = holdpoint('test', '--tool', 'Bash', '--args', '{"command": "git push --force"}')
    expect(ran.exitCode).toBe(2)
    expect(ran.text).toContain('BLOCKED: ')
  })

  it('holdpoint init, doctor, mux and uninstall work in a fresh home', () => {
    const init = holdpoint('init', '--host', 'claude-code', '--scope', 'user', '--pack', 'mux', '--yes')
    expect(init.text).toContain('live 13 of 13 events')
    expect(init.exitCode).toBe(0)
    expect(holdpoint('doctor').text).toContain('live 13 of 13 events')
    expect(holdpoint('mux', 'skills').exitCode).not.toBe(70)
    const settings = join(folder, '.claude', 'settings.json')
    expect(readFileSync(settings, 'utf8')).not.toContain(installedPackage())
    expect(holdpoint('uninstall', '--yes').text).toContain('only for people')
    expect(existsSync(settings)).toBe(true)
    expect(person('uninstall', '--yes').text).toContain('Holdpoint is no longer installed.')
    expect(existsSync(settings)).toBe(false)
    expect(existsSync(join(folder, '.config', 'holdpoint', 'runtime'))).toBe(false)
  })
})

describe('the package', () => {
  /** Entries that need a peer dependency. The long suite loads them with it. */
  const NEED_PEERS = ['./testing/contracts', './sdk/ai', './sdk/openai-agents']

  it('loads every other entry at run time, without a test runner or an SDK installed', () => {
    const entries = Object.keys(manifest().exports).filter(
      // A shell file is sourced, not imported.
      (key) => !NEED_PEERS.includes(key) && !key.endsWith('.sh'),
    )
    const load = (key: string) =>
      key.endsWith('.json')
        ? `import(${JSON.stringify(key.replace('.', 'holdpoint'))}, { with: { type: 'json' } })`
        : `import(${JSON.stringify(key.replace('.', 'holdpoint'))})`
    const script = `
      const loaded = await Promise.all([${entries.map(load).join(', ')}])
      console.log(loaded.every((module) => Object.keys(module).length > 0), process.moduleLoadList.some((name) => /sqlite/.test(name)))
    `
    const cwd = join(installedPackage(), '..', '..')
    const text = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      cwd,
      encoding: 'utf8',
    })
    expect(text).toBe('true false\n')
  })

  it('denies a call in a program that imports it', () => {
    const script = `
      import { createRuntime } from 'holdpoint'
      const runtime = createRuntime({ packs: ['safety'] })
      const tool = { name: 'Bash', input: { command: 'git push --force' } }
      console.log((await runtime.evaluate({ kind: 'PreToolUse', tool })).effect)
    `
    const cwd = join(installedPackage(), '..', '..')
    const text = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      cwd,
      encoding: 'utf8',
    })
    expect(text).toBe('deny\n')
  })

  it('reads configuration in a program that imports it', () => {
    writeFileSync(
      join(folder, 'policy.yaml'),
      'version: 1\nrules: [{ id: r, match: Bash, deny: No shell. }]\n',
    )
    const script = `
      import { createRuntime } from 'holdpoint'
      const runtime = createRuntime({ config: [${JSON.stringify(join(folder, 'policy.yaml'))}] })
      const tool = { name: 'Bash', input: { command: 'ls' } }
      console.log((await runtime.evaluate({ kind: 'PreToolUse', tool })).reason)
    `
    const cwd = join(installedPackage(), '..', '..')
    const text = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      cwd,
      encoding: 'utf8',
    })
    expect(text).toBe('No shell.\n')
  })

  it('has a library with stacks that can be read: short lines, and the functions by their names', () => {
    const script = join(folder, 'wrong.mjs')
    const library = join(installedPackage(), 'dist', 'lib', 'index.js')
    writeFileSync(
      script,
      `import { createRuntime } from ${JSON.stringify(pathToFileURL(library).href)}
       createRuntime({ packs: ['safety'] }).register({ on: 'PreToolUze', run: () => undefined })`,
    )
    const { stderr } = spawnSync(process.execPath, [script], { env, encoding: 'utf8' })
    expect(stderr).toContain('HoldpointError')
    // Node prints the line that threw, with a mark below it.
    const source = /^file:.*holdpoint\/dist\/lib\/.*\.js:\d+\n(.*HoldpointError.*)\n *\^\n/.exec(stderr)
    expect(source?.[1]?.length).toBeLessThan(200)
    const frames = [...stderr.matchAll(/^ {4}at (\S+) \(.*holdpoint\/dist\/lib\/.*:(\d+):(\d+)\)$/gm)]
    expect(frames.length).toBeGreaterThan(1)
    for (const [, name = '', , column] of frames) {
      expect(name.replace(/.*\./, '').length).toBeGreaterThan(3)
      expect(Number(column)).toBeLessThan(200)
    }
  })

  it('has no problem that publint reports', async () => {
    const { messages, pkg } = await publint({ pkgDir: freshPackage(), strict: true, pack: false })
    // The examples have packages of their own, which are copied out before they are used.
    const texts = messages.map((message) => formatMessage(message, pkg, { color: false }) ?? '')
    expect(texts.filter((text) => !text.startsWith('./examples/'))).toEqual([])
  })

  it('is small: at most 2.4 MB packed with the clients for macOS, 560 files, and 26 MB installed with its packages', () => {
    const filesIn = (folder: string) =>
      readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile())
    expect(statSync(tarball()).size).toBeLessThanOrEqual(TARBALL_MAX_BYTES - ROOM_FOR_MACOS_BYTES)
    expect(filesIn(freshPackage()).length).toBeLessThanOrEqual(560)
    const sizes = filesIn(join(freshPackage(), '..')).map(
      (file) => statSync(join(file.parentPath, file.name)).size,
    )
    expect(sizes.reduce((total, size) => total + size, 0)).toBeLessThanOrEqual(26_000_000)
  })

  it("has a journal thread without the engine: at most 160 kB of the programs' code", () => {
    expect(statSync(join(installedPackage(), 'dist', 'journal.cjs')).size).toBeLessThanOrEqual(160_000)
  })

  it('contains no code cache of the machine that packed it', () => {
    const files = readdirSync(freshPackage(), { recursive: true })
    expect(files.filter((file) => /code-cache|\.cache$/.test(String(file)))).toEqual([])
  })

  it('contains the native clients for Linux on both processors, and that of this machine starts', () => {
    for (const target of ['linux-x64', 'linux-arm64']) {
      const program = join(freshPackage(), clientFile(target))
      expect(machineOf(readFileSync(program))).toBe(target)
      expect(statSync(program).mode & 0o777).toBe(0o755)
    }
    const own = join(freshPackage(), clientFile(`${process.platform}-${process.arch}`))
    expect(spawnSync(own, { env: {}, encoding: 'utf8' })).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('npx holdpoint init'),
    })
  })
})
