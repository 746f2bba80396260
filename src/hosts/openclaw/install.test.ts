import { describe, expect, it, test } from 'vitest'
import type { Result } from '../../core/errors.ts'
import type { InstallOptions } from '../installer.ts'
import { installer } from './install.ts'

const options: InstallOptions = {
  command: '/home/dev/.config/holdpoint/bin/holdpoint-hook',
  home: '/home/dev/.config/holdpoint',
  version: undefined,
}
const where = { project: '/srv/app', home: '/home/dev', env: {} }
const FOLDER = '/home/dev/.openclaw/extensions/holdpoint'

function unwrapped<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`${result.problem.code}: ${result.problem.message}`)
  return result.value
}

const install = (text: string | undefined, how = options) => unwrapped(installer.install(text, how))
const pluginsIn = (text: string) => JSON.parse(text).plugins

describe('the configuration of OpenClaw', () => {
  it('is the file that OpenClaw reads', () => {
    const file = (env: object) => installer.file('user', { ...where, env: { ...env } })
    expect(file({})).toBe('/home/dev/.openclaw/openclaw.json')
    expect(file({ OPENCLAW_STATE_DIR: '/srv/state' })).toBe('/srv/state/openclaw.json')
    expect(file({ OPENCLAW_CONFIG_PATH: '/srv/c.json' })).toBe('/srv/c.json')
    expect(installer.file('project', where)).toBeUndefined()
  })

  it.each<[string, string]>([
    ['a file without plugins', '{\n  "gateway": { "mode": "local" }\n}\n'],
    ['one line', '{"a":1}'],
    [
      'comments and trailing commas',
      '// mine\n{\n  /* x */ "a": [1, 2,],\n  "plugins": { "slots": {} },\n}\n',
    ],
    ['other plugins', '{\n\t"plugins": {\n\t\t"entries": {\n\t\t\t"x": { "enabled": true }\n\t\t}\n\t}\n}'],
    ['a list of allowed plugins', '{ "plugins": { "allow": ["openai"], "load": { "paths": ["/x"] } } }'],
    ['Windows line ends', '{\r\n  "a": 1\r\n}\r\n'],
  ])('gets the entry and loses it again byte for byte: %s', (_name, before) => {
    const after = install(before)
    expect(install(after)).toBe(after)
    expect(unwrapped(installer.uninstall(after))).toBe(before)
    expect(unwrapped(installer.entries(after)).map(({ event }) => event)).toEqual(installer.events)
  })

  it('is made if there is none, and removed with the entry', () => {
    for (const text of [undefined, '', ' \n']) {
      const after = install(text)
      expect(pluginsIn(after).entries.holdpoint).toEqual({
        enabled: true,
        hooks: { allowConversationAccess: true },
        config: { home: options.home, program: options.command },
      })
      expect(unwrapped(installer.uninstall(after))).toBeUndefined()
    }
  })

  it('allows the plugin where only named ones are allowed', () => {
    expect(pluginsIn(install('{"plugins":{"allow":["openai"]}}')).allow).toEqual(['openai', 'holdpoint'])
    expect(pluginsIn(install('{"plugins":{"entries":{}}}')).allow).toBeUndefined()
  })

  it('is renewed for another home', () => {
    const old = install('{"a":1}', { ...options, home: '/old', command: '/old/bin/holdpoint-hook' })
    expect(install(old)).toBe(install('{"a":1}'))
  })

  test.each([
    ['JSON5 that is more than JSON with comments', '{ plugins: { entries: {} } }'],
    ['text that is cut off', '{"plugins": {'],
    ['a list', '[]'],
    ['plugins that are a list', '{"plugins": []}'],
    ['entries that are text', '{"plugins": {"entries": "x"}}'],
    ['the plugin of somebody else', '{"plugins": {"entries": {"holdpoint": {"enabled": true}}}}'],
  ])('is left alone: %s', (_name, text) => {
    expect(installer.install(text, options)).toMatchObject({
      ok: false,
      problem: { fix: expect.stringContaining('nothing was changed') },
    })
    const without = installer.uninstall(text)
    if (without.ok) expect(without.value).toBe(text)
  })

  test.each<[string, (plugins: Record<string, unknown>) => void, RegExp]>([
    ['plugins are off', (plugins) => Object.assign(plugins, { enabled: false }), /plugins.enabled/],
    ['it is denied', (plugins) => Object.assign(plugins, { deny: ['holdpoint'] }), /plugins.deny/],
    ['it is not allowed', (plugins) => Object.assign(plugins, { allow: ['x'] }), /plugins.allow/],
    ['it is off', (plugins) => Object.assign(own(plugins), { enabled: false }), /enabled. is not true/],
    ['it may not read', (plugins) => Object.assign(own(plugins), { hooks: {} }), /allowConversationAccess/],
    [
      'its time is short',
      (plugins) => Object.assign(own(plugins), { hooks: { allowConversationAccess: true, timeoutMs: 5 } }),
      /timeouts/,
    ],
  ])('does not work if %s', (_name, change, why) => {
    const config = JSON.parse(install(undefined))
    change(config.plugins)
    const text = JSON.stringify(config)
    expect(installer.stops?.(text)).toEqual([expect.stringMatching(why)])
    expect(unwrapped(installer.entries(text))).toEqual([])
    expect(installer.stops?.(install(undefined))).toEqual([])
  })
})

function own(plugins: Record<string, unknown>): object {
  return (plugins.entries as { holdpoint: object }).holdpoint
}

describe('the folder of the plugin', () => {
  const files = () => installer.ownFiles?.(where, options) ?? {}

  it('has what OpenClaw needs, and knows it again', () => {
    expect(Object.keys(files())).toEqual([
      `${FOLDER}/package.json`,
      `${FOLDER}/openclaw.plugin.json`,
      `${FOLDER}/index.js`,
    ])
    for (const text of Object.values(files())) expect(installer.isOwnFile?.(text)).toBe(true)
    expect(installer.isOwnFile?.('{"name": "other"}')).toBe(false)
    expect(files()[`${FOLDER}/index.js`]).toContain(JSON.stringify(options.home))
  })

  it('is missed by doctor if a file is gone or was changed', () => {
    const config = install(undefined)
    const look = (disk: Record<string, string | undefined>) =>
      installer.switches?.({
        where,
        read: (path) => ({ '/home/dev/.openclaw/openclaw.json': config, ...disk })[path],
      })
    expect(look(files())).toEqual([])
    for (const path of Object.keys(files())) {
      for (const text of [undefined, `${files()[path]} `])
        expect(look({ ...files(), [path]: text })).toEqual([expect.stringContaining(path)])
    }
  })

  it('is said to be unloaded until it was loaded', () => {
    const text = install(undefined)
    const look = (note: string | undefined) => ({
      ...{ file: '/x', text, where, sha256: (each: string) => each },
      read: (path: string) => (path === `${options.home}/run/plugin-openclaw.json` ? note : undefined),
    })
    expect(installer.trustWarnings?.(look(undefined))).toEqual([expect.stringContaining('Start it once')])
    expect(installer.trustWarnings?.(look('{}'))).toEqual([])
  })
})
