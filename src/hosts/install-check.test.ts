import { expect, it } from 'vitest'
import { contentHash } from '../system/trust.ts'
import { entryMarks, installProblem } from './install-check.ts'
import { INSTALLERS } from './installers.ts'

const PROGRAM = '/home/dev/.config/holdpoint/bin/holdpoint-hook'

it.each(Object.keys(INSTALLERS))(
  'sees that the entries of %s are there, and that they are not',
  async (host) => {
    const loaded = await INSTALLERS[host]?.()
    if (loaded === undefined) throw new Error(`no installer for ${host}`)
    const { installer } = loaded
    const installed = installer.install(undefined, {
      command: PROGRAM,
      home: '/home/dev/.config/holdpoint',
      version: undefined,
    })
    if (!installed.ok) throw new Error(installed.problem.message)
    const marks = [...entryMarks(installed.value, contentHash)].map(([event, found]) => [
      event,
      [...found][0] ?? '',
    ])
    const check = (text: string | undefined) =>
      installProblem({
        ...{ installer, text, marks: Object.fromEntries(marks), entries: installer.events.length },
        ...{ program: PROGRAM, sha256: contentHash },
      })
    expect(check(installed.value)).toBeUndefined()
    expect(check(undefined)).toBe('is gone')
    expect(check(installed.value.replaceAll(PROGRAM, '/bin/true'))).toBeDefined()
    const without = installer.uninstall(installed.value)
    if (!without.ok) throw new Error(without.problem.message)
    expect(check(without.value ?? '')).toBeDefined()
  },
)
