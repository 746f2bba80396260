import { proseLines } from '../../../contracts/markdown.ts'
import type { CollectiveOptions } from '../options.ts'
import { normalise } from './phrase.ts'

export const READY = 'COLLECTIVE_HANDOFF_READY'

/** The marker on a line of its own, outside of code. Words like "complete" in a report are no sign of anything. */
export function isReady(text: string): boolean {
  return proseLines(text).some((line) => !/^(?: {4}|\t)/.test(line) && plain(line) === READY)
}

/** Emphasis, a bullet or a full stop around a whole line does not make it another line. */
function plain(line: string): string {
  return line
    .trim()
    .replace(/^(?:[-*+] )?[*_]{0,3}/, '')
    .replace(/[*_]{0,3}[.!]?$/, '')
}

const MARKERS: readonly RegExp[] = [
  /\bORCHESTRATION STATUS\b(.{0,200}?)\bCOMPLETED\b/i,
  /\bALL TASKS (?:HAVE BEEN )?SUCCESSFULLY COMPLETED\b/i,
  /\bPHASE\b(.{0,200}?)\bHAS BEEN COMPLETED\b/i,
]
const UNFINISHED = /\b(?:not|never|nothing|incomplete|partially|almost|nearly|once|when|until|if|before)\b/i

/** Whether the text says that a phase is over. */
export function endsPhase(text: string, { deploymentWords }: CollectiveOptions): boolean {
  const lines = proseLines(text)
    .filter((line) => !/^ {0,3}>|^(?: {4}|\t)/.test(line))
    .map(normalise)
  const isMarked = lines.some((line) =>
    MARKERS.some((marker) => {
      const match = marker.exec(line)
      if (match === null) return false
      const before =
        line
          .slice(0, match.index)
          .split(/[.!?;:]/)
          .at(-1) ?? ''
      return !UNFINISHED.test(match[1] ?? '') && !UNFINISHED.test(before)
    }),
  )
  if (!isMarked) return false
  const words = new Set(lines.flatMap((line) => line.toLowerCase().split(/[^\p{L}\p{N}-]+/u)))
  return !deploymentWords.some((word) => words.has(word.toLowerCase()))
}

export function isOrchestrator(agent: string, { orchestrators }: CollectiveOptions): boolean {
  return orchestrators.some((part) => agent.toLowerCase().includes(part.toLowerCase()))
}
