import { bad, good, type Result } from '../../core/errors.ts'
import type { HandlerSpec } from '../../core/hook.ts'
import { addressFault } from '../../core/http-address.ts'
import { isObject, textAt } from '../../core/json.ts'

/** The address to call, as configured. */
export interface HttpTarget {
  readonly url: URL
  /** The address without parts that may be secret. */
  readonly shown: string
  /** As written: variables are still `$NAME`. */
  readonly headers: Readonly<Record<string, string>>
  readonly allowedEnvVars: readonly string[]
}

export function readTarget(run: HandlerSpec): Result<HttpTarget> {
  const written = textAt(run, 'url')
  if (written === undefined) return bad('CONFIG_VALUE', 'the hook names no address')
  const fault = addressFault(written, run.insecure === true)
  if (fault !== undefined) return bad('CONFIG_VALUE', `the hook's address is ${fault}`)
  const url = new URL(written)
  const headers = isObject(run.headers) ? Object.entries(run.headers) : []
  const allowed = Array.isArray(run.allowedEnvVars) ? run.allowedEnvVars : []
  return good({
    url,
    shown: `${url.origin}${url.pathname}`,
    headers: Object.fromEntries(headers.map(([name, value]) => [name, String(value)])),
    allowedEnvVars: allowed.filter((name) => typeof name === 'string'),
  })
}
