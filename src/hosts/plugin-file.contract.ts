import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import type { Result } from '../core/errors.ts'
import { EVENT_KINDS } from '../core/event.ts'
import { HOSTS } from './index.ts'
import type { Installer, InstallOptions } from './installer.ts'

/** What every installer must do whose file is a plugin of ours. */
export function pluginFileContract(installer: Installer, tooOld: string): void {
  const options: InstallOptions = {
    command: '/opt/it\'s "/holdpoint-hook',
    home: "/home/dev/it's a %home\\",
    version: undefined,
  }
  const install = (text: string | undefined, how = options) => unwrapped(installer.install(text, how))
  const where = { project: '/srv/app', home: '/home/dev', env: {} }

  describe(`installer ${installer.host}`, () => {
    it('has one file, in the home of the user', () => {
      expect(installer.file('user', where)).toMatch(/^\/home\/dev\/\.[\w/.-]+holdpoint[\w/.-]*$/)
      expect(installer.file('project', where)).toBeUndefined()
    })

    it('registers one entry for each event, which doctor can start without the agent', () => {
      expect(EVENT_KINDS).toEqual(expect.arrayContaining([...installer.events]))
      const entries = unwrapped(installer.entries(install(undefined)))
      expect(entries.map(({ event }) => event)).toEqual(installer.events)
      for (const { event, command, args, shell } of entries) {
        expect({ command, shell }).toEqual({ command: options.command, shell: false })
        expect(args).toEqual(
          expect.arrayContaining([installer.host, '--home', options.home, '--event', event]),
        )
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
      expect(installer.stops?.(once)).toEqual([])
    })

    it('is not ours any more when anything in it was changed', () => {
      const once = install(undefined)
      for (const changed of [
        once.replace('import(settings.plugins)', 'import(settings.other)'),
        once.replace('this was stopped', 'this was allowed'),
        `${once}\nexport const more = 1\n`,
        once.slice(0, -9),
        once.replace('settings = {', 'settings = {"x":1,'),
      ]) {
        expect(changed).not.toBe(once)
        expect(unwrapped(installer.entries(changed))).toEqual([])
        expect(installer.stops?.(changed)).toEqual([expect.stringContaining('holdpoint init')])
        expect(install(changed)).toBe(once)
        expect(unwrapped(installer.uninstall(changed))).toBeUndefined()
      }
    })

    it('does not touch the plugin of somebody else that has its name', () => {
      const foreign = 'export const Other = async () => ({})\n'
      expect(installer.install(foreign, options)).toMatchObject({
        ok: false,
        problem: { fix: expect.stringContaining('nothing was changed') },
      })
      expect(unwrapped(installer.uninstall(foreign))).toBe(foreign)
      expect(unwrapped(installer.entries(foreign))).toEqual([])
    })

    it('says that the agent has not loaded it, until it has', () => {
      const text = install(undefined)
      const look = (note: string | undefined) => ({
        ...{ file: '/x', text, where, sha256: (each: string) => each },
        read: (path: string) =>
          path.startsWith(`${options.home}/run/plugin-${installer.host}`) ? note : undefined,
      })
      expect(installer.trustWarnings?.(look(undefined))).toEqual([expect.stringContaining('Start it once')])
      expect(installer.trustWarnings?.(look('{}'))).toEqual([])
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
      const start = install(undefined).split('{')[0] ?? ''
      fc.assert(
        fc.property(
          fc.oneof(
            fc.string(),
            fc.json().map((json) => `${start}${json}`),
          ),
          (text) => {
            for (const each of [
              installer.install(text, options),
              installer.uninstall(text),
              installer.entries(text),
            ])
              expect(each.ok).toBeDefined()
          },
        ),
      )
    })
  })
}

function unwrapped<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`${result.problem.code}: ${result.problem.message}`)
  return result.value
}
