import { pathToFileURL } from 'node:url'
import { defineHook } from '../../../core/define-hook.ts'
import { defineGuard, definePack } from '../../../core/define-pack.ts'
import { EVENT_KINDS, type Event, namesOf, subjectOf } from '../../../core/event.ts'
import type { ModulePart } from './protocol.ts'

/** What a module exports, ready to be called. */
export interface LoadedHook {
  concerns(event: Event): boolean
  run(event: unknown, context: unknown, third?: unknown): unknown
}

/** Loads the file and finds the hook in it. Throws if either fails. */
export async function loadHook(
  request: Pick<ModulePart, 'file' | 'loader' | 'own' | 'export'>,
  provided: OwnLibraries,
): Promise<LoadedHook> {
  const exports = await loadModule(request, provided)
  const exported = request.export === undefined ? defaultOf(exports) : namedIn(exports, request.export)
  return hookFrom(exported, request.export)
}

/** Parts of Holdpoint that are loaded when a module imports them, by their names. */
export type OwnLibraries = Readonly<Record<string, () => Promise<object>>>

export async function loadModule(
  { file, loader, own }: Pick<ModulePart, 'file' | 'loader' | 'own'>,
  provided: OwnLibraries,
): Promise<unknown> {
  if (loader === 'native') return loadNatively(file)
  const asked = own.flatMap((name) =>
    Object.hasOwn(provided, name) ? [[name, provided[name]] as const] : [],
  )
  const libraries = await Promise.all(asked.map(async ([name, load]) => [name, await load?.()] as const))
  return loadTypeScript(file, Object.fromEntries(libraries))
}

function loadNatively(file: string): Promise<unknown> {
  return import(pathToFileURL(file).href)
}

/**
 * No cache on disk: a cache in the project could contain other code than the trusted files. Policies get the run-time
 * part of `holdpoint`, whether it is installed there or not.
 */
async function loadTypeScript(file: string, libraries: Readonly<Record<string, unknown>>): Promise<unknown> {
  const { createJiti } = await import('jiti')
  const jiti = createJiti(file, {
    fsCache: false,
    interopDefault: false,
    virtualModules: { holdpoint: { defineHook, defineGuard, definePack }, ...libraries },
  })
  return jiti.import(file)
}

/** CommonJS puts a default in many places: the module itself, `default`, `default.default`. */
function defaultOf(exports: unknown): unknown {
  const first = at(exports, 'default') ?? exports
  return isHook(first) ? first : (at(first, 'default') ?? first)
}

function namedIn(exports: unknown, names: string): unknown {
  const wanted = names.split('|')
  for (let i = 0; i < wanted.length; i += 1) {
    const name = wanted[i] ?? ''
    const found = at(exports, name) ?? at(at(exports, 'default'), name)
    if (found !== undefined) return found
  }
  return undefined
}

export function at(value: unknown, key: string): unknown {
  const holds = (typeof value === 'object' && value !== null) || typeof value === 'function'
  return holds && Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined
}

interface Exported {
  readonly on?: unknown
  readonly match?: unknown
  run(event: unknown, context: unknown): unknown
}

function isHook(value: unknown): value is Exported | Exported['run'] {
  if (typeof value === 'function') return true
  return typeof value === 'object' && value !== null && 'run' in value && typeof value.run === 'function'
}

function hookFrom(exported: unknown, name: string | undefined): LoadedHook {
  if (!isHook(exported)) {
    const where =
      name === undefined
        ? 'has no default export that is'
        : `has no export \`${name.replaceAll('|', '` or `')}\` that is`
    throw new Error(`it ${where} a function or a hook made by defineHook`)
  }
  if (typeof exported === 'function') return { concerns: () => true, run: exported }
  const kinds = kindsOf(exported.on)
  const names = namesIn(exported.match)
  return {
    concerns: (event) => isAmong([event.kind], kinds) && isAmong(namesOf(subjectOf(event) ?? ''), names),
    run: (event, context) => exported.run(event, context),
  }
}

/** By hand: a changed `includes` would disable the hook. */
function isAmong(words: readonly string[], known: readonly string[] | undefined): boolean {
  if (known === undefined) return true
  for (let i = 0; i < words.length; i += 1) {
    for (let j = 0; j < known.length; j += 1) if (words[i] === known[j]) return true
  }
  return false
}

/** A hook for a misspelled event would never run. */
function kindsOf(on: unknown): readonly string[] | undefined {
  if (on === undefined) return undefined
  const kinds: readonly unknown[] = isArray(on) ? on : [on]
  for (let i = 0; i < kinds.length; i += 1) {
    const kind = kinds[i]
    if (typeof kind !== 'string' || !isAmong([kind], EVENT_KINDS)) {
      throw new Error(`its \`on\` names ${shown(kind)}, which is not an event`)
    }
  }
  if (kinds.length === 0) throw new Error('its `on` names no event')
  return kinds as readonly string[]
}

const { isArray } = Array

function namesIn(match: unknown): readonly string[] | undefined {
  if (match === undefined || match === '*' || match === '') return undefined
  if (typeof match !== 'string' || !/^[\w-]+(?:\|[\w-]+)*$/.test(match)) {
    throw new Error(`its \`match\` is ${shown(match)}; write exact names joined by |, or *`)
  }
  return match.split('|')
}

function shown(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 60)) : `a ${typeof value}`
}
