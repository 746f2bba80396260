import { type Event, toolOf } from '../../core/event.ts'
import type { Facts } from '../../core/facts.ts'
import { inlineEffects } from '../../shell/code/effects.ts'
import { fileEffects } from '../../shell/files/file-effects.ts'
import { withFolders } from '../../shell/files/in-folders.ts'
import { linkEffects } from '../../shell/flow/links.ts'
import { expandBraces } from '../../shell/grammar/braces.ts'
import type { SimpleCommand } from '../../shell/vocabulary/command.ts'
import {
  type FileEffect,
  type FileName,
  type FoundEffect,
  isFileEffect,
} from '../../shell/vocabulary/effect.ts'
import { type PathForm, resolveForm, resolvePath } from '../../shell/words/paths.ts'
import { type Form, patternForm } from '../../shell/words/words.ts'
import { foldsCase, onDisk, onDiskForm } from './on-disk.ts'
import { oncePerEvent } from './once-per-event.ts'
import { patchTouches, withoutPatches } from './patch-touches.ts'
import { commandText, shellOf } from './shell-of.ts'
import { toolPaths } from './tool-touches.ts'

/** A path that an event would access, and how. */
export interface Touch {
  readonly path: PathForm
  /** As written. */
  readonly source: string
  /** `list`: only names are shown. `metadata`: existence, size and permissions. */
  readonly access: Access
  /** The part of the input that causes it. */
  readonly fragment: string
  /** Set if it is not certain that the contents become visible. */
  readonly unsure?: string
  /** The command that reads the file to use it, without showing it. */
  readonly loadedBy?: SimpleCommand
  /** The pattern of a search tool, which also matches leading dots. */
  readonly pattern?: Form
}

export type Access = 'read' | 'write' | 'metadata' | 'list'

/** A path in a command. */
export interface Named extends FileName {
  readonly access: Access
}

/** Every path in the event, through a file tool or in a shell command. An unreadable command has none. */
export const touchedPaths = oncePerEvent(findTouches)

function findTouches(event: Event, facts: Facts): readonly Touch[] {
  const tool = toolOf(event)
  const named = tool === undefined ? [] : toolPaths(tool)
  const touches = named.flatMap(({ text, access, isPattern }) =>
    isPattern ? patternTouches(text, access, facts) : fileTouches(text, access, facts),
  )
  return [...touches, ...shellTouches(event, facts)]
}

/** The path as written, its target if it is a link, and the name that the disk has for it. */
function fileTouches(text: string, access: Access, facts: Facts): readonly Touch[] {
  const place = { cwd: facts.cwd, home: facts.home }
  const touch = (path: string): Touch => ({
    path: resolveForm([{ kind: 'text', text: path }], place),
    source: text,
    access,
    fragment: text,
  })
  const path = resolvePath(text, place)
  return [touch(text), ...(path === undefined ? [] : otherNames(path, facts).map(touch))]
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
  const line = commandText(event) ?? ''
  const touches: Touch[] = []
  const found: FoundEffect[] = []
  for (const command of analysis.commands) {
    const patched = patchTouches(command, line)
    const plain = patched.length === 0 ? command : withoutPatches(command)
    for (const effect of withFolders(fileEffects(plain, facts.home), command).filter(isFileEffect)) {
      found.push({ effect, command })
      addTouches(touches, effect, accessOf(effect), command, facts)
    }
    for (const effect of command.inline === undefined ? [] : withFolders(inlineEffects(command), command)) {
      if (isFileEffect(effect)) addTouches(touches, effect, accessOf(effect), command, facts)
    }
    for (const named of patched) addTouches(touches, named, named.access, command, facts)
  }
  for (const { effect, command } of linkEffects(found, analysis.commands, facts.home)) {
    if (isFileEffect(effect)) addTouches(touches, effect, accessOf(effect), command, facts)
  }
  return touches
}

/** A deleted file counts as written. */
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
  if (access === 'read') for (const other of otherPaths(path, facts)) touches.push({ ...touch, path: other })
}

/** The same file under other names: with every link followed, and in the capitals that the disk has. */
export function otherPaths(path: PathForm, facts: Facts): readonly PathForm[] {
  const written = path.text
  if (!path.anchored || written === undefined) {
    const found = onDiskForm(path, facts)
    return found === undefined ? [] : [found]
  }
  return otherNames(written, facts).map((other) =>
    resolveForm([{ kind: 'text', text: other }], { cwd: '/', home: facts.home }),
  )
}

function otherNames(written: string, facts: Facts): readonly string[] {
  const real = facts.realpath(written)
  const names = foldsCase(facts) ? [real, onDisk(written, facts), onDisk(real, facts)] : [real]
  return [...new Set(names)].filter((name) => name !== written)
}
