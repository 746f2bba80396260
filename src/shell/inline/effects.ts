import type { SimpleCommand } from '../command.ts'
import type { Effect } from '../effect.ts'
import { exactForm, type Form, hasUnknown, isWhollyUnknown } from '../words.ts'
import type { Outcome } from './outcome.ts'
import { readInline } from './read.ts'

/** What code for another language does besides running commands: the files it names and the hosts it speaks to. */
export function inlineEffects(command: SimpleCommand): readonly Effect[] {
  if (command.inline === undefined) return []
  const { outcomes } = readInline(command.inline, command.name ?? 'code')
  return outcomes.flatMap((outcome) => effectOf(outcome, command))
}

function effectOf(outcome: Outcome, { cwd }: SimpleCommand): readonly Effect[] {
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
