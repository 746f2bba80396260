import type { Facts } from '../../../core/facts.ts'
import { BLOCKS_DEFAULT, type Contract } from '../../completion/contract.ts'
import { inspectFile, projectPath } from '../../completion/inspect-file.ts'
import { COORDINATOR, type PadOptions } from './options.ts'

/** What a sub-agent must deliver: its own entry of the day, with every section. */
export function agentContract({ folder, headings, limits }: PadOptions): Contract {
  const { minLines, maxLines } = limits
  const size = {
    ...(minLines === undefined ? {} : { minLines }),
    ...(maxLines === undefined ? {} : { maxLines }),
  }
  return contract('scratchpad', limits.blocks, {
    path: `${folder}/{agent_type}/{date}.md`,
    headings,
    ...size,
  })
}

/** What the coordinator must deliver: an entry of the day with any content, once other agents have written theirs. */
export function coordinatorContract({ folder, exclude, sinceSession, limits }: PadOptions): Contract {
  const file = { path: `${folder}/${COORDINATOR}/{date}.md`, signal: true }
  const others = { kind: 'pads', folder, file: '{date}.md', except: exclude, fresh: sinceSession } as const
  return { ...contract('scratchpad', limits.blocks, file), when: others }
}

function contract(id: string, blocks: number, file: Contract['files'][number]): Contract {
  return { id, files: [file], messages: [], commands: [], blocks: Math.max(1, blocks || BLOCKS_DEFAULT) }
}

export interface Entry {
  readonly path: string
  readonly lines: readonly string[]
}

/** An entry is named by its date. The newest entry has the highest date. */
const ENTRY = /^\d{4}-\d{2}-\d{2}\.md$/
/** An unreadable entry must not hide the entry before it. */
const TRIED_MAX = 5
const READ_MAX_BYTES = 1024 * 1024

export async function newestEntry(folder: string, facts: Facts): Promise<Entry | undefined> {
  const names = (await facts.list(projectPath(folder, facts))).filter((name) => ENTRY.test(name))
  for (const name of [...names].sort().reverse().slice(0, TRIED_MAX)) {
    const path = `${folder}/${name}`
    if ((await inspectFile(path, facts)).kind !== 'file') continue
    const text = await facts.readText(projectPath(path, facts), READ_MAX_BYTES)
    if (text === undefined || text.includes('\0') || text.trim() === '') continue
    return { path, lines: text.trimEnd().split(/\r\n|\r|\n/) }
  }
  return undefined
}

/** The beginning of an entry, and how much of it is left out. */
export function firstLines({ lines }: Entry, count: number): string {
  const cut = lines.length - count
  const note = cut > 0 ? [`(${cut} more ${cut === 1 ? 'line' : 'lines'})`] : []
  return [...lines.slice(0, count), ...note].join('\n')
}

/** The end of an entry: its last lines that are not empty. */
export function tailOf({ lines }: Entry, count: number): string {
  const said = lines.map((line) => line.trim()).filter((line) => line !== '')
  return count === 0 ? '' : said.slice(-count).join('\n')
}

/** Shown to the user if an agent may end because its entry has no valid path. */
export function unusableName(agentType: string): string {
  const name = JSON.stringify(agentType.slice(0, 80))
  return `The scratchpad of ${name} is not required, because this name cannot be a folder name.`
}
