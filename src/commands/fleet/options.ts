import type { KeyObject } from 'node:crypto'
import { HoldpointError, type Result } from '../../core/errors.ts'
import { readKeyFile } from '../../tools/bundle/key-file.ts'
import type { Caller } from '../caller.ts'
import { durationMs } from '../duration.ts'
import { typedSecret } from '../typed-secret.ts'

/** What the commands of the fleet share: values out of options, and problems as errors. */

export function sureOf<T>(result: Result<T>): T {
  if (result.ok) return result.value
  throw new HoldpointError(result.problem)
}

/** The private key in a file. If it is encrypted, the person at the terminal is asked for the passphrase. */
export async function openKey(caller: Caller, file: string): Promise<KeyObject> {
  const key = readKeyFile(caller.path(file))
  if (key !== 'needs passphrase') return sureOf(key)
  const passphrase = caller.stdin.isTTY ? await typedSecret(caller, `The passphrase of ${file}: `) : ''
  const opened = readKeyFile(caller.path(file), passphrase)
  if (opened !== 'needs passphrase') return sureOf(opened)
  throw new HoldpointError({
    code: 'SIGNING_KEY',
    message: 'The key is encrypted.',
    file,
    fix: 'Run it in a terminal.',
  })
}

export function countOption(text: string, key: string, min: number, max: number): number {
  const count = Number(text)
  if (/^\d{1,15}$/.test(text) && count >= min && count <= max) return count
  throw new HoldpointError({
    code: 'OPTION_INVALID',
    key,
    message: `"${text.slice(0, 60)}" is not a whole number from ${min} to ${max}.`,
  })
}

export function percentOption(text: string): number {
  const percent = Number(text)
  if (/^\d{1,3}(?:\.\d{1,2})?$/.test(text) && percent <= 100) return percent
  throw new HoldpointError({
    code: 'OPTION_INVALID',
    key: '--percent',
    message: `"${text.slice(0, 60)}" is not a percentage from 0 to 100.`,
  })
}

export function daysFrom(now: Date, text: string): Date {
  return new Date(now.getTime() + durationMs(text, '--expires'))
}
