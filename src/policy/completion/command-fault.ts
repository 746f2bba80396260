import type { CommandOutcome } from '../../core/command.ts'

const LINES_MAX = 12
const LINE_MAX_CHARACTERS = 200

/** The end of a command's output in readable form: no colors, no blank lines, no overlong lines. */
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

/** What is missing, as one list entry. Undefined if nothing is missing. */
export function commandFault(run: string, ran: CommandOutcome | undefined): string | undefined {
  const name = `\`${run}\` must succeed`
  switch (ran?.kind) {
    case 'succeeded':
      return undefined
    case 'failed':
      return `${name}: it ${ran.how}.${quoted(ran.said)}`
    case 'late':
      return `${name}: ${lateness(ran)}${quoted(ran.said)}`
    case 'untrusted':
      return ran.why === undefined
        ? `${name}, but it is not trusted and was not run. A person has to read it and run \`holdpoint trust\`.`
        : `${name}, but it was not run: ${ran.why}`
    default:
      return `${name}: there was no time left to run it after the commands above.`
  }
}

function lateness({ whose, afterMs }: Extract<CommandOutcome, { kind: 'late' }>): string {
  const after = `${Math.max(1, Math.round(afterMs / 1000))} s`
  return whose === 'own'
    ? `it was stopped after ${after}, its time limit.`
    : `it was stopped after ${after}, because the host does not wait longer for one answer. This counts as failed. Make the command faster, or run only a part of it.`
}

function quoted(said: string): string {
  return said === '' ? '' : ` Last output:\n${said.replace(/^/gm, '    ')}`
}
