import { describe, expect, it, test } from 'vitest'
import { lastResortOf } from '../../core/deadlines.ts'
import { wordList } from '../../core/word-list.ts'
import { installerContract } from '../installer.contract.ts'
import type { InstallOptions } from '../installer.ts'
import { installer } from './install.ts'

installerContract({ installer, version: '2.1.325', tooOld: '2.1.100' })

const OPTIONS: InstallOptions = {
  command: '/home/dev/.config/holdpoint/bin/holdpoint-hook',
  home: '/home/dev/.config/holdpoint',
  version: '2.1.325',
}

const installed = (options: Partial<InstallOptions> = {}) => {
  const result = installer.install(undefined, { ...OPTIONS, ...options })
  if (!result.ok) throw new Error(result.problem.message)
  return result.value
}
const hookOf = (text: string, event: string) => JSON.parse(text).hooks[event][0].hooks[0]

describe('what is written', () => {
  it('is exactly this text', () => {
    const onlyPreToolUse = installed().split('    "PermissionRequest"')[0]
    expect(onlyPreToolUse).toBe(`{
  "hooks": {
    "PreToolUse": [
      {
        "hooks": [
          {
            "type": "command",
            "command": "/home/dev/.config/holdpoint/bin/holdpoint-hook",
            "args": [
              "claude-code",
              "--home",
              "/home/dev/.config/holdpoint",
              "--event",
              "PreToolUse",
              "--on-failure",
              "deny",
              "--deadline-ms",
              "28000"
            ],
            "timeout": 30,
            "onFailure": "block"
          }
        ]
      }
    ],
`)
  })

  test.each([
    ['PreToolUse', 30, 'deny', '28000', 'block'],
    ['PermissionRequest', 30, 'deny', '28000', 'block'],
    ['PostToolUse', 300, 'pass', '295000', undefined],
    ['PostToolUseFailure', 15, 'pass', '13000', undefined],
    ['UserPromptSubmit', 30, 'deny', '28000', 'block'],
    ['UserPromptExpansion', 15, 'pass', '13000', undefined],
    ['SessionStart', 30, 'pass', '28000', undefined],
    ['SessionEnd', 10, 'pass', '5000', undefined],
    ['SubagentStart', 15, 'pass', '13000', undefined],
    ['SubagentStop', 300, 'pass', '295000', undefined],
    ['Stop', 300, 'pass', '295000', undefined],
    ['PreCompact', 15, 'pass', '13000', undefined],
    ['ConfigChange', 30, 'deny', '28000', 'block'],
  ] as const)('at %s', (event, timeout, onFailure, deadlineMs, block) => {
    expect(hookOf(installed(), event)).toEqual({
      type: 'command',
      command: OPTIONS.command,
      args: [
        ['claude-code', '--home', OPTIONS.home],
        ['--event', event],
        ['--on-failure', onFailure],
        ['--deadline-ms', deadlineMs],
      ].flat(),
      timeout,
      ...(block === undefined ? {} : { onFailure: block }),
    })
    expect(installer.events.indexOf(event)).toBe(Object.keys(JSON.parse(installed()).hooks).indexOf(event))
  })

  it('is exactly these events', () => {
    expect(installer.events).toHaveLength(13)
  })
})

describe('the version decides the form', () => {
  const EXEC = { args: expect.any(Array), onFailure: 'block', command: OPTIONS.command }
  const SHELL = { command: expect.stringMatching(/^'.*' 'claude-code' '--home'/) }
  test.each([
    [undefined, EXEC],
    ['no version in it', EXEC],
    ['2.1.295', EXEC],
    ['2.1.295 (Claude Code)', EXEC],
    ['2.1.325', EXEC],
    ['2.2.0', EXEC],
    ['3.0.0-beta.1', EXEC],
    ['2.1.294', SHELL],
    ['2.1.294 (Claude Code)', SHELL],
    ['2.1.138', SHELL],
    ['2.1.101', SHELL],
  ])('%s', (version, expected) => {
    const hook = hookOf(installed({ version }), 'PreToolUse')
    expect(hook).toEqual({ type: 'command', timeout: 30, ...expected })
  })

  test.each(['2.1.100', '2.0.76', '1.0.128', '0.2.9 (Claude Code)'])(
    '%s is too old for any form',
    (version) => {
      expect(installer.install('{}', { ...OPTIONS, version })).toMatchObject({
        ok: false,
        problem: { message: expect.stringContaining(version), fix: expect.stringContaining('2.1.101') },
      })
    },
  )

  it('quotes every word for the shell', () => {
    const text = installed({ version: '2.1.138', command: "/it's $HOME/holdpoint-hook", home: '/a "b" `c`' })
    expect(hookOf(text, 'Stop').command).toBe(
      `'/it'\\''s $HOME/holdpoint-hook' 'claude-code' '--home' '/a "b" \`c\`' '--event' 'Stop' ` +
        `'--on-failure' 'pass' '--deadline-ms' '295000'`,
    )
  })

  it('says which entries the host itself treats as fail-closed', () => {
    const closed = (text: string) => {
      const entries = installer.entries(text)
      return entries.ok ? entries.value.filter((entry) => entry.failsClosed).map(({ event }) => event) : []
    }
    expect(closed(installed())).toEqual(installer.events.filter((event) => lastResortOf(event) === 'deny'))
    expect(closed(installed({ version: '2.1.200' }))).toEqual([])
  })
})

test.each([
  ['user', {}, '/home/dev/.claude/settings.json'],
  ['user', { CLAUDE_CONFIG_DIR: '' }, '/home/dev/.claude/settings.json'],
  ['user', { CLAUDE_CONFIG_DIR: '/etc/claude//' }, '/etc/claude/settings.json'],
  ['user', { CLAUDE_CONFIG_DIR: 'conf' }, '/srv/app/conf/settings.json'],
  ['project', { CLAUDE_CONFIG_DIR: '/etc/claude' }, '/srv/app/.claude/settings.json'],
  ['local', {}, '/srv/app/.claude/settings.local.json'],
] as const)('the %s file with %o is %s', (scope, env, file) => {
  expect(installer.file(scope, { project: '/srv/app', home: '/home/dev', env })).toBe(file)
})

describe('warnings', () => {
  const big = `{"a":"${'x'.repeat(2 * 1024 * 1024)}"}`
  const gate = (group: string) => `{"hooks":{"PreToolUse":[${group}]}}`
  test.each([
    ['a comment', '{\n  // mine\n}', /^line 2 has a comment/],
    ['a trailing comma', '{"a": 1,\n}', /^line 2 has a trailing comma/],
    ['a file over 2 MiB', big, /over 2 MiB/],
    ['all hooks off', '{"disableAllHooks": true}', /disableAllHooks/],
    ['all hooks off, by a word', '{"disableAllHooks": "yes"}', /disableAllHooks/],
    ['managed hooks only', '{"allowManagedHooksOnly": true}', /allowManagedHooksOnly/],
    ['a wrong event', '{"hooks":{"PermissionRequest":"x"}}', /^hooks\.PermissionRequest has/],
    ['a wrong group', gate('"x"'), /^hooks\.PreToolUse\.0 has/],
    ['a group without hooks', gate('{}'), /^hooks\.PreToolUse\.0\.hooks has/],
    ['a wrong matcher', gate('{"matcher":null,"hooks":[]}'), /^hooks\.PreToolUse\.0\.matcher has/],
    ['a wrong entry', gate('{"hooks":[7]}'), /^hooks\.PreToolUse\.0\.hooks\.0 has/],
    ['an unknown type', gate('{"hooks":[{"type":"wasm"}]}'), /^hooks\.PreToolUse\.0\.hooks\.0\.type has/],
    ['a wrong command', gate('{"hooks":[{"type":"command","command":7}]}'), /hooks\.0\.command has/],
    ['a wrong timeout', gate('{"hooks":[{"type":"prompt","timeout":"5"}]}'), /hooks\.0\.timeout has/],
    ...wordList(
      'NODE_OPTIONS NODE_PATH LD_PRELOAD DYLD_INSERT_LIBRARIES PATH HOLDPOINT_HOME BASH_ENV HOME',
    ).map((name): [string, string, RegExp] => [
      name,
      `{"env":{"${name}":"x"}}`,
      new RegExp(`^env\\.${name} `),
    ]),
  ])('about %s', (_name, text, says) => {
    expect(installer.warnings(text)).toEqual([expect.stringMatching(says)])
  })

  test.each([
    ['nothing', ''],
    ['what is not JSON, which the entries say', '{'],
    ['a byte order mark', '\uFEFF{}'],
    ['switches that are off', '{"disableAllHooks": false, "allowManagedHooksOnly": false}'],
    ['harmless variables', '{"env":{"NODE_ENV":"test","MY_PATH":"x","LANG":"C","NODEJS":"1"}}'],
    ['what is only skipped', '{"hooks":{"Stop":"x","Zork":7}}'],
    ['hooks of every type', gate('{"hooks":[{"type":"http"},{"type":"command","command":"x","zork":1}]}')],
    ['a file of 2 MiB', big.replace('xxxxxxxx', '')],
  ])('not about %s', (_name, text) => {
    expect(installer.warnings(text)).toEqual([])
  })
})
