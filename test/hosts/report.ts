import { AGENTS, CLAUDE_CODE_WITHOUT_ARGS, type HostId } from './agents.ts'
import type { Chapter } from './scenario.ts'
import type { OldScenario } from './scenarios/old-versions.ts'
import type { HttpScenario } from './scenarios/over-http.ts'

/** Builds docs/hosts/README.md from what the runs showed. It may not say anything that no run has shown. */

/** Stands in a cell whose scenario failed or did not run. */
export const NOT_SEEN = '(not seen)'

/** What was seen: by host, chapter and scenario. */
export type Sightings = ReadonlyMap<string, readonly string[]>

export function sightingKey(host: string, chapter: string, scenario: string): string {
  return JSON.stringify([host, chapter, scenario])
}

/** The heading of what was seen with `init --http`. */
export const OVER_HTTP = 'Claude Code, asked over HTTP'

export interface Played {
  readonly chapters: readonly Chapter[]
  readonly oldVersions: readonly OldScenario[]
  readonly overHttp: readonly HttpScenario[]
}

export function pageOf({ chapters, oldVersions, overHttp }: Played, sightings: Sightings): string {
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
    oneColumn('A program too old for `args` in a hook', oldTitle, oldVersions, (name) =>
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

# What the real programs do

Every cell was seen on the program itself, started headless with a scripted model on loopback, in a fresh home, with
Holdpoint installed by \`holdpoint init\`. "Not run" means that the file the command would have left is not there; what
"the model reads" is quoted from the program's next request to its model. Where an agent cannot do what a policy says,
the cell says what happens instead.
`

function cellOf(words: readonly string[] | undefined): string {
  return words === undefined ? NOT_SEEN : words.join('; ')
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}
