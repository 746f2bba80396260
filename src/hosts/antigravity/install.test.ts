import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import type { Result } from '../../core/errors.ts'
import type { InstallOptions } from '../installer.ts'
import { installer } from './install.ts'

const OPTIONS: InstallOptions = {
  command: "/opt/it's/holdpoint-hook",
  home: '/home/dev/.hp',
  version: '1.1.25',
}

function unwrapped<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.problem.message)
  return result.value
}

const installed = (text: string | undefined, how = OPTIONS) => unwrapped(installer.install(text, how))
const taken = (text: string) => unwrapped(installer.uninstall(text))

describe('a named hook in hooks.json', () => {
  it('is at the top level, with whole seconds', () => {
    const file = JSON.parse(installed(undefined))
    expect(Object.keys(file)).toEqual(['holdpoint'])
    expect(Object.keys(file.holdpoint)).toEqual(installer.events)
    expect(installed(undefined).match(/"timeout": \d+$/gm)).toHaveLength(installer.events.length)
    expect(installer.stops?.(installed(undefined))).toEqual([])
    expect(installer.notProved).toBe(true)
  })

  it('has one entry for each event, as the agent would start it', () => {
    const entries = unwrapped(installer.entries(installed(undefined)))
    expect(entries.map(({ event }) => event)).toEqual(installer.events)
    for (const { command, event, timeoutMs } of entries) {
      expect(command).toContain(`'antigravity' '--home' '/home/dev/.hp' '--event' '${event}'`)
      expect(Number(/'--deadline-ms' '(\d+)'/.exec(command)?.[1])).toBeLessThan(timeoutMs ?? 0)
    }
    expect(taken(installed(undefined))).toBeUndefined()
  })

  test.each([
    '{"mine": {"PreToolUse": []}}',
    '{\n  "mine": {\n    "Stop": [{ "type": "command", "command": "x", "timeout": 5 }]\n  }\n}\n',
    '// mine\n{ "a": {} /* b */ }',
    '{\r\n\t"a": {}\r\n}\r\n',
  ])('%j has its bytes back, however often it is installed', (before) => {
    const once = installed(before)
    expect(installed(once)).toBe(once)
    expect(installed(installed(before, { ...OPTIONS, command: '/old/holdpoint-hook' }))).toBe(once)
    expect(JSON.parse(once.replace(/\/\/.*|\/\*.*?\*\//g, ''))).toMatchObject({
      holdpoint: { Stop: [{ type: 'command' }] },
    })
    expect(taken(once)).toBe(before)
  })

  it('keeps every byte but ours', () => {
    const settings = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { minKeys: 1 })
    fc.assert(
      fc.property(
        settings.filter((value) => !('holdpoint' in value)),
        fc.constantFrom(undefined, 1, '\t'),
        (value, indent) => {
          const before = JSON.stringify(value, null, indent)
          expect(taken(installed(before))).toBe(before)
        },
      ),
    )
  })

  test.each(['[]', '7', '{"holdpoint": {"Stop": [{"command": "other"}]}}', '{"holdpoint": []}', '{', '{}{}'])(
    'refuses %s, and changes nothing',
    (text) => {
      expect(installer.install(text, OPTIONS)).toMatchObject({
        ok: false,
        problem: { fix: expect.stringContaining('nothing was changed') },
      })
    },
  )

  it('leaves a hook of somebody else alone that has our name', () => {
    const text = '{"holdpoint": {"Stop": [{"command": "other"}]}}'
    expect(taken(text)).toBe(text)
  })

  test.each([
    ['a part of a second', '"timeout": 30', '"timeout": 2.5', /drops the whole file/],
    ['a switch', '"PreToolUse"', '"enabled": false, "PreToolUse"', /switches every hook/],
  ])('says what keeps it from running: %s', (_name, from, to, says) => {
    expect(installer.stops?.(installed(undefined).replace(from, to))).toEqual([expect.stringMatching(says)])
  })

  it('does not count a hook that is switched off or has a matcher', () => {
    const text = installed(undefined)
    expect(
      unwrapped(installer.entries(text.replace('"PreToolUse"', '"enabled": false, "PreToolUse"'))),
    ).toEqual([])
    const some = text.replaceAll('"matcher": ""', '"matcher": "run_command"')
    expect(unwrapped(installer.entries(some)).map(({ event }) => event)).toEqual(['Stop'])
  })

  it('never throws, whatever the text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        for (const each of [
          installer.install(text, OPTIONS),
          installer.uninstall(text),
          installer.entries(text),
        ])
          expect(each.ok).toBeDefined()
        expect(installer.warnings(text)).toBeDefined()
      }),
    )
  })

  it('refuses a version that has no documented hooks', () => {
    expect(installer.install(undefined, { ...OPTIONS, version: '1.0.9' }).ok).toBe(false)
  })
})
