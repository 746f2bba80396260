import { bad, good, type Result } from '../errors.ts'

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

/** The hook's few options, read without a library: this runs before every tool call. */
export function readHookOptions(argv: readonly string[]): Result<HookOptions> {
  const values: Record<string, string[]> = {}
  const words: string[] = []
  for (let i = 0; i < argv.length; i += 1) {
    const word = argv[i] ?? ''
    if (!word.startsWith('--')) {
      words.push(word)
      continue
    }
    const [name = '', inline] = splitOnce(word.slice(2), '=')
    if (!OPTIONS.has(name))
      return bad('OPTION_INVALID', `\`hook\` has no option --${name}. It has: ${listed()}.`)
    if (inline === undefined) i += 1
    const value = inline ?? argv[i]
    if (value === undefined) return bad('OPTION_INVALID', `--${name} needs a value.`)
    values[name] = [...(values[name] ?? []), value]
  }
  const [host, extra] = words
  if (host === undefined) return bad('HOST_UNKNOWN', 'Name the agent: `holdpoint hook claude-code`.')
  if (extra !== undefined) return bad('OPTION_INVALID', `"${extra}" is one word too many after the host.`)
  return readValues(host, values)
}

const OPTIONS = new Set(['event', 'pack', 'skill', 'config', 'home', 'on-failure', 'deadline-ms'])

function readValues(host: string, values: Readonly<Record<string, readonly string[]>>): Result<HookOptions> {
  const last = (name: string) => values[name]?.at(-1)
  const onFailure = last('on-failure')
  if (onFailure !== undefined && onFailure !== 'deny' && onFailure !== 'pass') {
    return bad('OPTION_INVALID', `--on-failure is "${onFailure}"; accepted: deny, pass.`)
  }
  const deadline = last('deadline-ms')
  const deadlineMs = deadline === undefined ? undefined : Number(deadline)
  if (
    deadlineMs !== undefined &&
    !(Number.isInteger(deadlineMs) && deadlineMs >= 10 && deadlineMs <= DEADLINE_MAX_MS)
  ) {
    return bad('OPTION_INVALID', `--deadline-ms is "${deadline}"; accepted: 10 to ${DEADLINE_MAX_MS}.`)
  }
  const [event, config, home] = [last('event'), last('config'), last('home')]
  return good({
    host,
    packs: values.pack ?? [],
    skills: values.skill ?? [],
    ...(event === undefined ? {} : { event }),
    ...(config === undefined ? {} : { config }),
    ...(home === undefined ? {} : { home }),
    ...(onFailure === undefined ? {} : { onFailure }),
    ...(deadlineMs === undefined ? {} : { deadlineMs }),
  })
}

const DEADLINE_MAX_MS = 600_000

function splitOnce(text: string, by: string): readonly [string, string | undefined] {
  const at = text.indexOf(by)
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)]
}

function listed(): string {
  return [...OPTIONS].map((name) => `--${name}`).join(', ')
}
