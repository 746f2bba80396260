import type { SimpleCommand } from '../vocabulary/command.ts'
import type { ShellEffect } from '../vocabulary/effect.ts'
import { concatForms, exactForm, type Form, hasUnknown, isWhollyUnknown, textPiece } from '../words/words.ts'
import type { CodeOutcome } from './outcome.ts'
import { readInline } from './read.ts'

/** What code for another language does besides running commands: the files it names and the hosts it speaks to. */
export function inlineEffects(command: SimpleCommand): readonly ShellEffect[] {
  if (command.inline === undefined) return []
  const { outcomes } = readInline(command.inline, command.name ?? 'code')
  const folders: Form[] = []
  return outcomes.flatMap((outcome) => {
    if (outcome.kind === 'folder') folders.push(outcome.form)
    const effects = effectOf(outcome, command)
    return folders.length === 0 ? effects : [...effects, ...effects.flatMap((each) => entered(each, folders))]
  })
}

/** The same file, in the folders that the code may be in. */
function entered(effect: ShellEffect, folders: readonly Form[]): readonly ShellEffect[] {
  if (!('form' in effect) || /^[/~]/.test(effect.form[0]?.text ?? '')) return []
  return folders
    .filter((folder) => !isWhollyUnknown(folder))
    .map((folder) => ({ ...effect, form: concatForms(folder, [textPiece('/')], effect.form) }))
}

function effectOf(outcome: CodeOutcome, { cwd }: SimpleCommand): readonly ShellEffect[] {
  if (outcome.kind === 'net') return [{ kind: 'net', direction: outcome.direction, host: outcome.host }]
  if (outcome.kind !== 'file') return []
  const { access, form, recursive } = outcome
  // What is read or written under a name we do not know is the program's own business; what is deleted is not.
  if (isWhollyUnknown(form) && access !== 'delete') return []
  const unsure =
    access === 'delete' && hasUnknown(form)
      ? { unsure: 'what the code deletes is known only at run time' }
      : {}
  const deep = recursive ? { recursive } : {}
  return [{ kind: access, form, source: sourceOf(form), cwd, ...deep, ...unsure }]
}

function sourceOf(form: Form): string {
  return exactForm(form) ?? form.map((piece) => piece.text).join('')
}
