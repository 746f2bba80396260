import { BLOCKS_DEFAULT, type Contract } from '../../contracts/contract.ts'
import { inProject, lookAt } from '../../contracts/look.ts'
import type { Facts } from '../../facts.ts'
import { COORDINATOR, type PadOptions } from './options.ts'

/** What a sub-agent agrees to: its own entry of the day, with every section. */
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

/** What the coordinator agrees to: an entry of the day, whatever stands in it, once others have left theirs. */
export function coordinatorContract({ folder, exclude, sinceSession, limits }: PadOptions): Contract {
  const file = { path: `${folder}/${COORDINATOR}/{date}.md`, signal: true }
  const others = { is: 'pads', folder, file: '{date}.md', except: exclude, fresh: sinceSession } as const
  return { ...contract('scratchpad', limits.blocks, file), when: others }
}

function contract(id: string, blocks: number, file: Contract['files'][number]): Contract {
  return { id, files: [file], messages: [], commands: [], blocks: Math.max(1, blocks || BLOCKS_DEFAULT) }
}

export interface Entry {
  readonly path: string
  readonly lines: readonly string[]
}

/** An entry is named by its date; the newest is the one with the highest. */
const ENTRY = /^\d{4}-\d{2}-\d{2}\.md$/
/** An entry that cannot be read must not hide the one before it. */
const TRIED_MAX = 5
const READ_MAX_BYTES = 1024 * 1024

export async function newestEntry(folder: string, facts: Facts): Promise<Entry | undefined> {
  const names = (await facts.list(inProject(folder, facts))).filter((name) => ENTRY.test(name))
  for (const name of [...names].sort().reverse().slice(0, TRIED_MAX)) {
    const path = `${folder}/${name}`
    if ((await lookAt(path, facts)).is !== 'file') continue
    const text = await facts.readText(inProject(path, facts), READ_MAX_BYTES)
    if (text === undefined || text.includes('\0') || text.trim() === '') continue
    return { path, lines: text.trimEnd().split(/\r\n|\r|\n/) }
  }
  return undefined
}

/** The beginning of an entry, and how much of it is not shown. */
export function headOf({ lines }: Entry, count: number): string {
  const cut = lines.length - count
  const note = cut > 0 ? [`(${cut} more ${cut === 1 ? 'line' : 'lines'})`] : []
  return [...lines.slice(0, count), ...note].join('\n')
}

/** The end of an entry: its last lines that say something. */
export function tailOf({ lines }: Entry, count: number): string {
  const said = lines.map((line) => line.trim()).filter((line) => line !== '')
  return count === 0 ? '' : said.slice(-count).join('\n')
}
