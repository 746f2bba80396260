import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Installer, InstallScope } from '../../src/hosts/installer.ts'
import { INSTALLERS } from '../../src/hosts/installers.ts'
import { playCommand } from './played.ts'

/**
 * `init` for every agent and scope, with a settings file that cannot be used: one error that names the file, and
 * nothing is changed. It is played in this process, because it must end before it installs anything.
 */

const installers = await Promise.all(Object.values(INSTALLERS).map(async (load) => (await load()).installer))
const SCOPES: readonly InstallScope[] = ['user', 'project', 'local']

let folder: string
let project: string
let user: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-broken-settings-'))
  project = join(folder, 'project')
  user = join(folder, 'user')
  mkdirSync(user)
  mkdirSync(join(project, '.git'), { recursive: true })
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const fileOf = (installer: Installer, scope: InstallScope) =>
  installer.file(scope, { project, home: user, env: { HOME: user } })

const everywhere = installers.flatMap((installer) =>
  SCOPES.filter(
    (scope) => installer.file(scope, { project: '/srv/project', home: '/home/dev', env: {} }) !== undefined,
  ).map((scope) => [installer.host, scope, installer] as const),
)

function init(host: string, scope: InstallScope) {
  const words = ['init', '--host', host, '--scope', scope, '--yes', '--unproved']
  const env = { HOME: user, HOLDPOINT_HOME: join(folder, 'home'), PATH: join(folder, 'none') }
  return playCommand(words, { cwd: project, env, stdin: '' })
}

const everyPath = () => readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()

/** What `init` would write, without its second half. */
function cutFile(installer: Installer): string {
  const command = '/opt/holdpoint/bin/holdpoint-hook'
  const written = installer.install(undefined, { command, home: '/home/dev/.hp', version: undefined })
  if (!written.ok) throw new Error(written.problem.message)
  const half = written.value.slice(0, written.value.length / 2)
  // A line of TOML is whole without the next one: cut it inside of a text.
  return half.slice(0, half.lastIndexOf('"') + 2)
}

const isPlugin = (installer: Installer) => fileOf(installer, 'user')?.endsWith('.js') === true

describe.each(everywhere)('%s, scope %s', (host, scope, installer) => {
  it.each<[string, (file: string) => void]>([
    ['is cut in the middle', (file) => writeFileSync(file, cutFile(installer))],
    ['is a list where an object is expected', (file) => writeFileSync(file, '[]\n')],
    ['is text of another kind', (file) => writeFileSync(file, '{{ not settings\n')],
    ['is a folder', (file) => mkdirSync(file)],
  ])('is not installed if its settings file %s', async (how, breakIt) => {
    // Half a plugin of ours is still ours, and is written again.
    if (how === 'is cut in the middle' && isPlugin(installer)) return
    const file = fileOf(installer, scope) ?? ''
    mkdirSync(dirname(file), { recursive: true })
    breakIt(file)
    const before = everyPath()
    const ran = await init(host, scope)
    expect(ran.exitCode).toBe(78)
    expect(ran.stderr).toMatch(/^holdpoint: [^\n]*\n$/)
    expect(ran.stderr.startsWith(`holdpoint: ${file}`)).toBe(true)
    if (how === 'is cut in the middle')
      expect(ran.stderr).toMatch(/:\d+(?::\d+)? This is not (?:JSON|TOML): /)
    expect(everyPath()).toEqual(before)
  })
})

describe.each(everywhere.filter(([, scope]) => scope !== 'user'))(
  '%s, scope %s',
  (host, scope, installer) => {
    it('is not installed into a project that is read-only', async () => {
      chmodSync(project, 0o500)
      const before = everyPath()
      const ran = await init(host, scope)
      chmodSync(project, 0o700)
      expect(ran.exitCode).not.toBe(0)
      expect(ran.stderr).toContain(project)
      expect(everyPath()).toEqual(before)
      expect(existsSync(fileOf(installer, scope) ?? '')).toBe(false)
    })
  },
)
