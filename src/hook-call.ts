import { isUtf8 } from 'node:buffer'
import { bad, good, type Problem, type Result } from './errors.ts'
import { readHookOptions } from './hook-options.ts'
import { PAYLOAD_MAX_BYTES } from './hosts/host.ts'
import { createResponder, type HookRequest, type Responder } from './responder.ts'
import { packsOfSkills } from './skill-packs.ts'
import { createFileState } from './state/file-state.ts'
import type { StateStore } from './state/state.ts'
import { type Home, homeLayout } from './world/home.ts'

/** What one hook process knows when it starts: its own, or what a client sent to the daemon. */
export interface HookCall {
  readonly argv: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** When the caller's process began, on the responder's clock. */
  readonly startedMs: number
}

export interface OpenedCall {
  readonly responder: Responder
  readonly home: Home
  readonly request: Omit<HookRequest, 'payload'>
  /** The words after `hook` are wrong: the last resort answers. */
  readonly problem?: Problem
}

/** The same words mean the same in the one-shot process and in the daemon, because both read them here. */
export function openCall(call: HookCall, responders: Responders): OpenedCall {
  const { options, problem } = readHookOptions(call.argv, call.cwd)
  const home = homeLayout(options.home, call.env)
  return {
    responder: responders(home, options.packs, options.config, packsOfSkills(options.skills)),
    home,
    request: {
      host: options.host,
      cwd: call.cwd,
      env: call.env,
      skills: options.skills,
      startedMs: call.startedMs,
      ...(options.event === undefined ? {} : { event: options.event }),
      ...(options.onFailure === undefined ? {} : { onFailure: options.onFailure }),
      ...(options.deadlineMs === undefined ? {} : { deadlineMs: options.deadlineMs }),
    },
    ...(problem === undefined ? {} : { problem }),
  }
}

/** Standard input as text. */
export function decodeInput(chunks: readonly Buffer[]): Result<string> {
  const bytes = chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)
  if (bytes.length > PAYLOAD_MAX_BYTES) return tooLarge()
  return isUtf8(bytes)
    ? good(bytes.toString('utf8'))
    : bad('PAYLOAD_NOT_TEXT', 'The event is not valid UTF-8.')
}

export function tooLarge(): Result<string> {
  return bad('PAYLOAD_TOO_LARGE', `The event is larger than ${PAYLOAD_MAX_BYTES} bytes.`)
}

export type Responders = (
  home: Home,
  packs: readonly string[],
  config: string | undefined,
  skillPacks: readonly string[],
) => Responder

/** Responders are kept, the last used ones, because a responder keeps its plans; the sessions of one home are shared. */
export function createResponders(now: () => number): Responders {
  const states = new Map<string, StateStore>()
  const responders = new Map<string, Responder>()
  return (home, packs, config, skillPacks) => {
    // Imports are looked for in the user's own home, which is the caller's to name.
    const key = JSON.stringify([home.folder, home.user, config ?? '', skillPacks, ...packs])
    const state = states.get(home.state) ?? createFileState(home.state)
    const responder =
      responders.get(key) ??
      createResponder({ home, state, now, packs, skillPacks, ...(config === undefined ? {} : { config }) })
    keep(states, home.state, state)
    keep(responders, key, responder)
    return responder
  }
}

const KEPT_MAX = 32

/** As the youngest; the oldest goes when there are too many. */
function keep<T>(kept: Map<string, T>, key: string, value: T): void {
  kept.delete(key)
  kept.set(key, value)
  const [oldest] = kept.keys()
  if (kept.size > KEPT_MAX && oldest !== undefined) kept.delete(oldest)
}
