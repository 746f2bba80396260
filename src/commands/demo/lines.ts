import type { PlayedEffect, ReplyShown, Shown } from './session.ts'

/** The output of the demo: functions from values to text. */

type Paint = (text: string) => string

export interface DemoScreen {
  readonly columns: number
  readonly colour: Readonly<Record<'red' | 'yellow' | 'green' | 'cyan' | 'dim' | 'bold', Paint>>
}

export interface Played extends Shown, ReplyShown {
  readonly tookMs: number
}

const COLOURS: Readonly<Record<PlayedEffect, keyof DemoScreen['colour']>> = {
  pass: 'green',
  allow: 'green',
  ask: 'yellow',
  deny: 'red',
  mask: 'cyan',
}
const VERDICT_COLUMNS = 6
const TIME_COLUMNS = 7
/** Wide enough for every event with a common tool; a longer name moves what follows. */
const EVENT_COLUMNS = 20
const FACT_COLUMNS = 10

/** Decision, time, event and subject in columns; below them, the whole reason. */
export function eventLines(played: Played, { columns, colour }: DemoScreen): string {
  const { verdict, tookMs, name, subject, reason } = played
  const isCalm = verdict === 'pass' || verdict === 'allow'
  const time = milliseconds(tookMs).padStart(TIME_COLUMNS)
  const event = name.padEnd(EVENT_COLUMNS)
  const head = `${colour[COLOURS[verdict]](verdict.padEnd(VERDICT_COLUMNS))}${colour.dim(time)}  ${event}`
  const lines = hanging(head, VERDICT_COLUMNS + TIME_COLUMNS + 2 + event.length, subject, columns, (line) =>
    isCalm ? line : colour.bold(line),
  )
  return text([...lines, ...(reason === '' ? [] : hanging(REASON_INDENT, VERDICT_COLUMNS, reason, columns))])
}

const REASON_INDENT = ' '.repeat(VERDICT_COLUMNS)

/** A fact about the run, with its name on the left. */
export function factLines(name: string, fact: string, { columns, colour }: DemoScreen): string {
  return text(hanging(`  ${colour.dim(name.padEnd(FACT_COLUMNS))}`, 2 + FACT_COLUMNS, fact, columns))
}

/** A file as it is: indented, never wrapped. */
export function fileLines(content: string, { colour }: DemoScreen): string {
  const lines = content.trimEnd().split('\n')
  return text(['', ...lines.map((line) => colour.cyan(`  ${line}`)), ''])
}

export function sentence(words: string, { columns }: DemoScreen): string {
  return text(wrap(words, columns))
}

/** What the journal has about the session. */
export interface Recorded {
  readonly events: number
  readonly denied: number
  readonly asked: number
  readonly isIntact: boolean
  /** Which guards and rules stopped or asked, and how often. */
  readonly because: readonly {
    readonly effect: 'deny' | 'ask'
    readonly id: string
    readonly count: number
  }[]
}

export function journalLines(recorded: Recorded, screen: DemoScreen): string {
  const { events, denied, asked, isIntact, because } = recorded
  const chain = isIntact ? 'The hash chain is intact.' : 'The hash chain is broken.'
  const total = `The journal has ${events} events of this session: ${denied} stopped, ${asked} asked. ${chain}`
  const rows = because.map(({ effect, id, count }) => {
    const word = screen.colour[COLOURS[effect]](effect.padEnd(VERDICT_COLUMNS))
    return `  ${word}${String(count).padStart(2)}  ${id}`
  })
  return text(['', ...wrap(total, screen.columns), '', ...rows])
}

/** The median time of each program; undefined if there is none. */
export interface Speed {
  readonly hookMs: number | undefined
  readonly trueMs: number | undefined
  readonly trueProgram: string
  readonly calls: number
}

export function speedLines(speed: Speed, { columns, colour }: DemoScreen): string {
  const { hookMs, trueMs, trueProgram, calls } = speed
  if (hookMs === undefined) return ''
  const row = (name: string, figure: string, note: string) => {
    const head = `  ${colour.dim(name.padEnd(FACT_COLUMNS))}${colour.bold(figure.padStart(TIME_COLUMNS))}  `
    return hanging(head, 2 + FACT_COLUMNS + TIME_COLUMNS + 2, note, columns)
  }
  const call = row('call', milliseconds(hookMs), `median of ${calls} calls`)
  if (trueMs === undefined) return text(['', ...call])
  const started = `to start a program that does nothing (${trueProgram})`
  const nothing = row('true', milliseconds(trueMs), started)
  const note = 'as long as that. Node.js starts both, and both times include it.'
  return text(['', ...call, ...nothing, ...row('ratio', `${(hookMs / trueMs).toFixed(1)}x`, note)])
}

/** A command to run, in parts that may be on separate lines, and what it does. */
export interface DemoStep {
  readonly command: readonly string[]
  readonly does: string
}

export function nextLines(steps: readonly DemoStep[], { columns, colour }: DemoScreen): string {
  const lines = steps.flatMap(({ command, does }) => {
    const whole = `  ${command.join(' ')}`
    // Broken so that both lines can be pasted into a shell.
    const typed = whole.length <= columns ? [whole] : `  ${command.join(' \\\n    ')}`.split('\n')
    return [...typed.map(colour.cyan), `      ${does}`]
  })
  return text(['', colour.bold('What to type next'), '', ...lines])
}

export function milliseconds(ms: number): string {
  return `${ms.toFixed(ms < 100 ? 1 : 0)} ms`
}

const asIs: Paint = (line) => line

/** Text after a heading that takes `used` columns; further lines start below the first word. */
function hanging(head: string, used: number, words: string, columns: number, paint: Paint = asIs): string[] {
  const [first, ...rest] = wrap(words, columns - used)
  if (first === undefined) return [head.trimEnd()]
  return [head + paint(first), ...rest.map((line) => ' '.repeat(used) + paint(line))]
}

/** A word longer than a line is not broken, so that it can be copied. */
function wrap(words: string, width: number): string[] {
  const lines: string[] = []
  for (const word of words.split(/\s+/).filter((each) => each !== '')) {
    const last = lines.at(-1)
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines
}

function text(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('')
}
