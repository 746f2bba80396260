import { type ChildProcess, spawn } from 'node:child_process'

export interface LineCall {
  readonly line: string
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

export interface Ended {
  /** The end of its output, both streams in order of arrival. */
  readonly output: string
  /** Null if a signal ended it, or it never started. */
  readonly exitCode: number | null
  readonly signal: string | null
  /** True: it did not end by itself in time. */
  readonly stopped: boolean
  /** Why it could not be started. */
  readonly problem?: string
}

/** Tests may print without end; only the end is shown. */
const OUTPUT_KEPT_BYTES = 64 * 1024
/** After the shell has ended, how long its child may keep the pipe open. */
const DRAIN_MS = 100

/**
 * One command line of a contract, in its own process group, which is killed with it. Its standard input is
 * empty.
 */
export function runLine(call: LineCall): Promise<Ended> {
  return new Promise((resolve) => {
    let child: ChildProcess
    try {
      child = spawn('/bin/sh', ['-c', call.line], {
        cwd: call.cwd,
        env: call.env as NodeJS.ProcessEnv,
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: true,
      })
    } catch (error) {
      resolve({ output: '', exitCode: null, signal: null, stopped: false, problem: messageOf(error) })
      return
    }
    const output = keepEnd(child)
    let done = false
    const finish = (ended: Omit<Ended, 'output'>) => {
      if (done) return
      done = true
      clearTimeout(timer)
      call.signal.removeEventListener('abort', stop)
      killGroup(child)
      child.stdout?.destroy()
      child.stderr?.destroy()
      child.unref()
      resolve({ ...ended, output: output() })
    }
    const stop = () => finish({ exitCode: null, signal: null, stopped: true })
    const timer = setTimeout(stop, call.timeoutMs)
    child.once('error', (error) =>
      finish({ exitCode: null, signal: null, stopped: false, problem: messageOf(error) }),
    )
    child.once('exit', (exitCode, signal) => {
      const drained = setTimeout(() => finish({ exitCode, signal, stopped: false }), DRAIN_MS)
      child.once('close', () => {
        clearTimeout(drained)
        finish({ exitCode, signal, stopped: false })
      })
    })
    if (call.signal.aborted) stop()
    else call.signal.addEventListener('abort', stop, { once: true })
  })
}

function keepEnd(child: ChildProcess): () => string {
  let chunks: Buffer[] = []
  let sizeBytes = 0
  const take = (chunk: Buffer) => {
    chunks.push(chunk)
    sizeBytes += chunk.length
    if (sizeBytes < 2 * OUTPUT_KEPT_BYTES) return
    const end = Buffer.concat(chunks).subarray(-OUTPUT_KEPT_BYTES)
    chunks = [end]
    sizeBytes = end.length
  }
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', take)
    stream?.on('error', () => {})
  }
  return () => Buffer.concat(chunks).subarray(-OUTPUT_KEPT_BYTES).toString('utf8')
}

/** Everything it started ends with it, also after success: a server that a test forgot must not keep running. */
function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // All gone already.
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
