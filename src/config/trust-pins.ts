import { dirname } from 'node:path'
import type { HookEntry, Layer } from '../core/layer.ts'
import { handlerKind } from '../handlers/kind-of.ts'
import { foreignFiles, programFiles, programInputs, startedFiles } from '../handlers/program-files.ts'
import { arePinned } from '../system/trust.ts'
import type { TrustedFiles } from '../system/trust-file.ts'
import { type ConfigScope, isOwn } from './places.ts'

/**
 * A trusted file may name programs that have changed since: only those hooks lose their trust. A user's own file is
 * trusted whatever it starts, except for files in the project. Programs of an untrusted file are not even read.
 */
export function withPins(layer: Layer, trust: TrustedFiles, where: ConfigScope): Layer {
  if (!layer.trusted) return layer
  const hooks = layer.hooks.map((entry) => {
    if (linesOf(entry).length > 0) return withCommandPins(entry, layer, trust, where)
    return arePinned(filesToPin(entry, layer, where), trust) ? entry : { ...entry, trusted: false }
  })
  return { ...layer, hooks }
}

/** Of a contract, only the commands that are not trusted are left out; the others run. */
function withCommandPins(entry: HookEntry, layer: Layer, trust: TrustedFiles, where: ConfigScope): HookEntry {
  const reasons = linesOf(entry).flatMap((command) => {
    const files = filesOfEntry(withCommand(entry, command), layer, where)
    if (files === undefined) return [[command, UNCLEAR] as const]
    const changed = files.filter((file) => !arePinned([file], trust))
    return changed.length === 0 ? [] : [[command, changedFiles(changed)] as const]
  })
  if (reasons.length === 0) return entry
  return { ...entry, run: { ...entry.run, untrusted: Object.fromEntries(reasons) } }
}

const UNCLEAR =
  'Holdpoint cannot tell which files it starts, so it cannot be trusted. Put it into a script, and name the script in the contract.'

function changedFiles(files: readonly string[]): string {
  const named = files.slice(0, 3).join(', ')
  const more = files.length > 3 ? ` and ${files.length - 3} more` : ''
  return `it starts ${named}${more}, which is not what was trusted. A person has to read it and run \`holdpoint trust\`.`
}

/** The commands of a contract that Holdpoint cannot trust, because it cannot tell what they start. */
export function unclearCommands(entry: HookEntry, layer: Layer, where: ConfigScope): readonly string[] {
  return linesOf(entry).filter(
    (command) => filesOfEntry(withCommand(entry, command), layer, where) === undefined,
  )
}

function linesOf({ run }: HookEntry): readonly string[] {
  return handlerKind(run).lines?.(run) ?? []
}

function withCommand(entry: HookEntry, command: string): HookEntry {
  return { ...entry, run: { ...entry.run, command } }
}

/**
 * The files that must be trusted before a hook of this layer runs. Undefined: unknown. Of a contract: those of the
 * commands that can be trusted.
 */
export function filesToPin(
  entry: HookEntry,
  layer: Pick<Layer, 'file' | 'rank'>,
  where: ConfigScope,
): readonly string[] | undefined {
  const commands = linesOf(entry)
  if (commands.length === 0) return filesOfEntry(entry, layer, where)
  return commands.flatMap((command) => filesOfEntry(withCommand(entry, command), layer, where) ?? [])
}

function filesOfEntry(
  entry: HookEntry,
  { file, rank }: Pick<Layer, 'file' | 'rank'>,
  { home, project }: ConfigScope,
): readonly string[] | undefined {
  return isOwn({ path: file, rank }, project)
    ? foreignFiles(entry, { project, own: dirname(file), home: home.user })
    : programFiles(entry, home.user)
}

/** A file that does not exist yet is watched too: when it appears, the pins must be checked again. */
export function watchedFiles(
  entry: HookEntry,
  layer: Layer,
  { home, project }: ConfigScope,
): readonly string[] {
  const commands = linesOf(entry)
  const entries = commands.length === 0 ? [entry] : commands.map((command) => withCommand(entry, command))
  const files = entries.flatMap((each) => programInputs(each, home.user))
  if (!isOwn({ path: layer.file, rank: layer.rank }, project)) return files
  const started = entries.flatMap((each) => startedFiles(each, { project, home: home.user }))
  return [...files, ...started, ...(filesToPin(entry, layer, { home, project }) ?? [])]
}
