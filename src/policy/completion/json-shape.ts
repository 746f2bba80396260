import { isObject, type Json, type JsonObject } from '../../core/json.ts'
import type { JsonShape, JsonType } from './contract.ts'

/** What a JSON text lacks compared to a shape, each as part of a sentence: "`status` is missing". */
export function shapeFaults(text: string, shape: JsonShape): readonly string[] {
  let value: Json
  try {
    value = JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text)
  } catch {
    return ['is not JSON']
  }
  return isObject(value) ? keyFaults(value, shape, '') : ['is not a JSON object']
}

function keyFaults(value: JsonObject, shape: JsonShape, prefix: string): readonly string[] {
  return Object.entries(shape).flatMap(([key, wanted]): readonly string[] => {
    const name = `${prefix}${key}`
    const found = Object.hasOwn(value, key) ? value[key] : undefined
    if (found === undefined) return [`lacks \`${name}\``]
    if (typeof wanted !== 'string') {
      return isObject(found)
        ? keyFaults(found, wanted, `${name}.`)
        : [`has \`${name}\`, which is not an object`]
    }
    return isOf(found, wanted) ? [] : [`has \`${name}\`, which is not ${NAMED[wanted]}`]
  })
}

function isOf(value: Json, type: JsonType): boolean {
  if (type === 'any') return true
  if (type === 'list') return Array.isArray(value)
  return type === 'object' ? isObject(value) : typeof value === type
}

const NAMED: Readonly<Record<JsonType, string>> = {
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  list: 'a list',
  object: 'an object',
  any: 'anything',
}
