import type { JsonObject } from '../../core/json.ts'
import { type OwnEntry, ownEntriesOf } from '../hook-settings.ts'

/**
 * Codex runs a hook only if the user has trusted it, and silently skips all others. It stores that in `config.toml` by
 * the hook's position (file, event, index) and the hash of its command; both were observed in 0.166.0. This reads only
 * those lines of the TOML file. It never writes trust, because only the user may give it.
 */
export interface CodexTrust {
  /** For each event with an entry of ours. */
  readonly states: ReadonlyMap<string, TrustState>
  /** Trust is written in a form that this reader does not know, so a `missing` may be wrong. */
  readonly unknown: boolean
  /** Hooks as a whole are switched off. */
  readonly off: boolean
}

/** `changed`: a hash is there, of another text. `unchecked`: one is there that cannot be compared. */
export type TrustState = 'trusted' | 'changed' | 'unchecked' | 'off' | 'missing'

/** What must be known. `hooksFile` as Codex names it: its folder without links, its own name as it is. */
export interface TrustQuestion {
  /** The text of `config.toml` in the user's Codex folder, also for a project's hooks. */
  readonly config: string | undefined
  readonly hooksFile: string
  readonly hooksText: string
  readonly sha256: (text: string) => string
}

export function codexTrust({ config, hooksFile, hooksText, sha256 }: TrustQuestion): CodexTrust {
  const { trusted, unknown, off } = readConfig(config ?? '')
  const own = ownEntriesOf(hooksText)
  const states = (own.ok ? own.value : []).map((entry): [string, TrustState] => {
    const kept = trusted.get(keyOf(entry, hooksFile))
    return [entry.event, stateOf(kept, hashOf(entry, sha256))]
  })
  return { states: new Map(states), unknown, off }
}

/** The same in plain words, with what to do; empty when Codex starts every entry of ours. */
export function codexTrustWarnings(question: TrustQuestion): readonly string[] {
  const { states, unknown, off } = codexTrust(question)
  const events = (state: TrustState) =>
    [...states].filter(([, each]) => each === state).map(([event]) => event)
  const lines = (Object.keys(ADVICE) as (keyof typeof ADVICE)[]).flatMap((state) => {
    const names = events(state)
    if (names.length === 0) return []
    const which =
      names.length === states.size && names.length > 1 ? `all ${names.length} hooks` : names.join(', ')
    return [`${which}: ${ADVICE[state]}`]
  })
  return [
    ...(off ? ['`hooks = false` under [features] of config.toml disables every hook. Remove it.'] : []),
    ...lines,
    ...(unknown && lines.length > 0
      ? ['The trust entries in config.toml cannot be read here; type /hooks in codex to see them.']
      : []),
  ]
}

const ADVICE = {
  missing:
    'not trusted yet, so Codex skips them without a message. Start codex, type /hooks, and trust the Holdpoint entries.',
  changed:
    'changed or moved since you trusted them, so Codex skips them without a message. Type /hooks in codex and trust them again.',
  off: 'disabled in codex. Type /hooks there and enable them.',
  unchecked: 'trusted, but it cannot be checked here for which command. Type /hooks in codex to see them.',
} as const

interface Kept {
  hash?: string
  enabled?: boolean
}

function stateOf(kept: Kept | undefined, hash: string | undefined): TrustState {
  if (kept?.enabled === false) return 'off'
  if (kept?.hash === undefined) return 'missing'
  if (hash === undefined) return 'unchecked'
  return kept.hash === hash ? 'trusted' : 'changed'
}

function keyOf({ event, position: [group, index] }: OwnEntry, hooksFile: string): string {
  return `${hooksFile}:${snakeCase(event)}:${group}:${index}`
}

/** Codex hashes the entry alone, with its defaults filled in and its keys in order. */
function hashOf({ event, matcher, value }: OwnEntry, sha256: (text: string) => string): string | undefined {
  if (!isPlain(value)) return undefined
  const hook = { async: false, command: value.command, timeout: value.timeout, type: 'command' }
  const identity = { event_name: snakeCase(event), hooks: [hook] }
  return `sha256:${sha256(JSON.stringify(typeof matcher === 'string' ? { ...identity, matcher } : identity))}`
}

function isPlain(value: JsonObject): boolean {
  return Number.isInteger(value.timeout) && Object.keys(value).every((key) => PLAIN.has(key))
}

const PLAIN: ReadonlySet<string> = new Set(['type', 'command', 'timeout'])

function snakeCase(event: string): string {
  return event.replace(/(?!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase()
}

function readConfig(text: string): { trusted: ReadonlyMap<string, Kept>; unknown: boolean; off: boolean } {
  const trusted = new Map<string, Kept>()
  let [unknown, off, isInText] = [false, false, false]
  let table = ''
  let kept: Kept | undefined
  for (const line of text.split(/\r?\n/)) {
    const quotes = line.match(/"""|'''/g)?.length ?? 0
    const wasInText = isInText
    if (quotes % 2 === 1) isInText = !isInText
    if (wasInText) continue
    const header = /^\s*\[+\s*(.*?)\s*\]+\s*(?:#.*)?$/.exec(line)?.[1]
    if (header !== undefined) {
      table = header.replace(/\s*\.\s*/g, '.')
      const key = stateKey(header)
      kept = key === undefined ? undefined : {}
      if (kept !== undefined && key !== undefined) trusted.set(key, kept)
      else if (/^hooks\.state\../.test(table)) unknown = true
      continue
    }
    const [, name, value = ''] = /^\s*([^=#\s][^=]*?)\s*=\s*(.*?)\s*$/.exec(line) ?? []
    if (name === undefined) continue
    const path = table === '' ? name : `${table}.${name}`
    if (kept !== undefined) readLine(kept, name, value)
    // Dotted keys and inline tables say the same; they are noticed, not read.
    else if (/^hooks(?:\.state\b|$)/.test(path)) unknown = true
    if (/^features\.(?:codex_)?hooks$/.test(path) && /^false\b/.test(value)) off = true
  }
  return { trusted, unknown, off }
}

/** The key of a header `hooks.state."KEY"`, in either kind of quotes. */
function stateKey(header: string): string | undefined {
  const [, basic, literal] =
    /^hooks\s*\.\s*state\s*\.\s*(?:("(?:[^"\\]|\\.)*")|'([^']*)')$/.exec(header) ?? []
  if (basic === undefined) return literal
  try {
    return JSON.parse(basic)
  } catch {
    return undefined
  }
}

function readLine(kept: Kept, name: string, value: string): void {
  const hash = /^(["'])(.*?)\1/.exec(value)?.[2]
  if (name === 'trusted_hash' && hash !== undefined) kept.hash = hash
  if (name === 'enabled') kept.enabled = !value.startsWith('false')
}
