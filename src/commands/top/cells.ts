import { cellsOf } from '../../tools/report/terminal-width.ts'
import { visible } from '../visible.ts'

/** A piece of a line with its colour. Only these functions make text for the screen, so that nothing else gets there. */
export interface ScreenCell {
  readonly text: string
  readonly tone?: ScreenTone
}

export type ScreenTone = 'deny' | 'ask' | 'allow' | 'dim' | 'bold' | 'accent' | 'inverse'

/** Our own text: its spaces stay. */
export function own(text: string, tone?: ScreenTone): ScreenCell {
  return tone === undefined ? { text } : { text, tone }
}

/** Text from outside: nothing in it moves the cursor, and it stays on one line. */
export function cell(text: string, tone?: ScreenTone): ScreenCell {
  const flat = visible(text.replaceAll(/\s+/g, ' '), TEXT_MAX)
  return tone === undefined ? { text: flat } : { text: flat, tone }
}

const TEXT_MAX = 2_000

/** Exactly this wide: cut with a mark, or filled with spaces. */
export function fixedWidth({ text, tone }: ScreenCell, width: number): ScreenCell {
  const cut = cutTo(text, width)
  const padded = `${cut}${' '.repeat(Math.max(0, width - cellsOf(cut)))}`
  return tone === undefined ? { text: padded } : { text: padded, tone }
}

function cutTo(text: string, width: number): string {
  if (cellsOf(text) <= width) return text
  let [cut, used] = ['', 0]
  for (const sign of text) {
    const cells = cellsOf(sign)
    if (used + cells > width - 1) break
    cut += sign
    used += cells
  }
  return width <= 0 ? '' : `${cut}…`
}

const CODES: Readonly<Record<ScreenTone, readonly [number, number]>> = {
  deny: [31, 39],
  ask: [33, 39],
  allow: [32, 39],
  dim: [2, 22],
  bold: [1, 22],
  accent: [36, 39],
  inverse: [7, 27],
}

/** A line of the screen, at most `width` cells. `isSelected`: the whole line stands out. */
export function lineOf(
  cells: readonly ScreenCell[],
  width: number,
  colours: boolean,
  isSelected = false,
): string {
  let [out, used] = ['', 0]
  for (const { text, tone } of cells) {
    const cut = cutTo(text, width - used)
    used += cellsOf(cut)
    const [on, off] = tone === undefined ? [0, 0] : CODES[tone]
    out += tone === undefined || !colours ? cut : `\u001b[${on}m${cut}\u001b[${off}m`
  }
  if (!isSelected) return out
  const filled = `${out}${' '.repeat(Math.max(0, width - used))}`
  return colours ? `\u001b[7m${filled}\u001b[27m` : `>${out.slice(1)}`
}

/** Words in lines of at most this width. Nothing is left out: a word that is longer than a line is broken. */
export function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = []
  let line = ''
  for (const word of visible(text.replaceAll(/\s+/g, ' '), WRAPPED_MAX).split(' ')) {
    for (const piece of pieces(word, width)) {
      const next = line === '' ? piece : `${line} ${piece}`
      if (cellsOf(next) > width && line !== '') {
        lines.push(line)
        line = piece
      } else line = next
    }
  }
  return line === '' ? lines : [...lines, line]
}

/** More than any question has. */
const WRAPPED_MAX = 30_000

function pieces(word: string, width: number): readonly string[] {
  if (cellsOf(word) <= width) return [word]
  const signs = [...word]
  const step = Math.max(1, Math.floor(width / 2))
  return Array.from({ length: Math.ceil(signs.length / step) }, (_, at) =>
    signs.slice(at * step, (at + 1) * step).join(''),
  )
}
