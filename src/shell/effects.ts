import { inlineEffects } from './code/effects.ts'
import { sentVariables } from './code/sent.ts'
import { changesItsOperands } from './file-programs.ts'
import { connectionEffects } from './files/connections.ts'
import { fileEffects, fileEffectsBesideModel } from './files/file-effects.ts'
import { withFolders } from './files/in-folders.ts'
import { flowEffects } from './flow/flow.ts'
import { linkEffects } from './flow/links.ts'
import { lineActs } from './line-acts.ts'
import { MODEL_OF } from './models/index.ts'
import { remoteCode } from './remote-code.ts'
import { socketShell } from './socket-shell.ts'
import { startedProgram } from './started-program.ts'
import { transferEffects } from './transfers.ts'
import type { SimpleCommand } from './vocabulary/command.ts'
import {
  type FileEffect,
  type FoundEffect,
  isAct,
  isFileEffect,
  type ShellEffect,
} from './vocabulary/effect.ts'
import { lastPart, mayMatch } from './words/patterns.ts'

/** What every command would do, in the order they run; then what they do together. */
export function effectsOf(commands: readonly SimpleCommand[], home: string): readonly FoundEffect[] {
  const found: FoundEffect[] = []
  for (const command of commands) {
    const add = (effects: readonly ShellEffect[]) => {
      for (const effect of withFolders(effects, command)) found.push({ effect, command })
    }
    const modelled = modelEffects(command, home)
    add(modelled)
    add(transferEffects(command))
    add(connectionEffects(command, home))
    add(socketShell(command))
    add(remoteCode(command))
    add(lineActs(command))
    add(namedFileEffects(command, modelled, home))
  }
  for (const each of linkEffects(found, commands, home)) found.push(each)
  const together = flowEffects(found, commands, home)
  return together.length === 0 ? found : [...found, ...together]
}

function modelEffects(command: SimpleCommand, home: string): readonly ShellEffect[] {
  if (command.name !== undefined) {
    const own = MODEL_OF.get(command.name)?.effects({ name: command.name, command, home }) ?? []
    const started = [...startedEffects(command, home), ...codeEffects(command)]
    return started.length === 0 ? own : [...own, ...started]
  }
  return possiblePrograms(command).flatMap((name) => {
    const effects = MODEL_OF.get(name)?.effects({ name, command, home }) ?? []
    return effects.map((effect) => ({ unsure: 'its name is known only at run time', ...effect }))
  })
}

/** What a program does that an interpreter starts: `python manage.py flush`. The files it names are not its own. */
function startedEffects(command: SimpleCommand, home: string): readonly ShellEffect[] {
  const started = startedProgram(command)
  const name = started?.name
  if (started === undefined || name === undefined) return []
  const effects = MODEL_OF.get(name)?.effects({ name, command: started, home }) ?? []
  return effects.filter(isAct)
}

/** Code on the line of a program that is something else as well, so that its model speaks of that: `bun -e`. */
function codeEffects(command: SimpleCommand): readonly ShellEffect[] {
  if (command.name !== 'bun' && command.name !== 'deno') return []
  const effects = inlineEffects(command)
  const nets = effects.filter((effect) => effect.kind === 'net')
  return [...effects, ...sentVariables(nets, command)]
}

/** A name of which a part is known (`r?`, `r$X`) may be any program that fits it; one wholly unknown is no hint. */
function possiblePrograms(command: SimpleCommand): readonly string[] {
  const names = command.word.forms
    .map(lastPart)
    .filter((form) => form.some((piece) => piece.kind !== 'unknown'))
  if (names.length === 0) return []
  return [...MODEL_OF.keys()].filter((program) => names.some((form) => mayMatch(form, program)))
}

/** What a program changes its model knows better than the tables; what it reads only the tables say. */
function namedFileEffects(
  command: SimpleCommand,
  modelled: readonly ShellEffect[],
  home: string,
): readonly FileEffect[] {
  const name = command.name ?? ''
  const known =
    modelled.some((effect) => isFileEffect(effect) && isChange(effect)) ||
    (MODEL_OF.has(name) && changesItsOperands(name))
  return known ? fileEffectsBesideModel(command, home) : fileEffects(command, home)
}

function isChange(effect: FileEffect): boolean {
  return effect.kind === 'write' || effect.kind === 'delete'
}
