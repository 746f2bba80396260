import type { GivenInput } from '../programs/program.ts'
import type { SimpleCommand } from '../vocabulary/command.ts'
import type { Word } from '../words/words.ts'
import { readCommands } from './read-commands.ts'

export function givenInput(command: SimpleCommand): GivenInput {
  if (command.inputText !== undefined) return { kind: 'text', forms: command.inputText }
  const last = command.redirections.findLast(({ operator }) => operator === '<')
  if (last !== undefined) return fileInput(last.target, command)
  return { kind: command.inputs === undefined ? 'none' : 'pipe' }
}

/** `< <(echo …)` is what a command prints, not a file. */
export function fileInput(target: Word, command: SimpleCommand): GivenInput {
  const [piece] = target.forms[0] ?? []
  if (piece?.kind !== 'unknown' || !piece.text.startsWith('<(')) return { kind: 'file' }
  const analysis = readCommands(`${piece.text.slice(2, -1)} | cat`, { cwd: command.cwd ?? '/', home: '/' })
  const forms = analysis.judged ? analysis.commands.at(-1)?.inputText : undefined
  return forms === undefined ? { kind: 'pipe' } : { kind: 'text', forms }
}
