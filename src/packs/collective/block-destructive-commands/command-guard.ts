import type { SimpleCommand } from '../../../shell/command.ts'
import { exactForm, type Word } from '../../../shell/words.ts'
import type { Caught, Guard, GuardInput } from '../../guard.ts'
import { shellOf, unreadable } from '../../shell-of.ts'
import { strongest } from '../../strongest.ts'
import { logNote } from '../log.ts'
import { readCollectiveOptions } from '../options.ts'

/** One pattern of the collective, found where it stands as code or as a path, never where it is data. */
export interface PatternGuard
  extends Pick<Guard, 'id' | 'title' | 'why' | 'instead' | 'keywords' | 'examples'> {
  /** Words that make a command that cannot be read suspicious, and what it may then do. */
  readonly mentions: RegExp
  readonly maybe: string
  /** What is wrong with the command, as the end of a sentence after "this". */
  readonly find: (command: SimpleCommand, input: GuardInput) => Found | undefined
}

export interface Found {
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
      if (!analysis.judged) return logged(guard.id, unreadable(event, analysis.why, mentions, maybe), input)
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

function logged(id: string, caught: Caught | null, { facts, options }: GuardInput): Caught | null {
  if (caught === null) return null
  const line = `${id}: ${caught.unsure === undefined ? '' : 'perhaps '}${caught.caught}`
  return {
    ...caught,
    notes: [logNote('block-destructive-commands', line, facts, readCollectiveOptions(options))],
  }
}

/** Every text that the word may be; what is not known in it is left open. */
export function textsOf(word: Word): readonly string[] {
  return word.forms.map((form) => exactForm(form) ?? form.map(({ text }) => text).join(''))
}
