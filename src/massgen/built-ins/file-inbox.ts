import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { good, HoldpointError } from '../../errors.ts'
import { withLock } from '../../world/file-lock.ts'
import { writeWhole } from '../../world/files.ts'
import {
  BUILT_IN_TIMEOUT_SECONDS,
  FunctionHook,
  type LegacyContext,
  type Returned,
} from '../function-hook.ts'
import { invalidHook } from '../invalid-hook.ts'
import type { Injection } from '../result-fields.ts'
import { isExpired, isForTool, joined, type Letter, readLetter } from './inbox-letter.ts'

export interface PutOptions {
  readonly strategy?: Injection['strategy']
  /** Names or globs of the tools it is for. */
  readonly toolMatcher?: string
  readonly expiresAt?: Date
  /** Rises by one when missing. */
  readonly sequence?: number
}

/**
 * One letter in a folder, for an agent that lives in another process. Any number of readers may look: whoever renames
 * the file first has it, so a letter is delivered once. What is expired, malformed or was delivered before is thrown
 * away; what is for another tool stays. A lock keeps numbers in order: a letter that got its number before another was
 * delivered must not look like one that was delivered before.
 */
export class FileInbox {
  readonly #file: string
  readonly #delivered: string
  readonly #lock: string
  readonly #now: () => number

  constructor(folder: string, { now = Date.now }: { now?(): number } = {}) {
    this.#file = join(folder, 'hook_post_tool_use.json')
    this.#delivered = join(folder, 'hook_post_tool_use.delivered')
    this.#lock = join(folder, 'hook_post_tool_use.lock')
    this.#now = now
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  }

  /** Puts a text in, behind what nobody has read yet. Readers see the whole letter or none. */
  put(
    content: string,
    { strategy = 'tool_result', toolMatcher = '*', expiresAt, sequence }: PutOptions = {},
  ): void {
    this.#alone(() => {
      const letter = readLetter(
        JSON.stringify({
          inject: { content, strategy },
          tool_matcher: toolMatcher,
          expires_at: expiresAt === undefined ? null : secondsOf(expiresAt),
          sequence: sequence ?? this.#nextSequence(),
        }),
      )
      if (letter === undefined)
        throw invalidHook('inject', 'This is no letter: its text, matcher or time is wrong.')
      this.#deposit(letter, (waiting) => joined(waiting, letter))
    })
  }

  /** The letter, if it is for this tool. */
  take(tool: string): Injection | null {
    const seen = this.#read(this.#file)
    const letter = seen === undefined ? undefined : this.#usable(seen)
    if (seen === undefined || (letter !== undefined && !isForTool(letter, tool))) return null
    return this.#alone(() => {
      const claimed = this.#claim()
      const taken = claimed === undefined ? undefined : this.#usable(claimed)
      if (taken === undefined) return null
      if (!isForTool(taken, tool)) {
        // Another letter came in between, for another tool.
        this.#deposit(taken, (younger) => joined(taken, younger))
        return null
      }
      this.#remember(taken)
      return taken.inject
    })
  }

  /** At the end of a turn: what no call has taken, to be said at the beginning of the next. */
  drain(): string | null {
    if (this.#read(this.#file) === undefined) return null
    return this.#alone(() => {
      const claimed = this.#claim()
      const letter = claimed === undefined ? undefined : this.#usable(claimed)
      if (letter === undefined) return null
      this.#remember(letter)
      return letter.inject.content
    })
  }

  /** While no other reader or writer of ours does anything here. */
  #alone<T>(run: () => T): T {
    const done = withLock(this.#lock, () => good(run()), LOCK_WAIT_MS)
    if (!done.ok) throw new HoldpointError(done.problem)
    return done.value
  }

  /** Takes the file away, so that nobody else can, and returns what it held. */
  #claim(): string | undefined {
    const own = `${this.#file}.${unique()}.taken`
    try {
      renameSync(this.#file, own)
    } catch {
      // Somebody else was faster.
      return undefined
    }
    const text = this.#read(own)
    rmSync(own, { force: true })
    return text
  }

  /** Never over another letter: one that lies there is taken and put into the same. */
  #deposit(letter: Letter, withOther: (other: Letter) => Letter): void {
    const own = `${this.#file}.${unique()}.new`
    let next = letter
    for (;;) {
      writeWhole(own, `${JSON.stringify(next)}\n`, 0o600)
      try {
        linkSync(own, this.#file)
        return
      } catch (error) {
        if (!isTaken(error)) throw error
      } finally {
        rmSync(own, { force: true })
      }
      const other = this.#usable(this.#claim() ?? '')
      if (other !== undefined) next = withOther(other)
    }
  }

  #usable(text: string): Letter | undefined {
    const letter = readLetter(text)
    if (letter === undefined || isExpired(letter, this.#now())) return undefined
    return letter.sequence !== null && letter.sequence <= this.#lastDelivered() ? undefined : letter
  }

  /** Nothing where there is no plain file; an empty text where it is larger than any letter. */
  #read(file: string): string | undefined {
    try {
      const info = statSync(file)
      if (!info.isFile()) return undefined
      return info.size <= LETTER_MAX_BYTES ? readFileSync(file, 'utf8') : ''
    } catch {
      return undefined
    }
  }

  #remember({ sequence }: Letter): void {
    if (sequence !== null) writeWhole(this.#delivered, `${sequence}\n`, 0o600)
  }

  #lastDelivered(): number {
    const number = Number.parseFloat(this.#read(this.#delivered) ?? '')
    return Number.isNaN(number) ? Number.NEGATIVE_INFINITY : number
  }

  #nextSequence(): number {
    const waiting = readLetter(this.#read(this.#file) ?? '')?.sequence ?? 0
    return Math.floor(Math.max(waiting, this.#lastDelivered(), 0)) + 1
  }
}

/** A date that is none must not become "never". */
function secondsOf(date: Date): number | string {
  const seconds = date.getTime() / 1_000
  return Number.isNaN(seconds) ? 'no date' : seconds
}

function unique(): string {
  return `${process.pid}.${Math.random().toString(36).slice(2, 10)}`
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST'
}

const LETTER_MAX_BYTES = 1024 * 1024
/** Less than a hook of ours may take. */
const LOCK_WAIT_MS = 4_000

/** Hands an agent, after its next call, what lies in its inbox. */
export class FileInboxHook extends FunctionHook {
  readonly #inboxFor: (agentId: string | null) => FileInbox | undefined

  /** One inbox for all agents, or one for each. */
  constructor(inbox: FileInbox | ((agentId: string | null) => FileInbox | undefined)) {
    super({ name: 'FileInboxHook', timeout: BUILT_IN_TIMEOUT_SECONDS })
    if (typeof inbox !== 'function' && !(inbox instanceof FileInbox)) {
      throw invalidHook('inbox', 'This must be a FileInbox, or a function that gives one.')
    }
    this.#inboxFor = typeof inbox === 'function' ? inbox : () => inbox
  }

  execute(tool: string, _arguments: string, { agent_id: agentId }: LegacyContext): Returned {
    const inject = this.#inboxFor(agentId)?.take(tool) ?? null
    return inject === null ? null : { inject }
  }
}
