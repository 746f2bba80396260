import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SimpleCommand } from '../vocabulary/command.ts'
import { spellEffect } from '../vocabulary/effect.ts'
import { fileInput, givenInput } from '../walk/given-input.ts'
import { readCommands } from '../walk/read-commands.ts'
import { unknownWord } from '../words/words.ts'
import type { Model, ModelCall, ModelCases } from './model.ts'

const FACTS = { cwd: '/srv/project', home: '/home/dev' }

/** What every model owes: a table that holds, on both sides, for every program it names; and an answer to anything. */
export function modelContract(name: string, model: Model, cases: ModelCases): void {
  if (isLeftOut(name)) return
  describe(name, () => {
    it.each(cases.map((each) => [each[0], each.slice(1)] as const))('%s', (line, effects) => {
      expect(effectsIn(model, line)).toEqual(effects)
    })

    it('has cases for every program, harmless ones among them, each once', () => {
      const named = cases.flatMap(([line]) => commandsIn(line).map((command) => command.name ?? ''))
      expect(model.programs.filter((program) => !named.includes(program))).toEqual([])
      expect(cases.filter((each) => each.length === 1).length).toBeGreaterThanOrEqual(cases.length / 4)
      expect(new Set(cases.map(([line]) => line)).size).toBe(cases.length)
    })

    it('answers to any words, known or not', () => {
      const words = cases.flatMap(([line]) => commandsIn(line).flatMap((command) => command.args))
      const any = fc.oneof(fc.constantFrom(...words, unknownWord('$X')), fc.constant(unknownWord('$Y')))
      fc.assert(
        fc.property(fc.constantFrom(...model.programs), fc.array(any, { maxLength: 6 }), (program, args) => {
          const [command] = commandsIn('x')
          if (command === undefined) return
          const effects = model.effects(callOf(program, { ...command, args }))
          for (const effect of effects) expect(spellEffect(effect, FACTS.home)).not.toBe('')
        }),
        { numRuns: 200 },
      )
    })
  })
}

/** `npm test -- kubernetes` sets it to the models it is about. */
function isLeftOut(name: string): boolean {
  const only = process.env.HOLDPOINT_TEST_ONLY ?? ''
  return only !== '' && !only.split(',').includes(name)
}

function commandsIn(line: string) {
  const analysis = readCommands(line, FACTS)
  return analysis.judged ? analysis.commands : []
}

function effectsIn(model: Model, line: string): readonly string[] {
  return commandsIn(line).flatMap((command) => {
    const { name } = command
    if (name === undefined || !model.programs.includes(name)) return []
    return model.effects(callOf(name, command)).map((each) => spellEffect(each, FACTS.home))
  })
}

function callOf(name: string, command: SimpleCommand): ModelCall {
  const input = () => givenInput(command)
  return { name, command, home: FACTS.home, input, fileInput: (word) => fileInput(word, command) }
}
