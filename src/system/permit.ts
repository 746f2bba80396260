import { bad, good, type Result } from '../core/errors.ts'
import { isObject, type Json, type JsonObject, parseJsonObject } from '../core/json.ts'
import type { Home } from './home.ts'
import { isRootReal } from './platform/proc.ts'
import { readRegularText } from './regular-file.ts'
import { isOwnedByRoot, listedKeys, permitKeysFile, type Signer, verifierOf } from './signatures.ts'

/**
 * What a machine without a person may do: build an image, run in CI, be managed. A permit is a file. Root's own file
 * counts for root. Any other must be signed by a key that root put on this machine: its person is elsewhere, so that no
 * permit counts where it was made, and an agent there cannot use it.
 */
export interface Permit {
  readonly commands: readonly Permitted[]
  /** Root's file may have none. */
  readonly untilMs?: number
  /** For `trust`: the files of the project, by their path in it, with their content. */
  readonly files?: Readonly<Record<string, string>>
}

/** The commands that remove or weaken protection, and are of use without a person. */
export const PERMITTED = ['adopt', 'init', 'pin', 'trust', 'unenroll', 'uninstall'] as const
export type Permitted = (typeof PERMITTED)[number]

export function isPermitted(command: string): command is Permitted {
  return PERMITTED.some((each) => each === command)
}

/** The text of a permit, signed in the name of the person here. */
export function signPermit(permit: Permit & { readonly untilMs: number }, signer: Signer): string {
  const by = signer.sign('permit', signedContent(permit))
  return `${JSON.stringify({ version: 1, ...permit, by }, null, 2)}\n`
}

/** Reads a permit for this command, if it counts on this machine and for this user. */
export function checkPermit(
  home: Pick<Home, 'folder' | 'managedConfig'>,
  file: string,
  command: Permitted,
  nowMs = Date.now(),
): Result<Permit> {
  const text = readRegularText(file, PERMIT_MAX_BYTES)
  if (text === undefined) return refused('cannot be read as a file of at most 1 MiB', file)
  const value = parseJsonObject(text)
  const permit = value === undefined ? undefined : permitOf(value)
  if (value === undefined || permit === undefined)
    return refused('is not a permit: { "version": 1, "commands": ["uninstall"] }', file)
  if (!permit.commands.includes(command)) return refused(`does not permit \`${command}\``, file)
  if (permit.untilMs !== undefined && permit.untilMs <= nowMs)
    return refused(`ended at ${new Date(permit.untilMs).toISOString()}`, file)
  if (isObject(value.by)) return isSigned(home, permit, value.by) ? good(permit) : unsigned(home, file)
  if (process.getuid?.() !== 0 || !isRootReal())
    return refused('is not signed, so it counts only for root', file)
  return isOwnedByRoot(file) ? good(permit) : refused('is not signed, and not only root can write it', file)
}

const PERMIT_MAX_BYTES = 1024 * 1024

function permitOf({ version, commands, untilMs, files }: JsonObject): Permit | undefined {
  if (version !== 1 || !Array.isArray(commands)) return undefined
  const known = commands.filter((each) => typeof each === 'string').filter(isPermitted)
  if (known.length !== commands.length || known.length === 0) return undefined
  if (untilMs !== undefined && typeof untilMs !== 'number') return undefined
  const pins = files === undefined ? {} : pinsOf(files)
  if (pins === undefined) return undefined
  return {
    commands: known,
    ...(untilMs === undefined ? {} : { untilMs }),
    ...(files === undefined ? {} : { files: pins }),
  }
}

function pinsOf(files: Json): Readonly<Record<string, string>> | undefined {
  if (!isObject(files)) return undefined
  const pins = Object.entries(files).filter((each): each is [string, string] => typeof each[1] === 'string')
  return pins.length === Object.keys(files).length ? Object.fromEntries(pins) : undefined
}

/** A permit without an end is never signed. */
function isSigned(home: Pick<Home, 'folder' | 'managedConfig'>, permit: Permit, by: JsonObject): boolean {
  const file = permitKeysFile(home)
  const { untilMs } = permit
  // In a namespace of its own, anybody's file looks like one of root.
  if (untilMs === undefined || !isOwnedByRoot(file) || !isRootReal()) return false
  return verifierOf(listedKeys(file))('permit', signedContent({ ...permit, untilMs }), by)
}

function signedContent({ commands, untilMs, files }: Permit & { readonly untilMs: number }): readonly Json[] {
  const pins = Object.entries(files ?? {}).sort(([a], [b]) => (a < b ? -1 : 1))
  return [[...commands], untilMs, files === undefined ? null : pins.map(([path, pin]) => [path, pin])]
}

function unsigned(home: Pick<Home, 'folder' | 'managedConfig'>, file: string): Result<never> {
  const keys = permitKeysFile(home)
  const why = isOwnedByRoot(keys)
    ? `is not signed by a key in ${keys}`
    : `is signed, but root put no key for permits in ${keys}`
  return refused(why, file)
}

function refused(why: string, file: string): Result<never> {
  return bad('PERMIT_INVALID', `The file of --unattended ${why}.`, { file, key: '--unattended' })
}
