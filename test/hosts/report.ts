import { AGENTS, CLAUDE_CODE_WITHOUT_ARGS, type HostId } from './agents.ts'
import type { Chapter } from './scenario.ts'
import type { OldScenario } from './scenarios/old-versions.ts'
import type { HttpScenario } from './scenarios/over-http.ts'
import type { PluginScenario } from './scenarios/plugin.ts'

/** Builds docs/hosts/README.md from what the runs showed. It must not say anything that no run has shown. */

/** The text of a cell whose scenario failed or did not run. */
export const NOT_SEEN = '(not seen)'

/** What was seen: by host, chapter and scenario. */
export type Sightings = ReadonlyMap<string, readonly string[]>

export function sightingKey(host: string, chapter: string, scenario: string): string {
  return JSON.stringify([host, chapter, scenario])
}

/** The heading for runs with `init --http`. */
export const OVER_HTTP = 'Claude Code with hooks over HTTP'

/** The headings for runs with the plugin. */
export const PLUGIN_ALONE = 'Claude Code with the plugin, without hooks in a settings file'
export const PLUGIN_BESIDE = 'Claude Code with the plugin and the hooks of `init`'

export interface Played {
  readonly chapters: readonly Chapter[]
  readonly oldVersions: readonly OldScenario[]
  readonly overHttp: readonly HttpScenario[]
  readonly pluginAlone: readonly PluginScenario[]
  readonly pluginBeside: readonly PluginScenario[]
}

export function pageOf(played: Played, sightings: Sightings): string {
  const { chapters, oldVersions, overHttp, pluginAlone, pluginBeside } = played
  const hosts = Object.entries(AGENTS) as [HostId, (typeof AGENTS)[HostId]][]
  const titles = hosts.map(([, agent]) => agent.title)
  const tables = chapters.map(({ title, scenarios }) => {
    const rows = scenarios.map((scenario) => {
      const cells = hosts.map(([host]) => {
        const expected = scenario.expected[host]
        return 'cannot' in expected
          ? expected.cannot
          : cellOf(sightings.get(sightingKey(host, title, scenario.name)))
      })
      return row([scenario.name, ...cells])
    })
    return [
      `## ${title}`,
      '',
      row(['', ...titles]),
      row(['---', ...titles.map(() => '---')]),
      ...rows,
      '',
    ].join('\n')
  })
  const oldTitle = CLAUDE_CODE_WITHOUT_ARGS.title
  const apart = [
    oneColumn(`${OVER_HTTP} (\`init --http\`)`, AGENTS['claude-code'].title, overHttp, (name) =>
      sightings.get(sightingKey(OVER_HTTP, '', name)),
    ),
    ...(
      [
        [PLUGIN_ALONE, pluginAlone],
        [PLUGIN_BESIDE, pluginBeside],
      ] as const
    ).map(([heading, scenarios]) =>
      oneColumn(heading, AGENTS['claude-code'].title, scenarios, (name) =>
        sightings.get(sightingKey(heading, '', name)),
      ),
    ),
    oneColumn('An older Claude Code, without `args` in hooks', oldTitle, oldVersions, (name) =>
      sightings.get(sightingKey(oldTitle, '', name)),
    ),
  ]
  return [HEAD, ...tables, ...apart].join('\n')
}

function oneColumn(
  heading: string,
  title: string,
  scenarios: readonly { readonly name: string }[],
  seen: (name: string) => readonly string[] | undefined,
): string {
  const rows = scenarios.map(({ name }) => row([name, cellOf(seen(name))]))
  return [`## ${heading}`, '', row(['', title]), row(['---', '---']), ...rows, ''].join('\n')
}

const HEAD = `<!-- Written by \`npm run test:hosts\` with HOLDPOINT_WRITE_DOCS=1. Do not edit. -->

# Agents: what Claude Code and Codex do

The tables show what each agent does with the answer of a hook. Every cell was observed with the real program: it was started without
a person, in an empty home folder, with Holdpoint installed by \`holdpoint init\`. A scripted model on the same machine took the place
of the real one.

| in a cell | means |
| --- | --- |
| runs, not run, not written | whether the file that the command or edit leaves behind was there afterwards |
| the model reads \`…\` | quoted from the next request of the program to its model; an ellipsis marks text that is left out |
| becomes deny | the agent does not support this answer, so Holdpoint denies the call instead |
| held, let go | a hook blocked the agent when it wanted to stop; Holdpoint no longer blocks it |

If an agent cannot do what a policy says, the cell says what happens instead. **Bold** marks cases in which a call runs although a
policy would stop it.
`

function cellOf(words: readonly string[] | undefined): string {
  return words === undefined ? NOT_SEEN : words.join('; ')
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}
