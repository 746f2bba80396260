import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { isObject, type Json, type JsonObject } from '../../../core/json.ts'
import { PACKS } from '../../../policy/packs/index.ts'
import { jsonSchemaWith } from './pack-names.ts'

const packs = await Promise.all(Object.values(PACKS).map((load) => load()))
const schema = jsonSchemaWith(packs)

describe('the JSON Schema', () => {
  test('schema/holdpoint.schema.json is up to date', () => {
    const file = new URL('../../../../schema/holdpoint.schema.json', import.meta.url)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(schema)
  })

  test('has a title, and a description for every field', () => {
    expect(schema.title).toBe('Holdpoint configuration')
    const fields = fieldsOf(schema)
    expect(fields.length).toBeGreaterThan(60)
    expect(fields.filter(([, field]) => !isDescribed(field))).toEqual([])
  })
})

describe('an editor marks', () => {
  const options = { hosts: { type: 'array', items: { type: 'string' } } } as const
  const acme = { id: 'acme', title: 'Acme', options, guards: [{ id: 'acme/x', title: 'X' }] }
  const accepts = (text: object) => {
    const known = z.fromJSONSchema(jsonSchemaWith([...packs, acme]) as never)
    return known.safeParse({ version: 1, packs: text }).success
  }

  test.each([
    ['a pack that does not exist', { safty: true }, { safety: true }],
    ['a pack without `from`', { other: { level: 'strict' } }, { other: { from: './x.ts', level: 'strict' } }],
    ['a level', { safety: { level: 'strikt' } }, { safety: { level: 'strict' } }],
    [
      'a guard',
      { safety: { guards: { 'safety/git/forse': 'ask' } } },
      { safety: { guards: { 'safety/git/force-push': 'ask' } } },
    ],
    ['a mode', { safety: { guards: { 'safety/git/force-push': 'block' } } }, { safety: false }],
    ['an option of a built-in pack', { mux: { enforcee: true } }, { mux: { enforce: ['return'] } }],
    ['a value of one', { scratchpad: { limits: { ego: -1 } } }, { scratchpad: { limits: { ego: 1 } } }],
    ['an option', { acme: { hots: [] } }, { acme: { hosts: ['a'] } }],
    ['a value of an option', { acme: { hosts: 'a' } }, { acme: { hosts: [] } }],
  ])('%s', (_what, wrong, right) => {
    expect([accepts(wrong), accepts(right)]).toEqual([false, true])
  })
})

/** Itself, or by the definition that it refers to. */
function isDescribed(field: Json): boolean {
  if (!isObject(field)) return false
  const [first] = Array.isArray(field.allOf) ? field.allOf : [field]
  const name = isObject(first) && typeof first.$ref === 'string' ? first.$ref.split('/').at(-1) : undefined
  const definition = (schema.definitions as JsonObject)[name ?? '']
  return typeof (field.description ?? (definition as JsonObject | undefined)?.description) === 'string'
}

/** Every entry of every `properties`, at any depth. */
function fieldsOf(json: Json | undefined): readonly (readonly [string, Json])[] {
  if (Array.isArray(json)) return json.flatMap((item: Json) => fieldsOf(item))
  if (json === undefined || !isObject(json)) return []
  const own = isObject(json.properties ?? null) ? Object.entries(json.properties as object) : []
  return [...own, ...Object.values(json).flatMap((value) => fieldsOf(value))]
}
