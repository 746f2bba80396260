import { type ChildProcess, spawn } from 'node:child_process'
import { statSync } from 'node:fs'
import type { Failure } from '../../core/decision.ts'
import { killGroup } from '../../system/kill-group.ts'
import type { ProgramOutput } from '../output.ts'

export interface ProgramStart {
  readonly file: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdin: string
  readonly signal: AbortSignal
}

/** More than any answer needs. A program that prints more is killed. */
export const STDOUT_MAX_BYTES = 1024 * 1024
export const STDERR_MAX_BYTES = 64 * 1024
/** After the program has ended, how long its child may keep the pipe open. */
const DRAIN_MS = 100

/** Runs one program in its own process group, which is killed completely at the deadline or if it prints too much. */
export function runProgram(call: ProgramStart): Promise<ProgramOutput | Failure> {
  return new Promise((resolve) => {
    let child: ChildProcess
    try {
      child = spawn(call.file, call.args, {
        cwd: call.cwd,
        env: call.env as NodeJS.ProcessEnv,
        stdio: ['pipe', 'pipe', 'pipe'],
        detached: true,
        windowsHide: true,
      })
    } catch (error) {
      resolve({ failure: 'crash', message: `${call.file} could not be started: ${messageOf(error)}` })
      return
    }
    const out = collect(child.stdout, STDOUT_MAX_BYTES)
    const err = collect(child.stderr, STDERR_MAX_BYTES)
    let done = false
    const finish = (result: ProgramOutput | Failure) => {
      if (done) return
      done = true
      call.signal.removeEventListener('abort', stop)
      child.stdin?.destroy()
      child.stdout?.destroy()
      child.stderr?.destroy()
      child.unref()
      resolve(result)
    }
    const stop = () => {
      killGroup(child)
      finish({ stdout: out.text(), stderr: err.text(), exitCode: null, signal: null, stopped: true })
    }
    out.onFlood(() => {
      killGroup(child)
      finish({ failure: 'invalidOutput', message: `printed more than ${STDOUT_MAX_BYTES} bytes` })
    })
    child.once('error', (error) => {
      const kind = 'code' in error && error.code === 'ENOENT' ? 'import' : 'crash'
      const why = isWorkFolder(call.cwd) ? messageOf(error) : `there is no folder ${call.cwd}`
      finish({ failure: kind, message: `${call.file} could not be started: ${why}` })
    })
    child.once('exit', (exitCode, signal) => {
      const result = () => finish({ stdout: out.text(), stderr: err.text(), exitCode, signal })
      // After the pipes were read once more: on a busy machine the timer fires first, and the output would be lost.
      const drain = setTimeout(() => setImmediate(() => setImmediate(result)), DRAIN_MS)
      child.once('close', () => {
        clearTimeout(drain)
        result()
      })
    })
    if (call.signal.aborted) return stop()
    call.signal.addEventListener('abort', stop, { once: true })
    // A program that never reads its input breaks the pipe. Only its exit code counts.
    child.stdin?.on('error', () => {})
    child.stdin?.end(call.stdin)
  })
}

interface Collected {
  text(): string
  onFlood(tell: () => void): void
}

function collect(stream: NodeJS.ReadableStream | null, maxBytes: number): Collected {
  const chunks: Buffer[] = []
  let sizeBytes = 0
  let flood: (() => void) | undefined
  stream?.on('data', (chunk: Buffer) => {
    sizeBytes += chunk.length
    if (sizeBytes <= maxBytes) chunks.push(chunk)
    else flood?.()
  })
  stream?.on('error', () => {})
  return {
    text: () => Buffer.concat(chunks).toString('utf8'),
    onFlood: (tell) => {
      flood = tell
    },
  }
}

export function isWorkFolder(path: string): boolean {
  try {
    return path !== '' && (statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false)
  } catch {
    // A name that is too long, a NUL character, a folder without permission.
    return false
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
