import { verbEffects } from './arguments/verbs.ts'
import { inlineEffects } from './code/effects.ts'
import { ranFetched } from './code/ran-fetched.ts'
import { sentVariables } from './code/sent.ts'
import { lineActs } from './effects/line-acts.ts'
import { remoteCode } from './effects/remote-code.ts'
import { socketShell } from './effects/socket-shell.ts'
import { startedProgram } from './effects/started-program.ts'
import { connectionEffects } from './files/connections.ts'
import { changesItsOperands } from './files/file-arguments.ts'
import { fileEffects, fileEffectsBesideModel } from './files/file-effects.ts'
import { withFolders } from './files/in-folders.ts'
import { flowEffects } from './flow/flow.ts'
import { linkEffects } from './flow/links.ts'
import { PROGRAMS, programOf } from './programs/index.ts'
import type { Program } from './programs/program.ts'
import type { Language, SimpleCommand } from './vocabulary/command.ts'
import {
  type FileEffect,
  type FoundEffect,
  isAct,
  isFileEffect,
  type ShellEffect,
} from './vocabulary/effect.ts'
import { fileInput, givenInput } from './walk/given-input.ts'
import { lastPart, mayMatch } from './words/patterns.ts'

/** What every command would do, in the order they run; then what they do together. */
export function effectsOf(commands: readonly SimpleCommand[], home: string): readonly FoundEffect[] {
  const found: FoundEffect[] = []
  for (const command of commands) {
    const add = (effects: readonly ShellEffect[]) => {
      for (const effect of withFolders(effects, command)) found.push({ effect, command })
    }
    const program = programOf(command.name)
    const own =
      command.name === undefined ? possibleEffects(command, home) : ownEffects(command, program, home)
    add(own)
    add(program?.sends?.(command) ?? [])
    add(connectionEffects(command, home))
    add(socketShell(command))
    add(remoteCode(command))
    add(lineActs(command))
    add(namedFileEffects(command, program, own, home))
  }
  for (const each of linkEffects(found, commands, home)) found.push(each)
  const together = flowEffects(found, commands, home)
  return together.length === 0 ? found : [...found, ...together]
}

function ownEffects(
  command: SimpleCommand,
  program: Program | undefined,
  home: string,
): readonly ShellEffect[] {
  if (program === undefined) return []
  return [
    ...specified(program, command.name ?? '', command, home),
    ...startedEffects(command, home),
    ...(program.interprets === undefined ? [] : codeEffects(command)),
  ]
}

/** What the specification of a program says of the words of a command, whatever it is called there. */
export function effectsAs(name: string, command: SimpleCommand, home: string): readonly ShellEffect[] {
  const program = programOf(name)
  return program === undefined ? [] : specified(program, name, command, home)
}

function specified(
  { does, acts }: Program,
  name: string,
  command: SimpleCommand,
  home: string,
): readonly ShellEffect[] {
  const input = () => givenInput(command)
  const done = does?.({ name, command, home, input, fileInput: (word) => fileInput(word, command) }) ?? []
  return acts === undefined ? done : [...done, ...verbEffects(command, acts)]
}

/** What a program does that an interpreter starts: `python manage.py flush`. The files it names are not its own. */
function startedEffects(command: SimpleCommand, home: string): readonly ShellEffect[] {
  const started = startedProgram(command)
  const program = programOf(started?.name)
  if (started === undefined || program === undefined) return []
  return specified(program, started.name ?? '', started, home).filter(isAct)
}

/** What code for an interpreter does, as far as it is read. Of a file that a test runner loads, only what it starts counts. */
function codeEffects(command: SimpleCommand): readonly ShellEffect[] {
  if (command.inline === undefined || UNREAD.has(command.inline.language)) return []
  const effects = inlineEffects(command)
  const nets = effects.filter((effect) => effect.kind === 'net')
  return [...effects, ...nets.flatMap((net) => ranFetched(net, command)), ...sentVariables(nets, command)]
}

/** Filters of text say themselves what they write; of some languages only what they start is read. */
const UNREAD: ReadonlySet<Language> = new Set(['awk', 'sed', 'other'])

/** A name of which a part is known (`r?`, `r$X`) may be any program that fits it; one wholly unknown is no hint. */
function possibleEffects(command: SimpleCommand, home: string): readonly ShellEffect[] {
  const names = command.word.forms
    .map(lastPart)
    .filter((form) => form.some((piece) => piece.kind !== 'unknown'))
  if (names.length === 0) return []
  return [...PROGRAMS.keys()].flatMap((name) => {
    const program = names.some((form) => mayMatch(form, name)) ? PROGRAMS.get(name) : undefined
    if (program === undefined) return []
    const effects = specified(program, name, command, home)
    return effects.map((effect) => ({ unsure: 'its name is known only at run time', ...effect }))
  })
}

/** What a program changes its specification knows better; what it reads only the generic reader says. */
function namedFileEffects(
  command: SimpleCommand,
  program: Program | undefined,
  own: readonly ShellEffect[],
  home: string,
): readonly FileEffect[] {
  const known =
    own.some((effect) => isFileEffect(effect) && isChange(effect)) ||
    (isSpecified(program) && changesItsOperands(program?.files ?? {}))
  return known ? fileEffectsBesideModel(command, home) : fileEffects(command, home)
}

function isSpecified(program: Program | undefined): boolean {
  return program?.does !== undefined || program?.acts !== undefined
}

function isChange(effect: FileEffect): boolean {
  return effect.kind === 'write' || effect.kind === 'delete'
}
