import { thrownText } from '../../../core/engine/hook-execution.ts'
import { isObject } from '../../../core/json.ts'
import {
  BUILT_IN_TIMEOUT_SECONDS,
  FunctionHook,
  type LegacyContext,
  type Returned,
} from '../function-hook.ts'
import { invalidHook, mustBeFunction, mustBeSeconds } from '../invalid-hook.ts'

export interface RoundTimeoutOptions {
  /** When the warning comes, in seconds since the round started. */
  readonly softSeconds: number
  /** How long the agent may continue after the warning. */
  readonly graceSeconds?: number
  /** The tools that end a round; all others are denied when the time is over. Also with a server's prefix. */
  readonly terminalTools?: readonly string[]
  /** The round ends after this many denials in a row. */
  readonly denialsMax?: number
  /** Called once if an agent does not end its round by itself. */
  onTerminate?(agentId: string | null): void
  /** Milliseconds. */
  now?(): number
}

/** What both hooks of the pair know about one agent. */
interface Round {
  readonly startedMs: number
  readonly softMs: number
  warnedMs: number | undefined
  denials: number
  isTerminated: boolean
}

/** The clock of the rounds of all agents: register `pre` at PreToolUse and `post` at PostToolUse. */
export class RoundTimeout {
  readonly pre: FunctionHook
  readonly post: FunctionHook
  readonly #options: Required<Omit<RoundTimeoutOptions, 'onTerminate'>>
  readonly #onTerminate: (agentId: string | null) => void
  readonly #rounds = new Map<string | null, Round>()

  constructor(options: RoundTimeoutOptions) {
    checkOptions(options)
    this.#options = {
      softSeconds: options.softSeconds,
      graceSeconds: options.graceSeconds ?? 120,
      terminalTools: options.terminalTools ?? ['vote', 'new_answer'],
      denialsMax: options.denialsMax ?? 10,
      now: options.now?.bind(options) ?? Date.now,
    }
    this.#onTerminate = options.onTerminate?.bind(options) ?? (() => {})
    // If the clock itself fails, the round must not become endless.
    this.pre = new RoundHook('RoundTimeoutPreHook', true, (tool, agent) => this.#before(tool, agent))
    this.post = new RoundHook('RoundTimeoutPostHook', false, (_tool, agent) => this.#after(agent))
  }

  /** Starts a new round of this agent; its first call would start one too. Later rounds may be shorter. */
  startRound(agentId: string | null, softSeconds = this.#options.softSeconds): void {
    mustBeSeconds('softSeconds', softSeconds)
    this.#rounds.set(agentId, this.#newRound(softSeconds))
  }

  isTerminated(agentId: string | null): boolean {
    return this.#rounds.get(agentId)?.isTerminated === true
  }

  #newRound(softSeconds = this.#options.softSeconds): Round {
    const softMs = softSeconds * 1_000
    return { startedMs: this.#options.now(), softMs, warnedMs: undefined, denials: 0, isTerminated: false }
  }

  #roundOf(agentId: string | null): Round {
    const known = this.#rounds.get(agentId) ?? this.#newRound()
    this.#rounds.set(agentId, known)
    return known
  }

  /** The warning, once. */
  #after(agentId: string | null): Returned {
    const round = this.#roundOf(agentId)
    const { now, graceSeconds, terminalTools } = this.#options
    if (round.warnedMs !== undefined || now() - round.startedMs < round.softMs) return null
    round.warnedMs = now()
    const content = `The time of this round is almost over. You have ${graceSeconds} seconds left to finish with ${terminalTools.join(' or ')}; after that every other tool is denied.`
    return { inject: { content, strategy: 'user_message' } }
  }

  #before(tool: string, agentId: string | null): Returned {
    const round = this.#roundOf(agentId)
    const { now, graceSeconds, terminalTools, denialsMax } = this.#options
    const since = round.warnedMs ?? round.startedMs + round.softMs
    const isTerminal = terminalTools.some((name) => tool === name || tool.endsWith(`__${name}`))
    if (isTerminal || now() - since < graceSeconds * 1_000) {
      round.denials = 0
      return null
    }
    round.denials += 1
    const errors = round.denials >= denialsMax && !round.isTerminated ? this.#terminate(agentId, round) : []
    const over = round.isTerminated ? ' This round is terminated.' : ''
    const reason = `The time of this round is over. Only ${terminalTools.join(' and ')} are allowed now.${over}`
    return { decision: 'deny', reason, hook_errors: errors }
  }

  /** An exception in the listener must not change the deny. */
  #terminate(agentId: string | null, round: Round): readonly string[] {
    round.isTerminated = true
    try {
      this.#onTerminate(agentId)
      return []
    } catch (error) {
      return [`onTerminate: ${thrownText(error)}`]
    }
  }
}

function checkOptions(options: RoundTimeoutOptions): void {
  if (!isObject(options)) throw invalidHook('options', 'This must be an object: { softSeconds }.')
  const { softSeconds, graceSeconds = 0, terminalTools = [], denialsMax = 1, onTerminate, now } = options
  mustBeSeconds('softSeconds', softSeconds)
  mustBeSeconds('graceSeconds', graceSeconds)
  if (!Array.isArray(terminalTools)) throw invalidHook('terminalTools', 'This must be a list of names.')
  if (!(Number.isInteger(denialsMax) && denialsMax > 0)) {
    throw invalidHook('denialsMax', 'This must be a whole number above 0.')
  }
  if (onTerminate !== undefined) mustBeFunction('onTerminate', onTerminate)
  if (now !== undefined) mustBeFunction('now', now)
}

class RoundHook extends FunctionHook {
  readonly #judge: (tool: string, agentId: string | null) => Returned

  constructor(name: string, failClosed: boolean, judge: (tool: string, agentId: string | null) => Returned) {
    super({ name, timeout: BUILT_IN_TIMEOUT_SECONDS, fail_closed: failClosed })
    this.#judge = judge
  }

  execute(tool: string, _arguments: string, context: LegacyContext): Returned {
    return this.#judge(tool, context.agent_id)
  }
}
