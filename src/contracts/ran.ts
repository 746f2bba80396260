/** What became of a command that must succeed. */
export type Ran =
  | { readonly is: 'succeeded' }
  | { readonly is: 'failed'; readonly how: string; readonly said: string }
  /** Stopped at its own limit, or because the event itself may take no longer. */
  | {
      readonly is: 'late'
      readonly whose: 'own' | 'event'
      readonly afterMs: number
      readonly said: string
    }
  /** No time was left to start it. */
  | { readonly is: 'not run' }
  | { readonly is: 'untrusted' }

const LINES_MAX = 12
const LINE_MAX_CHARACTERS = 200

/** The end of a command's output as a reader wants it: no colours, no blank lines, no line that fills a page. */
export function lastWords(output: string): string {
  const lines = output
    .replace(ESCAPES, '')
    .split(/[\r\n]+/)
    .map((line) => line.replace(CONTROLS, '').trimEnd())
    .filter((line) => line.trim() !== '')
  return lines
    .slice(-LINES_MAX)
    .map((line) => (line.length > LINE_MAX_CHARACTERS ? `${line.slice(0, LINE_MAX_CHARACTERS)}…` : line))
    .join('\n')
}

const ESCAPES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|.)/g
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f]/g

/** What is missing, as one entry of a list; undefined: nothing. */
export function commandFault(run: string, ran: Ran | undefined): string | undefined {
  const name = `\`${run}\` must succeed`
  switch (ran?.is) {
    case 'succeeded':
      return undefined
    case 'failed':
      return `${name}: it ${ran.how}.${quoted(ran.said)}`
    case 'late':
      return `${name}: ${lateness(ran)}${quoted(ran.said)}`
    case 'untrusted':
      return `${name}, and it may not run: a person has to read it and run \`holdpoint trust\`.`
    default:
      return `${name}: there was no time left to run it after what stands above.`
  }
}

function lateness({ whose, afterMs }: Extract<Ran, { is: 'late' }>): string {
  const after = `${Math.max(1, Math.round(afterMs / 1000))} s`
  return whose === 'own'
    ? `it was stopped after ${after}, its limit.`
    : `it was stopped after ${after}, because a stop may not be held any longer for one answer; that counts as not succeeded. Make it faster, or run only a part.`
}

function quoted(said: string): string {
  return said === '' ? '' : ` It said last:\n${said.replace(/^/gm, '    ')}`
}
