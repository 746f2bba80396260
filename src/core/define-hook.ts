import type { Actor } from './actor.ts'
import type { Answer } from './decision.ts'
import type { Event, EventKind, EventOf } from './event.ts'
import type { JsonObject } from './json.ts'

/** What a module gets in addition to the event. Its own process has an almost empty environment: use this instead. */
export interface HookContext {
  /** The environment of the agent, as data. Do not trust it: a repository can set it. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly project: string
  readonly cwd: string
  readonly home: string
  /** What hooks remembered at earlier events of this actor. Undefined: the state could not be read. */
  readonly memory: JsonObject | undefined
  readonly actor: Actor
  /** The time limit. After that, its process is ended. */
  readonly timeoutMs: number
  /** Aborted at the time limit. Only for functions of the embedding program, because those cannot be ended. */
  readonly signal?: AbortSignal
}

/** The short forms of an answer. Returning nothing means no opinion. */
export interface ShortAnswer {
  /** Blocks the call. The text tells the agent why, and what to do instead. */
  readonly deny?: string
  /** Asks the user, with this text. */
  readonly ask?: string
  /** Skips the agent's own permission prompt. Only counts for a hook with `grants: true`. */
  readonly allow?: string | true
  /** For the user. The call continues. */
  readonly warn?: string
  /** For the agent. */
  readonly context?: string
  /** The complete new input of the tool. */
  readonly rewrite?: JsonObject
}

/** An answer in the short or the full form. */
export type HookAnswer = ShortAnswer | Answer

// biome-ignore lint/suspicious/noConfusingVoidType: a hook without an opinion does not have to return anything.
export type HookReturn = HookAnswer | null | undefined | void

/** Compiles only if the answer has no field that Holdpoint does not know: `{ dney: 'No.' }` would be no opinion. */
export type Exactly<Answered> =
  Answered extends Promise<infer Later> ? Promise<WithKnownFields<Later>> : WithKnownFields<Answered>

type WithKnownFields<Answered> = Answered extends object
  ? { readonly [Key in keyof Answered]: Key extends keyof ShortAnswer | keyof Answer ? Answered[Key] : never }
  : Answered

interface HookScope<Kind extends EventKind, Tool extends string> {
  /** The events it handles. Missing: every event it is configured for. */
  readonly on?: Kind | readonly Kind[]
  /** Exact names joined by `|`, or `*`. Missing: all. */
  readonly match?: Tool
}

export interface HookDefinition<Kind extends EventKind = EventKind, Tool extends string = string>
  extends HookScope<Kind, Tool> {
  run(event: EventFor<Kind, Tool>, context: HookContext): HookReturn | Promise<HookReturn>
}

/** A hook as it is written: its answer is checked for misspelt fields. */
export interface ExactHook<Kind extends EventKind, Tool extends string, Answered>
  extends HookScope<Kind, Tool> {
  run(event: EventFor<Kind, Tool>, context: HookContext): Answered & Exactly<Answered>
}

/**
 * A policy in code. Returns its argument; it exists for its types: `on` and `match` give the type of `event`, and a
 * misspelt field of the answer does not compile.
 *
 * @example
 * const noSecrets = defineHook({
 *   on: 'PreToolUse',
 *   match: 'Write|Edit',
 *   run: ({ tool }) => (tool.input.file_path.endsWith('.env') ? { deny: 'Not in .env files.' } : undefined),
 * })
 */
export function defineHook<
  const Kind extends EventKind = EventKind,
  const Tool extends string = string,
  const Answered extends HookReturn | Promise<HookReturn> = HookReturn,
>(hook: ExactHook<Kind, Tool, Answered>): HookDefinition<Kind, Tool> {
  return hook
}

/** The input that agents send for well-known tools. If a field is missing the hook crashes, and `onFailure` applies. */
interface ToolInputs {
  Bash: { readonly command: string }
  Read: { readonly file_path: string }
  Write: { readonly file_path: string; readonly content: string }
  Edit: { readonly file_path: string; readonly old_string: string; readonly new_string: string }
  WebFetch: { readonly url: string }
}

type EventFor<Kind extends EventKind, Tool extends string> = EventKind extends Kind
  ? Event
  : EventOf<Kind> extends { readonly tool: unknown }
    ? EventOf<Kind> & { readonly tool: MatchedTool<Names<Tool>> }
    : EventOf<Kind>

/** The names in `Write|Edit`. */
type Names<Match extends string> = Match extends `${infer First}|${infer Rest}` ? First | Names<Rest> : Match

/** A call of one of these tools; its name tells which, and so what its input has. */
type MatchedTool<Name extends string> = [Name] extends [never]
  ? unknown
  : Name extends keyof ToolInputs
    ? { readonly name: Name; readonly input: ToolInputs[Name] }
    : unknown
