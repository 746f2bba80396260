import type { Wrapper } from './programs/aspects/wrapper.ts'
import { PROJECT_WRAPPERS } from './wrappers/projects.ts'
import { REMOTE_WRAPPERS } from './wrappers/remote.ts'
import { SYSTEM_WRAPPERS } from './wrappers/system.ts'

export const ALL_WRAPPERS: ReadonlyMap<string, Wrapper> = new Map(
  Object.entries({ ...SYSTEM_WRAPPERS, ...PROJECT_WRAPPERS, ...REMOTE_WRAPPERS }),
)

/** The programs that do nothing but run the command behind their options: none of their own words is a file. */
export const WRAPPERS: ReadonlyMap<string, Wrapper> = new Map(
  Object.entries(SYSTEM_WRAPPERS).filter(([, wrapper]) => wrapper.verbs === undefined),
)
