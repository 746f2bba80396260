import type { Hook } from '../../core/hook.ts'
import { unenforceable } from '../../core/plan/unenforceable.ts'
import { findHost } from '../../hosts/find-host.ts'

/** What one agent does not do with the rules of this configuration. */
export interface AgentLimits {
  readonly host: string
  /** Rules that do not hold, what happens instead, and the stricter rule that does hold. */
  readonly cannotHold: readonly string[]
  /** When it runs a call that no hook has judged. */
  readonly open: readonly string[]
}

/** Read from what the host declares, so that it cannot differ from what is enforced. */
export async function limitsFor(id: string, hooks: readonly Hook[]): Promise<AgentLimits> {
  const host = await findHost(id)
  if (!host.ok) return { host: id, cannotHold: [], open: [] }
  const { limits = [], title } = host.value
  return {
    host: id,
    cannotHold: unenforceable(hooks, host.value).map(worded),
    open: limits.flatMap(({ kind, says }) => (kind === 'open' ? [`${title}: ${says}`] : [])),
  }
}

function worded({ says, instead }: { readonly says: string; readonly instead?: string }): string {
  return instead === undefined ? says : `${says} ${instead}`
}
