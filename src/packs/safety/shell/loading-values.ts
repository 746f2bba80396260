import { isInside, resolvePath } from '../../../shell/paths.ts'

export interface Place {
  readonly home: string
  readonly project: string
  readonly cwd: string | undefined
}

const TEMPORARY = /^(?:\/tmp|\/var\/tmp|\/dev\/shm|\/private\/tmp|\/private\/var\/tmp)(?:\/|$)/

/** A folder before the old value (`$PATH`) that anybody may write to, or whichever one happens to be the current one. */
export function hasOddFolder(value: string, place: Place): boolean {
  const entries = value.split(':')
  const rest = entries.findIndex((entry) => /^\$\{?\w+/.test(entry))
  const front = rest < 0 ? entries : entries.slice(0, rest)
  return front.some((entry) => entry === '' || entry === '.' || entry === '..' || isTemporary(entry, place))
}

export function hasTempFolder(value: string, place: Place): boolean {
  return value.split(/[:;]/).some((entry) => isTemporary(entry, place))
}

/** The project may itself lie in a temporary folder, and is then the person's own. */
export function isTemporary(entry: string, { home, project, cwd }: Place): boolean {
  const path = resolvePath(entry, { cwd, home })
  return path !== undefined && TEMPORARY.test(path) && !isInside(path, project)
}

/** A command line whose program lies in a temporary folder. */
export function startsFromTemp(value: string, place: Place): boolean {
  const [program = ''] = value.replace(/^[\s|"']+-?/, '').split(/[\s"']/, 1)
  return isTemporary(program, place)
}

/** A compiler is a program with options; a shell with code of its own, or a program of anybody's, is none. */
export function runsShellCode(value: string, place: Place): boolean {
  return (
    startsFromTemp(value, place) ||
    /[;&|`]|\$\(|^\s*(?:\S*\/)?(?:ba|z|da|k)?sh\b|\b(?:eval|exec)\s/.test(value)
  )
}

/** `--require ./setup.js` and `--import tsx` belong to the project; a whole path elsewhere or code as text does not. */
export function requiresFromOutside(value: string, place: Place): boolean {
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
