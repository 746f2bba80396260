import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import type { Result } from '../core/errors.ts'
import { EVENT_KINDS } from '../core/event.ts'
import { HOSTS } from './index.ts'
import type { Installer, InstallOptions } from './installer.ts'

/** What every installer must do whose file is ours alone. */
export function ownFileContract(installer: Installer, tooOld: string): void {
  const options: InstallOptions = {
    command: "/opt/it's/holdpoint-hook",
    home: '/home/dev/.hp',
    version: undefined,
  }
  const install = (text: string | undefined, how = options) => unwrapped(installer.install(text, how))

  describe(`installer ${installer.host}`, () => {
    it('has one file, in the home of the user', () => {
      const where = { project: '/srv/app', home: '/home/dev', env: {} }
      expect(installer.file('user', where)).toMatch(/^\/home\/dev\/\.[\w/.-]+holdpoint[\w/.-]*$/)
      expect(installer.file('project', where)).toBeUndefined()
    })

    it('registers one entry for each event, as the agent would start it', () => {
      expect(EVENT_KINDS).toEqual(expect.arrayContaining([...installer.events]))
      const entries = unwrapped(installer.entries(install(undefined)))
      expect(entries.map(({ event }) => event)).toEqual(installer.events)
      for (const { event, command, shell, timeoutMs } of entries) {
        expect(shell).toBe(true)
        expect(command).toContain(`'${installer.host}' '--home' '/home/dev/.hp' '--event' '${event}'`)
        const deadlineMs = Number(/'--deadline-ms' '(\d+)'/.exec(command)?.[1])
        expect(deadlineMs).toBeGreaterThan(0)
        // One timeout that is not a whole number of seconds, and Grok Build drops the file in silence.
        expect((timeoutMs ?? 0) % 1_000).toBe(0)
        expect(deadlineMs).toBeLessThan(timeoutMs ?? 0)
        expect(command.includes('exit 2')).toBe(command.includes("'deny'"))
      }
    })

    it('is answered when it is tried', async () => {
      const { host } = (await HOSTS[installer.host]?.()) ?? {}
      for (const event of installer.events) {
        const payload = JSON.stringify(installer.probe?.(event, 'holdpoint-probe') ?? {})
        expect(host?.decode({ payload, cwd: '/', event })).toMatchObject({ ok: true, value: { kind: event } })
      }
    })

    it('changes nothing the second time, and leaves nothing', () => {
      const once = install(undefined)
      expect(install(once)).toBe(once)
      expect(install(install(undefined, { ...options, command: '/old/holdpoint-hook' }))).toBe(once)
      expect(install('')).toBe(once)
      expect(unwrapped(installer.uninstall(once))).toBeUndefined()
      expect(installer.warnings(once)).toEqual([])
    })

    it('does not touch hooks of others that stand in its file', () => {
      const foreign = install(undefined).replaceAll('holdpoint-hook', 'other-hook')
      expect(installer.install(foreign, options)).toMatchObject({
        ok: false,
        problem: { fix: expect.stringContaining('nothing was changed') },
      })
      expect(unwrapped(installer.uninstall(foreign))).toBe(foreign)
      const mixed = install(undefined).replace('holdpoint-hook', 'other-hook')
      const left = unwrapped(installer.uninstall(mixed)) ?? ''
      expect(left).toContain('other-hook')
      expect(left).not.toContain('holdpoint-hook')
    })

    test.each<[string, Partial<InstallOptions>]>([
      ['a program without a path', { command: 'holdpoint-hook' }],
      ['a program it would not know again', { command: '/usr/bin/node' }],
      ['a home that moves with the folder', { home: '.hp' }],
      ['an agent that is too old', { version: tooOld }],
    ])('refuses %s', (_name, wrong) => {
      expect(installer.install(undefined, { ...options, ...wrong }).ok).toBe(false)
    })

    it('never throws, whatever the text', () => {
      fc.assert(
        fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
          for (const each of [
            installer.install(text, options),
            installer.uninstall(text),
            installer.entries(text),
          ])
            expect(each.ok).toBeDefined()
          expect(installer.warnings(text)).toBeDefined()
        }),
      )
    })
  })
}

function unwrapped<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`${result.problem.code}: ${result.problem.message}`)
  return result.value
}
