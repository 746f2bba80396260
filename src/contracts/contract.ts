/**
 * What an agent must have left behind before it may stop. Plain JSON, because it travels in a plan; types alone,
 * because whoever reads it from a file and whoever judges by it must not know each other.
 */
export type Contract = {
  /** As people name it in the configuration; shown in every message about it. */
  readonly id: string
  /** Missing: it always holds. */
  readonly when?: Condition
  readonly files: readonly FileDuty[]
  readonly messages: readonly MessageDuty[]
  readonly commands: readonly CommandDuty[]
  /** How often it may hold one agent before it lets go. */
  readonly blocks: number
}

/** `delegated`: the agent has started another one. `pads`: some file is there that only another agent leaves. */
export type Condition =
  | { readonly is: 'delegated' }
  | {
      readonly is: 'pads'
      /** The folder whose folders are looked into, and the name of the file; both may hold `{date}`. */
      readonly folder: string
      readonly file: string
      readonly except: readonly string[]
      /** Only files written since the agent began. */
      readonly fresh: boolean
    }

/** Paths are relative to the project and may hold `{agent_type}`, `{session}` and `{date}`. */
export type FileDuty = {
  readonly path: string
  /** It may be empty: that it is there is all it says. */
  readonly signal?: boolean
  /** Written since the agent, or its session, began. */
  readonly fresh?: boolean
  /** Headings or bold labels at the start of a line, in any case. */
  readonly headings?: readonly string[]
  /** Of lines that are not blank. */
  readonly minLines?: number
  /** More is worth a warning, not a hold. */
  readonly maxLines?: number
  readonly minBytes?: number
  readonly maxBytes?: number
  readonly json?: JsonShape
}

/** Required keys and what they must be; nested where the value is a mapping. */
export type JsonShape = { readonly [key: string]: JsonType | JsonShape }
export type JsonType = 'string' | 'number' | 'boolean' | 'list' | 'object' | 'any'
export const JSON_TYPES: readonly JsonType[] = ['string', 'number', 'boolean', 'list', 'object', 'any']

/** On a line of its own in the last message, outside of code: this text, or something the regex matches. */
export type MessageDuty = { readonly token: string } | { readonly pattern: string }

export type CommandDuty = {
  /** A shell command line, run in the project. */
  readonly run: string
  readonly timeoutMs: number
}

/** Plenty to get it right, and well below what hosts stop listening after. */
export const BLOCKS_DEFAULT = 3

/** How a contract stands in a plan. */
export type ContractRun = {
  readonly type: 'contract'
  /** At a start: remember it, tell the agent. After a call: remember that it delegated. At a stop: judge. */
  readonly part: 'begin' | 'tell' | 'delegated' | 'judge'
  /** What its memory is kept under. */
  readonly key: string
  readonly contract: Contract
  /** All its commands, a line each: what has to be vouched for. Missing: it runs nothing. */
  readonly command?: string
  /** Where its commands run. Missing, in a person's own policy: in whatever project the agent works. */
  readonly root?: string
  /** One of the patterns is a regex: only then the engine for them is loaded. */
  readonly regexes?: boolean
}
