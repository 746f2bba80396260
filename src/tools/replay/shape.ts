import { type Event, toolOf } from '../../core/event.ts'

const WORDS_MAX = 4

/**
 * What kind of call this is, so that like ones are counted together: the program, its subcommand and its options, without
 * the names and values that differ each time. `git push --force origin topic-7` is `git push --force …`.
 */
export function shapeOf(event: Event): string {
  const tool = toolOf(event)
  if (tool === undefined) return event.kind
  const { command } = tool.input
  if (typeof command !== 'string') return tool.name
  const [line = ''] = command.trim().slice(0, 1_000).split('\n', 1)
  const words = line.split(/\s+/).filter((word) => word !== '')
  const kept: string[] = []
  for (const word of words) {
    const plain = plainWord(word, kept.length)
    if (plain === undefined) {
      if (kept.at(-1) !== '…') kept.push('…')
    } else kept.push(plain)
    if (kept.length > WORDS_MAX) break
  }
  return `${tool.name}: ${kept.join(' ')}`
}

function plainWord(word: string, at: number): string | undefined {
  if (/^-{1,2}[A-Za-z][\w-]*/.test(word)) return word.split('=', 1)[0]
  if (/^[|&;<>()]+$/.test(word)) return word
  // The first two words are a program and what it is told to do; the rest are names.
  const name = at === 0 ? word.split('/').at(-1) : word
  return at < 2 && name !== undefined && /^[a-z][a-z-]{0,30}$/i.test(name) ? name : undefined
}
