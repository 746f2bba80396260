import { describe, expect, it } from 'vitest'
import { FAILURE_PRESETS } from '../../../core/failure-presets.ts'
import type { Rank } from '../../../core/hook.ts'
import type { Layer } from '../../../core/layer.ts'
import { source } from './source.ts'

function read(text: string, rank: Rank = 'project'): Layer {
  const file = { path: '/p/.holdpoint/config.yaml', rank, trusted: false, root: '/p' }
  const result = source.parse(`version: 1\n${text}\n`, file)
  if (!result.ok) throw new Error(result.problem.message)
  return result.value
}

const hook = (inner: string) => read(`hooks:\n  PreToolUse:\n    - ${inner}`)

describe('a hook with an address', () => {
  it('is read as written', () => {
    const layer = hook(
      'run: { url: "https://policy.example/hook", headers: { Authorization: "Bearer $TOKEN" }, allowedEnvVars: [TOKEN], protocol: mux }',
    )
    expect(layer.problems).toEqual([])
    expect(layer.hooks[0]?.run).toEqual({
      type: 'http',
      url: 'https://policy.example/hook',
      headers: { Authorization: 'Bearer $TOKEN' },
      allowedEnvVars: ['TOKEN'],
      protocol: 'mux',
    })
  })

  it.each([
    ['ftp://policy.example', 'run.url', 'neither http nor https'],
    ['policy', 'run.url', 'not a web address'],
    ['https://me:pass@policy.example', 'run.url', 'contains a password'],
    ['http://policy.example', 'run.url', 'insecure: true'],
  ])('%s is rejected with its location', (url, key, message) => {
    const layer = hook(`run: { url: "${url}" }`)
    expect(layer.hooks.filter(({ run }) => run.unread === undefined)).toEqual([])
    expect(layer.problems).toMatchObject([
      { line: 4, key: `hooks.PreToolUse[0].${key}`, message: expect.stringContaining(message) },
    ])
  })

  it.each([
    ['http://localhost:8080/hook', ''],
    ['http://127.0.0.1:8080/hook', ''],
    ['http://policy.example', ', insecure: true'],
  ])('%s is accepted%s', (url, more) => {
    expect(hook(`run: { url: "${url}"${more} }`).problems).toEqual([])
  })

  it.each([
    ['headers: { Host: elsewhere }', 'CONFIG_KEY'],
    ['headers: { content-length: "4" }', 'CONFIG_KEY'],
    ['headers: { "no spaces": x }', 'CONFIG_KEY'],
    ['headers: { X-A: "a\\r\\nX-B: b" }', 'CONFIG_VALUE'],
    ['headers: { X-A: 4 }', 'CONFIG_VALUE'],
    ['allowedEnvVars: ["A B"]', 'CONFIG_VALUE'],
    ['allowedEnvVars: TOKEN', 'CONFIG_VALUE'],
    ['command: ./x.sh', 'CONFIG_KEY'],
  ])('with %s is rejected', (more, code) => {
    const layer = hook(`run: { url: "https://policy.example", ${more} }`)
    expect(layer.hooks.filter(({ run }) => run.unread === undefined)).toEqual([])
    expect(layer.problems[0]).toMatchObject({ code, line: 4 })
  })

  it('is kept, with a warning, if it does not list a variable that it uses', () => {
    const layer = hook('run: { url: "https://policy.example", headers: { X-A: "${TOKEN}" } }')
    expect(layer.hooks).toHaveLength(1)
    expect(layer.problems).toMatchObject([
      { severity: 'warning', message: expect.stringContaining('`$TOKEN` is not in `allowedEnvVars`') },
    ])
  })
})

describe('onFailure', () => {
  it('takes the name of a preset', () => {
    expect(hook('{ run: x, onFailure: massgen }').hooks[0]?.onFailure).toEqual(FAILURE_PRESETS.massgen)
  })

  it('accepts a preset with overrides for single kinds', () => {
    const [entry] = hook('{ run: x, onFailure: { preset: massgen, timeout: deny } }').hooks
    expect(entry?.onFailure).toEqual({ ...FAILURE_PRESETS.massgen, timeout: 'deny' })
  })

  it('rejects an unknown preset', () => {
    expect(hook('{ run: x, onFailure: { preset: massgn } }').problems).toMatchObject([
      { message: expect.stringContaining('Did you mean `massgen`?') },
    ])
  })
})

describe('settings.projectCode', () => {
  it('is read from managed policy', () => {
    const layer = read('settings: { projectCode: forbidden }', 'managed')
    expect(layer).toMatchObject({ settings: { projectCode: 'forbidden' }, problems: [] })
  })

  it('also forbids if the value is misspelled, and reports that', () => {
    const layer = read('settings: { projectCode: forbiden }', 'managed')
    expect(layer.settings).toEqual({ projectCode: 'forbidden' })
    expect(layer.problems).toMatchObject([{ key: 'settings.projectCode' }])
  })

  it.each(['user', 'project', 'local'] as const)(
    'has no effect in a %s file, and that is reported',
    (rank) => {
      const layer = read('settings: { projectCode: forbidden }', rank)
      expect(layer.settings).toEqual({})
      expect(layer.problems).toMatchObject([{ severity: 'warning', key: 'settings.projectCode' }])
    },
  )
})
