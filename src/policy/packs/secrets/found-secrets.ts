import { isObject, type Json } from '../../../core/json.ts'
import { SHAPE_HINT, SHAPES, type Shape } from '../../../core/redact/shapes.ts'
import { wordSet } from '../../../core/word-list.ts'

/**
 * Secrets that are certain from their format alone. The journal masks far more. Here the masked text would be missing
 * from a file that the agent edits or from a prompt, so a wrong guess would do harm.
 */
const CERTAIN = wordSet(`
  private-key aws-secret-key aws-access-key github-token gitlab-token slack-token slack-webhook stripe-key
  api-key google-key npm-token token sendgrid-key
`)

const NAMES: Readonly<Record<string, string>> = {
  'private-key': 'a private key',
  'aws-secret-key': 'an AWS secret key',
  'aws-access-key': 'an AWS access key',
  'github-token': 'a GitHub token',
  'gitlab-token': 'a GitLab token',
  'slack-token': 'a Slack token',
  'slack-webhook': 'a Slack webhook',
  'stripe-key': 'a Stripe key',
  'api-key': 'an API key',
  'google-key': 'a Google key',
  'npm-token': 'an npm token',
  'sendgrid-key': 'a SendGrid key',
  token: 'an access token',
}

export interface Masked<T> {
  readonly value: T
  /** The kinds of secrets that were found, in words, each once. */
  readonly found: readonly string[]
}

export function maskSecrets(text: string): Masked<string> {
  if (!SHAPE_HINT.test(text)) return { value: text, found: [] }
  const found = new Set<string>()
  let masked = text
  for (const shape of SHAPES.filter(({ kind }) => CERTAIN.has(kind))) masked = maskShape(masked, shape, found)
  return { value: masked, found: [...found] }
}

function maskShape(text: string, { kind, pattern, only }: Shape, found: Set<string>): string {
  return text.replace(pattern, (whole, ...parts) => {
    const { before = '', secret = whole, after = '' } = groupsOf(parts)
    if (secret.startsWith('[redacted:') || only?.(secret) === false || isPlaceholder(secret)) return whole
    found.add(NAMES[kind] ?? 'a secret')
    return `${before}[redacted:${kind}]${after}`
  })
}

function groupsOf(parts: readonly unknown[]): { before?: string; secret?: string; after?: string } {
  const last = parts.at(-1)
  return typeof last === 'object' && last !== null ? last : {}
}

/** `ghp_xxxxxxxx`, `AKIAIOSFODNN7EXAMPLE`: placeholders that only show the format. */
function isPlaceholder(secret: string): boolean {
  if (/example|placeholder|redacted|dummy|your[-_]|x{6}|0{8}|1234567890/i.test(secret)) return true
  return secret.length < 200 && new Set(secret).size < 10
}

const DEPTH_MAX = 20

/** The same for every text in a value. Returns the same value if nothing was found. */
export function maskSecretsIn(value: Json): Masked<Json> {
  const found = new Set<string>()
  const masked = maskValue(value, found, 0)
  return { value: found.size === 0 ? value : masked, found: [...found] }
}

function maskValue(value: Json, found: Set<string>, depth: number): Json {
  if (typeof value === 'string') {
    const masked = maskSecrets(value)
    for (const each of masked.found) found.add(each)
    return masked.value
  }
  if (depth >= DEPTH_MAX) return value
  if (isList(value)) return value.map((item) => maskValue(item, found, depth + 1))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, maskValue(item, found, depth + 1)]),
  )
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value)
}
