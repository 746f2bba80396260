import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { SDK_ABILITIES, type SdkAbility } from './adapter.ts'
import { aiSdk, TOOL_KINDS } from './ai/adapter.ts'
import { claudeAgentSdk } from './claude-agent/adapter.ts'
import { OPENAI_TOOL_KINDS, openaiAgentsSdk } from './openai-agents/adapter.ts'

const path = join(import.meta.dirname, '..', '..', 'docs', 'guide', 'sdk.md')
const ADAPTERS = [aiSdk, claudeAgentSdk, openaiAgentsSdk]

/** The table as the adapters declare it. */
function table(): string {
  const rows = (Object.keys(SDK_ABILITIES) as SdkAbility[]).map((ability) => {
    const cells = ADAPTERS.map(({ abilities }) => `**${abilities[ability].can}**: ${abilities[ability].how}`)
    return `| ${[SDK_ABILITIES[ability], ...cells].join(' | ')} |`
  })
  const head = [
    `| | ${ADAPTERS.map(({ title }) => title).join(' | ')} |`,
    `|${'---|'.repeat(ADAPTERS.length + 1)}`,
  ]
  return [...head, ...rows, ''].join('\n')
}

interface ToolKind {
  readonly tool: string
  readonly before: string
  readonly after: string
  readonly note: string
}

/** The table of the kinds of tools of an SDK. */
function kinds(declared: Readonly<Record<string, ToolKind>>): string {
  const rows = Object.values(declared).map(
    ({ tool, before, after, note }) => `| ${tool} | ${before} | ${after} | ${note} |`,
  )
  return [KINDS, '|---|---|---|---|', ...rows, ''].join('\n')
}

const KINDS = '| tool | before it runs | after | |'

describe('docs/guide/sdk.md', () => {
  it.each([
    ['in the AI SDK', TOOL_KINDS],
    ['in the OpenAI Agents SDK', OPENAI_TOOL_KINDS],
  ] as const)('has the table of tool kinds %s', (where, declared) => {
    const page = readFileSync(path, 'utf8')
    const start = page.indexOf(KINDS, page.indexOf(`### Kinds of tools ${where}\n`))
    const end = page.indexOf('\n\n', start)
    const expected = `${page.slice(0, start)}${kinds(declared)}${page.slice(end + 1)}`
    if (process.env.HOLDPOINT_WRITE_DOCS === '1') writeFileSync(path, expected)
    expect(readFileSync(path, 'utf8'), 'run it with HOLDPOINT_WRITE_DOCS=1').toBe(expected)
  })

  it('has the table of abilities', () => {
    const page = readFileSync(path, 'utf8')
    const start = page.indexOf(`| | ${aiSdk.title} |`)
    const expected = `${page.slice(0, start)}${table()}`
    if (process.env.HOLDPOINT_WRITE_DOCS === '1') writeFileSync(path, expected)
    expect(start).toBeGreaterThan(0)
    expect(readFileSync(path, 'utf8'), 'run it with HOLDPOINT_WRITE_DOCS=1').toBe(expected)
  })

  it.each(ADAPTERS)('says how to import $title, and the version it is tested with', ({ id }) => {
    const page = readFileSync(path, 'utf8')
    expect(page).toContain(`\`holdpoint/sdk/${id}\``)
    expect(page).toContain(VERSIONS[id])
  })
})

const pinned = (file: string, list: 'dependencies' | 'devDependencies', name: string) => {
  const text = readFileSync(join(import.meta.dirname, '..', '..', file), 'utf8')
  const { [list]: packages } = JSON.parse(text) as Record<typeof list, Record<string, string>>
  return packages[name] ?? 'nothing'
}

const VERSIONS: Readonly<Record<string, string>> = {
  ai: pinned('package.json', 'devDependencies', 'ai'),
  'openai-agents': pinned('package.json', 'devDependencies', '@openai/agents'),
  'claude-agent': pinned('test/hosts/package.json', 'dependencies', '@anthropic-ai/claude-agent-sdk'),
}
