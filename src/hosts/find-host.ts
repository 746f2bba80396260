import { bad, type Result } from '../core/errors.ts'
import type { Host } from '../core/host.ts'
import type { MaybePromise } from '../core/maybe-async.ts'
import { HOSTS } from './index.ts'

const found = new Map<string, Result<Host>>()

/** Kept once loaded: an import costs time even if the module is already loaded. */
export function findHost(id: string): MaybePromise<Result<Host>> {
  const known = found.get(id)
  if (known !== undefined) return known
  const member = Object.hasOwn(HOSTS, id) ? HOSTS[id] : undefined
  if (member === undefined) {
    return bad('HOST_UNKNOWN', `Unknown host "${id}". Hosts: ${Object.keys(HOSTS).join(', ')}.`)
  }
  return member().then(({ host }) => {
    const loaded: Result<Host> = { ok: true, value: host }
    found.set(id, loaded)
    return loaded
  })
}
