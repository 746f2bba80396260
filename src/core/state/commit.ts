import { bad, good, type Result } from '../errors.ts'
import { isObject, type Json } from '../json.ts'
import type { Commit } from './state.ts'

/**
 * One commit as one line of text, both ways. Writing and reading use the same checks, so that no caller can damage
 * a session that must be read later.
 */

/** Larger than any useful decision, and small enough that one hook cannot fill a session. */
const COMMIT_BYTES_MAX = 1024 * 1024

export function encodeCommit(commit: Commit): Result<string> {
  const encoded = encodedCommit(commit)
  return encoded.ok ? good(encoded.value.line) : encoded
}

/** The commit as it is read from its line again: nothing of it is shared with the caller. */
export function copyCommit(commit: Commit): Result<Commit> {
  const encoded = encodedCommit(commit)
  return encoded.ok ? good(encoded.value.read) : encoded
}

function encodedCommit(commit: Commit): Result<{ readonly line: string; readonly read: Commit }> {
  let line: string
  try {
    line = JSON.stringify(commit)
  } catch (error) {
    return bad('STATE_UNWRITABLE', `a commit of ${commit.agent} is not plain JSON: ${String(error)}`)
  }
  if (Buffer.byteLength(line) > COMMIT_BYTES_MAX) {
    return bad(
      'STATE_UNWRITABLE',
      `a commit of ${commit.agent} has ${Buffer.byteLength(line)} bytes; at most ${COMMIT_BYTES_MAX} are kept`,
    )
  }
  const read = decodeCommit(line)
  if (typeof read === 'string') {
    return bad('STATE_UNWRITABLE', `a commit of ${commit.agent} lacks a field or has one of a wrong type`)
  }
  return good({ line, read })
}

/** `torn`: the beginning of a commit whose write did not finish. `garbage`: its content is unknown. */
export function decodeCommit(line: string): Commit | 'torn' | 'garbage' {
  let value: Json
  try {
    value = JSON.parse(line)
  } catch {
    return isTorn(line) ? 'torn' : 'garbage'
  }
  const commit = fromOldFormat(value)
  return isCommit(commit) ? (commit as unknown as Commit) : 'garbage'
}

/** Version 0.1.0 tagged a change with `do`. Sessions it has written can be resumed for a month. */
function fromOldFormat(value: Json): Json {
  if (!isObject(value) || !Array.isArray(value.changes)) return value
  if (!value.changes.some((change) => isObject(change) && 'do' in change)) return value
  const changes = value.changes.map((change) => {
    if (!isObject(change) || change.do === undefined) return change
    const { do: kind, ...rest } = change
    return { kind, ...rest }
  })
  return { ...value, changes }
}

/** Starts an object and never closes it. We never write a raw control character, so that means damage. */
function isTorn(line: string): boolean {
  if (!line.startsWith('{') || /[\u0000-\u001f]/.test(line)) return false
  let depth = 0
  let quoted = false
  for (let index = 0; index < line.length; index++) {
    const char = line[index]
    if (quoted) {
      if (char === '\\') index++
      else if (char === '"') quoted = false
    } else if (char === '"') quoted = true
    else if (char === '{' || char === '[') depth++
    else if (char === '}' || char === ']') {
      depth--
      if (depth === 0) return false
    }
  }
  return true
}

function isCommit(value: Json): boolean {
  return (
    isObject(value) &&
    isText(value.nonce) &&
    isText(value.agent) &&
    typeof value.atMs === 'number' &&
    isOptional(value.key, isText) &&
    isOptional(value.base, Number.isSafeInteger) &&
    isOptional(value.recorded, isObject) &&
    Array.isArray(value.changes) &&
    value.changes.every(isChange)
  )
}

function isChange(value: Json): boolean {
  if (!isObject(value) || !isText(value.kind)) return false
  switch (value.kind) {
    case 'patch':
      return isPatch(value.patch)
    case 'skill':
      return isText(value.name) && typeof value.active === 'boolean'
    case 'agent':
      return isOptional(value.type, isText) && isOptional(value.parent, isText)
    case 'parent':
      return isText(value.of) && isText(value.parent) && isOptional(value.type, isText)
    case 'send':
      return isText(value.to) && isLetter(value.letter)
    case 'deliver':
      return Array.isArray(value.ids) && value.ids.every(isText)
    case 'spawn':
    case 'spawned':
      return isText(value.type) && isOptional(value.skill, isText)
    default:
      return true
  }
}

function isPatch(value: Json | undefined): boolean {
  if (!isObject(value) || !isText(value.op)) return false
  switch (value.op) {
    case 'set':
      return isText(value.key) && value.value !== undefined
    case 'count':
      return isText(value.key) && typeof value.by === 'number'
    case 'push':
      return isText(value.key) && value.value !== undefined && typeof value.keep === 'number'
    default:
      return true
  }
}

function isLetter(value: Json | undefined): boolean {
  return (
    isObject(value) &&
    isText(value.id) &&
    isObject(value.context) &&
    isText(value.context.text) &&
    isText(value.context.to)
  )
}

function isText(value: Json | undefined): boolean {
  return typeof value === 'string'
}

function isOptional(value: Json | undefined, is: (value: Json) => boolean): boolean {
  return value === undefined || is(value)
}
