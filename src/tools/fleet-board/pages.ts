import type {
  FleetDatabase,
  MachineOverview,
  MachineState,
  RolloutRow,
  StopsQuery,
} from '../../core/fleet-package.ts'
import { isObject, type Json, textAt } from '../../core/json.ts'
import { bar, boardTable, type Html, html, page } from './html.ts'

/** The pages of the board. Each asks the database once or twice, with the rights of a reader. */

export type FleetReader = Pick<
  FleetDatabase,
  'machines' | 'machineStates' | 'stops' | 'session' | 'rollout' | 'findings'
>

export interface PageRequest {
  readonly fleet: FleetReader
  readonly parameters: URLSearchParams
  readonly now: Date
}

export type FleetPage = (request: PageRequest) => Promise<string>

const MACHINES_SHOWN = 200
const SESSION_RECORDS_MAX = 1_000
const DAY_MS = 24 * 60 * 60 * 1000

const STATE_WORDS: Readonly<Record<MachineState, string>> = {
  tampered: 'Tampered',
  unguarded: 'Unguarded',
  silent: 'Silent',
  'policy problem': 'Policy problem',
  outdated: 'Outdated',
  well: 'Well',
}

export const FLEET_PAGES: Readonly<Record<string, FleetPage>> = {
  machines,
  stops,
  rollout,
  session,
  findings,
}

async function machines({ fleet, parameters }: PageRequest): Promise<string> {
  const team = parameters.get('team') || undefined
  const [states, shown] = await Promise.all([
    fleet.machineStates(),
    fleet.machines({ limit: MACHINES_SHOWN, ...(team === undefined ? {} : { team }) }),
  ])
  const all = Object.values(states).reduce((sum, count) => sum + count, 0)
  const counts = Object.entries(STATE_WORDS).map(
    ([state, words]) => html`<li><b>${states[state as MachineState]}</b>${words}</li>`,
  )
  const rest =
    shown.length < MACHINES_SHOWN
      ? html``
      : html`<p class="dim">The first ${MACHINES_SHOWN} of ${all}, the most urgent first. \`holdpoint fleet machines --json\` lists more.</p>`
  const heads = ['State', 'Host', 'User', 'Team', 'Holdpoint', 'Agents', 'Policy', 'Last seen', 'Machine']
  const list = boardTable(heads, shown.map(machineCells), 'No machine has registered yet.')
  return page(
    'Machines',
    'machines',
    html`<ul class="counts">${counts}</ul>${search('team', 'Team', team ?? '')}${list}${rest}`,
  )
}

function machineCells(machine: MachineOverview): (string | Html)[] {
  const { state, revoked, hostname, user, team, version, agents, bundle, lastSeen, findings: found } = machine
  const words = revoked ? 'Revoked' : STATE_WORDS[state]
  const about = found > 0 ? `${words}, ${found} findings` : words
  const hosts = agents.map((agent) => {
    const name = textAt(agent, 'host') ?? ''
    return agent.guarded === true ? name : `${name} (unguarded)`
  })
  return [
    html`<span class="${state === 'well' ? 'good' : 'bad'}">${about}</span>`,
    ...[hostname, user, team, version, hosts.join(', ')],
    policyText(bundle),
    lastSeen === undefined ? 'never' : minuteOf(lastSeen),
    machine.machine,
  ]
}

function policyText(bundle: MachineOverview['bundle']): string {
  if (bundle === undefined) return 'no bundle'
  const parts = [
    `${bundle.name} ${bundle.revision}`,
    bundle.channel,
    bundle.enforced ? undefined : 'advisory: a program of the user can end it',
    bundle.problem,
  ]
  return parts.filter((part) => part !== undefined && part !== '').join(', ')
}

const BY: readonly (readonly [StopsQuery['by'], string])[] = [
  ['guard', 'By guard'],
  ['team', 'By team'],
  ['project', 'By project'],
  ['day', 'By day'],
]

async function stops({ fleet, parameters, now }: PageRequest): Promise<string> {
  const days = Math.min(3650, Math.max(1, Math.floor(Number(parameters.get('days') ?? '30')) || 30))
  const since = new Date(now.getTime() - days * DAY_MS).toISOString().slice(0, 10)
  const tables = await Promise.all(
    BY.map(async ([by, title]) => {
      const rows = await fleet.stops({ by, since, limit: by === 'day' ? days + 1 : 25 })
      const most = Math.max(1, ...rows.map(({ denied, asked }) => denied + asked))
      const cells = rows.map(({ name, denied, asked }) => [
        name === '' ? '(none)' : name,
        bar((denied + asked) / most, String(denied + asked)),
        denied,
        asked,
      ])
      return html`<h2>${title}</h2>${boardTable(['', 'Stops', 'Denied', 'Asked'], cells, 'Nothing was stopped.')}`
    }),
  )
  return page('Stops', 'stops', html`${search('days', 'Days', String(days))}${tables}`)
}

/** How a revision spread, newest first. */
async function rollout({ fleet }: PageRequest): Promise<string> {
  const [rows, states] = await Promise.all([fleet.rollout(), fleet.machineStates()])
  const all = Math.max(
    1,
    Object.values(states).reduce((sum, count) => sum + count, 0),
  )
  const revisions = new Map<string, RolloutRow[]>()
  for (const row of rows) {
    const key = `${row.name} ${row.revision}`
    revisions.set(key, [...(revisions.get(key) ?? []), row])
  }
  const parts = [...revisions].reverse().map(([name, spread]) => {
    const reached = spread.at(-1)?.machinesSoFar ?? 0
    const cells = sampled(spread).map(({ minute, machinesSoFar }) => [
      minuteOf(minute),
      bar(machinesSoFar / all, `${machinesSoFar} of ${all}`),
    ])
    return html`<h2>${name}: ${reached} of ${all} machines</h2>${boardTable(['Minute', 'Machines so far'], cells, '')}`
  })
  const content =
    parts.length === 0 ? html`<p class="empty">No machine has a bundle yet.</p>` : html`${parts}`
  return page('Rollout', 'rollout', content)
}

const MINUTES_SHOWN = 30

/** The last minute is always there. */
function sampled(rows: readonly RolloutRow[]): readonly RolloutRow[] {
  const step = Math.ceil(rows.length / MINUTES_SHOWN)
  return rows.filter((_, index) => (rows.length - 1 - index) % step === 0)
}

async function session({ fleet, parameters }: PageRequest): Promise<string> {
  const id = parameters.get('id') ?? ''
  const records = id === '' ? [] : await fleet.session(id, SESSION_RECORDS_MAX)
  const cells = records.map(({ at, hostname, user, intact, record }) => [
    at.slice(0, 19).replace('T', ' '),
    hostname,
    user,
    fieldOf(record, 'event'),
    fieldOf(record, 'tool'),
    fieldOf(record, 'input').slice(0, 300),
    effectCell(fieldOf(record, 'effect')),
    fieldOf(record, 'reason').slice(0, 300),
    intact ? '' : html`<span class="bad">changed</span>`,
  ])
  const heads = ['Time (UTC)', 'Host', 'User', 'Event', 'Tool', 'Input', 'Decision', 'Reason', '']
  const found =
    id === ''
      ? html`<p class="empty">Enter the id of a session to see its decisions on all machines.</p>`
      : boardTable(heads, cells, 'No machine has sent a record of this session.')
  return page('Session', 'session', html`${search('id', 'Session', id)}${found}`)
}

function effectCell(effect: string): string | Html {
  return effect === 'deny' || effect === 'ask' ? html`<span class="bad">${effect}</span>` : effect
}

function fieldOf(record: Json, key: string): string {
  return isObject(record) ? (textAt(record, key) ?? '') : ''
}

async function findings({ fleet }: PageRequest): Promise<string> {
  const found = await fleet.findings()
  const cells = found
    .slice(0, 500)
    .map(({ foundAt, kind, hostname, user, machine, seq, detail }) => [
      minuteOf(foundAt),
      html`<span class="bad">${kind}</span>`,
      ...[hostname, user, detail],
      seq,
      machine,
    ])
  const heads = ['Found (UTC)', 'Kind', 'Host', 'User', 'What', 'Record', 'Machine']
  return page('Findings', 'findings', boardTable(heads, cells, 'No gap, fork or changed record was found.'))
}

function search(name: string, label: string, value: string): Html {
  return html`<form><label>${label} <input name="${name}" value="${value}"></label><button>Show</button></form>`
}

function minuteOf(iso: string): string {
  return iso.slice(0, 16).replace('T', ' ')
}
