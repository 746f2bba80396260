import type { Event } from '../../../event.ts'
import type { Facts } from '../../../facts.ts'
import { type FoundEffect, isAct, isFileEffect, pathOf, spellPath } from '../../../shell/effect.ts'
import { readGit } from '../../../shell/git.ts'
import { isInside, type PathForm } from '../../../shell/paths.ts'
import { mayMatchName } from '../../../shell/patterns.ts'
import { exactForm, exactText, type Form, hasUnknown } from '../../../shell/words.ts'
import { caughtEffect, presentIn, shellEffects } from '../../effects-of.ts'
import type { Caught } from '../../guard.ts'
import { isShellCall, shellOf } from '../../shell-of.ts'
import { strongest } from '../../strongest.ts'
import { touchedPaths } from '../../touched-paths.ts'

/** Changes to what lies in a repository's `.git` folder, or in a bare repository, through any tool. */
export interface GitFolderChange {
  readonly kind: 'write' | 'delete' | 'close'
  readonly recursive: boolean
  /** The names below the folder; none for the folder itself. */
  readonly inside: readonly Form[]
  /** The path for people. */
  readonly shown: string
  /** Set when it is not certain that a repository somebody needs is meant. */
  readonly unsure?: string
}

/** The strongest catch among all changes of the event. */
export function gitFolderCatch(
  event: Event,
  facts: Facts,
  judge: (change: GitFolderChange) => Pick<Caught, 'caught' | 'unsure'> | null,
): Caught | null {
  if (isShellCall(event)) {
    const effects = shellEffects(event, facts)
    const { kinds, acts } = presentIn(effects)
    if (!kinds.has('write') && !kinds.has('delete') && !acts.has(CLOSING)) return null
    const clones = () => clonesIn(event, facts)
    const closing = new Set(effects.filter(isClosing).map(({ command }) => command))
    return strongest(effects, (found) => {
      const change = effectChange(found, closing.has(found.command), { facts, clones })
      const caught = change === undefined ? null : judge(change)
      return caught === null ? null : { ...caughtEffect(found, caught.caught, facts.home), ...caught }
    })
  }
  return strongest(touchedPaths(event, facts), (touch) => {
    if (touch.access !== 'write') return null
    const change = changeOf(touch.path, 'write', false, { facts, clones: () => false })
    const caught = change === undefined ? null : judge(change)
    return caught === null ? null : { ...caught, fragment: touch.fragment }
  })
}

/** Rights are taken away: to give some is harmless here. */
function isClosing({ effect }: FoundEffect): boolean {
  return isAct(effect) && effect.act === CLOSING
}

const CLOSING = 'permissions/close'

interface Ground {
  readonly facts: Facts
  /** The same command line clones a repository: to drop the history of the copy is what templates are for. */
  readonly clones: () => boolean
}

function clonesIn(event: Event, facts: Facts): boolean {
  const analysis = shellOf(event, facts)
  if (!analysis.judged) return false
  return analysis.commands.some(({ name, args, cwd }) => {
    return name === 'git' && exactText(readGit(args, { cwd, home: facts.home }).verb) === 'clone'
  })
}

function effectChange({ effect }: FoundEffect, closes: boolean, ground: Ground): GitFolderChange | undefined {
  if (!isFileEffect(effect)) return undefined
  const kind = effect.kind === 'metadata' && closes ? 'close' : effect.kind
  if (kind === 'read' || kind === 'metadata') return undefined
  const change = changeOf(pathOf(effect, ground.facts.home), kind, effect.recursive === true, ground)
  return change === undefined || effect.unsure === undefined ? change : { unsure: effect.unsure, ...change }
}

function changeOf(
  path: PathForm,
  kind: GitFolderChange['kind'],
  recursive: boolean,
  ground: Ground,
): GitFolderChange | undefined {
  const at = path.parts.findIndex((part, index) => isGitFolder(part, path.parts[index + 1]))
  if (at < 0) return undefined
  const place = placeOf(path, at, ground)
  if (place === 'free') return undefined
  const base = { kind, recursive, inside: path.parts.slice(at + 1), shown: spellPath(path) }
  return place === 'needed' ? base : { ...base, unsure: place.unsure }
}

/** `.git`, a pattern that matches it, or the folder of a bare repository when one of its own names follows. */
function isGitFolder(part: Form, next: Form | undefined): boolean {
  const name = exactForm(part)?.toLowerCase()
  if (name === undefined) return !hasUnknown(part) && mayMatchName(part, '.git')
  if (name === '.git') return true
  return name.endsWith('.git') && next !== undefined && BARE.test(exactForm(next) ?? '')
}

const BARE = /^(HEAD|objects|refs|packed-refs|config|hooks|logs|worktrees|modules|info|index)$/

type Place = 'free' | 'needed' | { readonly unsure: string }

/** Free: a temporary or built copy, which may go. */
function placeOf(path: PathForm, at: number, { facts, clones }: Ground): Place {
  if (!path.anchored) return { unsure: 'where it lies is known only at run time' }
  const names = path.parts.slice(0, at).map(exactForm)
  const unknown = names.indexOf(undefined)
  const folder = `/${names.slice(0, unknown < 0 ? undefined : unknown).join('/')}`
  const projects = [facts.project, facts.realpath(facts.project)]
  const isOurs = projects.some((project) => isInside(folder, project))
  if (!isOurs && TEMPORARY.test(unknown < 0 ? folder : `${folder}/x`)) return 'free'
  if (names.some((name) => BUILT.has(name ?? ''))) return 'free'
  if (unknown >= 0) return { unsure: 'which repository it is, is known only at run time' }
  if (!isOurs || projects.includes(folder)) return 'needed'
  return clones() ? 'free' : { unsure: 'it may be the repository of a copy that is not needed' }
}

const TEMPORARY = /^\/(tmp|var\/tmp|private\/tmp|private\/var\/tmp|var\/folders|dev\/shm)\/./
const BUILT: ReadonlySet<string> = new Set([
  'node_modules',
  'dist',
  'build',
  'target',
  '.cache',
  'tmp',
  '.tox',
])
