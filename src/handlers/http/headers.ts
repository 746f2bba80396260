import { FORBIDDEN_HEADERS, VARIABLE } from '../http-address.ts'
import type { Target } from './target.ts'

/**
 * The headers of a request. A variable is filled in only when the hook lists it: the environment is full of secrets
 * that are no server's business. One that is not listed, or not set, is empty.
 */
export function fillHeaders(
  { headers, allowedEnvVars }: Pick<Target, 'headers' | 'allowedEnvVars'>,
  env: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  const fill = (name: string) => (allowedEnvVars.includes(name) ? (own(env, name) ?? '') : '')
  const filled = Object.entries(headers)
    .filter(([name]) => !FORBIDDEN_HEADERS.has(name.toLowerCase()))
    .map(([name, value]) => [
      name,
      value.replaceAll(VARIABLE, (_all, braced?: string, bare?: string) => fill(braced ?? bare ?? '')),
    ])
  return Object.fromEntries(filled) as Readonly<Record<string, string>>
}

function own(env: Readonly<Record<string, string | undefined>>, name: string): string | undefined {
  return Object.hasOwn(env, name) ? env[name] : undefined
}
