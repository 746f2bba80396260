import { isUtf8 } from 'node:buffer'
import { packsOfSkills } from '../config/skill-packs.ts'
import { bad, good, type Problem, type Result } from '../core/errors.ts'
import { PAYLOAD_MAX_BYTES } from '../core/host.ts'
import type { StateStore } from '../core/state/state.ts'
import { createFileState } from '../storage/state/file-state.ts'
import { type Home, homeLayout } from '../system/home.ts'
import { readHookOptions } from './hook-options.ts'
import { type Approver, createResponder, type HookRequest, type Responder } from './responder.ts'

/**
 * What one hook process knows when it starts: this process, or a client that sent a request to the daemon.
 */
export interface HookCall {
  /** Like the environment, never changed: what follows from them is kept. */
  readonly argv: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** When the caller's process started, on the responder's clock. */
  readonly startedMs: number
}

export interface OpenedCall {
  readonly responder: Responder
  readonly home: Home
  readonly request: Omit<HookRequest, 'payload'>
  /** The exit code that stands for 0, for the program that started this process. */
  readonly answered: number
  /** The arguments after `hook` are wrong: the last resort answers. */
  readonly problem: Problem | undefined
}

/** The one-shot process and the daemon both read arguments here, so that they mean the same in both. */
export function openCall(call: HookCall, responders: Responders): OpenedCall {
  const { argv, cwd, env, startedMs } = call
  let last = LAST.get(argv)
  if (last === undefined || last.cwd !== cwd || last.env !== env || last.responders !== responders) {
    last = { cwd, env, responders, opened: opened(call, responders) }
    LAST.set(argv, last)
  }
  const { responder, home, request, answered, problem } = last.opened
  // One by one: this is done for every call, and adding a field to a copy takes longer than all of these.
  const { host, skills, event, onFailure, deadlineMs, via } = request
  const started = { host, cwd, env, skills, event, onFailure, deadlineMs, via, startedMs }
  return { responder, home, request: started, answered, problem }
}

/** Most calls with the same arguments come from the same agent: the same environment, the same folder. */
const LAST = new WeakMap<readonly string[], Opened>()

interface Opened extends Pick<HookCall, 'cwd' | 'env'> {
  readonly responders: Responders
  readonly opened: OpenedCall
}

function opened({ argv, cwd, env }: HookCall, responders: Responders): OpenedCall {
  const { options, problem } = readHookOptions(argv, cwd)
  const home = homeLayout(options.home, env)
  return {
    responder: responders(home, options.packs, options.config, packsOfSkills(options.skills)),
    home,
    answered: options.answered ?? 0,
    request: {
      host: options.host,
      cwd,
      env,
      skills: options.skills,
      event: options.event,
      onFailure: options.onFailure,
      deadlineMs: options.deadlineMs,
      via: options.via,
    },
    problem,
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

/**
 * Keeps the responders that were used last, because a responder keeps its plans. All responders of one home
 * share its sessions.
 */
export function createResponders(
  now: () => number,
  approver?: Approver,
  { keepsAnswers = false }: { readonly keepsAnswers?: boolean } = {},
): Responders {
  const states = new Map<string, StateStore>()
  const responders = new Map<string, Responder>()
  return (home, packs, config, skillPacks) => {
    // Imports are searched in the user's home, which the caller names.
    const key = JSON.stringify([home.folder, home.user, config ?? '', skillPacks, ...packs])
    const state = states.get(home.state) ?? createFileState(home.state)
    const responder =
      responders.get(key) ??
      createResponder({
        ...{ home, state, now, packs, skillPacks, keepsAnswers },
        ...(config === undefined ? {} : { config }),
        ...(approver === undefined ? {} : { approver }),
      })
    keep(states, home.state, state)
    keep(responders, key, responder)
    return responder
  }
}

const KEPT_MAX = 32

/** Moves it to the end, as the newest; the oldest is dropped if there are too many. */
function keep<T>(kept: Map<string, T>, key: string, value: T): void {
  kept.delete(key)
  kept.set(key, value)
  const [oldest] = kept.keys()
  if (kept.size > KEPT_MAX && oldest !== undefined) kept.delete(oldest)
}
