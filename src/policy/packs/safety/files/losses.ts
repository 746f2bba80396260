import { mayMatch, mayMatchName } from '../../../../shell/words/patterns.ts'
import { exactForm, type Form } from '../../../../shell/words/words.ts'
import { HOME_KEYS } from './known-folders.ts'
import {
  belowHome,
  isInProject,
  isSystemTree,
  type ProtectedRoots,
  protectedAs,
  protectedPaths,
} from './protected-paths.ts'
import { type FileTarget, isBroad } from './targets.ts'

/** A protected file or folder that a target is, or may be. */
export interface Loss {
  /** "the home folder (/home/dev)", "everything in …", "parts of …". */
  readonly what: string
  /** It is the whole file system or a system folder, where losing a part already does damage. */
  readonly system: boolean
  readonly unsure?: string
}

/** What is lost when the target is deleted with everything below it. Undefined if nothing important is lost. */
export function treeLoss(target: FileTarget, ground: ProtectedRoots): Loss | undefined {
  const loss = target.paths.length === 0 ? openLoss(target, ground) : knownLoss(target, ground)
  return loss === undefined || target.unsure === undefined ? loss : { ...loss, unsure: target.unsure }
}

function openLoss({ pattern }: FileTarget, ground: ProtectedRoots): Loss | undefined {
  const loss = { what: 'a protected folder', system: false }
  const last = pattern.at(-1)
  if (last === undefined || exactForm(last) === '..' || isBroad(last)) return loss
  const names = protectedPaths(ground).map((each) => each.slice(each.lastIndexOf('/') + 1))
  return names.some((name) => mayMatch(last, name)) ? loss : undefined
}

function knownLoss({ paths, pattern }: FileTarget, ground: ProtectedRoots): Loss | undefined {
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
      return lossOf('', matched, protectedAs(matched, ground) ?? 'a protected folder')
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

/** What is lost when single files are deleted: system files, and files that give access to something. */
export function fileLoss({ paths, pattern, unsure }: FileTarget, ground: ProtectedRoots): Loss | undefined {
  for (const path of paths) {
    // A pattern means files in the folder.
    const file = pattern.length === 0 ? path : `${path === '/' ? '' : path}/x`
    const inHome = belowHome(file, ground)
    const what =
      isSystemFile(file) && !isInProject(file, ground)
        ? 'a system file'
        : path === '/' && pattern.length > 0
          ? 'files in the root folder of the file system'
          : inHome !== undefined && HOME_KEYS.test(inHome)
            ? 'a key or login'
            : undefined
    if (what !== undefined)
      return { what: `${what} (${path})`, system: true, ...(unsure === undefined ? {} : { unsure }) }
  }
  return undefined
}

/** Programs change their files in /var every day. */
function isSystemFile(path: string): boolean {
  return isSystemTree(path) && !/^(\/private)?\/var\//.test(path)
}
