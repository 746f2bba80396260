import { programOf } from '../programs/index.ts'
import type { SimpleCommand } from '../vocabulary/command.ts'
import type { ExecEffect } from '../vocabulary/effect.ts'
import { hostOf, isLocalHost } from '../words/hosts.ts'
import { exactText } from '../words/words.ts'

/** `deno run https://…`, `npx https://…`: programs that fetch what they run by themselves. */
export function remoteCode(command: SimpleCommand): readonly ExecEffect[] {
  // `npx x` is seen through: x is the command.
  const launched = /^https?:\/\//i.test(exactText(command.word) ?? '')
  if (!launched && programOf(command.name)?.fetchesCode !== true) return []
  // What stands behind the program is given to it.
  const program = launched
    ? command.word
    : command.args.find((word) => !/^(-\S*|run|x|exec|dlx|install|serve)$/.test(exactText(word) ?? ''))
  if (program === undefined || !/^https?:\/\//i.test(exactText(program) ?? '')) return []
  const host = hostOf(program)
  if (isLocalHost(host)) return []
  const what = `runs what ${host ?? 'another machine'} sends`
  return [{ kind: 'exec', from: 'network', what, unsure: 'whether anybody has looked at it is not known' }]
}
