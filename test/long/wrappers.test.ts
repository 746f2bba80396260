import { guardInEveryForm } from '../../src/policy/packs/guard.contract.ts'
import { PACKS } from '../../src/policy/packs/index.ts'

/** `npm test` tries one wrapper for each example. */
const packs = await Promise.all(Object.values(PACKS).map((load) => load()))
for (const guard of packs.flatMap((pack) => pack.guards)) guardInEveryForm(guard)
