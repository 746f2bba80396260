import { guardText, PACKS } from './guard.mjs'
import { constantFor, isId, keyFor, textOf, titleFor, withLine } from './names.mjs'

/**
 * The files of a new built-in pack with one guard, as texts by their paths; or the problem.
 *
 * @example
 * newPack(['billing'], repository)
 * // { files: { 'src/policy/packs/billing/pack.ts': …, … }, next: […] }
 * @type {import('./kinds.mjs').NewSkeleton}
 */
export function newPack([id = ''], repository) {
  if (!isId(id)) return { problem: 'Name a pack in small letters: npm run new pack <name>' }
  const folder = `${PACKS}/${id}`
  if (repository.read(`${folder}/pack.ts`) !== undefined) {
    return { problem: `${id} is a pack already: ${folder}/pack.ts. Change it there.` }
  }
  const guard = `${id}/example-call`
  const constant = constantFor(`${id}-example-call`, 'guard')
  const line = `${keyFor(id)}: async () => (await import('./${id}/pack.ts')).pack,`
  return {
    files: {
      [`${folder}/pack.ts`]: packText(id, constant),
      [`${folder}/example-call.ts`]: guardText(guard, constant, '../../../'),
      [`${folder}/pack.test.ts`]: testText(),
      [`${PACKS}/index.ts`]: withLine(textOf(repository, `${PACKS}/index.ts`), 'PACKS', line),
    },
    next: [
      `1. Say in ${folder}/pack.ts what the pack is for. Rename and write its guard, ${folder}/example-call.ts.`,
      `2. Add more: npm run new guard ${id}/<name>`,
      `3. Run: npm test -- ${folder}`,
      '4. Run: npm run generate, commit docs/guards and schema, and add a row to "What is guarded" in README.md.',
    ],
  }
}

/**
 * @param {string} id
 * @param {string} constant
 */
function packText(id, constant) {
  return `import type { Pack } from '../../../core/guard.ts'
import { ${constant} } from './example-call.ts'

export const pack: Pack = {
  id: '${id}',
  title: '${titleFor(id)}: say here what the pack is for',
  guards: [${constant}],
}
`
}

function testText() {
  return `import { guardContract } from '../guard.contract.ts'
import { pack } from './pack.ts'

for (const guard of pack.guards) guardContract(guard)
`
}
