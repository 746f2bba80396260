import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Abilities, Host } from '../../../src/core/host.ts'
import { HOSTS } from '../../../src/hosts/index.ts'
import { INSTALLERS } from '../../../src/hosts/installers.ts'
import { ROOT } from '../sandbox.ts'
import { type Evidence, readEvidence } from './evidence.ts'

/** The table of agents in README.md: what each declares, and the version and day on which it was seen. */

const FILE = join(ROOT, 'README.md')
const BLOCK = /(<!-- agents -->\n)[\s\S]*?(<!-- \/agents -->)/

export function readTable(): string | undefined {
  return BLOCK.exec(readFileSync(FILE, 'utf8'))?.[0]
}

export function writeTable(block: string): void {
  const text = readFileSync(FILE, 'utf8')
  const after = text.replace(BLOCK, () => block)
  if (after !== text) writeFileSync(FILE, after)
}

export async function agentsTable(evidence: Evidence = readEvidence()): Promise<string> {
  const rows = await Promise.all(Object.keys(INSTALLERS).map((id) => rowOf(id, evidence)))
  return [
    '<!-- agents -->',
    '| agent | deny | ask | rewrite | gate at the end | sub-agents | tried on |',
    '|---|---|---|---|---|---|---|',
    ...rows,
    '<!-- /agents -->',
  ].join('\n')
}

async function rowOf(id: string, evidence: Evidence): Promise<string> {
  const member = await HOSTS[id]?.()
  if (member === undefined) throw new Error(`There is no host "${id}".`)
  const { host } = member
  const before = host.events.PreToolUse
  const cells = [
    `[${host.title}](${PAGES.has(id) ? 'docs/hosts/README.md' : 'docs/hosts/agents.md'})`,
    before?.deny === true ? 'yes' : 'no',
    before?.ask === true ? 'yes' : 'denied instead',
    rewriteOf(before),
    host.events.Stop?.deny === true ? 'yes' : 'no',
    subagentsOf(id, host, evidence),
    triedOn(id, host, evidence),
  ]
  return `| ${cells.join(' | ')} |`
}

/** These agents have a separate page. */
const PAGES: ReadonlySet<string> = new Set(['claude-code', 'codex'])

function rewriteOf(can: Abilities | undefined): string {
  if (can?.rewrite === true) return 'yes'
  return can?.rewrite === 'with-allow' ? 'with allow' : 'denied instead'
}

/** An agent whose run showed everything except sub-agents has none. */
function subagentsOf(id: string, { limits = [] }: Host, evidence: Evidence): string {
  const seen = evidence[id]
  if (seen !== undefined && !('subagent' in seen)) return 'it has none'
  if (limits.some(({ kind, says }) => kind === 'unseen' && says.includes('sub-agent'))) return '**not seen**'
  return limits.some(({ kind }) => kind === 'identity') ? 'decided as the main agent' : 'yes'
}

function triedOn(id: string, { notProved }: Host, evidence: Evidence): string {
  if (notProved === true) return '**not proved**'
  const module = MODULES[id]
  if (module !== undefined) return versionIn(module)
  const seen = Object.values(evidence[id] ?? {})
  const newest = seen.toSorted((a, b) => (a.on < b.on ? 1 : -1))[0]
  return newest === undefined ? '**not proved**' : `${newest.version}, ${newest.on}`
}

/** Agents whose page is generated from a run with their pinned version. */
const MODULES: Readonly<Record<string, string>> = {
  'claude-code': '@anthropic-ai/claude-code',
  codex: '@openai/codex',
}

function versionIn(module: string): string {
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'test/hosts/package.json'), 'utf8'))
  return String(dependencies[module])
}
