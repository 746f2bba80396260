import { describe, expect, it } from 'vitest'
import type { Pack } from '../../core/guard.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Layer, PackEntry } from '../../core/layer.ts'
import { guardHooks } from '../../core/plan/plan-guards.ts'
import { pack as collective } from './collective/pack.ts'
import { pack as mux } from './mux/pack.ts'
import { pack as legacy } from './mux-legacy/pack.ts'
import { pack as scratchpad } from './scratchpad/pack.ts'

const packs = new Map([[mux.id, mux]])
const layerOf = (entry: PackEntry) => ({ rank: 'user', trusted: true, packs: [entry] }) as unknown as Layer
const complaints = (pack: Pack, options: JsonObject) =>
  guardHooks(
    [layerOf({ pack: pack.id, options, origin: { file: 'f.yaml' } })],
    new Map([[pack.id, pack]]),
  ).problems.map(({ message }) => message)

describe('options that have no effect are reported', () => {
  it.each<[Pack, JsonObject]>([
    [mux, { enforcee: true }],
    [mux, { enforce: 'yes' }],
    [mux, { enforce: ['return', 'bogus'] }],
    [mux, { unknownTool: 'never' }],
    [mux, { allow: 'Read' }],
    [mux, { taskBackground: 'ask' }],
    [mux, { taskBackground: { missing: 'allow' } }],
    [mux, { toolRoots: 5 }],
    [mux, { watchdog: { after: 5 } }],
    [mux, { polling: true }],
    [mux, { polling: { repeats: 0 } }],
    [mux, { polling: { waiting: 'yes' } }],
    [legacy, { debg: true }],
    [legacy, { debug: 1 }],
    [legacy, { polling: 'off' }],
    [scratchpad, { headngs: ['A'] }],
    [scratchpad, { folder: '../x' }],
    [scratchpad, { limits: { ego: -1 } }],
    [collective, { retris: 3 }],
    [collective, { test: 5 }],
    [collective, { constructor: 1 }],
  ])('%# %j', (pack, options) => {
    expect(complaints(pack, options)).toEqual([expect.stringContaining(Object.keys(options)[0] ?? '')])
  })

  it.each<[Pack, JsonObject]>([
    [mux, {}],
    [mux, { enforce: true, headings: ['A'], unknownTool: 'deny', allow: ['X'], skillAllow: [] }],
    [
      mux,
      { enforce: ['return'], taskBackground: { missing: 'ask' }, toolRoots: ['t'], commands: ['make x'] },
    ],
    [mux, { watchdog: { afterMinutes: 1, everyMinutes: 2 }, subagentSkillAllow: ['x'], polling: false }],
    [
      mux,
      {
        watchdog: true,
        polling: { repeats: 2, windowMinutes: 3, commands: 4, waiting: true, lookups: true },
      },
    ],
    [legacy, { debug: true, polling: { repeats: 2 } }],
    [scratchpad, { folder: 'notes', sinceSession: true, limits: { ego: 3 }, except: ['Plan'] }],
    [
      collective,
      { test: false, build: 'npm run build', metrics: { input: true }, retries: 2, tmpLogs: true },
    ],
  ])('%# reports nothing for %j', (pack, options) => {
    expect(complaints(pack, options)).toEqual([])
  })
})

it('is reported as a problem of the file that contains it', () => {
  const origin = { file: 'f.yaml', line: 3 }
  const { problems } = guardHooks(
    [layerOf({ pack: 'mux', options: { level: 'strict', enforce: 'yes' }, origin })],
    packs,
  )
  expect(problems).toMatchObject([
    {
      code: 'CONFIG_VALUE',
      ...origin,
      key: 'packs.enforce',
      message:
        'Pack `mux`: The option `enforce` must be `true`, `false` or a list of return, signal, report. The default is used.',
    },
  ])
})
