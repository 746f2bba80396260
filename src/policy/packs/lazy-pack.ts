import type { Pack } from '../../core/guard.ts'

/**
 * A pack whose files are run when something other than its name is asked for. The build puts these in the place of packs
 * that are off unless a configuration names them (scripts/lazy-packs.mjs): a plan needs the names of all packs, and the
 * guards of those that are on. The getters are its own, so a copy has everything.
 */
export function lazyPack(
  known: Pick<Pack, 'id' | 'title'>,
  keys: readonly (keyof Pack)[],
  load: () => Pack,
): Pack {
  const later = keys.map((key) => [key, { enumerable: true, get: () => load()[key] }] as const)
  return Object.defineProperties({ ...known }, Object.fromEntries(later)) as Pack
}
