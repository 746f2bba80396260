import type { SimpleCommand } from '../../../../shell/vocabulary/command.ts'
import type { Word } from '../../../../shell/words/words.ts'
import { textsOf } from './command-guard.ts'

/** Programs whose arguments and input may be code in their own language. */
const INTERPRETERS =
  /^(?:python[\d.]*|pypy[\d.]*|node|nodejs|deno|bun|tsx|ts-node|ruby|irb|perl[\d.]*|php[\d.]*|lua[\d.]*|luajit|[gmn]?awk|osascript|Rscript|R|tclsh|expect|groovy|julia|scala|swift|elixir|erl|ghc|guile|racket|sqlite3|psql|vim?|nvim|ex|emacs|gdb|lldb|drush)$/

/** Every text in the command that an interpreter would run as code: arguments, here-documents, piped input. */
export function foreignCode(command: SimpleCommand): readonly string[] {
  if (command.name === undefined || !INTERPRETERS.test(command.name)) return []
  const given = command.redirections.filter(({ operator }) => operator.startsWith('<<'))
  return [
    ...codeArguments(command.name, command.args).flatMap(textsOf),
    ...given.flatMap(({ target }) => textsOf(target)),
    ...pipedCode(command),
  ]
}

/** Programs that take a script by name, and code only after an option. All other input is data. */
const CODE_OPTIONS: readonly (readonly [program: RegExp, option: RegExp])[] = [
  [/^(?:python|pypy)/, /^-[A-Za-z]*c$/],
  [/^(?:node|deno|bun|tsx|ts-node)/, /^-[A-Za-z]*[ep]$|^--(?:eval|print)$|^eval$/],
  [/^php/, /^-[rBRE]$|^--(?:run|process-begin|process-code|process-end)$/],
  [/^(?:ruby|perl|lua|Rscript)/, /^-[A-Za-z0-9]*[eE]$/],
]

function codeArguments(name: string, args: readonly Word[]): readonly Word[] {
  const option = CODE_OPTIONS.find(([program]) => program.test(name))?.[1]
  if (option === undefined) return args
  return args.filter((word, at) => {
    const before = args[at - 1]
    const isBehind = before !== undefined && textsOf(before).some((text) => option.test(text))
    return isBehind || textsOf(word).some((text) => text.startsWith('-'))
  })
}

/** Without a program argument, the output of `echo` or `cat <<` is the program. */
function pipedCode({ args, inputs = [] }: SimpleCommand): readonly string[] {
  const readsInput = args.every((word) => textsOf(word).every((text) => text.startsWith('-')))
  if (!readsInput) return []
  return inputs.flatMap((input) => {
    const here = input.redirections.filter(({ operator }) => operator.startsWith('<<'))
    const words = input.name === 'echo' || input.name === 'printf' ? input.args.flatMap(textsOf) : []
    return [...words, ...here.flatMap(({ target }) => textsOf(target))]
  })
}
