import { join } from 'node:path'
import { type Exception, readException } from '../core/exceptions.ts'
import { isObject, type Json, textAt } from '../core/json.ts'
import { writeWhole } from './files.ts'
import type { Home } from './home.ts'
import { readOwnJson } from './own-json.ts'
import { personVerifier, type Signature, type Signer } from './signatures.ts'

/** An exception as it is stored, with details for the user. */
export interface KeptException extends Exception {
  /** The call, masked and shortened. */
  readonly what: string
  readonly cwd: string
  readonly project: string
  readonly addedMs: number
}

export function exceptionsFile(home: Home): string {
  return join(home.folder, 'exceptions.json')
}

/** Exceptions with the signature of a person, and the number of entries in the file without a valid signature. */
export interface ReadExceptions {
  readonly exceptions: readonly SignedException[]
  readonly unsigned: number
}

export interface SignedException extends KeptException {
  readonly by: Signature
}

/**
 * A file that cannot be read, or that other users can write to, has no effect. Neither has an entry that no
 * person signed.
 */
export function readExceptions(home: Home): ReadExceptions {
  const list = readOwnJson(exceptionsFile(home))?.exceptions
  if (!Array.isArray(list)) return { exceptions: [], unsigned: 0 }
  const isSigned = personVerifier(home)
  const exceptions = list.flatMap((value) =>
    readKept(value).flatMap((kept): readonly SignedException[] => {
      const by = isObject(value) ? value.by : undefined
      return isSigned('exception', contentOf(kept), by) ? [{ ...kept, by: by as unknown as Signature }] : []
    }),
  )
  return { exceptions, unsigned: list.length - exceptions.length }
}

export function signException(exception: KeptException, signer: Signer): SignedException {
  return { ...exception, by: signer.sign('exception', contentOf(exception)) }
}

/** Written completely or not at all, and private to the user. */
export function writeExceptions(home: Home, exceptions: readonly SignedException[]): void {
  const text = `${JSON.stringify({ version: 2, exceptions }, null, 2)}\n`
  writeWhole(exceptionsFile(home), text, 0o600)
}

/** Everything in an exception is signed: with a changed word it is another exception, without a signature. */
function contentOf(kept: KeptException): readonly Json[] {
  const { code, act, guard, what, cwd, project, addedMs, untilMs = null, once } = kept
  return [code, act, guard, what, cwd, project, addedMs, untilMs, once?.session ?? null, once?.agent ?? null]
}

function readKept(value: Json): readonly KeptException[] {
  if (!isObject(value)) return []
  const [what, cwd, project] = [textAt(value, 'what'), textAt(value, 'cwd'), textAt(value, 'project')]
  const { addedMs } = value
  if (cwd === undefined || project === undefined || typeof addedMs !== 'number') return []
  return readException(value).map((exception) => ({ ...exception, what: what ?? '', cwd, project, addedMs }))
}
