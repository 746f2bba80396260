import { eachWord } from '../../core/word-list.ts'
import { ARCHIVES } from './archives/index.ts'
import { CLOUDS } from './clouds/index.ts'
import { CONTAINERS } from './containers/index.ts'
import { DATABASES } from './databases/index.ts'
import { FILES } from './files/index.ts'
import { GIT } from './git/index.ts'
import { LANGUAGES } from './languages/index.ts'
import { NETWORK } from './network/index.ts'
import { PACKAGES } from './packages/index.ts'
import { PERMISSIONS } from './permissions/index.ts'
import type { Program, ProgramTable } from './program.ts'
import { SECRETS } from './secrets/index.ts'
import { SHELL_PROGRAMS } from './shells/index.ts'
import { SYSTEM_PROGRAMS } from './system/index.ts'
import { TEXT } from './text/index.ts'
import { WINDOWS } from './windows/index.ts'
import { WRAPPERS } from './wrappers/index.ts'

const FAMILIES: readonly ProgramTable[] = [
  ARCHIVES,
  CLOUDS,
  CONTAINERS,
  DATABASES,
  FILES,
  GIT,
  LANGUAGES,
  NETWORK,
  PACKAGES,
  PERMISSIONS,
  SECRETS,
  SHELL_PROGRAMS,
  SYSTEM_PROGRAMS,
  TEXT,
  WINDOWS,
  WRAPPERS,
]

/** Every program by each of its names. */
export const PROGRAMS: ReadonlyMap<string, Program> = new Map(
  FAMILIES.flatMap((table) => Object.entries(table)).flatMap(([names, program]) => eachWord(names, program)),
)

/** What is known of a program; an interpreter also by the name of one of its versions: `ruby3.2`. */
export function programOf(name: string | undefined): Program | undefined {
  if (name === undefined) return undefined
  return PROGRAMS.get(name) ?? PROGRAMS.get(VERSIONED.exec(name)?.[1] ?? '')
}

const VERSIONED = /^(python|pypy|ruby|perl|php|lua|node)[\d.]+$/
