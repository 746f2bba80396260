import type { Facts } from '../../../facts.ts'
import type { SimpleCommand } from '../../../shell/command.ts'
import { type PathForm, resolveForm } from '../../../shell/paths.ts'
import { mayMatch, mayMatchName } from '../../../shell/patterns.ts'
import {
  concatForms,
  exactForm,
  type Form,
  hasUnknown,
  isWhollyUnknown,
  type Word,
} from '../../../shell/words.ts'
import { type Ground, isSystemTree, protectedAs, protectedPaths } from './protected-paths.ts'

/** A protected folder that a target is, or may be. */
export interface Deletion {
  /** The end of a sentence: "deletes the home folder (/home/dev)". */
  readonly what: string
  readonly path?: string
  readonly unsure?: string
  /** It is the file system or a system folder, where even a part matters. */
  readonly system: boolean
}

/** What deleting the target with everything below it would take away; undefined when that is nobody's loss. */
export function deletes(target: Word, command: SimpleCommand, facts: Facts): Deletion | undefined {
  const ground = groundOf(facts)
  let doubt: Deletion | undefined
  for (const form of target.forms) {
    const deletion = judgeForm(form, target.source, command, facts, ground)
    if (deletion !== undefined && deletion.unsure === undefined) return deletion
    doubt ??= deletion
  }
  return doubt
}

function groundOf(facts: Facts): Ground {
  return {
    homes: [facts.home, facts.realpath(facts.home)],
    projects: [facts.project, facts.realpath(facts.project)],
  }
}

function judgeForm(
  form: Form,
  source: string,
  command: SimpleCommand,
  facts: Facts,
  ground: Ground,
): Deletion | undefined {
  if (form.length === 0) return undefined
  const open = (why: string): Deletion => ({
    what: `may delete a folder that must stay (${source})`,
    unsure: why,
    system: false,
  })
  if (isWhollyUnknown(form)) return open(`${source} is known only at run time`)
  const place = { cwd: command.cwd, home: facts.home }
  const path = resolveForm(form, place)
  if (!path.anchored) {
    return mayEndAt(path, ground) ? open(`where ${source} lies is known only at run time`) : undefined
  }
  if (!hasUnknown(form)) return judgePath(path, facts, ground)
  // What is unknown may be empty, or a name.
  for (const filler of ['', 'x']) {
    const filled = concatForms(
      form.map((piece) => (piece.kind === 'unknown' ? { kind: 'text', text: filler } : piece)),
    )
    const deletion = judgePath(resolveForm(filled, place), facts, ground)
    if (deletion !== undefined) return { ...deletion, unsure: `part of ${source} is known only at run time` }
  }
  return undefined
}

/** Could a path of which only the end is known be a protected one? Not when its last name is none of theirs. */
function mayEndAt(path: PathForm, ground: Ground): boolean {
  const last = path.parts.at(-1)
  if (last === undefined || exactForm(last) === '..' || isBroad(last)) return true
  return protectedPaths(ground).some((each) => mayMatch(last, each.slice(each.lastIndexOf('/') + 1)))
}

function judgePath(path: PathForm, facts: Facts, ground: Ground): Deletion | undefined {
  const firstPattern = path.parts.findIndex((part) => exactForm(part) === undefined)
  const certain = firstPattern < 0 ? path.parts : path.parts.slice(0, firstPattern)
  const prefix = `/${certain.map((part) => exactForm(part) ?? '').join('/')}`
  if (firstPattern < 0) {
    const real = realTarget(prefix, path.folder, facts)
    const found = [prefix, real].find((each) => protectedAs(each, ground) !== undefined)
    return found === undefined ? undefined : deletion('deletes', found, ground)
  }
  if (path.parts.slice(firstPattern).every(isBroad) && protectedAs(prefix, ground) !== undefined) {
    return deletion('deletes everything in', prefix, ground)
  }
  if (isSystemTree(prefix)) return deletion('deletes parts of', prefix, ground)
  const matched = protectedPaths(ground).find((each) => matches(path, each))
  return matched === undefined ? undefined : deletion('deletes', matched, ground)
}

function deletion(verb: string, path: string, ground: Ground): Deletion {
  const what = protectedAs(path, ground) ?? 'a folder that must stay'
  return { what: `${verb} ${what} (${path})`, path, system: what.includes('system') }
}

/** `rm` removes a link itself, but follows one with a slash behind it; the folders above it are always followed. */
function realTarget(path: string, folder: boolean, facts: Facts): string {
  if (folder || path === '/') return facts.realpath(path)
  const slash = path.lastIndexOf('/')
  const parent = facts.realpath(slash === 0 ? '/' : path.slice(0, slash))
  return `${parent === '/' ? '' : parent}${path.slice(slash)}`
}

function matches(path: PathForm, candidate: string): boolean {
  const names = candidate.split('/').filter((name) => name !== '')
  if (names.length !== path.parts.length) return false
  return path.parts.every((part, index) => mayMatchName(part, names[index] ?? ''))
}

/** Matches names nobody chose: `*`, `.*`, `*.*`, but not `*.log`. */
function isBroad(part: Form): boolean {
  if (exactForm(part) !== undefined) return false
  return ['zq7', '.zq7', 'zq7.k9'].some((name) => mayMatchName(part, name))
}
