import { describe, expect, it, test } from 'vitest'
import { installerContract } from '../installer.contract.ts'
import type { InstallOptions } from '../installer.ts'
import { installer } from './install.ts'

installerContract({ installer, version: '0.166.0', tooOld: '0.128.9' })

const OPTIONS: InstallOptions = {
  command: '/home/dev/.config/holdpoint/bin/holdpoint-hook',
  home: '/home/dev/.config/holdpoint',
  version: '0.166.0',
}

const OR_STOP = ` || { echo 'Holdpoint could not answer, so this was stopped.' >&2; exit 2; }`

describe('what is written', () => {
  // The user trusts these by their hash: after a change Codex silently skips our guard until it is
  // trusted again.
  test.each([
    ['PreToolUse', 30, 'deny', '28000'],
    ['PermissionRequest', 30, 'deny', '28000'],
    ['PostToolUse', 300, 'pass', '295000'],
    ['UserPromptSubmit', 30, 'deny', '28000'],
    ['SessionStart', 30, 'pass', '28000'],
    ['SessionEnd', 3, 'pass', '2500'],
    ['SubagentStart', 15, 'pass', '13000'],
    ['SubagentStop', 300, 'pass', '295000'],
    ['Stop', 300, 'pass', '295000'],
    ['PreCompact', 15, 'pass', '13000'],
  ] as const)('at %s', (event, timeout, onFailure, deadlineMs) => {
    for (const version of [undefined, '0.129.0', '0.166.0', '1.0.0']) {
      const text = installer.install(undefined, { ...OPTIONS, version })
      expect(text.ok && JSON.parse(text.value).hooks[event]).toEqual([
        {
          hooks: [
            {
              type: 'command',
              command:
                `'${OPTIONS.command}' 'codex' '--home' '${OPTIONS.home}' '--event' '${event}' ` +
                `'--on-failure' '${onFailure}' '--deadline-ms' '${deadlineMs}'${onFailure === 'deny' ? OR_STOP : ''}`,
              timeout,
            },
          ],
        },
      ])
    }
  })

  it('is exactly these events', () => {
    expect(installer.events).toHaveLength(10)
  })

  it('has no entry that the host itself treats as fail-closed', () => {
    const text = installer.install(undefined, OPTIONS)
    const entries = text.ok ? installer.entries(text.value) : text
    expect(entries.ok && entries.value.some((entry) => entry.failsClosed)).toBe(false)
  })
})

test.each([
  ['user', {}, '/home/dev/.codex/hooks.json'],
  ['user', { CODEX_HOME: '/etc/codex/' }, '/etc/codex/hooks.json'],
  ['user', { CODEX_HOME: 'conf' }, '/srv/app/conf/hooks.json'],
  ['project', { CODEX_HOME: '/etc/codex' }, '/srv/app/.codex/hooks.json'],
  ['local', {}, undefined],
] as const)('the %s file with %o is %s', (scope, env, file) => {
  expect(installer.file(scope, { project: '/srv/app', home: '/home/dev', env })).toBe(file)
})

describe('warnings', () => {
  const stop = (groups: string) => `{"hooks":{"Stop":${groups}}}`
  test.each([
    ['a version', '{"version": 1, "hooks": {}}', /^the key version is not known/],
    ['a byte order mark', '\uFEFF{}', /byte order mark/],
    ['a comment', '{} // mine', /^line 1 has a comment/],
    ['a trailing comma', '{"hooks": {},}', /trailing comma/],
    ['equal keys', '{"hooks": {}, "hooks": {}}', /^hooks occurs twice/],
    ['equal events', '{"hooks": {"Stop": [], "Stop": []}}', /^Stop occurs twice/],
    ['equal keys of an entry', stop('[{"hooks":[{"type":"agent","x":1,"x":2}]}]'), /^x occurs twice/],
    ['wrong hooks', '{"hooks": null}', /^hooks has the wrong shape/],
    ['a wrong event', stop('null'), /^hooks\.Stop has/],
    ['a wrong group', stop('["x"]'), /^hooks\.Stop\.0 has/],
    ['a wrong matcher', stop('[{"matcher":7}]'), /^hooks\.Stop\.0\.matcher has/],
    ['an unknown type', stop('[{"hooks":[{"type":"http"}]}]'), /hooks\.0\.type has/],
    ['no command', stop('[{"hooks":[{"type":"command"}]}]'), /hooks\.0\.command has/],
    ['a wrong timeout', stop('[{"hooks":[{"type":"prompt","timeout":"5"}]}]'), /hooks\.0\.timeout has/],
  ])('about %s', (_name, text, says) => {
    expect(installer.warnings(text)).toEqual([expect.stringMatching(says)])
    expect(installer.warnings(text)).toEqual([expect.stringMatching(/ignores the whole file/)])
  })

  test.each([
    ['nothing', ''],
    ['what is not JSON, which the entries say', '{'],
    ['a description', '{"description": "ours", "hooks": {}}'],
    ['events it does not know', '{"hooks": {"Zork": "x"}}'],
    ['an empty group, and a matcher that is null', stop('[{}, {"matcher": null, "hooks": []}]')],
    ['fields it does not know', stop('[{"x":1,"hooks":[{"type":"command","command":"x","y":1}]}]')],
  ])('not about %s', (_name, text) => {
    expect(installer.warnings(text)).toEqual([])
  })
})

describe('what keeps hooks from running', () => {
  const look = (config: string | undefined) =>
    installer.switches?.({
      where: { project: '/p', home: '/h', env: {} },
      read: (path) => (path === '/p/.codex/config.toml' ? config : undefined),
    })

  test.each([undefined, '', '[features]\nhooks = true\n', '[other]\nhooks = false\n'])('not %j', (config) => {
    expect(look(config)).toEqual([])
  })

  test.each([
    'model = "x"\n[features]\napps = true\n hooks = false\n',
    '[features]\nlist = ["a"]\nhooks = false\n',
    '[features] # [x]\nhooks = false\n',
    '[features]\n# [other]\nhooks = false\n',
    '"features"."h\\u006foks" = false\n',
    '["feat\\U00000075res"]\nhooks = false\n',
  ])('a project that switches them off with %j', (config) => {
    expect(look(config)).toEqual([expect.stringContaining('Remove it')])
  })
})
