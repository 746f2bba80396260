import type { Event } from '../../core/event.ts'
import type { Facts } from '../../core/facts.ts'
import type { Topics } from '../../core/guard.ts'
import type { ShellEffect } from '../../shell/vocabulary/effect.ts'
import { exactText } from '../../shell/words/words.ts'
import { changedPaths } from './changed-paths.ts'
import { presentIn, shellEffects } from './effects-of.ts'
import { oncePerEvent } from './once-per-event.ts'
import { mayBeSecret } from './secret-path.ts'
import { isShellCall, shellOf } from './shell-of.ts'
import { touchedPaths } from './touched-paths.ts'

/**
 * What guards look for in a command, as words: acts (`git/force-push`), families of acts (`git/`), programs (`git`), kinds
 * of effects, and whether it can be read. A guard that names topics is asked only about events that have one of them.
 */
export const commandTopics = oncePerEvent((event: Event, facts: Facts): ReadonlySet<string> => {
  const analysis = shellOf(event, facts)
  if (!analysis.judged) return UNREADABLE_ONLY
  if (!isShellCall(event)) return NONE
  const { acts, kinds } = presentIn(shellEffects(event, facts))
  const topics = new Set([COMMAND])
  for (const act of acts) topics.add(act).add(act.slice(0, act.indexOf('/') + 1))
  for (const kind of kinds) topics.add(kindTopic(kind))
  for (const { name = UNKNOWN_PROGRAM, word, via, assignments } of analysis.commands) {
    topics.add(name)
    if (via.length > 0) topics.add(STARTED)
    // `env` can set a variable with a name that no shell takes: it is read as a program.
    const isFunction = exactText(word)?.startsWith('BASH_FUNC_') === true
    if (assignments.length > 0 || isFunction) topics.add(ASSIGNMENT)
  }
  return topics
})

const COMMAND = 'any command'
/** The command cannot be read, so nothing else is known of it. */
const UNREADABLE = 'unreadable'
const UNREADABLE_ONLY: ReadonlySet<string> = new Set([UNREADABLE, COMMAND])
const NONE: ReadonlySet<string> = new Set()
export const UNKNOWN_PROGRAM = 'an unknown program'
/** Something that another command starts. */
export const STARTED = 'a started command'
export const ASSIGNMENT = 'an assignment'

/** With a word before it, because some kinds are names of programs too. */
function kindTopic(kind: ShellEffect['kind']): string {
  return `effect ${kind}`
}

/** The same for paths, through any tool. */
export const pathTopics = oncePerEvent((event: Event, facts: Facts): ReadonlySet<string> => {
  const topics = new Set<string>()
  for (const { path, pattern, access } of touchedPaths(event, facts)) {
    if (pattern !== undefined || mayBeSecret(path)) topics.add(SECRET)
    if (access === 'write' && !isShellCall(event)) topics.add(TOOL_WRITE)
  }
  for (const { guessed } of changedPaths(event, facts)) {
    topics.add(CHANGE)
    if (guessed !== true) topics.add(SURE_CHANGE)
  }
  return topics
})

const SECRET = 'a secret'
const TOOL_WRITE = 'a write of a tool'
const CHANGE = 'a change'
const SURE_CHANGE = 'a sure change'

export const ANY_COMMAND: Topics = { of: commandTopics, any: [COMMAND] }
export const UNREADABLE_COMMAND: Topics = { of: commandTopics, any: [UNREADABLE] }
/** Paths that may be secrets. */
export const SECRET_PATHS: Topics = { of: pathTopics, any: [SECRET] }
/** Paths that a file tool writes. */
export const TOOL_WRITES: Topics = { of: pathTopics, any: [TOOL_WRITE] }
/** Paths that the event changes, or may change. */
export const PATH_CHANGES: Topics = { of: pathTopics, any: [CHANGE] }
/** Paths that it changes for certain, as far as that is known of the program. */
export const SURE_CHANGES: Topics = { of: pathTopics, any: [SURE_CHANGE] }

/** Acts, families of acts, or programs. */
export function inCommand(...words: readonly string[]): Topics {
  return { of: commandTopics, any: words }
}

export function ofKinds(...kinds: readonly ShellEffect['kind'][]): Topics {
  return { of: commandTopics, any: kinds.map(kindTopic) }
}
