import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

/** The script that the plugin's hooks start, under every shell that may be /bin/sh. */

const LAUNCHER = join(import.meta.dirname, '..', '..', 'plugin', 'bin', 'holdpoint-hook')
const SHELLS = ['dash', 'bash', 'zsh'].filter(
  (name) => existsSync(`/bin/${name}`) || existsSync(`/usr/bin/${name}`),
)
const OPTIONS = ['claude-code', '--event', 'PreToolUse', '--on-failure', 'deny', '--via', 'plugin']
const PASS = ['claude-code', '--event', 'Stop', '--on-failure', 'pass', '--via', 'plugin']

let folder: string
let data: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-launcher-'))
  data = join(folder, 'data')
})
afterEach(() => rmSync(folder, { recursive: true }))

function write(path: string, text: string, mode = 0o644): string {
  const file = join(folder, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  chmodSync(file, mode)
  return file
}

/** A Holdpoint that prints its name and its arguments. */
function install(name: string): string {
  write(`${name}/bin/holdpoint-hook`, `#!/bin/sh\necho "${name}: $*"\n`, 0o755)
  write(`${name}/runtime/current/dist/hook.cjs`, '//')
  return join(folder, name)
}

/** Starts the launcher with this shell, under the name `sh`. */
function start(shell: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const sh = join(folder, shell, 'sh')
  mkdirSync(dirname(sh), { recursive: true })
  symlinkSync(existsSync(`/bin/${shell}`) ? `/bin/${shell}` : `/usr/bin/${shell}`, sh)
  const { status, stdout, stderr } = spawnSync(sh, [LAUNCHER, ...args], {
    cwd: folder,
    env: { PATH: '/nowhere', HOME: join(folder, 'user'), ...env },
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

const asked = (...args: string[]) => ['--data', data, ...args]

describe.each(SHELLS)('the launcher of the plugin under %s', (shell) => {
  it('starts the Holdpoint that `init` has recorded, with its folder', () => {
    const home = install("Zoë's home")
    write('data/home', `${home}\n`)
    expect(start(shell, asked(...OPTIONS))).toEqual({
      status: 0,
      stdout: `Zoë's home: ${OPTIONS.join(' ')} --home ${home}\n`,
      stderr: '',
    })
  })

  it('denies a call if Holdpoint is missing, and says in one line how to install it', () => {
    write('data/home', join(folder, 'gone'))
    expect(start(shell, asked(...OPTIONS))).toEqual({
      status: 2,
      stdout: '',
      stderr: `holdpoint: Holdpoint is not installed in ${join(folder, 'gone')}, so its plugin stopped this. Run in a terminal: npx holdpoint init\n`,
    })
  })

  it('denies a call if only the installed copy of the programs is missing', () => {
    write('data/home', install('holdpoint'))
    rmSync(join(folder, 'holdpoint', 'runtime'), { recursive: true })
    expect(start(shell, asked(...OPTIONS))).toMatchObject({ status: 2, stdout: '' })
  })

  it('lets other events pass, and notifies the user', () => {
    write('data/home', join(folder, 'gone'))
    const { status, stdout } = start(shell, asked(...PASS))
    expect(status).toBe(0)
    expect(JSON.parse(stdout).systemMessage).toContain('npx holdpoint init')
  })

  it('denies if it is started without arguments, as an old Claude Code does', () => {
    expect(start(shell, [])).toMatchObject({ status: 2, stdout: '' })
  })

  it('prints nothing that Claude Code takes for a missing script', () => {
    for (const args of [[], asked(...OPTIONS)]) {
      expect(start(`${shell}`, args).stderr).not.toMatch(/no such file|can't open/i)
      rmSync(join(folder, shell), { recursive: true })
    }
  })

  it.each([
    ['HOLDPOINT_HOME', (evil: string) => ({ HOLDPOINT_HOME: evil })],
    ['XDG_CONFIG_HOME', (evil: string) => ({ XDG_CONFIG_HOME: dirname(evil) })],
    ['HOME', (evil: string) => ({ HOME: join(evil, '..', '..') })],
    ['CLAUDE_PLUGIN_DATA', (evil: string) => ({ CLAUDE_PLUGIN_DATA: evil })],
    ['CLAUDE_CONFIG_DIR', (evil: string) => ({ CLAUDE_CONFIG_DIR: evil })],
    ['USER and LOGNAME', () => ({ USER: 'x', LOGNAME: 'x' })],
    ['functions', () => FUNCTIONS],
    ['BASH_ENV and ENV', (evil: string) => ({ BASH_ENV: `${evil}/profile`, ENV: `${evil}/profile` })],
  ])('is not redirected by %s', (_name, variables) => {
    const evil = install('evil/.config/holdpoint')
    write('evil/.config/holdpoint/profile', 'exit 0\n')
    write('evil/.config/holdpoint/home', evil)
    write('evil/.config/holdpoint/plugins/data/holdpoint-holdpoint/home', evil)
    const home = install('holdpoint')
    write('data/home', home)
    expect(start(shell, asked(...OPTIONS), variables(evil)).stdout).toBe(
      `holdpoint: ${OPTIONS.join(' ')} --home ${home}\n`,
    )
    // Without the recorded path, only the folder of this user counts.
    rmSync(join(data, 'home'))
    rmSync(join(folder, shell), { recursive: true })
    const { stdout, stderr } = start(shell, asked(...OPTIONS), variables(evil))
    expect(stdout).not.toContain('evil')
    expect(stderr).not.toContain('evil')
  })

  it.each(['relative/home', '~/home', '', '\n'])('does not use the recorded path %j as a folder', (note) => {
    write('data/home', note)
    install('relative/home')
    install('~/home')
    expect(start(shell, asked(...OPTIONS)).stdout).toBe('')
  })

  it('looks in the home folder that the system has for this user', () => {
    const expected = join(userInfo().homedir, '.config', 'holdpoint')
    if (existsSync(join(expected, 'bin'))) return
    expect(start(shell, asked(...OPTIONS)).stderr).toContain(`not installed in ${expected},`)
  })
})

/** bash treats these variables as functions. */
const FUNCTIONS = Object.fromEntries(
  ['echo', 'test', 'read', 'exec', 'exit', 'unset', 'stop', 'eval'].map((name) => [
    `BASH_FUNC_${name}%%`,
    '() { exit 0; }',
  ]),
)
