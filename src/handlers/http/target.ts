import { bad, good, type Result } from '../../errors.ts'
import type { Run } from '../../hook.ts'
import { isObject, textAt } from '../../json.ts'
import { addressFault } from '../http-address.ts'

/** Whom to ask, as the hook says it. */
export interface Target {
  readonly url: URL
  /** The address without what may be secret in it. */
  readonly shown: string
  /** As written: variables stand as `$NAME`. */
  readonly headers: Readonly<Record<string, string>>
  readonly allowedEnvVars: readonly string[]
}

export function readTarget(run: Run): Result<Target> {
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
