import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { good, HoldpointError } from '../../../core/errors.ts'
import type { Injection } from '../../../core/formats/massgen-result.ts'
import { withLock } from '../../../system/file-lock.ts'
import { writeWhole } from '../../../system/files.ts'
import {
  BUILT_IN_TIMEOUT_SECONDS,
  FunctionHook,
  type LegacyContext,
  type Returned,
} from '../function-hook.ts'
import { invalidHook } from '../invalid-hook.ts'
import { type FileMessage, isExpired, isForTool, mergeMessages, readInboxMessage } from './inbox-message.ts'

export interface PutOptions {
  readonly strategy?: Injection['strategy']
  /** Names or globs of the tools it is for. */
  readonly toolMatcher?: string
  readonly expiresAt?: Date
  /** Rises by one if missing. */
  readonly sequence?: number
}

/**
 * One message in a folder, for an agent that runs in another process. There may be several readers: the first
 * to rename the file gets it, so a message is delivered once. Messages that are expired, malformed or already
 * delivered are deleted; those for another tool stay. A lock keeps numbers in order: a message that got its
 * number before another was delivered must not look like one that was delivered before.
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

  /** Writes a text, after one that was not read yet. Readers see the complete message or none. */
  put(
    content: string,
    { strategy = 'tool_result', toolMatcher = '*', expiresAt, sequence }: PutOptions = {},
  ): void {
    this.#alone(() => {
      const message = readInboxMessage(
        JSON.stringify({
          inject: { content, strategy },
          tool_matcher: toolMatcher,
          expires_at: expiresAt === undefined ? null : secondsOf(expiresAt),
          sequence: sequence ?? this.#nextSequence(),
        }),
      )
      if (message === undefined)
        throw invalidHook('inject', 'This is not a valid message: its text, matcher or time is wrong.')
      this.#deposit(message, (waiting) => mergeMessages(waiting, message))
    })
  }

  /** The message, if it is for this tool. */
  take(tool: string): Injection | null {
    const seen = this.#read(this.#file)
    const message = seen === undefined ? undefined : this.#usable(seen)
    if (seen === undefined || (message !== undefined && !isForTool(message, tool))) return null
    return this.#alone(() => {
      const claimed = this.#claim()
      const taken = claimed === undefined ? undefined : this.#usable(claimed)
      if (taken === undefined) return null
      if (!isForTool(taken, tool)) {
        // Another message, for another tool, was written meanwhile.
        this.#deposit(taken, (younger) => mergeMessages(taken, younger))
        return null
      }
      this.#remember(taken)
      return taken.inject
    })
  }

  /** At the end of a turn: a message that no call has taken, to be delivered at the start of the next. */
  drain(): string | null {
    if (this.#read(this.#file) === undefined) return null
    return this.#alone(() => {
      const claimed = this.#claim()
      const message = claimed === undefined ? undefined : this.#usable(claimed)
      if (message === undefined) return null
      this.#remember(message)
      return message.inject.content
    })
  }

  /** While no other Holdpoint reader or writer uses the folder. */
  #alone<T>(run: () => T): T {
    const done = withLock(this.#lock, () => good(run()), LOCK_WAIT_MS)
    if (!done.ok) throw new HoldpointError(done.problem)
    return done.value
  }

  /** Renames the file so that no other reader can take it, and returns its content. */
  #claim(): string | undefined {
    const own = `${this.#file}.${unique()}.taken`
    try {
      renameSync(this.#file, own)
    } catch {
      // Another reader was faster.
      return undefined
    }
    const text = this.#read(own)
    rmSync(own, { force: true })
    return text
  }

  /** Never overwrites another message: an existing one is taken and merged. */
  #deposit(message: FileMessage, withOther: (other: FileMessage) => FileMessage): void {
    const own = `${this.#file}.${unique()}.new`
    let next = message
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

  #usable(text: string): FileMessage | undefined {
    const message = readInboxMessage(text)
    if (message === undefined || isExpired(message, this.#now())) return undefined
    return message.sequence !== null && message.sequence <= this.#lastDelivered() ? undefined : message
  }

  /** Undefined if there is no plain file; an empty text if it is too large. */
  #read(file: string): string | undefined {
    try {
      const info = statSync(file)
      if (!info.isFile()) return undefined
      return info.size <= LETTER_MAX_BYTES ? readFileSync(file, 'utf8') : ''
    } catch {
      return undefined
    }
  }

  #remember({ sequence }: FileMessage): void {
    if (sequence !== null) writeWhole(this.#delivered, `${sequence}\n`, 0o600)
  }

  #lastDelivered(): number {
    const number = Number.parseFloat(this.#read(this.#delivered) ?? '')
    return Number.isNaN(number) ? Number.NEGATIVE_INFINITY : number
  }

  #nextSequence(): number {
    const waiting = readInboxMessage(this.#read(this.#file) ?? '')?.sequence ?? 0
    return Math.floor(Math.max(waiting, this.#lastDelivered(), 0)) + 1
  }
}

/** An invalid date must not mean "never". */
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
/** Less than the timeout of a hook. */
const LOCK_WAIT_MS = 4_000

/** Gives an agent, after its next call, the message in its inbox. */
export class FileInboxHook extends FunctionHook {
  readonly #inboxFor: (agentId: string | null) => FileInbox | undefined

  /** One inbox for all agents, or one for each. */
  constructor(inbox: FileInbox | ((agentId: string | null) => FileInbox | undefined)) {
    super({ name: 'FileInboxHook', timeout: BUILT_IN_TIMEOUT_SECONDS })
    if (typeof inbox !== 'function' && !(inbox instanceof FileInbox)) {
      throw invalidHook('inbox', 'This must be a FileInbox, or a function that returns one.')
    }
    this.#inboxFor = typeof inbox === 'function' ? inbox : () => inbox
  }

  execute(tool: string, _arguments: string, { agent_id: agentId }: LegacyContext): Returned {
    const inject = this.#inboxFor(agentId)?.take(tool) ?? null
    return inject === null ? null : { inject }
  }
}
