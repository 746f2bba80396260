import { spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { personAt } from '../e2e/terminal.ts'
import { holdpointProgram, installedPackage } from '../installed.ts'

/** `holdpoint init` of the installed package in unusual conditions: nothing may be half installed. */

const INIT = ['init', '--host', 'claude-code', '--scope', 'user', '--yes']
const isRoot = process.geteuid?.() === 0

let folder: string
let user: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-init-'))
  chmodSync(folder, 0o755)
  user = join(folder, 'user')
  mkdirSync(user)
})
afterEach(() => {
  personAt({ cwd: folder, env: { HOME: user } }, ['uninstall', '--yes'])
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

const home = (...path: string[]) => join(user, '.config', 'holdpoint', ...path)
const settings = () => join(user, '.claude', 'settings.json')

interface Options {
  readonly program?: string
  readonly env?: NodeJS.ProcessEnv
  readonly uid?: number
  readonly shell?: string
}

function holdpoint(args: readonly string[], options: Options = {}) {
  const { program = holdpointProgram(), env = {}, uid, shell } = options
  const [file, words] =
    shell === undefined ? [program, args] : ['/bin/sh', ['-c', `${shell}; exec "$0" "$@"`, program, ...args]]
  const ran = spawnSync(file, words, {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: user, ...env },
    encoding: 'utf8',
    ...(uid === undefined ? {} : { uid, gid: uid }),
  })
  return { exitCode: ran.status, text: `${ran.stdout}${ran.stderr}` }
}

/** Runs a hook as Claude Code does. */
function call(command: string) {
  const [entry] = JSON.parse(readFileSync(settings(), 'utf8')).hooks.PreToolUse[0].hooks
  const payload = {
    ...{ session_id: 's', transcript_path: '/t', cwd: folder, hook_event_name: 'PreToolUse' },
    ...{ tool_name: 'Bash', tool_use_id: command, tool_input: { command } },
  }
  const ran = spawnSync(entry.command, entry.args, {
    env: { PATH: '/nowhere', HOME: user },
    input: JSON.stringify(payload),
    encoding: 'utf8',
  })
  return { exitCode: ran.status, stdout: ran.stdout, stderr: ran.stderr }
}

const expectGuarded = () => {
  expect(call('git push --force').stdout).toContain('"deny"')
  expect(call('ls')).toEqual({ exitCode: 0, stdout: '{}\n', stderr: '' })
}

describe('installed hooks', () => {
  it('work when the package and the Node that installed them are removed', () => {
    // A package and a Node of a version manager, which a user removes or upgrades.
    const modules = join(folder, 'node_modules')
    cpSync(join(installedPackage(), '..'), modules, { recursive: true, verbatimSymlinks: true })
    const node = join(folder, '.nvm', 'versions', 'node', 'v20.19.0', 'bin', 'node')
    mkdirSync(join(node, '..'), { recursive: true })
    linkOrCopy(process.execPath, node)
    const program = join(modules, '.bin', 'holdpoint')
    const PATH = `${join(node, '..')}:${process.env.PATH}`
    expect(holdpoint(INIT, { program, env: { PATH } }).exitCode).toBe(0)
    expect(JSON.parse(readFileSync(home('installs.json'), 'utf8')).node).toEqual({
      node,
      others: [join(folder, '.nvm', 'versions', 'node', '*', 'bin', 'node')],
    })
    expectGuarded()
    rmSync(modules, { recursive: true })
    expectGuarded()
    rmSync(join(folder, '.nvm'), { recursive: true })
    spawnSync(home('bin', 'holdpoint'), ['daemon', 'stop'], { env: { HOME: user } })
    expectGuarded()
  })

  it('say in one line what is missing when the installed copy is removed', () => {
    holdpoint(INIT)
    holdpoint(['daemon', 'stop'])
    rmSync(home('runtime'), { recursive: true })
    const ran = call('ls')
    expect(ran.exitCode).toBe(2)
    expect(ran.stderr).toMatch(/^holdpoint: Its programs in .* are missing\. Run: npx holdpoint init\n$/)
    expect(holdpoint(INIT).exitCode).toBe(0)
    expectGuarded()
  })

  it('work in a home whose path has spaces, quotes and letters beyond ASCII', () => {
    user = join(folder, "Zoë's home folder")
    mkdirSync(user)
    expect(holdpoint(INIT).text).toContain('live 13 of 13')
    expectGuarded()
  })

  describe('without a client that starts here: each call starts Node, and init says so once', () => {
    const OWN = `holdpoint-hook-${process.platform}-${process.arch}`
    it.each<[string, (client: string) => void, string]>([
      ['it is missing', (client) => rmSync(client), 'There is no native client for'],
      ['it is for another processor', setProcessor, 'does not start on this machine'],
      ['it is half copied', (client) => truncateSync(client, 10_000), 'does not start on this machine'],
    ])('%s', (_name, change, said) => {
      const modules = join(folder, 'node_modules')
      cpSync(join(installedPackage(), '..'), modules, { recursive: true, verbatimSymlinks: true })
      change(join(modules, 'holdpoint', 'dist', 'native', OWN))
      const ran = holdpoint(INIT, { program: join(modules, '.bin', 'holdpoint') })
      expect(ran.text.split(said)).toHaveLength(2)
      expect(ran.exitCode).toBe(0)
      expectGuarded()
    })

    it('but a client that only lost its run bit is used', () => {
      const modules = join(folder, 'node_modules')
      cpSync(join(installedPackage(), '..'), modules, { recursive: true, verbatimSymlinks: true })
      const client = join(modules, 'holdpoint', 'dist', 'native', OWN)
      chmodSync(client, 0o644)
      expect(holdpoint(INIT, { program: join(modules, '.bin', 'holdpoint') }).text).not.toContain(
        'native client',
      )
      expect(readFileSync(home('bin', 'holdpoint-hook')).equals(readFileSync(client))).toBe(true)
      expectGuarded()
    })
  })
})

describe('init leaves nothing half installed', () => {
  const expectNothing = () => {
    expect(existsSync(settings())).toBe(false)
    expect(existsSync(home('bin', 'holdpoint-hook'))).toBe(false)
    const left = existsSync(home('runtime')) ? readdirSync(home('runtime')) : []
    expect(left).toEqual([])
  }

  it('when the disk is full', () => {
    // No file may be larger than half a megabyte, so that a program cannot be copied completely.
    const ran = holdpoint(INIT, { shell: 'trap "" XFSZ; ulimit -f 1000' })
    expect(ran.exitCode).toBe(74)
    expect(ran.text).toContain('[STATE_UNWRITABLE]')
    expect(ran.text).toContain('nothing was installed')
    expectNothing()
    expect(holdpoint(INIT).exitCode).toBe(0)
    expectGuarded()
  })

  it('when the home cannot be written to', () => {
    chmodSync(user, 0o555)
    const ran = holdpoint(INIT, isRoot ? { uid: 65534 } : {})
    expect(ran.exitCode).toBe(74)
    expect(ran.text).toContain('The folder of the file is read-only.')
    expect(ran.text).not.toContain('    at ')
    expectNothing()
    chmodSync(user, 0o755)
  })

  it('when nothing can be started from the home', () => {
    const mounted = 'mount -t tmpfs -o noexec tmpfs "$HOME"; exec "$@"; :'
    const words = ['--map-root-user', '--mount', 'sh', '-c', `${mounted}`, 'sh', holdpointProgram(), ...INIT]
    const ran = spawnSync('unshare', words, {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: user },
      encoding: 'utf8',
    })
    expect(ran.status).toBe(74)
    expect(ran.stderr).toContain('cannot be started (EACCES)')
    expect(ran.stderr).toContain('noexec')
    expect(ran.stderr).toContain('nothing was installed')
    expectNothing()
  })

  it('when there is no home at all', () => {
    const ran = holdpoint(INIT, {
      env: { HOME: join(folder, 'file', 'below') },
      shell: `: > '${folder}/file'`,
    })
    expect(ran.exitCode).toBe(78)
    expect(ran.text).toContain('[CONFIG_UNREADABLE]')
    expectNothing()
  })

  it('when HOME is not set and the system has no writable home for the user', () => {
    const ran = spawnSync(holdpointProgram(), INIT, {
      cwd: folder,
      env: { PATH: process.env.PATH, ...(isRoot ? {} : { HOME: '/proc/nowhere' }) },
      encoding: 'utf8',
      ...(isRoot ? { uid: 65534, gid: 65534 } : {}),
    })
    expect(ran.status).toBe(74)
    expect(ran.stderr).toContain('[STATE_UNWRITABLE]')
    expectNothing()
  })

  it('when several run at once, and all of them succeed', async () => {
    const env = { PATH: process.env.PATH, HOME: user }
    const ended = await Promise.all(
      Array.from(
        { length: 4 },
        () =>
          new Promise<string>((done) => {
            const child = spawn(holdpointProgram(), INIT, { cwd: folder, env })
            let said = ''
            for (const stream of [child.stdout, child.stderr])
              stream.on('data', (part) => {
                said += part
              })
            child.on('close', (code) => done(code === 0 ? '' : `exit code ${code}: ${said}`))
          }),
      ),
    )
    expect(ended).toEqual(['', '', '', ''])
    expect(readdirSync(home('runtime'))).toHaveLength(2)
    expect(JSON.parse(readFileSync(home('installs.json'), 'utf8')).installs).toHaveLength(1)
    expect(readdirSync(home()).filter((name) => /lock|tmp/.test(name))).toEqual([])
    expectGuarded()
  })
})

function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch {
    // On another disk, so it cannot be linked.
    cpSync(from, to)
  }
}

/** Makes an ELF file one of a processor that does not exist: a machine may run those of others through qemu. */
function setProcessor(client: string): void {
  const bytes = readFileSync(client)
  bytes.writeUInt16LE(0xfedc, 18)
  writeFileSync(client, bytes)
}
