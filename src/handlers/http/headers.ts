import { FORBIDDEN_HEADERS, VARIABLE } from '../../core/http-address.ts'
import type { HttpTarget } from './target.ts'

/**
 * The headers of a request. A variable is only inserted if the hook lists it, because the environment contains secrets
 * that servers must not get. A variable that is not listed, or not set, is empty.
 */
export function fillHeaders(
  { headers, allowedEnvVars }: Pick<HttpTarget, 'headers' | 'allowedEnvVars'>,
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
