import type { Event } from '../event.ts'
import type { Facts } from '../facts.ts'
import type { Json, JsonObject } from '../json.ts'
import { type FileEffect, type FoundEffect, isFileEffect, pathOf, spellPath } from '../shell/effect.ts'
import { effectsOf } from '../shell/effects.ts'
import { type PathForm, resolveForm } from '../shell/paths.ts'
import { isWhollyUnknown } from '../shell/words.ts'
import { shellEffects } from './effects-of.ts'
import type { Caught } from './guard.ts'
import { oncePerEvent } from './once-per-event.ts'
import {
  CHANGERS,
  changedByDiff,
  editsInPlace,
  mountsToChange,
  onlyChecks,
  READERS,
  readsInline,
} from './program-habits.ts'
import { isShellCall, shellOf } from './shell-of.ts'
import { toolChanges } from './tool-changes.ts'
import { linkTarget, touchedPaths } from './touched-paths.ts'

/** A path that an event would make, change or remove, through whatever tool. */
export interface Change {
  readonly path: PathForm
  /** As it was written. */
  readonly source: string
  /** The part of the input that does it. */
  readonly fragment: string
  readonly does: 'writes' | 'deletes' | 'changes'
  /** It goes, or moves, with everything below it. */
  readonly whole: boolean
  /** Set when it is not certain. */
  readonly unsure?: string
  /** Only because nobody knows what the program does with what it is given. */
  readonly guessed?: boolean
  readonly detail?: JsonObject
}

/** Everything the event would change; an unreadable command changes nothing that is known. */
export const changedPaths = oncePerEvent((event: Event, facts: Facts): readonly Change[] => {
  const changes: Change[] = []
  const add = (found: readonly Change[]) => {
    for (const change of found) {
      changes.push(change)
      const real = linkTarget(change.path, facts)
      if (real !== undefined) changes.push({ ...change, path: real })
    }
  }
  add(isShellCall(event) ? shellChanges(event, facts) : toolChanges(event, facts))
  add(touched(event, facts))
  return changes
})

/** The catch of a change, said to the person with its path. */
export function caughtChange(change: Change, caught: string): Caught {
  const { fragment, unsure } = change
  const detail = { ...change.detail, path: spellPath(change.path) }
  return { caught, fragment, ...(unsure === undefined ? {} : { unsure }), detail }
}

/** What file tools and patches write. */
function touched(event: Event, facts: Facts): readonly Change[] {
  const writes = touchedPaths(event, facts).filter(({ access }) => access === 'write')
  return writes.map(({ path, source, fragment, unsure }) => ({
    ...{ path, source, fragment, does: 'writes', whole: false },
    ...(unsure === undefined ? {} : { unsure }),
  }))
}

function shellChanges(event: Event, facts: Facts): readonly Change[] {
  const effects = shellEffects(event, facts)
  const changes: Change[] = []
  for (const found of effects) {
    const { effect } = found
    const what = isFileEffect(effect) ? judged(found, effect) : undefined
    if (what === undefined || !isFileEffect(effect)) continue
    changes.push(changeBy(found, effect, what, facts))
    if (isWhollyUnknown(effect.form)) changes.push(...pipedIn(found, what, facts))
  }
  const analysis = shellOf(event, facts)
  for (const command of analysis.judged ? analysis.commands : []) {
    for (const text of changedByDiff(command)) {
      const path = resolveForm([{ kind: 'text', text }], { cwd: command.cwd, home: facts.home })
      changes.push({ path, source: text, fragment: command.fragment, does: 'writes', whole: false })
    }
  }
  return changes
}

/** `ls a b | xargs rm`: what the pipe brings is not known, but what it was made from is. */
function pipedIn({ command }: FoundEffect, what: Judged, facts: Facts): readonly Change[] {
  if (what.guessed === true) return []
  const before = effectsOf(command.inputs ?? [], facts.home)
  return before.flatMap((found): readonly Change[] => {
    if (!isFileEffect(found.effect)) return []
    const unsure = 'what comes through the pipe is known only at run time'
    return [changeBy({ ...found, command }, found.effect, { ...what, unsure }, facts)]
  })
}

function changeBy({ command }: FoundEffect, effect: FileEffect, what: Judged, facts: Facts): Change {
  const detail: Record<string, Json> = {
    effect: effect.kind,
    via: command.via,
    ...(command.name === undefined ? {} : { program: command.name }),
    at: [command.start, command.end],
  }
  const path = pathOf(effect, facts.home)
  return { path, source: effect.source, fragment: command.fragment, detail, ...what }
}

type Judged = Pick<Change, 'does' | 'whole' | 'unsure' | 'guessed'>

function judged({ command }: FoundEffect, effect: FileEffect): Judged | undefined {
  const name = command.name ?? ''
  const unsure = effect.unsure === undefined ? {} : { unsure: effect.unsure }
  if (effect.kind === 'delete') return { does: 'deletes', whole: true, ...unsure }
  if (effect.kind === 'write') {
    const goes = effect.recursive === true
    const does = goes && CHANGERS.has(name) ? 'changes' : 'writes'
    return { does, whole: goes || takesAll(name, effect), ...unsure }
  }
  if (CHANGERS.has(name) || editsInPlace(command)) return { does: 'changes', whole: true, ...unsure }
  if (effect.kind === 'metadata' || READERS.has(name) || readsInline(command) || onlyChecks(command))
    return undefined
  const program = name === '' ? 'the program' : name
  const whole = mountsToChange(command)
  return { does: 'changes', whole, unsure: `${program} may change what it is given`, guessed: true }
}

/** What these write over, they take with all that is below. A pathspec of git (`:/`) is no path. */
function takesAll(name: string, { source }: FileEffect): boolean {
  return name === 'mv' || name === 'rsync' || (name === 'git' && !/^["']?:/.test(source))
}
