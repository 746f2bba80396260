import type { Facts } from '../../../../core/facts.ts'
import type { SimpleCommand } from '../../../../shell/vocabulary/command.ts'
import type { FileName } from '../../../../shell/vocabulary/effect.ts'
import { findsIn } from '../../../../shell/words/found.ts'
import { type PathForm, resolveForm } from '../../../../shell/words/paths.ts'
import { mayMatchName } from '../../../../shell/words/patterns.ts'
import {
  concatForms,
  exactForm,
  type Form,
  hasUnknown,
  isWhollyUnknown,
} from '../../../../shell/words/words.ts'
import { foldsCase, onDisk } from '../../../analysis/on-disk.ts'
import type { ProtectedRoots } from './protected-paths.ts'

/** The files that a name in a command refers to, with links followed. */
export interface FileTarget {
  /**
   * The path as written, with links followed, and as the disk has it. For a pattern: the folder before it. Empty if the place is unknown.
   */
  readonly paths: readonly string[]
  /** The parts from the first pattern on. If the start of the path is unknown: all parts. */
  readonly pattern: readonly Form[]
  readonly unsure?: string
}

/** Without a command it is a file tool, which works on this machine. */
export function groundOf(facts: Facts, command: SimpleCommand | undefined): ProtectedRoots {
  const homes = [facts.home, facts.realpath(facts.home)]
  const elsewhere = command !== undefined && runsOn(command) !== 'here'
  return { homes, projects: elsewhere ? [] : [facts.project, facts.realpath(facts.project)] }
}

/** The machine that the files are on. */
export function runsOn(command: SimpleCommand): 'here' | 'another machine' | 'a container' {
  if (command.via.some((how) => /^(docker|podman|nerdctl|kubectl|oc|lxc|buildah)\b/.test(how)))
    return 'a container'
  return command.via.some((how) => /^(ssh|mosh|vagrant)\b/.test(how)) ? 'another machine' : 'here'
}

/** For files that `find` selects: the folders that it searches. */
export function targetsOf(file: FileName, command: SimpleCommand, facts: Facts): readonly FileTarget[] {
  const { source } = file
  const form = withHome(withoutDrive(findsIn(file.form)?.root ?? file.form), facts.home)
  if (form.length === 0) return []
  if (isWhollyUnknown(form)) {
    return [{ paths: [], pattern: [], unsure: `${source} is known only at run time` }]
  }
  const place = { cwd: file.cwd, home: facts.home }
  const path = resolveForm(form, place)
  if (!path.anchored) {
    return [{ paths: [], pattern: path.parts, unsure: `the folder of ${source} is known only at run time` }]
  }
  if (!hasUnknown(form)) return [targetOf(path, command, facts)]
  // An unknown part may be empty, or may be a name.
  return ['', 'x'].map((filler): FileTarget => {
    const filled = form.map((piece) =>
      piece.kind === 'unknown' ? ({ kind: 'text', text: filler } as const) : piece,
    )
    const target = targetOf(resolveForm(concatForms(filled), place), command, facts)
    return { ...target, unsure: `part of ${source} is known only at run time` }
  })
}

/** `C:\\Users` is not a name in this folder; it is treated as a path from the root. */
function withoutDrive(form: Form): Form {
  const [first, ...rest] = form
  if (first?.kind !== 'text' || !/^[A-Za-z]:(?:[\\/]|$)/.test(first.text)) return form
  return [{ kind: 'text', text: `/${first.text.slice(2).replaceAll('\\', '/')}` }, ...rest]
}

/** `'$HOME/x'` in single quotes is not the home folder for the shell, but the author meant it. */
function withHome(form: Form, home: string): Form {
  const [first, ...rest] = form
  if (first?.kind !== 'text' || !/^\$(HOME|\{HOME\})(\/|$)/.test(first.text)) return form
  return [{ kind: 'text', text: home + first.text.replace(/^\$(HOME|\{HOME\})/, '') }, ...rest]
}

function targetOf(path: PathForm, command: SimpleCommand, facts: Facts): FileTarget {
  const at = path.parts.findIndex((part) => exactForm(part) === undefined)
  const certain = at < 0 ? path.parts : path.parts.slice(0, at)
  const written = `/${certain.map((part) => exactForm(part) ?? '').join('/')}`
  const pattern = at < 0 ? [] : path.parts.slice(at)
  const folder = path.folder || at >= 0
  if (runsOn(command) !== 'here') return { paths: [written], pattern }
  const named = [written, ...inOtherTemporary(written, command, facts)]
  const paths = [...named, ...named.map((each) => realTarget(each, folder, facts))]
  const folded = foldsCase(facts) ? paths.map((each) => onDisk(each, facts)) : []
  return { paths: [...new Set([...paths, ...folded])], pattern }
}

/**
 * Programs remove the link itself, but follow a link with a trailing slash. Links in parent folders are always
 * followed.
 */
function realTarget(path: string, folder: boolean, facts: Facts): string {
  if (folder || path === '/') return facts.realpath(path)
  const slash = path.lastIndexOf('/')
  const parent = facts.realpath(slash === 0 ? '/' : path.slice(0, slash))
  return `${parent === '/' ? '' : parent}${path.slice(slash)}`
}

/** `$TMPDIR` is read as /tmp, but its real value may be any folder. */
function inOtherTemporary(path: string, command: SimpleCommand, facts: Facts): readonly string[] {
  const folder = facts.env.TMPDIR
  if (folder === undefined || !folder.startsWith('/') || !command.fragment.includes('TMPDIR')) return []
  if (path !== '/tmp' && !path.startsWith('/tmp/')) return []
  const moved = resolveForm([{ kind: 'text', text: `${folder}/${path.slice(4)}` }], {
    cwd: '/',
    home: facts.home,
  })
  return [`/${moved.parts.map((part) => exactForm(part) ?? '').join('/')}`]
}

/** Matches every name: `*`, `.*`, `*.*`, but not `*.log`. */
export function isBroad(part: Form): boolean {
  if (exactForm(part) !== undefined) return false
  return ['zq7', '.zq7', 'zq7.k9'].some((name) => mayMatchName(part, name))
}

/** The last part as people write it: `*.log`, `node_modules`. */
export function spelled(part: Form | undefined): string {
  return part?.map((piece) => piece.text).join('') ?? ''
}
