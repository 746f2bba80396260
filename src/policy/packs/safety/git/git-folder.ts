import type { Event } from '../../../../core/event.ts'
import type { Facts } from '../../../../core/facts.ts'
import type { GuardMatch } from '../../../../core/guard.ts'
import { wordSet } from '../../../../core/word-list.ts'
import { readGit } from '../../../../shell/programs/git/call.ts'
import {
  type FoundEffect,
  isAct,
  isFileEffect,
  pathOf,
  spellPath,
} from '../../../../shell/vocabulary/effect.ts'
import { isInside, type PathForm } from '../../../../shell/words/paths.ts'
import { mayMatchName } from '../../../../shell/words/patterns.ts'
import { exactForm, exactText, type Form, hasUnknown } from '../../../../shell/words/words.ts'
import { caughtEffect, presentIn, shellEffects } from '../../../analysis/effects-of.ts'
import { oncePerEvent } from '../../../analysis/once-per-event.ts'
import { isShellCall } from '../../../analysis/shell-of.ts'
import { inCommand, ofKinds, TOOL_WRITES } from '../../../analysis/topics.ts'
import { touchedPaths } from '../../../analysis/touched-paths.ts'
import { commandsIn, onTopics } from '../../shell-guard.ts'

/** Changes inside a repository's `.git` folder, or inside a bare repository, through any tool. */
export interface GitFolderChange {
  readonly kind: 'write' | 'delete' | 'close'
  readonly recursive: boolean
  /** The names below the folder; empty for the folder itself. */
  readonly inside: readonly Form[]
  /** The path as shown to people. */
  readonly shown: string
  /** Set if it is not certain that this repository is needed. */
  readonly unsure?: string
  caught(what: string, unsure: string | undefined): GuardMatch
}

type Place = Omit<GitFolderChange, 'caught'>

/** All such changes in the event. */
export const gitFolderChanges = onTopics(
  [ofKinds('write', 'delete'), inCommand('permissions/close'), TOOL_WRITES],
  oncePerEvent((event: Event, facts: Facts): readonly GitFolderChange[] =>
    isShellCall(event) ? changesByCommand(event, facts) : changesByTool(event, facts),
  ),
)

function changesByCommand(event: Event, facts: Facts): readonly GitFolderChange[] {
  const effects = shellEffects(event, facts)
  const { kinds, acts } = presentIn(effects)
  if (!kinds.has('write') && !kinds.has('delete') && !acts.has(CLOSING)) return []
  const clones = () => clonesIn(event, facts)
  const closing = new Set(effects.filter(isClosing).map(({ command }) => command))
  return effects.flatMap((found) => {
    const place = effectPlace(found, closing.has(found.command), { facts, clones })
    const caught = (what: string) => caughtEffect(found, what, facts.home)
    return place === undefined ? [] : [withCatch(place, caught)]
  })
}

function changesByTool(event: Event, facts: Facts): readonly GitFolderChange[] {
  return touchedPaths(event, facts).flatMap(({ access, path, fragment }) => {
    const write =
      access === 'write' ? placeIn(path, 'write', false, { facts, clones: () => false }) : undefined
    return write === undefined ? [] : [withCatch(write, (caught) => ({ caught, fragment }))]
  })
}

function withCatch(place: Place, caught: (what: string) => GuardMatch): GitFolderChange {
  return {
    ...place,
    caught: (what, unsure) => ({ ...caught(what), ...(unsure === undefined ? {} : { unsure }) }),
  }
}

/** Permissions are removed. Adding permissions is harmless here. */
function isClosing({ effect }: FoundEffect): boolean {
  return isAct(effect) && effect.act === CLOSING
}

const CLOSING = 'permissions/close'

interface Ground {
  readonly facts: Facts
  /** The same command line clones the repository. Removing the history of a fresh clone is normal for templates. */
  readonly clones: () => boolean
}

function clonesIn(event: Event, facts: Facts): boolean {
  return commandsIn(event, facts).some(({ name, args, cwd }) => {
    return name === 'git' && exactText(readGit(args, { cwd, home: facts.home }).verb) === 'clone'
  })
}

function effectPlace({ effect }: FoundEffect, closes: boolean, ground: Ground): Place | undefined {
  if (!isFileEffect(effect)) return undefined
  const kind = effect.kind === 'metadata' && closes ? 'close' : effect.kind
  if (kind === 'read' || kind === 'metadata') return undefined
  const place = placeIn(pathOf(effect, ground.facts.home), kind, effect.recursive === true, ground)
  return place === undefined || effect.unsure === undefined ? place : { unsure: effect.unsure, ...place }
}

function placeIn(
  path: PathForm,
  kind: GitFolderChange['kind'],
  recursive: boolean,
  ground: Ground,
): Place | undefined {
  const at = path.parts.findIndex((part, index) => isGitFolder(part, path.parts[index + 1]))
  if (at < 0) return undefined
  const need = needOf(path, at, ground)
  if (need === 'free') return undefined
  const base = { kind, recursive, inside: path.parts.slice(at + 1), shown: spellPath(path) }
  return need === 'needed' ? base : { ...base, unsure: need.unsure }
}

/** `.git`, a pattern that matches it, or the folder of a bare repository if one of the names inside it follows. */
function isGitFolder(part: Form, next: Form | undefined): boolean {
  const name = exactForm(part)?.toLowerCase()
  if (name === undefined) return !hasUnknown(part) && mayMatchName(part, '.git')
  if (name === '.git') return true
  return name.endsWith('.git') && next !== undefined && BARE.test(exactForm(next) ?? '')
}

const BARE = /^(HEAD|objects|refs|packed-refs|config|hooks|logs|worktrees|modules|info|index)$/

type Need = 'free' | 'needed' | { readonly unsure: string }

/** Free: a temporary or generated copy, which may be deleted. */
function needOf(path: PathForm, at: number, { facts, clones }: Ground): Need {
  if (!path.anchored) return { unsure: 'its folder is known only at run time' }
  const names = path.parts.slice(0, at).map(exactForm)
  const unknown = names.indexOf(undefined)
  const folder = `/${names.slice(0, unknown < 0 ? undefined : unknown).join('/')}`
  const projects = [facts.project, facts.realpath(facts.project)]
  const isOurs = projects.some((project) => isInside(folder, project))
  if (!isOurs && TEMPORARY.test(unknown < 0 ? folder : `${folder}/x`)) return 'free'
  if (names.some((name) => BUILT.has(name ?? ''))) return 'free'
  if (unknown >= 0) return { unsure: 'which repository this is, is known only at run time' }
  if (!isOurs || projects.includes(folder)) return 'needed'
  return clones() ? 'free' : { unsure: 'the repository may be a copy that is not needed' }
}

const TEMPORARY = /^\/(tmp|var\/tmp|private\/tmp|private\/var\/tmp|var\/folders|dev\/shm)\/./
const BUILT = wordSet('node_modules dist build target .cache tmp .tox')
