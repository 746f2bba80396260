/** Skills that have a pack of rules: whoever says that one is active wants them. */
const PACK_OF_SKILL: Readonly<Record<string, string>> = { mux: 'mux', 'mux-subagent': 'mux' }

/** The same skill by other rules: where these are chosen, the usual ones are not added. */
const INSTEAD_OF: Readonly<Record<string, string>> = { mux: 'mux-legacy' }

/** The packs of the skills a caller names. */
export function packsOfSkills(skills: readonly string[]): readonly string[] {
  const packs = skills.flatMap((skill) =>
    Object.hasOwn(PACK_OF_SKILL, skill) ? [PACK_OF_SKILL[skill] ?? ''] : [],
  )
  return [...new Set(packs)]
}

/** Those of them that are neither on already nor replaced. */
export function packsToAdd(wished: readonly string[], on: ReadonlySet<string>): readonly string[] {
  return wished.filter((pack) => !on.has(pack) && !on.has(INSTEAD_OF[pack] ?? pack))
}
