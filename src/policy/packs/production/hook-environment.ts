import type { GitCall } from '../../../shell/programs/git/call.ts'
import type { SimpleCommand } from '../../../shell/vocabulary/command.ts'
import { exactText } from '../../../shell/words/words.ts'
import { type Bypass, runsHooks } from './hook-options.ts'

/** Variables that disable hook managers, and the values that do so. */
const SKIPPING: readonly (readonly [name: RegExp, value: RegExp])[] = [
  [/^HUSKY$/, /^(?:0|false)$/i],
  [/^LEFTHOOK$/, /^(?:0|false)$/i],
  [
    /^(?:HUSKY_SKIP_HOOKS|SKIP_SIMPLE_GIT_HOOKS|OVERCOMMIT_DISABLE|PRE_COMMIT_ALLOW_NO_CONFIG)$/,
    /^(?!0$|false$|$)/i,
  ],
  [/^(?:SKIP|LEFTHOOK_EXCLUDE|LEFTHOOK_SKIP|SKIP_HOOKS|SKIP_GIT_HOOKS|SKIP_PREFLIGHT_CHECK)$/, /./],
  [/^GIT_CONFIG_(?:KEY_\d+|PARAMETERS)$/, /hookspath/i],
]

/** A value that is known only at run time counts as disabling. */
const UNKNOWN = 'hookspath'

export function bypassByEnvironment(
  call: GitCall,
  assignments: SimpleCommand['assignments'],
  exported: ReadonlyMap<string, string>,
): Bypass | undefined {
  if (!runsHooks(call)) return undefined
  const own = assignments.map(({ name, value }) => [name, exactText(value) ?? UNKNOWN] as const)
  const found = [...exported, ...own].find(([name, value]) =>
    SKIPPING.some(([names, values]) => names.test(name) && values.test(value)),
  )
  return found === undefined ? undefined : { what: `the variable ${found[0]}` }
}

/** Variables that the command line exports to later programs, or starts a shell with. */
export function exportedIn(commands: readonly SimpleCommand[]): ReadonlyMap<string, string> {
  const given = commands
    .filter(({ name }) => /^(?:ba|da|z|k)?sh$/.test(name ?? ''))
    .flatMap(({ assignments }) =>
      assignments.map(({ name, value }) => [name, exactText(value) ?? ''] as const),
    )
  const words = commands.filter(({ name }) => name === 'export').flatMap(({ args }) => args)
  return new Map([
    ...given,
    ...words.flatMap((word): readonly [string, string][] => {
      const [, name, value] = /^(\w+)=(.*)$/s.exec(exactText(word) ?? '') ?? []
      return name === undefined ? [] : [[name, value ?? '']]
    }),
  ])
}
