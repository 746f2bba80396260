import { randomBytes } from 'node:crypto'
import { mkdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ONLY_A_WARNING } from '../core/engine/fit-to-host.ts'
import type { InstalledEntry } from '../hosts/installer.ts'
import type { Home } from './home.ts'
import { PROBE_PREFIX, PROBE_TOOL } from './probe-mark.ts'
import { type Started, startProgram } from './start-program.ts'

/** The result of calling an installed hook exactly as the agent would call it. */
export interface Probed {
  readonly event: string
  readonly live: boolean
  /** What was seen, in plain words, if it is not live. */
  readonly why: string
  readonly tookMs: number
}

/** How a hook is called: as a program, or over HTTP. */
export interface ProbeRoute {
  /** True if the hook must deny an event that cannot be decided. */
  readonly failsClosed: boolean
  send(payload: string): Promise<Seen>
}

/** The answer to one payload. */
export interface Seen {
  readonly answered: boolean
  readonly denied: boolean
  readonly text: string
}

/** An event as the agent sends it, with this session. */
type ProbePayload = (event: string, session: string) => object

const PROBE_MAX_MS = 30_000

/**
 * Calls a hook as its agent would, with events that it must let pass and must deny, and one that it cannot read. A
 * settings file with the right text proves nothing; this does. The events are marked, so that they run no hook and
 * leave no trace in state, files, metrics and journal.
 */
export async function probeBy(
  route: ProbeRoute,
  event: string,
  home: Home,
  payloadFor: ProbePayload = claudePayload,
): Promise<Probed> {
  const startedMs = performance.now()
  const tookMs = () => performance.now() - startedMs
  const notLive = (why: string): Probed => ({ event, live: false, why, tookMs: tookMs() })
  let mark: ProbeMark
  try {
    mark = markProbe(home.probes)
  } catch (error) {
    return notLive(`${home.probes} cannot be written: ${error instanceof Error ? error.message : error}`)
  }
  const payload = (expect: 'pass' | 'deny') =>
    JSON.stringify({ ...payloadFor(event, mark.session), holdpoint_probe: expect })
  try {
    const allowed = await route.send(payload('pass'))
    const answeredMs = tookMs()
    if (!allowed.answered || allowed.denied) return notLive(`it did not answer: ${allowed.text}`)
    const unreadable = await route.send(`not an event ${mark.session}`)
    if (unreadable.denied !== route.failsClosed)
      return notLive(route.failsClosed ? `it accepted an invalid event: ${unreadable.text}` : unreadable.text)
    if (!route.failsClosed) return { event, live: true, why: '', tookMs: answeredMs }
    const denied = await route.send(payload('deny'))
    // Some agents cannot be stopped at some events: the denial becomes a warning there, and more cannot be expected.
    if (!denied.denied && !denied.text.includes(ONLY_A_WARNING))
      return notLive(`it did not deny: ${denied.text}`)
    return { event, live: true, why: '', tookMs: answeredMs }
  } finally {
    mark.remove()
  }
}

export function probe(
  entry: InstalledEntry,
  cwd: string,
  home: Home,
  env: NodeJS.ProcessEnv,
  payloadFor?: ProbePayload,
): Promise<Probed> {
  const failsClosed = words(entry).includes('deny')
  const send = async (payload: string) => seen(await run(entry, payload, cwd, env))
  return probeBy({ failsClosed, send }, entry.event, home, payloadFor)
}

interface ProbeMark {
  /** The session of the probe's events. */
  readonly session: string
  remove(): void
}

function markProbe(folder: string): ProbeMark {
  const session = `${PROBE_PREFIX}${randomBytes(16).toString('hex')}`
  const file = join(folder, session)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeFileSync(file, '', { flag: 'wx', mode: 0o600 })
  return {
    session,
    remove: () => {
      rmSync(file, { force: true })
      try {
        rmdirSync(folder)
      } catch {
        // Another probe is running.
      }
    },
  }
}

function words(entry: InstalledEntry): readonly string[] {
  return entry.args ?? entry.command.split(/[\s']+/)
}

/** Harmless even for a hook that does not know probes: a separate session, and a tool that does not exist. */
function claudePayload(event: string, session: string): object {
  return {
    session_id: session,
    transcript_path: '',
    cwd: '/',
    hook_event_name: event,
    tool_name: PROBE_TOOL,
    tool_input: {},
    tool_use_id: 'probe',
    prompt: 'holdpoint probe',
    source: 'probe',
    agent_id: 'holdpoint-probe',
    agent_type: 'holdpoint-probe',
    stop_hook_active: false,
  }
}

export function isReply(stdout: string): boolean {
  try {
    return stdout.trim() === '' || typeof JSON.parse(stdout) === 'object'
  } catch {
    return false
  }
}

/** A denial in the format of any supported agent. */
export function isDeny(body: string): boolean {
  return /"(?:permissionDecision|permission|behavior|decision)":"deny"|"decision":"block"|"continue":false/.test(
    body,
  )
}

function seen({ exitCode, stdout, stderr }: Started): Seen {
  const text = stderr.trim() || stdout.trim()
  return {
    answered: exitCode === 0 && isReply(stdout),
    denied: exitCode === 2 || (exitCode === 0 && isDeny(stdout)),
    text: `exit ${exitCode ?? 'by signal'}${text === '' ? '' : `, ${text.slice(0, 200)}`}`,
  }
}

function run(entry: InstalledEntry, input: string, cwd: string, env: NodeJS.ProcessEnv): Promise<Started> {
  const options = { cwd, env, input, timeoutMs: PROBE_MAX_MS }
  return entry.shell
    ? startProgram('/bin/sh', ['-c', entry.command], options)
    : startProgram(entry.command, entry.args ?? [], options)
}
