import { describe, expect, it } from 'vitest'
import type { SwitchQuery } from '../installer.ts'
import { installer } from './install.ts'

/** The files that Claude Code 2.1.325 writes for `claude plugin marketplace add` and `claude plugin install`. */

const CONFIG = '/home/dev/.claude'
const CACHE = `${CONFIG}/plugins/cache/holdpoint/holdpoint/0.2.0`
const where = { home: '/home/dev', project: '/srv/project', env: {} }
const hooks = JSON.stringify(installer.plugin?.hooks())

function installed(more: object = { scope: 'user' }, id = 'holdpoint@holdpoint'): string {
  return JSON.stringify({
    version: 2,
    plugins: { [id]: [{ installPath: CACHE, version: '0.2.0', ...more }] },
  })
}

const switched = (on: boolean) => JSON.stringify({ enabledPlugins: { 'holdpoint@holdpoint': on } })

const FILES: Readonly<Record<string, string>> = {
  [`${CONFIG}/plugins/installed_plugins.json`]: installed(),
  [`${CONFIG}/plugins/known_marketplaces.json`]: JSON.stringify({
    holdpoint: { source: { source: 'github', repo: 'o/r' }, installLocation: '/m' },
  }),
  [`${CONFIG}/settings.json`]: switched(true),
  [`${CACHE}/hooks/hooks.json`]: hooks,
}

function find(files: Readonly<Record<string, string>> = {}, place: SwitchQuery['where'] = where) {
  const all = { ...FILES, ...files }
  return installer.plugin?.find({ where: place, read: (path) => all[path] })
}

describe('the plugin in files of Claude Code', () => {
  it('is found where it was copied to, with its entries as they are started', () => {
    const found = find()
    expect(found).toMatchObject({ id: 'holdpoint@holdpoint', version: '0.2.0', root: CACHE, enabled: true })
    expect(found?.entries.map(({ event }) => event)).toEqual(installer.events)
    expect(found?.entries[0]).toMatchObject({
      command: `${CACHE}/bin/holdpoint-hook`,
      shell: false,
      failsClosed: true,
    })
    expect(found?.entries[0]?.args?.slice(0, 2)).toEqual([
      '--data',
      `${CONFIG}/plugins/data/holdpoint-holdpoint`,
    ])
    expect(found?.pointers).toEqual([`${CONFIG}/plugins/data/holdpoint-holdpoint/home`])
  })

  it('runs from the folder of a marketplace that is one', () => {
    const found = find({
      [`${CONFIG}/plugins/known_marketplaces.json`]: JSON.stringify({
        holdpoint: {
          source: { source: 'directory', path: '/srv/holdpoint' },
          installLocation: '/srv/holdpoint',
        },
      }),
      '/srv/holdpoint/.claude-plugin/marketplace.json': JSON.stringify({
        plugins: [{ name: 'other' }, { name: 'holdpoint', source: './plugin' }],
      }),
      '/srv/holdpoint/plugin/hooks/hooks.json': hooks,
    })
    expect(found?.root).toBe('/srv/holdpoint/plugin')
    expect(found?.entries[0]?.command).toBe('/srv/holdpoint/plugin/bin/holdpoint-hook')
  })

  it('is told where Holdpoint is in two folders when another marketplace lists it', () => {
    const found = find({
      [`${CONFIG}/plugins/installed_plugins.json`]: installed({ scope: 'user' }, 'holdpoint@team'),
    })
    expect(found?.pointers).toEqual([
      `${CONFIG}/plugins/data/holdpoint-team/home`,
      `${CONFIG}/plugins/data/holdpoint-holdpoint/home`,
    ])
  })

  it.each([
    ['the project', '/srv/project/.claude/settings.json'],
    ['this checkout', '/srv/project/.claude/settings.local.json'],
  ])('is off when %s says so', (_name, file) => {
    expect(find({ [file]: switched(false) })).toMatchObject({ enabled: false, decidedIn: file })
  })

  it('counts where it is installed for this project, and for no other', () => {
    const local = (projectPath: string) => ({
      [`${CONFIG}/plugins/installed_plugins.json`]: installed({ scope: 'local', projectPath }),
    })
    expect(find(local('/srv/project'))).toMatchObject({ enabled: true })
    expect(find(local('/srv/other'))).toBeUndefined()
  })

  it.each([
    ['no list', {}],
    ['a list that is not JSON', { [`${CONFIG}/plugins/installed_plugins.json`]: '{' }],
    ['a list of others', { [`${CONFIG}/plugins/installed_plugins.json`]: installed({}, 'holdpointer@x') }],
  ])('is not there with %s', (_name, files) => {
    expect(
      installer.plugin?.find({ where, read: (path) => (files as Record<string, string>)[path] }),
    ).toBeUndefined()
  })

  it('is looked for where CLAUDE_CONFIG_DIR says', () => {
    const moved = Object.fromEntries(
      Object.entries(FILES).map(([path, text]) => [path.replace(CONFIG, '/cfg'), text]),
    )
    expect(find(moved, { ...where, env: { CLAUDE_CONFIG_DIR: '/cfg' } })?.pointers).toEqual([
      '/cfg/plugins/data/holdpoint-holdpoint/home',
    ])
  })
})
