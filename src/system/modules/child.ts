import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import type { Socket } from 'node:net'
import type { Failure } from '../../core/decision.ts'
import { isObject, type Json } from '../../core/json.ts'
import { killGroup } from '../kill-group.ts'
import { residentBytes } from '../platform/load.ts'
import { createBatchWriter } from './batch.ts'
import {
  ANSWER_MAX_BYTES,
  HEAP_MAX_MEGABYTES,
  LIFE_FD,
  type ModuleReply,
  type ModuleRequest,
  REPLIES_FD,
  REQUESTS_FD,
  RESIDENT_MAX_BYTES,
} from './host/protocol.ts'

export interface ChildOptions {
  /** The built module-host. */
  readonly program: string
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** All calls of the batch have answered. */
  onAnswered(): void
  /** Its event loop is running again: it can get the next batch. */
  onQuiet(): void
  /** One call lets no other run. Without a call: one of those that have not answered does. */
  onHeld(call: ChildCall | undefined): void
  /** It ended or was killed: it will never answer again. These calls are without an answer. */
  onGone(end: ChildEnd): void
}

export interface ChildEnd {
  readonly open: readonly ChildCall[]
  readonly failure: Failure
  /** Who is to blame, if that is known. */
  readonly culprit?: ChildCall | undefined
  readonly why:
    | 'failed'
    /** No call is to blame. */
    | 'unstartable'
    /** A module changed built-in objects when it was loaded. Nothing has run since then. */
    | 'changed'
    /** Something was left running after the last answer. */
    | 'restless'
    /** The same, after the batch before. These calls have not run. */
    | 'stale'
}

/** A call as its process sees it. */
export interface ChildCall {
  readonly request: ModuleRequest
  /** The function: one that has answered here is loaded. */
  readonly unit: string
  answer(outcome: { readonly answer: Json } | Failure): void
}

export interface ModuleChild {
  /** One batch at a time. */
  ask(calls: readonly ChildCall[], isAlone: boolean): void
  /** This call is over, and with it the process, because nothing else stops a function. */
  stop(call: ChildCall): void
  /** Another process has these calls now. */
  forget(calls: readonly ChildCall[]): void
  end(): void
}

interface Asked {
  readonly id: number
  readonly calls: readonly ChildCall[]
  readonly open: Set<ChildCall>
  readonly memory: ReturnType<typeof setInterval>
  isLoaded: boolean
  /** Its code ran when the process ended. */
  ending?: ChildCall | undefined
}

/** How long it may take until the event loop is running again after the last answer. */
const REST_MS = 500
/** After the process has ended, how long its child may keep the pipes open. */
const DRAIN_MS = 100
const MEMORY_CHECK_MS = 50
const REPLY_MAX_BYTES = ANSWER_MAX_BYTES + 4096
const STDERR_KEPT_BYTES = 4096
/** The output limit of one batch; reading more would slow down other calls. */
const STDERR_MAX_BYTES = 16 * 1024 * 1024

/**
 * A process for modules, in its own group, which is killed completely. Only a call keeps the caller's process
 * alive.
 */
export function startChild(options: ChildOptions): ModuleChild {
  const child = spawnHost(options)
  if ('failure' in child) return unstartable(child, options)
  const [requests, replies, life] = [REQUESTS_FD, REPLIES_FD, LIFE_FD].map((fd) => child.stdio[fd] as Socket)
  const loadedUnits = new Set<string>()
  const writeBatch = createBatchWriter()
  let asked: Asked | undefined
  let restingId: number | undefined
  let lastId: number | undefined
  let restTimer: ReturnType<typeof setTimeout> | undefined
  let isGone = false
  let isSpoiled = false
  let last = ''
  let printedBytes = 0

  const gone = (failure: Failure, why: ChildEnd['why'] = 'failed', culprit?: ChildCall) => {
    if (isGone) return
    isGone = true
    clearTimeout(restTimer)
    clearInterval(asked?.memory)
    killGroup(child)
    for (const stream of [requests, replies, life, child.stderr]) stream?.destroy()
    child.unref()
    options.onGone({ open: [...(asked?.open ?? [])], failure, why, culprit })
  }
  const broken = (message: string) => gone({ failure: 'crash', message })
  const rest = (id: number) => {
    clearInterval(asked?.memory)
    asked = undefined
    restingId = id
    lastId = id
    const giveUp = () => restingId === id && gone(NOT_BACK, 'restless')
    // After the data in the pipe was read, because this process may be late itself.
    restTimer = setTimeout(() => setImmediate(giveUp), REST_MS)
    restTimer.unref()
    options.onAnswered()
    if (isSpoiled) gone(NOT_BACK, 'restless')
  }
  const onQuiet = () => {
    clearTimeout(restTimer)
    restingId = undefined
    replies?.unref()
    options.onQuiet()
  }
  /** About the batch before, which may still have done something after its answers. */
  const onLate = (kind: ModuleReply['kind']) => {
    if (kind === 'quiet' && restingId !== undefined) onQuiet()
    else if (kind === 'held' && asked !== undefined) gone(NOT_BACK, 'stale')
    else if (asked !== undefined) isSpoiled = true
    else gone(NOT_BACK, 'restless')
  }
  const onOutcome = (batch: Asked, call: ChildCall, outcome: { readonly answer: Json } | Failure) => {
    // Answers to calls that another process has now are not needed.
    if (batch.open.delete(call)) {
      loadedUnits.add(call.unit)
      call.answer(outcome)
    }
    if (batch.open.size === 0 && asked === batch) rest(batch.id)
  }
  const onAnswers = (batch: Asked, from: number, answers: readonly Json[]) => {
    for (const [i, answer] of answers.entries()) {
      const call = batch.calls[from + i]
      if (call === undefined) return broken('it wrote to the pipe of Holdpoint')
      onOutcome(batch, call, { answer })
    }
  }
  const onReply = (reply: ModuleReply | undefined) => {
    if (isGone) return
    if (reply !== undefined && reply.id === lastId) {
      onLate(reply.kind)
      return
    }
    if (reply === undefined || asked === undefined || reply.id !== asked.id) {
      broken('it wrote to the pipe of Holdpoint')
      return
    }
    const batch = asked
    if (reply.kind === 'loaded') {
      batch.isLoaded = true
      return
    }
    if (reply.kind === 'answers') {
      onAnswers(batch, reply.from, reply.answers)
      return
    }
    const call = 'call' in reply ? batch.calls[reply.call] : undefined
    if (reply.kind === 'held') options.onHeld(call)
    else if (reply.kind === 'ending') batch.ending = call
    else if (call === undefined || reply.kind === 'quiet' || reply.kind === 'restless') {
      broken('it wrote to the pipe of Holdpoint')
    } else if (reply.kind === 'changed') {
      gone(NOT_BACK, 'changed', call)
    } else onOutcome(batch, call, { failure: reply.failure, message: reply.message })
  }

  readLines(replies, onReply, () => gone({ failure: 'invalidOutput', message: 'it answered too much' }))
  // What the process printed last says why, also where its end is seen later than the end of its pipe.
  const onClosed = () => gone(withLastWords('it closed the pipe to Holdpoint', 'crash', last))
  replies?.once('end', () => setTimeout(() => setImmediate(onClosed), DRAIN_MS).unref())
  child.stderr?.on('data', (chunk: Buffer) => {
    last = (last + chunk.toString('latin1')).slice(-STDERR_KEPT_BYTES)
    printedBytes += chunk.length
    if (printedBytes > STDERR_MAX_BYTES) broken(`it printed more than ${STDERR_MAX_BYTES} bytes`)
  })
  child.once('error', (error) =>
    gone({ failure: 'crash', message: `its process could not be started: ${error.message}` }, 'unstartable'),
  )
  child.once('exit', (code, signal) => {
    const tell = () =>
      gone(endedFailure(code, signal, asked?.isLoaded === false, last), 'failed', asked?.ending)
    // After the data in the pipes was read, because this process may be late itself.
    const drain = setTimeout(() => setImmediate(tell), DRAIN_MS)
    child.once('close', () => {
      clearTimeout(drain)
      tell()
    })
  })
  for (const stream of [requests, replies, life, child.stderr]) stream?.on('error', () => {})
  life?.resume()
  // Its replies are what a caller waits for, and nothing else keeps the caller's process alive.
  child.unref()
  for (const stream of [requests, replies, life, child.stderr as Socket | null]) stream?.unref()

  return {
    end: () => broken('it was ended'),
    stop: (call) => gone(TOO_LATE, 'failed', call),
    forget: (calls) => {
      if (asked === undefined) return
      for (const call of calls) asked.open.delete(call)
      if (asked.open.size === 0) rest(asked.id)
    },
    ask: (calls, isAlone) => {
      last = ''
      printedBytes = 0
      const id = randomInt(1, 2 ** 32)
      const memory = setInterval(() => {
        if ((residentBytes(child.pid) ?? 0) > RESIDENT_MAX_BYTES) {
          broken(`it used more than ${RESIDENT_MAX_BYTES} bytes of memory`)
        }
      }, MEMORY_CHECK_MS)
      const isLoaded = calls.every(({ unit }) => loadedUnits.has(unit))
      asked = { id, calls, open: new Set(calls), memory, isLoaded }
      replies?.ref()
      requests?.write(writeBatch(id, isAlone, calls))
    },
  }
}

const NOT_BACK: Failure = { failure: 'crash', message: 'it left something running' }

export const TOO_LATE: Failure = {
  failure: 'timeout',
  message: 'it did not answer in time; to give it longer, set `timeoutMs`',
}

function unstartable(failure: Failure, { onGone }: ChildOptions): ModuleChild {
  let open: readonly ChildCall[] = []
  queueMicrotask(() => onGone({ open, failure, why: 'unstartable' }))
  const nothing = () => {}
  return {
    ask: (calls) => {
      open = calls
    },
    stop: (call) => call.answer(failure),
    forget: nothing,
    end: nothing,
  }
}

function spawnHost({ program, cwd, env }: ChildOptions): ChildProcess | Failure {
  const failed = (why: string): Failure => ({
    failure: 'crash',
    message: `its process could not be started: ${why}`,
  })
  try {
    const child = spawn(process.execPath, [`--max-old-space-size=${HEAP_MAX_MEGABYTES}`, program], {
      cwd,
      env,
      // What it prints on standard output is ignored.
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe', 'pipe'],
      detached: true,
      windowsHide: true,
    })
    if (Array.isArray(child.stdio)) return child
    // No file descriptors left: only an error event will follow.
    child.once('error', () => {})
    return failed('too many files are open')
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error))
  }
}

function readLines(
  stream: Socket | undefined,
  onReply: (reply: ModuleReply | undefined) => void,
  onFlood: () => void,
): void {
  let chunks: Buffer[] = []
  let sizeBytes = 0
  stream?.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    sizeBytes += chunk.length
    if (sizeBytes > REPLY_MAX_BYTES) {
      onFlood()
      return
    }
    if (!chunk.includes(0x0a)) return
    const lines = Buffer.concat(chunks).toString('utf8').split('\n')
    const rest = lines.pop() ?? ''
    chunks = rest === '' ? [] : [Buffer.from(rest, 'utf8')]
    sizeBytes = rest.length
    for (const line of lines) onReply(readReply(line))
  })
}

function readReply(line: string): ModuleReply | undefined {
  try {
    const value: unknown = JSON.parse(line)
    if (!isObject(value) || typeof value.id !== 'number') return undefined
    const { id, kind, call, from, answers } = value
    if (kind === 'loaded' || kind === 'quiet' || kind === 'restless') return { id, kind }
    if (kind === 'answers')
      return typeof from === 'number' && Array.isArray(answers) ? { id, kind, from, answers } : undefined
    if (typeof call !== 'number') return undefined
    switch (kind) {
      case 'held':
      case 'ending':
      case 'changed':
        return { id, kind, call }
      case 'failure': {
        const { failure, message } = value
        const isKnown = failure === 'import' || failure === 'crash' || failure === 'invalidOutput'
        if (!isKnown || typeof message !== 'string') return undefined
        return { id, kind, call, failure, message }
      }
      default:
        return undefined
    }
  } catch {
    return undefined
  }
}

function endedFailure(
  code: number | null,
  signal: NodeJS.Signals | null,
  wasLoading: boolean,
  last: string,
): Failure {
  const when = wasLoading ? 'while it was loaded' : 'before it answered'
  const how =
    code === null ? `it was ended by ${signal ?? 'a signal'} ${when}` : `it exited with code ${code} ${when}`
  return withLastWords(how, wasLoading ? 'import' : 'crash', last)
}

function withLastWords(how: string, failure: 'import' | 'crash', last: string): Failure {
  const words = Buffer.from(last, 'latin1').toString('utf8').trim()
  if (words.includes('heap out of memory')) {
    return { failure: 'crash', message: `it used more than ${HEAP_MAX_MEGABYTES} megabytes of memory` }
  }
  return { failure, message: words === '' ? how : `${how}: ${words}` }
}
