import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
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
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { personAt } from '../e2e/terminal.ts'
import { holdpointProgram, installedPackage } from '../installed.ts'

/**
 * A home that Holdpoint 0.1.0 created, with its hooks, journal, session state, exception and trust, and what `init` of
 * this version does with it. Its files contain the path of the home in which it was recorded.
 */
const FIXTURE = join(import.meta.dirname, '..', 'package', 'fixtures', 'home-0.1.0')
const RECORDED_HOME = '/tmp/hp010/user'
const RECORDED_PROJECT = '/tmp/hp010/project'

let folder: string
let user: string
let env: NodeJS.ProcessEnv
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-upgrade-'))
  user = join(folder, 'user')
  cpSync(join(FIXTURE, 'user'), user, { recursive: true })
  for (const file of ['.claude/settings.json', '.codex/hooks.json', '.config/holdpoint/installs.json']) {
    const path = join(user, file)
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(RECORDED_HOME, user))
  }
  env = { PATH: process.env.PATH, HOME: user }
})
afterEach(() => {
  personAt({ cwd: folder, env }, ['uninstall', '--yes'])
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

const home = (...path: string[]) => join(user, '.config', 'holdpoint', ...path)
const textOf = (...path: string[]) => readFileSync(home(...path), 'utf8')

function holdpoint(...args: readonly string[]) {
  return run(holdpointProgram(), args)
}

function run(file: string, args: readonly string[], input = '', more: NodeJS.ProcessEnv = {}) {
  const ran = spawnSync(file, args, { cwd: folder, env: { ...env, ...more }, input, encoding: 'utf8' })
  return { exitCode: ran.status, text: `${ran.stdout}${ran.stderr}` }
}

/** Runs the hook that 0.1.0 wrote, as Claude Code does. */
function call(command: string) {
  const settings = JSON.parse(readFileSync(join(user, '.claude', 'settings.json'), 'utf8'))
  const [{ command: program, args }] = settings.hooks.PreToolUse[0].hooks
  const payload = {
    ...{ session_id: 's1', transcript_path: '/t', cwd: RECORDED_PROJECT, hook_event_name: 'PreToolUse' },
    ...{ tool_name: 'Bash', tool_use_id: command, tool_input: { command } },
  }
  return run(program, args, JSON.stringify(payload))
}

describe('a home of 0.1.0', () => {
  it('loses nothing when a newer init upgrades it', () => {
    const kept = ['config.yaml', 'exceptions.json', 'trust.json', 'state/s1.session.jsonl']
    const before = kept.map((file) => textOf(file))
    const records = holdpoint('log', '--json').text

    const ran = holdpoint('init', '--renew')
    expect(ran.text).toContain('live 13 of 13')
    expect(ran.text).toContain('live 10 of 10')
    expect(ran.exitCode).toBe(0)

    expect(kept.map((file) => textOf(file))).toEqual(before)
    expect(holdpoint('log', '--json').text.startsWith(records)).toBe(true)
    expect(holdpoint('log', '--verify')).toMatchObject({ exitCode: 0 })
    expect(records.split('\n').filter((line) => line.includes('"git push --force"'))).toHaveLength(1)
    // Exceptions of 0.1.0 are not signed. They are kept, and count again when a person renews them.
    expect(holdpoint('allow', '--list').text).toContain('no person signed it')
    expect(call('cat .env').text).toContain('"deny"')
    expect(call('cat .env.local').text).toContain('"deny"')
  })

  it('no longer needs the package from which it was installed', () => {
    holdpoint('init', '--renew')
    expect(textOf('bin/holdpoint-node')).not.toContain('/tmp/holdpoint-0.1.0')
    expect(textOf('bin/holdpoint-node')).not.toContain(installedPackage())
    expect(call('git push --force').text).toContain('"deny"')
    expect(JSON.parse(textOf('installs.json')).node.node).toBe(process.execPath)
  })

  it('is private to the user afterwards', () => {
    chmodSync(home(), 0o777)
    run('/bin/sh', ['-c', `umask 000; exec '${holdpointProgram()}' init --renew`])
    for (const path of [home(), home('bin'), home('runtime')]) expect(statSync(path).mode & 0o077).toBe(0)
    const open = readdirSync(home('runtime'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((file) => (statSync(file).mode & 0o077) !== 0)
    expect(open).toEqual([])
  })
})

describe('holdpoint upgrade', () => {
  /** An npm that has one version of holdpoint, and an npx that prints its arguments. */
  function npmHas(version: string): NodeJS.ProcessEnv {
    const programs = join(folder, 'programs')
    mkdirSync(programs, { recursive: true })
    const script = (text: string) => `#!/bin/sh\n${text}\n`
    writeFileSync(join(programs, 'npm'), script(`echo ${version}`), { mode: 0o755 })
    writeFileSync(join(programs, 'npx'), script(`echo "npx got: $*"; pwd`), { mode: 0o755 })
    return { PATH: `${programs}:${process.env.PATH}` }
  }
  const upgrade = (version: string, ...args: string[]) =>
    run(holdpointProgram(), ['upgrade', ...args], '', npmHas(version))

  it('prints the version that npm has and runs it', () => {
    holdpoint('init', '--renew')
    const ran = upgrade('99.1.0')
    expect(ran.text).toMatch(/^Installed: \d+\.\d+\.\d+\. On npm: 99\.1\.0\.$/m)
    expect(ran.text).toContain(`npx got: --yes holdpoint@99.1.0 init --renew --home ${home()}\n${user}\n`)
    expect(ran.exitCode).toBe(0)
  })

  it('runs nothing if npm has nothing newer, or with --check', () => {
    holdpoint('init', '--renew')
    expect(upgrade('0.0.1').text).toContain('You have the newest version.')
    const checked = upgrade('99.1.0', '--check')
    expect(checked.text).toContain('To upgrade: npx --yes holdpoint@99.1.0')
    expect(checked.text).not.toContain('npx got')
  })

  it('reports an npm that does not answer', () => {
    const ran = upgrade('')
    expect(ran.text).toContain('[NPM_SILENT]')
    expect(ran.exitCode).toBe(69)
  })
})

describe('a downgrade', () => {
  it('is refused before anything has changed, unless it is requested', () => {
    holdpoint('init', '--renew')
    const manifest = home('runtime', 'current', 'runtime.json')
    writeFileSync(manifest, JSON.stringify({ version: '99.0.0', build: '99.0.0+x' }))
    const before = readFileSync(join(user, '.claude', 'settings.json'), 'utf8')
    const refused = holdpoint('init', '--host', 'claude-code', '--scope', 'user', '--yes')
    expect(refused.text).toContain('Holdpoint 99.0.0 is installed, and this version')
    expect(refused.text).toContain('npx holdpoint@99.0.0 init')
    expect(refused.exitCode).not.toBe(0)
    expect(readFileSync(join(user, '.claude', 'settings.json'), 'utf8')).toBe(before)
    expect(JSON.parse(readFileSync(manifest, 'utf8')).version).toBe('99.0.0')
    expect(holdpoint('init', '--renew', '--downgrade')).toMatchObject({
      exitCode: 64,
      text: expect.stringContaining('is only for people where it installs an older version'),
    })
    expect(personAt({ cwd: folder, env }, ['init', '--renew', '--downgrade'])).toMatchObject({ exitCode: 0 })
    expect(existsSync(manifest)).toBe(true)
    expect(JSON.parse(readFileSync(manifest, 'utf8')).version).not.toBe('99.0.0')
  })
})
