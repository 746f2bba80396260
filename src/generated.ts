import { loadPacks } from './compile.ts'
import { CHECKS } from './lint/lint.ts'
import { lintPage } from './lint/lint-page.ts'
import { guardPage } from './packs/guard-page.ts'
import { testFileJsonSchema } from './policy-tests/schema.ts'
import { ownSource } from './read-layer.ts'

/** Every file that is made from the code, by its path in the repository. */
export async function generatedFiles(): Promise<ReadonlyMap<string, string>> {
  const packs = [...(await loadPacks()).values()]
  const guards = packs.flatMap((pack) => pack.guards)
  const index = packs.map((pack) => {
    const rows = pack.guards.map(
      (guard) => `| [${guard.id}](${guard.id}.md) | ${guard.title} | ${guard.modes.standard} |`,
    )
    return [
      `## ${pack.id}`,
      `${pack.title}`,
      ['| guard | the act | at level standard |', '|---|---|---|', ...rows].join('\n'),
    ].join('\n\n')
  })
  return new Map([
    ['docs/guards/README.md', `${['# Guards', ...index].join('\n\n')}\n`],
    ...guards.map((guard) => [`docs/guards/${guard.id}.md`, guardPage(guard)] as const),
    ['docs/reference/lint.md', lintPage(CHECKS)],
    ['schema/policy-tests.schema.json', `${JSON.stringify(testFileJsonSchema(), null, 2)}\n`],
    ['schema/holdpoint.schema.json', `${JSON.stringify((await ownSource()).jsonSchema?.(), null, 2)}\n`],
  ])
}
