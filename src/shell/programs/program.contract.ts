import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { effectsAs, effectsOf } from '../effects.ts'
import { type SimpleCommand, spellCommand } from '../vocabulary/command.ts'
import { isFileEffect, spellEffect } from '../vocabulary/effect.ts'
import { readCommands } from '../walk/read-commands.ts'
import { unknownWord } from '../words/words.ts'
import type { ProgramCases } from './program.ts'

const FACTS = { cwd: '/srv/project', home: '/home/dev' }

/** What a file of programs, each with all its names, owes: cases that hold, on both sides; and an answer to anything. */
export function programContract(
  file: string,
  programs: readonly (readonly string[])[],
  cases: ProgramCases,
): void {
  const names = programs.flat()
  describe(file, () => {
    it.each(cases.map((each) => [each[0], each.slice(1)] as const))('%s', (line, does) => {
      expect(donePrograms(line, names)).toEqual(does)
    })

    it('has cases for each program, harmless ones among them, each once', () => {
      const called = new Set(cases.flatMap(([line]) => commandsIn(line).map((command) => command.name)))
      expect(programs.filter((each) => !each.some((name) => called.has(name)))).toEqual([])
      expect(cases.some((each) => each.slice(1).every(isHarmless))).toBe(true)
      expect(new Set(cases.map(([line]) => line)).size).toBe(cases.length)
    })

    it('answers to any words, known or not', () => {
      const words = cases.flatMap(([line]) => commandsIn(line).flatMap((command) => command.args))
      const any = fc.constantFrom(...words, unknownWord('$X'), unknownWord('$Y'))
      fc.assert(
        fc.property(fc.constantFrom(...names), fc.array(any, { maxLength: 6 }), (name, args) => {
          const [command] = commandsIn('x')
          if (command === undefined) return
          const effects = effectsAs(name, { ...command, args }, FACTS.home)
          for (const effect of effects) expect(spellEffect(effect, FACTS.home)).not.toBe('')
        }),
        { numRuns: 100 },
      )
    })
  })
}

/** What these programs do in the line: their effects, without guesses, and then what they start. */
function donePrograms(line: string, names: readonly string[]): readonly string[] {
  const commands = commandsIn(line)
  const own = commands.filter(({ name }) => names.includes(name ?? ''))
  const effects = effectsOf(commands, FACTS.home)
    .filter(
      ({ command, effect }) => own.includes(command) && !(isFileEffect(effect) && effect.guessed === true),
    )
    .map(({ effect }) => spellEffect(effect, FACTS.home))
  const started = commands.filter((command) => own.some((each) => isStartedBy(command, each)))
  return [...new Set([...effects, ...started.map((command) => `starts ${spellCommand(command)}`)])]
}

/** One step further in, by a name that begins with the program's. */
function isStartedBy(command: SimpleCommand, by: SimpleCommand): boolean {
  const at = by.via.length
  return (
    command.via.length === at + 1 &&
    by.via.every((how, index) => command.via[index] === how) &&
    command.via[at]?.split(' ')[0] === by.name
  )
}

function isHarmless(done: string): boolean {
  return /^(?:read|metadata|starts|net in) /.test(done)
}

function commandsIn(line: string): readonly SimpleCommand[] {
  const analysis = readCommands(line, FACTS)
  return analysis.judged ? analysis.commands : []
}
