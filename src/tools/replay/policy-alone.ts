import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadPlan } from '../../app/load-plan.ts'
import { good, type Problem, type Result } from '../../core/errors.ts'
import { homeLayout } from '../../system/home.ts'
import { type PurePlan, withoutPrograms } from '../history/without-programs.ts'

export interface PolicyAlone {
  readonly plan: PurePlan
  /** Entries of the file that are left out, because they are wrong. */
  readonly problems: readonly Problem[]
}

/**
 * One configuration file as if it were the only one, and trusted: what it says, not who may say it, is compared. Managed
 * policy of this machine still applies. `undefined`: no file, so the default packs.
 */
export async function policyAlone(text: string | undefined, user: string): Promise<Result<PolicyAlone>> {
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-policy-'))
  try {
    const home = homeLayout(folder, { HOME: user })
    if (text !== undefined) writeFileSync(home.userConfig, text, { mode: 0o600 })
    const loaded = await loadPlan(folder, { home, uncached: true }, new Map())
    if (!loaded.ok) return loaded
    const { plan } = loaded.value
    return good({ plan: await withoutPrograms(plan), problems: plan.problems })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
