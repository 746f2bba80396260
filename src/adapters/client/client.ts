import { lastResortOf } from '../../core/deadlines.ts'
import type { Reply } from '../../core/decision.ts'
import type { EventKind } from '../../core/event.ts'
import { PAYLOAD_MAX_BYTES } from '../../core/host.ts'
import { askResident } from './ask-resident.ts'
import { homeProblem } from './home-check.ts'
import { type PluginAnswer, readPluginReply } from './plugin-answer.ts'
import { runInstalled } from './run-installed.ts'

/** Published as `holdpoint/client`: asks the installed Holdpoint from another program. No dependencies, one file. */
export type { PluginAnswer } from './plugin-answer.ts'

export interface ClientOptions {
  /** The Holdpoint home, absolute: the folder that `holdpoint init` wrote. It is never created here. */
  readonly home: string
  /** The host whose events these are, such as `opencode`. */
  readonly host: string
}

export interface Question {
  readonly event: EventKind
  /** The event as the host describes it. Text and bytes are sent as they are, anything else as JSON. */
  readonly payload: unknown
  /** Default: the folder of this process. */
  readonly cwd?: string
  /** Default: the variables of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** What a missing answer means. Default: `deny` before a call, `pass` elsewhere. */
  readonly onFailure?: 'deny' | 'pass'
  /** The time for everything, in milliseconds. Default: 28 seconds. */
  readonly deadlineMs?: number
}

export interface Client {
  /** The reply that the installed hook program would give: the same bytes and the same exit code. Never rejects. */
  ask(question: Question): Promise<Reply>
  /** The same for hosts that run plugins, as a value. Never rejects. */
  judge(question: Question): Promise<PluginAnswer>
}

/** What both ways to an answer need. */
export interface Call {
  readonly home: string
  /** The arguments of the hook program. */
  readonly argv: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly input: Buffer
  /** How long ago the question was asked, in milliseconds. */
  elapsedMs(): number
  leftMs(): number
}

/**
 * A client of the Holdpoint in `home`. It asks the daemon once, and if no daemon answers, the installed hook program,
 * which also starts the next daemon. If nothing answers in time, the reply is a block with exit code 2 before a call.
 *
 * @example
 * const client = createClient({ home: '/home/dev/.holdpoint', host: 'opencode' })
 * const verdict = await client.judge({
 *   event: 'PreToolUse',
 *   payload: { session_id: 's1', tool_name: 'bash', tool_input: { command: 'git push --force' } },
 * })
 * if (verdict.kind !== 'pass') throw new Error(verdict.reason)
 */
export function createClient(options: ClientOptions): Client {
  const ask = (question: Question) => answered(options, question)
  return {
    ask,
    judge: async (question) => readPluginReply(await ask(question), failureOf(question)),
  }
}

/** The same as that of an installed hook before a call. */
const DEADLINE_MS = 28_000
const DEADLINE_MIN_MS = 10
const DEADLINE_MAX_MS = 600_000

async function answered(options: ClientOptions, question: Question): Promise<Reply> {
  const onFailure = failureOf(question)
  try {
    // What the host does to its own objects while this waits changes nothing: the question is bytes from here on.
    const call = callOf(options, question, onFailure)
    const problem = homeProblem(call.home)
    if (problem !== undefined) return unanswered(problem, onFailure)
    const reply = (await askResident(call)) ?? (await runInstalled(call))
    return typeof reply === 'string' ? unanswered(reply, onFailure) : reply
  } catch (error) {
    return unanswered(`the client failed (${reasonOf(error)})`, onFailure)
  }
}

function callOf({ home, host }: ClientOptions, question: Question, onFailure: 'deny' | 'pass'): Call {
  const started = performance.now()
  const deadlineMs = deadlineOf(question.deadlineMs)
  const elapsedMs = () => Math.max(0, Math.floor(performance.now() - started))
  const options = ['--home', home, '--event', question.event, '--on-failure', onFailure]
  const env = Object.entries(question.env ?? process.env)
  return {
    home,
    argv: [host, ...options, '--deadline-ms', `${deadlineMs}`],
    cwd: question.cwd ?? process.cwd(),
    env: Object.fromEntries(env.filter((pair): pair is [string, string] => typeof pair[1] === 'string')),
    input: bytesOf(question.payload),
    elapsedMs,
    leftMs: () => deadlineMs - elapsedMs(),
  }
}

function deadlineOf(wanted: number | undefined): number {
  const isUsable = wanted !== undefined && wanted >= DEADLINE_MIN_MS && wanted <= DEADLINE_MAX_MS
  return isUsable ? Math.floor(wanted) : DEADLINE_MS
}

function bytesOf(payload: unknown): Buffer {
  const told =
    typeof payload === 'string' || payload instanceof Uint8Array ? payload : JSON.stringify(payload)
  if (told === undefined) throw new Error('the event is not JSON')
  // One byte more than the maximum is enough to be refused.
  return (typeof told === 'string' ? Buffer.from(told) : Buffer.from(told)).subarray(0, PAYLOAD_MAX_BYTES + 1)
}

function failureOf({ event, onFailure }: Question): 'deny' | 'pass' {
  return onFailure === 'pass' || onFailure === 'deny' ? onFailure : lastResortOf(event)
}

/** With the same text as the native client. */
function unanswered(why: string, onFailure: 'deny' | 'pass'): Reply {
  const [did, tell] = onFailure === 'pass' ? ['allowed', ''] : ['blocked', ' Tell the user.']
  const stderr = `holdpoint: ${did} without a check: ${why}.${tell} \`npx holdpoint doctor\` tests the hooks.\n`
  return { stdout: '', stderr, exitCode: onFailure === 'pass' ? 0 : 2 }
}

function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : typeof error === 'string' ? error : 'unknown error'
  return text.replaceAll(/\s+/g, ' ').slice(0, 300)
}
