import { programOf } from '../programs/index.ts'
import type { SimpleCommand } from '../vocabulary/command.ts'
import { exactWord } from '../words/words.ts'

/**
 * The program that an interpreter starts, as a command of its own: `python manage.py flush`, `python -m twine upload`.
 * Undefined when it starts none, or one that is not known.
 */
export function startedProgram(command: SimpleCommand): SimpleCommand | undefined {
  const started = programOf(command.name)?.startedBy?.(command.args)
  if (started === undefined) return undefined
  const { name, args } = started
  return { ...command, name, word: exactWord(name), args, via: [...command.via, command.name ?? ''] }
}
