import type { InstalledEntry } from '../hosts/installer.ts'
import { type Started, startProgram } from './start-program.ts'

/** What an installed entry did when it was started exactly as the agent would start it. */
export interface Probed {
  readonly event: string
  readonly live: boolean
  /** What was seen, in plain words, where it is not live. */
  readonly why: string
  readonly tookMs: number
}

const PROBE_MAX_MS = 30_000

/**
 * Starts an entry with two payloads: one it must answer, one it must refuse the way its last resort says. A file
 * that holds the right text proves nothing; this does.
 */
export async function probe(entry: InstalledEntry, cwd: string, env: NodeJS.ProcessEnv): Promise<Probed> {
  const startedMs = performance.now()
  const answered = await run(entry, JSON.stringify(payloadFor(entry.event)), cwd, env)
  const tookMs = performance.now() - startedMs
  if (answered.exitCode !== 0 || !isReply(answered.stdout)) {
    return { event: entry.event, live: false, why: `it did not answer: ${seen(answered)}`, tookMs }
  }
  const refused = await run(entry, 'this is no event', cwd, env)
  const expected = words(entry).includes('deny') ? 2 : 0
  if (refused.exitCode !== expected) {
    return { event: entry.event, live: false, why: `it let garbage through: ${seen(refused)}`, tookMs }
  }
  return { event: entry.event, live: true, why: '', tookMs }
}

function words(entry: InstalledEntry): readonly string[] {
  return entry.args ?? entry.command.split(/[\s']+/)
}

/** Harmless whatever the policies are: a session of its own, and a tool nobody has. */
export function payloadFor(event: string): object {
  return {
    session_id: 'holdpoint-probe',
    transcript_path: '',
    cwd: '/',
    hook_event_name: event,
    tool_name: 'HoldpointProbe',
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

function seen({ exitCode, stdout, stderr }: Started): string {
  const text = stderr.trim() || stdout.trim()
  return `exit ${exitCode ?? 'by signal'}${text === '' ? '' : `, ${text.slice(0, 200)}`}`
}

function run(entry: InstalledEntry, input: string, cwd: string, env: NodeJS.ProcessEnv): Promise<Started> {
  const options = { cwd, env, input, timeoutMs: PROBE_MAX_MS }
  return entry.shell
    ? startProgram('/bin/sh', ['-c', entry.command], options)
    : startProgram(entry.command, entry.args ?? [], options)
}
