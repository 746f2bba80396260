import { programOf } from '../programs/index.ts'
import type { SimpleCommand } from '../vocabulary/command.ts'
import { exactText } from '../words/words.ts'

/** Does the command print variables it was not itself given, some or all: `env`, `echo "$KEY"`, `node -p process.env`? */
export function showsVariables(command: SimpleCommand): 'all' | 'some' | 'none' {
  const { name, args, fragment } = command
  const program = programOf(name)
  if (program?.showsEnvironment !== undefined) return program.showsEnvironment(command)
  if (program?.files?.printsWords === true) {
    const isShown = args.some((word) =>
      word.forms.flat().some((piece) => piece.kind === 'unknown' && VARIABLE.test(piece.text)),
    )
    return isShown ? 'some' : 'none'
  }
  if (program?.files?.code !== true) return 'none'
  if (PRINTED.test(fragment)) return 'all'
  return /\benviron\b|process\.env|\bgetenv\b|\bENV\b/.test(fragment) ? 'some' : 'none'
}

const VARIABLE = /^\$\{?!?\w/

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
