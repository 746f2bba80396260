import { type ChildProcess, spawn } from 'node:child_process'
import { constants } from 'node:os'
import { bad, good, type Result } from '../../core/errors.ts'
import { createLineReader } from './lines.ts'
import type { LinkListener, ServerLink } from './link.ts'
import { MESSAGE_MAX_BYTES } from './message.ts'

export interface ServerCommand {
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/**
 * Starts a server and reads its lines. It has its own process group, so that the programs it starts end with
 * it; its standard error is the gate's own.
 */
export function startServer(start: ServerCommand, listener: LinkListener): Promise<Result<ServerLink>> {
  const { command, args, cwd, env } = start
  const child = spawn(command, args, { cwd, env, stdio: ['pipe', 'pipe', 'inherit'], detached: true })
  return new Promise((resolve) => {
    child.once('error', (error) => {
      resolve(bad('SERVER_UNSTARTED', `The server "${command}" cannot be started: ${error.message}.`))
    })
    child.once('spawn', () => resolve(good(linkTo(child, listener))))
  })
}

function linkTo(child: ChildProcess, listener: LinkListener): ServerLink {
  const { stdin, stdout } = child
  if (stdin === null || stdout === null) throw new Error('a started server has pipes')
  const timers = new Set<NodeJS.Timeout>()
  const after = (ms: number, act: () => void) => timers.add(setTimeout(act, ms))
  const end = () => {
    if (!stdin.writableEnded) stdin.end()
    after(EOF_MS, () => signal(child, 'SIGTERM'))
    after(EOF_MS + TERM_MS, () => signal(child, 'SIGKILL'))
  }
  const stop = () => {
    signal(child, 'SIGTERM')
    after(STOP_MS, () => signal(child, 'SIGKILL'))
  }
  let wrong: string | undefined
  const reader = createLineReader(MESSAGE_MAX_BYTES, {
    line: (bytes) => listener.message(bytes),
    tooLong: () => {
      wrong = `it sent a message of more than ${MESSAGE_MAX_BYTES} bytes`
      stop()
    },
  })
  stdout.on('data', (chunk: Buffer) => reader.push(chunk))
  // A server that no longer reads or writes is about to end, or is ended: it could not answer any request.
  const endAs = (what: string) =>
    after(EOF_MS, () => {
      wrong ??= what
      stop()
    })
  stdin.on('error', () => endAs('it stopped reading its input'))
  stdout.once('end', () => endAs('it closed its output'))
  stdin.on('drain', () => listener.ready())
  // Programs that the server started may keep its output open. Without the server there are no more answers,
  // so the rest is read and the output is closed.
  const letGo = (): void => {
    signal(child, 'SIGKILL')
    if (stdout.isPaused()) after(EXIT_MS, letGo)
    else stdout.destroy()
  }
  child.once('exit', () => after(EXIT_MS, letGo))
  child.once('close', (code, killedBy) => {
    for (const timer of timers) clearTimeout(timer)
    const half = reader.restBytes > 0 ? ' in the middle of a message' : ''
    const how = wrong ?? (killedBy === null ? `exit code ${code ?? 0}` : `by ${killedBy}`)
    // As shells report it.
    const exitCode = code ?? SIGNALLED + constants.signals[killedBy ?? 'SIGKILL']
    const why = `The server ended${half} (${how}).`
    listener.ended({ why, exitCode: wrong === undefined ? exitCode : PROTOCOL_BROKEN })
  })
  return {
    send(bytes) {
      if (stdin.writable) stdin.write(Buffer.concat([bytes, LINE_END]))
      return !stdin.writable || stdin.writableLength < QUEUED_MAX_BYTES
    },
    hold: () => stdout.pause(),
    resume: () => stdout.resume(),
    end,
    stop,
  }
}

const LINE_END = Buffer.from('\n')
/** A server that reads slowly has not seen yet that the client ended, so it is not killed at once. */
const QUEUED_MAX_BYTES = 4 * 1024 * 1024
/** Clients wait about two seconds for a server to end before they kill it. */
const EOF_MS = 1_000
const TERM_MS = 700
const STOP_MS = 700
const EXIT_MS = 500
const SIGNALLED = 128
const PROTOCOL_BROKEN = 76

function signal(child: ChildProcess, name: 'SIGTERM' | 'SIGKILL'): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, name)
  } catch {
    // Already ended.
  }
}
