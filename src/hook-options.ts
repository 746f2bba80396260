import { resolve } from 'node:path'
import { bad, type Problem } from './errors.ts'

export interface HookOptions {
  readonly host: string
  readonly event?: string
  readonly packs: readonly string[]
  readonly skills: readonly string[]
  readonly config?: string
  readonly home?: string
  readonly onFailure?: 'deny' | 'pass'
  readonly deadlineMs?: number
}

/** What could be read, and the first thing that was wrong: the last resort needs the former to answer the latter. */
export interface ReadOptions {
  readonly options: HookOptions
  readonly problem?: Problem
}

/**
 * The hook's few options, read without a library: this runs before every tool call. `cwd` is the caller's folder,
 * which is not this process's where a daemon answers.
 */
export function readHookOptions(argv: readonly string[], cwd: string): ReadOptions {
  const values: Record<string, string[]> = {}
  const words: string[] = []
  const wrong: string[] = []
  for (let i = 0; i < argv.length; i += 1) {
    const word = argv[i] ?? ''
    if (!word.startsWith('--')) {
      words.push(word)
      continue
    }
    const [name = '', inline] = splitOnce(word.slice(2), '=')
    if (!OPTIONS.has(name)) wrong.push(`\`hook\` has no option --${name}. It has: ${listed()}.`)
    if (inline === undefined) i += 1
    const value = inline ?? argv[i]
    if (value === undefined || value === '') wrong.push(`--${name} needs a value.`)
    else values[name] = [...(values[name] ?? []), value]
  }
  const [host, extra] = words
  if (extra !== undefined) wrong.push(`"${extra}" is one word too many after the host.`)
  const read = readValues(host ?? '', values, cwd)
  if (host === undefined)
    return { ...read, ...bad('HOST_UNKNOWN', 'Name the agent: `holdpoint hook claude-code`.') }
  const [first] = wrong
  return first === undefined ? read : { ...read, ...bad('OPTION_INVALID', first) }
}

const OPTIONS = new Set(['event', 'pack', 'skill', 'config', 'home', 'on-failure', 'deadline-ms'])

function readValues(
  host: string,
  values: Readonly<Record<string, readonly string[]>>,
  cwd: string,
): ReadOptions {
  const last = (name: string) => values[name]?.at(-1)
  const [event, config, home, onFailure, deadline] = [
    'event',
    'config',
    'home',
    'on-failure',
    'deadline-ms',
  ].map(last)
  const deadlineMs = deadline === undefined ? undefined : Number(deadline)
  const isDeadline =
    deadlineMs !== undefined &&
    Number.isInteger(deadlineMs) &&
    deadlineMs >= 10 &&
    deadlineMs <= DEADLINE_MAX_MS
  const options: HookOptions = {
    host,
    packs: [...new Set([...(values.pack ?? []), ...(DIALECTS.has(host) ? [host] : [])])],
    skills: skillsOf(host, values.skill ?? []),
    ...(event === undefined ? {} : { event }),
    // One file, wherever the agent goes.
    ...(config === undefined ? {} : { config: resolve(cwd, config) }),
    ...(home === undefined ? {} : { home }),
    ...(onFailure === 'deny' || onFailure === 'pass' ? { onFailure } : {}),
    ...(isDeadline ? { deadlineMs } : {}),
  }
  if (onFailure !== undefined && options.onFailure === undefined) {
    return { options, ...bad('OPTION_INVALID', `--on-failure is "${onFailure}"; accepted: deny, pass.`) }
  }
  if (deadline !== undefined && !isDeadline) {
    return {
      options,
      ...bad('OPTION_INVALID', `--deadline-ms is "${deadline}"; accepted: 10 to ${DEADLINE_MAX_MS}.`),
    }
  }
  return { options }
}

/** Hosts that are the words of a pack: whoever speaks them wants the pack of that name. */
const DIALECTS: ReadonlySet<string> = new Set(['collective', 'mux', 'mux-legacy', 'scratchpad'])

/** Whoever speaks these is the orchestrator, unless it is said who else. */
const ORCHESTRATORS: ReadonlySet<string> = new Set(['mux', 'mux-legacy'])

function skillsOf(host: string, named: readonly string[]): readonly string[] {
  const isOrchestrator = ORCHESTRATORS.has(host) && !named.includes('mux-subagent') && !named.includes('mux')
  return isOrchestrator ? [...named, 'mux'] : named
}

const DEADLINE_MAX_MS = 600_000

function splitOnce(text: string, by: string): readonly [string, string | undefined] {
  const at = text.indexOf(by)
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)]
}

function listed(): string {
  return [...OPTIONS].map((name) => `--${name}`).join(', ')
}
