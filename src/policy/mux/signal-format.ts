import { isObject, type JsonObject, textAt } from '../../core/json.ts'

/** What an agent reports when it is done: the path of its report, the size and the result. */
export interface Signal {
  /** The report, relative to the root of the project. */
  readonly path: string
  readonly status: 'success' | 'fail'
  readonly sizeBytes?: number
  readonly createdAt?: string
  readonly error?: string
  readonly traceId?: string
  readonly version?: string
  readonly previous?: string
  readonly agentId?: string
}

/** A signal and its faults, or the reason why the text is not a signal. */
export type ReadSignal =
  | { readonly ok: true; readonly signal: Signal; readonly complaints: readonly string[] }
  | { readonly ok: false; readonly why: string }

/** One `name: value` per line. Other programs read it by these names, in any order. */
export function renderSignal(signal: Signal): string {
  const lines: readonly (readonly [string, string | number | undefined])[] = [
    ['path', signal.path],
    ['size', signal.sizeBytes ?? 0],
    ['status', signal.status],
    ['created_at', signal.createdAt],
    ['error', signal.error],
    ['trace_id', signal.traceId],
    ['version', signal.version],
    ['previous', signal.previous],
  ]
  return lines.flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}\n`])).join('')
}

/** Both forms: lines, or the JSON object that some agents write. An incomplete text is not a signal. */
export function readSignal(text: string): ReadSignal {
  const fields = text.trimStart().startsWith('{') ? jsonFields(text) : lineFields(text)
  if (fields === undefined) return { ok: false, why: 'it is incomplete' }
  const [path, word] = [fields.path, fields.status]
  if (path === undefined || word === undefined) {
    return { ok: false, why: `it is incomplete: it has no ${path === undefined ? 'path' : 'status'}` }
  }
  const status = STATUS[word.toLowerCase()]
  if (status === undefined)
    return { ok: false, why: `its status "${short(word)}" is neither success nor fail` }
  const size = sizeIn(fields.size)
  const signal = {
    path,
    status,
    ...given('sizeBytes', size.bytes),
    ...given('createdAt', fields.created_at ?? fields.timestamp),
    ...given('error', fields.error === undefined ? undefined : short(fields.error, ERROR_MAX)),
    ...given('traceId', fields.trace_id),
    ...given('version', fields.version),
    ...given('previous', fields.previous),
    ...given('agentId', fields.agent_id),
  }
  return { ok: true, signal, complaints: size.complaint === undefined ? [] : [size.complaint] }
}

const STATUS: Readonly<Record<string, Signal['status']>> = {
  success: 'success',
  done: 'success',
  complete: 'success',
  completed: 'success',
  fail: 'fail',
  failed: 'fail',
  failure: 'fail',
  error: 'fail',
}

type Fields = Readonly<Record<string, string | undefined>>

function lineFields(text: string): Fields {
  const pairs = text.split(/\r?\n/).flatMap((line) => {
    const at = line.indexOf(':')
    const value = line.slice(at + 1).trim()
    return at <= 0 || value === '' ? [] : [[line.slice(0, at).trim().toLowerCase(), value] as const]
  })
  return Object.fromEntries(pairs)
}

function jsonFields(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value)
      ? Object.fromEntries(Object.keys(value).map((key) => [key, fieldAt(value, key)]))
      : undefined
  } catch {
    return undefined
  }
}

function fieldAt(object: JsonObject, key: string): string | undefined {
  const value = object[key]
  return typeof value === 'number' ? String(value) : textAt(object, key)
}

/** A size that is not a number is reported and ignored. */
function sizeIn(text: string | undefined): { bytes?: number; complaint?: string } {
  if (text === undefined) return {}
  if (/^\d{1,15}$/.test(text)) return { bytes: Number(text) }
  return { complaint: `its size "${short(text)}" is not a number` }
}

/** The error text is for an orchestrator that may read only little. The report contains the rest. */
const ERROR_MAX = 300

function short(text: string, max = 40): string {
  return text.length > max ? `${text.slice(0, max)}…` : text
}

function given<K extends string, T>(key: K, value: T | undefined): { readonly [P in K]?: T } {
  return (value === undefined ? {} : { [key]: value }) as { readonly [P in K]?: T }
}
