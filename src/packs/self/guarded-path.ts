import { isObject, type JsonObject, textAt } from '../../json.ts'
import { isInside, type PathForm } from '../../shell/paths.ts'
import { mayMatchName } from '../../shell/patterns.ts'
import { exactForm, type Form, isWhollyUnknown } from '../../shell/words.ts'

/** What keeps the guard in place: the agents' hook configuration and Holdpoint's own files. */
export interface Guarded {
  /** Files our entries were written to, and how many each must hold. */
  readonly installs: ReadonlyMap<string, number>
  /** Holdpoint's own folder. */
  readonly home: string | undefined
}

/** The plan puts these into the pack's options, because a guard cannot look for them. */
export function guardedFrom(options: JsonObject): Guarded {
  const list = Array.isArray(options.installs) ? options.installs : []
  const installs = list.filter(isObject).flatMap((each): readonly [string, number][] => {
    const file = textAt(each, 'file')
    return file === undefined ? [] : [[file, typeof each.entries === 'number' ? each.entries : 1]]
  })
  return { installs: new Map(installs), home: textAt(options, 'home') }
}

export type Match = 'yes' | 'maybe' | 'no'

/** Is this one of them, or, where it is about to vanish or move, a folder that holds one? */
export function isGuarded(path: PathForm, guarded: Guarded, asFolder: boolean): Match {
  const names = path.parts.map(exactForm)
  const whole = path.anchored && !names.includes(undefined) ? `/${names.join('/')}` : undefined
  if (whole !== undefined) {
    if (guarded.installs.has(whole)) return 'yes'
    if (guarded.home !== undefined && isInside(whole, guarded.home)) return 'yes'
    if (
      asFolder &&
      [...guarded.installs.keys(), guarded.home ?? ''].some((each) => each !== '' && isInside(each, whole))
    )
      return 'yes'
  }
  const [folder, file] = path.parts.slice(-2)
  if (asFolder && file !== undefined && FOLDERS.has(exactForm(file) ?? '')) return 'yes'
  if (folder === undefined || file === undefined) return 'no'
  const kept = FILES.get(exactForm(folder) ?? '')
  return kept === undefined ? 'no' : matchName(file, kept)
}

const FILES: ReadonlyMap<string, readonly string[]> = new Map([
  ['.claude', ['settings.json', 'settings.local.json']],
  ['.codex', ['hooks.json', 'config.toml']],
  ['.holdpoint', ['config.yaml', 'config.local.yaml']],
])
const FOLDERS: ReadonlySet<string> = new Set(FILES.keys())

function matchName(name: Form, kept: readonly string[]): Match {
  const text = exactForm(name)
  if (text !== undefined) return kept.includes(text.toLowerCase()) ? 'yes' : 'no'
  if (isWhollyUnknown(name)) return 'maybe'
  return kept.some((each) => mayMatchName(name, each)) ? 'yes' : 'no'
}
