import type { SimpleCommand } from '../../vocabulary/command.ts'
import { exactText } from '../../words/words.ts'
import { lookedUp } from '../aspects/looked-up.ts'
import { PLAIN } from '../aspects/wrapper.ts'
import type { ProgramTable } from '../program.ts'

const text = { operands: 'none' } as const

/** With a command behind it, which is one of its own, `env` prints nothing. */
function printsAll({ fragment }: SimpleCommand): 'all' | 'none' {
  return /(?:^|[\s/])env(?:\s+(?:-0|--null)){0,2}\s*(?:$|[<>\d])/.test(fragment) ? 'all' : 'none'
}

/** Variables for the command behind them, and programs that show variables. */
export const ENVIRONMENT: ProgramTable = {
  env: {
    wraps: {
      options: `
      u|unset= C|chdir= S|split-string= a|argv0= P= i|ignore-environment 0|null v|debug block-signal=?
      default-signal=? ignore-signal=? list-signal-handling help version
    `,
      assignments: true,
      folder: 'chdir',
      code: 'split-string',
      bare: 'ignore-environment',
    },
    files: { operands: 'none' },
    showsEnvironment: printsAll,
  },
  printenv: {
    showsEnvironment: ({ args }) =>
      args.every((word) => (exactText(word) ?? '').startsWith('-')) ? 'all' : 'some',
  },
  command: {
    wraps: { options: 'p v V', inert: 'v V', sameShell: true },
    files: { operands: 'none' },
    prints: (args, scope) => (exactText(args[0]) === '-v' ? lookedUp(args[1], scope) : undefined),
  },
  builtin: { wraps: { ...PLAIN, sameShell: true }, files: text },
  exec: { wraps: { options: 'c l a=' }, files: text },
  'cross-env': { wraps: { ...PLAIN, assignments: true } },
  'cross-env-shell': { wraps: { ...PLAIN, assignments: true, joins: true } },
}
