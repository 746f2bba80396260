import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import type { Result } from '../../core/errors.ts'
import type { InstallOptions } from '../installer.ts'
import { installer } from './install.ts'

const OPTIONS: InstallOptions = {
  command: "/opt/it's/holdpoint-hook",
  home: '/home/dev/.hp',
  version: '2.1.0',
}

function unwrapped<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.problem.message)
  return result.value
}

const installed = (text: string | undefined, how = OPTIONS) => unwrapped(installer.install(text, how))
const taken = (text: string) => unwrapped(installer.uninstall(text))

describe('tables in config.toml', () => {
  it('one for each event, as the agent would start them', () => {
    const entries = unwrapped(installer.entries(installed(undefined)))
    expect(entries.map(({ event }) => event)).toEqual(installer.events)
    for (const { command, event, timeoutMs } of entries) {
      expect(command).toContain(`'kimi' '--home' '/home/dev/.hp' '--event' '${event}'`)
      expect(Number(/'--deadline-ms' '(\d+)'/.exec(command)?.[1])).toBeLessThan(timeoutMs ?? 0)
    }
    expect(taken(installed(undefined))).toBeUndefined()
  })

  test.each([
    '',
    'default_model = "x"',
    'default_model = "x"\n',
    'default_model = "x"\n\n\n',
    '[providers.x]\ntype = "openai"\r\n',
    '[[hooks]]\nevent = "Stop"\ncommand = "mine"\n',
    '# hooks\n[models."a/b"]\nmodel = "m" # [[hooks]]',
  ])('%j has its bytes back, however often it is installed', (before) => {
    const once = installed(before)
    expect(installed(once)).toBe(once)
    expect(installed(installed(before, { ...OPTIONS, command: '/old/holdpoint-hook' }))).toBe(once)
    expect(once.startsWith(before)).toBe(true)
    expect(taken(once) ?? '').toBe(before)
  })

  it('keeps every byte but ours', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a = 1', '[t]', '[[hooks]]', 'command = "x"', '', ' ')),
        (lines) => {
          const before = lines.join('\n')
          expect(taken(installed(before)) ?? '').toBe(before)
        },
      ),
    )
  })

  it('takes our tables out where the comments around them are gone', () => {
    const bare = installed('a = 1\n').replace(/^# holdpoint.*\n/gm, '')
    expect(unwrapped(installer.entries(bare))).toHaveLength(installer.events.length)
    expect(taken(bare)).toBe('a = 1\n')
    expect(unwrapped(installer.entries(installed(bare)))).toHaveLength(installer.events.length)
  })

  it('does not count a table with a matcher', () => {
    const text = `[[hooks]]\nevent = "PreToolUse"\nmatcher = "Read"\ncommand = "/x/holdpoint-hook kimi"\n`
    expect(unwrapped(installer.entries(text))).toEqual([])
  })

  it('is refused where hooks are a list in one line', () => {
    expect(installer.install('hooks = []\n', OPTIONS)).toMatchObject({ ok: false, problem: { key: 'hooks' } })
    expect(installer.install('[x]\nhooks = []\n', OPTIONS).ok).toBe(true)
  })

  it('never throws, whatever the text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(installer.install(text, OPTIONS).ok).toBeDefined()
        expect(installer.uninstall(text).ok).toBeDefined()
        expect(installer.entries(text).ok).toBeDefined()
      }),
    )
  })

  it('refuses a version that was never tried', () => {
    expect(installer.install(undefined, { ...OPTIONS, version: '1.9.0' }).ok).toBe(false)
  })
})
