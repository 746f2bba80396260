import { type ChildProcess, spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import type { Failure } from '../../core/decision.ts'
import { isObject, type Json } from '../../core/json.ts'
import { killGroup } from '../kill-group.ts'
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
import { residentBytes } from './resident.ts'

export interface ChildOptions {
  /** The built module-host. */
  readonly program: string
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** It answered. */
  onAnswer(): void
  /** Its event loop is running again: it can get the next call. */
  onQuiet(): void
  /** It ended or was killed: it will never answer again. */
  onGone(): void
}

export interface ModuleChild {
  /** One call at a time. Never rejects. */
  ask(request: ModuleRequest, signal: AbortSignal): Promise<{ readonly answer: Json } | Failure>
  end(): void
}

interface Asked {
  readonly id: string
  isLoaded: boolean
  finish(outcome: { readonly answer: Json } | Failure): void
}

/** How long it may take until the event loop is running again after an answer. */
const REST_MS = 500
/** After the process has ended, how long its child may keep the pipes open. */
const DRAIN_MS = 100
const MEMORY_CHECK_MS = 50
const REPLY_MAX_BYTES = ANSWER_MAX_BYTES + 4096
const STDERR_KEPT_BYTES = 4096
/** The output limit of one call; reading more would slow down other calls. */
const STDERR_MAX_BYTES = 16 * 1024 * 1024

/**
 * A process for modules, in its own group, which is killed completely. Only a call keeps the caller's process
 * alive.
 */
export function startChild(options: ChildOptions): ModuleChild {
  const child = spawnHost(options)
  if ('failure' in child) {
    queueMicrotask(options.onGone)
    return { ask: () => Promise.resolve(child), end: () => {} }
  }
  const [requests, replies, life] = [REQUESTS_FD, REPLIES_FD, LIFE_FD].map((fd) => child.stdio[fd] as Socket)
  let asked: Asked | undefined
  let restingId: string | undefined
  let restTimer: ReturnType<typeof setTimeout> | undefined
  let isGone = false
  let last = ''
  let printedBytes = 0

  const gone = (failure: Failure) => {
    if (isGone) return
    isGone = true
    clearTimeout(restTimer)
    killGroup(child)
    for (const stream of [requests, replies, life, child.stderr]) stream?.destroy()
    child.unref()
    asked?.finish(failure)
    options.onGone()
  }
  const broken = (message: string) => gone({ failure: 'crash', message })
  const rest = (id: string) => {
    restingId = id
    const giveUp = () => restingId === id && broken('its event loop did not come back')
    // After the data in the pipe was read, because this process may be late itself.
    restTimer = setTimeout(() => setImmediate(giveUp), REST_MS)
    restTimer.unref()
    options.onAnswer()
  }
  const onReply = (reply: ModuleReply | undefined) => {
    if (reply?.kind === 'restless' && reply.id === restingId) {
      broken('it left something running')
      return
    }
    if (reply?.kind === 'quiet' && reply.id === restingId) {
      clearTimeout(restTimer)
      restingId = undefined
      keepAlive(child, [requests, replies, life], false)
      options.onQuiet()
      return
    }
    if (reply === undefined || asked === undefined || reply.id !== asked.id) {
      broken('it wrote to the pipe of Holdpoint')
      return
    }
    if (reply.kind === 'quiet' || reply.kind === 'restless') {
      broken('it wrote to the pipe of Holdpoint')
      return
    }
    if (reply.kind === 'loaded') {
      asked.isLoaded = true
      return
    }
    if (reply.kind === 'failure' && reply.failure === 'import') {
      gone({ failure: 'import', message: reply.message })
      return
    }
    rest(reply.id)
    asked.finish(reply.kind === 'answer' ? { answer: reply.answer } : reply)
  }

  readLines(replies, onReply, () => gone({ failure: 'invalidOutput', message: 'it answered too much' }))
  replies?.once('end', () => setTimeout(() => broken('it closed the pipe to Holdpoint'), DRAIN_MS).unref())
  child.stderr?.on('data', (chunk: Buffer) => {
    last = (last + chunk.toString('latin1')).slice(-STDERR_KEPT_BYTES)
    printedBytes += chunk.length
    if (printedBytes > STDERR_MAX_BYTES) broken(`it printed more than ${STDERR_MAX_BYTES} bytes`)
  })
  child.once('error', (error) => broken(`its process could not be started: ${error.message}`))
  child.once('exit', (code, signal) => {
    const tell = () => gone(endedFailure(code, signal, asked?.isLoaded === false, last))
    // After the data in the pipes was read, because this process may be late itself.
    const drain = setTimeout(() => setImmediate(tell), DRAIN_MS)
    child.once('close', () => {
      clearTimeout(drain)
      tell()
    })
  })
  for (const stream of [requests, replies, life, child.stderr]) stream?.on('error', () => {})
  life?.resume()
  keepAlive(child, [requests, replies, life], false)

  return {
    end: () => broken('it was ended'),
    ask: (request, signal) =>
      new Promise((resolve) => {
        if (isGone) {
          resolve({ failure: 'crash', message: 'its process is gone' })
          return
        }
        last = ''
        printedBytes = 0
        const line = JSON.stringify(request)
        const stop = () =>
          gone({
            failure: 'timeout',
            message: 'it did not answer in time; to give it longer, set `timeoutMs`',
          })
        const memory = setInterval(() => {
          if ((residentBytes(child.pid) ?? 0) > RESIDENT_MAX_BYTES) {
            broken(`it used more than ${RESIDENT_MAX_BYTES} bytes of memory`)
          }
        }, MEMORY_CHECK_MS)
        asked = {
          id: request.id,
          isLoaded: false,
          finish: (outcome) => {
            asked = undefined
            clearInterval(memory)
            signal.removeEventListener('abort', stop)
            resolve(outcome)
          },
        }
        keepAlive(child, [requests, replies, life], true)
        if (signal.aborted) return stop()
        signal.addEventListener('abort', stop, { once: true })
        requests?.write(`${line}\n`)
      }),
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
    if (!isObject(value) || typeof value.id !== 'string') return undefined
    switch (value.kind) {
      case 'loaded':
      case 'quiet':
      case 'restless':
        return { id: value.id, kind: value.kind }
      case 'answer':
        return value.answer === undefined ? undefined : { id: value.id, kind: 'answer', answer: value.answer }
      case 'failure': {
        const { failure, message } = value
        const isKnown = failure === 'import' || failure === 'crash' || failure === 'invalidOutput'
        if (!isKnown || typeof message !== 'string') return undefined
        return { id: value.id, kind: 'failure', failure, message }
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
  const words = Buffer.from(last, 'latin1').toString('utf8').trim()
  if (words.includes('heap out of memory')) {
    return { failure: 'crash', message: `it used more than ${HEAP_MAX_MEGABYTES} megabytes of memory` }
  }
  return { failure: wasLoading ? 'import' : 'crash', message: words === '' ? how : `${how}: ${words}` }
}

function keepAlive(child: ChildProcess, streams: readonly (Socket | undefined)[], isAsked: boolean): void {
  if (isAsked) child.ref()
  else child.unref()
  const stderr = child.stderr as Socket | null
  for (const stream of [...streams, stderr]) {
    if (isAsked) stream?.ref()
    else stream?.unref()
  }
}
