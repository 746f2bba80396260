import { mayMatch, mayMatchName } from '../../../shell/patterns.ts'
import { exactForm, type Form } from '../../../shell/words.ts'
import { HOME_KEYS } from './known-folders.ts'
import {
  belowHome,
  type Ground,
  isInProject,
  isSystemTree,
  protectedAs,
  protectedPaths,
} from './protected-paths.ts'
import { isBroad, type Target } from './targets.ts'

/** Something that must stay and that a target is, or may be. */
export interface Loss {
  /** "the home folder (/home/dev)", "everything in …", "parts of …". */
  readonly what: string
  /** It is the file system or a system folder, where even a part matters. */
  readonly system: boolean
  readonly unsure?: string
}

/** What goes when the target goes with everything below it; undefined when that is nobody's loss. */
export function treeLoss(target: Target, ground: Ground): Loss | undefined {
  const loss = target.paths.length === 0 ? openLoss(target, ground) : knownLoss(target, ground)
  return loss === undefined || target.unsure === undefined ? loss : { ...loss, unsure: target.unsure }
}

function openLoss({ pattern }: Target, ground: Ground): Loss | undefined {
  const loss = { what: 'a folder that must stay', system: false }
  const last = pattern.at(-1)
  if (last === undefined || exactForm(last) === '..' || isBroad(last)) return loss
  const names = protectedPaths(ground).map((each) => each.slice(each.lastIndexOf('/') + 1))
  return names.some((name) => mayMatch(last, name)) ? loss : undefined
}

function knownLoss({ paths, pattern }: Target, ground: Ground): Loss | undefined {
  for (const path of paths) {
    const whole = protectedAs(path, ground)
    if (pattern.length === 0) {
      if (whole !== undefined) return lossOf('', path, whole)
      continue
    }
    if (pattern.every(isBroad) && whole !== undefined) return lossOf('everything in ', path, whole)
    if (isSystemTree(path) && !isInProject(path, ground)) return lossOf('parts of ', path, 'a system folder')
    const matched = protectedPaths(ground).find((each) => matches(path, pattern, each))
    if (matched !== undefined)
      return lossOf('', matched, protectedAs(matched, ground) ?? 'a folder that must stay')
  }
  return undefined
}

function lossOf(part: string, path: string, what: string): Loss {
  return { what: `${part}${what} (${path})`, system: /system/.test(what) }
}

function matches(folder: string, pattern: readonly Form[], candidate: string): boolean {
  const start = folder === '/' ? '/' : `${folder}/`
  if (!candidate.startsWith(start)) return false
  const names = candidate.slice(start.length).split('/')
  if (names.length !== pattern.length) return false
  return pattern.every((part, index) => mayMatchName(part, names[index] ?? ''))
}

/** What goes when single files go: system files, and those that give access to something. */
export function fileLoss({ paths, pattern, unsure }: Target, ground: Ground): Loss | undefined {
  for (const path of paths) {
    // A pattern stands for files in the folder.
    const file = pattern.length === 0 ? path : `${path === '/' ? '' : path}/x`
    const inHome = belowHome(file, ground)
    const what =
      isSystemFile(file) && !isInProject(file, ground)
        ? 'a system file'
        : path === '/' && pattern.length > 0
          ? 'files at the top of the file system'
          : inHome !== undefined && HOME_KEYS.test(inHome)
            ? 'a key or login'
            : undefined
    if (what !== undefined)
      return { what: `${what} (${path})`, system: true, ...(unsure === undefined ? {} : { unsure }) }
  }
  return undefined
}

/** What programs keep in /var changes daily. */
function isSystemFile(path: string): boolean {
  return isSystemTree(path) && !/^(\/private)?\/var\//.test(path)
}
