import type { CommandRequirement } from '../../core/command.ts'
import type { HandlerSpec } from '../../core/hook.ts'

/**
 * What an agent must have produced before it may stop. Plain JSON, because it is part of a plan. Only types, so that
 * the code that reads it from a file and the code that judges it stay independent.
 */
export type Contract = {
  /** The name from the configuration. It is shown in every message about the contract. */
  readonly id: string
  /** Missing: the contract always applies. */
  readonly when?: ContractCondition
  readonly files: readonly FileRequirement[]
  readonly messages: readonly MessageRequirement[]
  readonly commands: readonly CommandRequirement[]
  /** How often it may hold one agent before the agent may stop anyway. */
  readonly blocks: number
}

/** `delegated`: the agent has started another one. `pads`: a file exists that only another agent writes. */
export type ContractCondition =
  | { readonly kind: 'delegated' }
  | {
      readonly kind: 'pads'
      /** The folder whose subfolders are searched, and the name of the file. Both may contain `{date}`. */
      readonly folder: string
      readonly file: string
      readonly except: readonly string[]
      /** Only files written since the start of the agent. */
      readonly fresh: boolean
    }

/** Paths are relative to the project and may contain `{agent_type}`, `{session}` and `{date}`. */
export type FileRequirement = {
  readonly path: string
  /** The file may be empty: only its existence matters. */
  readonly signal?: boolean
  /** Written since the start of the agent or its session. */
  readonly fresh?: boolean
  /** Headings or bold labels at the start of a line, in upper or lower case. */
  readonly headings?: readonly string[]
  /** Counts lines that are not blank. */
  readonly minLines?: number
  /** A longer file causes a warning, not a hold. */
  readonly maxLines?: number
  readonly minBytes?: number
  readonly maxBytes?: number
  readonly json?: JsonShape
}

/** Required keys and their types; nested if the value is a mapping. */
export type JsonShape = { readonly [key: string]: JsonType | JsonShape }
export type JsonType = 'string' | 'number' | 'boolean' | 'list' | 'object' | 'any'
export const JSON_TYPES: readonly JsonType[] = ['string', 'number', 'boolean', 'list', 'object', 'any']

/** On a separate line in the last message, outside code: this text, or a match of the regular expression. */
export type MessageRequirement = { readonly token: string } | { readonly pattern: string }

/** Enough attempts to get it right, and well below the limits of the hosts. */
export const BLOCKS_DEFAULT = 3

/** A contract as part of a plan. */
export type ContractRun = {
  readonly type: 'contract'
  /** At a start: remember it and inform the agent. After a call: remember that it delegated. At a stop: judge. */
  readonly part: 'begin' | 'tell' | 'delegated' | 'judge'
  /** The key of its memory. */
  readonly key: string
  readonly contract: Contract
  /** All its commands, one per line, which must be trusted. Missing: it runs nothing. */
  readonly command?: string
  /** Commands that do not run, each with the reason; the others do. */
  readonly untrusted?: Readonly<Record<string, string>>
  /** Where its commands run. Missing, in a user's own policy: in the project that the agent works in. */
  readonly root?: string
  /** One of the patterns is a regular expression. Only then the regex engine is loaded. */
  readonly regexes?: boolean
}

/** Undefined if the hook is not a part of a contract. */
export function contractRunOf(run: HandlerSpec): ContractRun | undefined {
  return run.type === 'contract' ? (run as unknown as ContractRun) : undefined
}
