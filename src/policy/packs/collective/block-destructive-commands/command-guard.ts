import type { Guard, GuardInput, GuardMatch } from '../../../../core/guard.ts'
import type { SimpleCommand } from '../../../../shell/vocabulary/command.ts'
import { exactForm, type Word } from '../../../../shell/words/words.ts'
import { shellOf, unreadableMatch } from '../../../analysis/shell-of.ts'
import { strongest } from '../../strongest.ts'
import { logNote } from '../log.ts'
import { readCollectiveOptions } from '../options.ts'

/** One pattern of the collective. It matches where the text is code or a path, never where it is data. */
export interface PatternGuard extends Pick<Guard, 'id' | 'title' | 'why' | 'instead' | 'examples'> {
  /** Words that make an unreadable command suspicious, and what such a command may do. */
  readonly mentions: RegExp
  readonly maybe: string
  /** What the command would do, as the end of a sentence after "this". */
  readonly find: (command: SimpleCommand, input: GuardInput) => CommandMatch | undefined
}

export interface CommandMatch {
  readonly caught: string
  readonly unsure?: string
}

export function patternGuard({ find, mentions, maybe, ...guard }: PatternGuard): Guard {
  return {
    ...guard,
    on: ['PreToolUse'],
    match: 'Bash',
    modes: { standard: 'deny', strict: 'deny', paranoid: 'deny' },
    onFailure: 'collective',
    check(input) {
      const { event, facts } = input
      const analysis = shellOf(event, facts)
      if (!analysis.judged)
        return logged(guard.id, unreadableMatch(event, analysis.why, mentions, maybe), input)
      const caught = strongest(analysis.commands, (command) => {
        const found = find(command, input)
        return found === undefined ? null : { ...found, fragment: command.fragment, detail: aboutIt(command) }
      })
      return logged(guard.id, caught, input)
    },
  }
}

function aboutIt({ name, via }: SimpleCommand) {
  return { via: [...via], ...(name === undefined ? {} : { program: name }) }
}

function logged(id: string, caught: GuardMatch | null, { facts, options }: GuardInput): GuardMatch | null {
  if (caught === null) return null
  const line = `${id}: ${caught.unsure === undefined ? '' : 'perhaps '}${caught.caught}`
  return {
    ...caught,
    notes: [logNote('block-destructive-commands', line, facts, readCollectiveOptions(options))],
  }
}

/** Every value that the word may have. Unknown parts match anything. */
export function textsOf(word: Word): readonly string[] {
  return word.forms.map((form) => exactForm(form) ?? form.map(({ text }) => text).join(''))
}
