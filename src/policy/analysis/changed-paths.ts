import type { Event } from '../../core/event.ts'
import type { Facts } from '../../core/facts.ts'
import type { GuardMatch } from '../../core/guard.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import { effectsOf } from '../../shell/effects.ts'
import { listedFolders, listedNames } from '../../shell/files/listed-names.ts'
import type { SimpleCommand } from '../../shell/vocabulary/command.ts'
import {
  type FileEffect,
  type FoundEffect,
  isFileEffect,
  pathOf,
  spellPath,
} from '../../shell/vocabulary/effect.ts'
import { type PathForm, resolveForm } from '../../shell/words/paths.ts'
import { exactForm, type Form, isWhollyUnknown, patternForm } from '../../shell/words/words.ts'
import { shellEffects } from './effects-of.ts'
import { embeddedPaths, type LineTexts, writesFile } from './embedded-paths.ts'
import { inheritedPaths, type NamedPath, namedPaths } from './named-outputs.ts'
import { oncePerEvent } from './once-per-event.ts'
import {
  CHANGERS,
  changedByDiff,
  editsInPlace,
  filledTree,
  fillsByCode,
  fillsFolder,
  isReader,
  makesLinks,
  mountsToChange,
  onlyChecks,
  outputsOf,
  readsInline,
} from './program-habits.ts'
import { isShellCall, shellOf } from './shell-of.ts'
import { toolChanges } from './tool-changes.ts'
import { otherPaths, touchedPaths } from './touched-paths.ts'

/** A path that an event would create, change or remove, through any tool. */
export interface PathChange {
  readonly path: PathForm
  /** As written. */
  readonly source: string
  /** The part of the input that causes it. */
  readonly fragment: string
  readonly does: 'writes' | 'deletes' | 'changes'
  /** It is deleted or moved, with everything below it. */
  readonly whole: boolean
  /** Set if it is not certain. */
  readonly unsure?: string
  /** Unsure only because it is unknown what the program does with its arguments. */
  readonly guessed?: boolean
  readonly detail?: JsonObject
}

/** Everything that the event would change. For an unreadable command nothing is known. */
export const changedPaths = oncePerEvent((event: Event, facts: Facts): readonly PathChange[] => {
  const changes: PathChange[] = []
  const add = (found: readonly PathChange[]) => {
    for (const change of found) {
      changes.push(change)
      for (const path of otherPaths(change.path, facts)) changes.push({ ...change, path })
    }
  }
  add(isShellCall(event) ? shellChanges(event, facts) : toolChanges(event, facts))
  add(touched(event, facts))
  return changes
})

/** The match for a change, with the path for the user. */
export function caughtChange(change: PathChange, caught: string): GuardMatch {
  const { fragment, unsure } = change
  const detail = { ...change.detail, path: spellPath(change.path) }
  return { caught, fragment, ...(unsure === undefined ? {} : { unsure }), detail }
}

/** Files that file tools and patches write. */
function touched(event: Event, facts: Facts): readonly PathChange[] {
  const writes = touchedPaths(event, facts).filter(({ access }) => access === 'write')
  return writes.map(({ path, source, fragment, unsure }) => ({
    ...{ path, source, fragment, does: 'writes', whole: false },
    ...(unsure === undefined ? {} : { unsure }),
  }))
}

function shellChanges(event: Event, facts: Facts): readonly PathChange[] {
  const effects = shellEffects(event, facts)
  const changes: PathChange[] = []
  for (const found of effects) {
    const { effect } = found
    const what = isFileEffect(effect) ? judged(found, effect) : undefined
    if (what === undefined || !isFileEffect(effect)) continue
    changes.push(changeBy(found, effect, what, facts))
    if (isWhollyUnknown(effect.form))
      changes.push(...pipedIn(found, what, facts), ...listed(found, effect, what, facts))
  }
  const analysis = shellOf(event, facts)
  const commands = analysis.judged ? analysis.commands : []
  let environment: SimpleCommand['environment'] = []
  const line: LineTexts = { seen: new Set(), writers: [] }
  for (const command of commands) {
    const inherited = command.environment === environment ? [] : inheritedPaths(command)
    if (inherited.length > 0) {
      // The same for every command that follows: the first that may write there stands for them.
      environment = command.environment
      changes.push(...inherited.map((each) => guessedWrite(command, each, facts)))
    }
    for (const text of changedByDiff(command)) {
      const path = resolveForm([{ kind: 'text', text }], { cwd: command.cwd, home: facts.home })
      changes.push({ path, source: text, fragment: command.fragment, does: 'writes', whole: false })
    }
    changes.push(...outputs(command, facts), ...written(command, commands, line, effects, facts))
    if (writesFile(command)) line.writers.push(command)
  }
  return changes
}

/** What its variables and options name: which of them it writes to is a guess. */
function written(
  command: SimpleCommand,
  all: readonly SimpleCommand[],
  line: LineTexts,
  effects: readonly FoundEffect[],
  facts: Facts,
): readonly PathChange[] {
  const named = [...namedPaths(command, all), ...embeddedPaths(command, line)]
  if (named.length === 0) return []
  const own = effects.filter((found) => found.command === command && isFileEffect(found.effect))
  const stated = new Set(own.map(({ effect }) => isFileEffect(effect) && effect.source))
  return named
    .filter(({ source, by, attached }) => by === 'config' || attached === true || !stated.has(source))
    .map((each) => guessedWrite(command, each, facts))
}

function guessedWrite(
  { name = 'a program', cwd, fragment, via }: SimpleCommand,
  { form, source, by }: NamedPath,
  { home }: Facts,
): PathChange {
  return {
    ...{ path: resolveForm(form, { cwd, home }), source, fragment, does: 'writes', whole: false },
    guessed: true,
    unsure: `${name} may write to the file in ${by}`,
    detail: { effect: 'write', program: name, via },
  }
}

/** Where the program is told to put what it makes. Which options do that is a guess. */
function outputs(command: SimpleCommand, facts: Facts): readonly PathChange[] {
  const { name = 'the program', cwd, fragment, via } = command
  const tree = filledTree(command, facts.home)
  const into = (tree?.forms ?? []).map(
    (form): PathChange => ({
      path: resolveForm(form, { cwd, home: facts.home }),
      source: tree?.source ?? '',
      fragment,
      does: 'writes',
      whole: true,
      guessed: true,
      unsure: 'which files git puts there is known only to git',
      detail: { effect: 'write', program: name, via },
    }),
  )
  const named = outputsOf(command).flatMap(({ word, fills }) =>
    word.forms.map((form): PathChange => {
      const path = resolveForm(form, { cwd, home: facts.home })
      const lies = exactForm(path.parts.at(-1) ?? []) ?? ''
      return {
        ...{ path, source: word.source, fragment, does: 'writes', guessed: true },
        // Only a folder that is made for an agent, or for Holdpoint: others are filled every day.
        whole: fills && /^\.[a-z]|^holdpoint$/i.test(lies) && !/^\.(?:config|local|cache)$/.test(lies),
        unsure: `${name} may write there`,
        detail: { effect: 'write', program: name, via },
      }
    }),
  )
  return [...into, ...named]
}

/** `ls a b | xargs rm`: the output of the pipe is unknown, but its source is known. */
function pipedIn({ command }: FoundEffect, what: Judged, facts: Facts): readonly PathChange[] {
  if (what.guessed === true) return []
  const before = effectsOf(command.inputs ?? [], facts.home)
  return before.flatMap((found): readonly PathChange[] => {
    if (!isFileEffect(found.effect)) return []
    const unsure = 'the output of the pipe is known only at run time'
    return [changeBy({ ...found, command }, found.effect, { ...what, unsure }, facts)]
  })
}

/** `locate x | xargs rm`, `tee $(locate x)`: what the search was told says which names it lists. */
function listed(
  { command }: FoundEffect,
  effect: FileEffect,
  what: Judged,
  { home }: Facts,
): readonly PathChange[] {
  if (what.guessed === true) return []
  const word = { source: effect.source, forms: [effect.form], splits: true }
  const forms = [...listedNames(word, command), ...listedFolders(word, command)]
  return forms.map((form) => ({
    ...what,
    path: resolveForm(form, { cwd: command.cwd, home }),
    source: effect.source,
    fragment: command.fragment,
    unsure: 'which files a search lists is known only at run time',
  }))
}

function changeBy({ command }: FoundEffect, effect: FileEffect, what: Judged, facts: Facts): PathChange {
  const detail: Record<string, Json> = {
    effect: effect.kind,
    via: command.via,
    ...(command.name === undefined ? {} : { program: command.name }),
    at: [command.start, command.end],
  }
  const form = PATTERN_READERS.has(command.name ?? '')
    ? (patternsIn(effect.form) ?? effect.form)
    : effect.form
  const path = pathOf({ ...effect, form }, facts.home)
  return { path, source: effect.source, fragment: command.fragment, detail, ...what }
}

/** These read their arguments as patterns themselves: `mmv '.claude/*' '/tmp/#1'`. */
const PATTERN_READERS = new Set(['mmv', 'zmv', 'mcp', 'mad', 'pax'])

function patternsIn(form: Form): Form | undefined {
  const text = exactForm(form)
  return text === undefined ? undefined : patternForm(text)
}

type Judged = Pick<PathChange, 'does' | 'whole' | 'unsure' | 'guessed'>

function judged({ command }: FoundEffect, effect: FileEffect): Judged | undefined {
  const name = command.name ?? ''
  const unsure = effect.unsure === undefined ? {} : { unsure: effect.unsure }
  if (effect.kind === 'delete') return { does: 'deletes', whole: true, ...unsure }
  if (effect.kind === 'write') {
    const goes = effect.recursive === true
    const does = goes && CHANGERS.has(name) ? 'changes' : 'writes'
    return { does, whole: goes || takesAll(name, effect), ...unsure }
  }
  if (CHANGERS.has(name) || changesArguments(command)) return { does: 'changes', whole: true, ...unsure }
  const asksOnly = effect.kind === 'metadata' && (name !== 'git' || reads(command))
  if (asksOnly || reads(command) || onlyReads(command)) return undefined
  const program = name === '' ? 'the program' : name
  const whole = fills(command) || fillsAll(command) || mayChangeMounts(command)
  return { does: 'changes', whole, unsure: `${program} may change its arguments`, guessed: true }
}

const changesArguments = oncePerCommand((command) => editsInPlace(command) || makesLinks(command))
const onlyReads = oncePerCommand((command) => readsInline(command) || onlyChecks(command))
const reads = oncePerCommand(isReader)
const fills = oncePerCommand(fillsFolder)
const fillsAll = oncePerCommand(fillsByCode)
const mayChangeMounts = oncePerCommand(mountsToChange)

/**
 * A command may have thousands of arguments, and each of these goes through all of them: it is asked once, not for each
 * argument. Effects come command by command, so only the last one is kept.
 */
function oncePerCommand<Found>(find: (command: SimpleCommand) => Found): (command: SimpleCommand) => Found {
  let last: { readonly command: SimpleCommand; readonly found: Found } | undefined
  return (command) => {
    if (last?.command !== command) last = { command, found: find(command) }
    return last.found
  }
}

/** Overwriting one of these removes everything below it. A git pathspec (`:/`) is not a path. */
function takesAll(name: string, { source }: FileEffect): boolean {
  return name === 'mv' || name === 'rsync' || (name === 'git' && !/^["']?:/.test(source))
}
