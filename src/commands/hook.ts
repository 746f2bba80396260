import { existsSync, writeSync } from 'node:fs'
import { createResponders, type HookCall, type OpenedCall, openCall } from '../app/hook-call.ts'
import type { HookRequest, HookResponse } from '../app/responder.ts'
import { deadlinesOf } from '../core/deadlines.ts'
import type { Reply } from '../core/decision.ts'
import type { Problem, Result } from '../core/errors.ts'
import { findHost } from '../hosts/find-host.ts'
import { appendToSpool } from '../storage/journal/spool.ts'
import { monotonicMs } from '../system/clock.ts'
import type { Home } from '../system/home.ts'
import type { Caller } from './caller.ts'
import { readInput } from './input.ts'

/**
 * Reads one event from standard input and writes the host's reply to standard output, completely or not at
 * all. Whatever fails in here, the process ends with a decision. What ends Node from outside of this may do so
 * with exit code 0, so the program that starts it asks for another code as the sign of an answer (`--answered`).
 */
export async function runHook(argv: readonly string[]): Promise<void> {
  const opened = open({
    argv,
    cwd: workingDirectory(),
    env: process.env,
    startedMs: monotonicMs() - process.uptime() * 1000,
  })
  let hasEnded = false
  const end = (response: HookResponse) => {
    if (hasEnded) return
    hasEnded = true
    finish(response, opened, tryWrite, (exitCode) => process.exit(exitCode))
  }
  const lastResort = async (wrong: Problem) => end(await refused(opened, wrong))
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      const message = error instanceof Error ? error.message : String(error)
      void lastResort({ code: 'INTERNAL', message: `Holdpoint itself failed: ${message}.` })
    })
  }
  const deadlineMs = deadlineOf(opened)
  // Never cleared: it also keeps the process alive until there is an answer.
  setTimeout(() => void lastResort(late(deadlineMs)), deadlineMs)
  end(await answer(opened, (maxMs) => readInput(maxMs, monotonicMs)))
}

/** The same for a caller inside this process, which goes on. Faults of Holdpoint reject. Returns the exit code. */
export async function hook(caller: Caller, argv: readonly string[]): Promise<number> {
  const { cwd, env, stdout, stderr } = caller
  const opened = open({ argv, cwd, env, startedMs: monotonicMs() })
  const deadlineMs = deadlineOf(opened)
  let timer: NodeJS.Timeout | undefined
  const lastResort = new Promise<HookResponse>((resolve) => {
    timer = setTimeout(() => resolve(refused(opened, late(deadlineMs))), deadlineMs)
  })
  const answered = answer(opened, caller.readInput)
  const response = await Promise.race([answered, lastResort]).finally(() => clearTimeout(timer))
  const put: Put = (descriptor, text) => {
    if (text !== '') (descriptor === 1 ? stdout : stderr).write(text)
    return true
  }
  finish(response, opened, put, (exitCode) => {
    caller.exitCode = exitCode
  })
  return caller.exitCode
}

function open(call: HookCall): OpenedCall {
  return openCall(
    call,
    // Loaded only if a question waits.
    createResponders(monotonicMs, async (...asked) => {
      const { askAtBoard } = await import('../daemon/approvals/ask-person.ts')
      return askAtBoard(...asked)
    }),
  )
}

function deadlineOf({ request }: OpenedCall): number {
  return request.deadlineMs ?? deadlinesOf('Stop').clientMs
}

function late(deadlineMs: number): Problem {
  return { code: 'INPUT_TIMEOUT', message: `No decision within ${deadlineMs} ms.` }
}

async function refused({ responder, request }: OpenedCall, wrong: Problem): Promise<HookResponse> {
  return responder.refuse(request, wrong)
}

async function answer(
  opened: OpenedCall,
  read: (maxMs: number) => Promise<Result<string>>,
): Promise<HookResponse> {
  const { responder, request, home, problem } = opened
  if (problem !== undefined) return refused(opened, problem)
  const input = await read(Math.min(INPUT_MAX_MS, deadlineOf(opened)))
  if (!input.ok) return refused(opened, input.problem)
  const closed = await doorProblem(request, home)
  await wakeDaemon(request, home)
  if (closed !== undefined && request.event === 'UserPromptSubmit') return refused(opened, closed)
  return responder.respond({ ...request, payload: input.value })
}

/**
 * If an agent uses HTTP hooks, the HTTP server must be running, and be Holdpoint's own, before a turn begins.
 * Imported only then: loading the network modules would cost every call milliseconds.
 */
async function doorProblem(
  { event, host, env }: Omit<HookRequest, 'payload'>,
  home: Home,
): Promise<Problem | undefined> {
  if ((event !== 'SessionStart' && event !== 'UserPromptSubmit') || !existsSync(home.http)) return undefined
  const found = await findHost(host)
  if (!found.ok || found.value.overHttp === undefined) return undefined
  const { ensureHttpServer } = await import('../daemon/http-ready.ts')
  const open = await ensureHttpServer(home, env, DOOR_WAIT_MS)
  return open.ok ? undefined : open.problem
}

const DOOR_WAIT_MS = 5_000

/**
 * Where hooks are Node processes nothing else starts the daemon, and a machine of a fleet needs it: for its policy and for
 * its records. Nobody waits until it answers.
 */
async function wakeDaemon({ event }: Omit<HookRequest, 'payload'>, home: Home): Promise<void> {
  if (event !== 'SessionStart' && event !== 'UserPromptSubmit') return
  // Not loaded for each call of a tool.
  const { isEnrolled } = await import('../config/bundle/enrollment.ts')
  if (!isEnrolled(home)) return
  try {
    const { ensureDaemon } = await import('../daemon/launch.ts')
    await ensureDaemon(home, 0)
  } catch {
    // No process can be started: this event is decided here, and `fleet status` says that nothing was fetched.
  }
}

/**
 * A host writes its payload at once. If it never closes the pipe, the tool call must not wait for minutes.
 */
const INPUT_MAX_MS = 10_000

function workingDirectory(): string {
  try {
    return process.cwd()
  } catch {
    // The folder was deleted; the payload usually names the right one.
    return '/'
  }
}

/** Writes to standard output or standard error. False if it could not write all of it. */
type Put = (descriptor: 1 | 2, text: string) => boolean

function finish(
  response: HookResponse,
  { home, answered }: Pick<OpenedCall, 'home' | 'answered'>,
  put: Put,
  exit: (exitCode: number) => void,
): void {
  let exitCode = 2
  try {
    exitCode = write(response.reply, put) ? response.reply.exitCode : 2
    journal(response, home, put, exitCode)
  } finally {
    // The reply is already written: a failure to store the record must not change how the process ends.
    exit(exitCode === 0 ? answered : exitCode)
  }
}

function journal(response: HookResponse, home: Home, put: Put, exitCode: number): void {
  const record = response.record()
  if (record === undefined) return
  const kept = appendToSpool(home.journal, record)
  // With exit code 2 the model reads standard error, so it must contain only the reason.
  if (!kept.ok && exitCode !== 2) {
    put(2, `holdpoint: the journal could not be written: ${kept.problem.message}\n`)
  }
}

/** Half a reply with exit code 0 would allow the tool call, so an incomplete reply ends with exit code 2. */
function write(reply: Reply, put: Put): boolean {
  const told = put(2, reply.stderr)
  return put(1, reply.stdout) && (told || reply.exitCode === 0)
}

function tryWrite(descriptor: 1 | 2, text: string): boolean {
  const bytes = Buffer.from(text, 'utf8')
  let written = 0
  let refusals = 0
  while (written < bytes.length) {
    try {
      written += writeSync(descriptor, bytes, written)
    } catch (error) {
      const busy = error instanceof Error && 'code' in error && error.code === 'EAGAIN'
      refusals += 1
      if (!busy || refusals > BUSY_MAX) return false
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1)
    }
  }
  return true
}

/** How long a full pipe may stay unread, in milliseconds. */
const BUSY_MAX = 5_000
