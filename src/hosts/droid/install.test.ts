import { describe, expect, it, test } from 'vitest'
import type { InstallOptions } from '../installer.ts'
import { installer } from './install.ts'

const OPTIONS: InstallOptions = { command: '/opt/holdpoint-hook', home: '/home/dev/.hp', version: '0.225.2' }

function installed(text: string | undefined): string {
  const result = installer.install(text, OPTIONS)
  if (!result.ok) throw new Error(result.problem.message)
  return result.value
}

describe('the file is the map of events itself', () => {
  it('has one entry for each event, and nothing else', () => {
    const map = JSON.parse(installed(undefined))
    expect(Object.keys(map)).toEqual(installer.events)
    expect(installer.entries(installed(undefined))).toMatchObject({
      ok: true,
      value: installer.events.map((event) => ({ event, shell: true })),
    })
  })

  test.each([
    '{}',
    '{\n  "PreToolUse": [\n    { "matcher": "Execute", "hooks": [{ "type": "command", "command": "mine" }] }\n  ]\n}\n',
    '// mine\n{ "Other": [] }',
  ])('%s has its bytes back', (before) => {
    const after = installed(before)
    expect(installed(after)).toBe(after)
    expect(installer.uninstall(after)).toEqual({ ok: true, value: before === '{}' ? undefined : before })
  })

  it('is refused, and not changed, where an event is not a list', () => {
    expect(installer.install('{"PreToolUse": {}}', OPTIONS)).toMatchObject({
      ok: false,
      problem: { key: 'PreToolUse' },
    })
  })

  it('refuses a version that was never tried', () => {
    expect(installer.install(undefined, { ...OPTIONS, version: '0.100.0' }).ok).toBe(false)
  })
})
