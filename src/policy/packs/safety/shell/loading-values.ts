import { isInside, resolvePath } from '../../../../shell/words/paths.ts'

export interface LoadContext {
  readonly home: string
  readonly project: string
  readonly cwd: string | undefined
}

const TEMPORARY = /^(?:\/tmp|\/var\/tmp|\/dev\/shm|\/private\/tmp|\/private\/var\/tmp)(?:\/|$)/

/** A folder before the old value (`$PATH`) that every user can write to, or the current folder, whatever it is. */
export function hasOddFolder(value: string, place: LoadContext): boolean {
  const entries = value.split(':')
  const rest = entries.findIndex((entry) => /^\$\{?\w+/.test(entry))
  const front = rest < 0 ? entries : entries.slice(0, rest)
  return front.some(
    (entry) => entry === '' || entry === '.' || entry === '..' || isTemporaryEntry(entry, place),
  )
}

export function hasTempFolder(value: string, place: LoadContext): boolean {
  return value.split(/[:;]/).some((entry) => isTemporaryEntry(entry, place))
}

/** The project itself may be in a temporary folder; then it belongs to the user. */
export function isTemporaryEntry(entry: string, { home, project, cwd }: LoadContext): boolean {
  const path = resolvePath(entry, { cwd, home })
  return path !== undefined && TEMPORARY.test(path) && !isInside(path, project)
}

/** A command line whose program is in a temporary folder. */
export function startsFromTemp(value: string, place: LoadContext): boolean {
  const [program = ''] = value.replace(/^[\s|"']+-?/, '').split(/[\s"']/, 1)
  return isTemporaryEntry(program, place)
}

/**
 * A compiler is a program with options. A shell with inline code, or a program that every user can replace, is not a
 * compiler.
 */
export function runsShellCode(value: string, place: LoadContext): boolean {
  return (
    startsFromTemp(value, place) ||
    /[;&|`]|\$\(|^\s*(?:\S*\/)?(?:ba|z|da|k)?sh\b|\b(?:eval|exec)\s/.test(value)
  )
}

/**
 * `--require ./setup.js` and `--import tsx` belong to the project. An absolute path elsewhere, or inline code, does
 * not.
 */
export function requiresFromOutside(value: string, place: LoadContext): boolean {
  const loads = value.matchAll(
    /(?:^|\s)(?:--require|-r|--import|--loader|--experimental-loader)[\s=]+["']?([^\s"']+)/g,
  )
  return [...loads].some(([, module = '']) => {
    if (/^(?:data|https?):/.test(module)) return true
    if (!/^[/~]/.test(module)) return false
    const path = resolvePath(module, { cwd: place.cwd, home: place.home })
    return path === undefined || !isInside(path, place.project)
  })
}
