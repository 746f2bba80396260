import { commandWords, type HandlerKind, lineIn } from '../../core/handler-kind.ts'
import type { HandlerSpec } from '../../core/hook.ts'
import { isObject, type Json } from '../../core/json.ts'

export const kind: HandlerKind = {
  timeoutMs: 2_000,
  section: 'contracts',
  namesCode: ({ command }) => command !== undefined,
  starts: lineIn,
  lines: commandsIn,
  verb: 'runs',
  describe: (run) => commandWords(run).split('\n'),
}

function commandsIn({ command, contract }: HandlerSpec): readonly string[] {
  if (command === undefined || !isObject(contract) || !Array.isArray(contract.commands)) return []
  return contract.commands.flatMap((each: Json) =>
    isObject(each) && typeof each.run === 'string' ? [each.run] : [],
  )
}
