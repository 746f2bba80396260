import { type ChildProcess, spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import type { Failure } from '../../../core/decision.ts'
import { isObject } from '../../../core/json.ts'
import type { ProgramOutput } from '../../output.ts'
import { STDERR_MAX_BYTES, STDOUT_MAX_BYTES } from '../run.ts'
import { type Frame, frameReader, workerRequest } from './frames.ts'
import { PYTHON_WORKER } from './worker-text.ts'

type Environment = Readonly<Record<string, string | undefined>>

export interface WorkerCall {
  /** The folder of the configuration, and the function in it. */
  readonly root: string
  readonly name: string
  readonly cwd: string
  /** The variables that are different at each call. */
  readonly env: Environment
  readonly stdin: string
}

/** Undefined if the call must be started cold, because it did not run, or because it is unknown how it ended. */
export type Warm = ProgramOutput | Failure | undefined

export interface PythonWorker {
  isReady(): boolean
  ask(call: WorkerCall, signal: AbortSignal): Promise<Warm>
  end(): void
}

interface Running {
  pid: number | undefined
  readonly out: Collected
  readonly err: Collected
  finish(outcome: Warm): void
}

interface Collected {
  readonly chunks: Buffer[]
  sizeBytes: number
}

/** A worker forks in less than a millisecond. One that does not begin a call in this time is frozen. */
const BEGIN_MS = 1_000

/** Starts Python once. `onGone` is called when it has ended, also if it could not be started. */
export function startWorker(
  { cwd, env }: { readonly cwd: string; readonly env: Environment },
  onGone: () => void,
): PythonWorker {
  const calls = new Map<number, Running>()
  let isReady = false
  let isGone = false
  let count = 0
  const child = spawnWorker(cwd, env)
  const replies = child?.stdio[3] as Socket | undefined

  const gone = () => {
    if (isGone) return
    isGone = true
    isReady = false
    for (const call of calls.values()) {
      if (call.pid !== undefined) killGroup(call.pid)
      call.finish(undefined)
    }
    if (child?.pid !== undefined) killGroup(child.pid)
    for (const stream of [child?.stdin, replies]) stream?.destroy()
    child?.unref()
    onGone()
  }
  const take = ({ number, kind, data }: Frame) => {
    if (kind === 'ready') {
      isReady = true
      return
    }
    // A call that was given up on may still report.
    const call = calls.get(number)
    if (call === undefined) return
    switch (kind) {
      case 'started':
        call.pid = Number(data.toString('latin1'))
        return
      case 'out':
        add(call.out, data, STDOUT_MAX_BYTES)
        if (call.out.sizeBytes <= STDOUT_MAX_BYTES) return
        if (call.pid !== undefined) killGroup(call.pid)
        call.finish({ failure: 'invalidOutput', message: `printed more than ${STDOUT_MAX_BYTES} bytes` })
        return
      case 'err':
        add(call.err, data, STDERR_MAX_BYTES)
        return
      case 'ended':
        call.finish(outputOf(call, data))
        return
      case 'cold':
        call.finish(undefined)
        return
    }
  }

  const read = frameReader()
  replies?.on('data', (bytes: Buffer) => {
    const frames = read(bytes)
    if (frames === undefined) gone()
    else for (const frame of frames) take(frame)
  })
  for (const stream of [child?.stdin, replies]) stream?.on('error', () => {})
  replies?.once('end', gone)
  child?.once('error', gone)
  child?.once('exit', gone)
  if (child === undefined) queueMicrotask(gone)
  else keepAlive(child, replies, false)

  return {
    isReady: () => isReady,
    end: gone,
    ask: (call, signal) =>
      new Promise((resolve) => {
        if (isGone || child === undefined) {
          resolve(undefined)
          return
        }
        count += 1
        const number = count
        const stop = () => {
          const said = { stdout: textOf(running.out), stderr: textOf(running.err) }
          if (running.pid !== undefined) killGroup(running.pid)
          running.finish({ ...said, exitCode: null, signal: null, stopped: true })
          // Not started: it is unknown whether it will run, and a worker that is so late does not help.
          if (running.pid === undefined) gone()
        }
        const isLate = () => !isGone && calls.has(number) && running.pid === undefined && gone()
        // After the data in the pipe was read, because this process may be late itself.
        const begins = setTimeout(() => setImmediate(() => setImmediate(isLate)), BEGIN_MS)
        const running: Running = {
          pid: undefined,
          out: { chunks: [], sizeBytes: 0 },
          err: { chunks: [], sizeBytes: 0 },
          finish: (outcome) => {
            if (!calls.delete(number)) return
            clearTimeout(begins)
            signal.removeEventListener('abort', stop)
            if (calls.size === 0) keepAlive(child, replies, false)
            resolve(outcome)
          },
        }
        calls.set(number, running)
        keepAlive(child, replies, true)
        if (signal.aborted) return stop()
        signal.addEventListener('abort', stop, { once: true })
        child.stdin?.write(workerRequest({ id: number, ...call }))
      }),
  }
}

function spawnWorker(cwd: string, env: Environment): ChildProcess | undefined {
  try {
    const child = spawn('python3', ['-c', PYTHON_WORKER], {
      cwd,
      env: env as NodeJS.ProcessEnv,
      stdio: ['pipe', 'ignore', 'ignore', 'pipe'],
      detached: true,
    })
    if (Array.isArray(child.stdio)) return child
    // No file descriptors left: only an error event will follow.
    child.once('error', () => {})
    return undefined
  } catch {
    return undefined
  }
}

function outputOf({ out, err }: Running, data: Buffer): Warm {
  try {
    const how: unknown = JSON.parse(data.toString('utf8'))
    if (!isObject(how)) return undefined
    const exitCode = typeof how.code === 'number' ? how.code : null
    const signal = typeof how.signal === 'string' ? how.signal : null
    return { stdout: textOf(out), stderr: textOf(err), exitCode, signal }
  } catch {
    return undefined
  }
}

function add(to: Collected, data: Buffer, maxBytes: number): void {
  to.sizeBytes += data.length
  // A copy: the frame is a part of a larger buffer.
  if (to.sizeBytes <= maxBytes) to.chunks.push(Buffer.from(data))
}

function textOf({ chunks }: Collected): string {
  return Buffer.concat(chunks).toString('utf8')
}

/** Ends the whole process group. A call that has not created its group yet has started nothing. */
function killGroup(pid: number): void {
  for (const target of [-pid, pid]) {
    try {
      process.kill(target, 'SIGKILL')
      return
    } catch {
      // No such group or process.
    }
  }
}

/** An idle worker does not keep the program running. */
function keepAlive(child: ChildProcess, replies: Socket | undefined, isAsked: boolean): void {
  const requests = child.stdin as Socket | null
  if (isAsked) child.ref()
  else child.unref()
  for (const stream of [requests, replies]) {
    if (isAsked) stream?.ref()
    else stream?.unref()
  }
}
