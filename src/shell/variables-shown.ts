import type { SimpleCommand } from './command.ts'
import { INTERPRETERS } from './file-programs.ts'
import { exactText } from './words.ts'

/** Does the command print variables it was not itself given: `env`, `echo "$KEY"`, `node -p process.env`? */
export function showsVariables(command: SimpleCommand): boolean {
  const { name, args, fragment } = command
  if (name === undefined) return false
  if (name === 'echo' || name === 'printf')
    return args.some((word) =>
      word.forms.flat().some((piece) => /^\$\{?!?\w/.test(piece.text) && piece.kind === 'unknown'),
    )
  if (name === 'printenv') return true
  if (INTERPRETERS.test(name)) return /\benviron\b|process\.env|\bgetenv\b|\bENV\b/.test(fragment)
  return printsEnvironment(command)
}

/** Everything the shell or a process has in its environment. */
export function printsEnvironment({ name, args, fragment }: SimpleCommand): boolean {
  const words = args.map((word) => exactText(word) ?? '')
  switch (name) {
    case 'env':
      // With a command behind it, which is one of its own, it prints nothing.
      return /(?:^|[\s/])env(?:\s+(?:-0|--null)){0,2}\s*(?:$|[<>\d])/.test(fragment)
    case 'printenv':
      return words.every((word) => word.startsWith('-'))
    case 'set':
      return words.length === 0
    case 'compgen':
      return words.some((word) => /^-[vex]/.test(word))
    case 'export':
    case 'declare':
    case 'typeset':
      return words.every((word) => /^-[px]+$/.test(word))
    default:
      return false
  }
}
