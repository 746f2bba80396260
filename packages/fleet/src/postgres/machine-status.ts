import { isObject, type Json, type JsonObject, textAt } from '../../../../src/core/json.ts'
import { plain } from '../sink/columns.ts'

/** The status that a machine sends, reduced to known fields: it comes from outside, and becomes columns. */
export interface MachineStatus {
  readonly hostname: string
  readonly username: string
  readonly platform: string
  readonly version: string
  readonly bundleName: string
  readonly bundleRevision: number
  readonly bundleChannel: string
  readonly bundleEnforced: boolean
  readonly bundleExpires: string | null
  readonly bundleProblem: string
  /** An agent on the machine runs without hooks, or calls ran without a decision. */
  readonly unguarded: boolean
  readonly status: JsonObject
}

const TEXT_MAX = 200
const AGENTS_MAX = 50

export function readMachineStatus(value: JsonObject): MachineStatus {
  const text = (from: JsonObject, key: string) => plain(textAt(from, key) ?? '').slice(0, TEXT_MAX)
  const bundle = isObject(value.bundle) ? value.bundle : {}
  const expires = text(bundle, 'expires')
  const agents = (Array.isArray(value.agents) ? value.agents : [])
    .slice(0, AGENTS_MAX)
    .flatMap((each: Json) =>
      isObject(each) ? [{ host: text(each, 'host'), guarded: each.guarded === true }] : [],
    )
  const holes = typeof value.holes === 'number' && value.holes > 0 ? Math.floor(value.holes) : 0
  const paused = value.paused === true
  return {
    hostname: text(value, 'hostname'),
    username: text(value, 'user'),
    platform: text(value, 'platform'),
    version: text(value, 'version'),
    bundleName: text(bundle, 'name'),
    bundleRevision:
      typeof bundle.revision === 'number' && bundle.revision > 0 ? Math.floor(bundle.revision) : 0,
    bundleChannel: text(bundle, 'channel'),
    bundleEnforced: bundle.enforced === true,
    bundleExpires: Number.isFinite(Date.parse(expires)) ? new Date(expires).toISOString() : null,
    bundleProblem: text(bundle, 'problem'),
    unguarded: agents.some(({ guarded }) => !guarded) || holes > 0,
    status: { agents, holes, paused, plan: text(value, 'plan'), journal: text(value, 'journal') },
  }
}
