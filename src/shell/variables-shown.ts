import { INTERPRETERS } from './file-programs.ts'
import type { SimpleCommand } from './vocabulary/command.ts'
import { exactText } from './words/words.ts'

/** Does the command print variables it was not itself given: `env`, `echo "$KEY"`, `node -p process.env`? */
export function showsVariables(command: SimpleCommand): boolean {
  const { name, args, fragment } = command
  if (name === undefined) return false
  if (name === 'echo' || name === 'printf')
    return args.some((word) =>
      word.forms.flat().some((piece) => piece.kind === 'unknown' && VARIABLE.test(piece.text)),
    )
  if (name === 'printenv') return true
  if (INTERPRETERS.test(name)) return /\benviron\b|process\.env|\bgetenv\b|\bENV\b/.test(fragment)
  return printsEnvironment(command)
}

const VARIABLE = /^\$\{?!?\w/

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
      return name !== undefined && INTERPRETERS.test(name) && PRINTED.test(fragment)
  }
}

/** All variables, handed to what prints: `print(os.environ)`, `node -p process.env`. One of them by its name is none. */
const PRINTED =
  /(?:\b(?:print|pprint|puts|p|log|dir|table|dumps|stringify|inspect|var_dump|print_r|write)\b\s*\(?|-p\s|--print[\s=])[^;\n]{0,80}?(?:\bos\.environ\b(?!\s*[.[])|\bprocess\.env\b(?!\s*[.[])|\bENV\b(?!\s*[.[{])|%ENV\b|\bgetenv\(\))/

/** Does the shell print every line it reads or runs, once it has run these? `set -x`; `set +x` ends it. */
export function tracesLines(commands: readonly SimpleCommand[]): boolean {
  return commands.reduce((traced, command) => tracing(command) ?? traced, false)
}

/** Undefined where nothing is said of it. */
function tracing({ name, args }: SimpleCommand): boolean | undefined {
  if (name !== 'set') return undefined
  const words = args.map((word) => exactText(word) ?? '')
  const last = words.findLastIndex(
    (word, at) =>
      /^[-+][a-zA-Z]*[xv]/.test(word) ||
      (/^[-+][a-zA-Z]*o$/.test(word) && /^(?:xtrace|verbose)$/.test(words[at + 1] ?? '')),
  )
  return last < 0 ? undefined : words[last]?.startsWith('-')
}
