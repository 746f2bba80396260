import { type LineFile, putFile } from '../expand/line-files.ts'
import type { Shell } from '../expand/state.ts'
import { programOf } from '../programs/index.ts'
import type { Redirection, SimpleCommand } from '../vocabulary/command.ts'
import { isFileOperand } from '../words/standard-input.ts'
import type { Form } from '../words/words.ts'

/** `> file`: what the commands print; `output` is undefined when that is not known. */
export function writeOutput(
  redirections: readonly Redirection[],
  output: readonly Form[] | undefined,
  from: readonly SimpleCommand[],
  shell: Shell,
): void {
  for (const { operator, target, descriptor } of redirections) {
    if (!TO_FILE.test(operator) || (descriptor ?? 1) !== 1) continue
    if (output === undefined && shell.files.size === 0 && from.length > 0 && from.every(copies)) continue
    putFile(shell, target, contentOf(output, from), operator.endsWith('>>'))
  }
}

const TO_FILE = /^(>|>>|>\||&>|&>>)$/

export function writesOutput(
  redirections: readonly { readonly operator: string; readonly descriptor?: number | undefined }[],
): boolean {
  return redirections.some(({ operator, descriptor }) => TO_FILE.test(operator) && (descriptor ?? 1) === 1)
}

/**
 * What comes out is what stood in a file before, or less of it: `tr -d '\\r' < a.sh > b.sh`. To run that is to run a script
 * like any other, as long as this line wrote no part of it.
 */
function copies({ name, args, redirections }: SimpleCommand): boolean {
  const given = redirections.filter(({ operator }) => operator.startsWith('<'))
  return given.every(({ target }) => isFileOperand(target)) && programOf(name)?.copiesOut?.(args) === true
}

/** What the commands print, as the content of a file; `forms` is undefined when that is not known. */
export function contentOf(forms: readonly Form[] | undefined, from: readonly SimpleCommand[]): LineFile {
  if (forms !== undefined) return { kind: 'text', forms }
  return { kind: from.some(({ name }) => programOf(name)?.fetches === true) ? 'fetched' : 'unknown' }
}
