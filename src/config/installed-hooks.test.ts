import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '../core/json.ts'
import { installer as claude } from '../hosts/claude-code/install.ts'
import { installer as codex } from '../hosts/codex/install.ts'
import { entryMarks } from '../hosts/install-check.ts'
import type { Installer } from '../hosts/installer.ts'
import { homeLayout } from '../system/home.ts'
import { type Install, updateInstalls } from '../system/installs.ts'
import { contentHash } from '../system/trust.ts'
import { readInstalledHooks } from './installed-hooks.ts'

let folder: string
const home = () => homeLayout(join(folder, 'holdpoint'), { HOME: join(folder, 'user') })
const settings = () => join(folder, 'user', '.claude', 'settings.json')
const project = () => join(folder, 'project')

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'holdpoint-installed-')))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

/** Installs as `init` does; with `marked: false` as 0.1.0 did. */
function install(installer: Installer = claude, file = settings(), marked = true, scope = 'user'): string {
  const options = { command: home().hookProgram, home: home().folder, version: '9.9.9' }
  const after = installer.install(undefined, options)
  if (!after.ok) throw new Error(after.problem.message)
  write(file, after.value)
  const marks = Object.fromEntries(
    [...entryMarks(after.value, contentHash)].map(([event, found]) => [event, [...found][0] ?? '']),
  )
  const noted: Install = { host: installer.host, scope, file, entries: installer.events.length }
  mkdirSync(home().folder, { recursive: true })
  updateInstalls(home().installs, (all) => [...all, marked ? { ...noted, marks } : noted])
  return after.value
}

async function problems(): Promise<readonly string[]> {
  const { installs, switchedOff } = await readInstalledHooks({ home: home(), project: project() })
  return [...installs, ...switchedOff].flatMap(({ wrong }) => wrong ?? [])
}

interface Settings {
  hooks: Record<string, { matcher?: string; hooks: Record<string, unknown>[] }[]>
  [key: string]: unknown
}

/** The first hook for PreToolUse, which the test changes in place. */
function entry(all: Settings): Record<string, unknown> {
  return all.hooks.PreToolUse?.[0]?.hooks[0] ?? {}
}

const EDITS: readonly (readonly [string, (all: Settings) => unknown])[] = [
  ['every hook is taken out', (all) => ({ ...all, hooks: {} })],
  ['one event is taken out', (all) => delete all.hooks.PreToolUse && all],
  ['the matcher never matches', (all) => ({ ...all, hooks: withMatcher(all, '^never$') })],
  ['the matcher matches less', (all) => ({ ...all, hooks: withMatcher(all, 'Read') })],
  ['a condition is added', (all) => Object.assign(entry(all), { if: 'Bash(never *)' }) && all],
  ['it is started in the background', (all) => Object.assign(entry(all), { async: true }) && all],
  ['it wakes the agent later', (all) => Object.assign(entry(all), { asyncRewake: true }) && all],
  ['another program is started', (all) => Object.assign(entry(all), { command: '/bin/true' }) && all],
  [
    'another program of the same name',
    (all) => Object.assign(entry(all), { command: '/tmp/holdpoint-hook' }) && all,
  ],
  [
    'a shell line that only names it',
    (all) => Object.assign(entry(all), { command: '/bin/true holdpoint-hook', args: undefined }) && all,
  ],
  ['other arguments', (all) => Object.assign(entry(all), { args: ['codex'] }) && all],
  ['it may fail', (all) => Object.assign(entry(all), { onFailure: 'allow' }) && all],
  ['it has no time', (all) => Object.assign(entry(all), { timeout: 0.001 }) && all],
  ['a wrong neighbour, for which the whole file is dropped', (all) => withWrongNeighbour(all)],
  ['all hooks are off', (all) => ({ ...all, disableAllHooks: true })],
]

function withMatcher(all: Settings, matcher: string): Settings['hooks'] {
  return { ...all.hooks, PreToolUse: (all.hooks.PreToolUse ?? []).map((group) => ({ ...group, matcher })) }
}

function withWrongNeighbour(all: Settings): Settings {
  const groups = [...(all.hooks.PreToolUse ?? []), { hooks: [{ type: 'nonsense' }] }]
  return { ...all, hooks: { ...all.hooks, PreToolUse: groups } }
}

const TEXTS: readonly (readonly [string, (text: string) => string])[] = [
  ['the file is empty', () => ''],
  ['the file is not JSON', (text) => text.slice(0, -3)],
  ['a comment, for which the whole file is dropped', (text) => `// hello\n${text}`],
  ['two megabytes of spaces, for which the whole file is dropped', (text) => text + ' '.repeat(2 ** 21)],
  ['ten megabytes', (text) => text + ' '.repeat(10 * 2 ** 20)],
  ['a NUL byte', (text) => `${text}\0`],
  ['an escaped key', (text) => text.replace(/^\{/, '{"disable\\u0041llHooks":true,')],
  ['a second key that hides the first', (text) => text.replace(/\}\s*$/, ',"hooks":{}}')],
]

describe('installed hooks', () => {
  it('are right as `init` wrote them, also next to other settings and with keys in another order', async () => {
    const text = install()
    expect(await problems()).toEqual([])
    const all = JSON.parse(text) as Settings
    const turned = { model: 'opus', permissions: { allow: ['Bash'] }, hooks: reversed(all.hooks) }
    write(settings(), JSON.stringify(turned))
    expect(await problems()).toEqual([])
  })

  it.each(EDITS)('are wrong when %s', async (_name, edit) => {
    const text = install()
    write(settings(), JSON.stringify(edit(JSON.parse(text) as Settings)))
    expect(await problems()).not.toEqual([])
  })

  it.each(TEXTS)('are wrong with %s', async (_name, edit) => {
    const text = install()
    write(settings(), edit(text))
    expect(await problems()).not.toEqual([])
  })

  it('are wrong when the folder is renamed, or is a broken link', async () => {
    install()
    renameSync(dirname(settings()), join(folder, 'away'))
    expect(await problems()).toEqual(['is gone'])
    symlinkSync(join(folder, 'nowhere'), dirname(settings()))
    expect(await problems()).toEqual(['is gone'])
  })

  it('are right behind a link', async () => {
    install()
    renameSync(dirname(settings()), join(folder, 'away'))
    symlinkSync(join(folder, 'away'), dirname(settings()))
    expect(await problems()).toEqual([])
  })

  it('are wrong while a settings file of the project switches them off', async () => {
    install()
    write(join(project(), '.claude', 'settings.local.json'), '{"disableAllHooks": true}')
    expect(await problems()).toEqual(['has `disableAllHooks`, which switches every hook off'])
  })

  it.each([
    '[features]\nhooks = false\n',
    '[features]\nother = true\n"hooks"=false\n',
    'features.hooks = false\n',
    'features = { hooks = false }\n',
    '[features]\ncodex_hooks = false\n',
  ])('of Codex are wrong while its project says %j', async (toml) => {
    install(codex, join(folder, 'user', '.codex', 'hooks.json'))
    expect(await problems()).toEqual([])
    write(join(project(), '.codex', 'config.toml'), toml)
    expect(await problems()).toEqual(['has `hooks = false` under [features], which switches every hook off'])
  })

  it.each(EDITS.slice(0, 8))('that an older version recorded are wrong when %s', async (_name, edit) => {
    const text = install(claude, settings(), false)
    expect(await problems()).toEqual([])
    write(settings(), JSON.stringify(edit(JSON.parse(text) as Settings)))
    expect(await problems()).not.toEqual([])
  })

  it('are checked again whenever one of these files changes', async () => {
    install()
    const { files } = await readInstalledHooks({ home: home(), project: project() })
    expect(files).toEqual(
      expect.arrayContaining([
        settings(),
        join(project(), '.claude', 'settings.json'),
        join(project(), '.claude', 'settings.local.json'),
        '/etc/claude-code/managed-settings.json',
      ]),
    )
  })

  it('that were never installed are not a problem', async () => {
    expect(await readInstalledHooks({ home: home(), project: project() })).toEqual({
      installs: [],
      switchedOff: [],
      files: [],
    })
  })
})

function reversed(hooks: Settings['hooks']): Settings['hooks'] {
  const turn = (object: Record<string, unknown>): JsonObject =>
    Object.fromEntries(Object.entries(object).reverse()) as JsonObject
  return Object.fromEntries(
    Object.entries(hooks).map(([event, groups]) => [
      event,
      groups.map((group) => ({ ...group, hooks: group.hooks.map(turn) })),
    ]),
  )
}

describe('a pipe or device', () => {
  it('instead of the settings of a project is not read', async () => {
    install()
    mkdirSync(join(project(), '.claude'), { recursive: true })
    symlinkSync('/dev/zero', join(project(), '.claude', 'settings.json'))
    expect(await problems()).toEqual([])
  })
})

describe('a list of installations that cannot be read', () => {
  it.each([
    ['is cut', '{"version":1,"installs":['],
    ['is empty', ''],
    ['is another value', '[]'],
    ['has no list', '{"installs":5}'],
  ])('because it %s makes the hooks of every agent count as changed', async (_name, text) => {
    install()
    write(home().installs, text)
    const { installs } = await readInstalledHooks({ home: home(), project: project() })
    const hosts = installs.filter(({ wrong }) => wrong?.includes('cannot be read')).map(({ host }) => host)
    expect(hosts).toEqual(expect.arrayContaining(['claude-code', 'codex']))
  })

  it('is not waited for', async () => {
    install()
    rmSync(home().installs)
    symlinkSync('/dev/zero', home().installs)
    expect((await problems())[0]).toContain('cannot be read')
  })

  it('is not the same as a missing or empty list', async () => {
    expect(await problems()).toEqual([])
    write(home().installs, '{"version":1,"installs":[]}')
    expect(await problems()).toEqual([])
  })
})
