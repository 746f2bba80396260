import type { SimpleCommand } from '../../../shell/command.ts'
import type { Caught, Guard } from '../../guard.ts'
import { shellOf } from '../../shell-of.ts'
import { strongest } from '../../strongest.ts'

/** The guard, and where it has nothing to say, what `judge` finds in single commands that no model knows. */
export function alsoJudging(guard: Guard, judge: (command: SimpleCommand) => Caught | null): Guard {
  const { concerns: _concerns, ...rest } = guard
  return {
    ...rest,
    check(input) {
      const outcome = guard.check(input)
      if (outcome !== null) return outcome
      const analysis = shellOf(input.event, input.facts)
      return strongest(analysis.judged ? analysis.commands : [], judge)
    },
  }
}
