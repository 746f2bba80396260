import { mkdirSync, rmdirSync, rmSync } from 'node:fs'
import { constants } from 'node:os'
import { setImmediate } from 'node:timers/promises'
import { asHoldpointError, ERRORS, HoldpointError } from '../core/errors.ts'
import { withLockHeld } from '../system/file-lock.ts'
import { removeTorn } from '../system/files.ts'
import type { Home } from '../system/home.ts'
import { installLock, missingFolders } from '../system/installs.ts'
import { unwritable } from '../system/owned-file.ts'
import { createRollback, type Rollback } from '../system/rollback.ts'
import { type Caller, ENDING } from './caller.ts'
import { say } from './screen.ts'

/** Longer than many of them take one after another on a slow machine. */
const WAIT_MAX_MS = 300_000

/**
 * Runs the part of a command that writes: never two at once in one home, and completely or not at all. If it fails, or a
 * signal ends it, every path in `touched` is as it was, and a home that it made is gone. `then` tries what was written
 * while nobody else can write; nothing is taken back because of it.
 */
export async function allOrNothing<T>(
  caller: Caller,
  home: Home,
  touched: readonly string[],
  write: (rollback: Rollback) => Promise<T>,
  then?: (written: T) => Promise<void>,
): Promise<T> {
  const lock = installLock(home)
  const made = missingFolders(lock)
  openHome(home)
  const removeMade = () => made.toReversed().forEach(removeEmpty)
  try {
    const writeAndTry = async () => {
      const written = await writeAlone()
      const ignoreSignals = caller.onSignals(ENDING, (signal) =>
        end(signal, 'Everything is written; `holdpoint doctor` tries it.'),
      )
      try {
        await then?.(written)
      } finally {
        ignoreSignals()
      }
      return written
    }
    const held = await withLockHeld(lock, writeAndTry, {
      waitMaxMs: WAIT_MAX_MS,
      onWait: (pid) =>
        say(caller, `Another \`holdpoint init\` is running (process ${pid ?? 'unknown'}): waiting.`),
    })
    if (!held.ok) throw new HoldpointError(held.problem)
    return held.value
  } catch (error) {
    throw asProblem(error, lock)
  } finally {
    removeMade()
  }

  function end(signal: keyof typeof constants.signals, said: string): void {
    rmSync(lock, { force: true })
    removeMade()
    caller.stderr.write(`holdpoint: it was interrupted. ${said}\n`)
    caller.exit(128 + constants.signals[signal])
  }

  async function writeAlone(): Promise<T> {
    for (const path of touched) removeTorn(path)
    const rollback = createRollback()
    rollback.note(made.includes(home.folder) ? [home.folder, ...touched] : touched)
    const ignoreSignals = caller.onSignals(ENDING, (signal) => {
      const left = rollback.takeBack()
      end(signal, outcome(left))
    })
    try {
      const written = await write(rollback)
      await pendingSignals()
      return written
    } catch (error) {
      throw withOutcome(error, rollback.takeBack())
    } finally {
      ignoreSignals()
    }
  }
}

/**
 * Writing keeps the process busy, so a signal of that time has not been heard yet: it waits for the next look of the
 * event loop at what has come in. That is before the second of two of its rounds.
 */
async function pendingSignals(): Promise<void> {
  await setImmediate()
  await setImmediate()
}

function openHome(home: Home): void {
  try {
    mkdirSync(home.folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    const fix = 'choose another folder with --home DIR; nothing was changed'
    throw new HoldpointError(unwritable(error, home.folder, fix).problem)
  }
}

/** The same error, which also says what is left of what was written. */
function withOutcome(error: unknown, left: readonly string[]): unknown {
  const known = asProblem(error, undefined)
  if (!(known instanceof HoldpointError)) return error
  const { problem } = known
  const fix = problem.fix ?? ERRORS[problem.code].fix
  const isSaid = left.length === 0 && /nothing was (?:changed|written|installed)/i.test(fix)
  return isSaid ? known : new HoldpointError({ ...problem, fix: `${fix} ${outcome(left)}` })
}

/** Errors of the file system become problems with advice; a mistake of Holdpoint stays what it is. */
function asProblem(error: unknown, file: string | undefined): unknown {
  const known = asHoldpointError(error)
  if (known !== undefined || !(error instanceof Error) || !('errno' in error)) return known ?? error
  const path = 'path' in error ? String(error.path) : (file ?? '')
  return new HoldpointError(unwritable(error, path, 'choose another folder with --home DIR').problem)
}

function outcome(left: readonly string[]): string {
  return left.length === 0
    ? 'Nothing was changed.'
    : `What was written is taken back, but not in ${left.join(', ')}: somebody else has changed it since, or it cannot be written.`
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder)
  } catch {
    // Somebody uses it.
  }
}
