import { stripVTControlCharacters } from 'node:util'
import type { Screen } from '../tools/report/terminal.ts'
import { cellsOf } from '../tools/report/terminal-width.ts'
import type { Caller, CallerOutput } from './caller.ts'
import { visible } from './visible.ts'

const COLUMNS_OTHERWISE = 100

/** The terminal that reports are shown on. */
export function reportScreen({ stdout, colours }: Pick<Caller, 'stdout' | 'colours'>): Screen {
  const { red, yellow, green, blue, dim, bold } = colours
  return {
    columns: stdout.columns ?? COLUMNS_OTHERWISE,
    colour: { deny: red, ask: yellow, allow: green, pass: dim, plain: blue, dim, bold },
    visible: (text) => visible(text, 200),
  }
}

/** How wide lines may be: the terminal's width. Not wrapped: text for a pipe or a file, or for a terminal without a size. */
export function screenWidth({ columns }: Pick<CallerOutput, 'columns'>): number {
  return Math.max(WIDTH_MIN, columns || Number.POSITIVE_INFINITY)
}

const WIDTH_MIN = 40
const COLOUR_CODE = String.raw`\u001b\[\d+m`

/**
 * A text in lines that fit the screen. `first` begins the first line; the others are indented to stand below it.
 * A word that is longer than a line is not cut, so that paths can be copied.
 */
export function foldedText(text: string, first: string, width: number): string {
  const indent = ' '.repeat(Math.min(cellsIn(first), Math.floor(width / 2)))
  const lines: string[] = []
  let line = first
  let isEmpty = true
  for (const word of text.split(/[ \n]+/)) {
    if (!isEmpty && cellsIn(line) + 1 + cellsIn(word) > width) {
      lines.push(line)
      line = indent
      isEmpty = true
    }
    line = isEmpty ? `${line}${word}` : `${line} ${word}`
    isEmpty = false
  }
  return [...lines, line].join('\n')
}

/** Text of several lines, each wrapped below its own indentation or its label. Lines that fit stay as they are. */
export function fitted(text: string, width: number): string {
  return text
    .split('\n')
    .map((line) => {
      if (cellsIn(line) <= width) return line
      const [first = ''] = LABEL.exec(line) ?? []
      return foldedText(line.slice(first.length), first, width)
    })
    .join('\n')
}

/** Indentation, and one or two words with their colours if spaces follow them: `  does      `, `  set in    `. */
const LABEL = new RegExp(
  `^ *(?:(?:${COLOUR_CODE})*[^ ]+(?: [^ ]+)?(?:${COLOUR_CODE})* {2,}(?:${COLOUR_CODE})* *)?`,
)

/** A line for people: at a terminal it is wrapped and paths are short, in a pipe it is left as it is. */
export function say(caller: Caller, text: string): void {
  const { stdout } = caller
  const [indent = ''] = /^ */.exec(text) ?? []
  const shown = stdout.isTTY ? foldedText(tilde(caller, text.trimStart()), indent, screenWidth(stdout)) : text
  stdout.write(`${shown}\n`)
}

/** Paths below the user's home, as people write them. */
export function tilde({ userHome }: Pick<Caller, 'userHome'>, text: string): string {
  return userHome === '/' ? text : text.replaceAll(`${userHome}/`, '~/')
}

/** A name in a column of its own, and a text next to it. */
export function labelled(name: string, text: string, width: number): string {
  return foldedText(text, `${name}${' '.repeat(Math.max(1, LABEL_CELLS - cellsIn(name)))}`, width)
}

const LABEL_CELLS = 11

/** `plural(1, 'guard')` is "1 guard", `plural(2, 'guard')` is "2 guards". */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

function cellsIn(text: string): number {
  return cellsOf(stripVTControlCharacters(text))
}
