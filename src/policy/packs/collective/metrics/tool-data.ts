import type { Event } from '../../../../core/event.ts'
import type { Facts } from '../../../../core/facts.ts'
import { isObject, type Json, type JsonObject, textAt } from '../../../../core/json.ts'
import { shortName } from '../../../metrics/metric.ts'
import type { MetricOptions } from './options.ts'
import { testRun } from './test-run.ts'

export type ToolEvent = Extract<Event, { kind: 'PostToolUse' | 'PostToolUseFailure' }>

/** The metric of a finished call: the tool, the result and the duration. Never the content that it read or wrote. */
export function toolData(event: ToolEvent, facts: Facts, options: MetricOptions): JsonObject {
  const { name, input } = event.tool
  const load = LOADS[name]
  const agent = name === 'Agent' || name === 'spawn_agent' ? agentOf(event) : undefined
  const test = testRun(event, facts)
  return {
    tool: shortName(name),
    ok: event.kind === 'PostToolUse',
    ...(event.durationMs === undefined ? {} : { durationMs: event.durationMs }),
    inputCharacters: sizeOf(input),
    outputCharacters: event.kind === 'PostToolUse' ? sizeOf(event.output) : event.error.length,
    ...(load === undefined ? {} : { load }),
    ...(agent === undefined ? {} : { agent }),
    ...(test === undefined ? {} : { test }),
    ...(options.input ? { input: excerptOf(input) } : {}),
  }
}

/** Tools that load something into the context. */
const LOADS: Readonly<Record<string, 'reads' | 'searches' | 'web' | 'skills'>> = {
  Read: 'reads',
  NotebookRead: 'reads',
  Grep: 'searches',
  Glob: 'searches',
  LSP: 'searches',
  ToolSearch: 'searches',
  WebFetch: 'web',
  WebSearch: 'web',
  Skill: 'skills',
}

/** The agent that the call started: from the response if it names one, otherwise from the request. */
function agentOf(event: ToolEvent): JsonObject {
  const said = event.kind === 'PostToolUse' ? objectOf(event.output) : {}
  const type = textAt(said, 'agentType') ?? textAt(event.tool.input, 'subagent_type')
  const id = textAt(said, 'agentId') ?? textAt(said, 'agent_id')
  return {
    ...(type === undefined ? {} : { type: shortName(type) }),
    ...(id === undefined ? {} : { id: id.slice(0, 200) }),
  }
}

/** Some hosts respond with JSON in a string. */
function objectOf(output: Json): JsonObject {
  if (isObject(output)) return output
  if (typeof output !== 'string' || output.length > 10_000 || !output.startsWith('{')) return {}
  try {
    const value: Json = JSON.parse(output)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

function sizeOf(value: Json): number {
  if (typeof value === 'string') return value.length
  try {
    return JSON.stringify(value).length
  } catch {
    // Nested too deeply to convert.
    return 0
  }
}

const EXCERPT_KEYS_MAX = 20
const EXCERPT_CHARACTERS_MAX = 200
const SECRET_KEY = /password|token|key|secret|auth/i

/**
 * The input, one level deep and shortened. A value under a key that suggests a secret is removed; the writer masks
 * the rest.
 */
function excerptOf(input: JsonObject): JsonObject {
  const entries = Object.entries(input)
    .slice(0, EXCERPT_KEYS_MAX)
    .map(([key, value]): [string, Json] => {
      if (SECRET_KEY.test(key)) return [shortName(key), '[REDACTED]']
      if (typeof value === 'string') return [shortName(key), value.slice(0, EXCERPT_CHARACTERS_MAX)]
      return [shortName(key), typeof value === 'object' && value !== null ? '(nested)' : value]
    })
  return Object.fromEntries(entries)
}
