import type { Json, JsonObject } from '../json.ts'
import { CLIENT_HINT } from './client-hint.ts'
import { clients, type Hinted } from './clients.ts'
import { isMasked, mask } from './mask.ts'
import { isSecretName, redactNamed } from './named.ts'
import { SHAPE_HINT, SHAPES, type Shape } from './shapes.ts'

/**
 * Masks secrets in text before it is written, as `[redacted:kind]`: secrets known by their shape, and values known by
 * their name. Pure, and linear in practice on any text: each pattern starts at something rare and is limited, and a
 * longer scan never runs twice. If in doubt it masks: a hidden word costs little, but a leaked secret cannot be
 * recalled.
 */
export function redact(text: string, extra: readonly Masker[] = []): string {
  let masked = text
  for (const hide of extra) masked = hide(masked)
  return CLEAN.has(masked) ? masked : redactUnknown(masked)
}

function redactUnknown(text: string): string {
  let masked = SHAPE_HINT.test(text) ? SHAPES.reduce(redactShape, text) : text
  masked = redactNamed(masked)
  if (CLIENT_HINT.test(masked)) masked = redactHinted(masked, clients())
  if (masked === text && text.length <= CLEAN_MAX_CHARACTERS) remember(text)
  return masked
}

/** Texts without a secret: a reason is shown and recorded, and names and paths come with every event. */
const CLEAN = new Set<string>()
const CLEAN_MAX = 200
const CLEAN_MAX_CHARACTERS = 2_000

function remember(text: string): void {
  if (CLEAN.size >= CLEAN_MAX) CLEAN.clear()
  CLEAN.add(text)
}

function redactHinted(text: string, list: readonly Hinted[]): string {
  let masked = text
  let lower = text.toLowerCase()
  for (const { words, shape } of list) {
    if (!words.some((word) => lower.includes(word))) continue
    const before = masked
    masked = redactShape(masked, shape())
    if (masked !== before) lower = masked.toLowerCase()
  }
  return masked
}

function redactShape(text: string, { kind, pattern, only }: Shape): string {
  // Most shapes are not in the text, and finding that out is much faster than replacing nothing.
  pattern.lastIndex = 0
  if (!pattern.test(text)) return text
  return text.replace(pattern, (found, ...parts) => {
    const { before = '', secret = found, after = '' } = groupsOf(parts)
    return isMasked(secret) || only?.(secret) === false ? found : `${before}${mask(kind)}${after}`
  })
}

/** A pattern of the user, ready to run. */
export type Masker = (text: string) => string

/** The same for every text in a JSON value. A value whose key names a secret is masked completely. */
export function redactJson(value: Json, extra: readonly Masker[] = []): Json {
  return redactValue(value, extra, 0)
}

function groupsOf(parts: readonly unknown[]): { before?: string; secret?: string; after?: string } {
  const last = parts.at(-1)
  return typeof last === 'object' && last !== null ? last : {}
}

const DEPTH_MAX = 100

function redactValue(value: Json, extra: readonly Masker[], depth: number): Json {
  if (typeof value === 'string') return redact(value, extra)
  if (typeof value !== 'object' || value === null) return value
  if (depth >= DEPTH_MAX) return mask('too-deep')
  if (isList(value)) {
    return value.map((item, index) =>
      isOptionValue(value[index - 1], item) ? mask('secret') : redactValue(item, extra, depth + 1),
    )
  }
  const named = isSecretName(String(value.name ?? value.key ?? ''))
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      redact(key, extra),
      (isSecretName(key) || (named && key === 'value')) && holdsSecret(key, item)
        ? mask('secret')
        : redactValue(item, extra, depth + 1),
    ]),
  )
}

/** The value of an option in a list of arguments: `["--password", "..."]`. */
function isOptionValue(option: Json | undefined, value: Json): boolean {
  return (
    typeof option === 'string' &&
    typeof value === 'string' &&
    /^--?[A-Za-z][A-Za-z0-9_.-]{1,80}$/.test(option) &&
    isSecretName(option) &&
    !value.startsWith('-') &&
    !isMasked(value)
  )
}

function holdsSecret(key: string, value: Json): boolean {
  if (value === null || typeof value === 'boolean' || value === '') return false
  if (typeof value === 'string') return !isMasked(value)
  return !(typeof value === 'number' && /tokens$/i.test(key))
}

function isList(value: readonly Json[] | JsonObject): value is readonly Json[] {
  return Array.isArray(value)
}
