import type { Facts } from '../../core/facts.ts'
import type { JsonObject } from '../../core/json.ts'
import type { ContractCondition } from './contract.ts'
import { isThere } from './file-requirement.ts'
import { projectPath } from './inspect-file.ts'
import { type Names, pathsFrom } from './names.ts'
import { hasDelegated, type Start } from './start.ts'

/** More agents than a project has. Further folders are not read. */
const FOLDERS_MAX = 1_000

/** Whether the contract applies to this agent now. */
export async function holds(
  condition: ContractCondition | undefined,
  names: Names,
  facts: Facts,
  { memory, start }: { readonly memory: JsonObject | undefined; readonly start: Start | undefined },
): Promise<boolean> {
  if (condition === undefined) return true
  if (condition.kind === 'delegated') return hasDelegated(memory)
  const { folder, file, except, fresh } = condition
  const sinceMs = fresh ? start?.atMs : undefined
  const agents = (await facts.list(projectPath(folder, facts))).filter((name) => !except.includes(name))
  for (const agent of agents.slice(0, FOLDERS_MAX)) {
    for (const name of pathsFrom(file, names) ?? []) {
      if (await isThere(`${folder}/${agent}/${name}`, facts, sinceMs)) return true
    }
  }
  return false
}
