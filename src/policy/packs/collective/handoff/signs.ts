import { proseLines } from '../../../completion/markdown.ts'
import { normalise } from '../../../handoff/phrase.ts'
import type { CollectiveOptions } from '../options.ts'

const MARKERS: readonly RegExp[] = [
  /\bORCHESTRATION STATUS\b(.{0,200}?)\bCOMPLETED\b/i,
  /\bALL TASKS (?:HAVE BEEN )?SUCCESSFULLY COMPLETED\b/i,
  /\bPHASE\b(.{0,200}?)\bHAS BEEN COMPLETED\b/i,
]
const UNFINISHED = /\b(?:not|never|nothing|incomplete|partially|almost|nearly|once|when|until|if|before)\b/i

/** Whether the text says that a phase is complete. */
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
