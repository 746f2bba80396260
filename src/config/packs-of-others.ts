import { versionMistake } from '../core/define-pack.ts'
import type { ErrorCode, Problem } from '../core/errors.ts'
import type { Pack } from '../core/guard.ts'
import type { FailureKind, Rank } from '../core/hook.ts'
import type { FoundPack, HookEntry, Layer, PackEntry, PackModule } from '../core/layer.ts'
import { isProjectRank } from '../core/plan/plan.ts'
import { searchPath } from '../system/environment.ts'
import { neededHoldpoint } from '../system/pack-files.ts'
import { arePinned } from '../system/trust.ts'
import type { TrustedFiles } from '../system/trust-file.ts'
import type { ConfigScope } from './places.ts'
import { filesToPin } from './trust-pins.ts'

/**
 * Packs that come from a module or a package: each is looked up, compared with what a person trusted, and asked in a
 * process of its own what it guards. No code of an untrusted one is loaded.
 */
export async function withPacksOfOthers(
  layers: readonly Layer[],
  builtIn: ReadonlyMap<string, Pack>,
  trust: TrustedFiles,
  where: ConfigScope,
): Promise<readonly Layer[]> {
  if (!layers.some(({ packs }) => packs.some(({ from }) => from !== undefined))) return layers
  const isForbidden = layers.some(
    ({ rank, settings }) => rank === 'managed' && settings.projectCode === 'forbidden',
  )
  const taken = new Map<string, PackModule>()
  const result: Layer[] = []
  for (const layer of layers) {
    const packs: PackEntry[] = []
    for (const entry of layer.packs) {
      const { from } = entry
      if (from === undefined || entry.off === true) {
        packs.push(entry)
        continue
      }
      const found =
        refused(entry, layer, { builtIn, taken, isForbidden }) ??
        untrusted(entry, layer, trust, where) ??
        (await described(entry, from, where))
      if (found.kind === 'described') taken.set(entry.pack, from)
      packs.push({ ...entry, found })
    }
    result.push({ ...layer, packs })
  }
  return result
}

function refused(
  entry: PackEntry,
  { rank, trusted }: { readonly rank: Rank; readonly trusted: boolean },
  known: {
    readonly builtIn: ReadonlyMap<string, Pack>
    readonly taken: ReadonlyMap<string, PackModule>
    readonly isForbidden: boolean
  },
): FoundPack | undefined {
  const { pack, from } = entry
  if (known.isForbidden && isProjectRank(rank)) {
    const message = `Managed policy forbids code from projects, so the pack \`${pack}\` never runs.`
    const fix = 'Ask the administrator of this machine.'
    return failed('untrusted', entry, 'HOOK_UNTRUSTED', message, fix)
  }
  if (!trusted) return undefined
  const other = known.taken.get(pack)
  const isSame = other !== undefined && other.module === from?.module && other.root === from?.root
  if (known.builtIn.has(pack) || (other !== undefined && !isSame)) {
    const where = other === undefined ? 'a built-in pack' : `another file takes from ${other.module}`
    const message = `The pack \`${pack}\` from ${from?.module} has the name of ${other === undefined ? where : `a pack that ${where}`}.`
    return failed('import', entry, 'PACK_TAKEN', message)
  }
  return from?.module === ''
    ? failed('import', entry, 'PACK_FAILED', `\`from\` of the pack \`${pack}\` names no file and no package.`)
    : undefined
}

/** Never trusted: it does not run, with a notice. Changed since: nobody knows what it would have denied. */
function untrusted(
  entry: PackEntry,
  layer: Layer,
  trust: TrustedFiles,
  where: ConfigScope,
): FoundPack | undefined {
  const module = entry.from?.module ?? ''
  const never = `The pack \`${entry.pack}\` from ${module} is not trusted, so it does not run. To review it, run \`holdpoint trust\`.`
  // No text of a file that is not trusted reaches the model.
  if (!layer.trusted) return failed('untrusted', entry, 'HOOK_UNTRUSTED', UNREVIEWED)
  const files = packPrograms({ ...layer, packs: [entry] }).flatMap((program) => {
    return filesToPin(program, layer, where) ?? [UNCLEAR]
  })
  if (files.includes(UNCLEAR)) {
    const message = `The pack \`${entry.pack}\` from ${module} loads files whose names are computed, so it cannot be trusted.`
    const fix = 'Load files by names that stand in the code.'
    return failed('import', entry, 'HOOK_UNTRUSTED', message, fix)
  }
  const changed = files.filter((file) => !arePinned([file], trust))
  if (changed.length === 0) return undefined
  if (!files.some((file) => trust.has(file))) return failed('untrusted', entry, 'HOOK_UNTRUSTED', never)
  const named = changed.slice(0, 3).join(', ')
  const more = changed.length > 3 ? ` and ${changed.length - 3} more` : ''
  const message = `The pack \`${entry.pack}\` from ${module} is not what was trusted: ${named}${more}.`
  const fix = 'Read what changed, then run `holdpoint trust`.'
  return failed('import', entry, 'HOOK_UNTRUSTED', message, fix)
}

/** How long a pack that did not load in time is not tried again. */
const SLOW_FAILURE_MS = 60_000
const UNCLEAR = ''
const UNREVIEWED =
  'A pack of this file is not trusted, so it does not run. To review it, run `holdpoint trust`.'

async function described(entry: PackEntry, from: PackModule, { home }: ConfigScope): Promise<FoundPack> {
  const { pack } = entry
  const needs = versionMistake(neededHoldpoint(from.module, from.root))
  if (needs !== undefined) {
    return failed('import', entry, 'PACK_INVALID', `The pack \`${pack}\` from ${from.module} ${needs}`)
  }
  // The code that starts processes is loaded only for those who have such packs.
  const { askForDescription } = await import('../system/modules/describe-pack.ts')
  const said = await askForDescription(from, home.user, searchPath(home, undefined))
  if ('failure' in said) {
    const message = `The pack \`${pack}\` from ${from.module} cannot be used: ${said.message}`
    // A package that it needs may be installed later, or the machine was too busy: nothing that is watched changes then.
    // Waiting for it again at every call would stop all work, so a slow failure is kept for a while.
    const isSlow = said.failure === 'timeout'
    const fix = isSlow ? 'It is tried again in a minute, and at once if one of its files changes.' : undefined
    return { ...failed('import', entry, 'PACK_FAILED', message, fix), keepMs: isSlow ? SLOW_FAILURE_MS : 0 }
  }
  if (said.id !== pack) {
    const message = `The pack from ${from.module} has the id \`${said.id}\`, not \`${pack}\`.`
    return failed('import', entry, 'PACK_INVALID', message, `Write it as \`${said.id}\` below \`packs\`.`)
  }
  return { kind: 'described', pack: said }
}

function failed(
  failure: FailureKind,
  { origin }: PackEntry,
  code: ErrorCode,
  message: string,
  fix?: string,
): Extract<FoundPack, { kind: 'failed' }> {
  const severity = failure === 'untrusted' ? ({ severity: 'warning' } as const) : {}
  const problem: Problem = { code, message, ...origin, ...severity, ...(fix === undefined ? {} : { fix }) }
  return { kind: 'failed', failure, problem }
}

/** The modules of packs as entries that start a program, for everything that asks which files must be trusted. */
export function packPrograms({ packs }: Pick<Layer, 'packs'>): readonly HookEntry[] {
  return packs.flatMap(({ pack, from, off, origin }): readonly HookEntry[] => {
    if (from === undefined || off === true) return []
    const run = { type: 'pack', pack, ...from }
    return [{ on: ['PreToolUse'], match: {}, actor: {}, run, origin }]
  })
}
