/** Skills that have a pack of rules. The pack is added if the caller says that the skill is active. */
const PACK_OF_SKILL: Readonly<Record<string, string>> = { mux: 'mux', 'mux-subagent': 'mux' }

/** Packs with different rules for the same skill: if one of these is enabled, the usual pack is not added. */
const INSTEAD_OF: Readonly<Record<string, string>> = { mux: 'mux-legacy' }

/** The packs of the skills that a caller names. */
export function packsOfSkills(skills: readonly string[]): readonly string[] {
  const packs = skills.flatMap((skill) =>
    Object.hasOwn(PACK_OF_SKILL, skill) ? [PACK_OF_SKILL[skill] ?? ''] : [],
  )
  return [...new Set(packs)]
}

/** The packs that are neither enabled nor replaced. */
export function packsToAdd(wished: readonly string[], on: ReadonlySet<string>): readonly string[] {
  return wished.filter((pack) => !on.has(pack) && !on.has(INSTEAD_OF[pack] ?? pack))
}
