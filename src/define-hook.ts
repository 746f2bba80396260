import type { Actor } from './actor.ts'
import type { Answer } from './decision.ts'
import type { Event, EventKind, EventOf } from './event.ts'
import type { JsonObject } from './json.ts'

/** What a module knows beside the event. Its own process has no environment worth reading: everything is here. */
export interface HookContext {
  /** The environment of the agent, as data. Hostile: a repository can set it. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly project: string
  readonly cwd: string
  readonly home: string
  /** What earlier events of this actor made hooks remember. Undefined: the state could not be read. */
  readonly memory: JsonObject | undefined
  readonly actor: Actor
  /** How long it may take; after that its process is ended. */
  readonly timeoutMs: number
  /** Aborted when time is up. Only for functions of the embedding program: nobody can end those. */
  readonly signal?: AbortSignal
}

/** The short words. Nothing at all is no opinion. */
export interface ShortAnswer {
  /** Stops the act; the text tells the agent why, and what to do instead. */
  readonly deny?: string
  /** Asks the person, with this text. */
  readonly ask?: string
  /** Skips the agent's own question; counts only from a hook marked `grants: true`. */
  readonly allow?: string | true
  /** For the person; the act goes on. */
  readonly warn?: string
  /** For the agent. */
  readonly context?: string
  /** The whole new input of the tool. */
  readonly rewrite?: JsonObject
}

/** An answer in short or in full. Plain objects in the dialects of command hooks are understood too. */
export type HookAnswer = ShortAnswer | Answer | JsonObject

// biome-ignore lint/suspicious/noConfusingVoidType: a hook that has no opinion need not return anything.
type Returned = HookAnswer | null | undefined | void

export interface HookDefinition<Kind extends EventKind = EventKind, Tool extends string = string> {
  /** Events it has an opinion on. Missing: every event it is configured for. */
  readonly on?: Kind | readonly Kind[]
  /** Exact names joined by `|`, or `*`. Missing: all. */
  readonly match?: Tool
  run(event: EventFor<Kind, Tool>, context: HookContext): Returned | Promise<Returned>
}

/** A policy in code. Returns what it gets; it is here for its types: `on` and `match` say what `event` is. */
export function defineHook<const Kind extends EventKind = EventKind, const Tool extends string = string>(
  hook: HookDefinition<Kind, Tool>,
): HookDefinition<Kind, Tool> {
  return hook
}

/** What agents send for their best known tools. A call without it makes the hook crash, which its policy answers. */
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
    ? Tool extends keyof ToolInputs
      ? EventOf<Kind> & { readonly tool: { readonly input: ToolInputs[Tool] } }
      : EventOf<Kind>
    : EventOf<Kind>
