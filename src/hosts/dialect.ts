import type { Event, EventKind } from '../core/event.ts'
import type { Abilities, HostLimit } from '../core/host.ts'
import type { Json, JsonObject } from '../core/json.ts'
import type { ToolTable } from './dialect-tools.ts'

/**
 * The dialect of an agent that starts a hook command: one JSON object on standard input, one reply on standard output.
 * A host of this family is this data, and functions only for what no table can say.
 */
export interface Dialect {
  readonly id: string
  readonly title: string
  /** The agent's own name of each event, what it means, and what may be said there. */
  readonly events: Readonly<Record<string, DialectEvent>>
  /** The key that names the event in the payload. Undefined: the payload does not say, only the entry does. */
  readonly eventKey: string | undefined
  /** The keys of Claude Code that this agent spells in another way: theirs, ours. */
  readonly keys?: Readonly<Record<string, string>>
  readonly tools: ToolTable
  /** Where the person reads what hooks want told. */
  readonly notices: 'systemMessage' | 'stderr'
  /** The variable with the project's root. */
  readonly projectVariable?: string
  readonly deliversTwice?: boolean
  /** Its stops do not say whether they follow a blocked one: every block since the last free stop counts. */
  readonly stopsUnmarked?: true
  readonly limits: readonly HostLimit[]
  /** Written from documentation and sources: the program itself was never run with our hooks. */
  readonly notProved?: true
  /** What no renaming can say, on a payload with the keys of Claude Code. `name` is the agent's own. */
  adapt?(payload: JsonObject, name: string): JsonObject
  /** The kind of an event whose name says it only together with the payload; undefined: as in `events`. */
  kindOf?(payload: JsonObject, name: string): EventKind | undefined
  /** A call of a tool that the table does not name: the name and the server of an MCP tool, in our form. */
  mcpTool?(name: string, payload: JsonObject): McpTool | undefined
  /** The host that must answer this payload instead: another agent may read the same file of hooks. */
  answersAs?(payload: string): string | undefined
  /** What a payload takes away from what its event can do. */
  weakened?(event: Event, can: Abilities): Abilities
}

export interface McpTool {
  readonly server: string
  readonly tool: string
}

export interface DialectEvent {
  readonly kind: EventKind
  /** An effect without a shape cannot be said at this event, and counts as one that the agent cannot do. */
  readonly says?: Shapes
}

export interface Shapes {
  readonly deny?: AnswerShape<string> | 'exit'
  readonly ask?: AnswerShape<string> | 'silence'
  readonly allow?: AnswerShape<string>
  readonly rewrite?: AnswerShape<JsonObject>
  /** A new input counts only next to `allow`, which also skips the agent's own question. */
  readonly rewriteNeedsAllow?: true
  readonly context?: AnswerShape<string> | 'plain'
  readonly output?: AnswerShape<Json>
  /** Part of every reply, for an agent that reads a reply without it as a failure. Missing: no opinion is no output. */
  readonly always?: JsonObject
}

/** What stands in the reply for a value; `name` is the agent's own name of the event. */
export type AnswerShape<Value> = (value: Value, name: string) => JsonObject

/** What an event can do is what can be said there. */
export function abilitiesOf({ says = {} }: DialectEvent): Abilities {
  const { deny, ask, allow, rewrite, rewriteNeedsAllow, context, output } = says
  return {
    deny: deny !== undefined,
    ask: ask === 'silence' ? 'by-silence' : ask !== undefined,
    allow: allow !== undefined,
    rewrite: rewrite === undefined ? false : rewriteNeedsAllow === true ? 'with-allow' : true,
    context: context !== undefined,
    output: output !== undefined,
  }
}

/** The agent's own name for a kind of event; the first, where it has several. */
export function nameOfKind(dialect: Dialect, kind: string): string | undefined {
  return Object.entries(dialect.events).find(([, event]) => event.kind === kind)?.[0]
}

/** Names come from outside: only the table's own entries count. */
export function eventNamed(dialect: Dialect, name: string): DialectEvent | undefined {
  return Object.hasOwn(dialect.events, name) ? dialect.events[name] : undefined
}
