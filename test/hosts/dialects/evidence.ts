import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../sandbox.ts'
import { BEHAVIOURS, type Behaviour } from './behaviours.ts'
import { PROGRAMS } from './programs/index.ts'

/** What was seen with which version and when, stored as data next to the page that is generated from it. */
export type Evidence = Readonly<Record<string, Readonly<Partial<Record<Behaviour, Seen>>>>>

export interface Seen {
  readonly version: string
  /** The day of the run. */
  readonly on: string
  readonly words: string
}

const FILE = join(ROOT, 'docs', 'hosts', 'evidence.json')
const PAGE = join(ROOT, 'docs', 'hosts', 'agents.md')

/** The file also has the last run of each agent in full depth, which no page shows: scripts/hosts/inputs.mjs. */
export function readEvidence(): Evidence {
  const all: Readonly<Record<string, object>> = existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : {}
  const behaviours = Object.entries(all).map(([host, of]) => [host, without(of, 'full')] as const)
  return Object.fromEntries(behaviours.filter(([, seen]) => Object.keys(seen).length > 0))
}

function without(all: object, name: string): object {
  return Object.fromEntries(Object.entries(all).filter(([key]) => key !== name))
}

export function writePage(evidence: Evidence): void {
  writeFileSync(PAGE, evidencePage(evidence))
}

export function evidencePage(evidence: Evidence): string {
  const tables = Object.entries(PROGRAMS).map(([host, program]) =>
    tableOf(NAMES[host] ?? host, (behaviour) => {
      const expected = program.expected[behaviour]
      const why = expected !== undefined && 'notProved' in expected ? `: ${expected.notProved}` : ''
      const seen = evidence[host]?.[behaviour]
      return seen === undefined ? `not proved${why} | ` : `${seen.words} | ${seen.version}, ${seen.on} `
    }),
  )
  const never = Object.values(NEVER_RUN).map((title) => tableOf(title, () => 'not proved | '))
  return [HEAD, ...tables, NEVER_HEAD, ...never].join('\n')
}

function tableOf(title: string, cells: (behaviour: Behaviour) => string): string {
  const behaviours = Object.keys(BEHAVIOURS) as Behaviour[]
  return [
    `## ${title}`,
    '',
    '| behaviour | seen | version and day |',
    '| --- | --- | --- |',
    ...behaviours.map((behaviour) => `| ${BEHAVIOURS[behaviour]} | ${cells(behaviour)}|`),
    '',
  ].join('\n')
}

/** Written from documentation and sources, because the programs cannot be installed here. */
export const NEVER_RUN: Readonly<Record<string, string>> = {
  cursor: 'Cursor',
  antigravity: 'Antigravity',
  vscode: 'VS Code',
}

const NEVER_HEAD = `## Agents that were never run

For these agents Holdpoint's tables come from documentation and sources. Nobody has seen them obey a hook, so \`holdpoint init\` installs
them only with \`--unproved\`, and \`status\` and \`doctor\` say "not proved". \`ask\` and a changed input become a deny there.
`

const NAMES: Readonly<Record<string, string>> = {
  copilot: 'GitHub Copilot CLI',
  grok: 'Grok Build',
  qwen: 'Qwen Code',
  gemini: 'Gemini CLI',
  droid: 'Droid',
  codebuddy: 'CodeBuddy Code',
  kimi: 'Kimi Code',
  goose: 'Goose',
  opencode: 'OpenCode',
  kilo: 'Kilo',
  pi: 'Pi',
  cline: 'Cline',
  openclaw: 'OpenClaw',
}

const HEAD = `<!-- Written by \`npm run test:hosts\` with HOLDPOINT_WRITE_EVIDENCE=1. Do not edit. -->

# More agents: what was seen

Every cell was observed with the real program, started without a person in an empty home folder, with Holdpoint installed by
\`holdpoint init\` and a scripted model on the same machine. "Not proved" means that nobody has seen it yet: do not rely on it.
[Claude Code and Codex](README.md) have a page of their own.
`
