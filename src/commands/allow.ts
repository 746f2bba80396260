import { MAIN } from '../actor.ts'
import { HoldpointError } from '../errors.ts'
import { exceptionsFile, type KeptException, readExceptions, writeExceptions } from '../world/exceptions.ts'
import { type Home, homeLayout } from '../world/home.ts'
import { durationMs } from './duration.ts'
import { requirePerson, typed } from './person.ts'
import { recordPerson } from './person-record.ts'
import { findStop, type Stop } from './stops.ts'
import { visible } from './visible.ts'

interface AllowOptions {
  readonly once?: boolean
  readonly always?: boolean
  readonly for?: string
  readonly list?: boolean
  readonly remove?: boolean
  readonly home?: string
}

/** Lets exactly one stopped act through: that guard, tool, input, folder and project, and nothing like it. */
export async function allow(codes: readonly string[], options: AllowOptions): Promise<void> {
  const home = homeLayout(options.home, process.env)
  if (options.list === true) return list(home)
  if (codes.length === 0) {
    const message = 'Name the code of what was stopped.'
    throw new HoldpointError({ code: 'OPTION_INVALID', key: 'allow', message, fix: 'See `holdpoint log`.' })
  }
  if (options.remove === true) return remove(home, codes)
  const length = lengthOf(options)
  requirePerson('allow')
  const stops = await Promise.all(codes.map((code) => findStop(home, code.trim().toLowerCase())))
  for (const stop of stops) show(stop, length, codes)
  if (!(await typed('Let exactly this through?', 'allow'))) return out('Nothing was changed.')
  add(
    home,
    stops.map((stop) => exceptionOf(stop, length)),
  )
  for (const { code, guard } of stops)
    recordPerson(home, 'Allow', `${guard} lets ${code} through ${words(length)}`)
  out(`Allowed ${words(length)}: ${stops.map(({ code }) => code).join(', ')}. Tell the agent to try again.`)
}

type Length = 'once' | 'always' | { readonly forMs: number; readonly said: string }

function lengthOf(options: AllowOptions): Length {
  const given = [options.once === true, options.always === true, options.for !== undefined]
  if (given.filter((each) => each).length > 1) {
    const message = '--once, --always and --for say different things.'
    throw new HoldpointError({ code: 'OPTION_INVALID', key: 'allow', message, fix: 'Pass one of them.' })
  }
  if (options.for !== undefined) return { forMs: durationMs(options.for, '--for'), said: options.for }
  return options.always === true ? 'always' : 'once'
}

function words(length: Length): string {
  return typeof length === 'string' ? length : `for ${length.said}`
}

/** An exception for one use that nobody uses is forgotten after a day. */
const UNUSED_MS = 24 * 60 * 60 * 1_000

function exceptionOf(stop: Stop, length: Length): KeptException {
  const addedMs = Date.now()
  const { code, act, guard, what, cwd, project, session, agent = MAIN } = stop
  const kept = { code, act, guard, what, cwd, project, addedMs }
  if (length === 'always') return kept
  if (length !== 'once') return { ...kept, untilMs: addedMs + length.forMs }
  return { ...kept, untilMs: addedMs + UNUSED_MS, once: { session, agent } }
}

function show(stop: Stop, length: Length, codes: readonly string[]): void {
  if (stop.layer === 'managed') {
    const message = `${stop.guard} comes from managed policy, which nobody here can except.`
    throw new HoldpointError({
      code: 'OPTION_INVALID',
      key: stop.code,
      message,
      fix: 'Ask whoever manages this machine.',
    })
  }
  if (length === 'once' && stop.session === '') {
    const message = 'The agent did not say which session this was, so "once" cannot be told.'
    throw new HoldpointError({ code: 'OPTION_INVALID', key: stop.code, message, fix: 'Pass --for 10m.' })
  }
  out(`${stop.guard} stopped this at ${stop.at}, in ${visible(stop.cwd)}:`)
  out(`  ${stop.tool} ${visible(stop.what)}`)
  if (stop.does !== '') out(`  It ${visible(stop.does)}.`)
  for (const other of stop.others.filter((each) => !codes.some((code) => each.includes(code))))
    out(`  It was stopped by ${other} too: name that code as well.`)
  const whose = length === 'once' ? `, and only in that session, by ${stop.agent ?? 'its main agent'}` : ''
  out(`Only this guard, tool, input, folder and project${whose}: ${words(length)}.`)
}

function add(home: Home, exceptions: readonly KeptException[]): void {
  const acts = new Set(exceptions.map(({ act }) => act))
  const others = current(home).filter(({ act }) => !acts.has(act))
  writeExceptions(exceptionsFile(home), [...others, ...exceptions])
}

/** Taking one back only makes things stricter: nobody has to prove who they are. */
function remove(home: Home, codes: readonly string[]): void {
  const before = current(home)
  const left = before.filter(({ code }) => !codes.includes(code))
  const gone = before.filter(({ code }) => codes.includes(code)).map(({ code }) => code)
  if (gone.length === 0) {
    out(`There is no exception ${codes.join(', ')}.`)
    return
  }
  writeExceptions(exceptionsFile(home), left)
  for (const code of gone) recordPerson(home, 'Allow', `the exception ${code} was taken back`)
  out(`No longer let through: ${gone.join(', ')}.`)
}

function list(home: Home): void {
  const exceptions = current(home)
  if (exceptions.length === 0) out('Nothing is excepted.')
  for (const { code, guard, what, cwd, once, untilMs } of exceptions) {
    const until = untilMs === undefined ? 'always' : `until ${new Date(untilMs).toISOString()}`
    const how = once === undefined ? until : `once, in session ${visible(once.session)}, ${until}`
    out(`${code}  ${guard}  ${how}\n  in ${visible(cwd)}: ${visible(what)}`)
  }
}

/** What has run out is as good as gone. */
function current(home: Home): readonly KeptException[] {
  return readExceptions(exceptionsFile(home)).filter(
    ({ untilMs }) => untilMs === undefined || untilMs > Date.now(),
  )
}

function out(line: string): void {
  process.stdout.write(`${line}\n`)
}
