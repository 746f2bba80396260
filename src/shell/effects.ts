import type { SimpleCommand } from './command.ts'
import type { Effect, FoundEffect } from './effect.ts'
import { MODEL_OF } from './models/index.ts'
import { lastPart, mayMatch } from './patterns.ts'

/** What every command would do, in the order they run. */
export function effectsOf(commands: readonly SimpleCommand[], home: string): readonly FoundEffect[] {
  return commands.flatMap((command) =>
    commandEffects(command, home).map((effect): FoundEffect => ({ effect, command })),
  )
}

function commandEffects(command: SimpleCommand, home: string): readonly Effect[] {
  if (command.name !== undefined) {
    return MODEL_OF.get(command.name)?.effects({ name: command.name, command, home }) ?? []
  }
  return possiblePrograms(command).flatMap((name) => {
    const effects = MODEL_OF.get(name)?.effects({ name, command, home }) ?? []
    return effects.map((effect) => ({ unsure: 'its name is known only at run time', ...effect }))
  })
}

/** A name of which a part is known (`r?`, `r$X`) may be any program that fits it; one wholly unknown is no hint. */
function possiblePrograms(command: SimpleCommand): readonly string[] {
  const names = command.word.forms
    .map(lastPart)
    .filter((form) => form.some((piece) => piece.kind !== 'unknown'))
  if (names.length === 0) return []
  return [...MODEL_OF.keys()].filter((program) => names.some((form) => mayMatch(form, program)))
}
