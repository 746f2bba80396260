import { effectsOf } from '../../shell/effects.ts'
import type { SimpleCommand } from '../../shell/vocabulary/command.ts'
import {
  type FoundEffect,
  isAct,
  isFileEffect,
  pathOf,
  type ShellEffect,
  spellEffect,
  spellPath,
} from '../../shell/vocabulary/effect.ts'
import { readAsSeen } from '../../shell/walk/read-commands.ts'

/** A command line as Holdpoint reads it: what runs, how it is reached, and what each part would do. */
export type CommandTree =
  | { readonly kind: 'read'; readonly parts: readonly CommandPart[]; readonly hidden?: string }
  | { readonly kind: 'unread'; readonly why: string }

export interface CommandPart {
  /** A step on the way (`bash -c`, `sudo`, `pipe`), or the command itself, as written. */
  readonly text: string
  readonly isStep: boolean
  readonly effects: readonly PartEffect[]
  readonly parts: readonly CommandPart[]
}

export interface PartEffect {
  /** `read`, `write`, `delete`, `exec`, `net`, or the kind of an act. */
  readonly kind: string
  /** In words: "deletes /srv/project/build with everything below it". */
  readonly text: string
  /** What is not known, if it is not certain. */
  readonly unsure?: string
}

/** Nobody reads more parts than this. */
const PARTS_MAX = 200

/** `commandTree('sudo rm -rf build', { cwd: '/srv/project', home: '/home/dev' })` */
export function commandTree(
  command: string,
  { cwd, home }: { readonly cwd: string; readonly home: string },
): CommandTree {
  const read = readAsSeen(command, { cwd, home })
  if (!read.judged) return { kind: 'unread', why: read.why }
  const found = effectsOf(read.commands, home)
  const root: Draft = { text: '', isStep: true, effects: [], parts: [] }
  for (const each of read.commands.slice(0, PARTS_MAX)) add(root, each, found, home)
  return { kind: 'read', parts: root.parts, ...(read.hidden === undefined ? {} : { hidden: read.hidden }) }
}

interface Draft extends CommandPart {
  readonly parts: Draft[]
}

function add(root: Draft, command: SimpleCommand, found: readonly FoundEffect[], home: string): void {
  let place = root
  for (const step of command.via) {
    const last = place.parts.at(-1)
    if (last !== undefined && leadsTo(last, step)) place = last
    else {
      const next: Draft = { text: step, isStep: true, effects: [], parts: [] }
      place.parts.push(next)
      place = next
    }
  }
  const own = found.filter((each) => each.command === command).map(({ effect }) => effect)
  const written = oneLine(command.fragment)
  const text = written === place.text ? wordsOf(command) : written
  place.parts.push({ text, isStep: false, effects: onceEach(own, home), parts: [] })
}

/** The same step, or the command that is the step: below `sudo rm x` stands what `sudo` starts. */
function leadsTo(part: Draft, step: string): boolean {
  return part.text === step || (!part.isStep && part.text.startsWith(`${step} `))
}

/** What a wrapper starts has the wrapper in its text. */
function wordsOf({ word, args }: SimpleCommand): string {
  return oneLine([word, ...args].map(({ source }) => source).join(' '))
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ')
}

/** Several readers may find the same effect. That a file is only looked at matters to nobody. */
function onceEach(effects: readonly ShellEffect[], home: string): readonly PartEffect[] {
  const shown = effects.filter(({ kind }) => kind !== 'metadata')
  const seen = new Map(shown.map((effect) => [spellEffect(effect, home), effect]))
  return [...seen.values()].map((effect) => ({
    kind: effect.kind,
    text: inWords(effect, home),
    ...(effect.unsure === undefined ? {} : { unsure: effect.unsure }),
  }))
}

const FILE_VERBS = { read: 'reads', write: 'writes', delete: 'deletes', metadata: 'looks at' } as const

function inWords(effect: ShellEffect, home: string): string {
  if (isFileEffect(effect)) {
    const below = effect.recursive === true ? ' and everything below it' : ''
    return `${FILE_VERBS[effect.kind]} ${spellPath(pathOf(effect, home))}${below}`
  }
  if (isAct(effect) || effect.kind === 'exec') return effect.what
  const host = effect.host ?? 'a host that is not known'
  const file = effect.file === undefined ? '' : ` ${spellPath(pathOf(effect.file, home))}`
  if (effect.direction === 'in') return `fetches from ${host}${file === '' ? '' : ` to${file}`}`
  return `sends${file === '' ? (effect.carries === undefined ? '' : ` ${effect.carries}`) : file} to ${host}`
}
