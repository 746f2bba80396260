import { HoldpointError } from '../core/errors.ts'
import { type Home, homeLayout } from '../system/home.ts'
import { endPause, PAUSE_MAX_MS, type Pause, pauseFile, readPause, writePause } from '../system/pause.ts'
import { durationMs } from './duration.ts'
import { personSigner, requirePerson, typed } from './person.ts'
import { recordPerson } from './person-record.ts'
import { fitted, localTime } from './screen.ts'

interface PauseOptions {
  readonly all?: boolean
  readonly end?: boolean
  readonly json?: boolean
  readonly home?: string
}

/** A maintenance window: the guards that protect Holdpoint, or all guards, are off for a limited time. */
export async function pause(length: string | undefined, options: PauseOptions): Promise<void> {
  const home = homeLayout(options.home, process.env)
  if (options.end === true) return end(home)
  if (length === undefined) return tell(home, options.json === true)
  const forMs = durationMs(length, 'pause')
  if (forMs > PAUSE_MAX_MS) {
    const message = `${length} is too long for a pause.`
    throw new HoldpointError({ code: 'OPTION_INVALID', key: 'pause', message, fix: 'Pause for 8h at most.' })
  }
  requirePerson('pause')
  const sinceMs = Date.now()
  const opened: Pause = {
    sinceMs,
    untilMs: sinceMs + forMs,
    packs: options.all === true ? 'all' : ['self'],
  }
  out(`This switches ${packsOf(opened)} off until ${localTime(opened.untilMs)}, in all your projects.`)
  out('Packs from managed policy stay on. The journal still records everything.')
  if (!(await typed('Pause?', 'pause'))) return out('Nothing was changed.')
  writePause(home, opened, await personSigner(home))
  recordPerson(home, 'Pause', `${whatIsOff(opened)} until ${new Date(opened.untilMs).toISOString()}`)
  out(`Paused until ${localTime(opened.untilMs)}. To end it earlier, run \`holdpoint pause --end\`.`)
}

/** An agent may end a pause too: that only makes things stricter. */
function end(home: Home): void {
  const open = openPause(home)
  const found = readPause(home)
  endPause(home)
  if (open === undefined) {
    if (found.kind === 'unsigned') recordPerson(home, 'Resume', 'a pause that no person signed was removed')
    out('Nothing was paused.')
    return
  }
  recordPerson(home, 'Resume', 'the pause was ended')
  out('The pause has ended: all guards are on again from the next event.')
}

function tell(home: Home, json: boolean): void {
  const open = openPause(home)
  if (json) {
    process.stdout.write(`${JSON.stringify(open ?? null, null, 2)}\n`)
    return
  }
  out(open === undefined ? 'Nothing is paused.' : `${whatIsOff(open)} until ${localTime(open.untilMs)}.`)
  if (readPause(home).kind === 'unsigned')
    out(
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

function out(line: string): void {
  process.stdout.write(`${fitted(line)}\n`)
}
