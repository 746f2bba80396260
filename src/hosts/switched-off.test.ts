import { describe, expect, it } from 'vitest'
import type { InstallPlaces } from '../core/host.ts'
import { INSTALLERS } from './installers.ts'

const WHERE: InstallPlaces = {
  project: '/srv/project',
  folder: '/srv/project/app',
  home: '/home/dev',
  env: {},
}
const PLUGIN = '/home/dev/.agents/plugins/holdpoint'

/** Settings as the real programs were seen to read them: test/hosts/switches.test.ts plays them. */
const OFF: readonly (readonly [host: string, file: string, text: string])[] = [
  ['claude-code', '/srv/project/.claude/settings.json', '{"disableAllHooks": true}'],
  ['codex', '/srv/project/.codex/config.toml', '[features]\nhooks = false\n'],
  ['gemini', '/srv/project/.gemini/settings.json', '{"hooksConfig": {"enabled": false}}'],
  ['gemini', '/srv/project/app/.gemini/settings.json', '{"hooksConfig": {"enabled": "false"}}'],
  ['gemini', '/home/dev/.gemini/settings.json', '{"hooksConfig": {"enabled": 0}}'],
  ['gemini', '/etc/gemini-cli/settings.json', '// all\n{"hooksConfig": {"enabled": false}}'],
  [
    'gemini',
    '/srv/project/.gemini/settings.json',
    `{"hooksConfig": {"disabled": ["'/x/holdpoint-hook' 'gemini'"]}}`,
  ],
  ['qwen', '/srv/project/.qwen/settings.json', '{"disableAllHooks": true}'],
  ['qwen', '/home/dev/.qwen/settings.json', '{"disable\\u0041llHooks": "false"}'],
  ['qwen', '/srv/project/.qwen/settings.json', '{"disableAllHooks": []}'],
  ['droid', '/srv/project/.factory/settings.json', '{"hooks": {"hooksDisabled": true}}'],
  ['droid', '/srv/project/.factory/hooks.json', '{"hooksDisabled": true}'],
  ['droid', '/srv/project/.factory/hooks/hooks.json', '{"hooksDisabled": true}'],
  ['droid', '/home/dev/.factory/settings.json', '{"hooks": {"hooksDisabled": true}}'],
  ['codebuddy', '/srv/project/.codebuddy/settings.json', '{"hooks": {"PreToolUse": [{"hooks": []}]}}'],
  ['codebuddy', '/srv/project/.codebuddy/settings.local.json', '{"hooks": {"PreToolUse": [{"hooks": []}]}}'],
  ['codebuddy', '/home/dev/.codebuddy/settings.json', '{"disableAllHooks": true}'],
  ['goose', '/home/dev/.config/goose/config.yaml', `plugins:\n  ${PLUGIN}:\n    enabled: false\n`],
  ['goose', '/home/dev/.config/goose/config.yaml', `{plugins: {"${PLUGIN}": {enabled: false}}}`],
  ['goose', '/srv/project/.agents/plugins/holdpoint', ''],
  ['pi', '/home/dev/.pi/agent/settings.json', '{"extensions": ["-extensions/holdpoint.js"]}'],
  ['pi', '/home/dev/.pi/agent/settings.json', '{"extensions": ["!**/hold*.js"]}'],
  [
    'cline',
    '/home/dev/.cline/data/settings/global-settings.json',
    '{"disabledPlugins": ["/x/plugins/holdpoint.js"]}',
  ],
]

const ON: typeof OFF = [
  ['claude-code', '/srv/project/.claude/settings.json', '{"disableAllHooks": false}'],
  ['gemini', '/srv/project/.gemini/settings.json', '{"hooksConfig": {"enabled": true}}'],
  [
    'gemini',
    '/srv/project/.gemini/settings.json',
    '{"hooksConfig": {"enabled": null, "disabled": ["lint"]}}',
  ],
  ['gemini', '/srv/project/.gemini/settings.json', '{"tools": {"enableHooks": false}}'],
  ['gemini', '/srv/project/.gemini/settings.json', 'no JSON'],
  ['qwen', '/srv/project/.qwen/settings.json', '{"disableAllHooks": false}'],
  ['qwen', '/srv/project/.qwen/settings.json', '{"hooks": {"PreToolUse": []}}'],
  ['droid', '/srv/project/.factory/settings.json', '{"hooksDisabled": true}'],
  ['droid', '/srv/project/.factory/hooks.json', '{"hooksDisabled": false}'],
  [
    'codebuddy',
    '/srv/project/.codebuddy/settings.json',
    '{"hooks": {"PreToolUse": [], "Stop": [{"hooks": []}]}}',
  ],
  ['codebuddy', '/home/dev/.codebuddy/settings.json', '{"hooks": {"PreToolUse": [{"hooks": []}]}}'],
  ['goose', '/home/dev/.config/goose/config.yaml', `plugins:\n  ${PLUGIN}:\n    enabled: true\n`],
  ['goose', '/home/dev/.config/goose/config.yaml', 'plugins:\n  /srv/other:\n    enabled: false\n'],
  ['goose', '/home/dev/.config/goose/config.yaml', 'plugins: [\n'],
  ['pi', '/home/dev/.pi/agent/settings.json', '{"extensions": ["-extensions/other.js", "./x.js"]}'],
]

async function saidOf(host: string, file: string, text: string): Promise<string | undefined> {
  const load = INSTALLERS[host]
  if (load === undefined) throw new Error(`There is no installer "${host}".`)
  const { installer } = await load()
  expect(installer.governing?.(WHERE)).toContain(file)
  return installer.switchesOff?.(text, file, WHERE)
}

describe('settings that keep our hooks from counting', () => {
  it.each(OFF)('%s: %s with %s', async (host, file, text) => {
    expect(await saidOf(host, file, text)).toMatch(/\S/)
  })
})

describe('settings that do not', () => {
  it.each(ON)('%s: %s with %s', async (host, file, text) => {
    expect(await saidOf(host, file, text)).toBeUndefined()
  })
})

describe('a table of Kimi', () => {
  const WHOLE = '[[hooks]]\nevent = "Stop"\ncommand = "true"\n'

  it.each([
    ['an unknown key', `${WHOLE}mode = 1\n`],
    ['an unknown event', WHOLE.replace('Stop', 'Halt')],
    ['no command', '[[hooks]]\nevent = "Stop"\n'],
    ['an empty command', WHOLE.replace('true', '')],
    ['a timeout over ten minutes', `${WHOLE}timeout = 601\n`],
    ['a timeout that is no number', `${WHOLE}timeout = "9"\n`],
  ])('with %s stops every hook of the file', async (_what, text) => {
    const { installer } = await (INSTALLERS.kimi ?? unknown)()
    expect(installer.stops?.(`default_model = "k"\n${text}`)).toEqual([
      expect.stringContaining('line 2: Kimi'),
    ])
  })

  it('as it should be stops nothing', async () => {
    const { installer } = await (INSTALLERS.kimi ?? unknown)()
    expect(installer.stops?.(`${WHOLE}timeout = 600\nmatcher = "("\n\n[extra]\nmode = 1\n`)).toEqual([])
  })
})

function unknown(): never {
  throw new Error('There is no such installer.')
}
