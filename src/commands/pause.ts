import { HoldpointError } from '../core/errors.ts'
import { localTime } from '../core/formats/local-time.ts'
import { type Home, homeLayout } from '../system/home.ts'
import { endPause, PAUSE_MAX_MS, type Pause, pauseFile, readPause, writePause } from '../system/pause.ts'
import type { Caller } from './caller.ts'
import { durationMs } from './duration.ts'
import { personSigner, requirePerson, typed } from './person.ts'
import { recordPerson } from './person-record.ts'
import { fitted, screenWidth } from './screen.ts'

interface PauseOptions {
  readonly all?: boolean
  readonly end?: boolean
  readonly json?: boolean
  readonly home?: string
}

/** A maintenance window: the guards that protect Holdpoint, or all guards, are off for a limited time. */
export async function pause(
  caller: Caller,
  length: string | undefined,
  options: PauseOptions,
): Promise<void> {
  const home = homeLayout(options.home, caller.env)
  if (options.end === true) return end(caller, home)
  if (length === undefined) return tell(caller, home, options.json === true)
  const forMs = durationMs(length, 'pause')
  if (forMs > PAUSE_MAX_MS) {
    const message = `${length} is too long for a pause.`
    throw new HoldpointError({ code: 'OPTION_INVALID', key: 'pause', message, fix: 'Pause for 8h at most.' })
  }
  const person = await requirePerson(caller, home, 'pause')
  const sinceMs = Date.now()
  const opened: Pause = {
    sinceMs,
    untilMs: sinceMs + forMs,
    packs: options.all === true ? 'all' : ['self'],
  }
  out(
    caller,
    `This switches ${packsOf(opened)} off until ${localTime(opened.untilMs)}, in all your projects.`,
  )
  out(caller, 'Packs from managed policy stay on. The journal still records everything.')
  if (!(await typed(caller, 'Pause?', 'pause'))) return out(caller, 'Nothing was changed.')
  writePause(home, opened, await personSigner(caller, home, person))
  recordPerson(caller, home, 'Pause', `${whatIsOff(opened)} until ${new Date(opened.untilMs).toISOString()}`)
  out(caller, `Paused until ${localTime(opened.untilMs)}. To end it earlier, run \`holdpoint pause --end\`.`)
}

/** An agent may end a pause too: that only makes things stricter. */
function end(caller: Caller, home: Home): void {
  const open = openPause(home)
  const found = readPause(home)
  endPause(home)
  if (open === undefined) {
    if (found.kind === 'unsigned')
      recordPerson(caller, home, 'Resume', 'a pause that no person signed was removed')
    out(caller, 'Nothing was paused.')
    return
  }
  recordPerson(caller, home, 'Resume', 'the pause was ended')
  out(caller, 'The pause has ended: all guards are on again from the next event.')
}

function tell(caller: Caller, home: Home, json: boolean): void {
  const open = openPause(home)
  if (json) {
    caller.stdout.write(`${JSON.stringify(open ?? null, null, 2)}\n`)
    return
  }
  out(
    caller,
    open === undefined ? 'Nothing is paused.' : `${whatIsOff(open)} until ${localTime(open.untilMs)}.`,
  )
  if (readPause(home).kind === 'unsigned')
    out(
      caller,
      `${pauseFile(home)} is ignored: no person made it with \`holdpoint pause\`. \`holdpoint pause --end\` removes it.`,
    )
}

function openPause(home: Home): Pause | undefined {
  const found = readPause(home)
  return found.kind !== 'signed' || found.pause.untilMs <= Date.now() ? undefined : found.pause
}

function whatIsOff({ packs }: Pause): string {
  return packs === 'all' ? 'All packs are off' : `The pack ${packs.join(', ')} is off`
}

function packsOf({ packs }: Pause): string {
  return packs === 'all' ? 'all packs' : `the pack ${packs.join(', ')}`
}

function out(caller: Caller, line: string): void {
  caller.stdout.write(`${fitted(line, screenWidth(caller.stdout))}\n`)
}
