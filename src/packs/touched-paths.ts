import { type Event, toolOf } from '../event.ts'
import type { Facts } from '../facts.ts'
import { textAt } from '../json.ts'
import { expandBraces } from '../shell/braces.ts'
import type { SimpleCommand } from '../shell/command.ts'
import { type FileEffect, type FileName, type FoundEffect, isFileEffect } from '../shell/effect.ts'
import { fileEffects } from '../shell/file-effects.ts'
import { inlineEffects } from '../shell/inline/effects.ts'
import { linkEffects } from '../shell/links.ts'
import { type PathForm, resolveForm, resolvePath } from '../shell/paths.ts'
import { type Form, patternForm } from '../shell/words.ts'
import { oncePerEvent } from './once-per-event.ts'
import { patchTouches, withoutPatches } from './patch-touches.ts'
import { shellOf } from './shell-of.ts'
import { toolPaths } from './tool-touches.ts'

/** A path that an event would touch, and how. */
export interface Touch {
  readonly path: PathForm
  /** As it was written. */
  readonly source: string
  /** `list`: only names are seen. `metadata`: whether it is there, its size and rights. */
  readonly access: Access
  /** The part of the input that does it. */
  readonly fragment: string
  /** Set when it is not certain that the contents become visible. */
  readonly unsure?: string
  /** The command that reads it to use it, and does not itself show it. */
  readonly loadedBy?: SimpleCommand
  /** The pattern of a search tool, which also matches leading dots. */
  readonly pattern?: Form
}

export type Access = 'read' | 'write' | 'metadata' | 'list'

/** A path that a command names. */
export interface Named extends FileName {
  readonly access: Access
}

/** Every path the event names, through a file tool or in a shell command. An unreadable command names none. */
export const touchedPaths = oncePerEvent(findTouches)

function findTouches(event: Event, facts: Facts): readonly Touch[] {
  const tool = toolOf(event)
  const named = tool === undefined ? undefined : toolPaths(tool)
  if (named === undefined) return shellTouches(event, facts)
  return named.flatMap(({ text, access, isPattern }) =>
    isPattern ? patternTouches(text, access, facts) : fileTouches(text, access, facts),
  )
}

/** The path as written, and where it leads when it is a link. */
function fileTouches(text: string, access: Access, facts: Facts): readonly Touch[] {
  const place = { cwd: facts.cwd, home: facts.home }
  const touch = (path: string): Touch => ({
    path: resolveForm([{ kind: 'text', text: path }], place),
    source: text,
    access,
    fragment: text,
  })
  const path = resolvePath(text, place)
  const real = path === undefined ? undefined : facts.realpath(path)
  return real === undefined || real === path ? [touch(text)] : [touch(text), touch(real)]
}

function patternTouches(text: string, access: Access, facts: Facts): readonly Touch[] {
  if (text.startsWith('!')) return []
  return (expandBraces(text) ?? [text]).map((each) => {
    const path = resolveForm(patternForm(each), { cwd: facts.cwd, home: facts.home })
    return { path, source: text, access, fragment: text, pattern: path.parts.at(-1) ?? [] }
  })
}

function shellTouches(event: Event, facts: Facts): readonly Touch[] {
  const analysis = shellOf(event, facts)
  if (!analysis.judged) return []
  const line = textAt(toolOf(event)?.input ?? {}, 'command') ?? ''
  const touches: Touch[] = []
  const found: FoundEffect[] = []
  for (const command of analysis.commands) {
    const patched = patchTouches(command, line)
    const plain = patched.length === 0 ? command : withoutPatches(command)
    for (const effect of fileEffects(plain, facts.home)) {
      found.push({ effect, command })
      addTouches(touches, effect, accessOf(effect), command, facts)
    }
    for (const effect of command.inline === undefined ? [] : inlineEffects(command)) {
      if (isFileEffect(effect)) addTouches(touches, effect, accessOf(effect), command, facts)
    }
    for (const named of patched) addTouches(touches, named, named.access, command, facts)
  }
  for (const { effect, command } of linkEffects(found, analysis.commands, facts.home)) {
    if (isFileEffect(effect)) addTouches(touches, effect, accessOf(effect), command, facts)
  }
  return touches
}

/** What is deleted counts as written. */
function accessOf({ kind }: FileEffect): Access {
  return kind === 'delete' ? 'write' : kind
}

type Use = FileName & Pick<FileEffect, 'unsure' | 'loaded'>

function addTouches(touches: Touch[], use: Use, access: Access, command: SimpleCommand, facts: Facts): void {
  const { form, source, cwd, unsure, loaded } = use
  const path = resolveForm(form, { cwd, home: facts.home })
  const touch: Touch = {
    ...{ path, source, access, fragment: command.fragment },
    ...(unsure === undefined ? undefined : { unsure }),
    ...(loaded === true ? { loadedBy: command } : undefined),
  }
  touches.push(touch)
  const real = access === 'read' ? linkTarget(path, facts) : undefined
  if (real !== undefined) touches.push({ ...touch, path: real })
}

/** Where the path leads, when a link is in it. */
export function linkTarget(path: PathForm, facts: Facts): PathForm | undefined {
  const written = path.text
  if (!path.anchored || written === undefined) return undefined
  const real = facts.realpath(written)
  return real === written
    ? undefined
    : resolveForm([{ kind: 'text', text: real }], { cwd: '/', home: facts.home })
}
