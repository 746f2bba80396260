import { describe, expect, it, test } from 'vitest'
import { lastResortOf } from '../../core/deadlines.ts'
import type { Result } from '../../core/errors.ts'
import type { InstallOptions } from '../installer.ts'
import { installer } from './install.ts'

/** HTTP entries: their content, and adding them to and removing them from a file like the others. */

const SECRET = 'b'.repeat(64)
const OPTIONS: InstallOptions = {
  command: '/home/dev/.hp/bin/holdpoint-hook',
  home: '/home/dev/.hp',
  version: '2.1.325',
}
const HTTP: InstallOptions = { ...OPTIONS, http: { port: 40_123, secret: SECRET, mark: '0123456789abcdef' } }
const OTHER: InstallOptions = { ...OPTIONS, http: { port: 7, secret: 'c', mark: 'ffff' } }

function unwrapped<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.problem.message)
  return result.value
}
const install = (text: string | undefined, options = HTTP) => unwrapped(installer.install(text, options))
const entries = (text: string) => unwrapped(installer.entries(text))

describe('what is written', () => {
  it.each([
    ['PreToolUse', 30, 'deny', 28_000, 'block'],
    ['PermissionRequest', 30, 'deny', 28_000, 'block'],
    ['PostToolUse', 300, 'pass', 295_000, undefined],
    ['PostToolUseFailure', 15, 'pass', 13_000, undefined],
    ['UserPromptExpansion', 15, 'pass', 13_000, undefined],
    ['SubagentStart', 15, 'pass', 13_000, undefined],
    ['SubagentStop', 300, 'pass', 295_000, undefined],
    ['Stop', 300, 'pass', 295_000, undefined],
    ['PreCompact', 15, 'pass', 13_000, undefined],
    ['ConfigChange', 30, 'deny', 28_000, 'block'],
  ] as const)('at %s', (event, timeout, onFailure, deadlineMs, block) => {
    const options = `event=${event}&on-failure=${onFailure}&deadline-ms=${deadlineMs}`
    expect(JSON.parse(install(undefined)).hooks[event][0].hooks[0]).toEqual({
      type: 'http',
      url: `http://127.0.0.1:40123/hook/claude-code?${options}&by=holdpoint-hook-0123456789abcdef`,
      headers: { Authorization: `Bearer ${SECRET}` },
      timeout,
      ...(block === undefined ? {} : { onFailure: block }),
    })
  })

  it.each(['SessionStart', 'UserPromptSubmit', 'SessionEnd'])(
    'at %s the entry is still a command',
    (event) => {
      const [http, command] = [install(undefined), install(undefined, OPTIONS)].map((text) => {
        return JSON.parse(text).hooks[event]
      })
      expect(http).toEqual(command)
    },
  )

  it('names the program in each entry, which is how they are counted', () => {
    expect(install(undefined).split('holdpoint-hook')).toHaveLength(installer.events.length + 1)
  })

  it('is read back: one for each event, closed where the command is', () => {
    const read = entries(install(undefined))
    expect(read.map(({ event }) => event)).toEqual(installer.events)
    for (const { event, failsClosed, headers, command } of read) {
      expect(failsClosed).toBe(lastResortOf(event as 'Stop') === 'deny')
      if (headers === undefined) expect(command).toBe(OPTIONS.command)
      else expect(headers).toEqual({ Authorization: `Bearer ${SECRET}` })
    }
    expect(read.filter(({ headers }) => headers !== undefined)).toHaveLength(10)
  })
})

describe.each([
  ['nothing', undefined],
  ['an empty object', '{}\n'],
  [
    'hooks of others',
    '{\n\t"hooks": { "Stop": [ { "hooks": [ { "type": "http", "url": "http://127.0.0.1:1/hook/x?a=b" } ] } ] }\n}\n',
  ],
  ['a comment', '{\n  // mine\n  "model": "x",\n}\n'],
])('a file with %s', (_name, before) => {
  it('gets each entry once, whatever it contained, and is unchanged after removal', () => {
    const once = install(before)
    expect(install(once)).toBe(once)
    expect(install(install(before, OTHER))).toBe(once)
    expect(install(install(before, OPTIONS))).toBe(once)
    expect(install(once, OPTIONS)).toBe(install(before, OPTIONS))
    expect(unwrapped(installer.uninstall(once))).toBe(before === '{}\n' ? undefined : before)
  })
})

describe('entries of others', () => {
  it.each([
    'http://127.0.0.1:40123/hook/claude-code?event=Stop',
    'http://127.0.0.1:40123/hook/claude-code?event=Stop&by=somebody',
    'https://example.com/hook/claude-code?event=Stop&by=holdpoint-hook-ffff',
    'http://127.0.0.1:40123/hook/claude-code?event=Stop&by=holdpoint-hook-ffff#x',
  ])('%s is kept', (url) => {
    const text = JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: 'http', url }] }] } })
    expect(unwrapped(installer.uninstall(text))).toBe(text)
    expect(install(text)).toContain(JSON.stringify(url))
  })

  it('that contain our command but another address are not ours', () => {
    const entry = { type: 'http', url: 'http://evil.example', command: '/x/holdpoint-hook', args: [] }
    expect(entries(JSON.stringify({ hooks: { Stop: [{ hooks: [entry] }] } }))).toEqual([])
  })
})

describe('--http is rejected for', () => {
  test.each([undefined, 'nightly', '2.1.294', '2.1.138'])('version %s', (version) => {
    expect(installer.install('{}', { ...HTTP, version })).toMatchObject({
      ok: false,
      problem: {
        message: expect.stringContaining('2.1.295'),
        fix: expect.stringContaining('nothing was changed'),
      },
    })
  })

  it('a file that is committed', () => {
    expect(installer.install('{}', { ...HTTP, portable: true })).toMatchObject({
      ok: false,
      problem: { message: expect.stringContaining('committed') },
    })
  })
})

describe('warnings where something asks over HTTP', () => {
  test.each([
    ['{"env":{"HTTP_PROXY":"x"}}', /^env\.HTTP_PROXY /],
    ['{"env":{"https_proxy":"x"}}', /^env\.https_proxy /],
    ['{"env":{"ALL_PROXY":"x"}}', /^env\.ALL_PROXY /],
    ['{"env":{"no_proxy":"x"}}', /^env\.no_proxy /],
    ['{"allowedHttpHookUrls":[]}', /^allowedHttpHookUrls /],
  ])('%s', (text, says) => {
    expect(installer.httpWarnings?.(text)).toEqual([expect.stringMatching(says)])
    expect(installer.warnings(text)).toEqual([])
  })

  test.each(['', '{', '{}', '{"env":{"MY_PROXY":"x"}}', install(undefined)])('none about %s', (text) => {
    expect(installer.httpWarnings?.(text)).toEqual([])
  })
})
