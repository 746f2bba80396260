import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { isObject, type Json } from '../../../core/json.ts'
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
    expect(fields.filter(([, field]) => !isObject(field) || typeof field.description !== 'string')).toEqual(
      [],
    )
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
    ['an option', { acme: { hots: [] } }, { acme: { hosts: ['a'] } }],
    ['a value of an option', { acme: { hosts: 'a' } }, { acme: { hosts: [] } }],
  ])('%s', (_what, wrong, right) => {
    expect([accepts(wrong), accepts(right)]).toEqual([false, true])
  })
})

/** Every entry of every `properties`, at any depth. */
function fieldsOf(json: Json | undefined): readonly (readonly [string, Json])[] {
  if (Array.isArray(json)) return json.flatMap((item: Json) => fieldsOf(item))
  if (json === undefined || !isObject(json)) return []
  const own = isObject(json.properties ?? null) ? Object.entries(json.properties as object) : []
  return [...own, ...Object.values(json).flatMap((value) => fieldsOf(value))]
}
