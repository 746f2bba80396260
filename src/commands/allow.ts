import { MAIN } from '../core/actor.ts'
import { HoldpointError } from '../core/errors.ts'
import { usedKey } from '../core/exceptions.ts'
import { localTime } from '../core/formats/local-time.ts'
import { createFileState } from '../storage/state/file-state.ts'
import {
  exceptionsFile,
  type KeptException,
  readExceptions,
  type SignedException,
  signException,
  writeExceptions,
} from '../system/exceptions.ts'
import { type Home, homeLayout } from '../system/home.ts'
import type { Caller } from './caller.ts'
import { durationMs } from './duration.ts'
import { personSigner, requirePerson, typed } from './person.ts'
import { recordPerson } from './person-record.ts'
import { fitted, screenWidth } from './screen.ts'
import { findStops, type Stop } from './stops.ts'
import { visible, visibleJson } from './visible.ts'

interface AllowOptions {
  readonly once?: boolean
  readonly always?: boolean
  readonly for?: string
  readonly list?: boolean
  readonly remove?: boolean
  readonly json?: boolean
  readonly home?: string
}

/** Allows exactly one call that was stopped, for every guard that stopped it: the same tool, input, folder and project. */
export async function allow(caller: Caller, codes: readonly string[], options: AllowOptions): Promise<void> {
  const home = homeLayout(options.home, caller.env)
  if (options.list === true) return list(caller, home, options.json === true)
  if (codes.length === 0) {
    const message = 'The code of the stopped call is missing.'
    throw new HoldpointError({
      code: 'OPTION_INVALID',
      key: 'allow',
      message,
      fix: 'Use the code from the denial message, or run `holdpoint explain --last`.',
    })
  }
  if (options.remove === true) return remove(caller, home, codes)
  const length = lengthOf(options)
  const person = await requirePerson(caller, home, 'allow')
  const calls = await Promise.all(codes.map((code) => findStops(home, code.trim().toLowerCase())))
  for (const stops of calls) show(caller, stops, length)
  const stops = calls.flat()
  if (!(await typed(caller, 'Allow exactly this call?', 'allow'))) return out(caller, 'Nothing was changed.')
  const signer = await personSigner(caller, home, person)
  add(
    home,
    stops.map((stop) => signException(exceptionOf(stop, length), signer)),
  )
  for (const { code, guard } of stops)
    recordPerson(caller, home, 'Allow', `${guard} allows ${code} ${words(length)}`)
  const allowed = [...new Set(stops.map(({ code }) => code))].join(', ')
  out(caller, `Allowed ${words(length)}: ${allowed}. Tell the agent to try again.`)
}

type Length = 'once' | 'always' | { readonly forMs: number; readonly said: string }

function lengthOf(options: AllowOptions): Length {
  const given = [options.once === true, options.always === true, options.for !== undefined]
  if (given.filter((each) => each).length > 1) {
    const message = 'Only one of --once, --always and --for can be used.'
    throw new HoldpointError({ code: 'OPTION_INVALID', key: 'allow', message, fix: 'Remove the others.' })
  }
  if (options.for !== undefined) return { forMs: durationMs(options.for, '--for'), said: options.for }
  return options.always === true ? 'always' : 'once'
}

function words(length: Length): string {
  return typeof length === 'string' ? length : `for ${length.said}`
}

/** An exception for one use that is not used expires after a day. */
const UNUSED_MS = 24 * 60 * 60 * 1_000

function exceptionOf(stop: Stop, length: Length): KeptException {
  const addedMs = Date.now()
  const { code, act, guard, what, cwd, project, session, agent = MAIN } = stop
  const kept = { code, act, guard, what, cwd, project, addedMs }
  if (length === 'always') return kept
  if (length !== 'once') return { ...kept, untilMs: addedMs + length.forMs }
  return { ...kept, untilMs: addedMs + UNUSED_MS, once: { session, agent } }
}

function show(caller: Caller, stops: readonly Stop[], length: Length): void {
  const [stop] = stops
  if (stop === undefined) return
  const managed = stops.find(({ layer }) => layer === 'managed')
  if (managed !== undefined) {
    const message = `${managed.guard} comes from managed policy, so you cannot add an exception.`
    throw new HoldpointError({
      code: 'OPTION_INVALID',
      key: stop.code,
      message,
      fix: 'Ask the administrator of this machine.',
    })
  }
  if (length === 'once' && stop.session === '') {
    const message = 'The agent did not report a session for this call, so it cannot be allowed "once".'
    throw new HoldpointError({ code: 'OPTION_INVALID', key: stop.code, message, fix: 'Pass --for 10m.' })
  }
  out(caller, `${guardsOf(stops)} stopped this at ${localTime(stop.at)}, in ${visible(stop.cwd)}:`)
  out(caller, `  ${stop.tool} ${visible(stop.what)}`)
  for (const { does } of stops.slice(0, SHOWN_MAX)) if (does !== '') out(caller, `  It ${visible(does)}.`)
  const whose = length === 'once' ? `, in that session, and for ${stop.agent ?? 'its main agent'}` : ''
  const guards = stops.length === 1 ? 'this guard' : 'these guards'
  out(
    caller,
    `The exception is only for ${guards}, this tool, input, folder and project${whose}. It holds ${words(length)}.`,
  )
}

/** Of a command that cannot be read, every guard says that it cannot rule something out. */
const SHOWN_MAX = 3

function guardsOf(stops: readonly Stop[]): string {
  const names = stops.map(({ guard }) => guard)
  if (names.length <= SHOWN_MAX) return names.join(' and ')
  return `${names.slice(0, SHOWN_MAX).join(', ')} and ${names.length - SHOWN_MAX} more guards`
}

function add(home: Home, exceptions: readonly SignedException[]): void {
  const acts = new Set(exceptions.map(({ act }) => act))
  const others = current(home).filter(({ act }) => !acts.has(act))
  writeExceptions(home, [...others, ...exceptions])
}

/** Removing an exception only makes things stricter, so an agent may do it too. */
function remove(caller: Caller, home: Home, codes: readonly string[]): void {
  const before = current(home)
  const left = before.filter(({ code }) => !codes.includes(code))
  const gone = before.filter(({ code }) => codes.includes(code)).map(({ code }) => code)
  if (gone.length === 0) {
    out(caller, `There is no exception ${codes.join(', ')}.`)
    return
  }
  writeExceptions(home, left)
  for (const code of gone) recordPerson(caller, home, 'Revoke', `the exception ${code} was removed`)
  out(caller, `Exceptions removed: ${gone.join(', ')}.`)
}

function list(caller: Caller, home: Home, json: boolean): void {
  const exceptions = current(home)
  if (json) {
    caller.stdout.write(`${visibleJson(JSON.stringify(exceptions, null, 2))}\n`)
    return
  }
  const { unsigned } = readExceptions(home)
  if (exceptions.length === 0) out(caller, 'There are no exceptions.')
  if (unsigned > 0)
    out(
      caller,
      `${unsigned === 1 ? '1 entry does' : `${unsigned} entries do`} not count in ${exceptionsFile(home)}: no person signed it. Run \`holdpoint allow CODE\` again in a terminal.`,
    )
  for (const { code, guard, what, cwd, once, untilMs } of exceptions) {
    const until = untilMs === undefined ? 'always' : `until ${localTime(untilMs)}`
    const how =
      once === undefined
        ? until
        : `once, in session ${visible(once.session)}, ${useOf(home, code, once, until)}`
    out(caller, `${code}  ${guard}  ${how}\n  in ${visible(cwd)}: ${visible(what)}`)
  }
}

/** An exception for one use stays in the file after it; the session remembers the use. */
function useOf(home: Home, code: string, once: NonNullable<KeptException['once']>, until: string): string {
  const session = createFileState(home.state).read(once.session)
  const memory = session.ok ? session.value.actors.get(once.agent)?.memory : undefined
  return memory?.[usedKey(code)] === undefined ? until : 'used: it no longer counts'
}

/** Expired exceptions count as removed. */
function current(home: Home): readonly SignedException[] {
  return readExceptions(home).exceptions.filter(
    ({ untilMs }) => untilMs === undefined || untilMs > Date.now(),
  )
}

function out(caller: Caller, line: string): void {
  caller.stdout.write(`${fitted(line, screenWidth(caller.stdout))}\n`)
}
