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
      `${pack.title.replace(/\.$/, '')}.`,
      ['| guard | what it is about | mode at the level standard |', '|---|---|---|', ...rows].join('\n'),
    ].join('\n\n')
  })
  const plugin = (await INSTALLERS['claude-code']?.())?.installer.plugin
  return new Map([
    ...(plugin === undefined ? [] : pluginFiles(plugin)),
    ['docs/guards/README.md', `${['# Guards', INTRODUCTION, ...index].join('\n\n')}\n`],
    ...guards.map((guard) => [`docs/guards/${guard.id}.md`, guardPage(guard)] as const),
    ['docs/reference/lint.md', lintPage(CHECKS, ENTRY_CHECKS)],
    ['schema/policy-tests.schema.json', schemaText(testFileJsonSchema())],
    ['schema/holdpoint.schema.json', schemaText((await ownSource()).jsonSchema?.(packs) ?? {})],
  ])
}

/** A line for each part of a part, and no more spaces: a schema is read by programs, and is a hundred pages. */
function schemaText(schema: object): string {
  return `${inLines(schema, LINES_DEPTH)}\n`
}

const LINES_DEPTH = 3

function inLines(value: unknown, depth: number): string {
  if (depth === 0 || typeof value !== 'object' || value === null || Array.isArray(value)) {
    return JSON.stringify(value)
  }
  const parts = Object.entries(value).map(
    ([key, part]) => `${JSON.stringify(key)}:${inLines(part, depth - 1)}`,
  )
  return parts.length === 0 ? '{}' : `{\n${parts.join(',\n')}\n}`
}

const INTRODUCTION = `A *guard* is one built-in check. Guards come in *packs*, one for each section below. \`safety\` and \`secrets\` are on by default, and
\`self\` too after \`holdpoint init\`. To see which guards are on in your project, run \`npx holdpoint guards\`.

Each guard has a *mode*:

| mode | what happens |
|---|---|
| \`deny\` | the call is blocked, and the agent is told why and what to do instead |
| \`ask\` | you decide; an agent that cannot ask blocks the call |
| \`warn\` | the call continues. The guard may notify you, tell the agent something, or mask a secret |
| \`off\` | the guard is not used |

The *level* of a pack sets the modes of all its guards: \`standard\` (the default), \`strict\` or \`paranoid\`. To change the level or a single
mode, edit your user file, \`~/.config/holdpoint/config.yaml\`:

\`\`\`yaml
version: 1
packs:                 # name every pack that you want: this list replaces the default packs
  safety: { level: strict, guards: { safety/git/force-push: ask } }
  secrets: true
  self: true
\`\`\`

If several files configure a guard, the strictest mode applies. So a project file, \`.holdpoint/config.yaml\`, can make a guard stricter for
everyone who works on the project, but it cannot make it weaker than your user file. See [Configuration](../reference/configuration.md).

The page of a guard lists examples. Most of them are shell commands. Other calls and events are written as a name and JSON:

- \`Write {"file_path": "a.txt"}\` is a call of the tool \`Write\` with this input.
- \`Stop {…}\` is another event with its fields. After it comes everything else that the answer depends on: files and their content, \`options\`
  of the pack, what was \`remembered\` in the session, other \`agents\`, and commands that the guard ran.`
