import { loadPacks } from '../config/compile.ts'
import { ownSource } from '../config/read-layer.ts'
import { INSTALLERS } from '../hosts/installers.ts'
import { guardPage } from '../policy/packs/guard-page.ts'
import { ENTRY_CHECKS } from './lint/entry-checks.ts'
import { CHECKS } from './lint/lint.ts'
import { lintPage } from './lint/lint-page.ts'
import { pluginFiles } from './plugin-files.ts'
import { testFileJsonSchema } from './policy-tests/schema.ts'

/** Every file that is generated from the code, by its path in the repository. */
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
  const plugin = (await INSTALLERS['claude-code']?.())?.installer.plugin
  return new Map([
    ...(plugin === undefined ? [] : pluginFiles(plugin)),
    ['docs/guards/README.md', `${['# Guards', ...index].join('\n\n')}\n`],
    ...guards.map((guard) => [`docs/guards/${guard.id}.md`, guardPage(guard)] as const),
    ['docs/reference/lint.md', lintPage(CHECKS, ENTRY_CHECKS)],
    ['schema/policy-tests.schema.json', `${JSON.stringify(testFileJsonSchema(), null, 2)}\n`],
    ['schema/holdpoint.schema.json', `${JSON.stringify((await ownSource()).jsonSchema?.(), null, 2)}\n`],
  ])
}
