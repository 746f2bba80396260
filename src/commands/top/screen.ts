import type { CallerOutput } from '../caller.ts'

/** The whole terminal, redrawn without flicker: only lines that changed are written, in one write. */
export interface TopScreen {
  readonly size: { readonly rows: number; readonly columns: number }
  draw(lines: readonly string[]): void
  /** After a change of the size, or when another program wrote to the terminal. */
  clear(): void
  close(): void
}

const ALTERNATE = ['\u001b[?1049h\u001b[?25l', '\u001b[?25h\u001b[?1049l'] as const
/** Terminals that know it show all changes of a frame at once; others ignore it. */
const FRAME = ['\u001b[?2026h', '\u001b[?2026l'] as const
const ROWS_OTHERWISE = 24
const COLUMNS_OTHERWISE = 80

export function openScreen(out: CallerOutput): TopScreen {
  let before: readonly string[] = []
  out.write(ALTERNATE[0])
  const size = () => ({ rows: out.rows || ROWS_OTHERWISE, columns: out.columns || COLUMNS_OTHERWISE })
  return {
    get size() {
      return size()
    },
    draw(lines) {
      const { rows } = size()
      const frame = Array.from({ length: rows }, (_, at) => lines[at] ?? '')
      const changed = frame.flatMap((line, at) =>
        line === before[at] ? [] : [`\u001b[${at + 1};1H\u001b[0m${line}\u001b[0m\u001b[K`],
      )
      before = frame
      if (changed.length > 0) out.write(`${FRAME[0]}${changed.join('')}${FRAME[1]}`)
    },
    clear() {
      before = []
      out.write('\u001b[2J')
    },
    close() {
      out.write(ALTERNATE[1])
    },
  }
}
