import { describe, expect, it, test } from 'vitest'
import type { Result } from '../../core/errors.ts'
import { nameOfKind } from '../dialect.ts'
import { installerContract } from '../installer.contract.ts'
import type { InstallOptions } from '../installer.ts'
import { CURSOR } from './dialect.ts'
import { installer } from './install.ts'

installerContract({
  installer,
  version: '2026.7.16',
  tooOld: '2025.12.31',
  flat: true,
  topKeys: ['version', 'hooks'],
  keyOf: (event) => nameOfKind(CURSOR, event) ?? event,
})

const OPTIONS: InstallOptions = {
  command: '/opt/holdpoint-hook',
  home: '/home/dev/.hp',
  version: undefined,
}

function unwrapped<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.problem.message)
  return result.value
}

const installed = (text?: string) => unwrapped(installer.install(text, OPTIONS))

describe('hooks.json', () => {
  it('blocks by itself where our program fails, and has no words for a shell', () => {
    for (const entry of JSON.parse(installed()).hooks.preToolUse) {
      expect(entry).toEqual({
        command: expect.stringMatching(/^'\/opt\/holdpoint-hook' 'cursor' [^|;]*$/),
        timeout: 30,
        failClosed: true,
      })
    }
    expect(JSON.parse(installed()).hooks.stop[0].failClosed).toBeUndefined()
    expect(JSON.parse(installed()).version).toBe(1)
  })

  it('is marked as not proved', () => {
    expect(installer.notProved).toBe(true)
  })

  test.each([
    [
      'behind a matcher',
      '{"version":1,"hooks":{"preToolUse":[{"command":"/x/holdpoint-hook a","matcher":"Shell"}]}}',
    ],
    ['twice', '{"hooks":{"stop":[{"command":"/x/holdpoint-hook a"},{"command":"/x/holdpoint-hook b"}]}}'],
    ['at another event', '{"hooks":{"afterFileEdit":[{"command":"/x/holdpoint-hook a"}]}}'],
  ])('old entries %s are replaced', (_name, text) => {
    const after = installed(text)
    expect(after.match(/holdpoint-hook/g)).toHaveLength(installer.events.length)
    expect(
      unwrapped(installer.entries(after))
        .map(({ event }) => event)
        .toSorted(),
    ).toEqual(installer.events.toSorted())
  })

  it('counts no entry that a matcher or a model stands before', () => {
    for (const more of ['"matcher":"Shell"', '"type":"prompt"'])
      expect(
        unwrapped(installer.entries(`{"hooks":{"stop":[{"command":"/x/holdpoint-hook a",${more}}]}}`)),
      ).toEqual([])
  })

  test.each([
    ['a text with //', '{"version":1,"hooks":{"stop":[{"command":"curl http://x"}]}}', /cuts each line/],
    ['an event nobody knows', '{"version":1,"hooks":{"onZork":[]}}', /onZork/],
    ['no version', '{"hooks":{}}', /"version": 1/],
  ])('says what makes Cursor drop the file: %s', (_name, text, says) => {
    expect(installer.stops?.(text)).toEqual([expect.stringMatching(says)])
    expect(installer.stops?.(installed())).toEqual([])
  })

  it('does not add a version to a file that has none, and says that it is missing', () => {
    const after = installed('{"other":1}')
    expect(JSON.parse(after).version).toBeUndefined()
    expect(installer.stops?.(after)).toEqual([expect.stringContaining('Add it')])
  })

  it('refuses a path that Cursor would cut', () => {
    expect(installer.install(undefined, { ...OPTIONS, home: '/home//dev' })).toMatchObject({
      ok: false,
      problem: { fix: expect.stringContaining('nothing was changed') },
    })
  })
})
