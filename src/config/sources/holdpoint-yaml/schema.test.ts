import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { isObject, type Json } from '../../../core/json.ts'
import { configJsonSchema } from './schema.ts'

const schema = configJsonSchema() as { readonly [key: string]: Json }

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

/** Every entry of every `properties`, at any depth. */
function fieldsOf(json: Json | undefined): readonly (readonly [string, Json])[] {
  if (Array.isArray(json)) return json.flatMap((item: Json) => fieldsOf(item))
  if (json === undefined || !isObject(json)) return []
  const own = isObject(json.properties ?? null) ? Object.entries(json.properties as object) : []
  return [...own, ...Object.values(json).flatMap((value) => fieldsOf(value))]
}
