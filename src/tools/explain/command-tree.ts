import { analyze } from '../../library/shell/analyze.ts'
import type { AnalyzedCommand, AnalyzedEffect, ShellAnalysis } from '../../library/shell/types.ts'

/** A command line as Holdpoint reads it: what runs, how it is reached, and what each part would do. */
export type CommandTree =
  | { readonly kind: 'read'; readonly parts: readonly CommandPart[]; readonly hidden?: string }
  | { readonly kind: 'unread'; readonly why: string }

export interface CommandPart {
  /** A step on the way (`bash -c`, `pipe`), or the command itself. */
  readonly text: string
  readonly isStep: boolean
  /** The machine or container it runs in, if that is another one. */
  readonly remote?: string
  /** It runs something known only at run time: what that is. */
  readonly unknown?: string
  readonly effects: readonly PartEffect[]
  readonly parts: readonly CommandPart[]
}

export interface PartEffect {
  readonly kind: AnalyzedEffect['kind']
  /** Of an act: what it is about. */
  readonly group?: string
  /** What is read, deleted, sent: "/srv/project/build, with everything below it". */
  readonly text: string
  /** What is not known, if it is not certain. */
  readonly unsure?: string
}

/** Nobody reads more parts than this. */
const PARTS_MAX = 200

/** `commandTree('sudo rm -rf build', { cwd: '/srv/project', home: '/home/dev' })` */
export function commandTree(
  command: string,
  place: { readonly cwd: string; readonly home: string },
): CommandTree {
  return drawnTree(analyze(command, place))
}

/** What `analyze` found, as people see it: in a terminal and on the board. */
export function drawnTree(found: ShellAnalysis): CommandTree {
  const commands = found.readable ? found.commands : found.asSeen
  if (commands === undefined) return { kind: 'unread', why: found.readable ? '' : found.why }
  const root: Draft = { text: '', isStep: true, effects: [], parts: [] }
  for (const each of commands.slice(0, PARTS_MAX)) add(root, each)
  return { kind: 'read', parts: root.parts, ...(found.readable ? {} : { hidden: found.why }) }
}

interface Draft extends CommandPart {
  readonly parts: Draft[]
}

/** A pipe starts nothing: both of its ends stand side by side. */
function add(root: Draft, command: AnalyzedCommand): void {
  let place = root
  for (const step of command.via.filter((how) => how !== 'pipe')) {
    const last = place.parts.findLast((part) => leadsTo(part, step))
    if (last !== undefined) place = last
    else {
      const next: Draft = { text: step, isStep: true, effects: [], parts: [] }
      place.parts.push(next)
      place = next
    }
  }
  const { program, fragment, text, remote, unknown, effects } = command
  place.parts.push({
    // Only a variable or a file is set.
    text: oneLine(program === '' ? fragment : text),
    isStep: false,
    ...(remote === undefined ? {} : { remote }),
    ...(unknown === undefined ? {} : { unknown }),
    effects: effects.map(partEffect),
    parts: [],
  })
}

/** The same step, or the command that is the step: below `sudo` stands what `sudo` starts. */
function leadsTo(part: Draft, step: string): boolean {
  return part.text === step || (!part.isStep && part.text.startsWith(`${step} `))
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ')
}

function partEffect(effect: AnalyzedEffect): PartEffect {
  return {
    kind: effect.kind,
    ...(effect.kind === 'act' ? { group: effect.group } : {}),
    text: subjectOf(effect),
    ...(effect.certain ? {} : { unsure: effect.doubt ?? 'not certain' }),
  }
}

function subjectOf(effect: AnalyzedEffect): string {
  switch (effect.kind) {
    case 'act':
      return `${effect.act}: ${effect.what}`
    case 'run':
      return effect.what
    case 'send':
    case 'fetch': {
      const stream = effect.kind === 'send' ? 'standard input' : 'standard output'
      const what = effect.path ?? effect.carries ?? (effect.stream === true ? stream : undefined)
      const host = effect.host ?? 'an unknown host'
      if (what === undefined) return host
      return effect.kind === 'send' ? `${what} to ${host}` : `${host} into ${what}`
    }
    default:
      return effect.recursive === true ? `${effect.path}, with everything below it` : effect.path
  }
}
