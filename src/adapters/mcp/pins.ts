import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bad, good, type Result } from '../../core/errors.ts'
import { isObject, type Json, type JsonObject, textAt } from '../../core/json.ts'
import { withLock } from '../../system/file-lock.ts'
import { writeWhole } from '../../system/files.ts'
import type { Home } from '../../system/home.ts'

/**
 * How a server described its tools when it was first used. A model follows descriptions, so a later change is
 * a change of instructions that the user has not read.
 */
export type Pins = ReadonlyMap<string, Pin>

export interface Pin {
  /** The accepted description. Undefined: the tool is new and was not accepted. */
  readonly accepted?: Definition
  /** The server's latest description, if it differs. */
  readonly seen?: Definition
}

export interface Definition {
  readonly hash: string
  /** For people; cut if it is long. */
  readonly text: string
}

/** The file of a server: by its name and its command or url, so that another program is another server. */
export function pinFile(
  { folder }: Pick<Home, 'folder'>,
  server: string,
  reached: readonly string[],
): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([server, ...reached]))
    .digest('hex')
  return join(folder, 'mcp', `${hash.slice(0, 32)}.json`)
}

/** Undefined: the server was never used. */
export function readPins(file: string): Result<Pins | undefined> {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return good(undefined)
    return unusable(file, error instanceof Error ? error.message : String(error))
  }
  try {
    const value: unknown = JSON.parse(text)
    const tools = isObject(value) ? value.tools : undefined
    if (!isObject(tools)) return unusable(file, 'it contains no tools')
    return good(new Map(Object.entries(tools).map(([name, pin]) => [name, pinOf(pin)])))
  } catch {
    return unusable(file, 'it is not JSON')
  }
}

/** Reads, changes and writes the pins under a lock. */
export function changePins(file: string, change: (before: Pins | undefined) => Pins): Result<Pins> {
  try {
    mkdirSync(join(file, '..'), { recursive: true, mode: 0o700 })
    return withLock(`${file}.lock`, () => {
      const before = readPins(file)
      if (!before.ok) return before
      const after = change(before.value)
      if (after !== before.value) {
        writeWhole(file, `${JSON.stringify({ tools: Object.fromEntries(after) }, null, 2)}\n`, 0o600)
      }
      return good(after)
    })
  } catch (error) {
    return unusable(file, error instanceof Error ? error.message : String(error))
  }
}

/** The parts of a tool that a model or a user relies on. Icons and metadata of the server may change. */
export function definitionOf(tool: JsonObject): Definition {
  const { title, description, inputSchema, outputSchema, annotations } = tool
  const parts = { title, description, inputSchema, outputSchema, annotations }
  const known = Object.fromEntries(
    Object.entries(parts).filter((entry): entry is [string, Json] => entry[1] !== undefined),
  )
  const text = JSON.stringify(sorted(known), null, 2)
  return { hash: createHash('sha256').update(text).digest('hex'), text: text.slice(0, TEXT_MAX) }
}

const TEXT_MAX = 20_000

/** The order of keys does not matter. */
function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isObject(value)) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, part]) => [key, sorted(part)]))
}

function pinOf(value: Json): Pin {
  const [accepted, seen] = isObject(value) ? [read(value.accepted), read(value.seen)] : []
  return { ...(accepted && { accepted }), ...(seen && { seen }) }
}

function read(value: Json | undefined): Definition | undefined {
  const hash = isObject(value) ? textAt(value, 'hash') : undefined
  return isObject(value) && hash !== undefined ? { hash, text: textAt(value, 'text') ?? '' } : undefined
}

function unusable(file: string, why: string): Result<never> {
  return bad('STATE_UNREADABLE', `The saved descriptions of the server's tools cannot be used: ${why}`, {
    file,
  })
}
