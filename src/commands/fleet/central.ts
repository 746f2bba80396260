import { userInfo } from 'node:os'
import { HoldpointError } from '../../core/errors.ts'
import type { FleetDatabase, MachineOverview, SessionRecord, StopsQuery } from '../../core/fleet-package.ts'
import { isObject, textAt } from '../../core/json.ts'
import { durationMs } from '../duration.ts'
import { plural, say } from '../screen.ts'
import { visible, visibleJson } from '../visible.ts'
import { databaseOption, retentionOption } from './collector.ts'
import { loadCollector } from './load-package.ts'
import { countOption } from './options.ts'

/** What administrators and readers of a fleet ask its database. */

interface CentralOptions {
  readonly database?: string
  readonly json?: boolean
}

async function withFleet(
  options: CentralOptions,
  work: (fleet: FleetDatabase) => Promise<void>,
): Promise<void> {
  const fleet = await loadCollector().openFleet(databaseOption(options))
  try {
    await work(fleet)
  } finally {
    await fleet.close()
  }
}

function print(value: unknown): void {
  process.stdout.write(`${visibleJson(JSON.stringify(value, null, 2))}\n`)
}

export function migrate(options: CentralOptions): Promise<void> {
  return withFleet(options, async (fleet) => {
    const { from, to } = await fleet.migrate()
    say(
      from === to
        ? `The schema already has version ${to}.`
        : `The schema was brought from version ${from} to ${to}.`,
    )
  })
}

interface TokenOptions extends CentralOptions {
  readonly role?: 'push' | 'read' | 'admin'
  readonly label?: string
  readonly team?: string
  readonly expires?: string
  readonly uses?: string
}

export function createToken(options: TokenOptions): Promise<void> {
  return withFleet(options, async (fleet) => {
    const { role = 'push', label = '', team = '', expires, uses } = options
    const token = await fleet.createToken({
      ...{ role, label, team },
      ...(expires === undefined
        ? {}
        : { expiresAt: new Date(Date.now() + durationMs(expires, '--expires')) }),
      ...(uses === undefined ? {} : { uses: countOption(uses, '--uses', 1, 1_000_000) }),
    })
    process.stdout.write(`${token}\n`)
    process.stderr.write('holdpoint: the token is shown once. Store it like a password.\n')
  })
}

export function listTokens(options: CentralOptions): Promise<void> {
  return withFleet(options, async (fleet) => {
    const tokens = await fleet.tokens()
    if (options.json === true) return print(tokens)
    for (const { id, role, label, team, expiresAt, usesLeft, revoked } of tokens) {
      const more = [
        team === '' ? undefined : `team ${team}`,
        expiresAt === undefined ? 'never expires' : `expires ${expiresAt.slice(0, 10)}`,
        usesLeft === undefined ? undefined : `${plural(usesLeft, 'use')} left`,
        revoked ? 'revoked' : undefined,
      ]
      say(`${id} ${role} ${visible(label)} ${more.filter((each) => each !== undefined).join(', ')}`)
    }
  })
}

export function revokeToken(id: string, options: CentralOptions): Promise<void> {
  return withFleet(options, async (fleet) => {
    if (!(await fleet.revokeToken(id))) throw unknown(`There is no token ${id} that counts.`)
    say(`The token ${id} no longer counts. Machines that are registered with it stay registered.`)
  })
}

interface MachinesOptions extends CentralOptions {
  readonly team?: string
  readonly urgent?: boolean
}

/** Those that a person should look at come first. Exit code 1 if there is one. */
export function machines(options: MachinesOptions): Promise<void> {
  return withFleet(options, async (fleet) => {
    const { team, urgent } = options
    const found = await fleet.machines({
      ...(team === undefined ? {} : { team }),
      ...(urgent === undefined ? {} : { urgent }),
    })
    if (options.json === true) print(found)
    else for (const machine of found) say(machineLine(machine))
    if (found.some(({ state, revoked }) => state !== 'well' && !revoked)) process.exitCode = 1
  })
}

function machineLine({
  machine,
  hostname,
  user,
  team,
  version,
  lastSeen,
  bundle,
  state,
  revoked,
}: MachineOverview): string {
  const policy =
    bundle === undefined
      ? 'no bundle'
      : `${bundle.name} ${bundle.revision}${bundle.enforced ? '' : ' (advisory)'}`
  const seen = lastSeen === undefined ? 'never seen' : `seen ${lastSeen.slice(0, 16).replace('T', ' ')}`
  const words = [
    state === 'well' ? 'well' : state.toUpperCase(),
    machine,
    hostname,
    user,
    team,
    `Holdpoint ${version}`,
    policy,
    seen,
  ]
  return visible([...words, revoked ? 'revoked' : ''].filter((word) => word !== '').join(', '), 400)
}

export function revokeMachine(machine: string, options: CentralOptions): Promise<void> {
  return withFleet(options, async (fleet) => {
    const isMachine = /^[0-9a-f-]{36}$/.test(machine)
    if (!isMachine || !(await fleet.revokeMachine(machine)))
      throw unknown(`There is no machine ${visible(machine, 60)}.`)
    say('The key of the machine no longer counts. To go on, enroll the machine again with a token.')
  })
}

interface FindingsOptions extends CentralOptions {
  readonly resolve?: string
}

/** Exit code 1 if there is one. */
export function findings(options: FindingsOptions): Promise<void> {
  return withFleet(options, async (fleet) => {
    if (options.resolve !== undefined) {
      const count = await fleet.resolveFindings(options.resolve, person())
      say(
        `${plural(count, 'finding')} of the machine ${options.resolve} ${count === 1 ? 'is' : 'are'} resolved.`,
      )
      return
    }
    const found = await fleet.findings()
    if (options.json === true) print(found)
    else if (found.length === 0) say('Nothing was found.')
    else
      for (const { kind, machine, hostname, user, detail, foundAt } of found) {
        say(
          visible(
            `${foundAt.slice(0, 16).replace('T', ' ')} ${kind.toUpperCase()} ${machine} ${hostname} ${user}: ${detail}`,
            400,
          ),
        )
      }
    if (found.length > 0) process.exitCode = 1
  })
}

interface VerifyOptions extends CentralOptions {
  readonly machine?: string
}

/** Exit code 1 if a chain is broken. */
export function verifyFleet(options: VerifyOptions): Promise<void> {
  return withFleet(options, async (fleet) => {
    const chains = await fleet.verify(options.machine)
    const broken = chains.filter(({ ok }) => !ok)
    if (options.json === true) print(chains)
    else {
      for (const { machine, branch, message } of broken) say(`BROKEN ${machine} ${branch}: ${message}.`)
      const records = chains.reduce((sum, chain) => sum + chain.records, 0)
      say(`${plural(chains.length, 'chain')}, ${plural(records, 'record')}, ${broken.length} broken.`)
    }
    if (broken.length > 0) process.exitCode = 1
  })
}

interface EraseOptions extends CentralOptions {
  readonly record?: string
  readonly session?: string
  readonly machine?: string
  readonly user?: string
  readonly rewrite?: boolean
}

export function eraseFleet(options: EraseOptions): Promise<void> {
  return withFleet(options, async (fleet) => {
    const { record, session, machine, user } = options
    const selection = Object.fromEntries(
      Object.entries({ record, session, machine, user }).filter(([, value]) => value !== undefined),
    )
    if (Object.keys(selection).length !== 1) {
      throw new HoldpointError({
        code: 'OPTION_INVALID',
        message: 'Name exactly one of --record, --session, --machine and --user.',
      })
    }
    const count = await fleet.erase(selection, person(), { rewrite: options.rewrite === true })
    say(
      `${plural(count, 'record')} erased. The chains still verify: \`holdpoint fleet verify\`. Backups still have them.`,
    )
  })
}

interface StopsOptions extends CentralOptions {
  readonly by: StopsQuery['by']
  readonly since?: string
  readonly team?: string
  readonly project?: string
}

export function showStops(options: StopsOptions): Promise<void> {
  return withFleet(options, async (fleet) => {
    const { by, since, team, project } = options
    const rows = await fleet.stops({
      by,
      since: new Date(Date.now() - durationMs(since ?? '30d', '--since')).toISOString().slice(0, 10),
      ...(team === undefined ? {} : { team }),
      ...(project === undefined ? {} : { project }),
    })
    if (options.json === true) return print(rows)
    for (const { name, denied, asked } of rows) say(`${visible(name)}: ${denied} denied, ${asked} asked`)
  })
}

interface SessionOptions extends CentralOptions {
  readonly limit?: string
}

const SESSION_RECORDS = '1000'

/** Exit code 1 if no machine knows the session. */
export function showSession(session: string, options: SessionOptions): Promise<void> {
  return withFleet(options, async (fleet) => {
    const limit = countOption(options.limit ?? SESSION_RECORDS, '--limit', 1, 100_000)
    const records = await fleet.session(session, limit)
    if (options.json === true) print(records)
    else if (records.length === 0) say('No machine has sent a record of this session.')
    else for (const record of records) say(sessionLine(record))
    if (records.length === 0) process.exitCode = 1
  })
}

function sessionLine({ at, hostname, user, intact, record }: SessionRecord): string {
  const field = (key: string) => (isObject(record) ? (textAt(record, key) ?? '') : '')
  const what = [field('event'), field('tool'), field('input').slice(0, 120)].filter((each) => each !== '')
  const words = `${at.slice(0, 19).replace('T', ' ')} ${hostname} ${user}: ${field('effect')} ${what.join(' ')}`
  return visible(intact ? words : `CHANGED ${words}`, 400)
}

interface RolloutOptions extends CentralOptions {
  readonly name?: string
}

export function showRollout(options: RolloutOptions): Promise<void> {
  return withFleet(options, async (fleet) => {
    const rows = await fleet.rollout(options.name)
    if (options.json === true) return print(rows)
    if (rows.length === 0) return say('No machine has a bundle yet.')
    const newest = new Map(rows.map((row) => [`${row.name} ${row.revision}`, row]))
    for (const { name, revision, machinesSoFar, minute } of newest.values()) {
      const when = minute.slice(0, 16).replace('T', ' ')
      say(
        visible(
          `${name} revision ${revision}: ${plural(machinesSoFar, 'machine')} so far, the last at ${when} UTC`,
        ),
      )
    }
  })
}

interface RetainOptions extends CentralOptions {
  readonly keepDays?: string
  readonly keepProject?: readonly string[]
}

export function retain(options: RetainOptions): Promise<void> {
  return withFleet(options, async (fleet) => {
    const limits = retentionOption(options)
    if (limits === undefined) {
      throw new HoldpointError({
        code: 'OPTION_INVALID',
        key: '--keep-days',
        message: 'Pass --keep-days or --keep-project.',
      })
    }
    const { days, erased } = await fleet.retain(limits)
    say(`${plural(days, 'day')} dropped, ${plural(erased, 'record')} erased.`)
  })
}

function person(): string {
  try {
    return userInfo().username
  } catch {
    return 'unknown'
  }
}

function unknown(message: string): HoldpointError {
  return new HoldpointError({
    code: 'RECORD_UNKNOWN',
    message,
    fix: 'List them with `holdpoint fleet machines` or `holdpoint fleet token list`.',
  })
}
