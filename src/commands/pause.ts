import { HoldpointError } from '../errors.ts'
import { type Home, homeLayout } from '../world/home.ts'
import { endPause, PAUSE_MAX_MS, type Pause, pauseFile, readPause, writePause } from '../world/pause.ts'
import { durationMs } from './duration.ts'
import { requirePerson, typed } from './person.ts'
import { recordPerson } from './person-record.ts'

interface PauseOptions {
  readonly all?: boolean
  readonly end?: boolean
  readonly home?: string
}

/** A maintenance window: the guards that keep Holdpoint in place, or all of them, are off for a while. */
export async function pause(length: string | undefined, options: PauseOptions): Promise<void> {
  const home = homeLayout(options.home, process.env)
  if (options.end === true) return end(home)
  if (length === undefined) return tell(home)
  const forMs = durationMs(length, 'pause')
  if (forMs > PAUSE_MAX_MS) {
    const message = `${length} is longer than a pause may be.`
    throw new HoldpointError({ code: 'OPTION_INVALID', key: 'pause', message, fix: 'Pause for 8h at most.' })
  }
  requirePerson('pause')
  const sinceMs = Date.now()
  const opened: Pause = {
    sinceMs,
    untilMs: sinceMs + forMs,
    packs: options.all === true ? 'all' : ['self'],
  }
  out(`${whatIsOff(opened)} until ${time(opened.untilMs)}, in every project of yours.`)
  out('What managed policy asks for stays on. The journal goes on recording.')
  if (!(await typed('Pause?', 'pause'))) return out('Nothing was changed.')
  writePause(pauseFile(home), opened)
  recordPerson(home, 'Pause', `${whatIsOff(opened)} until ${time(opened.untilMs)}`)
  out(`Paused until ${time(opened.untilMs)}. \`holdpoint pause --end\` ends it before.`)
}

/** Anybody may end it: that only makes things stricter. */
function end(home: Home): void {
  const open = openPause(home)
  endPause(pauseFile(home))
  if (open === undefined) {
    out('Nothing was paused.')
    return
  }
  recordPerson(home, 'Pause', 'the pause was ended')
  out('The pause is over: every guard judges again from the next event on.')
}

function tell(home: Home): void {
  const open = openPause(home)
  out(open === undefined ? 'Nothing is paused.' : `${whatIsOff(open)} until ${time(open.untilMs)}.`)
}

function openPause(home: Home): Pause | undefined {
  const found = readPause(pauseFile(home))
  return found === undefined || found.untilMs <= Date.now() ? undefined : found
}

function whatIsOff({ packs }: Pause): string {
  return packs === 'all' ? 'All packs are off' : `Pack ${packs.join(', ')} is off`
}

function time(ms: number): string {
  return new Date(ms).toISOString()
}

function out(line: string): void {
  process.stdout.write(`${line}\n`)
}
