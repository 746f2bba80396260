import { randomBytes } from 'node:crypto'
import { registerAgent } from '../tools/mux/agents.ts'
import { setMarker } from '../tools/mux/marker.ts'
import { shownPath } from '../tools/mux/place.ts'
import { createSession } from '../tools/mux/session.ts'
import { writeSignal } from '../tools/mux/write-signal.ts'
import type { Caller } from './caller.ts'
import { countIn, here, marker, print, unwrapResult, warn } from './mux-place.ts'

/** The tools that write: a session, a signal, the entry of an agent. */

interface SessionOptions {
  readonly base: string
  readonly parentTrace?: string
  readonly json?: boolean
}

export async function session(
  caller: Caller,
  topic: string,
  { base, parentTrace, json }: SessionOptions,
): Promise<void> {
  const place = here(caller)
  const asked = { topic, base, now: new Date(), trace: randomBytes(8).toString('hex') }
  const made = unwrapResult(
    createSession({ ...asked, ...(parentTrace === undefined ? {} : { parentTrace }) }, place),
  )
  const active = marker(caller, place)
  setMarker(active, made.folder)
  const shown = shownPath(place.realpath(active), place)
  const lines = [`SESSION_DIR=${made.folder}`, `TRACE_ID=${made.trace}`, `MUX_ACTIVE=${shown}`]
  print(caller, lines, { session_dir: made.folder, trace_id: made.trace, mux_active: shown }, json)
}

interface SignalOptions {
  readonly path: string
  readonly status: 'success' | 'fail'
  readonly size?: string
  readonly error?: string
  readonly traceId?: string
  readonly version?: string
  readonly previous?: string
  readonly json?: boolean
}

export async function signal(caller: Caller, file: string, options: SignalOptions): Promise<void> {
  const { path, size, json, ...rest } = options
  const sizeBytes = countIn(size, '--size')
  const asked = { ...rest, signal: file, report: path, now: new Date() }
  const written = unwrapResult(
    writeSignal({ ...asked, ...(sizeBytes === undefined ? {} : { sizeBytes }) }, here(caller)),
  )
  if (written.warning !== undefined) warn(caller, [written.warning])
  const { status, path: report, sizeBytes: bytes = 0 } = written.signal
  print(caller, [`SIGNAL=${written.file}`], { signal: written.file, status, path: report, size: bytes }, json)
}

interface RegisterOptions {
  readonly outputFile: string
  readonly model: string
  readonly role: string
  readonly taskSummary: string
  readonly json?: boolean
}

export async function register(
  caller: Caller,
  dir: string,
  id: string,
  options: RegisterOptions,
): Promise<void> {
  const agent = {
    agent_id: id,
    output_file: options.outputFile,
    model: options.model,
    role: options.role,
    task_summary: options.taskSummary,
    registered_at: new Date().toISOString(),
    status: 'running',
  }
  const noted = unwrapResult(registerAgent(dir, agent, here(caller)))
  print(caller, [`REGISTERED=${noted.agent_id}`], { ...noted }, options.json)
}
