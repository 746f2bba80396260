import type { Facts } from '../facts.ts'
import type { JsonObject } from '../json.ts'
import type { Condition } from './contract.ts'
import { isThere } from './file-duty.ts'
import { inProject } from './look.ts'
import { type Names, pathsFrom } from './names.ts'
import { hasDelegated, type Start } from './start.ts'

/** More agents than one project has; what a folder holds beyond that is not looked at. */
const FOLDERS_MAX = 1_000

/** Whether the contract asks anything of this agent now. */
export async function holds(
  condition: Condition | undefined,
  names: Names,
  facts: Facts,
  { memory, start }: { readonly memory: JsonObject | undefined; readonly start: Start | undefined },
): Promise<boolean> {
  if (condition === undefined) return true
  if (condition.is === 'delegated') return hasDelegated(memory)
  const { folder, file, except, fresh } = condition
  const sinceMs = fresh ? start?.atMs : undefined
  const agents = (await facts.list(inProject(folder, facts))).filter((name) => !except.includes(name))
  for (const agent of agents.slice(0, FOLDERS_MAX)) {
    for (const name of pathsFrom(file, names) ?? []) {
      if (await isThere(`${folder}/${agent}/${name}`, facts, sinceMs)) return true
    }
  }
  return false
}
