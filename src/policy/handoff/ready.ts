import { proseLines } from '../completion/markdown.ts'

export const READY = 'COLLECTIVE_HANDOFF_READY'

/** The marker on a separate line, outside code. Words such as "complete" in a report do not count. */
export function isReady(text: string): boolean {
  return proseLines(text).some((line) => !/^(?: {4}|\t)/.test(line) && plain(line) === READY)
}

/** Emphasis, a bullet or a full stop around the whole line is ignored. */
function plain(line: string): string {
  return line
    .trim()
    .replace(/^(?:[-*+] )?[*_]{0,3}/, '')
    .replace(/[*_]{0,3}[.!]?$/, '')
}
