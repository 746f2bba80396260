import { resolve } from 'node:path'
import { bad, type Problem } from '../core/errors.ts'

export interface HookOptions {
  readonly host: string
  readonly event?: string
  readonly packs: readonly string[]
  readonly skills: readonly string[]
  readonly config?: string
  readonly home?: string
  readonly onFailure?: 'deny' | 'pass'
  readonly deadlineMs?: number
  /** The exit code of an answer that is 0 for the agent: see `ANSWERED_CODE`. */
  readonly answered?: number
  /** What registered the hook; missing: a settings file. */
  readonly via?: 'plugin'
}

/**
 * The options that could be read, and the first error: the last resort needs the options to answer the error.
 */
export interface ParsedHookOptions {
  readonly options: HookOptions
  readonly problem?: Problem
}

/**
 * Reads the few options of `hook` without a library, because this runs before every tool call. `cwd` is the
 * caller's folder, which differs from this process's folder in the daemon.
 */
export function readHookOptions(argv: readonly string[], cwd: string): ParsedHookOptions {
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
    if (!OPTIONS.has(name)) wrong.push(`Unknown option --${name} for \`hook\`. Options: ${listed()}.`)
    if (inline === undefined) i += 1
    const value = inline ?? argv[i]
    if (value === undefined || value === '') wrong.push(`--${name} needs a value.`)
    else values[name] = [...(values[name] ?? []), value]
  }
  const [host, extra] = words
  if (extra !== undefined) wrong.push(`Unexpected argument "${extra}" after the host.`)
  const read = readValues(host ?? '', values, cwd)
  if (host === undefined) return { ...read, ...bad('HOST_UNKNOWN', bareStart(argv)) }
  const [first] = wrong
  return first === undefined ? read : { ...read, ...bad('OPTION_INVALID', first) }
}

/** An agent that reads the hooks of another one may leave out their arguments. */
function bareStart(argv: readonly string[]): string {
  return argv.length > 0
    ? 'Name the agent: `holdpoint hook claude-code`.'
    : 'The hook was started without its arguments, so nothing could be checked. Run `npx holdpoint init` again.'
}

/** For the programs that start Node, not for people: it is not listed. */
const HIDDEN = 'answered'
const OPTIONS = new Set([
  'event',
  'pack',
  'skill',
  'config',
  'home',
  'on-failure',
  'deadline-ms',
  'via',
  HIDDEN,
])

function readValues(
  host: string,
  values: Readonly<Record<string, readonly string[]>>,
  cwd: string,
): ParsedHookOptions {
  const last = (name: string) => values[name]?.at(-1)
  const [event, config, home, onFailure, deadline, via] = [
    'event',
    'config',
    'home',
    'on-failure',
    'deadline-ms',
    'via',
  ].map(last)
  const answered = last(HIDDEN)
  const isAnswered = answered === undefined || /^(?:[3-9]|[1-9]\d|1[01]\d|12[0-3])$/.test(answered)
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
    // An absolute path, so that it stays the same file when the agent changes its folder.
    ...(config === undefined ? {} : { config: resolve(cwd, config) }),
    ...(home === undefined ? {} : { home }),
    ...(onFailure === 'deny' || onFailure === 'pass' ? { onFailure } : {}),
    ...(isDeadline ? { deadlineMs } : {}),
    ...(via === 'plugin' ? { via } : {}),
    ...(answered !== undefined && isAnswered ? { answered: Number(answered) } : {}),
  }
  if (!isAnswered)
    return { options, ...bad('OPTION_INVALID', `--answered is "${answered}"; accepted: 3 to 123.`) }
  if (via !== undefined && options.via === undefined) {
    return { options, ...bad('OPTION_INVALID', `--via is "${via}"; accepted: plugin.`) }
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

/** Hosts that are the protocol of a pack: a program that uses the protocol needs the pack of that name. */
const DIALECTS: ReadonlySet<string> = new Set(['collective', 'mux', 'mux-legacy', 'scratchpad'])

/** Programs that use these protocols are the orchestrator unless they name another agent. */
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
  return [...OPTIONS]
    .filter((name) => name !== HIDDEN)
    .map((name) => `--${name}`)
    .join(', ')
}
