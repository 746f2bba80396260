import type { SimpleCommand } from './vocabulary/command.ts'
import { exactText } from './words/words.ts'

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
    case 'ps':
      // Without a dash, the letter asks for the environment of every process.
      return words.some((word) => /^[a-z]*e[a-z]*$/.test(word))
    case 'docker':
    case 'podman':
      return words.includes('inspect') && words.some((word) => /\.Config\.Env\b/.test(word))
    case 'systemctl':
      return words.includes('show-environment')
    default:
      return false
  }
}
