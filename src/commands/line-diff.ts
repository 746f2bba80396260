import type { Colours } from './caller.ts'
import { visible } from './visible.ts'

/** One line of a difference; `gap` means lines that are the same in both texts. */
export interface DiffLine {
  readonly kind: 'same' | 'removed' | 'added' | 'gap'
  readonly text: string
}

const AROUND = 2
/** Above this number of line pairs the middle is shown as replaced: nobody would read a longer difference. */
const PAIRS_MAX = 1_000_000

/** The difference between two texts by lines, with a few lines of context. Empty for equal texts. */
export function lineDiff(before: string, after: string): readonly DiffLine[] {
  const [old, now] = [linesOf(before), linesOf(after)]
  let start = 0
  while (start < Math.min(old.length, now.length) && old[start] === now[start]) start += 1
  let end = 0
  const room = Math.min(old.length, now.length) - start
  while (end < room && old[old.length - 1 - end] === now[now.length - 1 - end]) end += 1
  const middle = changes(old.slice(start, old.length - end), now.slice(start, now.length - end))
  if (middle.length === 0) return []
  const same = (text: string): DiffLine => ({ kind: 'same', text })
  return folded([...old.slice(0, start).map(same), ...middle, ...old.slice(old.length - end).map(same)])
}

/** A line of a difference, as it is shown to a person. */
export function shownDiffLine({ kind, text }: DiffLine, { red, green }: Colours): string {
  if (kind === 'gap') return '    …'
  if (kind === 'same') return `    ${visible(text)}`
  return kind === 'removed' ? red(`  - ${visible(text)}`) : green(`  + ${visible(text)}`)
}

function linesOf(text: string): readonly string[] {
  const lines = text.split('\n')
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}

/** By the longest common subsequence. */
function changes(old: readonly string[], now: readonly string[]): readonly DiffLine[] {
  const removed = (text: string): DiffLine => ({ kind: 'removed', text })
  const added = (text: string): DiffLine => ({ kind: 'added', text })
  if (old.length * now.length > PAIRS_MAX) return [...old.map(removed), ...now.map(added)]
  const lengths = commonLengths(old, now)
  const width = now.length + 1
  const lines: DiffLine[] = []
  let [i, j] = [0, 0]
  while (i < old.length || j < now.length) {
    const [left, right] = [old[i], now[j]]
    if (left !== undefined && left === right) {
      lines.push({ kind: 'same', text: left })
      i += 1
      j += 1
    } else if (
      left !== undefined &&
      (right === undefined || (lengths[(i + 1) * width + j] ?? 0) >= (lengths[i * width + j + 1] ?? 0))
    ) {
      lines.push(removed(left))
      i += 1
    } else {
      lines.push(added(right ?? ''))
      j += 1
    }
  }
  return lines
}

/** At `i * width + j`: how many lines the rest from `i` and the rest from `j` have in common. */
function commonLengths(old: readonly string[], now: readonly string[]): Uint32Array {
  const width = now.length + 1
  const lengths = new Uint32Array((old.length + 1) * width)
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = now.length - 1; j >= 0; j -= 1) {
      lengths[i * width + j] =
        old[i] === now[j]
          ? (lengths[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(lengths[(i + 1) * width + j] ?? 0, lengths[i * width + j + 1] ?? 0)
    }
  }
  return lengths
}

function folded(lines: readonly DiffLine[]): readonly DiffLine[] {
  const near = new Set<number>()
  for (const [index, { kind }] of lines.entries()) {
    if (kind === 'same') continue
    for (let at = index - AROUND; at <= index + AROUND; at += 1) near.add(at)
  }
  return lines.flatMap((line, index): readonly DiffLine[] => {
    if (near.has(index)) return [line]
    return near.has(index - 1) || index === 0 ? [{ kind: 'gap', text: '' }] : []
  })
}
