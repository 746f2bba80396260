import { dirname } from 'node:path'
import type { HookEntry, Layer } from './config.ts'
import { isOwn, type Where } from './config-places.ts'
import { arePinned, foreignFiles, programFiles, startedFiles, type TrustedFiles } from './world/trust.ts'

/**
 * A trusted file may name programs that changed since: those hooks alone lose their trust. A person's own file is
 * trusted whatever it starts, but for what lies in the project. What a stranger's file names is not even looked at.
 */
export function withPins(layer: Layer, trust: TrustedFiles, where: Where): Layer {
  if (!layer.trusted) return layer
  const hooks = layer.hooks.map((entry) =>
    arePinned(filesToPin(entry, layer, where), trust) ? entry : { ...entry, trusted: false },
  )
  return { ...layer, hooks }
}

/** The files whose content has to be vouched for before a hook of this layer runs. Undefined: nobody can say. */
export function filesToPin(
  entry: HookEntry,
  { file, rank }: Pick<Layer, 'file' | 'rank'>,
  { home, project }: Where,
): readonly string[] | undefined {
  return isOwn({ path: file, rank }, project)
    ? foreignFiles(entry, { project, own: dirname(file), home: home.user })
    : programFiles(entry, home.user)
}

/** A file that is not there yet is watched too: when it appears, what was pinned has to be asked again. */
export function watchedFiles(entry: HookEntry, layer: Layer, { home, project }: Where): readonly string[] {
  const files = programFiles(entry, home.user) ?? []
  if (!isOwn({ path: layer.file, rank: layer.rank }, project)) return files
  return [...files, ...startedFiles(entry, { project, home: home.user })]
}
